//! Kills the server at random moments while many rated games are played.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::table::Table;
use super::{Hall, Life, Line, Manner, Verdict, random};
use crate::{Database, Server};

/// What to do to the server.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Games at once.
    pub games: usize,
    /// How often it is killed.
    pub kills: usize,
    /// The server lives between no time and this after its first acknowledgement.
    pub life: Duration,
    /// Every fifth life is longer by this: time enough to think, and for a heartbeat.
    pub thought: Duration,
    /// Every tenth time it stays down for so long; otherwise it is started again at once.
    pub absence: Duration,
    /// Decides when it is killed and how long games are.
    pub seed: u64,
}

/// How long the games went without a move.
#[derive(Debug)]
pub struct Returns {
    times: Vec<Duration>,
}

impl fmt::Display for Returns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut times = self.times.clone();
        times.sort_unstable();
        let at = |share: usize| {
            times.get((times.len() * share / 100).min(times.len().saturating_sub(1))).copied()
        };
        let (median, most) = (at(50).unwrap_or_default(), at(100).unwrap_or_default());
        write!(
            f,
            "          from the start of the process to the first move: median {median:.1?}, longest {most:.1?}"
        )
    }
}

/// Carries out the plan. What the server broke is in the verdict.
///
/// # Errors
/// If the server cannot be started again, or no game goes on.
pub async fn run(database: Database, plan: Plan) -> Result<(Verdict, Returns)> {
    let settings = [("limits.sockets", "20000"), ("log.filter", "error")];
    let mut server = Server::start_with(database, &settings).await;
    let mut life = Life { number: 1, since: None };
    let (line, lines) = watch::channel(Line::Up(life));
    let (hall, mut acks) = Hall::new(Manner::Hasty);

    let mut tables = JoinSet::new();
    for index in 0..plan.games {
        let table = Table::new(&server, index, plan.seed).await;
        tables.spawn(table.play(Arc::clone(&hall), lines.clone()));
    }
    let mut returns = Returns { times: Vec::with_capacity(plan.kills) };
    for kill in 1..=plan.kills {
        goes_on(&mut acks, kill).await?;
        let draw = random(plan.seed, kill as u64);
        sleep(plan.life.mul_f64(draw as f64 / u64::MAX as f64)).await;
        if life.is_long() {
            sleep(plan.thought).await;
        }
        let killed = Instant::now();
        server.kill9().await;
        if kill.is_multiple_of(10) {
            sleep(plan.absence).await;
        }
        let started = Instant::now();
        server.start_again().await;
        life = Life { number: kill + 1, since: Some((killed, started)) };
        line.send_replace(Line::Up(life));
        goes_on(&mut acks, kill + 1).await?;
        returns.times.push(started.elapsed());
    }
    line.send_replace(Line::Over);
    let books = tables.join_all().await;
    let verdict = Verdict::reach(&server, books).await?;
    server.stop().await;
    Ok((verdict, returns))
}

/// Waits until a move is acknowledged in this life.
async fn goes_on(acks: &mut watch::Receiver<usize>, life: usize) -> Result<()> {
    match timeout(Duration::from_secs(60), acks.wait_for(|&number| number >= life)).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(_)) | Err(_) => bail!("no move was acknowledged within a minute in life {life}"),
    }
}
