//! The components of columns whose values are contiguous: parses many rows at once, by [`locator::bulk`].
//!
//! Each function here returns what the function of the table returns, which a test checks. It returns
//! `None` for columns of other layouts, or with offsets that are not in their buffer: the caller then
//! evaluates row by row.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, GenericStringArray, OffsetSizeTrait};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use locator::bulk::{Batch, Columns, Mask};
use locator::{Component, Edition};
use locator_functions::Function;

use crate::column::{Column, Contiguous};
use crate::error::KernelError;
use crate::types::Family;

/// What a function returns of a parsed reference.
enum Wanted {
    Component(Component),
    IsReference,
    IsValid,
}

/// Returns what a function is of, if that is in the columns of a batch.
fn wanted(function: &Function) -> Option<Wanted> {
    Some(match function.name() {
        "uri_scheme" => Wanted::Component(Component::Scheme),
        "uri_authority" => Wanted::Component(Component::Authority),
        "uri_userinfo" => Wanted::Component(Component::Userinfo),
        "uri_host" => Wanted::Component(Component::Host),
        "uri_port_text" => Wanted::Component(Component::Port),
        "uri_path" => Wanted::Component(Component::Path),
        "uri_query" => Wanted::Component(Component::Query),
        "uri_fragment" => Wanted::Component(Component::Fragment),
        "uri_is_reference" => Wanted::IsReference,
        "uri_is_valid" => Wanted::IsValid,
        _ => return None,
    })
}

/// Computes a function for each row.
pub(crate) fn evaluate(
    function: &Function,
    column: &Column<'_>,
    edition: &'static Edition,
) -> Option<Result<ArrayRef, KernelError>> {
    let wanted = wanted(function)?;
    match column.contiguous()? {
        Contiguous::Small(offsets, bytes) => of_values(&wanted, offsets, bytes, column, edition),
        Contiguous::Large(offsets, bytes) => of_values(&wanted, offsets, bytes, column, edition),
    }
}

fn of_values<O: OffsetSizeTrait>(
    wanted: &Wanted,
    offsets: &[O],
    bytes: &[u8],
    column: &Column<'_>,
    edition: &'static Edition,
) -> Option<Result<ArrayRef, KernelError>> {
    let values = Values { offsets, bytes, nulls: column.nulls() };
    match wanted {
        Wanted::Component(component) => components(&values, *component, column.family(), edition),
        Wanted::IsReference => are_valid(&values, edition, false).map(Ok),
        Wanted::IsValid => are_valid(&values, edition, true).map(Ok),
    }
}

/// The number of rows that are parsed at once: their columns stay in the fastest cache.
const ROWS: usize = 1024;

/// Contiguous values.
struct Values<'a, O> {
    /// One more than there are rows.
    offsets: &'a [O],
    bytes: &'a [u8],
    nulls: Option<&'a NullBuffer>,
}

/// Some rows that are parsed.
struct Chunk<'c> {
    batch: &'c Batch,
    /// The offset of each row in the buffer.
    starts: &'c [u64],
}

