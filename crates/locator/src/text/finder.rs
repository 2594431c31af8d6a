//! The options of a search, and its limits.

use alloc::string::String;
use alloc::vec::Vec;

use crate::build::{BuildError, Edit};
use crate::edition::{self, Edition};

/// The maximum length of a match in octets, with its wrapper: 16 MiB.
///
/// It allows for pictures in `data` URLs. A longer URL is skipped to its end;
/// [`Matches::passed_over`](super::Matches::passed_over) and
/// [`StreamFinder::passed_over`](super::StreamFinder::passed_over) report it.
pub const LIMIT: usize = 1 << 24;

/// The number of octets before a position that can affect a match there.
pub const LOOKBEHIND: usize = 512;

/// What the search looks for. Published finders contradict each other, so the caller chooses.
///
/// ```
/// use locator::text::{Finder, Preset};
///
/// let count = |preset| {
///     Finder::new().preset(preset).find_iter(b"www.example.com, http://h/").count()
/// };
/// assert_eq!((count(Preset::Default), count(Preset::Relaxed)), (1, 2));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Preset {
    /// Text in a wrapper for URLs, `scheme://` and the known opaque schemes, if it is a valid URL.
    Strict,
    /// Text that a person would take for a URL, with a known scheme or with "//" after its scheme;
    /// it need not be valid.
    #[default]
    Default,
    /// Like `Default`, with guesses: `www.example.com/`, bare domains, e-mail addresses.
    Relaxed,
}

/// A finder of URLs in text: what it looks for, and the edition that parses matches.
///
/// ```
/// use locator::text::{Finder, Preset};
///
/// let finder =
///     Finder::new().preset(Preset::Relaxed).domains(|name| name.ends_with(".example"));
/// let found: Vec<_> = finder
///     .find_iter(b"at mail.example or main.rs")
///     .map(|found| found.url())
///     .collect();
/// assert_eq!(found, ["http://mail.example"]);
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "LinkFinder")]
pub struct Finder {
    pub(super) preset: Preset,
    pub(super) edition: &'static Edition,
    /// The caller's schemes, in lower case.
    pub(super) schemes: Vec<String>,
    pub(super) domains: Option<fn(&str) -> bool>,
    /// Whether IPv4 addresses without a scheme are guesses.
    pub(super) addresses: bool,
    /// Whether templates are found.
    pub(super) patterns: bool,
    /// Whether defanged URLs are matches as the URLs that they mean.
    pub(super) refang: bool,
}

impl Default for Finder {
    /// Returns [`Finder::new`].
    fn default() -> Self {
        Self::new()
    }
}

