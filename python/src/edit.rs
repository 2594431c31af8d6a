//! Edits: components by keyword, and the pairs of the query.

use std::borrow::Cow;

use locator::{BuildError, Component, Edit, SpaceEncoding, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyMapping, PyString};

use crate::error::Raise;
use crate::reference::{UriRef, object};

/// The keywords of `with_`, in the order in which they are set: a user needs a host.
const COMPONENTS: [&str; 10] =
    ["scheme", "authority", "host", "userinfo", "user", "password", "port", "path", "query", "fragment"];

/// Sets the components that keywords name.
pub(crate) fn set_components(
    edit: &mut Edit<'_>,
    components: &Bound<'_, PyDict>,
    encode: bool,
) -> PyResult<()> {
    for name in components.keys() {
        let name: String = name.extract()?;
        if !COMPONENTS.contains(&&*name) {
            let message = format!("with_() got an unexpected keyword argument {name:?}");
            return Err(PyTypeError::new_err(message));
        }
    }
    for name in COMPONENTS {
        if let Some(value) = components.get_item(name)? {
            set_component(edit, name, &value, encode)?;
        }
    }
    Ok(())
}

fn set_component(edit: &mut Edit<'_>, name: &str, given: &Bound<'_, PyAny>, encode: bool) -> PyResult<()> {
    let py = given.py();
    if name == "port" {
        return edit.set_port(port(given)?).map(drop).map_err(|error| error.raise(py));
    }
    let text: Option<Cow<'_, str>> = given.extract()?;
    let value = text.as_deref().map(|text| if encode { Value::Text(text) } else { Value::Encoded(text) });
    let part = Component::ALL.into_iter().find(|part| part.name() == name);
    let done = match (name, part, value) {
        ("user", _, Some(value)) => edit.set_user(value),
        ("user", _, None) => edit.set_user(None::<&str>),
        ("password", _, Some(value)) => edit.set_password(value),
        ("password", _, None) => edit.set_password(None::<&str>),
        (_, Some(part), Some(value)) => edit.set(part, value),
        (_, Some(part), None) => edit.remove(part),
        (_, None, _) => return Err(PyTypeError::new_err(format!("unknown component {name:?}"))),
    };
    done.map(drop).map_err(|error| error.raise(py))
}

fn port(given: &Bound<'_, PyAny>) -> PyResult<Option<u16>> {
    if given.is_none() {
        return Ok(None);
    }
    let port: i64 = given.extract()?;
    let port = u16::try_from(port);
    port.map(Some).map_err(|_| PyValueError::new_err("port must be in 0..=65535"))
}

/// Returns the object of an edit.
pub(crate) fn finish<'py>(py: Python<'py>, edit: &Edit<'_>) -> PyResult<Bound<'py, UriRef>> {
    object(py, edit.finish().map_err(|error| error.raise(py))?.as_uri_ref())
}

/// Returns a name or value of a pair as text.
fn decoded(bytes: Cow<'_, [u8]>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the pairs of a query.
pub(crate) fn query_params<'py>(
    py: Python<'py>,
    reference: locator::UriRef<'_>,
    spaces: SpaceEncoding,
) -> PyResult<Bound<'py, PyList>> {
    let pairs = reference.pairs(spaces);
    let pairs = pairs.map(|pair| (decoded(pair.name_bytes()), pair.value_bytes().map(decoded)));
    PyList::new(py, pairs.collect::<Vec<_>>())
}

/// Returns the first value of a name; an empty one for a name without "=".
pub(crate) fn query_param(
    reference: locator::UriRef<'_>,
    name: &str,
    spaces: SpaceEncoding,
) -> Option<String> {
    let mut pairs = reference.pairs(spaces);
    let pair = pairs.find(|pair| *pair.name_bytes() == *name.as_bytes())?;
    Some(pair.value_bytes().map(decoded).unwrap_or_default())
}

/// Returns the pairs of a mapping or of an iterable of pairs.
fn pairs(params: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Option<String>)>> {
    let params = match params.cast::<PyMapping>() {
        Ok(mapping) => mapping.items()?.into_any(),
        Err(_) => params.clone(),
    };
    let mut pairs = Vec::new();
    for pair in params.try_iter()? {
        let (name, given): (String, Bound<'_, PyAny>) = pair?.extract()?;
        pairs.push((name, value(&given)?));
    }
    Ok(pairs)
}

/// Returns the value of a pair: the text of a `str` or an `int`, or `None`.
fn value(given: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if given.is_none() {
        return Ok(None);
    }
    if given.is_instance_of::<PyString>() || given.is_instance_of::<PyInt>() {
        return Ok(Some(given.str()?.to_str()?.to_owned()));
    }
    let name = given.get_type().name()?;
    Err(PyTypeError::new_err(format!("expected str, int or None as a value, not {name}")))
}

/// Returns the reference with these pairs as its query.
pub(crate) fn with_query_params<'py>(
    py: Python<'py>,
    reference: locator::UriRef<'_>,
    params: Option<&Bound<'py, PyAny>>,
    spaces: SpaceEncoding,
) -> PyResult<Bound<'py, UriRef>> {
    let mut edit = reference.edit();
    edit.set_query(None::<&str>).map_err(|error| error.raise(py))?;
    edit.spaces(spaces);
    for (name, value) in params.map(pairs).transpose()?.unwrap_or_default() {
        let done = match &value {
            Some(value) => edit.append_pair(&name, value),
            None => edit.append_flag(&name),
        };
        done.map_err(|error| error.raise(py))?;
    }
    finish(py, &edit)
}

/// Returns the reference with these pairs set.
pub(crate) fn set_query_params<'py>(
    py: Python<'py>,
    reference: locator::UriRef<'_>,
    params: &Bound<'py, PyAny>,
    spaces: SpaceEncoding,
) -> PyResult<Bound<'py, UriRef>> {
    let mut edit = reference.edit();
    edit.spaces(spaces);
    for (name, value) in pairs(params)? {
        let done = match &value {
            Some(value) => edit.set_pair(&name, value).map(drop),
            None => set_flag(&mut edit, &name),
        };
        done.map_err(|error| error.raise(py))?;
    }
    finish(py, &edit)
}

/// Sets a name without "=", like [`Edit::set_pair`]: replaces the first pair, removes others.
fn set_flag(edit: &mut Edit<'_>, name: &str) -> Result<(), BuildError> {
    if !edit.replace_nth_pair(name, 0, None)? {
        return edit.append_flag(name).map(drop);
    }
    let mut is_first = true;
    edit.retain_pairs(|pair| *pair.name_bytes() != *name.as_bytes() || std::mem::take(&mut is_first));
    Ok(())
}
