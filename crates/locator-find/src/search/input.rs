//! The input of a format: a document and the ways to read it, as a whole, in pieces, or decoded.
//!
//! [`Window`] reads a stream piece by piece and holds the stretch in use, with positions that count
//! from the start of the document; [`LongText`] divides a text that is too long to hold.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use encoding_rs::Encoding;
use locator::BaseStack;
use memchr::{memchr_iter, memrchr};

use crate::decode::charset::decode;
use crate::decode::{DecodeChain, LONGEST, Location, Octets, SourceMap};
use crate::heading_ids::HeadingIds;
use crate::link::{PassedOver, Sink};
use crate::search::emitter::Emitter;

/// The maximum length of a document that is searched as a whole.
pub(crate) const WHOLE: u64 = 48 << 20;

/// The octets of a document, its context and the sink for its links.
pub(crate) struct Input<'a, S: ?Sized = dyn Read + 'a> {
    pub(crate) source: &'a mut S,
    /// The base candidates around the document.
    pub(crate) bases: BaseStack,
    /// The separator of table cells, if it was set.
    pub(crate) separator: Option<u8>,
    /// The rule for the ids of headings.
    pub(crate) heading_ids: HeadingIds,
    pub(crate) sink: &'a mut dyn Sink,
}

impl<'a> Input<'a> {
    /// Prepends octets that have already been read.
    pub(crate) fn prepend<T>(self, read: &[u8], find: impl FnOnce(Input<'_>) -> T) -> T {
        let Input { source, bases, separator, heading_ids, sink } = self;
        find(Input { source: &mut read.chain(source), bases, separator, heading_ids, sink })
    }

    /// Searches the whole document in memory; the rest of a document longer than [`WHOLE`] is not
    /// searched.
    pub(crate) fn find_whole(
        self,
        find_in: impl FnOnce(&[u8], &mut Emitter<'_>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let mut bases = self.bases;
        let mut octets = Vec::new();
        let is_whole = hold(self.source, &mut octets, WHOLE)?;
        let held = Octets::new(&octets);
        let mut emitter = Emitter::new(&held, &mut bases, self.sink);
        if find_in(&octets, &mut emitter).is_continue() && !is_whole {
            emitter.passed_over(octets.len(), PassedOver::TooLarge(WHOLE));
        }
        Ok(())
    }

    /// Reads the document in pieces and searches each of them.
    pub(crate) fn find_in_pieces(
        self,
        pieces: Pieces<impl Fn(&[u8]) -> End>,
        mut find_in: impl FnMut(&[u8], &mut Emitter<'_>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let (mut window, mut bases) = (Window::new(), self.bases);
        loop {
            window.hold(self.source, pieces.longest)?;
            let octets = &window.octets()[..window.octets().len().min(pieces.longest)];
            let (at, is_divided) = match octets.len() == window.octets().len() && window.is_last() {
                true => (octets.len(), false),
                false => match (pieces.end)(octets) {
                    End::At(at) => (at, false),
                    End::Divided(at) => (at, true),
                },
            };
            let held = Octets::starting_at(window.place(0..0), &octets[..at]);
            let mut emitter = Emitter::new(&held, &mut bases, self.sink);
            if find_in(&octets[..at], &mut emitter).is_break() {
                return Ok(());
            }
            if is_divided {
                emitter.passed_over(at, PassedOver::Divided);
            }
            if window.is_last() && at == window.octets().len() {
                return Ok(());
            }
            window.drop_first(at);
        }
    }
}

impl<S: Read + ?Sized> Input<'_, S> {
    /// Decodes and searches as much of the document as memory allows. The window contains the
    /// octets already read.
    pub(crate) fn find_decoded(
        self,
        mut window: Window,
        encoding: &'static Encoding,
        find_in: impl FnOnce(&[u8], &mut Emitter<'_>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        window.hold(self.source, LONGEST)?;
        let mut bases = self.bases;
        let steps = DecodeChain::new(&window, 0, window.octets()).then(|octets| decode(octets, encoding));
        let found = find_in(steps.text(), &mut Emitter::new(&window, &mut bases, self.sink).of(&steps));
        if found.is_continue() && !window.is_last() {
            let end = window.octets().len();
            self.sink.passed_over(&window.place(end..end), PassedOver::TooLarge(end as u64));
        }
        Ok(())
    }
}

/// How a document is divided.
pub(crate) struct Pieces<F> {
    /// The maximum length of a piece.
    pub(crate) longest: usize,
    /// Returns the end of a piece, where no construct continues. Without such a position the
    /// document is divided anyway.
    pub(crate) end: F,
}

/// The end of a piece, after its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// No construct continues after it.
    At(usize),
    /// A construct may continue after it.
    Divided(usize),
}

/// Reads at most `most` octets; returns whether these are all.
pub(crate) fn hold(source: &mut dyn Read, octets: &mut Vec<u8>, most: u64) -> io::Result<bool> {
    source.take((most + 1).saturating_sub(octets.len() as u64)).read_to_end(octets)?;
    let is_whole = octets.len() as u64 <= most;
    octets.truncate(most as usize);
    Ok(is_whole)
}

/// The initial length of the window.
const INITIAL: usize = 64 << 10;

/// The held stretch of a document.
#[derive(Debug)]
pub(crate) struct Window {
    octets: Vec<u8>,
    capacity: usize,
    is_last: bool,
    /// The position of the first held octet.
    first: Mark,
    /// The position last asked for, which is not before the first one.
    latest: Cell<Mark>,
}

/// An octet and its line.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: u64,
    line: u64,
    line_start: u64,
}

/// An incremental search over a window.
pub(crate) trait Search {
    /// Searches octets until more are needed; returns how many are consumed, or `Break` to end the
    /// search.
    fn search(&mut self, window: &Window) -> ControlFlow<(), usize>;

