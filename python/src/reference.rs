//! The classes `UriRef` and `Uri` as data: the text as given, and the positions of its components.
//!
//! Their methods are in `methods.rs` and `uri.rs`.

use locator::{Component, ComponentSpans, Edition};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use crate::substring::substring;

/// A reference as a document contains it: a URL, or a relative reference such as "../a?q".
///
/// The text is kept as given. Components are `str` without their delimiters, as they are written;
/// a component is `None` if it is absent, and empty if only its delimiter is there.
///
/// `edition` is the standard to parse by, one of `EDITIONS`.
///
/// >>> from locator_uri import UriRef
/// >>> link = UriRef("../a%20b?q#")
/// >>> link.path, link.query, link.fragment, link.host
/// ('../a%20b', 'q', '', None)
/// >>> UriRef("http://h/a|b")
/// Traceback (most recent call last):
/// ...
/// locator_uri.ParseError: "|" is not allowed in the path, at offset 10 (pchar, RFC 3986, 3.3)
///
/// Equality, order and hash are those of the text; a `str` is never equal.
///
/// >>> UriRef("http://h") == UriRef("http://h"), UriRef("http://h") == "http://h"
/// (True, False)
#[pyclass(frozen, subclass, module = "locator_uri")]
pub(crate) struct UriRef {
    text: Py<PyString>,
    pub(crate) spans: ComponentSpans,
    pub(crate) edition: &'static Edition,
}

/// A URL: a reference with a scheme.
///
/// >>> from locator_uri import Uri
/// >>> uri = Uri("https://jan:secret@[2001:db8::1]:8080/a?q#top")
/// >>> uri.scheme, uri.user, uri.host, uri.port
/// ('https', 'jan', '[2001:db8::1]', 8080)
/// >>> uri.ip
/// IPv6Address('2001:db8::1')
/// >>> uri
/// Uri('https://jan:(hidden)@[2001:db8::1]:8080/a?q#top')
/// >>> Uri("//example.com/a")
/// Traceback (most recent call last):
/// ...
/// locator_uri.ParseError: expected a scheme and ":", found "/", at offset 0 (URI, RFC 3986, 3)
#[pyclass(extends = UriRef, frozen, subclass, module = "locator_uri")]
pub(crate) struct Uri;

impl UriRef {
    /// Creates an object from a text that was parsed by an edition.
    #[inline]
    pub(crate) const fn new(text: Py<PyString>, spans: ComponentSpans, edition: &'static Edition) -> Self {
        Self { text, spans, edition }
    }

    /// Creates an object with a text of its own.
    pub(crate) fn of(py: Python<'_>, reference: locator::UriRef<'_>) -> Self {
        let text = PyString::new(py, reference.as_str()).unbind();
        Self { text, spans: reference.spans(), edition: reference.edition() }
    }

    /// Returns the text as given.
    pub(crate) fn text<'py>(&self, py: Python<'py>) -> &Bound<'py, PyString> {
        self.text.bind(py)
    }

    /// Returns the name of the edition.
    pub(crate) const fn edition_name(&self) -> &'static str {
        self.edition.name
    }

    /// Returns a component as it is written.
    pub(crate) fn component<'py>(
        &self,
        py: Python<'py>,
        part: Component,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        self.spans.span(part).map(|span| substring(self.text.bind(py), span)).transpose()
    }
}

/// Returns the object for a reference: a `Uri` if it has a scheme.
pub(crate) fn object<'py>(py: Python<'py>, reference: locator::UriRef<'_>) -> PyResult<Bound<'py, UriRef>> {
    wrap(py, UriRef::of(py, reference))
}

/// Returns the object, as a `Uri` if it has a scheme.
pub(crate) fn wrap(py: Python<'_>, made: UriRef) -> PyResult<Bound<'_, UriRef>> {
    if made.spans.span(Component::Scheme).is_some() {
        let made = PyClassInitializer::from(made).add_subclass(Uri);
        return Ok(Bound::new(py, made)?.into_super());
    }
    Bound::new(py, made)
}

/// Returns whether the class is one of this module, not a subclass of one.
pub(crate) fn has_own_class(made: &Bound<'_, UriRef>) -> bool {
    let (py, class) = (made.py(), made.get_type());
    class.is(py.get_type::<Uri>()) || class.is(py.get_type::<UriRef>())
}

/// Returns the object for a reference that a method of `made` returns: of the same subclass, if `made` is
/// of one. A reference without a scheme is never a `Uri`.
pub(crate) fn same_class<'py>(
    made: &Bound<'py, UriRef>,
    reference: locator::UriRef<'_>,
) -> PyResult<Bound<'py, UriRef>> {
    let py = made.py();
    if has_own_class(made) || (!reference.has_scheme() && made.is_instance_of::<Uri>()) {
        return object(py, reference);
    }
    let class = made.get_type();
    let found = match reference.edition().is_default() {
        true => class.call1((reference.as_str(),))?,
        false => class.call((reference.as_str(),), Some(&keywords(py, reference.edition().name)?))?,
    };
    Ok(found.cast_into()?)
}

/// Returns an object of a class as pickle makes one: from its text, without calling `__init__`, and
/// without a `__new__` that a subclass has.
pub(crate) fn restored<'py>(
    class: &Bound<'py, PyType>,
    text: &Bound<'py, PyString>,
    edition: &str,
) -> PyResult<Bound<'py, UriRef>> {
    let py = class.py();
    let own = match class.is_subclass_of::<Uri>()? {
        true => py.get_type::<Uri>(),
        false => py.get_type::<UriRef>(),
    };
    let made = own.call_method("__new__", (class, text), Some(&keywords(py, edition)?))?;
    Ok(made.cast_into()?)
}

/// Gives a copy the attributes that `__getstate__` returned: `None`, a dictionary, or that and one of
/// slots.
pub(crate) fn set_state(made: &Bound<'_, UriRef>, state: Bound<'_, PyAny>) -> PyResult<()> {
    if made.hasattr("__setstate__")? {
        return made.call_method1("__setstate__", (state,)).map(drop);
    }
    let (attributes, slots) = match state.cast::<PyTuple>() {
        Ok(both) => (both.get_item(0)?, both.get_item(1)?),
        Err(_) => (state.clone(), state.py().None().into_bound(state.py())),
    };
    if !attributes.is_none() {
        made.getattr("__dict__")?.call_method1("update", (attributes,))?;
    }
    if let Ok(slots) = slots.cast::<PyDict>() {
        for (name, value) in slots {
            made.setattr(name.cast_into::<PyString>()?, value)?;
        }
    }
    Ok(())
}

fn keywords<'py>(py: Python<'py>, edition: &str) -> PyResult<Bound<'py, PyDict>> {
    let keywords = PyDict::new(py);
    keywords.set_item("edition", edition)?;
    Ok(keywords)
}
