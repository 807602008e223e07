//! Fischer clocks: base time, and an increment after each move.
//!
//! A side's clock first runs at its second move. For its first move it has a time of its own, after which the game is
//! aborted. In correspondence every move has the same days, the first too. A game without a clock has none of it, but is
//! given up for lost when nobody has moved for very long.

use manifold_rules::Color;

use super::lag::Quota;
use crate::time::Timestamp;

/// How much time the players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    Fischer(Fischer),
    /// So many days for every move.
    Correspondence(Days),
    /// Each takes as long as it takes; only casual games are played like that.
    Untimed,
}

/// How long a move may take in correspondence: 1 to 14 days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Days(u8);

impl Days {
    pub const MOST: i64 = 14;

    pub fn new(days: i64) -> Option<Self> {
        let days = (1..=Self::MOST).contains(&days).then_some(days)?;
        u8::try_from(days).ok().map(Self)
    }

    pub const fn number(self) -> u8 {
        self.0
    }

    pub const fn ms(self) -> i64 {
        self.0 as i64 * DAY_MS
    }
}

/// A day in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// Base time, and an increment after each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fischer {
    pub base_ms: i64,
    pub increment_ms: i64,
}

/// How fast a game is; ratings are kept apart by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speed {
    Bullet,
    Blitz,
    Rapid,
    Classical,
    Correspondence,
    Untimed,
}

impl Speed {
    /// Those in which games are rated.
    pub const RATED: [Self; 5] =
        [Self::Bullet, Self::Blitz, Self::Rapid, Self::Classical, Self::Correspondence];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
            Self::Untimed => "untimed",
        }
    }
}

impl TimeControl {
    pub const fn speed(self) -> Speed {
        match self {
            Self::Fischer(fischer) => fischer.speed(),
            Self::Correspondence(_) => Speed::Correspondence,
            Self::Untimed => Speed::Untimed,
        }
    }

    /// Whether its players sit there: its task stays, and they are kept from beginning another such game.
    pub const fn is_real_time(self) -> bool {
        match self {
            Self::Fischer(_) => true,
            Self::Correspondence(_) | Self::Untimed => false,
        }
    }

    /// Whether a move has to come in time. Only such games are rated.
    pub const fn is_limited(self) -> bool {
        match self {
            Self::Fischer(_) | Self::Correspondence(_) => true,
            Self::Untimed => false,
        }
    }

    pub const fn fischer(self) -> Option<Fischer> {
        match self {
            Self::Fischer(fischer) => Some(fischer),
            Self::Correspondence(_) | Self::Untimed => None,
        }
    }

    pub const fn days(self) -> Option<Days> {
        match self {
            Self::Correspondence(days) => Some(days),
            Self::Fischer(_) | Self::Untimed => None,
        }
    }

    /// PGN's `TimeControl`: seconds + seconds, one move in so many seconds, or `-` for none.
    pub fn pgn(self) -> String {
        match self {
            Self::Fischer(Fischer { base_ms, increment_ms }) => {
                format!("{}+{}", base_ms as f64 / 1000.0, increment_ms as f64 / 1000.0)
            }
            Self::Correspondence(days) => format!("1/{}", days.ms() / 1000),
            Self::Untimed => "-".to_owned(),
        }
    }
}

impl Fischer {
    /// By the time that forty moves take: base + 40 · increment, under 3, 8 and 25 minutes.
    pub const fn speed(self) -> Speed {
        match self.base_ms + 40 * self.increment_ms {
            ..180_000 => Speed::Bullet,
            180_000..480_000 => Speed::Blitz,
            480_000..1_500_000 => Speed::Rapid,
            1_500_000.. => Speed::Classical,
        }
    }

