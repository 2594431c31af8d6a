//! From the bytes of a document to text, and from a place in that text back to its bytes.
//!
//! Every decoder writes its text to a [`Decoded`], which stores for each octet of the text the octets it
//! was decoded from. A [`DecodeChain`] applies several decoders to a stretch of a document, such as
//! base64, then a character set, then HTML's character references. Both are a [`SourceMap`]: it
//! returns the octets of the file for a stretch of the text, and their [`Location`] with line and
//! column. [`Octets`] is the map of a text that is the file itself.
//!
//! The decoders here are those that several formats need: `charset` (Encoding standard) and `transfer`
//! (RFC 2045, 6). A format has the decoder of its own escapes in its file.
//!
//! ```text
//! // "a%62c" in a file becomes "abc", and "bc" was octets 1 to 5 of the file.
//! let mut decoded = Decoded::default();
//! decoded.keep(b"a", 0);
//! decoded.put(b"b", 1, 3);
//! decoded.keep(b"c", 4);
//! assert_eq!((decoded.text(), decoded.source_of(1..3)), (&b"abc"[..], 1..5));
//! ```

pub(crate) mod charset;
pub(crate) mod transfer;

use std::cell::Cell;
use std::ops::Range;

use memchr::{memchr_iter, memrchr};

/// The position of a link or an anchor in the source.
///
/// The range is in the bytes of the document as it was read, before any decoding, so it can be replaced
/// there.
///
/// ```
/// use locator_find::{Document, Finder, Format, Link};
/// use std::ops::ControlFlow;
///
/// let text = b"first line\nsee http://h.example/a.\n";
/// let document = Document::new(Format::Text);
/// Finder::new().find(&document, &mut &text[..], &mut |link: &Link<'_>| {
///     let place = link.place();
///     assert_eq!((place.line, place.column), (2, 5));
///     assert_eq!(place.span, 15..33);
///     ControlFlow::Continue(())
/// })?;
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The byte range, counted from the start of the document.
    pub span: Range<u64>,
    /// The line number, from 1.
    pub line: u64,
    /// The position of the first byte in its line, from 1.
    pub column: u64,
}

impl Location {
    /// The empty range at the start of a document.
    pub(crate) const START: Self = Self { span: 0..0, line: 1, column: 1 };

    /// Returns the empty range after octets that begin at the start of this one.
    pub(crate) fn after(&self, octets: &[u8]) -> Self {
        let at = self.span.start + octets.len() as u64;
        let line = self.line + memchr_iter(b'\n', octets).count() as u64;
        let column = match memrchr(b'\n', octets) {
            Some(line_end) => (octets.len() - line_end) as u64,
            None => self.column + octets.len() as u64,
        };
        Self { span: at..at, line, column }
    }
}

/// The maximum length of a tag, a style sheet in a page or the like. Longer ones are not searched.
pub(crate) const LONGEST: usize = 16 << 20;

/// A map from a text to its source.
pub(crate) trait SourceMap {
    /// Returns the octets that the stretch was decoded from.
    fn written(&self, span: Range<usize>) -> &[u8];

    /// Returns the position of these octets in the document.
    fn place(&self, span: Range<usize>) -> Location;

    /// Returns where the text was cut because it became too long; reports it once.
    fn truncated(&self) -> Option<Location> {
        None
    }
}

/// The octets of a document, or a held stretch of them.
#[derive(Debug)]
pub(crate) struct Octets<'a> {
    octets: &'a [u8],
    start: Location,
    /// One mark for each `STRIDE` octets, so that a position needs a scan of at most that many
    /// octets, in any order.
    marks: Vec<Mark>,
}

/// The line number and line start at some octet.
#[derive(Clone, Copy, Debug)]
struct Mark {
    lines_before: u64,
    line_start: Option<usize>,
}

const STRIDE: usize = 4096;

impl<'a> Octets<'a> {
    /// Returns the map of a whole document.
    pub(crate) fn new(octets: &'a [u8]) -> Self {
        Self::starting_at(Location::START, octets)
    }

