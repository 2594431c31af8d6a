//! XML. Finds the references of a document, each with the base that `xml:base` declares. Follows
//! XML 1.0 and XML Base; the sitemap protocol, RSS 2.0 and RFC 4287 (Atom) define the elements
//! whose content is a reference. Tags of XHTML and SVG are read as in HTML.
//!
//! `quick-xml` finds the end of each piece of markup. Declared entities are not expanded, and the
//! names of document types and namespaces are not links. A document is read in pieces as large as
//! its largest tag or text. Only a document that is not in UTF-8 is held as a whole, up to the same
//! limit.

mod element;
mod held;
mod references;
mod vocabulary;
mod walk;

use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memmem;

use crate::decode::chain::DecodeChain;
use crate::decode::encoding::decode;
use crate::decode::source::Octets;
use crate::link::PassedOver;
use crate::search::emitter::Emitter;
use crate::search::input::{Input, hold};
use crate::search::options::LONGEST;
use crate::search::{FormatSpec, Query};
use walk::Walk;

/// The XML format.
pub(crate) static XML: FormatSpec = FormatSpec {
    name: "xml",
    extensions: &[
        "xml", "xhtml", "xht", "svg", "atom", "rss", "rdf", "xsd", "xsl", "xslt", "wsdl", "kml", "gpx",
        "opml", "ncx", "opf", "mml", "plist", "dbk", "rels",
    ],
    sections: None,
    has_media_type: |_, subtype| subtype == "xml" || subtype.ends_with("+xml"),
    begins: Some(|head| head.begins_with(&["<?xml", "<svg", "<rss", "<feed", "<urlset", "<sitemapindex"])),
    find,
    find_seekable: None,
    find_in,
};

/// Finds the links of a document.
fn find(query: &Query<'_>, input: Input<'_>) -> io::Result<()> {
    let Input { source, mut bases, sink, .. } = input;
    let mut head = Vec::new();
    source.take(HEAD).read_to_end(&mut head)?;
    let encoding = encoding_of(&head);
    if encoding == UTF_8 {
        let whole = Cursor::new(head).chain(source);
        return Walk::new(query, None, &mut bases, sink).run(whole).map(|_| ());
    }
    let is_whole = hold(source, &mut head, LONGEST as u64)?;
    let octets = Octets::new(&head);
    let steps = DecodeChain::new(&octets, 0, &head).then(|octets| decode(octets, encoding));
    let mut emitter = Emitter::new(&octets, &mut bases, sink);
    if find_in(query, steps.text(), &mut emitter.of(&steps)).is_continue() && !is_whole {
        emitter.passed_over(head.len(), PassedOver::TooLarge(LONGEST as u64));
    }
    Ok(())
}

/// Finds the links of a document in memory, in UTF-8.
fn find_in(query: &Query<'_>, text: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let around = emitter.bases.len();
    let found = Walk::new(query, Some(emitter.source), emitter.bases, emitter.sink).run(text);
    emitter.bases.truncate(around);
    // Reading from memory cannot fail.
    found.unwrap_or(ControlFlow::Continue(()))
}

/// More octets than a declaration needs.
const HEAD: u64 = 1024;

/// Returns the encoding of a document by its first octets (XML 1.0, appendix F).
fn encoding_of(head: &[u8]) -> &'static Encoding {
    match head {
        [0xEF, 0xBB, 0xBF, ..] => return UTF_8,
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => return UTF_16LE,
        [0xFE, 0xFF, ..] | [0, b'<', ..] => return UTF_16BE,
        _ => {}
    }
    let declaration = memmem::find(head, b"?>").map_or(&b""[..], |end| &head[..end]);
    let said = memmem::find(declaration, b"encoding").and_then(|at| {
        let value =
            declaration[at + "encoding".len()..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let (quote, value) = value.split_first()?;
        Encoding::for_label(value.split(|octet| octet == quote).next()?)
    });
    // A declaration that is readable octet by octet is not in UTF-16, whatever it declares.
    said.filter(|encoding| encoding.is_ascii_compatible()).unwrap_or(UTF_8)
}
