//! What the parsers return for an invalid text, before it is made a [`ParseError`].

use crate::edition::{Edition, Rule};
use crate::error::{ParseError, ParseErrorKind};
use crate::span::Component;

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
        let span = (self.start as usize, self.end as usize);
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
        ParseError::new(octets, edition, self.kind, self.part, (start, end), rule)
    }
}

/// Returns the end of the UTF-8 character that begins at `start`, at most `end`.
pub(super) const fn character_end(octets: &[u8], start: usize, end: usize) -> usize {
    let mut i = start + 1;
    while i < end && octets[i] & 0xC0 == 0x80 {
        i += 1;
    }
    i
}
