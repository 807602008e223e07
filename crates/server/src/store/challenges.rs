//! Challenges: open until someone accepts or declines, the creator cancels, or time is up.

use sqlx::FromRow;

use super::blocks::is_blocked;
use super::games::insert_game;
use super::players::{hold_player, parse_kind};
use super::{Store, StoreError, TimeColumns, Tx};
use crate::game::state::GameSetup;
use crate::ids::{ChallengeId, CommandId, GameId, PlayerId};
use crate::lobby::challenge::{
    Challenge, ChallengeStatus, Full, MAX_OPEN, OpenChallenges, SeatChoice,
};
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
    rated: bool,
    start_fen: Option<String>,
    opponent_id: Option<PlayerId>,
    opponent_name: Option<String>,
    opponent_kind: Option<String>,
    command_id: Option<String>,
    created_at: Timestamp,
    expires_at: Timestamp,
    canceled_at: Option<Timestamp>,
    declined_at: Option<Timestamp>,
    game_id: Option<GameId>,
}

/// What every statement that reads challenges begins with.
macro_rules! select_challenges {
    ($rest:expr) => {
        concat!(
            "SELECT challenges.id, creator_id, creator.name AS creator_name, creator.kind AS creator_kind,
               variant, color, base_ms, increment_ms, days_per_move, rated, start_fen,
               opponent_id, opponent.name AS opponent_name, opponent.kind AS opponent_kind, command_id,
               challenges.created_at, expires_at, canceled_at, declined_at, game_id
             FROM challenges JOIN players AS creator ON creator.id = creator_id
             LEFT JOIN players AS opponent ON opponent.id = opponent_id ",
            $rest
        )
    };
}

/// Whether nobody has closed it.
macro_rules! is_open {
    () => {
        "game_id IS NULL AND canceled_at IS NULL AND declined_at IS NULL"
    };
}

/// Closes one that is open, by noting when in a column.
macro_rules! close_by {
    ($column:literal) => {
        concat!(
            "UPDATE challenges SET ",
            $column,
            " = $2 WHERE id = $1 AND ",
            is_open!(),
            " AND expires_at > $2"
        )
    };
}

/// What has come of asking for a challenge.
#[derive(Clone, Debug, PartialEq)]
pub enum Created {
    Now,
    /// Its creator has asked for this one before by the same name.
    Before(Box<Challenge>),
    /// One of the two has blocked the other.
    Blocked,
    Full(Full),
}

impl TryFrom<ChallengeRow> for Challenge {
    type Error = StoreError;
    fn try_from(row: ChallengeRow) -> Result<Self, StoreError> {
        let id = row.id;
        let damaged = |what: &str| StoreError::Damaged(format!("challenge {id}: {what}"));
        let opponent = match (row.opponent_id, row.opponent_name, row.opponent_kind) {
            (Some(id), Some(name), Some(kind)) => {
                Some(Player { id, kind: parse_kind(&kind, id)?, name })
            }
            (_, _, _) => None,
        };
        let command = row.command_id.map(CommandId::try_from).transpose();
        Ok(Self {
            id: row.id,
            rated: row.rated,
            start_fen: row.start_fen,
            opponent,
            command: command.map_err(|why| StoreError::Damaged(why.to_owned()))?,
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
            status: match (row.game_id, row.canceled_at, row.declined_at) {
                (Some(game), _, _) => ChallengeStatus::Accepted(game),
                (None, Some(_), _) => ChallengeStatus::Canceled,
                (None, None, Some(_)) => ChallengeStatus::Declined,
                (None, None, None) => ChallengeStatus::Open,
            },
        })
    }
}