    /// A pool's name: minutes + seconds, `3+2`.
    pub fn from_pool_name(name: &str) -> Option<Self> {
        let (minutes, seconds) = name.split_once('+')?;
        let number = |s: &str| (s.len() <= 3).then(|| s.parse::<u16>().ok()).flatten();
        Some(Self {
            base_ms: i64::from(number(minutes)?) * 60_000,
            increment_ms: i64::from(number(seconds)?) * 1000,
        })
    }

    /// `3+2`, for those that pools have.
    pub fn pool_name(self) -> String {
        format!("{}+{}", self.base_ms / 60_000, self.increment_ms / 1000)
    }
}

/// A value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BySide<T> {
    pub white: T,
    pub black: T,
}

impl<T> BySide<T> {
    pub const fn get(&self, side: Color) -> &T {
        match side {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    pub const fn get_mut(&mut self, side: Color) -> &mut T {
        match side {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }

    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> BySide<U> {
        BySide { white: f(self.white), black: f(self.black) }
    }
}

/// The clock of a game that is under way: whose turn it is and since when, and what each side has left if time is
/// limited. `now` always comes from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// `None` without a limit.
    limits: Option<Limits>,
    /// How long a game without a limit waits for a move before nobody is expected to make one.
    patience_ms: i64,
    /// Which sides have made their first move: only those are timed.
    has_moved: BySide<bool>,
    side_to_move: Color,
    /// When the turn under way began; moved on when time is given back.
    turn_started: Timestamp,
    /// No turn is under way when the game is over.
    stopped: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limits {
    refill: Refill,
    /// How long each side has for its first move.
    first_move_ms: i64,
    /// What is left to each side, but for the turn under way.
    remaining_ms: BySide<i64>,
    /// What the network's delays may still be given back.
    quota: BySide<Quota>,
}

/// What a side has after its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refill {
    /// What it had left, and so much more.
    Increment(i64),
    /// So much, whatever it had left.
    Whole(i64),
}

/// What a move costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// How long the mover took.
    pub spent_ms: i64,
    /// How much of it was the network's, and is given back.
    pub compensated_ms: i64,
    /// What the mover then has, the increment included; `None` without a limit.
    pub remaining_ms: Option<i64>,
}

/// What the clocks show at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    pub remaining_ms: BySide<i64>,
    /// Whose clock runs; none before a side's first move and after the end.
    pub running: Option<Color>,
    /// What is left for the first move of the side to move.
    pub first_move_ms: Option<i64>,
}

impl Clock {
    /// `first_move_ms` is the time for a side's first move; in an untimed game, for any.
    pub const fn new(
        time: TimeControl,
        first_move_ms: i64,
        side_to_move: Color,
        now: Timestamp,
    ) -> Self {
        let limits = match time {
            TimeControl::Fischer(Fischer { base_ms, increment_ms }) => Some(Limits {
                refill: Refill::Increment(increment_ms),
                first_move_ms,
                remaining_ms: BySide { white: base_ms, black: base_ms },
                quota: {
                    let quota = Quota::new(Fischer { base_ms, increment_ms });
                    BySide { white: quota, black: quota }
                },
            }),
            TimeControl::Correspondence(days) => Some(Limits {
                refill: Refill::Whole(days.ms()),
                first_move_ms,
                remaining_ms: BySide { white: days.ms(), black: days.ms() },
                quota: BySide { white: Quota::NONE, black: Quota::NONE },
            }),
            TimeControl::Untimed => None,
        };
        Self {
            limits,
            patience_ms: first_move_ms,
            has_moved: BySide { white: false, black: false },
            side_to_move,
            turn_started: now,
            stopped: false,
        }
    }

    /// Whether the turn under way is a side's first, which costs it nothing.
    pub const fn is_first_move(&self) -> bool {
        !*self.has_moved.get(self.side_to_move)
    }

    /// The moment at which the side to move has no time left: to be flagged, or the game aborted.
    pub fn deadline(&self) -> Option<Timestamp> {
        let limits = self.limits.filter(|_| !self.stopped)?;
        let left = if self.is_first_move() {
            limits.first_move_ms
        } else {
            *limits.remaining_ms.get(self.side_to_move)
        };
        Some(self.turn_started.plus_ms(left))
    }

