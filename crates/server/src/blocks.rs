//! Who has blocked whom, where it is asked often: with every pairing and every line of chat.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ids::PlayerId;
use crate::store::{Store, StoreError};
use crate::time::Timestamp;

/// How many others a player may block.
pub const MAX_BLOCKED: i64 = 200;
/// So many players' sets are kept; beyond that all are read anew.
const KEPT: usize = 20_000;

/// Those whom one player has blocked.
pub type Blocked = Arc<HashSet<PlayerId>>;

/// All that is known of it; cheap to clone.
#[derive(Clone)]
pub struct Blocks {
    store: Store,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    sets: HashMap<PlayerId, Blocked>,
    /// How often somebody has changed one: what was read before a change is not kept after it.
    changes: u64,
    /// Whose change was not answered, and which one that was: the database may still be at work on it.
    unsure: HashMap<PlayerId, u64>,
}

impl Kept {
    /// A change was tried, and perhaps done.
    fn change<T>(&mut self, player: PlayerId, done: &Result<T, StoreError>) {
        self.sets.remove(&player);
        self.changes += 1;
        match done {
            Err(StoreError::Unavailable(_)) => _ = self.unsure.insert(player, self.changes),
            Ok(_) | Err(StoreError::Constraint(_) | StoreError::Damaged(_)) => {}
        }
    }
}

impl Blocks {
    pub fn new(store: Store) -> Self {
        Self { store, kept: Arc::default() }
    }

    /// The same with another way to the database.
    #[cfg(test)]
    pub fn with(self, store: Store) -> Self {
        Self { store, ..self }
    }

    /// Whom `player` has blocked.
    pub async fn of(&self, player: PlayerId) -> Result<Blocked, StoreError> {
        if let Some(blocked) = self.kept().sets.get(&player) {
            return Ok(Arc::clone(blocked));
        }
        self.read(player).await
    }

    /// Whether one of the two has blocked the other.
    pub async fn between(&self, a: PlayerId, b: PlayerId) -> Result<bool, StoreError> {
        Ok(self.of(a).await?.contains(&b) || self.of(b).await?.contains(&a))
    }

    /// `player` wants nothing to do with `other`. `None` if there are too many of these; else whom it is now.
    pub async fn block(
        &self,
        player: PlayerId,
        other: PlayerId,
        now: Timestamp,
    ) -> Result<Option<Blocked>, StoreError> {
        self.be_sure_of(player).await?;
        let done = self.store.block(player, other, now, MAX_BLOCKED).await;
        self.kept().change(player, &done);
        if done? { self.read(player).await.map(Some) } else { Ok(None) }
    }

    pub async fn unblock(&self, player: PlayerId, other: PlayerId) -> Result<Blocked, StoreError> {
        self.be_sure_of(player).await?;
        let done = self.store.unblock(player, other).await;
        self.kept().change(player, &done);
        done?;
        self.read(player).await
    }

    /// Waits until no change of the player's that was not answered can still be done: what was read before could be kept
    /// although it is not so any more.
    async fn be_sure_of(&self, player: PlayerId) -> Result<(), StoreError> {
        let unsure = self.kept().unsure.get(&player).copied();
        let Some(change) = unsure else { return Ok(()) };
        // Seldom needed: no socket's task keeps room for it.
        Box::pin(self.store.settle_blocks(player)).await?;
        let mut kept = self.kept();
        // Not if there has been another meanwhile.
        if kept.unsure.get(&player) == Some(&change) {
            kept.unsure.remove(&player);
        }
        Ok(())
    }

    async fn read(&self, player: PlayerId) -> Result<Blocked, StoreError> {
        self.be_sure_of(player).await?;
        let changes = self.kept().changes;
        let blocked = Arc::new(self.store.blocked_by(player).await?);
        let mut kept = self.kept();
        if kept.changes == changes {
            if kept.sets.len() >= KEPT {
                kept.sets.clear();
            }
            kept.sets.insert(player, Arc::clone(&blocked));
        }
        Ok(blocked)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // No code panics while it holds this; if some did, the map is still whole.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
