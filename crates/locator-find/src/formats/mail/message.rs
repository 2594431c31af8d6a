//! A message. Finds the links of its header and of its parts, nested ones too, in order.
//!
//! A link may refer to another part: RFC 2392 defines `cid` and `mid`, RFC 2557, 8.2, the location of
//! parts. A body in the format "flowed" is decoded: the lines of each paragraph are joined and quote
//! marks removed (RFC 3676, section 4).

use std::collections::HashMap;
use std::ops::ControlFlow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use locator::scheme::MidUrl;
use locator::{Base, BaseStack, Resolved, Uri, UriRef};

use crate::decode::charset::{self, Charset};
use crate::decode::transfer::Transfer;
use crate::decode::{DecodeChain, Decoded, LONGEST, Location, SourceMap};
use crate::formats::mail::entity::{self, Content, Entity, Structure, Unread};
use crate::formats::mail::header::{self, DeclaredBases};
use crate::link::{Anchor, Label, Link, PassedOver, Sink};
use crate::search::emitter::Emitter;
use crate::search::{Extent, Query};

/// Finds the links of a message in memory.
pub(super) fn find_in(query: &Query<'_>, message: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    // A page that is a letter: its text is searched, too.
    let extent = query.extent.max(Extent::Text);
    find_encoded(query, message, emitter, BodyOptions { extent, encoded: ENCODED })
}

/// Finds the links of a response to a request, which has the form of a message after its first line.
pub(super) fn find_in_response(
    query: &Query<'_>,
    message: &[u8],
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    find_encoded(query, message, emitter, BodyOptions { extent: query.extent, encoded: ENCODED })
}

/// How the bodies of a message are searched.
#[derive(Clone, Copy)]
struct BodyOptions {
    /// Which parts of pages are searched.
    extent: Extent,
    /// How deep encoded messages may still be nested.
    encoded: u8,
}

/// How deep encoded messages may be nested, which RFC 2046, 5.2.1 forbids and some programs do.
const ENCODED: u8 = 3;

fn find_encoded(
    query: &Query<'_>,
    message: &[u8],
    emitter: &mut Emitter<'_>,
    within: BodyOptions,
) -> ControlFlow<()> {
    let Structure { entities, unread } = entity::read(message);
    let parts = MessageParts::new(message, &entities, emitter.bases);
    let source = emitter.source;
    // The number of bases around an entity, by its depth.
    let mut around = vec![emitter.bases.len()];
    for (index, entity) in entities.iter().enumerate() {
        let mut part_sink = PartSink { parts: &parts, entity: index, source, sink: emitter.sink };
        let mut emitter = Emitter::new(source, emitter.bases, &mut part_sink);
        around.truncate(entity.depth + 1);
        emitter.bases.truncate(around[entity.depth]);
        header::find(query, message, entity, &mut emitter)?;
        around.push(emitter.bases.len());
        if !entity.has_parts {
            find_in_body(query, message, entity, &mut emitter, within)?;
        }
    }
    emitter.bases.truncate(around[0]);
    if let Some(Unread { at, why }) = unread {
        emitter.passed_over(at, why);
    }
    ControlFlow::Continue(())
}

