//! The classes of `locator_uri.whatwg`: `URL` and `URLSearchParams` of JavaScript (URL Standard, "API"),
//! and the validation errors of a text.
//!
//! Attributes have JavaScript's names, values and setters: "The host setter … does nothing" where a value
//! does not fit. A lone surrogate of a `str` is U+FFFD, as in every USVString.

use locator_whatwg::{SearchParams, Url as Parsed, ValidationError, ValidationErrorKind, quirks, validate};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyIterator, PyList, PyMapping, PyString, PyTuple, PyType};

use crate::error::impossible;
use crate::input::{Characters, Input};
use crate::records::Record;
use crate::reference::UriRef;

/// A URL as browsers read it (URL Standard), with the attributes of JavaScript's `URL`.
///
/// The text is rewritten when it is parsed. `base` is the URL of the page that a relative URL is in.
///
/// >>> from locator_uri.whatwg import URL
/// >>> url = URL(r"..\b c|d?f[]=1", base="https://Example.com:443/a/")
/// >>> url.href
/// 'https://example.com/b%20c|d?f[]=1'
/// >>> url.host, url.pathname, url.search_params.get("f[]")
/// ('example.com', '/b%20c|d', '1')
///
/// Attributes can be set, as in JavaScript: a value that is not possible changes nothing. So an object is
/// mutable and not hashable; `url.href` is the key for a dictionary.
///
/// >>> url.port, url.hash = 8080, "top"
/// >>> url.port = "none"
/// >>> url
/// URL('https://example.com:8080/b%20c|d?f[]=1#top')
///
/// A text that is no URL is a `ParseError`, whose rule is the validation error of the standard:
///
/// >>> URL("http://")
/// Traceback (most recent call last):
/// ...
/// locator_uri.ParseError: the host is missing, at offset 7 (host-missing, URL Standard)
#[pyclass(subclass, name = "URL", module = "locator_uri.whatwg")]
pub(crate) struct Url {
    url: Parsed,
}

/// Returns the text of a URL that is given.
fn text_of(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(url) = given.cast::<Url>() {
        return Ok(url.try_borrow()?.url.as_str().to_owned());
    }
    if given.is_instance_of::<PyString>() || given.is_instance_of::<UriRef>() {
        return Ok(Input::new(given)?.lossy()?.into_owned());
    }
    let name = given.get_type().name()?;
    Err(PyTypeError::new_err(format!("expected str, URL or UriRef, not {name}")))
}

/// Returns the text of a value: a `str` or a number.
fn data(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if given.is_instance_of::<PyString>() {
        return Ok(Input::new(given)?.lossy()?.into_owned());
    }
    let is_number = given.is_instance_of::<PyInt>() || given.is_instance_of::<PyFloat>();
    if is_number && !given.is_instance_of::<PyBool>() {
        return Ok(given.str()?.to_str()?.to_owned());
    }
    let name = given.get_type().name()?;
    Err(PyTypeError::new_err(format!("expected str, int or float, not {name}")))
}

/// Parses a text with a base.
fn parsed(given: &Bound<'_, PyAny>, base: Option<&Bound<'_, PyAny>>) -> PyResult<Parsed> {
    let base = base.map(|base| parsed(base, None)).transpose()?;
    let text = text_of(given)?;
    let url = Parsed::options().base_url(base.as_ref()).parse(&text);
    url.map_err(|error| invalid(given, &text, base.as_ref(), &error).unwrap_or_else(|failed| failed))
}

/// Returns the exception for a text that is not a URL.
fn invalid(
    given: &Bound<'_, PyAny>,
    text: &str,
    base: Option<&Parsed>,
    error: &locator_whatwg::ParseError,
) -> PyResult<PyErr> {
    let py = given.py();
    let errors = validate(text, base);
    let Some(failure) = errors.iter().rfind(|error| error.is_failure()) else {
        return Ok(impossible(py, error, None, Some("URL Standard")));
    };
    let (span, mut characters) = (failure.span(), Characters::new(text.as_bytes(), true));
    let (start, end) = (characters.until(span.start), characters.until(span.end));
    let found = text.get(span.clone()).and_then(|found| found.chars().next());
    let arguments = (
        PyString::new(py, text),
        "whatwg",
        message(failure),
        part(failure.kind()),
        failure.kind().name(),
        found.map_or_else(|| "the end".to_owned(), |found| format!("\"{}\"", found.escape_debug())),
        "URL Standard",
        start,
        end - start,
        span.start,
        span.end - span.start,
    );
    Ok(PyErr::from_value(Record::ParseError.class(py)?.call1(arguments)?))
}