    /// Returns the map of a stretch that begins at `start`.
    pub(crate) fn starting_at(start: Location, octets: &'a [u8]) -> Self {
        let mut mark = Mark { lines_before: 0, line_start: None };
        let mut marks = Vec::with_capacity(octets.len() / STRIDE + 1);
        for (number, stride) in octets.chunks(STRIDE).enumerate() {
            marks.push(mark);
            mark = mark.after(number * STRIDE, stride);
        }
        Self { octets, start, marks }
    }
}

impl Mark {
    /// Returns the mark after some octets, which begin at `offset`.
    fn after(self, offset: usize, octets: &[u8]) -> Self {
        Self {
            lines_before: self.lines_before + memchr_iter(b'\n', octets).count() as u64,
            line_start: memrchr(b'\n', octets).map(|at| offset + at + 1).or(self.line_start),
        }
    }
}

impl SourceMap for Octets<'_> {
    fn written(&self, span: Range<usize>) -> &[u8] {
        &self.octets[span]
    }

    fn place(&self, span: Range<usize>) -> Location {
        let stride = (span.start / STRIDE).min(self.marks.len().saturating_sub(1));
        let mark = self.marks.get(stride).map_or(Mark { lines_before: 0, line_start: None }, |mark| {
            mark.after(stride * STRIDE, &self.octets[stride * STRIDE..span.start])
        });
        let start = self.start.span.start;
        Location {
            span: start + span.start as u64..start + span.end as u64,
            line: self.start.line + mark.lines_before,
            column: match mark.line_start {
                Some(line_start) => (span.start - line_start) as u64 + 1,
                None => self.start.column + span.start as u64,
            },
        }
    }
}

/// A decoded text with a map to its source.
///
/// Its memory is bounded: beyond a maximum length or number of escapes it takes no more octets and
/// reports the position.
#[derive(Clone, Debug)]
pub(crate) struct Decoded {
    text: Vec<u8>,
    /// The runs in the order of the text, which is also the order of the source.
    runs: Vec<Run>,
    /// The maximum length of the text.
    longest: usize,
    /// The first source octet that was not taken.
    truncated_at: Cell<Option<usize>>,
}

/// A stretch of a text in which `of` source octets become `made` octets each time. Texts in memory
/// are shorter than 4 GiB.
#[derive(Clone, Copy, Debug)]
struct Run {
    text: u32,
    source: u32,
    made: u32,
    of: u32,
}

/// The unit of a decoding: `of` octets of the source become `made` octets of the text, as four characters
/// of base64 become three octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) made: usize,
    pub(crate) of: usize,
}

/// An escape at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Escape<T> {
    /// What it stands for.
    pub(crate) means: T,
    /// Its length in octets.
    pub(crate) length: usize,
}

impl<T> Escape<T> {
    pub(crate) const fn new(means: T, length: usize) -> Self {
        Self { means, length }
    }
}

/// The maximum number of runs of a text, which take 16 MiB.
pub(crate) const MOST_RUNS: usize = 1 << 20;

impl Default for Decoded {
    fn default() -> Self {
        Self::with_limit(LONGEST)
    }
}

impl Decoded {
    /// Returns an empty text with this maximum length.
    pub(crate) const fn with_limit(longest: usize) -> Self {
        Self { text: Vec::new(), runs: Vec::new(), longest, truncated_at: Cell::new(None) }
    }

    /// Returns the position in the source after which nothing was taken; reports it once.
    pub(crate) fn truncated(&self) -> Option<usize> {
        // Nothing is appended to a text after it is searched.
        self.truncated_at.take()
    }

    /// Appends octets that are copied unchanged from the source.
    pub(crate) fn keep(&mut self, octets: &[u8], source: usize) {
        self.put_groups(octets, source, Group { made: 1, of: 1 });
    }

