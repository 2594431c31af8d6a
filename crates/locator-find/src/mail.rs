//! Mail: a message enters, the links of its header, of its parts and of theirs leave, in the order of the message. Follows RFC 5322 and MIME
//! (RFC 2045 to 2049); section 5.1 of the URL draft of 1997 for the base of each part; RFC 2392 for what `cid` and `mid` mean,
//! RFC 2557 for parts that say where they are.
//!
//! `mail-parser` is not asked for the structure: its messages are nested as those that it reads, so that taking one down of ten thousand levels
//! overflows the stack, and it does not tell what a decoded octet was made of.

mod entity;
mod field;
mod flowed;
mod header;
mod media;
mod parts;

use std::ops::ControlFlow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::charset::Charset;
use crate::csv::Csv;
use crate::finder::Finder;
use crate::folded::Folded;
use crate::format::Format;
use crate::json::Json;
use crate::link::Context;
use crate::outlet::Outlet;
use crate::roff::Roff;
use crate::steps::Steps;
use crate::text;
use crate::transfer::Transfer;
use crate::{css, html, markdown, stream, tex, xml};
use entity::{Entity, Structure};
use media::Content;
use parts::{Parts, Pointing};

/// Finds the links of a message that is held.
pub(crate) fn find_in(finder: &Finder, message: &[u8], outlet: &mut Outlet<'_>) -> ControlFlow<()> {
    find_encoded(finder, message, outlet, ENCODED)
}

/// How many messages may be encoded in each other, which RFC 2046, 5.2.1 forbids and some programs do.
const ENCODED: u8 = 3;

fn find_encoded(finder: &Finder, message: &[u8], outlet: &mut Outlet<'_>, encoded: u8) -> ControlFlow<()> {
    let Structure { entities, cut } = entity::read(message);
    let parts = Parts::new(message, &entities, outlet.bases);
    let source = outlet.source;
    // How many bases are around an entity, by its depth.
    let mut around = vec![outlet.bases.len()];
    for (index, entity) in entities.iter().enumerate() {
        let mut pointing = Pointing { parts: &parts, entity: index, source, sink: outlet.sink };
        let mut outlet = Outlet::new(source, outlet.bases, &mut pointing);
        around.truncate(entity.depth + 1);
        outlet.bases.truncate(around[entity.depth]);
        header::find(finder, message, entity, &mut outlet)?;
        around.push(outlet.bases.len());
        if !entity.has_parts {
            find_in_body(finder, message, entity, &mut outlet, encoded)?;
        }
    }
    outlet.bases.truncate(around[0]);
    if let Some((at, why)) = cut {
        outlet.passed_over(at, why);
    }
    ControlFlow::Continue(())
}

fn find_in_body(
    finder: &Finder,
    message: &[u8],
    entity: &Entity,
    outlet: &mut Outlet<'_>,
    encoded: u8,
) -> ControlFlow<()> {
    let content = entity.media.content(entity.file());
    if content == Content::Other || entity.transfer == Transfer::Unknown {
        return ControlFlow::Continue(());
    }
    let body = &message[entity.body.clone()];
    let steps =
        Steps::new(outlet.source, entity.body.start, body).then(|octets| entity.transfer.decode(octets));
    if content == Content::Message && encoded > 0 {
        return find_encoded(finder, steps.text(), &mut outlet.of(&steps), encoded - 1);
    }
    let encoding = encoding_of(entity, steps.text());
    let steps = steps.then(|octets| crate::encoding::decode(octets, encoding));
    let steps = steps.then(|text| {
        // RFC 3676, 4: "format=flowed"; 4.1: "If the delsp parameter [...] is "yes""
        let is_flowed = entity.media.is("text/plain") && entity.media.says("format", "flowed");
        is_flowed.then(|| flowed::join(text, entity.media.says("delsp", "yes")))
    });
    let format = if let Content::Document(format) = content { format } else { Format::Text };
    let mut outlet = outlet.of(&steps);
    if format == Format::Html {
        outlet = outlet.in_charset(Charset::new(Some(encoding)));
    }
    find_in_document(finder, format, steps.text(), &mut outlet)
}

/// What a mark at the beginning says, which "is more authoritative than anything else" (Encoding standard, 6); "charset"; or what the octets can be.
fn encoding_of(entity: &Entity, octets: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(octets) {
        return encoding;
    }
    let said = entity.media.parameter("charset").and_then(|label| Encoding::for_label(label.as_bytes()));
    said.unwrap_or_else(|| if str::from_utf8(octets).is_ok() { UTF_8 } else { WINDOWS_1252 })
}

/// Finds the links of a document that is a part.
fn find_in_document(
    finder: &Finder,
    format: Format,
    text: &[u8],
    outlet: &mut Outlet<'_>,
) -> ControlFlow<()> {
    match format {
        Format::Html => html::find_in(&finder.of_letter(), text, outlet),
        Format::Css => css::find_in(finder, text, outlet),
        Format::Markdown => markdown::find_in(finder, text, outlet),
        Format::Tex => tex::find_in(finder, text, outlet),
        Format::Xml => xml::find_in(finder, text, outlet),
        Format::Roff => stream::find_in(finder, Roff::new(), text, outlet),
        Format::Csv | Format::Tsv => stream::find_in(finder, Csv::new(format.separator()), text, outlet),
        Format::Json => stream::find_in(finder, Json::default(), text, outlet),
        Format::ICalendar | Format::VCard => stream::find_in(finder, Folded::card(), text, outlet),
        Format::Ldif => stream::find_in(finder, Folded::ldif(), text, outlet),
        Format::Text | Format::Mail | Format::Mbox => text::find_in(finder, text, outlet, Context::Text),
    }
}
