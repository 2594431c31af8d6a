//! Reads a column of texts: for each row, the bytes of its value, or nothing if it is NULL.
//!
//! The bytes of a NULL row are not read: they may be anything, and their offsets too. What is not in its
//! buffer is NULL as well, so an array with broken offsets does not cause a panic.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ByteArrayType, ByteViewType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{AnyDictionaryArray, Array, GenericByteArray, GenericByteViewArray, OffsetSizeTrait};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::DataType;

use crate::types::Family;

/// A column of texts.
pub(crate) struct Column<'a> {
    len: usize,
    family: Family,
    nulls: Option<&'a NullBuffer>,
    values: Values<'a>,
}

enum Values<'a> {
    /// Value i is from offset i to offset i + 1.
    Small(&'a [i32], &'a [u8]),
    Large(&'a [i64], &'a [u8]),
    Views(Views<'a>),
    /// For each row the place of its value in another column.
    Keyed(Vec<Option<usize>>, Box<Column<'a>>),
    /// NULL in each row.
    Nothing,
}

/// Values one after the other.
pub(crate) enum Contiguous<'a> {
    /// One more offset than there are values, and their bytes.
    Small(&'a [i32], &'a [u8]),
    Large(&'a [i64], &'a [u8]),
}

/// The values of an array of views: 12 bytes or less in the view, longer ones in a buffer.
#[derive(Clone, Copy)]
pub(crate) struct Views<'a> {
    views: &'a [u128],
    /// The views as bytes.
    bytes: &'a [u8],
    buffers: &'a [Buffer],
}

/// The longest text that is in its view.
pub(crate) const INLINE: usize = 12;

/// Where the value of a row is.
#[derive(Clone, Copy)]
pub(crate) struct ValuePlace {
    /// The number of its buffer.
    pub(crate) buffer: usize,
    /// Its first byte in the buffer.
    pub(crate) start: u64,
    pub(crate) length: u32,
}

impl<'a> Column<'a> {
    /// Reads an array; `None` if it is not a column of texts.
    pub(crate) fn new(array: &'a dyn Array) -> Option<Self> {
        let (len, family) = (array.len(), Family::of(array.data_type())?);
        let values = match array.data_type() {
            DataType::Utf8 => small(array.as_string()),
            DataType::Binary => small(array.as_binary()),
            DataType::LargeUtf8 => large(array.as_string()),
            DataType::LargeBinary => large(array.as_binary()),
            DataType::Utf8View => Values::Views(Views::new(array.as_string_view())),
            DataType::BinaryView => Values::Views(Views::new(array.as_binary_view())),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary_opt()?;
                Values::Keyed(keys(dictionary)?, Box::new(Self::new(dictionary.values().as_ref())?))
            }
            _ => Values::Nothing,
        };
        Some(Self { len, family, nulls: array.nulls(), values })
    }

    /// Creates a column that is NULL in each row.
    pub(crate) const fn nothing(len: usize, family: Family) -> Self {
        Self { len, family, nulls: None, values: Values::Nothing }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the family that the texts of a result have.
    pub(crate) const fn family(&self) -> Family {
        self.family
    }

    pub(crate) const fn nulls(&self) -> Option<&'a NullBuffer> {
        self.nulls
    }

    /// Returns the values if they are one after the other.
    pub(crate) const fn contiguous(&self) -> Option<Contiguous<'a>> {
        match self.values {
            Values::Small(offsets, bytes) => Some(Contiguous::Small(offsets, bytes)),
            Values::Large(offsets, bytes) => Some(Contiguous::Large(offsets, bytes)),
            _ => None,
        }
    }

    /// Returns the values if they are views.
    pub(crate) const fn views(&self) -> Option<Views<'a>> {
        if let Values::Views(views) = self.values { Some(views) } else { None }
    }

    /// Returns the value of a row; `None` if it is NULL.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<&'a [u8]> {
        if self.nulls.is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        match &self.values {
            Values::Small(offsets, bytes) => between(offsets, bytes, row),
            Values::Large(offsets, bytes) => between(offsets, bytes, row),
            Values::Views(views) => views.get(row),
            Values::Keyed(keys, values) => {
                let key = (*keys.get(row)?)?;
                if key < values.len { values.get(key) } else { None }
            }
            Values::Nothing => None,
        }
    }

    /// Returns where the value of a row is; `None` if it is NULL, or in no buffer but in its view or in
    /// another column. The place need not be in the buffer.
    #[inline]
    pub(crate) fn place(&self, row: usize) -> Option<ValuePlace> {
        if self.nulls.is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        match &self.values {
            Values::Small(offsets, _) => extent(offsets, row),
            Values::Large(offsets, _) => extent(offsets, row),
            Values::Views(views) => views.place(row),
            Values::Keyed(..) | Values::Nothing => None,
        }
    }

    /// Returns a buffer by its number.
    pub(crate) fn buffer(&self, number: usize) -> &'a [u8] {
        match &self.values {
            Values::Small(_, bytes) | Values::Large(_, bytes) => bytes,
            Values::Views(views) => views.buffers.get(number).map_or(&[], |buffer| buffer.as_slice()),
            Values::Keyed(..) | Values::Nothing => &[],
        }
    }
}

