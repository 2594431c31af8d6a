//! The entities of a message: the message, its parts and theirs, in order. Returns each with its
//! header, the span of its body and its depth. Follows RFC 2045 and RFC 2046, 5.1 and 5.2.1.
//!
//! The open parts are kept in a list, not on the call stack, so that deep nesting is safe. Below
//! [`DEEPEST`] a body has no parts.
//!
//! A [`Field`] of the header has the positions of its name and its value, and is decoded by RFC 5322,
//! 2.2, and RFC 2047 for encoded words. [`Media`] is the value of `Content-Type` and
//! `Content-Disposition` with their parameters (RFC 2045, 5.1, and RFC 2231); `mail-parser` parses it.

use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};
use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;
use memchr::{memchr, memmem};

use crate::decode::Decoded;
use crate::decode::charset::decode;
use crate::decode::transfer::{self, Transfer};
use crate::link::PassedOver;
use crate::search::{FormatSpec, Query};

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
    disposition: Option<Media>,
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
    /// The rest that was not read, if there is one.
    pub(super) unread: Option<Unread>,
}

/// The position of the rest of a message that was not read, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unread {
    pub(super) at: usize,
    pub(super) why: PassedOver,
}

/// Reads the structure of a message.
pub(super) fn read(message: &[u8]) -> Structure {
    let mut reader =
        Reader { message, entities: Vec::new(), open: Vec::new(), fields: MOST_FIELDS, unread: None };
    reader.read_entity(0);
    let mut end = message.len();
    while let Some(next) = reader.next_start() {
        if reader.entities.len() > MOST_PARTS {
            reader.unread = Some(Unread { at: next, why: PassedOver::TooManyParts });
            end = next;
            break;
        }
        reader.read_entity(next);
    }
    reader.close(0, end);
    Structure { entities: reader.entities, unread: reader.unread }
}

struct Reader<'m> {
    message: &'m [u8],
    entities: Vec<Entity>,
    /// The open entities, the outermost first; the last one was read last.
    open: Vec<Open>,
    /// How many more fields are allowed.
    fields: usize,
    unread: Option<Unread>,
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
        let HeaderFields { fields, body } = read_header(self.message, start, self.fields);
        self.fields -= fields.len();
        if self.fields == 0 && self.unread.is_none() {
            let end = fields.last().map_or(start, |field| field.value.end);
            self.unread = Some(Unread { at: end, why: PassedOver::TooManyFields });
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
        let end = line_end(self.message, at);
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

/// A field: the spans of its name and its value in the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: Range<usize>,
    /// The span after the colon up to the end of the last line, including folds.
    pub(super) value: Range<usize>,
}

impl Field {
    /// Returns whether the field has this name.
    pub(super) fn is(&self, message: &[u8], name: &str) -> bool {
        message[self.name.clone()].eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the undecoded value, without surrounding white space.
    pub(super) fn value<'m>(&self, message: &'m [u8]) -> &'m [u8] {
        message[self.value.clone()].trim_ascii()
    }

    /// Decodes the value of the field.
    pub(super) fn decoded_value(&self, message: &[u8]) -> String {
        String::from_utf8_lossy(decode_value(self.value(message)).text()).into_owned()
    }
}

/// The fields of a header, and where it ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HeaderFields {
    pub(super) fields: Vec<Field>,
    /// The start of the body.
    pub(super) body: usize,
}

/// Reads a header.
///
/// A line that is neither a field nor a continuation ends the header, like an empty line. Fields
/// beyond the first `most` are skipped.
pub(super) fn read_header(message: &[u8], mut at: usize, most: usize) -> HeaderFields {
    let mut fields: Vec<Field> = Vec::new();
    let mut is_full = false;
    while at < message.len() {
        let end = line_end(message, at);
        let line = &message[at..end];
        match line {
            b"\n" | b"\r\n" => return HeaderFields { fields, body: end },
            // "folding": a line that begins with white space goes on with the field before it
            [b' ' | b'\t', ..] if is_full => {}
            [b' ' | b'\t', ..] => match fields.last_mut() {
                Some(field) => field.value.end = end,
                None => return HeaderFields { fields, body: at },
            },
            _ => match name_length(line) {
                Some(_) if fields.len() >= most => is_full = true,
                Some(length) => {
                    fields.push(Field { name: at..at + length, value: colon(message, at) + 1..end });
                }
                // The line that a mailbox has before a message.
                None if fields.is_empty() && line.starts_with(b"From ") => {}
                None => return HeaderFields { fields, body: at },
            },
        }
        at = end;
    }
    HeaderFields { fields, body: at }
}

