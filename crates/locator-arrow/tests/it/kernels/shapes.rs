//! Arrays of the same rows in every layout: slices, views in many buffers, dictionaries, and anything
//! in the bytes of NULL rows.

#![allow(unsafe_code, reason = "arrays that no safe function of Arrow makes")]

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{from_ffi, to_ffi};
use arrow_array::types::{
    BinaryViewType, ByteArrayType, ByteViewType, GenericBinaryType, GenericStringType, StringViewType,
};
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, GenericByteArray, GenericByteViewArray, PrimitiveArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};

/// The texts of rows; `None` is NULL.
pub(crate) type Texts = [Option<Vec<u8>>];

/// Bytes that are not UTF-8, as a NULL row may have them.
const GARBAGE: &[u8] = b"http://\xff\xc3h/\xf0\x9f";

/// Returns the rows in every layout, with its name.
pub(crate) fn all(rows: &Texts) -> Vec<(&'static str, ArrayRef)> {
    vec![
        ("Utf8", bytes::<GenericStringType<i32>>(rows)),
        ("LargeUtf8", bytes::<GenericStringType<i64>>(rows)),
        ("Binary", bytes::<GenericBinaryType<i32>>(rows)),
        ("LargeBinary", bytes::<GenericBinaryType<i64>>(rows)),
        ("Utf8View", views::<StringViewType>(rows, 300)),
        ("BinaryView", views::<BinaryViewType>(rows, 1)),
        ("slice of Utf8", sliced(rows, bytes::<GenericStringType<i32>>)),
        ("slice of LargeUtf8", sliced(rows, bytes::<GenericStringType<i64>>)),
        ("slice of Utf8View", sliced(rows, |rows| views::<StringViewType>(rows, 7))),
        ("dictionary of Utf8", dictionary(rows, bytes::<GenericStringType<i32>>)),
        ("dictionary of LargeUtf8", dictionary(rows, bytes::<GenericStringType<i64>>)),
        ("dictionary of Utf8View", dictionary(rows, |rows| views::<StringViewType>(rows, 3))),
        ("slice of a dictionary", sliced(rows, |rows| dictionary(rows, bytes::<GenericStringType<i32>>))),
    ]
}

/// Returns an array with garbage in its NULL rows.
///
/// Rows that are not UTF-8 are only in arrays that nothing but a kernel reads.
pub(crate) fn bytes<T: ByteArrayType>(rows: &Texts) -> ArrayRef {
    let values: Vec<u8> = rows.iter().flat_map(|row| row.as_deref().unwrap_or(GARBAGE)).copied().collect();
    let offsets =
        OffsetBuffer::from_lengths(rows.iter().map(|row| row.as_ref().map_or(GARBAGE.len(), Vec::len)));
    let offsets = offsets.iter().copied().collect::<ScalarBuffer<T::Offset>>();
    // SAFETY: the offsets ascend and are in the buffer; rows that are not NULL are UTF-8.
    let array = unsafe {
        GenericByteArray::<T>::new_unchecked(OffsetBuffer::new(offsets), values.into(), nulls(rows))
    };
    Arc::new(array)
}

/// Returns an array of views into so many buffers; the views of NULL rows are of no buffer.
pub(crate) fn views<T: ByteViewType>(rows: &Texts, count: usize) -> ArrayRef {
    let mut buffers = vec![b"?".to_vec(); count];
    let views = rows.iter().enumerate().map(|(place, row)| {
        let Some(row) = row else { return u128::MAX };
        let number = place % count;
        let offset = buffers[number].len() as u32;
        if row.len() > 12 {
            buffers[number].extend_from_slice(row);
        }
        arrow_array::builder::make_view(row, number as u32, offset)
    });
    let views: ScalarBuffer<u128> = views.collect();
    let buffers: Vec<Buffer> = buffers.into_iter().map(Buffer::from).collect();
    // SAFETY: each view of a row that is not NULL is of UTF-8 in its buffer.
    Arc::new(unsafe { GenericByteViewArray::<T>::new_unchecked(views, buffers, nulls(rows)) })
}

fn nulls(rows: &Texts) -> Option<NullBuffer> {
    rows.iter().any(Option::is_none).then(|| rows.iter().map(Option::is_some).collect())
}

/// Returns the rows as a slice at an odd offset, with other rows before and after them.
pub(crate) fn sliced(rows: &Texts, array: impl Fn(&Texts) -> ArrayRef) -> ArrayRef {
    let other = [Some(b"ftp://before.example/".to_vec()), None, Some(b"x".to_vec())];
    let all: Vec<_> =
        other.iter().cloned().chain(rows.iter().cloned()).chain(other.iter().cloned()).collect();
    array(&all).slice(other.len(), rows.len())
}

/// Returns a dictionary with values that are NULL, repeated or not used, and with NULL keys that are not
/// keys.
pub(crate) fn dictionary(rows: &Texts, array: impl Fn(&Texts) -> ArrayRef) -> ArrayRef {
    let mut values = vec![Some(b"http://unused.example/".to_vec()), None, Some(b"urn:unused".to_vec())];
    let mut keys = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let known = values.iter().skip(3).position(|value| value == row).map(|place| place + 3);
        keys.push(match row {
            // NULL by the key, by a key of no value, or by the value.
            None => [-1, 1_000_000, 1][place % 3],
            // Some values are there twice.
            Some(_) if place % 5 > 0 && known.is_some() => known.unwrap_or_default() as i32,
            Some(text) => {
                values.push(Some(text.clone()));
                values.len() as i32 - 1
            }
        });
    }
    let valid: NullBuffer = keys.iter().map(|key| (0..1_000_000).contains(key)).collect();
    let keys = PrimitiveArray::<Int32Type>::new(keys.into(), Some(valid));
    Arc::new(DictionaryArray::new(keys, array(&values)))
}

/// Returns dictionaries with keys of every size, of up to 100 rows.
pub(crate) fn dictionaries(rows: &Texts) -> Vec<ArrayRef> {
    macro_rules! of {
        ($($key:ident),*) => {
            vec![$({
                let keys: PrimitiveArray<$key> = (0..rows.len()).map(|row| Some(row as _)).collect();
                Arc::new(DictionaryArray::new(keys, bytes::<GenericStringType<i32>>(rows))) as ArrayRef
            }),*]
        };
    }
    assert!(rows.len() <= 100);
    of!(Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type)
}

/// Returns an array that has come over Arrow's C data interface, in buffers without a byte to spare.
pub(crate) fn imported(array: &ArrayRef) -> ArrayRef {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return over_interface(&dictionary.with_values(imported(dictionary.values())));
    }
    over_interface(array)
}

fn over_interface(array: &dyn Array) -> ArrayRef {
    let data = array.to_data();
    let exact = |buffer: &Buffer| Buffer::from(buffer.as_slice().to_vec().into_boxed_slice().into_vec());
    let buffers = data.buffers().iter().map(exact).collect();
    // SAFETY: the buffers have the same content as before.
    let data = unsafe { data.into_builder().buffers(buffers).build_unchecked() };
    let (array, schema) = to_ffi(&data).unwrap();
    // SAFETY: both are of the array that has just been exported.
    arrow_array::make_array(unsafe { from_ffi(array, &schema) }.unwrap())
}
