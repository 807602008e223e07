//! Random words for the keys of positions.

/// The `n`th number of the splitmix64 sequence (Steele, Lea and Flood 2014) from a fixed seed.
pub(crate) const fn random_word(n: u64) -> u64 {
    const SEED: u64 = 0x4d61_6e69_666f_6c64;
    let mut z = SEED.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
