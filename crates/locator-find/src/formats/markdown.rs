//! Markdown. Finds links, images and definitions, the URLs of text and of HTML in it, and the ids
//! of headings. Follows CommonMark with GitHub's extensions, which `pulldown-cmark` parses.
//!
//! A definition is found once, where it is written, and not where it is used. URLs in code are
//! found as in other text, such as the one after `curl`. The text of a link is not searched for
//! other links.
//!
//! A document is held in memory up to a length or a number of markup characters that few documents
//! exceed. A longer one is read in pieces that end with a block; a definition in another piece
//! makes no link there.

mod autolink;
mod destination;
mod heading;
mod names;
mod pieces;
mod running;
mod spaced;
mod visible;
mod walk;

use std::io::{self, Read};
use std::ops::ControlFlow;

use encoding_rs::{Encoding, UTF_8};

use crate::decode::chain::DecodeChain;
use crate::decode::encoding::decode;
use crate::heading_ids::HeadingIds;
use crate::link::PassedOver;
use crate::search::emitter::Emitter;
use crate::search::input::{End, Input, Pieces};
use crate::search::options::LONGEST;
use crate::search::{FormatSpec, Query};
use heading::Headings;
pub(crate) use visible::visible_text;

/// The Markdown format.
pub(crate) static MARKDOWN: FormatSpec = FormatSpec {
    name: "markdown",
    extensions: &["md", "mdx", "markdown", "mdown", "mkd", "mkdn"],
    sections: None,
    has_media_type: |kind, subtype| kind == "text" && matches!(subtype, "markdown" | "x-markdown"),
    begins: None,
    find,
    find_seekable: None,
    find_in: |query, octets, emitter| {
        find_after(query, octets, emitter, &mut Headings::new(HeadingIds::default()))
    },
};

/// Finds the links of a document; a long one is read in pieces.
fn find(query: &Query<'_>, input: Input<'_>) -> io::Result<()> {
    let mut mark = Vec::new();
    input.source.take(2).read_to_end(&mut mark)?;
    let mut headings = Headings::new(input.heading_ids);
    let find_in =
        |octets: &[u8], emitter: &mut Emitter<'_>| find_after(query, octets, emitter, &mut headings);
    input.prepend(&mark, |input| match &*mark {
        // UTF-16 is decoded first: only the first piece would have the byte order mark.
        b"\xFF\xFE" | b"\xFE\xFF" => input.find_whole(find_in),
        _ => {
            let end = |octets: &[u8]| pieces::end(&octets[..pieces::light(octets)]);
            input.find_in_pieces(Pieces { longest: LONGEST, end }, find_in)
        }
    })
}

/// Finds the links of a piece of a document, whose earlier pieces have these headings.
fn find_after(
    query: &Query<'_>,
    octets: &[u8],
    emitter: &mut Emitter<'_>,
    headings: &mut Headings,
) -> ControlFlow<()> {
    let steps = DecodeChain::new(emitter.source, 0, octets).then(|octets| {
        let marked = Encoding::for_bom(octets);
        decode(octets, marked.map_or(UTF_8, |(encoding, _)| encoding))
    });
    let mut emitter = emitter.of(&steps);
    // A byte order mark is no text: "# Title" after it is a heading.
    let mut at = if steps.text().starts_with("\u{FEFF}".as_bytes()) { "\u{FEFF}".len() } else { 0 };
    while at < steps.text().len() {
        let rest = &steps.text()[at..];
        let end = match pieces::light(rest) {
            light if light < rest.len() => pieces::end(&rest[..light]),
            light => End::At(light),
        };
        let (End::At(length) | End::Divided(length)) = end;
        let piece = DecodeChain::new(&steps, at, &rest[..length]);
        walk::find(query, &piece, &mut emitter, headings)?;
        at += length;
        if matches!(end, End::Divided(_)) {
            emitter.passed_over(at, PassedOver::Divided);
        }
    }
    ControlFlow::Continue(())
}
