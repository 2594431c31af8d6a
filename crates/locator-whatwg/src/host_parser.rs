//! Hosts: parsing and serializing (URL Standard, "Host parsing" and "Host serializing"), in the order
//! and the words of the standard.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use crate::domain;
use crate::error::ValidationErrorKind as Kind;
use crate::input::{Failure, Input, Reporter};
use crate::percent::{self, EncodeSet};

/// A host of a URL record.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum HostRecord {
    Domain(String),
    Ipv4(u32),
    Ipv6([u16; 8]),
    Opaque(String),
    Empty,
}

/// "forbidden host code point"
pub(crate) fn is_forbidden_host(c: char) -> bool {
    matches!(
        c,
        '\0' | '\t'
            | '\n'
            | '\r'
            | ' '
            | '#'
            | '/'
            | ':'
            | '<'
            | '>'
            | '?'
            | '@'
            | '['
            | '\\'
            | ']'
            | '^'
            | '|'
    )
}

/// "forbidden domain code point"
pub(crate) fn is_forbidden_domain(c: char) -> bool {
    is_forbidden_host(c) || matches!(c, '\0'..='\x1F' | '%' | '\x7F')
}

/// The host parser. The input is a part of the text of the URL.
pub(crate) fn parse(input: Input<'_>, is_opaque: bool, errors: &mut Reporter) -> Result<HostRecord, Failure> {
    // 1. "If input starts with U+005B ([), then: if input does not end with U+005D (]),
    // IPv6-unclosed validation error, return failure."
    if input.c(0) == Some('[') {
        if input.c(input.len() - 1) != Some(']') || input.len() == 1 {
            return errors.fail(Kind::Ipv6Unclosed, input.span());
        }
        return parse_ipv6(input.part(1, input.len() - 1), errors).map(HostRecord::Ipv6);
    }
    // 2.
    if is_opaque {
        return parse_opaque(input, errors);
    }
    let text = input.text();
    // 4. "If input contains a percent-encoded byte, domain-percent-encoded validation error."
    let is_encoded = |at: &usize| input.c(*at) == Some('%') && input.starts_with_hex_pair(*at + 1);
    if let Some(at) = (0..input.len()).find(is_encoded) {
        errors.report(Kind::DomainPercentEncoded, input.part(at, at + 3).span());
    }
    // 5. "Let domain be the result of running UTF-8 decode without BOM on the percent-decoding of
    // input."
    let decoded = percent::decode(text.as_bytes());
    let domain = String::from_utf8_lossy(&decoded);
    // 6., 7.
    let ascii = parse_domain(&domain, input, errors)?;
    // 8. "If asciiDomain ends in a number, then return the result of IPv4 parsing asciiDomain."
    if ends_in_number(&ascii) {
        return parse_ipv4(&ascii, input, errors).map(HostRecord::Ipv4);
    }
    Ok(HostRecord::Domain(ascii))
}

/// The domain parser, without `beStrict`.
fn parse_domain(domain: &str, input: Input<'_>, errors: &mut Reporter) -> Result<String, Failure> {
    // 1., 2. "If strictResult is a failure value, domain-to-ASCII validation error. This step does
    // not return." The errors are only computed where somebody asks for them.
    let is_reported = errors.is_listening() && !domain::is_strictly_valid(domain);
    // 5., 6.
    let result = if domain.is_ascii() { Some(domain.to_ascii_lowercase()) } else { domain::to_ascii(domain) };
    // 7., 8. "If result is the empty string … If result contains a forbidden domain code point, then
    // return failure."
    let result = result.filter(|result| !result.is_empty() && !result.contains(is_forbidden_domain));
    match result {
        Some(result) => {
            if is_reported {
                errors.report(Kind::DomainToAscii, input.span());
            }
            Ok(result)
        }
        None => errors.fail(Kind::DomainToAscii, input.span()),
    }
}

/// The ends in a number checker.
pub(crate) fn ends_in_number(input: &str) -> bool {
    let mut parts = input.rsplit('.');
    let mut last = parts.next().unwrap_or_default();
    if last.is_empty() {
        last = parts.next().unwrap_or_default();
    }
    let is_digits = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    is_digits || parse_ipv4_number(last).is_some()
}

/// A number of an IPv4 address.
struct Ipv4Number {
    /// The value; `u64::MAX` if it is larger.
    value: u64,
    is_decimal: bool,
}

