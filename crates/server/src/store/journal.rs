//! The journal: one task that commits what happens in all games.
//!
//! Games send it their events and wait. It takes whatever has gathered, writes it in one transaction and answers all,
//! so that a thousand games cost a few commits and every event is durable before anyone hears of it. An event that
//! ends a game is committed together with the result and both ratings.

use manifold_glicko2::Config as Glicko2;
use manifold_rules::GameEnd;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::events::{ROWS, insert_events};
use super::games::{insert_game, set_deadline};
use super::ratings::{RatedResult, rate_game};
use super::{Store, StoreError, Tx};
use crate::game::clock::BySide;
use crate::game::event::Logged;
use crate::game::state::{GameSetup, RatingChange};
use crate::ids::GameId;
use crate::on_db;
use crate::on_tx;
use crate::time::Timestamp;

/// How many entries wait before senders do.
const QUEUE: usize = 1024;
/// How many entries go into one transaction.
const BATCH: usize = 512;

/// What a game wants committed, all or nothing.
struct Entry {
    write: GameWrite,
    asked_at: Instant,
    done: oneshot::Sender<Result<Committed, StoreError>>,
}

/// Events of one game, and its result if they end it.
#[derive(Clone, Debug)]
pub struct GameWrite {
    pub game: GameId,
    pub events: Vec<Logged>,
    pub finish: Option<Finish>,
    /// When the game has to be woken then, if it can sleep.
    pub sleeps_until: Option<Timestamp>,
    /// The rematch that begins with them.
    pub next: Option<Box<GameSetup>>,
}

impl GameWrite {
    /// Whether nothing but the journal changes.
    const fn is_events_alone(&self) -> bool {
        self.finish.is_none() && self.sleeps_until.is_none() && self.next.is_none()
    }
}

/// How a game ended.
#[derive(Clone, Debug)]
pub struct Finish {
    pub end: GameEnd,
    pub ended_at: Timestamp,
    pub plies: usize,
    /// Present if the game is rated.
    pub rated: Option<RatedResult>,
}

/// What a commit has brought about.
#[derive(Clone, Debug, Default)]
pub struct Committed {
    pub ratings: Option<BySide<RatingChange>>,
}

/// The journal's mailbox.
#[derive(Clone, Debug)]
pub struct Journal {
    entries: mpsc::Sender<Entry>,
}

impl Journal {
    /// The mailbox, and the task that empties it: to be spawned, it ends when all mailboxes are dropped.
    pub fn new(store: Store, glicko2: Glicko2) -> (Self, impl Future<Output = ()>) {
        let (entries, receiver) = mpsc::channel(QUEUE);
        (Self { entries }, Writer { store, glicko2 }.run(receiver))
    }

    /// How many writes wait to be taken.
    pub fn waiting(&self) -> usize {
        self.entries.max_capacity() - self.entries.capacity()
    }

    /// Commits `write`. After an error it is unknown whether it was: the database knows.
    pub async fn append(&self, write: GameWrite) -> Result<Committed, StoreError> {
        let (done, answer) = oneshot::channel();
        let closed = || StoreError::Unavailable(sqlx::Error::PoolClosed);
        let asked_at = Instant::now();
        self.entries.send(Entry { write, asked_at, done }).await.map_err(|_| closed())?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }
}

struct Writer {
    store: Store,
    glicko2: Glicko2,
}

impl Writer {
    async fn run(self, mut entries: mpsc::Receiver<Entry>) {
        let mut batch = Vec::with_capacity(BATCH);
        while entries.recv_many(&mut batch, BATCH).await > 0 {
            let oldest = batch.iter().map(|entry| entry.asked_at).min();
            let oldest = oldest.unwrap_or_else(Instant::now);
            let deadline = self.deadline(oldest);
            let (writes, answers): (Vec<_>, Vec<_>) =
                batch.drain(..).map(|e| (e.write, e.done)).unzip();
            let results = match self.commit(&writes, deadline).await {
                Ok(all) => all.into_iter().map(Ok).collect(),
                Err(error) => self.after_failure(&writes, error, oldest).await,
            };
            for (done, result) in answers.into_iter().zip(results) {
                // A game that no longer waits has been stopped with the server.
                _ = done.send(result);
            }
        }
    }

    /// Until when a batch is tried whose oldest write was asked for then. What has waited behind a batch that failed
    /// does not wait as long again, or a player would be refused after twice the time.
    fn deadline(&self, oldest: Instant) -> Instant {
        let timeout = self.store.timeout;
        (oldest + timeout).max(Instant::now() + timeout / 8)
    }

