//! The messages of WAIS servers: takes octets, returns packets, and what their answers contain. WAIS is
//! Z39.50-1988 over TCP with fields of its own (RFC 1625). Pure: nothing is read or sent.
//!
//! A packet is a header of 25 octets, in text, and an APDU, whose length the header contains. An APDU
//! has a length of two octets, that many octets, and after them the "user information", which contains
//! what WAIS added to Z39.50. Both consist of fields: a tag, a length and a value.
//!
//! ```
//! use locator_fetch::wais::{PacketSearch, SearchResponse, find_packet};
//!
//! // A hit: an identifier, a score and a headline, in a group (tag 150) of the user information (99).
//! let user = b"\x63\x12\x81\x16\x0F\x74\x03id7\x76\x01\x9B\x7B\x05apple";
//! let apdu = [b"\0\x0B\x17\0\0\0\0\0\0\x01\0\0\0", &user[..]].concat();
//! let packet =
//!     [format!("{:010}z2wais        0", apdu.len()).as_bytes(), &apdu].concat();
//! let PacketSearch::Packet(apdu) = find_packet(&packet, 1_000) else { panic!() };
//! let response = SearchResponse::parse(&packet[apdu])?;
//! assert_eq!(
//!     (response.hits[0].headline, response.hits[0].score),
//!     (&b"apple"[..], Some(155))
//! );
//! # Ok::<_, locator_fetch::wais::MalformedError>(())
//! ```
//!
//! [`find_packet`] finds the first packet among the octets of a connection. The answers of a server are the
//! response to Init, and the response to a search, which contains hits, the text of a document, or diagnostics:
//! the codes by which a server says that it cannot do something (Z39.50-1988). Tags and lengths of fields are
//! compressed integers: seven bits an octet, the highest first, and the highest bit of an octet is set if another
//! octet follows.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use locator::plan::Meaning;

