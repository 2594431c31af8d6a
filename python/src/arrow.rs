//! Functions of columns: takes an Arrow array and returns one, for `locator_uri.arrow`.
//!
//! The functions are those of `locator_functions::FUNCTIONS`; `locator-arrow` computes them.

use arrow_array::{Array, ArrayRef, StringArray};
use arrow_select::concat::concat;
use locator::Edition;
use locator_arrow::Argument;
use locator_functions::{Call, FUNCTIONS, Function, Given, ParameterKind};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString, PyTuple};
use pyo3_arrow::input::AnyArray;
use pyo3_arrow::{PyArray, PyChunkedArray};
use std::sync::Arc;

use crate::input;

/// A column, or an argument with a value for each row.
enum Column {
    Array(ArrayRef),
    Chunked(Vec<ArrayRef>),
}

impl Column {
    /// Returns the column of a list, or of an object with the Arrow PyCapsule interface.
    fn new(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
            let texts: Vec<Option<String>> = given.extract()?;
            return Ok(Self::Array(Arc::new(StringArray::from(texts))));
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

    /// Returns all rows as one array.
    fn combined(&self) -> PyResult<ArrayRef> {
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
    let Some(function) = locator_functions::function(function) else {
        return Err(PyValueError::new_err(format!("no function is named {function:?}")));
    };
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

/// Return the functions of columns: name, name of the column, summary, parameters (name, default, kind),
/// and an example (input, arguments). The module `locator_uri.arrow` is made of them.
#[pyfunction]
pub(crate) fn _functions(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let functions = PyList::empty(py);
    for function in FUNCTIONS {
        if function.first().is_empty() || matches!(function.call(), Call::Distinct) {
            continue;
        }
        let parameters = function.parameters().iter().map(|parameter| {
            let default = parameter.default.map(|default| given(py, default)).transpose()?;
            (parameter.name, default, kind(parameter.kind)).into_pyobject(py)
        });
        let parameters = parameters.collect::<PyResult<Vec<_>>>()?;
        let example = function.example();
        let arguments = example.arguments.iter().map(|&argument| given(py, argument));
        let example = (example.input, arguments.collect::<PyResult<Vec<_>>>()?);
        functions.append((function.name(), function.first(), function.summary(), parameters, example))?;
    }
    Ok(functions)
}

fn given<'py>(py: Python<'py>, given: Given<'_>) -> PyResult<Bound<'py, PyAny>> {
    match given {
        Given::Text(text) => text.into_bound_py_any(py),
        Given::Int(int) => int.into_bound_py_any(py),
    }
}

/// Returns what a parameter takes, for its documentation.
fn kind(kind: ParameterKind) -> String {
    let quoted = |words: &[&str]| words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
    match kind {
        ParameterKind::Text => "a text, or an array of texts".into(),
        ParameterKind::Int => "an integer, or an array of integers".into(),
        ParameterKind::Choice(words) => format!("one of {}", quoted(words)),
        ParameterKind::Choices(words) => format!("of {}, with commas between them", quoted(words)),
        ParameterKind::Patterns => "names with commas between them; \"*\" is any text".into(),
        ParameterKind::Scheme => "a scheme whose URLs have a host, or \"\"".into(),
        _ => "a value".into(),
    }
}
