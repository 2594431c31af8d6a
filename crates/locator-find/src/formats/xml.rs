//! XML. Finds the references of a document, each with the base that `xml:base` declares. Follows
//! XML 1.0 and XML Base; the sitemap protocol, RSS 2.0 and RFC 4287 (Atom) define the elements
//! whose content is a reference. Tags of XHTML and SVG are read as in HTML.
//!
//! `quick-xml` finds the end of each piece of markup. Declared entities are not expanded, and the
//! names of document types and namespaces are not links. A document is read in pieces as large as
//! its largest tag or text ([`HeldStream`]). Only a document that is not in UTF-8 is held as a whole, up to
//! the same limit.

mod element;

use std::io::{self, BufRead, Cursor, Read};
use std::ops::{ControlFlow, Range};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use locator::BaseStack;
use memchr::{memchr, memmem};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Error, Reader};

use crate::decode::charset::decode;
use crate::decode::{DecodeChain, Decoded, DecodedSource, LONGEST, Location, Octets, SourceMap};
use crate::formats::rtf::fragment_after;
use crate::link::{PassedOver, Sink, reference};
use crate::search::emitter::Emitter;
use crate::search::input::{Input, hold};
use crate::search::{Extent, FormatSpec, Query};

use element::{Content, Element, Join, Open, Vocabulary, decode_references};

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
    let declared = memmem::find(declaration, b"encoding").and_then(|at| {
        let value =
            declaration[at + "encoding".len()..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let (quote, value) = value.split_first()?;
        Encoding::for_label(value.split(|octet| octet == quote).next()?)
    });
    // A declaration that is readable octet by octet is not in UTF-16, whatever it declares.
    declared.filter(|encoding| encoding.is_ascii_compatible()).unwrap_or(UTF_8)
}

/// The result of reading a stretch of a document.
struct Stretch {
    found: ControlFlow<()>,
    /// Whether the document ends here.
    is_end: bool,
    /// The offset of the incomplete markup in the held octets.
    begun: usize,
}

/// The state of a traversal.
struct Walk<'a> {
    query: &'a Query<'a>,
    /// The source map of the text, or `None` if it is the document itself.
    around: Option<&'a dyn SourceMap>,
    bases: &'a mut BaseStack,
    sink: &'a mut dyn Sink,
    vocabulary: Option<Vocabulary>,
    open: Vec<Open>,
    /// The number of open elements within the last one that are not stored.
    deeper: u64,
    /// The text since the last tag, mapped to the held octets.
    run: Decoded,
    /// Text between the parts of the run that is not one of them, such as a deleted word.
    aside: Decoded,
    /// The end of the last CDATA section in the run, which cannot be divided.
    undivided: usize,
    /// The texts of the paragraphs around, which go on after a text box or an annotation.
    interrupted: Vec<InterruptedRun>,
    has_base: bool,
}

/// The text of a paragraph that goes on after an element with a text of its own.
struct InterruptedRun {
    run: Decoded,
    undivided: usize,
    /// The number of elements that are open around that element.
    depth: u64,
    /// Whether the element is in line with the text, so that the text ends before it.
    is_ended: bool,
}

/// The maximum depth of elements that interrupt a text.
const MOST_INTERRUPTED: usize = 16;

impl<'a> Walk<'a> {
    /// Returns a traversal; `around` is the source map of the text, or `None` if it is the document
    /// itself.
    fn new(
        query: &'a Query<'a>,
        around: Option<&'a dyn SourceMap>,
        bases: &'a mut BaseStack,
        sink: &'a mut dyn Sink,
    ) -> Self {
        let (run, aside) = (Decoded::default(), Decoded::default());
        Self {
            query,
            around,
            bases,
            sink,
            vocabulary: None,
            open: Vec::new(),
            deeper: 0,
            run,
            aside,
            undivided: 0,
            interrupted: Vec::new(),
            has_base: false,
        }
    }

