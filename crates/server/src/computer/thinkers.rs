//! The threads that search, few and named, and the queue in front of them.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use manifold_engine::{Choice, Level, Limits, Time};
use manifold_rules::Game;
use tokio::sync::{mpsc, oneshot};

use super::queue::{End, Need, Queue, Wish};

/// Searches go deep: more than a thread has by default.
const STACK: usize = 16 * 1024 * 1024;
/// Advice that games keep waiting for so long is given up.
const ADVICE_PATIENCE: Duration = Duration::from_secs(10);

/// Who thinks.
#[derive(Clone, Copy, Debug)]
pub enum Thinker {
    /// A player of that level; the seed tells one from another.
    Player(Level, u64),
    /// Everything that the engine has.
    Adviser,
}

/// What is to be thought about.
pub struct Task {
    pub game: Game,
    pub thinker: Thinker,
    /// How long, if nobody else waits.
    pub budget: Duration,
    pub need: Need,
}

struct Job {
    game: Game,
    thinker: Thinker,
    done: oneshot::Sender<Option<Choice>>,
}

struct State {
    queue: Queue<Job>,
    closed: bool,
}

struct Shared {
    state: Mutex<State>,
    /// Told when there is something to take, or nothing more to come.
    news: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // No code panics while it holds this; if some did, the queue is still whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The way to the threads; cheap to clone.
#[derive(Clone)]
pub struct Thinkers {
    shared: Arc<Shared>,
    /// How many may wait for advice …
    advice: usize,
    /// … and how long.
    patience: Duration,
}

/// Why nothing was thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// All places are taken, or games come first for too long.
    Busy,
    /// The server stops.
    Closed,
}

/// The threads; to be ended and waited for.
pub struct Threads {
    shared: Arc<Shared>,
    /// Closes when the last thread has ended.
    alive: mpsc::Receiver<Infallible>,
}

/// Ends the search, or gives its place in the queue up, when it is dropped.
struct StopOnDrop {
    shared: Arc<Shared>,
    end: Arc<End>,
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.shared.state().queue.remove(Instant::now(), &self.end);
    }
}

impl Thinkers {
    /// So many threads, and so many places for those who want advice.
    pub fn start(threads: usize, advice: usize) -> std::io::Result<(Self, Threads)> {
        let state = Mutex::new(State { queue: Queue::new(threads), closed: false });
        let shared = Arc::new(Shared { state, news: Condvar::new() });
        let (life, alive) = mpsc::channel(1);
        for number in 1..=threads {
            let (shared, life) = (Arc::clone(&shared), life.clone());
            std::thread::Builder::new().name(format!("thinker-{number}")).stack_size(STACK).spawn(
                move || {
                    work(&shared);
                    drop(life);
                },
            )?;
        }
        let thinkers = Self { shared: Arc::clone(&shared), advice, patience: ADVICE_PATIENCE };
        Ok((thinkers, Threads { shared, alive }))
    }

    /// How many searches wait or are under way.
    pub fn searches(&self) -> usize {
        self.shared.state().queue.searches()
    }

    /// Thinks about a move in a game; dropped, it stops thinking at once. There is a place for everyone: a player waits
    /// for its answer, so no more wait than games are played. `None` if the game is over, or the engine has failed.
    pub async fn think(&self, task: Task) -> Result<Option<Choice>, NoAnswer> {
        self.ask(task, usize::MAX).await
    }

    /// The same for whoever asks, if there is a place, and if games leave time for it.
    pub async fn advise(
        &self,
        game: Game,
        thinker: Thinker,
        budget: Duration,
    ) -> Result<Option<Choice>, NoAnswer> {
        let task = Task { game, thinker, budget, need: Need::Advice };
        let answer = tokio::time::timeout(self.patience + budget, self.ask(task, self.advice));
        answer.await.unwrap_or(Err(NoAnswer::Busy))
    }

