//! Games that sleep: when each has to be woken, and what the server's absence is worth to it.

use crate::ids::GameId;
use crate::store::{Store, StoreError, Tx};
use crate::time::Timestamp;
use crate::{on_db, on_tx};

/// When a sleeping game has to be woken, inside `tx`.
pub(in crate::store) async fn set_deadline(
    tx: &mut Tx<'_>,
    game: GameId,
    at: Timestamp,
) -> Result<(), StoreError> {
    on_tx!(tx, |p, D| sqlx::query("UPDATE games SET deadline_at = $2 WHERE id = $1")
        .bind(game)
        .bind(at)
        .execute(p)
        .await
        .map(drop))?;
    Ok(())
}

impl Store {
    /// The sleeping games that have to be woken first, and when.
    pub async fn next_deadlines(&self, most: i64) -> Result<Vec<(GameId, Timestamp)>, StoreError> {
        self.within(async {
            Ok(on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT id, deadline_at FROM games WHERE ended_at IS NULL AND deadline_at IS NOT NULL
                 ORDER BY deadline_at LIMIT $1"
            )
            .bind(most)
            .fetch_all(p)
            .await)?)
        })
        .await
    }

    /// Lets a sleeping game sleep until then.
    pub async fn sleep_until(&self, game: GameId, at: Timestamp) -> Result<(), StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            set_deadline(&mut tx, game, at).await?;
            tx.commit().await
        })
        .await
    }

    /// Gives the time up to `now` in which the server was away back to all games of days per move, once. Answers how many.
    pub async fn give_back_downtime(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            // What was given back after an earlier start is not given again, and no game more than since it was last seen.
            let games = on_tx!(&mut tx, |p, D| sqlx::query(
                "UPDATE games SET deadline_at = deadline_at + $1 - (
                   SELECT max(last.at) FROM (
                     SELECT at FROM heartbeat
                     UNION ALL SELECT downtime_until FROM heartbeat WHERE downtime_until IS NOT NULL
                     UNION ALL SELECT games.created_at
                     UNION ALL SELECT at FROM game_events WHERE game_id = games.id
                   ) AS last)
                 WHERE ended_at IS NULL AND deadline_at IS NOT NULL AND days_per_move IS NOT NULL
                 AND EXISTS (SELECT 1 FROM heartbeat)"
            )
            .bind(now)
            .execute(p)
            .await
            .map(|done| done.rows_affected()))?;
            on_tx!(&mut tx, |p, D| sqlx::query("UPDATE heartbeat SET downtime_until = $1")
                .bind(now)
                .execute(p)
                .await
                .map(drop))?;
            tx.commit().await?;
            Ok(games)
        })
        .await
    }
}
