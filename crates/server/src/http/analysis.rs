//! `POST /analysis`: what the engine thinks of a position.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use manifold_engine::{Choice, Level, Score};
use manifold_rules::Game;
use serde::{Deserialize, Serialize};

use super::address::ClientPlace;
use super::extract::Body;
use super::positions::read_position;
use crate::computer::thinkers::{NoAnswer, Thinker};
use crate::error::{ApiError, Code, MOMENT};
use crate::ids::GameId;
use crate::state::AppState;

/// A position by itself, or one of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    variant: Option<String>,
    pub(super) fen: Option<String>,
    game: Option<GameId>,
    ply: Option<usize>,
    time_ms: Option<u64>,
    /// Whose turn is wanted: that of a level of the computer instead of the best that is found.
    level: Option<u8>,
}

#[derive(Serialize)]
pub(super) struct AnalysisJson {
    fen: String,
    turn: String,
    lan: String,
    /// For the side to move.
    score: ScoreJson,
    depth: u32,
    nodes: u64,
    /// What both would play, `turn` first.
    line: Vec<LineJson>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ScoreJson {
    Centipawns(i32),
    MateIn(u32),
    MatedIn(u32),
}

impl From<Score> for ScoreJson {
    fn from(score: Score) -> Self {
        match score {
            Score::Centipawns(centipawns) => Self::Centipawns(centipawns),
            Score::MateIn(turns) => Self::MateIn(turns),
            Score::MatedIn(turns) => Self::MatedIn(turns),
        }
    }
}

#[derive(Serialize)]
struct LineJson {
    #[serde(rename = "move")]
    turn: String,
    lan: String,
}

pub(super) async fn analyse(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    Body(question): Body<Question>,
) -> Result<Json<AnalysisJson>, ApiError> {
    let config = &app.config.computer;
    let time_ms = question.time_ms.unwrap_or(config.analysis_ms);
    if !(1..=config.max_analysis_ms).contains(&time_ms) {
        return Err(ApiError::bad_request(format!(
            "time_ms is from 1 to {}.",
            config.max_analysis_ms
        )));
    }
    let thinker = match question.level.map(Level::new) {
        None => Thinker::Adviser,
        // One player of each level answers, so that the same position has the same answer.
        Some(Some(level)) => Thinker::Player(level, 0),
        Some(None) => return Err(ApiError::bad_request("level is from 1 to 8.")),
    };
    if !app.computer.is_there() {
        return Err(ApiError::no_computer());
    }
    app.limits.analyses.check(&place)?;
    let game = position(&app, question).await?;
    let over = "The game is over in this position.";
    if game.end().is_some() {
        return Err(ApiError::new(Code::BadPosition, over));
    }
    let budget = Duration::from_millis(time_ms);
    let choice = advice(&app, &game, thinker, budget).await?;
    let mut after = game.clone();
    let mut line = Vec::with_capacity(choice.principal_variation.len());
    for turn in &choice.principal_variation {
        let lan = after.lan(turn);
        if after.play(turn).is_err() {
            break;
        }
        line.push(LineJson { turn: turn.to_string(), lan });
    }
    Ok(Json(AnalysisJson {
        fen: game.fen(),
        turn: choice.turn.to_string(),
        lan: game.lan(&choice.turn),
        score: choice.score.into(),
        depth: choice.depth,
        nodes: choice.nodes,
        line,
    }))
}

/// What the engine says of a game that is not over.
pub(super) async fn advice(
    app: &AppState,
    game: &Game,
    thinker: Thinker,
    budget: Duration,
) -> Result<Choice, ApiError> {
    let thinkers = app.computer.thinkers().ok_or_else(ApiError::no_computer)?;
    let choice = thinkers.advise(game.clone(), thinker, budget).await.map_err(|why| match why {
        NoAnswer::Busy => busy(),
        NoAnswer::Closed => {
            ApiError::new(Code::ShuttingDown, "The server is about to restart. Try again after it.")
        }
    })?;
    choice.ok_or_else(|| ApiError::new(Code::Internal, "The engine found nothing."))
}

pub(super) fn busy() -> ApiError {
    let detail = "The engine is busy with games and other positions. Try again in a moment.";
    ApiError::new(Code::Busy, detail).retry_after(MOMENT)
}

/// The position that is asked about; one of a game comes with what led to it, as repetitions count.
async fn position(app: &AppState, question: Question) -> Result<Game, ApiError> {
    match question {
        Question { variant: Some(variant), fen: Some(fen), game: None, ply: None, .. } => {
            read_position(app, &variant, &fen)
        }
        Question { variant: None, fen: None, game: Some(id), ply: Some(ply), .. } => {
            let state = app.registry.look(id).await?.ok_or_else(|| ApiError::not_found("game"))?;
            // Manners, so that no page of ours offers it; as a FEN the position is answered like any other.
            if state.setup().rated && state.end().is_none() {
                return Err(ApiError::new(
                    Code::GameUnderWay,
                    "A rated game may be analysed once it is over.",
                ));
            }
            let mut game = state.game().clone();
            let later = game
                .ply()
                .checked_sub(ply)
                .ok_or_else(|| ApiError::bad_request("The game has no such ply."))?;
            for _ in 0..later {
                _ = game.undo();
            }
            Ok(game)
        }
        Question { .. } => {
            Err(ApiError::bad_request("Say either variant and fen, or game and ply."))
        }
    }
}
