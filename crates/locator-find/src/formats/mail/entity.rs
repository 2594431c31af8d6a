//! The entities of a message: the message, its parts and theirs, in order. Returns each with its
//! header, the span of its body and its depth. Follows RFC 2045 and RFC 2046, 5.1 and 5.2.1.
//!
//! The open parts are kept in a list, not on the call stack, so that deep nesting is safe. Below
//! [`DEEPEST`] a body has no parts.

use std::ops::Range;

use memchr::{memchr, memmem};

use super::field::{Field, read_header};
use super::media::{Content, Media};
use crate::decode::transfer::Transfer;
use crate::link::PassedOver;

/// A message or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    /// The number of entities that contain it.
    pub(super) depth: usize,
    /// The offset of its first octet.
    pub(super) start: usize,
    pub(super) fields: Vec<Field>,
    /// The span of the body, without the line end before a boundary, which belongs to the boundary.
    pub(super) body: Range<usize>,
    pub(super) media: Media,
    pub(super) disposition: Option<Media>,
    pub(super) transfer: Transfer,
    /// Whether its parts follow, which are searched instead of its body.
    pub(super) has_parts: bool,
}

impl Entity {
    /// Returns the first field with this name.
    pub(super) fn field(&self, message: &[u8], name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.is(message, name))
    }

    /// Returns the file name that the sender declares (RFC 2183, 2.3; RFC 2046, 4.5.1).
    pub(super) fn file(&self) -> Option<&str> {
        let disposed = self.disposition.as_ref().and_then(|disposition| disposition.parameter("filename"));
        disposed.or_else(|| self.media.parameter("name"))
    }
}

/// The maximum nesting depth of entities.
const DEEPEST: usize = 100;

/// The maximum number of parts in a message.
const MOST_PARTS: usize = 10_000;

/// The maximum number of fields in all headers of a message.
const MOST_FIELDS: usize = 100_000;

/// The structure of a message.
pub(super) struct Structure {
    pub(super) entities: Vec<Entity>,
    /// The position of the rest that was not read, and the reason.
    pub(super) cut: Option<(usize, PassedOver)>,
}

/// Reads the structure of a message.
pub(super) fn read(message: &[u8]) -> Structure {
    let mut reader =
        Reader { message, entities: Vec::new(), open: Vec::new(), fields: MOST_FIELDS, cut: None };
    reader.read_entity(0);
    let mut end = message.len();
    while let Some(next) = reader.next_start() {
        if reader.entities.len() > MOST_PARTS {
            reader.cut = Some((next, PassedOver::TooManyParts));
            end = next;
            break;
        }
        reader.read_entity(next);
    }
    reader.close(0, end);
    Structure { entities: reader.entities, cut: reader.cut }
}

struct Reader<'m> {
    message: &'m [u8],
    entities: Vec<Entity>,
    /// The open entities, the outermost first; the last one was read last.
    open: Vec<Open>,
    /// How many more fields are allowed.
    fields: usize,
    cut: Option<(usize, PassedOver)>,
}

struct Open {
    entity: usize,
    /// "--" and the boundary of a multipart; `None` for others.
    delimiter: Option<Vec<u8>>,
    /// The end of the last part of a multipart, after which its epilogue follows.
    at: usize,
}