/// Returns the sentence of an error, without place and name.
fn message(error: &ValidationError) -> String {
    let (whole, name) = (error.to_string(), error.kind().name());
    let ending = format!(", at byte {} ({name}, URL Standard)", error.span().start);
    whole.strip_suffix(&ending).unwrap_or(&whole).to_owned()
}

/// Returns the component that a failure is in.
fn part(kind: ValidationErrorKind) -> &'static str {
    match kind {
        ValidationErrorKind::PortOutOfRange | ValidationErrorKind::PortInvalid => "port",
        ValidationErrorKind::MissingSchemeNonRelativeUrl => "scheme",
        _ => "host",
    }
}

/// Return the drawing of the error of a text, for `ParseError.report`.
#[pyfunction]
pub(crate) fn _report_whatwg(text: &str, message: &str, rule: &str, offset: usize, length: usize) -> String {
    let end = (offset + length).min(text.len());
    let width = text.get(offset..end).map_or(0, |wrong| wrong.chars().count()).max(1);
    let before = text.get(..offset).map_or(0, |before| before.chars().count());
    let (shown, space, carets) = (shown(text), " ".repeat(before), "^".repeat(width));
    format!("{message}\n  {shown}\n  {space}{carets} byte {offset}\n  by {rule}, URL Standard")
}

/// Returns a text with "*" for a user and password, and U+FFFD for what a terminal does not show, so that
/// each character keeps its place.
fn shown(text: &str) -> String {
    let is_slash = ['/', '\\'];
    let start = match text.find(':') {
        Some(colon) => text.len() - text[colon + 1..].trim_start_matches(is_slash).len(),
        None => 0,
    };
    let end = text[start..].find(['?', '#']).map_or(text.len(), |end| start + end);
    let secret = match text[start..end].rfind('@') {
        Some(at) => start..start + at,
        None => start..start,
    };
    let character = |(place, c): (usize, char)| match c {
        _ if secret.contains(&place) => '*',
        c if c.is_control() => '\u{FFFD}',
        c => c,
    };
    text.char_indices().map(character).collect()
}

/// Return every validation error of a text, as the standard names them; none for a valid URL string.
///
/// Positions are in characters and in bytes of UTF-8. Browsers repair what is no failure.
///
/// >>> from locator_uri.whatwg import validate
/// >>> for error in validate("https://jan@é.example/a|b"):
/// ...     print(error.name, error.start, error.end, error.is_failure)
/// invalid-credentials 11 12 False
/// invalid-URL-unit 23 24 False
/// >>> validate("https://example.com/a")
/// []
#[pyfunction]
#[pyo3(name = "validate", signature = (text, /, base = None))]
pub(crate) fn validation<'py>(
    text: &Bound<'py, PyAny>,
    base: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = text.py();
    let base = base.map(|base| parsed(base, None)).transpose()?;
    let text = text_of(text)?;
    let (class, found) = (Record::ValidationError.class(py)?, PyList::empty(py));
    let mut characters = Characters::new(text.as_bytes(), true);
    for error in validate(&text, base.as_ref()) {
        let span = error.span();
        let (start, end) = (characters.until(span.start), characters.until(span.end));
        let name = error.kind().name();
        let fields = (name, message(&error), start, end, span.start, span.end, error.is_failure());
        found.append(class.call1(fields)?)?;
    }
    Ok(found)
}

/// Return the ASCII form of a domain, as browsers look it up; "" if it is not valid.
///
/// >>> from locator_uri.whatwg import domain_to_ascii
/// >>> domain_to_ascii("Bücher.example"), domain_to_ascii("a b")
/// ('xn--bcher-kva.example', '')
#[pyfunction]
#[pyo3(signature = (domain, /))]
pub(crate) fn domain_to_ascii(domain: &Bound<'_, PyString>) -> PyResult<String> {
    Ok(quirks::domain_to_ascii(&data(domain)?))
}

