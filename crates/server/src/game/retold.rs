//! Games that are over, as they were told again from their journals.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::state::GameState;
use crate::ids::GameId;

/// So many are kept.
const KEPT: usize = 8;

/// The last few that were wanted: whoever walks through one, asking for each of its positions, has it told once. Nothing
/// happens in them any more but that their players take other names. The oldest first.
#[derive(Default)]
pub struct Retold(Mutex<VecDeque<Arc<GameState>>>);

impl Retold {
    pub fn get(&self, id: GameId) -> Option<Arc<GameState>> {
        // No code panics while it holds this.
        let games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        games.iter().find(|state| state.setup().id == id).cloned()
    }

    pub fn keep(&self, state: &Arc<GameState>) {
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Two may have had the same one told at once.
        games.retain(|kept| kept.setup().id != state.setup().id);
        if games.len() == KEPT {
            games.pop_front();
        }
        games.push_back(Arc::clone(state));
    }
}
