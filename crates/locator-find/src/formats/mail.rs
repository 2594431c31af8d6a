//! Mail, and what is stored like it: mailboxes, web archives and saved HTTP responses. Recognises them by
//! their first lines. Finds the links of a message in its header and in its parts, nested ones too, in
//! order. Follows RFC 5322 and MIME (RFC 2045 to 2049). Section 5.1 of the URL draft of 1997 defines the
//! base of each part, RFC 2392 the meaning of `cid` and `mid`, and RFC 2557 the location of parts.
//!
//! The structure is not parsed by `mail-parser`. Its messages are nested, and dropping ten thousand
//! levels overflows the stack; it also does not map decoded octets to their source.
//!
//! [`message_part`] finds a part of a message by its identifier, as `mid` and `cid` URLs name it.

mod entity;
mod header;
mod mbox_warc_http;
mod message;

use memchr::memchr;

use crate::search::FormatSpec;

use entity::Entity;
pub(crate) use mbox_warc_http::is_archive;
use mbox_warc_http::is_response;
use message::identifier;

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
    find: mbox_warc_http::find_in_mailbox,
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
    find: |query, input| {
        input.find_whole(|octets, emitter| mbox_warc_http::find_in_http(query, octets, emitter))
    },
    find_seekable: None,
    find_in: mbox_warc_http::find_in_http,
};

/// A web archive: records, most of which are responses of HTTP/1.
pub(crate) static WARC: FormatSpec = FormatSpec {
    name: "warc",
    extensions: &["warc"],
    sections: None,
    has_media_type: |kind, subtype| kind == "application" && subtype == "warc",
    begins: Some(|head| head.is_unmarked() && is_archive(head.text())),
    find: mbox_warc_http::find_in_archive,
    find_seekable: None,
    find_in: |query, text, emitter| query.find_urls(text, emitter),
};

/// Recognises "From ", a sender and a time, before a message.
fn is_mailbox(first: &[u8]) -> bool {
    let Some(end) = memchr(b'\n', first).filter(|_| first.starts_with(b"From ")) else { return false };
    let has_time = first[..end]
        .windows(3)
        .any(|octets| octets[0].is_ascii_digit() && octets[1] == b':' && octets[2].is_ascii_digit());
    has_time
        && first[end + 1..]
            .split(|octet| *octet == b'\n')
            .next()
            .is_some_and(|line| field_name(line).is_some())
}

/// Recognises header fields up to an empty line, with the first and another one that every message
/// may have.
fn is_message(first: &[u8]) -> bool {
    let (mut known, mut first_is_known) = (0, false);
    for (number, line) in first.split_inclusive(|octet| *octet == b'\n').enumerate() {
        let line_is_whole = line.ends_with(b"\n");
        match line.trim_ascii_end() {
            b"" => break,
            [b' ' | b'\t', ..] if number > 0 => {}
            line => match field_name(line) {
                Some(name) if FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field.as_bytes())) => {
                    known += 1;
                    first_is_known |= number == 0;
                }
                Some(_) => {}
                None if !line_is_whole => break,
                None => return false,
            },
        }
    }
    first_is_known && known > 1
}

fn field_name(line: &[u8]) -> Option<&[u8]> {
    let colon = memchr(b':', line)?;
    let name = &line[..colon];
    (colon > 0 && name.iter().all(u8::is_ascii_graphic)).then_some(name)
}

const FIELDS: [&str; 16] = [
    "Return-Path",
    "Received",
    "Delivered-To",
    "From",
    "Sender",
    "To",
    "Cc",
    "Date",
    "Subject",
    "Message-ID",
    "Path",
    "Newsgroups",
    "MIME-Version",
    "Content-Type",
    "Reply-To",
    "X-Original-To",
];

/// A part of a message, or a message.
///
/// [`message_part`] returns it:
///
/// ```
/// let message = b"Message-ID: <m@h>\nContent-Type: text/plain\n\nhello";
/// let part = locator_find::message_part(message, Some(b"m@h"), None).unwrap();
/// assert_eq!(part.media_type.as_deref(), Some("message/rfc822"));
/// assert_eq!(part.octets, message);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessagePart {
    /// The value of its Content-Type; `message/rfc822` for a whole message.
    pub media_type: Option<String>,
    /// The octets of its body, decoded; for a whole message all its octets, with the header.
    pub octets: Vec<u8>,
}

