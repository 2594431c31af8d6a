//! Decoding step by step: a stretch of a document enters, the text that the last step made of it leaves, traced to the octets of the
//! document's file.

use std::ops::Range;

use crate::decoded::Decoded;
use crate::link::Location;
use crate::source::SourceMap;

/// A stretch of a text, and what steps made of it.
pub(crate) struct DecodeChain<'a> {
    source: &'a dyn SourceMap,
    /// Where the stretch begins in the source's text.
    start: usize,
    stretch: &'a [u8],
    steps: Vec<Decoded>,
}

impl<'a> DecodeChain<'a> {
    /// No step yet; the stretch begins at `start` of the source's text.
    pub(crate) fn new(source: &'a dyn SourceMap, start: usize, stretch: &'a [u8]) -> Self {
        Self { source, start, stretch, steps: Vec::new() }
    }

    /// One more step, which may find that there is nothing to be done.
    pub(crate) fn then(mut self, step: impl FnOnce(&[u8]) -> Option<Decoded>) -> Self {
        if let Some(decoded) = step(self.text()) {
            // Nobody will ask for the text before it any more.
            if let Some(last) = self.steps.last_mut() {
                last.let_text_go();
            }
            self.steps.push(decoded);
        }
        self
    }

    /// What the last step made.
    pub(crate) fn text(&self) -> &[u8] {
        self.steps.last().map_or(self.stretch, Decoded::text)
    }

    fn source_of(&self, span: Range<usize>) -> Range<usize> {
        let span = self.steps.iter().rev().fold(span, |span, step| step.source_of(span));
        self.start + span.start..self.start + span.end
    }
}

impl SourceMap for DecodeChain<'_> {
    fn written(&self, span: Range<usize>) -> &[u8] {
        self.source.written(self.source_of(span))
    }

    fn place(&self, span: Range<usize>) -> Location {
        self.source.place(self.source_of(span))
    }

    fn cut(&self) -> Option<Location> {
        let (number, at) =
            self.steps.iter().enumerate().find_map(|(number, step)| Some((number, step.cut()?)))?;
        let at = self.steps[..number].iter().rev().fold(at..at, |span, step| step.source_of(span)).start;
        Some(self.source.place(self.start + at..self.start + at))
    }
}