/// "Field names MUST be composed of printable US-ASCII characters [...] except colon"; white space
/// before the colon is that of the obsolete syntax (4.5).
fn name_length(line: &[u8]) -> Option<usize> {
    let length = line.iter().position(|octet| !octet.is_ascii_graphic() || *octet == b':')?;
    let after = line[length..].iter().find(|octet| !matches!(octet, b' ' | b'\t'))?;
    (length > 0 && *after == b':').then_some(length)
}

/// Returns the end of the line that an octet is in.
pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1)
}

/// INVARIANT: the line has one.
fn colon(message: &[u8], at: usize) -> usize {
    memchr(b':', &message[at..]).map_or(at, |length| at + length)
}

/// Decodes a value: unfolds it and decodes encoded words. Offsets are those in the value.
pub(super) fn decode_value(value: &[u8]) -> Decoded {
    let mut decoded = Decoded::default();
    let mut done = 0;
    let mut after_word = None;
    while let Some(start) = memmem::find(&value[done..], b"=?").map(|length| done + length) {
        let Some(word) = Word::read(value, start) else {
            unfold(value, done..start + 2, &mut decoded);
            (done, after_word) = (start + 2, None);
            continue;
        };
        // "any 'linear-white-space' that separates a pair of adjacent 'encoded-word's is ignored"
        if after_word != Some(done) || !value[done..start].trim_ascii().is_empty() {
            unfold(value, done..start, &mut decoded);
        }
        word.decode(value, &mut decoded);
        (done, after_word) = (word.end, Some(word.end));
    }
    unfold(value, done..value.len(), &mut decoded);
    decoded
}

/// "Unfolding is accomplished by simply removing any CRLF that is immediately followed by WSP."
fn unfold(value: &[u8], span: Range<usize>, decoded: &mut Decoded) {
    let mut at = span.start;
    for line in value[span].split_inclusive(|octet| *octet == b'\n') {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        decoded.keep(content.strip_suffix(b"\r").unwrap_or(content), at);
        at += line.len();
    }
}

/// An encoded word: `=?charset?encoding?text?=`.
struct Word {
    encoding: &'static Encoding,
    is_base64: bool,
    text: Range<usize>,
    end: usize,
}

/// "An 'encoded-word' may not be more than 75 characters long"; many are, but a limit is needed.
const LONGEST_WORD: usize = 1024;

impl Word {
    fn read(value: &[u8], start: usize) -> Option<Self> {
        let word = &value[start..value.len().min(start + LONGEST_WORD)];
        let label = 2..2 + memchr(b'?', word.get(2..)?)?;
        let letter = *word.get(label.end + 1)?;
        let text = label.end + 3;
        let end = text + memchr(b'?', word.get(text..)?)?;
        let is_whole = word.get(label.end + 2) == Some(&b'?') && word.get(end + 1) == Some(&b'=');
        if !is_whole || !matches!(letter, b'q' | b'Q' | b'b' | b'B') {
            return None;
        }
        // RFC 2231, 5: a language may follow the charset.
        let label = word[label].split(|octet| *octet == b'*').next()?;
        Some(Self {
            encoding: Encoding::for_label(label).unwrap_or(UTF_8),
            is_base64: letter.eq_ignore_ascii_case(&b'b'),
            text: start + text..start + end,
            end: start + end + 2,
        })
    }

    fn decode(&self, value: &[u8], decoded: &mut Decoded) {
        let mut octets = Decoded::default();
        let decode_text = if self.is_base64 { transfer::b } else { transfer::q };
        decode_text(&value[self.text.clone()], self.text.start, &mut octets);
        match decode(octets.text(), self.encoding) {
            None => decoded.append(&octets),
            Some(characters) => decoded.append(&characters.made_of(&octets)),
        }
    }
}

/// A media type or a disposition, with its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Media {
    /// The name, such as `text/html`, in lower case.
    name: String,
    parameters: Vec<(String, String)>,
}

/// The kind of an entity's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A document of some format.
    Document,
    /// Parts, between boundary lines.
    Multipart,
    /// Another message.
    Message,
}

