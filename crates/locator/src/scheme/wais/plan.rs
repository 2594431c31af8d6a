//! The plan of a wais URL: takes a URL, returns the packets that fetch what it identifies. The
//! protocol is Z39.50-1988 with the extensions of WAIS (RFC 1625).
//!
//! Packets to a WAIS server: takes a database and words or a document's identifier, returns the
//! packet that requests it. A packet is a header of 25 octets and an APDU of Z39.50-1988: its
//! length, its type, fields at fixed places and fields with tags. The user information, which
//! contains the extensions of WAIS (RFC 1625), comes after all that the length counts. Every field
//! is preceded by its length, so that no octet of a URL can be another field.

use alloc::vec::Vec;
use alloc::{format, vec};

use super::{WaisDocument, WaisObject, WaisUrl, compressed, value_error};
use crate::component::SpannedStr;
use crate::plan::{
    Exchange, Framing, Fresh, Meaning, Message, MessagePiece, Object, ObjectKind, On, Options, Plan,
    PlanError, Protocol, ReplyFraming, Slices, Step, Then, Transport,
};
use crate::simd::AsciiSet;

impl WaisUrl<'_> {
    pub(super) fn plan(&self, most: Option<u16>) -> Result<Plan, PlanError> {
        let to = self.login.connection(210, Transport::Tcp, &WAIS)?;
        let database = WAIS.bytes_of("the database", self.database)?;
        let init = Exchange::new(self.packet(init())?).next(On::Code(1), Meaning::Ready);
        let init = init.on(On::Code(0), Meaning::Refused, Then::Fail);
        let plan = Plan::with_session(vec![Step::Connect(to), init.into()]);
        match self.object {
            // An empty search finds the description of the database, and its catalogue.
            WaisObject::Database => {
                self.find(plan, search_request(&database, b"", most), "what describes the database")
            }
            WaisObject::Search(search) => {
                let words = self.words_of(search)?;
                self.find(plan, search_request(&database, &words, most), "the list of documents found")
            }
            WaisObject::Document(document) => self.fetch(plan, &database, document),
        }
    }

    /// Retrieves a document slice by slice: the InitResponse of a server limits the size of a
    /// response.
    fn fetch(&self, plan: Plan, database: &[u8], document: WaisDocument<'_>) -> Result<Plan, PlanError> {
        // "Many WAIS implementations require that a client know the "type" of an object prior to
        // retrieval."
        let wtype = WAIS.bytes_of("the type", document.wtype)?;
        let identifier = document.identifier()?;
        for (excerpt, octets, expects) in [
            (document.wtype, &wtype, "the type of a document"),
            (document.wpath, &identifier, "the identifier of a document"),
        ] {
            if octets.is_empty() {
                return Err(value_error(excerpt, expects, document.citation()).into());
            }
        }
        let length = document.octets()?;
        let packet = self.packet(retrieve(database, &identifier, &wtype))?;
        let kind = match &*wtype {
            b"TEXT" => ObjectKind::Text,
            _ => ObjectKind::Binary,
        };
        let object = Object::new(kind, "the document", Framing::Answer);
        let object = document.media_type().into_iter().fold(object, Object::media_type);
        Ok(plan.then(Slices::new(packet, SLICE, length, object).identifier(&*identifier)))
    }

    /// Sends a search and reads what it finds.
    fn find(&self, plan: Plan, packet: Option<Message>, name: &'static str) -> Result<Plan, PlanError> {
        let search = Exchange::new(self.packet(packet)?);
        Ok(plan.then(search).then(Object::new(ObjectKind::Hits, name, Framing::Answer)))
    }

    /// Only the name of a database can exceed the limit of a packet.
    fn packet(&self, packet: Option<Message>) -> Result<Message, PlanError> {
        let shorter = "the name of a database, shorter,";
        packet.ok_or(value_error(self.database, shorter, "RFC 1738, 3.9").into())
    }

    fn words_of(&self, search: SpannedStr<'_>) -> Result<Vec<u8>, PlanError> {
        if !self.words {
            return WAIS.bytes_of("the search", search);
        }
        let words = search.split("+").map(|word| WAIS.bytes_of("the search", word));
        Ok(words.collect::<Result<Vec<_>, _>>()?.join(&b' '))
    }
}

/// 1F divides databases if several are searched.
static WAIS: Protocol = Protocol {
    name: "WAIS",
    delimiters: AsciiSet::of(b"\x1F"),
    line_end: b"",
    citation: "RFC 1738, 6; RFC 1625",
    replies: ReplyFraming::Packets,
    meanings: &[],
};

/// The number of octets of a document in one request; the reference client uses the same number.
const SLICE: u64 = 10_000;

