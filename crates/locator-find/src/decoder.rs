//! Formats that are running text with escapes: a [`Decoder`] undoes the escapes, and adds to a [`Text`] what it reads.

use std::collections::VecDeque;
use std::ops::Range;

use crate::decoded::Decoded;
use crate::limits::LONGEST;
use crate::link::Context;

/// Turns the octets of a document into text.
pub(crate) trait Decoder {
    /// Decodes octets that begin at `at` in what is held, and returns how many of them it has read. It may leave some that it needs more
    /// for, unless `is_all` says that it will not get more with them: then it must read at least one.
    ///
    /// It must not remember places, which change when octets are let go.
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize;
}

/// What was decoded.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) decoded: Decoded,
    pub(crate) links: VecDeque<Known>,
}

impl Default for Text {
    fn default() -> Self {
        // Enough for the longest URL and for what is decoded at once.
        Self { decoded: Decoded::with_room(2 * LONGEST), links: VecDeque::new() }
    }
}

/// A link that is one by what the document says.
#[derive(Debug)]
pub(crate) struct Known {
    /// Where it is in the order of the text.
    pub(crate) text: usize,
    /// The octets that it is written as.
    pub(crate) written: Range<usize>,
    pub(crate) url: String,
    pub(crate) context: Context<'static>,
}

/// An octet that is in no URL and in no wrapper of one: "unit separator" in ASCII.
const GAP: &[u8] = b"\x1F";

impl Text {
    /// Appends octets that are text as they are written.
    pub(crate) fn keep(&mut self, octets: &[u8], at: usize) {
        self.decoded.keep(octets, at);
    }

    /// Appends a text that is written with `length` octets.
    pub(crate) fn put(&mut self, octets: &[u8], at: usize, length: usize) {
        self.decoded.put(octets, at, (octets.len(), length));
    }

    /// Appends what ends every URL, in place of `length` octets.
    pub(crate) fn gap(&mut self, at: usize, length: usize) {
        self.put(GAP, at, length);
    }

    /// Appends a text that was decoded from the same octets.
    pub(crate) fn append(&mut self, other: &Decoded) {
        self.decoded.append(other);
    }

    /// Adds a link, which no finder has to look for.
    pub(crate) fn link(&mut self, written: Range<usize>, url: String, context: Context<'static>) {
        self.links.push_back(Known { text: self.decoded.text().len(), written, url, context });
    }

    /// Returns what was decoded.
    pub(crate) fn octets(&self) -> &[u8] {
        self.decoded.text()
    }

    /// Returns the octets that a stretch of the text was made of.
    pub(crate) fn source_of(&self, span: Range<usize>) -> Range<usize> {
        self.decoded.source_of(span)
    }

    /// Removes the first octets of the text, and of what it was decoded from.
    pub(crate) fn drop_first(&mut self, text: usize, source: usize) {
        self.decoded.drop_first(text, source);
        for link in &mut self.links {
            link.text -= text;
            link.written = link.written.start - source..link.written.end - source;
        }
    }
}
