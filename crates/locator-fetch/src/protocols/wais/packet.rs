//! Packets: finds the first packet among the octets of a connection.

use std::ops::Range;

/// The number of octets of a header.
const HEADER: usize = 25;

/// The number of digits of the length.
const DIGITS: usize = 10;

/// The number of octets before a header that are skipped: the reference client skips what comes before
/// the first "0".
const SKIPPED: usize = 1024;

/// What the octets of a connection begin with.
///
/// ```
/// use locator_fetch::wais::{Found, find_packet};
///
/// let received = b"0000000002z2wais        0\0\0 and more";
/// let Found::Packet(apdu) = find_packet(received, 100) else { panic!() };
/// assert_eq!(received[apdu], [0, 0]);
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The beginning of a packet, or nothing yet.
    Unfinished,
    /// A packet; the range is that of its APDU.
    Packet(Range<usize>),
    /// No packet.
    Wrong,
    /// A packet whose APDU would be longer than the limit.
    TooLong,
}

/// Finds the first packet. `limit` is the largest number of octets of its APDU.
///
/// A header is the length of the APDU in ten digits, "z", the version "2", a name of ten octets, a space
/// each for no compression and no encoding, and a checksum that is not used. Letters may be of either
/// case.
///
/// ```
/// use locator_fetch::wais::{Found, find_packet};
///
/// let packet = b"0000000002z2wais        0\0\0";
/// assert_eq!(find_packet(packet, 100), Found::Packet(25..27));
/// assert_eq!(find_packet(&packet[..26], 100), Found::Unfinished);
/// assert_eq!(find_packet(packet, 1), Found::TooLong);
/// assert_eq!(find_packet(b"HTTP/1.0 400 Bad Request", 100), Found::Wrong);
/// ```
#[must_use]
pub fn find_packet(octets: &[u8], limit: u64) -> Found {
    let beginning = &octets[..octets.len().min(SKIPPED + 1)];
    let Some(start) = beginning.iter().position(|&octet| octet == b'0') else {
        return if octets.len() > SKIPPED { Found::Wrong } else { Found::Unfinished };
    };
    let header = || octets[start..].iter().take(HEADER).enumerate();
    if !header().take(DIGITS).all(|(i, &octet)| may_be_at(i, octet)) {
        return Found::Wrong;
    }
    // The length is checked as soon as all digits are there, whatever has come after them: so nothing is
    // kept for it, and the answer does not depend on the pieces in which the octets come.
    let Some(digits) = octets[start..].get(..DIGITS) else { return Found::Unfinished };
    let length = digits.iter().fold(0_u64, |length, digit| 10 * length + u64::from(digit - b'0'));
    if length > limit {
        return Found::TooLong;
    }
    if !header().all(|(i, &octet)| may_be_at(i, octet)) {
        return Found::Wrong;
    }
    let start = start + HEADER;
    match usize::try_from(length).ok().and_then(|length| start.checked_add(length)) {
        Some(end) if end <= octets.len() => Found::Packet(start..end),
        _ => Found::Unfinished,
    }
}

/// Returns whether an octet is allowed at this offset of a header.
const fn may_be_at(offset: usize, octet: u8) -> bool {
    match offset {
        0..DIGITS => octet.is_ascii_digit(),
        // "a" and "n" acknowledge packets; they are not used over TCP.
        10 => octet.eq_ignore_ascii_case(&b'z'),
        11 => octet == b'2',
        22 | 23 => octet == b' ',
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(apdu: &str) -> Vec<u8> {
        format!("{:010}z2wais        0{apdu}", apdu.len()).into_bytes()
    }

    #[test]
    fn a_packet_in_any_cut() {
        for before in [0, 1, SKIPPED - 1, SKIPPED] {
            let octets = ["x".repeat(before).into_bytes(), packet("hello")].concat();
            for end in 0..octets.len() {
                assert_eq!(find_packet(&octets[..end], 5), Found::Unfinished, "{before} {end}");
            }
            let apdu = before + HEADER..before + HEADER + 5;
            assert_eq!(find_packet(&[&octets[..], b"0more"].concat(), 5), Found::Packet(apdu));
        }
    }

    #[test]
    fn what_is_no_packet() {
        let wrong = |octets: &[u8]| assert_eq!(find_packet(octets, 5), Found::Wrong, "{octets:?}");
        wrong(&[b'x'; SKIPPED + 1]);
        wrong(&["x".repeat(SKIPPED + 1).into_bytes(), packet("a")].concat());
        wrong(b"0 ");
        wrong(b"0000000001a");
        wrong(b"0000000001n");
        wrong(b"0000000001z3");
        wrong(b"0000000001z2wais      u");
        wrong(b"0000000001z2wais       h");
        assert_eq!(find_packet(b"0000000001Z2WAIS        0x", 5), Found::Packet(25..26));
    }

    #[test]
    fn a_length_that_lies() {
        assert_eq!(find_packet(b"0999999999", 100_000), Found::TooLong);
        assert_eq!(find_packet(b"0999999999 no header", 100_000), Found::TooLong);
        assert_eq!(find_packet(b"0000000000z2wais        0", 5), Found::Packet(25..25));
        assert_eq!(find_packet(b"0999999999z2wais        0x", u64::MAX), Found::Unfinished);
    }
}
