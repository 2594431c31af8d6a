//! The traversal of an XML document. Finds the links of each element and text that `quick-xml`
//! reports. The held part is as long as the largest tag or text.

use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use locator::BaseStack;
use memchr::memchr;
use quick_xml::events::Event;
use quick_xml::{Error, Reader};

use super::element::{Element, Open};
use super::held::Held;
use super::references;
use super::vocabulary::{Content, Join, Vocabulary};
use crate::decode::chain::DecodeChain;
use crate::decode::decoded::{Decoded, Traced};
use crate::decode::source::{Octets, SourceMap};
use crate::link::escaped;
use crate::link::{PassedOver, Sink};
use crate::search::Query;
use crate::search::emitter::Emitter;
use crate::search::options::Extent;

/// The result of reading a stretch of a document.
struct Stretch {
    found: ControlFlow<()>,
    /// Whether the document ends here.
    is_end: bool,
    /// The offset of the incomplete markup in the held octets.
    begun: usize,
}

/// The state of a traversal.
pub(super) struct Walk<'a> {
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
    has_base: bool,
}

impl<'a> Walk<'a> {
    /// Returns a traversal; `around` is the source map of the text, or `None` if it is the document
    /// itself.
    pub(super) fn new(
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
            has_base: false,
        }
    }

    /// Reads the document to its end.
    pub(super) fn run(mut self, source: impl Read) -> io::Result<ControlFlow<()>> {
        let mut held = Held::new(source);
        loop {
            let stretch = self.run_stretch(&mut held)?;
            if let ControlFlow::Break(()) = stretch.found {
                return Ok(ControlFlow::Break(()));
            }
            if stretch.is_end {
                let aside = self.end_aside(&held);
                return Ok(if aside.is_break() { aside } else { self.end_run(&held) });
            }
            if held.is_full() {
                self.give_up(&mut held, stretch.begun)?;
            }
        }
    }

    /// Reads until the maximum is held, or until as many elements are open as the reader may store.
    fn run_stretch(&mut self, held: &mut Held<impl Read>) -> io::Result<Stretch> {
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
            if self.run.text().is_empty() && self.aside.text().is_empty() {
                reader.get_mut().let_go();
                if opened > DEEPEST_OPEN {
                    return Ok(Stretch { is_end: false, ..end });
                }
            }
        }
    }

    /// Continues after something too long to hold: markup that begins at `begun`, or a text.
    fn give_up(&mut self, held: &mut Held<impl Read>, begun: usize) -> io::Result<()> {
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
    fn divide(&mut self, held: &mut Held<impl Read>) {
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

    fn report_passed_over(&mut self, held: &Held<impl Read>, at: usize, why: PassedOver) {
        let _ = self.with_emitter(held, |_, emitter| {
            emitter.passed_over(at, why);
            ControlFlow::Continue(())
        });
    }

    fn take(&mut self, event: &Event<'_>, span: Range<usize>, held: &Held<impl Read>) -> ControlFlow<()> {
        let octets = &held.octets()[span.clone()];
        match event {
            Event::Text(_) | Event::GeneralRef(_) => {
                let run = if self.is_part() { &mut self.run } else { &mut self.aside };
                references::decode(octets, span.start, run);
            }
            Event::CData(content) => {
                let start = span.start + "<![CDATA[".len();
                self.run.keep(&octets[start - span.start..][..content.len()], start);
                self.undivided = self.run.text().len();
            }
            Event::Start(tag) => {
                self.join(tag.name().into_inner(), &span, held)?;
                self.start(&Element::new(tag, span), held)?;
            }
            Event::Empty(tag) => {
                self.join(tag.name().into_inner(), &span, held)?;
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
                references::decode(
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
    fn join(&mut self, tag: &str, span: &Range<usize>, held: &Held<impl Read>) -> ControlFlow<()> {
        self.end_aside(held)?;
        match self.vocabulary.map_or(Join::No, |vocabulary| vocabulary.joins(tag)) {
            Join::No => self.end_run(held),
            Join::As(text) if !self.run.text().is_empty() => {
                self.run.put(text.as_bytes(), span.start, (text.len(), span.len()));
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Searches the text between the parts of the run.
    fn end_aside(&mut self, held: &Held<impl Read>) -> ControlFlow<()> {
        if self.aside.text().is_empty() {
            return ControlFlow::Continue(());
        }
        let run = std::mem::replace(&mut self.run, std::mem::take(&mut self.aside));
        let undivided = self.undivided;
        let found = self.end_run(held);
        (self.run, self.undivided) = (run, undivided);
        found
    }

    fn take_broken(&mut self, span: Range<usize>, held: &Held<impl Read>) -> ControlFlow<()> {
        self.end_aside(held)?;
        self.end_run(held)?;
        self.run.keep(&held.octets()[span.clone()], span.start);
        self.end_run(held)
    }

    fn start(&mut self, element: &Element<'_>, held: &Held<impl Read>) -> ControlFlow<()> {
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
            if !escaped::embed(self.bases, &base) {
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
            match escaped::embed(self.bases, &base) {
                true => self.open.iter_mut().chain([&mut open]).for_each(|open| open.bases += 1),
                false => self.pass_over(element, held, PassedOver::LongBase)?,
            }
        }
        self.push(open, element, held)
    }

    fn push(&mut self, open: Open, element: &Element<'_>, held: &Held<impl Read>) -> ControlFlow<()> {
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
        held: &Held<impl Read>,
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
    fn end_run(&mut self, held: &Held<impl Read>) -> ControlFlow<()> {
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
            let traced = Traced { decoded: &decoded, source: emitter.source };
            content.find(query, &name, decoded.text(), &mut emitter.of(&traced).in_code(is_code))
        })
    }

    fn with_emitter(
        &mut self,
        held: &Held<impl Read>,
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

/// Returns the instruction of a field with the fragment beside its URL: `HYPERLINK "url" \\l "fragment"`
/// (ECMA-376, part 1, 17.16.5.25).
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
    let Some(fragment) =
        after.strip_prefix(br"\l").and_then(|after| after.trim_ascii_start().strip_prefix(b"\""))
    else {
        return run;
    };
    let mut joined = Decoded::default();
    let mut put = |octets: &[u8], span: Range<usize>| {
        let source = run.source_of(span);
        joined.put(octets, source.start, (1, source.len()));
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
