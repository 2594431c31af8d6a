//! The reference implementation of validation: checks each component against the edition's grammar,
//! from left to right.
//!
//! Takes a text with its spans and returns the first error at or after an offset. To find all
//! errors, the caller repeats the call after each one.

use super::authority;
use crate::edition::{Edition, Rule};
use crate::error::{Found, ParseError, ParseErrorKind};
use crate::simd::{Class, Table};
use crate::span::{Component, ComponentSpans};

/// A text, its component spans and the edition that it is validated against.
#[derive(Clone, Copy)]
pub(super) struct Validator<'a> {
    pub(super) octets: &'a [u8],
    pub(super) edition: &'static Edition,
    pub(super) parts: ComponentSpans,
    pub(super) from: Reported,
}

/// The errors that have already been reported: all before an offset, and possibly a missing element
/// at it.
#[derive(Clone, Copy)]
pub(super) struct Reported {
    pub(super) octet: usize,
    pub(super) missing: bool,
}

impl Reported {
    /// No error has been reported yet.
    pub(super) const NOTHING: Self = Self { octet: 0, missing: false };

    /// Returns the state after this error has been reported.
    pub(super) const fn with(error: &ParseError) -> Self {
        let span = error.span();
        Self { octet: span.end as usize, missing: span.is_empty() }
    }

    /// Returns whether an error at or after this offset has been reported.
    pub(super) const fn is_behind(self, octet: usize) -> bool {
        self.octet > octet || self.octet == octet && self.missing
    }
}

/// Returns the first error that has not been reported, and the spans with the kind of host.
pub(super) const fn first_error(
    octets: &[u8],
    edition: &'static Edition,
    parts: ComponentSpans,
    from: Reported,
) -> (ComponentSpans, Option<ParseError>) {
    let mut case = Validator { octets, edition, parts, from };
    if let Some(error) = case.scheme() {
        return (parts, Some(error));
    }
    if parts.has_authority {
        let (parts, error) = authority::validate(&case);
        if error.is_some() {
            return (parts, error);
        }
        case.parts = parts;
    }
    let error = match case.path() {
        Some(error) => Some(error),
        None => match case.query() {
            Some(error) => Some(error),
            None => case.fragment(),
        },
    };
    (case.parts, error)
}

