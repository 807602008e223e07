//! Ratings: read for a seat or a profile, changed only inside the transaction that stores a result.

use manifold_glicko2::{Config as Glicko2, Rating, Score};
use manifold_rules::{Color, Outcome, Variant};
use sqlx::FromRow;

use super::players::PlayerRow;
use super::{Store, StoreError, Tx};
use crate::game::clock::{BySide, Speed};
use crate::game::state::RatingChange;
use crate::ids::{GameId, PlayerId};
use crate::player::Player;
use crate::time::Timestamp;
use crate::{on_db, on_tx};

const MICROS_PER_DAY: f64 = 86_400e6;

/// A rating as it is stored: worth what it says at `last_played_at`.
#[derive(Clone, Debug, FromRow)]
pub struct StoredRating {
    pub variant: String,
    pub speed: String,
    pub rating: f64,
    pub deviation: f64,
    pub volatility: f64,
    pub games: i64,
    pub last_played_at: Timestamp,
}

impl StoredRating {
    fn value(&self) -> Rating {
        Rating { rating: self.rating, deviation: self.deviation, volatility: self.volatility }
    }

    /// The rating as it is worth at `now`: its deviation has grown since.
    pub fn at(&self, now: Timestamp, glicko2: &Glicko2) -> Rating {
        glicko2.decay(self.value(), self.idle_periods(now, glicko2))
    }

    fn idle_periods(&self, now: Timestamp, glicko2: &Glicko2) -> f64 {
        let micros = (now.as_micros() - self.last_played_at.as_micros()).max(0);
        micros as f64 / MICROS_PER_DAY * glicko2.settings().periods_per_day
    }
}

/// A rated game that has just ended.
#[derive(Clone, Debug)]
pub struct RatedResult {
    pub game: GameId,
    pub variant: Variant,
    pub speed: Speed,
    pub players: BySide<PlayerId>,
    pub outcome: Outcome,
    pub ended_at: Timestamp,
}

/// Rates a game inside `tx`: locks both ratings, reads what the last game wrote, writes what this one makes of it.
/// `None` for an outcome that rates nobody.
pub(super) async fn rate_game(
    tx: &mut Tx<'_>,
    result: &RatedResult,
    glicko2: &Glicko2,
) -> Result<Option<BySide<RatingChange>>, StoreError> {
    let (white_score, black_score) = match result.outcome {
        Outcome::Win(Color::White) => (Score::Win, Score::Loss),
        Outcome::Win(Color::Black) => (Score::Loss, Score::Win),
        Outcome::Draw => (Score::Draw, Score::Draw),
        Outcome::Aborted => return Ok(None),
    };
    let BySide { white, black } = result.players;
    // Always the lower id first: two games between the same players cannot wait for each other.
    let (white_row, black_row) = if white < black {
        let white_row = lock_rating(tx, white, result, glicko2).await?;
        (white_row, lock_rating(tx, black, result, glicko2).await?)
    } else {
        let black_row = lock_rating(tx, black, result, glicko2).await?;
        (lock_rating(tx, white, result, glicko2).await?, black_row)
    };
    let now = result.ended_at;
    let (white_now, black_now) = (white_row.at(now, glicko2), black_row.at(now, glicko2));
    let update = |row: &StoredRating, opponent, score| {
        glicko2.update(row.value(), row.idle_periods(now, glicko2), &[(opponent, score)])
    };
    let white_after = update(&white_row, black_now, white_score);
    let black_after = update(&black_row, white_now, black_score);
    write_rating(tx, white, result, white_now, white_after).await?;
    write_rating(tx, black, result, black_now, black_after).await?;
    Ok(Some(BySide {
        white: RatingChange { before: white_now.rating, after: white_after.rating },
        black: RatingChange { before: black_now.rating, after: black_after.rating },
    }))
}

/// The player's rating, locked until the transaction ends; a first one is made where there is none.
async fn lock_rating(
    tx: &mut Tx<'_>,
    player: PlayerId,
    result: &RatedResult,
    glicko2: &Glicko2,
) -> Result<StoredRating, StoreError> {
    let start = glicko2.start();
    // An upsert that changes nothing locks the row and reads its newest version, on both databases.
    Ok(on_tx!(tx, |p, D| {
        sqlx::query_as(
        "INSERT INTO ratings (player_id, variant, speed, rating, deviation, volatility, games, last_played_at)
         VALUES ($1, $2, $3, $4, $5, $6, 0, $7)
         ON CONFLICT (player_id, variant, speed) DO UPDATE SET games = ratings.games
         RETURNING variant, speed, rating, deviation, volatility, games, last_played_at"
    )
    .bind(player)
    .bind(result.variant.as_str())
    .bind(result.speed.as_str())
    .bind(start.rating)
    .bind(start.deviation)
    .bind(start.volatility)
    .bind(result.ended_at)
    .fetch_one(p)
    .await
    })?)
}

