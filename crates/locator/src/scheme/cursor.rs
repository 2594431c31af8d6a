//! A cursor over the text between a scheme's ":" and "#": takes a reference that is valid on the
//! generic level. Each method returns the text that it has read or the first octet that breaks the
//! rule. The documents' grammars define the syntax; literals are case-insensitive, as in RFC 5234.
//!
//! A window on the errors of a text: those from an offset on, the first from the left, as many as there
//! is room for. A text may have an error at each octet, and an error takes forty; so a long text is read
//! again for each window, which takes no more memory than the text itself.
//!
//! Terminals: the characters that are allowed in one place of a URL, and the rule that defines
//! them. This module contains those that several schemes of a document share, from the grammars of
//! `url-1993`, `url-1994` and `rfc1738`; the others are in the files of the schemes.

use alloc::vec::Vec;
use core::ops::Range;

use crate::edition::{Edition, Rule, rfc1738, url_1993, url_1994};
use crate::error::{ParseError, ParseErrorKind};
use crate::reference::UriRef;
use crate::simd::AsciiSet;
use crate::span::{Component, ComponentSpans};

/// A cursor over the text of a URL after the scheme's ":".
///
/// [`SchemeRule::check`](crate::scheme::SchemeRule) gets one, and reads by it what the rule allows. Each
/// method returns the text that it read, or the error at the first byte that the rule does not allow.
/// Offsets are byte offsets in the whole text.
///
/// ```
/// use locator::edition::RFC3986;
/// use locator::scheme::{
///     AsciiSet, Equivalences, ParseError, Reader, Registry, Rule, Scheme,
///     SchemeRule, Syntax, Terminal,
/// };
/// use locator::uri_ref;
///
/// // zip:five-digits
/// static DIGIT: Terminal =
///     Terminal::new(AsciiSet::DIGIT, "DIGIT", "B.1", "a decimal digit");
/// static ZIP: Rule =
///     Rule { name: "zip-url", section: "1", expects: "the form zip:12345" };
/// static RULES: [SchemeRule; 1] =
///     [SchemeRule { edition: &RFC3986, rule: &ZIP, check }];
///
/// fn check(reader: &mut Reader<'_>) -> Result<(), ParseError> {
///     for _ in 0..5 {
///         reader.take_one(&DIGIT)?;
///     }
///     Ok(())
/// }
///
/// #[derive(Debug)]
/// struct Zip;
///
/// impl Scheme for Zip {
///     fn names(&self) -> &'static [&'static str] {
///         &["zip"]
///     }
///     fn object(&self) -> &'static str {
///         "a place"
///     }
///     fn form(&self) -> Syntax {
///         Syntax { text: "zip:12345", citation: "our own" }
///     }
///     fn rules(&self) -> &'static [SchemeRule] {
///         &RULES
///     }
/// }
/// impl Equivalences for Zip {}
///
/// let mut schemes = Registry::new();
/// schemes.register(&Zip).unwrap();
/// let offset = |uri| {
///     let result = schemes.check(uri).unwrap();
///     result.err().map(|error| error.offset())
/// };
/// assert_eq!(offset(uri_ref!("zip:02139")), None);
/// assert_eq!(offset(uri_ref!("zip:02x39")), Some(6));
/// assert_eq!(offset(uri_ref!("zip:021390")), Some(9));
/// ```
#[derive(Debug)]
pub struct Reader<'a> {
    pub(in crate::scheme) text: &'a str,
    pub(in crate::scheme) edition: &'static Edition,
    /// The components of the generic level.
    pub(in crate::scheme) parts: ComponentSpans,
    /// The scheme's own rule: "the form …".
    pub(in crate::scheme) form: &'static Rule,
    /// The offset of the next octet.
    pub(in crate::scheme) at: usize,
    end: usize,
    /// The errors so far, if all are looked for.
    found: Option<&'a mut Window>,
}

