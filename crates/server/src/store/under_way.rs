//! Which games are under way, and how many.

use super::{Store, StoreError};
use crate::ids::GameId;
use crate::on_db;

impl Store {
    /// The ids of all games under way.
    pub async fn under_way_ids(&self) -> Result<Vec<GameId>, StoreError> {
        self.ids("SELECT id FROM games WHERE ended_at IS NULL").await
    }

    /// The ids of all games under way whose clocks run.
    pub async fn clocked_game_ids(&self) -> Result<Vec<GameId>, StoreError> {
        self.ids("SELECT id FROM games WHERE ended_at IS NULL AND base_ms IS NOT NULL").await
    }

    async fn ids(&self, statement: &'static str) -> Result<Vec<GameId>, StoreError> {
        self.within(async {
            Ok(on_db!(&self.read, |p, D| sqlx::query_scalar(statement).fetch_all(p).await)?)
        })
        .await
    }
}
