//! Edits: components by keyword, and the pairs of the query.

use std::borrow::Cow;
use std::collections::HashSet;
use std::net::Ipv6Addr;

use locator::{BuildError, Component, Edit, Edition, SpaceEncoding, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};

use crate::error::Raise;
use crate::reference::{UriRef, same_class};

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

pub(crate) fn set_component(
    edit: &mut Edit<'_>,
    name: &str,
    given: &Bound<'_, PyAny>,
    encode: bool,
) -> PyResult<()> {
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

/// Returns the object of an edit, of the class of `made`.
pub(crate) fn changed<'py>(
    made: &Bound<'py, UriRef>,
    change: impl FnOnce(&mut Edit<'_>) -> PyResult<()>,
) -> PyResult<Bound<'py, UriRef>> {
    let py = made.py();
    let mut edit = made.get().read(py)?.edit();
    // As forms and other packages write pairs.
    edit.spaces(SpaceEncoding::Plus);
    change(&mut edit)?;
    same_class(made, edit.finish().map_err(|error| error.raise(py))?.as_uri_ref())
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

/// Returns the pairs of a query; the value of a name without "=" is empty.
pub(crate) fn query_pairs<'py>(
    py: Python<'py>,
    reference: locator::UriRef<'_>,
    spaces: SpaceEncoding,
) -> PyResult<Bound<'py, PyList>> {
    let pairs = reference.pairs(spaces);
    let pairs =
        pairs.map(|pair| (decoded(pair.name_bytes()), pair.value_bytes().map(decoded).unwrap_or_default()));
    PyList::new(py, pairs.collect::<Vec<_>>())
}

/// Returns all values of a name.
pub(crate) fn query_values(reference: locator::UriRef<'_>, name: &str) -> PyResult<Vec<Option<String>>> {
    let pairs = reference.pairs(SpaceEncoding::Plus);
    let pairs = pairs.filter(|pair| *pair.name_bytes() == *name.as_bytes());
    Ok(pairs.map(|pair| pair.value_bytes().map(decoded)).collect())
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

/// Names and values; a value is `None` for a name without "=".
type Pairs = Vec<(String, Option<String>)>;

/// Returns the pairs of a mapping, of an iterable of pairs, or of the text of a query.
fn pairs(params: &Bound<'_, PyAny>) -> PyResult<Pairs> {
    let params = if params.is_instance_of::<PyString>() {
        let keywords = PyDict::new(params.py());
        keywords.set_item("keep_blank_values", true)?;
        params.py().import("urllib.parse")?.call_method("parse_qsl", (params,), Some(&keywords))?
    } else if let Ok(mapping) = params.cast::<PyMapping>() {
        mapping.items()?.into_any()
    } else {
        params.clone()
    };
    let mut pairs = Vec::new();
    for pair in params.try_iter()? {
        let (name, given): (String, Bound<'_, PyAny>) = pair?.extract()?;
        if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
            for one in given.try_iter()? {
                pairs.push((name.clone(), value(&one?)?));
            }
        } else {
            pairs.push((name, value(&given)?));
        }
    }
    Ok(pairs)
}

/// Returns the value of a pair: the text of a `str` or of a number, or `None`.
fn value(given: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if given.is_none() {
        return Ok(None);
    }
    // Nobody knows whether a server reads "true", "True" or "1".
    let is_number = given.is_instance_of::<PyInt>() || given.is_instance_of::<PyFloat>();
    if given.is_instance_of::<PyBool>() || !(is_number || given.is_instance_of::<PyString>()) {
        let name = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!("expected str, int, float or None as a value, not {name}")));
    }
    if let Ok(float) = given.cast::<PyFloat>()
        && !float.value().is_finite()
    {
        return Err(PyValueError::new_err("inf and nan cannot be values of a query"));
    }
    Ok(Some(given.str()?.to_str()?.to_owned()))
}

fn append(edit: &mut Edit<'_>, name: &str, value: Option<&str>) -> Result<(), BuildError> {
    match value {
        Some(value) => edit.append_pair(name, value).map(drop),
        None => edit.append_flag(name).map(drop),
    }
}

fn append_all(edit: &mut Edit<'_>, pairs: &Pairs, py: Python<'_>) -> PyResult<()> {
    for (name, value) in pairs {
        append(edit, name, value.as_deref()).map_err(|error| error.raise(py))?;
    }
    Ok(())
}

