//! Running text enters, the URLs in it leave, each with what it stands in: `spec/editions.md`, section 5, which is
//! the appendices of RFC 1738, of the 1997 and 2003 documents and of RFC 3986 on URLs in text.
//!
//! A URL is looked for where a ":" stands, or, for guesses, a "." or an "@". What stands before it, at most
//! [`LOOKBEHIND`] octets, tells where it begins and what it is wrapped in; what stands behind it, at most [`LIMIT`]
//! octets, where it ends. So a text of any length is searched in linear time, and a piece at a time ([`StreamFinder`]).
//!
//! ```
//! use locator::text::{Finder, MatchKind};
//!
//! let text = b"I found it under <ftp://ds.internic.\n  net/rfc/> (see http://www.w3.org/Addressing/).";
//! let hits: Vec<_> = Finder::default().find_iter(text).collect();
//! assert_eq!(hits[0].url(), "ftp://ds.internic.net/rfc/");
//! assert_eq!((hits[0].kind(), hits[0].span()), (MatchKind::Angle, 18..47));
//! assert_eq!((hits[1].kind(), hits[1].url().as_ref()), (MatchKind::Bare, "http://www.w3.org/Addressing/"));
//! ```

mod candidates;
mod character;
mod end;
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
mod window;
mod wrapper;

pub use lines::{LineColumn, Lines};
pub use matched::Match;
pub use search::Matches;
pub use stream::StreamFinder;
pub use template::literal_prefix;

use alloc::string::String;
use alloc::vec::Vec;

use crate::build::{BuildError, Edit};
use crate::edition::{self, Edition};
use crate::span::Component;

/// How many octets a hit may have, its wrapper included: 16 MiB, so that pictures in `data` URLs are found. What goes on for longer is
/// passed over to its end, which [`Matches::passed_over`] and [`StreamFinder::passed_over`] tell.
pub const LIMIT: usize = 1 << 24;

/// How many octets before a place can say what stands there.
pub const LOOKBEHIND: usize = 512;

/// What is looked for. Published finders contradict each other, so there is a choice.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Preset {
    /// What a wrapper says to be a URL, `scheme://` and the opaque schemes that are known, as far as it can be read.
    Strict,
    /// What a person would take for a URL, of any scheme that is known or followed by "//"; it need not be readable.
    #[default]
    Default,
    /// That, and guesses: `www.example.com/`, bare domains, e-mail addresses.
    Relaxed,
}

/// How a URL was found.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchKind {
    /// Between `<URL:` and `>`.
    Url,
    /// Between `<` and `>`.
    Angle,
    /// Between double quotes.
    Quoted,
    /// By its scheme, in the midst of the text.
    Bare,
    /// By its scheme, in a string that has escapes in it, as JSON has: `http:\/\/example.com\/?a\u0026b`.
    Escaped,
    /// By its scheme, as a template of URLs: `http://example.com/{id}`. Only where they are asked for ([`Finder::patterns`]).
    Template,
    /// A guess: it begins with `www.`.
    Www,
    /// A guess: it begins with the name of a domain.
    Domain,
    /// A guess: an e-mail address.
    Email,
}

impl MatchKind {
    /// Whether it is a guess: the text says neither a scheme nor that it is a URL.
    pub const fn is_guess(self) -> bool {
        matches!(self, Self::Www | Self::Domain | Self::Email)
    }
}

/// What is looked for, and how it is read.
#[derive(Clone, Debug)]
pub struct Finder {
    preset: Preset,
    edition: &'static Edition,
    /// The caller's schemes, in lower case.
    schemes: Vec<String>,
    domains: Option<fn(&str) -> bool>,
    /// Whether templates are found.
    patterns: bool,
}

impl Default for Finder {
    fn default() -> Self {
        Self::new(Preset::Default)
    }
}

impl Finder {
    /// Looks for what the preset says; what is found is read by RFC 3986.
    pub const fn new(preset: Preset) -> Self {
        Self { preset, edition: edition::DEFAULT, schemes: Vec::new(), domains: None, patterns: false }
    }

    /// Reads what is found by this edition.
    #[must_use]
    pub const fn edition(mut self, edition: &'static Edition) -> Self {
        self.edition = edition;
        self
    }

    /// Finds URLs of this scheme too, be there "//" behind its ":" or not.
    ///
    /// ```
    /// use locator::text::{Finder, Preset};
    ///
    /// let finder = Finder::new(Preset::Strict).scheme("x-case")?;
    /// let hits: Vec<_> = finder.find_iter(b"see x-case:12-7, please").map(|hit| hit.url().into_owned()).collect();
    /// assert_eq!(hits, ["x-case:12-7"]);
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The name cannot be a scheme's.
    pub fn scheme(mut self, name: &str) -> Result<Self, BuildError> {
        Edit::new(edition::DEFAULT).set(Component::Scheme, name)?;
        self.schemes.push(name.to_ascii_lowercase());
        Ok(self)
    }

    /// Says which names are domains that something can be registered in or that are so registered: without it no
    /// bare domain is guessed. It is given a name of two labels or more, in the case in which it stands, and
    /// should know the public suffixes.
    ///
    /// ```
    /// use locator::text::{Finder, MatchKind, Preset};
    ///
    /// let finder = Finder::new(Preset::Relaxed).domains(|name| name.ends_with(".org"));
    /// let hit = finder.find_iter(b"main.rs is on example.org/src.").next().unwrap();
    /// assert_eq!((hit.kind(), hit.as_str(), &*hit.url()), (MatchKind::Domain, "example.org/src", "http://example.org/src"));
    /// ```
    #[must_use]
    pub const fn domains(mut self, is_domain: fn(&str) -> bool) -> Self {
        self.domains = Some(is_domain);
        self
    }

    /// Finds templates of URLs, too, which are no URLs themselves: those with expressions in braces (RFC 6570), `%s` and its like, or a host
    /// that begins with "$". What all URLs made from one begin with says [`literal_prefix`].
    ///
    /// ```
    /// use locator::text::{Finder, MatchKind, Preset, literal_prefix};
    ///
    /// let finder = Finder::default().patterns(true);
    /// let hit = finder.find_iter(b"GET https://example.com/users/{id}.").next().unwrap();
    /// assert_eq!((hit.kind(), hit.as_str()), (MatchKind::Template, "https://example.com/users/{id}"));
    /// assert_eq!(literal_prefix(hit.as_str()), "https://example.com/users/");
    /// ```
    #[must_use]
    pub const fn patterns(mut self, are_found: bool) -> Self {
        self.patterns = are_found;
        self
    }

    /// The URLs of a text, in their order. They do not overlap.
    pub fn find_iter<'t>(&self, text: &'t [u8]) -> Matches<'_, 't> {
        Matches::whole(self, text)
    }

    /// The same of a text that comes piece by piece.
    pub fn stream(&self) -> StreamFinder<'_> {
        StreamFinder::new(self)
    }

    /// Whether the caller has named this scheme.
    fn allows(&self, name: &[u8]) -> bool {
        self.schemes.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name))
    }
}
