//! Games that sleep in the database: each is woken when its time is up, with nobody there.
//!
//! With each commit a game that can sleep leaves word when it has to be woken. The nearest of these are read from time to
//! time, and for the first of them an alarm is set. So many games cost as little as few, and none is forgotten by a restart.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::clock::DAY_MS;
use super::registry::Registry;
use crate::ids::GameId;
use crate::store::StoreError;
use crate::time::Timestamp;

/// How many games are woken at once; the others follow a moment later.
const BATCH: i64 = 100;
/// How long a moment is.
const MOMENT: Duration = Duration::from_secs(1);
/// How often the nearest deadlines are read: no game has less time than this for a move when it goes to sleep.
const LOOK: Duration = Duration::from_secs(60);

/// Damaged games, and until when each is passed over. It is not written down: what their clocks say is not ours to change,
/// and each start may try again.
pub(super) type PutOff = HashMap<GameId, Timestamp>;

/// What wakes sleeping games.
#[derive(Clone)]
pub struct Sleepers {
    registry: Registry,
    /// Whether any sleep: the server then leaves signs of life even while nobody plays.
    any: Arc<AtomicBool>,
}

impl Sleepers {
    pub fn new(registry: Registry) -> Self {
        Self { registry, any: Arc::default() }
    }

    /// Whether there were sleeping games when the last was looked for.
    pub fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// Wakes games until `stop` fires, whatever the database is doing then.
    pub async fn run(self, stop: CancellationToken) {
        // Nothing is lost where it is left off: what has not been woken sleeps on in the database.
        _ = stop.run_until_cancelled(self.keep_waking()).await;
    }

    async fn keep_waking(self) {
        let mut put_off = PutOff::default();
        // Since when the database has not answered.
        let mut away_since = None;
        loop {
            let now = self.registry.clock().now();
            let pause = match self.wake_due(now, away_since, &mut put_off).await {
                Ok(pause) => {
                    away_since = None;
                    pause
                }
                Err(error) => {
                    tracing::warn!(%error, "sleeping games were not looked after");
                    away_since = away_since.or(Some(now));
                    MOMENT
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Wakes those whose time is up at `now`, and answers when to look again.
    pub(super) async fn wake_due(
        &self,
        now: Timestamp,
        away_since: Option<Timestamp>,
        put_off: &mut PutOff,
    ) -> Result<Duration, StoreError> {
        put_off.retain(|_, until| *until > now);
        // As many more as are passed over: they keep no others from being found.
        let most = BATCH.saturating_add(i64::try_from(put_off.len()).unwrap_or(i64::MAX));
        let mut nearest = self.registry.store().next_deadlines(most).await?;
        self.any.store(!nearest.is_empty(), Ordering::Relaxed);
        nearest.retain(|(game, _)| !put_off.contains_key(game));
        for (game, _) in nearest.iter().filter(|(_, at)| *at <= now) {
            match self.wake(*game, now, away_since).await {
                Ok(()) => {}
                Err(error @ StoreError::Unavailable(_)) => return Err(error),
                Err(error @ (StoreError::Damaged(_) | StoreError::Constraint(_))) => {
                    // Others must not wait for what somebody has to mend first.
                    tracing::error!(%game, %error, "a sleeping game cannot be woken");
                    put_off.insert(*game, now.plus_ms(DAY_MS));
                }
            }
        }
        let first = nearest.iter().find(|(game, _)| !put_off.contains_key(game));
        let first = first.map(|(_, at)| self.registry.clock().instant(*at));
        let until = first.map(|at| at.saturating_duration_since(Instant::now().into_std()));
        Ok(until.map_or(LOOK, |until| until.clamp(MOMENT, LOOK)))
    }

    /// Starts the game's task, which ends the game, unless it has one or its time is not up after all.
    async fn wake(
        &self,
        game: GameId,
        now: Timestamp,
        away_since: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        if self.registry.find(game).is_some() {
            return Ok(());
        }
        let Some(stored) = self.registry.load(game).await? else { return Ok(()) };
        // It was promised more time since, by the settings: it sleeps on.
        if stored.deadline_at.is_some_and(|at| stored.state.owed_ms(at) == 0)
            && let Some(at) = stored.state.deadline().filter(|at| *at > now)
        {
            return self.registry.store().sleep_until(game, at).await;
        }
        // Whose time was up only while the database was away could not have moved.
        let away_since =
            away_since.filter(|since| stored.deadline_at.is_some_and(|at| at > *since));
        // Where the server stops, it is woken after the next start.
        _ = self.registry.wake(stored, away_since);
        Ok(())
    }
}