/// The largest number of octets of an APDU that a client of the plans takes: their Init requests say so.
pub const LARGEST_ANSWER: u64 = 100_000;

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
/// use locator_fetch::wais::{PacketSearch, find_packet};
///
/// let received = b"0000000002z2wais        0\0\0 and more";
/// let PacketSearch::Packet(apdu) = find_packet(received, 100) else { panic!() };
/// assert_eq!(received[apdu], [0, 0]);
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PacketSearch {
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
/// use locator_fetch::wais::{PacketSearch, find_packet};
///
/// let packet = b"0000000002z2wais        0\0\0";
/// assert_eq!(find_packet(packet, 100), PacketSearch::Packet(25..27));
/// assert_eq!(find_packet(&packet[..26], 100), PacketSearch::Unfinished);
/// assert_eq!(find_packet(packet, 1), PacketSearch::TooLong);
/// assert_eq!(find_packet(b"HTTP/1.0 400 Bad Request", 100), PacketSearch::Wrong);
/// ```
#[must_use]
pub fn find_packet(octets: &[u8], limit: u64) -> PacketSearch {
    let beginning = &octets[..octets.len().min(SKIPPED + 1)];
    let Some(start) = beginning.iter().position(|&octet| octet == b'0') else {
        return if octets.len() > SKIPPED { PacketSearch::Wrong } else { PacketSearch::Unfinished };
    };
    let header = || octets[start..].iter().take(HEADER).enumerate();
    if !header().take(DIGITS).all(|(i, &octet)| may_be_at(i, octet)) {
        return PacketSearch::Wrong;
    }
    // The length is checked as soon as all digits are there, whatever has come after them: so nothing is
    // kept for it, and the answer does not depend on the pieces in which the octets come.
    let Some(digits) = octets[start..].get(..DIGITS) else { return PacketSearch::Unfinished };
    let length = digits.iter().fold(0_u64, |length, digit| 10 * length + u64::from(digit - b'0'));
    if length > limit {
        return PacketSearch::TooLong;
    }
    if !header().all(|(i, &octet)| may_be_at(i, octet)) {
        return PacketSearch::Wrong;
    }
    let start = start + HEADER;
    match usize::try_from(length).ok().and_then(|length| start.checked_add(length)) {
        Some(end) if end <= octets.len() => PacketSearch::Packet(start..end),
        _ => PacketSearch::Unfinished,
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

// Types of APDUs.
const INIT_RESPONSE: u8 = 21;
const SEARCH_RESPONSE: u8 = 23;

// Tags of Z39.50-1988.
const REFERENCE_ID: u64 = 2;
const PREFERRED_MESSAGE_SIZE: u64 = 5;
const MAXIMUM_RECORD_SIZE: u64 = 6;

// Tags of WAIS.
const USER_INFORMATION: u64 = 99;
const DOCUMENT_ID: u64 = 116;
const SCORE: u64 = 118;
const DOCUMENT_LENGTH: u64 = 120;
const SOURCE: u64 = 121;
const DATE: u64 = 122;
const HEADLINE: u64 = 123;
const DOCUMENT_TEXT: u64 = 127;
const LINES: u64 = 131;
const TYPE_BLOCK: u64 = 132;
const TYPE: u64 = 133;
const DOCUMENT_HEADER: u64 = 150;
const SHORT_HEADER: u64 = 151;
const LONG_HEADER: u64 = 152;
const TEXT_GROUP: u64 = 153;
const HEADLINE_GROUP: u64 = 154;

/// The response to Init.
///
/// ```
/// let response =
///     locator_fetch::wais::InitResponse::parse(b"\0\x06\x15\x01\x05\x02\x40\0")?;
/// assert_eq!((response.result, response.largest), (1, Some(0x4000)));
/// # Ok::<_, locator_fetch::wais::MalformedError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InitResponse {
    /// The result: 1 if the server accepts the client, 0 if it does not.
    pub result: u8,
    /// The largest number of octets that the server sends in a message, if it says so.
    pub largest: Option<u64>,
}

impl InitResponse {
    /// Parses an APDU.
    ///
    /// # Errors
    ///
    /// The APDU is not a response to Init.
    pub fn parse(apdu: &[u8]) -> Result<Self, MalformedError> {
        let (counted, _) = divide_apdu(apdu)?;
        let [INIT_RESPONSE, result, fields @ ..] = counted else { return Err(MalformedError) };
        let mut response = Self { result: *result, largest: None };
        for field in Fields::new(fields) {
            let (tag, value) = field?;
            // A record is longer than the preferred size only if it is the only one of its message.
            if matches!(tag, PREFERRED_MESSAGE_SIZE | MAXIMUM_RECORD_SIZE) {
                response.largest = response.largest.max(number(value).filter(|&size| size > 0));
            }
        }
        Ok(response)
    }
}

/// The response to a search, which is also the response to the request for a document.
///
/// ```
/// assert!(
///     locator_fetch::wais::SearchResponse::parse(b"HTTP/1.1 200 OK").is_err()
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResponse<'a> {
    /// The identifier of the request, if it had one.
    pub reference: Option<&'a [u8]>,
    /// What was found, in the order of the server. Only these count: servers send 0 as the number of
    /// results.
    pub hits: Vec<FoundDocument<'a>>,
    /// The text of the requested document.
    pub text: Option<DocumentText<'a>>,
    /// What the server could not do.
    pub diagnostics: Vec<Diagnostic<'a>>,
}

/// A part of a document.
///
/// ```
/// use locator_fetch::wais::SearchResponse;
///
/// // A text (tag 127) with its identifier (116), in a group (153) of the user information (99).
/// let user = b"\x63\x0E\x81\x19\x0B\x74\x03id7\x7F\x04text";
/// let apdu = [b"\0\x0B\x17\0\0\0\0\0\0\x01\0\0\0", &user[..]].concat();
/// let text = SearchResponse::parse(&apdu)?.text.unwrap();
/// assert_eq!((text.identifier, text.octets), (&b"id7"[..], &b"text"[..]));
/// # Ok::<_, locator_fetch::wais::MalformedError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DocumentText<'a> {
    /// The identifier of the document.
    pub identifier: &'a [u8],
    /// The octets.
    pub octets: &'a [u8],
}

