//! The report of an error for people: message, text, caret, rule and advice, on several lines.

use alloc::borrow::Cow;
use core::fmt::{self, Display, Formatter, Write as _};
use core::ops::Range;

use super::found::{Found, is_plain};
use super::parse_error::{ParseError, ParseErrorKind};
use super::redacted::Redacted;
use crate::edition::Edition;

/// A report of an error for people: message, text, caret, rule and advice.
///
/// Only the part of a long text around the error is shown. Characters that are not visible ASCII
/// are shown as their code points. Passwords are hidden; see [`Redacted`].
///
/// ```
/// let text = "http://a/b c";
/// let error = locator::UriRef::parse(text).unwrap_err();
/// assert_eq!(error.report(text).to_string(), "\
/// a space is not allowed in the path
///   http://a/b c
///             ^ byte 10
///   expected letters, digits, escapes or any of -._~!$&'()*+,;=:@ and \"/\"
///   by pchar, RFC 3986, 3.3
///   to include it literally, write %20");
/// ```
#[derive(Clone, Debug)]
pub struct Report<'a> {
    error: ParseError,
    text: Cow<'a, Redacted<'a>>,
}

impl ParseError {
    /// Returns a report for people: the error and its text with a caret below it. Passwords are
    /// hidden.
    ///
    /// To report several errors of one text use [`Redacted::report_each`], which looks for
    /// passwords once.
    #[must_use]
    pub fn report<'a>(&self, text: &'a str) -> Report<'a> {
        Report::new(*self, Cow::Owned(Redacted::new(text)))
    }
}

impl Redacted<'_> {
    /// Returns a report of an error below the text.
    #[must_use]
    pub fn report(&self, error: ParseError) -> Report<'_> {
        Report::new(error, Cow::Borrowed(self))
    }

    /// Returns the reports of the errors, in order, with only the first error of each password.
    pub fn report_each(&self, errors: impl Iterator<Item = ParseError>) -> impl Iterator<Item = Report<'_>> {
        let mut hidden = None;
        errors.filter_map(move |error| {
            let inside = self.hidden_at(error.span.start as usize);
            let is_known = inside.is_some() && inside == hidden;
            hidden = inside;
            (!is_known).then(|| self.report(error))
        })
    }
}

impl<'a> Report<'a> {
    pub(super) fn new(error: ParseError, text: Cow<'a, Redacted<'a>>) -> Self {
        Self { error: text.error(error), text }
    }

    /// Returns the edition that defines the rule.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.error.edition
    }

    /// Hides the passwords of the text and of URLs in it: the default of [`ParseError::report`].
    #[must_use]
    pub fn hide_secrets(self) -> Self {
        Self::new(self.error, Cow::Owned(Redacted::new(self.text.as_str())))
    }

    /// Shows the text as it is, with its passwords.
    ///
    /// ```
    /// let text = "ftp://gisle:sec ret@host/";
    /// let report = locator::UriRef::parse(text).unwrap_err().report(text);
    /// assert!(report.to_string().contains("ftp://gisle:(hidden)@host/"));
    /// assert!(report.show_secrets().to_string().starts_with("a space is not allowed in the userinfo"));
    /// ```
    #[must_use]
    pub fn show_secrets(self) -> Self {
        let text = self.text.as_str();
        let found = match self.error.found {
            Found::Hidden => Found::at(text.as_bytes(), self.error.offset()),
            found => found,
        };
        Self::new(ParseError { found, ..self.error }, Cow::Owned(Redacted::exact(text)))
    }

    /// Returns the report in one line: message, position, rule and section.
    ///
    /// ```
    /// let text = "ftp://gisle@aas.no:secret@host/";
    /// let error = locator::UriRef::parse(text).unwrap_err();
    /// let line = "the user or the password contains an unescaped \"@\", at byte 11 (userinfo, RFC 3986, 3.2.1)";
    /// assert_eq!(error.report(text).in_one_line().to_string(), line);
    /// ```
    #[must_use]
    pub fn in_one_line(&self) -> impl Display {
        self.error
    }
}

impl Report<'_> {
    /// The number of bytes shown before and after the marked ones.
    const BEFORE: usize = 48;
    const AFTER: usize = 24;

    /// Returns the range of the marked bytes.
    fn marked(&self) -> Range<usize> {
        let Range { start, end } = self.error.span();
        let start = self.boundary(start);
        let end = self.boundary(end.clamp(start, start + Self::BEFORE));
        // A hidden range is marked as a whole.
        let hidden = |octet| self.text.hidden_at(octet);
        let last = if end > start { hidden(end - 1) } else { None };
        hidden(start).map_or(start, |hidden| hidden.start)..last.map_or(end, |hidden| hidden.end)
    }

    /// Writes the text around the error and returns how many columns are before the mark and in it.
    fn write_text(&self, f: &mut Formatter<'_>) -> Result<(usize, usize), fmt::Error> {
        let (text, Range { start, end }) = (self.text.as_str(), self.marked());
        let first = self.boundary(start.saturating_sub(Self::BEFORE));
        let last = self.boundary((end + Self::AFTER).min(text.len()));
        let mut columns = 0;
        if first > 0 {
            f.write_char('…')?;
            columns += 1;
        }
        columns += write_visibly(f, &self.text.slice(first..start))?;
        let marked = write_visibly(f, &self.text.slice(start..end))?;
        write_visibly(f, &self.text.slice(end..last))?;
        if last < text.len() {
            f.write_char('…')?;
        }
        Ok((columns, marked.max(1)))
    }

    fn boundary(&self, index: usize) -> usize {
        let text = self.text.as_str();
        (0..=index.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
    }
}

impl Display for Report<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let error = &self.error;
        writeln!(f, "{}", error.message())?;
        f.write_str("  ")?;
        let (columns, marked) = self.write_text(f)?;
        write!(f, "\n  {:columns$}", "")?;
        (0..marked).try_for_each(|_| f.write_char('^'))?;
        write!(f, " byte {}", error.offset())?;
        let rule = error.rule;
        // The message already names what is missing.
        if error.kind != ParseErrorKind::Missing {
            write!(f, "\n  expected {}", rule.expects)?;
        }
        write!(f, "\n  by {}, {}", rule.name, error.edition.cite(rule))?;
        match error.advice() {
            Some(advice) => write!(f, "\n  {advice}"),
            None => Ok(()),
        }
    }
}

/// Writes characters that are safe on a terminal unchanged and the others as `<U+202E>`; returns
/// the number of columns.
fn write_visibly(f: &mut Formatter<'_>, text: &str) -> Result<usize, fmt::Error> {
    let mut columns = 0;
    for c in text.chars() {
        if c == ' ' || is_plain(c) {
            f.write_char(c)?;
            columns += 1;
        } else {
            write!(f, "<U+{:04X}>", u32::from(c))?;
            columns += if u32::from(c) > 0xFFFF { 9 } else { 8 };
        }
    }
    Ok(columns)
}