impl Reader<'_> {
    fn read_entity(&mut self, start: usize) {
        let (fields, body) = read_header(self.message, start, self.fields);
        self.fields -= fields.len();
        if self.fields == 0 && self.cut.is_none() {
            let end = fields.last().map_or(start, |field| field.value.end);
            self.cut = Some((end, PassedOver::TooManyFields));
        }
        let value = |name| {
            fields.iter().find(|field| field.is(self.message, name)).map(|field| field.value(self.message))
        };
        let media = value("Content-Type").and_then(Media::read);
        let entity = Entity {
            depth: self.open.len(),
            start,
            media: media.unwrap_or_else(|| self.default_media()),
            disposition: value("Content-Disposition").and_then(Media::read),
            transfer: value("Content-Transfer-Encoding").map_or(Transfer::Identity, Transfer::of_name),
            body: body..body,
            fields,
            has_parts: false,
        };
        self.open.push(Open { entity: self.entities.len(), delimiter: delimiter(&entity), at: body });
        self.entities.push(entity);
    }

    /// "in a multipart/digest, the default [...] is changed from text/plain to message/rfc822"
    /// (RFC 2046, 5.1.5)
    fn default_media(&self) -> Media {
        let around = self.open.last().map(|open| &self.entities[open.entity]);
        let is_digest = around.is_some_and(|around| around.media.is("multipart/digest"));
        Media::of_name(if is_digest { "message/rfc822" } else { "text/plain" })
    }

    /// Returns the start of the next entity; closes those that end before it.
    fn next_start(&mut self) -> Option<usize> {
        let last = self.open.last()?;
        let at = last.at;
        if self.open.len() <= DEEPEST && self.is_message(last.entity) {
            self.entities[last.entity].has_parts = true;
            return Some(at);
        }
        let mut at = at;
        while let Some(line) = self.next_delimiter(at) {
            at = line.end;
            self.close(line.level + 1, line.start);
            if line.is_last {
                // The text up to the next enclosing boundary is ignored.
                self.open[line.level].delimiter = None;
            } else {
                let multipart = self.open[line.level].entity;
                self.entities[multipart].has_parts = true;
                return Some(line.end);
            }
        }
        None
    }

    fn is_message(&self, entity: usize) -> bool {
        let entity = &self.entities[entity];
        let is_fresh = !entity.has_parts && entity.transfer == Transfer::Identity;
        is_fresh && entity.media.content() == Content::Message
    }

    /// Closes all open entities except the outermost `level`.
    fn close(&mut self, level: usize, end: usize) {
        for open in self.open.drain(level.min(self.open.len())..) {
            let body = &mut self.entities[open.entity].body;
            body.end = end.max(body.start);
        }
    }

    fn next_delimiter(&self, mut at: usize) -> Option<Delimiter> {
        loop {
            if self.message[at..].starts_with(b"--")
                && let Some(delimiter) = self.read_delimiter(at)
            {
                return Some(delimiter);
            }
            at += memmem::find(&self.message[at..], b"\n--")? + 1;
        }
    }

    fn read_delimiter(&self, at: usize) -> Option<Delimiter> {
        let end = memchr(b'\n', &self.message[at..]).map_or(self.message.len(), |length| at + length + 1);
        // "The boundary may be followed by zero or more characters consisting of linear whitespace"
        let line = self.message[at..end].trim_ascii_end();
        let (level, is_last) = self.open.iter().enumerate().rev().find_map(|(level, open)| {
            let rest = line.strip_prefix(&**open.delimiter.as_ref()?)?;
            // "followed immediately by two hyphens"
            matches!(rest, b"" | b"--").then_some((level, rest == b"--"))
        })?;
        // "The CRLF preceding the boundary delimiter line is conceptually attached to the boundary"
        let before = self.message[..at].strip_suffix(b"\n").unwrap_or(&self.message[..at]);
        let start = before.strip_suffix(b"\r").unwrap_or(before).len();
        Some(Delimiter { level, is_last, start, end })
    }
}

/// A boundary line of the open multipart `level`.
struct Delimiter {
    level: usize,
    is_last: bool,
    start: usize,
    end: usize,
}

fn delimiter(entity: &Entity) -> Option<Vec<u8>> {
    let boundary = entity.media.parameter("boundary").filter(|boundary| !boundary.is_empty())?;
    let is_multipart = entity.media.content() == Content::Multipart && entity.depth < DEEPEST;
    is_multipart.then(|| format!("--{}", boundary.trim_ascii_end()).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn structure(message: &str, expected: &[(usize, &str)]) {
        let entities = read(message.as_bytes()).entities;
        let found: Vec<_> =
            entities.iter().map(|entity| (entity.depth, &message[entity.body.clone()])).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn parts_end_before_the_line_end_of_their_boundary() {
        structure(
            "Content-Type: multipart/mixed; boundary=a\n\npreamble\n--a\n\nb\n\n--a  \nX: y\n\nc\n--a--\nepilogue\n--a\n",
            &[(0, "preamble\n--a\n\nb\n\n--a  \nX: y\n\nc\n--a--\nepilogue\n--a\n"), (1, "b\n"), (1, "c")],
        );
    }

    #[test]
    fn a_boundary_around_closes_what_is_in_it() {
        structure(
            "Content-Type: multipart/x; boundary=a\n\n--a\nContent-Type: multipart/y; boundary=ab\n\n--ab\n\nb\n--a\n\nc\n--a--",
            &[
                (0, "--a\nContent-Type: multipart/y; boundary=ab\n\n--ab\n\nb\n--a\n\nc\n--a--"),
                (1, "--ab\n\nb"),
                (2, "b"),
                (1, "c"),
            ],
        );
    }

    #[test]
    fn messages_in_messages_are_read() {
        structure(
            "Content-Type: multipart/digest; boundary=a\n\n--a\n\nSubject: b\n\nc\n--a--",
            &[(0, "--a\n\nSubject: b\n\nc\n--a--"), (1, "Subject: b\n\nc"), (2, "c")],
        );
    }

    #[test]
    fn depth_has_an_end() {
        let entities = read("Content-Type: message/rfc822\n\n".repeat(100_000).as_bytes()).entities;
        assert_eq!(entities.len(), DEEPEST + 1);
        let parts = "Content-Type: multipart/x; boundary=a\n\n".to_owned() + &"--a\n".repeat(20_000);
        let structure = read(parts.as_bytes());
        assert_eq!(structure.entities.len(), MOST_PARTS + 1);
        assert_eq!(structure.cut, Some((39 + 4 * (MOST_PARTS + 1), PassedOver::TooManyParts)));
    }
}