/// A document that a search found.
///
/// ```
/// use locator_fetch::wais::SearchResponse;
///
/// let user = b"\x63\x12\x81\x16\x0F\x74\x03id7\x76\x01\x9B\x7B\x05apple";
/// let apdu = [b"\0\x0B\x17\0\0\0\0\0\0\x01\0\0\0", &user[..]].concat();
/// let hit = &SearchResponse::parse(&apdu)?.hits[0];
/// assert_eq!(
///     (hit.identifier, hit.headline, hit.score),
///     (&b"id7"[..], &b"apple"[..], Some(155))
/// );
/// # Ok::<_, locator_fetch::wais::MalformedError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundDocument<'a> {
    /// The identifier of the document; empty if the server sent none.
    pub identifier: &'a [u8],
    /// The headline.
    pub headline: &'a [u8],
    /// How well the document fits the words; 1000 is best.
    pub score: Option<u64>,
    /// The number of octets of the document.
    pub size: Option<u64>,
    /// The number of lines of the document.
    pub lines: Option<u64>,
    /// The types that the document can be retrieved as: `TEXT`.
    pub types: Vec<&'a [u8]>,
    /// The name of the database that the document is in.
    pub source: &'a [u8],
    /// The date, as the server writes it: `950131`. `0` is no date.
    pub date: &'a [u8],
}

impl<'a> SearchResponse<'a> {
    /// Parses an APDU.
    ///
    /// # Errors
    ///
    /// The APDU is not a response to a search.
    pub fn parse(apdu: &'a [u8]) -> Result<Self, MalformedError> {
        let (counted, user) = divide_apdu(apdu)?;
        // A status, and three numbers of three octets, which servers do not agree about.
        let [SEARCH_RESPONSE, _, _, _, _, _, _, _, _, _, _, fields @ ..] = counted else {
            return Err(MalformedError);
        };
        let mut response = Self::default();
        for field in Fields::new(fields).chain(Fields::new(user)) {
            match field? {
                (REFERENCE_ID, value) => response.reference = Some(value),
                (USER_INFORMATION, value) => response.add_all(value)?,
                (tag, value) => response.add(tag, value)?,
            }
        }
        Ok(response)
    }

    fn add_all(&mut self, user: &'a [u8]) -> Result<(), MalformedError> {
        Fields::new(user).try_for_each(|field| field.and_then(|(tag, value)| self.add(tag, value)))
    }

    fn add(&mut self, tag: u64, value: &'a [u8]) -> Result<(), MalformedError> {
        match tag {
            DIAGNOSTIC => self.diagnostics.push(Diagnostic::parse(value)?),
            DOCUMENT_HEADER | SHORT_HEADER | LONG_HEADER | HEADLINE_GROUP => {
                self.hits.push(FoundDocument::parse(value)?);
            }
            // Of two slices nobody knows which one was asked for.
            TEXT_GROUP if self.text.is_some() => return Err(MalformedError),
            TEXT_GROUP => self.text = Some(DocumentText::parse(value)?),
            _ => {}
        }
        Ok(())
    }
}

impl<'a> DocumentText<'a> {
    /// Returns whether the text is of the document with this identifier: its octets, or its fields, which
    /// servers may write with other lengths of integers. Some servers send no identifier.
    pub(crate) fn is_of(&self, identifier: &[u8]) -> bool {
        let is_stated = !self.identifier.is_empty() && !identifier.is_empty();
        let fields = |octets| Fields::new(octets).collect::<Result<Vec<_>, _>>().ok();
        !is_stated
            || self.identifier == identifier
            || fields(self.identifier).is_some_and(|own| Some(own) == fields(identifier))
    }

    fn parse(group: &'a [u8]) -> Result<Self, MalformedError> {
        let mut text = Self::default();
        for field in Fields::new(group) {
            match field? {
                (DOCUMENT_ID, value) => text.identifier = value,
                (DOCUMENT_TEXT, value) => text.octets = value,
                _ => {}
            }
        }
        Ok(text)
    }
}

