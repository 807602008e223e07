//! Games as rows, and games told again from their journals.

use std::collections::HashMap;
use std::num::NonZero;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use manifold_rules::{GameEnd, Variant};
use sqlx::FromRow;

use super::events::EventRow;
use super::{Store, StoreError, TimeColumns, Tx};
use crate::game::clock::{BySide, TimeControl};
use crate::game::event::{Event, Logged};
use crate::game::state::{GameSetup, GameState, RatingChange, Seat, SeatRating, Series};
use crate::ids::{GameId, PlayerId};
use crate::player::Player;
use crate::store::players::parse_kind;
use crate::time::Timestamp;
use crate::{on_db, on_tx};

mod lists;
mod sleep;

pub use lists::{AgainstComputers, GameStatus};
pub(super) use sleep::set_deadline;

/// So many games are brought back together. Tests have several portions of a few.
pub(super) const PORTION: usize = if cfg!(test) { 3 } else { 500 };

/// A row of `games` with its players' names.
#[derive(Debug, FromRow)]
struct GameRow {
    id: GameId,
    variant: String,
    rated: bool,
    #[sqlx(flatten)]
    time: TimeColumns,
    start_fen: String,
    white_id: PlayerId,
    white_name: String,
    white_kind: String,
    white_rating: Option<f64>,
    white_provisional: bool,
    black_id: PlayerId,
    black_name: String,
    black_kind: String,
    black_rating: Option<f64>,
    black_provisional: bool,
    created_at: Timestamp,
    deadline_at: Option<Timestamp>,
    previous_id: Option<GameId>,
    series_white: Option<i64>,
    series_black: Option<i64>,
    ended_at: Option<Timestamp>,
    outcome: Option<String>,
    termination: Option<String>,
    plies: Option<i64>,
    white_before: Option<f64>,
    white_after: Option<f64>,
    black_before: Option<f64>,
    black_after: Option<f64>,
}

/// What every statement that reads games begins with.
macro_rules! select_games {
    ($rest:expr) => {
        concat!(
            "SELECT games.id, games.variant, games.rated, games.base_ms, games.increment_ms, games.days_per_move, games.start_fen,
             games.white_id, white.name AS white_name, white.kind AS white_kind, games.white_rating, games.white_provisional,
             games.black_id, black.name AS black_name, black.kind AS black_kind, games.black_rating, games.black_provisional,
             games.created_at, games.deadline_at, games.previous_id, games.series_white, games.series_black, games.ended_at, games.outcome, games.termination, games.plies,
             white_change.rating_before AS white_before, white_change.rating_after AS white_after,
             black_change.rating_before AS black_before, black_change.rating_after AS black_after
             FROM games
             JOIN players AS white ON white.id = games.white_id
             JOIN players AS black ON black.id = games.black_id
             LEFT JOIN rating_changes AS white_change
               ON white_change.game_id = games.id AND white_change.player_id = games.white_id
             LEFT JOIN rating_changes AS black_change
               ON black_change.game_id = games.id AND black_change.player_id = games.black_id ",
            $rest
        )
    };
}
use select_games;

/// A game in a list: all but its moves.
#[derive(Clone, Debug)]
pub struct GameSummary {
    pub setup: GameSetup,
    pub ended: Option<EndedGame>,
    pub ratings: Option<BySide<RatingChange>>,
}

/// How a game in a list ended.
#[derive(Clone, Copy, Debug)]
pub struct EndedGame {
    pub end: GameEnd,
    pub ended_at: Timestamp,
    pub plies: i64,
}

fn damaged(what: &str, value: &str) -> StoreError {
    StoreError::Damaged(format!("{what} {value:?}"))
}

impl GameRow {
    fn ratings(&self) -> Option<BySide<RatingChange>> {
        let change = |before: Option<f64>, after: Option<f64>| {
            Some(RatingChange { before: before?, after: after? })
        };
        Some(BySide {
            white: change(self.white_before, self.white_after)?,
            black: change(self.black_before, self.black_after)?,
        })
    }

