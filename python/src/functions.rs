//! Functions of the module: those that make no object of a URL, and `find`.

use locator::text::{Finder, Preset};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyType};

use crate::input::{self, Characters, Input};
use crate::records::Record;
use crate::reference::{UriRef, object, restored, wrap};
use crate::report;

/// Return whether a text is a valid URL: with a scheme, and by the grammar of the edition.
///
/// >>> from locator_uri import is_valid
/// >>> is_valid("http://example.com/"), is_valid("example.com"), is_valid("http://a b/")
/// (True, False, False)
#[pyfunction]
#[pyo3(signature = (text, /, *, edition = None), text_signature = "(text, /, *, edition='rfc3986')")]
pub(crate) fn is_valid(text: &Bound<'_, PyAny>, edition: Option<&str>) -> PyResult<bool> {
    let edition = input::edition(edition)?;
    if let Ok(text) = text.cast::<PyString>() {
        return Ok(text.to_str().is_ok_and(|text| locator::Uri::parse_with(text, edition).is_ok()));
    }
    let input = Input::new(text)?;
    Ok(locator::Uri::parse_bytes_with(&input.bytes()?, edition).is_ok())
}

/// Return the host of a URL as it is written; `None` without a host, or if the URL is not valid.
///
/// >>> from locator_uri import host
/// >>> host("http://jan@Example.com:80/"), host("mailto:jan@example.com"), host("http://a b/")
/// ('Example.com', None, None)
#[pyfunction]
#[pyo3(signature = (text, /, *, edition = None), text_signature = "(text, /, *, edition='rfc3986')")]
pub(crate) fn host<'py>(
    text: &Bound<'py, PyAny>,
    edition: Option<&str>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    let (py, edition, input) = (text.py(), input::edition(edition)?, Input::new(text)?);
    let bytes = input.bytes()?;
    let found = locator::UriRef::parse_bytes_with(&bytes, edition).ok();
    Ok(found.and_then(locator::UriRef::host).map(|host| PyString::new(py, host.as_str())))
}

/// Return the `Uri` of a text, or the `UriRef` if it has no scheme; `default` if it is not valid.
///
/// >>> from locator_uri import parse
/// >>> parse("http://h/"), parse("/a"), parse("http://a b/"), parse("http://a b/", "invalid")
/// (Uri('http://h/'), UriRef('/a'), None, 'invalid')
#[pyfunction]
#[pyo3(
    signature = (text, /, default = None, *, edition = None),
    text_signature = "(text, /, default=None, *, edition='rfc3986')"
)]
pub(crate) fn parse<'py>(
    text: &Bound<'py, PyAny>,
    default: Option<Bound<'py, PyAny>>,
    edition: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = text.py();
    match UriRef::parse(text, edition, false) {
        Ok(made) => Ok(wrap(py, made)?.into_any()),
        Err(error) if error.get_type(py).is(Record::ParseError.class(py)?) => {
            Ok(default.unwrap_or_else(|| py.None().into_bound(py)))
        }
        Err(error) => Err(error),
    }
}

/// Return the URLs in a text, in order.
///
/// `preset` is "strict" (only what is certain), "default", or "relaxed" (host names, too).
///
/// >>> from locator_uri import find
/// >>> for found in find("See http://example.com/a (or www.example.org/b).", preset="relaxed"):
/// ...     print(found.start, found.end, found.kind, found.url)
/// 4 24 bare http://example.com/a
/// 29 46 www http://www.example.org/b
#[pyfunction]
#[pyo3(signature = (text, /, *, preset = "default"))]
pub(crate) fn find<'py>(text: &Bound<'py, PyAny>, preset: &str) -> PyResult<Bound<'py, PyList>> {
    let preset = match preset {
        "strict" => Preset::Strict,
        "default" => Preset::Default,
        "relaxed" => Preset::Relaxed,
        _ => {
            let message = format!("preset must be 'strict', 'default' or 'relaxed', not {preset:?}");
            return Err(PyValueError::new_err(message));
        }
    };
    let (py, input) = (text.py(), Input::new(text)?);
    let bytes = input.bytes()?;
    let mut characters = Characters::new(&bytes, input.is_str());
    let class = Record::Match.class(py)?;
    let found = PyList::empty(py);
    for one in Finder::new().preset(preset).find_iter(&bytes) {
        let span = one.span();
        let (start, end) = (characters.until(span.start), characters.until(span.end));
        let uri = one.read().ok().map(|uri| object(py, uri.as_uri_ref())).transpose()?;
        found.append(class.call1((one.url(), start, end, one.kind().name(), one.is_guess(), uri))?)?;
    }
    Ok(found)
}

/// Return the drawing of the error of a text, for `ParseError.report`.
#[pyfunction]
pub(crate) fn _report(text: &Bound<'_, PyAny>, edition: &str) -> PyResult<String> {
    let (edition, input) = (input::edition(Some(edition))?, Input::new(text)?);
    let (bytes, shown) = (input.bytes()?, input.lossy()?);
    // The error of a relative reference is not that it has no scheme.
    let parsed = locator::UriRef::parse_bytes_with(&bytes, edition);
    let parsed = parsed.and_then(|_| locator::Uri::parse_bytes_with(&bytes, edition));
    Ok(match parsed.and_then(|uri| uri.check_scheme()) {
        Ok(()) => String::new(),
        Err(error) => report::in_python(&error, &error.report(&*shown).to_string(), &bytes, &input),
    })
}

/// Return the sort-friendly key by which web archives find captures (SURT); `None` without one.
///
/// It reads any text as the Wayback Machine, pywb and Common Crawl do: "www." and the case are dropped,
/// parameters are sorted.
///
/// >>> from locator_uri import surt
/// >>> surt("http://www.Example.com:80/a/../B/?b=2&a=1#f")
/// 'com,example)/b?a=1&b=2'
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn surt(text: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    Ok(locator_functions::surt(&Input::new(text)?.lossy()?))
}

/// Restore a pickled reference.
#[pyfunction]
#[pyo3(signature = (class_, text, edition))]
pub(crate) fn _restore<'py>(
    class_: &Bound<'py, PyType>,
    text: &Bound<'py, PyString>,
    edition: &str,
) -> PyResult<Bound<'py, UriRef>> {
    restored(class_, text, edition)
}
