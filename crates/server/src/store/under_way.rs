//! Which games are under way, and how many.

use super::{Store, StoreError};
use crate::ids::GameId;
use crate::on_db;

impl Store {
    /// The ids of all games under way.
    pub async fn under_way_ids(&self) -> Result<Vec<GameId>, StoreError> {
        self.within(async {
            let rows: Vec<(GameId,)> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT id FROM games WHERE ended_at IS NULL"
            )
            .fetch_all(p)
            .await)?;
            Ok(rows.into_iter().map(|(id,)| id).collect())
        })
        .await
    }

    /// The ids of all games under way whose clocks run.
    pub async fn clocked_game_ids(&self) -> Result<Vec<GameId>, StoreError> {
        self.within(async {
            let rows: Vec<(GameId,)> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT id FROM games WHERE ended_at IS NULL AND base_ms IS NOT NULL"
            )
            .fetch_all(p)
            .await)?;
            Ok(rows.into_iter().map(|(id,)| id).collect())
        })
        .await
    }
}
