//! A hash table of limited size: how often each key was added, or only which keys were.
//!
//! Keys are hashes already. They are in one array, with linear probing, so that a lookup touches one
//! or two cache lines.

use super::counts::Counts;

/// The keys that were added.
pub(super) struct Table {
    /// 0 marks a free slot.
    keys: Vec<u128>,
    /// How many keys were added before that of the same slot; empty if nothing is counted.
    places: Vec<u32>,
    /// By place.
    counts: Counts,
    used: usize,
    /// How many slots there may be.
    most: usize,
    /// How often the number of slots can be doubled until there are as many.
    doublings: u32,
}

/// What [`Table::add`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// The key was not in the table, and is now.
    New,
    /// The key was in the table.
    Known,
    /// The key is not in the table, which is full.
    Full,
}

impl Table {
    const FREE: u128 = 0;
    const FIRST: usize = 1 << 12;

    /// Creates a table that takes at most that many bytes, and half of that more while it grows.
    pub(super) fn new(bytes: usize, counts: bool) -> Self {
        let count = if counts { size_of::<u32>() + Counts::BYTES } else { 0 };
        let most = (bytes / (size_of::<u128>() + count)).clamp(16, u32::MAX as usize);
        let doublings = (most / Self::FIRST).checked_ilog2().map_or(0, |doublings| doublings + 1);
        let slots = most >> doublings;
        let places = vec![0; if counts { slots } else { 0 }];
        Self { keys: vec![Self::FREE; slots], places, counts: Counts::new(), used: 0, most, doublings }
    }

    /// Returns the content of the first slot of a key. Reading those of many keys at once takes
    /// little longer than reading one, and afterwards they are in the cache.
    pub(super) fn touch(&self, key: u128) -> u128 {
        self.keys[Self::start(key, self.keys.len())]
    }

    /// Adds a key, or increases its count.
    pub(super) fn add(&mut self, key: u128) -> Added {
        let key = key.max(1);
        let mut slot = self.find(key);
        if self.keys[slot] == key {
            if let Some(&place) = self.places.get(slot) {
                self.counts.increase(place);
            }
            return Added::Known;
        }
        if self.used >= self.keys.len() / 4 * 3 {
            if self.doublings == 0 {
                return Added::Full;
            }
            self.grow();
            slot = self.find(key);
        }
        self.keys[slot] = key;
        if let Some(place) = self.places.get_mut(slot) {
            *place = self.counts.push();
        }
        self.used += 1;
        Added::New
    }

    /// Returns how often each key was added, in the order in which they were first added.
    pub(super) fn into_counts(self) -> Counts {
        self.counts
    }

    /// Returns the slot of a key, or the free one where it would be. There is always a free one.
    fn find(&self, key: u128) -> usize {
        let mut slot = Self::start(key, self.keys.len());
        while self.keys[slot] != key && self.keys[slot] != Self::FREE {
            slot = if slot + 1 == self.keys.len() { 0 } else { slot + 1 };
        }
        slot
    }

    /// Returns the first slot of a key: its high half as a fraction of the table.
    fn start(key: u128, slots: usize) -> usize {
        let scaled = (key >> 64) * slots as u128;
        (scaled >> 64) as usize
    }

    fn grow(&mut self) {
        self.doublings -= 1;
        let slots = self.most >> self.doublings;
        let keys = std::mem::replace(&mut self.keys, vec![Self::FREE; slots]);
        let is_counted = !self.places.is_empty();
        let places = std::mem::replace(&mut self.places, vec![0; if is_counted { slots } else { 0 }]);
        for (old, &key) in keys.iter().enumerate().filter(|(_, key)| **key != Self::FREE) {
            let slot = self.find(key);
            self.keys[slot] = key;
            if is_counted {
                self.places[slot] = places[old];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys that fall into few slots, and into the last one.
    fn keys() -> impl Iterator<Item = u128> {
        let near = (0..500).map(|low| u128::MAX << 64 | low);
        near.chain((1..500).map(|high| high << 100)).chain([0, 2])
    }

    #[test]
    fn a_key_is_new_once_and_is_counted() {
        let mut table = Table::new(1 << 20, true);
        assert!(keys().all(|key| table.add(key) == Added::New));
        assert!(keys().all(|key| table.add(key) == Added::Known));
        assert_eq!([7, 2].map(|key| table.add(key)), [Added::New, Added::Known]);
        let counts: Vec<u64> = table.into_counts().iter().collect();
        assert_eq!(counts, keys().map(|key| if key == 2 { 3 } else { 2 }).chain([1]).collect::<Vec<_>>());
    }

    #[test]
    fn a_table_doubles_up_to_its_limit() {
        for (bytes, counts, slots) in
            [(1600, false, 100), (16 * 10_000, false, 10_000), (22 << 16, true, 1 << 16)]
        {
            let mut table = Table::new(bytes, counts);
            let first = table.keys.len();
            while table.doublings > 0 {
                let before = table.keys.len();
                table.grow();
                assert!((2 * before..=2 * before + 1).contains(&table.keys.len()));
            }
            assert_eq!(table.keys.len(), slots);
            assert!(first < 2 * Table::FIRST);
        }
    }

    #[test]
    fn a_full_table_knows_its_keys() {
        let mut table = Table::new(1600, false);
        let new = keys().take_while(|&key| table.add(key) == Added::New).count();
        assert_eq!(new, 75);
        assert!(keys().take(75).all(|key| table.add(key) == Added::Known));
        assert_eq!(table.add(u128::MAX), Added::Full);
    }
}
