//! Functions of columns: takes an Arrow array and returns one, for `locator_uri.arrow`.
//!
//! The functions are those of `locator_functions::FUNCTIONS`; `locator-arrow` computes them.

use arrow_array::builder::BinaryBuilder;
use arrow_array::{Array, ArrayRef, BinaryArray, Int64Array, StringArray};
use arrow_select::concat::concat;
use locator::Edition;
use locator_arrow::{Argument, Uniq};
use locator_functions::{Function, ResultType, Selection};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString, PyTuple};
use pyo3_arrow::input::AnyArray;
use pyo3_arrow::{PyArray, PyChunkedArray};
use std::sync::Arc;

use crate::input::{self, Input};

/// A column, or an argument with a value for each row.
pub(crate) enum Column {
    Array(ArrayRef),
    Chunked(Vec<ArrayRef>),
}

impl Column {
    /// Returns the column of a list, or of an object with the Arrow PyCapsule interface.
    pub(crate) fn new(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
            return Ok(Self::Array(match given.extract::<Vec<Option<String>>>() {
                Ok(texts) => Arc::new(StringArray::from(texts)),
                Err(error) => Arc::new(rows_of(given)?.ok_or(error)?),
            }));
        }
        let Ok(array) = given.extract::<AnyArray>() else {
            let name = given.get_type().name()?;
            return Err(PyTypeError::new_err(format!("expected an Arrow array or a list, not {name}")));
        };
        Ok(match array {
            AnyArray::Array(array) => Self::Array(array.into_inner().0),
            stream @ AnyArray::Stream(_) => Self::Chunked(stream.into_chunked_array()?.into_inner().0),
        })
    }

    /// Returns the chunks, at least one.
    pub(crate) fn into_chunks(self) -> PyResult<Vec<ArrayRef>> {
        Ok(match self {
            Self::Chunked(chunks) if !chunks.is_empty() => chunks,
            other => vec![other.combined()?],
        })
    }

    /// Returns all rows as one array.
    pub(crate) fn combined(&self) -> PyResult<ArrayRef> {
        match self {
            Self::Array(array) => Ok(array.clone()),
            Self::Chunked(chunks) => match &chunks[..] {
                [] => Ok(Arc::new(StringArray::new_null(0))),
                [chunk] => Ok(chunk.clone()),
                chunks => {
                    let chunks = chunks.iter().map(AsRef::as_ref).collect::<Vec<&dyn Array>>();
                    concat(&chunks).map_err(|error| PyValueError::new_err(error.to_string()))
                }
            },
        }
    }
}

/// Returns the rows of a list in which not all are texts: bytes as they are, a lone surrogate as the three
/// bytes that it would have. What is neither is a byte that is not UTF-8, so that the row is not valid.
/// `None` if no row is a text.
fn rows_of(list: &Bound<'_, PyAny>) -> PyResult<Option<BinaryArray>> {
    let (mut rows, mut has_text) = (BinaryBuilder::new(), false);
    for row in list.try_iter()? {
        let row = row?;
        match Input::new(&row) {
            Ok(input) => {
                rows.append_value(input.bytes()?);
                has_text = true;
            }
            Err(_) if row.is_none() => rows.append_null(),
            Err(_) => rows.append_value(b"\xFF"),
        }
    }
    Ok(has_text.then(|| rows.finish()))
}

/// An argument after the column, which owns its value.
enum Owned {
    Null,
    Text(String),
    Int(i64),
    Array(ArrayRef),
}

impl Owned {
    fn new(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_none() {
            Ok(Self::Null)
        } else if given.is_instance_of::<PyString>() {
            Ok(Self::Text(given.extract()?))
        } else if given.is_instance_of::<PyInt>() {
            Ok(Self::Int(given.extract()?))
        } else if (given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>())
            && let Ok(numbers) = given.extract::<Vec<Option<i64>>>()
            && numbers.iter().any(Option::is_some)
        {
            Ok(Self::Array(Arc::new(Int64Array::from(numbers))))
        } else {
            Ok(Self::Array(Column::new(given)?.combined()?))
        }
    }

