//! Which characters show themselves: takes a text, and returns it with all others written by code,
//! `<U+202E>`, as in the library's reports.

use core::fmt::{self, Display, Formatter, Write};

pub use locator_audit::does_harm;

/// A text that is read for its letters, such as an IRI.
///
/// ```
/// use locator_web::report::visible::legible;
///
/// assert_eq!(legible("/é\u{202E}").to_string(), "/é<U+202E>");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Legible<'a>(&'a str);

/// Makes visible what does not show itself.
#[must_use]
pub const fn legible(text: &str) -> Legible<'_> {
    Legible(text)
}

impl Display for Legible<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Nearly every text is of these characters, and shown as it is.
        if self.0.bytes().all(|octet| matches!(octet, b' '..=b'~')) {
            return f.write_str(self.0);
        }
        self.0.chars().try_for_each(|c| match c {
            _ if shows_itself(c) => f.write_char(c),
            _ => write!(f, "<U+{:04X}>", u32::from(c)),
        })
    }
}

/// Returns whether a character is visible and has no other effect.
///
/// ```
/// use locator_web::report::visible::shows_itself;
///
/// assert!(shows_itself('é') && !shows_itself('\u{202E}') && !shows_itself('\n'));
/// ```
#[must_use]
pub fn shows_itself(c: char) -> bool {
    c >= ' ' && !does_harm(c)
}

/// Returns whether bytes are binary data: they contain control characters that text does not have.
///
/// ```
/// use locator_web::report::visible::looks_binary;
///
/// assert!(looks_binary(b"\x7FELF\x02\x01\x01\0") && !looks_binary(b"a\tb\r\n"));
/// ```
#[must_use]
pub fn looks_binary(octets: &[u8]) -> bool {
    let beginning = &octets[..octets.len().min(8192)];
    beginning.iter().any(|octet| matches!(octet, 0..=6 | 0x0E..=0x1A | 0x1C..=0x1F))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_texts_do_not_have_is_binary() {
        assert!(looks_binary(b"\x7FELF\x02\x01\x01\0"));
        assert!(looks_binary(b"GIF89a\0"));
        assert!(!looks_binary("a\té\r\n\x0C\x1B[1m".as_bytes()));
        assert!(!looks_binary(b""));
    }
}
