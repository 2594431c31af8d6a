//! The methods of the class `Uri`, a reference with a scheme.

use std::path::PathBuf;

use locator::plan::Options;
use locator::{UriBuf, scheme};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::error::Raise;
use crate::records::Record;
use crate::reference::{Uri, UriRef, object, same_class};

#[pymethods]
impl Uri {
    #[new]
    #[pyo3(signature = (text, /, *, edition = None), text_signature = "(text, /, *, edition='rfc3986')")]
    fn new(text: &Bound<'_, PyAny>, edition: Option<&str>) -> PyResult<PyClassInitializer<Self>> {
        Ok(PyClassInitializer::from(UriRef::parse(text, edition, true)?).add_subclass(Self))
    }

    /// Return the URL that a link in this document leads to (RFC 3986, 5).
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("https://example.com/docs/intro.html").resolve("../img/a.png")
    /// Uri('https://example.com/img/a.png')
    pub(crate) fn resolve<'py>(
        slf: &Bound<'py, Self>,
        reference: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, UriRef>> {
        let (py, base) = (slf.py(), slf.as_super().get());
        let reference = UriRef::parse(reference, Some(base.edition_name()), false)?;
        let made = base.read_uri(py)?.join(reference.read(py)?).map_err(|error| error.raise(py))?;
        same_class(slf.as_super(), made.as_uri_ref())
    }

    /// Return the shortest reference that `base` resolves to this URL.
    ///
    /// >>> from locator_uri import Uri
    /// >>> image = Uri("https://example.com/img/a.png")
    /// >>> image.relative_to("https://example.com/docs/intro.html")
    /// UriRef('/img/a.png')
    fn relative_to<'py>(slf: &Bound<'py, Self>, base: &Bound<'py, PyAny>) -> PyResult<Bound<'py, UriRef>> {
        let (py, target) = (slf.py(), slf.as_super().get());
        let base = UriRef::parse(base, Some(target.edition_name()), true)?;
        let made = base.read_uri(py)?.make_relative(target.read_uri(py)?);
        object(py, made.map_err(|error| error.raise(py))?.as_uri_ref())
    }

    /// Return the steps that would fetch this URL, without sending anything.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("gopher://h/7/search%09whales").plan().octets
    /// b'/search\twhales\r\n'
    fn plan<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.as_super().get());
        let plan = scheme::plan(this.read(py)?, &Options::new()).map_err(|error| error.raise(py))?;
        let notes = plan.notes.iter().map(|note| note.text.to_string()).collect::<Vec<_>>();
        let notes = PyTuple::new(py, notes)?;
        let octets = PyBytes::new(py, &plan.to_bytes());
        Record::Plan.class(py)?.call1((plan.to_string(), octets, notes))
    }

    /// Return the file URI of an absolute path of this system.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri.from_path("/tmp/a b.txt").path
    /// '/tmp/a%20b.txt'
    #[classmethod]
    fn from_path<'py>(cls: &Bound<'py, PyType>, path: PathBuf) -> PyResult<Bound<'py, UriRef>> {
        let py = cls.py();
        let made = UriBuf::from_file_path(path).map_err(|error| error.raise(py))?;
        Ok(cls.call1((made.as_str(),))?.cast_into()?)
    }

    /// Return the path of a file URI of this system, as a `pathlib.Path`.
    fn to_path(slf: &Bound<'_, Self>) -> PyResult<PathBuf> {
        let (py, this) = (slf.py(), slf.as_super().get());
        this.read(py)?.to_file_path().map_err(|error| error.raise(py))
    }
}