    /// Reads the document to its end.
    fn run(mut self, source: impl Read) -> io::Result<ControlFlow<()>> {
        let mut held = HeldStream::new(source);
        loop {
            let stretch = self.run_stretch(&mut held)?;
            if let ControlFlow::Break(()) = stretch.found {
                return Ok(ControlFlow::Break(()));
            }
            if stretch.is_end {
                return Ok(self.end_all(&held));
            }
            if held.is_full() {
                self.give_up(&mut held, stretch.begun)?;
            }
        }
    }

    /// Reads until the maximum is held, or until as many elements are open as the reader may store.
    fn run_stretch(&mut self, held: &mut HeldStream<impl Read>) -> io::Result<Stretch> {
        let mut reader = Reader::from_reader(held);
        let config = reader.config_mut();
        (config.allow_dangling_amp, config.allow_unmatched_ends, config.check_end_names) =
            (true, true, false);
        let (mut buffer, mut opened) = (Vec::new(), 0);
        loop {
            buffer.clear();
            let start = reader.get_ref().taken();
            let event = reader.read_event_into(&mut buffer);
            let held = reader.get_ref();
            let end = Stretch { found: ControlFlow::Continue(()), is_end: !held.is_full(), begun: start };
            let found = match event {
                Ok(Event::Eof) => return Ok(end),
                Ok(event) => {
                    opened += usize::from(matches!(event, Event::Start(_)));
                    self.take(&event, start..held.taken(), held)
                }
                Err(Error::Io(error)) => return Err(io::Error::new(error.kind(), error)),
                Err(_) if held.is_full() => return Ok(end),
                // A construct without an end includes the rest.
                Err(_) if held.taken() > start => self.take_broken(start..held.taken(), held),
                Err(_) => return Ok(end),
            };
            if found.is_break() {
                return Ok(Stretch { found, ..end });
            }
            // A text that continues is searched at its end.
            let is_interrupted = self.interrupted.iter().any(|outer| !outer.run.text().is_empty());
            if self.run.text().is_empty() && self.aside.text().is_empty() && !is_interrupted {
                reader.get_mut().release_taken();
                if opened > DEEPEST_OPEN {
                    return Ok(Stretch { is_end: false, ..end });
                }
            }
        }
    }

    /// Continues after something too long to hold: markup that begins at `begun`, or a text.
    fn give_up(&mut self, held: &mut HeldStream<impl Read>, begun: usize) -> io::Result<()> {
        // A `Break` is noticed at the next link.
        let _ = self.end_interrupted(held);
        let octets = held.octets();
        let delimiter = match &octets[begun.min(octets.len())..] {
            // Only the text before the markup is long.
            [b'<', rest @ ..] if begun > 0 => {
                let is_text = rest.starts_with(b"![");
                // A `Break` is noticed at the next link.
                let _ = self.end_run(held);
                if is_text {
                    self.report_passed_over(held, begun, PassedOver::Divided);
                }
                held.release(begun);
                return Ok(());
            }
            [b'<', b'!', b'-', ..] => "-->",
            [b'<', b'!', b'[', ..] => "]]>",
            [b'<', b'?', ..] => "?>",
            [b'<', ..] => ">",
            _ => {
                self.divide(held);
                return Ok(());
            }
        };
        self.report_passed_over(held, 0, PassedOver::TooLong);
        held.pass(delimiter.as_bytes())
    }

    /// Searches the held text, which continues, up to its last word.
    fn divide(&mut self, held: &mut HeldStream<impl Read>) {
        if self.run.text().is_empty() {
            std::mem::swap(&mut self.run, &mut self.aside);
        }
        let text = self.run.text();
        let last = |is: fn(&u8) -> bool| {
            let at = text[self.undivided..].iter().rposition(is)?;
            Some(self.undivided + at).filter(|at| *at > 0)
        };
        let word = last(u8::is_ascii_whitespace);
        // The octets of a character are not divided.
        let end = word.or_else(|| last(|octet| octet & 0xC0 != 0x80));
        let length = end.map_or(held.taken(), |at| self.run.source_of(at..at).start);
        if let Some(end) = end {
            self.run.truncate(end);
        }
        let is_text = self.open.last().is_none_or(|open| matches!(open.content, Content::Text));
        // A `Break` is noticed at the next link.
        let _ = self.end_run(held);
        // No URL continues after white space, but other contents do.
        if word.is_none() || !is_text {
            self.report_passed_over(held, length, PassedOver::Divided);
        }
        held.release(length);
    }

