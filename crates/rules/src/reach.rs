//! Where a piece goes from a square of a board that is empty but for it, in either game: what a lesson shows.

use crate::types::{Color, Piece, Role, Variant};
use crate::{fourfold, parallel};

/// Where a piece goes, in wire form, in the order of the squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The squares that it moves to.
    pub moves: Vec<String>,
    /// The squares on which it could capture, if an enemy stood there: for most pieces the same ones.
    pub captures: Vec<String>,
}

impl Variant {
    /// Where a piece goes from a square of an otherwise empty board; castling is left out. `None` if the text is no square
    /// of this game.
    pub fn reach(self, piece: Piece, square: &str) -> Option<Reach> {
        match self {
            Self::Fourfold | Self::FourfoldClassic => {
                Some(fourfold_reach(piece, square.parse().ok()?))
            }
            Self::ParallelWorlds => Some(parallel_reach(piece, parallel::Square::read(square)?)),
        }
    }
}

fn fourfold_reach(Piece { color, role }: Piece, from: fourfold::Square) -> Reach {
    use fourfold::{Bitboard, attacks};
    let empty = Bitboard(0);
    let both = |set| (set, set);
    let (moves, captures) = match role {
        Role::Pawn => (attacks::pawn_step(color, from), attacks::pawn_captures(color, from)),
        Role::Knight => both(attacks::knight(from)),
        Role::Bishop => both(attacks::bishop(from, empty)),
        Role::Rook => both(attacks::rook(from, empty)),
        Role::Queen => both(attacks::queen(from, empty)),
        Role::King => both(attacks::king(from)),
    };
    let named = |set: Bitboard| set.into_iter().map(|square| square.to_string()).collect();
    Reach { moves: named(moves), captures: named(captures) }
}

fn parallel_reach(Piece { color, role }: Piece, from: parallel::Square) -> Reach {
    use parallel::{Level, Square, attacks};
    let own = match from.level {
        Level::First | Level::Third => attacks::chess(color, role, from.place(), 0),
        Level::Second => attacks::queen(from.place(), 0),
    };
    let moves = match (from.level, role) {
        (Level::First | Level::Third, Role::Pawn) => {
            let step = attacks::pawn_steps(color, from.bit());
            let second_rank = match color {
                Color::White => 1,
                Color::Black => 6,
            };
            if from.rank() == second_rank { step | attacks::pawn_steps(color, step) } else { step }
        }
        (
            Level::First | Level::Second | Level::Third,
            Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King,
        ) => own,
    };
    let captures = match from.level {
        Level::First | Level::Third => own,
        Level::Second => 0,
    };
    let on = |level, set: u64| {
        (0..64)
            .filter(move |place| set >> place & 1 != 0)
            .map(move |place| Square::new(level, place).to_string())
    };
    let reached = Level::ALL.into_iter().flat_map(|level| {
        let vertical = role != Role::King && from.level.neighbors().contains(&level);
        let set = if level == from.level {
            moves
        } else if vertical {
            from.bit()
        } else {
            0
        };
        on(level, set)
    });
    Reach { moves: reached.collect(), captures: on(from.level, captures).collect() }
}
