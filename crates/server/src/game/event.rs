//! What happens in a game, as the journal keeps it. From the setup and its events a game can be told again exactly.

use manifold_rules::{Color, Outcome, Termination};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ids::CommandId;
use crate::time::Timestamp;

/// What a player asks of a game, with everything that makes two requests the same request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `ply` is the number of moves before this one; `turn` is in the rules' wire format.
    Move {
        ply: usize,
        turn: String,
    },
    OfferDraw,
    AcceptDraw {
        offer: u64,
    },
    DeclineDraw {
        offer: u64,
    },
    Resign,
    Abort,
}

impl Action {
    /// Its kind, as a client names it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Move { .. } => "move",
            Self::OfferDraw => "offer_draw",
            Self::AcceptDraw { .. } => "accept_draw",
            Self::DeclineDraw { .. } => "decline_draw",
            Self::Resign => "resign",
            Self::Abort => "abort",
        }
    }
}

/// One line of a game's journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// 1, 2, 3 … without a gap.
    pub seq: u64,
    pub at: Timestamp,
    pub event: Event,
}

/// The journal's own format: JSON with a `kind`. Fields may be added, with a default; none may change its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    Move {
        #[serde(with = "text")]
        by: Color,
        id: CommandId,
        ply: usize,
        turn: String,
        /// How long the mover took.
        spent_ms: i64,
        /// How much of that the network had caused and the clock was given back.
        #[serde(default, skip_serializing_if = "is_nothing")]
        compensated_ms: i64,
        /// What the mover had left then, the increment included; nothing without a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        remaining_ms: Option<i64>,
    },
    DrawOffered {
        #[serde(with = "text")]
        by: Color,
        id: CommandId,
    },
    DrawDeclined {
        #[serde(with = "text")]
        by: Color,
        id: CommandId,
        offer: u64,
    },
    /// The server was away; the turn under way goes on as if `elapsed_ms` of it had passed.
    Resumed { elapsed_ms: i64 },
    Ended {
        #[serde(with = "text")]
        outcome: Outcome,
        #[serde(with = "text")]
        termination: Termination,
        /// Whose command ended the game at once; a move's ending has the move before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<Cause>,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
fn is_nothing(ms: &i64) -> bool {
    *ms == 0
}

/// The command that ended a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cause {
    #[serde(with = "text")]
    pub by: Color,
    pub id: CommandId,
    /// The draw offer that was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<u64>,
}

impl Event {
    /// The command that this event is the answer to; what a retry is compared with.
    pub fn command(&self) -> Option<(Color, &CommandId, Action)> {
        match self {
            Self::Move { by, id, ply, turn, .. } => {
                Some((*by, id, Action::Move { ply: *ply, turn: turn.clone() }))
            }
            Self::DrawOffered { by, id } => Some((*by, id, Action::OfferDraw)),
            Self::DrawDeclined { by, id, offer } => {
                Some((*by, id, Action::DeclineDraw { offer: *offer }))
            }
            Self::Resumed { .. } => None,
            Self::Ended { termination, cause, .. } => {
                let Cause { by, id, offer } = cause.as_ref()?;
                let action = match (termination, offer) {
                    (Termination::Agreement, Some(offer)) => Action::AcceptDraw { offer: *offer },
                    (Termination::Agreement, None) => Action::OfferDraw,
                    (Termination::Aborted, _) => Action::Abort,
                    (Termination::Resignation, _) => Action::Resign,
                    (
                        Termination::Checkmate
                        | Termination::Stalemate
                        | Termination::BareKings
                        | Termination::HundredMoves
                        | Termination::Repetition
                        | Termination::KingCaptured
                        | Termination::Timeout
                        | Termination::Abandonment,
                        _,
                    ) => return None,
                };
                Some((*by, id, action))
            }
        }
    }
}

/// The rules' own words, as text: they know no serde.
mod text {
    use super::{Deserialize, Deserializer, Serializer};
    use std::{fmt::Display, str::FromStr};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(value)
    }

    pub(super) fn deserialize<'de, T, D>(d: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}
