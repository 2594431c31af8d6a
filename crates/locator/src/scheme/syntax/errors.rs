//! Every error of a text: those of the generic grammar, and beside them those of the rule that the
//! edition has for the scheme.
//!
//! Explains errors of the generic grammar by the rule that the edition has for the scheme: takes a
//! text and its errors, returns them with what is expected there. The generic grammar may allow more
//! in a component than the rule does. In `url-1994` the path of an http URL has no ";" (BNF for
//! specific URL schemes), so ";" is not expected where "|" is, and in a host no escape is advised.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{self, Debug, Formatter};
use core::iter::{FusedIterator, Peekable};

use crate::edition::{self, Edition, Rule};
use crate::error::{ParseError, ParseErrorKind};
use crate::parse;
use crate::reference::UriRef;
use crate::scheme::cursor::{Reader, Window, WindowErrors, is_of_login};
use crate::scheme::definition::rule_of;
use crate::scheme::lookup;
use crate::span::Component;

/// Returns every error of a text by RFC 3986, from left to right.
///
/// The errors are those of the generic grammar and of the rule for the scheme, if there is one. It
/// returns no error for a text that is valid on both levels.
///
/// Where the rule misses an element, its errors end, because what follows cannot be assigned to a
/// part of the URL; those of the generic grammar go on.
///
/// ```
/// let errors: Vec<_> =
///     locator::scheme::errors("ht_tp://a b/|").map(|e| e.span().start).collect();
/// assert_eq!(errors, [2, 9, 12]);
/// ```
pub fn errors(text: &str) -> Errors<'_> {
    errors_with(text, edition::DEFAULT)
}

/// Returns every error of a text by an edition, as [`errors`] does by RFC 3986.
///
/// ```
/// let errors =
///     locator::scheme::errors_with("http://h:x/a^b", &locator::edition::RFC1738);
/// assert_eq!(errors.map(|e| e.span().start).collect::<Vec<_>>(), [9, 12]);
/// ```
pub fn errors_with<'a>(text: &'a str, edition: &'static Edition) -> Errors<'a> {
    let generic = parse::errors(text, edition).peekable();
    let by_rule = RuleErrors::of(text, edition);
    let form = by_rule.form;
    Errors { generic, by_rule: by_rule.peekable(), form, end: 0, last: None }
}

/// The errors of a text by the rule of its scheme, from left to right.
#[derive(Clone)]
struct RuleErrors<'a> {
    text: &'a str,
    edition: &'static Edition,
    /// The rule itself, of which an error is where nothing more is allowed.
    form: Option<&'static Rule>,
    window: vec::IntoIter<ParseError>,
    /// Where the errors begin that are not in the window.
    rest: Option<usize>,
}

impl<'a> RuleErrors<'a> {
    fn of(text: &'a str, edition: &'static Edition) -> Self {
        let ErrorsByRule { window, form } = by_rule(text, edition, Window::at_start(text));
        let WindowErrors { errors, rest } = window.end();
        Self { text, edition, form, window: errors.into_iter(), rest }
    }
}

impl Iterator for RuleErrors<'_> {
    type Item = ParseError;

    fn next(&mut self) -> Option<ParseError> {
        loop {
            if let Some(error) = self.window.next() {
                return Some(error);
            }
            let from = self.rest?;
            self.window = Vec::new().into_iter();
            let found = by_rule(self.text, self.edition, Window::starting_at(from, self.text));
            let WindowErrors { errors, rest } = found.window.end();
            (self.window, self.rest) = (errors.into_iter(), rest);
        }
    }
}

/// The errors of a text by the rule of its scheme, as far as a window has room for them.
pub(in crate::scheme) struct ErrorsByRule {
    pub(in crate::scheme) window: Window,
    form: Option<&'static Rule>,
}

/// Returns the errors by the rule of the scheme; none without a rule.
pub(in crate::scheme) fn by_rule(text: &str, edition: &'static Edition, window: Window) -> ErrorsByRule {
    let mut found = ErrorsByRule { window, form: None };
    if text.len() >= u32::MAX as usize {
        return found;
    }
    let parts = match UriRef::parse_with(text, edition) {
        Ok(reference) => reference.spans(),
        Err(_) => parse::divide(text.as_bytes(), edition),
    };
    let name = parts.span(Component::Scheme).and_then(|span| text.get(span)).unwrap_or_default();
    if let Some(rule) = lookup(name).and_then(|scheme| rule_of(scheme, edition)) {
        found.form = Some(rule.rule);
        let mut reader = Reader::over_invalid(text, edition, parts, rule.rule, &mut found.window);
        let last = (rule.check)(&mut reader).and_then(|()| reader.finish());
        last.err().into_iter().for_each(|error| found.window.push(error));
    }
    found
}

/// Every error of a text, from left to right: the result of [`errors`] and [`errors_with`].
///
/// ```
/// use locator::scheme;
///
/// // The first error, and how many others there are.
/// let mut errors = scheme::errors("http://a b/|");
/// assert_eq!((errors.next().unwrap().offset(), errors.count()), (8, 1));
/// ```
#[derive(Clone)]
pub struct Errors<'a> {
    // The errors of both levels, merged. An error is left out if a part of it has been reported: what
    // the generic grammar does not allow, the rule does not allow either.
    generic: Peekable<parse::GenericErrors<'a>>,
    by_rule: Peekable<RuleErrors<'a>>,
    /// The rule of the scheme.
    form: Option<&'static Rule>,
    /// The end of the last error, and that error.
    end: usize,
    last: Option<ParseError>,
}