    /// Appends octets that are decoded from `length` octets at `source`, as a whole.
    pub(crate) fn put(&mut self, octets: &[u8], source: usize, length: usize) {
        self.put_groups(octets, source, Group { made: octets.len(), of: length });
    }

    /// Appends octets that are decoded in groups, the first one from the octets at `source`.
    ///
    /// An octet within such a group maps to its share of the source: of four characters of base64,
    /// the second and the third map to the second octet.
    pub(crate) fn put_groups(&mut self, octets: &[u8], source: usize, group: Group) {
        let Group { made, of } = group;
        if octets.is_empty() || self.truncated_at.get().is_some() {
            return;
        }
        let Some(run) = Run::new(self.text.len(), source, group) else {
            return self.truncated_at.set(Some(source));
        };
        let left = self.longest - self.text.len();
        let fits =
            if octets.len() <= left { octets.len() } else { whole_characters(octets, left) / made * made };
        let goes_on = self.runs.last().is_some_and(|last| last.goes_on_with(&run));
        if fits == 0 || !goes_on && self.runs.len() >= MOST_RUNS {
            return self.truncated_at.set(Some(source));
        }
        if !goes_on {
            self.runs.push(run);
        }
        self.text.extend_from_slice(&octets[..fits]);
        if fits < octets.len() {
            self.truncated_at.set(Some(source + fits / made * of));
        }
    }

    /// Appends another text that was decoded from the same source.
    pub(crate) fn append(&mut self, other: &Self) {
        for (run, text) in other.runs_with_text() {
            self.put_groups(text, run.source as usize, run.group());
        }
    }

    /// Returns this text, decoded from the text of `before`, mapped to the source of `before`.
    pub(crate) fn made_of(&self, before: &Self) -> Self {
        let mut decoded = Self::default();
        for (run, text) in self.runs_with_text() {
            for (number, group) in text.chunks(run.made as usize).enumerate() {
                let start = run.source as usize + number * run.of as usize;
                let source = before.source_of(start..start + run.of as usize);
                decoded.put_groups(group, source.start, Group { made: run.made as usize, of: source.len() });
            }
        }
        decoded
    }

    /// Returns this text for a source that begins later by this number of octets.
    pub(crate) fn shifted(mut self, by: usize) -> Self {
        // INVARIANT: texts in memory are shorter than 4 GiB.
        let by = u32::try_from(by).unwrap_or(u32::MAX);
        for run in &mut self.runs {
            run.source = run.source.saturating_add(by);
        }
        self
    }

