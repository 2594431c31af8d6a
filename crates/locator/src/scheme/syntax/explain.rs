//! Explains errors of the generic grammar by the rule that the edition has for the scheme: takes a
//! text and its errors, returns them with what is expected there. The generic grammar may allow more
//! in a component than the rule does. In `url-1994` the path of an http URL has no ";" (BNF for
//! specific URL schemes), so ";" is not expected where "|" is, and in a host no escape is advised.

use alloc::vec::Vec;

use super::errors::by_rule;
use super::window::{Window, is_of_login};
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
    let mut by_rule: Option<ByRule> = None;
    errors.map(move |error| {
        let is_of_character = matches!(error.kind(), ParseErrorKind::InvalidByte | ParseErrorKind::Escape);
        if !is_of_character {
            return error;
        }
        let by_rule = by_rule.get_or_insert_with(|| ByRule::of(text, edition, Window::at_start(text), 0));
        by_rule.look_at(error.offset(), text, edition);
        by_rule.at(error.offset()).map_or(error, |other| error.by(other))
    })
}

/// The errors of a text by the rule of its scheme, in a window.
struct ByRule {
    /// The error of a user or a password that is not allowed.
    login: Option<ParseError>,
    /// From left to right.
    errors: Vec<ParseError>,
    /// Where the window begins, and where the errors after it do.
    from: usize,
    rest: Option<usize>,
}

impl ByRule {
    fn of(text: &str, edition: &'static Edition, window: Window, from: usize) -> Self {
        let window = by_rule(text, edition, window).window;
        let login = window.login();
        let (errors, rest) = window.end();
        Self { login, errors, from, rest }
    }

    /// Moves the window to an offset that it does not have. Errors are explained from left to right; for
    /// others, all are looked for, so that the text is not read again for each.
    fn look_at(&mut self, offset: usize, text: &str, edition: &'static Edition) {
        if self.rest.is_some_and(|rest| rest <= offset) {
            self.errors = Vec::new();
            *self = Self::of(text, edition, Window::starting_at(offset, text), offset);
        } else if offset < self.from {
            *self = Self::of(text, edition, Window::of_all(), 0);
        }
    }

    /// Returns the error at an offset in the window.
    fn at(&self, offset: usize) -> Option<ParseError> {
        let first = self.errors.partition_point(|error| error.offset() < offset);
        let mut here = self.errors[first..].iter().take_while(|error| error.offset() == offset);
        let other = || here.find(|error| !is_of_login(error)).copied();
        self.login.filter(|login| login.span().contains(&offset)).or_else(other)
    }
}