/// Return the Unicode form of a domain, for people; the domain itself where that is not valid.
///
/// >>> from locator_uri.whatwg import domain_to_unicode
/// >>> domain_to_unicode("xn--bcher-kva.example")
/// 'bücher.example'
#[pyfunction]
#[pyo3(signature = (domain, /))]
pub(crate) fn domain_to_unicode(domain: &Bound<'_, PyString>) -> PyResult<String> {
    Ok(quirks::domain_to_unicode(&data(domain)?))
}

#[pymethods]
impl Url {
    #[new]
    #[pyo3(signature = (text, /, base = None))]
    fn new(text: &Bound<'_, PyAny>, base: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Self { url: parsed(text, base)? })
    }

    /// Return the URL of a text, or `None` if it is not one.
    ///
    /// >>> from locator_uri.whatwg import URL
    /// >>> URL.parse("/a", "https://h/"), URL.parse("/a")
    /// (URL('https://h/a'), None)
    #[classmethod]
    #[pyo3(signature = (text, /, base = None))]
    fn parse<'py>(
        cls: &Bound<'py, PyType>,
        text: &Bound<'py, PyAny>,
        base: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = cls.py();
        match cls.call1((text, base)) {
            Ok(url) => Ok(Some(url)),
            Err(error) if error.get_type(py).is(Record::ParseError.class(py)?) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Return whether a text is a URL.
    ///
    /// >>> from locator_uri.whatwg import URL
    /// >>> URL.can_parse("http://h/a|b"), URL.can_parse("/a|b"), URL.can_parse("/a|b", "http://h/")
    /// (True, False, True)
    #[staticmethod]
    #[pyo3(signature = (text, /, base = None))]
    fn can_parse(text: &Bound<'_, PyAny>, base: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        let text = text_of(text)?;
        let Some(base) = base else { return Ok(Parsed::can_parse(&text)) };
        let base = Parsed::parse(&text_of(base)?);
        Ok(base.is_ok_and(|base| base.join(&text).is_ok()))
    }

    /// `can_parse`, as JavaScript spells it.
    #[staticmethod]
    #[pyo3(name = "canParse", signature = (text, /, base = None))]
    fn can_parse_as_in_javascript(
        text: &Bound<'_, PyAny>,
        base: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        Self::can_parse(text, base)
    }

    /// The whole URL. To set it to what is not a URL raises a `ParseError`.
    #[getter]
    fn href(&self) -> &str {
        quirks::href(&self.url)
    }

    #[setter]
    fn set_href(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.url = parsed(value, None)?;
        Ok(())
    }

    /// Scheme, host and port of the page: "null" for what shares nothing, such as `data:`.
    #[getter]
    fn origin(&self) -> String {
        quirks::origin(&self.url)
    }

    /// The scheme with its ":".
    #[getter]
    fn protocol(&self) -> &str {
        quirks::protocol(&self.url)
    }

    #[setter]
    fn set_protocol(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        // A value that is not possible changes nothing, here and below.
        let _ = quirks::set_protocol(&mut self.url, &data(value)?);
        Ok(())
    }

    /// The user, percent-encoded.
    #[getter]
    fn username(&self) -> &str {
        quirks::username(&self.url)
    }

    #[setter]
    fn set_username(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = quirks::set_username(&mut self.url, &data(value)?);
        Ok(())
    }

    /// The password, percent-encoded.
    #[getter]
    fn password(&self) -> &str {
        quirks::password(&self.url)
    }

    #[setter]
    fn set_password(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = quirks::set_password(&mut self.url, &data(value)?);
        Ok(())
    }

    /// The host and, unless it is the default, the port.
    #[getter]
    fn host(&self) -> &str {
        quirks::host(&self.url)
    }

    #[setter]
    fn set_host(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = quirks::set_host(&mut self.url, &data(value)?);
        Ok(())
    }

    /// The host without the port: a domain in ASCII, or an address; one of IPv6 is in brackets.
    #[getter]
    fn hostname(&self) -> &str {
        quirks::hostname(&self.url)
    }

    #[setter]
    fn set_hostname(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = quirks::set_hostname(&mut self.url, &data(value)?);
        Ok(())
    }

    /// The port as a `str`; "" if it is the default. It can be set to an `int`.
    #[getter]
    fn port(&self) -> &str {
        quirks::port(&self.url)
    }

    #[setter]
    fn set_port(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = quirks::set_port(&mut self.url, &data(value)?);
        Ok(())
    }

    /// The path, percent-encoded.
    #[getter]
    fn pathname(&self) -> &str {
        quirks::pathname(&self.url)
    }

    #[setter]
    fn set_pathname(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        quirks::set_pathname(&mut self.url, &data(value)?);
        Ok(())
    }

    /// "?" and the query; "" if that is empty.
    #[getter]
    fn search(&self) -> &str {
        quirks::search(&self.url)
    }

    #[setter]
    fn set_search(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        quirks::set_search(&mut self.url, &data(value)?);
        Ok(())
    }

    /// "#" and the fragment; "" if that is empty.
    #[getter]
    fn hash(&self) -> &str {
        quirks::hash(&self.url)
    }

    #[setter]
    fn set_hash(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        quirks::set_hash(&mut self.url, &data(value)?);
        Ok(())
    }

    /// The names and values of the query. To change them changes the URL.
    ///
    /// >>> from locator_uri.whatwg import URL
    /// >>> url = URL("https://h/?q=1&utm_source=x")
    /// >>> url.search_params.delete("utm_source")
    /// >>> url.search_params.append("tag", "a b")
    /// >>> url.href
    /// 'https://h/?q=1&tag=a+b'
    #[getter]
    fn search_params(slf: &Bound<'_, Self>) -> UrlSearchParams {
        UrlSearchParams { url: Some(slf.clone().unbind()), own: SearchParams::new() }
    }

    /// `search_params`, as JavaScript spells it.
    #[getter(searchParams)]
    fn search_params_as_in_javascript(slf: &Bound<'_, Self>) -> UrlSearchParams {
        Self::search_params(slf)
    }

    /// Return `href`, as `JSON.stringify` does.
    #[pyo3(name = "toJSON")]
    fn to_json(&self) -> &str {
        self.href()
    }

    fn __str__(&self) -> &str {
        self.href()
    }

    /// The text without password and tokens.
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let redacted = locator_audit::redacted(slf.try_borrow()?.href()).to_string();
        Ok(format!("{}({})", slf.get_type().name()?, PyString::new(slf.py(), &redacted).repr()?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match other.cast::<Self>() {
            Ok(other) => {
                let is_equal = self.url == other.try_borrow()?.url;
                Ok(PyBool::new(py, is_equal).to_owned().into_any().unbind())
            }
            Err(_) => Ok(py.NotImplemented()),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, class, href) = (slf.py(), slf.get_type(), slf.try_borrow()?.href().to_owned());
        // A subclass may have an `__init__` with other arguments, and attributes.
        let new = py.import("copyreg")?.getattr("__newobj__")?;
        (new, (class, href), slf.call_method0("__getstate__")?).into_pyobject(py)
    }
}

/// The names and values of a query, decoded, in their order: those of a URL, or of their own.
///
/// `init` is a query, a mapping, pairs, or another `URLSearchParams`.
///
/// >>> from locator_uri.whatwg import URLSearchParams
/// >>> params = URLSearchParams("?q=a+b&tag=x&tag=%C3%A9")
/// >>> params.get("q"), params.get_all("tag"), params.get("none")
/// ('a b', ['x', 'é'], None)
/// >>> params.set("tag", 1)
/// >>> str(params), list(params)
/// ('q=a+b&tag=1', [('q', 'a b'), ('tag', '1')])
#[pyclass(name = "URLSearchParams", module = "locator_uri.whatwg")]
pub(crate) struct UrlSearchParams {
    /// The URL whose query it is.
    url: Option<Py<Url>>,
    /// The pairs, if they are of no URL.
    own: SearchParams,
}

impl UrlSearchParams {
    /// Returns the pairs. Those of a URL are in its query: what is written there reads as the same pairs.
    fn read(&self, py: Python<'_>) -> PyResult<SearchParams> {
        match &self.url {
            Some(url) => Ok(url.bind(py).try_borrow()?.url.search_params()),
            None => Ok(self.own.clone()),
        }
    }

    fn change(&mut self, py: Python<'_>, change: impl FnOnce(&mut SearchParams)) -> PyResult<()> {
        let Some(url) = &self.url else {
            change(&mut self.own);
            return Ok(());
        };
        let mut url = url.bind(py).try_borrow_mut()?;
        let mut params = url.url.search_params();
        change(&mut params);
        url.url.set_search_params(&params);
        Ok(())
    }

    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.read(py)?.iter())
    }
}