/// Replaces the pairs of each name: the first by the first value, others of the name are removed. Further
/// values, and new names, are appended.
fn set_all(edit: &mut Edit<'_>, pairs: &Pairs, py: Python<'_>) -> PyResult<()> {
    let mut set = HashSet::new();
    for (name, value) in pairs {
        let value = value.as_deref();
        let is_further = !set.insert(name);
        let done = match is_further
            || edit.replace_pairs(&**name, value.map(Value::Text)).map_err(|e| e.raise(py))? == 0
        {
            true => append(edit, name, value),
            false => Ok(()),
        };
        done.map_err(|error| error.raise(py))?;
    }
    Ok(())
}

/// Returns the reference with these pairs as its query.
pub(crate) fn with_query_params<'py>(
    made: &Bound<'py, UriRef>,
    params: Option<&Bound<'py, PyAny>>,
    spaces: SpaceEncoding,
) -> PyResult<Bound<'py, UriRef>> {
    let (py, pairs) = (made.py(), params.map(pairs).transpose()?.unwrap_or_default());
    changed(made, |edit| {
        edit.remove(Component::Query).map_err(|error| error.raise(py))?;
        edit.spaces(spaces);
        append_all(edit, &pairs, py)
    })
}

/// Returns the reference with these pairs set.
pub(crate) fn set_query_params<'py>(
    made: &Bound<'py, UriRef>,
    params: &Bound<'py, PyAny>,
    spaces: SpaceEncoding,
) -> PyResult<Bound<'py, UriRef>> {
    let (py, pairs) = (made.py(), pairs(params)?);
    changed(made, |edit| {
        edit.spaces(spaces);
        set_all(edit, &pairs, py)
    })
}

/// Returns the pairs of an argument and of keywords.
fn all_pairs<'py>(params: Option<&Bound<'py, PyAny>>, more: Option<&Bound<'py, PyDict>>) -> PyResult<Pairs> {
    let mut all = params.map(pairs).transpose()?.unwrap_or_default();
    if let Some(more) = more {
        all.extend(pairs(more.as_any())?);
    }
    Ok(all)
}

/// Returns the reference with another query: a text, or pairs.
pub(crate) fn with_query<'py>(
    made: &Bound<'py, UriRef>,
    params: Option<&Bound<'py, PyAny>>,
    more: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, UriRef>> {
    let py = made.py();
    if let Some(text) = params.filter(|params| params.is_instance_of::<PyString>())
        && more.is_none()
    {
        let text: String = text.extract()?;
        let text = requoted(&text, made.get().edition, "#");
        return changed(made, |edit| {
            edit.set_query(Value::Encoded(&text)).map(drop).map_err(|error| error.raise(py))
        });
    }
    let pairs = all_pairs(params, more)?;
    changed(made, |edit| {
        edit.remove(Component::Query).map_err(|error| error.raise(py))?;
        append_all(edit, &pairs, py)
    })
}

/// Returns the reference with these pairs set.
pub(crate) fn update_query<'py>(
    made: &Bound<'py, UriRef>,
    params: Option<&Bound<'py, PyAny>>,
    more: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, UriRef>> {
    let (py, pairs) = (made.py(), all_pairs(params, more)?);
    changed(made, |edit| set_all(edit, &pairs, py))
}

/// Returns the reference with these pairs appended.
pub(crate) fn extend_query<'py>(
    made: &Bound<'py, UriRef>,
    params: Option<&Bound<'py, PyAny>>,
    more: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, UriRef>> {
    let (py, pairs) = (made.py(), all_pairs(params, more)?);
    changed(made, |edit| append_all(edit, &pairs, py))
}

/// Returns the reference with a pair appended.
pub(crate) fn append_query<'py>(
    made: &Bound<'py, UriRef>,
    name: &str,
    given: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, UriRef>> {
    let (py, value) = (made.py(), given.map(value).transpose()?.flatten());
    changed(made, |edit| append(edit, name, value.as_deref()).map_err(|error| error.raise(py)))
}

/// Returns the reference with relative paths appended to its path, and without query and fragment.
pub(crate) fn with_path_appended<'py>(
    made: &Bound<'py, UriRef>,
    paths: &[&str],
) -> PyResult<Bound<'py, UriRef>> {
    let py = made.py();
    if let Some(path) = paths.iter().find(|path| path.starts_with('/')) {
        let message = format!("{path:?} begins with \"/\"; to replace the path, use with_path or resolve");
        return Err(PyValueError::new_err(message));
    }
    let segments = paths.iter().flat_map(|path| path.split('/'));
    changed(made, |edit| {
        edit.append_segments(segments).map_err(|error| error.raise(py))?;
        without_query(edit, py)
    })
}

