//! Parts of the values of an array of views, as views of the same buffers: no text is copied. The only
//! `unsafe` of the crate.
//!
//! The result keeps the buffers of the column alive, even if it is a short part of a long column.

#![allow(unsafe_code, reason = "the parts are known to be UTF-8, so they are not validated again")]

use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::{ArrayRef, StringViewArray};
use arrow_buffer::{Buffer, NullBufferBuilder, ScalarBuffer};

use crate::column::{INLINE, Views};

/// Builds an array of parts of the values of another one.
pub(crate) struct PartBuilder<'a> {
    source: Views<'a>,
    views: Vec<u128>,
    nulls: NullBufferBuilder,
    /// Texts that are not parts of their values.
    others: Vec<u8>,
}

impl<'a> PartBuilder<'a> {
    pub(crate) fn new(source: Views<'a>, rows: usize) -> Self {
        let (views, nulls) = (Vec::with_capacity(rows), NullBufferBuilder::new(rows));
        Self { source, views, nulls, others: Vec::new() }
    }

    /// Appends a part of the value of a row, or NULL. `None` if a text that is not a part of its value
    /// is too long to be copied.
    #[inline]
    pub(crate) fn push(&mut self, row: usize, part: Option<&str>) -> Option<()> {
        self.nulls.append(part.is_some());
        let view = match part {
            None => 0,
            Some(text) if text.len() <= INLINE => make_view(text.as_bytes(), 0, 0),
            Some(text) => match self.source.place_of(row, text) {
                Some(place) => make_view(text.as_bytes(), place.buffer, place.offset),
                None => self.copy(text)?,
            },
        };
        self.views.push(view);
        Some(())
    }

    #[cold]
    fn copy(&mut self, text: &str) -> Option<u128> {
        let buffer = u32::try_from(self.source.buffers().len()).ok()?;
        let offset = u32::try_from(self.others.len()).ok()?;
        i32::try_from(self.others.len() + text.len()).ok()?;
        self.others.extend_from_slice(text.as_bytes());
        Some(make_view(text.as_bytes(), buffer, offset))
    }

    pub(crate) fn finish(mut self) -> ArrayRef {
        let mut buffers = self.source.buffers().to_vec();
        if !self.others.is_empty() {
            buffers.push(Buffer::from_vec(self.others));
        }
        let (views, nulls) = (ScalarBuffer::from(self.views), self.nulls.finish());
        // SAFETY: there are as many views as bits of `nulls`, since `push` adds one of each. A view is of
        // a `&str`: up to 12 bytes are in the view. Longer ones are in the buffer that it names at the
        // offset that it names: `place_of` has compared the addresses of the `&str` and of the value there,
        // and `copy` has put it there; the buffers are not changed while the array refers to them. So the
        // bytes are in the buffer, begin with the prefix that `make_view` took from them, and are UTF-8.
        Arc::new(unsafe { StringViewArray::new_unchecked(views, buffers, nulls) })
    }
}

/// Where a part of a value is.
struct PartPlace {
    /// The number of the buffer.
    buffer: u32,
    /// The first byte in the buffer.
    offset: u32,
}

impl Views<'_> {
    /// Returns where a text is that is a part of the value of a row in memory.
    #[inline]
    fn place_of(&self, row: usize, part: &str) -> Option<PartPlace> {
        let view = self.view(row)?;
        let value = self.get(row).filter(|value| value.len() > INLINE)?;
        let before = part.as_ptr().addr().checked_sub(value.as_ptr().addr())?;
        if before.checked_add(part.len())? > value.len() {
            return None;
        }
        let (buffer, offset) = ((view >> 64) as u32, (view >> 96) as u32);
        Some(PartPlace { buffer, offset: offset.checked_add(u32::try_from(before).ok()?)? })
    }
}
