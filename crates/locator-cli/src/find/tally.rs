//! URLs in, how many there are of each host or of each scheme out, the most frequent first.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use locator::{Edition, Part, UriRef};

use crate::arguments::CountByWord;

/// How many there are of each kind, in all files together.
#[derive(Debug, Default)]
pub(super) struct Tally(Mutex<Counts>);

/// How many there are of each kind.
pub(super) type Counts = HashMap<Kind, u64>;

/// What URLs are counted by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// The host or the scheme, in small letters.
    Named(String),
    /// It is relative, so that it has none of its own.
    Relative,
    /// It is absolute, and has no host.
    NoHost,
    /// It is not valid, so that nobody knows.
    NotValid,
}

impl Kind {
    /// The kind of a URL.
    pub(super) fn of(url: &str, edition: &'static Edition, what: CountByWord) -> Self {
        let Ok(reference) = UriRef::parse_by(url, edition) else { return Self::NotValid };
        let part = match what {
            CountByWord::Host => Part::Host,
            CountByWord::Scheme => Part::Scheme,
        };
        match (reference.part(part), reference.to_uri()) {
            (Some(name), _) if !name.is_empty() => Self::Named(name.to_ascii_lowercase()),
            (_, Some(_)) => Self::NoHost,
            (_, None) => Self::Relative,
        }
    }

    /// Its name, if it has one.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            _ => None,
        }
    }

    /// Why it has none.
    pub(crate) const fn why(&self) -> Option<&'static str> {
        match self {
            Self::Named(_) => None,
            Self::Relative => Some("relative"),
            Self::NoHost => Some("no host"),
            Self::NotValid => Some("not valid"),
        }
    }
}

impl Tally {
    /// Adds what one file has.
    pub(super) fn add(&self, counts: Counts) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.into_iter().for_each(|(kind, count)| *all.entry(kind).or_default() += count);
    }

    /// All of them, the most frequent first.
    pub(super) fn rows(&self) -> Vec<(Kind, u64)> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rows: Vec<_> = all.iter().map(|(kind, count)| (kind.clone(), *count)).collect();
        rows.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        rows
    }
}
