//! Numbers after ids, so that each is used once.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// How headings with the same text get different ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Counting {
    /// "-1" and so on, by the number of earlier headings that have the same text.
    #[default]
    SameText,
    /// "-1" and so on, the first that is not used.
    Unused,
    /// `_1` and so on, the first that is not used; an empty id has a number, too.
    Underscore,
}

/// The maximum number of ids that are stored.
const MOST: usize = 1 << 20;

/// The maximum number of numbers that are tried in a document. Few are, unless its texts are made for it.
const MOST_TRIED: usize = 1 << 22;

/// The ids of a document so far, as hashes, so that memory is bounded.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    counting: Counting,
    /// For each id that was made, and each that was used, the number that is tried next.
    next: HashMap<u64, u32>,
    keys: RandomState,
    /// How many numbers were tried.
    tried: usize,
}

impl Numbers {
    pub(crate) fn new(counting: Counting) -> Self {
        Self { counting, ..Self::default() }
    }

    /// Returns an id with the number that distinguishes it from the earlier ones.
    pub(crate) fn unique(&mut self, id: String) -> String {
        match self.counting {
            Counting::SameText => match self.count(&id) {
                0 => id,
                number => format!("{id}-{number}"),
            },
            Counting::Unused => self.unused(&id, (&id, '-', 0)),
            Counting::Underscore => {
                let numbered = id.rsplit_once('_').filter(|(_, digits)| is_number(digits));
                let numbered = numbered.and_then(|(stem, digits)| Some((stem, digits.parse().ok()?)));
                let (stem, number) = numbered.unwrap_or((&id, 0));
                self.unused(&id, (stem, '_', number))
            }
        }
    }

    /// Notes an id that is written in the document.
    pub(crate) fn note(&mut self, id: &str) {
        if self.counting == Counting::Underscore {
            self.count(id);
        }
    }

    /// Counts an id; returns how often it was counted before.
    fn count(&mut self, id: &str) -> u32 {
        let key = self.keys.hash_one(id);
        if self.next.len() >= MOST && !self.next.contains_key(&key) {
            return 0;
        }
        let seen = self.next.entry(key).or_default();
        std::mem::replace(seen, seen.saturating_add(1))
    }

    /// Returns the id, or the stem with the first number after `number` that makes an unused one.
    fn unused(&mut self, id: &str, (stem, separator, number): (&str, char, u32)) -> String {
        let key = self.keys.hash_one(id);
        let tried = self.next.get(&key).copied();
        if tried.is_none() && (!id.is_empty() || separator == '-') {
            self.count(id);
            return id.to_owned();
        }
        // The numbers up to the last one are used.
        let mut number = number.max(tried.unwrap_or(1).saturating_sub(1));
        loop {
            number = number.saturating_add(1);
            self.tried += 1;
            let numbered = format!("{stem}{separator}{number}");
            let is_unused = !self.next.contains_key(&self.keys.hash_one(&numbered));
            if is_unused || self.tried > MOST_TRIED {
                self.count(&numbered);
                if self.next.len() < MOST || self.next.contains_key(&key) {
                    self.next.insert(key, number.saturating_add(1));
                }
                return numbered;
            }
        }
    }
}

fn is_number(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit())
}