    /// Handles a construct that begins at the first octet and is longer than [`LONGEST`].
    fn skip_overlong(&mut self, window: &Window);
}

impl Window {
    /// Returns an empty window.
    pub(crate) const fn new() -> Self {
        let first = Mark { at: 0, line: 1, line_start: 0 };
        Self { octets: Vec::new(), capacity: INITIAL, is_last: false, first, latest: Cell::new(first) }
    }

    /// Returns a window with octets that begin a line at `start`.
    pub(crate) fn starting_at(start: &Location, octets: Vec<u8>) -> Self {
        let first = Mark { at: start.span.start, line: start.line, line_start: start.span.start };
        Self { capacity: octets.len().max(INITIAL), octets, is_last: false, first, latest: Cell::new(first) }
    }

    /// Returns an empty window with this initial length.
    #[cfg(test)]
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { capacity, ..Self::new() }
    }

    /// Returns the held octets.
    pub(crate) fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns whether no octets follow.
    pub(crate) const fn is_last(&self) -> bool {
        self.is_last
    }

    /// Returns the offset of the first held octet in the document.
    pub(crate) const fn start(&self) -> u64 {
        self.first.at
    }

    /// Returns whether the window begins at the start of the document.
    pub(crate) const fn is_first(&self) -> bool {
        self.first.at == 0
    }

    /// Reads until the window holds `length` octets, or all.
    pub(crate) fn hold(&mut self, source: &mut (impl Read + ?Sized), length: usize) -> io::Result<()> {
        while !self.is_last && self.octets.len() < length {
            self.capacity = self.capacity.max(self.octets.len() * 2).min(length.max(INITIAL));
            self.fill(source)?;
        }
        Ok(())
    }

    /// Runs a search over the stream as it arrives; the window may already hold octets.
    pub(crate) fn run(
        &mut self,
        source: &mut (impl Read + ?Sized),
        search: &mut impl Search,
    ) -> io::Result<()> {
        if self.octets.is_empty() {
            self.fill(source)?;
        }
        while let ControlFlow::Continue(done) = search.search(self)
            && !self.is_last
        {
            match done {
                0 if self.octets.len() >= LONGEST => search.skip_overlong(self),
                0 if self.octets.len() >= self.capacity => self.capacity = self.octets.len() * 2,
                0 => {}
                _ => self.drop_first(done),
            }
            self.fill(source)?;
        }
        Ok(())
    }