fn small<'a, T: ByteArrayType<Offset = i32>>(array: &'a GenericByteArray<T>) -> Values<'a> {
    Values::Small(array.value_offsets(), array.value_data())
}

fn large<'a, T: ByteArrayType<Offset = i64>>(array: &'a GenericByteArray<T>) -> Values<'a> {
    Values::Large(array.value_offsets(), array.value_data())
}

#[inline]
fn between<'a, O: OffsetSizeTrait>(offsets: &[O], bytes: &'a [u8], row: usize) -> Option<&'a [u8]> {
    bytes.get(offsets.get(row)?.as_usize()..offsets.get(row + 1)?.as_usize())
}

/// Returns where a value is; `None` if its length is not one.
#[inline]
fn extent<O: OffsetSizeTrait>(offsets: &[O], row: usize) -> Option<ValuePlace> {
    let (start, end) = (offsets.get(row)?.as_usize(), offsets.get(row + 1)?.as_usize());
    let length = u32::try_from(end.checked_sub(start)?).ok()?;
    Some(ValuePlace { buffer: 0, start: start as u64, length })
}

impl<'a> Views<'a> {
    fn new<T: ByteViewType>(array: &'a GenericByteViewArray<T>) -> Self {
        let views = array.views();
        Self { views, bytes: views.inner().as_slice(), buffers: array.data_buffers() }
    }

    /// Returns the buffers of values that are not in their view.
    pub(crate) const fn buffers(&self) -> &'a [Buffer] {
        self.buffers
    }

    /// Returns the view of a row.
    #[inline]
    pub(crate) fn view(&self, row: usize) -> Option<u128> {
        self.views.get(row).copied()
    }

    /// Returns the value of a row, whether it is NULL or not.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<&'a [u8]> {
        let view = self.view(row)?;
        let length = view as u32 as usize;
        if length <= INLINE {
            return self.bytes.get(16 * row + 4..)?.get(..length);
        }
        let (buffer, offset) = ((view >> 64) as u32 as usize, (view >> 96) as usize);
        self.buffers.get(buffer)?.as_slice().get(offset..)?.get(..length)
    }

    /// Returns where a value is; `None` if it is in its view.
    #[inline]
    fn place(&self, row: usize) -> Option<ValuePlace> {
        let view = self.view(row)?;
        let length = view as u32;
        let (buffer, start) = ((view >> 64) as u32 as usize, (view >> 96) as u64);
        (length as usize > INLINE).then_some(ValuePlace { buffer, start, length })
    }
}

/// Returns the keys of a dictionary, whatever their type is.
pub(crate) fn keys(dictionary: &dyn AnyDictionaryArray) -> Option<Vec<Option<usize>>> {
    macro_rules! of {
        ($($type:ident => $key:ident),*) => {
            match dictionary.keys().data_type() {
                $(DataType::$type => {
                    let keys = dictionary.keys().as_primitive::<$key>();
                    Some(keys.iter().map(|key| usize::try_from(key?).ok()).collect())
                })*
                _ => None,
            }
        };
    }
    of!(
        Int8 => Int8Type, Int16 => Int16Type, Int32 => Int32Type, Int64 => Int64Type,
        UInt8 => UInt8Type, UInt16 => UInt16Type, UInt32 => UInt32Type, UInt64 => UInt64Type
    )
}
