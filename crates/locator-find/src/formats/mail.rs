//! Mail. Finds the links of a message in its header and in its parts, nested ones too, in order.
//! Follows RFC 5322 and MIME (RFC 2045 to 2049). Section 5.1 of the URL draft of 1997 defines the
//! base of each part, RFC 2392 the meaning of `cid` and `mid`, and RFC 2557 the location of parts.
//!
//! The structure is not parsed by `mail-parser`. Its messages are nested, and dropping ten thousand
//! levels overflows the stack; it also does not map decoded octets to their source.
//!
//! A saved HTTP response is a message after its first line (`response`).

mod begins;
mod entity;
mod field;
mod flowed;
mod header;
mod mbox;
mod media;
mod message;
mod part;
mod parts;
mod response;
mod warc;

use crate::search::FormatSpec;
use begins::{is_mailbox, is_message};
pub use part::{MessagePart, message_part};
use response::is_response;
pub(crate) use warc::is_archive;

/// A message. An attachment that has only a file name is running text.
pub(crate) static MAIL: FormatSpec = FormatSpec {
    name: "mail",
    extensions: &["eml", "mht", "mhtml"],
    sections: None,
    has_media_type: |_, _| false,
    begins: Some(|head| head.is_unmarked() && is_message(head.text())),
    find: |query, input| input.find_whole(|octets, emitter| message::find_in(query, octets, emitter)),
    find_seekable: None,
    find_in: |query, text, emitter| query.find_urls(text, emitter),
};

/// A mailbox: one message after the other.
pub(crate) static MBOX: FormatSpec = FormatSpec {
    name: "mbox",
    extensions: &["mbox", "mbx"],
    sections: None,
    has_media_type: |_, _| false,
    begins: Some(|head| head.is_unmarked() && is_mailbox(head.text())),
    find: mbox::find,
    find_seekable: None,
    find_in: |query, text, emitter| query.find_urls(text, emitter),
};

/// A response of HTTP/1, with its header.
pub(crate) static HTTP: FormatSpec = FormatSpec {
    name: "http",
    extensions: &[],
    sections: None,
    has_media_type: |kind, subtype| kind == "message" && subtype == "http",
    begins: Some(|head| head.is_unmarked() && is_response(head.text())),
    find: |query, input| input.find_whole(|octets, emitter| response::find_in(query, octets, emitter)),
    find_seekable: None,
    find_in: response::find_in,
};

/// A web archive: records, most of which are responses of HTTP/1.
pub(crate) static WARC: FormatSpec = FormatSpec {
    name: "warc",
    extensions: &["warc"],
    sections: None,
    has_media_type: |kind, subtype| kind == "application" && subtype == "warc",
    begins: Some(|head| head.is_unmarked() && is_archive(head.text())),
    find: warc::find,
    find_seekable: None,
    find_in: |query, text, emitter| query.find_urls(text, emitter),
};
