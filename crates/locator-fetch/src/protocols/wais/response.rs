//! The answers of a server: the response to Init, and the response to a search, which contains hits, the
//! text of a document, or diagnostics.

use super::diagnostic::Diagnostic;
use super::field::{DIAGNOSTIC, Fields, MalformedError, number};

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
        let (counted, _) = divide(apdu)?;
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
    pub hits: Vec<Hit<'a>>,
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
pub struct Hit<'a> {
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
        let (counted, user) = divide(apdu)?;
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
                self.hits.push(Hit::parse(value)?);
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

impl<'a> Hit<'a> {
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
fn divide(apdu: &[u8]) -> Result<(&[u8], &[u8]), MalformedError> {
    let divided = apdu
        .split_first_chunk()
        .and_then(|(&length, rest)| rest.split_at_checked(usize::from(u16::from_be_bytes(length))));
    divided.ok_or(MalformedError)
}