    fn runs_with_text(&self) -> impl Iterator<Item = (&Run, &[u8])> {
        let ends = self.runs.iter().skip(1).map(|run| run.text as usize).chain([self.text.len()]);
        self.runs.iter().zip(ends).map(|(run, end)| (run, &self.text[run.text as usize..end]))
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Drops the text; the map to its source remains.
    fn drop_text(&mut self) {
        self.text = Vec::new();
    }

    /// Returns the number of runs.
    pub(crate) const fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Removes the text from this octet on, and forgets what was not taken.
    pub(crate) fn truncate(&mut self, text: usize) {
        self.text.truncate(text);
        self.runs.truncate(self.runs.partition_point(|run| (run.text as usize) < text));
        self.truncated_at.set(None);
    }

    /// Removes the first `text` octets of the text and the first `source` octets of the source. The
    /// rest of the text must not map to removed octets.
    pub(crate) fn drop_first(&mut self, text: usize, source: usize) {
        let first = self.runs.partition_point(|run| run.text as usize <= text).saturating_sub(1);
        if let Some(run) = self.runs.get(first).copied().filter(|run| (run.text as usize) < text) {
            self.divide(first, run, text);
        }
        let first = self.runs.partition_point(|run| (run.text as usize) < text);
        self.runs.drain(..first);
        // INVARIANT: no remaining run begins before them.
        let (by_text, by_source) = (text as u32, source as u32);
        for run in &mut self.runs {
            (run.text, run.source) = (run.text - by_text, run.source - by_source);
        }
        self.text.drain(..text);
    }

    /// Splits a run at an octet of the text; a group that is split becomes a separate run.
    fn divide(&mut self, index: usize, run: Run, text: usize) {
        let end = self.runs.get(index + 1).map_or(self.text.len(), |next| next.text as usize);
        let (before, made, of) = (text - run.text as usize, run.made as usize, run.of as usize);
        let (groups, within) = (before.div_ceil(made), before % made);
        let next = (run.text as usize + groups * made, run.source as usize + groups * of);
        if next.0 < end {
            self.runs.splice(index + 1..index + 1, Run::new(next.0, next.1, Group { made, of }));
        }
        if within > 0 && text < end {
            let source = run.octet(text).start;
            let rest = Run::new(text, source, Group { made: made - within, of: next.1 - source });
            self.runs.splice(index + 1..index + 1, rest);
        }
    }

    /// Returns the source range of a stretch of the text.
    pub(crate) fn source_of(&self, span: Range<usize>) -> Range<usize> {
        let start = self.octet(span.start).start;
        start..if span.is_empty() { start } else { self.octet(span.end - 1).end.max(start) }
    }

    /// Returns the source range of an octet of the text; for an offset at the end it is the end of
    /// the source.
    fn octet(&self, at: usize) -> Range<usize> {
        let following = self.runs.partition_point(|run| run.text as usize <= at);
        following.checked_sub(1).map_or(at..at, |run| self.runs[run].octet(at))
    }
}

impl Run {
    /// Returns `None` if an offset does not fit.
    fn new(text: usize, source: usize, group: Group) -> Option<Self> {
        let [text, source, made, of] = [text, source, group.made, group.of].map(u32::try_from);
        Some(Self { text: text.ok()?, source: source.ok()?, made: made.ok()?, of: of.ok()? })
    }

    const fn group(&self) -> Group {
        Group { made: self.made as usize, of: self.of as usize }
    }

    fn octet(&self, at: usize) -> Range<usize> {
        let Group { made, of } = self.group();
        let (group, within) = ((at - self.text as usize) / made, (at - self.text as usize) % made);
        let start = self.source as usize + group * of;
        start + within * of / made..start + ((within + 1) * of).div_ceil(made)
    }

    fn goes_on_with(&self, next: &Self) -> bool {
        let groups = u64::from((next.text - self.text) / self.made);
        (self.made, self.of) == (next.made, next.of)
            && (next.text - self.text).is_multiple_of(self.made)
            && u64::from(self.source) + groups * u64::from(self.of) == u64::from(next.source)
    }
}

/// Returns how many of the first octets, at most `most`, are complete characters if they are UTF-8.
fn whole_characters(octets: &[u8], most: usize) -> usize {
    let is_start = |at: &usize| octets[*at] & 0xC0 != 0x80;
    (most.saturating_sub(3)..=most).rev().find(is_start).unwrap_or(most)
}

/// A decoded text as a part of its source.
pub(crate) struct DecodedSource<'a> {
    pub(crate) decoded: &'a Decoded,
    pub(crate) source: &'a dyn SourceMap,
}

