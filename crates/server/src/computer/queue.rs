//! Who is thought for next, and who has to make room: pure logic.
//!
//! Games come before advice, and among games the one whose answer is due first. One that waits long enough is due before
//! all that come later, so that nobody waits for ever. When many wait, everyone gets less time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// However many wait, a search gets so long.
pub const LEAST: Duration = Duration::from_millis(10);
/// A game lets those in more of a hurry go first for so long: with a clock …
const TIMED_PATIENCE: Duration = Duration::from_secs(5);
/// … and without one.
const UNTIMED_PATIENCE: Duration = Duration::from_secs(20);

/// What hangs on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A clock that runs while one waits, too. At `deadline` the answer is needed at the latest.
    Timed { deadline: Instant },
    /// A game whose clock does not run.
    Untimed,
    /// No game.
    Advice,
}

/// A search that somebody wants.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    pub need: Need,
    /// How long, if nobody else waits.
    pub budget: Duration,
    pub asked_at: Instant,
}

impl Wish {
    /// What is due first is taken first.
    fn due(&self) -> Instant {
        match self.need {
            Need::Timed { deadline } => deadline.min(self.asked_at + TIMED_PATIENCE),
            Need::Untimed | Need::Advice => self.asked_at + UNTIMED_PATIENCE,
        }
    }

    /// When a running clock has paid for all the thinking that was meant, were it waiting alone.
    fn begin_by(&self) -> Option<Instant> {
        match self.need {
            Need::Timed { deadline } => Some(deadline.min(self.asked_at + self.budget)),
            Need::Untimed | Need::Advice => None,
        }
    }

    fn is_advice(&self) -> bool {
        self.need == Need::Advice
    }

    /// Whether a search for this one may be cut short for that one.
    fn yields_to(&self, other: &Self) -> bool {
        match (self.need, other.need) {
            (Need::Timed { deadline: ours }, Need::Timed { deadline }) => ours > deadline,
            (Need::Untimed | Need::Advice, Need::Timed { .. }) => true,
            (_, Need::Untimed | Need::Advice) => false,
        }
    }
}

/// When a search has to end: known once it has begun, and perhaps brought forward.
#[derive(Debug, Default)]
pub struct End(Mutex<Option<Instant>>);

impl End {
    fn at(&self) -> MutexGuard<'_, Option<Instant>> {
        // Nothing can panic while it is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The search has to end at `at`, unless it has to sooner.
    fn not_after(&self, at: Instant) {
        let mut end = self.at();
        *end = Some(end.map_or(at, |end| end.min(at)));
    }

    pub fn is_reached(&self, now: Instant) -> bool {
        self.at().is_some_and(|end| end <= now)
    }
}

/// Those who wait, each with its job, and the searches under way on so many threads.
#[derive(Debug)]
pub struct Queue<J> {
    threads: usize,
    waiting: Vec<(Wish, Arc<End>, J)>,
    running: Vec<(Wish, Arc<End>)>,
}

impl<J> Queue<J> {
    pub const fn new(threads: usize) -> Self {
        Self { threads, waiting: Vec::new(), running: Vec::new() }
    }

    /// Somebody waits, and whoever has to make room for it does.
    pub fn push(&mut self, now: Instant, wish: Wish, end: Arc<End>, job: J) {
        self.waiting.push((wish, end, job));
        self.make_room(now, &wish);
    }

    /// Who is next, and for how long it may be thought about.
    pub fn take(&mut self, now: Instant) -> Option<(Duration, Arc<End>, J)> {
        let wishes = self.waiting.iter().map(|(wish, ..)| wish).enumerate();
        let (next, _) = wishes.min_by_key(|(_, wish)| (wish.is_advice(), wish.due()))?;
        let (wish, end, job) = self.waiting.remove(next);
        let budget = self.budget(now, &wish);
        end.not_after(now + budget);
        self.running.push((wish, Arc::clone(&end)));
        Some((budget, end, job))
    }

    /// Nobody wants this one any more, or it is done.
    pub fn remove(&mut self, now: Instant, end: &Arc<End>) {
        end.not_after(now);
        self.waiting.retain(|(_, other, _)| !Arc::ptr_eq(other, end));
    }

    /// The thread of this search is free again.
    pub fn finished(&mut self, end: &Arc<End>) {
        self.running.retain(|(_, other)| !Arc::ptr_eq(other, end));
    }

