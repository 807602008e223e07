//! The threads that search, few and named, and the two queues in front of them.
//!
//! Games come before advice, and each queue is first come, first served. When many wait, everyone gets less time, so that
//! nobody waits long: the budgets shrink with the length of the queues.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use manifold_engine::{Choice, Level, Limits, Time};
use manifold_rules::Game;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Searches go deep: more than a thread has by default.
const STACK: usize = 16 * 1024 * 1024;
/// However many wait, a search gets so long.
const LEAST: Duration = Duration::from_millis(10);
/// So many games wait here; further ones wait at the door.
const GAMES: usize = 256;

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
    /// When the answer is needed at the latest.
    pub deadline: Option<Instant>,
}

struct Job {
    task: Task,
    /// Set when nobody wants the answer any more.
    stop: Arc<AtomicBool>,
    done: oneshot::Sender<Option<Choice>>,
    /// Its place in the queue, until a thread takes it.
    place: OwnedSemaphorePermit,
}

#[derive(Default)]
struct Queues {
    games: VecDeque<Job>,
    advice: VecDeque<Job>,
    /// The searches under way.
    running: Vec<Arc<AtomicBool>>,
    closed: bool,
}

struct Shared {
    queues: Mutex<Queues>,
    /// Told when there is something to take, or nothing more to come.
    news: Condvar,
    threads: usize,
}

impl Shared {
    fn queues(&self) -> MutexGuard<'_, Queues> {
        // No code panics while it holds this; if some did, the queues are still whole.
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The way to the threads; cheap to clone.
#[derive(Clone)]
pub struct Thinkers {
    shared: Arc<Shared>,
    game_places: Arc<Semaphore>,
    advice_places: Arc<Semaphore>,
}

/// Why nothing was thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// All places are taken.
    Busy,
    /// The server stops.
    Closed,
}

/// The threads; to be waited for at the end.
pub struct Threads {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// Ends the search when it is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Thinkers {
    /// So many threads, and so many places for those who want advice.
    pub fn start(threads: usize, advice: usize) -> std::io::Result<(Self, Threads)> {
        let shared = Arc::new(Shared { queues: Mutex::default(), news: Condvar::new(), threads });
        let spawn = |number| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new()
                .name(format!("thinker-{number}"))
                .stack_size(STACK)
                .spawn(move || work(&shared))
        };
        let handles = (1..=threads).map(spawn).collect::<Result<_, _>>()?;
        let thinkers = Self {
            shared: Arc::clone(&shared),
            game_places: Arc::new(Semaphore::new(GAMES)),
            advice_places: Arc::new(Semaphore::new(advice)),
        };
        Ok((thinkers, Threads { shared, threads: handles }))
    }

    /// Thinks about a move in a game. Waits for a place in the queue, first come, first served; dropped, it stops
    /// thinking at once. `None` if the game is over, or the engine has failed.
    pub async fn think(&self, task: Task) -> Result<Option<Choice>, NoAnswer> {
        let place = Arc::clone(&self.game_places).acquire_owned().await;
        let place = place.map_err(|_| NoAnswer::Closed)?;
        self.ask(task, place, |queues| &mut queues.games).await
    }

    /// The same for whoever asks, if there is a place.
    pub async fn advise(&self, task: Task) -> Result<Option<Choice>, NoAnswer> {
        let place = Arc::clone(&self.advice_places).try_acquire_owned();
        let place = place.map_err(|_| NoAnswer::Busy)?;
        self.ask(task, place, |queues| &mut queues.advice).await
    }

    async fn ask(
        &self,
        task: Task,
        place: OwnedSemaphorePermit,
        queue: fn(&mut Queues) -> &mut VecDeque<Job>,
    ) -> Result<Option<Choice>, NoAnswer> {
        let stop = StopOnDrop(Arc::default());
        let (done, answer) = oneshot::channel();
        let job = Job { task, stop: Arc::clone(&stop.0), done, place };
        {
            let mut queues = self.shared.queues();
            if queues.closed {
                return Err(NoAnswer::Closed);
            }
            queue(&mut queues).push_back(job);
        }
        self.shared.news.notify_one();
        answer.await.map_err(|_| NoAnswer::Closed)
    }
}

impl Threads {
    /// Ends all searches, and waits for the threads: they need a moment at most.
    pub async fn stop(self) {
        {
            let mut queues = self.shared.queues();
            queues.closed = true;
            queues.games.clear();
            queues.advice.clear();
            for stop in &queues.running {
                stop.store(true, Ordering::Relaxed);
            }
        }
        self.shared.news.notify_all();
        let join = || {
            for thread in self.threads {
                // Whatever panics in a search is caught there.
                _ = thread.join();
            }
        };
        _ = tokio::task::spawn_blocking(join).await;
    }
}

