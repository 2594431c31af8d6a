//! Checks that each link is at its reported position, with its line and column. Used by the tests
//! and the fuzz targets.

use std::io::{self, Read};
use std::ops::ControlFlow;

use locator_find::{Anchor, Document, Finder, Format, Link, Location, Sink};

/// Finds the links of a document and checks their positions.
pub(crate) fn check(format: Format, octets: &[u8]) {
    let document = Document::new(format).retrieved_by("http://h/d/");
    for all in [false, true] {
        let finder = Finder::new().all(all);
        finder.find(&document, &mut &*octets, &mut Found { octets }).expect("a slice can be read");
    }
}

/// Checks that a document read in pieces has the same links as one read as a whole.
#[allow(dead_code, reason = "not every target asks for it")]
pub(crate) fn check_pieces(format: Format, octets: &[u8]) {
    let whole = links(format, octets, usize::MAX);
    for piece in [1, 7, 100] {
        assert_eq!(links(format, octets, piece), whole, "{piece} at a time");
    }
}

fn links(format: Format, octets: &[u8], piece: usize) -> Vec<(String, Location)> {
    let mut links = Vec::new();
    let found =
        Finder::new().find(&Document::new(format), &mut Pieces(octets, piece), &mut |link: &Link<'_>| {
            links.push((link.url().to_owned(), link.place().clone()));
            ControlFlow::Continue(())
        });
    found.expect("a slice can be read");
    links
}

/// A reader that returns at most this many octets at a time.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.1.min(buffer.len());
        self.0.read(&mut buffer[..length])
    }
}

struct Found<'d> {
    octets: &'d [u8],
}

impl Found<'_> {
    fn check(&self, place: &Location) -> &[u8] {
        let (start, end) = (place.span.start as usize, place.span.end as usize);
        let before = &self.octets[..start];
        let line_start = before.iter().rposition(|octet| *octet == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|octet| **octet == b'\n').count() + 1;
        assert_eq!((place.line, place.column), (line as u64, (start - line_start) as u64 + 1));
        &self.octets[start..end]
    }
}

impl Sink for Found<'_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        let written = self.check(link.place());
        // An octet that is not UTF-8 is reported as a substitute in XML.
        assert_eq!(link.written().len(), written.len());
        assert!(
            link.written()
                .iter()
                .zip(written)
                .all(|(reported, written)| reported == written || *reported == 0x1A)
        );
        if let Some(part) = link.part() {
            self.check(part);
        }
        let _ = link.resolved();
        ControlFlow::Continue(())
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.check(&anchor.place);
    }
}