    fn report_passed_over(&mut self, held: &HeldStream<impl Read>, at: usize, why: PassedOver) {
        let _ = self.with_emitter(held, |_, emitter| {
            emitter.passed_over(at, why);
            ControlFlow::Continue(())
        });
    }

    fn take(
        &mut self,
        event: &Event<'_>,
        span: Range<usize>,
        held: &HeldStream<impl Read>,
    ) -> ControlFlow<()> {
        let octets = &held.octets()[span.clone()];
        match event {
            Event::Text(_) | Event::GeneralRef(_) => {
                let run = if self.is_part() { &mut self.run } else { &mut self.aside };
                decode_references(octets, span.start, run);
            }
            Event::CData(content) => {
                let start = span.start + "<![CDATA[".len();
                self.run.keep(&octets[start - span.start..][..content.len()], start);
                self.undivided = self.run.text().len();
            }
            Event::Start(tag) => {
                let name = tag.name().into_inner();
                match self.vocabulary.is_some_and(|vocabulary| vocabulary.interrupts(name)) {
                    true => self.interrupt(held)?,
                    false => self.join(name, &span, held)?,
                }
                self.note_position(name, tag);
                self.start(&Element::new(tag, span), held)?;
            }
            Event::Empty(tag) => {
                let name = tag.name().into_inner();
                self.join(name, &span, held)?;
                self.note_position(name, tag);
                self.start(&Element::new(tag, span), held)?;
                self.end();
            }
            Event::End(tag) => {
                self.end_aside(held)?;
                let joins = self.vocabulary.map_or(Join::No, |of| of.joins(tag.name().into_inner()));
                if joins == Join::No {
                    self.end_run(held)?;
                }
                self.end();
                self.resume(held)?;
            }
            // The reported content lacks the "?>".
            Event::PI(instruction) if instruction.target() == "xml-stylesheet" => {
                self.end_run(held)?;
                let element = Element::of_instruction(instruction, span);
                self.with_emitter(held, |query, emitter| element.find(query, Vocabulary::Other, emitter))?;
            }
            Event::PI(_) | Event::Comment(_) | Event::DocType(_) if self.query.extent == Extent::All => {
                self.end_run(held)?;
                // The delimiter is not part of the content.
                let end = ["-->", "?>", ">"].into_iter().find(|end| octets.ends_with(end.as_bytes()));
                decode_references(
                    &octets[..octets.len() - end.map_or(0, str::len)],
                    span.start,
                    &mut self.run,
                );
                self.end_run(held)?;
            }
            Event::PI(_) | Event::Comment(_) | Event::Decl(_) | Event::DocType(_) | Event::Eof => {}
        }
        ControlFlow::Continue(())
    }

    /// Returns whether a text here is a part of the run.
    fn is_part(&self) -> bool {
        let (Some(vocabulary), Some(open)) = (self.vocabulary, self.open.last()) else { return true };
        self.deeper > 0 || vocabulary.is_part(&open.name)
    }

