//! An error and its text in, lines for a person out.

use core::fmt::{self, Display, Formatter, Write as _};

use super::{Error, ErrorKind, is_plain};

/// An error drawn under its text, for a person: sentence, text, caret, rule, advice.
///
/// Of a long text only the surroundings are shown; what is not plain to see is shown as its
/// code, and the caret still stands under it.
///
/// ```
/// let text = "http://a/b c";
/// let error = locator::UriRef::parse(text).unwrap_err();
/// assert_eq!(error.draw(text).to_string(), "\
/// a space may not stand in the path
///   http://a/b c
///             ^ octet 10
///   expected letters, digits, escapes or any of -._~!$&'()*+,;=:@ and \"/\"
///   by pchar, RFC 3986, 3.3
///   as data it is written %20");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    error: Error,
    text: &'a str,
}

impl<'a> Drawing<'a> {
    pub(super) const fn new(error: Error, text: &'a str) -> Self {
        Self { error, text }
    }
}

impl Drawing<'_> {
    /// How many octets are shown before and after the ones in question.
    const BEFORE: usize = 48;
    const AFTER: usize = 24;

    /// Writes the text around the error and gives how many columns stand before it and under it.
    fn write_text(&self, f: &mut Formatter<'_>) -> Result<(usize, usize), fmt::Error> {
        let (start, end) = (self.error.span.start as usize, self.error.span.end as usize);
        let first = self.boundary(start.saturating_sub(Self::BEFORE));
        let middle = self.boundary(start);
        let after = self.boundary(end.min(middle + Self::BEFORE));
        let last = self.boundary((after + Self::AFTER).min(self.text.len()));
        let mut columns = 0;
        if first > 0 {
            f.write_char('…')?;
            columns += 1;
        }
        columns += write_visibly(f, &self.text[first..middle])?;
        let marked = write_visibly(f, &self.text[middle..after])?;
        write_visibly(f, &self.text[after..last])?;
        if last < self.text.len() {
            f.write_char('…')?;
        }
        Ok((columns, marked.max(1)))
    }

    fn boundary(&self, index: usize) -> usize {
        (0..=index.min(self.text.len())).rev().find(|&i| self.text.is_char_boundary(i)).unwrap_or(0)
    }
}

impl Display for Drawing<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let error = &self.error;
        write!(f, "{}\n  ", error.message())?;
        let (columns, marked) = self.write_text(f)?;
        write!(f, "\n  {:columns$}", "")?;
        (0..marked).try_for_each(|_| f.write_char('^'))?;
        write!(f, " octet {}", error.span.start)?;
        // What is missing has been named.
        if error.kind != ErrorKind::Missing {
            write!(f, "\n  expected {}", error.rule.expects)?;
        }
        write!(f, "\n  by {}, {}", error.rule.name, error.see())?;
        match error.advice() {
            Some(advice) => write!(f, "\n  {advice}"),
            None => Ok(()),
        }
    }
}

/// Writes what may be shown on a terminal as it is and the rest as `<U+202E>`; gives the columns.
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
