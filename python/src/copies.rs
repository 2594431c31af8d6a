//! Changed copies under the names of yarl, httpx, hyperlink and furl: `with_host`, `update_query`,
//! `joinpath`, `copy_with` and others. Each is a short form of what `methods.rs` or `edit.rs` does.
//!
//! Where the packages differ, the method does what the package does that has its name, except that
//! nothing is decoded or normalized.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyType};

use crate::edit;
use crate::error::Raise;
use crate::methods::spaces;
use crate::reference::{Uri, UriRef, object, same_class};

type Changed<'py> = PyResult<Bound<'py, UriRef>>;

#[pymethods]
impl UriRef {
    /// Return the URL with another scheme.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/a").with_scheme("https")
    /// Uri('https://h/a')
    fn with_scheme<'py>(slf: &Bound<'py, Self>, scheme: &str) -> Changed<'py> {
        edit::with_component(slf, "scheme", Some(scheme), "")
    }

    /// Return the URL with another user, or without user and password.
    ///
    /// Escapes such as "%40" stay, and what the user information does not allow is escaped.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("ftp://h/").with_user("jan").with_password("p@ss")
    /// Uri('ftp://jan:(hidden)@h/')
    #[pyo3(signature = (user))]
    fn with_user<'py>(slf: &Bound<'py, Self>, user: Option<&str>) -> Changed<'py> {
        match user {
            None => edit::with_component(slf, "userinfo", None, ""),
            user => edit::with_component(slf, "user", user, ":/?#@[]"),
        }
    }

    /// Return the URL with another password, or without one.
    #[pyo3(signature = (password))]
    fn with_password<'py>(slf: &Bound<'py, Self>, password: Option<&str>) -> Changed<'py> {
        edit::with_component(slf, "password", password, "/?#@[]")
    }

    /// Return the URL with another host: a name, or an address. An IPv6 address needs no brackets, and a
    /// name beyond ASCII is written as DNS has it (Punycode).
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/a").with_host("::1"), Uri("http://h/a").with_host("bücher.example")
    /// (Uri('http://[::1]/a'), Uri('http://xn--bcher-kva.example/a'))
    fn with_host<'py>(slf: &Bound<'py, Self>, host: &str) -> Changed<'py> {
        edit::with_host(slf, host)
    }

    /// Return the URL with another port, or without one.
    #[pyo3(signature = (port))]
    fn with_port<'py>(slf: &Bound<'py, Self>, port: Option<&Bound<'py, PyAny>>) -> Changed<'py> {
        let py = slf.py();
        let none = py.None().into_bound(py);
        edit::changed(slf, |edit| edit::set_component(edit, "port", port.unwrap_or(&none), false))
    }

    /// Return the URL with another path, and without query and fragment unless they are kept.
    ///
    /// Escapes such as "%20" stay, and what a path does not allow is escaped. `with_(path=…)` keeps query
    /// and fragment.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/a?q#top").with_path("/b c/50%")
    /// Uri('http://h/b%20c/50%25')
    /// >>> Uri("http://h/a?q#top").with_path("/b", keep_query=True)
    /// Uri('http://h/b?q')
    #[pyo3(signature = (path, *, keep_query = false, keep_fragment = false))]
    fn with_path<'py>(
        slf: &Bound<'py, Self>,
        path: &str,
        keep_query: bool,
        keep_fragment: bool,
    ) -> Changed<'py> {
        edit::with_path(slf, path, keep_query, keep_fragment)
    }

    /// Return the URL with another last segment, which is data, and without query and fragment.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/a/b.txt?q").with_name("50%.txt")
    /// Uri('http://h/a/50%25.txt')
    fn with_name<'py>(slf: &Bound<'py, Self>, name: &str) -> Changed<'py> {
        edit::with_name(slf, name)
    }

    /// Return the URL with another suffix of its last segment; "" removes it.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/a.tar.gz").with_suffix(".xz")
    /// Uri('http://h/a.tar.xz')
    fn with_suffix<'py>(slf: &Bound<'py, Self>, suffix: &str) -> Changed<'py> {
        let is_suffix = suffix.is_empty() || (suffix.starts_with('.') && suffix.len() > 1);
        if !is_suffix || suffix.contains('/') {
            return Err(PyValueError::new_err(format!("{suffix:?} is not a suffix: one is \".txt\"")));
        }
        let (name, old) = (slf.get().name(slf.py())?, slf.get().suffix(slf.py())?);
        if name.is_empty() {
            return Err(PyValueError::new_err("the URL has no name: its path is empty or ends in \"/\""));
        }
        let stem = &name[..name.len() - old.len()];
        edit::with_name(slf, &format!("{stem}{suffix}"))
    }

    /// Return the URL with another query: a text, a mapping, pairs, or keywords; `None` removes it.
    ///
    /// A value is a `str`, a number, `None` for a name without "=", or a list of these.
    ///
    /// >>> from locator_uri import Uri
    /// >>> uri = Uri("http://h/?old")
    /// >>> uri.with_query({"q": "a b", "tag": ["x", "y"]}), uri.with_query("q=a%20b"), uri.with_query(page=2)
    /// (Uri('http://h/?q=a+b&tag=x&tag=y'), Uri('http://h/?q=a%20b'), Uri('http://h/?page=2'))
    #[pyo3(signature = (params = None, /, **more))]
    fn with_query<'py>(
        slf: &Bound<'py, Self>,
        params: Option<&Bound<'py, PyAny>>,
        more: Option<&Bound<'py, PyDict>>,
    ) -> Changed<'py> {
        edit::with_query(slf, params, more)
    }

    /// Return the URL with pairs set in its query: those of the same names are replaced, new names are
    /// appended. `uri % params` is the same.
    ///
    /// >>> from locator_uri import Uri
    /// >>> uri = Uri("http://h/?page=1&q=a")
    /// >>> uri.update_query({"page": 2}), uri.update_query(page=3), uri % {"n": "x y"}
    /// (Uri('http://h/?page=2&q=a'), Uri('http://h/?page=3&q=a'), Uri('http://h/?page=1&q=a&n=x+y'))
    #[pyo3(signature = (params = None, /, **more))]
    fn update_query<'py>(
        slf: &Bound<'py, Self>,
        params: Option<&Bound<'py, PyAny>>,
        more: Option<&Bound<'py, PyDict>>,
    ) -> Changed<'py> {
        edit::update_query(slf, params, more)
    }

    /// Return the URL with pairs appended to its query; pairs of the same names stay.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/?a=1").extend_query([("a", 2), ("b", None)])
    /// Uri('http://h/?a=1&a=2&b')
    #[pyo3(signature = (params = None, /, **more))]
    fn extend_query<'py>(
        slf: &Bound<'py, Self>,
        params: Option<&Bound<'py, PyAny>>,
        more: Option<&Bound<'py, PyDict>>,
    ) -> Changed<'py> {
        edit::extend_query(slf, params, more)
    }

    /// Return the URL with a pair appended to its query; `None` as the value means no "=".
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/?a=1").append_query("a", "x&y")
    /// Uri('http://h/?a=1&a=x%26y')
    #[pyo3(signature = (name, value = None))]
    fn append_query<'py>(
        slf: &Bound<'py, Self>,
        name: &str,
        value: Option<&Bound<'py, PyAny>>,
    ) -> Changed<'py> {
        edit::append_query(slf, name, value)
    }

    /// Return the URL without the pairs of these names, as `without_query_params`.
    #[pyo3(signature = (*names))]
    fn remove_query<'py>(slf: &Bound<'py, Self>, names: Vec<String>) -> Changed<'py> {
        Self::without_query_params(slf, names)
    }

    /// Return the URL with another fragment, or without one. Escapes stay, as in `with_path`.
    #[pyo3(signature = (fragment))]
    fn with_fragment<'py>(slf: &Bound<'py, Self>, fragment: Option<&str>) -> Changed<'py> {
        edit::with_component(slf, "fragment", fragment, "#")
    }

    /// Return the URL with relative paths appended to its path, and without query and fragment.
    /// `uri / path` is the same for one.
    ///
    /// "/" divides segments, which are data: "%" and "?" are escaped. "..", which would leave the path, is
    /// an error. `append_segments` escapes "/", too, and keeps query and fragment.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/api?v=1").joinpath("users", "50%/a b")
    /// Uri('http://h/api/users/50%25/a%20b')
    #[pyo3(signature = (*paths))]
    fn joinpath<'py>(slf: &Bound<'py, Self>, paths: Vec<String>) -> Changed<'py> {
        let paths = paths.iter().map(String::as_str).collect::<Vec<_>>();
        edit::with_path_appended(slf, &paths)
    }

    /// Return the URL with segments appended to its path, as `append_segments`.
    #[pyo3(signature = (*segments))]
    fn child<'py>(slf: &Bound<'py, Self>, segments: Vec<String>) -> Changed<'py> {
        Self::append_segments(slf, segments)
    }

    /// Return the URL with components replaced, as `with_`.
    #[pyo3(signature = (**components))]
    fn replace<'py>(slf: &Bound<'py, Self>, components: Option<&Bound<'py, PyDict>>) -> Changed<'py> {
        Self::with_(slf, false, components)
    }

    /// Return the URL with components replaced, as `with_`.
    #[pyo3(signature = (**components))]
    fn copy_with<'py>(slf: &Bound<'py, Self>, components: Option<&Bound<'py, PyDict>>) -> Changed<'py> {
        Self::with_(slf, false, components)
    }

    #[pyo3(signature = (**components))]
    fn __replace__<'py>(slf: &Bound<'py, Self>, components: Option<&Bound<'py, PyDict>>) -> Changed<'py> {
        Self::with_(slf, false, components)
    }

    /// Return the URL with one pair of a name, as `update_query`.
    fn copy_set_param<'py>(slf: &Bound<'py, Self>, key: &str, value: &Bound<'py, PyAny>) -> Changed<'py> {
        Self::set(slf, key, Some(value))
    }

    /// Return the URL with a pair appended to its query, as `append_query`.
    fn copy_add_param<'py>(slf: &Bound<'py, Self>, key: &str, value: &Bound<'py, PyAny>) -> Changed<'py> {
        edit::append_query(slf, key, Some(value))
    }

    /// Return the URL without the pairs of a name, as `without_query_params`.
    fn copy_remove_param<'py>(slf: &Bound<'py, Self>, key: String) -> Changed<'py> {
        Self::without_query_params(slf, vec![key])
    }

    /// Return the URL with pairs set in its query, as `update_query`.
    fn copy_merge_params<'py>(slf: &Bound<'py, Self>, params: &Bound<'py, PyAny>) -> Changed<'py> {
        edit::update_query(slf, Some(params), None)
    }

    /// Return the URL with a pair appended to its query, as `append_query`.
    #[pyo3(signature = (name, value = None))]
    fn add<'py>(slf: &Bound<'py, Self>, name: &str, value: Option<&Bound<'py, PyAny>>) -> Changed<'py> {
        edit::append_query(slf, name, value)
    }

    /// Return the URL with one pair of a name, as `update_query`.
    #[pyo3(signature = (name, value = None))]
    fn set<'py>(slf: &Bound<'py, Self>, name: &str, value: Option<&Bound<'py, PyAny>>) -> Changed<'py> {
        let (py, pair) = (slf.py(), PyDict::new(slf.py()));
        pair.set_item(name, value.cloned().unwrap_or_else(|| py.None().into_bound(py)))?;
        edit::update_query(slf, Some(&pair), None)
    }

    /// Return the URL without the pairs of a name, as `without_query_params`.
    fn remove<'py>(slf: &Bound<'py, Self>, name: String) -> Changed<'py> {
        Self::without_query_params(slf, vec![name])
    }

    /// Return all values of a name in the query, decoded; a value is `None` without "=".
    ///
    /// >>> from locator_uri import UriRef
    /// >>> UriRef("?q=a+b&q").get("q")
    /// ['a b', None]
    fn get(&self, py: Python<'_>, name: &str) -> PyResult<Vec<Option<String>>> {
        edit::query_values(self.read(py)?, name)
    }

    /// Return the names and values of the query, decoded; a value is "" without "=".
    ///
    /// >>> from locator_uri import UriRef
    /// >>> UriRef("?q=a+b&flag").query_pairs()
    /// [('q', 'a b'), ('flag', '')]
    #[pyo3(signature = (*, spaces = "plus"))]
    fn query_pairs<'py>(&self, py: Python<'py>, spaces: &str) -> PyResult<Bound<'py, PyList>> {
        edit::query_pairs(py, self.read(py)?, self::spaces(spaces)?)
    }

    /// The last segment of the path, decoded; "" if the path is empty or ends in "/".
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        let path = self.read(py)?.path();
        let last = path.segments().next_back();
        Ok(last.map(|segment| segment.decode_utf8_lossy().into_owned()).unwrap_or_default())
    }

    /// The suffix of `name`, with its ".": "" if there is none.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/a.tar.gz?q").suffix
    /// '.gz'
    #[getter]
    fn suffix(&self, py: Python<'_>) -> PyResult<String> {
        let name = self.name(py)?;
        let dot = name.rfind('.').filter(|&dot| dot > 0 && dot + 1 < name.len());
        Ok(dot.map(|dot| name[dot..].to_owned()).unwrap_or_default())
    }

    /// The URL without the last segment of its path, and without query and fragment. What ends in "/" has
    /// an empty last segment.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/a/b?q").parent, Uri("http://h/a").parent
    /// (Uri('http://h/a'), Uri('http://h/'))
    #[getter]
    fn parent<'py>(slf: &Bound<'py, Self>) -> Changed<'py> {
        let path = slf.get().path(slf.py())?.extract::<String>()?;
        let end = match path.rfind('/') {
            Some(0) => 1,
            Some(end) => end,
            None => 0,
        };
        edit::with_path(slf, &path[..end], false, false)
    }

    /// Return scheme, host and port as a URL in normal form, or `None` if the URL has no origin (RFC 6454).
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("HTTPS://jan@Example.com:443/a").origin()
    /// Uri('https://example.com')
    fn origin<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, Self>>> {
        let (py, this) = (slf.py(), slf.get());
        let Some(origin) = this.read(py)?.origin() else { return Ok(None) };
        let made = locator::UriRef::parse_with(origin.as_str(), this.edition);
        same_class(slf, made.map_err(|error| error.raise(py))?).map(Some)
    }

    /// Return whether the reference has a scheme.
    fn is_absolute(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.read(py)?.has_scheme())
    }

    /// Return whether the reference has no scheme.
    fn is_relative(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(!self.is_absolute(py)?)
    }

    /// Whether the reference has a scheme.
    #[getter]
    fn absolute(&self, py: Python<'_>) -> PyResult<bool> {
        self.is_absolute(py)
    }

    /// Whether the reference has a scheme and a host.
    #[getter]
    fn is_absolute_url(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.is_absolute(py)? && self.host(py)?.is_some())
    }

    /// Whether the reference has no scheme or no host.
    #[getter]
    fn is_relative_url(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(!self.is_absolute_url(py)?)
    }

    /// The user, as `user`.
    #[getter]
    fn username<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.user(py)
    }

    /// The host in lower case and without the brackets of an IPv6 address, as `urllib.parse` has it.
    #[getter]
    fn hostname(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let Some(host) = self.host(py)?.map(|host| host.extract::<String>()).transpose()? else {
            return Ok(None);
        };
        let name = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(&host);
        Ok(Some(name.to_lowercase()).filter(|name| !name.is_empty()))
    }

    /// The authority, or "" without one, as `urllib.parse` has it.
    #[getter]
    fn netloc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        Ok(self.authority(py)?.unwrap_or_else(|| PyString::new(py, "")))
    }

    /// The path and, after "?", the query.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri("http://h/a?q#top").path_and_query
    /// '/a?q'
    #[getter]
    fn path_and_query(&self, py: Python<'_>) -> PyResult<String> {
        let (path, query) = (self.path(py)?, self.query(py)?);
        Ok(match query {
            Some(query) => format!("{path}?{query}"),
            None => path.to_string(),
        })
    }

    /// The segments of the path, decoded, as `segments`.
    #[getter]
    fn path_segments(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.segments(py)?.extract()
    }

    /// Return the text as given, as `str`.
    fn geturl<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.text(py).clone()
    }
}

