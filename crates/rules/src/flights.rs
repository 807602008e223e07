//! Where a king that is in check could go, and what keeps it from each of these squares: what is told when it is mated.

use crate::fourfold::{Bitboard, Square, attacks};
use crate::game::Game;
use crate::position::Position;
use crate::types::Piece;

/// A king in check, who gives it, and the squares beside the king. Squares are in wire form, in the order of the squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flights {
    /// Where the king stands.
    pub king: String,
    /// The pieces that give check.
    pub checkers: Vec<Guard>,
    /// One for each square that is one step away.
    pub squares: Vec<Flight>,
}

/// A square that a king in check could go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Which one.
    pub square: String,
    /// The king's own piece there, which is enough to keep it away.
    pub own: Option<Piece>,
    /// The enemies that would attack the king there: also those that it hides behind itself where it stands now. With
    /// neither, the king may go.
    pub guards: Vec<Guard>,
}

/// A piece and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Where it stands.
    pub square: String,
    /// What it is.
    pub piece: Piece,
}

impl Game {
    /// Where the king of the side to move could go, if it is in check, and what keeps it from going there. `None` where no
    /// king is in check, and in Parallel Worlds, which knows no check.
    pub fn flights(&self) -> Option<Flights> {
        let Position::Fourfold(position) = self.position() else { return None };
        let us = position.side_to_move();
        let king = position.king(us);
        let enemies = position.by_color(us.other());
        let named = |set: Bitboard| {
            let guard = |square: Square| {
                Some(Guard { square: square.to_string(), piece: position.piece_at(square)? })
            };
            set.into_iter().filter_map(guard).collect::<Vec<_>>()
        };
        let checkers = position.attackers(us.other(), king);
        if checkers.is_empty() {
            return None;
        }
        // The king has left its square, so that a line does not end at it.
        let without_king = position.occupied() & !Bitboard::of(king);
        let flight = |to: Square| {
            let own = position.piece_at(to).filter(|piece| piece.color == us);
            let guards = match own {
                Some(_) => Bitboard::EMPTY,
                None => position.attackers_among(to, without_king | Bitboard::of(to)) & enemies,
            };
            Flight { square: to.to_string(), own, guards: named(guards) }
        };
        Some(Flights {
            king: king.to_string(),
            checkers: named(checkers),
            squares: attacks::king(king).into_iter().map(flight).collect(),
        })
    }
}
