//! What is asked for when a game is to begin: which one, with which color, and how much time.

use manifold_rules::Variant;
use serde::Deserialize;

use crate::error::{ApiError, Code};
use crate::game::clock::{Fischer, TimeControl};
use crate::lobby::challenge::SeatChoice;
use crate::state::AppState;

/// As it comes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TermsBody {
    pub(super) variant: String,
    pub(super) color: String,
    /// `null` or left out: no clock.
    pub(super) time: Option<TimeBody>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TimeBody {
    base_ms: i64,
    increment_ms: i64,
}

/// As it can be played here.
pub(super) struct Terms {
    pub(super) variant: Variant,
    pub(super) color: SeatChoice,
    pub(super) time: TimeControl,
}

impl TermsBody {
    pub(super) fn parse(self, app: &AppState) -> Result<Terms, ApiError> {
        let bad = |detail: String| ApiError::new(Code::BadRequest, detail);
        let variant = app
            .variant(&self.variant)
            .ok_or_else(|| bad("There is no such variant.".to_owned()))?;
        let color = SeatChoice::parse(&self.color)
            .ok_or_else(|| bad("color is white, black or random.".to_owned()))?;
        let Some(TimeBody { base_ms, increment_ms }) = self.time else {
            return Ok(Terms { variant, color, time: TimeControl::Untimed });
        };
        let limits = &app.config.game;
        if !(limits.min_base_ms..=limits.max_base_ms).contains(&base_ms) {
            let (least, most) = (limits.min_base_ms, limits.max_base_ms);
            return Err(bad(format!("time.base_ms is from {least} to {most}.")));
        }
        if !(0..=limits.max_increment_ms).contains(&increment_ms) {
            let most = limits.max_increment_ms;
            return Err(bad(format!("time.increment_ms is from 0 to {most}.")));
        }
        let time = TimeControl::Fischer(Fischer { base_ms, increment_ms });
        Ok(Terms { variant, color, time })
    }
}
