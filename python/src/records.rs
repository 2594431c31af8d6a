//! The classes that are written in Python: exceptions and named tuples. Each is imported once.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// A class of `lib/locator_uri`.
#[derive(Clone, Copy)]
pub(crate) enum Record {
    Comparison,
    Contact,
    Difference,
    Finding,
    Match,
    ParseError,
    Plan,
    Readings,
    UriError,
    ValidationError,
}

static CLASSES: [PyOnceLock<Py<PyType>>; 10] = [const { PyOnceLock::new() }; 10];

impl Record {
    /// Returns the class.
    pub(crate) fn class(self, py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
        let (module, name) = match self {
            Self::Comparison => ("locator_uri._records", "Comparison"),
            Self::Contact => ("locator_uri._records", "Contact"),
            Self::Difference => ("locator_uri._records", "Difference"),
            Self::Finding => ("locator_uri._records", "Finding"),
            Self::Match => ("locator_uri._records", "Match"),
            Self::ParseError => ("locator_uri._errors", "ParseError"),
            Self::Plan => ("locator_uri._records", "Plan"),
            Self::Readings => ("locator_uri._records", "Readings"),
            Self::UriError => ("locator_uri._errors", "UriError"),
            Self::ValidationError => ("locator_uri._records", "ValidationError"),
        };
        CLASSES[self as usize].import(py, module, name)
    }
}
