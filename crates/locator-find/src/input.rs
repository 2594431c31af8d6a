//! A document that is to be read, and the ways to read it: as a whole, in pieces, or decoded.

use std::io::{self, Read};
use std::ops::ControlFlow;

use encoding_rs::Encoding;
use locator::BaseStack;

use crate::decode_chain::DecodeChain;
use crate::emitter::Emitter;
use crate::encoding::decode;
use crate::limits::{LONGEST, WHOLE};
use crate::link::{PassedOver, Sink};
use crate::source::{Octets, SourceMap};
use crate::window::Window;

/// The octets of a document, what is known of it, and where its links go.
pub(crate) struct Input<'a, S: ?Sized = dyn Read + 'a> {
    pub(crate) source: &'a mut S,
    /// What is around the document that may be its base.
    pub(crate) bases: BaseStack,
    /// What separates the cells of a table, if it was set.
    pub(crate) separator: Option<u8>,
    pub(crate) sink: &'a mut dyn Sink,
}

impl<'a> Input<'a> {
    /// Puts octets that have been read before the others again.
    pub(crate) fn behind<T>(self, read: &[u8], find: impl FnOnce(Input<'_>) -> T) -> T {
        let Input { source, bases, separator, sink } = self;
        find(Input { source: &mut read.chain(source), bases, separator, sink })
    }

    /// Reads the document to its end and searches it as a whole; of one that is longer than [`WHOLE`] the rest is passed over.
    pub(crate) fn find_whole(
        self,
        find_in: impl FnOnce(&[u8], &mut Emitter<'_>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let mut bases = self.bases;
        let mut octets = Vec::new();
        let is_whole = hold(self.source, &mut octets, WHOLE)?;
        let held = Octets::new(&octets);
        let mut outlet = Emitter::new(&held, &mut bases, self.sink);
        if find_in(&octets, &mut outlet).is_continue() && !is_whole {
            outlet.passed_over(octets.len(), PassedOver::TooLarge(WHOLE));
        }
        Ok(())
    }

    /// Reads the document in pieces and searches one after the other.
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
            let held = Octets::behind(window.place(0..0), &octets[..at]);
            let mut outlet = Emitter::new(&held, &mut bases, self.sink);
            if find_in(&octets[..at], &mut outlet).is_break() {
                return Ok(());
            }
            if is_divided {
                outlet.passed_over(at, PassedOver::Divided);
            }
            if window.is_last() && at == window.octets().len() {
                return Ok(());
            }
            window.drop_first(at);
        }
    }
}

impl<S: Read + ?Sized> Input<'_, S> {
    /// Decodes as much of the document as can be held, and searches that. The window holds what has been read of it.
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
    /// How long a piece may be.
    pub(crate) longest: usize,
    /// Returns where a piece ends before which nothing goes on after it. Where there is no such place the document is divided all the same.
    pub(crate) end: F,
}

/// Where a piece of a document ends; never at its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Nothing goes on after it.
    At(usize),
    /// Something does, maybe.
    Divided(usize),
}

/// Reads no more octets than may be held; returns whether these are all.
pub(crate) fn hold(source: &mut dyn Read, octets: &mut Vec<u8>, most: u64) -> io::Result<bool> {
    source.take((most + 1).saturating_sub(octets.len() as u64)).read_to_end(octets)?;
    let is_whole = octets.len() as u64 <= most;
    octets.truncate(most as usize);
    Ok(is_whole)
}
