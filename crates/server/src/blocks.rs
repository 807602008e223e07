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

/// A change of one player's set that is being tried. Dropped before it is answered, as with a request whose client has gone,
/// it may yet be done.
struct Change<'a> {
    blocks: &'a Blocks,
    player: PlayerId,
    is_known: bool,
}

impl Change<'_> {
    fn end<T>(mut self, done: &Result<T, StoreError>) {
        self.is_known = !matches!(done, Err(StoreError::Unavailable(_)));
    }
}

impl Drop for Change<'_> {
    fn drop(&mut self) {
        let mut kept = self.blocks.kept();
        kept.sets.remove(&self.player);
        kept.changes += 1;
        if !self.is_known {
            let change = kept.changes;
            kept.unsure.insert(self.player, change);
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

    /// `player` wants nothing to do with `other`. `false` if there are too many of these.
    pub async fn block(
        &self,
        player: PlayerId,
        other: PlayerId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.be_sure_of(player).await?;
        let change = self.change(player);
        let done = self.store.block(player, other, now, MAX_BLOCKED).await;
        change.end(&done);
        done
    }

    pub async fn unblock(&self, player: PlayerId, other: PlayerId) -> Result<(), StoreError> {
        self.be_sure_of(player).await?;
        let change = self.change(player);
        let done = self.store.unblock(player, other).await;
        change.end(&done);
        done
    }

    fn change(&self, player: PlayerId) -> Change<'_> {
        Change { blocks: self, player, is_known: false }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tests::{account, hold_writers, on_both};

    #[tokio::test]
    async fn a_change_whose_client_has_gone_is_found_out() {
        on_both(async |store| {
            let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
            let blocks = Blocks::new(store.clone());
            let held = hold_writers(store).await;
            let now = Timestamp::from_micros(0);
            let mut change = Box::pin(blocks.block(ada.id, bob.id, now));
            assert!(futures_util::poll!(&mut change).is_pending(), "nobody writes now");
            assert!(blocks.kept().unsure.is_empty());
            drop((change, held));
            assert!(blocks.kept().unsure.contains_key(&ada.id));
            assert!(blocks.of(ada.id).await.expect("readable").is_empty());
            assert!(blocks.block(ada.id, bob.id, now).await.expect("written"));
            assert!(blocks.of(ada.id).await.expect("readable").contains(&bob.id));
            assert!(blocks.kept().unsure.is_empty());
        })
        .await;
    }
}
