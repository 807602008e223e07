//! Seeks: those of days per move while they are open, and the games that have come of any.

use sqlx::FromRow;

use super::games::insert_game;
use super::players::parse_kind;
use super::{Store, StoreError, TimeColumns, Tx};
use crate::game::clock::DAY_MS;
use crate::game::state::{GameSetup, SeatRating};
use crate::ids::{CommandId, GameId, PlayerId, SeekId};
use crate::lobby::challenge::SeatChoice;
use crate::lobby::seek::{RatingRange, Seek, Wanted};
use crate::player::Player;
use crate::time::Timestamp;
use crate::{on_db, on_tx};

/// So long after it was canceled it is known what became of a seek: a retry is not sent later.
const CANCELED_KEPT_MS: i64 = DAY_MS;

/// A seek as it is written down.
#[derive(Debug)]
pub struct StoredSeek {
    pub seek: Seek,
    pub status: SeekStatus,
}

/// What has become of a seek.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeekStatus {
    /// Nobody has closed it: it is open until it expires.
    Open,
    Accepted(GameId),
    Canceled,
}

#[derive(FromRow)]
struct SeekRow {
    id: SeekId,
    owner_id: PlayerId,
    owner_name: String,
    owner_kind: String,
    command_id: String,
    variant: String,
    color: String,
    #[sqlx(flatten)]
    time: TimeColumns,
    rated: bool,
    min_rating: Option<i64>,
    max_rating: Option<i64>,
    owner_rating: Option<f64>,
    owner_provisional: bool,
    created_at: Timestamp,
    expires_at: Timestamp,
    canceled_at: Option<Timestamp>,
    game_id: Option<GameId>,
}

/// What every statement that reads seeks begins with.
macro_rules! select_seeks {
    ($rest:literal) => {
        concat!(
            "SELECT seeks.id, owner_id, owner.name AS owner_name, owner.kind AS owner_kind, command_id, variant, color,
               base_ms, increment_ms, days_per_move, rated, min_rating, max_rating, owner_rating, owner_provisional,
               seeks.created_at, expires_at, canceled_at, game_id
             FROM seeks JOIN players AS owner ON owner.id = owner_id ",
            $rest
        )
    };
}

impl TryFrom<SeekRow> for StoredSeek {
    type Error = StoreError;
    fn try_from(row: SeekRow) -> Result<Self, StoreError> {
        let id = row.id;
        let damaged = |what: &str| StoreError::Damaged(format!("seek {id}: {what}"));
        let bound = |rating: Option<i64>| {
            rating.map(u16::try_from).transpose().map_err(|_| damaged("a bound of its range"))
        };
        let range = RatingRange::new(bound(row.min_rating)?, bound(row.max_rating)?);
        let provisional = row.owner_provisional;
        let seek = Seek {
            id,
            owner: Player {
                id: row.owner_id,
                kind: parse_kind(&row.owner_kind, row.owner_id)?,
                name: row.owner_name,
            },
            rating: row.owner_rating.map(|rating| SeatRating { rating, provisional }),
            wanted: Wanted {
                variant: row.variant.parse().map_err(|_| damaged("variant"))?,
                color: SeatChoice::parse(&row.color).ok_or_else(|| damaged("color"))?,
                time: row.time.time()?,
                rated: row.rated,
                range: range.ok_or_else(|| damaged("range"))?,
            },
            command: CommandId::try_from(row.command_id).map_err(damaged)?,
            created_at: row.created_at,
            expires_at: row.expires_at,
        };
        let status = match (row.game_id, row.canceled_at) {
            (Some(game), _) => SeekStatus::Accepted(game),
            (None, Some(_)) => SeekStatus::Canceled,
            (None, None) => SeekStatus::Open,
        };
        Ok(Self { seek, status })
    }
}

