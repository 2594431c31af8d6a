//! Running text. Finds URLs with the finder of `locator`, piece by piece. Text in UTF-16, which its
//! byte order mark shows, is decoded in larger pieces. From the first line on that is one JSON
//! value with an escape, each line may be JSON.

use crate::decode::Location;
use crate::search::stream::{Decoder, Text};
use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use encoding_rs::{Encoding, UTF_8, UTF_16BE};
use locator::BaseStack;
use locator::text::{Lines, StreamFinder};

use crate::decode::charset::Charset;
use crate::formats::json;
use crate::link::Purpose;
use crate::link::cut;
use crate::link::{Context, Link, PassedOver, Sink};
use crate::search::input::Input;
use crate::search::input::Window;
use crate::search::stream;
use crate::search::{FormatSpec, Query};

/// The length of text in memory, unless a URL is longer.
const BUFFER: usize = 256 << 10;

/// Running text: the format of documents that no other format recognises.
pub(crate) static TEXT: FormatSpec = FormatSpec {
    name: "text",
    extensions: &["txt", "text"],
    sections: None,
    has_media_type: |kind, subtype| {
        matches!(kind, "text" | "message")
            || kind == "application" && matches!(subtype, "javascript" | "x-sh")
    },
    begins: None,
    find,
    find_seekable: None,
    find_in: |query, text, emitter| query.find_urls(text, emitter),
};

fn find(query: &Query<'_>, input: Input<'_>) -> io::Result<()> {
    let mut text = HeldText::new();
    while !text.is_last && text.length < MARK {
        text.read(input.source)?;
    }
    if let Some((encoding, _)) = Encoding::for_bom(text.octets()).filter(|(encoding, _)| *encoding != UTF_8) {
        let decoder = if encoding == UTF_16BE { Utf16::BigEndian } else { Utf16::LittleEndian };
        return input.prepend(text.octets(), |input| stream::run(query, input, decoder, Window::new()));
    }
    let base = &input.bases;
    let mut search = Search { finder: query.options.text.stream(), lines: Lines::new(), before: 0, base };
    // How many of the held octets are searched.
    let mut done = 0;
    loop {
        let before = json::before_first_line(text.octets(), done, text.is_last);
        let end = before.length;
        let is_end = before.is_before_line || text.is_last;
        if search.look_into(&text.octets()[..end], is_end, input.sink).is_break() {
            return Ok(());
        }
        if before.is_before_line {
            let start = search.place(text.octets(), end..end);
            let rest = Window::starting_at(&start, text.octets()[end..].to_vec());
            return stream::run(query, input, json::JsonLines::new(&query.options.text), rest);
        }
        if text.is_last {
            return Ok(());
        }
        let released = search.release(text.octets());
        text.release(released);
        done = end - released;
        text.read_on(input.source)?;
    }
}

/// The state of a search through a text that is read piece by piece.
struct Search<'a> {
    finder: StreamFinder<'a>,
    lines: Lines,
    /// The number of octets before the held ones.
    before: u64,
    base: &'a BaseStack,
}

impl Search<'_> {
    /// Emits the URLs that are certain in the held text.
    fn look_into(&mut self, text: &[u8], is_last: bool, sink: &mut dyn Sink) -> ControlFlow<()> {
        loop {
            let before = self.finder.clone();
            let hit = self.finder.next(text, is_last);
            if let Some(start) = self.finder.passed_over() {
                sink.passed_over(&self.place(text, start..start), PassedOver::TooLong);
            }
            let Some(hit) = hit else { return ControlFlow::Continue(()) };
            let Ok(cut) = cut::in_text(text, hit.span(), hit.kind(), is_last) else {
                // The text after the URL decides whether it is whole.
                self.finder = before;
                return ControlFlow::Continue(());
            };
            sink.link(&Link {
                written: Cow::Borrowed(hit.as_bytes()),
                url: hit.url(),
                other: hit.alternate().map(Cow::Owned),
                cut,
                place: self.place(text, hit.span()),
                part: None,
                context: Context::Text(hit.kind()),
                purpose: Purpose::default(),
                base: self.base,
                charset: Charset::UTF_8,
            })?;
        }
    }

    fn place(&mut self, text: &[u8], span: Range<usize>) -> Location {
        let at = self.lines.at(text, span.start);
        let span = self.before + span.start as u64..self.before + span.end as u64;
        Location { span, line: at.line, column: at.column }
    }

    /// Returns how many octets are not needed any more.
    fn release(&mut self, text: &[u8]) -> usize {
        let done = self.finder.consume();
        self.lines.consume(text, done);
        self.before += done as u64;
        done
    }
}

