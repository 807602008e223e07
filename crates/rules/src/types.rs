//! What both games share: colors, pieces, and how a game ends.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A name that is not one of a type's names.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("“{name}” is not a {what}; it is one of {expected}.")]
pub struct UnknownName {
    name: String,
    what: &'static str,
    expected: String,
}

/// Text form of an enum: one table, read for writing and searched for reading.
macro_rules! names {
    ($type:ty, $what:literal, { $($value:pat => $instance:expr, $name:literal;)+ }) => {
        impl $type {
            /// The stable name, as on the wire and in storage.
            pub fn as_str(self) -> &'static str {
                match self { $($value => $name,)+ }
            }
        }

        impl FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                match name {
                    $($name => Ok($instance),)+
                    unknown => Err(UnknownName {
                        name: unknown.to_owned(),
                        what: $what,
                        expected: [$($name),+].join(", "),
                    }),
                }
            }
        }
    };
}

/// Prints the stable name.
macro_rules! display_name {
    ($($type:ty),+) => {
        $(impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        })+
    };
}

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// Moves first.
    White,
    /// Moves second.
    Black,
}

impl Color {
    /// The opponent's color.
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The letter of the side to move in a FEN.
    pub(crate) fn fen_letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

names!(Color, "color", {
    Self::White => Self::White, "white";
    Self::Black => Self::Black, "black";
});

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Steps ahead, captures aslant, promotes.
    Pawn,
    /// Jumps.
    Knight,
    /// Slides on two coordinates.
    Bishop,
    /// Slides on one coordinate.
    Rook,
    /// Slides on any number of coordinates.
    Queen,
    /// What the game is about.
    King,
}

impl Role {
    /// Every role, weakest first.
    pub const ALL: [Self; 6] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// The upper-case letter of FEN and LAN.
    pub fn letter(self) -> char {
        match self {
            Self::Pawn => 'P',
            Self::Knight => 'N',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }

    /// The role of an upper-case letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.letter() == letter)
    }
}

names!(Role, "piece", {
    Self::Pawn => Self::Pawn, "pawn";
    Self::Knight => Self::Knight, "knight";
    Self::Bishop => Self::Bishop, "bishop";
    Self::Rook => Self::Rook, "rook";
    Self::Queen => Self::Queen, "queen";
    Self::King => Self::King, "king";
});

/// A role with a color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Piece {
    /// The letter in a FEN: upper case for White.
    pub fn fen_letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN letter.
    pub fn from_fen_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Role::from_letter(letter.to_ascii_uppercase()).map(|role| Self { color, role })
    }
}

/// Which game is played, from which start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variant {
    /// 4 × 4 × 2 × 2, sixteen pieces a side.
    Fourfold,
    /// 4 × 4 × 2 × 2, ten pieces a side.
    FourfoldClassic,
    /// Three levels of 8 × 8, up to three moves a turn.
    ParallelWorlds,
}

impl Variant {
    /// Every variant.
    pub const ALL: [Self; 3] = [Self::Fourfold, Self::FourfoldClassic, Self::ParallelWorlds];
}

names!(Variant, "variant", {
    Self::Fourfold => Self::Fourfold, "fourfold";
    Self::FourfoldClassic => Self::FourfoldClassic, "fourfold-classic";
    Self::ParallelWorlds => Self::ParallelWorlds, "parallel-worlds";
});

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side did.
    Win(Color),
    /// Nobody did.
    Draw,
    /// The game was called off before it counted.
    Aborted,
}

impl Outcome {
    /// The result token of a record: `1-0`, `0-1`, `1/2-1/2`, or `*` without a result.
    pub fn result_token(self) -> &'static str {
        match self {
            Self::Win(Color::White) => "1-0",
            Self::Win(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Aborted => "*",
        }
    }
}

names!(Outcome, "outcome", {
    Self::Win(Color::White) => Self::Win(Color::White), "white";
    Self::Win(Color::Black) => Self::Win(Color::Black), "black";
    Self::Draw => Self::Draw, "draw";
    Self::Aborted => Self::Aborted, "none";
});

/// Why a game ended. The first six are the rules' own; the others are decided by people and clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// No legal move, and the king is attacked.
    Checkmate,
    /// No legal move, and the king is not attacked.
    Stalemate,
    /// Nothing but kings is left.
    BareKings,
    /// A hundred turns without a pawn move or a capture.
    HundredMoves,
    /// The same position for the third time.
    Repetition,
    /// A king was captured (Parallel Worlds).
    KingCaptured,
    /// One side gave up.
    Resignation,
    /// One side ran out of time.
    Timeout,
    /// Both sides agreed on a draw.
    Agreement,
    /// One side left, and the other claimed.
    Abandonment,
    /// Called off before it counted.
    Aborted,
}

names!(Termination, "termination", {
    Self::Checkmate => Self::Checkmate, "checkmate";
    Self::Stalemate => Self::Stalemate, "stalemate";
    Self::BareKings => Self::BareKings, "bare_kings";
    Self::HundredMoves => Self::HundredMoves, "hundred_moves";
    Self::Repetition => Self::Repetition, "repetition";
    Self::KingCaptured => Self::KingCaptured, "king_captured";
    Self::Resignation => Self::Resignation, "resignation";
    Self::Timeout => Self::Timeout, "timeout";
    Self::Agreement => Self::Agreement, "agreement";
    Self::Abandonment => Self::Abandonment, "abandonment";
    Self::Aborted => Self::Aborted, "aborted";
});

display_name!(Color, Role, Variant, Outcome, Termination);

/// How a game ended. Displayed as in the vectors: `1-0 checkmate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameEnd {
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub termination: Termination,
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.outcome.result_token(), self.termination)
    }
}

/// Whether marks that a reader can work out itself may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// LAN4D: every mark that applies is written.
    Required,
    /// Another program's dialect: marks that are there must be right.
    Optional,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for variant in Variant::ALL {
            assert_eq!(variant.as_str().parse(), Ok(variant));
        }
        for role in Role::ALL {
            assert_eq!(role.as_str().parse(), Ok(role));
        }
        for name in ["white", "black", "draw", "none"] {
            assert_eq!(name.parse().map(Outcome::as_str), Ok(name));
        }
        let refused = "chess".parse::<Variant>().unwrap_err();
        assert_eq!(
            refused.to_string(),
            "“chess” is not a variant; it is one of fourfold, fourfold-classic, parallel-worlds."
        );
    }
}
