//! Links in a form that nothing in a tree explains ([`LinkCounts`]). If most of them lead to nothing, they are not dead, but not
//! understood:
//!
//! - paths such as `routing` and `../svelte/`, which name no file but a page, in documents whose generator is not known, by
//!   the directory of the document,
//! - fragments of headings, by the directory of the file that they are looked up in: a program may make other headings of its
//!   text,
//! - files that the directory beside theirs has, by their own directory: a build may put both together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::sites::UnreadForm;

/// How many links of one form there are, by directories.
#[derive(Debug, Default)]
pub(crate) struct LinkCounts {
    counts: Mutex<BTreeMap<PathBuf, LinkCount>>,
}

/// The links of a directory.
#[derive(Debug, Default)]
struct LinkCount {
    links: u64,
    misses: u64,
    /// Documents with misses, as many as are needed.
    documents: Vec<Box<str>>,
    example: String,
}

/// The fewest misses that say that the form is not understood, and the fewest documents that have them.
const FEWEST_MISSES: u64 = 20;
const FEWEST_DOCUMENTS: usize = 3;

impl LinkCount {
    fn is_doubtful(&self) -> bool {
        self.misses >= FEWEST_MISSES
            && self.documents.len() >= FEWEST_DOCUMENTS
            && self.misses * 2 > self.links
    }
}

impl LinkCounts {
    /// Counts a link of a document, for a directory.
    pub(crate) fn count(&self, area: &Path, document: &str, url: &str, exists: bool) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(area.to_owned()).or_default();
        count.links += 1;
        if exists {
            return;
        }
        count.misses += 1;
        if count.example.is_empty() {
            url.clone_into(&mut count.example);
        }
        let is_new = || !count.documents.iter().any(|own| **own == *document);
        if count.documents.len() < FEWEST_DOCUMENTS && is_new() {
            count.documents.push(document.into());
        }
    }

    /// Returns whether most of the links of a directory lead to nothing.
    pub(crate) fn is_doubtful(&self, area: &Path) -> bool {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(area).is_some_and(LinkCount::is_doubtful)
    }

    /// Returns the links that are not understood, with one of them.
    pub(crate) fn unread_forms(&self) -> Vec<UnreadForm> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let doubtful = counts.values().filter(|count| count.is_doubtful());
        doubtful.map(|count| UnreadForm { example: count.example.clone(), links: count.misses }).collect()
    }
}

/// Returns whether a relative reference without a fragment names a page rather than a file: its last name has no ending.
pub(crate) fn is_page_like(stem: &str) -> bool {
    let path = stem.split('?').next().unwrap_or_default();
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    !path.starts_with(['/', '\\']) && !path.contains(':') && !last.is_empty() && !last.contains('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_pages() {
        for (path, expected) in [
            ("routing", true),
            ("../svelte/", true),
            ("a/b?x=a.b", true),
            ("a.md", false),
            ("/a", false),
            ("..", false),
            ("", false),
            ("https://h/a", false),
        ] {
            assert_eq!(is_page_like(path), expected, "{path}");
        }
    }

    #[test]
    fn most_of_many_in_several_documents() {
        let paths = LinkCounts::default();
        let area = Path::new("/r/docs");
        let add = |document: &str, exists| paths.count(area, document, "routing", exists);
        (0..19).for_each(|number| add(["a", "b", "c"][number % 3], false));
        (0..10).for_each(|_| add("a", true));
        assert!(!paths.is_doubtful(area));
        add("a", false);
        assert!(paths.is_doubtful(area) && !paths.is_doubtful(Path::new("/r")));
        assert_eq!(paths.unread_forms().first().map(|form| form.links), Some(20));
        (0..10).for_each(|_| add("a", true));
        assert!(!paths.is_doubtful(area));
    }
}
