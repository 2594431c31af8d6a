//! The first octets of a document, by which its format is recognised.

use std::borrow::Cow;

use memchr::memchr;

/// The first octets of a text document.
#[derive(Debug)]
pub(crate) struct Head<'a> {
    text: Cow<'a, [u8]>,
    mark: Mark,
}

/// A byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    None,
    Utf8,
    Utf16,
}

impl<'a> Head<'a> {
    /// Returns `None` if the document is binary: it contains a NUL and does not begin with the byte
    /// order mark of UTF-16.
    pub(crate) fn new(first: &'a [u8]) -> Option<Self> {
        if memchr(0, first).is_some() {
            let is_wide = first.starts_with(b"\xFF\xFE") || first.starts_with(b"\xFE\xFF");
            return is_wide.then(|| Self { text: Cow::Owned(without_nul(&first[2..])), mark: Mark::Utf16 });
        }
        Some(match first.strip_prefix(b"\xEF\xBB\xBF") {
            Some(text) => Self { text: Cow::Borrowed(text), mark: Mark::Utf8 },
            None => Self { text: Cow::Borrowed(first), mark: Mark::None },
        })
    }

    /// Returns the octets after the byte order mark; of UTF-16 only the ASCII characters.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the text without its leading white space.
    pub(crate) fn start(&self) -> &[u8] {
        self.text.trim_ascii_start()
    }

    /// Returns whether the document has no byte order mark.
    pub(crate) fn is_unmarked(&self) -> bool {
        self.mark == Mark::None
    }

    /// Returns whether the document is in UTF-16.
    pub(crate) fn is_wide(&self) -> bool {
        self.mark == Mark::Utf16
    }

    /// Returns whether the text begins with one of these names, complete.
    pub(crate) fn begins_with(&self, beginnings: &[&str]) -> bool {
        let text = self.start();
        beginnings.iter().any(|beginning| {
            let (Some(start), next) = (text.get(..beginning.len()), text.get(beginning.len())) else {
                return false;
            };
            start.eq_ignore_ascii_case(beginning.as_bytes())
                && next.is_none_or(|octet| octet.is_ascii_whitespace() || matches!(octet, b'>' | b'/'))
        })
    }
}

/// Returns the octets of UTF-16 that are ASCII.
fn without_nul(octets: &[u8]) -> Vec<u8> {
    octets.iter().copied().filter(|octet| *octet != 0).collect()
}
