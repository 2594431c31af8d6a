//! A cursor over the text between a scheme's ":" and "#": takes a reference that is valid on the
//! generic level. Each method returns the text that it has read or the first octet that breaks the
//! rule. The documents' grammars define the syntax; literals are case-insensitive, as in RFC 5234.

use core::ops::Range;

use super::terminals::Terminal;
use super::window::Window;
use crate::edition::{Edition, Rule};
use crate::error::{ParseError, ParseErrorKind};
use crate::reference::UriRef;
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
        (text, edition): (&'a str, &'static Edition),
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
        ParseError::new(
            self.text.as_bytes(),
            self.edition,
            kind,
            self.part_at(span.start),
            (span.start, span.end),
            rule,
        )
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
