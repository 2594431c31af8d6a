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

/// What a link says of its URL.
#[derive(Clone, Copy, Debug, Default)]
pub struct Use {
    /// Whether it has a fragment.
    pub has_fragment: bool,
    /// Whether the fragment leads to a text of the page.
    pub has_text: bool,
    /// Whether the user named it.
    pub is_own: bool,
    /// Whether it leads to a page: not to an image or another part of one.
    pub is_page: bool,
}

/// A URL that is asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The URL, without a fragment.
    pub url: Arc<str>,
    /// Whether a link to it has a fragment, so that the page is read.
    pub has_fragment: bool,
    /// Whether a link to it leads to a text of the page.
    pub has_text: bool,
    /// Whether the user named it.
    pub is_own: bool,
    /// Whether a link leads to it as a page: not as an image or another part of one.
    pub is_page: bool,
}

impl Urls {
    /// Returns the number of a URL, which is used so, too.
    pub fn find(&self, url: &str, of: Use) -> UrlId {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let id = match table.ids.get(url) {
            Some(&id) => id,
            None => {
                let (id, url) = (UrlId(table.entries.len() as u32), Arc::<str>::from(url));
                table.ids.insert(Arc::clone(&url), id);
                table.entries.push(Wanted {
                    url,
                    has_fragment: false,
                    has_text: false,
                    is_own: false,
                    is_page: false,
                });
                id
            }
        };
        if let Some(entry) = table.entries.get_mut(id.index()) {
            entry.has_fragment |= of.has_fragment;
            entry.has_text |= of.has_text;
            entry.is_own |= of.is_own;
            entry.is_page |= of.is_page;
        }
        id
    }

    /// Returns the URLs from a number on, in the order of their numbers.
    #[must_use]
    pub(crate) fn from(&self, first: usize) -> Vec<Wanted> {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.entries.get(first..).unwrap_or_default().to_vec()
    }

    /// Returns what is wanted of a URL.
    pub(crate) fn wanted(&self, id: UrlId) -> Option<Wanted> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).entries.get(id.index()).cloned()
    }

    /// Returns how many URLs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).entries.len()
    }

    /// Returns whether there is no URL.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the text of a URL.
    #[must_use]
    pub fn text(&self, id: UrlId) -> Arc<str> {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.entries.get(id.index()).map_or_else(|| Arc::from(""), |entry| Arc::clone(&entry.url))
    }
}
