//! Finds URLs in running text. Takes a text and returns its URLs with their wrappers. Follows
//! `spec/editions.md`, section 5: the appendices of RFC 1738, of the 1997 and 2003 documents and of
//! RFC 3986 on URLs in text.
//!
//! The search looks at every ":", and for guesses at every "." and "@". At most [`LOOKBEHIND`]
//! octets before it determine where the URL begins and its wrapper; at most [`LIMIT`] octets after
//! it determine where it ends. So the search takes linear time for a text of any length, and works
//! in pieces ([`StreamFinder`]).
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

// From the ground up: what is looked for and found (`finder`, `matched`, `found`), the text (`window`,
// `octets`, `character`, `space`), what it may contain (`name`, `notation`, `escapes`, `expression`,
// `script`), one candidate (`place`, `evidence`, `end`, `trim`, `wrapper`, `string`, `template`,
// `guess`, `examine`), the search (`candidates`, `search`, `stream`), and whole strings (`value`).
mod candidates;
mod character;
mod end;
mod escapes;
mod evidence;
mod evident;
mod examine;
mod expression;
mod finder;
mod found;
mod guess;
mod lines;
mod matched;
mod name;
mod notation;
mod octets;
mod overlong;
mod place;
mod script;
mod search;
mod space;
mod stream;
mod string;
mod template;
mod trim;
mod value;
mod window;
mod wrapper;

pub use evident::is_recognizable;
pub use finder::{Finder, LIMIT, LOOKBEHIND, Preset};
pub use lines::{LineColumn, Lines};
pub use matched::{Match, MatchKind};
pub use search::Matches;
pub use stream::StreamFinder;
pub use template::literal_prefix;
pub use value::Whole;

impl Finder {
    /// Returns the URLs of a text in order; they do not overlap.
    #[must_use]
    pub fn find_iter<'t>(&self, text: &'t [u8]) -> Matches<'_, 't> {
        Matches::whole(self, text)
    }

    /// Creates a finder for a text that arrives in pieces.
    #[must_use]
    pub fn stream(&self) -> StreamFinder<'_> {
        StreamFinder::new(self)
    }
}
