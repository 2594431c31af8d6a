//! A match: its position, the URL that it denotes, and how that URL is parsed.
//!
//! The offsets of a URL that was found, from which a match is made.
//!
//! Decodes the escapes of strings in JSON and similar notations: takes a text and returns its
//! characters. Follows RFC 8259, section 7.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::fmt::{self, Formatter};
use core::ops::Range;

use super::{refang, window};
use crate::edition::{Edition, RFC3987};
use crate::error::{ParseError, Redacted};
use crate::reference::{UriBuf, UriRef, UriRefBuf};
use crate::scheme::MailtoParts;

/// A URL that was found in a text.
///
/// `Debug` shows the match with its password hidden, not the text around it:
///
/// ```
/// use locator::text::Finder;
///
/// let hit = Finder::default().find_iter(b"see http://u:p@h/a.").next().unwrap();
/// assert_eq!(
///     format!("{hit:?}"),
///     r#"Match { kind: Bare, span: 4..18, text: "http://u:(hidden)@h/a" }"#
/// );
/// ```
#[derive(Clone, Copy)]
pub struct Match<'t> {
    pub(super) text: &'t [u8],
    pub(super) start: usize,
    pub(super) end: usize,
    /// The start and end of its wrapper, or of the URL itself if it has no wrapper.
    pub(super) outer: (usize, usize),
    pub(super) how: MatchKind,
    pub(super) edition: &'static Edition,
}

crate::as_text::named! {
    /// The evidence by which a URL was found.
    ///
    /// ```
    /// use locator::text::{Finder, MatchKind, Preset};
    ///
    /// let kind = |text: &str| {
    ///     Finder::new().preset(Preset::Relaxed)
    ///         .find_iter(text.as_bytes())
    ///         .next()
    ///         .unwrap()
    ///         .kind()
    /// };
    /// assert_eq!(kind("<URL:http://h/>"), MatchKind::UrlPrefix);
    /// assert_eq!(kind("<http://h/>"), MatchKind::Angle);
    /// assert_eq!(kind("see http://h/"), MatchKind::Bare);
    /// assert_eq!(kind("www.example.com"), MatchKind::Www);
    /// assert!(MatchKind::Email.is_guess() && !MatchKind::Bare.is_guess());
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum MatchKind {
        /// A URL between `<URL:` and `>`.
        UrlPrefix = "url",
        /// A URL between `<` and `>`.
        Angle = "angle",
        /// A URL between double quotes.
        Quoted = "quoted",
        /// A URL with a scheme, without a wrapper.
        Bare = "bare",
        /// A URL with a scheme, in a string with escapes, as in JSON:
        /// `http:\/\/example.com\/?a\u0026b`.
        Escaped = "escaped",
        /// A URL template with a scheme: `http://example.com/{id}`. Only if the caller asks for them
        /// ([`Finder::patterns`](super::Finder::patterns)).
        Template = "template",
        /// A defanged URL, `hxxp://evil[.]example`: written so that nobody opens it by mistake. The
        /// URL of the match is as written.
        Defanged = "defanged",
        /// A defanged URL, as the URL that it means. Only if the caller asks for it
        /// ([`Finder::refang`](super::Finder::refang)).
        Refanged = "refanged",
        /// A guess: text that begins with `www.`.
        Www = "www",
        /// A guess: text that begins with a domain name.
        Domain = "domain",
        /// A guess: an e-mail address.
        Email = "email",
        /// A guess: text that begins with an IPv4 address. Only if the caller asks for it
        /// ([`Finder::addresses`](super::Finder::addresses)).
        Ipv4 = "ipv4",
    }

    /// Returns the name of this kind in JSON: `bare`.
    pub const fn name;
}

impl MatchKind {
    /// Returns whether this is a guess: the text has neither a scheme nor a wrapper for URLs.
    #[must_use]
    pub const fn is_guess(self) -> bool {
        matches!(self, Self::Www | Self::Domain | Self::Email | Self::Ipv4)
    }
}

