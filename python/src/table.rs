//! The list of functions, for the scripts that write modules and for the registrations of engines.

use locator_functions::{ArgumentValue, Call, Engine, FUNCTIONS, Function, ParameterKind};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Return the functions of columns: name, name of the column, summary, parameters (name, default, kind),
/// and an example (input, arguments).
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

/// Return what an engine lacks: for each function, what to use instead; `None` for one that it has.
#[pyfunction]
pub(crate) fn _absences<'py>(py: Python<'py>, engine: &str) -> PyResult<Bound<'py, PyDict>> {
    let unknown = || PyValueError::new_err(format!("no engine is named {engine:?}"));
    let engine = Engine::from_name(engine).ok_or_else(unknown)?;
    let absences = PyDict::new(py);
    for function in FUNCTIONS {
        let absence = engine.absence(function);
        absences.set_item(function.name(), absence.map(|absence| absence.instead))?;
    }
    Ok(absences)
}

/// Return how a function is called by position: the names of the parameters that must be given, those of
/// all, which of them are integers, and the second name, which takes the edition.
#[pyfunction]
pub(crate) fn _signature<'py>(py: Python<'py>, function: &str) -> PyResult<Bound<'py, PyAny>> {
    let function = crate::arrow::function_named(function)?;
    let all = function.parameters().iter().map(|parameter| parameter.name).collect::<Vec<_>>();
    let needed = function.parameters().iter().filter(|parameter| parameter.default.is_none());
    let needed = needed.map(|parameter| parameter.name).collect::<Vec<_>>();
    (needed, all, integers(function), function.second_name()).into_bound_py_any(py)
}

fn integers(function: &Function) -> Vec<&'static str> {
    let integers = function.parameters().iter().filter(|parameter| parameter.kind == ParameterKind::Int);
    integers.map(|parameter| parameter.name).collect()
}

fn given<'py>(py: Python<'py>, given: ArgumentValue<'_>) -> PyResult<Bound<'py, PyAny>> {
    match given {
        ArgumentValue::Text(text) => text.into_bound_py_any(py),
        ArgumentValue::Int(int) => int.into_bound_py_any(py),
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
        ParameterKind::Part => "the name of a part, such as \"host\" or \"segment:-1\"".into(),
        _ => "a value".into(),
    }
}
