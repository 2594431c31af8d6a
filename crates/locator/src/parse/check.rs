//! The reference implementation of validation: checks each component against the edition's grammar,
//! from left to right.
//!
//! Takes a text with its spans and returns the first error at or after an offset. To find all
//! errors, the caller repeats the call after each one.

use super::validator::{Fault, Reported, Validated, Validator, octet_at};
use super::{authority, host};
use crate::edition::{Edition, Rule};
use crate::error::{ParseError, ParseErrorKind};
use crate::simd::Class;
use crate::span::{Component, ComponentSpans, Span};

/// Returns the component spans of a text, or its first error, octet by octet.
pub(super) const fn read(octets: &[u8], edition: &'static Edition) -> Result<ComponentSpans, ParseError> {
    if let Some(error) = length_error(octets, edition) {
        return Err(error);
    }
    match first_error(octets, edition, host::cut(octets, edition), Reported::NOTHING) {
        Validated { parts, fault: Some(fault) } => Err(authority::explained(fault, octets, edition, parts)),
        Validated { parts, fault: None } => Ok(parts),
    }
}

/// Returns the error of a text whose positions do not fit into 32 bits.
pub(super) const fn length_error(octets: &[u8], edition: &'static Edition) -> Option<ParseError> {
    if octets.len() < u32::MAX as usize {
        return None;
    }
    let rule = edition.rules.reference;
    Some(ParseError::new(&[], edition, ParseErrorKind::TooLong, Component::Reference, Span::new(0, 0), rule))
}

/// Returns the first error that has not been reported, and the spans with the kind of host.
pub(super) const fn first_error(
    octets: &[u8],
    edition: &'static Edition,
    parts: ComponentSpans,
    from: Reported,
) -> Validated {
    let mut case = Validator { octets, edition, parts, from };
    if let Some(fault) = case.scheme() {
        return Validated { parts, fault: Some(fault) };
    }
    if parts.has_authority {
        let authority = authority::validate(&case);
        if authority.fault.is_some() {
            return authority;
        }
        case.parts = authority.parts;
    }
    let fault = match case.path() {
        Some(fault) => Some(fault),
        None => match case.query() {
            Some(fault) => Some(fault),
            None => case.fragment(),
        },
    };
    Validated { parts: case.parts, fault }
}

impl Validator<'_> {
    const fn scheme(&self) -> Option<Fault> {
        let (start, end) = (self.parts.start as usize, self.parts.scheme_end as usize);
        if end == start {
            return self.no_scheme(start);
        }
        let rule = self.edition.rules.scheme;
        if let Some(fault) = self.octets_in(Class::SCHEME, Component::Scheme, start, end, rule) {
            return Some(fault);
        }
        if !self.edition.table.contains(Class::SCHEME_START, octet_at(self.octets, start)) {
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

    const fn no_scheme(&self, start: usize) -> Option<Fault> {
        if !self.edition.relative {
            let rule = self.edition.rules.reference;
            return self.error(ParseErrorKind::SchemeMissing, Component::Scheme, start, start, rule);
        }
        // path-noscheme = segment-nz-nc *( "/" segment ). Text before a ":" was cut off as the
        // scheme, so only a ":" at the start remains to be checked.
        let colon = start < self.octets.len() && octet_at(self.octets, start) == b':';
        if colon && !self.edition.colon_in_first_segment {
            let rule = self.edition.rules.first_segment;
            return self.error(ParseErrorKind::ColonInFirstSegment, Component::Path, start, start + 1, rule);
        }
        None
    }

    const fn path(&self) -> Option<Fault> {
        let (class, rule) = self.class_and_rule(Class::PATH, self.edition.rules.path);
        let (start, end) = (self.parts.path_start as usize, self.parts.path_end as usize);
        self.octets_in(class, Component::Path, start, end, rule)
    }

    const fn query(&self) -> Option<Fault> {
        let Some(span) = self.parts.get(Component::Query) else { return None };
        let (class, rule) = self.class_and_rule(Class::QUERY, self.edition.rules.query);
        let (start, end) = (span.start as usize, span.end as usize);
        let wrong = self.octets_in(class, Component::Query, start, end, rule);
        if !self.edition.query_is_words {
            return wrong;
        }
        // search = xalphas [ + search ]: no word is empty.
        let limit = match &wrong {
            Some(fault) => fault.start as usize,
            None => end,
        };
        let mut i = if start < self.from.octet { self.from.octet } else { start };
        while i <= limit {
            let begins = i == start || octet_at(self.octets, i - 1) == b'+';
            let is_reported = i == end && self.from.is_after(end);
            if begins && !is_reported && (i == end || octet_at(self.octets, i) == b'+') {
                let after = if i < end { i + 1 } else { i };
                return self.error(ParseErrorKind::WordEmpty, Component::Query, i, after, rule);
            }
            i += 1;
        }
        wrong
    }

    const fn fragment(&self) -> Option<Fault> {
        let Some(span) = self.parts.get(Component::Fragment) else { return None };
        let (start, end) = (span.start as usize, span.end as usize);
        self.octets_in(Class::FRAGMENT, Component::Fragment, start, end, self.edition.rules.fragment)
    }

    /// Returns the class and the rule of a component, or those of the opaque part that contains it.
    const fn class_and_rule(&self, class: Class, rule: &'static Rule) -> (Class, &'static Rule) {
        match self.edition.rules.opaque {
            Some(rule) if self.is_opaque() => (Class::OPAQUE, rule),
            _ => (class, rule),
        }
    }

    /// Returns whether the URI is opaque: the edition defines opaque URIs, and the text after the
    /// scheme does not begin with "/".
    const fn is_opaque(&self) -> bool {
        let rest = self.parts.after_scheme() as usize;
        self.edition.opaque
            && self.parts.scheme_end > self.parts.start as u32
            && !(rest < self.octets.len() && octet_at(self.octets, rest) == b'/')
    }
}
