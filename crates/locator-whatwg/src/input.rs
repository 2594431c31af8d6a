//! The input of the parsers: code points with their places in the given text, and who hears of errors.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::error::{ValidationError, ValidationErrorKind as Kind};
use crate::percent::hex_pair;

/// The text is not a URL, or a setter does nothing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Failure {
    /// The validation error, if the standard names one.
    pub(crate) kind: Option<Kind>,
}

impl Failure {
    /// "return failure", without a validation error.
    pub(crate) const UNNAMED: Self = Self { kind: None };
}

/// A code point of the input, with the byte at which it is in the given text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodePoint {
    pub(crate) c: char,
    pub(crate) at: usize,
}

/// A part of the input: code points of the given text, without those that are removed.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) points: &'a [CodePoint],
    /// The byte after the last code point.
    pub(crate) end: usize,
}

impl<'a> Input<'a> {
    pub(crate) fn len(self) -> usize {
        self.points.len()
    }

    /// The code point at an index; none is the EOF code point.
    pub(crate) fn c(self, index: usize) -> Option<char> {
        self.points.get(index).map(|point| point.c)
    }

    /// The byte of an index in the given text.
    fn at(self, index: usize) -> usize {
        self.points.get(index).map_or(self.end, |point| point.at)
    }

    pub(crate) fn part(self, from: usize, to: usize) -> Self {
        let last = to.checked_sub(1).and_then(|last| self.points.get(last));
        let end = last.map_or(self.at(from), |last| last.at + last.c.len_utf8());
        Self { points: self.points.get(from..to).unwrap_or_default(), end }
    }

    /// The bytes of a part in the given text; indexes after the end are the end.
    #[inline(never)]
    pub(crate) fn span_of(self, from: usize, to: usize) -> Range<usize> {
        self.part(from.min(self.len()), to.min(self.len())).span()
    }

    pub(crate) fn text(self) -> String {
        self.points.iter().map(|point| point.c).collect()
    }

    pub(crate) fn span(self) -> Range<usize> {
        self.at(0)..self.end
    }

    pub(crate) fn starts_with_hex_pair(self, index: usize) -> bool {
        let is_digit = |index| self.c(index).is_some_and(|c: char| c.is_ascii_hexdigit());
        is_digit(index) && is_digit(index + 1)
    }
}

/// The bytes of a text without those that the parser removes: "any leading and trailing C0 control or space".
pub(crate) fn trimmed(text: &str) -> Range<usize> {
    let is_removed = |byte: &u8| *byte <= b' ';
    let start = text.bytes().take_while(is_removed).count();
    let end = text.len() - text.bytes().rev().take_while(is_removed).count();
    start..end.max(start)
}

/// Takes the validation errors, if somebody asks for them.
pub(crate) struct Reporter {
    errors: Option<Vec<ValidationError>>,
}

impl Reporter {
    pub(crate) fn silent() -> Self {
        Self { errors: None }
    }

    pub(crate) fn listening() -> Self {
        Self { errors: Some(Vec::new()) }
    }

    pub(crate) fn into_errors(self) -> Vec<ValidationError> {
        self.errors.unwrap_or_default()
    }

    pub(crate) fn is_listening(&self) -> bool {
        self.errors.is_some()
    }

    /// Not inlined: there are many errors, and few of them in a text.
    #[cold]
    #[inline(never)]
    pub(crate) fn report(&mut self, kind: Kind, span: Range<usize>) {
        self.push(ValidationError { kind, span, is_failure: false });
    }

    /// Reports an error after which the parser returns failure.
    #[cold]
    #[inline(never)]
    pub(crate) fn fail(&mut self, kind: Kind, span: Range<usize>) -> Failure {
        self.push(ValidationError { kind, span, is_failure: true });
        Failure { kind: Some(kind) }
    }

    fn push(&mut self, error: ValidationError) {
        if let Some(errors) = &mut self.errors {
            errors.push(error);
        }
    }

    /// "If c is not a URL code point and not U+0025 (%), invalid-URL-unit validation error. If c is
    /// U+0025 (%) and remaining does not start with two ASCII hex digits, invalid-URL-unit validation
    /// error."
    pub(crate) fn check_unit(&mut self, input: Input<'_>, index: usize) {
        if self.is_listening() {
            self.report_unit(input, index);
        }
    }

    #[inline(never)]
    fn report_unit(&mut self, input: Input<'_>, index: usize) {
        let is_unit = match input.c(index) {
            Some('%') => input.starts_with_hex_pair(index + 1),
            Some(c) => is_url_code_point(c),
            None => true,
        };
        if !is_unit {
            self.report(Kind::InvalidUrlUnit, input.span_of(index, index + 1));
        }
    }
}

/// Returns whether a text of ASCII consists of URL units: URL code points, and "%" with two hex digits.
pub(crate) fn are_units(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let is_unit = match first {
            b'%' => hex_pair(after).is_some(),
            octet => is_url_code_point(char::from(*octet)),
        };
        if !is_unit {
            return false;
        }
        rest = after;
    }
    true
}

/// "URL code points"
fn is_url_code_point(c: char) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => true,
        '!' | '$' | '&'..='/' | ':' | ';' | '=' | '?' | '@' | '_' | '~' => true,
        // "in the range U+00A0 to U+10FFFD, inclusive, excluding surrogates and noncharacters"
        _ => {
            let code = u32::from(c);
            code >= 0xA0 && !(0xFDD0..=0xFDEF).contains(&code) && code & 0xFFFE != 0xFFFE
        }
    }
}
