//! Hex digits (RFC 3986, section 2.1).

use alloc::string::String;

/// Appends the escape of each octet.
#[inline(never)]
pub(crate) fn push_escapes(out: &mut String, octets: &[u8]) {
    for &octet in octets {
        for digit in [b'%', hex_digit(octet >> 4), hex_digit(octet)] {
            out.push(char::from(digit));
        }
    }
}

/// Returns the value of a hex digit.
pub(crate) const fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20).wrapping_sub(b'a' - 10),
    }
}

/// Returns the hex digit of a value below 16, in upper case, which is the normal form.
pub(crate) const fn hex_digit(value: u8) -> u8 {
    b"0123456789ABCDEF"[value as usize & 15]
}
