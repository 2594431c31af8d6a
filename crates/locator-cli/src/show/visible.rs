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

/// A text that is read for its letters, such as an IRI.
pub(crate) struct Legible<'a>(&'a str);

/// Makes visible what does not show itself.
pub(crate) const fn legible(text: &str) -> Legible<'_> {
    Legible(text)
}

impl Display for Legible<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            _ if shows_itself(c) => f.write_char(c),
            _ => write!(f, "<U+{:04X}>", u32::from(c)),
        })
    }
}

/// Whether octets may be shown as they are.
pub(crate) fn is_plain(octets: &[u8]) -> bool {
    octets.iter().all(|octet| matches!(octet, b' '..=b'~'))
}

/// Whether a character is seen where it stands, and does nothing else.
pub(crate) fn shows_itself(c: char) -> bool {
    c >= ' ' && !does_harm(c)
}

/// DEL and C1; what has no width or turns the line (general category Cf, U+2028, U+2029).
pub(crate) fn does_harm(c: char) -> bool {
    matches!(
        c,
        '\u{7F}'..='\u{9F}'
            | '\u{AD}'
            | '\u{600}'..='\u{605}'
            | '\u{61C}'
            | '\u{6DD}'
            | '\u{70F}'
            | '\u{890}'..='\u{891}'
            | '\u{8E2}'
            | '\u{180E}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{110BD}'
            | '\u{110CD}'
            | '\u{13430}'..='\u{1343F}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E007F}'
    )
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

    #[test]
    fn letters_are_legible_and_what_moves_them_is_not() {
        assert_eq!(legible("/é納1~\u{202E}\u{200B}\u{1B}").to_string(), "/é納1~<U+202E><U+200B><U+001B>");
    }
}
