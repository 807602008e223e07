//! Pairing, as pure logic: who waits, and who plays whom.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use manifold_rules::Variant;

use crate::game::clock::Fischer;
use crate::ids::PlayerId;
use crate::player::Player;
use crate::time::Timestamp;

/// What those in one pool have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolKey {
    pub variant: Variant,
    pub time: Fischer,
    pub rated: bool,
}

/// How many wait in one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowd {
    pub key: PoolKey,
    pub waiting: usize,
}

/// One who waits.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    pub player: Player,
    pub rating: f64,
    pub since: Timestamp,
    /// With whom the player will not play.
    pub blocked: Arc<HashSet<PlayerId>>,
}

impl Waiting {
    /// Whether neither has blocked the other.
    fn may_meet(&self, other: &Self) -> bool {
        !self.blocked.contains(&other.player.id) && !other.blocked.contains(&self.player.id)
    }
}

/// How far ratings may be apart.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub start: f64,
    pub per_second: f64,
}

impl Window {
    fn of(&self, waiting: &Waiting, now: Timestamp) -> f64 {
        let seconds = now.ms_since(waiting.since).max(0) as f64 / 1000.0;
        self.start + self.per_second * seconds
    }
}

/// All pools. A player waits in at most one.
#[derive(Debug)]
pub struct Pools {
    window: Window,
    /// In the order in which they came.
    waiting: Vec<(PoolKey, Waiting)>,
    /// Whom a player met last in a pool, to spare both a second time while others wait.
    last_met: HashMap<PlayerId, PlayerId>,
}

impl Pools {
    /// How many meetings are remembered: some are forgotten beyond it.
    const REMEMBERED: usize = 50_000;

    pub fn new(window: Window) -> Self {
        Self { window, waiting: Vec::new(), last_met: HashMap::new() }
    }

    /// Lets a player wait, and leave the pool in which it waited before.
    pub fn join(&mut self, key: PoolKey, waiting: Waiting) {
        self.leave(waiting.player.id);
        self.waiting.push((key, waiting));
    }

    /// Lets two wait on of whose meeting nothing has come, each in its old place.
    pub fn put_back(&mut self, key: PoolKey, a: Waiting, b: Waiting) {
        self.last_met.remove(&a.player.id);
        self.last_met.remove(&b.player.id);
        for one in [a, b] {
            let place = self.waiting.partition_point(|(_, other)| other.since <= one.since);
            self.waiting.insert(place, (key, one));
        }
    }

    /// The pool that the player has left, if it waited.
    pub fn leave(&mut self, player: PlayerId) -> Option<PoolKey> {
        let at = self.waiting.iter().position(|(_, waiting)| waiting.player.id == player)?;
        Some(self.waiting.remove(at).0)
    }

    /// Where the player waits.
    pub fn waiting(&self, player: PlayerId) -> Option<PoolKey> {
        self.waiting.iter().find(|(_, waiting)| waiting.player.id == player).map(|(key, _)| *key)
    }

    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// How many wait where somebody does, in the order in which the first of them came.
    pub fn crowds(&self) -> Vec<Crowd> {
        let mut crowds: Vec<Crowd> = Vec::new();
        for (key, _) in &self.waiting {
            match crowds.iter_mut().find(|crowd| crowd.key == *key) {
                Some(crowd) => crowd.waiting += 1,
                None => crowds.push(Crowd { key: *key, waiting: 1 }),
            }
        }
        crowds
    }

    /// The player will not play with these from now on.
    pub fn block(&mut self, player: PlayerId, blocked: &Arc<HashSet<PlayerId>>) {
        for (_, waiting) in &mut self.waiting {
            if waiting.player.id == player {
                waiting.blocked = Arc::clone(blocked);
            }
        }
    }

    /// Takes out all for whom `is_gone`, and answers who they are.
    pub fn sweep(&mut self, is_gone: impl Fn(PlayerId) -> bool) -> Vec<PlayerId> {
        let waiting = self.waiting.extract_if(.., |(_, waiting)| is_gone(waiting.player.id));
        waiting.map(|(_, waiting)| waiting.player.id).collect()
    }

