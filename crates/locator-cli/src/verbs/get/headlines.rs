//! The headlines of the documents of WAIS, which name their files: a search has listed them in the list of
//! URLs. The identifier in the URL is octets for its server, and no name.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use locator::scheme::{WaisObject, WaisUrl};
use locator::{Edition, UriRef};

/// The headlines of the documents in a list of URLs, until they are fetched.
#[derive(Debug, Default)]
pub(super) struct Headlines(Mutex<HashMap<String, String>>);

impl Headlines {
    /// Keeps the headline of a URL, if it is one of a document.
    pub(super) fn keep(&self, url: &[u8], headline: &[u8], edition: &'static Edition) {
        let Ok(url) = str::from_utf8(url) else { return };
        if UriRef::parse_with(url, edition).is_ok_and(is_document) {
            self.all().insert(url.into(), String::from_utf8_lossy(headline).into_owned());
        }
    }

    /// Returns the headline of a URL, once.
    pub(super) fn take(&self, url: UriRef<'_>) -> Option<String> {
        self.all().remove(url.as_str())
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Splits a line of a list that `get` has printed: a URL, a tab and a name.
pub(super) fn with_name(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let tab = memchr::memchr(b'\t', line)?;
    Some((line.get(..tab)?, line.get(tab + 1..)?))
}

/// Returns whether a URL is one of a document.
fn is_document(url: UriRef<'_>) -> bool {
    WaisUrl::of(url).is_ok_and(|wais| matches!(wais.object, WaisObject::Document(_)))
}
