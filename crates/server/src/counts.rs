//! Counting by key, where what is not counted any more is forgotten.

use std::collections::HashMap;
use std::hash::Hash;

/// Counts one for `key`, unless there are `most` already.
pub fn count_up<K: Hash + Eq>(counts: &mut HashMap<K, usize>, key: K, most: usize) -> bool {
    let count = counts.entry(key).or_default();
    let fits = *count < most;
    *count += usize::from(fits);
    fits
}

/// Counts one more for `key`.
pub fn count_one<K: Hash + Eq>(counts: &mut HashMap<K, usize>, key: K) {
    *counts.entry(key).or_default() += 1;
}

/// Counts one less for `key`.
pub fn count_down<K: Hash + Eq>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}