/// The length of the byte order mark of UTF-16 (RFC 2781, 3.2).
const MARK: usize = 2;

/// The stretch of a text in memory.
struct HeldText {
    octets: Vec<u8>,
    length: usize,
    /// Whether no text follows.
    is_last: bool,
}

impl HeldText {
    fn new() -> Self {
        Self { octets: vec![0; BUFFER], length: 0, is_last: false }
    }

    fn octets(&self) -> &[u8] {
        &self.octets[..self.length]
    }

    /// Reads more octets as they arrive: a writer may wait for an answer. A long text is not
    /// searched again for each piece.
    fn read_on(&mut self, source: &mut dyn Read) -> io::Result<()> {
        let is_long = self.length >= BUFFER / 2;
        self.read(source)?;
        while is_long && !self.is_last && self.length < self.octets.len() {
            self.read(source)?;
        }
        Ok(())
    }

    fn read(&mut self, source: &mut dyn Read) -> io::Result<()> {
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
        self.is_last = read == 0;
        Ok(())
    }

    fn release(&mut self, octets: usize) {
        self.octets.copy_within(octets..self.length, 0);
        self.length -= octets;
    }
}

/// The decoder of UTF-16.
#[derive(Clone, Copy, Debug)]
enum Utf16 {
    BigEndian,
    LittleEndian,
}

impl Utf16 {
    fn unit(self, octets: &[u8], at: usize) -> Option<u16> {
        let octets = [*octets.get(at)?, *octets.get(at + 1)?];
        Some(match self {
            Self::BigEndian => u16::from_be_bytes(octets),
            Self::LittleEndian => u16::from_le_bytes(octets),
        })
    }
}

impl Decoder for Utf16 {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let mut done = 0;
        while let Some(first) = self.unit(octets, done) {
            let second = self.unit(octets, done + 2);
            if second.is_none() && matches!(first, 0xD800..0xDC00) && !is_all {
                return done;
            }
            let units = [first, second.unwrap_or_default()];
            let character = char::decode_utf16(units).next().and_then(Result::ok);
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            let length = 2 * character.len_utf16();
            text.put(character.encode_utf8(&mut [0; 4]).as_bytes(), at + done, length);
            done += length;
        }
        if is_all && done < octets.len() {
            // Half of a code unit.
            text.put("\u{FFFD}".as_bytes(), at + done, octets.len() - done);
            done = octets.len();
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use locator::text;

    use super::*;
    use crate::finder::Document;
    use crate::finder::Finder;
    use crate::formats::Format;

    /// A reader that returns at most this many octets at a time.
    struct Short<'a>(&'a [u8], usize);

    impl Read for Short<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(buffer.len());
            self.0.read(&mut buffer[..length])
        }
    }

    fn found(text: &[u8], piece: usize) -> Vec<(String, Vec<u8>, Location)> {
        let mut found = Vec::new();
        let document = Document::new(Format::Text);
        Finder::new()
            .find(&document, &mut Short(text, piece), &mut |link: &Link<'_>| {
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
        assert_eq!(*place, Location { span: 109..131, line: 6, column: 6 });
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
    fn a_link_longer_than_the_buffer_is_found() {
        let long = format!("data:,{}", "a".repeat(3 * BUFFER));
        let text = format!("http://a.example/ {long} http://b.example/");
        for piece in [1000, usize::MAX] {
            let urls: Vec<_> = found(text.as_bytes(), piece).into_iter().map(|(url, ..)| url).collect();
            assert_eq!(urls, ["http://a.example/", &*long, "http://b.example/"]);
        }
    }

    #[test]
    fn what_is_too_long_is_reported() {
        #[derive(Default)]
        struct Reported {
            last: String,
            passed_over: Vec<(PassedOver, Location)>,
        }
        impl Sink for Reported {
            fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
                self.last = link.url().to_owned();
                ControlFlow::Continue(())
            }

            fn passed_over(&mut self, place: &Location, why: PassedOver) {
                self.passed_over.push((why, place.clone()));
            }
        }
        let long = format!("\nsee data:,{} http://b.example/", "a".repeat(text::LIMIT));
        let reported = |format| {
            let mut reported = Reported::default();
            let found = Finder::new().find(&Document::new(format), &mut long.as_bytes(), &mut reported);
            found.expect("a text that is held can be read");
            assert_eq!(reported.last, "http://b.example/");
            reported.passed_over
        };
        assert_eq!(
            reported(Format::Text),
            [(PassedOver::TooLong, Location { span: 5..5, line: 2, column: 5 })]
        );
        assert!(reported(Format::Tex).iter().all(|(why, _)| *why == PassedOver::TooLong));
    }
}