/// The IPv4 parser.
fn parse_ipv4(text: &str, input: Input<'_>, errors: &mut Reporter) -> Result<u32, Failure> {
    let span = input.span();
    // 1., 2.
    let mut parts: Vec<&str> = text.split('.').collect();
    if parts.last() == Some(&"") {
        errors.report(Kind::Ipv4EmptyPart, span.clone());
        if parts.len() > 1 {
            parts.pop();
        }
    }
    // 3., 4.
    if parts.len() < 4 {
        errors.report(Kind::Ipv4TooFewParts, span.clone());
    }
    if parts.len() > 4 {
        return errors.fail(Kind::Ipv4TooManyParts, span);
    }
    // 5., 6.
    let mut numbers = Vec::with_capacity(4);
    for part in parts {
        let Some(number) = parse_ipv4_number(part) else {
            return errors.fail(Kind::Ipv4NonNumericPart, span);
        };
        if !number.is_decimal {
            errors.report(Kind::Ipv4NonDecimalPart, span.clone());
        }
        numbers.push(number.value);
    }
    // 7. to 9.
    let last = numbers.pop().unwrap_or(0);
    let is_failure = numbers.iter().any(|&number| number > 255) || last >= 1 << (8 * (4 - numbers.len()));
    if is_failure {
        return errors.fail(Kind::Ipv4OutOfRangePart, span);
    }
    if last > 255 {
        errors.report(Kind::Ipv4OutOfRangePart, span);
    }
    // 10. to 14.
    let mut ipv4 = last;
    for (counter, number) in numbers.into_iter().enumerate() {
        ipv4 += number << (8 * (3 - counter));
    }
    Ok(u32::try_from(ipv4).unwrap_or(u32::MAX))
}

/// The IPv4 number parser.
fn parse_ipv4_number(input: &str) -> Option<Ipv4Number> {
    // 1.
    if input.is_empty() {
        return None;
    }
    // 2. to 5.
    let (radix, digits) = match input.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &input[2..]),
        [b'0', _, ..] => (8, &input[1..]),
        _ => (10, input),
    };
    // 6. "If input is the empty string, then return (0, true)." 7.
    let mut value = 0_u64;
    for digit in digits.chars() {
        value = value.saturating_mul(radix.into()).saturating_add(digit.to_digit(radix)?.into());
    }
    Some(Ipv4Number { value, is_decimal: radix == 10 })
}

/// The IPv6 parser.
fn parse_ipv6(input: Input<'_>, errors: &mut Reporter) -> Result<[u16; 8], Failure> {
    // 1. to 4.
    let mut address = [0_u16; 8];
    let mut piece_index = 0;
    let mut compress = None;
    let mut pointer = 0;
    let here = |pointer: usize| input.part(pointer.min(input.len()), (pointer + 1).min(input.len())).span();
    // 5.
    if input.c(pointer) == Some(':') {
        if input.c(pointer + 1) != Some(':') {
            return errors.fail(Kind::Ipv6InvalidCompression, here(pointer));
        }
        pointer += 2;
        piece_index += 1;
        compress = Some(piece_index);
    }
    // 6.
    while let Some(first) = input.c(pointer) {
        if piece_index == 8 {
            return errors.fail(Kind::Ipv6TooManyPieces, here(pointer));
        }
        if first == ':' {
            if compress.is_some() {
                return errors.fail(Kind::Ipv6MultipleCompression, here(pointer));
            }
            pointer += 1;
            piece_index += 1;
            compress = Some(piece_index);
            continue;
        }
        let (mut value, mut length) = (0_u16, 0);
        while let Some(digit) = input.c(pointer).and_then(|c| c.to_digit(16)).filter(|_| length < 4) {
            // INVARIANT: a hex digit is below 16.
            value = value << 4 | digit as u16;
            pointer += 1;
            length += 1;
        }
        match input.c(pointer) {
            Some('.') => {
                if length == 0 {
                    return errors.fail(Kind::Ipv4InIpv6InvalidCodePoint, here(pointer));
                }
                pointer -= length;
                if piece_index > 6 {
                    return errors.fail(Kind::Ipv4InIpv6TooManyPieces, here(pointer));
                }
                let mut numbers_seen = 0;
                while input.c(pointer).is_some() {
                    let mut ipv4_piece = None;
                    if numbers_seen > 0 {
                        if input.c(pointer) == Some('.') && numbers_seen < 4 {
                            pointer += 1;
                        } else {
                            return errors.fail(Kind::Ipv4InIpv6InvalidCodePoint, here(pointer));
                        }
                    }
                    if !input.c(pointer).is_some_and(|c| c.is_ascii_digit()) {
                        return errors.fail(Kind::Ipv4InIpv6InvalidCodePoint, here(pointer));
                    }
                    while let Some(number) = input.c(pointer).and_then(|c| c.to_digit(10)) {
                        let number = number as u16;
                        let piece = match ipv4_piece {
                            None => number,
                            Some(0) => return errors.fail(Kind::Ipv4InIpv6InvalidCodePoint, here(pointer)),
                            Some(piece) => piece * 10 + number,
                        };
                        if piece > 255 {
                            return errors.fail(Kind::Ipv4InIpv6OutOfRangePart, here(pointer));
                        }
                        ipv4_piece = Some(piece);
                        pointer += 1;
                    }
                    address[piece_index] = address[piece_index] << 8 | ipv4_piece.unwrap_or(0);
                    numbers_seen += 1;
                    if numbers_seen == 2 || numbers_seen == 4 {
                        piece_index += 1;
                    }
                }
                if numbers_seen != 4 {
                    return errors.fail(Kind::Ipv4InIpv6TooFewParts, here(pointer));
                }
                break;
            }
            Some(':') => {
                pointer += 1;
                if input.c(pointer).is_none() {
                    return errors.fail(Kind::Ipv6InvalidCodePoint, here(pointer - 1));
                }
            }
            Some(_) => return errors.fail(Kind::Ipv6InvalidCodePoint, here(pointer)),
            None => {}
        }
        if length > 1 && u32::from(value) < 1 << (4 * (length - 1)) {
            errors.report(Kind::Ipv6PieceLeadingZero, here(pointer.saturating_sub(length + 1)));
        }
        address[piece_index] = value;
        piece_index += 1;
    }
    // 7.
    if let Some(compress) = compress {
        let mut swaps = piece_index - compress;
        piece_index = 7;
        while piece_index != 0 && swaps > 0 {
            address.swap(piece_index, compress + swaps - 1);
            piece_index -= 1;
            swaps -= 1;
        }
    } else if piece_index != 8 {
        return errors.fail(Kind::Ipv6TooFewPieces, input.span());
    }
    Ok(address)
}

