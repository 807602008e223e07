//! The sockets that watch one game, and who is there.

use std::collections::HashMap;
use std::time::Duration;

use manifold_rules::Color;
use tokio::time::Instant;

use super::chat::Room;
use super::clock::BySide;
use super::notice::{GameNotice, Parting, Presence};
use crate::config::Patience;
use crate::outbox::{ConnId, Outbox};

/// That a player has come or gone is told at most so often.
const PAUSE: Duration = Duration::from_millis(100);

/// And how many others watch. When all of them are dropped and come back, to tell each of each would take longer than all else.
const CROWD_PAUSE: Duration = Duration::from_millis(500);

/// A socket that watches.
struct Watcher {
    color: Option<Color>,
    outbox: Outbox<GameNotice>,
}

/// Everyone who watches, and what they were last told of each other.
pub(super) struct Watchers {
    by_conn: HashMap<ConnId, Watcher>,
    /// How long each side is waited for when it is away; nothing where that changes nothing.
    patience: BySide<Option<Patience>>,
    /// From when on a side that is away can be said to have left the game.
    claims_from: BySide<Option<Instant>>,
    told: Presence,
    /// By how much later than others this game tells how many watch: those of all games have changed at once.
    spread: Duration,
    /// When to tell them again, if it has changed.
    tell_at: Option<Instant>,
}

impl Watchers {
    /// Nobody is there yet: for those who do not come, the wait begins now. Games have a `spread` each, up to a
    /// second.
    pub(super) fn new([white, black]: [Option<Patience>; 2], spread: Duration) -> Self {
        let now = Instant::now();
        let patience = BySide { white, black };
        let claims_from = patience.map(|patience| patience.map(|patience| now + patience.lost));
        let by_conn = HashMap::new();
        let told = Presence::default();
        Self { by_conn, patience, claims_from, told, spread, tell_at: None }
    }

    /// The game is over.
    pub(super) fn nothing_to_claim(&mut self) {
        self.patience = BySide::default();
        self.claims_from = BySide::default();
        self.may_have_changed();
    }

    /// Whether `side` has been away for so long that the other may claim the game.
    pub(super) fn can_be_claimed_from(&self, side: Color, now: Instant) -> bool {
        self.claims_from.get(side).is_some_and(|from| from <= now)
    }

    /// One more; a second time changes nothing. Whose seat it is decides what its presence means.
    pub(super) fn add(&mut self, color: Option<Color>, outbox: Outbox<GameNotice>) {
        // It went away while its question was handed on from a task that was about to leave: nobody would take it out again.
        if outbox.is_closed() {
            return;
        }
        if let Some(color) = color {
            *self.claims_from.get_mut(color) = None;
        }
        self.by_conn.insert(outbox.conn, Watcher { color, outbox });
        self.may_have_changed();
    }

    /// One less. The wait for a player begins when the last of their sockets has gone, and depends on how that went.
    pub(super) fn remove(&mut self, conn: ConnId, parting: Parting) {
        let color = self.by_conn.remove(&conn).and_then(|watcher| watcher.color);
        if let Some(color) = color
            && !self.presence().players.get(color)
        {
            *self.claims_from.get_mut(color) = self.patience.get(color).map(|patience| {
                let wait = match parting {
                    Parting::Left => patience.left,
                    Parting::Lost => patience.lost,
                };
                Instant::now() + wait
            });
        }
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

    /// Tells everyone in a room.
    pub(super) fn tell_room(&self, room: Room, notice: impl Fn() -> GameNotice) {
        let in_room = |watcher: &&Watcher| Room::of(watcher.color) == room;
        for watcher in self.by_conn.values().filter(in_room) {
            watcher.outbox.push(notice());
        }
    }

    /// Who is there.
    pub(super) fn presence(&self) -> Presence {
        let mut presence = Presence { claims_from: self.claims_from, ..Presence::default() };
        for watcher in self.by_conn.values() {
            match watcher.color {
                Some(color) => *presence.players.get_mut(color) = true,
                None => presence.spectators += 1,
            }
        }
        presence
    }

    fn may_have_changed(&mut self) {
        let soon = Instant::now() + PAUSE;
        if self.tell_at.is_some_and(|at| at <= soon) {
            return;
        }
        let presence = self.presence();
        if presence.without_spectators() != self.told.without_spectators() {
            self.tell_at = Some(soon);
        } else if self.tell_at.is_none() && presence != self.told {
            self.tell_at = Some(Instant::now() + CROWD_PAUSE + self.spread);
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

#[cfg(test)]
mod tests {
    use tokio_util::sync::CancellationToken;

    use super::*;

    #[tokio::test]
    async fn a_socket_that_is_gone_is_not_there() {
        let mut watchers = Watchers::new([None, None], Duration::ZERO);
        for is_gone in [true, false] {
            let (outbox, notices) = Outbox::new(ConnId(1), CancellationToken::new());
            let _kept = (!is_gone).then_some(notices);
            watchers.add(Some(Color::White), outbox);
            assert_eq!(watchers.presence().players.white, !is_gone);
        }
    }

    #[tokio::test]
    async fn a_player_s_coming_is_told_soon_and_how_many_watch_later() {
        // Long enough for the slowest machine.
        let (spread, start) = (Duration::from_secs(3600), Instant::now());
        let mut watchers = Watchers::new([None, None], spread);
        let mut kept = Vec::new();
        let mut come = |watchers: &mut Watchers, number, color| {
            let (outbox, notices) = Outbox::new(ConnId(number), CancellationToken::new());
            watchers.add(color, outbox);
            kept.push(notices);
            watchers.tell_at().expect("there is something to tell")
        };
        let later = come(&mut watchers, 1, None);
        assert!(later >= start + spread);
        assert_eq!(come(&mut watchers, 2, None), later, "it is told at last");
        let soon = come(&mut watchers, 3, Some(Color::Black));
        assert!(soon < start + spread);
        let news = watchers.news(soon).expect("everything is");
        assert_eq!((news.spectators, news.players.black, news.players.white), (2, true, false));
        assert_eq!(watchers.tell_at(), None);
        watchers.remove(ConnId(1), Parting::Lost);
        assert!(watchers.tell_at() >= Some(start + spread));
        watchers.remove(ConnId(3), Parting::Lost);
        assert!(watchers.tell_at() < Some(start + spread));
    }
}
