//! The builder of http URLs and their variants: takes their parts, returns a URL. Follows RFC 1738,
//! section 3.3, and RFC 9110, section 4.2.

use alloc::string::String;
use alloc::vec::Vec;

use super::{HTTP, HTTPS, HttpUrl, WS, WSS};
use crate::build::{BuildError, ComponentValue, Value};
use crate::edition::{Edition, rfc1738};
use crate::reference::UriBuf;
use crate::scheme::parts::{Frame, checked, raw, segment, setters, written};
use crate::scheme::{LoginParts, Scheme};
use crate::simd::AsciiSet;
use crate::span::Component;

/// Builds a URL of http, https, ws or wss.
///
/// ```
/// use locator::Value;
/// use locator::scheme::{HttpParts, HttpUrl, LoginParts};
///
/// let parts = HttpParts::new("https", LoginParts::new("h").port(8080)).segment("a/b").segment("c");
/// let url = parts.query(Value::Text("x y")).build()?;
/// assert_eq!(url, "https://h:8080/a%2Fb/c?x%20y");
/// let parts = HttpUrl::try_from(&url).unwrap().parts();
/// assert_eq!(parts.query(None).build()?, "https://h:8080/a%2Fb/c");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[must_use = "it builds nothing before `build`"]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpParts<'v> {
    frame: Frame<'v>,
    /// The name of the scheme.
    pub scheme: &'v str,
    /// The server.
    pub login: LoginParts<'v>,
    /// The segments of the path.
    pub segments: Vec<Value<'v>>,
    /// The query, without "?".
    pub query: Option<Value<'v>>,
}

impl<'v> HttpParts<'v> {
    /// Begins a URL of a scheme, such as `https`, and a server.
    pub fn new(scheme: &'v str, login: impl Into<LoginParts<'v>>) -> Self {
        Self { frame: Frame::default(), scheme, login: login.into(), segments: Vec::new(), query: None }
    }

    setters! {
        /// Sets the server.
        login;
        /// Adds a segment to the path.
        each segments segment;
    }

    /// Sets the query, without "?", or removes it.
    pub fn query(mut self, query: impl ComponentValue<'v>) -> Self {
        self.query = query.into_value();
        self
    }

    /// Builds the URL. "Within the `<path>` and `<searchpart>` components, "/", ";", "?" are
    /// reserved" (RFC 1738, 3.3).
    ///
    /// # Errors
    ///
    /// A value that is not allowed in a URL of the edition; data "." or ".."; another scheme.
    pub fn build_with(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let values = self.values();
        let mut rest = String::new();
        for &value in &self.segments {
            rest.push('/');
            rest.push_str(&segment(value, edition, rfc1738::UCHAR)?);
        }
        if let Some(query) = self.query {
            rest.push('?');
            // "+" divides words if the query consists of words.
            let plus = if edition.query_is_words { AsciiSet::of(b"+") } else { AsciiSet::EMPTY };
            let keep = rfc1738::UCHAR.union(AsciiSet::of(b"&=")).difference(plus);
            rest.push_str(&written(query, edition, Component::Query, keep)?);
        }
        let scheme = [&HTTP, &HTTPS, &WS, &WSS].into_iter().find(|scheme| scheme.is_named(self.scheme));
        let edit = self.frame.begin(self.scheme, edition)?;
        let built = self.login.build(edit, scheme.unwrap_or(&HTTP), &rest)?;
        checked(built, &values, |url| HttpUrl::of(url).map(|url| url.parts().values()))
    }

    fn values(&self) -> Vec<Value<'v>> {
        self.login.values().chain(self.segments.iter().copied()).chain(self.query).collect()
    }
}

impl<'a> HttpUrl<'a> {
    /// Returns the parts of this URL; building them by its edition returns the identical URL.
    pub fn parts(&self) -> HttpParts<'a> {
        let segments = self.path.strip_prefix("/").into_iter().flat_map(|path| path.split("/"));
        HttpParts {
            frame: Frame::of(self.url),
            scheme: self.url.scheme().map_or("", |name| name.as_str()),
            login: self.login.parts(),
            segments: segments.map(raw).collect(),
            query: self.query.map(raw),
        }
    }
}
