//! Calls in which every argument is a column, as SQL engines make them: takes the columns and returns
//! one. Used by `locator_uri.duckdb` and `locator_uri.datafusion`.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use arrow_select::nullif::nullif;
use locator::Edition;
use locator_arrow::{Argument, evaluate};
use locator_functions::Function;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::PyArray;

use crate::arrow::{Column, function_named};
use crate::input;

/// Evaluate a function whose arguments are all columns of one length. If `by` is set, the last is the
/// edition. Rows in which an argument is null are null.
#[pyfunction]
pub(crate) fn _call<'py>(
    py: Python<'py>,
    function: &str,
    columns: Vec<Bound<'py, PyAny>>,
    by: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let function = function_named(function)?;
    let columns = columns.iter().map(|column| Column::new(column)?.combined());
    let mut columns = columns.collect::<PyResult<Vec<_>>>()?;
    let editions = if by { columns.pop() } else { None };
    let result = py.detach(|| call(function, &columns, editions.as_ref()))?;
    PyArray::from_array_ref(result).into_bound_py_any(py)
}

fn call(function: &Function, columns: &[ArrayRef], editions: Option<&ArrayRef>) -> PyResult<ArrayRef> {
    let Some((column, given)) = columns.split_first() else {
        return Err(PyValueError::new_err(format!("{} needs a column", function.name())));
    };
    let mut nulls = Vec::new();
    let edition = match editions {
        Some(editions) => edition_of(function, editions, &mut nulls)?,
        None => locator::edition::DEFAULT,
    };
    let mut constants = Vec::new();
    for (array, parameter) in given.iter().zip(function.parameters()) {
        constants.push(match parameter.can_be_column() {
            true => None,
            false => Some(constant(function, parameter.name, array, &mut nulls)?),
        });
    }
    let arguments = given.iter().zip(&constants).map(|(array, constant)| match constant {
        None => Argument::Array(array),
        Some(None) => Argument::Null,
        Some(Some(text)) => Argument::Text(text),
    });
    let arguments = arguments.collect::<Vec<_>>();
    let error = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
    let mut result = evaluate(function, column, &arguments, edition).map_err(|why| error(&why))?;
    for nulls in nulls {
        result = nullif(&result, &nulls).map_err(|why| error(&why))?;
    }
    Ok(result)
}

/// Returns the value that all rows have, and adds the rows that are NULL to `nulls`.
fn constant(
    function: &Function,
    parameter: &str,
    column: &ArrayRef,
    nulls: &mut Vec<BooleanArray>,
) -> PyResult<Option<String>> {
    let name = function.name();
    let Ok(texts) = cast(column, &DataType::LargeUtf8) else {
        let found = column.data_type();
        return Err(PyValueError::new_err(format!("{name} takes a text as \"{parameter}\", not {found}")));
    };
    let mut values = texts.as_string::<i64>().iter().flatten();
    let first = values.next();
    if values.any(|value| Some(value) != first) {
        let message = format!("{name} takes one value for all rows as \"{parameter}\", not a column");
        return Err(PyValueError::new_err(message));
    }
    if let Some(mask) = texts.logical_nulls().filter(|mask| mask.null_count() > 0) {
        nulls.push(BooleanArray::new(!mask.inner(), None));
    }
    Ok(first.map(str::to_owned))
}

fn edition_of(
    function: &Function,
    column: &ArrayRef,
    nulls: &mut Vec<BooleanArray>,
) -> PyResult<&'static Edition> {
    match constant(function, "edition", column, nulls)? {
        Some(name) => input::edition(Some(&name)),
        None => Ok(locator::edition::DEFAULT),
    }
}