impl Debug for Errors<'_> {
    // Without the text, which may have a password.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Errors").field("last", &self.last).finish_non_exhaustive()
    }
}

impl FusedIterator for Errors<'_> {}

impl Iterator for Errors<'_> {
    type Item = ParseError;

    fn next(&mut self) -> Option<ParseError> {
        loop {
            let order = match (self.generic.peek(), self.by_rule.peek()) {
                (None, None) => return None,
                (Some(generic), Some(by_rule)) => generic.offset().cmp(&by_rule.offset()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
            };
            let error = match order {
                Ordering::Less => self.generic.next()?,
                Ordering::Greater => self.by_rule.next()?,
                Ordering::Equal => {
                    let generic = self.generic.next()?;
                    // That nothing is allowed there says more than that an octet is not.
                    let form = self.form;
                    let is_rest = |error: &ParseError| Some(error.rule()) == form && !error.span().is_empty();
                    self.by_rule.next_if(is_rest).map_or(generic, |by_rule| generic.by(by_rule))
                }
            };
            // What is missing before an octet that is not allowed is another error.
            let is_missing = error.span().is_empty();
            let is_in_last = |last: ParseError| {
                last.span() == error.span()
                    || error.offset() < self.end && !(is_missing && last.offset() == error.offset())
            };
            if !self.last.is_some_and(is_in_last) {
                self.end = error.span().end;
                self.last = Some(error);
                return Some(error);
            }
        }
    }
}

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
///
/// ```
/// use locator::edition::URL_1994;
/// use locator::scheme;
///
/// let text = "http://h/a|b|";
/// let mut errors = scheme::explain_each(text, &URL_1994, scheme::errors_with(text, &URL_1994));
/// assert!(errors.all(|error| error.rule().expects.ends_with("*\"'(), and \"/\"")));
/// ```
pub fn explain_each<'a, I: Iterator<Item = ParseError>>(
    text: &'a str,
    edition: &'static Edition,
    errors: I,
) -> ExplainedErrors<'a, I> {
    ExplainedErrors { text, edition, errors, by_rule: None }
}

/// Errors that are explained by the rule of the scheme: the result of [`explain_each`].
///
/// ```
/// use locator::edition::URL_1994;
/// use locator::scheme;
///
/// let text = "http://h/a|b";
/// let mut errors = scheme::explain_each(text, &URL_1994, scheme::errors_with(text, &URL_1994));
/// assert_eq!(errors.next().unwrap().offset(), 10);
/// ```
pub struct ExplainedErrors<'a, I> {
    text: &'a str,
    edition: &'static Edition,
    errors: I,
    by_rule: Option<ByRule>,
}

impl<I> Debug for ExplainedErrors<'_, I> {
    // Without the text, which may have a password.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExplainedErrors").field("edition", &self.edition).finish_non_exhaustive()
    }
}

impl<I: Iterator<Item = ParseError>> Iterator for ExplainedErrors<'_, I> {
    type Item = ParseError;

    fn next(&mut self) -> Option<ParseError> {
        let error = self.errors.next()?;
        if !matches!(error.kind(), ParseErrorKind::InvalidByte | ParseErrorKind::Escape) {
            return Some(error);
        }
        let (text, edition) = (self.text, self.edition);
        let first = || ByRule::of(text, edition, Window::at_start(text), 0);
        let by_rule = self.by_rule.get_or_insert_with(first);
        by_rule.look_at(error.offset(), text, edition);
        Some(by_rule.at(error.offset()).map_or(error, |other| error.by(other)))
    }
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
        let WindowErrors { errors, rest } = window.end();
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

#[cfg(test)]
mod tests {
    use std::format;
    use std::vec::Vec;

    use super::{explain_each, *};
    use crate::edition::{URL_1994, URL_1997};

    /// A window has room for some thousand errors.
    #[test]
    fn the_errors_of_many_windows_are_those_of_each_place() {
        let times = 5_000;
        for (start, piece, edition) in [("http://u:p@h/", "a|;", &URL_1994), ("ftp://h/", "|", &URL_1997)] {
            let explained = |text: &str| -> Vec<ParseError> {
                explain_each(text, edition, errors_with(text, edition)).collect()
            };
            let short = explained(&format!("{start}{}", piece.repeat(3)));
            let long = explained(&format!("{start}{}", piece.repeat(times)));
            let in_start = short.iter().filter(|error| error.offset() < start.len()).count();
            let in_piece = (short.len() - in_start) / 3;
            assert_eq!(long.len(), in_start + in_piece * times, "{start}");
            for (number, error) in long[in_start..].iter().enumerate() {
                let known = short[in_start + number % in_piece];
                let offset = known.offset() + number / in_piece * piece.len();
                assert_eq!(
                    (error.offset(), error.rule(), error.kind()),
                    (offset, known.rule(), known.kind())
                );
            }
        }
    }

    #[test]
    fn errors_are_explained_in_any_order() {
        let text = format!("http://h/{}", "a|".repeat(5_000));
        let errors: Vec<_> = parse::errors(&text, &URL_1994).collect();
        let mut explained: Vec<_> = explain_each(&text, &URL_1994, errors.iter().rev().copied()).collect();
        explained.reverse();
        assert_eq!(explained, explain_each(&text, &URL_1994, errors.into_iter()).collect::<Vec<_>>());
    }
}
