//! Hosts: [`Host`], a host as a value, and the parsers and serializers of the standard in its order and its
//! words (URL Standard, "Host parsing", "IDNA", "Host serializing"). Those of addresses are in `address`.
//!
//! A [`HostRecord`] is what the record of a URL has; [`parse_text`] reads a text, [`parse`] a part of the
//! input of the state machine, whose errors have places.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::ops::Range;

#[cfg(feature = "idna")]
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use crate::address::{self, AddressText, Report, Reports, ends_in_number};
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
            Self::Ipv6(address) => f.write_str(AddressText::of_ipv6(&address.segments()).as_str()),
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
    parse(input, is_opaque, &mut Reporter::silent()).map_err(|failure| ParseError::of(failure.kind, false))
}

/// Returns whether a text is a name of letters, digits and "-._" that is no number, so the host parser
/// only lowercases it, if the scheme is special.
pub(crate) fn is_plain_name(text: &str) -> bool {
    let is_plain = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_');
    !text.is_empty() && text.bytes().all(is_plain) && !ends_in_number(text.as_bytes())
}

/// The host parser. The input is a part of the text of the URL.
pub(crate) fn parse(input: Input<'_>, is_opaque: bool, errors: &mut Reporter) -> Result<HostRecord, Failure> {
    // 1. "If input starts with U+005B ([), then: if input does not end with U+005D (]),
    // IPv6-unclosed validation error, return failure."
    if input.c(0) == Some('[') {
        if input.c(input.len() - 1) != Some(']') || input.len() == 1 {
            return Err(errors.fail(Kind::Ipv6Unclosed, input.span()));
        }
        let (inside, mut reports) = (input.part(1, input.len() - 1), Reports::new());
        let parsed = address::parse_ipv6(inside.text().as_bytes(), &mut reports);
        report_address(inside, &reports, errors);
        return parsed
            .map(HostRecord::Ipv6)
            .map_err(|report| errors.fail(report.kind, span_of_report(inside, report)));
    }
    // 2.
    if is_opaque {
        return parse_opaque(input, errors);
    }
    let text = input.text();
    // 4. "If input contains a percent-encoded byte, domain-percent-encoded validation error."
    let is_encoded = |at: &usize| input.c(*at) == Some('%') && input.starts_with_hex_pair(*at + 1);
    if let Some(at) = (0..input.len()).find(is_encoded) {
        errors.report(Kind::DomainPercentEncoded, input.span_of(at, at + 3));
    }
    // 5. "Let domain be the result of running UTF-8 decode without BOM on the percent-decoding of
    // input."
    let decoded = percent::decode(text.as_bytes());
    let domain = String::from_utf8_lossy(&decoded);
    // 6., 7.
    let ascii = parse_domain(&domain, input, errors)?;
    // 8. "If asciiDomain ends in a number, then return the result of IPv4 parsing asciiDomain."
    if ends_in_number(ascii.as_bytes()) {
        let mut reports = Reports::new();
        let parsed = address::parse_ipv4(ascii.as_bytes(), &mut reports);
        report_address(input, &reports, errors);
        return parsed.map(HostRecord::Ipv4).map_err(|report| errors.fail(report.kind, input.span()));
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
    let is_forbidden = |octet| is_forbidden_domain(char::from(octet));
    let result = result.filter(|result| !result.is_empty() && !result.bytes().any(is_forbidden));
    match result {
        Some(result) => {
            if is_reported {
                errors.report(Kind::DomainToAscii, input.span());
            }
            Ok(result)
        }
        None => Err(errors.fail(Kind::DomainToAscii, input.span())),
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

/// The bytes of an error of an address. Octets are code points up to the first error.
fn span_of_report(input: Input<'_>, report: Report) -> Range<usize> {
    report.at.map_or_else(|| input.span(), |at| input.span_of(at, at + 1))
}

/// Reports what is not valid in an address.
fn report_address(input: Input<'_>, reports: &Reports, errors: &mut Reporter) {
    if errors.is_listening() {
        reports.iter().for_each(|report| errors.report(report.kind, span_of_report(input, report)));
    }
}

/// The opaque-host parser.
fn parse_opaque(input: Input<'_>, errors: &mut Reporter) -> Result<HostRecord, Failure> {
    if let Some(at) = (0..input.len()).find(|&at| input.c(at).is_some_and(is_forbidden_host)) {
        return Err(errors.fail(Kind::HostInvalidCodePoint, input.span_of(at, at + 1)));
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
    pub(crate) fn push_to(&self, output: &mut String) {
        match self {
            Self::Domain(text) | Self::Opaque(text) => output.push_str(text),
            Self::Ipv4(address) => output.push_str(AddressText::of_ipv4(*address).as_str()),
            Self::Ipv6(pieces) => output.push_str(AddressText::of_ipv6(pieces).as_str()),
            Self::Empty => {}
        }
    }
}
