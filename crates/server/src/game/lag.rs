//! Lag compensation: the wait that the network has caused is given back, from a quota.
//!
//! How long a line takes is measured by the server alone (`ws/meter.rs`). Who delays the answers on purpose is believed, but
//! gets no more than the quota, which is what an honest bad line would get, too.

use super::clock::Fischer;

/// No line counts for more than this, in milliseconds.
pub const MOST_LAG_MS: i64 = 1500;
/// So many gains are in a quota at first, …
const START_GAINS: i64 = 3;
/// … and so many fit into it.
const MOST_GAINS: i64 = 7;

/// What one side can still be given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    gain_ms: i64,
    left_ms: i64,
}

impl Quota {
    /// Where a day is given for a move, nothing is given back.
    pub const NONE: Self = Self { gain_ms: 0, left_ms: 0 };

    /// The gain is `min(100, (base + 40 · increment) · 2/5 + 15)` hundredths of a second, with base and increment in
    /// seconds: short games are given less, as little is much in them.
    pub const fn new(time: Fischer) -> Self {
        let forty_moves_ms = time.base_ms + 40 * time.increment_ms;
        let gain_ms = match forty_moves_ms / 250 + 150 {
            ..1000 => forty_moves_ms / 250 + 150,
            _ => 1000,
        };
        Self { gain_ms, left_ms: START_GAINS * gain_ms }
    }

    /// What a move over a line with this lag is given back at most.
    pub fn compensation_ms(self, lag_ms: i64) -> i64 {
        lag_ms.clamp(0, self.left_ms.min(MOST_LAG_MS))
    }

    /// A move has been given back `compensated_ms`.
    pub fn spend(&mut self, compensated_ms: i64) {
        let left_ms = self.left_ms + self.gain_ms - compensated_ms;
        self.left_ms = left_ms.min(MOST_GAINS * self.gain_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quota(pool: &str) -> Quota {
        Quota::new(Fischer::from_pool_name(pool).expect("minutes and seconds"))
    }

    #[test]
    fn a_quota_by_its_clock() {
        let check = |pool: &str, gain_ms: i64| {
            assert_eq!(quota(pool), Quota { gain_ms, left_ms: 3 * gain_ms }, "{pool}");
        };
        check("0+1", 310);
        check("1+0", 390);
        check("1+1", 550);
        check("2+1", 790);
        check("3+0", 870);
        check("3+2", 1000);
        check("15+10", 1000);
    }

    #[test]
    fn a_good_line_fills_the_quota_and_a_bad_one_empties_it() {
        let mut quota = quota("1+0");
        for _ in 0..10 {
            quota.spend(quota.compensation_ms(0));
        }
        assert_eq!(quota.left_ms, 7 * 390, "and no more");
        // More than the cap is never believed, and then every move gets what it gains.
        let given: Vec<i64> = (0..5)
            .map(|_| {
                let given = quota.compensation_ms(60_000);
                quota.spend(given);
                given
            })
            .collect();
        assert_eq!(given, [1500, 1500, 510, 390, 390]);
        assert_eq!(quota.compensation_ms(-5), 0);
    }

    /// What a forger can gain in all is what the quota had and what it gained.
    #[test]
    fn case_16_forged_lag_is_worth_the_quota() {
        for pool in ["0+1", "1+0", "3+2", "15+10"] {
            let mut quota = quota(pool);
            let Quota { gain_ms, .. } = quota;
            let mut given = 0;
            for moves in 1..200 {
                let compensation = quota.compensation_ms(i64::MAX);
                quota.spend(compensation);
                given += compensation;
                assert!(given <= (START_GAINS + moves) * gain_ms, "{pool}: {given}");
            }
        }
    }
}
