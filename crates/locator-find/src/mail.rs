//! Mail: a message enters, the links of its header, of its parts and of theirs leave, in the order of the message. Follows RFC 5322 and MIME
//! (RFC 2045 to 2049); section 5.1 of the URL draft of 1997 for the base of each part; RFC 2392 for what `cid` and `mid` mean,
//! RFC 2557 for parts that say where they are.
//!
//! `mail-parser` is not asked for the structure: its messages are nested as those that it reads, so that taking one down of ten thousand levels
//! overflows the stack, and it does not tell what a decoded octet was made of.

mod begins;
mod entity;
mod field;
mod flowed;
mod header;
mod mbox;
mod media;
mod message;
mod parts;

use crate::spec::FormatSpec;
use begins::{is_mailbox, is_message};

/// A message. As an attachment that is known by its name alone it is running text.
pub(crate) static MAIL: FormatSpec = FormatSpec {
    name: "mail",
    extensions: &["eml", "mht", "mhtml"],
    sections: None,
    has_media_type: |_, _| false,
    begins: Some(|head| head.is_unmarked() && is_message(head.text())),
    find: |query, input| input.find_whole(|octets, outlet| message::find_in(query, octets, outlet)),
    find_seekable: None,
    find_in: |query, text, outlet| query.find_urls(text, outlet),
};

/// Messages one after the other.
pub(crate) static MBOX: FormatSpec = FormatSpec {
    name: "mbox",
    extensions: &["mbox", "mbx"],
    sections: None,
    has_media_type: |_, _| false,
    begins: Some(|head| head.is_unmarked() && is_mailbox(head.text())),
    find: mbox::find,
    find_seekable: None,
    find_in: |query, text, outlet| query.find_urls(text, outlet),
};
