//! What is asked for when a game is to begin: which one, with which color, and how much time.

use manifold_rules::Variant;
use serde::Deserialize;

use crate::config::GameConfig;
use crate::game::clock::{Days, Fischer, TimeControl};
use crate::lobby::challenge::SeatChoice;
use crate::state::AppState;

/// As it comes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermsBody {
    pub variant: String,
    pub color: String,
    /// `null` or left out: no clock.
    pub time: Option<TimeBody>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeBody {
    base_ms: Option<i64>,
    increment_ms: Option<i64>,
    days_per_move: Option<i64>,
}

/// As it can be played here.
pub struct Terms {
    pub variant: Variant,
    pub color: SeatChoice,
    pub time: TimeControl,
}

impl TermsBody {
    /// The terms, or the sentence that says why they are none.
    pub fn parse(self, app: &AppState) -> Result<Terms, String> {
        let variant =
            app.variant(&self.variant).ok_or_else(|| "There is no such variant.".to_owned())?;
        let color = SeatChoice::parse(&self.color)
            .ok_or_else(|| "color is white, black or random.".to_owned())?;
        let time = match self.time {
            Some(time) => time.parse(&app.config.game)?,
            None => TimeControl::Untimed,
        };
        Ok(Terms { variant, color, time })
    }
}

impl TimeBody {
    /// The time, or the sentence that says why it is none.
    pub fn parse(self, limits: &GameConfig) -> Result<TimeControl, String> {
        match self {
            Self {
                base_ms: Some(base_ms),
                increment_ms: Some(increment_ms),
                days_per_move: None,
            } => {
                if !(limits.min_base_ms..=limits.max_base_ms).contains(&base_ms) {
                    let (least, most) = (limits.min_base_ms, limits.max_base_ms);
                    return Err(format!("time.base_ms is from {least} to {most}."));
                }
                if !(0..=limits.max_increment_ms).contains(&increment_ms) {
                    let most = limits.max_increment_ms;
                    return Err(format!("time.increment_ms is from 0 to {most}."));
                }
                Ok(TimeControl::Fischer(Fischer { base_ms, increment_ms }))
            }
            Self { base_ms: None, increment_ms: None, days_per_move: Some(days) } => {
                let wrong = || format!("time.days_per_move is from 1 to {}.", Days::MOST);
                Days::new(days).map(TimeControl::Correspondence).ok_or_else(wrong)
            }
            Self { .. } => {
                Err("time has base_ms and increment_ms, or days_per_move, or is null.".to_owned())
            }
        }
    }
}
