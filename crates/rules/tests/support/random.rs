//! Random games for the comparisons with the slow implementations.

/// Random numbers from a seed (splitmix64: Steele, Lea and Flood 2014).
pub struct Random(pub u64);

impl Random {
    /// One of these.
    pub fn one_of<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        &things[((z ^ z >> 31) % things.len() as u64) as usize]
    }
}

/// How many positions of random games are compared: as many as `ORACLE_POSITIONS` says, or few.
pub fn oracle_positions() -> usize {
    std::env::var("ORACLE_POSITIONS").map_or(1_000, |number| number.parse().unwrap())
}
