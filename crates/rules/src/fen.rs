//! What the FENs of both games have in common. Reading is strict: each position has one spelling.

use std::fmt::{self, Write as _};

use crate::error::FenError;
use crate::types::{Color, Piece};

/// The highest halfmove clock; here the game is drawn.
pub(crate) const MAX_HALFMOVE: u8 = 100;
/// The highest fullmove number.
pub(crate) const MAX_FULLMOVE: u32 = 1_000_000;

/// How many boards, ranks a board and files a rank a placement has.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) boards: u8,
    pub(crate) ranks: u8,
    pub(crate) files: u8,
}

/// Splits a FEN into its fields.
pub(crate) fn fields<const N: usize>(text: &str) -> Result<[&str; N], FenError> {
    let fields: Vec<&str> = text.split(' ').collect();
    let found = fields.len();
    fields.try_into().map_err(|_| FenError::Fields { expected: N, found })
}

/// Writes boards joined by `|`, ranks from the last to the first joined by `/`.
pub(crate) fn write_placement(
    f: &mut fmt::Formatter<'_>,
    layout: Layout,
    piece_at: impl Fn(u8, u8, u8) -> Option<Piece>,
) -> fmt::Result {
    for board in 0..layout.boards {
        if board > 0 {
            f.write_str("|")?;
        }
        for rank in (0..layout.ranks).rev() {
            let mut empty = 0;
            for file in 0..layout.files {
                match piece_at(board, rank, file) {
                    None => empty += 1,
                    Some(piece) => {
                        write_empty(f, empty)?;
                        empty = 0;
                        f.write_char(piece.fen_letter())?;
                    }
                }
            }
            write_empty(f, empty)?;
            if rank > 0 {
                f.write_str("/")?;
            }
        }
    }
    Ok(())
}

fn write_empty(f: &mut fmt::Formatter<'_>, empty: u8) -> fmt::Result {
    if empty == 0 { Ok(()) } else { write!(f, "{empty}") }
}

/// Reads what [`write_placement`] writes, as (board, rank, file, piece), each counted from 0.
pub(crate) fn read_placement(
    text: &str,
    layout: Layout,
) -> Result<Vec<(u8, u8, u8, Piece)>, FenError> {
    let boards: Vec<&str> = text.split('|').collect();
    if boards.len() != usize::from(layout.boards) {
        return Err(FenError::Boards { expected: usize::from(layout.boards), found: boards.len() });
    }
    let mut pieces = Vec::new();
    for (board, ranks) in (0..).zip(boards) {
        let ranks: Vec<&str> = ranks.split('/').collect();
        if ranks.len() != usize::from(layout.ranks) {
            return Err(FenError::Ranks {
                board: usize::from(board) + 1,
                expected: usize::from(layout.ranks),
                found: ranks.len(),
            });
        }
        for (rank, squares) in (0..layout.ranks).rev().zip(ranks) {
            read_rank(squares, layout, board, |file, piece| {
                pieces.push((board, rank, file, piece));
            })?;
        }
    }
    Ok(pieces)
}

fn read_rank(
    text: &str,
    layout: Layout,
    board: u8,
    mut put: impl FnMut(u8, Piece),
) -> Result<(), FenError> {
    let wrong_length = || FenError::RankLength {
        board: usize::from(board) + 1,
        rank: text.to_owned(),
        expected: layout.files,
    };
    let mut file = 0;
    let mut after_number = false;
    for letter in text.chars() {
        match letter.to_digit(10) {
            // Two numbers in a row would be a second spelling of their sum.
            Some(_) if after_number => return Err(wrong_length()),
            Some(empty @ 1..) => file += empty,
            Some(0) | None => {
                let piece = Piece::from_fen_letter(letter).ok_or(FenError::Piece(letter))?;
                if file >= u32::from(layout.files) {
                    return Err(wrong_length());
                }
                put(file as u8, piece);
                file += 1;
            }
        }
        after_number = letter.is_ascii_digit();
    }
    if file == u32::from(layout.files) { Ok(()) } else { Err(wrong_length()) }
}

/// Reads `w` or `b`.
pub(crate) fn read_side(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        other => Err(FenError::SideToMove(other.to_owned())),
    }
}

/// Reads a halfmove clock, 0 to [`MAX_HALFMOVE`].
pub(crate) fn read_halfmove(text: &str) -> Result<u8, FenError> {
    plain_number(text)
        .and_then(|number| u8::try_from(number).ok())
        .filter(|&number| number <= MAX_HALFMOVE)
        .ok_or_else(|| FenError::HalfmoveClock(text.to_owned()))
}

/// Reads a fullmove number, 1 to [`MAX_FULLMOVE`].
pub(crate) fn read_fullmove(text: &str) -> Result<u32, FenError> {
    plain_number(text)
        .filter(|number| (1..=MAX_FULLMOVE).contains(number))
        .ok_or_else(|| FenError::FullmoveNumber(text.to_owned()))
}

/// A number without sign or leading zeros.
fn plain_number(text: &str) -> Option<u32> {
    let number: u32 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}
