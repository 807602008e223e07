//! Eight players of rising strength. The weak ones misjudge and overlook; none moves at random.

use std::fmt;

use manifold_rules::{Game, Position};

use crate::handicap::Handicap;
use crate::score::Value;
use crate::{Choice, Engine, Feature, Features, Limits, fourfold, parallel};

/// How strong the computer plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Level 1: has learned how the pieces move.
    Point,
    /// Level 2.
    Line,
    /// Level 3.
    Square,
    /// Level 4.
    Cube,
    /// Level 5.
    Tesseract,
    /// Level 6.
    Penteract,
    /// Level 7.
    Hexeract,
    /// Level 8: everything the engine has.
    Manifold,
}

impl Level {
    /// Every level, weakest first.
    pub const ALL: [Self; 8] = [
        Self::Point,
        Self::Line,
        Self::Square,
        Self::Cube,
        Self::Tesseract,
        Self::Penteract,
        Self::Hexeract,
        Self::Manifold,
    ];

    /// The level of a number from 1 to 8.
    pub fn new(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// 1 to 8.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// What it is called: as many dimensions as the number has, counted from none.
    pub fn name(self) -> &'static str {
        match self {
            Self::Point => "Point",
            Self::Line => "Line",
            Self::Square => "Square",
            Self::Cube => "Cube",
            Self::Tesseract => "Tesseract",
            Self::Penteract => "Penteract",
            Self::Hexeract => "Hexeract",
            Self::Manifold => "Manifold",
        }
    }

    /// The turn that a player of this level chooses; `None` when the game is over. The seed tells one such player from
    /// another; a player chooses the same in the same game each time. The level's own bounds hold besides `limits`, and
    /// are counted in positions, so that strength does not depend on the machine.
    pub fn best_turn(self, game: &Game, seed: u64, limits: Limits<'_>) -> Option<Choice> {
        let levels = match game.position() {
            Position::Fourfold(_) => &fourfold::LEVELS,
            Position::Parallel(_) => &parallel::LEVELS,
        };
        let strength = &levels[self as usize];
        let forced = match game.position() {
            Position::Fourfold(position) => position.count_legal() == 1,
            // There is hardly ever a single turn, and counting them takes long.
            Position::Parallel(_) => false,
        };
        let depth = if forced { 1 } else { strength.depth };
        let bounded = Limits {
            nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(strength.nodes)),
            depth: Some(limits.depth.unwrap_or(u32::MAX).min(depth)),
            ..limits
        };
        strength.engine(seed).best_turn(game, bounded)
    }
}

/// The name.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Positions alone bound how far a level looks ahead.
pub(crate) const ANY_DEPTH: u32 = u32::MAX;

/// What a level is in one of the games.
pub(crate) struct Strength {
    /// The most positions that it visits.
    pub(crate) nodes: u64,
    /// The most turns that it looks ahead.
    pub(crate) depth: u32,
    /// Whether it sees what can be captured where its depth ends.
    pub(crate) quiescence: bool,
    /// By how many hundredths of a pawn it can misjudge a position.
    pub(crate) misjudgment: Value,
    /// How many in a hundred moves from board to board it does not think of when looking ahead.
    pub(crate) oversight_percent: u32,
}

impl Strength {
    fn engine(&self, seed: u64) -> Engine {
        let features = if self.quiescence {
            Features::ALL
        } else {
            Features::ALL.without(Feature::Quiescence).without(Feature::Threats)
        };
        let Self { misjudgment, oversight_percent, .. } = *self;
        Engine { features, handicap: Handicap { seed, misjudgment, oversight_percent } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbered_from_one_to_eight() {
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(9), None);
        for (n, level) in (1..).zip(Level::ALL) {
            assert_eq!(Level::new(n), Some(level));
            assert_eq!(level.number(), n);
        }
        assert_eq!(Level::Penteract.to_string(), "Penteract");
    }
}
