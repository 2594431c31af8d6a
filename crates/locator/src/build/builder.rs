//! A builder whose type records which components are set. It takes components in a chain and
//! returns a reference or the first error. What the type forbids does not compile; [`Edit`] checks
//! the rest.
//!
//! Sets the components of a reference by name. Takes a value for one component and returns the
//! editor, so that the calls chain. [`Edit::set`] does the same for a component that is a value.

use alloc::string::ToString;
use core::marker::PhantomData;

use super::{BuildError, ComponentValue, Edit, OptionalValue, SpaceEncoding, Value};
use crate::edition::{self, Edition};
use crate::reference::{Uri, UriBuf, UriRef, UriRefBuf};
use crate::span::Component;

/// The state of a builder without a scheme: [`Builder::build`] returns a [`UriRefBuf`].
///
/// ```
/// use locator::build::{Builder, Hostless, Relative};
///
/// let builder: Builder<Relative, Hostless> = Builder::new();
/// let reference: locator::UriRefBuf = builder.segment("a").build()?;
/// assert_eq!(reference, "a");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Relative {}

/// The state of a builder with a scheme: [`Builder::build`] returns a [`UriBuf`].
///
/// ```
/// use locator::build::{Absolute, Builder, Hostless};
///
/// let builder: Builder<Absolute, Hostless> = Builder::new().scheme("urn");
/// let uri: locator::UriBuf = builder.path(locator::Value::Text("a:b")).build()?;
/// assert_eq!(uri, "urn:a:b");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Absolute {}

/// The state of a builder without a host, which cannot have a user or a port.
///
/// ```
/// use locator::build::{Builder, Hostless, Relative};
///
/// let builder: Builder<Relative, Hostless> = Builder::new().segment("a");
/// assert_eq!(builder.host("h").build()?, "//h/a");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Hostless {}

/// The state of a builder with a host.
///
/// ```
/// use locator::build::{Builder, Hosted, Relative};
///
/// let builder: Builder<Relative, Hosted> = Builder::new().host("h");
/// assert_eq!(builder.user("jan").port(80).build()?, "//jan@h:80");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Hosted {}

/// Builds a reference from its components.
///
/// A name, a segment or a pair is data; a path, a query or a fragment may contain escapes, unless a
/// [`Value`] says otherwise. [`build`](Self::build) reports the first value that is not valid, whatever was
/// set after it.
///
/// ```
/// use locator::{Builder, UriBuf, UriRefBuf};
///
/// let uri: UriBuf = Builder::new()
///     .scheme("http")
///     .host("example.org")
///     .port(8080)
///     .segment("a b")
///     .pair("q", "x&y")
///     .fragment("f")
///     .build()?;
/// assert_eq!(uri, "http://example.org:8080/a%20b?q=x%26y#f");
///
/// let reference: UriRefBuf = Builder::new().segment("this:that").build()?;
/// assert_eq!(reference, "./this:that");
///
/// let error = Builder::new().scheme("1st").host("h").build().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "invalid value: a scheme cannot begin with \"1\", at byte 0 (scheme, RFC 3986, 3.1)"
/// );
/// # Ok::<_, locator::BuildError>(())
/// ```
///
/// A port or a user without a host does not compile. Neither does a port above 65535 or a second
/// scheme:
///
/// ```compile_fail
/// locator::Builder::new().scheme("http").port(80);
/// ```
///
/// ```compile_fail
/// locator::Builder::new().host("h").port(65536);
/// ```
///
/// ```compile_fail
/// locator::Builder::new().scheme("a").scheme("b");
/// ```
#[derive(Clone, Debug)]
#[must_use = "it builds nothing before `build`"]
pub struct Builder<S = Relative, H = Hostless> {
    edit: Edit<'static>,
    /// The error of the first value that is not valid.
    refused: Option<BuildError>,
    given: PhantomData<(S, H)>,
}

impl Builder {
    /// Creates a builder of an empty reference of RFC 3986.
    pub const fn new() -> Self {
        Self::new_with(edition::DEFAULT)
    }

