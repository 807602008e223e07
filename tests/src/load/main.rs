//! How fast moves travel: from the mover's send to the opponent's receipt, for many games at once, beside a bare relay
//! that does nothing but parse a message and pass it on. The relay is what sockets and JSON cost on this machine; the rest
//! is the game's: rules, clock, one commit to the database before anyone is told.
//!
//! `cargo xtask load` builds the server for release, starts a Postgres for it, and runs this.

mod players;
mod relay;

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use hdrhistogram::Histogram;
use manifold_tests::{Database, Server};
use tokio::time::Interval;

const USAGE: &str = "\
load [--games N] [--seconds S] [--rate MOVES_PER_SECOND] [--only relay|sqlite|postgres]
    --games     how many are played at once (100)
    --seconds   how long each is measured (10)
    --rate      all moves together a second; without it each is answered at once
";

/// What to measure.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    /// Played at once.
    games: usize,
    /// How long.
    time: Duration,
    /// Between two moves of one game; none when saturated.
    pace: Option<Duration>,
}

impl Load {
    /// When the game with this index moves; the games take turns, so that their moves are spread evenly.
    pub(crate) fn ticks(self, index: usize) -> Option<Interval> {
        let pace = self.pace?;
        let first = pace.mul_f64(index as f64 / self.games as f64);
        Some(tokio::time::interval_at(tokio::time::Instant::now() + first, pace))
    }
}

/// Times from send to receipt, in microseconds.
pub(crate) struct Figures {
    latency: Histogram<u64>,
    measured: Duration,
}

impl Figures {
    pub(crate) fn new() -> Result<Figures> {
        // Up to a minute, to three digits.
        Ok(Figures {
            latency: Histogram::new_with_bounds(1, 60_000_000, 3)?,
            measured: Duration::ZERO,
        })
    }

    pub(crate) fn note(&mut self, sent: Instant) {
        self.latency.saturating_record(
            u64::try_from(sent.elapsed().as_micros()).unwrap_or(u64::MAX).max(1),
        );
    }

    fn add(&mut self, other: &Figures) -> Result<()> {
        self.latency.add(&other.latency)?;
        self.measured = self.measured.max(other.measured);
        Ok(())
    }

    fn row(&self, name: &str) -> String {
        let ms = |quantile| self.latency.value_at_quantile(quantile) as f64 / 1000.0;
        let moves = self.latency.len();
        let per_second = moves as f64 / self.measured.as_secs_f64();
        format!(
            "{name:<10} {moves:>9} {per_second:>9.0} {:>8.2} {:>8.2} {:>8.2}",
            ms(0.5),
            ms(0.99),
            ms(1.0)
        )
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Relay,
    Sqlite,
    Postgres,
}

fn main() -> Result<()> {
    let (load, subjects) = parse(std::env::args().skip(1))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure(load, &subjects))
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<(Load, Vec<Subject>)> {
    let mut load = Load { games: 100, time: Duration::from_secs(10), pace: None };
    let mut rate = None;
    let mut subjects = vec![Subject::Relay, Subject::Sqlite, Subject::Postgres];
    while let Some(argument) = arguments.next() {
        let value = arguments.next().with_context(|| format!("{argument} what?\n{USAGE}"))?;
        match (argument.as_str(), value.as_str()) {
            ("--games", value) => load.games = value.parse::<usize>()?.clamp(1, 5_000),
            ("--seconds", value) => {
                load.time = Duration::from_secs(value.parse::<u64>()?.clamp(1, 600))
            }
            ("--rate", value) => rate = Some(value.parse::<u32>()?.max(1)),
            ("--only", "relay") => subjects = vec![Subject::Relay],
            ("--only", "sqlite") => subjects = vec![Subject::Sqlite],
            ("--only", "postgres") => subjects = vec![Subject::Postgres],
            (other, value) => bail!("{other} {value} is not understood\n{USAGE}"),
        }
    }
    load.pace = rate.map(|rate| Duration::from_secs_f64(load.games as f64 / f64::from(rate)));
    Ok((load, subjects))
}

async fn measure(load: Load, subjects: &[Subject]) -> Result<()> {
    match load.pace {
        Some(pace) => println!("{} games at once, a move every {pace:?} in each", load.games),
        None => println!("{} games at once, each move answered at once", load.games),
    }
    println!(
        "{:<10} {:>9} {:>9} {:>8} {:>8} {:>8}",
        "", "moves", "moves/s", "p50 ms", "p99 ms", "max ms"
    );
    for subject in subjects {
        let (name, figures) = match subject {
            Subject::Relay => ("relay", relay::measure(load).await?),
            Subject::Sqlite => ("SQLite", server(Database::Sqlite, load).await?),
            Subject::Postgres => ("Postgres", server(Database::Postgres, load).await?),
        };
        println!("{}", figures.row(name));
    }
    Ok(())
}

async fn server(database: Database, load: Load) -> Result<Figures> {
    let settings = [("limits.sockets", "20000"), ("log.filter", "warn")];
    let mut server = Server::start_with(database, &settings).await;
    let figures = players::measure(&server, load).await?;
    server.stop().await;
    Ok(figures)
}

/// Runs all games to their end and adds up what they measured.
pub(crate) async fn together(
    games: Vec<impl Future<Output = Result<Figures>> + Send + 'static>,
) -> Result<Figures> {
    let begin = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for game in games {
        tasks.spawn(game);
    }
    let mut sum = Figures::new()?;
    while let Some(figures) = tasks.join_next().await {
        sum.add(&figures??)?;
    }
    sum.measured = begin.elapsed();
    Ok(sum)
}
