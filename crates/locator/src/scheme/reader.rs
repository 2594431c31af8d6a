//! A cursor over what stands between a scheme's ":" and "#": a reference that has passed the
//! generic level enters, and each step gives what it has read or the first octet that breaks
//! the rule. What a step looks for is in the documents' grammars; RFC 5234 reads literals
//! without regard to case.

use core::ops::Range;

use super::Terminal;
use crate::edition::{Edition, Rule};
use crate::error::{ParseError, ParseErrorKind};
use crate::reference::UriRef;
use crate::span::{Component, ComponentSpans};

/// A cursor over the scheme-specific part of a reference. Offsets are octets of the whole text.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) edition: &'static Edition,
    /// As the generic level has them.
    pub(super) parts: ComponentSpans,
    /// The scheme's own rule: "the form …".
    pub(super) form: &'static Rule,
    /// The next octet.
    pub(super) at: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    /// Stands after the scheme's ":".
    pub(super) fn new(reference: UriRef<'a>, form: &'static Rule) -> Self {
        let parts = reference.spans();
        let (at, end) = (parts.after_scheme() as usize, parts.query_end as usize);
        Self { text: reference.as_str(), edition: reference.edition(), parts, form, at, end }
    }

    /// The offset of the next octet.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The offset behind the last octet.
    pub fn end(&self) -> usize {
        self.end
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..self.end).unwrap_or_default()
    }

    /// Whether all has been read.
    pub fn is_at_end(&self) -> bool {
        self.at >= self.end
    }

    /// The offset of the first of these octets that is still to be read; else that of the end.
    pub fn find(&self, stops: &[u8]) -> usize {
        let found = self.rest().iter().position(|octet| stops.contains(octet));
        found.map_or(self.end, |index| self.at + index)
    }

    /// The offset of the last such octet; else that of the end.
    pub fn find_last(&self, stop: u8) -> usize {
        let found = self.rest().iter().rposition(|octet| *octet == stop);
        found.map_or(self.end, |index| self.at + index)
    }

    /// The offset where this ASCII literal begins, in either case; else that of the end.
    pub fn find_literal(&self, literal: &str) -> usize {
        let mut windows = self.rest().windows(literal.len().max(1));
        let found = windows.position(|window| window.eq_ignore_ascii_case(literal.as_bytes()));
        found.map_or(self.end, |index| self.at + index)
    }

    /// Reads the literal if it stands here, and tells whether it did.
    pub fn skip(&mut self, literal: &str) -> bool {
        let stands = self.common(literal) == literal.len();
        if stands {
            self.at += literal.len();
        }
        stands
    }

    /// Reads the literal.
    ///
    /// # Errors
    ///
    /// [`ParseErrorKind::Missing`] by the scheme's own rule, at the first octet that is another.
    pub fn expect(&mut self, literal: &str) -> Result<(), ParseError> {
        if self.skip(literal) {
            return Ok(());
        }
        self.at += self.common(literal);
        Err(self.missing(self.form))
    }

    /// Reads octets and escapes of a piece up to the first of `stops` or the end.
    ///
    /// # Errors
    ///
    /// [`ParseErrorKind::Octet`] at the first one that the piece may not hold.
    pub fn take(&mut self, piece: &'static Terminal, stops: &[u8]) -> Result<&'a str, ParseError> {
        self.take_to(piece, self.find(stops))
    }

    /// The same, for a piece that is not empty.
    ///
    /// # Errors
    ///
    /// Those of [`take`](Self::take), or [`ParseErrorKind::Missing`] if there is nothing.
    pub fn take_some(&mut self, piece: &'static Terminal, stops: &[u8]) -> Result<&'a str, ParseError> {
        self.take_some_to(piece, self.find(stops))
    }

    /// Reads octets and escapes of a piece up to an offset.
    ///
    /// # Errors
    ///
    /// [`ParseErrorKind::Octet`] at the first one that the piece may not hold.
    pub fn take_to(&mut self, piece: &'static Terminal, end: usize) -> Result<&'a str, ParseError> {
        let start = self.at;
        while self.at < end.min(self.end) {
            self.take_one(piece)?;
        }
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// The same, for a piece that is not empty.
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

    /// Reads one octet or one escape of a piece.
    ///
    /// # Errors
    ///
    /// [`ParseErrorKind::Octet`] if the piece may not hold it, [`ParseErrorKind::Missing`] at the end.
    pub fn take_one(&mut self, piece: &'static Terminal) -> Result<&'a str, ParseError> {
        let start = self.at;
        let Some(octet) = self.rest().first() else {
            return Err(self.missing(&piece.rule));
        };
        if !piece.set.contains(*octet) {
            return Err(self.not_allowed(&piece.rule));
        }
        // The generic level has seen to the two hex digits.
        self.at = if *octet == b'%' { self.end.min(start + 3) } else { start + 1 };
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// Something that the rule asks for is not here.
    pub fn missing(&self, rule: &'static Rule) -> ParseError {
        self.error(ParseErrorKind::Missing, self.at..self.at, rule)
    }

    /// Nothing may be left.
    pub(super) fn finish(&self) -> Result<(), ParseError> {
        if self.is_at_end() { Ok(()) } else { Err(self.not_allowed(self.form)) }
    }

    /// The next octet may not stand here.
    fn not_allowed(&self, rule: &'static Rule) -> ParseError {
        // What has passed the generic level is ASCII: one octet is one character.
        self.error(ParseErrorKind::Octet, self.at..self.at + 1, rule)
    }

    pub(super) fn error(&self, kind: ParseErrorKind, span: Range<usize>, rule: &'static Rule) -> ParseError {
        ParseError::new(
            self.text.as_bytes(),
            self.edition,
            kind,
            self.part_at(span.start),
            (span.start, span.end),
            rule,
        )
    }

    /// The component of an offset, the end being in the one that it ends.
    fn part_at(&self, offset: usize) -> Component {
        match self.parts.span(Component::Query) {
            Some(query) if query.start as usize <= offset => Component::Query,
            _ => self.parts.component_at(u32::try_from(offset).unwrap_or(u32::MAX)),
        }
    }

    /// How many octets of the literal stand here.
    fn common(&self, literal: &str) -> usize {
        let pairs = self.rest().iter().zip(literal.as_bytes());
        pairs.take_while(|(here, there)| here.eq_ignore_ascii_case(there)).count()
    }
}
