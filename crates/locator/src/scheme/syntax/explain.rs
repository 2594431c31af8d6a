//! Explains errors of the generic grammar by the rule that the edition has for the scheme: takes a
//! text and its errors, returns them with what is expected there. The generic grammar may allow more
//! in a component than the rule does. In `url-1994` the path of an http URL has no ";" (BNF for
//! specific URL schemes), so ";" is not expected where "|" is, and in a host no escape is advised.

use alloc::vec::Vec;

use super::errors::by_rule;
use crate::edition::Edition;
use crate::error::{ParseError, ParseErrorKind};

/// Returns a generic error as an error of the scheme's rule, if the edition has one for this place.
///
/// Its message, list of expected characters and advice are then those for URLs of the scheme. An
/// error that the rule says nothing about is returned unchanged.
///
/// ```
/// use locator::edition::URL_1994;
/// use locator::{UriRef, scheme};
///
/// let text = "http://h/a|b";
/// let error = UriRef::parse_with(text, &URL_1994).unwrap_err();
/// assert_eq!(
///     error.rule().expects,
///     "letters, digits, escapes or any of $-_@.&+!*\"'(),/;=:"
/// );
/// let error = scheme::explain(text, error);
/// assert_eq!(
///     error.rule().expects,
///     "letters, digits, escapes or any of $-_@.&+!*\"'(), and \"/\""
/// );
/// assert_eq!(error.span(), 10..11);
/// ```
#[must_use]
pub fn explain(text: &str, error: ParseError) -> ParseError {
    explain_each(text, error.edition(), core::iter::once(error)).next().unwrap_or(error)
}

/// Explains each error of a text as [`explain`] does, in one pass over the text.
pub fn explain_each(
    text: &str,
    edition: &'static Edition,
    errors: impl Iterator<Item = ParseError>,
) -> impl Iterator<Item = ParseError> {
    let mut by_rule = None;
    errors.map(move |error| {
        let is_of_character = matches!(error.kind(), ParseErrorKind::InvalidByte | ParseErrorKind::Escape);
        if !is_of_character {
            return error;
        }
        let by_rule = by_rule.get_or_insert_with(|| ByRule::of(text, edition));
        by_rule.at(error.offset()).map_or(error, |other| error.by(other))
    })
}

/// The errors of a text by the rule of its scheme.
struct ByRule {
    /// The error of a user or a password that is not allowed.
    login: Option<ParseError>,
    /// The others, from left to right.
    others: Vec<ParseError>,
}

impl ByRule {
    fn of(text: &str, edition: &'static Edition) -> Self {
        let mut others = by_rule(text, edition).errors;
        let is_of_login = |error: &ParseError| error.kind() == ParseErrorKind::NotAllowed;
        let login = others.iter().copied().find(is_of_login);
        others.retain(|error| !is_of_login(error));
        Self { login, others }
    }

    /// Returns the error at an offset.
    fn at(&self, offset: usize) -> Option<ParseError> {
        let first = self.others.partition_point(|error| error.offset() < offset);
        let here = self.others.get(first).filter(|error| error.offset() == offset);
        self.login.filter(|login| login.span().contains(&offset)).or(here.copied())
    }
}
