//! Where pieces go, and whole turns.

use super::attacks;
use super::position::{CASTLINGS, Castling, Position, last_rank};
use super::square::{Level, Square, places};
use super::turn::{MAX_MOVES, PartialTurn, Single, Turn};
use crate::turn_error::TurnError;
use crate::types::{Color, Role};

/// Where one piece may go on one level; never nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceMoves {
    /// What moves.
    pub role: Role,
    /// From where.
    pub from: Square,
    /// To which level.
    pub level: Level,
    /// To which of its places.
    pub to: u64,
}

impl Position {
    /// Where a piece of the side to move goes on a level, whatever the turn has held so far.
    pub(super) fn reached(&self, role: Role, from: Square, level: Level) -> u64 {
        if level != from.level {
            let vertical = role != Role::King && from.level.neighbors().contains(&level);
            return if vertical { from.bit() & !self.occupied(level) } else { 0 };
        }
        match level {
            Level::First | Level::Third => self.reached_on_world(role, from),
            Level::Second => {
                let occupied = self.occupied(Level::Second);
                attacks::queen(from.place(), occupied) & !occupied
            }
        }
    }

    /// As in chess.
    fn reached_on_world(&self, role: Role, from: Square) -> u64 {
        let us = self.side_to_move();
        let level = from.level;
        let occupied = self.occupied(level);
        let attacked = attacks::chess(us, role, from.place(), occupied);
        match role {
            Role::Pawn => {
                let enemies = self.by_color(us.other(), level) | self.en_passant(level);
                let second_rank = last_rank(us.other()).abs_diff(1);
                let step = attacks::pawn_steps(us, from.bit()) & !occupied;
                let double = if from.rank() == second_rank {
                    attacks::pawn_steps(us, step) & !occupied
                } else {
                    0
                };
                attacked & enemies | step | double
            }
            Role::King => attacked & !self.by_color(us, level) | self.castlings(from),
            Role::Knight | Role::Bishop | Role::Rook | Role::Queen => {
                attacked & !self.by_color(us, level)
            }
        }
    }

    /// Where a king on this square castles to.
    pub(super) fn castlings(&self, from: Square) -> u64 {
        let mut reached = 0;
        if self.rights() == 0 {
            return reached;
        }
        for (bit, castling) in CASTLINGS.iter().enumerate() {
            let Castling { level, color, king, empty, safe, .. } = *castling;
            if self.rights() & 1 << bit != 0
                && color == self.side_to_move()
                && from == Square::new(level, king.0)
                && self.occupied(level) & empty == 0
                && self.attacked_on(level, color.other()) & safe == 0
            {
                reached |= 1 << king.1;
            }
        }
        reached
    }

    /// Every square of a level that this color's pieces of that level attack, as in chess.
    fn attacked_on(&self, level: Level, by: Color) -> u64 {
        let occupied = self.occupied(level);
        Role::ALL.into_iter().fold(0, |attacked, role| {
            places(self.pieces(by, role, level)).fold(attacked, |attacked, place| {
                attacked | attacks::chess(by, role, usize::from(place), occupied)
            })
        })
    }

    /// Every legal first move of a turn; none when a king has been captured.
    pub fn first_moves(&self) -> Vec<Single> {
        PartialTurn::new(self).next_moves()
    }

    /// Calls `visit` with every legal turn and the position after it. There can be a million.
    pub fn for_each_turn(&self, mut visit: impl FnMut(Turn, Position)) {
        let mut made = Vec::with_capacity(MAX_MOVES);
        go_on(&PartialTurn::new(self), &mut made, &mut visit);
    }

    /// The number of sequences of this many turns. Ends by draw are ignored.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_turns(),
            _ => {
                let mut leaves = 0;
                self.for_each_turn(|_, next| leaves += next.perft(depth - 1));
                leaves
            }
        }
    }

    /// The position after a turn.
    ///
    /// # Errors
    /// Why the turn is not legal.
    pub fn after(&self, turn: Turn) -> Result<Self, TurnError> {
        PartialTurn::after(self, turn).map(PartialTurn::finish)
    }
}

/// Visits every turn that begins with the moves made.
fn go_on(partial: &PartialTurn, made: &mut Vec<Single>, visit: &mut impl FnMut(Turn, Position)) {
    partial.for_each_next(|moves| {
        for single in partial.singles(moves) {
            let mut longer = *partial;
            longer.play_unchecked(moves.role, single);
            made.push(single);
            if let Some(turn) = Turn::new(made) {
                visit(turn, longer.finish());
            }
            go_on(&longer, made, visit);
            made.pop();
        }
    });
}
