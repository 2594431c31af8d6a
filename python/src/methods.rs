//! The methods of the class `UriRef`.
//!
//! Getters cut the text by these positions. Other methods parse the text again, which costs less than
//! a call from Python.

use std::borrow::Cow;

use locator::{Component, Edition, Level, SpaceEncoding};
use locator_domain::DomainExt;
use pyo3::IntoPyObjectExt;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple, PyType};

use crate::domain::{self, Lookup};
use crate::error::{self, Raise};
use crate::input::{self, Input};
use crate::records::Record;
use crate::reference::{UriRef, has_own_class, restored, same_class, set_state};
use crate::{audit, edit};

impl UriRef {
    /// Parses a text by an edition; `scheme` asks for one.
    #[inline]
    pub(crate) fn parse(given: &Bound<'_, PyAny>, edition: Option<&str>, scheme: bool) -> PyResult<Self> {
        let edition = input::edition(edition)?;
        if let Ok(text) = given.cast::<PyString>()
            && let Ok(octets) = text.to_str()
            && let Ok(found) = locator::UriRef::parse_with(octets, edition)
            && (!scheme || found.has_scheme())
        {
            return Ok(Self::new(text.clone().unbind(), found.spans(), edition));
        }
        Self::parse_slowly(given, edition, scheme)
    }

    /// Parses bytes, another reference, or what is not valid.
    #[cold]
    fn parse_slowly(given: &Bound<'_, PyAny>, edition: &'static Edition, scheme: bool) -> PyResult<Self> {
        let (py, input) = (given.py(), Input::new(given)?);
        let bytes = input.bytes()?;
        let found = match scheme {
            true => locator::Uri::parse_bytes_with(&bytes, edition).map(locator::Uri::as_uri_ref),
            false => locator::UriRef::parse_bytes_with(&bytes, edition),
        };
        let found = found.map_err(|error| error::invalid(py, &input, error))?;
        Ok(match &input {
            Input::Str(text) => Self::new(text.clone().unbind(), found.spans(), edition),
            Input::Bytes(_) => Self::of(py, found),
        })
    }

    /// Returns the reference of the library.
    pub(crate) fn read<'a>(&'a self, py: Python<'a>) -> PyResult<locator::UriRef<'a>> {
        let text = self.text(py).to_str()?;
        locator::UriRef::parse_with(text, self.edition).map_err(|error| error.raise(py))
    }

    /// Returns the URI of the library.
    pub(crate) fn read_uri<'a>(&'a self, py: Python<'a>) -> PyResult<locator::Uri<'a>> {
        let text = self.text(py).to_str()?;
        locator::Uri::parse_with(text, self.edition).map_err(|error| error.raise(py))
    }

    /// Returns what a function of domains returns for this reference.
    fn in_domain(&self, py: Python<'_>, private: bool, lookup: Lookup) -> PyResult<Option<String>> {
        Ok(lookup(self.read(py)?, domain::rules(private)).map(Cow::into_owned))
    }
}

/// Returns the level of equivalence with a name.
pub(crate) fn level(name: &str) -> PyResult<Level> {
    match name {
        "scheme" => Ok(Level::Scheme),
        "syntax" => Ok(Level::Syntax),
        _ => Err(PyValueError::new_err(format!("level must be 'scheme' or 'syntax', not {name:?}"))),
    }
}

/// Returns how spaces are written in pairs.
pub(crate) fn spaces(name: &str) -> PyResult<SpaceEncoding> {
    match name {
        "plus" => Ok(SpaceEncoding::Plus),
        "percent" => Ok(SpaceEncoding::Percent20),
        _ => Err(PyValueError::new_err(format!("spaces must be 'plus' or 'percent', not {name:?}"))),
    }
}

type Text<'py> = PyResult<Option<Bound<'py, PyString>>>;

#[pymethods]
impl UriRef {
    #[new]
    #[pyo3(signature = (text, /, *, edition = None), text_signature = "(text, /, *, edition='rfc3986')")]
    fn construct(text: &Bound<'_, PyAny>, edition: Option<&str>) -> PyResult<Self> {
        Self::parse(text, edition, false)
    }