    /// Ends the text before a tag, unless it goes on after it.
    fn join(&mut self, tag: &str, span: &Range<usize>, held: &HeldStream<impl Read>) -> ControlFlow<()> {
        self.end_aside(held)?;
        match self.vocabulary.map_or(Join::No, |vocabulary| vocabulary.joins(tag)) {
            Join::No => self.end_run(held),
            Join::As(text) if !self.run.text().is_empty() => {
                self.run.put(text.as_bytes(), span.start, span.len());
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Returns the number of open elements.
    fn depth(&self) -> u64 {
        self.open.len() as u64 + self.deeper
    }

    /// Puts the text of the paragraph aside until the element that begins here ends.
    fn interrupt(&mut self, held: &HeldStream<impl Read>) -> ControlFlow<()> {
        self.end_aside(held)?;
        if self.interrupted.len() >= MOST_INTERRUPTED {
            return self.end_run(held);
        }
        let run = std::mem::take(&mut self.run);
        let undivided = std::mem::take(&mut self.undivided);
        self.interrupted.push(InterruptedRun { run, undivided, depth: self.depth(), is_ended: false });
        ControlFlow::Continue(())
    }

    /// Notes that a drawing is in line with the text: `<wp:inline>`, and shapes of VML that do not float.
    fn note_position(&mut self, name: &str, tag: &BytesStart<'_>) {
        let Some(outer) = self.interrupted.last_mut() else { return };
        let is_shape = matches!(name, "v:shape" | "v:rect" | "v:roundrect" | "v:oval" | "v:group");
        outer.is_ended |= name == "wp:inline" || is_shape && !tag.contains("position:absolute");
    }

    /// Goes on with the text of the paragraph if the element has ended that interrupts it.
    fn resume(&mut self, held: &HeldStream<impl Read>) -> ControlFlow<()> {
        let depth = self.depth();
        let Some(outer) = self.interrupted.pop_if(|outer| depth <= outer.depth) else {
            return ControlFlow::Continue(());
        };
        self.end_run(held)?;
        (self.run, self.undivided) = (outer.run, outer.undivided);
        if outer.is_ended { self.end_run(held) } else { ControlFlow::Continue(()) }
    }

    /// Searches the texts that were interrupted, which do not go on.
    fn end_interrupted(&mut self, held: &HeldStream<impl Read>) -> ControlFlow<()> {
        while let Some(outer) = self.interrupted.pop() {
            let (run, undivided) = (std::mem::replace(&mut self.run, outer.run), self.undivided);
            let found = self.end_run(held);
            (self.run, self.undivided) = (run, undivided);
            found?;
        }
        ControlFlow::Continue(())
    }

    /// Searches all that is left at the end of the document.
    fn end_all(&mut self, held: &HeldStream<impl Read>) -> ControlFlow<()> {
        self.end_aside(held)?;
        self.end_run(held)?;
        self.end_interrupted(held)
    }

    /// Searches the text between the parts of the run.
    fn end_aside(&mut self, held: &HeldStream<impl Read>) -> ControlFlow<()> {
        if self.aside.text().is_empty() {
            return ControlFlow::Continue(());
        }
        let run = std::mem::replace(&mut self.run, std::mem::take(&mut self.aside));
        let undivided = self.undivided;
        let found = self.end_run(held);
        (self.run, self.undivided) = (run, undivided);
        found
    }

    fn take_broken(&mut self, span: Range<usize>, held: &HeldStream<impl Read>) -> ControlFlow<()> {
        self.end_aside(held)?;
        self.end_run(held)?;
        self.run.keep(&held.octets()[span.clone()], span.start);
        self.end_run(held)
    }

    fn start(&mut self, element: &Element<'_>, held: &HeldStream<impl Read>) -> ControlFlow<()> {
        let vocabulary =
            *self.vocabulary.get_or_insert_with(|| Vocabulary::of_root(element.name(), element.content()));
        let mut open = element.open(vocabulary, self.open.last(), self.bases.len());
        let space = open.space;
        if element.is_bare() {
            return self.push(open, element, held);
        }
        if let Some(base) = element.xml_base().filter(|_| self.open.len() < DEEPEST) {
            // It is relative to the base around the element; all other references of the element
            // are relative to it (XML Base, 4.2).
            self.with_emitter(held, |_, emitter| element.report_base(emitter))?;
            if !reference::embed_base(self.bases, &base) {
                self.pass_over(element, held, PassedOver::LongBase)?;
            }
        }
        self.with_emitter(held, |query, emitter| match space.is_html() {
            true => element.find_as_html(query, space, emitter),
            false => element.find(query, vocabulary, emitter),
        })?;
        // The base of XHTML applies to the whole document, and the first one counts.
        if let Some(base) = element.base_of_document(space).filter(|_| !self.has_base) {
            self.has_base = true;
            match reference::embed_base(self.bases, &base) {
                true => self.open.iter_mut().chain([&mut open]).for_each(|open| open.bases += 1),
                false => self.pass_over(element, held, PassedOver::LongBase)?,
            }
        }
        self.push(open, element, held)
    }

    fn push(&mut self, open: Open, element: &Element<'_>, held: &HeldStream<impl Read>) -> ControlFlow<()> {
        if self.open.len() < DEEPEST_OPEN {
            self.open.push(open);
            return ControlFlow::Continue(());
        }
        self.deeper += 1;
        self.bases.truncate(open.bases);
        match self.deeper {
            1 => self.pass_over(element, held, PassedOver::TooDeep),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pass_over(
        &mut self,
        element: &Element<'_>,
        held: &HeldStream<impl Read>,
        why: PassedOver,
    ) -> ControlFlow<()> {
        self.with_emitter(held, |_, emitter| {
            emitter.passed_over(element.start(), why);
            ControlFlow::Continue(())
        })
    }

    fn end(&mut self) {
        if self.deeper > 0 {
            self.deeper -= 1;
        } else if let Some(open) = self.open.pop() {
            self.bases.truncate(open.bases);
        }
    }

    /// Searches the collected text.
    fn end_run(&mut self, held: &HeldStream<impl Read>) -> ControlFlow<()> {
        let decoded = std::mem::take(&mut self.run);
        let decoded = match self.vocabulary {
            Some(Vocabulary::OfficeOpen) => with_fragment(decoded),
            _ => decoded,
        };
        self.undivided = 0;
        if decoded.text().trim_ascii().is_empty() {
            return ControlFlow::Continue(());
        }
        let (content, name, is_code) =
            self.open.last_mut().map_or((Content::Text, String::new(), false), |open| {
                (open.content, open.name.clone(), open.is_code)
            });
        self.with_emitter(held, |query, emitter| {
            let traced = DecodedSource { decoded: &decoded, source: emitter.source };
            content.find(query, &name, decoded.text(), &mut emitter.of(&traced).in_code(is_code))
        })
    }

    fn with_emitter(
        &mut self,
        held: &HeldStream<impl Read>,
        find: impl FnOnce(&Query<'_>, &mut Emitter<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (octets, steps);
        let source: &dyn SourceMap = match self.around {
            Some(around) => {
                steps = DecodeChain::new(around, held.start(), held.octets());
                &steps
            }
            None => {
                octets = Octets::starting_at(held.place(), held.octets());
                &octets
            }
        };
        find(self.query, &mut Emitter::new(source, self.bases, self.sink))
    }
}

/// Returns the instruction of a field with the fragment beside its URL: `HYPERLINK "url" \l "fragment"`.
fn with_fragment(run: Decoded) -> Decoded {
    const BEFORE: &[u8] = b"HYPERLINK \"";
    let text = run.text();
    let start = text.trim_ascii_start();
    let skipped = text.len() - start.len();
    let Some(length) = start.strip_prefix(BEFORE).and_then(|url| memchr(b'"', url)) else { return run };
    let end = skipped + BEFORE.len() + length;
    // A URL has one fragment.
    if text[skipped..end].contains(&b'#') {
        return run;
    }
    let after = text[end + 1..].trim_ascii_start();
    let Some(fragment) = fragment_after(after, br"\") else { return run };
    let mut joined = Decoded::default();
    let mut put = |octets: &[u8], span: Range<usize>| {
        let source = run.source_of(span);
        joined.put(octets, source.start, source.len());
    };
    (0..end).for_each(|at| put(&text[at..=at], at..at + 1));
    let rest = text.len() - fragment.len();
    put(b"#", end..rest);
    (rest..text.len()).for_each(|at| put(&text[at..=at], at..at + 1));
    joined
}

/// The maximum depth of elements that are stored.
const DEEPEST_OPEN: usize = 1000;

/// The maximum depth of elements with `xml:base`: each base is as long as all enclosing ones
/// together.
const DEEPEST: usize = 100;

/// A stream and the octets read since the last released piece.
#[derive(Debug)]
struct HeldStream<R> {
    source: R,
    buffer: Vec<u8>,
    /// Offsets in the buffer: of the first held octet, of the first one not yet returned, and of
    /// the first one not checked for UTF-8.
    start: usize,
    taken: usize,
    checked: usize,
    /// The position of the first held octet in the document.
    first: Location,
    /// Whether the end of the source was reached.
    is_last: bool,
}

/// The number of octets read at once.
const PIECE: usize = 64 << 10;

/// The replacement of an octet that is not UTF-8, which keeps all offsets: "substitute" in ASCII.
const SUBSTITUTE: u8 = 0x1A;

impl<R: Read> HeldStream<R> {
    const fn new(source: R) -> Self {
        let first = Location::START;
        Self { source, buffer: Vec::new(), start: 0, taken: 0, checked: 0, first, is_last: false }
    }

    /// Returns the held octets that were already returned to the reader.
    fn octets(&self) -> &[u8] {
        &self.buffer[self.start..self.taken]
    }

    /// Returns the number of these octets.
    const fn taken(&self) -> usize {
        self.taken - self.start
    }

    /// Returns whether the maximum is held, so that no more octets are returned until a release.
    const fn is_full(&self) -> bool {
        self.taken() >= LONGEST
    }

    /// Skips the held octets and all others up to the end of a delimiter; holds nothing then.
    fn pass(&mut self, delimiter: &[u8]) -> io::Result<()> {
        let mut last = Vec::new();
        loop {
            self.release_taken();
            let octets = self.fill_buf()?;
            if octets.is_empty() {
                return Ok(());
            }
            // Keeps as many skipped octets as may begin the delimiter.
            let kept = last.len();
            last.extend_from_slice(&octets[..octets.len().min(delimiter.len() - 1)]);
            let end = memmem::find(&last, delimiter)
                .map(|at| (at + delimiter.len()).saturating_sub(kept))
                .or_else(|| memmem::find(octets, delimiter).map(|at| at + delimiter.len()));
            let passed = end.unwrap_or(octets.len());
            last = octets[octets.len().saturating_sub(delimiter.len() - 1)..].to_vec();
            self.consume(passed);
            if end.is_some() {
                self.release_taken();
                return Ok(());
            }
        }
    }

    /// Returns the position of the first held octet.
    fn place(&self) -> Location {
        self.first.clone()
    }

    /// Returns the offset of the first held octet, in a text in memory.
    fn start(&self) -> usize {
        // INVARIANT: in memory, every offset fits a `usize`.
        self.first.span.start as usize
    }

    /// Releases the octets that were returned.
    fn release_taken(&mut self) {
        self.release(self.taken());
    }

    /// Releases the first of the held octets; the others are returned once more.
    fn release(&mut self, length: usize) {
        self.first = self.first.after(&self.octets()[..length]);
        self.start += length;
        self.taken = self.start;
    }

    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.start);
        (self.taken, self.checked, self.start) = (self.taken - self.start, self.checked - self.start, 0);
        let read = self.source.by_ref().take(PIECE as u64).read_to_end(&mut self.buffer)?;
        self.is_last = read == 0;
        while let Err(error) = str::from_utf8(&self.buffer[self.checked..]) {
            let start = self.checked + error.valid_up_to();
            self.checked = start;
            // An incomplete character at the end may continue.
            let length = match error.error_len() {
                Some(length) => length,
                None if read == 0 => self.buffer.len() - start,
                None => return Ok(()),
            };
            self.buffer[start..start + length].fill(SUBSTITUTE);
            self.checked += length;
        }
        self.checked = self.buffer.len();
        Ok(())
    }
}

impl<R: Read> Read for HeldStream<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: Read> BufRead for HeldStream<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.is_full() {
            return Ok(&[]);
        }
        if self.taken == self.checked && !self.is_last {
            self.fill()?;
        }
        Ok(&self.buffer[self.taken..self.checked.min(self.start + LONGEST)])
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount;
    }
}
