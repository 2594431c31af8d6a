//! Documents that are running text with escapes. Reads octets piece by piece, decodes them with the
//! [`Decoder`] of the format, which appends to a [`Text`], and finds the links of the text, with their
//! positions in the document. Memory does not depend on the length of the document.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use encoding_rs::{Encoding, UTF_8};
use locator::BaseStack;
use locator::text::{LOOKBEHIND, MatchKind, StreamFinder};

use crate::decode::{DecodeChain, Decoded, DecodedSource, LONGEST, Location, MOST_RUNS, SourceMap, charset};
use crate::link::cut::{self, Cut};
use crate::link::{Context, PassedOver, Sink};
use crate::search::emitter::Emitter;
use crate::search::input::{self, Input, Window};
use crate::search::{Options, Query};

/// Finds the links of a document.
pub(crate) fn find(query: &Query<'_>, input: Input<'_>, decoder: impl Decoder) -> io::Result<()> {
    let mut window = Window::new();
    window.hold(input.source, MARK)?;
    let marked = Encoding::for_bom(window.octets()).map_or(UTF_8, |(encoding, _)| encoding);
    if marked == UTF_8 {
        return run(query, input, decoder, window);
    }
    input.prepend(window.octets(), |input| {
        input.find_whole(|octets, emitter| {
            let steps =
                DecodeChain::new(emitter.source, 0, octets).then(|octets| charset::decode(octets, marked));
            find_in(query, decoder, steps.text(), &mut emitter.of(&steps))
        })
    })
}

/// Finds the links of the rest of a document, some octets of which are already read and held.
pub(crate) fn run(
    query: &Query<'_>,
    input: Input<'_>,
    decoder: impl Decoder,
    mut held: Window,
) -> io::Result<()> {
    let Input { source, mut bases, sink, .. } = input;
    Reading::new(query.options, decoder, &mut bases, sink).run(&mut held, source)
}

/// Finds the links of a text that is part of a document.
pub(crate) fn find_in(
    query: &Query<'_>,
    decoder: impl Decoder,
    text: &[u8],
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    let mut reading = Reading::new(query.options, decoder, emitter.bases, emitter.sink);
    reading.around = Some(emitter.source);
    // INVARIANT: reading from a slice cannot fail.
    let _ = reading.run(&mut Window::new(), &mut &*text);
    if reading.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// The length of the longest byte order mark.
const MARK: usize = 3;

/// The maximum number of octets a decoder may leave for later.
const WAITING: usize = 1 << 20;

/// The number of octets decoded at once, unless the decoder needs more.
const STEP: usize = 64 << 10;

/// The state of a search through a document.
struct Reading<'a, D> {
    options: &'a Options,
    finder: StreamFinder<'a>,
    decoder: D,
    text: Text,
    /// How many of the held octets are decoded.
    taken: usize,
    /// The source map of the containing document, if this is not the file itself.
    around: Option<&'a dyn SourceMap>,
    bases: &'a mut BaseStack,
    sink: &'a mut dyn Sink,
    is_over: bool,
}

impl<'a, D: Decoder> Reading<'a, D> {
    fn new(options: &'a Options, decoder: D, bases: &'a mut BaseStack, sink: &'a mut dyn Sink) -> Self {
        let (finder, text) = (options.text.stream(), Text::default());
        Self { options, finder, decoder, text, taken: 0, around: None, bases, sink, is_over: false }
    }

    fn run(&mut self, window: &mut Window, source: &mut dyn Read) -> io::Result<()> {
        if window.start() == 0 {
            window.hold(source, MARK)?;
            self.taken = if window.octets().starts_with("\u{FEFF}".as_bytes()) { MARK } else { 0 };
        }
        window.run(source, self)
    }

    /// Decodes some of the held octets; returns whether nothing more can be decoded yet.
    fn decode(&mut self, window: &Window) -> bool {
        let octets = &window.octets()[self.taken..];
        // A URL that has not ended is searched again from its beginning.
        let mut length = octets.len().min(self.text.octets().len().clamp(STEP, WAITING));
        loop {
            let is_whole = length == octets.len();
            let is_all = is_whole && window.is_last() || length > WAITING;
            if octets.is_empty() {
                return true;
            }
            match self.decoder.decode(&octets[..length], self.taken, is_all, &mut self.text) {
                0 if is_whole => return true,
                0 => length = octets.len().min(2 * length),
                read => {
                    self.taken += read;
                    return false;
                }
            }
        }
    }

