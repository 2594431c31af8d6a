//! Source maps. A [`SourceMap`] returns the octets of the original file for a stretch of a text,
//! with their line and column. [`Octets`] is the map of a text that is the file itself.

use std::ops::Range;

use memchr::{memchr_iter, memrchr};

use crate::link::Location;

/// A map from a text to its source.
pub(crate) trait SourceMap {
    /// Returns the octets that the stretch was decoded from.
    fn written(&self, span: Range<usize>) -> &[u8];

    /// Returns the position of these octets in the document.
    fn place(&self, span: Range<usize>) -> Location;

    /// Returns where the text was cut because it became too long; reports it once.
    fn cut(&self) -> Option<Location> {
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
        Self::starting_at(Location { span: 0..0, line: 1, column: 1 }, octets)
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
        assert_eq!(Octets::new(b"").place(0..0), Location { span: 0..0, line: 1, column: 1 });
    }
}