/// A seek's row, inside `tx`, unless it is there. `false` if it is: this waits for whoever is about to write it.
pub(super) async fn insert_seek(
    tx: &mut Tx<'_>,
    seek: &Seek,
    game: Option<GameId>,
) -> Result<bool, StoreError> {
    let Wanted { variant, color, time, rated, range } = seek.wanted;
    let time = TimeColumns::of(time);
    let inserted = on_tx!(tx, |p, D| {
        sqlx::query(
        "INSERT INTO seeks (id, owner_id, command_id, variant, color, base_ms, increment_ms, days_per_move, rated,
           min_rating, max_rating, owner_rating, owner_provisional, created_at, expires_at, game_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         ON CONFLICT (id) DO NOTHING"
    )
    .bind(seek.id)
    .bind(seek.owner.id)
    .bind(seek.command.as_str())
    .bind(variant.as_str())
    .bind(color.as_str())
    .bind(time.base_ms)
    .bind(time.increment_ms)
    .bind(time.days_per_move)
    .bind(rated)
    .bind(range.min().map(i64::from))
    .bind(range.max().map(i64::from))
    .bind(seek.rating.map(|rating| rating.rating))
    .bind(seek.rating.is_some_and(|rating| rating.provisional))
    .bind(seek.created_at)
    .bind(seek.expires_at)
    .bind(game)
    .execute(p)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

impl Store {
    /// Writes down one that is open.
    pub async fn create_seek(&self, seek: &Seek) -> Result<(), StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            insert_seek(&mut tx, seek, None).await?;
            tx.commit().await
        })
        .await
    }

    /// Whether a seek is there whose creation was not answered. If it is not, it never will be, as with
    /// [`Store::is_game_stored`].
    pub async fn is_seek_stored(&self, seek: &Seek) -> Result<bool, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            Ok(!insert_seek(&mut tx, seek, None).await?)
        })
        .await
    }

    /// Makes `setup` the game of an open seek. `false`, and no game, if it is open no more.
    pub async fn accept_seek(&self, seek: &Seek, setup: &GameSetup) -> Result<bool, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            insert_game(&mut tx, setup).await?;
            let is_open = if seek.is_real_time() {
                insert_seek(&mut tx, seek, Some(setup.id)).await?
            } else {
                let accepted = on_tx!(&mut tx, |p, D| sqlx::query(
                    "UPDATE seeks SET game_id = $2
                     WHERE id = $1 AND game_id IS NULL AND canceled_at IS NULL AND expires_at > $3"
                )
                .bind(seek.id)
                .bind(setup.id)
                .bind(setup.created_at)
                .execute(p)
                .await
                .map(|done| done.rows_affected()))?;
                accepted == 1
            };
            if is_open {
                tx.commit().await?;
            }
            Ok(is_open)
        })
        .await
    }

    /// Cancels one that is open. `false` if it is not.
    pub async fn cancel_seek(&self, id: SeekId, now: Timestamp) -> Result<bool, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            let canceled = on_tx!(&mut tx, |p, D| sqlx::query(
                "UPDATE seeks SET canceled_at = $2, expires_at = $3
                 WHERE id = $1 AND game_id IS NULL AND canceled_at IS NULL AND expires_at > $2"
            )
            .bind(id)
            .bind(now)
            .bind(now.plus_ms(CANCELED_KEPT_MS))
            .execute(p)
            .await
            .map(|done| done.rows_affected()))?;
            tx.commit().await?;
            Ok(canceled == 1)
        })
        .await
    }

    pub async fn seek(&self, id: SeekId) -> Result<Option<StoredSeek>, StoreError> {
        self.within(async {
            let row: Option<SeekRow> =
                on_db!(&self.read, |p, D| sqlx::query_as(select_seeks!("WHERE seeks.id = $1"))
                    .bind(id)
                    .fetch_optional(p)
                    .await)?;
            row.map(StoredSeek::try_from).transpose()
        })
        .await
    }

    /// The seek that its owner has asked for by this name.
    pub async fn seek_by_command(
        &self,
        owner: PlayerId,
        command: &CommandId,
    ) -> Result<Option<StoredSeek>, StoreError> {
        self.within(async {
            let row: Option<SeekRow> = on_db!(&self.read, |p, D| sqlx::query_as(select_seeks!(
                "WHERE owner_id = $1 AND command_id = $2"
            ))
            .bind(owner)
            .bind(command.as_str())
            .fetch_optional(p)
            .await)?;
            row.map(StoredSeek::try_from).transpose()
        })
        .await
    }

    /// Those that are open at `now`, oldest first. A damaged one takes no other with it.
    pub async fn open_seeks(&self, now: Timestamp) -> Result<Vec<Seek>, StoreError> {
        self.within(async {
            let rows: Vec<SeekRow> = on_db!(&self.read, |p, D| sqlx::query_as(select_seeks!(
                "WHERE game_id IS NULL AND canceled_at IS NULL AND expires_at > $1
                 ORDER BY seeks.created_at, seeks.id"
            ))
            .bind(now)
            .fetch_all(p)
            .await)?;
            let read = rows.into_iter().map(|row| StoredSeek::try_from(row).map(|row| row.seek));
            let is_whole = |seek: &Result<Seek, StoreError>| match seek {
                Ok(_) => true,
                Err(error) => {
                    tracing::error!(%error, "an open seek cannot be read");
                    false
                }
            };
            read.filter(is_whole).collect()
        })
        .await
    }
}
