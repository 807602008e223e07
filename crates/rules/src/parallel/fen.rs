//! The text form of a position.

use std::fmt;
use std::str::FromStr;

use super::position::{CASTLINGS, Position, Wing};
use super::square::{Level, Square, places};
use crate::error::FenError;
use crate::fen::{self, Layout};
use crate::types::{Color, Piece, Role};

const LAYOUT: Layout = Layout { boards: 3, ranks: 8, files: 8 };

impl Position {
    /// Where a game starts.
    pub fn start() -> Self {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|8/8/8/8/8/8/8/8|\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq|KQkq - 0 1"
            .parse()
            .expect("the starting position is valid")
    }
}

fn square(board: u8, rank: u8, file: u8) -> Square {
    Square::new(Level::ALL[usize::from(board)], 8 * rank + file)
}

/// The rights of one level, or `-`.
fn rights_text(rights: u8, level: Level) -> String {
    let possible = CASTLINGS.iter().enumerate().filter(|(bit, _)| rights & 1 << bit != 0);
    let letters: String = possible
        .filter(|(_, castling)| castling.level == level)
        .map(|(_, castling)| {
            let role = match castling.wing {
                Wing::King => Role::King,
                Wing::Queen => Role::Queen,
            };
            Piece { color: castling.color, role }.fen_letter()
        })
        .collect();
    if letters.is_empty() { "-".to_owned() } else { letters }
}

fn all_rights_text(rights: u8) -> String {
    Level::WORLDS.map(|level| rights_text(rights, level)).join("|")
}

fn en_passant_text(position: &Position) -> String {
    let squares: Vec<String> = Level::WORLDS
        .into_iter()
        .flat_map(|level| {
            places(position.en_passant(level)).map(move |place| Square::new(level, place))
        })
        .map(|square| square.to_string())
        .collect();
    if squares.is_empty() { "-".to_owned() } else { squares.join(",") }
}

/// The FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fen::write_placement(f, LAYOUT, |board, rank, file| {
            self.piece_at(square(board, rank, file))
        })?;
        write!(
            f,
            " {} {} {} {} {}",
            self.side_to_move().fen_letter(),
            all_rights_text(self.rights()),
            en_passant_text(self),
            self.halfmove_clock(),
            self.fullmove_number(),
        )
    }
}

/// Reads a FEN strictly: what is accepted is written back as it was.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let [placement, side, rights, en_passant, halfmove, fullmove] = fen::fields(text)?;
        let pieces = fen::read_placement(placement, LAYOUT)?
            .into_iter()
            .map(|(board, rank, file, piece)| (square(board, rank, file), piece));
        let side: Color = fen::read_side(side)?;
        let bits = (0..=u8::MAX)
            .find(|&bits| all_rights_text(bits) == rights)
            .ok_or_else(|| FenError::CastlingRights(rights.to_owned()))?;
        let malformed = || FenError::EnPassant(en_passant.to_owned());
        let squares: Vec<Square> = match en_passant {
            "-" => Vec::new(),
            listed => listed
                .split(',')
                .map(|text| match Square::parse_prefix(text) {
                    Some((square, "")) => Ok(square),
                    Some(_) | None => Err(malformed()),
                })
                .collect::<Result<_, _>>()?,
        };
        let counters = (fen::read_halfmove(halfmove)?, fen::read_fullmove(fullmove)?);
        let position = Self::new(pieces, side, bits, &squares, counters)?;
        // Only the usual order of the squares is left to be wrong.
        if en_passant_text(&position) == en_passant { Ok(position) } else { Err(malformed()) }
    }
}
