//! Counts what a search visits, and says when it has to end.

use crate::Limits;

/// A search under way, as its [`Limits`] see it.
pub(crate) struct Control<'a> {
    limits: Limits<'a>,
    nodes: u64,
    /// The clock and the stop flag are asked again when so many positions have been visited.
    next_look: u64,
    over: bool,
}

impl<'a> Control<'a> {
    /// How many positions are visited between two looks at the clock: about a millisecond.
    const LOOK_EVERY: u64 = 1024;

    pub(crate) fn new(limits: Limits<'a>) -> Self {
        Self { limits, nodes: 0, next_look: 0, over: false }
    }

    /// Counts a position. Once this says that the search is over, it always does, and what comes from below is void.
    pub(crate) fn visit(&mut self) -> bool {
        if !self.over {
            if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
                self.over = true;
            } else if self.nodes >= self.next_look {
                self.next_look = self.nodes + Self::LOOK_EVERY;
                self.over = self.limits.are_reached();
            }
        }
        if !self.over {
            self.nodes += 1;
        }
        self.over
    }

    /// Whether the search has to end.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Whether time is up or another thread has had enough, however few positions have been visited.
    pub(crate) fn is_stopped(&self) -> bool {
        self.limits.are_reached()
    }

    /// How many positions have been visited.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether turns may be looked ahead so far.
    pub(crate) fn allows_depth(&self, depth: u32) -> bool {
        self.limits.depth.is_none_or(|most| depth <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use crate::Time;

    fn visits(limits: Limits<'_>) -> u64 {
        let mut control = Control::new(limits);
        while !control.visit() && control.nodes() < 10_000 {}
        control.nodes()
    }

    #[test]
    fn nodes_are_counted_exactly() {
        for nodes in [0, 1, 1023, 1024, 1025, 5000] {
            assert_eq!(visits(Limits { nodes: Some(nodes), ..Limits::default() }), nodes);
        }
    }

    #[test]
    fn a_stop_set_before_the_search_lets_nothing_be_visited() {
        let stop = AtomicBool::new(true);
        assert_eq!(visits(Limits { stop: Some(&stop), ..Limits::default() }), 0);
        stop.store(false, Ordering::Relaxed);
        assert_eq!(visits(Limits { stop: Some(&stop), ..Limits::default() }), 10_000);
    }

    #[test]
    fn the_clock_is_looked_at_once_in_a_while() {
        let looks = Cell::new(0);
        let elapsed = || {
            looks.set(looks.get() + 1);
            Duration::from_millis(looks.get())
        };
        let time = Time { budget: Duration::from_millis(4), elapsed: &elapsed };
        let visited = visits(Limits { time: Some(time), ..Limits::default() });
        assert_eq!(visited, 3 * Control::LOOK_EVERY);
    }

    #[test]
    fn depth_is_a_bound_of_its_own() {
        let control = Control::new(Limits { depth: Some(3), ..Limits::default() });
        assert!(control.allows_depth(3) && !control.allows_depth(4));
        assert!(Control::new(Limits::default()).allows_depth(99));
    }
}
