//! Remembers URLs to print each only once, and names of files to write each only once.
//!
//! A hash of 128 bits is kept for each URL, whatever its length. Its keys are random, so that
//! nobody can construct two URLs with the same hash; a chance collision among 10^9 URLs is less
//! likely than 2^-68.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

/// The URLs that were seen.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    keys: [RandomState; 2],
    /// Divided, so that threads seldom wait for each other.
    hashes: [Mutex<HashSet<u128>>; PARTS],
}

const PARTS: usize = 16;

impl Seen {
    /// Returns whether a URL is seen for the first time.
    pub(crate) fn is_new(&self, url: &str) -> bool {
        self.is_new_name(url.as_bytes())
    }

    /// Returns whether a name, which need not be text, is seen for the first time.
    pub(crate) fn is_new_name(&self, name: &[u8]) -> bool {
        let (part, hash) = self.hash(name);
        part.lock().unwrap_or_else(PoisonError::into_inner).insert(hash)
    }

    /// Forgets a name that was seen.
    #[cfg(feature = "get")]
    pub(crate) fn forget(&self, name: &[u8]) {
        let (part, hash) = self.hash(name);
        part.lock().unwrap_or_else(PoisonError::into_inner).remove(&hash);
    }

    /// Returns the hash, and where it is kept.
    fn hash(&self, name: &[u8]) -> (&Mutex<HashSet<u128>>, u128) {
        let [low, high] = [0, 1].map(|half| self.keys[half].hash_one(name));
        (&self.hashes[low as usize % PARTS], u128::from(high) << 64 | u128::from(low))
    }
}

#[cfg(test)]
mod tests {
    use super::Seen;

    #[test]
    fn each_is_new_once() {
        let seen = Seen::default();
        let urls = || (0..10_000).map(|number| format!("http://h/{number}"));
        assert!(urls().all(|url| seen.is_new(&url)));
        assert!(!urls().any(|url| seen.is_new(&url)));
        #[cfg(feature = "get")]
        seen.forget(b"http://h/7");
        #[cfg(feature = "get")]
        assert_eq!(urls().filter(|url| seen.is_new(url)).collect::<Vec<_>>(), ["http://h/7"]);
    }
}
