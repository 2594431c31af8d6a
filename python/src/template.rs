//! The class `UriTemplate`: URI templates (RFC 6570).

use locator::template::{TemplateValue, UriTemplate as Template, UriTemplateError};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};

use crate::error::{Raise, impossible};

/// A template for URLs (RFC 6570), all four levels.
///
/// >>> from locator_uri import UriTemplate
/// >>> template = UriTemplate("https://api.example/{user}/repos{?page,sort*}")
/// >>> template.variables
/// ('user', 'page', 'sort')
/// >>> template.expand(user="Zoë", page=2)
/// 'https://api.example/Zo%C3%AB/repos?page=2'
///
/// Values are data: what they contain is escaped, except in "{+name}" and "{#name}", which keep
/// delimiters. Never expand untrusted values with these two, or before the end of the host.
///
/// >>> UriTemplate("https://api.example/{user")
/// Traceback (most recent call last):
/// ...
/// locator_uri.UriError: "{" without "}", at byte 20 (expression, RFC 6570, 2.2)
#[pyclass(frozen, module = "locator_uri")]
pub(crate) struct UriTemplate {
    text: Py<PyString>,
}

impl Raise for UriTemplateError {
    fn raise(self, py: Python<'_>) -> PyErr {
        impossible(py, &self, None, None::<&str>)
    }
}

impl UriTemplate {
    fn read<'a>(&'a self, py: Python<'a>) -> PyResult<Template<'a>> {
        Template::parse(self.text.bind(py).to_str()?).map_err(|error| error.raise(py))
    }
}

/// Returns the value of a variable: a text, a number, a list or tuple, a mapping, or `None`.
fn value(given: &Bound<'_, PyAny>) -> PyResult<TemplateValue<'static>> {
    if given.is_none() {
        return Ok(TemplateValue::Undefined);
    }
    if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
        let members = given.try_iter()?.map(|member| text(&member?));
        return Ok(TemplateValue::list(members.collect::<PyResult<Vec<_>>>()?));
    }
    if let Ok(mapping) = given.cast::<PyMapping>() {
        let pairs = mapping.items()?.into_iter().map(|pair| {
            let (name, given): (String, Bound<'_, PyAny>) = pair.extract()?;
            Ok((name, text(&given)?))
        });
        return Ok(TemplateValue::map(pairs.collect::<PyResult<Vec<_>>>()?));
    }
    text(given).map(TemplateValue::from)
}

fn text(given: &Bound<'_, PyAny>) -> PyResult<String> {
    let is_number = given.is_instance_of::<PyInt>() || given.is_instance_of::<PyFloat>();
    if given.is_instance_of::<PyBool>() || !(is_number || given.is_instance_of::<PyString>()) {
        let name = given.get_type().name()?;
        let message = format!("expected str, int, float, a list or a mapping as a value, not {name}");
        return Err(PyTypeError::new_err(message));
    }
    Ok(given.str()?.to_str()?.to_owned())
}

#[pymethods]
impl UriTemplate {
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(text: &Bound<'_, PyString>) -> PyResult<Self> {
        let template = Self { text: text.clone().unbind() };
        template.read(text.py())?;
        Ok(template)
    }

    /// The names of the variables, each once, in order.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let template = self.read(py)?;
        let mut names = Vec::new();
        for name in template.variables() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        PyTuple::new(py, names)
    }

    /// Return the URL or reference with these values, as a `str`. Variables without a value are left out.
    ///
    /// A value is a `str`, a number, a list or a mapping of these, or `None`. Keywords win over the
    /// mapping.
    ///
    /// >>> from locator_uri import UriTemplate
    /// >>> UriTemplate("/search{?q,tag*}").expand({"q": "a b"}, tag=["x", "y"])
    /// '/search?q=a%20b&tag=x&tag=y'
    #[pyo3(signature = (values = None, /, **more))]
    fn expand(
        &self,
        py: Python<'_>,
        values: Option<&Bound<'_, PyAny>>,
        more: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        let mut pairs: Vec<(String, TemplateValue<'static>)> = Vec::new();
        if let Some(values) = values {
            let values = values.cast::<PyMapping>().map_err(|_| {
                PyTypeError::new_err("expand() takes a mapping of values, or keywords: expand(user=\"jan\")")
            })?;
            for pair in values.items()? {
                let (name, given): (String, Bound<'_, PyAny>) = pair.extract()?;
                pairs.push((name, value(&given)?));
            }
        }
        for (name, given) in more.into_iter().flatten() {
            pairs.push((name.extract()?, value(&given)?));
        }
        let expanded = self.read(py)?.expand(pairs).map_err(|error| error.raise(py))?;
        Ok(expanded.into_string())
    }

    fn __str__<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.text.bind(py).clone()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("UriTemplate({})", self.text.bind(py).repr()?))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.text.bind(py).to_str()? == other.text.bind(py).to_str()?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.text.bind(py).hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        (slf.get_type(), (slf.get().text.bind(slf.py()),)).into_pyobject(slf.py())
    }
}