    /// `places`: how many may wait for advice for this one to be taken.
    async fn ask(&self, task: Task, places: usize) -> Result<Option<Choice>, NoAnswer> {
        let Task { game, thinker, budget, need } = task;
        let (done, answer) = oneshot::channel();
        let now = Instant::now();
        let stop = StopOnDrop { shared: Arc::clone(&self.shared), end: Arc::default() };
        {
            let mut state = self.shared.state();
            if state.closed {
                return Err(NoAnswer::Closed);
            }
            if state.queue.advice() >= places {
                return Err(NoAnswer::Busy);
            }
            let wish = Wish { need, budget, asked_at: now };
            state.queue.push(now, wish, Arc::clone(&stop.end), Job { game, thinker, done });
        }
        self.shared.news.notify_one();
        answer.await.map_err(|_| NoAnswer::Closed)
    }
}

impl Threads {
    /// Ends all searches; whoever waits is told that there will be no answer.
    pub fn stop(&self) {
        {
            let mut state = self.shared.state();
            state.closed = true;
            state.queue.clear(Instant::now());
        }
        self.shared.news.notify_all();
    }

    /// Waits until all threads have ended: after [`stop`](Self::stop) they need a moment at most. A thread that needs
    /// longer, by a fault in the engine, holds up nobody but this.
    pub async fn ended(mut self) {
        // Nobody ever sends anything.
        _ = self.alive.recv().await;
    }
}

/// What a thread does until it is told to end.
fn work(shared: &Shared) {
    while let Some((budget, end, job)) = next(shared) {
        let choice = search(&job, budget, &end);
        shared.state().queue.finished(&end);
        // Whoever went away does not want to know.
        _ = job.done.send(choice);
    }
}