impl<'t> Match<'t> {
    /// Returns the span of the match: octets from the start of the text, without the wrapper.
    #[inline]
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the span of the match with its wrapper: `<URL:` and `>`, `<` and `>`, or the quotes.
    #[inline]
    #[must_use]
    pub const fn outer_span(&self) -> Range<usize> {
        self.outer.0..self.outer.1
    }

    /// Returns the octets of the match as they are in the text, white space included.
    #[inline]
    #[must_use]
    pub fn as_bytes(&self) -> &'t [u8] {
        &self.text[self.start..self.end]
    }

    /// Returns the match as text. It is always UTF-8: a URL ends at an invalid octet.
    #[must_use]
    pub fn as_str(&self) -> &'t str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Returns how the URL was found.
    #[inline]
    #[must_use]
    pub const fn kind(&self) -> MatchKind {
        self.how
    }

    /// Returns whether the match is a guess, which the text itself does not mark as a URL.
    #[inline]
    #[must_use]
    pub const fn is_guess(&self) -> bool {
        self.how.is_guess()
    }

    /// Returns the URL of the match, without the white space in a wrapper and the escapes of a
    /// string. A guess gets the scheme that is most likely.
    ///
    /// "In some cases, extra whitespace (spaces, line-breaks, tabs, etc.) may have to be added to
    /// break a long URI across lines. The whitespace should be ignored when the URI is extracted"
    /// (RFC 3986, appendix C). "Most hostnames beginning with "www" are likely to have a URI prefix
    /// of "http://"" (draft of 2003, appendix F).
    #[must_use]
    pub fn url(&self) -> Cow<'t, str> {
        let text = self.as_str();
        match self.how {
            MatchKind::Www | MatchKind::Domain | MatchKind::Ipv4 => Cow::Owned(format!("http://{text}")),
            MatchKind::Email => Cow::Owned(address(text)),
            MatchKind::Escaped => Cow::Owned(unescaped(text)),
            MatchKind::Refanged => Cow::Owned(self.refanged()),
            MatchKind::Template if text.contains("\\/") => Cow::Owned(unescaped(text)),
            _ if !self.has_space() => Cow::Borrowed(text),
            _ => Cow::Owned(window::without_spaces(text).collect()),
        }
    }

    /// Returns the other reading of a URL in which a hyphen ends a line: the URL without such
    /// hyphens.
    ///
    /// "The interpreter of a URI containing a line break immediately after a hyphen should ignore
    /// all whitespace around the line break and should be aware that the hyphen may or may not
    /// actually be part of the URI."
    ///
    /// ```
    /// use locator::text::Finder;
    ///
    /// let hit = Finder::default()
    ///     .find_iter(b"<http://example.com/well-\n  known>")
    ///     .next()
    ///     .unwrap();
    /// assert_eq!(hit.url(), "http://example.com/well-known");
    /// assert_eq!(hit.alternate().as_deref(), Some("http://example.com/wellknown"));
    /// ```
    #[must_use]
    pub fn alternate(&self) -> Option<String> {
        if !self.has_space() {
            return None;
        }
        let (mut other, mut differs) = (String::new(), false);
        for line in self.as_str().split_inclusive(['\n', '\r']) {
            let length = other.len();
            other.extend(window::without_spaces(line));
            // INVARIANT: every line within the wrapper ends in a line break, except the last one.
            if line.ends_with(['\n', '\r']) && other.ends_with('-') && other.len() > length {
                other.pop();
                differs = true;
            }
        }
        differs.then_some(other)
    }

    /// Parses the URL by the finder's edition, or by RFC 3987 if it has characters beyond ASCII.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL is not valid, although a person would take it for one. Its
    /// position is in [`Match::url`].
    pub fn read(&self) -> Result<UriRefBuf, ParseError> {
        let url = self.url();
        read(&url, self.edition).map(|reference| reference.to_owned())
    }

    /// Returns whether the URL is valid.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        read(&self.url(), self.edition).is_ok()
    }

    /// The URL that a defanged text means, which may be in a wrapper or a string with escapes.
    fn refanged(&self) -> String {
        let text = self.as_str();
        let text: Cow<'_, str> = if text.contains("\\/") {
            Cow::Owned(unescaped(text))
        } else if self.outer.0 < self.start && window::has_space(text) {
            Cow::Owned(window::without_spaces(text).collect())
        } else {
            Cow::Borrowed(text)
        };
        let url = refang(&text);
        match refang::bare(&text) {
            None => url.into_owned(),
            Some(refang::Bare::Host) => format!("http://{url}"),
            Some(refang::Bare::Email) => address(&url),
        }
    }

    fn has_space(&self) -> bool {
        matches!(self.how, MatchKind::UrlPrefix | MatchKind::Angle) && window::has_space(self.as_str())
    }
}

