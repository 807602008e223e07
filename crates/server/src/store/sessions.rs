//! Sessions: the hash of a random token, and whose it is.

use sqlx::FromRow;

use super::players::{Credentials, CredentialsRow, hold_player, parse_kind};
use super::{Store, StoreError, Tx};
use crate::ids::{PlayerId, SessionId};
use crate::player::Player;
use crate::session::{NewSession, OwnSession, Session, SessionKind, Shown, TokenHash};
use crate::time::Timestamp;
use crate::{on_db, on_tx};

/// So many browsers of one player may be logged in; the one that has not been seen for the longest makes room.
const MOST_BROWSERS: i64 = 50;

/// A row of `sessions`, whatever it opens.
struct SessionRow<'a> {
    token: TokenHash,
    id: SessionId,
    player: PlayerId,
    kind: &'static str,
    name: &'a str,
    begins_at: Timestamp,
    expires_at: Timestamp,
}

async fn insert_row(tx: &mut Tx<'_>, row: &SessionRow<'_>) -> Result<(), StoreError> {
    on_tx!(tx, |p, D| {
        sqlx::query(
            "INSERT INTO sessions (token_hash, id, player_id, kind, name, created_at, seen_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $6, $7)",
        )
        .bind(row.token.as_slice())
        .bind(row.id)
        .bind(row.player)
        .bind(row.kind)
        .bind(row.name)
        .bind(row.begins_at)
        .bind(row.expires_at)
        .execute(p)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// A new session's row, inside `tx`.
pub(super) async fn insert_session(
    tx: &mut Tx<'_>,
    session: &NewSession,
    player: PlayerId,
) -> Result<(), StoreError> {
    let NewSession { id, shown, ref name, begins_at, expires_at } = *session;
    let (token, kind) = (shown.token, shown.kind.as_str());
    insert_row(tx, &SessionRow { token, id, player, kind, name, begins_at, expires_at }).await
}

/// Locks the player until the transaction ends, if the password is still the one with this hash.
async fn lock_player(
    tx: &mut Tx<'_>,
    id: PlayerId,
    password_hash: &str,
) -> Result<bool, StoreError> {
    // An update that changes nothing locks the row and reads its newest version, on both databases.
    let found = on_tx!(tx, |p, D| {
        sqlx::query(
            "UPDATE players SET password_hash = password_hash WHERE id = $1 AND password_hash = $2",
        )
        .bind(id)
        .bind(password_hash)
        .execute(p)
        .await
        .map(|done| done.rows_affected())
    })?;
    Ok(found == 1)
}

/// A token's hash as it is stored.
#[derive(FromRow)]
pub(super) struct HashRow {
    token_hash: Vec<u8>,
}

pub(super) fn hashes(rows: Vec<HashRow>) -> Result<Vec<TokenHash>, StoreError> {
    let damaged = |_| StoreError::Damaged("the hash of a session has 32 bytes".to_owned());
    rows.into_iter().map(|row| row.token_hash.try_into().map_err(damaged)).collect()
}

impl Store {
    /// A session of a player who has just proven to know the password with this hash. `None` if it is another by now:
    /// no log-in outlives the password that it was made with. What had to make room has ended.
    pub async fn create_session(
        &self,
        session: &NewSession,
        player: PlayerId,
        password_hash: &str,
    ) -> Result<Option<Vec<TokenHash>>, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            if !lock_player(&mut tx, player, password_hash).await? {
                return Ok(None);
            }
            insert_session(&mut tx, session, player).await?;
            let rows: Vec<HashRow> = on_tx!(&mut tx, |p, D| sqlx::query_as(
                "DELETE FROM sessions WHERE player_id = $1 AND kind = 'browser' AND id NOT IN
                 (SELECT id FROM sessions WHERE player_id = $1 AND kind = 'browser' ORDER BY seen_at DESC, id DESC LIMIT $2)
                 RETURNING token_hash"
            )
            .bind(player)
            .bind(MOST_BROWSERS)
            .fetch_all(p)
            .await)?;
            let ended = hashes(rows)?;
            tx.commit().await?;
            Ok(Some(ended))
        })
        .await
    }

    /// A token for a program, unless the player has `most` already.
    pub async fn create_token(
        &self,
        session: &NewSession,
        player: PlayerId,
        most: i64,
    ) -> Result<bool, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            // Two at once are counted one after the other.
            hold_player(&mut tx, player).await?;
            let (count,): (i64,) = on_tx!(&mut tx, |p, D| {
                sqlx::query_as(
                    "SELECT COUNT(*) FROM sessions WHERE player_id = $1 AND kind = 'token' AND expires_at > $2",
                )
                .bind(player)
                .bind(session.begins_at)
                .fetch_one(p)
                .await
            })?;
            if count >= most {
                return Ok(false);
            }
            insert_session(&mut tx, session, player).await?;
            tx.commit().await?;
            Ok(true)
        })
        .await
    }

    /// Puts another password in the place of the one with the hash `old`, ends all browsers' sessions and begins
    /// `session`. `None` if the password is another already.
    pub async fn change_password(
        &self,
        player: PlayerId,
        old: &str,
        new: &str,
        session: &NewSession,
    ) -> Result<Option<Vec<TokenHash>>, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            if !lock_player(&mut tx, player, old).await? {
                return Ok(None);
            }
            set_password(&mut tx, player, new).await?;
            let ended = end_browsers(&mut tx, player).await?;
            insert_session(&mut tx, session, player).await?;
            tx.commit().await?;
            Ok(Some(ended))
        })
        .await
    }

    /// What was shown, if it opens anything at `now`.
    pub async fn session(
        &self,
        shown: Shown,
        now: Timestamp,
    ) -> Result<Option<Session>, StoreError> {
        #[derive(FromRow)]
        struct Row {
            id: SessionId,
            seen_at: Timestamp,
            expires_at: Timestamp,
            player_id: PlayerId,
            player_name: String,
            player_kind: String,
        }
        self.within(async {
            let row: Option<Row> = on_db!(&self.read, |p, D| {
                sqlx::query_as(
                "SELECT sessions.id, sessions.seen_at, sessions.expires_at,
                 players.id AS player_id, players.name AS player_name, players.kind AS player_kind
                 FROM sessions JOIN players ON players.id = sessions.player_id
                 WHERE sessions.token_hash = $1 AND sessions.kind = $2 AND sessions.expires_at > $3"
            )
            .bind(shown.token.as_slice())
            .bind(shown.kind.as_str())
            .bind(now)
            .fetch_optional(p)
            .await
            })?;
            row.map(|row| {
                let kind = parse_kind(&row.player_kind, row.player_id)?;
                let player = Player { id: row.player_id, kind, name: row.player_name };
                let Row { id, seen_at, expires_at, .. } = row;
                Ok(Session { id, shown, player, seen_at, expires_at })
            })
            .transpose()
        })
        .await
    }

    /// The session was used at `now`, and ends at `expires_at` if it is not used again.
    pub async fn see_session(
        &self,
        token: TokenHash,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        self.within(async {
            on_db!(&self.write, |p, D| sqlx::query(
                "UPDATE sessions SET seen_at = $2, expires_at = $3 WHERE token_hash = $1"
            )
            .bind(token.as_slice())
            .bind(now)
            .bind(expires_at)
            .execute(p)
            .await
            .map(drop))?;
            Ok(())
        })
        .await
    }

    /// All sessions of one kind that a player has at `now`, the last seen first.
    pub async fn sessions_of(
        &self,
        player: PlayerId,
        kind: SessionKind,
        now: Timestamp,
    ) -> Result<Vec<OwnSession>, StoreError> {
        #[derive(FromRow)]
        struct Row {
            id: SessionId,
            name: String,
            created_at: Timestamp,
            seen_at: Timestamp,
            expires_at: Timestamp,
        }
        self.within(async {
            let rows: Vec<Row> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT id, name, created_at, seen_at, expires_at FROM sessions
                 WHERE player_id = $1 AND kind = $2 AND expires_at > $3 ORDER BY seen_at DESC, id DESC"
            )
            .bind(player)
            .bind(kind.as_str())
            .bind(now)
            .fetch_all(p)
            .await)?;
            let own = |row| {
                let Row { id, name, created_at, seen_at, expires_at } = row;
                OwnSession { id, name, created_at, seen_at, expires_at }
            };
            Ok(rows.into_iter().map(own).collect())
        })
        .await
    }

    /// Ends the session that has this token. `false` if there is none.
    pub async fn delete_session(&self, token: TokenHash) -> Result<bool, StoreError> {
        self.within(async {
            let ended = on_db!(&self.write, |p, D| sqlx::query(
                "DELETE FROM sessions WHERE token_hash = $1 AND kind <> 'spent'"
            )
            .bind(token.as_slice())
            .execute(p)
            .await
            .map(|done| done.rows_affected()))?;
            Ok(ended == 1)
        })
        .await
    }

    /// Who has just signed up with this token, which opens nothing since, or by a request that is marked with it.
    pub async fn signed_up_with(
        &self,
        token: TokenHash,
        now: Timestamp,
    ) -> Result<Option<Credentials>, StoreError> {
        self.within(async {
            let row: Option<CredentialsRow> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT players.id, players.name, players.kind, players.password_hash
                 FROM sessions JOIN players ON players.id = sessions.player_id
                 WHERE sessions.token_hash = $1 AND sessions.kind = 'spent' AND sessions.expires_at > $2"
            )
            .bind(token.as_slice())
            .bind(now)
            .fetch_optional(p)
            .await)?;
            row.map(Credentials::try_from).transpose()
        })
        .await
    }

    /// Ends the session that its owner calls `id`.
    pub async fn end_session(
        &self,
        player: PlayerId,
        kind: SessionKind,
        id: SessionId,
    ) -> Result<Vec<TokenHash>, StoreError> {
        self.within(async {
            let rows: Vec<HashRow> = on_db!(&self.write, |p, D| sqlx::query_as(
                "DELETE FROM sessions WHERE player_id = $1 AND kind = $2 AND id = $3 RETURNING token_hash"
            )
            .bind(player)
            .bind(kind.as_str())
            .bind(id)
            .fetch_all(p)
            .await)?;
            hashes(rows)
        })
        .await
    }

    /// Ends all sessions of a player's browsers.
    pub async fn end_browsers(&self, player: PlayerId) -> Result<Vec<TokenHash>, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            let ended = end_browsers(&mut tx, player).await?;
            tx.commit().await?;
            Ok(ended)
        })
        .await
    }

    /// Gives the account of this name another password, and ends all that lets somebody in as it. `false` if there is
    /// none.
    pub async fn reset_password(&self, name: &str, hash: &str) -> Result<bool, StoreError> {
        let Some(Credentials { player, password_hash }) = self.credentials(name).await? else {
            return Ok(false);
        };
        self.within(async {
            let mut tx = self.begin().await?;
            if !lock_player(&mut tx, player.id, &password_hash).await? {
                return Ok(false);
            }
            set_password(&mut tx, player.id, hash).await?;
            end_all(&mut tx, player.id).await?;
            tx.commit().await?;
            Ok(true)
        })
        .await
    }

    /// Ends all that lets somebody in as this player: how much that was.
    pub async fn end_all(&self, player: PlayerId) -> Result<u64, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            let ended = end_all(&mut tx, player).await?;
            tx.commit().await?;
            Ok(ended)
        })
        .await
    }
}

