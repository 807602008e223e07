//! How long one socket's line takes, by Ping frames that nobody can answer before they have come.

use std::time::{Duration, Instant};

use crate::game::lag::MOST_LAG_MS;

/// How far a measurement moves the smoothed value: a quarter of the way.
const SMOOTHING: u32 = 4;

/// Measures round trips: one ping at a time, each with a payload that cannot be guessed.
#[derive(Debug, Default)]
pub struct Meter {
    /// The ping that is on its way, and since when.
    asked: Option<(u64, Instant)>,
    smoothed: Option<Duration>,
}

impl Meter {
    /// The payload of a ping that is sent now; none while another is still on its way, which is measured to its end.
    pub fn ask(&mut self, now: Instant, nonce: u64) -> Option<[u8; 8]> {
        if self.asked.is_some() {
            return None;
        }
        self.asked = Some((nonce, now));
        Some(nonce.to_be_bytes())
    }

    /// A pong has come. Answers the lag, in milliseconds, if it was the one that was waited for: any other says nothing.
    pub fn answered(&mut self, now: Instant, payload: &[u8]) -> Option<i64> {
        let (_, asked_at) = self.asked.take_if(|(nonce, _)| nonce.to_be_bytes() == payload)?;
        let most = Duration::from_millis(MOST_LAG_MS.unsigned_abs());
        let sample = now.saturating_duration_since(asked_at).min(most);
        let smoothed = match self.smoothed {
            Some(before) => (before * (SMOOTHING - 1) + sample) / SMOOTHING,
            None => sample,
        };
        self.smoothed = Some(smoothed);
        i64::try_from(smoothed.as_millis()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_are_smoothed_and_capped() {
        let mut meter = Meter::default();
        let mut now = Instant::now();
        let mut measure = |ms| {
            let payload = meter.ask(now, ms).expect("no other is on its way");
            now += Duration::from_millis(ms);
            meter.answered(now, &payload)
        };
        assert_eq!(measure(100), Some(100));
        assert_eq!(measure(500), Some(200));
        assert_eq!(measure(200), Some(200));
        assert_eq!(measure(60_000), Some((200 * 3 + 1500) / 4));
    }

    #[test]
    fn a_pong_that_was_not_asked_for_is_worth_nothing() {
        let mut meter = Meter::default();
        let start = Instant::now();
        let later = start + Duration::from_secs(1);
        assert_eq!(meter.answered(start, &7u64.to_be_bytes()), None);
        let payload = meter.ask(start, 7).expect("none is on its way");
        for wrong in [&b""[..], &[0; 8], &payload[..7], &8u64.to_be_bytes()] {
            assert_eq!(meter.answered(later, wrong), None, "{wrong:?}");
        }
        assert_eq!(meter.ask(later, 9), None, "one at a time");
        assert_eq!(meter.answered(start, &payload), Some(0));
        assert_eq!(meter.answered(later, &payload), None, "once");
        let next = meter.ask(later, 9).expect("the last was answered");
        assert_eq!(meter.answered(later, &payload), None, "an old one");
        assert_eq!(meter.answered(later, &next), Some(0));
    }
}
