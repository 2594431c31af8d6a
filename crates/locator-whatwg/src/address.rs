//! IPv4 and IPv6 addresses and ports: the parsers and serializers of the standard in its order and its words
//! (URL Standard, "Host parsing", "Host serializing", "URL parsing").
//!
//! They are constant functions over octets, so that [`url!`](crate::url!) and [`Url::parse`](crate::Url::parse) read
//! an address by the same code. A parser returns the address or the error that it fails with, and appends the other
//! validation errors to [`Reports`].

use crate::error::ValidationErrorKind as Kind;

/// A validation error of an address.
#[derive(Clone, Copy)]
pub(crate) struct Report {
    pub(crate) kind: Kind,
    /// The octet of the input that it is about; the whole input if there is none.
    pub(crate) at: Option<usize>,
}

impl Report {
    const fn of(kind: Kind) -> Self {
        Self { kind, at: None }
    }

    const fn new(kind: Kind, at: usize) -> Self {
        Self { kind, at: Some(at) }
    }
}

/// The validation errors of an address that is parsed all the same; a constant function has no `Vec`.
pub(crate) struct Reports {
    /// An IPv6 address has eight pieces, an IPv4 address at most seven errors.
    list: [Report; 8],
    count: usize,
}

impl Reports {
    pub(crate) const fn new() -> Self {
        Self { list: [Report::of(Kind::Ipv4EmptyPart); 8], count: 0 }
    }

