//! While a game's task does not know what the database holds, it refuses commands; then it reads, and gives the time back.

use std::time::Duration;

use tokio::time::Instant;

use super::GameActor;
use crate::game::event::Logged;
use crate::store::StoreError;
use crate::time::Timestamp;

/// A commit that took so long, in milliseconds, is not charged to the player whose turn it began.
const SLOW_COMMIT_MS: i64 = 250;
/// How soon the database is asked again after a failure: at first, and at most.
const RETRY: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// Set while it is unknown what the database holds.
pub(super) struct Suspension {
    /// Since when no command could be committed; the clock is given the time back.
    since: Timestamp,
    pub(super) retry_at: Instant,
    pause: Duration,
    /// Whether a commit that was not answered may be in the database, or still be under way. After a start none is: the
    /// state has just been made of what is there.
    is_unsure: bool,
}

impl Suspension {
    /// The server was away since then; the state has just been made of what the database holds.
    pub(super) fn after_a_start(since: Timestamp) -> Self {
        Self { since, retry_at: Instant::now(), pause: RETRY.0, is_unsure: false }
    }
}

impl GameActor {
    /// What happened at `since` has only now been committed and told: if a player would notice, the clock that runs is given
    /// the time back that the database took.
    pub(super) async fn credit_commit(&mut self, since: Timestamp) {
        let now = self.registry.clock().now();
        if now.ms_since(since) < SLOW_COMMIT_MS || self.suspension.is_some() {
            return;
        }
        if let Some(resumption) = self.state.resumption(since) {
            // If it cannot be committed, the task is suspended, and gives the time back later.
            _ = self.commit(now, vec![resumption]).await;
        }
    }

    pub(super) fn suspend(&mut self, since: Timestamp, error: &StoreError) {
        tracing::warn!(game = %self.id, %error, "suspended");
        let (pause, since) = match &self.suspension {
            Some(suspension) => ((suspension.pause * 2).min(RETRY.1), suspension.since),
            None => (RETRY.0, since),
        };
        let retry_at = Instant::now() + pause;
        self.suspension = Some(Suspension { since, retry_at, pause, is_unsure: true });
    }

    /// Reads what the database holds, and takes over what it has and we have not.
    async fn catch_up(&mut self) -> Result<(), StoreError> {
        let gone = || StoreError::Damaged("the game is not in the database".to_owned());
        let stored = self.registry.load_settled(self.id, self.state.seq() + 1).await?;
        let stored = stored.ok_or_else(gone)?.state;
        let ratings = stored.ratings().copied();
        let missing: Vec<Logged> =
            stored.log().iter().skip(self.state.log().len()).cloned().collect();
        for logged in missing {
            self.take_over(logged, ratings);
        }
        if let Some(next) = self.state.rematch() {
            self.registry.get(next).await?;
        }
        Ok(())
    }

    /// Finds out what the database holds, and lets the clock go on.
    pub(super) async fn try_to_resume(&mut self) {
        let Some(Suspension { since, is_unsure, .. }) = self.suspension else { return };
        // After a start there are as many as games, and each would ask for what it has just been told.
        if is_unsure && let Err(error) = self.catch_up().await {
            return self.suspend(since, &error);
        }
        let now = self.registry.clock().now();
        if let Some(resumption) = self.state.resumption(since)
            && self.commit(now, vec![resumption]).await.is_err()
        {
            return;
        }
        self.suspension = None;
        self.beginning = None;
        self.credit_commit(now).await;
        tracing::debug!(game = %self.id, "resumed");
    }
}
