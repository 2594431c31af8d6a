//! The rows of a column as rows of the functions. Takes a column, and calls back for each row with its
//! text or reference; references are parsed many at a time, by [`locator::bulk`].
//!
//! A batch has one buffer. The values of an array of views may be in several, so its rows are divided
//! into runs that are in the same buffer.

use locator::bulk::{Batch, Mask};
use locator::{Edition, UriRef};
use locator_functions::{Needs, Row};

use crate::column::Column;
use crate::error::KernelError;

/// The most rows that are parsed at once: their offsets stay in the fastest cache.
const ROWS: usize = 256;

/// With fewer rows, parsing each of them alone is faster.
const FEW: usize = 8;

/// Rows of a column that are in the same buffer, one after the other.
struct Run<'a> {
    buffer: &'a [u8],
    starts: [u64; ROWS],
    lengths: [u32; ROWS],
    /// A bit for each row that is in the buffer; the others are NULL or somewhere else.
    is_inside: [u8; ROWS / 8],
    len: usize,
}

/// A part of a buffer that is UTF-8.
#[derive(Clone, Copy)]
struct BufferText<'a> {
    text: &'a str,
    /// The offset of the text in the buffer.
    start: u64,
}

/// Calls a function with each row of a column, in order; with `None` for what gives NULL.
#[inline]
pub(crate) fn each<'a>(
    column: &Column<'a>,
    needs: Needs,
    edition: &'static Edition,
    mut take: impl FnMut(usize, Option<&Row<'a>>) -> Result<(), KernelError>,
) -> Result<(), KernelError> {
    if needs == Needs::Text {
        return each_text(column, edition, take);
    }
    let (mut batch, mut run, mut first) = (Batch::new_with(edition), Run::EMPTY, 0);
    while first < column.len() {
        run.fill(column, first);
        let mask = Mask::new(&run.is_inside, 0);
        let (starts, lengths) = (&run.starts[..run.len], &run.lengths[..run.len]);
        let parsed = match run.len {
            ..FEW => None,
            _ => batch.references(run.buffer, starts, lengths, Some(mask)).ok(),
        };
        for place in 0..run.len {
            // The row is not moved: a copy of what was just written waits for it.
            match parsed.and_then(|parsed| parsed.get(place)) {
                Some(reference) => take(first + place, Some(&Row::of(reference)))?,
                None => {
                    let is_parsed = parsed.is_some() && run.has(place);
                    let row = row(column, first + place, needs, is_parsed, edition);
                    take(first + place, row.as_ref())?;
                }
            }
        }
        first += run.len;
    }
    Ok(())
}

/// Calls a function with each row of a column, in order, that is not parsed; with `None` for NULL.
#[inline]
fn each_text<'a>(
    column: &Column<'a>,
    edition: &'static Edition,
    mut take: impl FnMut(usize, Option<&Row<'a>>) -> Result<(), KernelError>,
) -> Result<(), KernelError> {
    let (mut run, mut first) = (Run::EMPTY, 0);
    while first < column.len() {
        run.fill(column, first);
        let whole = run.whole();
        for place in 0..run.len {
            let row = match whole.and_then(|whole| run.text(whole, place)) {
                Some(text) => Some(Row::unparsed(text, edition)),
                None => column.get(first + place).map(|bytes| Row::unparsed_bytes(bytes, edition)),
            };
            take(first + place, row.as_ref())?;
        }
        first += run.len;
    }
    Ok(())
}

/// Returns a row that is not in the batch, or not valid there.
#[inline(never)]
fn row<'a>(
    column: &Column<'a>,
    row: usize,
    needs: Needs,
    is_parsed: bool,
    edition: &'static Edition,
) -> Option<Row<'a>> {
    let bytes = column.get(row)?;
    match needs {
        Needs::Reference if is_parsed => None,
        Needs::Reference => UriRef::parse_bytes_with(bytes, edition).ok().map(Row::of),
        _ if is_parsed => Some(Row::unparsed_bytes(bytes, edition)),
        _ => Some(Row::from_bytes(bytes, edition)),
    }
}

impl<'a> Run<'a> {
    const EMPTY: Self =
        Self { buffer: &[], starts: [0; ROWS], lengths: [0; ROWS], is_inside: [0; ROWS / 8], len: 0 };

    /// Takes the rows from `first` on that are in the same buffer, at least one.
    fn fill(&mut self, column: &Column<'a>, first: usize) {
        let mut of_run = None;
        (self.len, self.is_inside) = (0, [0; ROWS / 8]);
        for row in first..column.len().min(first + ROWS) {
            let place = self.len;
            if let Some(value) = column.place(row) {
                if *of_run.get_or_insert(value.buffer) != value.buffer {
                    break;
                }
                (self.starts[place], self.lengths[place]) = (value.start, value.length);
                self.is_inside[place / 8] |= 1 << (place % 8);
            }
            self.len += 1;
        }
        self.buffer = of_run.map_or(&[], |buffer| column.buffer(buffer));
    }

    /// Returns whether a row is in the buffer.
    const fn has(&self, place: usize) -> bool {
        self.is_inside[place / 8] >> (place % 8) & 1 == 1
    }

    /// Returns the part of the buffer with all rows, if it is UTF-8: validated once, it takes less time than
    /// row by row.
    fn whole(&self) -> Option<BufferText<'a>> {
        let (mut first, mut end, mut sum) = (u64::MAX, 0, 0);
        for place in (0..self.len).filter(|&place| self.has(place)) {
            let (start, length) = (self.starts[place], u64::from(self.lengths[place]));
            (first, end) = (first.min(start), end.max(start.saturating_add(length)));
            sum += length;
        }
        // What is between the rows must not take longer than the rows.
        let is_dense = end.saturating_sub(first) <= 2 * sum;
        let bytes = self.buffer.get(first as usize..end as usize).filter(|_| is_dense)?;
        Some(BufferText { text: str::from_utf8(bytes).ok()?, start: first })
    }

    /// Returns the text of a row in the buffer.
    #[inline]
    fn text(&self, whole: BufferText<'a>, place: usize) -> Option<&'a str> {
        let start = self.starts[place].checked_sub(whole.start).filter(|_| self.has(place))? as usize;
        whole.text.get(start..start.checked_add(self.lengths[place] as usize)?)
    }
}