    const fn push(&mut self, report: Report) {
        if self.count < self.list.len() {
            self.list[self.count] = report;
            self.count += 1;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Report> {
        self.list.iter().copied().take(self.count)
    }
}

/// The ends in a number checker.
pub(crate) const fn ends_in_number(input: &[u8]) -> bool {
    let input = match input {
        [before @ .., b'.'] => before,
        _ => input,
    };
    let mut start = input.len();
    while start > 0 && input[start - 1] != b'.' {
        start -= 1;
    }
    let last = input.split_at(start).1;
    // A number of any radix begins with a digit.
    matches!(last, [b'0'..=b'9', ..]) && (are_digits(last) || parse_ipv4_number(last).is_some())
}

const fn are_digits(text: &[u8]) -> bool {
    let mut rest = text;
    while let [octet, after @ ..] = rest {
        if !octet.is_ascii_digit() {
            return false;
        }
        rest = after;
    }
    true
}

/// The IPv4 parser.
pub(crate) const fn parse_ipv4(input: &[u8], reports: &mut Reports) -> Result<u32, Report> {
    // 1., 2.
    let mut parts = input;
    if let [before @ .., b'.'] = input {
        reports.push(Report::of(Kind::Ipv4EmptyPart));
        parts = before;
    }
    // 3., 4.
    let (mut count, mut at) = (1, 0);
    while at < parts.len() {
        count += (parts[at] == b'.') as usize;
        at += 1;
    }
    if count < 4 {
        reports.push(Report::of(Kind::Ipv4TooFewParts));
    }
    if count > 4 {
        return Err(Report::of(Kind::Ipv4TooManyParts));
    }
    // 5., 6.
    let mut numbers = [0_u64; 4];
    let mut index = 0;
    while index < count {
        let mut end = 0;
        while end < parts.len() && parts[end] != b'.' {
            end += 1;
        }
        let (part, rest) = parts.split_at(end);
        let Some(number) = parse_ipv4_number(part) else {
            return Err(Report::of(Kind::Ipv4NonNumericPart));
        };
        if !number.is_decimal {
            reports.push(Report::of(Kind::Ipv4NonDecimalPart));
        }
        numbers[index] = number.value;
        if let [_, after @ ..] = rest {
            parts = after;
        }
        index += 1;
    }
    // 7. to 9.
    let last = numbers[count - 1];
    let mut is_failure = last >= 1 << (8 * (5 - count));
    // 10. to 14.
    let mut ipv4 = last;
    let mut counter = 0;
    while counter < count - 1 {
        is_failure |= numbers[counter] > 255;
        ipv4 = ipv4.wrapping_add(numbers[counter] << (8 * (3 - counter)));
        counter += 1;
    }
    if is_failure {
        return Err(Report::of(Kind::Ipv4OutOfRangePart));
    }
    if last > 255 {
        reports.push(Report::of(Kind::Ipv4OutOfRangePart));
    }
    // INVARIANT: each part is at most 255, the last one fills the octets that are left.
    Ok(ipv4 as u32)
}

/// A number of an IPv4 address.
struct Ipv4Number {
    /// The value; `u64::MAX` if it is larger.
    value: u64,
    is_decimal: bool,
}

/// The IPv4 number parser.
const fn parse_ipv4_number(input: &[u8]) -> Option<Ipv4Number> {
    // 1. to 5.
    let (radix, mut digits) = match input {
        [] => return None,
        [b'0', b'x' | b'X', digits @ ..] => (16, digits),
        [b'0', digits @ ..] if !digits.is_empty() => (8, digits),
        digits => (10, digits),
    };
    // 6. "If input is the empty string, then return (0, true)." 7.
    let mut value = 0_u64;
    while let [digit, rest @ ..] = digits {
        let Some(digit) = (*digit as char).to_digit(radix) else { return None };
        value = value.saturating_mul(radix as u64).saturating_add(digit as u64);
        digits = rest;
    }
    Some(Ipv4Number { value, is_decimal: radix == 10 })
}

/// The octet at an index; none after the end.
const fn octet(input: &[u8], index: usize) -> Option<u8> {
    if index < input.len() { Some(input[index]) } else { None }
}

/// The value of the digit at an index.
const fn digit(input: &[u8], index: usize, radix: u32) -> Option<u16> {
    match octet(input, index) {
        Some(octet) => match (octet as char).to_digit(radix) {
            // INVARIANT: a digit is less than 36.
            Some(digit) => Some(digit as u16),
            None => None,
        },
        None => None,
    }
}

/// The IPv6 parser.
pub(crate) const fn parse_ipv6(input: &[u8], reports: &mut Reports) -> Result<[u16; 8], Report> {
    // 1. to 4. INVARIANT: an index of a piece is less than 8; "& 7" says so.
    let mut address = [0_u16; 8];
    let mut piece_index = 0;
    let mut compress = None;
    let mut pointer = 0;
    // 5.
    if let Some(b':') = octet(input, pointer) {
        if !matches!(octet(input, pointer + 1), Some(b':')) {
            return Err(Report::new(Kind::Ipv6InvalidCompression, pointer));
        }
        pointer += 2;
        piece_index += 1;
        compress = Some(piece_index);
    }
    // 6.
    while let Some(first) = octet(input, pointer) {
        if piece_index == 8 {
            return Err(Report::new(Kind::Ipv6TooManyPieces, pointer));
        }
        if first == b':' {
            if compress.is_some() {
                return Err(Report::new(Kind::Ipv6MultipleCompression, pointer));
            }
            pointer += 1;
            piece_index += 1;
            compress = Some(piece_index);
            continue;
        }
        let (mut value, mut length) = (0_u16, 0);
        while length < 4
            && let Some(digit) = digit(input, pointer, 16)
        {
            value = value << 4 | digit;
            pointer += 1;
            length += 1;
        }
        match octet(input, pointer) {
            Some(b'.') => {
                if length == 0 {
                    return Err(Report::new(Kind::Ipv4InIpv6InvalidCodePoint, pointer));
                }
                pointer -= length;
                if piece_index > 6 {
                    return Err(Report::new(Kind::Ipv4InIpv6TooManyPieces, pointer));
                }
                match parse_four_numbers(input, pointer) {
                    Ok([first, second, third, fourth]) => {
                        address[piece_index & 7] = u16::from_be_bytes([first, second]);
                        address[(piece_index + 1) & 7] = u16::from_be_bytes([third, fourth]);
                        piece_index += 2;
                    }
                    Err(error) => return Err(error),
                }
                break;
            }
            Some(b':') => {
                pointer += 1;
                if pointer == input.len() {
                    return Err(Report::new(Kind::Ipv6InvalidCodePoint, pointer - 1));
                }
            }
            Some(_) => return Err(Report::new(Kind::Ipv6InvalidCodePoint, pointer)),
            None => {}
        }
        if length > 1 && (value as u32) < 1 << (4 * (length - 1)) {
            reports.push(Report::new(Kind::Ipv6PieceLeadingZero, pointer.saturating_sub(length + 1)));
        }
        address[piece_index & 7] = value;
        piece_index += 1;
    }
    // 7.
    if let Some(compress) = compress {
        let mut swaps = piece_index - compress;
        piece_index = 7;
        while piece_index != 0 && swaps > 0 {
            address.swap(piece_index & 7, (compress + swaps - 1) & 7);
            piece_index -= 1;
            swaps -= 1;
        }
    } else if piece_index != 8 {
        return Err(Report::of(Kind::Ipv6TooFewPieces));
    }
    Ok(address)
}

/// Step 6, 5 of the IPv6 parser: four decimal numbers up to the end, without leading zeros.
const fn parse_four_numbers(input: &[u8], start: usize) -> Result<[u8; 4], Report> {
    let mut pointer = start;
    let mut numbers = [0_u8; 4];
    let mut numbers_seen = 0;
    while let Some(first) = octet(input, pointer) {
        if numbers_seen > 0 {
            if first == b'.' && numbers_seen < 4 {
                pointer += 1;
            } else {
                return Err(Report::new(Kind::Ipv4InIpv6InvalidCodePoint, pointer));
            }
        }
        let mut ipv4_piece = match digit(input, pointer, 10) {
            Some(number) => number,
            None => return Err(Report::new(Kind::Ipv4InIpv6InvalidCodePoint, pointer)),
        };
        pointer += 1;
        while let Some(number) = digit(input, pointer, 10) {
            if ipv4_piece == 0 {
                return Err(Report::new(Kind::Ipv4InIpv6InvalidCodePoint, pointer));
            }
            ipv4_piece = ipv4_piece * 10 + number;
            if ipv4_piece > 255 {
                return Err(Report::new(Kind::Ipv4InIpv6OutOfRangePart, pointer));
            }
            pointer += 1;
        }
        // INVARIANT: at most 255, and the fourth number is the last.
        numbers[numbers_seen & 3] = ipv4_piece as u8;
        numbers_seen += 1;
    }
    if numbers_seen != 4 {
        return Err(Report::new(Kind::Ipv4InIpv6TooFewParts, pointer));
    }
    Ok(numbers)
}

/// Returns whether a text is an IPv4 address in serialised form.
pub(crate) const fn is_serialised_ipv4(text: &[u8]) -> bool {
    parse_four_numbers(text, 0).is_ok()
}

/// The port state: the number of some digits, which are none if the port is missing.
pub(crate) const fn parse_port(digits: &[u8]) -> Result<Option<u16>, Kind> {
    let (mut port, mut rest) = (0_u32, digits);
    while let [digit, after @ ..] = rest {
        if !digit.is_ascii_digit() {
            return Err(Kind::PortInvalid);
        }
        port = port * 10 + (*digit - b'0') as u32;
        // Any number from here on is too large.
        if port > 65535 {
            port = 65536;
        }
        rest = after;
    }
    if digits.is_empty() {
        Ok(None)
    } else if port > 65535 {
        Err(Kind::PortOutOfRange)
    } else {
        // INVARIANT: at most 65535.
        Ok(Some(port as u16))
    }
}

/// What is written of an address or a port.
pub(crate) struct AddressText {
    /// The longest is an IPv6 address in brackets.
    octets: [u8; 41],
    length: usize,
}

impl AddressText {
    const EMPTY: Self = Self { octets: [0; 41], length: 0 };

    /// The IPv4 serializer.
    pub(crate) const fn of_ipv4(address: u32) -> Self {
        let mut text = Self::EMPTY;
        let mut shift = 32;
        while shift > 0 {
            shift -= 8;
            text.push_number(address >> shift & 255, 10);
            if shift > 0 {
                text.push(b'.');
            }
        }
        text
    }

    /// The IPv6 serializer, in brackets.
    pub(crate) const fn of_ipv6(address: &[u16; 8]) -> Self {
        let mut text = Self::EMPTY;
        text.push(b'[');
        let compress = compressed_piece_index(address);
        let (mut piece_index, mut ignore0) = (0, false);
        while piece_index < 8 {
            let piece = address[piece_index];
            ignore0 &= piece == 0;
            if !ignore0 {
                if piece_index == compress {
                    if piece_index == 0 {
                        text.push(b':');
                    }
                    text.push(b':');
                    ignore0 = true;
                } else {
                    text.push_number(piece as u32, 16);
                    if piece_index != 7 {
                        text.push(b':');
                    }
                }
            }
            piece_index += 1;
        }
        text.push(b']');
        text
    }

    /// A port, after its ":".
    pub(crate) const fn of_port(port: u16) -> Self {
        let mut text = Self::EMPTY;
        text.push(b':');
        text.push_number(port as u32, 10);
        text
    }

    pub(crate) const fn as_bytes(&self) -> &[u8] {
        self.octets.split_at(self.length).0
    }

    pub(crate) fn as_str(&self) -> &str {
        // INVARIANT: it is ASCII.
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    const fn push(&mut self, octet: u8) {
        if self.length < self.octets.len() {
            self.octets[self.length] = octet;
            self.length += 1;
        }
    }

    #[inline(never)]
    const fn push_number(&mut self, value: u32, radix: u32) {
        let mut divisor = 1;
        while value / divisor >= radix {
            divisor *= radix;
        }
        while divisor > 0 {
            self.push(b"0123456789abcdef"[(value / divisor % radix) as usize & 15]);
            divisor /= radix;
        }
    }
}

/// "find the IPv6 address compressed piece index"; 8 if there is none.
const fn compressed_piece_index(address: &[u16; 8]) -> usize {
    let (mut longest_index, mut longest_size) = (8, 1);
    let (mut found_index, mut found_size) = (8, 0);
    let mut piece_index = 0;
    while piece_index < 8 {
        if address[piece_index] != 0 {
            found_size = 0;
        } else {
            if found_size == 0 {
                found_index = piece_index;
            }
            found_size += 1;
            // The first of the longest.
            if found_size > longest_size {
                (longest_index, longest_size) = (found_index, found_size);
            }
        }
        piece_index += 1;
    }
    longest_index
}

#[cfg(test)]
mod tests {
    use super::{AddressText, Reports, is_serialised_ipv4, parse_ipv4, parse_ipv6};
    use alloc::string::ToString;
    use core::net::{Ipv4Addr, Ipv6Addr};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8192))]