    /// All or none. Answers in their order.
    async fn commit(
        &self,
        writes: &[GameWrite],
        deadline: Instant,
    ) -> Result<Vec<Committed>, StoreError> {
        let begun = Instant::now();
        let metrics = &self.store.metrics;
        metrics.commit_writes.observe(writes.len() as f64);
        let committed = self
            .store
            .until(deadline, async {
                // SQLite has one connection that writes, and it goes to those who wait in their order: kept from one batch
                // to the next, it would let others in too seldom while many play.
                let mut writing = self.store.writing().await?;
                let events: Vec<_> =
                    writes.iter().flat_map(|w| w.events.iter().map(|e| (w.game, e))).collect();
                if events.len() <= ROWS && writes.iter().all(GameWrite::is_events_alone) {
                    // One statement is a transaction, and begins and ends it on its way: most batches are one.
                    insert_events(writing.connection(), &events).await?;
                    return Ok(vec![Committed::default(); writes.len()]);
                }
                let mut tx = writing.begin().await?;
                for rows in events.chunks(ROWS) {
                    insert_events(tx.connection(), rows).await?;
                }
                for next in writes.iter().filter_map(|write| write.next.as_ref()) {
                    insert_game(&mut tx, next).await?;
                }
                let mut committed = Vec::with_capacity(writes.len());
                for write in writes {
                    if let Some(at) = write.sleeps_until {
                        set_deadline(&mut tx, write.game, at).await?;
                    }
                    committed.push(match &write.finish {
                        Some(finish) => {
                            finish_game(&mut tx, write.game, finish, &self.glicko2).await?
                        }
                        None => Committed::default(),
                    });
                }
                tx.commit().await?;
                Ok(committed)
            })
            .await;
        metrics.commit_seconds.observe_time(begun.elapsed());
        committed
    }

    /// What to answer when the transaction failed. A write that the database objects to must not take others with it:
    /// each is tried alone, all in the time that is left for the `oldest`.
    async fn after_failure(
        &self,
        writes: &[GameWrite],
        error: StoreError,
        oldest: Instant,
    ) -> Vec<Result<Committed, StoreError>> {
        match error {
            StoreError::Constraint(_) | StoreError::Damaged(_) if writes.len() > 1 => {
                let deadline = self.deadline(oldest);
                let mut results = Vec::with_capacity(writes.len());
                for write in writes {
                    match self.commit(std::slice::from_ref(write), deadline).await {
                        Ok(mut one) => results.push(Ok(one.pop().unwrap_or_default())),
                        // It is not asked for the others: it would not answer them either.
                        Err(error @ StoreError::Unavailable(_)) => {
                            results.extend(none_committed(error, writes.len() - results.len()));
                            break;
                        }
                        Err(error @ (StoreError::Constraint(_) | StoreError::Damaged(_))) => {
                            results.push(Err(error));
                        }
                    }
                }
                results
            }
            StoreError::Unavailable(_) | StoreError::Constraint(_) | StoreError::Damaged(_) => {
                none_committed(error, writes.len()).collect()
            }
        }
    }
}

/// The answers to so many writes of which none was committed.
fn none_committed(
    error: StoreError,
    writes: usize,
) -> impl Iterator<Item = Result<Committed, StoreError>> {
    tracing::error!(%error, games = writes, "events were not committed");
    let again = || Err(StoreError::Unavailable(sqlx::Error::WorkerCrashed));
    std::iter::once(Err(error)).chain(std::iter::repeat_with(again)).take(writes)
}

/// A game's result and ratings, inside `tx`.
async fn finish_game(
    tx: &mut Tx<'_>,
    game: GameId,
    finish: &Finish,
    glicko2: &Glicko2,
) -> Result<Committed, StoreError> {
    let plies = i64::try_from(finish.plies).unwrap_or(i64::MAX);
    let ended = on_tx!(tx, |p, D| {
        sqlx::query(
        "UPDATE games SET ended_at = $2, outcome = $3, termination = $4, plies = $5 WHERE id = $1 AND ended_at IS NULL"
    )
    .bind(game)
    .bind(finish.ended_at)
    .bind(finish.end.outcome.as_str())
    .bind(finish.end.termination.as_str())
    .bind(plies)
    .execute(p)
    .await
    .map(|done| done.rows_affected())
    })?;
    if ended != 1 {
        return Err(StoreError::Constraint(format!("game {game} has ended already")));
    }
    let ratings = match &finish.rated {
        Some(result) => rate_game(tx, result, glicko2).await?,
        None => None,
    };
    Ok(Committed { ratings })
}

impl Store {
    /// Says that the server is alive at `now`.
    pub async fn beat(&self, now: Timestamp) -> Result<(), StoreError> {
        self.within(async {
            on_db!(&self.write, |p, D| sqlx::query(
                "INSERT INTO heartbeat (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at"
            )
            .bind(now)
            .execute(p)
            .await
            .map(drop))?;
            Ok(())
        })
        .await
    }

    /// When the server was last known to be alive.
    pub async fn last_beat(&self) -> Result<Option<Timestamp>, StoreError> {
        self.within(async {
            let row: Option<(Timestamp,)> =
                on_db!(&self.read, |p, D| sqlx::query_as("SELECT at FROM heartbeat WHERE id = 1")
                    .fetch_optional(p)
                    .await)?;
            Ok(row.map(|(at,)| at))
        })
        .await
    }
}
