//! The transposition table: what is known about positions that were searched before.

use crate::score::{MATE_BOUND, Value};

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is at least this.
    AtLeast,
    /// The true one is at most this.
    AtMost,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<M> {
    /// The best move, or the one that refuted the position.
    pub(crate) best: Option<M>,
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    /// How deep the position was searched.
    pub(crate) depth: u8,
}

/// An entry as it is kept. Sixteen bytes with a Fourfold move.
#[derive(Clone, Copy)]
struct Slot<M> {
    key: u64,
    best: Option<M>,
    value: i16,
    bound: Bound,
    /// One more than the depth; 0 in an empty slot.
    depth: u8,
}

/// A table of bounded size from keys of positions to [`Entry`], which forgets the shallow before the deep. `M` is a
/// game's move.
pub(crate) struct Table<M> {
    slots: Vec<Slot<M>>,
    /// The number of buckets is a power of two; this is it less one.
    mask: u64,
}

/// A key may lie in any slot of its bucket.
const BUCKET: usize = 4;

impl<M: Copy> Table<M> {
    /// An empty table of at most so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let fitting = bytes / (BUCKET * size_of::<Slot<M>>());
        let buckets = if fitting == 0 { 1 } else { 1 << fitting.ilog2() };
        let empty = Slot { key: 0, best: None, value: 0, bound: Bound::Exact, depth: 0 };
        Self { slots: vec![empty; buckets * BUCKET], mask: buckets as u64 - 1 }
    }

    /// The table that a search of so many positions needs: more would only take time to clear.
    pub(crate) fn for_nodes(nodes: Option<u64>) -> Self {
        /// 16 MiB.
        const MOST: usize = 16 << 20;
        let wanted = nodes.and_then(|nodes| usize::try_from(nodes).ok()).unwrap_or(usize::MAX);
        Self::new(wanted.saturating_mul(2 * size_of::<Slot<M>>()).min(MOST))
    }

    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let start = (key & self.mask) as usize * BUCKET;
        start..start + BUCKET
    }

    /// What is known about the position with this key, as seen at `ply` plies from the root.
    pub(crate) fn get(&self, key: u64, ply: usize) -> Option<Entry<M>> {
        let slot = self.slots[self.bucket(key)].iter().find(|slot| slot.key == key)?;
        let depth = slot.depth.checked_sub(1)?;
        let value = from_here(Value::from(slot.value), -(ply as Value));
        Some(Entry { best: slot.best, value, bound: slot.bound, depth })
    }

    /// Keeps what was found out about a position at `ply` plies from the root.
    pub(crate) fn put(&mut self, key: u64, ply: usize, entry: Entry<M>) {
        let bucket = self.bucket(key);
        let bucket = &mut self.slots[bucket];
        let shallowest =
            || bucket.iter().enumerate().min_by_key(|(_, slot)| slot.depth).map(|(n, _)| n);
        let place = bucket.iter().position(|slot| slot.key == key).or_else(shallowest);
        let slot = &mut bucket[place.unwrap_or_default()];
        // A search that failed low knows no best move; the one found earlier is still a good guess.
        let known = if slot.key == key { slot.best } else { None };
        *slot = Slot {
            key,
            best: entry.best.or(known),
            value: from_here(entry.value, ply as Value) as i16,
            bound: entry.bound,
            depth: entry.depth.saturating_add(1),
        };
    }
}

/// A mate is counted from the root in a search, but from the position itself in the table: it is so many plies nearer.
fn from_here(value: Value, plies: Value) -> Value {
    if value >= MATE_BOUND {
        value + plies
    } else if value <= -MATE_BOUND {
        value - plies
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{MATE, mated_in};

    fn entry(best: Option<u16>, value: Value, depth: u8) -> Entry<u16> {
        Entry { best, value, bound: Bound::Exact, depth }
    }

    #[test]
    fn what_is_put_in_comes_out() {
        let mut table = Table::new(1 << 12);
        assert_eq!(table.get(0, 0), None, "an empty slot is not the key 0");
        for key in [0, 1, u64::MAX, 0x1234_5678] {
            let put = entry(Some(7), -31, 5);
            table.put(key, 3, put);
            assert_eq!(table.get(key, 9), Some(put));
        }
    }

    #[test]
    fn mates_are_counted_from_the_position() {
        let mut table = Table::new(1 << 12);
        // Mated four plies after a position that was found three plies from the root, and met again five from it.
        table.put(1, 3, entry(None, mated_in(3 + 4), 2));
        assert_eq!(table.get(1, 5).map(|entry| entry.value), Some(mated_in(5 + 4)));
        table.put(2, 3, entry(None, MATE - 6, 2));
        assert_eq!(table.get(2, 1).map(|entry| entry.value), Some(MATE - 4));
    }

    #[test]
    fn a_full_bucket_forgets_the_shallowest() {
        let mut table = Table::new(0);
        for (key, depth) in [(1, 4), (2, 2), (3, 3), (4, 9), (5, 1)] {
            table.put(key, 0, entry(None, 0, depth));
        }
        assert_eq!(table.get(2, 0), None);
        for key in [1, 3, 4, 5] {
            assert!(table.get(key, 0).is_some(), "{key}");
        }
    }

    #[test]
    fn a_best_move_outlives_a_search_that_found_none() {
        let mut table = Table::new(0);
        table.put(1, 0, entry(Some(7), 10, 4));
        table.put(1, 0, entry(None, 0, 5));
        assert_eq!(table.get(1, 0), Some(entry(Some(7), 0, 5)));
    }

    #[test]
    fn the_size_is_bounded() {
        let size = |nodes| Table::<u16>::for_nodes(nodes).slots.len() * size_of::<Slot<u16>>();
        assert_eq!(size(None), 16 << 20);
        assert!(size(Some(1000)) < 64 << 10);
        assert_eq!(size(Some(0)), BUCKET * size_of::<Slot<u16>>());
    }
}