/// Returns the pairs that the constructor is given.
fn pairs_of(init: &Bound<'_, PyAny>) -> PyResult<SearchParams> {
    if init.is_instance_of::<PyString>() {
        return Ok(SearchParams::parse(&data(init)?));
    }
    if let Ok(params) = init.cast::<UrlSearchParams>() {
        return params.try_borrow()?.read(init.py());
    }
    let mut params = SearchParams::new();
    if let Ok(mapping) = init.cast::<PyMapping>() {
        for pair in mapping.items()? {
            let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            params.append(data(&name)?, data(&value)?);
        }
        return Ok(params);
    }
    for pair in init.try_iter()? {
        let pair: Vec<Bound<'_, PyAny>> = pair?.extract()?;
        let [name, value] = &pair[..] else {
            return Err(PyTypeError::new_err("expected pairs of a name and a value"));
        };
        params.append(data(name)?, data(value)?);
    }
    Ok(params)
}

#[pymethods]
impl UrlSearchParams {
    #[new]
    #[pyo3(signature = (init = None, /))]
    fn new(init: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let own = init.map(pairs_of).transpose()?.unwrap_or_default();
        Ok(Self { url: None, own })
    }

    /// The number of pairs.
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.read(py)?.len())
    }

    /// Add a pair at the end.
    fn append(&mut self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = data(value)?;
        self.change(py, |params| {
            params.append(name, value);
        })
    }

    /// Remove all pairs with a name, or only those with this value.
    #[pyo3(signature = (name, value = None))]
    fn delete(&mut self, py: Python<'_>, name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let value = value.map(data).transpose()?;
        self.change(py, |params| {
            match value {
                Some(value) => params.delete_value(name, &value),
                None => params.delete(name),
            };
        })
    }

    /// Return the value of the first pair with a name, or `None`.
    fn get(&self, py: Python<'_>, name: &str) -> PyResult<Option<String>> {
        Ok(self.read(py)?.get(name).map(str::to_owned))
    }

    /// Return the values of all pairs with a name.
    fn get_all<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.read(py)?.get_all(name))
    }

    /// `get_all`, as JavaScript spells it.
    #[pyo3(name = "getAll")]
    fn get_all_as_in_javascript<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        self.get_all(py, name)
    }

    /// Return whether there is a pair with a name, or with this name and value.
    #[pyo3(signature = (name, value = None))]
    fn has(&self, py: Python<'_>, name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        let params = self.read(py)?;
        Ok(match value.map(data).transpose()? {
            Some(value) => params.has_value(name, &value),
            None => params.has(name),
        })
    }

    /// Set the value of the first pair with a name and remove the others, or add a pair.
    fn set(&mut self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = data(value)?;
        self.change(py, |params| {
            params.set(name, value);
        })
    }

    /// Sort the pairs by their names; those with one name keep their order.
    fn sort(&mut self, py: Python<'_>) -> PyResult<()> {
        self.change(py, |params| {
            params.sort();
        })
    }

    /// Return the pairs.
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.pairs(py)
    }

    /// Return the names, one for each pair.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.read(py)?.iter().map(|(name, _)| name))
    }

    /// Return the values, one for each pair.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.read(py)?.iter().map(|(_, value)| value))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.pairs(py)?.try_iter()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.size(py)
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        Ok(self.read(py)?.has(name))
    }

    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        self.get(py, name)?.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.read(py)?.to_string())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("URLSearchParams({})", self.pairs(py)?.repr()?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match other.cast::<Self>() {
            Ok(other) => {
                let is_equal = self.read(py)? == other.try_borrow()?.read(py)?;
                Ok(PyBool::new(py, is_equal).to_owned().into_any().unbind())
            }
            Err(_) => Ok(py.NotImplemented()),
        }
    }

    /// A copy has the pairs of its own.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, pairs) = (slf.py(), slf.try_borrow()?.pairs(slf.py())?);
        (slf.get_type(), (pairs,)).into_pyobject(py)
    }
}
