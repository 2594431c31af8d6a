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

/// Calls a function with each row of a column, in order; with `None` for what gives NULL.
#[inline]
pub(crate) fn each<'a>(
    column: &Column<'a>,
    needs: Needs,
    edition: &'static Edition,
    mut take: impl FnMut(usize, Option<&Row<'a>>) -> Result<(), KernelError>,
) -> Result<(), KernelError> {
    if needs == Needs::Text {
        let text = |row| str::from_utf8(column.get(row)?).ok();
        return (0..column.len()).try_for_each(|row| match text(row) {
            Some(text) => take(row, Some(&Row::unparsed(text, edition))),
            None => take(row, None),
        });
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
                    let is_parsed = parsed.is_some() && run.is_inside[place / 8] >> (place % 8) & 1 == 1;
                    let row = row(column, first + place, needs, is_parsed, edition);
                    take(first + place, row.as_ref())?;
                }
            }
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
        _ if is_parsed => Some(Row::unparsed(str::from_utf8(bytes).ok()?, edition)),
        _ => Some(Row::new(str::from_utf8(bytes).ok()?, edition)),
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
            if let Some((buffer, start, length)) = column.place(row) {
                if *of_run.get_or_insert(buffer) != buffer {
                    break;
                }
                (self.starts[place], self.lengths[place]) = (start, length);
                self.is_inside[place / 8] |= 1 << (place % 8);
            }
            self.len += 1;
        }
        self.buffer = of_run.map_or(&[], |buffer| column.buffer(buffer));
    }
}