impl SourceMap for DecodedSource<'_> {
    fn written(&self, span: Range<usize>) -> &[u8] {
        self.source.written(self.decoded.source_of(span))
    }

    fn place(&self, span: Range<usize>) -> Location {
        self.source.place(self.decoded.source_of(span))
    }

    fn truncated(&self) -> Option<Location> {
        self.decoded.truncated().map(|at| self.source.place(at..at))
    }
}

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
                last.drop_text();
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

    fn truncated(&self) -> Option<Location> {
        let (number, at) =
            self.steps.iter().enumerate().find_map(|(number, step)| Some((number, step.truncated()?)))?;
        let at = self.steps[..number].iter().rev().fold(at..at, |span, step| step.source_of(span)).start;
        Some(self.source.place(self.start + at..self.start + at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_a_plain_count() {
        let text: Vec<u8> = (0..20_000u32).map(|n| if (n * n) % 977 < 9 { b'\n' } else { b'a' }).collect();
        let octets = Octets::starting_at(Location { span: 100..100, line: 7, column: 5 }, &text);
        let (mut line, mut column) = (7, 5);
        for (at, octet) in text.iter().enumerate() {
            let place = octets.place(at..at + 1);
            assert_eq!((place.line, place.column, place.span.start), (line, column, 100 + at as u64));
            (line, column) = if *octet == b'\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        assert_eq!(octets.place(text.len()..text.len()).line, line);
        assert_eq!(Octets::new(b"").place(0..0), Location::START);
    }

    #[test]
    fn a_text_takes_no_more_than_it_may() {
        let mut decoded = Decoded::with_limit(8);
        decoded.keep("abcdeé€".as_bytes(), 10);
        decoded.keep(b"no", 20);
        assert_eq!((str::from_utf8(decoded.text()), decoded.truncated()), (Ok("abcdeé"), Some(17)));
        assert_eq!(decoded.truncated(), None);
        let mut dense = Decoded::default();
        (0..=MOST_RUNS).for_each(|at| dense.put(b"a", 2 * at, 1));
        assert_eq!((dense.text().len(), dense.truncated()), (MOST_RUNS, Some(2 * MOST_RUNS)));
    }

    #[test]
    fn a_text_is_truncated() {
        let mut decoded = Decoded::with_limit(6);
        decoded.keep(b"ab", 0);
        decoded.put(b"&", 2, 5);
        decoded.keep(b"cdefg", 7);
        decoded.truncate(3);
        assert_eq!((decoded.text(), decoded.runs(), decoded.truncated()), (&b"ab&"[..], 2, None));
        decoded.truncate(1);
        decoded.put(b"&", 1, 5);
        assert_eq!((decoded.text(), decoded.source_of(1..2)), (&b"a&"[..], 1..6));
    }

    #[test]
    fn an_octet_is_traced_to_what_it_was_made_of() {
        // "abc", "=C3=A9" for two octets, a soft line break, "d"; then "AAAA" twice for six octets.
        let mut decoded = Decoded::default();
        decoded.keep(b"ab", 0);
        decoded.keep(b"c", 2);
        decoded.put(&[0xC3], 3, 3);
        decoded.put(&[0xA9], 6, 3);
        decoded.keep(b"d", 12);
        decoded.put(&[0; 3], 13, 4);
        decoded.put(&[0; 3], 17, 4);
        assert_eq!(decoded.runs.len(), 4);
        assert_eq!(decoded.source_of(0..3), 0..3);
        assert_eq!(decoded.source_of(3..5), 3..9);
        assert_eq!(decoded.source_of(4..6), 6..13);
        assert_eq!(decoded.source_of(6..7), 13..15);
        assert_eq!(decoded.source_of(7..8), 14..16);
        assert_eq!(decoded.source_of(8..9), 15..17);
        assert_eq!(decoded.source_of(8..10), 15..19);
        assert_eq!(decoded.source_of(12..12).start, 21);
    }

    #[test]
    fn the_rest_is_traced_as_before() {
        let mut whole = Decoded::default();
        whole.keep(b"ab", 3);
        whole.put_groups(&[0xC3, 0xA9, 0xC3, 0xA9], 5, Group { made: 2, of: 6 });
        whole.put(b"-", 17, 2);
        whole.put(b"\"", 19, 0);
        whole.keep(b"cd", 19);
        for text in 0..=whole.text().len() {
            let source = whole.source_of(text..text).start;
            let mut rest = whole.clone();
            rest.drop_first(text, source);
            assert_eq!(rest.text(), &whole.text()[text..]);
            for at in text..whole.text().len() {
                let (found, expected) =
                    (rest.source_of(at - text..at - text + 1), whole.source_of(at..at + 1));
                assert_eq!(
                    (found.start + source, found.end + source),
                    (expected.start, expected.end),
                    "{text} {at}"
                );
            }
        }
    }
}
