//! A position of either game, for those who need not care which.

use std::fmt;

use crate::game::Turn;
use crate::turn_error::TurnError;
use crate::types::{Color, GameEnd, Outcome, Role, Termination};
use crate::{fen, fourfold, parallel};

/// A position of either game, without its history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position<'a> {
    /// Of Fourfold, from either start.
    Fourfold(&'a fourfold::Position),
    /// Of Parallel Worlds, between two turns.
    Parallel(&'a parallel::Position),
}

/// One move of either game: a whole turn of Fourfold, a part of one in Parallel Worlds. Displayed in wire form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SingleMove {
    /// Of Fourfold.
    Fourfold(fourfold::Move),
    /// Of Parallel Worlds.
    Parallel(parallel::Single),
}

impl fmt::Display for SingleMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fourfold(made) => made.fmt(f),
            Self::Parallel(made) => made.fmt(f),
        }
    }
}

impl Position<'_> {
    /// Every legal turn, also where the game is drawn. In Parallel Worlds there can be a million.
    pub fn legal_turns(self) -> Vec<Turn> {
        match self {
            Self::Fourfold(position) => {
                position.legal_moves().into_iter().map(Turn::Fourfold).collect()
            }
            Self::Parallel(position) => {
                let mut turns = Vec::new();
                position.for_each_turn(|turn, _| turns.push(Turn::Parallel(turn)));
                turns
            }
        }
    }

    /// Every legal first move of a turn, also where the game is drawn.
    pub fn first_moves(self) -> Vec<SingleMove> {
        match self {
            Self::Fourfold(position) => {
                position.legal_moves().into_iter().map(SingleMove::Fourfold).collect()
            }
            Self::Parallel(position) => {
                position.first_moves().into_iter().map(SingleMove::Parallel).collect()
            }
        }
    }

    /// The first field of the FEN.
    pub(crate) fn placement(self) -> String {
        let mut fen = self.to_string();
        fen.truncate(fen.find(' ').unwrap_or(fen.len()));
        fen
    }

    /// The number of sequences of this many turns. Ends by draw are ignored.
    pub fn perft(self, depth: u32) -> u64 {
        match self {
            Self::Fourfold(position) => position.perft(depth),
            Self::Parallel(position) => position.perft(depth),
        }
    }

    pub(crate) fn side_to_move(self) -> Color {
        match self {
            Self::Fourfold(position) => position.side_to_move(),
            Self::Parallel(position) => position.side_to_move(),
        }
    }

    pub(crate) fn fullmove_number(self) -> u32 {
        match self {
            Self::Fourfold(position) => position.fullmove_number(),
            Self::Parallel(position) => position.fullmove_number(),
        }
    }

    pub(crate) fn halfmove_clock(self) -> u8 {
        match self {
            Self::Fourfold(position) => position.halfmove_clock(),
            Self::Parallel(position) => position.halfmove_clock(),
        }
    }

    pub(crate) fn has_bare_king(self, color: Color) -> bool {
        match self {
            Self::Fourfold(position) => {
                position.by_color(color) == position.pieces(color, Role::King)
            }
            Self::Parallel(position) => position.has_only_kings(color),
        }
    }

    pub(crate) fn repeats(self, other: Position<'_>) -> bool {
        match (self, other) {
            (Self::Fourfold(position), Position::Fourfold(other)) => position.repeats(other),
            (Self::Parallel(position), Position::Parallel(other)) => position.repeats(other),
            (Self::Fourfold(_), Position::Parallel(_))
            | (Self::Parallel(_), Position::Fourfold(_)) => false,
        }
    }

    pub(crate) fn check_turn(self, turn: &Turn) -> Result<(), TurnError> {
        match (self, *turn) {
            (Self::Fourfold(position), Turn::Fourfold(turn)) => {
                position.check_legal(turn).map(|_| ())
            }
            (Self::Parallel(position), Turn::Parallel(turn)) => position.after(turn).map(|_| ()),
            (Self::Fourfold(_), Turn::Parallel(_)) | (Self::Parallel(_), Turn::Fourfold(_)) => {
                Err(TurnError::OtherGame)
            }
        }
    }

    pub(crate) fn lan(self, turn: &Turn) -> Result<String, TurnError> {
        match (self, *turn) {
            (Self::Fourfold(position), Turn::Fourfold(turn)) => {
                position.check_legal(turn).map(|role| position.lan(role, turn))
            }
            (Self::Parallel(position), Turn::Parallel(turn)) => position.lan(turn),
            (Self::Fourfold(_), Turn::Parallel(_)) | (Self::Parallel(_), Turn::Fourfold(_)) => {
                Err(TurnError::OtherGame)
            }
        }
    }

    /// How the game ends here if it does so whatever came before, in the order of precedence.
    pub(crate) fn end(self) -> Option<GameEnd> {
        let mover = self.side_to_move();
        let end = |outcome, termination| Some(GameEnd { outcome, termination });
        let lost = Outcome::Win(mover.other());
        let can_move = match self {
            Self::Fourfold(position) => {
                let can_move = position.has_legal_move();
                if !can_move && position.in_check() {
                    return end(lost, Termination::Checkmate);
                }
                can_move
            }
            Self::Parallel(position) => {
                if position.lacks_a_king() {
                    return end(lost, Termination::KingCaptured);
                }
                !position.first_moves().is_empty()
            }
        };
        if !can_move {
            end(Outcome::Draw, Termination::Stalemate)
        } else if self.has_bare_king(mover) && self.has_bare_king(mover.other()) {
            end(Outcome::Draw, Termination::BareKings)
        } else if self.halfmove_clock() >= fen::MAX_HALFMOVE {
            end(Outcome::Draw, Termination::HundredMoves)
        } else {
            None
        }
    }
}

/// The FEN.
impl fmt::Display for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fourfold(position) => position.fmt(f),
            Self::Parallel(position) => position.fmt(f),
        }
    }
}