    /// What a move of the side to move may be given back over a line with this lag. A first move costs nothing.
    pub fn compensation_ms(&self, lag_ms: i64) -> i64 {
        match self.limits {
            Some(limits) if !self.is_first_move() => {
                limits.quota.get(self.side_to_move).compensation_ms(lag_ms)
            }
            Some(_) | None => 0,
        }
    }

    /// The moment at which a game without a limit has been left alone for too long.
    pub fn abandoned_at(&self) -> Option<Timestamp> {
        let waits = self.limits.is_none() && !self.stopped;
        waits.then(|| self.turn_started.plus_ms(self.patience_ms))
    }

    /// What a move by the side to move at `now` costs, over a line with this lag. Only to be asked before the
    /// [`deadline`](Self::deadline) and what the move is given back.
    pub fn move_time(&self, now: Timestamp, lag_ms: i64) -> MoveTime {
        let spent_ms = self.elapsed_ms(now);
        let compensated_ms = self.compensation_ms(lag_ms).min(spent_ms);
        let remaining_ms = self.limits.map(|limits| {
            let before = *limits.remaining_ms.get(self.side_to_move);
            match limits.refill {
                Refill::Whole(ms) => ms,
                Refill::Increment(_) if self.is_first_move() => before,
                Refill::Increment(ms) => before - spent_ms + compensated_ms + ms,
            }
        });
        MoveTime { spent_ms, compensated_ms, remaining_ms }
    }

    /// The side to move has moved, was given back `compensated_ms`, and has `remaining_ms` left; the other's turn begins.
    pub fn turn_over(&mut self, remaining_ms: Option<i64>, compensated_ms: i64, now: Timestamp) {
        let is_first_move = self.is_first_move();
        if let (Some(limits), Some(remaining_ms)) = (&mut self.limits, remaining_ms) {
            *limits.remaining_ms.get_mut(self.side_to_move) = remaining_ms;
            if !is_first_move {
                limits.quota.get_mut(self.side_to_move).spend(compensated_ms);
            }
        }
        *self.has_moved.get_mut(self.side_to_move) = true;
        self.side_to_move = self.side_to_move.other();
        self.turn_started = now;
    }

    /// How much of the turn under way has been used.
    pub fn elapsed_ms(&self, now: Timestamp) -> i64 {
        now.ms_since(self.turn_started).max(0)
    }

    /// The turn under way goes on at `now` with `elapsed_ms` used: what was in between is given back.
    pub fn resume(&mut self, elapsed_ms: i64, now: Timestamp) {
        self.turn_started = now.plus_ms(-elapsed_ms);
    }

    /// The game has ended at `now`. The clock that ran is left standing where it was.
    pub fn stop(&mut self, now: Timestamp) {
        let reading = self.read(now);
        if let (Some(limits), Some(reading)) = (&mut self.limits, reading) {
            limits.remaining_ms = reading.remaining_ms;
        }
        self.stopped = true;
    }

    /// What the clocks show; `None` without a limit.
    pub fn read(&self, now: Timestamp) -> Option<ClockReading> {
        let Limits { first_move_ms, remaining_ms, .. } = self.limits?;
        let mut reading = ClockReading { remaining_ms, running: None, first_move_ms: None };
        if self.stopped {
            return Some(reading);
        }
        if self.is_first_move() {
            reading.first_move_ms = Some((first_move_ms - self.elapsed_ms(now)).max(0));
        } else {
            let left = reading.remaining_ms.get_mut(self.side_to_move);
            *left = (*left - self.elapsed_ms(now)).max(0);
            reading.running = Some(self.side_to_move);
        }
        Some(reading)
    }
}

#[cfg(test)]
mod tests;