/// By what a sign-up is known for so long: longer than a request that was sent at the same time can be under way, or a client
/// tries again.
const KNOWN_MS: i64 = 600_000;

/// The token of a request to sign up opens nothing, and is known for a while as that of this player, inside `tx`.
pub(super) async fn insert_spent(
    tx: &mut Tx<'_>,
    token: TokenHash,
    player: PlayerId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let row = SessionRow {
        token,
        id: SessionId::new(),
        player,
        kind: "spent",
        name: "",
        begins_at: now,
        expires_at: now.plus_ms(KNOWN_MS),
    };
    insert_row(tx, &row).await
}

/// The session opens nothing any more, inside `tx`, but is known as one that has signed up.
pub(super) async fn spend_session(
    tx: &mut Tx<'_>,
    token: TokenHash,
    now: Timestamp,
) -> Result<(), StoreError> {
    on_tx!(tx, |p, D| sqlx::query(
        "UPDATE sessions SET kind = 'spent', expires_at = $2 WHERE token_hash = $1"
    )
    .bind(token.as_slice())
    .bind(now.plus_ms(KNOWN_MS))
    .execute(p)
    .await
    .map(drop))?;
    Ok(())
}

/// Another password, inside `tx`.
async fn set_password(tx: &mut Tx<'_>, player: PlayerId, hash: &str) -> Result<(), StoreError> {
    on_tx!(tx, |p, D| sqlx::query("UPDATE players SET password_hash = $2 WHERE id = $1")
        .bind(player)
        .bind(hash)
        .execute(p)
        .await
        .map(drop))?;
    Ok(())
}

/// Ends browsers' sessions and tokens, inside `tx`.
async fn end_all(tx: &mut Tx<'_>, player: PlayerId) -> Result<u64, StoreError> {
    let ended = on_tx!(tx, |p, D| sqlx::query("DELETE FROM sessions WHERE player_id = $1")
        .bind(player)
        .execute(p)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(ended)
}

/// Ends what lets a player's browsers in, inside `tx`. Tokens stay: programs do not type passwords.
async fn end_browsers(tx: &mut Tx<'_>, player: PlayerId) -> Result<Vec<TokenHash>, StoreError> {
    let rows: Vec<HashRow> = on_tx!(tx, |p, D| sqlx::query_as(
        "DELETE FROM sessions WHERE player_id = $1 AND kind = 'browser' RETURNING token_hash"
    )
    .bind(player)
    .fetch_all(p)
    .await)?;
    hashes(rows)
}
