//! The character or byte at the position of an error.

use core::fmt::{self, Display, Formatter};

/// The character or byte found at the position of the error.
///
/// ```
/// use locator::{Found, UriRef};
///
/// assert_eq!(UriRef::parse("/a|b").unwrap_err().found(), Found::Char('|'));
/// assert_eq!(
///     UriRef::parse("/a%4").unwrap_err().to_string().find("the end"),
///     None
/// );
/// assert_eq!(Found::Char(' ').to_string(), "a space");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// The end of the text.
    End,
    /// A character.
    Char(char),
    /// A byte that is not part of a UTF-8 character.
    Byte(u8),
    /// A character that is hidden because it is part of a password or a token: see
    /// [`Redacted`](crate::Redacted).
    Hidden,
}

impl Found {
    /// Returns the character or byte at an index. It is decoded without `core::str`, which is not
    /// const.
    #[inline(never)]
    pub(crate) const fn at(octets: &[u8], index: usize) -> Found {
        if index >= octets.len() {
            return Found::End;
        }
        let first = octets[index];
        if first.is_ascii() { Found::Char(first as char) } else { Found::beyond_ascii(octets, index) }
    }

    const fn beyond_ascii(octets: &[u8], index: usize) -> Found {
        let first = octets[index];
        let (length, mut code) = match first {
            0xC2..=0xDF => (2, first as u32 & 0x1F),
            0xE0..=0xEF => (3, first as u32 & 0x0F),
            0xF0..=0xF4 => (4, first as u32 & 0x07),
            _ => return Found::Byte(first),
        };
        let mut i = 1;
        while i < length {
            if index + i >= octets.len() || octets[index + i] & 0xC0 != 0x80 {
                return Found::Byte(first);
            }
            code = code << 6 | (octets[index + i] & 0x3F) as u32;
            i += 1;
        }
        match char::from_u32(code) {
            Some(c) => Found::Char(c),
            None => Found::Byte(first),
        }
    }
}

impl Display for Found {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::End => f.write_str("the end of the text"),
            Self::Char(' ') => f.write_str("a space"),
            Self::Char('"') => f.write_str("'\"'"),
            Self::Char(c) if is_plain(c) => write!(f, "\"{c}\""),
            Self::Char(c) => write!(f, "U+{:04X}", u32::from(c)),
            Self::Byte(octet) => write!(f, "byte {octet:02X}"),
            Self::Hidden => f.write_str("a hidden character"),
        }
    }
}

/// Returns whether a character is safe to print on any terminal. Only ASCII is: other characters
/// may have no width or two columns, or may reverse the line.
pub(super) fn is_plain(c: char) -> bool {
    c.is_ascii_graphic()
}
