//! Well-behaved players among clients that do everything wrong: nobody of the former is dropped or refused, and all are
//! served. `nuisance.rs` are the latter, one kind at a time, before each of which the players have been alone for as long.

mod nuisance;
mod storm;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Verdict;
use super::table::{Book, Record};
use crate::load::players::{self, Pair};
use crate::load::{Figures, Load};
use crate::process::cpu_time;
use crate::table::long_game;
use crate::{Database, PATIENCE, Server};

/// What bounds clients is as it is by default here; stories have it wider.
const AS_BY_DEFAULT: [(&str, &str); 6] = [
    ("limits.commands_per_second", "10"),
    ("limits.commands_burst", "40"),
    ("limits.sockets", "10000"),
    ("limits.sockets_per_address", "1000"),
    ("server.connections", "2000"),
    ("server.connections_per_address", "500"),
];

/// Who comes, and how many of each.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Games of well-behaved players.
    pub games: usize,
    /// Between two moves of one game.
    pub between: Duration,
    /// How long each kind of trouble takes.
    pub time: Duration,
    /// Sockets that watch and never read.
    pub stalled: usize,
    /// Sockets that send as fast as they can.
    pub flooders: usize,
    /// Lines on which comes what is no message, or no request, or only half of one.
    pub garbage: usize,
    /// Lines that are closed in one direction.
    pub half_closed: usize,
    /// Sockets that watch, are all dropped at once and all come back at once, again and again.
    pub storm: usize,
}

/// A kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nuisance {
    /// Sockets that watch and never read.
    Stalled,
    /// Sockets that send as fast as they can.
    Flooders,
    /// What is no message, or no request, or only half of one.
    Garbage,
    /// Lines that are closed in one direction.
    HalfClosed,
    /// Everyone drops, and everyone comes back.
    Storm,
}

impl Nuisance {
    /// All of them.
    pub const ALL: [Nuisance; 5] = [
        Nuisance::Stalled,
        Nuisance::Flooders,
        Nuisance::Garbage,
        Nuisance::HalfClosed,
        Nuisance::Storm,
    ];

    /// As it is called in a command line.
    pub fn name(self) -> &'static str {
        match self {
            Nuisance::Stalled => "stalled",
            Nuisance::Flooders => "flooders",
            Nuisance::Garbage => "garbage",
            Nuisance::HalfClosed => "half-closed",
            Nuisance::Storm => "storm",
        }
    }
}

/// What the troublemakers count.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Lines that were opened.
    lines: AtomicU64,
    /// Of these, those that the server refused or closed.
    ended: AtomicU64,
    /// Times that everyone has come back.
    storms: AtomicU64,
    /// Those who came back and were not shown what they had missed.
    unserved: AtomicU64,
    /// The slowest of those who were, in milliseconds.
    slowest_ms: AtomicU64,
}

impl Tally {
    fn of(count: &AtomicU64) -> u64 {
        count.load(Ordering::Relaxed)
    }

