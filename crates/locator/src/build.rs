//! Builds and edits references, one component at a time. A value is either data or already
//! percent-encoded.
//!
//! Data is percent-encoded once, for its position; nothing else changes. A component that would be
//! read as another one is written safely (`./a:b`, `/.//a`) or rejected. The edition parses the
//! result again, and the result is compared with the request (RFC 3986, sections 2.4, 3.3 and 4.2).
//!
//! # When
//!
//! - [`Builder`] for a reference whose components are known one after the other.
//! - `with_host`, `with_query` and their neighbours of [`Uri`](crate::Uri) and all other references for a
//!   changed copy; the setters of [`UriBuf`] (`set_host`, `set_query` …) for a change in place.
//! - [`Edit`] for several changes to a reference that exists, or in a loop; what is not changed keeps every
//!   octet.
//! - The parts of a [scheme](crate::scheme), such as `FtpParts`, for what only that scheme defines.
//!
//! # Data or percent-encoded
//!
//! The question of each setter is whether its "%" is a percent sign or the start of an escape. A piece (a
//! segment, a name, a user, a host) is data, so "%" is a percent sign. A whole path, query or fragment may
//! contain escapes, which stay. For the other meaning the type says it:
//!
//! | the value | is | example |
//! |---|---|---|
//! | a `&str` for a segment, a name, a user, a host; a number, an address | data | `append_segment("50%")` writes `50%25` |
//! | a `&str` for a path, a query, a fragment | text that may contain escapes | `set_path("/a b%20c")` writes `/a%20b%20c` |
//! | [`Value::Text`], [`Value::Decoded`] | data, text or octets | `Value::Text("50%25")` writes `50%2525` |
//! | [`Value::Encoded`], or a component of another reference | percent-encoded, or an error | `Value::Encoded("%C3%A9")` |
//!
//! ```
//! use locator::{UriBuf, Value, uri};
//!
//! let mut uri = UriBuf::parse("http://h/")?;
//! uri.set_query("50% off&a=%26")?;
//! assert_eq!(uri, "http://h/?50%25%20off&a=%26");
//! uri.set_query(Value::Text("100%25"))?;
//! assert_eq!(uri, "http://h/?100%2525");
//! uri.set_query(uri!("ftp://other/?a%26b").query().unwrap())?;
//! assert_eq!(uri, "http://h/?a%26b");
//! assert!(uri.set_query(Value::Encoded("50% off")).is_err());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! A whole path or query has delimiters, which data cannot escape; so `/` in data for a path divides
//! segments, and a segment is appended with its "/" escaped:
//!
//! ```
//! use locator::{Builder, Value};
//!
//! assert_eq!(
//!     Builder::new().host("h").path(Value::Text("a/b")).build()?,
//!     "//h/a/b"
//! );
//! assert_eq!(Builder::new().host("h").segment("a/b").build()?, "//h/a%2Fb");
//! # Ok::<_, locator::BuildError>(())
//! ```
//!
//! # Pitfalls
//!
//! - A change that fails changes nothing, also of several in [`UriBuf::change`].
//! - `..` and `.` as data are an error, because no escape protects them from a normalising program.
//! - A path that would be read as an authority gets a prefix: `/.//a` for a path of `//a`.
//! - Removing a host that has a user or a port is an error: remove the authority.
//! - The result is valid by its edition, and need not be by its scheme: [`scheme::edit`] also follows the
//!   rule of that.
//!
//! [`scheme::edit`]: crate::scheme::edit

mod authority;
mod builder;
mod changed;
mod error;
mod login;
mod owned;
mod pair;
mod path;
mod query;
mod value;

pub use builder::{Absolute, Builder, Hosted, Hostless, Relative};
pub use changed::{Editable, PathSegmentsMut, QueryPairsMut};
pub use error::BuildError;
pub use pair::{Pair, Pairs, SpaceEncoding};
#[cfg(feature = "schemes")]
pub(crate) use value::keeping_escapes;
pub use value::{ComponentValue, OptionalValue, Value};

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

