//! A computer that plays Manifold's games. No IO, no clock, no global randomness: time, cancellation and seeds come in
//! through [`Limits`] and [`Level`].

mod limits;
mod score;

pub use limits::{Limits, Time};
pub use score::Score;

use manifold_rules::Turn;

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The turn to play.
    pub turn: Turn,
    /// How good it is for the side to move.
    pub score: Score,
    /// How many turns were looked ahead in full.
    pub depth: u32,
    /// How many positions were visited.
    pub nodes: u64,
    /// The best line, `turn` first.
    pub principal_variation: Vec<Turn>,
}