    fn fill(&mut self, source: &mut (impl Read + ?Sized)) -> io::Result<()> {
        let mut length = self.octets.len();
        let wanted = self.capacity.saturating_sub(length);
        // Read once: a writer may wait for an answer. A long stretch is not searched again for each
        // piece.
        let least = length + if length < INITIAL { wanted.min(1) } else { wanted };
        self.octets.resize(length + wanted, 0);
        let read = loop {
            if length >= least {
                break Ok(());
            }
            match source.read(&mut self.octets[length..]) {
                Ok(0) => {
                    self.is_last = true;
                    break Ok(());
                }
                Ok(read) => length += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        self.octets.truncate(length);
        read
    }

    /// Releases the first octets.
    fn drop_first(&mut self, done: usize) {
        self.first = self.mark(done);
        self.latest.set(self.first);
        self.octets.copy_within(done.., 0);
        self.octets.truncate(self.octets.len() - done);
    }

    fn mark(&self, at: usize) -> Mark {
        let at = self.first.at + at as u64;
        let from = if self.latest.get().at <= at { self.latest.get() } else { self.first };
        let between = &self.octets[(from.at - self.first.at) as usize..(at - self.first.at) as usize];
        Mark {
            at,
            line: from.line + memchr_iter(b'\n', between).count() as u64,
            line_start: memrchr(b'\n', between)
                .map_or(from.line_start, |line_end| from.at + line_end as u64 + 1),
        }
    }
}

impl SourceMap for Window {
    fn written(&self, span: Range<usize>) -> &[u8] {
        &self.octets[span]
    }

    fn place(&self, span: Range<usize>) -> Location {
        let mark = self.mark(span.start);
        self.latest.set(mark);
        let end = self.first.at + span.end as u64;
        Location { span: mark.at..end, line: mark.line, column: mark.at - mark.line_start + 1 }
    }
}

/// The division of a text that is read piece by piece: at white space, which no URL contains.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LongText {
    /// Whether the text begins in a word that is too long to hold.
    is_in_word: bool,
}

/// The length of a text that is divided. A shorter one is held until its end.
pub(crate) const DIVIDED: usize = 256 << 10;

impl LongText {
    /// Returns the part of a held text that can be searched; the text after it must be held, and
    /// the text before it is skipped. Returns `None` if more of the text is needed, unless
    /// `is_whole` is set.
    pub(crate) fn part(&mut self, octets: &[u8], text: Range<usize>, is_whole: bool) -> Option<Range<usize>> {
        let within = &octets[text.clone()];
        let mut start = text.start;
        if self.is_in_word {
            let space = within.iter().position(u8::is_ascii_whitespace);
            self.is_in_word = space.is_none() && !is_whole;
            start = space.map_or(text.end, |at| text.start + at);
        }
        if is_whole || self.is_in_word {
            return Some(start..text.end);
        }
        let space = match text.end - start >= DIVIDED {
            true => octets[start..text.end].iter().rposition(u8::is_ascii_whitespace),
            false => None,
        };
        let end = space.map_or(start, |at| start + at + 1);
        (end > text.start).then_some(start..end)
    }

    /// Skips the word at the start of the held text, which is too long to hold.
    pub(crate) fn skip_word(&mut self) {
        self.is_in_word = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_divided_at_white_space() {
        let mut text = LongText::default();
        let long = format!("{} b c", "a".repeat(DIVIDED));
        let part = text.part(long.as_bytes(), 0..long.len(), false);
        assert_eq!(part, Some(0..DIVIDED + 3));
        assert_eq!(text.part(b"a b", 0..3, false), None);
        assert_eq!(text.part(b"a b", 1..3, true), Some(1..3));
        assert_eq!(text.part(long.as_bytes(), 0..DIVIDED, false), None);
        text.skip_word();
        assert_eq!(text.part(b"aaa", 0..3, false), Some(3..3));
        assert_eq!(text.part(b"aa b c", 0..6, false), Some(2..2));
        assert_eq!(text.part(b" b c", 0..4, true), Some(0..4));
        text.skip_word();
        assert_eq!(text.part(b"aaa", 0..3, true), Some(3..3));
        assert_eq!(text.part(b"aaa", 0..3, true), Some(0..3));
    }
}
