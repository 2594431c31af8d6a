//! A reply of a server, as failures quote it.

use std::fmt::{self, Debug, Display, Formatter};

use locator_audit::does_harm;

use crate::redact;

/// A reply of a server.
///
/// ```
/// use locator_fetch::run::Reply;
///
/// let reply = Reply::new(Some(550), "No such file");
/// assert_eq!(reply.to_string(), "550 No such file");
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    /// The code: `550`. An error of Gopher+ has none.
    pub code: Option<u16>,
    /// The text after the code; the lines of a longer reply are divided by LF.
    pub text: Vec<u8>,
}

impl Reply {
    /// Creates a reply.
    #[must_use]
    pub fn new(code: Option<u16>, text: impl Into<Vec<u8>>) -> Self {
        Self { code, text: text.into() }
    }
}

/// The number of characters of a reply that are shown.
const SHOWN: usize = 400;

/// Writes code and text on one line, and "…" for what is longer than 400 characters. Characters that
/// are not seen are written by their codes, octets that are not UTF-8 as U+FFFD.
impl Display for Reply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.text);
        let text = text.trim();
        if let Some(code) = self.code {
            write!(f, "{code}{}", if text.is_empty() { "" } else { " " })?;
        }
        for c in text.chars().filter(|&c| c != '\r').take(SHOWN) {
            match c {
                '\n' => f.write_str(" / ")?,
                c if c.is_control() || does_harm(c) => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => write!(f, "{c}")?,
            }
        }
        if text.chars().nth(SHOWN).is_some() { f.write_str("…") } else { Ok(()) }
    }
}

/// Writes what `Display` writes, without the secrets of URLs.
impl Debug for Reply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reply").field(&redact::sentence(&self.to_string())).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_shown_on_one_line() {
        let shown = |text: &[u8]| Reply { code: Some(550), text: text.into() }.to_string();
        assert_eq!(shown(b"No\x1B[2J such\r\nfile\xE9"), "550 No\\u{1b}[2J such / file\u{FFFD}");
        assert_eq!(shown(b" "), "550");
        assert_eq!(shown(&[b'x'; 500]).chars().count(), 405);
        assert_eq!(Reply { code: None, text: b"1 admin\r\n".into() }.to_string(), "1 admin");
    }
}
