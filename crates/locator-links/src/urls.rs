//! The URLs of servers that links lead to, each once, without fragments.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of a URL in [`Urls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlId(pub(crate) u32);

impl UrlId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The URLs of a run.
#[derive(Debug, Default)]
pub struct Urls {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    ids: HashMap<Arc<str>, UrlId>,
    entries: Vec<Wanted>,
}

/// A URL that is asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The URL, without a fragment.
    pub url: Arc<str>,
    /// Whether a link to it has a fragment, so that the page is read.
    pub has_fragment: bool,
    /// Whether the user named it.
    pub is_own: bool,
}

impl Urls {
    /// Returns the number of a URL.
    pub fn find(&self, url: &str, has_fragment: bool, is_own: bool) -> UrlId {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let id = match table.ids.get(url) {
            Some(&id) => id,
            None => {
                let (id, url) = (UrlId(table.entries.len() as u32), Arc::<str>::from(url));
                table.ids.insert(Arc::clone(&url), id);
                table.entries.push(Wanted { url, has_fragment: false, is_own: false });
                id
            }
        };
        if let Some(entry) = table.entries.get_mut(id.index()) {
            entry.has_fragment |= has_fragment;
            entry.is_own |= is_own;
        }
        id
    }

    /// Returns all URLs, in the order of their numbers.
    #[must_use]
    pub fn all(&self) -> Vec<Wanted> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).entries.clone()
    }

    /// Returns whether there is no URL.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).entries.is_empty()
    }

    /// Returns the text of a URL.
    #[must_use]
    pub fn text(&self, id: UrlId) -> Arc<str> {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.entries.get(id.index()).map_or_else(|| Arc::from(""), |entry| Arc::clone(&entry.url))
    }
}