/// The next job; waits until there is one.
fn next(shared: &Shared) -> Option<(Duration, Arc<End>, Job)> {
    let mut state = shared.state();
    loop {
        if state.closed {
            return None;
        }
        if let Some(taken) = state.queue.take(Instant::now()) {
            return Some(taken);
        }
        state = shared.news.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

fn search(job: &Job, budget: Duration, end: &End) -> Option<Choice> {
    let started = Instant::now();
    let elapsed = || {
        let now = Instant::now();
        // Its end may have been brought forward.
        if end.is_reached(now) { Duration::MAX } else { now.saturating_duration_since(started) }
    };
    let time = Time { budget, elapsed: &elapsed };
    let limits = Limits { time: Some(time), ..Limits::default() };
    let think = |limits| match job.thinker {
        Thinker::Player(level, seed) => level.best_turn(&job.game, seed, limits),
        Thinker::Adviser => manifold_engine::best_turn(&job.game, limits),
    };
    caught(limits, think).unwrap_or_else(|| {
        tracing::error!(fen = job.game.fen(), thinker = ?job.thinker, "the engine has failed");
        None
    })
}

/// What `think` finds; if it panics, what it finds looking less deep, and if it panics again, `None`.
fn caught<'a, T>(limits: Limits<'a>, think: impl Fn(Limits<'a>) -> T) -> Option<T> {
    let shallow = Limits { depth: Some(1), nodes: Some(1000), ..limits };
    let once = |limits| catch_unwind(AssertUnwindSafe(|| think(limits))).ok();
    once(limits).or_else(|| {
        tracing::error!("a search has panicked, and is tried again less deep");
        once(shallow)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use manifold_rules::Variant;

    fn start() -> Game {
        Game::new(Variant::Fourfold)
    }

    fn task(level: Level, budget: Duration, need: Need) -> Task {
        Task { game: start(), thinker: Thinker::Player(level, 1), budget, need }
    }

    const LONG: Duration = Duration::from_secs(3600);
    const SHORT: Duration = Duration::from_millis(20);

    /// Waits until the threads have something to do.
    async fn busy(thinkers: &Thinkers) {
        while !thinkers.shared.state().queue.is_busy() {
            tokio::task::yield_now().await;
        }
    }

    async fn end(threads: Threads) {
        threads.stop();
        tokio::time::timeout(Duration::from_secs(20), threads.ended()).await.expect("no hour");
    }

    #[tokio::test]
    async fn a_search_nobody_waits_for_ends_and_the_next_begins() {
        let (thinkers, threads) = Thinkers::start(1, 1).expect("a thread");
        let forever = thinkers.think(task(Level::Manifold, LONG, Need::Untimed));
        let hasty = tokio::time::timeout(SHORT, forever).await;
        assert!(hasty.is_err(), "an hour is not over");
        let choice = thinkers.think(task(Level::Cube, SHORT, Need::Untimed)).await;
        assert!(matches!(choice, Ok(Some(_))));
        end(threads).await;
    }

    #[tokio::test]
    async fn advice_that_a_game_ends_has_found_something() {
        let (thinkers, threads) = Thinkers::start(1, 1).expect("a thread");
        let asked = tokio::spawn({
            let thinkers = thinkers.clone();
            async move { thinkers.advise(start(), Thinker::Adviser, LONG).await }
        });
        busy(&thinkers).await;
        let deadline = Instant::now() + Duration::from_secs(60);
        let choice = thinkers.think(task(Level::Cube, SHORT, Need::Timed { deadline })).await;
        assert!(matches!(choice, Ok(Some(_))));
        assert!(matches!(asked.await.expect("no panic"), Ok(Some(_))));
        end(threads).await;
    }

    #[tokio::test]
    async fn advice_has_so_many_places_and_games_have_their_own() {
        let (thinkers, threads) = Thinkers::start(0, 1).expect("no threads");
        let asked = tokio::spawn({
            let thinkers = thinkers.clone();
            async move { thinkers.advise(start(), Thinker::Adviser, SHORT).await }
        });
        while thinkers.shared.state().queue.advice() == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(thinkers.advise(start(), Thinker::Adviser, SHORT).await, Err(NoAnswer::Busy));
        // At the end everyone is told that there will be no answer.
        end(threads).await;
        assert_eq!(asked.await.expect("no panic"), Err(NoAnswer::Closed));
        let late = thinkers.think(task(Level::Cube, SHORT, Need::Untimed)).await;
        assert_eq!(late, Err(NoAnswer::Closed));
    }

    #[tokio::test]
    async fn advice_that_games_keep_waiting_is_told_so_and_gives_its_place_up() {
        let (mut thinkers, _threads) = Thinkers::start(0, 1).expect("no threads");
        thinkers.patience = SHORT;
        assert_eq!(thinkers.advise(start(), Thinker::Adviser, SHORT).await, Err(NoAnswer::Busy));
        assert_eq!(thinkers.shared.state().queue.advice(), 0);
    }

    #[tokio::test]
    async fn a_stop_does_not_wait_for_a_search() {
        let (thinkers, threads) = Thinkers::start(1, 1).expect("a thread");
        let asked = tokio::spawn({
            let thinkers = thinkers.clone();
            async move { thinkers.advise(start(), Thinker::Adviser, LONG).await }
        });
        busy(&thinkers).await;
        end(threads).await;
        let found = asked.await.expect("no panic");
        assert!(matches!(found, Ok(Some(_))), "what was found so far");
    }

    #[test]
    fn a_thread_that_does_not_end_holds_up_nobody() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.expect("a runtime");
        let (life, alive) = mpsc::channel(1);
        let state = Mutex::new(State { queue: Queue::new(1), closed: false });
        let threads = Threads { shared: Arc::new(Shared { state, news: Condvar::new() }), alive };
        // What such a thread holds is never dropped.
        std::mem::forget(life);
        threads.stop();
        let ended = runtime.block_on(async { tokio::time::timeout(SHORT, threads.ended()).await });
        assert!(ended.is_err(), "it has not ended");
        // Nor does a runtime wait for it at its own end.
        drop(runtime);
    }

    #[test]
    fn a_panic_in_a_search_is_tried_again_less_deep() {
        let fails_when = |deep: bool, shallow: bool| {
            caught(Limits::default(), |limits| {
                let fails = if limits.depth == Some(1) { shallow } else { deep };
                assert!(!fails, "on purpose");
                limits.depth
            })
        };
        assert_eq!(fails_when(false, false), Some(None));
        assert_eq!(fails_when(true, false), Some(Some(1)));
        assert_eq!(fails_when(true, true), None);
    }
}
