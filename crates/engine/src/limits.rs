//! What bounds a search, from outside: the engine itself reads no clock.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// When a search ends. Whichever bound is reached first ends it; the best turn found until then is the answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Turns to look ahead before quiescence.
    pub depth: Option<u32>,
    /// Time to think.
    pub time: Option<Time<'a>>,
    /// Set from another thread to end the search within a few thousand nodes.
    pub stop: Option<&'a AtomicBool>,
}

/// A budget, and the clock by which it is kept.
#[derive(Clone, Copy)]
pub struct Time<'a> {
    /// How long the search may take.
    pub budget: Duration,
    /// How long it has taken.
    pub elapsed: &'a dyn Fn() -> Duration,
}

impl fmt::Debug for Time<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Time").field("budget", &self.budget).finish_non_exhaustive()
    }
}

impl Limits<'_> {
    /// Whether time is up or another thread has had enough.
    pub(crate) fn are_reached(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.time.is_some_and(|time| (time.elapsed)() >= time.budget)
    }
}
