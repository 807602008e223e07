//! Requests that make games: under what their players know them, so that one that is sent again makes no second game.

use sqlx::FromRow;

use super::games::insert_game;
use super::{Store, StoreError};
use crate::game::state::GameSetup;
use crate::ids::{CommandId, GameId, PlayerId};
use crate::lobby::challenge::SeatChoice;
use crate::{on_db, on_tx};

/// A request, as its player knows it.
#[derive(Clone, Debug)]
pub struct GameRequest {
    pub player: PlayerId,
    pub command: CommandId,
    /// As it is asked for: what a random one comes to is the game's.
    pub color: SeatChoice,
}

/// What has come of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requested {
    pub game: GameId,
    pub color: SeatChoice,
}

impl Store {
    /// A new game, and under what it was asked for: both or neither.
    pub async fn create_requested_game(
        &self,
        setup: &GameSetup,
        request: &GameRequest,
    ) -> Result<(), StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            insert_game(&mut tx, setup).await?;
            on_tx!(&mut tx, |p, D| sqlx::query(
                "INSERT INTO game_requests (player_id, command_id, game_id, color) VALUES ($1, $2, $3, $4)"
            )
            .bind(request.player)
            .bind(request.command.as_str())
            .bind(setup.id)
            .bind(request.color.as_str())
            .execute(p)
            .await
            .map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// What has come of a player's request of this name.
    pub async fn requested_game(
        &self,
        player: PlayerId,
        command: &CommandId,
    ) -> Result<Option<Requested>, StoreError> {
        #[derive(FromRow)]
        struct Row {
            game_id: GameId,
            color: String,
        }
        self.within(async {
            let row: Option<Row> = on_db!(&self.read, |p, D| {
                sqlx::query_as(
                "SELECT game_id, color FROM game_requests WHERE player_id = $1 AND command_id = $2"
            )
            .bind(player)
            .bind(command.as_str())
            .fetch_optional(p)
            .await
            })?;
            row.map(|Row { game_id, color }| {
                let color = SeatChoice::parse(&color)
                    .ok_or_else(|| StoreError::Damaged(format!("color {color:?}")))?;
                Ok(Requested { game: game_id, color })
            })
            .transpose()
        })
        .await
    }
}