/// The opaque-host parser.
fn parse_opaque(input: Input<'_>, errors: &mut Reporter) -> Result<HostRecord, Failure> {
    if let Some(at) = (0..input.len()).find(|&at| input.c(at).is_some_and(is_forbidden_host)) {
        return errors.fail(Kind::HostInvalidCodePoint, input.part(at, at + 1).span());
    }
    let mut text = String::new();
    for at in 0..input.len() {
        errors.check_unit(input, at);
        if let Some(c) = input.c(at) {
            percent::push_encoded_char(&mut text, c, EncodeSet::C0_CONTROL);
        }
    }
    Ok(if text.is_empty() { HostRecord::Empty } else { HostRecord::Opaque(text) })
}

impl HostRecord {
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Empty)
    }

    /// The host serializer.
    pub(crate) fn serialized(&self) -> String {
        match self {
            Self::Domain(text) | Self::Opaque(text) => text.clone(),
            Self::Ipv4(address) => core::net::Ipv4Addr::from(*address).to_string(),
            Self::Ipv6(pieces) => alloc::format!("[{}]", serialized_ipv6(pieces)),
            Self::Empty => String::new(),
        }
    }
}

/// The IPv6 serializer.
fn serialized_ipv6(address: &[u16; 8]) -> String {
    let mut output = String::new();
    let compress = compressed_piece_index(address);
    let mut ignore0 = false;
    for (piece_index, &piece) in address.iter().enumerate() {
        if ignore0 && piece == 0 {
            continue;
        }
        ignore0 = false;
        if compress == Some(piece_index) {
            output.push_str(if piece_index == 0 { "::" } else { ":" });
            ignore0 = true;
            continue;
        }
        // Writing to a `String` does not fail.
        let _ = write!(output, "{piece:x}");
        if piece_index != 7 {
            output.push(':');
        }
    }
    output
}

/// "find the IPv6 address compressed piece index"
fn compressed_piece_index(address: &[u16; 8]) -> Option<usize> {
    let (mut longest_index, mut longest_size) = (None, 1);
    let (mut found_index, mut found_size) = (None, 0);
    for (piece_index, &piece) in address.iter().enumerate() {
        if piece != 0 {
            if found_size > longest_size {
                (longest_index, longest_size) = (found_index, found_size);
            }
            (found_index, found_size) = (None, 0);
        } else {
            found_index = found_index.or(Some(piece_index));
            found_size += 1;
        }
    }
    if found_size > longest_size { found_index } else { longest_index }
}
