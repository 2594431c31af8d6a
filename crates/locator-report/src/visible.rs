//! Which characters show themselves: takes a text, and returns it with all others written by code,
//! `<U+202E>`, as in the library's reports.

use core::fmt::{self, Display, Formatter, Write};

/// A text that is read for its letters, such as an IRI.
///
/// ```
/// use locator_report::visible::legible;
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
        self.0.chars().try_for_each(|c| match c {
            _ if shows_itself(c) => f.write_char(c),
            _ => write!(f, "<U+{:04X}>", u32::from(c)),
        })
    }
}

/// Returns whether a character is visible and has no other effect.
///
/// ```
/// use locator_report::visible::shows_itself;
///
/// assert!(shows_itself('é') && !shows_itself('\u{202E}') && !shows_itself('\n'));
/// ```
#[must_use]
pub fn shows_itself(c: char) -> bool {
    c >= ' ' && !does_harm(c)
}

/// Returns whether a character from U+007F on is not seen, or changes how others are seen.
///
/// DEL and C1; what has no width or turns the line (general category Cf, U+2028, U+2029); what is
/// not seen, though it is a letter or a mark (the property Default_Ignorable_Code_Point, U+2800),
/// and white space that is no space.
#[must_use]
pub fn does_harm(c: char) -> bool {
    matches!(
        c,
        '\u{7F}'..='\u{9F}'
            | '\u{A0}'
            | '\u{AD}'
            | '\u{34F}'
            | '\u{600}'..='\u{605}'
            | '\u{61C}'
            | '\u{6DD}'
            | '\u{70F}'
            | '\u{890}'..='\u{891}'
            | '\u{8E2}'
            | '\u{115F}'..='\u{1160}'
            | '\u{1680}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{2000}'..='\u{200F}'
            | '\u{2028}'..='\u{202F}'
            | '\u{205F}'..='\u{206F}'
            | '\u{2800}'
            | '\u{3000}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{110BD}'
            | '\u{110CD}'
            | '\u{13430}'..='\u{1343F}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}
