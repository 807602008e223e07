//! How fast moves travel: from the mover's send to the opponent's receipt, for many games at once, beside a bare relay
//! that does nothing but parse a message and pass it on. The relay is what sockets and JSON cost on this machine; the rest
//! is the game's: rules, clock, one commit to the database before anyone is told.
//!
//! Besides: what a socket costs that only waits ([`idle`]), and how soon the games are [`back`] after a crash. `cargo xtask
//! load` builds the server for release, starts a Postgres for it, and runs these.

pub mod back;
pub mod idle;
pub mod players;
pub mod relay;

use std::time::{Duration, Instant};

use anyhow::Result;
use hdrhistogram::Histogram;
use tokio::time::Interval;

use crate::{Database, Server};

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
    fn ticks(self, index: usize) -> Option<Interval> {
        let pace = self.pace?;
        let first = pace.mul_f64(index as f64 / self.games as f64);
        Some(tokio::time::interval_at(tokio::time::Instant::now() + first, pace))
    }
}

/// Times from send to receipt, in microseconds.
#[derive(Debug)]
pub struct Figures {
    latency: Histogram<u64>,
    measured: Duration,
}

impl Figures {
    fn new() -> Figures {
        // Up to a minute, to three digits.
        let latency =
            Histogram::new_with_bounds(1, 60_000_000, 3).expect("these bounds are in order");
        Figures { latency, measured: Duration::ZERO }
    }

    fn note(&mut self, sent: Instant) {
        self.latency.saturating_record(
            u64::try_from(sent.elapsed().as_micros()).unwrap_or(u64::MAX).max(1),
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

    /// The time that this share of the moves did not exceed, in milliseconds.
    pub fn ms(&self, quantile: f64) -> f64 {
        self.latency.value_at_quantile(quantile) as f64 / 1000.0
    }
}

/// Runs all games to their end, adds up what they measured, and gives them back.
async fn together<T: Send + 'static>(
    games: Vec<impl Future<Output = (T, Figures)> + Send + 'static>,
) -> (Vec<T>, Figures) {
    let begin = Instant::now();
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
        let (played, figures) = players::play(playing, *load).await;
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