/// Finds a message, or a part of one, by its identifiers (RFC 2392).
///
/// The message with `message_id` is the given message or one in it; without a `message_id`, the
/// part may be of any. Without a `content_id`, the whole message is returned. Identifiers are
/// without "<" and ">". Of several with an identifier, the first counts.
///
/// ```
/// let message =
///     b"Message-ID: <m@h>\nContent-Type: multipart/mixed; boundary=b\n\n\
/// --b\nContent-ID: <p@h>\nContent-Transfer-Encoding: base64\n\naGk=\n--b--\n";
/// let part =
///     locator_find::message_part(message, Some(b"m@h"), Some(b"p@h")).unwrap();
/// assert_eq!(part.octets, b"hi");
/// assert_eq!(
///     locator_find::message_part(message, Some(b"m@h"), None).unwrap().octets,
///     message
/// );
/// ```
#[must_use]
pub fn message_part(
    message: &[u8],
    message_id: Option<&[u8]>,
    content_id: Option<&[u8]>,
) -> Option<MessagePart> {
    let entities = entity::read(message).entities;
    let with = |among: &[Entity], name, id| {
        among.iter().position(|one| {
            one.field(message, name).is_some_and(|field| identifier(field.value(message)) == id)
        })
    };
    let within = match message_id {
        Some(id) => of_message(&entities[with(&entities, "Message-ID", id)?..]),
        None => &entities[..],
    };
    let Some(id) = content_id else {
        let whole = within.first()?;
        let octets = message[whole.start..whole.body.end].to_vec();
        return Some(MessagePart { media_type: Some("message/rfc822".into()), octets });
    };
    let part = &within[with(within, "Content-ID", id)?];
    let body = &message[part.body.clone()];
    let octets = part.transfer.decode(body).map_or_else(|| body.to_vec(), |decoded| decoded.text().to_vec());
    let media_type = part.field(message, "Content-Type").map(|field| {
        let value = String::from_utf8_lossy(field.value(message)).into_owned();
        value.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
    });
    Some(MessagePart { media_type, octets })
}

/// Returns the first entity and those in it.
fn of_message(entities: &[Entity]) -> &[Entity] {
    let inside = entities[1..].iter().take_while(|one| one.depth > entities[0].depth).count();
    &entities[..=inside]
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &[u8] = b"Message-ID: <outer@h>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
        --b\r\nContent-ID: <p@h>\r\nContent-Type: text/plain;\r\n charset=utf-8\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n\r\ncaf=C3=A9\r\n\
        --b\r\nContent-Type: message/rfc822\r\n\r\nMessage-id:\r\n <inner@h>\r\nContent-ID: <q@h>\r\n\r\ninner\r\n\
        --b--\r\n";

    fn find(message_id: Option<&str>, content_id: Option<&str>) -> Option<(Option<String>, String)> {
        let part = message_part(MESSAGE, message_id.map(str::as_bytes), content_id.map(str::as_bytes))?;
        Some((part.media_type, String::from_utf8_lossy(&part.octets).into_owned()))
    }

    #[test]
    fn parts_are_decoded() {
        let text = Some((Some("text/plain; charset=utf-8".into()), "café".into()));
        assert_eq!(find(None, Some("p@h")), text);
        assert_eq!(find(Some("outer@h"), Some("p@h")), text);
        assert_eq!(find(Some("outer@h"), Some("q@h")), Some((None, "inner".into())));
        assert_eq!(find(Some("inner@h"), Some("q@h")), Some((None, "inner".into())));
    }

    #[test]
    fn messages_are_whole() {
        let inner = "Message-id:\r\n <inner@h>\r\nContent-ID: <q@h>\r\n\r\ninner";
        assert_eq!(find(Some("inner@h"), None), Some((Some("message/rfc822".into()), inner.into())));
        let whole = String::from_utf8_lossy(MESSAGE).into_owned();
        assert_eq!(find(Some("outer@h"), None), Some((Some("message/rfc822".into()), whole)));
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        for (message, part) in [
            (Some("other@h"), None),
            (Some("inner@h"), Some("p@h")),
            (Some("other@h"), Some("p@h")),
            (None, Some("P@h")),
            (None, Some("")),
        ] {
            assert_eq!(find(message, part), None, "{message:?} {part:?}");
        }
        assert_eq!(message_part(b"", Some(b"a"), None), None);
    }
}