/// Writes the Init request: the version of the protocol (1), the search service (of the five
/// services, the first bit), and the maximum response size of 100 000 octets. It does not identify
/// the user or the program.
fn init() -> Option<Message> {
    let apdu = Apdu::default().octets(&[INIT]);
    let apdu = apdu.any(PROTOCOL_VERSION, &[0x80]).any(OPTIONS, &[0x80]);
    let (preferred, largest) = ([0x01, 0x86, 0xA0], [0x01, 0x86, 0xA0]);
    apdu.any(PREFERRED_MESSAGE_SIZE, &preferred).any(MAXIMUM_RECORD_SIZE, &largest).packet(Apdu::default())
}

/// Requests the documents of a database that are relevant to words: a query of type 3.
fn search_request(database: &[u8], words: &[u8], most: Option<u16>) -> Option<Message> {
    // Small set upper bound 30, large set lower bound 5000, medium set present number 30: up to 30
    // are sent at once, or as many as are asked for. The result set of a former search is replaced.
    let [_, set @ ..] = u32::from(most.unwrap_or(0).max(30)).to_be_bytes();
    let [_, large @ ..] = u32::from(most.unwrap_or(0)).saturating_add(1).max(5000).to_be_bytes();
    let apdu = Apdu::default().octets(&[SEARCH]).octets(&set).octets(&large).octets(&set).octets(&[1]);
    let apdu = apdu.any(RESULT_SET_NAME, b"").any(DATABASE_NAMES, database).any(QUERY_TYPE, b"3");
    let most = most.unwrap_or(Options::USUAL_HITS).to_be_bytes();
    let most = most.strip_prefix(&[0]).unwrap_or(&most);
    let user = Apdu::default().any(SEED_WORDS, words).any(DATE_FACTOR, &[1]).any(MAX_DOCUMENTS, most);
    apdu.packet(Apdu::default().group(USER_INFORMATION, user))
}

/// Requests a slice of a document: a query of type 1, whose terms are in reverse Polish notation. It
/// always contains the type, because servers fail without it. The answer repeats the number of the
/// request, so that an answer to another one is recognized.
pub(super) fn retrieve(database: &[u8], identifier: &[u8], wtype: &[u8]) -> Option<Message> {
    // Small set upper bound 10, large set lower bound 16, medium set present number 15.
    let apdu = Apdu::default().octets(&[SEARCH, 0, 0, 10, 0, 0, 16, 0, 0, 15, 1]);
    let apdu = apdu.any(RESULT_SET_NAME, b"FOO").any(DATABASE_NAMES, database).any(QUERY_TYPE, b"1");
    let apdu = apdu.any(ELEMENT_SET_NAMES, b" \x1FDocument Text");
    let apdu = apdu.fresh(REFERENCE_ID, Fresh::SliceNumber);
    let terms = Apdu::default().any(ATTRIBUTE_LIST, DOCUMENT_IS).any(TERM, identifier);
    let terms = terms.any(ATTRIBUTE_LIST, TYPE_IS).any(TERM, wtype).any(OPERATOR, AND);
    let terms = terms.any(ATTRIBUTE_LIST, BYTE_FROM).fresh(TERM, Fresh::SliceStart).any(OPERATOR, AND);
    let terms = terms.any(ATTRIBUTE_LIST, BYTE_BEFORE).fresh(TERM, Fresh::SliceEnd);
    apdu.packet(Apdu::default().group(QUERY, terms.any(OPERATOR, AND)))
}

/// An APDU or a part of one that is being written.
#[derive(Default)]
struct Apdu {
    pieces: Vec<MessagePiece>,
    /// The number of its octets.
    length: usize,
}

impl Apdu {
    /// Appends octets at a fixed place.
    fn octets(mut self, octets: &[u8]) -> Self {
        match self.pieces.last_mut() {
            Some(MessagePiece::Bytes(last)) => last.extend_from_slice(octets),
            _ => self.pieces.push(MessagePiece::Bytes(octets.into())),
        }
        self.length += octets.len();
        self
    }

    /// Appends a tag, the length of a value, and the value.
    fn any(self, tag: u8, value: &[u8]) -> Self {
        self.head(tag, value.len()).octets(value)
    }

    /// Appends a tag and a value that is made when it is sent.
    fn fresh(self, tag: u8, fresh: Fresh) -> Self {
        let mut written = self.head(tag, fresh.width());
        written.pieces.push(MessagePiece::Fresh(fresh));
        written.length += fresh.width();
        written
    }

    /// Appends a tag with fields as the value.
    fn group(self, tag: u8, fields: Self) -> Self {
        self.head(tag, fields.length).followed_by(fields)
    }

    fn head(self, tag: u8, length: usize) -> Self {
        let head: Vec<_> = compressed(tag.into()).chain(compressed(length)).collect();
        self.octets(&head)
    }