async fn write_rating(
    tx: &mut Tx<'_>,
    player: PlayerId,
    result: &RatedResult,
    before: Rating,
    after: Rating,
) -> Result<(), StoreError> {
    on_tx!(tx, |p, D| {
        sqlx::query(
        "INSERT INTO rating_changes (game_id, player_id, variant, speed, at,
           rating_before, deviation_before, volatility_before, rating_after, deviation_after, volatility_after)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    )
    .bind(result.game)
    .bind(player)
    .bind(result.variant.as_str())
    .bind(result.speed.as_str())
    .bind(result.ended_at)
    .bind(before.rating)
    .bind(before.deviation)
    .bind(before.volatility)
    .bind(after.rating)
    .bind(after.deviation)
    .bind(after.volatility)
    .execute(p)
    .await
    .map(drop)
    })?;
    on_tx!(tx, |p, D| {
        sqlx::query(
        "UPDATE ratings SET rating = $4, deviation = $5, volatility = $6, games = games + 1, last_played_at = $7
         WHERE player_id = $1 AND variant = $2 AND speed = $3"
    )
    .bind(player)
    .bind(result.variant.as_str())
    .bind(result.speed.as_str())
    .bind(after.rating)
    .bind(after.deviation)
    .bind(after.volatility)
    .bind(result.ended_at)
    .execute(p)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// A rating after one game.
#[derive(Clone, Debug, FromRow)]
pub struct CurvePoint {
    pub game_id: GameId,
    pub at: Timestamp,
    pub rating_after: f64,
    pub deviation_after: f64,
}

/// A player's row of a leaderboard.
#[derive(FromRow)]
struct RatedRow {
    #[sqlx(flatten)]
    player: PlayerRow,
    #[sqlx(flatten)]
    rating: StoredRating,
}

impl Store {
    /// The highest rated people of those who have played since, highest first.
    pub async fn highest_rated(
        &self,
        variant: Variant,
        speed: Speed,
        since: Timestamp,
        limit: i64,
    ) -> Result<Vec<(Player, StoredRating)>, StoreError> {
        let rows: Vec<RatedRow> = self
            .within(async {
                Ok(on_db!(&self.read, |p, D| sqlx::query_as(
                    "SELECT p.id, p.name, p.kind, r.variant, r.speed, r.rating, r.deviation, r.volatility, r.games,
                            r.last_played_at
                     FROM ratings r JOIN players p ON p.id = r.player_id
                     WHERE r.variant = $1 AND r.speed = $2 AND r.last_played_at >= $3 AND r.games > 0
                     AND p.kind = 'account'
                     ORDER BY r.rating DESC, r.player_id LIMIT $4"
                )
                .bind(variant.as_str())
                .bind(speed.as_str())
                .bind(since)
                .bind(limit)
                .fetch_all(p)
                .await)?)
            })
            .await?;
        rows.into_iter().map(|row| Ok((row.player.try_into()?, row.rating))).collect()
    }

    /// How a rating has gone over the last games, oldest first.
    pub async fn rating_curve(
        &self,
        player: PlayerId,
        variant: Variant,
        speed: Speed,
        limit: i64,
    ) -> Result<Vec<CurvePoint>, StoreError> {
        let mut points: Vec<CurvePoint> = self
            .within(async {
                Ok(on_db!(&self.read, |p, D| sqlx::query_as(
                    "SELECT game_id, at, rating_after, deviation_after FROM rating_changes
                     WHERE player_id = $1 AND variant = $2 AND speed = $3 ORDER BY at DESC, game_id DESC LIMIT $4"
                )
                .bind(player)
                .bind(variant.as_str())
                .bind(speed.as_str())
                .bind(limit)
                .fetch_all(p)
                .await)?)
            })
            .await?;
        points.reverse();
        Ok(points)
    }

    /// All ratings of a player.
    pub async fn ratings(&self, player: PlayerId) -> Result<Vec<StoredRating>, StoreError> {
        self.within(async {
            Ok(on_db!(&self.read, |p, D| sqlx::query_as(
                "SELECT variant, speed, rating, deviation, volatility, games, last_played_at
                 FROM ratings WHERE player_id = $1 ORDER BY variant, speed"
            )
            .bind(player)
            .fetch_all(p)
            .await)?)
        })
        .await
    }
}