use crate::compose::Components;
use crate::edition::{self, Edition};
use crate::error::{ParseError, ParseErrorKind};
use crate::reference::{IriBuf, UriBuf, UriRef, UriRefBuf};
use crate::simd::{AsciiSet, Class};
use crate::span::{Component, Span};
use authority::Login;
use value::Position;

/// An editor of a reference, which keeps every byte of the components that are not changed.
///
/// A change that returns an error changes nothing.
///
/// ```
/// use locator::{Value, uri};
///
/// let mut edit = uri!("http://a/%7Ejan?x#f").edit();
/// edit.set_host("example.org")?.append_segment("a b")?.append_pair("q", "x&y")?;
/// edit.set_fragment(Value::Encoded("%C3%A9"))?.set_port(Some(8080))?;
/// assert_eq!(
///     edit.finish()?,
///     "http://example.org:8080/%7Ejan/a%20b?x&q=x%26y#%C3%A9"
/// );
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Edit<'a> {
    edition: &'static Edition,
    prefix: Option<Cow<'a, str>>,
    scheme: Option<Cow<'a, str>>,
    login: Option<Login<'a>>,
    path: Cow<'a, str>,
    /// Whether the path is still that of a URI without an authority and a leading "/": `a@h` of
    /// `mailto:a@h`.
    rootless: bool,
    query: Option<Cow<'a, str>>,
    fragment: Option<Cow<'a, str>>,
    space: SpaceEncoding,
    /// The characters to escape in data, besides those of the edition, by component.
    escaped: Vec<(Component, AsciiSet)>,
}

