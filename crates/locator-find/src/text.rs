//! Running text: octets enter, piece by piece, what the library's own finder sees in them leaves. Only a text in UTF-16, which its first octets
//! tell, is held as a whole.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::ControlFlow;

use encoding_rs::{Encoding, UTF_8};
use locator::text::{How, Lines};

use crate::charset::Charset;
use crate::document::Document;
use crate::encoding::decode;
use crate::finder::Finder;
use crate::link::{Context, Link, Place, Sink};
use crate::outlet::Outlet;
use crate::source::Octets;
use crate::steps::Steps;

/// How much of a text is held: more than the longest URL that the finder knows, and what it looks back at.
const ROOM: usize = 256 << 10;

pub(crate) fn find(
    finder: &Finder,
    document: &Document,
    source: &mut dyn Read,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let base = &document.bases();
    let (mut feed, mut lines) = (finder.text.feed(), Lines::new());
    let (mut text, mut before) = (Held::new(), 0);
    let mut is_last = false;
    while !is_last && text.length < MARK {
        is_last = text.read(source)? == 0;
    }
    if let Some((encoding, _)) = Encoding::for_bom(text.octets()).filter(|(encoding, _)| *encoding != UTF_8) {
        let mut octets = text.octets().to_vec();
        source.read_to_end(&mut octets)?;
        find_decoded(finder, document, (&octets, encoding), sink);
        return Ok(());
    }
    loop {
        while let Some(hit) = feed.next(text.octets(), is_last) {
            let (start, end) = (before + hit.span().start as u64, before + hit.span().end as u64);
            let at = lines.at(text.octets(), hit.span().start);
            let place = Place { span: start..end, line: at.line, column: at.column };
            let (written, other) = (Cow::Borrowed(hit.as_bytes()), hit.other().map(Cow::Owned));
            let (context, charset) = (Context::Text(hit.how()), Charset::UTF_8);
            let link = Link { written, url: hit.url(), other, place, context, base, part: None, charset };
            if sink.link(&link).is_break() {
                return Ok(());
            }
        }
        if is_last {
            return Ok(());
        }
        let done = feed.release();
        lines.release(text.octets(), done);
        text.release(done);
        before += done as u64;
        // One read: who writes waits for an answer, maybe.
        is_last = text.read(source)? == 0;
    }
}

/// Finds the links of a text that must be decoded, and is held for that.
fn find_decoded(
    finder: &Finder,
    document: &Document,
    (octets, encoding): (&[u8], &'static Encoding),
    sink: &mut dyn Sink,
) {
    let source = Octets::new(octets);
    let steps = Steps::new(&source, 0, octets).then(|octets| decode(octets, encoding));
    let mut bases = document.bases();
    let mut outlet = Outlet::new(&steps, &mut bases, sink);
    // That it wants no more is all it could say.
    let _ = find_in(finder, steps.text(), &mut outlet, Context::Text);
}

/// How long the mark is that a text in UTF-16 begins with (RFC 2781, 3.2).
const MARK: usize = 2;

/// The stretch of a text that is looked at.
struct Held {
    octets: Vec<u8>,
    length: usize,
}

impl Held {
    fn new() -> Self {
        Self { octets: vec![0; ROOM], length: 0 }
    }

    fn octets(&self) -> &[u8] {
        &self.octets[..self.length]
    }

    /// Reads more behind it; gives how much, nothing at the text's end.
    fn read(&mut self, source: &mut dyn Read) -> io::Result<usize> {
        if self.length == self.octets.len() {
            self.octets.resize(2 * self.length, 0);
        }
        let read = loop {
            match source.read(&mut self.octets[self.length..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.length += read;
        Ok(read)
    }

    fn release(&mut self, octets: usize) {
        self.octets.copy_within(octets..self.length, 0);
        self.length -= octets;
    }
}

/// Finds the URLs of running text that is part of a document, which says what they are there.
pub(crate) fn find_in<'c>(
    finder: &Finder,
    text: &[u8],
    outlet: &mut Outlet<'_>,
    context: impl Fn(How) -> Context<'c>,
) -> ControlFlow<()> {
    for hit in finder.text.find(text) {
        outlet.link_or(hit.span(), &hit.url(), hit.other().as_deref(), context(hit.how()))?;
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;

    /// Gives so many octets at a time.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(buffer.len());
            self.0.read(&mut buffer[..length])
        }
    }

    fn found(text: &[u8], piece: usize) -> Vec<(String, Vec<u8>, Place)> {
        let mut found = Vec::new();
        let document = Document::new(Format::Text);
        find(&Finder::new(), &document, &mut Pieces(text, piece), &mut |link: &Link<'_>| {
            found.push((link.url().to_owned(), link.written().to_owned(), link.place().clone()));
            ControlFlow::Continue(())
        })
        .expect("a slice can always be read");
        found
    }

    #[test]
    fn pieces_have_the_links_of_the_whole() {
        let one = "See http://a.example/b,\n<URL:ftp://c.example/d-\n  e> and\r\n\"http://f.example/g\".\n";
        let text = one.repeat(20);
        let whole = found(text.as_bytes(), usize::MAX);
        assert_eq!(whole.len(), 60);
        let (url, written, place) = &whole[4];
        assert_eq!((url.as_str(), &written[..]), ("ftp://c.example/d-e", &b"ftp://c.example/d-\n  e"[..]));
        assert_eq!(*place, Place { span: 109..131, line: 6, column: 6 });
        for piece in [1, 2, 7, 64, 1000] {
            assert_eq!(found(text.as_bytes(), piece), whole, "{piece} at a time");
        }
    }

    #[test]
    fn a_text_in_utf_16_is_decoded() {
        let text = "\u{FEFF}See http://a.example/é,\nhttp://b.example/";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for octets in [little, big] {
            let found = found(&octets, 1);
            let urls: Vec<_> = found.iter().map(|(url, ..)| url.as_str()).collect();
            assert_eq!(urls, ["http://a.example/é", "http://b.example/"]);
            assert_eq!((&found[0].2.span, found[1].2.line), (&(10..46), 2));
        }
    }

    #[test]
    fn what_is_longer_than_the_room_is_passed_over() {
        let text =
            [&b"http://a.example/ http://"[..], &b"a".repeat(3 * ROOM), b" http://b.example/"].concat();
        let urls: Vec<_> = found(&text, usize::MAX).into_iter().map(|(url, ..)| url).collect();
        assert_eq!(urls, ["http://a.example/", "http://b.example/"]);
    }
}
