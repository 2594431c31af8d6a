//! The messages of WAIS servers: takes octets, returns packets, and what their answers contain. WAIS is
//! Z39.50-1988 over TCP with fields of its own (RFC 1625). Pure: nothing is read or sent.
//!
//! A packet is a header of 25 octets, in text, and an APDU, whose length the header contains. An APDU
//! has a length of two octets, that many octets, and after them the "user information", which contains
//! what WAIS added to Z39.50. Both consist of fields: a tag, a length and a value.
//!
//! ```
//! use locator_fetch::wais::{Found, SearchResponse, find_packet};
//!
//! // A hit: an identifier, a score and a headline, in a group (tag 150) of the user information (99).
//! let user = b"\x63\x12\x81\x16\x0F\x74\x03id7\x76\x01\x9B\x7B\x05apple";
//! let apdu = [b"\0\x0B\x17\0\0\0\0\0\0\x01\0\0\0", &user[..]].concat();
//! let packet =
//!     [format!("{:010}z2wais        0", apdu.len()).as_bytes(), &apdu].concat();
//! let Found::Packet(apdu) = find_packet(&packet, 1_000) else { panic!() };
//! let response = SearchResponse::parse(&packet[apdu])?;
//! assert_eq!(
//!     (response.hits[0].headline, response.hits[0].score),
//!     (&b"apple"[..], Some(155))
//! );
//! # Ok::<_, locator_fetch::wais::MalformedError>(())
//! ```

mod diagnostic;
mod field;
mod packet;
mod response;

pub use diagnostic::Diagnostic;
pub use field::MalformedError;
pub use packet::{Found, find_packet};
pub use response::{DocumentText, Hit, InitResponse, SearchResponse};

/// The largest number of octets of an APDU that a client of the plans takes: their Init requests say so.
pub const LARGEST_ANSWER: u64 = 100_000;
