//! A text with its spans that is validated: checks octets against a class, and skips errors that
//! have been reported.
//!
//! What the parsers return for an invalid text, before it is made a [`ParseError`].

use crate::edition::{Edition, Rule};
use crate::error::{Found, ParseError, ParseErrorKind};
use crate::simd::{Class, Table};
use crate::span::{Component, ComponentSpans, Span};

/// A text, its component spans and the edition that it is validated against.
#[derive(Clone, Copy)]
pub(super) struct Validator<'a> {
    pub(super) octets: &'a [u8],
    pub(super) edition: &'static Edition,
    pub(super) parts: ComponentSpans,
    pub(super) from: Reported,
}

/// The errors that have already been reported: all before an offset, and possibly a missing element
/// at it. Whether the offset is in a password is kept, so that nobody has to look for the ":" again.
#[derive(Clone, Copy)]
pub(super) struct Reported {
    pub(super) octet: usize,
    pub(super) missing: bool,
    pub(super) is_in_password: bool,
}

impl Reported {
    /// No error has been reported yet.
    pub(super) const NOTHING: Self = Self { octet: 0, missing: false, is_in_password: false };

    /// Returns the state after this error has been reported.
    #[cfg(feature = "schemes")]
    pub(super) const fn with(fault: Fault) -> Self {
        let missing = fault.start == fault.end;
        Self { octet: fault.end as usize, missing, is_in_password: fault.is_of_password }
    }

    /// Returns the state after an error of one byte has been reported.
    #[cfg(feature = "schemes")]
    pub(super) const fn after_byte(error: &ParseError) -> Self {
        Self { octet: error.offset() + 1, missing: false, is_in_password: error.is_of_password() }
    }

    /// Returns whether an error at or after this offset has been reported.
    pub(super) const fn is_after(self, octet: usize) -> bool {
        self.octet > octet || self.octet == octet && self.missing
    }
}

/// The result of validating a text, or a part of it: the spans, with the kind of host if it is known,
/// and the first error that has not been reported.
#[derive(Clone, Copy)]
pub(super) struct Validated {
    pub(super) parts: ComponentSpans,
    pub(super) fault: Option<Fault>,
}

impl Validator<'_> {
    /// Returns the first octet in `start..end` that is not in the class or is an incomplete escape.
    pub(super) const fn octets_in(
        &self,
        class: Class,
        part: Component,
        start: usize,
        end: usize,
        rule: &'static Rule,
    ) -> Option<Fault> {
        let mut i = if start < self.from.octet { self.from.octet } else { start };
        while i < end {
            if !self.edition.table.contains(class, octet_at(self.octets, i)) {
                let after = self.character_end(i, end);
                if !self.is_beyond_ascii(class, i) {
                    return self.error(ParseErrorKind::InvalidByte, part, i, after, rule);
                }
                i = after;
                continue;
            }
            if octet_at(self.octets, i) == b'%' && !is_escape(self.octets, i, end, &self.edition.table) {
                let one =
                    i + 1 < end && self.edition.table.contains(Class::HEX, octet_at(self.octets, i + 1));
                let last = if one { i + 2 } else { i + 1 };
                return self.error(ParseErrorKind::Escape, part, i, last, self.edition.rules.escape);
            }
            i += 1;
        }
        None
    }

    /// Returns whether a non-ASCII character that the class allows begins at `index`.
    const fn is_beyond_ascii(&self, class: Class, index: usize) -> bool {
        match Found::at(self.octets, index) {
            Found::Char(c) => self.edition.contains(class, c),
            _ => false,
        }
    }

    pub(super) const fn error(
        &self,
        kind: ParseErrorKind,
        part: Component,
        start: usize,
        end: usize,
        rule: &'static Rule,
    ) -> Option<Fault> {
        let is_reported = self.from.octet > start || start == end && self.from.is_after(start);
        if is_reported {
            return None;
        }
        Some(Fault {
            kind,
            component: part,
            is_of_password: false,
            start: start as u32,
            end: end as u32,
            rule,
        })
    }

    /// Returns the end of the UTF-8 character at `start`, so that an error covers the whole
    /// character.
    pub(super) const fn character_end(&self, start: usize, end: usize) -> usize {
        character_end(self.octets, start, end)
    }
}

