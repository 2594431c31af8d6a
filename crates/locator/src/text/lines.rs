//! Counts lines and columns. Takes a text and ascending offsets in it and returns line and column
//! of each. Lines are counted lazily and only once.

use crate::edition;
use crate::simd::{BLOCK, Backend, WithBackend, dispatch};

/// A position in a text as line and column.
///
/// ```
/// use locator::text::{LineColumn, Lines};
///
/// let text = b"one\ntwo http://h/";
/// assert_eq!(Lines::new().at(text, 8), LineColumn { line: 2, column: 5 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line number, from 1. A LF ends a line.
    pub line: u64,
    /// The octet in the line, from 1.
    pub column: u64,
}

/// A counter of the lines of a text.
///
/// ```
/// use locator::text::{Finder, Lines};
///
/// let text = b"one\ntwo http://example.com/\n";
/// let mut lines = Lines::new();
/// let hit = Finder::default().find_iter(text).next().unwrap();
/// let place = lines.at(text, hit.span().start);
/// assert_eq!((place.line, place.column), (2, 5));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// The number of octets of the window that have been counted.
    counted: usize,
    /// The position of the octet after them.
    next: LineColumn,
}

impl Default for Lines {
    fn default() -> Self {
        Self::new()
    }
}

impl Lines {
    /// Creates a counter at the start of a text.
    #[must_use]
    pub const fn new() -> Self {
        Self { counted: 0, next: LineColumn { line: 1, column: 1 } }
    }

    /// Returns the position of an octet of the text, or of its end. Offsets must not decrease
    /// between calls.
    ///
    /// ```
    /// use locator::text::Lines;
    ///
    /// let text = b"one\ntwo http://h/\n";
    /// let mut lines = Lines::new();
    /// let place = lines.at(text, 8);
    /// assert_eq!((place.line, place.column), (2, 5));
    /// ```
    pub fn at(&mut self, text: &[u8], offset: usize) -> LineColumn {
        if let Some(octets) = text.get(self.counted..offset) {
            self.next = dispatch(Count { octets, from: self.next });
            self.counted = offset;
        }
        self.next
    }

    /// Consumes the first octets of a text that arrives in pieces: later offsets count from the
    /// octet after them.
    pub fn consume(&mut self, text: &[u8], octets: usize) {
        self.at(text, octets);
        self.counted -= octets.min(self.counted);
    }
}

struct Count<'t> {
    octets: &'t [u8],
    from: LineColumn,
}

impl WithBackend for Count<'_> {
    type Output = LineColumn;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> LineColumn {
        // The table is not used here.
        let table = &edition::DEFAULT.table;
        let (blocks, last) = self.octets.as_chunks::<BLOCK>();
        let mut lines = 0;
        let mut start = None;
        let all = blocks.iter().map(<[u8; BLOCK]>::as_slice).chain(core::iter::once(last));
        for (i, block) in all.enumerate() {
            let ends = backend.equal(&backend.load(block, table), b'\n');
            if ends != 0 {
                lines += u64::from(ends.count_ones());
                start = Some(BLOCK * i + (BLOCK - 1 - ends.leading_zeros() as usize) + 1);
            }
        }
        let length = self.octets.len();
        let column = match start {
            Some(start) => (length - start) as u64 + 1,
            None => self.from.column + length as u64,
        };
        LineColumn { line: self.from.line + lines, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn lines_are_counted_as_they_are_octet_by_octet() {
        let text: Vec<u8> = (0..700_u32).map(|i| if i * i % 31 == 5 { b'\n' } else { b'x' }).collect();
        for step in [1, 3, 64, 65, 200] {
            let mut lines = Lines::new();
            for offset in (0..=text.len()).step_by(step) {
                let before = &text[..offset];
                let line = before.iter().filter(|octet| **octet == b'\n').count() as u64 + 1;
                let start = before.iter().rposition(|octet| *octet == b'\n').map_or(0, |at| at + 1);
                let place = LineColumn { line, column: (offset - start) as u64 + 1 };
                assert_eq!(lines.at(&text, offset), place);
            }
        }
    }

    #[test]
    fn what_is_released_is_counted() {
        let mut lines = Lines::new();
        assert_eq!(lines.at(b"a\nb", 2), LineColumn { line: 2, column: 1 });
        lines.consume(b"a\nb\n", 3);
        assert_eq!(lines.at(b"\nc", 1), LineColumn { line: 3, column: 1 });
        lines.consume(b"\nc", 0);
        assert_eq!(lines.at(b"\nc", 2), LineColumn { line: 3, column: 2 });
    }
}
