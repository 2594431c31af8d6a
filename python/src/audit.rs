//! What is dangerous in a URL, and which server each program contacts for it.

use locator::Edition;
use locator_audit::{Auditor, Readings, Severity};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::input::{self, Characters, Input};
use crate::records::Record;

/// Return what is dangerous in a text that is used as a URL, valid or not.
///
/// `least` is the least severity: "info", "low", "medium" or "high".
///
/// >>> from locator_uri import audit
/// >>> for found in audit("http://www.example.com@10.0.0.1/", least="medium"):
/// ...     print(found.severity, found.code)
/// medium userinfo-like-host
#[pyfunction]
#[pyo3(
    signature = (text, /, *, least = "low", edition = None),
    text_signature = "(text, /, *, least='low', edition='rfc3986')"
)]
pub(crate) fn audit<'py>(
    text: &Bound<'py, PyAny>,
    least: &str,
    edition: Option<&str>,
) -> PyResult<Bound<'py, PyList>> {
    findings(&Input::new(text)?, text.py(), input::edition(edition)?, least)
}

/// Returns the findings as Python objects.
pub(crate) fn findings<'py>(
    input: &Input<'py>,
    py: Python<'py>,
    edition: &'static Edition,
    least: &str,
) -> PyResult<Bound<'py, PyList>> {
    let Some(least) = Severity::ALL.into_iter().find(|one| one.name() == least) else {
        let names = Severity::ALL.map(Severity::name).join(", ");
        return Err(PyValueError::new_err(format!("least must be one of {names}, not {least:?}")));
    };
    let text = input.lossy()?;
    let mut characters = Characters::new(text.as_bytes(), input.is_str());
    let class = Record::Finding.class(py)?;
    let found = PyList::empty(py);
    for one in Auditor::new().edition(edition).least(least).audit(&text) {
        let (span, code) = (one.span(), one.code());
        let (start, end) = (characters.until(span.start), characters.until(span.end));
        found.append(class.call1((
            code.name(),
            one.severity().name(),
            one.message(),
            start,
            end,
            one.component().name(),
            code.advice(),
            one.citation(),
        ))?)?;
    }
    Ok(found)
}

/// Return which server each program contacts for a text; programs differ on hostile ones.
///
/// >>> from locator_uri import readings
/// >>> found = readings("http://evil.example\\@good.example/")
/// >>> found.agree, [contact.host for contact in found.contacts]
/// (False, ['good.example', 'evil.example'])
#[pyfunction]
#[pyo3(signature = (text, /, *, edition = None), text_signature = "(text, /, *, edition='rfc3986')")]
pub(crate) fn readings<'py>(text: &Bound<'py, PyAny>, edition: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    contacts(&Input::new(text)?, text.py(), input::edition(edition)?)
}

/// Returns the readings as a Python object.
pub(crate) fn contacts<'py>(
    input: &Input<'py>,
    py: Python<'py>,
    edition: &'static Edition,
) -> PyResult<Bound<'py, PyAny>> {
    let text = input.lossy()?;
    let readings = Readings::new_with(&text, edition, None);
    let class = Record::Contact.class(py)?;
    let contacts = readings.contacts().into_iter().map(|found| {
        let readers = found.readers.iter().map(|reader| reader.name()).collect::<Vec<_>>();
        let contact = found.contact;
        let readers = PyTuple::new(py, readers)?;
        class.call1((contact.scheme(), contact.host().to_string(), contact.port(), readers))
    });
    let contacts = PyTuple::new(py, contacts.collect::<PyResult<Vec<_>>>()?)?;
    Record::Readings.class(py)?.call1((readings.agree(), contacts))
}

/// Return a text with its passwords, tokens and keys hidden, for logs; the text need not be valid.
///
/// >>> from locator_uri import redacted
/// >>> redacted("https://jan:hunter2@example.com/?a=1")
/// 'https://jan:(hidden)@example.com/?a=1'
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn redacted(text: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(locator_audit::redacted(&Input::new(text)?.lossy()?).to_string())
}