/// What a thread does until it is told to end.
fn work(shared: &Shared) {
    while let Some((job, waiting)) = next(shared) {
        let Job { task, stop, done, place } = job;
        // One more may wait while this one is thought about.
        drop(place);
        let choice = search(&task, budget(&task, waiting, shared.threads), &stop);
        shared.queues().running.retain(|running| !Arc::ptr_eq(running, &stop));
        // Whoever went away does not want to know.
        _ = done.send(choice);
    }
}

/// The next job that somebody still wants done, and how many wait behind it; waits until there is one.
fn next(shared: &Shared) -> Option<(Job, usize)> {
    let mut queues = shared.queues();
    loop {
        while let Some(job) = queues.games.pop_front().or_else(|| queues.advice.pop_front()) {
            if !job.stop.load(Ordering::Relaxed) && !job.done.is_closed() {
                queues.running.push(Arc::clone(&job.stop));
                return Some((job, queues.games.len() + queues.advice.len()));
            }
        }
        if queues.closed {
            return None;
        }
        queues = shared.news.wait(queues).unwrap_or_else(PoisonError::into_inner);
    }
}

/// How long a search may take while so many wait behind it.
fn budget(task: &Task, waiting: usize, threads: usize) -> Duration {
    let rounds = 1 + waiting / threads.max(1);
    let share = task.budget / u32::try_from(rounds).unwrap_or(u32::MAX);
    let left = task.deadline.map(|at| at.saturating_duration_since(Instant::now()));
    share.min(left.unwrap_or(share)).max(LEAST)
}

fn search(task: &Task, budget: Duration, stop: &AtomicBool) -> Option<Choice> {
    let started = Instant::now();
    let elapsed = || started.elapsed();
    let time = Time { budget, elapsed: &elapsed };
    let limits = Limits { time: Some(time), stop: Some(stop), ..Limits::default() };
    let think = |limits| match task.thinker {
        Thinker::Player(level, seed) => level.best_turn(&task.game, seed, limits),
        Thinker::Adviser => manifold_engine::best_turn(&task.game, limits),
    };
    caught(limits, think).unwrap_or_else(|| {
        tracing::error!(fen = task.game.fen(), thinker = ?task.thinker, "the engine has failed");
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

    fn task(thinker: Thinker, budget: Duration) -> Task {
        Task { game: Game::new(Variant::Fourfold), thinker, budget, deadline: None }
    }

    const LONG: Duration = Duration::from_secs(3600);
    const SHORT: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn a_search_nobody_waits_for_ends_and_the_next_begins() {
        let (thinkers, threads) = Thinkers::start(1, 1).expect("a thread");
        let forever = thinkers.advise(task(Thinker::Adviser, LONG));
        let hasty = tokio::time::timeout(SHORT, forever).await;
        assert!(hasty.is_err(), "an hour is not over");
        let choice = thinkers.think(task(Thinker::Player(Level::Cube, 1), SHORT)).await;
        assert!(matches!(choice, Ok(Some(_))));
        threads.stop().await;
    }

    #[tokio::test]
    async fn advice_has_so_many_places_and_games_have_their_own() {
        let (thinkers, threads) = Thinkers::start(0, 1).expect("no threads");
        let asked = tokio::spawn({
            let thinkers = thinkers.clone();
            async move { thinkers.advise(task(Thinker::Adviser, SHORT)).await }
        });
        while thinkers.shared.queues().advice.is_empty() {
            tokio::task::yield_now().await;
        }
        assert_eq!(thinkers.advise(task(Thinker::Adviser, SHORT)).await, Err(NoAnswer::Busy));
        // At the end everyone is told that there will be no answer.
        threads.stop().await;
        assert_eq!(asked.await.expect("no panic"), Err(NoAnswer::Closed));
        let late = thinkers.think(task(Thinker::Adviser, SHORT)).await;
        assert_eq!(late, Err(NoAnswer::Closed));
    }

    #[tokio::test]
    async fn a_stop_does_not_wait_for_a_search() {
        let (thinkers, threads) = Thinkers::start(1, 1).expect("a thread");
        let asked = tokio::spawn({
            let thinkers = thinkers.clone();
            async move { thinkers.think(task(Thinker::Adviser, LONG)).await }
        });
        while thinkers.shared.queues().running.is_empty() {
            tokio::task::yield_now().await;
        }
        tokio::time::timeout(Duration::from_secs(20), threads.stop()).await.expect("no hour");
        let found = asked.await.expect("no panic");
        assert!(matches!(found, Ok(Some(_))), "what was found so far");
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

    #[test]
    fn budgets_shrink_when_many_wait_and_never_pass_the_deadline() {
        let second = Duration::from_secs(1);
        let plain = task(Thinker::Adviser, second);
        for (waiting, threads, expected) in
            [(0, 1, 1000), (1, 1, 500), (1, 2, 1000), (3, 2, 500), (1000, 1, 10)]
        {
            let found = budget(&plain, waiting, threads);
            assert_eq!(found, Duration::from_millis(expected), "{waiting} behind {threads}");
        }
        let late = Task { deadline: Some(Instant::now()), ..plain };
        assert_eq!(budget(&late, 0, 1), LEAST);
    }
}
