//! Figures for Prometheus, in its text format. They are told on an address of their own, if one is set: they are for whoever
//! hosts the server.
//!
//! Labels have few values, all of them ours: nothing that a client sends becomes one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Counted since the start.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Messages on sockets by kind: what was asked.
    pub commands: Counts,
    /// Refusals on sockets and acknowledgements, by code.
    pub answers: Counts,
    /// Requests by route and class of status.
    pub requests: Counts,
    /// Refusals over HTTP, by code.
    pub refusals: Counts,
    /// How long answers took, sockets aside.
    pub request_seconds: Histogram<11>,
}

/// What the store has gone through.
#[derive(Debug)]
pub struct StoreMetrics {
    /// Failures by kind.
    pub errors: Counts,
    /// How many games' writes went into one commit.
    pub commit_writes: Histogram<10>,
    pub commit_seconds: Histogram<11>,
}

const SECONDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 4.0];
const WRITES: [f64; 10] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

impl Default for StoreMetrics {
    fn default() -> Self {
        Self {
            errors: Counts::default(),
            commit_writes: Histogram::new(WRITES),
            commit_seconds: Histogram::default(),
        }
    }
}

/// A counter for each of a few labels.
#[derive(Debug, Default)]
pub struct Counts(Mutex<BTreeMap<&'static str, BTreeMap<String, u64>>>);

impl Counts {
    /// One more. `first` comes from a list of ours, as `second` does.
    pub fn add(&self, first: &str, second: &'static str) {
        // No code panics while it holds this; if some did, the counts are still whole.
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = counts.entry(second).or_default();
        // Looked for first: a label is written down once.
        match counts.get_mut(first) {
            Some(count) => *count += 1,
            None => _ = counts.insert(first.to_owned(), 1),
        }
    }

    fn write(&self, page: &mut Page, name: &str, help: &str, labels: [&str; 2]) {
        page.head(name, help, "counter");
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let [a, b] = labels;
        let each = counts
            .iter()
            .flat_map(|(second, of)| of.iter().map(move |(first, n)| (first, second, n)));
        for (first, second, count) in each {
            _ = match b {
                "" => writeln!(page.0, "{name}{{{a}=\"{first}\"}} {count}"),
                b => writeln!(page.0, "{name}{{{a}=\"{first}\",{b}=\"{second}\"}} {count}"),
            };
        }
    }
}

/// How often a value was at most each of some bounds.
#[derive(Debug)]
pub struct Histogram<const N: usize> {
    bounds: [f64; N],
    /// For each bound, and for what is above all.
    counts: [AtomicU64; N],
    above: AtomicU64,
    /// In millionths.
    sum: AtomicU64,
}

impl Default for Histogram<11> {
    fn default() -> Self {
        Self::new(SECONDS)
    }
}

impl<const N: usize> Histogram<N> {
    pub fn new(bounds: [f64; N]) -> Self {
        Self {
            bounds,
            counts: std::array::from_fn(|_| AtomicU64::new(0)),
            above: AtomicU64::new(0),
            sum: AtomicU64::new(0),
        }
    }

    pub fn observe(&self, value: f64) {
        let bucket = self.bounds.iter().position(|bound| value <= *bound);
        bucket.map_or(&self.above, |at| &self.counts[at]).fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add((value * 1e6) as u64, Ordering::Relaxed);
    }

    pub fn observe_time(&self, time: Duration) {
        self.observe(time.as_secs_f64());
    }

    fn write(&self, page: &mut Page, name: &str, help: &str) {
        page.head(name, help, "histogram");
        let mut so_far = 0;
        for (bound, count) in self.bounds.iter().zip(&self.counts) {
            so_far += count.load(Ordering::Relaxed);
            _ = writeln!(page.0, "{name}_bucket{{le=\"{bound}\"}} {so_far}");
        }
        so_far += self.above.load(Ordering::Relaxed);
        let sum = self.sum.load(Ordering::Relaxed) as f64 / 1e6;
        _ = writeln!(
            page.0,
            "{name}_bucket{{le=\"+Inf\"}} {so_far}\n{name}_sum {sum}\n{name}_count {so_far}"
        );
    }
}

/// What is there at this moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gauges {
    pub connections: usize,
    pub sockets: usize,
    pub live_games: usize,
    pub journal_queue: usize,
    pub searches: usize,
    pub password_queue: usize,
    pub password_hashes: u64,
}

