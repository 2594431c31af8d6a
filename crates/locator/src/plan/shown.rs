//! Octets for display.

use core::fmt::{self, Display, Formatter, Write as _};

/// Text that is sent or read: printable ASCII unchanged, controls by code as everywhere, `<U+0009>`,
/// and what is not ASCII as octets, `<E9>`, because its encoding is not known.
pub(super) struct Shown<'a>(pub(super) &'a [u8]);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&octet| match octet {
            b' '..=b'~' => f.write_char(char::from(octet)),
            ..=0x7F => write!(f, "<U+{octet:04X}>"),
            _ => write!(f, "<{octet:02X}>"),
        })
    }
}

/// A packet: printable ASCII unchanged, and all other octets by their value, `<1B>`.
pub(super) struct Packet<'a>(pub(super) &'a [u8]);

impl Display for Packet<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&octet| match octet {
            b' '..=b'~' => f.write_char(char::from(octet)),
            _ => write!(f, "<{octet:02X}>"),
        })
    }
}
