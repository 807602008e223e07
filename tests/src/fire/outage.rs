//! Takes the database away in mid-play, and gives it back.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use reqwest::{Method, header};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::table::{Attempt, Table};
use super::trouble::Ground;
use super::{Hall, Life, Line, Manner, Trouble, Verdict};
use crate::Server;

/// How long the games may take to go on at all, before that counts as broken.
const BACK_AT_LAST: Duration = Duration::from_secs(60);

/// What the way to the server and back may make of two times that should be one: a clock that runs is stopped where a
/// command arrives, and the machine is busy.
const WAY: Duration = Duration::from_millis(500);

/// How to take it away.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Games at once.
    pub games: usize,
    /// How long the database is away.
    pub away: Duration,
    /// How long is played before, and afterwards, once all games have gone on.
    pub around: Duration,
    /// Between two moves of a game.
    pub between: Duration,
    /// How soon a refused command is sent again.
    pub again: Duration,
    /// `database.timeout_ms`.
    pub timeout_ms: u64,
    /// Decides how long games are.
    pub seed: u64,
}

/// What came of it.
#[derive(Debug)]
pub enum Outcome {
    /// It could not be tried here.
    Skipped(&'static str),
    /// What was kept, and how it went.
    Tried(Box<(Verdict, Absence)>),
}

/// How the absence went for those who played, in figures that depend on the machine.
#[derive(Debug, Default)]
pub struct Absence {
    /// Commands sent while the database was away.
    pub sent: usize,
    /// Of these, refused.
    pub refused: usize,
    /// The slowest of the refusals.
    pub slowest: Duration,
    /// Commands sent afterwards and refused still.
    pub refused_after: usize,
    /// From the return to the first acknowledgement, and to the one by which all games had gone on.
    pub first: Option<Duration>,
    /// See `first`.
    pub last: Duration,
    /// Visitors who came meanwhile: guests who were refused, and the slowest of these refusals.
    pub visitors: usize,
    /// See `visitors`.
    pub slowest_visitor: Duration,
}

/// Carries out the plan. What the server broke is in the verdict.
///
/// # Errors
/// If the server or its database cannot be started.
pub async fn run(trouble: Trouble, plan: Plan) -> Result<Outcome> {
    let Some(mut ground) = Ground::prepare(trouble)? else {
        return Ok(Outcome::Skipped("may not mount"));
    };
    let directory = tempfile::tempdir()?;
    let storage = ground.storage(directory.path()).await;
    let timeout_ms = plan.timeout_ms.to_string();
    let settings = [("database.timeout_ms", timeout_ms.as_str()), ("log.filter", "off")];
    let mut server = Server::start_on(storage, directory, &settings).await;
    // The server gives back the time until the moment at which it asks the database to take that down, and the database may
    // take its time to answer: while it still answers somebody else, and then for this.
    let charged = WAY + 2 * Duration::from_millis(plan.timeout_ms);
    let manner = Manner::Paced { between: plan.between, again: plan.again, charged };
    let (hall, mut acks) = Hall::new(manner);
    let (line, lines) = watch::channel(Line::Up(Life { number: 1, since: None }));
    let mut tables = JoinSet::new();
    for index in 0..plan.games {
        let table = Table::new(&server, index, plan.seed).await;
        tables.spawn(table.play(Arc::clone(&hall), lines.clone()));
    }
    timeout(BACK_AT_LAST, acks.wait_for(|&number| number >= 1)).await??;
    sleep(plan.around).await;

    let begin = Instant::now();
    ground.take_away(server.storage()).await?;
    let visits = tokio::spawn(visit(server.client(), begin + plan.away));
    sleep(plan.away.saturating_sub(begin.elapsed())).await;
    let end = Instant::now();
    ground.give_back().await?;
    let returned = Instant::now();
    // Set once, here.
    _ = hall.returned.set(returned);
    let mut went_on = hall.went_on.subscribe();
    let all = went_on.wait_for(|&tables| tables >= plan.games);
    let have_gone_on = timeout(BACK_AT_LAST, all).await.is_ok();
    let last = returned.elapsed();
    sleep(plan.around).await;
    line.send_replace(Line::Over);

    let books = tables.join_all().await;
    let attempts: Vec<Attempt> =
        books.iter().flat_map(|book| book.attempts.iter().copied()).collect();
    let mut verdict = Verdict::reach(&server, books).await?;
    if !have_gone_on {
        let gone_on = *hall.went_on.borrow();
        verdict.broken.push(format!("{gone_on} of {} games have gone on", plan.games));
    }
    if server.is_running() {
        server.stop().await;
    } else {
        verdict.broken.push("the server has died".to_owned());
    }
    let (visitors, slowest_visitor, broken) = visits.await?;
    verdict.broken.extend(broken);
    let absence =
        Absence { visitors, slowest_visitor, last, ..Absence::of(&attempts, begin, end, returned) };
    Ok(Outcome::Tried(Box::new((verdict, absence))))
}

impl Absence {
    fn of(attempts: &[Attempt], begin: Instant, end: Instant, returned: Instant) -> Absence {
        let mut absence = Absence::default();
        for attempt in attempts {
            if (begin..end).contains(&attempt.sent) {
                absence.sent += 1;
                absence.refused += usize::from(attempt.refused);
            }
            if attempt.refused {
                absence.slowest = absence.slowest.max(attempt.answered - attempt.sent);
                absence.refused_after += usize::from(attempt.sent >= returned);
            } else if attempt.answered >= returned {
                let after = attempt.answered - returned;
                absence.first = Some(absence.first.map_or(after, |first| first.min(after)));
            }
        }
        absence
    }
}

/// One visitor after another wants to be a guest. How many were refused with a reason, the slowest of these, and what the
/// server did that it must not.
async fn visit(client: crate::Client, until: Instant) -> (usize, Duration, Vec<String>) {
    let (mut refused, mut slowest, mut broken) = (0, Duration::ZERO, Vec::new());
    while Instant::now() < until {
        let sent = Instant::now();
        // A session of its own each time: the client has none.
        let request = client
            .request(Method::POST, "/api/v1/guests")
            .header(header::ORIGIN, client.origin())
            .json(&json!({}));
        match request.send().await {
            Ok(answer) if answer.status().as_u16() == 503 => {
                let body = answer.text().await.unwrap_or_default();
                if !body.contains("\"storage_unavailable\"") {
                    broken.push(format!("a visitor was told {body}"));
                }
                refused += 1;
                slowest = slowest.max(sent.elapsed());
            }
            // The database was away or back in between.
            Ok(answer) if answer.status().is_success() => {}
            Ok(answer) => broken.push(format!("a visitor was answered {}", answer.status())),
            Err(error) => broken.push(format!("a visitor was not answered: {error}")),
        }
        sleep(Duration::from_millis(200)).await;
    }
    (refused, slowest, broken)
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:>9} commands sent while it was away, {} refused, the slowest after {} ms; {} refused afterwards",
            self.sent,
            self.refused,
            self.slowest.as_millis(),
            self.refused_after
        )?;
        writeln!(
            f,
            "{:>9} visitors refused meanwhile, the slowest after {} ms",
            self.visitors,
            self.slowest_visitor.as_millis()
        )?;
        match self.first {
            Some(first) => write!(
                f,
                "          from its return to the first move {} ms, until all games had gone on {} ms",
                first.as_millis(),
                self.last.as_millis()
            ),
            None => write!(f, "          no move after its return"),
        }
    }
}