    fn argument(&self) -> Argument<'_> {
        match self {
            Self::Null => Argument::Null,
            Self::Text(text) => Argument::Text(text),
            Self::Int(int) => Argument::Int(*int),
            Self::Array(array) => Argument::Array(array),
        }
    }
}

/// Evaluate a function for each row of a column, without the GIL.
#[pyfunction]
pub(crate) fn _evaluate<'py>(
    py: Python<'py>,
    function: &str,
    column: &Bound<'py, PyAny>,
    arguments: Vec<Bound<'py, PyAny>>,
    edition: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let edition = input::edition(Some(edition))?;
    let function = function_named(function)?;
    let mut column = Column::new(column)?;
    let arguments = arguments.iter().map(Owned::new).collect::<PyResult<Vec<_>>>()?;
    // An array of arguments has other chunks than the column.
    if arguments.iter().any(|argument| matches!(argument, Owned::Array(_))) {
        column = match column {
            Column::Chunked(_) => Column::Chunked(vec![column.combined()?]),
            array @ Column::Array(_) => array,
        };
    }
    let evaluate = |array: &ArrayRef| evaluate(function, array, &arguments, edition);
    match &column {
        Column::Array(array) => {
            let result = py.detach(|| evaluate(array))?;
            PyArray::from_array_ref(result).into_bound_py_any(py)
        }
        Column::Chunked(chunks) => {
            let results = py.detach(|| chunks.iter().map(evaluate).collect::<PyResult<Vec<_>>>())?;
            let results = match results.is_empty() {
                true => vec![py.detach(|| evaluate(&column.combined()?))?],
                false => results,
            };
            PyChunkedArray::from_array_refs(results)?.into_bound_py_any(py)
        }
    }
}

fn evaluate(
    function: &Function,
    column: &ArrayRef,
    arguments: &[Owned],
    edition: &'static Edition,
) -> PyResult<ArrayRef> {
    let arguments = arguments.iter().map(Owned::argument).collect::<Vec<_>>();
    let result = locator_arrow::evaluate(function, column, &arguments, edition);
    result.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Count the different values of a column, or of a function of it, without the GIL. Nulls are not counted.
#[pyfunction]
pub(crate) fn _uniq(
    py: Python<'_>,
    column: &Bound<'_, PyAny>,
    function: Option<&str>,
    edition: &str,
) -> PyResult<u64> {
    let edition = input::edition(Some(edition))?;
    let part = function.map(part_named).transpose()?;
    let part = part.map(|(function, name)| (function, name.into_iter().map(Owned::Text).collect::<Vec<_>>()));
    let chunks = match Column::new(column)? {
        Column::Array(array) => vec![array],
        Column::Chunked(chunks) => chunks,
    };
    py.detach(|| {
        let mut uniq = Uniq::new();
        for chunk in &chunks {
            let values = match &part {
                Some((function, arguments)) => Some(evaluate(function, chunk, arguments, edition)?),
                None => None,
            };
            let added = uniq.add(values.as_ref().unwrap_or(chunk));
            added.map_err(|error| PyValueError::new_err(error.to_string()))?;
        }
        Ok(uniq.count())
    })
}

/// Return the function that returns the part of a name as text, and its arguments.
#[pyfunction]
pub(crate) fn _part(name: &str) -> PyResult<(&'static str, Vec<String>)> {
    let (function, argument) = part_named(name)?;
    Ok((function.name(), argument.into_iter().collect()))
}

/// Returns the function that returns the part of a name, and its argument: that of the part, or `uri_part`.
fn part_named(name: &str) -> PyResult<(&'static Function, Option<String>)> {
    let selection = Selection::parse(name).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let part = selection.part();
    // Only texts are counted.
    let is_text = part.key().is_none() && part.result() == ResultType::Text;
    match part.function().filter(|_| is_text) {
        Some(function) => Ok((function, None)),
        None => Ok((function_named("uri_part")?, Some(name.to_owned()))),
    }
}

/// Returns the function of the list with this name.
pub(crate) fn function_named(name: &str) -> PyResult<&'static Function> {
    let unknown = || PyValueError::new_err(format!("no function is named {name:?}"));
    locator_functions::function(name).ok_or_else(unknown)
}