impl<'a> FoundDocument<'a> {
    fn parse(group: &'a [u8]) -> Result<Self, MalformedError> {
        let mut hit = Self::default();
        for field in Fields::new(group) {
            match field? {
                (DOCUMENT_ID, value) => hit.identifier = value,
                (HEADLINE, value) => hit.headline = value,
                (SCORE, value) => hit.score = number(value),
                (DOCUMENT_LENGTH, value) => hit.size = number(value),
                (LINES, value) => hit.lines = number(value),
                (TYPE, value) => hit.types.push(value),
                (TYPE_BLOCK, block) => hit.add_types(block)?,
                (SOURCE, value) => hit.source = value,
                (DATE, value) => hit.date = value,
                _ => {}
            }
        }
        Ok(hit)
    }

    fn add_types(&mut self, block: &'a [u8]) -> Result<(), MalformedError> {
        for field in Fields::new(block) {
            if let (TYPE, value) = field? {
                self.types.push(value);
            }
        }
        Ok(())
    }
}

/// Divides an APDU into what its length counts and the user information after it.
fn divide_apdu(apdu: &[u8]) -> Result<(&[u8], &[u8]), MalformedError> {
    let divided = apdu
        .split_first_chunk()
        .and_then(|(&length, rest)| rest.split_at_checked(usize::from(u16::from_be_bytes(length))));
    divided.ok_or(MalformedError)
}

/// A diagnostic of a server.
///
/// ```
/// use locator::plan::Meaning;
/// use locator_fetch::wais::SearchResponse;
///
/// // A diagnostic (tag 28) in the user information (99).
/// let user = b"\x63\x09\x1C\0\x06S5the\0";
/// let apdu = [b"\0\x0B\x17\0\0\0\0\0\0\0\0\0\0", &user[..]].concat();
/// let response = SearchResponse::parse(&apdu)?;
/// let diagnostic = response.diagnostics[0];
/// assert_eq!(
///     (diagnostic.to_string().as_str(), diagnostic.meaning()),
///     ("S5 the", Meaning::Refused)
/// );
/// assert_eq!(diagnostic.words(), "the words are too common to be searched for");
/// # Ok::<_, locator_fetch::wais::MalformedError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnostic<'a> {
    /// The code: `SF`.
    pub code: [u8; 2],
    /// The text of the server, which may be empty.
    pub text: &'a [u8],
}

/// The code of a request that is out of range: a slice after the end of a document, or a document that
/// does not exist.
const OUT_OF_RANGE: [u8; 2] = *b"SF";

/// The codes, what they mean, and their words.
const CODES: [(&[u8; 2], Meaning, &str); 28] = [
    (b"S1", Meaning::Refused, "permanent error of the system"),
    (b"S2", Meaning::Busy, "temporary error of the system"),
    (b"S3", Meaning::NotSupported, "the search is not supported"),
    (b"S5", Meaning::Refused, "the words are too common to be searched for"),
    (b"S6", Meaning::Refused, "too many words"),
    (b"S7", Meaning::Refused, "too many Boolean operators"),
    (b"S8", Meaning::Refused, "too many truncated words"),
    (b"S9", Meaning::Refused, "too many incomplete subfields"),
    (b"SA", Meaning::Refused, "the truncated words are too short"),
    (b"SB", Meaning::Refused, "the number of a record has a wrong form"),
    (b"SC", Meaning::Refused, "too many characters in the search"),
    (b"SD", Meaning::Refused, "too many records were found"),
    (&OUT_OF_RANGE, Meaning::Missing, "the request is out of range"),
    (b"SG", Meaning::Refused, "error of the system while records were read"),
    (b"SH", Meaning::Refused, "the record is not for everybody"),
    (b"SI", Meaning::Refused, "the record is longer than the preferred size of a message"),
    (b"SJ", Meaning::Refused, "the record is longer than the largest record"),
    (b"SK", Meaning::NotSupported, "a result set is not supported as a term"),
    (b"SL", Meaning::NotSupported, "only one result set is supported as a term"),
    (b"SM", Meaning::NotSupported, "only AND with one result set is supported"),
    (b"SN", Meaning::Refused, "the result set exists"),
    (b"SO", Meaning::NotSupported, "names of result sets are not supported"),
    (b"SP", Meaning::NotSupported, "these databases cannot be searched together"),
    (b"SQ", Meaning::NotSupported, "names of element sets are not supported"),
    (b"SR", Meaning::Refused, "the name of the element set is not valid"),
    (b"SV", Meaning::Busy, "the database is locked"),
    (b"T2", Meaning::Refused, "access is denied"),
    (b"T3", Meaning::NotSupported, "security is not supported"),
];

