//! One of the 192 squares.

use std::fmt;

use crate::lan::write_ascii;

/// One of the three boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Level 1, with an army of each side.
    First,
    /// Level 2, empty at the start, where everything moves like a queen and nothing captures.
    Second,
    /// Level 3, with another army of each side.
    Third,
}

impl Level {
    /// Every level, from the lowest.
    pub const ALL: [Self; 3] = [Self::First, Self::Second, Self::Third];

    /// Those on which chess is played.
    pub const WORLDS: [Self; 2] = [Self::First, Self::Third];

    /// 1 to 3.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The levels one up and one down.
    pub fn neighbors(self) -> &'static [Self] {
        match self {
            Self::First | Self::Third => &[Self::Second],
            Self::Second => &[Self::First, Self::Third],
        }
    }
}

/// A square: a level, and a place on it from 0 (a1) over 1 (b1) to 63 (h8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square {
    /// Which board.
    pub level: Level,
    place: u8,
}

impl Square {
    /// The square on a level with the low six bits of this place.
    pub fn new(level: Level, place: u8) -> Self {
        Self { level, place: place & 63 }
    }

    /// The place on its level, 0 to 63.
    pub fn place(self) -> usize {
        usize::from(self.place & 63)
    }

    /// The set of this square alone, on its level.
    pub fn bit(self) -> u64 {
        1 << self.place()
    }

    /// The file, 0 to 7 for a to h.
    pub fn file(self) -> u8 {
        self.place & 7
    }

    /// The rank, 0 to 7 for 1 to 8.
    pub fn rank(self) -> u8 {
        self.place >> 3
    }

    /// As machines and people write it: `e2@1`.
    pub(super) fn wire(self) -> [u8; 4] {
        [b'a' + self.file(), b'1' + self.rank(), b'@', b'0' + self.level.number()]
    }

    /// Whether it lies strictly between two squares of a straight line of its level.
    pub(super) fn is_between(self, from: Self, to: Self) -> bool {
        let steps = |square: Self| {
            let files = i16::from(square.file()) - i16::from(from.file());
            let ranks = i16::from(square.rank()) - i16::from(from.rank());
            (files, ranks, files.abs().max(ranks.abs()))
        };
        let (files, ranks, distance) = steps(self);
        let (all_files, all_ranks, whole) = steps(to);
        0 < distance
            && distance < whole
            && (files * whole, ranks * whole) == (all_files * distance, all_ranks * distance)
    }

    /// The square of a text that is nothing else.
    pub(crate) fn read(text: &str) -> Option<Self> {
        Self::parse_prefix(text).filter(|(_, rest)| rest.is_empty()).map(|(square, _)| square)
    }

    /// Reads a square from the start of `text`, and returns the rest too.
    pub(super) fn parse_prefix(text: &str) -> Option<(Self, &str)> {
        let [file @ b'a'..=b'h', rank @ b'1'..=b'8', b'@', level, ..] = *text.as_bytes() else {
            return None;
        };
        let level = match level {
            b'1' => Level::First,
            b'2' => Level::Second,
            b'3' => Level::Third,
            _ => return None,
        };
        Some((Self::new(level, (file - b'a') + 8 * (rank - b'1')), &text[4..]))
    }
}

/// `e2@1`, for machines and people.
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

/// The places of a set on one level.
pub(super) fn places(set: u64) -> impl Iterator<Item = u8> {
    let mut left = set;
    std::iter::from_fn(move || {
        let place = left.trailing_zeros() as u8;
        (left != 0).then(|| {
            left &= left - 1;
            place
        })
    })
}
