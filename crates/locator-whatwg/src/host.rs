//! Hosts: [`Host`], a host as a value, and the parsers and serializers of the standard in its order and its
//! words (URL Standard, "Host parsing", "IDNA", "Host serializing").
//!
//! A [`HostRecord`] is what the record of a URL has; [`parse_text`] reads a text, [`parse`] a part of the
//! input of the state machine, whose errors have places.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter, Write};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

#[cfg(feature = "idna")]
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use crate::error::{ParseError, ValidationErrorKind as Kind};
use crate::input::{CodePoint, Failure, Input, Reporter};
use crate::percent::{self, EncodeSet};
use crate::position::HostKind;

/// The host of a URL.
///
/// ```
/// use locator_whatwg::{Host, Url};
///
/// let url = Url::parse("http://0x7f.1/")?;
/// assert_eq!(url.host(), Some(Host::Ipv4([127, 0, 0, 1].into())));
/// assert_eq!(Host::parse("EXAMPLE.com")?, Host::Domain("example.com"));
/// # Ok::<_, locator_whatwg::ParseError>(())
/// ```
#[derive(Clone, Debug, Eq, Hash, Ord, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Host<S = String> {
    /// A domain in its ASCII form; of a scheme that is not special any text, percent-encoded.
    Domain(S),
    /// An IPv4 address.
    Ipv4(Ipv4Addr),
    /// An IPv6 address.
    Ipv6(Ipv6Addr),
}

impl Host<&str> {
    /// Returns the same host, owned.
    #[must_use]
    pub fn to_owned(&self) -> Host<String> {
        match *self {
            Host::Domain(domain) => Host::Domain(domain.to_owned()),
            Host::Ipv4(address) => Host::Ipv4(address),
            Host::Ipv6(address) => Host::Ipv6(address),
        }
    }
}

impl Host<String> {
    /// Parses the host of a special scheme: a domain or an address, of IPv6 in brackets.
    ///
    /// # Errors
    ///
    /// Returns why the text is not a host.
    pub fn parse(input: &str) -> Result<Self, ParseError> {
        Self::parse_host(input, false)
    }

    /// Parses the host of a scheme that is not special.
    ///
    /// # Errors
    ///
    /// Returns why the text is not a host.
    pub fn parse_opaque(input: &str) -> Result<Self, ParseError> {
        Self::parse_host(input, true)
    }

    fn parse_host(input: &str, is_opaque: bool) -> Result<Self, ParseError> {
        parse_text(input, is_opaque).map(|record| match record {
            HostRecord::Domain(text) | HostRecord::Opaque(text) => Self::Domain(text),
            HostRecord::Ipv4(address) => Self::Ipv4(address.into()),
            HostRecord::Ipv6(pieces) => Self::Ipv6(pieces.into()),
            HostRecord::Empty => Self::Domain(String::new()),
        })
    }
}

impl<S: AsRef<str>> Display for Host<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Domain(domain) => f.write_str(domain.as_ref()),
            Self::Ipv4(address) => Display::fmt(address, f),
            Self::Ipv6(address) => f.write_str(&HostRecord::Ipv6(address.segments()).serialized()),
        }
    }
}

impl<S: PartialEq<T>, T> PartialEq<Host<T>> for Host<S> {
    fn eq(&self, other: &Host<T>) -> bool {
        match (self, other) {
            (Self::Domain(a), Host::Domain(b)) => a == b,
            (Self::Ipv4(a), Host::Ipv4(b)) => a == b,
            (Self::Ipv6(a), Host::Ipv6(b)) => a == b,
            _ => false,
        }
    }
}