    /// Emits the links that are certain; returns how much of the text is not needed any more.
    fn emit(&mut self, window: &Window, is_last: bool) -> ControlFlow<(), usize> {
        let source = &WindowSource { window, source: self.around };
        let Text { decoded, links } = &mut self.text;
        let traced = &DecodedSource { decoded, source };
        let mut emitter = Emitter::new(source, self.bases, self.sink);
        loop {
            let before = self.finder.clone();
            let Some(hit) = self.finder.next(decoded.text(), is_last) else { break };
            let Ok(cut) = cut::in_text(decoded.text(), hit.span(), hit.kind(), is_last) else {
                // The text after the URL decides whether it is whole.
                self.finder = before;
                break;
            };
            emit_declared(links, hit.span().start, &mut emitter)?;
            emitter.of(traced).text_match(&hit, cut)?;
        }
        if let Some(start) = self.finder.passed_over() {
            emitter.of(traced).passed_over(start, PassedOver::TooLong);
        }
        let released = if is_last { decoded.text().len() } else { self.finder.consume() };
        emit_declared(links, released, &mut emitter)?;
        ControlFlow::Continue(released)
    }

    /// Reports that the held text is too long, and emits the known links.
    fn pass_over(&mut self, window: &Window) -> ControlFlow<()> {
        let source = &WindowSource { window, source: self.around };
        let start = self.text.decoded.source_of(0..0);
        let mut emitter = Emitter::new(source, self.bases, self.sink);
        let why = match self.text.decoded.runs() > MOST_RUNS / 2 {
            true => PassedOver::TooManyEscapes,
            false => PassedOver::TooLong,
        };
        emitter.passed_over(start.start, why);
        emit_declared(&mut self.text.links, usize::MAX, &mut emitter)
    }

    fn search(&mut self, window: &Window) -> ControlFlow<(), usize> {
        loop {
            let is_done = self.decode(window);
            let is_last = window.is_last() && self.taken == window.octets().len();
            let released = self.emit(window, is_last)?;
            // Offsets count from the start of the window as long as it does not move.
            self.text.drop_first(released, 0);
            if self.text.decoded.runs() > MOST_RUNS / 2 {
                self.forget(window)?;
            }
            if is_done {
                break;
            }
        }
        let decoded = &self.text.decoded;
        let done = if decoded.text().is_empty() { self.taken } else { decoded.source_of(0..0).start };
        self.text.drop_first(0, done);
        self.taken -= done;
        ControlFlow::Continue(done)
    }

    /// Drops the held text and reports it if it is long.
    fn forget(&mut self, window: &Window) -> ControlFlow<()> {
        // If the text is short, the long part has no text.
        let flow = match self.text.decoded.text().len() > LOOKBEHIND {
            true => self.pass_over(window),
            false => self.emit(window, true).map_continue(drop),
        };
        self.finder = self.options.text.stream();
        self.text = Text::default();
        flow
    }
}

/// Emits the known links before `end` of the text.
fn emit_declared(
    links: &mut VecDeque<DeclaredLink>,
    end: usize,
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    while links.front().is_some_and(|link| link.text <= end)
        && let Some(link) = links.pop_front()
    {
        emitter.cut_link(link.written, &link.url, link.context, link.cut)?;
    }
    ControlFlow::Continue(())
}

impl<D: Decoder> input::Search for Reading<'_, D> {
    fn search(&mut self, window: &Window) -> ControlFlow<(), usize> {
        if self.is_over {
            return ControlFlow::Break(());
        }
        let flow = Reading::search(self, window);
        self.is_over = flow.is_break();
        flow
    }

    fn skip_overlong(&mut self, window: &Window) {
        self.is_over = self.forget(window).is_break();
    }
}