    fn followed_by(mut self, other: Self) -> Self {
        for piece in other.pieces {
            match piece {
                MessagePiece::Bytes(octets) => self = self.octets(&octets),
                MessagePiece::Fresh(fresh) => {
                    self.length += fresh.width();
                    self.pieces.push(MessagePiece::Fresh(fresh));
                }
                // Packets have no other pieces.
                MessagePiece::Secret(_) | MessagePiece::Answer(_) => {}
            }
        }
        self
    }

    /// Returns the packet; `None` if there are more than 65 535 octets before the user information.
    fn packet(self, user: Self) -> Option<Message> {
        let counted = u16::try_from(self.length).ok()?.to_be_bytes();
        let length = counted.len() + self.length + user.length;
        // The length of the APDU in ten digits, "z" for an APDU, the header's version, the name of
        // the service, no compression, no encoding, no checksum.
        let header = format!("{length:010}z2wais        0");
        let packet = Self::default().octets(header.as_bytes()).octets(&counted);
        Some(Message::packet(packet.followed_by(self).followed_by(user).pieces))
    }
}

// Types of APDUs.
const INIT: u8 = 20;
const SEARCH: u8 = 22;

// Tags of Z39.50-1988.
const REFERENCE_ID: u8 = 2;
const PROTOCOL_VERSION: u8 = 3;
const OPTIONS: u8 = 4;
const PREFERRED_MESSAGE_SIZE: u8 = 5;
const MAXIMUM_RECORD_SIZE: u8 = 6;
const RESULT_SET_NAME: u8 = 17;
const DATABASE_NAMES: u8 = 18;
const ELEMENT_SET_NAMES: u8 = 19;
const QUERY_TYPE: u8 = 20;
const QUERY: u8 = 21;
const ATTRIBUTE_LIST: u8 = 44;
const TERM: u8 = 45;
const OPERATOR: u8 = 46;

// Tags of WAIS.
const USER_INFORMATION: u8 = 99;
const SEED_WORDS: u8 = 106;
const DATE_FACTOR: u8 = 111;
const MAX_DOCUMENTS: u8 = 114;

// What a term is, how it is related, and four attributes that are not used: RFC 1625 has "un" for
// the system control number, "wt" for the data type, "wb" for bytes; "re" equal, "ro" greater or
// equal, "rl" less.
const DOCUMENT_IS: &[u8] = b"un re ig ig ig ig";
const TYPE_IS: &[u8] = b"wt re ig ig ig ig";
const BYTE_FROM: &[u8] = b"wb ro ig ig ig ig";
const BYTE_BEFORE: &[u8] = b"wb rl ig ig ig ig";
const AND: &[u8] = b"a";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Hole;

    #[test]
    fn a_packet_is_as_long_as_its_header_says() {
        let packet = retrieve(b"db", &[3; 300], b"TEXT").expect("it is short");
        let octets = packet.with_input(|_| b"20000".into()).expect("they are digits");
        let header = core::str::from_utf8(&octets[..10]).expect("they are digits");
        assert_eq!(header.parse(), Ok(octets.len() - 25));
    }

    #[test]
    fn a_slice_has_ten_digits() {
        let packet = retrieve(b"db", b"i", b"TEXT").expect("it is short");
        let offset = |hole: Hole<'_>| match hole {
            Hole::Fresh(Fresh::SliceStart) => b"10000".to_vec(),
            _ => b"20000".to_vec(),
        };
        let octets = packet.with_input(offset).expect("they are digits");
        let holds = |part: &[u8]| octets.windows(part.len()).any(|window| window == part);
        assert!(holds(b"wb ro ig ig ig ig-\x0A0000010000.") && holds(b"wb rl ig ig ig ig-\x0A0000020000."));
        assert!(packet.with_input(|_| b"1a".into()).is_err());
        assert!(packet.with_input(|_| b"12345678901".into()).is_err());
    }

    #[test]
    fn as_many_documents_as_are_asked_for() {
        let ends_with = |most, end: &[u8]| {
            let packet = search_request(b"db", b"a", Some(most)).expect("it is short");
            packet.to_bytes().ends_with(end)
        };
        assert!(ends_with(7, b"\x72\x01\x07") && ends_with(1000, b"\x72\x02\x03\xE8"));
        let most = search_request(b"db", b"a", Some(65_535)).expect("it is short").to_bytes();
        assert_eq!(most[27..38], *b"\x16\0\xFF\xFF\x01\0\0\0\xFF\xFF\x01");
    }

    #[test]
    fn a_name_that_cannot_be_counted_is_refused() {
        assert!(search_request(&[b'a'; 70_000], b"", None).is_none());
        assert!(search_request(b"", &[b'a'; 70_000], None).is_some());
    }
}
