//! Drills: the server is held to its promises while things break. What was acknowledged is there, no game is gone, nobody
//! is rated twice, no clock pays for what was not its owner's.
//!
//! [`kills`] kills it again and again, [`outage`] takes its database away for a while, and [`crowd`] sends it clients that do
//! everything wrong. `table.rs` plays and writes down
//! what it was promised, `verdict.rs` reads the database in the end. `cargo xtask fire` runs them for long,
//! `tests/fire.rs` shortly.

pub mod crowd;
pub mod kills;
pub mod outage;
mod table;
mod trouble;
mod verdict;

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, watch};

pub use trouble::Trouble;
pub use verdict::Verdict;

/// Whether there is a server to talk to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The one with this number is up.
    Up(Life),
    /// No more games.
    Over,
}

/// One server process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Life {
    /// From 1.
    pub number: usize,
    /// When the one before was killed, and this one started.
    pub since: Option<(Instant, Instant)>,
}

impl Life {
    /// Whether half of the tables think through it.
    pub(crate) fn is_long(self) -> bool {
        self.number.is_multiple_of(5)
    }
}

/// How the tables play.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Manner {
    /// Each move is answered at once. The line may break at any moment, and no command is refused.
    Hasty,
    /// A move every so often. The line holds, but commands may be refused while the database is away.
    Paced {
        /// From one move of a table to the next.
        between: Duration,
        /// How long after a refusal the same command is sent again.
        again: Duration,
        /// How much of the outage a clock may be charged for.
        charged: Duration,
    },
}

impl Manner {
    fn may_be_refused(self) -> bool {
        match self {
            Manner::Hasty => false,
            Manner::Paced { .. } => true,
        }
    }
}

/// What all tables share.
pub(crate) struct Hall {
    pub manner: Manner,
    /// One pair at a time, so that nobody gets another opponent.
    pub pairing: Mutex<()>,
    /// Notified by the first acknowledgement of each life: its number.
    pub first_ack: watch::Sender<usize>,
    /// Set when the database is there again.
    pub returned: OnceLock<Instant>,
    /// How many tables have had something acknowledged since.
    pub went_on: watch::Sender<usize>,
}

impl Hall {
    /// And where the numbers of lives with an acknowledgement come out.
    fn new(manner: Manner) -> (Arc<Hall>, watch::Receiver<usize>) {
        let (first_ack, acks) = watch::channel(0);
        let hall = Hall {
            manner,
            pairing: Mutex::default(),
            first_ack,
            returned: OnceLock::new(),
            went_on: watch::Sender::new(0),
        };
        (Arc::new(hall), acks)
    }
}

/// The n-th of a series of random numbers.
pub(crate) fn random(seed: u64, n: u64) -> u64 {
    // SplitMix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
    let z = seed.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