    /// Creates a builder of an empty reference of an edition.
    ///
    /// ```
    /// use locator::{Builder, edition::RFC3987};
    ///
    /// let iri = Builder::new_with(&RFC3987)
    ///     .scheme("http")
    ///     .host("h")
    ///     .segment("é")
    ///     .build()?;
    /// assert_eq!(iri, "http://h/é");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub const fn new_with(edition: &'static Edition) -> Self {
        Self { edit: Edit::new_with(edition), refused: None, given: PhantomData }
    }
}

impl Default for Builder {
    /// Creates a builder of an empty reference of RFC 3986.
    fn default() -> Self {
        Self::new()
    }
}

impl Uri<'_> {
    /// Creates a builder of a URI.
    ///
    /// ```
    /// use locator::Uri;
    ///
    /// let uri = Uri::builder()
    ///     .scheme("https")
    ///     .host("example.com")
    ///     .path("/search")
    ///     .pair("q", "x&y")
    ///     .build()?;
    /// assert_eq!(uri, "https://example.com/search?q=x%26y");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub const fn builder() -> Builder {
        Builder::new()
    }
}

impl UriRef<'_> {
    /// Creates a builder of a reference.
    ///
    /// ```
    /// use locator::UriRef;
    ///
    /// let link = UriRef::builder().segment("search").pair("q", "x&y").build()?;
    /// assert_eq!(link, "search?q=x%26y");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub const fn builder() -> Builder {
        Builder::new()
    }
}

impl UriBuf {
    /// Creates a builder: see [`Uri::builder`].
    ///
    /// ```
    /// let uri = locator::UriBuf::builder().scheme("https").host("example.com").build()?;
    /// assert_eq!(uri, "https://example.com");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub const fn builder() -> Builder {
        Builder::new()
    }
}

impl UriRefBuf {
    /// Creates a builder: see [`UriRef::builder`].
    ///
    /// ```
    /// let uri = locator::UriRefBuf::builder().scheme("https").host("example.com").build()?;
    /// assert_eq!(uri, "https://example.com");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub const fn builder() -> Builder {
        Builder::new()
    }
}

impl<H> Builder<Relative, H> {
    /// Sets the scheme, without ":".
    pub fn scheme<'v>(self, scheme: impl Into<Value<'v>>) -> Builder<Absolute, H> {
        self.with(|edit| edit.set_scheme(scheme).map(drop)).given()
    }

    /// Builds the reference, which has no scheme.
    ///
    /// # Errors
    ///
    /// Returns an error for the first value that is not valid, or an error of [`Edit::finish`].
    pub fn build(self) -> Result<UriRefBuf, BuildError> {
        self.refused.map_or_else(|| self.edit.finish(), Err)
    }
}

impl<H> Builder<Absolute, H> {
    /// Composes the URI and parses it by the edition.
    ///
    /// # Errors
    ///
    /// Returns an error for the first value that is not valid, or an error of [`Edit::finish`].
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.refused.map_or_else(|| self.edit.finish_uri(), Err)
    }
}

impl<S> Builder<S, Hostless> {
    /// Sets the host: a name, an IPv4 address, or an IPv6 address with or without brackets (RFC
    /// 3986, 3.2.2).
    ///
    /// ```
    /// use locator::Builder;
    ///
    /// assert_eq!(Builder::new().host("::1").user("jan").build()?, "//jan@[::1]");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub fn host<'v>(self, host: impl Into<Value<'v>>) -> Builder<S, Hosted> {
        self.with(|edit| edit.set_host(host).map(drop)).given()
    }

    /// Sets the whole authority, which must be percent-encoded, because data has no delimiters (RFC
    /// 3986, 3.2).
    ///
    /// ```
    /// use locator::{Builder, uri};
    ///
    /// assert_eq!(
    ///     Builder::new().authority("jan@h:1").segment("a").build()?,
    ///     "//jan@h:1/a"
    /// );
    /// let authority = uri!("ftp://jan@h").authority().unwrap();
    /// assert_eq!(Builder::new().authority(authority).build()?, "//jan@h");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub fn authority<'v>(self, authority: impl ComponentValue<'v>) -> Builder<S, Hosted> {
        self.with(|edit| edit.set(Component::Authority, authority).map(drop)).given()
    }
}

