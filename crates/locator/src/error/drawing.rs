//! The report of an error for people: message, text, caret, rule and advice, on several lines.

use alloc::borrow::Cow;
use core::fmt::{self, Display, Formatter, Write as _};
use core::ops::Range;

use super::parse_error::{Found, ParseError, ParseErrorKind, is_plain};
use super::redacted::{Redacted, valid_part};
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
    /// The whole text, whose valid UTF-8 `text` is.
    octets: &'a [u8],
}

impl ParseError {
    /// Returns a report for people: the error and its text with a caret below it. Passwords are
    /// hidden. A text that is not UTF-8 is shown up to its first invalid byte.
    ///
    /// ```
    /// let octets = b"/a\xFFb";
    /// let error = locator::UriRef::parse_bytes(octets).unwrap_err();
    /// assert!(
    ///     error.report(octets).to_string().contains("\n  /a<FF>…\n    ^^^^ byte 2\n")
    /// );
    /// ```
    ///
    /// To report several errors of one text use [`Redacted::report_each`], which looks for
    /// passwords once.
    #[must_use]
    pub fn report<'a>(&self, text: &'a (impl AsRef<[u8]> + ?Sized)) -> Report<'a> {
        let octets = text.as_ref();
        Report::new(*self, Cow::Owned(Redacted::of_bytes(octets)), octets)
    }
}

impl Redacted<'_> {
    /// Returns a report of an error below the text.
    #[must_use]
    pub fn report(&self, error: ParseError) -> Report<'_> {
        Report::new(error, Cow::Borrowed(self), self.as_str().as_bytes())
    }

    /// Returns the reports of the errors, in order, with only the first error of each password.
    pub fn report_each<I: Iterator<Item = ParseError>>(&self, errors: I) -> Reports<'_, I> {
        Reports { text: self, errors, hidden: None }
    }
}

/// The reports of the errors of a text: the result of [`Redacted::report_each`].
///
/// ```
/// use locator::{Redacted, scheme};
///
/// let text = Redacted::new("http://u:p|w|@h/|");
/// assert_eq!(text.report_each(scheme::errors("http://u:p|w|@h/|")).count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Reports<'r, I> {
    text: &'r Redacted<'r>,
    errors: I,
    /// The hidden range of the last error.
    hidden: Option<Range<usize>>,
}

impl<'r, I: Iterator<Item = ParseError>> Iterator for Reports<'r, I> {
    type Item = Report<'r>;

    fn next(&mut self) -> Option<Report<'r>> {
        loop {
            let error = self.errors.next()?;
            let inside = self.text.hidden_at(error.span.start as usize);
            let is_known = inside.is_some() && inside == self.hidden;
            self.hidden = inside;
            if !is_known {
                return Some(self.text.report(error));
            }
        }
    }
}

impl<'a> Report<'a> {
    fn new(error: ParseError, text: Cow<'a, Redacted<'a>>, octets: &'a [u8]) -> Self {
        Self { error: text.error(error), text, octets }
    }

    /// Returns the edition that defines the rule.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.error.edition
    }

    /// Hides the passwords of the text and of URLs in it: the default of [`ParseError::report`].
    #[must_use]
    pub fn hide_secrets(self) -> Self {
        Self::new(self.error, Cow::Owned(Redacted::of_bytes(self.octets)), self.octets)
    }

    /// Shows the text as it is, with its passwords.
    ///
    /// ```
    /// let text = "ftp://gisle:sec ret@host/";
    /// let report = locator::UriRef::parse(text).unwrap_err().report(text);
    /// assert!(report.to_string().contains("ftp://gisle:(hidden)@host/"));
    /// assert!(
    ///     report
    ///         .show_secrets()
    ///         .to_string()
    ///         .starts_with("a space is not allowed in the userinfo")
    /// );
    /// ```
    #[must_use]
    pub fn show_secrets(self) -> Self {
        let found = match self.error.found {
            Found::Hidden => Found::at(self.octets, self.error.offset()),
            found => found,
        };
        let text = Cow::Owned(Redacted::exact(valid_part(self.octets)));
        Self::new(ParseError { found, ..self.error }, text, self.octets)
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
        let end = last.map_or(end, |hidden| hidden.end.min(self.text.as_str().len()));
        hidden(start).map_or(start, |hidden| hidden.start)..end
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
        let mut marked = write_visibly(f, &self.text.slice(start..end))?;
        let invalid = self.invalid();
        if marked == 0 || self.text.hidden_at(text.len()).is_none() {
            marked += self.write_invalid(f, invalid)?;
        }
        write_visibly(f, &self.text.slice(end..last))?;
        if last < text.len() || text.len() + invalid.len() < self.octets.len() {
            f.write_char('…')?;
        }
        Ok((columns, marked.max(1)))
    }

    /// Returns the marked bytes that are not UTF-8, which follow the valid text.
    fn invalid(&self) -> &[u8] {
        let marked = self.error.span();
        let is_there = marked.start == self.text.as_str().len();
        self.octets.get(marked).filter(|_| is_there).unwrap_or_default()
    }

    /// Writes bytes that are not UTF-8 as `<FF>`; returns the number of columns.
    fn write_invalid(&self, f: &mut Formatter<'_>, invalid: &[u8]) -> Result<usize, fmt::Error> {
        if !invalid.is_empty() && self.text.hidden_at(self.text.as_str().len()).is_some() {
            f.write_str(Redacted::HIDDEN)?;
            return Ok(Redacted::HIDDEN.len());
        }
        invalid.iter().try_for_each(|octet| write!(f, "<{octet:02X}>"))?;
        Ok(4 * invalid.len())
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

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use crate::UriRef;

    #[test]
    fn a_text_that_is_not_utf8_is_drawn_up_to_its_first_invalid_byte() {
        for (octets, drawn) in [
            (&b"/a\xFF"[..], "\n  /a<FF>\n    ^^^^ byte 2\n"),
            (b"\xE2\x82/", "\n  <E2><82>\u{2026}\n  ^^^^^^^^ byte 0\n"),
            (b"/ a\xFF", "\n  / a\u{2026}\n   ^ byte 1\n"),
            (b"ftp://u:p\xFFq@h/", "\n  ftp://u:(hidden)\u{2026}\n          ^^^^^^^^ byte 9\n"),
            (b"ftp://u:\xFFq@h/", "\n  ftp://u:(hidden)\u{2026}\n          ^^^^^^^^ byte 8\n"),
        ] {
            let report = UriRef::parse_bytes(octets).unwrap_err().report(octets);
            let text = report.to_string();
            assert!(text.contains(drawn), "{text}");
            assert!(report.show_secrets().hide_secrets().to_string().contains(drawn));
        }
    }
}
