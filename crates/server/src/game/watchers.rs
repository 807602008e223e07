//! The sockets that watch one game, and who is there.

use std::collections::HashMap;
use std::time::Duration;

use manifold_rules::Color;
use tokio::time::Instant;

use super::notice::{GameNotice, Presence};
use crate::outbox::{ConnId, Outbox};

/// Presence is told at most so often, however many come and go.
const PAUSE: Duration = Duration::from_millis(100);

/// A socket that watches.
struct Watcher {
    color: Option<Color>,
    outbox: Outbox<GameNotice>,
}

/// Everyone who watches, and what they were last told of each other.
#[derive(Default)]
pub(super) struct Watchers {
    by_conn: HashMap<ConnId, Watcher>,
    told: Presence,
    /// When to tell them again, if it has changed.
    tell_at: Option<Instant>,
}

impl Watchers {
    /// One more; a second time changes nothing. Whose seat it is decides what its presence means.
    pub(super) fn add(&mut self, color: Option<Color>, outbox: Outbox<GameNotice>) {
        self.by_conn.insert(outbox.conn, Watcher { color, outbox });
        self.may_have_changed();
    }

    pub(super) fn remove(&mut self, conn: ConnId) {
        self.by_conn.remove(&conn);
        self.may_have_changed();
    }

    /// Whether somebody watches who has no seat, or one that counts.
    pub(super) fn has(&self, counts: impl Fn(Color) -> bool) -> bool {
        self.by_conn.values().any(|watcher| watcher.color.is_none_or(&counts))
    }

    /// The worst line over which `side` may still be heard, in milliseconds.
    pub(super) fn lag_ms(&self, side: Color) -> i64 {
        let of_side = self.by_conn.values().filter(|watcher| watcher.color == Some(side));
        of_side.map(|watcher| watcher.outbox.lag.ms()).max().unwrap_or(0)
    }

    /// Tells everyone; what they are told may depend on whose seat it is.
    pub(super) fn tell(&self, notice: impl Fn(Option<Color>) -> GameNotice) {
        for Watcher { color, outbox } in self.by_conn.values() {
            outbox.push(notice(*color));
        }
    }

    /// Who is there.
    pub(super) fn presence(&self) -> Presence {
        let mut presence = Presence::default();
        for watcher in self.by_conn.values() {
            match watcher.color {
                Some(color) => *presence.players.get_mut(color) = true,
                None => presence.spectators += 1,
            }
        }
        presence
    }

    fn may_have_changed(&mut self) {
        if self.tell_at.is_none() && self.presence() != self.told {
            self.tell_at = Some(Instant::now() + PAUSE);
        }
    }

    /// When [`news`](Self::news) may have some.
    pub(super) fn tell_at(&self) -> Option<Instant> {
        self.tell_at
    }

    /// The presence that everyone is to be told of now.
    pub(super) fn news(&mut self, now: Instant) -> Option<Presence> {
        self.tell_at.take_if(|at| *at <= now)?;
        let presence = self.presence();
        let is_news = presence != self.told;
        self.told = presence;
        is_news.then_some(presence)
    }
}
