//! What a weak player gets wrong. Always the same in the same position with the same seed, so that a misjudgment is a
//! belief and not a die that is thrown again in every line.

use crate::score::Value;

/// How a player errs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Handicap {
    /// Tells one player of a level from the next.
    pub(crate) seed: u64,
    /// By how many centipawns an evaluation can be off.
    pub(crate) misjudgment: Value,
    /// How many in a hundred moves that leave their board are not thought of when looking ahead.
    pub(crate) oversight_percent: u32,
}

impl Handicap {
    /// The error in the evaluation of a position with this key: small ones are likelier than large ones.
    pub(crate) fn misjudge(&self, key: u64) -> Value {
        if self.misjudgment == 0 {
            return 0;
        }
        let noise = mix(self.seed ^ key);
        let part = |bits: u64| ((bits & 0xffff) as Value * self.misjudgment) >> 16;
        part(noise) - part(noise >> 32)
    }

    /// Whether a move that leaves its board is not thought of in the position with this key.
    pub(crate) fn overlooks(&self, key: u64, turn: u64) -> bool {
        self.oversight_percent > 0
            && mix(self.seed ^ key ^ mix(turn)) % 100 < u64::from(self.oversight_percent)
    }
}

/// Spreads every bit over all (the finalizer of splitmix64: Steele, Lea and Flood 2014).
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_fair_bounded_and_the_same_each_time() {
        let player = Handicap { seed: 7, misjudgment: 100, oversight_percent: 30 };
        let errors: Vec<Value> = (0..10_000).map(|key| player.misjudge(key)).collect();
        assert!(errors.iter().all(|error| error.abs() <= 100));
        assert!(errors.iter().sum::<Value>().abs() < 10_000 * 2);
        let small = errors.iter().filter(|error| error.abs() < 30).count();
        assert!((4500..5700).contains(&small), "{small} of a triangle's 5100");
        assert_eq!(player.misjudge(5), player.misjudge(5));
        let other = Handicap { seed: 8, ..player };
        assert!((0..100).any(|key| other.misjudge(key) != player.misjudge(key)));

        let overlooked = (0..10_000).filter(|&turn| player.overlooks(3, turn)).count();
        assert!((2800..3200).contains(&overlooked), "{overlooked}");
    }

    #[test]
    fn full_strength_errs_nowhere() {
        let player = Handicap { seed: 7, ..Handicap::default() };
        assert!((0..1000).all(|key| player.misjudge(key) == 0 && !player.overlooks(key, key)));
    }
}
