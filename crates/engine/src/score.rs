//! How good a position is for the side to move.

use std::fmt;

/// A score from the point of view of the side to move, by which two searches can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// The side to move wins in so many of its own turns, the last one included; in Parallel Worlds by capturing a king.
    MateIn(u32),
    /// The side to move loses after so many of its own turns; 0 when it has lost.
    MatedIn(u32),
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(centipawns) => write!(f, "{:+.2}", f64::from(*centipawns) / 100.0),
            Self::MateIn(turns) => write!(f, "#{turns}"),
            Self::MatedIn(turns) => write!(f, "#-{turns}"),
        }
    }
}

/// Inside a search: centipawns, and far from them the mates, nearer ones further out.
pub(crate) type Value = i32;

/// The side to move has won.
pub(crate) const MATE: Value = 32_000;
/// No value is greater.
pub(crate) const INFINITE: Value = 32_500;
/// From here on a value is a mate; a search is never this many plies deep.
pub(crate) const MATE_BOUND: Value = MATE - 1000;

/// The value of being mated at a distance of `ply` plies from the root.
pub(crate) const fn mated_in(ply: usize) -> Value {
    -MATE + ply as Value
}

impl From<Value> for Score {
    fn from(value: Value) -> Self {
        let plies = MATE - value.abs();
        match value {
            MATE_BOUND.. => Self::MateIn(plies.unsigned_abs().div_ceil(2)),
            _ if value <= -MATE_BOUND => Self::MatedIn(plies.unsigned_abs() / 2),
            centipawns => Self::Centipawns(centipawns),
        }
    }
}