impl<O: OffsetSizeTrait> Values<'_, O> {
    const fn rows(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Parses the rows, some at a time; `None` if one is not in the buffer.
    fn each(&self, mut batch: Batch, mut take: impl FnMut(&Chunk<'_>) -> Option<()>) -> Option<()> {
        let (mut starts, mut lengths) = ([0; ROWS], [0; ROWS]);
        let mut row = 0;
        while row < self.rows() {
            let count = ROWS.min(self.rows() - row);
            let offsets = &self.offsets[row..=row + count];
            for (place, ends) in offsets.windows(2).enumerate() {
                // What is negative or descends becomes too large, which the batch reports.
                starts[place] = ends[0].as_usize() as u64;
                let length = (ends[1].as_usize() as u64).wrapping_sub(starts[place]);
                lengths[place] = u32::try_from(length).unwrap_or(u32::MAX);
            }
            let mask = self.nulls.map(|nulls| Mask::new(nulls.validity(), nulls.offset() + row));
            batch.read_rows(self.bytes, &starts[..count], &lengths[..count], mask).ok()?;
            take(&Chunk { batch: &batch, starts: &starts[..count] })?;
            row += count;
        }
        Some(())
    }
}

/// Returns whether each row is a reference, or a URI; what is not UTF-8 is neither.
fn are_valid<O: OffsetSizeTrait>(
    values: &Values<'_, O>,
    edition: &'static Edition,
    needs_scheme: bool,
) -> Option<ArrayRef> {
    let columns = Columns::ENDS.union(Columns::ERRORS).union(Columns::SCHEME_ENDS).union(Columns::MARKS);
    let (mut bools, mut nulls) =
        (BooleanBufferBuilder::new(values.rows()), NullBufferBuilder::new(values.rows()));
    values.each(Batch::new_with(edition).columns(columns), |chunk| {
        let batch = chunk.batch;
        let each = batch.errors().iter().zip(batch.scheme_ends()).zip(batch.marks());
        for ((&error, &scheme_end), &marks) in each {
            let is_valid = error == Batch::VALID;
            bools.append(is_valid && (!needs_scheme || scheme_end > marks & 0xFF));
            nulls.append(error != Batch::MASKED);
        }
        Some(())
    })?;
    Some(Arc::new(BooleanArray::new(bools.finish(), nulls.finish())))
}

fn components<O: OffsetSizeTrait>(
    values: &Values<'_, O>,
    component: Component,
    family: Family,
    edition: &'static Edition,
) -> Option<Result<ArrayRef, KernelError>> {
    let mut texts = Texts::<O>::new(values.rows());
    let mut is_too_long = false;
    values.each(Batch::new_with(edition).columns(columns_of(component)), |chunk| {
        texts.reserve(chunk);
        each_span(chunk.batch, component, |row, span| texts.push(values.bytes, chunk.starts[row], span));
        is_too_long = O::from_usize(texts.end).is_none();
        (!is_too_long).then_some(())
    });
    if is_too_long {
        return Some(Err(KernelError::TooLong { data_type: family.data_type() }));
    }
    texts.finish(values.rows()).map(Ok)
}

/// Returns the columns that [`each_span`] needs.
const fn columns_of(component: Component) -> Columns {
    let columns = Columns::ERRORS.union(Columns::ENDS);
    match component {
        Component::Scheme => columns.union(Columns::SCHEME_ENDS).union(Columns::MARKS),
        Component::Host => {
            columns.union(Columns::HOST_STARTS).union(Columns::HOST_ENDS).union(Columns::MARKS)
        }
        Component::Port => columns.union(Columns::HOST_ENDS).union(Columns::PATH_STARTS),
        Component::Path => columns.union(Columns::PATH_STARTS).union(Columns::PATH_ENDS),
        Component::Query => columns.union(Columns::PATH_ENDS).union(Columns::QUERY_ENDS),
        Component::Fragment => columns.union(Columns::QUERY_ENDS),
        _ => Columns::ALL,
    }
}

/// Calls a function for each row with the span of a component, which is `None` if the row is not valid
/// or has no such component. See the drawing of [`locator::ComponentSpans`].
#[inline]
fn each_span(batch: &Batch, component: Component, mut call: impl FnMut(usize, Option<(u32, u32)>)) {
    macro_rules! each {
        (|$($column:ident),*| $span:expr) => {{
            $(let mut $column = batch.$column().iter().copied();)*
            for (row, &error) in batch.errors().iter().enumerate() {
                $(let $column = $column.next().unwrap_or_default();)*
                let (is_defined, start, end) = $span;
                call(row, (is_defined && error == Batch::VALID).then_some((start, end)));
            }
        }};
    }
    let has_authority = |marks: u32| marks >> 8 & 1 == 1;
    let authority = |scheme_ends: u32, marks: u32| {
        let start = marks & 0xFF;
        if scheme_ends > start { scheme_ends + 3 } else { start + 2 }
    };
    match component {
        Component::Scheme => each!(|scheme_ends, marks| {
            let start = marks & 0xFF;
            (scheme_ends > start, start, scheme_ends)
        }),
        Component::Authority => each!(|scheme_ends, path_starts, marks| {
            (has_authority(marks), authority(scheme_ends, marks), path_starts)
        }),
        Component::Userinfo => each!(|scheme_ends, host_starts, marks| {
            let start = authority(scheme_ends, marks);
            (has_authority(marks) && host_starts > start, start, host_starts.saturating_sub(1))
        }),
        Component::Host => {
            each!(|host_starts, host_ends, marks| { (has_authority(marks), host_starts, host_ends) });
        }
        Component::Port => {
            each!(|host_ends, path_starts| { (host_ends < path_starts, host_ends + 1, path_starts) });
        }
        Component::Path => each!(|path_starts, path_ends| (true, path_starts, path_ends)),
        Component::Query => {
            each!(|path_ends, query_ends| { (path_ends < query_ends, path_ends + 1, query_ends) });
        }
        Component::Fragment => each!(|query_ends, ends| (query_ends < ends, query_ends + 1, ends)),
        _ => each!(|ends| (true, 0, ends)),
    }
}

/// The texts of a result.
struct Texts<O> {
    bytes: Vec<u8>,
    /// The number of bytes that are written; the others are zero.
    end: usize,
    offsets: Vec<O>,
    nulls: NullBufferBuilder,
}

/// The length that is copied without a look at the real one, which is faster than a call for each.
const COPIED: usize = 32;

impl<O: OffsetSizeTrait> Texts<O> {
    fn new(rows: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(O::default());
        Self { bytes: Vec::new(), end: 0, offsets, nulls: NullBufferBuilder::new(rows) }
    }

    /// Makes space for all texts of a chunk.
    fn reserve(&mut self, chunk: &Chunk<'_>) {
        let lengths = chunk.batch.ends().iter().map(|&length| length as usize);
        let needed = self.end + lengths.sum::<usize>() + COPIED;
        if self.bytes.len() < needed {
            self.bytes.resize(needed, 0);
        }
    }

    /// Appends the part of a row that begins at `start`.
    #[inline]
    fn push(&mut self, bytes: &[u8], start: u64, span: Option<(u32, u32)>) {
        self.nulls.append(span.is_some());
        if let Some((from, to)) = span {
            let (from, length) = (start as usize + from as usize, (to - from) as usize);
            let copied = bytes.get(from..from + COPIED).filter(|_| length <= COPIED);
            match (copied, self.bytes.get_mut(self.end..self.end + COPIED)) {
                (Some(source), Some(target)) => target.copy_from_slice(source),
                _ => self.bytes[self.end..self.end + length].copy_from_slice(&bytes[from..from + length]),
            }
            self.end += length;
        }
        // The caller looks whether the last of them fits.
        self.offsets.push(O::from_usize(self.end).unwrap_or_default());
    }

    /// Returns the array; `None` if there are not so many rows, since one was not in the buffer.
    fn finish(mut self, rows: usize) -> Option<ArrayRef> {
        if self.offsets.len() != rows + 1 {
            return None;
        }
        self.bytes.truncate(self.end);
        let offsets = OffsetBuffer::new(ScalarBuffer::from(self.offsets));
        let array =
            GenericStringArray::<O>::try_new(offsets, Buffer::from_vec(self.bytes), self.nulls.finish());
        array.ok().map(|array| Arc::new(array) as ArrayRef)
    }
}