#[pymethods]
impl Uri {
    /// Return a URL made of components. What is not valid in a component is escaped.
    ///
    /// >>> from locator_uri import Uri
    /// >>> Uri.build(scheme="https", host="example.com", path="/a b", query={"q": "x&y"})
    /// Uri('https://example.com/a%20b?q=x%26y')
    #[classmethod]
    #[pyo3(signature = (
        *, scheme, user = None, password = None, host = None, port = None, path = "", query = None,
        fragment = None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn build<'py>(
        cls: &Bound<'py, PyType>,
        scheme: &str,
        user: Option<&str>,
        password: Option<&str>,
        host: Option<&str>,
        port: Option<&Bound<'py, PyAny>>,
        path: &str,
        query: Option<&Bound<'py, PyAny>>,
        fragment: Option<&str>,
    ) -> Changed<'py> {
        let py = cls.py();
        let empty = locator::UriRef::parse("").map_err(|error| error.raise(py))?;
        let mut made = object(py, empty)?;
        if let Some(host) = host {
            made = edit::with_host(&made, host)?;
        }
        made = edit::with_component(&made, "scheme", Some(scheme), "")?;
        if user.is_some() {
            made = UriRef::with_user(&made, user)?;
        }
        if password.is_some() {
            made = UriRef::with_password(&made, password)?;
        }
        if port.is_some() {
            made = UriRef::with_port(&made, port)?;
        }
        made = edit::with_path(&made, path, false, false)?;
        if query.is_some() {
            made = edit::with_query(&made, query, None)?;
        }
        if fragment.is_some() {
            made = UriRef::with_fragment(&made, fragment)?;
        }
        Ok(cls.call1((made.get().text(py),))?.cast_into()?)
    }

    /// Return the URL of a text, as `Uri(text)`.
    #[classmethod]
    fn from_text<'py>(cls: &Bound<'py, PyType>, text: &Bound<'py, PyAny>) -> Changed<'py> {
        Ok(cls.call1((text,))?.cast_into()?)
    }

    /// Return the URL that a link in this document leads to, as `resolve`.
    fn join<'py>(slf: &Bound<'py, Self>, reference: &Bound<'py, PyAny>) -> Changed<'py> {
        Self::resolve(slf, reference)
    }

    /// Return the URL that a link in this document leads to, as `resolve`.
    fn click<'py>(slf: &Bound<'py, Self>, reference: &Bound<'py, PyAny>) -> Changed<'py> {
        Self::resolve(slf, reference)
    }
}
