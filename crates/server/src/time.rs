//! Points in time, and the one clock that gives them.

use std::fmt;
use std::time::Instant;

use serde::{Deserialize, Serialize};

/// Microseconds since 1970 UTC: what the database stores and the games compute with.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, sqlx::Type,
)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Before all others.
    pub const MIN: Self = Self(i64::MIN);

    #[cfg(test)]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// The point `ms` milliseconds later.
    pub const fn plus_ms(self, ms: i64) -> Self {
        Self(self.0 + ms * 1000)
    }

    /// How long after `earlier` this is, in milliseconds rounded down; negative when it is before.
    pub const fn ms_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0).div_euclid(1000)
    }

    fn to_jiff(self) -> jiff::Timestamp {
        jiff::Timestamp::from_microsecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
    }

    /// `2026.11.30`, as PGN dates are written.
    pub fn pgn_date(self) -> String {
        self.to_jiff().strftime("%Y.%m.%d").to_string()
    }

    /// `10:00:03`.
    pub fn pgn_time(self) -> String {
        self.to_jiff().strftime("%H:%M:%S").to_string()
    }
}

/// RFC 3339 in UTC.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_jiff().fmt(f)
    }
}

/// UTC that never runs backwards while the process lives: the system's time at the start plus monotonic time since.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    started_at: Timestamp,
}

impl Clock {
    /// A clock set by the system's time.
    pub fn system() -> Self {
        let now = jiff::Timestamp::now().as_microsecond();
        Self { started: Instant::now(), started_at: Timestamp(now) }
    }

    pub fn now(&self) -> Timestamp {
        self.at(Instant::now())
    }

    fn at(&self, instant: Instant) -> Timestamp {
        let since = instant.saturating_duration_since(self.started).as_micros();
        Timestamp(self.started_at.0 + i64::try_from(since).unwrap_or(i64::MAX / 2))
    }

    /// The process's own time at which `timestamp` is reached.
    pub fn instant(&self, timestamp: Timestamp) -> Instant {
        let micros = u64::try_from(timestamp.0 - self.started_at.0).unwrap_or(0);
        self.started + std::time::Duration::from_micros(micros)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_written_as_rfc_3339() {
        let t = Timestamp::from_micros(1_764_480_003_200_000);
        assert_eq!(t.to_string(), "2025-11-30T05:20:03.2Z");
        assert_eq!(t.pgn_date(), "2025.11.30");
        assert_eq!(t.pgn_time(), "05:20:03");
    }

    #[test]
    fn milliseconds_between_are_rounded_down() {
        let t = Timestamp::from_micros(10_000);
        assert_eq!(Timestamp::from_micros(11_999).ms_since(t), 1);
        assert_eq!(Timestamp::from_micros(9_999).ms_since(t), -1);
    }

    #[test]
    fn clock_and_instant_are_inverse() {
        let clock = Clock::system();
        let later = clock.started_at.plus_ms(5000);
        assert_eq!(clock.at(clock.instant(later)), later);
    }
}
