//! Glicko-2: how strong a player is, how sure one can be of that, and how steadily they play.
//!
//! The algorithm is Mark Glickman's, *Example of the Glicko-2 system*
//! (<http://www.glicko.net/glicko/glicko2.pdf>); "step 5" and the like below are steps of that paper. Two things are
//! added for a site on which every finished game counts at once:
//!
//! - **Fractional rating periods.** A game is a rating period of its own, and what matters is how much time has gone by
//!   since the last one: the deviation grows by as many periods as that is, 0.003 as well as 200. With exactly one
//!   period the formulas are the paper's.
//! - **Bounds.** Rating, deviation and volatility stay inside [`Settings`], so that no streak of results makes a rating
//!   worthless or unmovable.
//!
//! ```
//! use manifold_glicko2::{Config, Score};
//!
//! let config = Config::default();
//! let (ada, bob) = (config.start(), config.start());
//! let winner = config.update(ada, 0.0, &[(bob, Score::Win)]);
//! let loser = config.update(bob, 0.0, &[(ada, Score::Loss)]);
//!
//! assert!(winner.rating > 1500.0 && loser.rating < 1500.0);
//! assert!(config.is_provisional(winner), "one game says little");
//! assert!(config.expected_score(winner, loser) > 0.5);
//! ```
//!
//! No IO, no clock: the caller says how long a player was idle. Read [`Config::update`] next; the numbers are in
//! [`Settings`], the arithmetic in `algorithm.rs`.

mod algorithm;
mod config;

pub use config::{Config, ConfigError, Settings};

/// What is known about a player's strength, on the scale that people see (1500 in the middle).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The best guess; 400 points above the opponent means ten wins for each loss.
    pub rating: f64,
    /// RD, the standard deviation of that guess, in rating points: the truth is within two of these nineteen times in
    /// twenty.
    pub deviation: f64,
    /// How much the strength itself wanders in one rating period; 0.06 is a steady player.
    pub volatility: f64,
}

/// A result from the side of the player whose rating is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// The player won: 1 point.
    Win,
    /// Nobody won: half a point.
    Draw,
    /// The opponent won: 0 points.
    Loss,
}

impl Score {
    /// The points that the result is worth.
    pub fn points(self) -> f64 {
        match self {
            Score::Win => 1.0,
            Score::Draw => 0.5,
            Score::Loss => 0.0,
        }
    }

    /// The same result from the opponent's side.
    pub fn reversed(self) -> Score {
        match self {
            Score::Win => Score::Loss,
            Score::Draw => Score::Draw,
            Score::Loss => Score::Win,
        }
    }
}
