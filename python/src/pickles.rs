//! Results as pickles, for `locator_uri.arrow` without pyarrow: takes an array apart into numbers, names
//! and bytes, and makes it of them.

use arrow_array::{Array, ArrayRef, make_array};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use pyo3_arrow::{PyArray, PyChunkedArray};
use std::sync::Arc;

use crate::arrow::Column;

/// The deepest type that is taken apart: a list of records of texts has 3.
const DEPTH: usize = 4;

/// The types without others in them, with their names in a pickle, which are those of pyarrow.
const PLAIN: [(&str, DataType); 15] = [
    ("null", DataType::Null),
    ("bool", DataType::Boolean),
    ("int8", DataType::Int8),
    ("int16", DataType::Int16),
    ("int32", DataType::Int32),
    ("int64", DataType::Int64),
    ("uint8", DataType::UInt8),
    ("uint16", DataType::UInt16),
    ("uint32", DataType::UInt32),
    ("uint64", DataType::UInt64),
    ("string", DataType::Utf8),
    ("large_string", DataType::LargeUtf8),
    ("string_view", DataType::Utf8View),
    ("fixed_size_binary[16]", DataType::FixedSizeBinary(16)),
    ("binary", DataType::Binary),
];

/// Return what `_restore_array` makes the same array of: whether it has chunks, and each of them.
#[pyfunction]
pub(crate) fn _array_state<'py>(array: &Bound<'py, PyAny>) -> PyResult<(bool, Bound<'py, PyList>)> {
    let (is_chunked, chunks) = match Column::new(array)? {
        Column::Array(array) => (false, vec![array]),
        chunked @ Column::Chunked(_) => (true, chunked.into_chunks()?),
    };
    let states = PyList::empty(array.py());
    for chunk in chunks {
        states.append(state(array.py(), &chunk.to_data(), DEPTH)?)?;
    }
    Ok((is_chunked, states))
}

/// Return an array that was pickled.
#[pyfunction]
pub(crate) fn _restore_array<'py>(
    py: Python<'py>,
    is_chunked: bool,
    chunks: Vec<Bound<'py, PyTuple>>,
) -> PyResult<Bound<'py, PyAny>> {
    let chunks = chunks.iter().map(|chunk| restored(chunk, DEPTH).map(make_array));
    let chunks = chunks.collect::<PyResult<Vec<ArrayRef>>>()?;
    match &chunks[..] {
        [array] if !is_chunked => PyArray::from_array_ref(array.clone()).into_bound_py_any(py),
        _ => PyChunkedArray::from_array_refs(chunks)?.into_bound_py_any(py),
    }
}

fn unknown(kind: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("an array of {kind} cannot be pickled"))
}

/// Returns the name of a type, those of its fields, its length and offset, NULL, buffers and children.
fn state<'py>(py: Python<'py>, data: &ArrayData, depth: usize) -> PyResult<Bound<'py, PyTuple>> {
    let name_of = |kind: &DataType| PLAIN.iter().find(|(_, plain)| plain == kind).map(|(name, _)| *name);
    let field = |field: &Field| (field.name().clone(), field.is_nullable());
    let (name, fields) = match data.data_type() {
        DataType::List(item) => ("list".to_owned(), vec![field(item)]),
        DataType::Struct(fields) => ("struct".to_owned(), fields.iter().map(|one| field(one)).collect()),
        DataType::Dictionary(key, _) => {
            (format!("dictionary of {}", name_of(key).ok_or_else(|| unknown(key))?), Vec::new())
        }
        plain => (name_of(plain).ok_or_else(|| unknown(plain))?.to_owned(), Vec::new()),
    };
    let Some(depth) = depth.checked_sub(1) else { return Err(unknown(data.data_type())) };
    let children = data.child_data().iter().map(|child| state(py, child, depth));
    let nulls = data.nulls().map(|nulls| nulls.inner().sliced().as_slice().to_vec());
    let buffers = data.buffers().iter().map(|buffer| buffer.as_slice().to_vec()).collect::<Vec<_>>();
    let children = children.collect::<PyResult<Vec<_>>>()?;
    (name, fields, data.len(), data.offset(), nulls, buffers, children).into_pyobject(py)
}

fn restored(state: &Bound<'_, PyTuple>, depth: usize) -> PyResult<ArrayData> {
    type State<'py> =
        (String, Vec<(String, bool)>, usize, usize, Option<Vec<u8>>, Vec<Vec<u8>>, Vec<Bound<'py, PyTuple>>);
    let (name, fields, len, offset, nulls, buffers, children): State<'_> = state.extract()?;
    let Some(depth) = depth.checked_sub(1) else { return Err(unknown(name)) };
    let children = children.iter().map(|child| restored(child, depth)).collect::<PyResult<Vec<_>>>()?;
    let plain = |name: &str| PLAIN.iter().find(|(plain, _)| *plain == name).map(|(_, kind)| kind.clone());
    let mut typed = fields.into_iter().zip(&children).map(|((name, is_nullable), child)| {
        Arc::new(Field::new(name, child.data_type().clone(), is_nullable))
    });
    let kind = match (&*name, name.strip_prefix("dictionary of ").and_then(plain), children.first()) {
        ("list", ..) => typed.next().map(DataType::List),
        ("struct", ..) => Some(DataType::Struct(typed.collect())),
        (_, Some(key), Some(values)) => {
            Some(DataType::Dictionary(Box::new(key), Box::new(values.data_type().clone())))
        }
        (name, ..) => plain(name),
    };
    let kind = kind.ok_or_else(|| unknown(name))?;
    let is_enough = |nulls: &Vec<u8>| nulls.len() >= len.div_ceil(8);
    let nulls = nulls.filter(is_enough).map(|nulls| BooleanBuffer::new(Buffer::from_vec(nulls), 0, len));
    let builder = ArrayData::builder(kind).len(len).offset(offset).nulls(nulls.map(NullBuffer::new));
    let builder = builder.buffers(buffers.into_iter().map(Buffer::from_vec).collect()).child_data(children);
    let data = builder.align_buffers(true).build();
    data.map_err(|error| PyValueError::new_err(error.to_string()))
}
