//! Octets for display.

use core::fmt::{self, Display, Formatter, Write as _};

/// Octets for display: printable ASCII unchanged, the rest by name or code.
pub(super) struct Shown<'a>(pub(super) &'a [u8]);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&octet| match octet {
            b' '..=b'~' => f.write_char(char::from(octet)),
            0 => f.write_str("<NUL>"),
            b'\t' => f.write_str("<TAB>"),
            b'\r' => f.write_str("<CR>"),
            b'\n' => f.write_str("<LF>"),
            _ => write!(f, "<{octet:02X}>"),
        })
    }
}
