//! The input of a format: a document and the ways to read it, as a whole, in pieces, or decoded.

use std::io::{self, Read};
use std::ops::ControlFlow;

use encoding_rs::Encoding;
use locator::BaseStack;

use crate::decode::chain::DecodeChain;
use crate::decode::encoding::decode;
use crate::decode::source::{Octets, SourceMap};
use crate::heading_ids::HeadingIds;
use crate::link::{PassedOver, Sink};
use crate::search::emitter::Emitter;
use crate::search::options::{LONGEST, WHOLE};
use crate::search::window::Window;

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