/// A challenge's row, inside `tx`.
async fn insert_challenge(tx: &mut Tx<'_>, challenge: &Challenge) -> Result<(), StoreError> {
    let time = TimeColumns::of(challenge.time);
    on_tx!(tx, |p, D| {
        sqlx::query(
            "INSERT INTO challenges (id, creator_id, variant, color, base_ms, increment_ms, days_per_move,
               created_at, expires_at, rated, start_fen, opponent_id, command_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
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
        .bind(challenge.rated)
        .bind(&challenge.start_fen)
        .bind(challenge.opponent.as_ref().map(|opponent| opponent.id))
        .bind(challenge.command.as_ref().map(CommandId::as_str))
        .execute(p)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// How many challenges are open of `creator`, to `opponent`, and of the one to the other, inside `tx`.
async fn open_challenges(
    tx: &mut Tx<'_>,
    creator: PlayerId,
    opponent: Option<PlayerId>,
    now: Timestamp,
) -> Result<OpenChallenges, StoreError> {
    let (created, received, of_both): (i64, i64, i64) =
        on_tx!(tx, |p, D| sqlx::query_as(concat!(
            "SELECT CAST(count(CASE WHEN creator_id = $1 THEN 1 END) AS BIGINT),
               CAST(count(CASE WHEN opponent_id = $2 THEN 1 END) AS BIGINT),
               CAST(count(CASE WHEN creator_id = $1 AND opponent_id = $2 THEN 1 END) AS BIGINT)
             FROM challenges WHERE (creator_id = $1 OR opponent_id = $2) AND expires_at > $3 AND ",
            is_open!()
        ))
        .bind(creator)
        .bind(opponent)
        .bind(now)
        .fetch_one(p)
        .await)?;
    Ok(OpenChallenges { created, received, of_both })
}

impl Store {
    /// Makes a challenge, if its creator has not asked for it before and there is room for it.
    pub async fn create_challenge(&self, challenge: &Challenge) -> Result<Created, StoreError> {
        let (creator, now) = (challenge.creator.id, challenge.created_at);
        let opponent = challenge.opponent.as_ref().map(|opponent| opponent.id);
        self.within(async {
            let mut tx = self.begin().await?;
            // Whoever makes another of theirs waits, also where it is not known what has become of that. In one order, so that
            // two never wait for each other.
            let mut people: Vec<PlayerId> = opponent.into_iter().chain([creator]).collect();
            people.sort_unstable();
            for player in people {
                hold_player(&mut tx, player).await?;
            }
            if let Some(command) = &challenge.command {
                let row: Option<ChallengeRow> = on_tx!(&mut tx, |p, D| sqlx::query_as(
                    select_challenges!("WHERE creator_id = $1 AND command_id = $2")
                )
                .bind(creator)
                .bind(command.as_str())
                .fetch_optional(p)
                .await)?;
                if let Some(row) = row {
                    return Ok(Created::Before(Box::new(Challenge::try_from(row)?.at(now))));
                }
            }
            if let Some(opponent) = opponent
                && is_blocked(&mut tx, creator, opponent).await?
            {
                return Ok(Created::Blocked);
            }
            if let Err(full) = open_challenges(&mut tx, creator, opponent, now).await?.has_room() {
                return Ok(Created::Full(full));
            }
            insert_challenge(&mut tx, challenge).await?;
            tx.commit().await?;
            Ok(Created::Now)
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
                select_challenges!("WHERE challenges.id = $1")
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
            let closed = on_tx!(&mut tx, |p, D| sqlx::query(concat!(
                "UPDATE challenges SET game_id = $2 WHERE id = $1 AND ",
                is_open!(),
                " AND expires_at > $3"
            ))
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
        self.close_challenge(close_by!("canceled_at"), id, now).await
    }

    /// Declines an open challenge. `false` if it is not open.
    pub async fn decline_challenge(
        &self,
        id: ChallengeId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.close_challenge(close_by!("declined_at"), id, now).await
    }

    async fn close_challenge(
        &self,
        statement: &'static str,
        id: ChallengeId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.within(async {
            let closed = on_db!(&self.write, |p, D| sqlx::query(statement)
                .bind(id)
                .bind(now)
                .execute(p)
                .await
                .map(|done| done.rows_affected()))?;
            Ok(closed == 1)
        })
        .await
    }

    /// The open challenges that a player has made, and those that name the player, newest first.
    pub async fn challenges_of(
        &self,
        player: PlayerId,
        now: Timestamp,
    ) -> Result<Vec<Challenge>, StoreError> {
        self.within(async {
            let rows: Vec<ChallengeRow> =
                on_db!(&self.read, |p, D| sqlx::query_as(select_challenges!(concat!(
                    "WHERE (creator_id = $1 OR opponent_id = $1) AND expires_at > $2 AND ",
                    is_open!(),
                    " ORDER BY challenges.created_at DESC, challenges.id LIMIT $3"
                )))
                .bind(player)
                .bind(now)
                .bind(2 * MAX_OPEN)
                .fetch_all(p)
                .await)?;
            rows.into_iter().map(Challenge::try_from).collect()
        })
        .await
    }

    /// The first of those that nobody has accepted, declined or canceled and that expire after `after`.
    pub async fn next_to_expire(
        &self,
        after: Timestamp,
        most: i64,
    ) -> Result<Vec<Challenge>, StoreError> {
        self.within(async {
            let rows: Vec<ChallengeRow> =
                on_db!(&self.read, |p, D| sqlx::query_as(select_challenges!(concat!(
                    "WHERE expires_at > $1 AND ",
                    is_open!(),
                    " ORDER BY expires_at LIMIT $2"
                )))
                .bind(after)
                .bind(most)
                .fetch_all(p)
                .await)?;
            rows.into_iter().map(Challenge::try_from).collect()
        })
        .await
    }
}
