//! The numbers of the rating system, and the check that they make sense.

use std::time::Duration;

use crate::{Rating, Score, algorithm};

/// Every number that can be chosen. [`Default`] is what Manifold plays with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What a player has before the first game.
    pub start: Rating,
    /// τ: how much a surprising result may change the volatility. The paper recommends 0.3 to 1.2; small means steady.
    pub tau: f64,
    /// No rating falls below this, so that beginners can be told apart from zero.
    pub min_rating: f64,
    /// RD never falls below this: those who play a lot can still move.
    pub min_deviation: f64,
    /// RD never grows beyond this, however long one was away.
    pub max_deviation: f64,
    /// Volatility never grows beyond this; it bounds what losing and winning in turns on purpose can bring.
    pub max_volatility: f64,
    /// From this RD on a rating is provisional and shown with a question mark.
    pub provisional_deviation: f64,
    /// Rating periods in 24 hours. With the default an RD of 60 grows to 110 in a year at volatility 0.06.
    pub periods_per_day: f64,
    /// ε of step 5: the new volatility is exact to this much in ln σ².
    pub convergence: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            start: Rating { rating: 1500.0, deviation: 500.0, volatility: 0.09 },
            tau: 0.75,
            min_rating: 400.0,
            min_deviation: 45.0,
            max_deviation: 500.0,
            max_volatility: 0.1,
            provisional_deviation: 110.0,
            periods_per_day: 0.21436,
            convergence: 1e-6,
        }
    }
}

/// Why [`Settings`] cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// A number must be finite and above zero.
    #[error("{name} must be a finite number above zero, not {value}")]
    NotPositive {
        /// The field of [`Settings`].
        name: &'static str,
        /// What it was.
        value: f64,
    },
    /// A lower bound lies above its upper bound, or the start outside its bounds.
    #[error("{low} ({low_value}) must not be above {high} ({high_value})")]
    OutOfOrder {
        /// The field that should be the smaller one.
        low: &'static str,
        /// Its value.
        low_value: f64,
        /// The field that should be the larger one.
        high: &'static str,
        /// Its value.
        high_value: f64,
    },
    /// The rating at the start or its lower bound is not a finite number.
    #[error("{name} must be a finite number, not {value}")]
    NotFinite {
        /// The field of [`Settings`].
        name: &'static str,
        /// What it was.
        value: f64,
    },
}

/// The rating system: [`Settings`] that were found to make sense, and what one can compute with them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Config {
    settings: Settings,
}

impl Config {
    /// Checks the numbers.
    ///
    /// # Errors
    /// A [`ConfigError`] that names the first number that is not finite, not positive or out of order.
    pub fn new(settings: Settings) -> Result<Config, ConfigError> {
        let s = &settings;
        for (name, value) in [("start.rating", s.start.rating), ("min_rating", s.min_rating)] {
            if !value.is_finite() {
                return Err(ConfigError::NotFinite { name, value });
            }
        }
        for (name, value) in [
            ("start.deviation", s.start.deviation),
            ("start.volatility", s.start.volatility),
            ("tau", s.tau),
            ("min_deviation", s.min_deviation),
            ("max_deviation", s.max_deviation),
            ("max_volatility", s.max_volatility),
            ("provisional_deviation", s.provisional_deviation),
            ("periods_per_day", s.periods_per_day),
            ("convergence", s.convergence),
        ] {
            if !(value.is_finite() && value > 0.0) {
                return Err(ConfigError::NotPositive { name, value });
            }
        }
        for (low, low_value, high, high_value) in [
            ("min_rating", s.min_rating, "start.rating", s.start.rating),
            ("min_deviation", s.min_deviation, "start.deviation", s.start.deviation),
            ("start.deviation", s.start.deviation, "max_deviation", s.max_deviation),
            ("start.volatility", s.start.volatility, "max_volatility", s.max_volatility),
        ] {
            if low_value > high_value {
                return Err(ConfigError::OutOfOrder { low, low_value, high, high_value });
            }
        }
        Ok(Config { settings })
    }

    /// The numbers that this was made from.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What a player has before the first game.
    pub fn start(&self) -> Rating {
        self.settings.start
    }

    /// A stretch of time in rating periods.
    pub fn periods(&self, idle: Duration) -> f64 {
        const SECONDS_PER_DAY: f64 = 86_400.0;
        idle.as_secs_f64() / SECONDS_PER_DAY * self.settings.periods_per_day
    }

    /// What `player` has after one rating period with these results.
    ///
    /// `elapsed_periods` is the time since the player's last rating period: the deviation first grows by it, then
    /// shrinks by what the results say. An opponent counts as given, so pass what [`decay`](Config::decay) makes of one
    /// who was idle. Every result counts from the values before the period, and their order does not matter. Without
    /// results this is [`decay`](Config::decay). Time that runs backwards counts as none.
    ///
    /// The result lies inside the bounds, for any finite input.
    pub fn update(
        &self,
        player: Rating,
        elapsed_periods: f64,
        results: &[(Rating, Score)],
    ) -> Rating {
        // What comes from outside is brought inside the bounds first: no arithmetic below meets an infinity.
        let results: Vec<_> =
            results.iter().map(|&(opponent, score)| (self.bounded(opponent), score)).collect();
        let player = self.bounded(player);
        self.bounded(algorithm::update(&self.settings, player, elapsed_periods, &results))
    }

    /// What a rating is worth after a time without games: the same guess, less sure.
    pub fn decay(&self, player: Rating, elapsed_periods: f64) -> Rating {
        self.update(player, elapsed_periods, &[])
    }

    /// The points that `a` can expect from a game with `b`, between 0 and 1; the deviations of both draw it towards
    /// one half.
    pub fn expected_score(&self, a: Rating, b: Rating) -> f64 {
        algorithm::expected_score(a, b)
    }

    /// Whether too little is known to take the rating at its word.
    pub fn is_provisional(&self, player: Rating) -> bool {
        player.deviation >= self.settings.provisional_deviation
    }

    fn bounded(&self, player: Rating) -> Rating {
        let s = &self.settings;
        Rating {
            rating: player.rating.max(s.min_rating),
            deviation: player.deviation.clamp(s.min_deviation, s.max_deviation),
            volatility: player.volatility.min(s.max_volatility),
        }
    }
}
