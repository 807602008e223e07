//! A computer that plays Manifold's games. No IO, no clock, no global randomness: time, cancellation and seeds come in
//! through [`Limits`] and [`Level`].
//!
//! ```
//! use manifold_engine::{Level, Limits, Score, best_turn};
//! use manifold_rules::{Game, Variant};
//!
//! // White mates across W.
//! let fen = "4/4/4/K3|4/4/4/4|r3/1QR1/4/4|3k/4/4/4 w 0 1";
//! let mut game = Game::from_fen(Variant::Fourfold, fen)?;
//! let choice = best_turn(&game, Limits { nodes: Some(20_000), ..Limits::default() }).expect("the game is not over");
//! game.play(&choice.turn)?;
//!
//! let reply = Level::Point.best_turn(&game, 42, Limits::default());
//! assert_eq!(reply.is_some(), game.end().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where to read next: `fourfold/search.rs` is the search, `fourfold/evaluation.rs` what it believes, `level.rs` how weaker
//! players are made of it. docs/engine.md has what each part is worth and how strong the levels are.

mod control;
mod features;
pub mod fourfold;
mod handicap;
mod history;
mod level;
mod limits;
pub mod parallel;
mod score;
mod table;

pub use features::{Feature, Features, UnknownFeature};
pub use level::Level;
pub use limits::{Limits, Time};
pub use score::Score;

use handicap::Handicap;
use manifold_rules::{Game, Position, Turn};

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

/// The best turn that can be found within the limits; `None` only when the game is over. Without limits the search may
/// go on for very long.
pub fn best_turn(game: &Game, limits: Limits<'_>) -> Option<Choice> {
    Engine::new(Features::ALL).best_turn(game, limits)
}

/// The engine with some of its parts left out, for measuring what they are worth.
#[derive(Clone, Copy, Debug)]
pub struct Engine {
    features: Features,
    handicap: Handicap,
}

impl Engine {
    /// An engine of these parts.
    pub fn new(features: Features) -> Self {
        Self { features, handicap: Handicap::default() }
    }

    /// As [`best_turn`], with this engine's parts.
    pub fn best_turn(&self, game: &Game, limits: Limits<'_>) -> Option<Choice> {
        if game.end().is_some() {
            return None;
        }
        match game.position() {
            Position::Fourfold(position) => fourfold::best_turn(self, game, position, limits),
            Position::Parallel(position) => parallel::best_turn(self, game, position, limits),
        }
    }
}

/// The keys of the game's positions, as far back as any can come again.
fn game_keys(game: &Game) -> Vec<u64> {
    let mut keys = Vec::new();
    for position in game.positions().rev() {
        let (key, clock) = match position {
            Position::Fourfold(position) => (position.hash(), position.halfmove_clock()),
            Position::Parallel(position) => (position.hash(), position.halfmove_clock()),
        };
        keys.push(key);
        if clock == 0 {
            break;
        }
    }
    keys.reverse();
    keys
}
