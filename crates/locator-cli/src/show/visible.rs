//! Text of an input in, what a terminal may be given out.
//!
//! Only printable ASCII is sure to show itself, in one column, and to move nothing else: all
//! other characters are shown as `<U+202E>`, as the library draws them under an error.

use std::fmt::{self, Display, Formatter, Write};

/// A text that shows every character it has.
pub(crate) struct Visible<'a>(&'a str);

/// Makes every character of a text visible.
pub(crate) const fn visible(text: &str) -> Visible<'_> {
    Visible(text)
}

/// Whether octets may be shown as they are.
pub(crate) fn is_plain(octets: &[u8]) -> bool {
    octets.iter().all(|octet| matches!(octet, b' '..=b'~'))
}

impl Display for Visible<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if is_plain(self.0.as_bytes()) {
            return f.write_str(self.0);
        }
        self.0.chars().try_for_each(|c| match c {
            ' '..='~' => f.write_char(c),
            _ => write!(f, "<U+{:04X}>", u32::from(c)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_characters_are_shown_as_they_are() {
        let text = "a ~\u{1B}[31m\u{202E}é\u{E0001}\u{FFFD}\n";
        assert_eq!(visible(text).to_string(), "a ~<U+001B>[31m<U+202E><U+00E9><U+E0001><U+FFFD><U+000A>");
    }
}
