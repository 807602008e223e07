//! What the clocks of a table show, held against what they may have been charged.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::Table;
use crate::fire::Life;

/// What a timer of ours may be late by.
const TIMER: Duration = Duration::from_millis(50);
/// So much more time than was taken may be given back: a heartbeat, and what it takes to write it.
const GENEROSITY: Duration = Duration::from_millis(1500);

/// What a running clock showed, and when.
pub(super) struct Shown {
    /// In which life of the server.
    life: usize,
    plies: usize,
    /// Whose clock it is.
    side: Value,
    remaining_ms: i64,
    /// The server said so between these two: a message takes its time on a busy machine.
    from: Instant,
    at: Instant,
}

/// A clock that was shown before its game had taken down that it goes on.
pub(super) struct Expected {
    /// What it had shown before the kill.
    shown_ms: i64,
    /// For how long it had run until then, at least and at most.
    least: Duration,
    most: Duration,
    /// When the server was started again.
    started: Instant,
}

impl Shown {
    /// What the running clock of an answer shows that has just come.
    pub(super) fn since(sent: Instant, life: usize, plies: usize, clock: &Value) -> Option<Shown> {
        let remaining_ms = remaining_ms(clock)?;
        let side = clock["running"].clone();
        Some(Shown { life, plies, side, remaining_ms, from: sent, at: Instant::now() })
    }
}

impl Table {
    /// Compares a clock that is shown after a kill with what it had shown before.
    pub(super) fn compare_after_kill(
        &mut self,
        life: Life,
        plies: usize,
        remaining_ms: Option<i64>,
    ) {
        if let (Some(record), Some(shown)) = (self.book.records.last(), &self.shown)
            && plies == shown.plies
            // A table that has missed a life does not know how long that was.
            && shown.life + 1 == life.number
            && let Some(remaining_ms) = remaining_ms
            && let Some((killed, started)) = life.since
        {
            let charged = shown.remaining_ms - remaining_ms;
            let id = record.id.clone();
            // What the new server takes to start is nobody's thinking time, though it may be charged: both servers, for as
            // long as each was there.
            let thought = killed.saturating_duration_since(shown.at);
            let before = killed.saturating_duration_since(shown.from);
            let most = before + started.elapsed();
            if astray(charged, thought, most).0 > TIMER {
                // The game has not yet taken down that it goes on: it will say so.
                let shown_ms = shown.remaining_ms;
                self.expected = Some(Expected { shown_ms, least: thought, most: before, started });
                self.book.shown_early += 1;
            } else {
                self.compare(&id, charged, thought, most, TIMER);
            }
        }
    }

    /// Holds what a clock was charged against what it may be.
    fn compare(
        &mut self,
        game: &str,
        charged_ms: i64,
        least: Duration,
        most: Duration,
        slack: Duration,
    ) {
        let (over, under) = astray(charged_ms, least, most);
        self.book.clocks += 1;
        self.book.worst_charge = self.book.worst_charge.max(over);
        self.book.worst_gift = self.book.worst_gift.max(under);
        if over > slack || under > GENEROSITY {
            let why = format!("{game}: {charged_ms} ms charged, and not {least:?} to {most:?}");
            self.book.broken.push(why);
        }
    }

    /// The clock goes on: it was charged for the time until the first command that was refused, and for no more.
    pub(super) fn note_resumed(&mut self, game: &str) {
        let now = remaining_ms(&self.clock);
        // A move that was refused, as the database did not answer, may have been committed: it is the other's clock then.
        self.shown.take_if(|shown| shown.side != self.clock["running"]);
        if let (Some(expected), Some(now)) = (self.expected.take(), now) {
            let Expected { shown_ms, least, most, started } = expected;
            self.compare(game, shown_ms - now, least, most + started.elapsed(), TIMER);
        }
        if let (Some(sent), Some(shown), Some(now)) = (self.refused.take(), &self.shown, now) {
            let charged = shown.remaining_ms - now;
            let thought = sent.saturating_duration_since(shown.at);
            self.compare(game, charged, thought, thought, self.charged);
        }
        if let (Some(shown), Some(remaining_ms)) = (&mut self.shown, now) {
            (shown.remaining_ms, shown.from, shown.at) = (remaining_ms, shown.at, Instant::now());
        }
    }
}

/// By how much more than `most` was charged, and by how much less than `least`. Less than nothing was charged where a clock
/// shows more than before.
fn astray(charged_ms: i64, least: Duration, most: Duration) -> (Duration, Duration) {
    let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    let excess = |ms: i64| u64::try_from(ms).map_or(Duration::ZERO, Duration::from_millis);
    (excess(charged_ms.saturating_sub(ms(most))), excess(ms(least).saturating_sub(charged_ms)))
}

/// What the running clock shows.
pub(super) fn remaining_ms(clock: &Value) -> Option<i64> {
    clock[format!("{}_ms", clock["running"].as_str()?)].as_i64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_astray_in_both_directions() {
        let check = |charged_ms, over, under| {
            let ms = Duration::from_millis;
            assert_eq!(astray(charged_ms, ms(200), ms(500)), (ms(over), ms(under)), "{charged_ms}");
        };
        check(200, 0, 0);
        check(500, 0, 0);
        check(800, 300, 0);
        check(50, 0, 150);
        check(-3000, 0, 3200);
    }
}
