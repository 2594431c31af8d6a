//! Exceptions: takes an error of the library and returns `ParseError` or `UriError`.

use std::fmt::Display;

use locator::plan::PlanError;
use locator::scheme::file::PathError;
use locator::{BuildError, CompareError, Component, IdnaError, ResolveError};
use pyo3::prelude::*;

use crate::input::{Characters, Input};
use crate::records::Record;

/// Returns the exception for a text that is not valid.
pub(crate) fn invalid(py: Python<'_>, input: &Input<'_>, error: locator::ParseError) -> PyErr {
    parse_error(py, input, error).unwrap_or_else(|failed| failed)
}

fn parse_error(py: Python<'_>, input: &Input<'_>, error: locator::ParseError) -> PyResult<PyErr> {
    let bytes = input.bytes()?;
    let mut characters = Characters::new(&bytes, input.is_str());
    let span = error.span();
    let (start, end) = (characters.until(span.start), characters.until(span.end));
    let (found, message) = match surrogate(&bytes, input, span.start) {
        Some(name) => (name.clone(), surrogate_message(&name)),
        None => (error.found().to_string(), error.message().to_string()),
    };
    let arguments = (
        input.object(),
        error.edition().name,
        message,
        error.component().name(),
        error.rule().name,
        found,
        error.citation().to_string(),
        start,
        end - start,
        span.start,
        span.end - span.start,
    );
    Ok(PyErr::from_value(Record::ParseError.class(py)?.call1(arguments)?))
}

/// Returns the name of the surrogate at this offset of the bytes of a `str`: "U+D800".
pub(crate) fn surrogate(bytes: &[u8], input: &Input<'_>, at: usize) -> Option<String> {
    let &[0xED, second @ 0xA0..=0xBF, third, ..] = bytes.get(at..)? else { return None };
    let code = 0xD000 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F);
    input.is_str().then(|| format!("U+{code:04X}"))
}

/// Returns the message of an error at a surrogate.
pub(crate) fn surrogate_message(name: &str) -> String {
    format!("{name}, a lone surrogate, is not a character")
}

/// Returns the exception for an operation that is not possible.
pub(crate) fn impossible(
    py: Python<'_>,
    message: impl Display,
    part: Option<Component>,
    see: Option<impl Display>,
) -> PyErr {
    let arguments = (message.to_string(), part.map(Component::name), see.map(|see| see.to_string()));
    let made = Record::UriError.class(py).and_then(|class| class.call1(arguments));
    made.map_or_else(|failed| failed, PyErr::from_value)
}

/// An error of the library that becomes an exception.
pub(crate) trait Raise {
    /// Returns the exception.
    fn raise(self, py: Python<'_>) -> PyErr;
}

impl Raise for ResolveError {
    fn raise(self, py: Python<'_>) -> PyErr {
        impossible(py, self.message(), self.component(), self.citation())
    }
}

impl Raise for BuildError {
    fn raise(self, py: Python<'_>) -> PyErr {
        impossible(py, self.message(), Some(self.component()), Some(self.citation()))
    }
}

impl Raise for CompareError {
    fn raise(self, py: Python<'_>) -> PyErr {
        impossible(py, self.message(), self.component(), self.citation())
    }
}

impl Raise for PathError {
    fn raise(self, py: Python<'_>) -> PyErr {
        impossible(py, self.message(), self.component(), self.citation())
    }
}

impl Raise for PlanError {
    fn raise(self, py: Python<'_>) -> PyErr {
        impossible(py, self.message(), None, self.citation())
    }
}

impl Raise for IdnaError {
    fn raise(self, py: Python<'_>) -> PyErr {
        impossible(py, self.message(), Some(self.component()), Some(self.citation()))
    }
}

/// The error of a conversion of a valid reference: the reference cannot be written in the other form.
impl Raise for locator::ParseError {
    fn raise(self, py: Python<'_>) -> PyErr {
        impossible(py, self.message(), Some(self.component()), Some(self.citation()))
    }
}