fn find_in_body(
    query: &Query<'_>,
    message: &[u8],
    entity: &Entity,
    emitter: &mut Emitter<'_>,
    within: BodyOptions,
) -> ControlFlow<()> {
    let content = entity.media.content();
    let format = match content {
        Content::Document => entity.media.format(entity.file(), query),
        Content::Multipart | Content::Message => query.by_media_type("text/plain"),
    };
    let Some(format) = format.filter(|_| entity.transfer != Transfer::Unknown) else {
        return ControlFlow::Continue(());
    };
    let body = &message[entity.body.clone()];
    let steps = DecodeChain::new(emitter.source, entity.body.start, body)
        .then(|octets| entity.transfer.decode(octets));
    if content == Content::Message && within.encoded > 0 {
        let within = BodyOptions { encoded: within.encoded - 1, ..within };
        return find_encoded(query, steps.text(), &mut emitter.of(&steps), within);
    }
    let encoding = encoding_of(entity, steps.text());
    let steps = steps.then(|octets| charset::decode(octets, encoding));
    let steps = steps.then(|text| {
        // RFC 3676, 4: "format=flowed"; 4.1: "If the delsp parameter [...] is "yes""
        let is_flowed = entity.media.is("text/plain") && entity.media.says("format", "flowed");
        is_flowed.then(|| join_flowed(text, entity.media.says("delsp", "yes")))
    });
    let mut emitter = emitter.of(&steps);
    if !format.is("text/html") {
        return (format.find_in)(query, steps.text(), &mut emitter);
    }
    let query = query.to_extent(within.extent);
    let mut emitter = emitter.in_charset(Charset::new(Some(encoding)));
    (format.find_in)(&query, steps.text(), &mut emitter)
}

/// Returns the encoding of a body: by its byte order mark, which "is more authoritative than
/// anything else" (Encoding standard, 6), by "charset", or by its octets.
fn encoding_of(entity: &Entity, octets: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(octets) {
        return encoding;
    }
    let declared = entity.media.parameter("charset").and_then(|label| Encoding::for_label(label.as_bytes()));
    declared.unwrap_or_else(|| if str::from_utf8(octets).is_ok() { UTF_8 } else { WINDOWS_1252 })
}

/// The entities of a message by identifier and by location. Of several with the same identifier,
/// the first one counts.
struct MessageParts<'m> {
    entities: &'m [Entity],
    by_message_id: HashMap<Vec<u8>, usize>,
    by_content_id: HashMap<Vec<u8>, usize>,
    /// All entities with this location, in order.
    by_location: HashMap<String, Vec<usize>>,
    structure: Vec<EntityPosition>,
}

/// The position of an entity among the others.
struct EntityPosition {
    /// The index after its last descendant.
    end: usize,
    /// The innermost multipart/related that contains it.
    related: Option<usize>,
}

impl<'m> MessageParts<'m> {
    /// Reads the identifiers, and the locations resolved against the bases around the message.
    fn new(message: &[u8], entities: &'m [Entity], bases: &mut BaseStack) -> Self {
        let by = |name| {
            let mut found = HashMap::new();
            for (index, entity) in entities.iter().enumerate() {
                if let Some(field) = entity.field(message, name) {
                    found.entry(identifier(field.value(message))).or_insert(index);
                }
            }
            found
        };
        let structure = structure(entities);
        let by_location = match structure.iter().any(|around| around.related.is_some()) {
            true => locations(message, entities, bases),
            false => HashMap::new(),
        };
        let (by_message_id, by_content_id) = (by("Message-ID"), by("Content-ID"));
        Self { entities, by_message_id, by_content_id, by_location, structure }
    }

    /// Returns the entity that a `cid` or `mid` URL refers to.
    fn with_identifier(&self, reference: UriRef<'_>) -> Option<usize> {
        let url = MidUrl::of(reference).ok()?;
        let message = match url.message_id {
            Some(id) => Some(*self.by_message_id.get(&*id.decode())?),
            None => None,
        };
        let index = match url.content_id {
            Some(id) => *self.by_content_id.get(&*id.decode())?,
            None => message?,
        };
        // "mid:message-id/content-id" is a part of that message.
        let is_in = message.is_none_or(|message| message <= index && index < self.structure[message].end);
        is_in.then_some(index)
    }

    /// "compare the value of the referencing URI after resolution [...] with the URI derived from
    /// [...] Content-Location headers for other body parts within the same or a surrounding
    /// Multipart/related structure. If the strings are identical, octet by octet, then the
    /// referencing URI references that body part."
    fn with_location(&self, target: &str, from: usize) -> Option<usize> {
        let target = target.split_once('#').map_or(target, |(target, _)| target);
        let all = self.by_location.get(target)?;
        let mut around = self.structure[from].related;
        while let Some(related) = around {
            let inside = &all[all.partition_point(|index| *index <= related)..];
            let other = inside.iter().take(2).find(|index| **index != from);
            if let Some(index) = other.filter(|index| **index < self.structure[related].end) {
                return Some(*index);
            }
            around = self.structure[related].related;
        }
        None
    }
}