    /// Another name or kind of a player.
    pub fn rename(&mut self, player: &Player) {
        for (_, waiting) in &mut self.waiting {
            if waiting.player.id == player.id {
                waiting.player = player.clone();
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// At most so many of the pairs that can be made at `now`, taken out of the pools. Whoever waits longest chooses first, and
    /// gets the nearest rating that the wider of the two windows accepts.
    pub fn pair(&mut self, now: Timestamp, most: usize) -> Vec<(PoolKey, Waiting, Waiting)> {
        let mut pairs = Vec::new();
        let mut first = 0;
        while first < self.waiting.len() && pairs.len() < most {
            match self.opponent(first, now) {
                Some(second) => {
                    // The later one first, so that the earlier keeps its place.
                    let (_, b) = self.waiting.remove(second);
                    let (key, a) = self.waiting.remove(first);
                    self.remember(a.player.id, b.player.id);
                    pairs.push((key, a, b));
                }
                None => first += 1,
            }
        }
        pairs
    }

    /// The best opponent for the one at `first` among those who came later.
    fn opponent(&self, first: usize, now: Timestamp) -> Option<usize> {
        let (key, a) = &self.waiting[first];
        // The two among themselves may meet again, if nobody else is there whom both could meet.
        let in_pool =
            self.waiting.iter().filter(|(other, b)| other == key && a.may_meet(b)).count();
        let distance = |b: &Waiting| (a.rating - b.rating).abs();
        self.waiting
            .iter()
            .enumerate()
            .skip(first + 1)
            .filter(|(_, (other, b))| other == key && a.may_meet(b))
            .filter(|(_, (_, b))| distance(b) <= self.window.of(a, now).max(self.window.of(b, now)))
            .filter(|(_, (_, b))| in_pool <= 2 || !self.met_last(a.player.id, b.player.id))
            .min_by(|(_, (_, b)), (_, (_, c))| distance(b).total_cmp(&distance(c)))
            .map(|(at, _)| at)
    }

    fn met_last(&self, a: PlayerId, b: PlayerId) -> bool {
        self.last_met.get(&a) == Some(&b) || self.last_met.get(&b) == Some(&a)
    }

    fn remember(&mut self, a: PlayerId, b: PlayerId) {
        if self.last_met.len() >= Self::REMEMBERED {
            self.last_met.clear();
        }
        self.last_met.insert(a, b);
        self.last_met.insert(b, a);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::PlayerKind;
    use uuid::Uuid;

    const KEY: PoolKey = PoolKey {
        variant: Variant::Fourfold,
        time: Fischer { base_ms: 180_000, increment_ms: 2000 },
        rated: true,
    };

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(0).plus_ms(seconds * 1000)
    }

    fn pools() -> Pools {
        Pools::new(Window { start: 100.0, per_second: 10.0 })
    }

    fn waiting(n: u128, rating: f64, since: i64) -> Waiting {
        let player = Player {
            id: PlayerId(Uuid::from_u128(n)),
            name: format!("p{n}"),
            kind: PlayerKind::Account,
        };
        Waiting { player, rating, since: at(since), blocked: Arc::default() }
    }

    /// The pairs, by the players' numbers.
    fn pair(pools: &mut Pools, now: i64) -> Vec<(u128, u128)> {
        let number = |w: &Waiting| w.player.id.0.as_u128();
        pools.pair(at(now), usize::MAX).iter().map(|(_, a, b)| (number(a), number(b))).collect()
    }

    #[test]
    fn the_nearest_rating_is_chosen() {
        let mut pools = pools();
        for (n, rating) in [(1, 1500.0), (2, 1590.0), (3, 1510.0)] {
            pools.join(KEY, waiting(n, rating, 0));
        }
        assert_eq!(pair(&mut pools, 0), [(1, 3)]);
        assert_eq!(pools.waiting(PlayerId(Uuid::from_u128(2))), Some(KEY));
    }

    #[test]
    fn no_more_are_paired_at_once_than_is_said() {
        let mut pools = pools();
        for n in 1..=9 {
            pools.join(KEY, waiting(n, 1500.0, n as i64));
        }
        let mut made = Vec::new();
        for expected in [2, 2, 0] {
            let pairs = pools.pair(at(9), 2);
            assert_eq!(pairs.len(), expected);
            made.extend(pairs.iter().map(|(_, a, b)| (a.since, b.since)));
        }
        let since = |a, b| (at(a), at(b));
        assert_eq!(made, [since(1, 2), since(3, 4), since(5, 6), since(7, 8)], "as all at once");
        assert_eq!(pools.len(), 1);
    }

    #[test]
    fn the_window_widens_with_waiting() {
        let mut pools = pools();
        pools.join(KEY, waiting(1, 1500.0, 0));
        pools.join(KEY, waiting(2, 1800.0, 19));
        assert_eq!(pair(&mut pools, 19), []);
        assert_eq!(pair(&mut pools, 20), [(1, 2)]);
    }

    #[test]
    fn pools_do_not_mix() {
        let mut pools = pools();
        pools.join(KEY, waiting(1, 1500.0, 0));
        pools.join(PoolKey { rated: false, ..KEY }, waiting(2, 1500.0, 0));
        pools.join(PoolKey { variant: Variant::FourfoldClassic, ..KEY }, waiting(3, 1500.0, 0));
        assert_eq!(pair(&mut pools, 1000), []);
    }

    #[test]
    fn those_in_each_pool_are_counted() {
        let mut pools = pools();
        assert_eq!(pools.crowds(), []);
        let casual = PoolKey { rated: false, ..KEY };
        for (n, key) in [(1, casual), (2, KEY), (3, casual), (4, KEY)] {
            pools.join(key, waiting(n, 1000.0 * n as f64, 0));
        }
        let crowd = |key, waiting| Crowd { key, waiting };
        assert_eq!(pools.crowds(), [crowd(casual, 2), crowd(KEY, 2)]);
        pools.join(KEY, waiting(1, 1000.0, 1));
        assert_eq!(pools.crowds(), [crowd(KEY, 3), crowd(casual, 1)]);
        assert_eq!(pair(&mut pools, 100), [(2, 1)]);
        assert_eq!(pools.crowds(), [crowd(casual, 1), crowd(KEY, 1)]);
    }

    #[test]
    fn nobody_waits_twice_or_plays_itself() {
        let mut pools = pools();
        pools.join(KEY, waiting(1, 1500.0, 0));
        pools.join(KEY, waiting(1, 1500.0, 1));
        assert_eq!(pair(&mut pools, 100), []);
        assert_eq!(pools.leave(PlayerId(Uuid::from_u128(1))), Some(KEY));
        assert_eq!(pools.leave(PlayerId(Uuid::from_u128(1))), None);
    }

    #[test]
    fn the_same_two_do_not_meet_twice_while_others_wait() {
        let mut pools = pools();
        pools.join(KEY, waiting(1, 1500.0, 0));
        pools.join(KEY, waiting(2, 1500.0, 0));
        assert_eq!(pair(&mut pools, 0), [(1, 2)]);
        for n in [1, 2, 3] {
            pools.join(KEY, waiting(n, 1500.0 + n as f64 * 20.0, 1));
        }
        assert_eq!(pair(&mut pools, 1), [(1, 3)], "2 is nearer, but was met last");
        pools.join(KEY, waiting(1, 1500.0, 2));
        assert_eq!(pair(&mut pools, 2), [(2, 1)], "alone together, they may");
    }

    #[test]
    fn the_wider_of_the_two_windows_decides_and_nobody_else() {
        // (waits since, rating) of two, and when they are paired: whoever waits longer accepts more.
        for (a, b, paired_at) in [
            ((0, 1500.0), (0, 1600.0), 0),
            ((0, 1500.0), (0, 1650.0), 5),
            ((0, 1500.0), (50, 1650.0), 50),
            ((40, 1650.0), (50, 1500.0), 50),
            ((48, 1650.0), (50, 1500.0), 53),
        ] {
            let mut pools = pools();
            pools.join(KEY, waiting(1, a.1, a.0));
            pools.join(KEY, waiting(2, b.1, b.0));
            if paired_at > a.0.max(b.0) {
                assert_eq!(pair(&mut pools, paired_at - 1), [], "{a:?} {b:?}");
            }
            assert_eq!(pair(&mut pools, paired_at), [(1, 2)], "{a:?} {b:?}");
        }
    }

    #[test]
    fn who_is_put_back_keeps_the_place_and_has_met_nobody() {
        let mut pools = pools();
        for n in [1, 2, 3, 4] {
            pools.join(KEY, waiting(n, 1500.0, n as i64));
        }
        let mut pairs = pools.pair(at(4), usize::MAX).into_iter();
        let (key, a, b) = pairs.next().expect("1 and 2");
        drop(pairs);
        for n in [5, 6] {
            pools.join(KEY, waiting(n, 1500.0, n as i64));
        }
        pools.put_back(key, a, b);
        assert_eq!(
            pair(&mut pools, 6),
            [(1, 2), (5, 6)],
            "as they came, and as if for the first time"
        );
    }

    #[test]
    fn who_is_blocked_is_never_met_however_long_both_wait() {
        let block = |blocked: u128| Arc::new(HashSet::from([PlayerId(Uuid::from_u128(blocked))]));
        for (blocker, blocked) in [(1, 2), (2, 1)] {
            let mut pools = pools();
            pools.join(KEY, waiting(1, 1500.0, 0));
            pools.join(KEY, waiting(2, 1500.0, 0));
            pools.block(PlayerId(Uuid::from_u128(blocker)), &block(blocked));
            assert_eq!(pair(&mut pools, 100_000), []);
            pools.join(KEY, waiting(3, 1900.0, 100_000));
            assert_eq!(pair(&mut pools, 100_000), [(1, 3)]);
        }
    }

    #[test]
    fn two_who_met_last_meet_again_if_all_others_are_blocked() {
        let mut pools = pools();
        pools.join(KEY, waiting(1, 1500.0, 0));
        pools.join(KEY, waiting(2, 1500.0, 0));
        assert_eq!(pair(&mut pools, 0), [(1, 2)]);
        let blocked = Arc::new(HashSet::from([PlayerId(Uuid::from_u128(3))]));
        for n in [1, 2, 3] {
            pools.join(KEY, Waiting { blocked: Arc::clone(&blocked), ..waiting(n, 1500.0, 1) });
        }
        assert_eq!(pair(&mut pools, 1), [(1, 2)]);
    }

    #[test]
    fn who_plays_elsewhere_is_swept_out() {
        let mut pools = pools();
        for n in [1, 2, 3] {
            pools.join(KEY, waiting(n, 1000.0 * n as f64, 0));
        }
        let two = PlayerId(Uuid::from_u128(2));
        assert_eq!(pools.sweep(|player| player == two), [two]);
        assert_eq!((pools.len(), pools.waiting(two)), (2, None));
    }
}