impl fmt::Debug for Match<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = Redacted::new(self.as_str());
        f.debug_struct("Match")
            .field("kind", &self.how)
            .field("span", &self.span())
            .field("text", &text)
            .finish()
    }
}

/// Returns the URL of an e-mail address.
fn address(text: &str) -> String {
    let parts = MailtoParts::new(text);
    parts.build().map_or_else(|_| text.into(), UriBuf::into_string)
}

/// Parses a URL as a match is parsed.
pub(super) fn read<'a>(url: &'a str, edition: &'static Edition) -> Result<UriRef<'a>, ParseError> {
    let edition = if url.is_ascii() || UriRef::parse_with(url, edition).is_ok() { edition } else { &RFC3987 };
    UriRef::parse_with(url, edition)
}

/// The position of a URL that was found. It is written in place; a [`Match`] is made
/// from it at the end. Its fields differ from those of a match: copying several fields that were
/// just written takes as long as finding a URL.
#[derive(Debug)]
pub(super) struct UrlPosition {
    pub(super) start: usize,
    length: u32,
    /// The number of octets of the wrapper before and after it.
    lead: u32,
    trail: u32,
    pub(super) how: MatchKind,
}

impl Default for UrlPosition {
    fn default() -> Self {
        Self { start: 0, length: 0, lead: 0, trail: 0, how: MatchKind::Bare }
    }
}

impl UrlPosition {
    /// Sets the span of the URL and that of its wrapper. Neither is longer than
    /// [`LIMIT`](super::LIMIT).
    #[inline(always)]
    pub(super) fn set(&mut self, (start, end): (usize, usize), outer: (usize, usize), how: MatchKind) {
        self.start = start;
        self.length = (end - start) as u32;
        self.lead = (start - outer.0) as u32;
        self.trail = (outer.1 - end) as u32;
        self.how = how;
    }

    #[inline(always)]
    pub(super) fn end(&self) -> usize {
        self.start + self.length as usize
    }

    #[inline(always)]
    pub(super) fn outer(&self) -> (usize, usize) {
        (self.start - self.lead as usize, self.end() + self.trail as usize)
    }
}

/// Returns a URL without its escapes.
pub(super) fn unescaped(text: &str) -> String {
    let mut url = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (character, length) = character(&rest.as_bytes()[at..]).unwrap_or(('\\', 1));
        url.push_str(&rest[..at]);
        url.push(character);
        rest = &rest[at + length..];
    }
    url.push_str(rest);
    url
}

/// Returns the character of an escape and the length of the escape; `None` for a surrogate and for
/// other escapes.
pub(super) fn character(escape: &[u8]) -> Option<(char, usize)> {
    match escape {
        [b'\\', b'/', ..] => Some(('/', 2)),
        [b'\\', b'u', digits @ ..] => {
            let digits = core::str::from_utf8(digits.get(..4)?).ok()?;
            let is_hex = digits.bytes().all(|octet| octet.is_ascii_hexdigit());
            let number = is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()?;
            // A character beyond ASCII mostly ends a URL.
            char::from_u32(number).filter(char::is_ascii).map(|character| (character, 6))
        }
        _ => None,
    }
}