impl<'a> Edit<'a> {
    /// Creates an editor of an empty reference, by RFC 3986.
    ///
    /// [`Builder`] builds a reference by a chain of calls.
    ///
    /// ```
    /// use locator::Edit;
    ///
    /// let mut edit = Edit::new();
    /// for name in ["a", "b c"] {
    ///     edit.append_segment(name)?;
    /// }
    /// assert_eq!(edit.finish()?, "a/b%20c");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self::new_with(edition::DEFAULT)
    }

    /// Creates an editor of an empty reference of an edition.
    #[must_use]
    pub const fn new_with(edition: &'static Edition) -> Self {
        Self {
            edition,
            prefix: None,
            scheme: None,
            login: None,
            path: Cow::Borrowed(""),
            rootless: false,
            query: None,
            fragment: None,
            space: SpaceEncoding::Percent20,
            escaped: Vec::new(),
        }
    }

    /// Creates an editor of an existing reference.
    #[must_use]
    pub fn of(reference: impl Into<UriRef<'a>>) -> Self {
        let reference = reference.into();
        let part = |part| reference.component(part).map(Cow::Borrowed);
        let (login, path) = (Login::of(reference), reference.path().as_str());
        Self {
            prefix: part(Component::Prefix),
            scheme: part(Component::Scheme),
            rootless: reference.scheme().is_some()
                && login.is_none()
                && !matches!(path.as_bytes(), [] | [b'/', ..]),
            login,
            path: Cow::Borrowed(path),
            query: part(Component::Query),
            fragment: part(Component::Fragment),
            ..Self::new_with(reference.edition())
        }
    }

    /// Sets a whole component, or removes it if the value is `None`.
    ///
    /// In data every character that the component does not allow is escaped; the "/" of a path and
    /// the "&" of a query are allowed and keep their meaning. Data in a userinfo is a user name, so
    /// its ":" is escaped. Setting a host adds an authority if there was none. An authority can
    /// only be given percent-encoded.
    ///
    /// ```
    /// use locator::{Component, Value, uri_ref};
    ///
    /// let mut edit = uri_ref!("a").edit();
    /// assert_eq!(
    ///     edit.set(Component::Path, Value::Text("/50% of/it?"))?.finish()?,
    ///     "/50%25%20of/it%3F"
    /// );
    /// assert_eq!(
    ///     edit.set(Component::Authority, Value::Encoded("u:p@h:1"))?.finish()?,
    ///     "//u:p@h:1/50%25%20of/it%3F"
    /// );
    /// assert_eq!(
    ///     edit.set(Component::Host, Value::Text("::1"))?.finish()?,
    ///     "//u:p@[::1]:1/50%25%20of/it%3F"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the component does not allow the value, or for a user or port without an
    /// authority or in a registered name. A host for a reference without a hierarchy is rejected by
    /// [`finish`](Self::finish), since a path may still be set.
    pub fn set<'v>(
        &mut self,
        part: Component,
        value: impl ComponentValue<'v>,
    ) -> Result<&mut Self, BuildError> {
        match value.into_value() {
            Some(value) => self.put(part, value),
            None => self.remove(part),
        }
    }

    fn put(&mut self, part: Component, value: Value<'_>) -> Result<&mut Self, BuildError> {
        // The sets are computed only when they are needed.
        let place = || self.place(part);
        let written = |place: Position| place.admit(&value).map(Cow::Owned);
        match part {
            Component::Reference => return Err(BuildError::NoComponent { edition: self.edition }),
            Component::Prefix => self.prefix = Some(self.read_prefix(value)?.into()),
            Component::Scheme => self.scheme = Some(self.read_scheme(value)?.into()),
            Component::Authority => self.put_authority(value)?,
            Component::Userinfo => self.put_user_and_password(value)?,
            Component::Host => self.put_host(value)?,
            Component::Port => self.put_port(value)?,
            Component::Path => (self.path, self.rootless) = (written(place())?, false),
            // "+" divides the words of a search, so it is escaped within a word.
            Component::Query if self.edition.query_is_words => {
                self.query = Some(written(place().escaping(AsciiSet::of(b"+")))?);
            }
            Component::Query => self.query = Some(written(place())?),
            Component::Fragment => self.fragment = Some(written(place())?),
        }
        Ok(self)
    }

    /// Removes a component and its delimiter; does nothing if there is no such component. Removing
    /// the path leaves an empty path. Removing a host that is alone removes the authority.
    ///
    /// ```
    /// use locator::{Component, uri};
    ///
    /// let mut edit = uri!("http://jan@h:80//a?q#f").edit();
    /// assert_eq!(
    ///     edit.remove(Component::Userinfo)?.remove(Component::Port)?.finish()?,
    ///     "http://h//a?q#f"
    /// );
    /// assert_eq!(edit.remove(Component::Authority)?.finish()?, "http:/.//a?q#f");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a host with a user or a port, and for a piece of a registered name.
    pub fn remove(&mut self, part: Component) -> Result<&mut Self, BuildError> {
        match part {
            Component::Reference => return Err(BuildError::NoComponent { edition: self.edition }),
            Component::Prefix => self.prefix = None,
            Component::Scheme => self.scheme = None,
            Component::Authority => self.login = None,
            Component::Userinfo | Component::Host | Component::Port => self.remove_of_authority(part)?,
            Component::Path => (self.path, self.rootless) = (Cow::Borrowed(""), false),
            Component::Query => self.query = None,
            Component::Fragment => self.fragment = None,
        }
        Ok(self)
    }

    /// Escapes these characters, too, in data that is set in a component from now on.
    ///
    /// A scheme may allow fewer characters in a component than the edition's generic grammar does;
    /// [`scheme::edit`] looks up which.
    ///
    /// ```
    /// use locator::{AsciiSet, Component, Value, uri};
    ///
    /// let mut edit = uri!("http://h/").edit();
    /// assert_eq!(
    ///     edit.also_escape(Component::Path, AsciiSet::of(b";"))
    ///         .set_path(Value::Text("/a;b"))?
    ///         .finish()?,
    ///     "http://h/a%3Bb"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// [`scheme::edit`]: crate::scheme::edit
    pub fn also_escape(&mut self, part: Component, characters: AsciiSet) -> &mut Self {
        self.escaped.push((part, characters));
        self
    }

    /// The position of a whole component.
    fn place(&self, part: Component) -> Position {
        let escaped = self.escaped.iter().filter(|(of, _)| *of == part);
        escaped.fold(Position::of(self.edition, part), |place, &(_, set)| place.escaping(set))
    }

    /// Returns the edition that the reference is edited by.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// Returns the current text of a component, percent-encoded; `None` if there is no such
    /// component. The whole reference is `None` until it is [finished](Self::finish).
    ///
    /// ```
    /// use locator::{Component, uri};
    ///
    /// let mut edit = uri!("http://jan@h/?q").edit();
    /// edit.set_port(Some(80))?.remove(Component::Query)?;
    /// assert_eq!(edit.component(Component::Authority).unwrap(), "jan@h:80");
    /// assert_eq!(edit.component(Component::Query), None);
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    #[must_use]
    pub fn component(&self, part: Component) -> Option<Cow<'_, str>> {
        let login = self.login.as_ref();
        let text = match part {
            Component::Reference => return None,
            Component::Authority => return login.map(Login::text),
            Component::Prefix => self.prefix.as_ref(),
            Component::Scheme => self.scheme.as_ref(),
            Component::Userinfo => login.and_then(|login| login.userinfo.as_ref()),
            Component::Host => login.map(|login| &login.host),
            Component::Port => login.and_then(|login| login.port.as_ref()),
            Component::Path => Some(&self.path),
            Component::Query => self.query.as_ref(),
            Component::Fragment => self.fragment.as_ref(),
        };
        text.map(|text| Cow::Borrowed(&**text))
    }

    /// Returns the edited reference, as parsed by its edition.
    ///
    /// ```
    /// use locator::{BuildError, Component, edition::RFC1738, uri};
    ///
    /// let mut edit = uri!("http://h/", RFC1738).edit();
    /// let Err(BuildError::Whole(error)) = edit.remove(Component::Scheme)?.finish()
    /// else {
    ///     panic!()
    /// };
    /// assert_eq!(error.component(), Component::Scheme);
    /// # Ok::<_, BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the components do not form a reference. The edition may require a
    /// scheme, text after the scheme, or a host. An authority is also an error if there is a scheme
    /// and a path that does not begin with "/" (`mailto:a@h`): the path would change.
    pub fn finish(&self) -> Result<UriRefBuf, BuildError> {
        self.check_host()?;
        // "If a URI contains an authority component, then the path component must either be empty
        // or begin with a slash ("/") character" (RFC 3986, 3.3): a relative path gets a slash; the
        // text after a scheme without hierarchy cannot follow an authority.
        if self.rootless && self.login.is_some() {
            return Err(BuildError::NoRoot { edition: self.edition });
        }
        let authority = self.login.as_ref().map(Login::text);
        let components = self.components(authority.as_deref());
        let read = UriRefBuf::from_string_with(components.to_string(), self.edition);
        let built = read.map_err(|error| BuildError::Whole(error.error()))?;
        match self.misread(&components, built.as_uri_ref()) {
            Some(part) => Err(BuildError::Misread { component: part, edition: self.edition }),
            None => Ok(built),
        }
    }

    /// Returns the edited reference as a URI, which must have a scheme.
    ///
    /// ```
    /// let mut edit = locator::uri_ref!("//h/a").edit();
    /// assert!(edit.finish_uri().is_err());
    /// assert_eq!(edit.set_scheme("http")?.finish_uri()?, "http://h/a");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there is no scheme, or an error of [`finish`](Self::finish).
    pub fn finish_uri(&self) -> Result<UriBuf, BuildError> {
        UriBuf::try_from(self.finish()?).map_err(|error| BuildError::Whole(error.error()))
    }

    /// Returns the edited reference as an IRI, which must have a scheme.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no scheme, if an edition other than RFC 3987 edits and does not allow
    /// the same text, or an error of [`finish`](Self::finish).
    pub fn finish_iri(&self) -> Result<IriBuf, BuildError> {
        IriBuf::try_from(self.finish_uri()?).map_err(|error| BuildError::Whole(error.error()))
    }

    fn components<'s>(&'s self, authority: Option<&'s str>) -> Components<'s> {
        Components {
            prefix: self.prefix_to_write(),
            scheme: self.scheme.as_deref(),
            authority,
            path: &self.path,
            query: self.query.as_deref(),
            fragment: self.fragment.as_deref(),
            edition: self.edition,
        }
    }

    /// Returns the first component that was parsed as something else.
    fn misread(&self, written: &Components<'_>, read: UriRef<'_>) -> Option<Component> {
        let path = read.path().as_str();
        let pieces = [
            (Component::Prefix, written.prefix),
            (Component::Scheme, written.scheme),
            (Component::Authority, written.authority),
            (Component::Query, written.query),
            (Component::Fragment, written.fragment),
        ];
        let other =
            pieces.into_iter().find(|&(part, text)| read.component(part) != text).map(|(part, _)| part);
        let in_authority = || self.login.as_ref().and_then(|login| login.misread(read));
        let in_path = || {
            (path.strip_prefix(written.disambiguating_prefix()) != Some(written.path))
                .then_some(Component::Path)
        };
        other.or_else(in_authority).or_else(in_path)
    }

    /// Rejects an empty host with a user or a port, where the edition does not allow it.
    fn check_host(&self) -> Result<(), BuildError> {
        let Some(login) = &self.login else { return Ok(()) };
        if !login.host.is_empty() || login.is_host_alone() {
            return Ok(());
        }
        authority::check_any_host(self.edition, "").map_err(|error| {
            // The error is about the host alone.
            let whole = self.to_string();
            let authority = whole.find("//").map_or(0, |slashes| slashes + 2);
            let host = authority + login.userinfo.as_ref().map_or(0, |userinfo| userinfo.len() + 1);
            let place = Span::new(host, host);
            let (kind, part, rule) = (error.kind(), error.component(), error.rule());
            BuildError::Whole(ParseError::new(whole.as_bytes(), self.edition, kind, part, place, rule))
        })
    }

    /// The prefix, and also where a scheme alone would be taken for it.
    fn prefix_to_write(&self) -> Option<&str> {
        let prefix = self.edition.prefix.filter(|prefix| {
            let name = prefix.strip_suffix(':');
            name.zip(self.scheme.as_deref()).is_some_and(|(name, scheme)| name.eq_ignore_ascii_case(scheme))
        });
        self.prefix.as_deref().or(prefix)
    }

    fn read_prefix(&self, value: Value<'_>) -> Result<String, BuildError> {
        let (edition, octets) = (self.edition, value.as_bytes());
        match edition.prefix.filter(|prefix| prefix.as_bytes().eq_ignore_ascii_case(octets)) {
            Some(_) => Ok(octets.iter().map(|&octet| char::from(octet)).collect()),
            None => Err(BuildError::NoPrefix { edition }),
        }
    }

    fn read_scheme(&self, value: Value<'_>) -> Result<String, BuildError> {
        let place = self.place(Component::Scheme).divided_by(b":");
        let scheme = place.admit(&value)?;
        match scheme.bytes().next() {
            Some(first) if self.edition.table.contains(Class::SCHEME_START, first) => Ok(scheme),
            Some(_) => {
                Err(place.fault(ParseErrorKind::SchemeStart, scheme.as_bytes(), Span::new(0, scheme.len())))
            }
            None => Err(place.fault(ParseErrorKind::Missing, &[], Span::new(0, 0))),
        }
    }
}

impl Default for Edit<'_> {
    /// Creates an editor of an empty reference of RFC 3986.
    fn default() -> Self {
        Self::new()
    }
}

/// The current text, valid or not; [`BuildError::Whole`] counts its octets.
///
/// ```
/// use locator::{Component, edition::RFC1738, uri};
///
/// let mut edit = uri!("http://h/", RFC1738).edit();
/// let error = edit.remove(Component::Scheme)?.finish().unwrap_err();
/// assert_eq!((edit.to_string().as_str(), error.span().unwrap()), ("//h/", 0..0));
/// # Ok::<_, locator::BuildError>(())
/// ```
impl Display for Edit<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let authority = self.login.as_ref().map(Login::text);
        self.components(authority.as_deref()).fmt(f)
    }
}

impl<'a> UriRef<'a> {
    /// Starts editing this reference.
    ///
    /// ```
    /// let reference = locator::uri_ref!("a/b?q");
    /// assert_eq!(reference.edit().append_segment("c")?.finish()?, "a/b/c?q");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    #[must_use]
    pub fn edit(self) -> Edit<'a> {
        Edit::of(self)
    }
}