/// "removing the "<" and ">"" (RFC 2392, 2)
pub(super) fn identifier(value: &[u8]) -> Vec<u8> {
    let inner = value.strip_prefix(b"<").unwrap_or(value);
    inner.strip_suffix(b">").unwrap_or(inner).to_vec()
}

fn structure(entities: &[Entity]) -> Vec<EntityPosition> {
    let mut structure: Vec<EntityPosition> = Vec::with_capacity(entities.len());
    // The entities around the next one, the outermost first.
    let mut open: Vec<usize> = Vec::new();
    for (index, entity) in entities.iter().enumerate() {
        for closed in open.drain(entity.depth.min(open.len())..) {
            structure[closed].end = index;
        }
        let related = open.last().and_then(|around| match entities[*around].media.is("multipart/related") {
            true => Some(*around),
            false => structure[*around].related,
        });
        structure.push(EntityPosition { end: entities.len(), related });
        open.push(index);
    }
    structure
}

/// Returns the entities by their absolute location, as many as memory allows.
fn locations(message: &[u8], entities: &[Entity], bases: &mut BaseStack) -> HashMap<String, Vec<usize>> {
    let mut found: HashMap<String, Vec<usize>> = HashMap::new();
    let (mut around, mut left) = (vec![bases.len()], LONGEST);
    for (index, entity) in entities.iter().enumerate() {
        around.truncate(entity.depth + 1);
        bases.truncate(around[entity.depth]);
        let own = DeclaredBases::of(message, entity);
        own.without_location().put_on(bases);
        let location = own.location().map(|location| location.split_ascii_whitespace().collect::<String>());
        if let Some(location) = location.and_then(|location| absolute(bases, &location))
            && let Some(rest) = left.checked_sub(location.len())
        {
            left = rest;
            found.entry(location).or_default().push(index);
        }
        bases.truncate(around[entity.depth]);
        own.put_on(bases);
        around.push(bases.len());
    }
    bases.truncate(around[0]);
    found
}

/// The base "if no base URI is given": references resolved against it are only compared (RFC 2557,
/// 5).
const THIS_MESSAGE: &str = "thismessage:/";

fn absolute(bases: &BaseStack, reference: &str) -> Option<String> {
    let reference = UriRef::parse_with(reference, bases.edition()).ok()?;
    let resolved = match bases.base() {
        Some(base) => base.resolve(reference),
        None => Base::new(Uri::parse_with(THIS_MESSAGE, bases.edition()).ok()?).ok()?.resolve(reference),
    };
    resolved.ok().and_then(Resolved::into_uri).map(|uri| uri.as_str().to_owned())
}

/// A sink that adds to each link the part it refers to.
struct PartSink<'a> {
    parts: &'a MessageParts<'a>,
    /// The entity that contains the links.
    entity: usize,
    source: &'a dyn SourceMap,
    sink: &'a mut dyn Sink,
}

impl PartSink<'_> {
    fn part(&self, link: &Link<'_>) -> Option<Location> {
        // A part within a nested message is nearer.
        if link.part().is_some() {
            return None;
        }
        let index = match link.url().split_once(':') {
            Some((scheme, _)) if scheme.len() == "cid".len() => {
                self.parts.with_identifier(UriRef::parse_with(link.url(), link.bases().edition()).ok()?)
            }
            _ => None,
        };
        let entity = &self.parts.entities[index.or_else(|| self.located(link))?];
        Some(self.source.place(entity.start..entity.body.end))
    }

    fn located(&self, link: &Link<'_>) -> Option<usize> {
        if self.parts.by_location.is_empty() {
            return None;
        }
        let escaped = link.escaped();
        let target = absolute(link.bases(), escaped.as_deref().unwrap_or(link.url()))?;
        self.parts.with_location(&target, self.entity)
    }
}

