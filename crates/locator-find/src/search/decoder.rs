//! Formats that are running text with escapes. A [`Decoder`] decodes the escapes of such a format
//! and appends the result to a [`Text`].

use std::collections::VecDeque;
use std::ops::Range;

use locator::text::MatchKind;

use crate::decode::decoded::Decoded;
use crate::link::Context;
use crate::link::cut::Cut;
use crate::search::options::LONGEST;

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
    pub(crate) decoded: Decoded,
    pub(crate) links: VecDeque<Known>,
}

impl Default for Text {
    fn default() -> Self {
        // Enough for the longest URL and for one decoding step.
        Self { decoded: Decoded::with_limit(2 * LONGEST), links: VecDeque::new() }
    }
}

/// A link that the syntax of the document declares.
#[derive(Debug)]
pub(crate) struct Known {
    /// Its offset in the text.
    pub(crate) text: usize,
    /// The octets it is written as.
    pub(crate) written: Range<usize>,
    pub(crate) url: String,
    pub(crate) context: Context<'static>,
    pub(crate) cut: Option<Cut>,
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
        self.decoded.put(octets, at, (octets.len(), length));
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
        self.links.push_back(Known { text, written, url, context, cut: None });
    }

    /// Adds a URL that the syntax declares, as it is in running text; it may be a part of one.
    pub(crate) fn cut_link(&mut self, written: Range<usize>, url: String, cut: Option<Cut>) {
        // Of a part without a host nothing is known.
        let is_empty = url.split_once(':').is_none_or(|(_, rest)| rest.trim_start_matches('/').is_empty());
        if !is_empty {
            let (text, context) = (self.decoded.text().len(), Context::Text(MatchKind::Bare));
            self.links.push_back(Known { text, written, url, context, cut });
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
    pub(crate) fn drop_first(&mut self, text: usize, source: usize) {
        self.decoded.drop_first(text, source);
        for link in &mut self.links {
            link.text -= text;
            link.written = link.written.start - source..link.written.end - source;
        }
    }
}