/// A copy reads ahead: it returns the first error.
impl Clone for Reader<'_> {
    fn clone(&self) -> Self {
        Self { found: None, ..*self }
    }
}

impl<'a> Reader<'a> {
    /// Creates a cursor after the scheme's ":".
    pub(in crate::scheme) fn new(reference: UriRef<'a>, form: &'static Rule) -> Self {
        let parts = reference.spans();
        let (at, end) = (parts.after_scheme() as usize, parts.query_end as usize);
        Self { text: reference.as_str(), edition: reference.edition(), parts, form, at, end, found: None }
    }

    /// Creates a cursor over a text that need not be valid, divided by appendix B. It passes over
    /// octets that are not allowed and adds their errors to `found`.
    pub(in crate::scheme) fn over_invalid(
        text: &'a str,
        edition: &'static Edition,
        parts: ComponentSpans,
        form: &'static Rule,
        found: &'a mut Window,
    ) -> Self {
        let (at, end) = (parts.after_scheme() as usize, parts.query_end as usize);
        Self { text, edition, parts, form, at, end, found: Some(found) }
    }

    /// Returns an error, or adds it to the others where all are looked for.
    pub(in crate::scheme) fn report(&mut self, error: ParseError) -> Result<(), ParseError> {
        match &mut self.found {
            Some(found) => found.push(error),
            None => return Err(error),
        }
        Ok(())
    }

    /// Returns the offset of the next octet.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Returns the offset after the last octet.
    #[must_use]
    pub fn end(&self) -> usize {
        self.end
    }