impl<'a> Diagnostic<'a> {
    /// Parses the value of a diagnostic: the code, the text, and a flag.
    pub(super) fn parse(value: &'a [u8]) -> Result<Self, MalformedError> {
        match value {
            [first, second, text @ .., _] => Ok(Self { code: [*first, *second], text }),
            _ => Err(MalformedError),
        }
    }

    fn listed(&self) -> Option<&'static (&'static [u8; 2], Meaning, &'static str)> {
        CODES.iter().find(|(code, ..)| code.eq_ignore_ascii_case(&self.code))
    }

    /// Returns what the code means.
    #[must_use]
    pub fn meaning(&self) -> Meaning {
        self.listed().map_or(Meaning::Refused, |&(_, meaning, _)| meaning)
    }

    /// Returns the words for the code.
    #[must_use]
    pub fn words(&self) -> &'static str {
        self.listed().map_or("an error without a known code", |&(.., words)| words)
    }

    /// Returns whether the request was out of range.
    #[must_use]
    pub const fn is_out_of_range(&self) -> bool {
        self.code.eq_ignore_ascii_case(&OUT_OF_RANGE)
    }
}

/// Writes the code and the text of the server, or the words for the code if the server sent no text.
impl Display for Diagnostic<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(self.text);
        let text = if self.text.is_empty() { self.words() } else { &*text };
        write!(f, "{} {text}", String::from_utf8_lossy(&self.code))
    }
}

/// The error of an answer that is not one of WAIS.
///
/// ```
/// use locator_fetch::wais::{InitResponse, MalformedError};
///
/// assert_eq!(InitResponse::parse(b"HTTP/1.1 200 OK"), Err(MalformedError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MalformedError;

impl Display for MalformedError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("not a valid WAIS response")
    }
}

crate::redact::error!(MalformedError);

/// A field: its tag and its value.
type Field<'a> = (u64, &'a [u8]);

/// The tag of diagnostics, whose length has two octets and is not compressed.
const DIAGNOSTIC: u64 = 28;

/// The octet that ends a diagnostic; its length does not count it.
const END: u8 = 0x1D;

/// The fields of some octets. They end after an error.
#[derive(Clone, Debug)]
struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(super) const fn new(octets: &'a [u8]) -> Self {
        Self { rest: octets }
    }

    fn take(&mut self) -> Option<Field<'a>> {
        let (tag, rest) = compressed_integer(std::mem::take(&mut self.rest))?;
        let (length, rest) = match tag {
            DIAGNOSTIC => {
                rest.split_first_chunk().map(|(&length, rest)| (u16::from_be_bytes(length).into(), rest))?
            }
            _ => compressed_integer(rest)?,
        };
        let (value, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        self.rest = match rest {
            [END, rest @ ..] if tag == DIAGNOSTIC => rest,
            rest => rest,
        };
        Some((tag, value))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, MalformedError>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.rest.is_empty()).then(|| self.take().ok_or(MalformedError))
    }
}

/// Reads a compressed integer. It may begin with octets of 0x80, which add nothing.
fn compressed_integer(octets: &[u8]) -> Option<(u64, &[u8])> {
    let last = octets.iter().position(|octet| octet & 0x80 == 0)?;
    let (integer, rest) = octets.split_at(last + 1);
    let value = integer
        .iter()
        .try_fold(0_u64, |value, octet| Some(value.checked_mul(0x80)? | u64::from(octet & 0x7F)))?;
    Some((value, rest))
}

