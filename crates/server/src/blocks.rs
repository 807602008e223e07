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
}

impl Kept {
    fn change(&mut self, player: PlayerId) {
        self.sets.remove(&player);
        self.changes += 1;
    }
}

impl Blocks {
    pub fn new(store: Store) -> Self {
        Self { store, kept: Arc::default() }
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
        let done = self.store.block(player, other, now, MAX_BLOCKED).await;
        // Also when it is not known whether it was done.
        self.kept().change(player);
        if done? { self.read(player).await.map(Some) } else { Ok(None) }
    }

    pub async fn unblock(&self, player: PlayerId, other: PlayerId) -> Result<Blocked, StoreError> {
        let done = self.store.unblock(player, other).await;
        self.kept().change(player);
        done?;
        self.read(player).await
    }

    async fn read(&self, player: PlayerId) -> Result<Blocked, StoreError> {
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
