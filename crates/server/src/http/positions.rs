//! `POST /positions`: what the rules say of a position that belongs to no game, who attacks one of its squares, what keeps a
//! king in check from going, and where a piece goes on an empty board.
//! Lessons ask here instead of deciding anything themselves.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use manifold_rules::{
    Attacker, Flight, Flights, Game, GameEnd, Guard, Piece, Reach, SingleMove, Turn, TurnError,
    Variant,
};
use serde::{Deserialize, Serialize};

use super::address::ClientPlace;
use super::extract::Body;
use crate::error::{ApiError, Code};
use crate::state::AppState;
use crate::wire::MovesJson;

/// No position needs a longer text,
const MAX_FEN: usize = 512;
/// no turn,
const MAX_TURN: usize = 64;
/// and no square.
const MAX_SQUARE: usize = 16;

/// A position and perhaps the beginning of a turn, and perhaps two squares, or one, or the king's flights; or a piece on an
/// empty board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    variant: String,
    fen: Option<String>,
    turn: Option<String>,
    from: Option<String>,
    to: Option<String>,
    piece: Option<String>,
    square: Option<String>,
    #[serde(default)]
    flights: bool,
}

#[cfg(test)]
impl Question {
    /// Answers it in that game, whatever it names.
    pub(super) fn look(&self, variant: Variant) {
        let squares = self.from.clone().zip(self.to.clone());
        if let Some(game) = self.fen.as_ref().and_then(|fen| read_fen(variant, fen).ok()) {
            if let Some(square) = &self.square {
                _ = game.attackers(self.turn.as_deref().unwrap_or_default(), square).is_ok();
            }
            _ = game.flights().map(FlightsJson::from);
            _ = position(game, self.turn.clone().unwrap_or_default(), squares).is_ok();
        }
        if let (Some(piece), Some(square)) = (&self.piece, &self.square) {
            let piece = piece.chars().next().and_then(Piece::from_fen_letter);
            _ = piece.and_then(|piece| variant.reach(piece, square)).is_some();
        }
    }
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum AnswerJson {
    Position(Box<PositionJson>),
    Attackers(AttackersJson),
    Flights(FlightsJson),
    Reach(ReachJson),
}

#[derive(Serialize)]
pub(super) struct PositionJson {
    fen: String,
    turn: String,
    /// What stands where after the moves of `turn`.
    placement: String,
    /// What may come next in it.
    legal: MovesJson<Vec<SingleMove>>,
    check: Option<String>,
    end: Option<EndJson>,
    /// What it leads to if the turn ends here.
    after: Option<PlayedJson>,
    explained: Option<ExplainedJson>,
}

#[derive(Serialize)]
struct EndJson {
    outcome: &'static str,
    termination: &'static str,
}

impl From<GameEnd> for EndJson {
    fn from(end: GameEnd) -> Self {
        Self { outcome: end.outcome.as_str(), termination: end.termination.as_str() }
    }
}

/// A turn that was played, and the position after it.
#[derive(Serialize)]
pub(super) struct PlayedJson {
    turn: String,
    lan: String,
    fen: String,
    check: Option<String>,
    legal: MovesJson<Vec<SingleMove>>,
    end: Option<EndJson>,
}

impl PlayedJson {
    /// Plays a turn.
    pub(super) fn new(game: &mut Game, turn: &Turn) -> Result<Self, ApiError> {
        let lan = game.lan(turn);
        game.play(turn).map_err(illegal)?;
        Ok(Self {
            turn: turn.to_string(),
            lan,
            fen: game.fen(),
            check: game.check(),
            legal: MovesJson(game.legal_first_moves()),
            end: game.end().map(EndJson::from),
        })
    }
}

#[derive(Serialize)]
struct ExplainedJson {
    legal: bool,
    reason: Option<&'static str>,
    args: BTreeMap<&'static str, String>,
    detail: Option<String>,
}

#[derive(Serialize)]
pub(super) struct AttackersJson {
    attackers: Vec<AttackerJson>,
}

#[derive(Serialize)]
struct AttackerJson {
    square: String,
    /// A letter of a FEN.
    piece: char,
    exposes_king: bool,
}

impl From<Attacker> for AttackerJson {
    fn from(Attacker { square, piece, exposes_king }: Attacker) -> Self {
        Self { square, piece: piece.fen_letter(), exposes_king }
    }
}

/// The king in check, and what keeps it from each square beside it.
#[derive(Serialize)]
pub(super) struct FlightsJson {
    king: String,
    checkers: Vec<GuardJson>,
    flights: Vec<FlightJson>,
}

#[derive(Serialize)]
struct FlightJson {
    square: String,
    /// A letter of a FEN.
    own: Option<char>,
    guards: Vec<GuardJson>,
}

#[derive(Serialize)]
struct GuardJson {
    square: String,
    /// A letter of a FEN.
    piece: char,
}

impl From<Flights> for FlightsJson {
    fn from(Flights { king, checkers, squares }: Flights) -> Self {
        let guards = |list: Vec<Guard>| list.into_iter().map(GuardJson::from).collect();
        let flight = |Flight { square, own, guards: by }: Flight| FlightJson {
            square,
            own: own.map(Piece::fen_letter),
            guards: guards(by),
        };
        Self {
            king,
            checkers: guards(checkers),
            flights: squares.into_iter().map(flight).collect(),
        }
    }
}

impl From<Guard> for GuardJson {
    fn from(Guard { square, piece }: Guard) -> Self {
        Self { square, piece: piece.fen_letter() }
    }
}

#[derive(Serialize)]
pub(super) struct ReachJson {
    moves: Vec<String>,
    captures: Vec<String>,
}

pub(super) fn illegal(why: TurnError) -> ApiError {
    ApiError::new(Code::IllegalMove, why.to_string())
}

/// `POST /positions`.
pub(super) async fn ask(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    Body(question): Body<Question>,
) -> Result<Json<AnswerJson>, ApiError> {
    app.limits.positions.check(&place)?;
    let Question { variant, fen, turn, from, to, piece, square, flights } = question;
    let texts = [(&turn, MAX_TURN), (&from, MAX_SQUARE), (&to, MAX_SQUARE), (&square, MAX_SQUARE)];
    if texts.iter().any(|(text, most)| text.as_ref().is_some_and(|text| text.len() > *most)) {
        return Err(ApiError::bad_request("No turn and no square has so long a text."));
    }
    let is_bare = turn.is_none() && from.is_none() && to.is_none();
    let answer = match (fen, piece, square) {
        (Some(fen), None, None) if flights && is_bare => {
            let game = read_position(&app, &variant, &fen)?;
            let flights = game.flights().ok_or_else(no_check)?;
            AnswerJson::Flights(FlightsJson::from(flights))
        }
        (Some(fen), None, None) if !flights => {
            let game = read_position(&app, &variant, &fen)?;
            let squares = match (from, to) {
                (Some(from), Some(to)) => Some((from, to)),
                (None, None) => None,
                (Some(_), None) | (None, Some(_)) => {
                    return Err(ApiError::bad_request("Say both from and to."));
                }
            };
            AnswerJson::Position(Box::new(position(game, turn.unwrap_or_default(), squares)?))
        }
        (Some(fen), None, Some(square)) if from.is_none() && to.is_none() && !flights => {
            let game = read_position(&app, &variant, &fen)?;
            let attackers = game.attackers(&turn.unwrap_or_default(), &square).map_err(illegal)?;
            let attackers = attackers.ok_or_else(no_square)?.into_iter().map(AttackerJson::from);
            AnswerJson::Attackers(AttackersJson { attackers: attackers.collect() })
        }
        (None, Some(piece), Some(square)) if is_bare && !flights => {
            let variant = app.variant(&variant).ok_or_else(no_variant)?;
            let mut letters = piece.chars();
            let piece = letters.next().and_then(Piece::from_fen_letter);
            let piece = piece
                .filter(|_| letters.next().is_none())
                .ok_or_else(|| ApiError::bad_request("piece is one letter of a FEN."))?;
            let Reach { moves, captures } = variant.reach(piece, &square).ok_or_else(no_square)?;
            AnswerJson::Reach(ReachJson { moves, captures })
        }
        _ => {
            return Err(ApiError::bad_request(
                "Say fen, perhaps with from and to, with square or with flights; or piece and square.",
            ));
        }
    };
    Ok(Json(answer))
}

fn no_variant() -> ApiError {
    ApiError::bad_request("There is no such variant.")
}

fn no_check() -> ApiError {
    ApiError::bad_request("No king is in check there.")
}

fn no_square() -> ApiError {
    ApiError::bad_request("There is no such square.")
}

/// A position by itself, as somebody wrote it.
pub(super) fn read_position(app: &AppState, variant: &str, fen: &str) -> Result<Game, ApiError> {
    read_fen(app.variant(variant).ok_or_else(no_variant)?, fen)
}

/// A position of a game that is known.
pub(super) fn read_fen(variant: Variant, fen: &str) -> Result<Game, ApiError> {
    let wrong = |why: String| ApiError::new(Code::BadPosition, why);
    if fen.len() > MAX_FEN {
        return Err(wrong(format!("A position is written in at most {MAX_FEN} bytes.")));
    }
    Game::from_fen(variant, fen).map_err(|why| wrong(why.to_string()))
}

fn position(
    mut game: Game,
    turn: String,
    squares: Option<(String, String)>,
) -> Result<PositionJson, ApiError> {
    let under_way = game.under_way(&turn).map_err(illegal)?;
    let explained = squares.map(|(from, to)| {
        let why = game.explain(&turn, &from, &to).err();
        ExplainedJson {
            legal: why.is_none(),
            reason: why.as_ref().map(TurnError::code),
            args: why.iter().flat_map(TurnError::args).collect(),
            detail: why.as_ref().map(ToString::to_string),
        }
    });
    let (fen, check, end) = (game.fen(), game.check(), game.end().map(EndJson::from));
    let after = match &*turn {
        "" => None,
        made => {
            let turn = game.parse_turn(made).map_err(illegal)?;
            Some(PlayedJson::new(&mut game, &turn)?)
        }
    };
    let (placement, legal) = (under_way.placement, MovesJson(under_way.legal));
    Ok(PositionJson { fen, turn, placement, legal, check, end, after, explained })
}
