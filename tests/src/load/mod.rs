//! How fast moves travel: from the mover's send to the opponent's receipt, for many games at once, beside a bare relay
//! that does nothing but parse a message and pass it on. The relay is what sockets and JSON cost on this machine; the rest
//! is the game's: rules, clock, one commit to the database before anyone is told.
//!
//! Besides: what a socket costs that only waits ([`idle`]), and how soon the games are [`back`] after a crash. `cargo xtask
//! load` builds the server for release, starts a Postgres for it, and runs these; [`report`] holds them against what is
//! asked.

pub mod back;
pub mod idle;
pub mod players;
pub mod relay;
pub mod report;

use std::time::{Duration, Instant};

use anyhow::Result;
use hdrhistogram::Histogram;
use tokio::time::Interval;

use crate::process::cpu_time;
use crate::{Database, Server};

/// The runtime's timer goes by the millisecond: so much of a move's lateness is the generator's own.
const TIMER: Duration = Duration::from_millis(1);

/// What to measure.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Played at once.
    pub games: usize,
    /// How long.
    pub time: Duration,
    /// Between two moves of one game; none when saturated.
    pub pace: Option<Duration>,
}

impl Load {
    /// The pace at which all games together make so many moves a second.
    #[must_use]
    pub fn at_rate(self, rate: u32) -> Load {
        let pace = Duration::from_secs_f64(self.games as f64 / f64::from(rate));
        Load { pace: Some(pace), ..self }
    }

    /// When the game with this index moves; the games take turns, so that their moves are spread evenly.
    fn turns(self, index: usize) -> Turns {
        Turns(self.pace.map(|pace| {
            let first = pace.mul_f64(index as f64 / self.games as f64);
            tokio::time::interval_at(tokio::time::Instant::now() + first, pace)
        }))
    }
}

/// When one game's moves are due.
struct Turns(Option<Interval>);

impl Turns {
    /// Waits for the next, and answers from when on it is measured: from when it was due, and not from when it could be made
    /// at last, since whoever cannot move because the move before is still on its way waits as well.
    async fn next(&mut self) -> Instant {
        match &mut self.0 {
            Some(interval) => (interval.tick().await.into_std() + TIMER).min(Instant::now()),
            None => Instant::now(),
        }
    }

    /// The next is due a whole pace from now.
    fn begin_anew(&mut self) {
        if let Some(interval) = &mut self.0 {
            interval.reset();
        }
    }
}

/// Times from send to receipt, in microseconds.
#[derive(Debug)]
pub struct Figures {
    latency: Histogram<u64>,
    measured: Duration,
    /// The time of a core that the server's process took for it; nothing where that is not to be had.
    cpu: Option<Duration>,
}

impl Figures {
    fn new() -> Figures {
        // Up to a minute, to three digits.
        let latency =
            Histogram::new_with_bounds(1, 60_000_000, 3).expect("these bounds are in order");
        Figures { latency, measured: Duration::ZERO, cpu: None }
    }

    fn note(&mut self, since: Instant) {
        self.latency.saturating_record(
            u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX).max(1),
        );
    }

    fn add(&mut self, other: &Figures) {
        self.latency.add(&other.latency).expect("all have the same bounds");
    }

    /// How many moves were made.
    pub fn moves(&self) -> u64 {
        self.latency.len()
    }

    /// And in a second.
    pub fn per_second(&self) -> f64 {
        self.latency.len() as f64 / self.measured.as_secs_f64()
    }

    /// What one of them cost the server's process, in microseconds of a core; that of a database's own processes is not in it.
    pub fn cpu_us(&self) -> Option<f64> {
        Some(self.cpu?.as_secs_f64() * 1e6 / self.moves().max(1) as f64)
    }

    /// The time that this share of the moves did not exceed, in milliseconds.
    pub fn ms(&self, quantile: f64) -> f64 {
        self.latency.value_at_quantile(quantile) as f64 / 1000.0
    }
}

/// Runs all games to their end, adds up what they measured, and gives them back. `pid` is the server's.
async fn together<T: Send + 'static>(
    pid: u32,
    games: Vec<impl Future<Output = (T, Figures)> + Send + 'static>,
) -> (Vec<T>, Figures) {
    let begin = Instant::now();
    let cpu_before = cpu_time(pid);
    let mut tasks = tokio::task::JoinSet::new();
    for game in games {
        tasks.spawn(game);
    }
    let mut sum = Figures::new();
    let mut done = Vec::new();
    for (game, figures) in tasks.join_all().await {
        sum.add(&figures);
        done.push(game);
    }
    sum.measured = begin.elapsed();
    sum.cpu = cpu_time(pid).zip(cpu_before).map(|(after, before)| after.saturating_sub(before));
    (done, sum)
}

/// A server for measuring.
pub async fn server(database: Database) -> Server {
    let settings = [
        ("limits.sockets", "20000"),
        ("limits.sockets_per_address", "20000"),
        ("log.filter", "warn"),
    ];
    Server::start_with(database, &settings).await
}

/// What all `loads`, one after another, come to on a server. The same people play all of them.
///
/// # Errors
/// If the server refuses anything.
pub async fn moves(database: Database, loads: &[Load]) -> Result<Vec<Figures>> {
    let mut server = server(database).await;
    let mut pairs = Vec::new();
    let mut all = Vec::new();
    for load in loads {
        players::seat(&server, &mut pairs, load.games).await?;
        let playing = pairs.split_off(pairs.len() - load.games);
        let (played, figures) = players::play(server.pid(), playing, *load).await;
        for pair in &played {
            if let Some(fault) = pair.fault() {
                anyhow::bail!("{fault}");
            }
        }
        pairs.extend(played);
        all.push(figures);
    }
    drop(pairs);
    server.stop().await;
    Ok(all)
}
