//! Accounts that become bots, once and for all.

use super::players::PlayerRow;
use super::sessions::{HashRow, hashes};
use super::{Store, StoreError};
use crate::ids::{GameId, PlayerId};
use crate::on_db;
use crate::player::{Player, PlayerKind};
use crate::session::TokenHash;

/// An account that is a bot now.
#[derive(Clone, Debug)]
pub struct BecameBot {
    pub player: Player,
    /// What lets its people and programs in: sockets that hang on these may have been opened by a person.
    pub sessions: Vec<TokenHash>,
}

/// Why an account does not become a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBot {
    /// Others have lost points to it, or won them, as to a person.
    HasRatedGames,
    /// Somebody sits opposite, who began that game with a person.
    Plays(GameId),
}

impl Store {
    /// Makes an account a bot if it has finished no rated game and has none of any kind under way; of one that is a bot
    /// already the answer is the same.
    pub async fn become_bot(&self, id: PlayerId) -> Result<Result<BecameBot, NoBot>, StoreError> {
        // One statement sees a game that ends just now as under way or as rated, never as neither.
        self.within(async {
            on_db!(&self.write, |p, D| sqlx::query(
                "UPDATE players SET kind = 'bot' WHERE id = $1 AND kind = 'account'
                 AND NOT EXISTS (SELECT 1 FROM rating_changes WHERE rating_changes.player_id = $1)
                 AND NOT EXISTS (SELECT 1 FROM games
                                 WHERE (games.white_id = $1 OR games.black_id = $1) AND games.ended_at IS NULL)"
            )
            .bind(id)
            .execute(p)
            .await
            .map(drop))?;
            Ok::<_, StoreError>(())
        })
        .await?;
        if let Some(became) = self.bot(id).await? {
            return Ok(Ok(became));
        }
        let game = self.under_way(id).await?.first().copied();
        Ok(Err(game.map_or(NoBot::HasRatedGames, NoBot::Plays)))
    }

    /// The bot with this id, if the player is one.
    pub async fn bot(&self, id: PlayerId) -> Result<Option<BecameBot>, StoreError> {
        let player = self.player(id).await?.filter(|player| player.kind == PlayerKind::Bot);
        let Some(player) = player else { return Ok(None) };
        self.within(async {
            let rows: Vec<HashRow> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT token_hash FROM sessions WHERE player_id = $1 AND kind <> 'spent'"
            )
            .bind(id)
            .fetch_all(p)
            .await)?;
            Ok(Some(BecameBot { player, sessions: hashes(rows)? }))
        })
        .await
    }

    /// Marks an account as a bot, whatever it has played: for whoever hosts the server. `false` if there is no such
    /// account.
    pub async fn mark_bot(&self, name: &str) -> Result<bool, StoreError> {
        let Some(credentials) = self.credentials(name).await? else { return Ok(false) };
        self.within(async {
            on_db!(&self.write, |p, D| sqlx::query(
                "UPDATE players SET kind = 'bot' WHERE id = $1"
            )
            .bind(credentials.player.id)
            .execute(p)
            .await
            .map(drop))?;
            Ok(true)
        })
        .await
    }

    /// The player with this id.
    pub async fn player(&self, id: PlayerId) -> Result<Option<Player>, StoreError> {
        self.within(async {
            let row: Option<PlayerRow> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT id, name, kind FROM players WHERE id = $1"
            )
            .bind(id)
            .fetch_optional(p)
            .await)?;
            row.map(Player::try_from).transpose()
        })
        .await
    }

    /// How many games of any kind a player has under way.
    pub async fn count_under_way(&self, player: PlayerId) -> Result<i64, StoreError> {
        self.within(async {
            let (count,): (i64,) = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT CAST(count(*) AS BIGINT) FROM games
                 WHERE ended_at IS NULL AND (white_id = $1 OR black_id = $1)"
            )
            .bind(player)
            .fetch_one(p)
            .await)?;
            Ok(count)
        })
        .await
    }
}
