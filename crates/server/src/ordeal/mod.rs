//! What no list of cases thinks of: random play against an independent model, and random bytes against the decoders.
//!
//! Every test run takes a sample. The long run, whose figures are in docs/security.md:
//! `ORDEAL_STEPS=10000000 cargo test --release -p manifold --lib ordeal -- --nocapture`

mod bodies;
mod frames;
mod model;
mod play;

use std::time::Instant;

/// xorshift64*: the same numbers everywhere for the same seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// From 0 to `below` - 1.
    pub(crate) fn below(&mut self, below: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("31 bits") % below.max(1)
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub(crate) fn between(&mut self, least: i64, most: i64) -> i64 {
        let width = usize::try_from(most - least + 1).expect("least is not above most");
        least + i64::try_from(self.below(width)).expect("it is below the width")
    }
}

/// How many steps a run has, and what came of them.
pub(crate) struct Figures {
    what: &'static str,
    begun: Instant,
    pub(crate) steps: u64,
    most: u64,
    is_long: bool,
    counts: std::collections::BTreeMap<String, u64>,
}

impl Figures {
    pub(crate) fn new(what: &'static str, sample: u64) -> Self {
        let asked = std::env::var("ORDEAL_STEPS").ok().map(|n| n.parse().expect("a number"));
        Self {
            what,
            begun: Instant::now(),
            steps: 0,
            most: asked.unwrap_or(sample),
            is_long: asked.is_some(),
            counts: std::collections::BTreeMap::new(),
        }
    }

    pub(crate) fn goes_on(&self) -> bool {
        self.steps < self.most
    }

    pub(crate) fn step(&mut self, outcome: &str) {
        self.steps += 1;
        match self.counts.get_mut(outcome) {
            Some(count) => *count += 1,
            None => _ = self.counts.insert(outcome.to_owned(), 1),
        }
    }

    pub(crate) fn count(&self, outcome: &str) -> u64 {
        self.counts.get(outcome).copied().unwrap_or(0)
    }

    /// Prints them, if they were asked for.
    pub(crate) fn tell(&self) {
        if self.is_long {
            let seconds = self.begun.elapsed().as_secs_f64();
            println!("{}: {} steps in {seconds:.0} s", self.what, self.steps);
            for (outcome, count) in &self.counts {
                println!("    {count:>10} {outcome}");
            }
        }
    }
}