/// The maximum length of a value: the parser takes more time per octet for longer values.
const LONGEST: usize = 8 << 10;

impl Media {
    /// Parses the value of a field; returns `None` if it is invalid.
    fn read(value: &[u8]) -> Option<Self> {
        if value.len() > LONGEST {
            return None;
        }
        let line = [value, b"\n"].concat();
        let HeaderValue::ContentType(read) = MessageStream::new(&line).parse_content_type() else {
            return None;
        };
        let subtype = read.c_subtype.map(|subtype| format!("/{subtype}")).unwrap_or_default();
        let parameters = read.attributes.unwrap_or_default().into_iter();
        Some(Self {
            name: format!("{}{subtype}", read.c_type).to_ascii_lowercase(),
            parameters: parameters.map(|one| (one.name.into_owned(), one.value.into_owned())).collect(),
        })
    }

    /// Returns a type without parameters.
    fn of_name(name: &str) -> Self {
        Self { name: name.to_owned(), parameters: Vec::new() }
    }

    /// Returns the value of a parameter.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| &**value)
    }

    /// Returns whether a parameter has this value.
    pub(super) fn says(&self, name: &str, value: &str) -> bool {
        self.parameter(name).is_some_and(|declared| declared.eq_ignore_ascii_case(value))
    }

    /// Returns whether this is the named type.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    /// Returns the kind of a body of this type.
    pub(super) fn content(&self) -> Content {
        match self.name.split_once('/').unwrap_or((&self.name, "")) {
            ("multipart", _) => Content::Multipart,
            ("message", "rfc822" | "global" | "news") => Content::Message,
            _ => Content::Document,
        }
    }

    /// Returns the format of a body by its type or file name; `None` if it contains no text, such
    /// as pictures and programs.
    pub(super) fn format(&self, file: Option<&str>, query: &Query<'_>) -> Option<&'static FormatSpec> {
        match self.name.as_str() {
            "application/octet-stream" => query.by_path(file?.as_ref()),
            name => query.by_media_type(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finder::Finder;

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
        let at = 39 + 4 * (MOST_PARTS + 1);
        assert_eq!(structure.unread, Some(Unread { at, why: PassedOver::TooManyParts }));
    }

    #[test]
    fn a_header_ends_where_no_field_is() {
        let message = b"A: b\r\n c\r\nB : d\r\n\r\nbody";
        let HeaderFields { fields, body } = read_header(message, 0, 9);
        assert_eq!(fields, [Field { name: 0..1, value: 2..10 }, Field { name: 10..11, value: 13..17 }]);
        assert_eq!(body, 19);
        assert_eq!(fields[0].value(message), b"b\r\n c");
        assert_eq!(read_header(b"A: b\nno field\n\n", 0, 9).body, 5);
        let first = HeaderFields { fields: vec![Field { name: 0..1, value: 2..5 }], body: 11 };
        assert_eq!(read_header(b"A: b\nC: d\n\n", 0, 1), first);
        assert_eq!(read_header(b" A: b\n", 0, 9), HeaderFields { fields: Vec::new(), body: 0 });
    }

    #[test]
    fn encoded_words_are_decoded() {
        let value = b" a =?UTF-8?Q?=C3=A9?=\r\n =?iso-8859-1?B?6Q==?= =?broken\r\n =?utf-8?q?x_y?=";
        let decoded = decode_value(value);
        assert_eq!(str::from_utf8(decoded.text()), Ok(" a éé =?broken x y"));
        assert_eq!(decoded.source_of(3..5), 13..19);
        assert_eq!(decoded.source_of(5..7), 39..41);
    }

    #[test]
    fn types_are_read_with_their_parameters() {
        let media =
            Media::read(b" Text/HTML; charset=\"utf-8\";\r\n x*0=a; x*1=b (comment)").unwrap_or_default();
        assert!(media.is("text/html") && media.says("charset", "UTF-8"));
        assert_eq!(media.parameter("x"), Some("ab"));
        let finder = Finder::new();
        let format = |media: &Media, file| media.format(file, &finder.query()).map(|format| format.name);
        assert_eq!((media.content(), format(&media, None)), (Content::Document, Some("html")));
        assert_eq!(Media::read(b""), None);
        let octets = Media::of_name("application/octet-stream");
        assert_eq!(format(&octets, Some("a.md")), Some("markdown"));
    }
}