/// Returns the octet at `index`; 0, which no rule allows, after the end. An index that may panic is more
/// code, and each has a position in the source.
pub(super) const fn octet_at(octets: &[u8], index: usize) -> u8 {
    if index < octets.len() { octets[index] } else { 0 }
}

/// Returns whether there is a "%" at `index`, followed by two hex digits before `end`.
pub(super) const fn is_escape(octets: &[u8], index: usize, end: usize, table: &Table) -> bool {
    index + 2 < end
        && octet_at(octets, index) == b'%'
        && table.contains(Class::HEX, octet_at(octets, index + 1))
        && table.contains(Class::HEX, octet_at(octets, index + 2))
}

/// An error in a component: what a [`ParseError`] is made from. It has less to write, which makes
/// the many functions that return one smaller.
#[derive(Clone, Copy)]
pub(crate) struct Fault {
    pub(super) kind: ParseErrorKind,
    pub(super) component: Component,
    /// Whether the error is in a password that the edition divides from the user.
    pub(super) is_of_password: bool,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) rule: &'static Rule,
}

impl Fault {
    /// Converts the fault into a parse error.
    #[inline(never)]
    pub(super) const fn error(self, octets: &[u8], edition: &'static Edition) -> ParseError {
        let span = Span { start: self.start, end: self.end };
        let error = ParseError::new(octets, edition, self.kind, self.component, span, self.rule);
        if self.is_of_password { error.as_of_password() } else { error }
    }
}

/// An octet that is not allowed in its component, with no error before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InvalidByte {
    kind: ParseErrorKind,
    part: Component,
    at: u32,
}

impl InvalidByte {
    pub(super) const fn octet(part: Component, at: usize) -> Self {
        Self { kind: ParseErrorKind::InvalidByte, part, at: at as u32 }
    }

    /// A "%" without two hex digits.
    pub(super) const fn escape(part: Component, at: usize) -> Self {
        Self { kind: ParseErrorKind::Escape, part, at: at as u32 }
    }

    pub(super) const fn open_bracket(at: usize) -> Self {
        Self { kind: ParseErrorKind::BracketOpen, part: Component::Host, at: at as u32 }
    }

    /// A ":" at the start of a path without a scheme.
    pub(super) const fn first_colon(at: usize) -> Self {
        Self { kind: ParseErrorKind::ColonInFirstSegment, part: Component::Path, at: at as u32 }
    }

    /// Returns the offset of the octet.
    #[cfg(feature = "bulk")]
    pub(crate) const fn at(self) -> u32 {
        self.at
    }

    /// Converts the octet into a parse error.
    #[inline]
    pub(crate) fn error(self, octets: &[u8], edition: &'static Edition) -> ParseError {
        let start = self.at as usize;
        let (end, rule) = match (self.kind, &edition.server.literals) {
            (ParseErrorKind::Escape, _) => {
                let has_digit = octets.get(start + 1).is_some_and(u8::is_ascii_hexdigit);
                (start + 1 + usize::from(has_digit), edition.rules.escape)
            }
            (ParseErrorKind::BracketOpen, Some(literals)) => (start + 1, literals.rule),
            (ParseErrorKind::ColonInFirstSegment, _) => (start + 1, edition.rules.first_segment),
            _ => (character_end(octets, start, octets.len()), edition.rules.of(self.part)),
        };
        ParseError::new(octets, edition, self.kind, self.part, Span::new(start, end), rule)
    }
}

/// Returns the end of the UTF-8 character that begins at `start`, at most `end`.
pub(super) const fn character_end(octets: &[u8], start: usize, end: usize) -> usize {
    let mut i = start + 1;
    while i < end && octet_at(octets, i) & 0xC0 == 0x80 {
        i += 1;
    }
    i
}