    fn summary(
        self,
        first_move_ms: impl Fn(TimeControl) -> i64,
    ) -> Result<GameSummary, StoreError> {
        let ratings = self.ratings();
        let variant: Variant =
            self.variant.parse().map_err(|_| damaged("variant", &self.variant))?;
        let ended = match (self.ended_at, &self.outcome, &self.termination, self.plies) {
            (Some(ended_at), Some(outcome), Some(termination), Some(plies)) => Some(EndedGame {
                end: GameEnd {
                    outcome: outcome.parse().map_err(|_| damaged("outcome", outcome))?,
                    termination: termination
                        .parse()
                        .map_err(|_| damaged("termination", termination))?,
                },
                ended_at,
                plies,
            }),
            (_, _, _, _) => None,
        };
        let seat = |id: PlayerId,
                    name,
                    kind: &str,
                    rating: Option<f64>,
                    provisional|
         -> Result<Seat, StoreError> {
            Ok(Seat {
                player: Player { id, name, kind: parse_kind(kind, id)? },
                rating: rating.map(|rating| SeatRating { rating, provisional }),
            })
        };
        let time = self.time.time()?;
        let setup = GameSetup {
            id: self.id,
            variant,
            rated: self.rated,
            time,
            first_move_ms: first_move_ms(time),
            start_fen: self.start_fen,
            seats: BySide {
                white: seat(
                    self.white_id,
                    self.white_name,
                    &self.white_kind,
                    self.white_rating,
                    self.white_provisional,
                )?,
                black: seat(
                    self.black_id,
                    self.black_name,
                    &self.black_kind,
                    self.black_rating,
                    self.black_provisional,
                )?,
            },
            created_at: self.created_at,
            series: match (self.previous_id, self.series_white, self.series_black) {
                (Some(previous), Some(white), Some(black)) => {
                    Some(Series { previous, half_points: BySide { white, black } })
                }
                (_, _, _) => None,
            },
        };
        Ok(GameSummary { setup, ended, ratings })
    }
}

fn replay(summary: GameSummary, log: Vec<Logged>) -> Result<GameState, StoreError> {
    let id = summary.setup.id;
    GameState::replay(summary.setup, log, summary.ratings)
        .map_err(|e| StoreError::Damaged(format!("game {id}: {e}")))
}

/// A game as the database has it.
#[derive(Debug)]
pub struct StoredGame {
    pub state: GameState,
    /// When it has to be woken, if it sleeps: each time that the server was away is in there, of which its journal does
    /// not know yet.
    pub deadline_at: Option<Timestamp>,
}

