//! Hex digits (RFC 3986, section 2.1).

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
