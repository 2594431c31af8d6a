//! A chain of decodings. Applies several decoders to a stretch of a document; the resulting text
//! maps to the octets of the original file.

use std::ops::Range;

use crate::decode::decoded::Decoded;
use crate::decode::source::SourceMap;
use crate::link::Location;

/// A stretch of a text and the decodings applied to it.
pub(crate) struct DecodeChain<'a> {
    source: &'a dyn SourceMap,
    /// The start of the stretch in the source text.
    start: usize,
    stretch: &'a [u8],
    steps: Vec<Decoded>,
}

impl<'a> DecodeChain<'a> {
    /// Returns a chain without decodings for the stretch that begins at `start` of the source text.
    pub(crate) fn new(source: &'a dyn SourceMap, start: usize, stretch: &'a [u8]) -> Self {
        Self { source, start, stretch, steps: Vec::new() }
    }

    /// Applies another decoding; `None` from `step` means that the text is unchanged.
    pub(crate) fn then(mut self, step: impl FnOnce(&[u8]) -> Option<Decoded>) -> Self {
        if let Some(decoded) = step(self.text()) {
            // The text before this decoding is not needed any more.
            if let Some(last) = self.steps.last_mut() {
                last.let_text_go();
            }
            self.steps.push(decoded);
        }
        self
    }

    /// Returns the text after the last decoding.
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
