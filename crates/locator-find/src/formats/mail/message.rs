//! A message. Finds the links of its header and of its parts, nested ones too, in order.

use std::ops::ControlFlow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::entity::{self, Entity, Structure};
use super::media::Content;
use super::parts::{Parts, Pointing};
use super::{flowed, header};
use crate::decode::chain::DecodeChain;
use crate::decode::charset::Charset;
use crate::decode::transfer::Transfer;
use crate::search::Query;
use crate::search::emitter::Emitter;
use crate::search::options::Extent;

/// Finds the links of a message in memory.
pub(super) fn find_in(query: &Query<'_>, message: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    // A page that is a letter: its text is searched, too.
    let extent = query.extent.max(Extent::Text);
    find_encoded(query, message, emitter, Within { extent, encoded: ENCODED })
}

/// Finds the links of a response to a request, which has the form of a message after its first line.
pub(super) fn find_in_response(
    query: &Query<'_>,
    message: &[u8],
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    find_encoded(query, message, emitter, Within { extent: query.extent, encoded: ENCODED })
}

/// How the bodies of a message are searched.
#[derive(Clone, Copy)]
struct Within {
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
    within: Within,
) -> ControlFlow<()> {
    let Structure { entities, cut } = entity::read(message);
    let parts = Parts::new(message, &entities, emitter.bases);
    let source = emitter.source;
    // The number of bases around an entity, by its depth.
    let mut around = vec![emitter.bases.len()];
    for (index, entity) in entities.iter().enumerate() {
        let mut pointing = Pointing { parts: &parts, entity: index, source, sink: emitter.sink };
        let mut emitter = Emitter::new(source, emitter.bases, &mut pointing);
        around.truncate(entity.depth + 1);
        emitter.bases.truncate(around[entity.depth]);
        header::find(query, message, entity, &mut emitter)?;
        around.push(emitter.bases.len());
        if !entity.has_parts {
            find_in_body(query, message, entity, &mut emitter, within)?;
        }
    }
    emitter.bases.truncate(around[0]);
    if let Some((at, why)) = cut {
        emitter.passed_over(at, why);
    }
    ControlFlow::Continue(())
}

fn find_in_body(
    query: &Query<'_>,
    message: &[u8],
    entity: &Entity,
    emitter: &mut Emitter<'_>,
    within: Within,
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
        let within = Within { encoded: within.encoded - 1, ..within };
        return find_encoded(query, steps.text(), &mut emitter.of(&steps), within);
    }
    let encoding = encoding_of(entity, steps.text());
    let steps = steps.then(|octets| crate::decode::encoding::decode(octets, encoding));
    let steps = steps.then(|text| {
        // RFC 3676, 4: "format=flowed"; 4.1: "If the delsp parameter [...] is "yes""
        let is_flowed = entity.media.is("text/plain") && entity.media.says("format", "flowed");
        is_flowed.then(|| flowed::join(text, entity.media.says("delsp", "yes")))
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
    let said = entity.media.parameter("charset").and_then(|label| Encoding::for_label(label.as_bytes()));
    said.unwrap_or_else(|| if str::from_utf8(octets).is_ok() { UTF_8 } else { WINDOWS_1252 })
}