    pub(super) fn line(&self) {
        self.lines.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn ended(&self) {
        self.ended.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn storm(&self, unserved: u64, slowest: Duration) {
        self.storms.fetch_add(1, Ordering::Relaxed);
        self.unserved.fetch_add(unserved, Ordering::Relaxed);
        let slowest = u64::try_from(slowest.as_millis()).unwrap_or(u64::MAX);
        self.slowest_ms.fetch_max(slowest, Ordering::Relaxed);
    }
}

/// The players' times for a while, and who had the processor.
#[derive(Debug)]
pub struct Span {
    figures: Figures,
    /// Cores that the server and this program have taken, where that can be known.
    cores: Option<(f64, f64)>,
}

/// The players' times in quiet and in trouble.
#[derive(Debug)]
pub struct Trial {
    nuisance: Nuisance,
    quiet: Span,
    troubled: Span,
    tally: Arc<Tally>,
}

impl Trial {
    /// How many lines the troublemakers have opened.
    pub fn lines(&self) -> u64 {
        Tally::of(&self.tally.lines)
    }
}

/// What all trials came to.
#[derive(Debug, Default)]
pub struct Trials(pub Vec<Trial>);

/// Carries out the plan. What the server broke is in the verdict.
///
/// # Errors
/// If the server does not let the players begin.
pub async fn run(
    database: Database,
    plan: Plan,
    nuisances: &[Nuisance],
) -> Result<(Verdict, Trials)> {
    let mut settings = AS_BY_DEFAULT.to_vec();
    settings.push(("log.filter", "off"));
    let mut server = Server::start_with(database, &settings).await;
    let mut pairs = Vec::new();
    players::seat(&server, &mut pairs, plan.games).await?;
    let load = Load { games: plan.games, time: plan.time, pace: Some(plan.between) };
    let mut trials = Trials::default();
    let mut broken = Vec::new();
    let elsewhere = Elsewhere::new()?;
    for &nuisance in nuisances {
        let (after_quiet, quiet) = span(&server, pairs, load).await;
        let games = after_quiet.iter().filter_map(|pair| Some(pair.played().last()?.game.clone()));
        let scene = nuisance::Scene {
            origin: server.origin(),
            games: games.collect(),
            tally: Arc::new(Tally::default()),
            is_over: Arc::default(),
        };
        let (tally, is_over) = (Arc::clone(&scene.tally), Arc::clone(&scene.is_over));
        let mut trouble = nuisance::begin(nuisance, plan, scene, elsewhere.handle()?).await?;
        let (after_trouble, troubled) = span(&server, after_quiet, load).await;
        is_over.store(true, Ordering::Relaxed);
        if nuisance == Nuisance::Storm {
            while trouble.join_next().await.is_some() {}
        }
        // Everyone else is gone with their set.
        drop(trouble);
        pairs = after_trouble;
        if Tally::of(&tally.unserved) > 0 {
            let unserved = Tally::of(&tally.unserved);
            broken.push(format!("{unserved} who came back were not shown what they had missed"));
        }
        trials.0.push(Trial { nuisance, quiet, troubled, tally });
    }
    broken.extend(
        pairs.iter().filter_map(|pair| Some(format!("a well-behaved player: {}", pair.fault()?))),
    );
    if timeout(PATIENCE, server.client().get("/readyz")).await.is_err() {
        broken.push("the server no longer answers".to_owned());
    }
    let mut books = vec![Book { broken, ..Book::default() }];
    books.extend(pairs.iter().map(book));
    let mut verdict = Verdict::reach(&server, books).await?;
    drop(pairs);
    if server.is_running() {
        server.stop().await;
    } else {
        verdict.broken.push("the server has died".to_owned());
    }
    Ok((verdict, trials))
}

/// A thread for the troublemakers: what they do to the players, they do through the server.
struct Elsewhere(Option<Runtime>);

impl Elsewhere {
    fn new() -> Result<Elsewhere> {
        Ok(Elsewhere(Some(Builder::new_multi_thread().worker_threads(1).enable_all().build()?)))
    }

    fn handle(&self) -> Result<&Handle> {
        Ok(self.0.as_ref().context("it is there until the end")?.handle())
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        // A runtime may not be waited for where others run.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// What a pair was promised.
fn book(pair: &Pair) -> Book {
    let turns = long_game();
    let records = pair.played().iter().map(|played| Record {
        id: played.game.clone(),
        moves: turns[..played.plies].iter().map(|&turn| turn.to_owned()).collect(),
        ended: played.ended,
    });
    Book { records: records.collect(), ..Book::default() }
}

async fn span(server: &Server, pairs: Vec<Pair>, load: Load) -> (Vec<Pair>, Span) {
    let costs = || Some((cpu_time(server.pid())?, cpu_time(std::process::id())?));
    let (before, begin) = (costs(), Instant::now());
    let (pairs, figures) = players::play(server.pid(), pairs, load).await;
    let cores = before.zip(costs()).map(|(before, after)| {
        let share = |time: Duration| time.as_secs_f64() / begin.elapsed().as_secs_f64();
        (share(after.0.saturating_sub(before.0)), share(after.1.saturating_sub(before.1)))
    });
    (pairs, Span { figures, cores })
}

/// Troublemakers; they leave when this is dropped.
pub(super) type Trouble = JoinSet<()>;

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = &self.figures;
        let (p50, p99, rate) = (figures.ms(0.5), figures.ms(0.99), figures.per_second());
        write!(f, "{rate:>7.0} {p50:>8.2} {p99:>8.2}")?;
        match self.cores {
            Some((server, own)) => write!(f, " {server:>7.2} {own:>6.2}"),
            None => write!(f, " {:>7} {:>6}", "–", "–"),
        }
    }
}

impl fmt::Display for Trials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = ["moves/s", "p50 ms", "p99 ms", "server", "drill"];
        let [rate, p50, p99, server, own] = header;
        write!(f, "{:<12} {rate:>7} {p50:>8} {p99:>8} {server:>7} {own:>6}", "")?;
        for Trial { nuisance, quiet, troubled, tally } in &self.0 {
            let ratio = troubled.figures.ms(0.99) / quiet.figures.ms(0.99);
            write!(f, "\n{:<12} {quiet}", "quiet")?;
            write!(f, "\n{:<12} {troubled}  p99 × {ratio:.2}", nuisance.name())?;
            let (lines, ended) = (Tally::of(&tally.lines), Tally::of(&tally.ended));
            write!(f, "; {lines} lines, {ended} refused or closed")?;
            if *nuisance == Nuisance::Storm {
                let (storms, slowest) = (Tally::of(&tally.storms), Tally::of(&tally.slowest_ms));
                write!(f, "; {storms} storms, all served within {slowest} ms")?;
            }
        }
        Ok(())
    }
}
