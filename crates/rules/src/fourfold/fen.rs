//! FEN4D, the text form of a position.

use std::fmt;
use std::str::FromStr;

use super::position::Position;
use super::square::Square;
use crate::error::FenError;
use crate::fen::{self, Layout};
use crate::types::Color;

const LAYOUT: Layout = Layout { boards: 4, ranks: 4, files: 4 };

impl Position {
    /// Where a game of [`Variant::Fourfold`](crate::Variant::Fourfold) starts: sixteen pieces a side.
    pub fn full_army() -> Self {
        start("4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1")
    }

    /// Where a game of [`Variant::FourfoldClassic`](crate::Variant::FourfoldClassic) starts: ten pieces a side.
    pub fn classic() -> Self {
        start("4/4/PPPP/RNKQ|4/4/4/1BR1|1rb1/4/4/4|qknr/pppp/4/4 w 0 1")
    }
}

fn start(fen: &str) -> Position {
    fen.parse().expect("the starting positions are valid")
}

/// The square of a board in the order of the FEN, (0,0), (1,0), (0,1), (1,1), which is the order of the index.
fn square(board: u8, rank: u8, file: u8) -> Square {
    Square::from_index(16 * board + 4 * rank + file)
}

/// The FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fen::write_placement(f, LAYOUT, |board, rank, file| {
            self.piece_at(square(board, rank, file))
        })?;
        let side = self.side_to_move().fen_letter();
        write!(f, " {side} {} {}", self.halfmove_clock(), self.fullmove_number())
    }
}

/// Reads a FEN strictly: what is accepted is written back as it was.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let [placement, side, halfmove, fullmove] = fen::fields(text)?;
        let pieces = fen::read_placement(placement, LAYOUT)?
            .into_iter()
            .map(|(board, rank, file, piece)| (square(board, rank, file), piece));
        let side: Color = fen::read_side(side)?;
        Self::new(pieces, side, fen::read_halfmove(halfmove)?, fen::read_fullmove(fullmove)?)
    }
}
