//! One of the 64 squares, and its three spellings.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::lan::write_ascii;

/// A square, by its index `x + 4·y + 16·z + 32·w`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// Not a square.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("“{0}” is not a square; write a1@00 (file a–d, rank 1–4, Z, W).")]
pub struct SquareError(String);

impl Square {
    /// How many there are.
    pub const COUNT: usize = 64;

    /// The square at these coordinates, each counted from 0; `None` outside the board.
    pub fn new(x: u8, y: u8, z: u8, w: u8) -> Option<Self> {
        (x < 4 && y < 4 && z < 2 && w < 2).then(|| Self(x + 4 * y + 16 * z + 32 * w))
    }

    /// The square with the low six bits of this index.
    pub(crate) const fn from_index(index: u8) -> Self {
        Self(index & 63)
    }

    /// Every square in the order of the index.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64).map(Self)
    }

    /// 0 to 63.
    pub const fn index(self) -> usize {
        // The mask is free of meaning, but tells the compiler that tables of 64 need no bounds check.
        (self.0 & 63) as usize
    }

    /// The file, 0 to 3 for a to d.
    pub fn x(self) -> u8 {
        self.0 & 3
    }

    /// The rank, 0 to 3 for 1 to 4.
    pub fn y(self) -> u8 {
        self.0 >> 2 & 3
    }

    /// 0 for the left board of a row, 1 for the right one.
    pub fn z(self) -> u8 {
        self.0 >> 4 & 1
    }

    /// 0 for the bottom row of boards, 1 for the top one.
    pub fn w(self) -> u8 {
        self.0 >> 5
    }

    fn file_letter(self) -> char {
        char::from(b'a' + self.x())
    }

    /// The way squares are stored and sent, in ASCII: `a1@01`.
    pub(super) fn wire(self) -> [u8; 5] {
        [b'a' + self.x(), b'1' + self.y(), b'@', b'0' + self.z(), b'0' + self.w()]
    }

    /// The way people are shown a square: `a1[0,1]`.
    pub fn for_people(self) -> String {
        format!("{}{}[{},{}]", self.file_letter(), self.y() + 1, self.z(), self.w())
    }

    /// Reads a square in any spelling from the start of `text`, and returns the rest too.
    pub(crate) fn parse_prefix(text: &str) -> Option<(Self, &str)> {
        let bytes = text.as_bytes();
        let (&file, &rank) = (bytes.first()?, bytes.get(1)?);
        let rest = bytes.get(2..)?;
        let (z, w, length) = match rest {
            [b'@', z, w, ..] => (z, w, 5),
            [b'[', z, b',', w, b']', ..] => (z, w, 7),
            [b' ', b'[', z, b',', w, b']', ..] => (z, w, 8),
            _ => return None,
        };
        let square = Self::new(
            file.checked_sub(b'a')?,
            rank.checked_sub(b'1')?,
            z.checked_sub(b'0')?,
            w.checked_sub(b'0')?,
        )?;
        // Every byte read was ASCII, so this is a character boundary.
        Some((square, &text[length..]))
    }
}

/// The way squares are stored and sent: `a1@01`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_ascii(f, &self.wire())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads `a1@01`, `a1[0,1]` and `a1 [0,1]`.
impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        match Self::parse_prefix(text) {
            Some((square, "")) => Ok(square),
            Some(_) | None => Err(SquareError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back_from_every_spelling() {
        for square in Square::all() {
            let wire = square.to_string();
            let shown = square.for_people();
            let spaced = format!("{} {}", &shown[..2], &shown[2..]);
            for spelling in [wire, shown, spaced] {
                assert_eq!(spelling.parse(), Ok(square), "{spelling}");
            }
        }
        assert_eq!("b3@01".parse::<Square>().map(Square::index), Ok(1 + 4 * 2 + 32));
    }

    #[test]
    fn refuses_what_is_not_a_square() {
        for text in [
            "",
            "a1",
            "a1@",
            "a1@0",
            "a1@000",
            "e1@00",
            "a5@00",
            "a0@00",
            "a1@20",
            "a1@02",
            "A1@00",
            "a1[0,1",
            "a1[01]",
            "a1  [0,1]",
            "a1@00 ",
            " a1@00",
            "a1@0é",
            "é1@00",
            "a1[0,é]",
            "ä",
        ] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }
}