impl Sink for PartSink<'_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        match self.part(link) {
            None => self.sink.link(link),
            part => self.sink.link(&Link { part, ..link.clone() }),
        }
    }

    fn malformed(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        self.sink.malformed(link)
    }

    fn cross_reference(&mut self, reference: &Link<'_>) -> ControlFlow<()> {
        self.sink.cross_reference(reference)
    }

    fn label(&mut self, label: &Label<'_>) {
        self.sink.label(label);
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.sink.anchor(anchor);
    }

    fn passed_over(&mut self, place: &Location, why: PassedOver) {
        self.sink.passed_over(place, why);
    }
}

/// Joins lines; `delsp` means that the space at the end of a flowed line is not part of the text
/// (4.1).
fn join_flowed(text: &[u8], delsp: bool) -> Decoded {
    let mut decoded = Decoded::default();
    let mut open: Option<OpenParagraph> = None;
    let mut at = 0;
    while at < text.len() {
        let end = entity::line_end(text, at);
        let line = FlowedLine::read(&text[at..end]);
        if let Some(open) = open.take_if(|open| open.depth != line.depth || line.is_signature) {
            open.break_line(&mut decoded);
        }
        let kept = line.content.len() - usize::from(delsp && line.is_flowed);
        decoded.keep(&line.content[..kept], at + line.start);
        let line_end = at + line.start + line.content.len()..end;
        match line.is_flowed {
            true => {
                let (at, line_end) = (line_end.start, &text[line_end]);
                open = Some(OpenParagraph { depth: line.depth, at, line_end });
            }
            false => {
                open = None;
                decoded.keep(&text[line_end.clone()], line_end.start);
            }
        }
        at = end;
    }
    decoded
}

/// A paragraph that continues, unless another quote depth or a signature ends it.
struct OpenParagraph<'a> {
    depth: usize,
    at: usize,
    line_end: &'a [u8],
}

impl OpenParagraph<'_> {
    /// "this is a sign of improper generation; the paragraph is considered to end": at the end of
    /// this line.
    fn break_line(&self, decoded: &mut Decoded) {
        decoded.keep(self.line_end, self.at);
    }
}

struct FlowedLine<'a> {
    depth: usize,
    /// The start of the content, after quote marks and stuffing.
    start: usize,
    content: &'a [u8],
    is_flowed: bool,
    is_signature: bool,
}

impl<'a> FlowedLine<'a> {
    fn read(line: &'a [u8]) -> Self {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        let depth = content.iter().take_while(|octet| **octet == b'>').count();
        // "if the first character of a line is a space, that space is logically deleted"
        let start = depth + usize::from(content.get(depth) == Some(&b' '));
        let content = &content[start..];
        // "There is a convention [...] of using "-- " as the separator line between the body and
        // the signature [...] it is fixed"
        let is_signature = content == b"-- ";
        Self { depth, start, content, is_flowed: content.ends_with(b" ") && !is_signature, is_signature }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn joined(text: &str, delsp: bool, expected: &str) -> Decoded {
        let decoded = join_flowed(text.as_bytes(), delsp);
        assert_eq!(str::from_utf8(decoded.text()), Ok(expected));
        decoded
    }

    #[test]
    fn flowed_lines_are_one() {
        joined("a \r\nb\r\nc", false, "a b\r\nc");
        let decoded = joined("http://a/ \r\nb/ \r\nc\r\n", true, "http://a/b/c\r\n");
        assert_eq!(decoded.source_of(0..12), 0..18);
        assert_eq!(decoded.source_of(9..10), 12..13);
    }

    #[test]
    fn quoting_of_another_depth_ends_a_paragraph() {
        joined("> a \n> b \n>> c \nd", false, "a b \nc \nd");
    }

    #[test]
    fn a_signature_is_fixed() {
        joined("a \n-- \nb \nc", false, "a \n-- \nb c");
        joined(" From \n  b", false, "From  b");
    }
}