impl<S> From<IpAddr> for Host<S> {
    fn from(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::Ipv4(address),
            IpAddr::V6(address) => Self::Ipv6(address),
        }
    }
}

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
pub(crate) const fn is_forbidden_host(c: char) -> bool {
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
pub(crate) const fn is_forbidden_domain(c: char) -> bool {
    is_forbidden_host(c) || matches!(c, '\0'..='\x1F' | '%' | '\x7F')
}

/// The host parser, of a text of its own.
pub(crate) fn parse_text(text: &str, is_opaque: bool) -> Result<HostRecord, ParseError> {
    if !is_opaque && text.is_empty() {
        return Err(ParseError::EmptyHost);
    }
    // Nearly all hosts are names that are kept, or only lowercased.
    if is_plain_name(text) {
        return Ok(match is_opaque {
            true => HostRecord::Opaque(text.to_owned()),
            false => HostRecord::Domain(text.to_ascii_lowercase()),
        });
    }
    let points: Vec<_> = text.char_indices().map(|(at, c)| CodePoint { c, at }).collect();
    let input = Input { points: &points, end: text.len() };
    parse(input, is_opaque, &mut Reporter::silent()).map_err(|Failure| {
        let mut errors = Reporter::listening();
        // It fails again.
        let _ = parse(input, is_opaque, &mut errors);
        ParseError::of(&errors.into_errors(), false)
    })
}

/// Returns whether a text is a name of letters, digits and "-._" that is no number, so the host parser
/// only lowercases it, if the scheme is special.
pub(crate) fn is_plain_name(text: &str) -> bool {
    let is_plain = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_');
    !text.is_empty() && text.bytes().all(is_plain) && !ends_in_number(text)
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
    let is_reported = errors.is_listening() && !is_strictly_valid_domain(domain);
    // 5., 6.
    let result = if domain.is_ascii() { Some(domain.to_ascii_lowercase()) } else { domain_to_ascii(domain) };
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

/// The domain parser ToASCII with `beStrict`.
///
/// For a domain of ASCII this is decided without the tables of Unicode, unless a label begins with
/// `xn--`: "LDH" labels of at most 63 octets, which neither begin nor end with "-", nor have it at their third
/// and fourth place; at most 253 octets in all, and no final dot.
pub(crate) fn is_strictly_valid_domain(domain: &str) -> bool {
    let has_punycode = domain
        .split('.')
        .any(|label| label.as_bytes().get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"xn--")));
    if domain.is_ascii() && !has_punycode {
        let is_label = |label: &str| {
            let bytes = label.as_bytes();
            (1..=63).contains(&bytes.len())
                && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
                && bytes.first() != Some(&b'-')
                && bytes.last() != Some(&b'-')
                && bytes.get(2..4) != Some(b"--")
        };
        return domain.len() <= 253 && domain.split('.').all(is_label);
    }
    #[cfg(feature = "idna")]
    return Uts46::new()
        .to_ascii(domain.as_bytes(), AsciiDenyList::STD3, Hyphens::Check, DnsLength::Verify)
        .is_ok();
    #[cfg(not(feature = "idna"))]
    return domain.is_ascii();
}

/// The domain parser ToASCII without `beStrict`, for a domain that is not ASCII.
fn domain_to_ascii(domain: &str) -> Option<String> {
    #[cfg(feature = "idna")]
    return Uts46::new()
        .to_ascii(domain.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore)
        .ok()
        .map(alloc::borrow::Cow::into_owned);
    #[cfg(not(feature = "idna"))]
    {
        let _ = domain;
        None
    }
}

/// Domain to Unicode: the domain itself "if an error was recorded".
pub(crate) fn domain_to_unicode(domain: &str) -> String {
    #[cfg(feature = "idna")]
    {
        let (unicode, result) =
            Uts46::new().to_unicode(domain.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow);
        if result.is_ok() {
            return unicode.into_owned();
        }
    }
    String::from(domain)
}

/// The ends in a number checker.
pub(crate) fn ends_in_number(input: &str) -> bool {
    let input = input.strip_suffix('.').unwrap_or(input);
    let last = input.bytes().rposition(|octet| octet == b'.').map_or(input, |dot| &input[dot + 1..]);
    // A number of any radix begins with a digit.
    last.as_bytes().first().is_some_and(u8::is_ascii_digit)
        && (last.bytes().all(|octet| octet.is_ascii_digit()) || parse_ipv4_number(last).is_some())
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

    /// What it is, without its value.
    pub(crate) fn kind(&self) -> HostKind {
        match self {
            Self::Domain(_) => HostKind::Domain,
            Self::Ipv4(_) => HostKind::Ipv4,
            Self::Ipv6(_) => HostKind::Ipv6,
            Self::Opaque(_) => HostKind::Opaque,
            Self::Empty => HostKind::Empty,
        }
    }

    /// The text of a host that is not an address.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Domain(text) | Self::Opaque(text) => text,
            Self::Ipv4(_) | Self::Ipv6(_) | Self::Empty => "",
        }
    }

    /// The host serializer.
    pub(crate) fn serialized(&self) -> String {
        let mut output = String::new();
        self.push_to(&mut output);
        output
    }

    /// Appends what the host serializer returns.
    pub(crate) fn push_to(&self, output: &mut String) {
        match self {
            Self::Domain(text) | Self::Opaque(text) => output.push_str(text),
            // Writing to a `String` does not fail.
            Self::Ipv4(address) => drop(write!(output, "{}", Ipv4Addr::from(*address))),
            Self::Ipv6(pieces) => {
                output.push('[');
                output.push_str(&serialized_ipv6(pieces));
                output.push(']');
            }
            Self::Empty => {}
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