/// The held octets of a document and its containing document.
struct WindowSource<'a> {
    window: &'a Window,
    source: Option<&'a dyn SourceMap>,
}

impl WindowSource<'_> {
    fn shift(&self, span: Range<usize>) -> Range<usize> {
        // INVARIANT: a document that is part of another is in memory, where every offset fits a
        // `usize`.
        let start = self.window.start() as usize;
        start + span.start..start + span.end
    }
}

impl SourceMap for WindowSource<'_> {
    fn written(&self, span: Range<usize>) -> &[u8] {
        self.source.map_or_else(
            || self.window.written(span.clone()),
            |source| source.written(self.shift(span.clone())),
        )
    }

    fn place(&self, span: Range<usize>) -> Location {
        self.source
            .map_or_else(|| self.window.place(span.clone()), |source| source.place(self.shift(span.clone())))
    }
}

/// A decoder from the octets of a document to text.
pub(crate) trait Decoder {
    /// Decodes octets that begin at `at` of the held octets and returns the number consumed.
    ///
    /// It may leave octets that need more context, unless `is_all` is set: then no more octets
    /// follow and it must consume at least one. It must not store positions, which change when
    /// octets are released.
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize;
}

/// The decoded text and its known links.
#[derive(Debug)]
pub(crate) struct Text {
    decoded: Decoded,
    links: VecDeque<DeclaredLink>,
}

impl Default for Text {
    fn default() -> Self {
        // Enough for the longest URL and for one decoding step.
        Self { decoded: Decoded::with_limit(2 * LONGEST), links: VecDeque::new() }
    }
}

/// A link that the syntax of the document declares.
#[derive(Debug)]
struct DeclaredLink {
    /// Its offset in the text.
    text: usize,
    /// The octets it is written as.
    written: Range<usize>,
    url: String,
    context: Context<'static>,
    cut: Option<Cut>,
}

/// An octet that no URL and no delimiter of URLs contains: "unit separator" in ASCII.
const GAP: &[u8] = b"\x1F";

impl Text {
    /// Appends octets that are copied unchanged.
    pub(crate) fn keep(&mut self, octets: &[u8], at: usize) {
        self.decoded.keep(octets, at);
    }

    /// Appends a text that is written as `length` octets.
    pub(crate) fn put(&mut self, octets: &[u8], at: usize, length: usize) {
        self.decoded.put(octets, at, length);
    }

    /// Appends a separator that ends every URL, in place of `length` octets.
    pub(crate) fn gap(&mut self, at: usize, length: usize) {
        self.put(GAP, at, length);
    }

    /// Appends a text that was decoded from the same octets.
    pub(crate) fn append(&mut self, other: &Decoded) {
        self.decoded.append(other);
    }

    /// Adds a link that the syntax declares.
    pub(crate) fn link(&mut self, written: Range<usize>, url: String, context: Context<'static>) {
        let text = self.decoded.text().len();
        self.links.push_back(DeclaredLink { text, written, url, context, cut: None });
    }

    /// Adds a URL that the syntax declares, as it is in running text; it may be a part of one.
    pub(crate) fn cut_link(&mut self, written: Range<usize>, url: String, cut: Option<Cut>) {
        // Of a part without a host nothing is known.
        let is_empty = url.split_once(':').is_none_or(|(_, rest)| rest.trim_start_matches('/').is_empty());
        if !is_empty {
            let (text, context) = (self.decoded.text().len(), Context::Text(MatchKind::Bare));
            self.links.push_back(DeclaredLink { text, written, url, context, cut });
        }
    }

    /// Returns the decoded text.
    pub(crate) fn octets(&self) -> &[u8] {
        self.decoded.text()
    }

    /// Returns the source range of a stretch of the text.
    pub(crate) fn source_of(&self, span: Range<usize>) -> Range<usize> {
        self.decoded.source_of(span)
    }

    /// Removes the first octets of the text and of its source.
    fn drop_first(&mut self, text: usize, source: usize) {
        self.decoded.drop_first(text, source);
        for link in &mut self.links {
            link.text -= text;
            link.written = link.written.start - source..link.written.end - source;
        }
    }
}
