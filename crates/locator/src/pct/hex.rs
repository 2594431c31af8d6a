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

/// Returns the octet of the escape at the start of a text.
#[inline]
pub fn escaped_octet(text: &[u8]) -> Option<u8> {
    match *text {
        [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
            Some(hex_value(high) << 4 | hex_value(low))
        }
        _ => None,
    }
}

/// Returns the character whose UTF-8 octets are the escapes at the start of a text.
pub fn escaped_character(text: &[u8]) -> Option<char> {
    let mut octets = [0; 4];
    let mut count = 0;
    let escapes = (0..4).map_while(|i| escaped_octet(text.get(3 * i..)?));
    for (octet, escaped) in octets.iter_mut().zip(escapes) {
        *octet = escaped;
        count += 1;
    }
    // What follows the character need not be one: "strictly legal UTF-8 octet sequence" (RFC 3987,
    // 3.2).
    octets[..count].utf8_chunks().next()?.valid().chars().next()
}

/// Returns the hex digit of a value below 16, in upper case, which is the normal form.
pub(crate) const fn hex_digit(value: u8) -> u8 {
    b"0123456789ABCDEF"[value as usize & 15]
}