    /// Nobody is answered any more, and all searches end.
    pub fn clear(&mut self, now: Instant) {
        self.waiting.clear();
        for (_, end) in &self.running {
            end.not_after(now);
        }
    }

    /// How many wait or are under way.
    pub fn searches(&self) -> usize {
        self.waiting.len() + self.running.len()
    }

    /// How many wait for advice.
    pub fn advice(&self) -> usize {
        self.waiting.iter().filter(|(wish, ..)| wish.is_advice()).count()
    }

    /// Whether a search is under way.
    #[cfg(test)]
    pub fn is_busy(&self) -> bool {
        !self.running.is_empty()
    }

    fn games(&self) -> impl Iterator<Item = &Wish> {
        self.waiting.iter().map(|(wish, ..)| wish).filter(|wish| !wish.is_advice())
    }

    /// How long a search that begins now may take, with those who wait behind it.
    fn budget(&self, now: Instant, wish: &Wish) -> Duration {
        let behind = if wish.is_advice() { self.waiting.len() } else { self.games().count() };
        let rounds = 1 + behind / self.threads.max(1);
        let share = wish.budget / u32::try_from(rounds).unwrap_or(u32::MAX);
        // What was waited is not thought; and whoever has waited longest does not make another lose.
        let hurried = self.games().filter(|other| wish.yields_to(other)).filter_map(Wish::begin_by);
        let end = wish.begin_by().into_iter().chain(hurried).min();
        let left = end.map_or(share, |end| end.saturating_duration_since(now));
        share.min(left).max(LEAST)
    }