impl<S> Builder<S, Hosted> {
    /// Sets the user. Call it after [`host`](Builder::host).
    pub fn user<'v>(self, user: impl Into<Value<'v>>) -> Self {
        self.with(|edit| edit.set_user(user).map(drop))
    }

    /// Sets the password. Call it after [`user`](Self::user).
    pub fn password<'v>(self, password: impl Into<Value<'v>>) -> Self {
        self.with(|edit| edit.set_password(password).map(drop))
    }

    /// Sets the port. Call it after [`host`](Builder::host).
    pub fn port(self, port: u16) -> Self {
        self.with(|edit| edit.set_port(Some(port)).map(drop))
    }
}

impl<S, H> Builder<S, H> {
    /// Sets the whole path so far. "/" divides segments; characters that a path does not allow are
    /// escaped (RFC 3986, 3.3).
    ///
    /// ```
    /// use locator::{Builder, Value};
    ///
    /// let builder =
    ///     Builder::new().host("h").path(Value::Text("a b/c?")).segment("d/e");
    /// assert_eq!(builder.build()?, "//h/a%20b/c%3F/d%2Fe");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub fn path<'v>(self, path: impl ComponentValue<'v>) -> Self {
        self.with(|edit| edit.set(Component::Path, path).map(drop))
    }

    /// Sets the path and the query together, as HTTP writes them: the first "?" divides them. Escapes stay.
    ///
    /// ```
    /// use locator::Uri;
    ///
    /// let uri =
    ///     Uri::builder().scheme("https").authority("example.com").path_and_query("/a?b=c");
    /// assert_eq!(uri.build()?, "https://example.com/a?b=c");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub fn path_and_query(self, path_and_query: impl AsRef<str>) -> Self {
        let text = path_and_query.as_ref();
        let (path, query) = text.split_once('?').map_or((text, None), |(path, query)| (path, Some(query)));
        self.with(|edit| edit.set_path(path)?.set_query(query).map(drop))
    }

    /// Appends a segment to the path. After an authority the path begins with "/" automatically.
    pub fn segment<'v>(self, segment: impl Into<Value<'v>>) -> Self {
        self.with(|edit| edit.append_segment(segment).map(drop))
    }

    /// Sets the whole query so far. "&" divides pairs; characters that a query does not allow are
    /// escaped (RFC 3986, 3.4).
    ///
    /// ```
    /// use locator::{Builder, Value};
    ///
    /// let builder = Builder::new().query(Value::Text("a=b c&d")).pair("e", "&");
    /// assert_eq!(builder.build()?, "?a=b%20c&d&e=%26");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub fn query<'v>(self, query: impl ComponentValue<'v>) -> Self {
        self.with(|edit| edit.set(Component::Query, query).map(drop))
    }

    /// Appends a pair to the query.
    pub fn pair<'n, 'v>(self, name: impl Into<Value<'n>>, value: impl Into<Value<'v>>) -> Self {
        self.with(|edit| edit.append_pair(name, value).map(drop))
    }

    /// Appends a name without a value to the query.
    pub fn flag<'n>(self, name: impl Into<Value<'n>>) -> Self {
        self.with(|edit| edit.append_flag(name).map(drop))
    }

    /// Sets how a space is written in the pairs that follow.
    pub fn spaces(mut self, space: SpaceEncoding) -> Self {
        self.edit.spaces(space);
        self
    }

    /// Sets the fragment, without "#".
    pub fn fragment<'v>(self, fragment: impl ComponentValue<'v>) -> Self {
        self.with(|edit| edit.set(Component::Fragment, fragment).map(drop))
    }

    /// Applies a change, unless an earlier one returned an error.
    fn with(mut self, give: impl FnOnce(&mut Edit<'static>) -> Result<(), BuildError>) -> Self {
        if self.refused.is_none() {
            self.refused = give(&mut self.edit).err();
        }
        self
    }

    /// Returns the same builder in another state.
    fn given<T, I>(self) -> Builder<T, I> {
        Builder { edit: self.edit, refused: self.refused, given: PhantomData }
    }
}