    /// The name of the edition that parsed the text.
    #[getter]
    fn edition(&self) -> &'static str {
        self.edition.name
    }

    /// The kind: "uri", "relative-path" and so on.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.read(py)?.kind().name())
    }

    /// The scheme, as written.
    #[getter]
    fn scheme<'py>(&self, py: Python<'py>) -> Text<'py> {
        self.component(py, Component::Scheme)
    }

    /// The authority: what is between "//" and the path.
    #[getter]
    pub(crate) fn authority<'py>(&self, py: Python<'py>) -> Text<'py> {
        self.component(py, Component::Authority)
    }

    /// The user information: what is before "@" in the authority.
    #[getter]
    fn userinfo<'py>(&self, py: Python<'py>) -> Text<'py> {
        self.component(py, Component::Userinfo)
    }

    /// The user: the user information up to ":".
    #[getter]
    pub(crate) fn user<'py>(&self, py: Python<'py>) -> Text<'py> {
        Ok(self.read(py)?.userinfo().map(|userinfo| PyString::new(py, userinfo.user().as_str())))
    }

    /// The password: what follows ":" in the user information.
    #[getter]
    fn password<'py>(&self, py: Python<'py>) -> Text<'py> {
        let password = self.read(py)?.userinfo().and_then(locator::Userinfo::password);
        Ok(password.map(|password| PyString::new(py, password.as_str())))
    }

    /// The host, as written: an IPv6 address has its brackets.
    #[getter]
    pub(crate) fn host<'py>(&self, py: Python<'py>) -> Text<'py> {
        self.component(py, Component::Host)
    }

    /// The kind of host: "name", "ipv4", "ipv6", "empty" …; `None` without an authority.
    #[getter]
    fn host_kind(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        Ok(self.read(py)?.host().map(|host| host.kind().name()))
    }

    /// The host as an address of `ipaddress`, or `None` if it is a name.
    #[getter]
    fn ip<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let address = self.read(py)?.host().and_then(locator::Host::ip);
        address.map(|address| address.into_bound_py_any(py)).transpose()
    }

    /// The host with its international labels in Punycode ("xn--…").
    #[getter]
    fn host_ascii(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.read(py)?.host_to_ascii().map_err(|error| error.raise(py))
    }

    /// The host with its international labels in Unicode.
    #[getter]
    fn host_unicode(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.read(py)?.host_to_unicode())
    }

    /// The port as a number; `None` if it is absent, empty or above 65535.
    #[getter]
    fn port(&self, py: Python<'_>) -> PyResult<Option<u16>> {
        let text = self.text(py).to_str()?;
        Ok(self.spans.span(Component::Port).and_then(|span| text[span].parse().ok()))
    }

    /// The port as it is written.
    #[getter]
    fn port_text<'py>(&self, py: Python<'py>) -> Text<'py> {
        self.component(py, Component::Port)
    }

    /// The port, or else the default port of the scheme.
    #[getter]
    fn effective_port(&self, py: Python<'_>) -> PyResult<Option<u16>> {
        Ok(self.read(py)?.port_or_known_default())
    }

    /// The path, which may be empty.
    #[getter]
    pub(crate) fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let path = self.component(py, Component::Path)?;
        Ok(path.unwrap_or_else(|| PyString::new(py, "")))
    }

    /// The segments of the path, decoded: "/a%20b/" has "a b" and "".
    #[getter]
    pub(crate) fn segments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let path = self.read(py)?.path();
        PyTuple::new(py, path.segments().map(|segment| segment.decode_utf8_lossy()).collect::<Vec<_>>())
    }

    /// The query without "?".
    #[getter]
    pub(crate) fn query<'py>(&self, py: Python<'py>) -> Text<'py> {
        self.component(py, Component::Query)
    }

    /// The fragment without "#".
    #[getter]
    fn fragment<'py>(&self, py: Python<'py>) -> Text<'py> {
        self.component(py, Component::Fragment)
    }

    /// Return the names and values of the query, decoded; a value is `None` without "=".
    ///
    /// `spaces="plus"` decodes "+" as forms do, `"percent"` leaves it. Invalid UTF-8 becomes U+FFFD.
    ///
    /// >>> from locator_uri import UriRef
    /// >>> UriRef("?q=a+b&flag&q=%C3%A9").query_params()
    /// [('q', 'a b'), ('flag', None), ('q', 'é')]
    #[pyo3(signature = (*, spaces = "plus"))]
    fn query_params<'py>(&self, py: Python<'py>, spaces: &str) -> PyResult<Bound<'py, PyList>> {
        edit::query_params(py, self.read(py)?, self::spaces(spaces)?)
    }

    /// Return the first value of a name in the query, or `default`; "" for a name without "=".
    ///
    /// >>> from locator_uri import UriRef
    /// >>> UriRef("?q=a+b&q=c").query_param("q")
    /// 'a b'
    #[pyo3(signature = (name, default = None, *, spaces = "plus"))]
    fn query_param<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
        spaces: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = edit::query_param(self.read(py)?, name, self::spaces(spaces)?);
        match (found, default) {
            (Some(value), _) => value.into_bound_py_any(py),
            (None, Some(default)) => Ok(default),
            (None, None) => Ok(py.None().into_bound(py)),
        }
    }

    /// Return the start and end of a component in the text, or `None` if it is absent.
    ///
    /// >>> from locator_uri import UriRef
    /// >>> UriRef("http://example.com/a").span("host")
    /// (7, 18)
    fn span(&self, py: Python<'_>, part: &str) -> PyResult<Option<(usize, usize)>> {
        let Some(part) = Component::ALL.into_iter().find(|one| one.name() == part) else {
            return Err(PyValueError::new_err(format!("unknown component {part:?}")));
        };
        let text = self.text(py).to_str()?;
        let mut characters = input::Characters::new(text.as_bytes(), true);
        Ok(self.spans.span(part).map(|span| (characters.until(span.start), characters.until(span.end))))
    }

    /// Return the registered domain of the host, as the function `registered_domain`.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("https://www.Example.co.uk/a").registered_domain()
    /// 'example.co.uk'
    #[pyo3(signature = (*, private = false))]
    fn registered_domain(&self, py: Python<'_>, private: bool) -> PyResult<Option<String>> {
        self.in_domain(py, private, |uri, rules| uri.registered_domain(rules))
    }

    /// Return the public suffix of the host, as the function `public_suffix`.
    #[pyo3(signature = (*, private = false))]
    fn public_suffix(&self, py: Python<'_>, private: bool) -> PyResult<Option<String>> {
        self.in_domain(py, private, |uri, rules| uri.public_suffix(rules))
    }

    /// Return what is before the registered domain in the host, as the function `subdomain`.
    #[pyo3(signature = (*, private = false))]
    fn subdomain(&self, py: Python<'_>, private: bool) -> PyResult<Option<String>> {
        self.in_domain(py, private, |uri, rules| uri.subdomain(rules))
    }

    /// Return the URL with components replaced; `None` removes one.
    ///
    /// Components: scheme, authority, userinfo, user, password, host, port, path, query, fragment.
    /// Values are percent-encoded as components are; with `encode=True` they are data, and what a
    /// component does not allow is escaped.
    ///
    /// >>> from locator_uri import Uri
    /// >>> uri = Uri("http://example.com/a?q#top")
    /// >>> uri.with_(scheme="https", port=8443, fragment=None)
    /// Uri('https://example.com:8443/a?q')
    /// >>> uri.with_(path="/50% off", encode=True)
    /// Uri('http://example.com/50%25%20off?q#top')
    #[pyo3(signature = (*, encode = false, **components))]
    pub(crate) fn with_<'py>(
        slf: &Bound<'py, Self>,
        encode: bool,
        components: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        edit::changed(slf, |edit| match components {
            Some(components) => edit::set_components(edit, components, encode),
            None => Ok(()),
        })
    }

    /// Return the URL with its query made of pairs: a mapping, or an iterable of pairs.
    ///
    /// A value is a `str`, an `int`, or `None` for a name without "=". `None` as `params` removes the
    /// query.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/?old").with_query_params({"q": "a b", "page": 2, "flag": None})
    /// Uri('http://h/?q=a+b&page=2&flag')
    #[pyo3(signature = (params, *, spaces = "plus"))]
    fn with_query_params<'py>(
        slf: &Bound<'py, Self>,
        params: Option<&Bound<'py, PyAny>>,
        spaces: &str,
    ) -> PyResult<Bound<'py, Self>> {
        edit::with_query_params(slf, params, self::spaces(spaces)?)
    }

    /// Return the URL with the first pair of each name replaced, others of the name removed, and new
    /// names appended.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/?page=1&q=a").set_query_params({"page": 2})
    /// Uri('http://h/?page=2&q=a')
    #[pyo3(signature = (params, *, spaces = "plus"))]
    fn set_query_params<'py>(
        slf: &Bound<'py, Self>,
        params: &Bound<'py, PyAny>,
        spaces: &str,
    ) -> PyResult<Bound<'py, Self>> {
        edit::set_query_params(slf, params, self::spaces(spaces)?)
    }

    /// Return the URL without the pairs whose names match a pattern, in which "*" is any text.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/?utm_source=x&q=1&gclid=y").without_query_params("utm_*", "gclid")
    /// Uri('http://h/?q=1')
    #[pyo3(signature = (*patterns))]
    pub(crate) fn without_query_params<'py>(
        slf: &Bound<'py, Self>,
        patterns: Vec<String>,
    ) -> PyResult<Bound<'py, Self>> {
        edit::changed(slf, |edit| {
            for pattern in &patterns {
                edit.remove_pairs(pattern);
            }
            Ok(())
        })
    }

    /// Return the URL with segments appended to its path. They are data: "/" and "%" are escaped.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/a").append_segments("50% off", "b/c")
    /// Uri('http://h/a/50%25%20off/b%2Fc')
    #[pyo3(signature = (*segments))]
    pub(crate) fn append_segments<'py>(
        slf: &Bound<'py, Self>,
        segments: Vec<String>,
    ) -> PyResult<Bound<'py, Self>> {
        let py = slf.py();
        edit::changed(slf, |edit| edit.append_segments(&segments).map(drop).map_err(|error| error.raise(py)))
    }

    /// Return the URL with a relative path appended to its path, and without query and fragment.
    fn __truediv__<'py>(slf: &Bound<'py, Self>, path: &str) -> PyResult<Bound<'py, Self>> {
        edit::with_path_appended(slf, &[path])
    }

    /// Return the URL with pairs set in its query, as `update_query`.
    fn __mod__<'py>(slf: &Bound<'py, Self>, params: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        edit::update_query(slf, Some(params), None)
    }

    /// Return the URL up to "#".
    fn without_fragment<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        same_class(slf, slf.get().read(slf.py())?.without_fragment())
    }

    /// Return the normal form: `level="scheme"` (RFC 3986, 6.2.3) or `"syntax"` (6.2.2).
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("HTTP://Example.com:80/%7Ejan/../a").normalize()
    /// Uri('http://example.com/a')
    #[pyo3(signature = (level = "scheme"))]
    fn normalize<'py>(slf: &Bound<'py, Self>, level: &str) -> PyResult<Bound<'py, Self>> {
        same_class(slf, slf.get().read(slf.py())?.normalize(self::level(level)?).as_uri_ref())
    }

    /// Return whether both are equivalent on this level: whether their normal forms are equal.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h:80").is_equivalent("http://h/")
    /// True
    #[pyo3(signature = (other, level = "scheme"))]
    fn is_equivalent(&self, py: Python<'_>, other: &Bound<'_, PyAny>, level: &str) -> PyResult<bool> {
        let other = Self::parse(other, Some(self.edition.name), false)?;
        let found = self.read(py)?.is_equivalent(other.read(py)?, self::level(level)?);
        found.map_err(|error| error.raise(py))
    }

    /// Return how two URLs differ, and on which rung of the ladder they are equivalent.
    ///
    /// >>> from locator_uri import Uri
    /// >>> found = Uri("http://h/%7Ea").compare("http://h:80/~a")
    /// >>> found.rung, [(one.part, one.kind) for one in found.differences]
    /// ('scheme', [('port', 'port'), ('path', 'escape')])
    fn compare<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let other = Self::parse(other, Some(self.edition.name), false)?;
        let (first, second) = (self.read(py)?, other.read(py)?);
        let found = locator::compare(first, second).map_err(|error| error.raise(py))?;
        let class = Record::Difference.class(py)?;
        let differences = found.differences.iter().map(|one| {
            let (first, second) = (&first.as_str()[one.first.range()], &second.as_str()[one.second.range()]);
            class.call1((one.component.name(), one.kind.name(), first, second))
        });
        let differences = PyTuple::new(py, differences.collect::<PyResult<Vec<_>>>()?)?;
        Record::Comparison.class(py)?.call1((found.rung.map(locator::Rung::name), differences))
    }

    /// Raise `ParseError` if the URL breaks the rule of its scheme, such as the type of an ftp URL.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("ftp://h/a;type=x", edition="rfc1738").check_scheme()
    /// Traceback (most recent call last):
    /// ...
    /// locator_uri.ParseError: "x" is not allowed in the path, at offset 15 (ftptype, RFC 1738, 3.2.2)
    fn check_scheme(&self, py: Python<'_>) -> PyResult<()> {
        let found = self.read(py)?.check_scheme();
        found.map_err(|error| error::invalid(py, &Input::Str(self.text(py).clone()), error))
    }

    /// Return the text with secrets hidden, for logs. `repr` shows it, too.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("ftp://jan:secret@h/").redacted()
    /// 'ftp://jan:(hidden)@h/'
    fn redacted(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.read(py)?.redacted().to_string())
    }

    /// Return an IRI as a URI (RFC 3987, 3.1): other characters than ASCII are percent-encoded, in
    /// hosts too, unless `idna` is true.
    ///
    /// >>> from locator_uri import UriRef
    /// >>> UriRef("http://bücher.example/é", edition="rfc3987").to_uri(idna=True)
    /// Uri('http://xn--bcher-kva.example/%C3%A9')
    #[pyo3(signature = (*, idna = false))]
    fn to_uri<'py>(slf: &Bound<'py, Self>, idna: bool) -> PyResult<Bound<'py, Self>> {
        let (py, this) = (slf.py(), slf.get());
        let reference = this.read(py)?;
        let made = match idna {
            true => reference.to_uri_with_idna().map_err(|error| error.raise(py))?,
            false => reference.to_uri_form().map_err(|error| error.raise(py))?,
        };
        same_class(slf, made.as_uri_ref())
    }

    /// Return a URI as an IRI (RFC 3987, 3.2): what is percent-encoded UTF-8 is decoded.
    ///
    /// >>> from locator_uri import UriRef
    /// >>> UriRef("http://h/%C3%A9").to_iri().path
    /// '/é'
    fn to_iri<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let (py, this) = (slf.py(), slf.get());
        let made = this.read(py)?.to_iri_form().map_err(|error| error.raise(py))?;
        same_class(slf, made.as_uri_ref())
    }

    /// Return what is dangerous in this URL, as the function `audit`.
    #[pyo3(signature = (*, least = "low"))]
    fn audit<'py>(&self, py: Python<'py>, least: &str) -> PyResult<Bound<'py, PyList>> {
        audit::findings(&Input::Str(self.text(py).clone()), py, self.edition, least)
    }

    /// Return which server each program contacts for this URL, as the function `readings`.
    fn readings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        audit::contacts(&Input::Str(self.text(py).clone()), py, self.edition)
    }

    fn __str__<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.text(py).clone()
    }

    fn __format__<'py>(&self, py: Python<'py>, spec: &str) -> PyResult<Bound<'py, PyAny>> {
        self.text(py).call_method1("__format__", (spec,))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.text(py).to_str()?.as_bytes()))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (py, this) = (slf.py(), slf.get());
        let shown = PyString::new(py, &this.redacted(py)?).repr()?;
        let class = slf.get_type().name()?;
        Ok(match this.edition.is_default() {
            true => format!("{class}({shown})"),
            false => format!("{class}({shown}, edition='{}')", this.edition.name),
        })
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.text(py).hash()
    }

    fn __richcmp__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Ok(other) = other.cast::<Self>() else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        let (first, second) = (self.text(py).to_str()?, other.get().text(py).to_str()?);
        op.matches(first.cmp(second)).into_bound_py_any(py)
    }

    /// Return the same object: it never changes. One of a subclass, which may have attributes, is copied.
    fn __copy__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        if has_own_class(&slf) {
            return Ok(slf);
        }
        let copy = restored(&slf.get_type(), slf.get().text(slf.py()), slf.get().edition_name())?;
        set_state(&copy, slf.call_method0("__getstate__")?)?;
        Ok(copy)
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, memo: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        if has_own_class(&slf) {
            return Ok(slf);
        }
        let py = slf.py();
        let copy = restored(&slf.get_type(), slf.get().text(py), slf.get().edition_name())?;
        let state = slf.call_method0("__getstate__")?;
        set_state(&copy, py.import("copy")?.call_method1("deepcopy", (state, memo))?)?;
        Ok(copy)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        let restore = py.import("locator_uri._native")?.getattr("_restore")?;
        let arguments = (slf.get_type(), this.text(py), this.edition.name);
        if has_own_class(slf) {
            return (restore, arguments).into_pyobject(py);
        }
        (restore, arguments, slf.call_method0("__getstate__")?).into_pyobject(py)
    }

    #[classmethod]
    fn __get_pydantic_core_schema__<'py>(
        cls: &Bound<'py, PyType>,
        _source: &Bound<'py, PyAny>,
        _handler: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        cls.py().import("locator_uri._pydantic")?.call_method1("schema", (cls,))
    }
}
