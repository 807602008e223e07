//! Lists of games, and how many there are.

use super::{GameRow, GameSummary, select_games};
use crate::game::clock::TimeControl;
use crate::ids::{GameId, PlayerId};
use crate::on_db;
use crate::player::Player;
use crate::store::{Store, StoreError};

/// Which games of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameStatus {
    Any,
    Live,
    Ended,
}

/// How many games against computers there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgainstComputers {
    /// Those of one player.
    pub of_player: i64,
    pub all: i64,
}

impl Store {
    /// The newest games that a player has under way, with a clock or without.
    pub async fn under_way(&self, player: PlayerId) -> Result<Vec<GameId>, StoreError> {
        /// Without a clock they can be any number.
        const MOST: i64 = 100;
        self.within(async {
            Ok(on_db!(&self.read, |p, D| {
                sqlx::query_scalar(
                "SELECT id FROM games WHERE ended_at IS NULL AND (white_id = $1 OR black_id = $1)
                 ORDER BY id DESC LIMIT $2"
            )
            .bind(player)
            .bind(MOST)
            .fetch_all(p)
            .await
            })?)
        })
        .await
    }

    /// How many games against computers are under way.
    pub async fn games_against_computers(
        &self,
        player: PlayerId,
    ) -> Result<AgainstComputers, StoreError> {
        self.within(async {
            // By the ids of the computers, which come before all others: an index finds their games.
            let (of_player, all): (i64, i64) = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT CAST(count(CASE WHEN person = $1 THEN 1 END) AS BIGINT), CAST(count(*) AS BIGINT) FROM (
                   SELECT black_id AS person FROM games WHERE white_id <= $2 AND ended_at IS NULL
                   UNION ALL SELECT white_id FROM games WHERE black_id <= $2 AND ended_at IS NULL) AS against"
            )
            .bind(player)
            .bind(Player::LAST_COMPUTER)
            .fetch_one(p)
            .await)?;
            Ok(AgainstComputers { of_player, all })
        })
        .await
    }

    /// At most `limit` games older than `before`, newest first; those of `player`, if one is named.
    pub async fn list_games(
        &self,
        player: Option<PlayerId>,
        status: GameStatus,
        before: Option<GameId>,
        limit: i64,
        first_move_ms: impl Fn(TimeControl) -> i64,
    ) -> Result<Vec<GameSummary>, StoreError> {
        // One that sorts after all others.
        let before = before.unwrap_or(GameId(uuid::Uuid::max()));
        // A statement for each status, so that an index fits each.
        macro_rules! all {
            ($status:literal) => {
                on_db!(&self.read, |p, D| sqlx::query_as(select_games!(concat!(
                    "WHERE games.id < $1 ",
                    $status,
                    " ORDER BY games.id DESC LIMIT $2"
                )))
                .bind(before)
                .bind(limit)
                .fetch_all(p)
                .await)
            };
        }
        macro_rules! of {
            ($player:expr, $status:literal) => {
                on_db!(&self.read, |p, D| sqlx::query_as(select_games!(concat!(
                    "WHERE games.id < $1 AND (games.white_id = $3 OR games.black_id = $3) ",
                    $status,
                    " ORDER BY games.id DESC LIMIT $2"
                )))
                .bind(before)
                .bind(limit)
                .bind($player)
                .fetch_all(p)
                .await)
            };
        }
        self.within(async {
            let rows: Vec<GameRow> = match (player, status) {
                (None, GameStatus::Any) => all!(""),
                (None, GameStatus::Live) => all!("AND games.ended_at IS NULL"),
                (None, GameStatus::Ended) => all!("AND games.ended_at IS NOT NULL"),
                (Some(player), GameStatus::Any) => of!(player, ""),
                (Some(player), GameStatus::Live) => of!(player, "AND games.ended_at IS NULL"),
                (Some(player), GameStatus::Ended) => of!(player, "AND games.ended_at IS NOT NULL"),
            }?;
            rows.into_iter().map(|row| row.summary(&first_move_ms)).collect()
        })
        .await
    }
}
