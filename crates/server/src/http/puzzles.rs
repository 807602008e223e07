//! Puzzles: a list, one with its answer, and what becomes of an attempt.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use manifold_engine::{Choice, Score};
use manifold_rules::{Game, Outcome, Position, Variant};
use serde::{Deserialize, Serialize};

use super::address::ClientPlace;
use super::analysis::{advice, busy};
use super::extract::{Body, PathId};
use super::positions::{PlayedJson, illegal};
use crate::computer::thinkers::Thinker;
use crate::error::ApiError;
use crate::puzzles::{self, Puzzle};
use crate::state::AppState;

/// How long the other side thinks about its reply.
const REPLY: Duration = Duration::from_millis(300);

#[derive(Serialize)]
pub(super) struct PuzzlesJson {
    puzzles: Vec<PuzzleJson>,
}

#[derive(Serialize)]
pub(super) struct PuzzleJson {
    id: &'static str,
    variant: &'static str,
    fen: &'static str,
    moves: usize,
}

impl From<&'static Puzzle> for PuzzleJson {
    fn from(puzzle: &'static Puzzle) -> Self {
        let Puzzle { id, variant, fen, moves, .. } = puzzle;
        Self { id, variant: variant.as_str(), fen, moves: *moves }
    }
}

/// `GET /puzzles`: those of the games that are offered.
pub(super) async fn list(State(app): State<AppState>) -> Json<PuzzlesJson> {
    let offered = puzzles::all().iter().filter(|puzzle| app.variants.contains(&puzzle.variant));
    Json(PuzzlesJson { puzzles: offered.map(PuzzleJson::from).collect() })
}

#[derive(Serialize)]
pub(super) struct AnsweredJson {
    #[serde(flatten)]
    puzzle: PuzzleJson,
    /// A first turn that is right.
    answer: &'static str,
    lan: String,
}

fn find(id: &str) -> Result<(&'static Puzzle, Game), ApiError> {
    let puzzle = puzzles::find(id).ok_or_else(|| ApiError::not_found("puzzle"))?;
    let game = puzzle.game().ok_or_else(|| ApiError::not_found("puzzle"))?;
    Ok((puzzle, game))
}

/// `GET /puzzles/{id}`, for whoever gives up or wants a hint.
pub(super) async fn show(PathId(id): PathId<String>) -> Result<Json<AnsweredJson>, ApiError> {
    let (puzzle, game) = find(&id)?;
    let lan = game.lan(&game.parse_turn(puzzle.answer).map_err(illegal)?);
    Ok(Json(AnsweredJson { puzzle: puzzle.into(), answer: puzzle.answer, lan }))
}

/// Every turn since the beginning, one's own and the replies, one's own last.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Attempt {
    pub(super) line: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    /// It is won.
    Solved,
    /// It still will be, in time; the reply is there.
    Right,
    /// It will not, or not in time; the reply shows why.
    Wrong,
}

#[derive(Serialize)]
pub(super) struct JudgedJson {
    verdict: Verdict,
    played: PlayedJson,
    /// None where the game is over, or nothing had time to think of one.
    reply: Option<PlayedJson>,
}

/// `POST /puzzles/{id}`.
pub(super) async fn solve(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    PathId(id): PathId<String>,
    Body(Attempt { line }): Body<Attempt>,
) -> Result<Json<JudgedJson>, ApiError> {
    let (puzzle, mut game) = find(&id)?;
    app.limits.positions.check(&place)?;
    let solver = game.side_to_move();
    let made = line.len().div_ceil(2);
    let Some((last, before)) = line.split_last() else {
        return Err(ApiError::bad_request("line has at least one turn."));
    };
    if line.len() % 2 == 0 || made > puzzle.moves {
        let detail = "line ends with a turn of one's own, and has no more of them than the puzzle.";
        return Err(ApiError::bad_request(detail));
    }
    for turn in before {
        let turn = game.parse_turn(turn).map_err(illegal)?;
        game.play(&turn).map_err(illegal)?;
    }
    let turn = game.parse_turn(last).map_err(illegal)?;
    let played = PlayedJson::new(&mut game, &turn)?;
    if let Some(end) = game.end() {
        let won = end.outcome == Outcome::Win(solver);
        let verdict = if won { Verdict::Solved } else { Verdict::Wrong };
        return Ok(Json(JudgedJson { verdict, played, reply: None }));
    }
    // From here on it is as dear as any analysis.
    app.limits.analyses.check(&place)?;
    let advice = advice(&app, &game, Thinker::Adviser, REPLY).await;
    let verdict = verdict(puzzle, &line, made, &game, &advice)?;
    let reply = match advice {
        Ok(choice) => Some(choice.turn),
        // Where it is lost whatever is played, anything will do.
        Err(_) if verdict == Verdict::Right => game.position().legal_turns().first().copied(),
        Err(_) => None,
    };
    let reply = reply.map(|turn| PlayedJson::new(&mut game, &turn)).transpose()?;
    Ok(Json(JudgedJson { verdict, played, reply }))
}

/// Whether a turn that has not won yet still will: in Fourfold the file knows the only one that does; in Parallel Worlds,
/// where many do, the engine proves it.
fn verdict(
    puzzle: &Puzzle,
    line: &[String],
    made: usize,
    game: &Game,
    advice: &Result<Choice, ApiError>,
) -> Result<Verdict, ApiError> {
    if made == puzzle.moves {
        return Ok(Verdict::Wrong);
    }
    match puzzle.variant {
        Variant::Fourfold | Variant::FourfoldClassic => {
            let is_right = line.first().is_some_and(|first| first == puzzle.answer);
            Ok(if is_right { Verdict::Right } else { Verdict::Wrong })
        }
        Variant::ParallelWorlds => {
            let choice = advice.as_ref().map_err(|_| busy())?;
            if matches!(choice.score, Score::MatedIn(_)) {
                return Ok(Verdict::Right);
            }
            let mut replied = game.clone();
            replied.play(&choice.turn).map_err(illegal)?;
            let Position::Parallel(position) = replied.position() else { return Err(busy()) };
            // A reply that saves no king proves nothing: the engine had no time to try them all.
            let is_saved =
                position.lacks_a_king() || !manifold_engine::parallel::captures_king(position);
            if is_saved { Ok(Verdict::Wrong) } else { Err(busy()) }
        }
    }
}
