//! Players: guests and accounts are rows of one table, so that a guest who signs up stays the same player.

use manifold_engine::Level;
use sqlx::FromRow;

use super::sessions::{insert_session, insert_spent, spend_session};
use super::{Store, StoreError, Tx};
use crate::ids::PlayerId;
use crate::player::{AccountName, Player, PlayerKind, handle};
use crate::session::{NewSession, TokenHash};
use crate::time::Timestamp;
use crate::{on_db, on_tx};

/// A row of `players`, without its password.
#[derive(FromRow)]
pub(super) struct PlayerRow {
    id: PlayerId,
    name: String,
    kind: String,
}

impl TryFrom<PlayerRow> for Player {
    type Error = StoreError;
    fn try_from(row: PlayerRow) -> Result<Self, StoreError> {
        Ok(Self { id: row.id, kind: parse_kind(&row.kind, row.id)?, name: row.name })
    }
}

pub(super) fn parse_kind(kind: &str, id: PlayerId) -> Result<PlayerKind, StoreError> {
    PlayerKind::parse(kind, id).ok_or_else(|| StoreError::Damaged(format!("player kind {kind:?}")))
}

/// A player with what only a profile shows.
#[derive(Debug)]
pub struct Profile {
    pub player: Player,
    pub created_at: Timestamp,
}

#[derive(FromRow)]
struct ProfileRow {
    #[sqlx(flatten)]
    player: PlayerRow,
    created_at: Timestamp,
}

impl TryFrom<ProfileRow> for Profile {
    type Error = StoreError;
    fn try_from(row: ProfileRow) -> Result<Self, StoreError> {
        Ok(Self { player: row.player.try_into()?, created_at: row.created_at })
    }
}

/// What a log-in is checked against.
#[derive(Debug)]
pub struct Credentials {
    pub player: Player,
    pub password_hash: String,
}

#[derive(FromRow)]
pub(super) struct CredentialsRow {
    #[sqlx(flatten)]
    player: PlayerRow,
    password_hash: String,
}

impl TryFrom<CredentialsRow> for Credentials {
    type Error = StoreError;
    fn try_from(row: CredentialsRow) -> Result<Self, StoreError> {
        Ok(Self { player: row.player.try_into()?, password_hash: row.password_hash })
    }
}

/// Whether `error` says that a player's name is taken.
pub fn is_name_taken(error: &StoreError) -> bool {
    error.is_constraint("players_handle_key", "players.handle")
}

/// Writes a new player down; who has no password is a guest. A new name is written together with its first session, all
/// or nothing: whoever is refused for lack of a database finds the name still free.
async fn insert_player(
    tx: &mut Tx<'_>,
    Player { id, name, kind }: &Player,
    password_hash: Option<&str>,
    created_at: Timestamp,
) -> Result<(), StoreError> {
    on_tx!(tx, |p, D| sqlx::query(
        "INSERT INTO players (id, name, handle, kind, password_hash, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)"
    )
    .bind(*id)
    .bind(name)
    .bind(handle(name))
    .bind(kind.as_str())
    .bind(password_hash)
    .bind(created_at)
    .execute(p)
    .await
    .map(drop))?;
    Ok(())
}

/// Keeps whoever else holds the player waiting until the transaction ends, inside `tx`: what such transactions do is done in
/// one order. To play and to log in needs no hold.
pub(super) async fn hold_player(tx: &mut Tx<'_>, player: PlayerId) -> Result<(), StoreError> {
    // An update that changes nothing locks the row, on both databases.
    on_tx!(tx, |p, D| sqlx::query("UPDATE players SET kind = kind WHERE id = $1")
        .bind(player)
        .execute(p)
        .await
        .map(drop))?;
    Ok(())
}