/// Reads a number: the highest octet first, as few octets as it needs.
pub(super) fn number(octets: &[u8]) -> Option<u64> {
    octets.iter().try_fold(0_u64, |value, octet| Some(value.checked_mul(0x100)? | u64::from(*octet)))
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
                assert_eq!(find_packet(&octets[..end], 5), PacketSearch::Unfinished, "{before} {end}");
            }
            let apdu = before + HEADER..before + HEADER + 5;
            assert_eq!(find_packet(&[&octets[..], b"0more"].concat(), 5), PacketSearch::Packet(apdu));
        }
    }

    #[test]
    fn what_is_no_packet() {
        let wrong = |octets: &[u8]| assert_eq!(find_packet(octets, 5), PacketSearch::Wrong, "{octets:?}");
        wrong(&[b'x'; SKIPPED + 1]);
        wrong(&["x".repeat(SKIPPED + 1).into_bytes(), packet("a")].concat());
        wrong(b"0 ");
        wrong(b"0000000001a");
        wrong(b"0000000001n");
        wrong(b"0000000001z3");
        wrong(b"0000000001z2wais      u");
        wrong(b"0000000001z2wais       h");
        assert_eq!(find_packet(b"0000000001Z2WAIS        0x", 5), PacketSearch::Packet(25..26));
    }

    #[test]
    fn a_length_that_lies() {
        assert_eq!(find_packet(b"0999999999", 100_000), PacketSearch::TooLong);
        assert_eq!(find_packet(b"0999999999 no header", 100_000), PacketSearch::TooLong);
        assert_eq!(find_packet(b"0000000000z2wais        0", 5), PacketSearch::Packet(25..25));
        assert_eq!(find_packet(b"0999999999z2wais        0x", u64::MAX), PacketSearch::Unfinished);
    }

    #[test]
    fn diagnostics() {
        let of = |value: &'static [u8]| Diagnostic::parse(value).unwrap();
        let range = of(b"SFRequest out of range\0");
        assert_eq!(
            (range.to_string().as_str(), range.meaning()),
            ("SF Request out of range", Meaning::Missing)
        );
        assert!(range.is_out_of_range());
        assert_eq!(of(b"S2\x01").to_string(), "S2 temporary error of the system");
        assert_eq!(of(b"s2\0").meaning(), Meaning::Busy);
        assert_eq!(
            (of(b"?!\0").to_string().as_str(), of(b"?!\0").meaning()),
            ("?! an error without a known code", Meaning::Refused)
        );
        assert!(Diagnostic::parse(b"SF").is_err());
    }

    #[test]
    fn integers() {
        assert_eq!(compressed_integer(&[0x81, 0x16, 5]), Some((150, &[5][..])));
        assert_eq!(compressed_integer(&[0x80, 0x80, 0x80, 5]), Some((5, &[][..])));
        assert_eq!(compressed_integer(&[&[0x80; 10_000][..], &[0x81, 0]].concat()), Some((128, &[][..])));
        assert_eq!(compressed_integer(&[0xFF; 9]), None);
        assert_eq!(compressed_integer(&[&[0xFF; 10][..], &[0]].concat()), None);
        assert_eq!(compressed_integer(&[]), None);
        assert_eq!(number(&[0x01, 0x97, 0x24]), Some(104_228));
        assert_eq!(number(&[]), Some(0));
        assert_eq!(number(&[0xFF; 8]), Some(u64::MAX));
        assert_eq!(number(&[1, 0, 0, 0, 0, 0, 0, 0, 0]), None);
    }

    #[test]
    fn fields() {
        let all = |octets: &'static [u8]| Fields::new(octets).collect::<Vec<_>>();
        assert_eq!(all(b"\x81\x16\x80\x02ab\x7B\0"), [Ok((150, &b"ab"[..])), Ok((123, b""))]);
        let diagnostic = Ok((DIAGNOSTIC, &b"SF\0"[..]));
        assert_eq!(all(b"\x1C\0\x03SF\0\x1D\x63\x01x"), [diagnostic, Ok((99, b"x"))]);
        assert_eq!(all(b"\x1C\0\x03SF\0\x63\x01x"), [diagnostic, Ok((99, b"x"))]);
        for cut in [&b"\x63"[..], b"\x63\x02x", b"\x63\x81", b"\x1C\0", b"\x1C\0\x04SF\0", b"\xFF"] {
            assert_eq!(all(cut), [Err(MalformedError)], "{cut:?}");
        }
    }
}