    /// Returns the text that has not been read.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..self.end).unwrap_or_default()
    }

    /// Returns whether the whole text has been read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.at >= self.end
    }

    /// Returns the offset of the first unread octet in this set; otherwise that of the end.
    #[must_use]
    pub fn find(&self, stops: &[u8]) -> usize {
        let found = self.rest().iter().position(|octet| stops.contains(octet));
        found.map_or(self.end, |index| self.at + index)
    }

    /// Returns the offset of the last occurrence of an octet, or the end if it does not occur.
    #[must_use]
    pub fn find_last(&self, stop: u8) -> usize {
        let found = self.rest().iter().rposition(|octet| *octet == stop);
        found.map_or(self.end, |index| self.at + index)
    }

    /// Returns the offset of this ASCII literal, ignoring case; otherwise that of the end.
    #[must_use]
    pub fn find_literal(&self, literal: &str) -> usize {
        let mut windows = self.rest().windows(literal.len().max(1));
        let found = windows.position(|window| window.eq_ignore_ascii_case(literal.as_bytes()));
        found.map_or(self.end, |index| self.at + index)
    }

    /// Reads the literal if it is next, and returns whether it was.
    pub fn skip(&mut self, literal: &str) -> bool {
        let is_next = self.common(literal) == literal.len();
        if is_next {
            self.at += literal.len();
        }
        is_next
    }

    /// Reads the literal, which is required.
    ///
    /// # Errors
    ///
    /// [`ParseErrorKind::Missing`] by the scheme's own rule, at the first octet that differs.
    pub fn expect(&mut self, literal: &str) -> Result<(), ParseError> {
        if self.skip(literal) {
            return Ok(());
        }
        self.at += self.common(literal);
        Err(self.missing(self.form))
    }

    /// Reads octets and escapes of a terminal up to the first of `stops` or the end.
    ///
    /// # Errors
    ///
    /// [`ParseErrorKind::InvalidByte`] at the first one that the terminal does not allow.
    pub fn take(&mut self, piece: &'static Terminal, stops: &[u8]) -> Result<&'a str, ParseError> {
        self.take_to(piece, self.find(stops))
    }

    /// Reads at least one octet of a terminal, up to the first of `stops` or the end.
    ///
    /// # Errors
    ///
    /// Those of [`take`](Self::take), or [`ParseErrorKind::Missing`] if there is nothing.
    pub fn take_some(&mut self, piece: &'static Terminal, stops: &[u8]) -> Result<&'a str, ParseError> {
        self.take_some_to(piece, self.find(stops))
    }

    /// Reads octets and escapes of a terminal up to an offset.
    ///
    /// # Errors
    ///
    /// [`ParseErrorKind::InvalidByte`] at the first one that the terminal does not allow.
    pub fn take_to(&mut self, piece: &'static Terminal, end: usize) -> Result<&'a str, ParseError> {
        let start = self.at;
        while self.at < end.min(self.end) {
            self.take_one(piece)?;
        }
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// Reads at least one octet of a terminal, up to an offset.
    ///
    /// # Errors
    ///
    /// Those of [`take_to`](Self::take_to), or [`ParseErrorKind::Missing`] if there is nothing.
    pub fn take_some_to(&mut self, piece: &'static Terminal, end: usize) -> Result<&'a str, ParseError> {
        if self.at >= end.min(self.end) {
            return Err(self.missing(&piece.rule));
        }
        self.take_to(piece, end)
    }

    /// Reads one octet or one escape of a terminal.
    ///
    /// # Errors
    ///
    /// [`ParseErrorKind::InvalidByte`] if the terminal does not allow it, [`ParseErrorKind::Missing`] at
    /// the end.
    pub fn take_one(&mut self, piece: &'static Terminal) -> Result<&'a str, ParseError> {
        let start = self.at;
        let Some(&octet) = self.rest().first() else {
            return Err(self.missing(&piece.rule));
        };
        if !piece.set.contains(octet) {
            self.report(self.not_allowed(&piece.rule))?;
        }
        let is_digit = |index: usize| self.rest().get(index).is_some_and(u8::is_ascii_hexdigit);
        self.at += if octet == b'%' && is_digit(1) && is_digit(2) { 3 } else { 1 };
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// Returns the error of a missing element that the rule requires.
    #[must_use]
    pub fn missing(&self, rule: &'static Rule) -> ParseError {
        self.error(ParseErrorKind::Missing, self.at..self.at, rule)
    }

    /// Checks that the whole text has been read.
    pub(in crate::scheme) fn finish(&self) -> Result<(), ParseError> {
        if self.is_at_end() { Ok(()) } else { Err(self.not_allowed(self.form)) }
    }

    /// Returns the error of a next octet that is not allowed.
    fn not_allowed(&self, rule: &'static Rule) -> ParseError {
        // Text that is valid on the generic level is ASCII: one octet is one character.
        self.error(ParseErrorKind::InvalidByte, self.at..self.at + 1, rule)
    }

    pub(in crate::scheme) fn error(
        &self,
        kind: ParseErrorKind,
        span: Range<usize>,
        rule: &'static Rule,
    ) -> ParseError {
        ParseError::new(self.text.as_bytes(), self.edition, kind, self.part_at(span.start), span.into(), rule)
    }

    /// Returns the component of an offset; the end belongs to the component before it.
    fn part_at(&self, offset: usize) -> Component {
        match self.parts.get(Component::Query) {
            Some(query) if query.start as usize <= offset => Component::Query,
            _ => self.parts.component_at(offset),
        }
    }

    /// Returns the length of the common prefix with the literal.
    fn common(&self, literal: &str) -> usize {
        let pairs = self.rest().iter().zip(literal.as_bytes());
        pairs.take_while(|(here, there)| here.eq_ignore_ascii_case(there)).count()
    }
}

/// The errors of a text by the rule of its scheme that are looked for.
#[derive(Debug)]
pub(in crate::scheme) struct Window {
    from: usize,
    room: usize,
    errors: Vec<ParseError>,
    /// The offset of the first error for which there was no room.
    rest: Option<usize>,
    /// The first error of a user or a password that is not allowed, wherever the window begins.
    login: Option<ParseError>,
}

/// How many errors of a short text a window has room for.
const LEAST: usize = 1024;

/// How many times a text is read at most for all its errors. The room for them doubles before those
/// further right are left out.
const MOST: usize = 64;

impl Window {
    /// The first window of a text.
    pub(in crate::scheme) fn at_start(text: &str) -> Self {
        Self::starting_at(0, text)
    }

    /// The window that begins at an offset.
    pub(in crate::scheme) fn starting_at(from: usize, text: &str) -> Self {
        Self { room: (text.len() / MOST).max(LEAST), from, ..Self::of_all() }
    }

    /// A window that has room for all errors.
    pub(in crate::scheme) const fn of_all() -> Self {
        Self { from: 0, room: usize::MAX, errors: Vec::new(), rest: None, login: None }
    }

    /// Adds an error, unless it is outside of the window. They need not come in order.
    pub(in crate::scheme) fn push(&mut self, error: ParseError) {
        let offset = error.offset();
        if is_of_login(&error) && self.login.is_none_or(|login| offset < login.offset()) {
            self.login = Some(error);
        }
        if offset < self.from || self.rest.is_some_and(|rest| rest <= offset) {
            return;
        }
        self.errors.push(error);
        if self.errors.len() / 2 >= self.room {
            self.leave_out();
        }
    }

    /// Leaves out the errors for which there is no room; those at one offset stay together.
    fn leave_out(&mut self) {
        self.errors.sort_by_key(ParseError::offset);
        let Some(rest) = self.errors.get(self.room).map(ParseError::offset) else { return };
        let end = self.errors.partition_point(|error| error.offset() < rest);
        if end > 0 {
            self.errors.truncate(end);
            self.rest = Some(rest);
        }
    }

    /// Returns the errors of this window.
    pub(in crate::scheme) fn end(mut self) -> WindowErrors {
        self.errors.sort_by_key(ParseError::offset);
        WindowErrors { errors: self.errors, rest: self.rest }
    }

    /// Returns the first error of a user or a password that is not allowed.
    pub(in crate::scheme) const fn login(&self) -> Option<ParseError> {
        self.login
    }
}

/// The errors of a window.
pub(in crate::scheme) struct WindowErrors {
    /// From left to right.
    pub(in crate::scheme) errors: Vec<ParseError>,
    /// Where the errors after the window begin.
    pub(in crate::scheme) rest: Option<usize>,
}

/// Returns whether an error is of a user or a password that is not allowed.
pub(in crate::scheme) fn is_of_login(error: &ParseError) -> bool {
    error.kind() == ParseErrorKind::NotAllowed
}

/// The characters that are allowed in one place of a URL, and their rule.
///
/// ```
/// use locator::AsciiSet;
/// use locator::scheme::Terminal;
///
/// const DIGITS: Terminal =
///     Terminal::new(AsciiSet::DIGIT, "digits", "5", "a digit");
/// assert!(DIGITS.set.contains(b'7') && DIGITS.rule.name == "digits");
/// ```
#[derive(Debug)]
pub struct Terminal {
    /// The allowed octets; "%" in this set allows a whole percent-encoded octet.
    pub set: AsciiSet,
    /// The rule that defines the set.
    pub rule: Rule,
}

impl Terminal {
    /// Creates the terminal that a document calls `name` in `section`.
    #[must_use]
    pub const fn new(
        set: AsciiSet,
        name: &'static str,
        section: &'static str,
        expects: &'static str,
    ) -> Self {
        Self { set, rule: Rule { name, section, expects } }
    }
}

/// The section of the grammar in the draft of 1993.
pub(in crate::scheme) const BNF_1993: &str = "BNF syntax";
/// The section of the grammar in the draft of 1994.
pub(in crate::scheme) const BNF_1994: &str = "BNF for specific URL schemes";

/// One decimal digit or more.
const NUMBER: &str = "one decimal digit or more";

// path = *xpalpha *( "/" *xpalpha )
pub(in crate::scheme) static PATH_1993: Terminal = Terminal::new(
    url_1993::XPALPHA.union(AsciiSet::of(b"/")),
    "path",
    BNF_1993,
    "letters, digits, escapes or any of $-_@.&!*\"'():;,+ and \"/\"",
);

// search = 1*xalpha *( "+" 1*xalpha )
// The generic level has already checked that no word is empty.
pub(in crate::scheme) static SEARCH_1993: Terminal = Terminal::new(
    url_1993::XPALPHA,
    "search",
    BNF_1993,
    "words of letters, digits, escapes or any of $-_@.&!*\"'():;, joined by \"+\"",
);

// digits = 1*DIGIT
pub(in crate::scheme) static DIGITS_1993: Terminal =
    Terminal::new(AsciiSet::DIGIT, "digits", BNF_1993, NUMBER);

// path = segment *( "/" segment ); segment = *xpalpha; xpalpha = xalpha / "+"
// "+" is in xalpha already.
pub(in crate::scheme) static PATH_1994: Terminal = Terminal::new(
    url_1994::XALPHA.union(AsciiSet::of(b"/")),
    "path",
    BNF_1994,
    "letters, digits, escapes or any of $-_@.&+!*\"'(), and \"/\"",
);

// search = 1*xalpha *( "+" 1*xalpha )
// "+" is in xalpha already, so this is 1*xalpha.
pub(in crate::scheme) static SEARCH_1994: Terminal = Terminal::new(
    url_1994::XALPHA,
    "search",
    BNF_1994,
    "letters, digits, escapes or any of $-_@.&+!*\"'(),, at least one",
);

// xalpha = ALPHA / DIGIT / safe / extra / escape
pub(in crate::scheme) static XALPHA_1994: Terminal = Terminal::new(
    url_1994::XALPHA,
    "xalphas",
    BNF_1994,
    "letters, digits, escapes or any of $-_@.&+!*\"'(),, at least one",
);

// digits = 1*DIGIT
pub(in crate::scheme) static DIGITS_1994: Terminal =
    Terminal::new(AsciiSet::DIGIT, "digits", BNF_1994, NUMBER);

// search = *( uchar / ";" / ":" / "@" / "&" / "=" )
pub(in crate::scheme) static SEARCH_1738: Terminal = Terminal::new(
    rfc1738::UCHAR.union(AsciiSet::of(b";:@&=")),
    "search",
    "3.3",
    "letters, digits, escapes or any of $-_.+!*'(),;:@&=",
);

// fpath = fsegment *( "/" fsegment ); fsegment = *( uchar / "?" / ":" / "@" / "&" / "=" )
pub(in crate::scheme) static FPATH_1738: Terminal = Terminal::new(
    rfc1738::UCHAR.union(AsciiSet::of(b"?:@&=/")),
    "fpath",
    "3.2.2",
    "letters, digits, escapes or any of $-_.+!*'(),?:@&= and \"/\"",
);

// digits = 1*DIGIT
pub(in crate::scheme) static DIGITS_1738: Terminal = Terminal::new(AsciiSet::DIGIT, "digits", "5", NUMBER);

/// Returns whether the text begins with `addr-spec = local-part "@" domain`, its "@" escaped or
/// not, as in a text that contains an address.
pub(crate) fn is_addr_spec(rest: &[u8]) -> bool {
    let end = rest.iter().position(|octet| b"?#".contains(octet)).unwrap_or(rest.len());
    let rest = &rest[..end];
    let at = rest.iter().position(|octet| *octet == b'@').map(|at| (at, at + 1));
    let at = at.or_else(|| rest.windows(3).position(|octets| octets == b"%40").map(|at| (at, at + 3)));
    let begins = |octet: &u8| octet.is_ascii_alphanumeric() || *octet >= 0x80 || *octet == b'[';
    at.is_some_and(|(at, after)| at > 0 && rest[0] != b':' && rest.get(after).is_some_and(begins))
}