impl Finder {
    /// Creates a finder with [`Preset::Default`]; matches are parsed by RFC 3986.
    ///
    /// ```
    /// use locator::text::Finder;
    ///
    /// let text = "See https://example.com/a, and (http://example.org/b).";
    /// let urls: Vec<_> = Finder::new().find_iter(text).map(|found| found.as_str()).collect();
    /// assert_eq!(urls, ["https://example.com/a", "http://example.org/b"]);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self {
            preset: Preset::Default,
            edition: edition::DEFAULT,
            schemes: Vec::new(),
            domains: None,
            addresses: false,
            patterns: false,
            refang: false,
        }
    }

    /// Sets what the search looks for.
    #[must_use]
    pub const fn preset(mut self, preset: Preset) -> Self {
        self.preset = preset;
        self
    }

    /// Sets the edition that parses matches.
    #[must_use]
    pub const fn edition(mut self, edition: &'static Edition) -> Self {
        self.edition = edition;
        self
    }

    /// Adds a scheme, whose URLs are found with or without "//" after the ":".
    ///
    /// ```
    /// use locator::text::{Finder, Preset};
    ///
    /// let finder = Finder::new().preset(Preset::Strict).scheme("x-case")?;
    /// let hits: Vec<_> = finder
    ///     .find_iter(b"see x-case:12-7, please")
    ///     .map(|hit| hit.url().into_owned())
    ///     .collect();
    /// assert_eq!(hits, ["x-case:12-7"]);
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the name is not valid for a scheme.
    pub fn scheme(mut self, name: &str) -> Result<Self, BuildError> {
        Edit::new().set_scheme(name)?;
        self.schemes.push(name.to_ascii_lowercase());
        Ok(self)
    }

    /// Sets the predicate that recognizes registrable domains and names within them.
    ///
    /// Without it no bare domain is a guess. It takes a name of two labels or more, in its original
    /// case, and should use the list of public suffixes.
    ///
    /// ```
    /// use locator::text::{Finder, MatchKind, Preset};
    ///
    /// let finder =
    ///     Finder::new().preset(Preset::Relaxed).domains(|name| name.ends_with(".org"));
    /// let hit = finder.find_iter(b"main.rs is on example.org/src.").next().unwrap();
    /// assert_eq!(
    ///     (hit.kind(), hit.as_str(), &*hit.url()),
    ///     (MatchKind::Domain, "example.org/src", "http://example.org/src")
    /// );
    /// ```
    #[must_use]
    pub const fn domains(mut self, is_domain: fn(&str) -> bool) -> Self {
        self.domains = Some(is_domain);
        self
    }

    /// Finds IPv4 addresses without a scheme, too, if guesses are found.
    ///
    /// Reports about malicious sites name servers by their address alone. In other texts, four
    /// numbers with dots are often a version, and an address is no link. Numbers after a letter and
    /// "-", "/" or "v" are a version: `Chrome/120.0.0.0`.
    ///
    /// ```
    /// use locator::text::{Finder, MatchKind, Preset, defang};
    ///
    /// let finder = Finder::new().preset(Preset::Relaxed).addresses(true);
    /// let text = b"from 192.0.2.1:8080/gate.php, Chrome/120.0.0.0";
    /// let hit = finder.find_iter(text).next().unwrap();
    /// assert_eq!((hit.kind(), hit.as_str()), (MatchKind::Ipv4, "192.0.2.1:8080/gate.php"));
    /// assert_eq!(
    ///     *finder.replace_all(text, |hit| Some(defang(hit.as_str()).into_owned())),
    ///     b"from 192[.]0[.]2[.]1:8080/gate.php, Chrome/120.0.0.0"[..]
    /// );
    /// ```
    #[must_use]
    pub const fn addresses(mut self, are_found: bool) -> Self {
        self.addresses = are_found;
        self
    }

    /// Finds URL templates, too, which are not URLs themselves.
    ///
    /// They are text with expressions in braces (RFC 6570), with `%s` and similar, or with a host
    /// that begins with "$". [`literal_prefix`](super::literal_prefix) returns the prefix that all
    /// URLs made from one share.
    ///
    /// ```
    /// use locator::text::{Finder, MatchKind, Preset, literal_prefix};
    ///
    /// let finder = Finder::default().patterns(true);
    /// let hit =
    ///     finder.find_iter(b"GET https://example.com/users/{id}.").next().unwrap();
    /// assert_eq!(
    ///     (hit.kind(), hit.as_str()),
    ///     (MatchKind::Template, "https://example.com/users/{id}")
    /// );
    /// assert_eq!(literal_prefix(hit.as_str()), "https://example.com/users/");
    /// ```
    #[must_use]
    pub const fn patterns(mut self, are_found: bool) -> Self {
        self.patterns = are_found;
        self
    }

    /// Returns defanged URLs as the URLs that they mean, with or without a scheme.
    ///
    /// Reports about malicious sites write URLs so that nobody opens them by mistake, as
    /// `hxxp://evil[.]example/`. Without this option, such a URL is a match as written, of the kind
    /// [`Defanged`](super::MatchKind::Defanged); it is never cut at its marks.
    /// [`refang`](super::refang()) describes the notation.
    ///
    /// ```
    /// use locator::text::{Finder, MatchKind};
    ///
    /// let text = b"seen at hxxp://evil[.]example/a and at 192.0.2[.]1.";
    /// let urls = |finder: Finder| {
    ///     finder.find_iter(text).map(|hit| hit.url().into_owned()).collect::<Vec<_>>()
    /// };
    /// assert_eq!(urls(Finder::default()), ["hxxp://evil[.]example/a"]);
    /// assert_eq!(
    ///     urls(Finder::default().refang(true)),
    ///     ["http://evil.example/a", "http://192.0.2.1"]
    /// );
    /// ```
    #[must_use]
    pub const fn refang(mut self, are_refanged: bool) -> Self {
        self.refang = are_refanged;
        self
    }

    /// Returns whether defanged URLs are returned as the URLs that they mean.
    #[must_use]
    pub const fn is_refanging(&self) -> bool {
        self.refang
    }

    /// Whether the caller has added this scheme.
    pub(super) fn allows(&self, name: &[u8]) -> bool {
        self.schemes.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name))
    }
}
