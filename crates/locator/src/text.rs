//! Finds URLs in running text: in messages, logs, source code and comments.
//!
//! A [`Finder`] takes octets and returns [`Match`]es: where a URL is, how it is marked, and which URL
//! is meant. It follows `spec/editions.md`, section 5: the appendices of RFC 1738, of the 1997 and 2003
//! documents and of RFC 3986 on URLs in text.
//!
//! ```
//! use locator::text::{Finder, MatchKind};
//!
//! let text =
//!     b"I found it under <ftp://ds.internic.\n  net/rfc/> (see http://www.w3.org/Addressing/).";
//! let matches: Vec<_> = Finder::default().find_iter(text).collect();
//! assert_eq!(matches[0].url(), "ftp://ds.internic.net/rfc/");
//! assert_eq!((matches[0].kind(), matches[0].span()), (MatchKind::Angle, 18..47));
//! assert_eq!(matches[1].url(), "http://www.w3.org/Addressing/");
//! assert_eq!(matches[1].kind(), MatchKind::Bare);
//! ```
//!
//! # When
//!
//! For text that has no markup. HTML, Markdown, CSS, JSON and mail have links at known places and escapes
//! of their own: the crate `locator-find` reads those formats, and uses this module for the text in
//! them. To know whether one whole string is a URL, use [`UriRef::parse`](crate::UriRef::parse) or
//! [`Finder::whole`].
//!
//! # What is found
//!
//! Published finders contradict each other, so the caller chooses by a [`Preset`]:
//!
//! | | `Strict` | `Default` | `Relaxed` |
//! |---|---|---|---|
//! | `<URL:http://h/>`, `http://h/`, `mailto:a@b.example` | if it is valid | yes | yes |
//! | `http://h/50%`, which is not valid | no | yes | yes |
//! | `www.example.com/`, `example.com`, `a@example.com` | no | no | as guesses |
//!
//! ```
//! use locator::text::{Finder, Preset};
//!
//! let text = b"http://h/50%, www.example.com";
//! let found = |preset| {
//!     let finder = Finder::new().preset(preset);
//!     finder
//!         .find_iter(text)
//!         .map(|found| found.url().into_owned())
//!         .collect::<Vec<_>>()
//! };
//! assert_eq!(found(Preset::Strict), [""; 0]);
//! assert_eq!(found(Preset::Default), ["http://h/50%"]);
//! assert_eq!(
//!     found(Preset::Relaxed),
//!     ["http://h/50%", "http://www.example.com"]
//! );
//! ```
//!
//! A word with a ":" is a URL if its scheme is known, or if "//" follows. [`Finder::scheme`] adds a
//! scheme of the caller:
//!
//! ```
//! use locator::text::Finder;
//!
//! let finder = Finder::default().scheme("ticket")?;
//! let found: Vec<_> = finder
//!     .find_iter(b"fixes ticket:1234.")
//!     .map(|found| found.as_str())
//!     .collect();
//! assert_eq!(found, ["ticket:1234"]);
//! # Ok::<_, locator::BuildError>(())
//! ```
//!
//! # Where a URL ends
//!
//! A full stop, a comma, a quote or a bracket after a URL belongs to the sentence, unless the bracket was
//! opened within the URL. Space ends a URL, except within `<` and `>`, where a long URL may continue on
//! the next line.
//!
//! ```
//! use locator::text::Finder;
//!
//! let found = |text: &'static str| {
//!     Finder::default().find_iter(text.as_bytes()).next().unwrap().as_str()
//! };
//! assert_eq!(found("See http://h/a."), "http://h/a");
//! assert_eq!(found("(http://h/a_(b))"), "http://h/a_(b)");
//! assert_eq!(found("\"http://h/a\", he said"), "http://h/a");
//! ```
//!
//! # Streams
//!
//! The search looks at every ":", and for guesses at every "." and "@". At most [`LOOKBEHIND`] octets
//! before it determine where the URL begins and its wrapper; at most [`LIMIT`] octets after it determine
//! where it ends. So the search takes linear time for a text of any length, and works in pieces:
//! [`StreamFinder`] finds the same matches in a text that does not fit into memory.
//!
//! # Pitfalls
//!
//! - [`Match::as_str`] is what the text contains, [`Match::url`] is the URL: without line breaks within
//!   `<` and `>`, without the escapes of a string, with a scheme for a guess. Fetch the latter.
//! - A match need not be a valid URL. [`Match::read`] parses it by the finder's edition, and returns the
//!   error with its position.
//! - Text of strangers contains URLs of strangers: what is found is not safe to fetch.
//! - The text is octets and need not be UTF-8. A URL ends at an invalid octet. UTF-16 must be converted
//!   first.
//! - A match may contain a password. `Debug` hides it; `as_str` and `url` do not.

// From the ground up: what is looked for and found (`finder`, `matched`, `lines`), the text (`window`), what it
// may contain (`name`, `expression`, `evident`, `refang`), one candidate (`end`, `wrapper`, `template`,
// `defanged`, `examine`), the search (`search`), whole strings (`value`), and URLs written for text (`wrap`,
// `defang`).
mod defang;
mod defanged;
mod end;
mod evident;
mod examine;
mod expression;
mod finder;
mod lines;
mod matched;
mod name;
mod refang;
mod search;
mod template;
mod value;
mod window;
mod wrap;
mod wrapper;

pub use defang::defang;
pub use evident::is_recognizable;
pub use finder::{Finder, LIMIT, LOOKBEHIND, Preset};
pub use lines::{LineColumn, Lines};
pub use matched::{Match, MatchKind};
pub use refang::refang;
pub use search::{Matches, StreamFinder};
pub use template::literal_prefix;
pub use value::Whole;
pub use wrap::wrap;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

impl Finder {
    /// Returns the URLs of a text, a `&str` or bytes, in order; they do not overlap.
    #[doc(alias("links", "find_all"))]
    #[must_use]
    pub fn find_iter<'t>(&self, text: &'t (impl AsRef<[u8]> + ?Sized)) -> Matches<'_, 't> {
        Matches::whole(self, text.as_ref())
    }

    /// Returns the text with matches replaced; `with` returns what replaces a match, or `None` if it stays. All
    /// other octets stay, and so does what is around a match, such as `<` and `>`.
    ///
    /// ```
    /// use locator::text::{Finder, defang};
    ///
    /// let log = b"GET http://evil.example/a 200\n";
    /// let new = Finder::default()
    ///     .replace_all(log, |found| Some(defang(found.as_str()).into_owned()));
    /// assert_eq!(*new, *b"GET hxxp://evil[.]example/a 200\n");
    /// ```
    pub fn replace_all<'t>(
        &self,
        text: &'t [u8],
        mut with: impl FnMut(&Match<'t>) -> Option<String>,
    ) -> Cow<'t, [u8]> {
        let (mut new, mut end) = (Vec::new(), 0);
        for found in self.find_iter(text) {
            let Some(written) = with(&found) else { continue };
            new.extend_from_slice(&text[end..found.span().start]);
            new.extend_from_slice(written.as_bytes());
            end = found.span().end;
        }
        if end == 0 {
            return Cow::Borrowed(text);
        }
        new.extend_from_slice(&text[end..]);
        Cow::Owned(new)
    }

    /// Creates a finder for a text that arrives in pieces.
    #[must_use]
    pub fn stream(&self) -> StreamFinder<'_> {
        StreamFinder::new(self)
    }
}