impl Edit<'_> {
    /// Sets the scheme, without ":".
    ///
    /// ```
    /// assert_eq!(
    ///     locator::uri_ref!("//h/a").edit().set_scheme("http")?.finish()?,
    ///     "http://h/a"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the edition does not allow such a scheme.
    pub fn set_scheme<'v>(&mut self, scheme: impl Into<Value<'v>>) -> Result<&mut Self, BuildError> {
        self.set(Component::Scheme, scheme.into())
    }

    /// Sets the host, and adds an authority if there was none. Text is a name, an IPv4 address, or
    /// an IPv6 address with or without brackets. `None` removes the host.
    ///
    /// ```
    /// let other = locator::uri!("http://%C3%A9/").host().unwrap();
    /// let mut edit = locator::uri!("http://h:80/").edit();
    /// assert_eq!(edit.set_host("::1")?.finish()?, "http://[::1]:80/");
    /// assert_eq!(edit.set_host(other)?.finish()?, "http://%C3%A9:80/");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the edition does not allow such a host, or if the authority is a
    /// registered name.
    pub fn set_host<'v>(&mut self, host: impl OptionalValue<'v>) -> Result<&mut Self, BuildError> {
        match host.into_optional() {
            Some(host) => self.set(Component::Host, host),
            None => self.remove(Component::Host),
        }
    }

    /// Sets or removes the port.
    ///
    /// ```
    /// let mut edit = locator::uri!("http://h/").edit();
    /// assert_eq!(edit.set_port(8080)?.finish()?, "http://h:8080/");
    /// assert_eq!(edit.set_port(None)?.finish()?, "http://h/");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there is no host, or if the authority is a registered name.
    pub fn set_port(&mut self, port: impl Into<Option<u16>>) -> Result<&mut Self, BuildError> {
        match port.into() {
            Some(port) => self.set(Component::Port, Value::Encoded(&port.to_string())),
            None => self.remove(Component::Port),
        }
    }

    /// Sets the path, in which "/" divides segments. `None` leaves an empty path.
    ///
    /// ```
    /// use locator::{Value, uri};
    ///
    /// let mut edit = uri!("http://h/a").edit();
    /// assert_eq!(
    ///     edit.set_path(Value::Text("/50% of/it?"))?.finish()?,
    ///     "http://h/50%25%20of/it%3F"
    /// );
    /// assert_eq!(
    ///     edit.set_path(uri!("ftp://h/50%25").path())?.finish()?,
    ///     "http://h/50%25"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a percent-encoded value that is not a path.
    pub fn set_path<'v>(&mut self, path: impl ComponentValue<'v>) -> Result<&mut Self, BuildError> {
        self.set(Component::Path, path)
    }

    /// Sets or removes the query. To set its pairs see [`append_pair`](Self::append_pair).
    ///
    /// ```
    /// use locator::{Value, uri};
    ///
    /// let mut edit = uri!("http://h/").edit();
    /// assert_eq!(
    ///     edit.set_query(Value::Text("50% of it"))?.finish()?,
    ///     "http://h/?50%25%20of%20it"
    /// );
    /// assert_eq!(
    ///     edit.set_query(uri!("ftp://h/?50%25").query().unwrap())?.finish()?,
    ///     "http://h/?50%25"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a percent-encoded value that is not a query.
    pub fn set_query<'v>(&mut self, query: impl ComponentValue<'v>) -> Result<&mut Self, BuildError> {
        self.set(Component::Query, query)
    }

    /// Sets or removes the fragment.
    ///
    /// ```
    /// use locator::{Value, uri};
    ///
    /// let mut edit = uri!("http://h/").edit();
    /// assert_eq!(edit.set_fragment(Value::Text("50%"))?.finish()?, "http://h/#50%25");
    /// assert_eq!(edit.set_fragment(None)?.finish()?, "http://h/");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a percent-encoded value that is not a fragment.
    pub fn set_fragment<'v>(&mut self, fragment: impl ComponentValue<'v>) -> Result<&mut Self, BuildError> {
        self.set(Component::Fragment, fragment)
    }
}