/// Removes query and fragment.
fn without_query(edit: &mut Edit<'_>, py: Python<'_>) -> PyResult<()> {
    edit.remove(Component::Query).map_err(|error| error.raise(py))?;
    edit.remove(Component::Fragment).map_err(|error| error.raise(py))?;
    Ok(())
}

/// Returns the reference with another path; query and fragment stay if the caller wishes.
pub(crate) fn with_path<'py>(
    made: &Bound<'py, UriRef>,
    path: &str,
    keep_query: bool,
    keep_fragment: bool,
) -> PyResult<Bound<'py, UriRef>> {
    let (py, path) = (made.py(), requoted(path, made.get().edition, "?#"));
    changed(made, |edit| {
        edit.set_path(Value::Encoded(&path)).map_err(|error| error.raise(py))?;
        if !keep_query {
            edit.remove(Component::Query).map_err(|error| error.raise(py))?;
        }
        if !keep_fragment {
            edit.remove(Component::Fragment).map_err(|error| error.raise(py))?;
        }
        Ok(())
    })
}

/// Returns the reference with another last segment, which is data, and without query and fragment.
pub(crate) fn with_name<'py>(made: &Bound<'py, UriRef>, name: &str) -> PyResult<Bound<'py, UriRef>> {
    let py = made.py();
    if name.contains('/') || matches!(name, "" | "." | "..") {
        return Err(PyValueError::new_err(format!("{name:?} is not a name: a name is one segment")));
    }
    changed(made, |edit| {
        let last = edit.segments().count().checked_sub(1);
        let done = match last {
            Some(last) => edit.replace_segment(last, name).map(drop),
            None => edit.append_segment(name).map(drop),
        };
        done.map_err(|error| error.raise(py))?;
        without_query(edit, py)
    })
}

/// Returns the reference with another component, which may be percent-encoded or not; `delimiters` end it.
pub(crate) fn with_component<'py>(
    made: &Bound<'py, UriRef>,
    name: &'static str,
    given: Option<&str>,
    delimiters: &str,
) -> PyResult<Bound<'py, UriRef>> {
    let py = made.py();
    let text = given.map(|text| requoted(text, made.get().edition, delimiters));
    changed(made, |edit| {
        let value = text.as_deref().into_pyobject(py)?;
        set_component(edit, name, value.as_any(), false)
    })
}

/// Returns the reference with another host: a name, or an address, an IPv6 address with brackets or
/// without. A name beyond ASCII becomes one of DNS (Punycode), unless the edition is one of IRIs.
pub(crate) fn with_host<'py>(made: &Bound<'py, UriRef>, host: &str) -> PyResult<Bound<'py, UriRef>> {
    if host.parse::<Ipv6Addr>().is_ok() {
        return with_component(made, "host", Some(&format!("[{host}]")), "");
    }
    if !host.is_ascii() && made.get().edition.is_default() {
        let iri = with_host_of(host).map_err(|error| error.raise(made.py()))?;
        return with_component(made, "host", Some(&iri), "");
    }
    let is_literal = host.starts_with('[');
    with_component(made, "host", Some(host), if is_literal { "" } else { "/?#@:[]" })
}

/// Returns a host beyond ASCII as DNS has it.
fn with_host_of(host: &str) -> Result<String, locator::IdnaError> {
    let text = format!("//{host}");
    let iri = locator::UriRef::parse_with(&text, &locator::edition::RFC3987);
    let name = iri.ok().map(locator::UriRef::host_to_ascii).transpose()?.flatten();
    Ok(name.unwrap_or_else(|| host.to_owned()))
}

/// Returns a text as a component has it: its escapes stay, and "%" that begins none, the delimiters, and
/// what no component allows are escaped.
pub(crate) fn requoted(text: &str, edition: &'static Edition, delimiters: &str) -> String {
    let keeps_characters = locator::UriRef::parse_with("\u{e9}", edition).is_ok();
    let mut written = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        let is_escape = || {
            let digits = text.as_bytes().get(at + 1..at + 3);
            digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        };
        let is_allowed = match character {
            '%' => is_escape(),
            '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => false,
            '[' | ']' => text.starts_with('[') && !delimiters.contains(character),
            _ if delimiters.contains(character) => false,
            _ if character.is_ascii() => character.is_ascii_graphic(),
            _ => keeps_characters,
        };
        if is_allowed {
            written.push(character);
            continue;
        }
        for byte in character.encode_utf8(&mut [0; 4]).bytes() {
            written.push_str(&format!("%{byte:02X}"));
        }
    }
    written
}
