//! Document identifiers of WAIS: octets enter, their fields leave, and back. Each field is its
//! number, the length of its value, and the value; numbers and lengths are written by `compressed`.
//! "The wpath of a WAIS URL consists of encoded fields of the WAIS identifier, in the same order as
//! in the WAIS identifier. For each field, the identifier field number is the digits before the
//! equals sign" (draft of 1994).

use alloc::vec::Vec;

/// A field: its number and its value.
type Field<'a> = (usize, &'a [u8]);

/// Appends a field to an identifier.
pub(super) fn push(identifier: &mut Vec<u8>, number: usize, value: &[u8]) {
    identifier.extend(compressed(number).chain(compressed(value.len())));
    identifier.extend_from_slice(value);
}

/// Returns the fields of an identifier; `None` if it does not consist of fields.
pub(super) fn divide(identifier: &[u8]) -> Option<Vec<Field<'_>>> {
    let (mut rest, mut fields) = (identifier, Vec::new());
    while !rest.is_empty() {
        let (number, length);
        (number, rest) = read_compressed(rest)?;
        (length, rest) = read_compressed(rest)?;
        let value;
        (value, rest) = rest.split_at_checked(length)?;
        fields.push((number, value));
    }
    Some(fields)
}

/// Returns a compressed integer: seven bits an octet, the highest first. The highest bit of an
/// octet is set if another follows.
pub(super) fn compressed(value: usize) -> impl Iterator<Item = u8> {
    let count = (usize::BITS - (value | 1).leading_zeros()).div_ceil(7);
    (0..count).rev().map(move |i| {
        let more = if i == 0 { 0 } else { 0x80 };
        (value >> (7 * i) & 0x7F) as u8 | more
    })
}

/// Reads a compressed integer, which another program may have written with octets of 0x80 before
/// it.
fn read_compressed(octets: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0_usize;
    for (i, octet) in octets.iter().enumerate() {
        value = value.checked_mul(0x80)? | usize::from(octet & 0x7F);
        if octet & 0x80 == 0 {
            return Some((value, octets.get(i + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_what_they_were() {
        let octets = |value| compressed(value).collect::<Vec<_>>();
        assert_eq!(octets(0), [0]);
        assert_eq!(octets(127), [0x7F]);
        assert_eq!(octets(150), [0x81, 0x16]);
        assert_eq!(octets(753), [0x85, 0x71]);
        for value in [0, 1, 127, 128, 16383, 16384, usize::MAX] {
            assert_eq!(read_compressed(&octets(value)), Some((value, &[][..])));
        }
        assert_eq!(read_compressed(&[0x80, 0x80, 5, 6]), Some((5, &[6][..])));
        assert_eq!(read_compressed(&[0xFF; 11]), None);
        assert_eq!(read_compressed(&[0x81]), None);
    }

    #[test]
    fn fields_are_what_they_were() {
        let mut identifier = Vec::new();
        push(&mut identifier, 3, b"0 67 /a");
        push(&mut identifier, 7, &[0]);
        assert_eq!(identifier, b"\x03\x070 67 /a\x07\x01\0");
        assert_eq!(divide(&identifier), Some(alloc::vec![(3, &b"0 67 /a"[..]), (7, &[0][..])]));
        assert_eq!(divide(b"\x03\x07short"), None);
    }
}
