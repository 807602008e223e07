//! What happens in a game, as the journal keeps it. From the setup and its events a game can be told again exactly.

use manifold_rules::{Color, Outcome, Termination};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ids::{CommandId, GameId};
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
    OfferTakeback,
    AcceptTakeback {
        offer: u64,
    },
    DeclineTakeback {
        offer: u64,
    },
    /// The opponent has gone away.
    ClaimWin,
    ClaimDraw,
    OfferRematch,
    AcceptRematch {
        offer: u64,
    },
    DeclineRematch {
        offer: u64,
    },
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
            Self::OfferTakeback => "offer_takeback",
            Self::AcceptTakeback { .. } => "accept_takeback",
            Self::DeclineTakeback { .. } => "decline_takeback",
            Self::ClaimWin => "claim_win",
            Self::ClaimDraw => "claim_draw",
            Self::OfferRematch => "offer_rematch",
            Self::AcceptRematch { .. } => "accept_rematch",
            Self::DeclineRematch { .. } => "decline_rematch",
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
    TakebackOffered {
        #[serde(with = "text")]
        by: Color,
        id: CommandId,
    },
    TakebackDeclined {
        #[serde(with = "text")]
        by: Color,
        id: CommandId,
        offer: u64,
    },
    /// The last moves are gone.
    TakenBack {
        /// Who agreed.
        #[serde(with = "text")]
        by: Color,
        /// Nothing if it was a computer, which agrees by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<CommandId>,
        offer: u64,
        /// How many moves are left.
        ply: usize,
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
    RematchOffered {
        #[serde(with = "text")]
        by: Color,
        id: CommandId,
    },
    RematchDeclined {
        #[serde(with = "text")]
        by: Color,
        id: CommandId,
        offer: u64,
    },
    /// The two play again. The new game is stored together with this.
    Rematched {
        /// Who agreed.
        #[serde(with = "text")]
        by: Color,
        /// Nothing if it was a computer, which agrees by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<CommandId>,
        /// The offer that was accepted; nothing if both have offered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offer: Option<u64>,
        next: GameId,
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
    /// How many moves the game has after it; `None` if it changes nothing of that.
    pub const fn plies_after(&self) -> Option<usize> {
        match self {
            Self::Move { ply, .. } => Some(*ply + 1),
            Self::TakenBack { ply, .. } => Some(*ply),
            Self::DrawOffered { .. }
            | Self::DrawDeclined { .. }
            | Self::TakebackOffered { .. }
            | Self::TakebackDeclined { .. }
            | Self::Resumed { .. }
            | Self::Ended { .. }
            | Self::RematchOffered { .. }
            | Self::RematchDeclined { .. }
            | Self::Rematched { .. } => None,
        }
    }

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
            Self::TakebackOffered { by, id } => Some((*by, id, Action::OfferTakeback)),
            Self::TakebackDeclined { by, id, offer } => {
                Some((*by, id, Action::DeclineTakeback { offer: *offer }))
            }
            Self::TakenBack { by, id, offer, .. } => {
                Some((*by, id.as_ref()?, Action::AcceptTakeback { offer: *offer }))
            }
            Self::RematchOffered { by, id } => Some((*by, id, Action::OfferRematch)),
            Self::RematchDeclined { by, id, offer } => {
                Some((*by, id, Action::DeclineRematch { offer: *offer }))
            }
            Self::Rematched { by, id, offer, .. } => {
                let accept = |offer: &u64| Action::AcceptRematch { offer: *offer };
                Some((*by, id.as_ref()?, offer.as_ref().map_or(Action::OfferRematch, accept)))
            }
            Self::Resumed { .. } => None,
            Self::Ended { outcome, termination, cause } => {
                let Cause { by, id, offer } = cause.as_ref()?;
                let action = match (termination, offer) {
                    (Termination::Agreement, Some(offer)) => Action::AcceptDraw { offer: *offer },
                    (Termination::Agreement, None) => Action::OfferDraw,
                    (Termination::Aborted, _) => Action::Abort,
                    (Termination::Resignation, _) => Action::Resign,
                    (Termination::Abandonment, _) => match outcome {
                        Outcome::Win(_) => Action::ClaimWin,
                        Outcome::Draw | Outcome::Aborted => Action::ClaimDraw,
                    },
                    (
                        Termination::Checkmate
                        | Termination::Stalemate
                        | Termination::BareKings
                        | Termination::HundredMoves
                        | Termination::Repetition
                        | Termination::KingCaptured
                        | Termination::Timeout,
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