/// A new game's row, inside `tx`, unless it is there. `false` if it is: this waits for whoever is about to write it.
pub(super) async fn insert_game(tx: &mut Tx<'_>, setup: &GameSetup) -> Result<bool, StoreError> {
    let BySide { white, black } = &setup.seats;
    let time = TimeColumns::of(setup.time);
    let inserted = on_tx!(tx, |p, D| {
        sqlx::query(
        "INSERT INTO games (id, variant, rated, base_ms, increment_ms, days_per_move, start_fen, white_id, black_id,
           white_rating, white_provisional, black_rating, black_provisional, created_at, deadline_at,
           previous_id, series_white, series_black)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
         ON CONFLICT (id) DO NOTHING"
    )
    .bind(setup.id)
    .bind(setup.variant.as_str())
    .bind(setup.rated)
    .bind(time.base_ms)
    .bind(time.increment_ms)
    .bind(time.days_per_move)
    .bind(&setup.start_fen)
    .bind(white.player.id)
    .bind(black.player.id)
    .bind(white.rating.map(|r| r.rating))
    .bind(white.rating.is_some_and(|r| r.provisional))
    .bind(black.rating.map(|r| r.rating))
    .bind(black.rating.is_some_and(|r| r.provisional))
    .bind(setup.created_at)
    .bind(setup.sleeps_until())
    .bind(setup.series.map(|series| series.previous))
    .bind(setup.series.map(|series| series.half_points.white))
    .bind(setup.series.map(|series| series.half_points.black))
    .execute(p)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

impl Store {
    pub async fn create_game(&self, setup: &GameSetup) -> Result<(), StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            insert_game(&mut tx, setup).await?;
            tx.commit().await
        })
        .await
    }

    /// Whether a game is there whose creation was not answered. If it is not, it never will be: its row was written before
    /// its COMMIT was sent, so that to write it again waits until that has ended. To read would not wait.
    pub async fn is_game_stored(&self, setup: &GameSetup) -> Result<bool, StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            // Not committed: what nobody waits for any more is not made.
            Ok(!insert_game(&mut tx, setup).await?)
        })
        .await
    }

    async fn game_row(&self, id: GameId) -> Result<Option<GameRow>, StoreError> {
        Ok(on_db!(&self.read, |p, D| sqlx::query_as(select_games!("WHERE games.id = $1"))
            .bind(id)
            .fetch_optional(p)
            .await)?)
    }

    /// A game without its moves.
    pub async fn game_summary(
        &self,
        id: GameId,
        first_move_ms: impl Fn(TimeControl) -> i64,
    ) -> Result<Option<GameSummary>, StoreError> {
        self.within(async {
            self.game_row(id).await?.map(|row| row.summary(first_move_ms)).transpose()
        })
        .await
    }

    /// A game as the database has it.
    pub async fn game(
        &self,
        id: GameId,
        first_move_ms: impl Fn(TimeControl) -> i64,
    ) -> Result<Option<StoredGame>, StoreError> {
        self.within(async {
            // The events after the row: a result that is seen in the row is seen in the events, too.
            let row = self.game_row(id).await?;
            let Some(row) = row else { return Ok(None) };
            let deadline_at = row.deadline_at;
            let mut summary = row.summary(first_move_ms)?;
            let log = self.events(id).await?;
            if summary.ended.is_none() && log.iter().any(|l| matches!(l.event, Event::Ended { .. }))
            {
                // It ended between the two statements; its ratings are read with it.
                summary.ratings = self.rating_changes(id, &summary.setup).await?;
            }
            replay(summary, log).map(|state| Some(StoredGame { state, deadline_at }))
        })
        .await
    }

    async fn rating_changes(
        &self,
        id: GameId,
        setup: &GameSetup,
    ) -> Result<Option<BySide<RatingChange>>, StoreError> {
        let rows: Vec<(PlayerId, f64, f64)> = on_db!(&self.read, |p, D| {
            sqlx::query_as(
            "SELECT player_id, rating_before, rating_after FROM rating_changes WHERE game_id = $1"
        )
        .bind(id)
        .fetch_all(p)
        .await
        })?;
        let of = |seat: &Seat| {
            let (_, before, after) =
                rows.iter().find(|(player, _, _)| *player == seat.player.id)?;
            Some(RatingChange { before: *before, after: *after })
        };
        Ok(of(&setup.seats.white)
            .zip(of(&setup.seats.black))
            .map(|(white, black)| BySide { white, black }))
    }

    /// All games under way whose clocks run, a portion at a time and as many of these at once as there are cores; of a
    /// damaged game, what is wrong with it.
    pub async fn clocked_games(
        &self,
        first_move_ms: impl Fn(TimeControl) -> i64,
    ) -> Result<Vec<(GameId, Result<GameState, StoreError>)>, StoreError> {
        let rows: Vec<GameRow> = on_db!(&self.read, |p, D| sqlx::query_as(select_games!(
            "WHERE games.ended_at IS NULL AND games.base_ms IS NOT NULL ORDER BY games.id"
        ))
        .fetch_all(p)
        .await)?;
        let games: Vec<(GameId, Result<GameSummary, StoreError>)> =
            rows.into_iter().map(|row| (row.id, row.summary(&first_move_ms))).collect();
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let portions: Vec<_> = stream::iter(portions(games))
            .map(|portion| self.tell_again(portion))
            .buffered(cores)
            .try_collect()
            .await?;
        Ok(portions.into_iter().flatten().collect())
    }

    /// These games, which are next to each other by their ids, with their moves.
    async fn tell_again(
        &self,
        games: Vec<(GameId, Result<GameSummary, StoreError>)>,
    ) -> Result<Vec<(GameId, Result<GameState, StoreError>)>, StoreError> {
        #[derive(FromRow)]
        struct Row {
            game_id: GameId,
            #[sqlx(flatten)]
            event: EventRow,
        }
        let (Some((first, _)), Some((last, _))) = (games.first(), games.last()) else {
            return Ok(Vec::new());
        };
        let (first, last) = (*first, *last);
        let events: Vec<Row> = on_db!(&self.read, |p, D| sqlx::query_as(
            "SELECT game_id, seq, at, body FROM game_events
             WHERE game_id IN (
               SELECT id FROM games
               WHERE ended_at IS NULL AND base_ms IS NOT NULL AND id BETWEEN $1 AND $2
             )
             ORDER BY game_id, seq"
        )
        .bind(first)
        .bind(last)
        .fetch_all(p)
        .await)?;
        let told = tokio::task::spawn_blocking(move || {
            let mut logs: HashMap<GameId, Vec<EventRow>> = HashMap::new();
            for row in events {
                logs.entry(row.game_id).or_default().push(row.event);
            }
            let game = |summary: GameSummary, log: Vec<EventRow>| {
                replay(summary, log.into_iter().map(Logged::try_from).collect::<Result<_, _>>()?)
            };
            let games = games.into_iter().map(|(id, summary)| {
                let log = logs.remove(&id).unwrap_or_default();
                (id, summary.and_then(|summary| game(summary, log)))
            });
            games.collect::<Vec<_>>()
        });
        let told = told.await.map_err(|e| StoreError::Damaged(format!("a replay failed: {e}")))?;
        for error in told.iter().filter_map(|(_, game)| game.as_ref().err()) {
            self.metrics.errors.add(error.kind(), "");
        }
        Ok(told)
    }
}

/// So many that reading some goes on while others are played over.
fn portions<T>(games: Vec<T>) -> impl Iterator<Item = Vec<T>> {
    let mut games = games.into_iter();
    std::iter::from_fn(move || {
        let portion: Vec<T> = games.by_ref().take(PORTION).collect();
        (!portion.is_empty()).then_some(portion)
    })
}