/// The text that is being written.
struct Page(String);

impl Page {
    fn head(&mut self, name: &str, help: &str, kind: &str) {
        _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn value(&mut self, name: &str, help: &str, kind: &str, value: impl std::fmt::Display) {
        self.head(name, help, kind);
        _ = writeln!(self.0, "{name} {value}");
    }
}

/// Everything, as Prometheus reads it.
pub fn page(metrics: &Metrics, store: &StoreMetrics, now: Gauges) -> String {
    let mut page = Page(String::with_capacity(8192));
    for (name, help, value) in [
        ("manifold_connections", "Connections that are open, sockets aside.", now.connections),
        ("manifold_sockets", "WebSockets that are open.", now.sockets),
        ("manifold_live_games", "Games with a clock that are under way.", now.live_games),
        (
            "manifold_journal_queue",
            "Writes of games that wait for the next commit.",
            now.journal_queue,
        ),
        ("manifold_searches", "Searches that wait or are under way.", now.searches),
        (
            "manifold_password_queue",
            "Password hashes that wait or are under way.",
            now.password_queue,
        ),
    ] {
        page.value(name, help, "gauge", value);
    }
    let name = "manifold_password_hashes_total";
    page.value(name, "Password hashes that were computed.", "counter", now.password_hashes);
    metrics.commands.write(
        &mut page,
        "manifold_commands_total",
        "Messages on sockets.",
        ["kind", ""],
    );
    metrics.answers.write(&mut page, "manifold_answers_total", "Answers on sockets.", ["code", ""]);
    let name = "manifold_http_requests_total";
    metrics.requests.write(&mut page, name, "Requests over HTTP.", ["route", "status"]);
    let name = "manifold_http_refusals_total";
    metrics.refusals.write(&mut page, name, "Refusals over HTTP.", ["code", ""]);
    metrics.request_seconds.write(
        &mut page,
        "manifold_http_request_seconds",
        "Until an answer began.",
    );
    store.errors.write(
        &mut page,
        "manifold_database_errors_total",
        "Failures of the database.",
        ["kind", ""],
    );
    store.commit_writes.write(
        &mut page,
        "manifold_commit_writes",
        "Writes of games in one commit.",
    );
    store.commit_seconds.write(&mut page, "manifold_commit_seconds", "How long a commit took.");
    if let Some(bytes) = resident_bytes() {
        page.value("process_resident_memory_bytes", "Memory of the process.", "gauge", bytes);
    }
    page.0
}

/// The memory that the process occupies, where the system tells it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_in_prometheus_s_text_format() {
        let (metrics, store) = (Metrics::default(), StoreMetrics::default());
        metrics.requests.add("/api/v1/session", "2xx");
        metrics.requests.add("/api/v1/session", "2xx");
        metrics.requests.add("/api/v1/session", "4xx");
        metrics.commands.add("move", "");
        for seconds in [0.0005, 0.003, 0.003, 9.0] {
            store.commit_seconds.observe(seconds);
        }
        let now = Gauges {
            connections: 3,
            sockets: 2,
            live_games: 1,
            journal_queue: 0,
            searches: 0,
            password_queue: 0,
            password_hashes: 5,
        };
        let page = page(&metrics, &store, now);
        for line in [
            "# TYPE manifold_sockets gauge",
            "manifold_sockets 2",
            "manifold_password_hashes_total 5",
            "manifold_http_requests_total{route=\"/api/v1/session\",status=\"2xx\"} 2",
            "manifold_http_requests_total{route=\"/api/v1/session\",status=\"4xx\"} 1",
            "manifold_commands_total{kind=\"move\"} 1",
            "# TYPE manifold_commit_seconds histogram",
            "manifold_commit_seconds_bucket{le=\"0.001\"} 1",
            "manifold_commit_seconds_bucket{le=\"0.005\"} 3",
            "manifold_commit_seconds_bucket{le=\"4\"} 3",
            "manifold_commit_seconds_bucket{le=\"+Inf\"} 4",
            "manifold_commit_seconds_sum 9.0065",
            "manifold_commit_seconds_count 4",
        ] {
            assert!(page.lines().any(|found| found == line), "{line} is not in\n{page}");
        }
        let is_line = |line: &str| line.starts_with("# ") || line.split(' ').count() == 2;
        assert!(page.lines().all(is_line), "{page}");
    }
}