        #[test]
        fn ipv4_as_in_rust(address: u32, text in "[0-9.]{5,15}|([0-9]{1,3}\\.){3}[0-9]{1,3}") {
            let written = AddressText::of_ipv4(address);
            prop_assert_eq!(written.as_str(), Ipv4Addr::from(address).to_string());
            prop_assert_eq!(parse_ipv4(written.as_bytes(), &mut Reports::new()).ok(), Some(address));
            // What Rust reads as an address is in serialised form.
            prop_assert_eq!(is_serialised_ipv4(text.as_bytes()), text.parse::<Ipv4Addr>().is_ok());
        }

        #[test]
        fn ipv6_as_in_rust(pieces in prop::array::uniform8(prop_oneof![Just(0), 0..0x20_u16, any::<u16>()])) {
            let written = AddressText::of_ipv6(&pieces);
            let inside = written.as_str().trim_matches(['[', ']']);
            prop_assert_eq!(inside.parse::<Ipv6Addr>().map(|address| address.segments()), Ok(pieces));
            prop_assert_eq!(parse_ipv6(inside.as_bytes(), &mut Reports::new()).ok(), Some(pieces));
            // Rust writes the last two pieces of some addresses as an IPv4 address.
            let of_rust = Ipv6Addr::from(pieces).to_string();
            prop_assert!(of_rust.contains('.') || of_rust == inside, "{} {}", of_rust, inside);
        }
    }
}