impl Validator<'_> {
    const fn scheme(&self) -> Option<ParseError> {
        let (start, end) = (self.parts.start as usize, self.parts.scheme_end as usize);
        if end == start {
            return self.no_scheme(start);
        }
        let rule = self.edition.rules.scheme;
        if let Some(error) = self.octets_in(Class::Scheme, Component::Scheme, start, end, rule) {
            return Some(error);
        }
        if !self.edition.table.contains(Class::SchemeStart, self.octets[start]) {
            return self.error(ParseErrorKind::SchemeStart, Component::Scheme, start, end, rule);
        }
        // absoluteURI = scheme ":" ( hier_part | opaque_part ), neither of which is empty
        let rest = end + 1;
        if !self.edition.empty_after_scheme && rest == self.parts.query_end as usize {
            return self.error(
                ParseErrorKind::NothingAfterScheme,
                Component::Path,
                rest,
                rest,
                self.edition.rules.path,
            );
        }
        None
    }

    const fn no_scheme(&self, start: usize) -> Option<ParseError> {
        if !self.edition.relative {
            let rule = self.edition.rules.reference;
            return self.error(ParseErrorKind::SchemeMissing, Component::Scheme, start, start, rule);
        }
        // path-noscheme = segment-nz-nc *( "/" segment ). Text before a ":" was cut off as the
        // scheme, so only a ":" at the start remains to be checked.
        let colon = start < self.octets.len() && self.octets[start] == b':';
        if colon && !self.edition.colon_in_first_segment {
            let rule = self.edition.rules.first_segment;
            return self.error(ParseErrorKind::ColonInFirstSegment, Component::Path, start, start + 1, rule);
        }
        None
    }

    const fn path(&self) -> Option<ParseError> {
        let (class, rule) = self.class_and_rule(Class::Path, self.edition.rules.path);
        let (start, end) = (self.parts.path_start as usize, self.parts.path_end as usize);
        self.octets_in(class, Component::Path, start, end, rule)
    }

    const fn query(&self) -> Option<ParseError> {
        let Some(span) = self.parts.span(Component::Query) else { return None };
        let (class, rule) = self.class_and_rule(Class::Query, self.edition.rules.query);
        let (start, end) = (span.start as usize, span.end as usize);
        let wrong = self.octets_in(class, Component::Query, start, end, rule);
        if !self.edition.query_is_words {
            return wrong;
        }
        // search = xalphas [ + search ]: no word is empty.
        let limit = match &wrong {
            Some(error) => error.span().start as usize,
            None => end,
        };
        let mut i = if start < self.from.octet { self.from.octet } else { start };
        while i <= limit {
            let begins = i == start || self.octets[i - 1] == b'+';
            let told = i == end && self.from.is_behind(end);
            if begins && !told && (i == end || self.octets[i] == b'+') {
                let after = if i < end { i + 1 } else { i };
                return self.error(ParseErrorKind::WordEmpty, Component::Query, i, after, rule);
            }
            i += 1;
        }
        wrong
    }

    const fn fragment(&self) -> Option<ParseError> {
        let Some(span) = self.parts.span(Component::Fragment) else { return None };
        let (start, end) = (span.start as usize, span.end as usize);
        self.octets_in(Class::Fragment, Component::Fragment, start, end, self.edition.rules.fragment)
    }

    /// Returns the class and the rule of a component, or those of the opaque part that contains it.
    const fn class_and_rule(&self, class: Class, rule: &'static Rule) -> (Class, &'static Rule) {
        match self.edition.rules.opaque {
            Some(rule) if self.is_opaque() => (Class::Opaque, rule),
            _ => (class, rule),
        }
    }

    /// Returns whether the URI is opaque: the edition defines opaque URIs, and the text after the
    /// scheme does not begin with "/".
    const fn is_opaque(&self) -> bool {
        let rest = self.parts.after_scheme() as usize;
        self.edition.opaque
            && self.parts.scheme_end > self.parts.start as u32
            && !(rest < self.octets.len() && self.octets[rest] == b'/')
    }

    /// Returns the first octet in `start..end` that is not in the class or is an incomplete escape.
    pub(super) const fn octets_in(
        &self,
        class: Class,
        part: Component,
        start: usize,
        end: usize,
        rule: &'static Rule,
    ) -> Option<ParseError> {
        let mut i = if start < self.from.octet { self.from.octet } else { start };
        while i < end {
            if !self.edition.table.contains(class, self.octets[i]) {
                let behind = self.character_end(i, end);
                if !self.is_beyond_ascii(class, i) {
                    return self.error(ParseErrorKind::Octet, part, i, behind, rule);
                }
                i = behind;
                continue;
            }
            if self.octets[i] == b'%' && !is_escape(self.octets, i, end, &self.edition.table) {
                let one = i + 1 < end && self.edition.table.contains(Class::Hex, self.octets[i + 1]);
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
    ) -> Option<ParseError> {
        let told = self.from.octet > start || start == end && self.from.is_behind(start);
        if told {
            return None;
        }
        Some(ParseError::new(self.octets, self.edition, kind, part, (start, end), rule))
    }

    /// Returns the end of the UTF-8 character at `start`, so that an error covers the whole
    /// character.
    pub(super) const fn character_end(&self, start: usize, end: usize) -> usize {
        character_end(self.octets, start, end)
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

/// Returns whether there is a "%" at `index`, followed by two hex digits before `end`.
pub(super) const fn is_escape(octets: &[u8], index: usize, end: usize, table: &Table) -> bool {
    index + 2 < end
        && octets[index] == b'%'
        && table.contains(Class::Hex, octets[index + 1])
        && table.contains(Class::Hex, octets[index + 2])
}
