//! Who has blocked whom.

use std::collections::HashSet;

use sqlx::FromRow;

use super::players::{hold_player, parse_kind};
use super::{Store, StoreError, Tx};
use crate::ids::PlayerId;
use crate::player::Player;
use crate::time::Timestamp;
use crate::{on_db, on_tx};

/// How many of two have blocked the other.
const BETWEEN: &str = "SELECT CAST(count(*) AS BIGINT) FROM blocks
    WHERE (player_id = $1 AND blocked_id = $2) OR (player_id = $2 AND blocked_id = $1)";

/// Whether one of two has blocked the other, inside `tx`.
pub(super) async fn is_blocked(
    tx: &mut Tx<'_>,
    a: PlayerId,
    b: PlayerId,
) -> Result<bool, StoreError> {
    let (blocks,): (i64,) =
        on_tx!(tx, |p, D| sqlx::query_as(BETWEEN).bind(a).bind(b).fetch_one(p).await)?;
    Ok(blocks > 0)
}

/// `player` has blocked the other from now on, inside `tx`.
pub(super) async fn insert_block(
    tx: &mut Tx<'_>,
    player: PlayerId,
    blocked: PlayerId,
    now: Timestamp,
) -> Result<(), StoreError> {
    on_tx!(tx, |p, D| sqlx::query(
        "INSERT INTO blocks (player_id, blocked_id, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (player_id, blocked_id) DO NOTHING"
    )
    .bind(player)
    .bind(blocked)
    .bind(now)
    .execute(p)
    .await
    .map(drop))?;
    Ok(())
}

impl Store {
    /// Blocks a player for another. `false`, and nothing done, if `most` are blocked already.
    pub async fn block(
        &self,
        player: PlayerId,
        blocked: PlayerId,
        now: Timestamp,
        most: i64,
    ) -> Result<bool, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            hold_player(&mut tx, player).await?;
            let (others,): (i64,) = on_tx!(&mut tx, |p, D| sqlx::query_as(
                "SELECT CAST(count(*) AS BIGINT) FROM blocks WHERE player_id = $1 AND blocked_id <> $2"
            )
            .bind(player)
            .bind(blocked)
            .fetch_one(p)
            .await)?;
            if others >= most {
                return Ok(false);
            }
            insert_block(&mut tx, player, blocked, now).await?;
            tx.commit().await?;
            Ok(true)
        })
        .await
    }

    pub async fn unblock(&self, player: PlayerId, blocked: PlayerId) -> Result<(), StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            hold_player(&mut tx, player).await?;
            on_tx!(&mut tx, |p, D| sqlx::query(
                "DELETE FROM blocks WHERE player_id = $1 AND blocked_id = $2"
            )
            .bind(player)
            .bind(blocked)
            .execute(p)
            .await
            .map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Waits until no change of whom a player has blocked that was begun before can still be done.
    pub async fn settle_blocks(&self, player: PlayerId) -> Result<(), StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            hold_player(&mut tx, player).await
        })
        .await
    }

    /// Whether one of two has blocked the other.
    pub async fn is_blocked_between(&self, a: PlayerId, b: PlayerId) -> Result<bool, StoreError> {
        self.within(async {
            let (blocks,): (i64,) = on_db!(&self.read, |p, D| sqlx::query_as(BETWEEN)
                .bind(a)
                .bind(b)
                .fetch_one(p)
                .await)?;
            Ok(blocks > 0)
        })
        .await
    }

    /// Whom a player has blocked.
    pub async fn blocked_by(&self, player: PlayerId) -> Result<HashSet<PlayerId>, StoreError> {
        self.within(async {
            let rows: Vec<(PlayerId,)> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT blocked_id FROM blocks WHERE player_id = $1"
            )
            .bind(player)
            .fetch_all(p)
            .await)?;
            Ok(rows.into_iter().map(|(id,)| id).collect())
        })
        .await
    }

    /// The same with names and since when, newest first.
    pub async fn blocks(&self, player: PlayerId) -> Result<Vec<(Player, Timestamp)>, StoreError> {
        #[derive(FromRow)]
        struct Row {
            id: PlayerId,
            name: String,
            kind: String,
            created_at: Timestamp,
        }
        self.within(async {
            let rows: Vec<Row> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT players.id, players.name, players.kind, blocks.created_at
                 FROM blocks JOIN players ON players.id = blocks.blocked_id
                 WHERE blocks.player_id = $1 ORDER BY blocks.created_at DESC, players.id"
            )
            .bind(player)
            .fetch_all(p)
            .await)?;
            let read = |row: Row| {
                let kind = parse_kind(&row.kind, row.id)?;
                Ok((Player { id: row.id, kind, name: row.name }, row.created_at))
            };
            rows.into_iter().map(read).collect()
        })
        .await
    }
}