impl Store {
    /// A new guest. Fails with [`is_name_taken`] if the name is.
    pub async fn create_guest(
        &self,
        id: PlayerId,
        name: &str,
        session: &NewSession,
    ) -> Result<Player, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            let guest = Player { id, name: name.to_owned(), kind: PlayerKind::Guest };
            insert_player(&mut tx, &guest, None, session.begins_at).await?;
            insert_session(&mut tx, session, id).await?;
            tx.commit().await?;
            Ok(guest)
        })
        .await
    }

    /// Makes sure that the computers are there, by their present names.
    pub async fn seed_computers(&self, now: Timestamp) -> Result<(), StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            for Player { id, name, kind } in Level::ALL.map(Player::computer) {
                on_tx!(&mut tx, |p, D| sqlx::query(
                    "INSERT INTO players (id, name, handle, kind, created_at) VALUES ($1, $2, $3, $4, $5)
                     ON CONFLICT (id) DO UPDATE SET name = excluded.name, handle = excluded.handle"
                )
                .bind(id)
                .bind(&name)
                .bind(handle(&name))
                .bind(kind.as_str())
                .bind(now)
                .execute(p)
                .await
                .map(drop))?;
            }
            tx.commit().await
        })
        .await
    }

    /// A new account, and the mark of the request that has made it. Fails with [`is_name_taken`] if the name is.
    pub async fn create_account(
        &self,
        id: PlayerId,
        name: &AccountName,
        password_hash: &str,
        session: &NewSession,
        mark: Option<TokenHash>,
    ) -> Result<Player, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            let account = Player { id, name: name.as_str().to_owned(), kind: PlayerKind::Account };
            insert_player(&mut tx, &account, Some(password_hash), session.begins_at).await?;
            insert_session(&mut tx, session, id).await?;
            if let Some(mark) = mark {
                insert_spent(&mut tx, mark, id, session.begins_at).await?;
            }
            tx.commit().await?;
            Ok(account)
        })
        .await
    }

    /// Makes the guest an account, seats and games kept. Its `old` session is spent: it opens nothing any more, and is
    /// known for a while as one that has signed up. `None` if `guest` is no guest (any more).
    pub async fn promote_guest(
        &self,
        guest: PlayerId,
        old: TokenHash,
        name: &AccountName,
        password_hash: &str,
        session: &NewSession,
        mark: Option<TokenHash>,
    ) -> Result<Option<Player>, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            let row: Option<PlayerRow> = on_tx!(&mut tx, |p, D| {
                sqlx::query_as(
                "UPDATE players SET name = $2, handle = $3, kind = 'account', password_hash = $4
                 WHERE id = $1 AND kind = 'guest' RETURNING id, name, kind"
            )
            .bind(guest)
            .bind(name.as_str())
            .bind(handle(name.as_str()))
            .bind(password_hash)
            .fetch_optional(p)
            .await
            })?;
            if row.is_some() {
                spend_session(&mut tx, old, session.begins_at).await?;
                insert_session(&mut tx, session, guest).await?;
                if let Some(mark) = mark {
                    insert_spent(&mut tx, mark, guest, session.begins_at).await?;
                }
            }
            tx.commit().await?;
            row.map(Player::try_from).transpose()
        })
        .await
    }

    /// All accounts, by name: for whoever hosts the server.
    pub async fn accounts(&self) -> Result<Vec<Profile>, StoreError> {
        self.within(async {
            let rows: Vec<ProfileRow> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT id, name, kind, created_at FROM players WHERE password_hash IS NOT NULL ORDER BY handle"
            )
            .fetch_all(p)
            .await)?;
            rows.into_iter().map(Profile::try_from).collect()
        })
        .await
    }

    pub async fn profile(&self, name: &str) -> Result<Option<Profile>, StoreError> {
        if name.contains('\0') {
            // Postgres has no such text, and nobody such a name.
            return Ok(None);
        }
        self.within(async {
            let row: Option<ProfileRow> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT id, name, kind, created_at FROM players WHERE handle = $1"
            )
            .bind(handle(name))
            .fetch_optional(p)
            .await)?;
            row.map(Profile::try_from).transpose()
        })
        .await
    }

    pub async fn credentials(&self, name: &str) -> Result<Option<Credentials>, StoreError> {
        self.within(async {
            let row: Option<CredentialsRow> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT id, name, kind, password_hash FROM players WHERE handle = $1 AND password_hash IS NOT NULL"
            )
            .bind(handle(name))
            .fetch_optional(p)
            .await)?;
            row.map(Credentials::try_from).transpose()
        })
        .await
    }
}