    /// Advice ends for a game that would have to wait, and any search does that would outlast what a clock can wait.
    fn make_room(&self, now: Instant, wish: &Wish) {
        if wish.is_advice() {
            return;
        }
        let free = self.threads.saturating_sub(self.running.len());
        let unserved = self.games().count().saturating_sub(free);
        for (_, end) in self.running.iter().filter(|(wish, _)| wish.is_advice()).take(unserved) {
            end.not_after(now);
        }
        let ahead = self.games().filter(|other| other.due() <= wish.due()).count();
        let needed = ahead.saturating_sub(free);
        let Some(by) = wish.begin_by().map(|by| by.max(now)) else { return };
        let in_time = self.running.iter().filter(|(_, end)| end.is_reached(by)).count();
        let longer =
            self.running.iter().filter(|(other, end)| !end.is_reached(by) && other.yields_to(wish));
        if in_time < needed
            && let Some((_, end)) = longer.max_by_key(|(other, _)| other.due())
        {
            end.not_after(by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Every time is made up: so many milliseconds after this one.
    struct Room {
        start: Instant,
        queue: Queue<&'static str>,
    }

    impl Room {
        fn new(threads: usize) -> Self {
            Self { start: Instant::now(), queue: Queue::new(threads) }
        }

        fn at(&self, after: u64) -> Instant {
            self.start + ms(after)
        }

        fn ask(&mut self, now: u64, name: &'static str, need: Need, budget: u64) -> Arc<End> {
            let end = Arc::default();
            let wish = Wish { need, budget: ms(budget), asked_at: self.at(now) };
            self.queue.push(self.at(now), wish, Arc::clone(&end), name);
            end
        }

        fn advice(&mut self, now: u64, name: &'static str) -> Arc<End> {
            self.ask(now, name, Need::Advice, 3000)
        }

        fn untimed(&mut self, now: u64, name: &'static str) -> Arc<End> {
            self.ask(now, name, Need::Untimed, 3000)
        }

        /// A game whose answer is needed after so many milliseconds at the latest; it thinks for a tenth of them.
        fn timed(&mut self, now: u64, name: &'static str, left: u64) -> Arc<End> {
            self.ask(now, name, Need::Timed { deadline: self.at(now + left) }, left / 10)
        }

        /// Who is next, and for how many milliseconds.
        fn take(&mut self, now: u64) -> Option<(&'static str, u128)> {
            let (budget, _, name) = self.queue.take(self.at(now))?;
            Some((name, budget.as_millis()))
        }

        fn all(&mut self, now: u64) -> Vec<&'static str> {
            std::iter::from_fn(|| self.take(now)).map(|(name, _)| name).collect()
        }

        fn ends_by(&self, end: &End, at: u64) -> bool {
            end.is_reached(self.at(at)) && !end.is_reached(self.at(at) - ms(1))
        }
    }

    #[test]
    fn the_nearest_deadline_is_first_then_games_that_can_wait_then_advice() {
        let mut room = Room::new(1);
        room.advice(0, "advice");
        room.untimed(1, "untimed");
        room.timed(2, "rapid", 300_000);
        room.timed(3, "bullet", 800);
        room.advice(4, "more advice");
        room.timed(5, "blitz", 4000);
        let order = ["bullet", "blitz", "rapid", "untimed", "advice", "more advice"];
        assert_eq!(room.all(6), order);
    }

    #[test]
    fn a_game_that_has_waited_long_is_next() {
        let mut room = Room::new(1);
        room.untimed(0, "old");
        let now = u64::try_from(UNTIMED_PATIENCE.as_millis()).expect("it fits");
        room.timed(now + 1, "bullet", 800);
        room.untimed(now + 1, "new");
        // Even so it does not make the other lose.
        assert_eq!(room.take(now + 1), Some(("old", 80)));
        assert_eq!(room.all(now + 1), ["bullet", "new"]);
    }

    #[test]
    fn advice_ends_as_soon_as_a_game_has_to_wait() {
        let mut room = Room::new(2);
        let (first, second) = (room.advice(0, "first"), room.advice(0, "second"));
        assert_eq!((room.take(0), room.take(0)), (Some(("first", 3000)), Some(("second", 3000))));
        room.untimed(100, "game");
        assert!(room.ends_by(&first, 100) && !second.is_reached(room.at(2999)));
        room.timed(200, "another", 60_000);
        assert!(room.ends_by(&second, 200), "as many as games wait");
    }

    #[test]
    fn a_search_that_can_wait_is_cut_in_time_for_a_clock_and_not_before() {
        let mut room = Room::new(1);
        let untimed = room.untimed(0, "untimed");
        assert_eq!(room.take(0), Some(("untimed", 3000)));
        room.untimed(10, "another");
        assert!(room.ends_by(&untimed, 3000), "nobody is in a hurry");
        room.timed(100, "rapid", 300_000);
        assert!(room.ends_by(&untimed, 3000), "that clock can wait");
        room.timed(200, "bullet", 800);
        assert!(room.ends_by(&untimed, 280), "what bullet would have thought");
        room.queue.finished(&untimed);
        assert_eq!(room.take(280), Some(("bullet", LEAST.as_millis())), "waiting was its thinking");
        let far = room.timed(290, "far", 60_000);
        assert_eq!(far.at().as_ref(), None, "it has not begun");
    }

    #[test]
    fn a_nearer_deadline_is_not_cut_for_a_farther_one() {
        let mut room = Room::new(1);
        let near = room.timed(0, "near", 5000);
        assert_eq!(room.take(0), Some(("near", 500)));
        room.ask(10, "far", Need::Timed { deadline: room.at(9000) }, 100);
        assert!(room.ends_by(&near, 500));
        room.ask(20, "nearer", Need::Timed { deadline: room.at(900) }, 100);
        assert!(room.ends_by(&near, 120));
    }

    #[test]
    fn budgets_shrink_when_many_wait_and_never_pass_the_deadline() {
        for (waiting, threads, expected) in
            [(0, 1, 1000), (1, 1, 500), (1, 2, 1000), (3, 2, 500), (1000, 1, 10)]
        {
            let mut room = Room::new(threads);
            for _ in 0..=waiting {
                room.ask(0, "game", Need::Untimed, 1000);
            }
            room.advice(0, "advice");
            assert_eq!(room.take(0), Some(("game", expected)), "{waiting} behind {threads}");
        }
        let mut room = Room::new(1);
        room.ask(0, "hasty", Need::Timed { deadline: room.at(200) }, 1000);
        assert_eq!(room.take(50), Some(("hasty", 150)));
    }

    #[test]
    fn whoever_goes_away_leaves_no_place_taken() {
        let mut room = Room::new(1);
        let (first, second) = (room.advice(0, "first"), room.advice(0, "second"));
        assert_eq!(room.queue.advice(), 2);
        room.queue.remove(room.at(1), &first);
        assert_eq!((room.queue.advice(), room.take(2)), (1, Some(("second", 3000))));
        room.queue.remove(room.at(3), &second);
        assert!(room.ends_by(&second, 3));
    }
}
