//! A hash table of limited size: how often each key was added, or only which keys were.
//!
//! Keys are hashes already. They are in one array, with linear probing, so that a lookup touches one
//! or two cache lines.

/// The keys that were added.
pub(super) struct Table {
    /// 0 marks a free slot.
    keys: Vec<u128>,
    /// The count of the key in the same slot; empty if nothing is counted.
    counts: Vec<u64>,
    used: usize,
    /// How many slots there may be.
    most: usize,
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
        let slot = size_of::<u128>() + if counts { size_of::<u64>() } else { 0 };
        let most = (bytes / slot).max(16);
        let slots = most.min(Self::FIRST);
        Self { keys: vec![Self::FREE; slots], counts: vec![0; if counts { slots } else { 0 }], used: 0, most }
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
            self.counts.get_mut(slot).into_iter().for_each(|count| *count += 1);
            return Added::Known;
        }
        if self.used >= self.keys.len() / 4 * 3 {
            if self.keys.len() >= self.most {
                return Added::Full;
            }
            self.grow();
            slot = self.find(key);
        }
        self.keys[slot] = key;
        self.counts.get_mut(slot).into_iter().for_each(|count| *count = 1);
        self.used += 1;
        Added::New
    }

    /// Returns the count of a key and sets it to 0.
    pub(super) fn take_count(&mut self, key: u128) -> u64 {
        let key = key.max(1);
        let slot = self.find(key);
        let is_there = self.keys[slot] == key;
        self.counts.get_mut(slot).filter(|_| is_there).map_or(0, std::mem::take)
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
        let slots = (2 * self.keys.len()).min(self.most);
        let keys = std::mem::replace(&mut self.keys, vec![Self::FREE; slots]);
        let has_counts = !self.counts.is_empty();
        let counts = std::mem::replace(&mut self.counts, vec![0; if has_counts { slots } else { 0 }]);
        for (old, &key) in keys.iter().enumerate().filter(|(_, key)| **key != Self::FREE) {
            let slot = self.find(key);
            self.keys[slot] = key;
            if has_counts {
                self.counts[slot] = counts[old];
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
        assert_eq!(table.add(7), Added::New);
        assert_eq!([2, 7, 8, 2].map(|key| table.take_count(key)), [2, 1, 0, 0]);
        assert!(keys().filter(|&key| key != 2).all(|key| table.take_count(key) == 2));
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
