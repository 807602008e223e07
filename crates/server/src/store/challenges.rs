//! Challenges by link: open until someone accepts, the creator cancels, or time is up.

use sqlx::FromRow;

use super::games::insert_game;
use super::players::parse_kind;
use super::{Store, StoreError, TimeColumns};
use crate::game::state::GameSetup;
use crate::ids::{ChallengeId, GameId, PlayerId};
use crate::lobby::challenge::{Challenge, ChallengeStatus, SeatChoice};
use crate::player::Player;
use crate::time::Timestamp;
use crate::{on_db, on_tx};

#[derive(FromRow)]
struct ChallengeRow {
    id: ChallengeId,
    creator_id: PlayerId,
    creator_name: String,
    creator_kind: String,
    variant: String,
    color: String,
    #[sqlx(flatten)]
    time: TimeColumns,
    created_at: Timestamp,
    expires_at: Timestamp,
    canceled_at: Option<Timestamp>,
    game_id: Option<GameId>,
}

impl TryFrom<ChallengeRow> for Challenge {
    type Error = StoreError;
    fn try_from(row: ChallengeRow) -> Result<Self, StoreError> {
        let damaged = |what: &str| StoreError::Damaged(format!("challenge {}: {what}", row.id));
        Ok(Self {
            id: row.id,
            creator: Player {
                id: row.creator_id,
                kind: parse_kind(&row.creator_kind, row.creator_id)?,
                name: row.creator_name,
            },
            variant: row.variant.parse().map_err(|_| damaged("variant"))?,
            color: SeatChoice::parse(&row.color).ok_or_else(|| damaged("color"))?,
            time: row.time.time()?,
            created_at: row.created_at,
            expires_at: row.expires_at,
            status: match (row.game_id, row.canceled_at) {
                (Some(game), _) => ChallengeStatus::Accepted(game),
                (None, Some(_)) => ChallengeStatus::Canceled,
                (None, None) => ChallengeStatus::Open,
            },
        })
    }
}

impl Store {
    pub async fn create_challenge(&self, challenge: &Challenge) -> Result<(), StoreError> {
        let time = TimeColumns::of(challenge.time);
        self.within(async {
            on_db!(&self.write, |p, D| sqlx::query(
                "INSERT INTO challenges (id, creator_id, variant, color, base_ms, increment_ms, days_per_move, created_at, expires_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
            )
            .bind(challenge.id)
            .bind(challenge.creator.id)
            .bind(challenge.variant.as_str())
            .bind(challenge.color.as_str())
            .bind(time.base_ms)
            .bind(time.increment_ms)
            .bind(time.days_per_move)
            .bind(challenge.created_at)
            .bind(challenge.expires_at)
            .execute(p)
            .await
            .map(drop))?;
            Ok(())
        })
        .await
    }

    /// A challenge; an open one whose time is up at `now` is expired.
    pub async fn challenge(
        &self,
        id: ChallengeId,
        now: Timestamp,
    ) -> Result<Option<Challenge>, StoreError> {
        self.within(async {
            let row: Option<ChallengeRow> = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT challenges.id, creator_id, creator.name AS creator_name, creator.kind AS creator_kind,
                   variant, color, base_ms, increment_ms, days_per_move, challenges.created_at, expires_at, canceled_at, game_id
                 FROM challenges JOIN players AS creator ON creator.id = creator_id WHERE challenges.id = $1"
            )
            .bind(id)
            .fetch_optional(p)
            .await)?;
            row.map(|row| Challenge::try_from(row).map(|challenge| challenge.at(now))).transpose()
        })
        .await
    }

    /// Makes `setup` the game of an open challenge. `false`, and no game, if it is not open.
    pub async fn accept_challenge(
        &self,
        id: ChallengeId,
        setup: &GameSetup,
    ) -> Result<bool, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            insert_game(&mut tx, setup).await?;
            // Of many who accept at once, one changes the row; the others wait for it and then find it closed.
            let closed = on_tx!(&mut tx, |p, D| sqlx::query(
                "UPDATE challenges SET game_id = $2
                 WHERE id = $1 AND game_id IS NULL AND canceled_at IS NULL AND expires_at > $3"
            )
            .bind(id)
            .bind(setup.id)
            .bind(setup.created_at)
            .execute(p)
            .await
            .map(|done| done.rows_affected()))?;
            if closed == 1 {
                tx.commit().await?;
            }
            Ok(closed == 1)
        })
        .await
    }

    /// Cancels an open challenge. `false` if it is not open.
    pub async fn cancel_challenge(
        &self,
        id: ChallengeId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.within(async {
            let closed = on_db!(&self.write, |p, D| sqlx::query(
                "UPDATE challenges SET canceled_at = $2
                 WHERE id = $1 AND game_id IS NULL AND canceled_at IS NULL AND expires_at > $2"
            )
            .bind(id)
            .bind(now)
            .execute(p)
            .await
            .map(|done| done.rows_affected()))?;
            Ok(closed == 1)
        })
        .await
    }

    /// How many challenges of a player are open.
    pub async fn open_challenges(
        &self,
        creator: PlayerId,
        now: Timestamp,
    ) -> Result<i64, StoreError> {
        self.within(async {
            let (count,): (i64,) = on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT CAST(count(*) AS BIGINT) FROM challenges
                 WHERE creator_id = $1 AND game_id IS NULL AND canceled_at IS NULL AND expires_at > $2"
            )
            .bind(creator)
            .bind(now)
            .fetch_one(p)
            .await)?;
            Ok(count)
        })
        .await
    }
}
