//! Sessions: the hash of a random token, and whose it is.

use sqlx::FromRow;

use super::players::parse_kind;
use super::{Store, StoreError, Tx};
use crate::ids::PlayerId;
use crate::player::Player;
use crate::time::Timestamp;
use crate::{on_db, on_tx};

/// SHA-256 of a session's token.
pub type TokenHash = [u8; 32];

/// A session that begins.
#[derive(Clone, Copy, Debug)]
pub struct NewSession {
    pub token: TokenHash,
    pub begins_at: Timestamp,
    pub expires_at: Timestamp,
}

/// A new session's row, inside `tx`.
pub(super) async fn insert_session(
    tx: &mut Tx,
    session: &NewSession,
    player: PlayerId,
) -> Result<(), StoreError> {
    on_tx!(tx, |p, D| {
        sqlx::query(
        "INSERT INTO sessions (token_hash, player_id, created_at, expires_at) VALUES ($1, $2, $3, $4)"
    )
    .bind(session.token.as_slice())
    .bind(player)
    .bind(session.begins_at)
    .bind(session.expires_at)
    .execute(p)
    .await
    .map(drop)
    })?;
    Ok(())
}

impl Store {
    /// A session of a player who is there already.
    pub async fn create_session(
        &self,
        session: &NewSession,
        player: PlayerId,
    ) -> Result<(), StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            insert_session(&mut tx, session, player).await?;
            tx.commit().await
        })
        .await
    }

    /// Whose session it is, if it has not expired, and until when.
    pub async fn session(
        &self,
        token: TokenHash,
        now: Timestamp,
    ) -> Result<Option<(Player, Timestamp)>, StoreError> {
        #[derive(FromRow)]
        struct Row {
            id: PlayerId,
            name: String,
            kind: String,
            expires_at: Timestamp,
        }
        self.within(async {
            let row: Option<Row> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT players.id, players.name, players.kind, sessions.expires_at
                 FROM sessions JOIN players ON players.id = sessions.player_id
                 WHERE sessions.token_hash = $1 AND sessions.expires_at > $2"
            )
            .bind(token.as_slice())
            .bind(now)
            .fetch_optional(p)
            .await)?;
            row.map(|row| {
                Ok((
                    Player { id: row.id, kind: parse_kind(&row.kind, row.id)?, name: row.name },
                    row.expires_at,
                ))
            })
            .transpose()
        })
        .await
    }

    pub async fn extend_session(
        &self,
        token: TokenHash,
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        self.within(async {
            on_db!(&self.write, |p, D| sqlx::query(
                "UPDATE sessions SET expires_at = $2 WHERE token_hash = $1"
            )
            .bind(token.as_slice())
            .bind(expires_at)
            .execute(p)
            .await
            .map(drop))?;
            Ok(())
        })
        .await
    }

    /// Ends a session. `false` if there is none.
    pub async fn delete_session(&self, token: TokenHash) -> Result<bool, StoreError> {
        self.within(async {
            let ended = on_db!(&self.write, |p, D| sqlx::query(
                "DELETE FROM sessions WHERE token_hash = $1"
            )
            .bind(token.as_slice())
            .execute(p)
            .await
            .map(|done| done.rows_affected()))?;
            Ok(ended == 1)
        })
        .await
    }

    /// Forgets expired sessions, challenges that came to nothing, and guests who can neither come back nor be found in
    /// a game or challenge. Answers how many guests.
    pub async fn prune(&self, now: Timestamp) -> Result<u64, StoreError> {
        /// A guest is made a moment before its session.
        const YOUNG_MS: i64 = 3_600_000;
        /// A challenge's page tells for so long what became of it.
        const CHALLENGE_KEPT_MS: i64 = 7 * 24 * 3_600_000;
        self.within(async {
            on_db!(&self.write, |p, D| sqlx::query(
                "DELETE FROM challenges WHERE game_id IS NULL AND expires_at <= $1"
            )
            .bind(now.plus_ms(-CHALLENGE_KEPT_MS))
            .execute(p)
            .await
            .map(drop))?;
            on_db!(&self.write, |p, D| sqlx::query("DELETE FROM sessions WHERE expires_at <= $1")
                .bind(now)
                .execute(p)
                .await
                .map(drop))?;
            let guests = on_db!(&self.write, |p, D| {
                sqlx::query(
                "DELETE FROM players WHERE kind = 'guest' AND created_at <= $1
                 AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.player_id = players.id)
                 AND NOT EXISTS (SELECT 1 FROM games WHERE games.white_id = players.id)
                 AND NOT EXISTS (SELECT 1 FROM games WHERE games.black_id = players.id)
                 AND NOT EXISTS (SELECT 1 FROM challenges WHERE challenges.creator_id = players.id)"
            )
            .bind(now.plus_ms(-YOUNG_MS))
            .execute(p)
            .await
            .map(|done| done.rows_affected())
            })?;
            Ok(guests)
        })
        .await
    }
}
