//! The components of a reference, as views of its text.
//!
//! All borrow from the text of the reference and are `Copy`. They are compared, ordered and hashed
//! by their text, regardless of the edition; [`SchemeName`] and [`Host`] ignore case. Nothing is
//! validated again.
//!
//! ```
//! use locator::uri;
//!
//! let uri = uri!("http://jan:s3cret@Example.com:8080/a%20b/c?q#f");
//! let authority = uri.authority().unwrap();
//! assert_eq!(authority.userinfo().unwrap().user(), "jan");
//! assert_eq!(authority.host(), "example.com");
//! assert_eq!(authority.port_u16(), Some(8080));
//! let names: Vec<_> = uri
//!     .path()
//!     .segments()
//!     .map(|segment| segment.decode_utf8_lossy())
//!     .collect();
//! assert_eq!(names, ["a b", "c"]);
//! ```
//!
//! # Pitfalls
//!
//! - A component is percent-encoded. `as_str` is what the reference contains, `decode…` what it means.
//! - A [`Port`] may be empty or above 65535, which the grammar allows: [`Port::number`] is an `Option`.
//! - An address has brackets in [`Host::as_str`] and none in [`Host::ip`].
//! - [`Path::segments`] of `/a/` are `a` and an empty one; an empty path has none.
//! - The host of `file:///a` is empty, that of `mailto:a@b` is `None`.

mod excerpt;
mod host;
#[cfg(feature = "std")]
mod socket;

pub use excerpt::{PlacedBytes, SpannedSplit, SpannedStr};
pub use host::Host;

use alloc::borrow::Cow;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::iter::FusedIterator;
use core::str::Split;

use crate::as_text::{compares_by_text, equals_strings_as_str, orders_with_strings, shows_text, text_traits};
use crate::edition::{CharsetError, Edition};
use crate::pct::PctStr;
pub use crate::span::{Component, ComponentSpans, HostKind};

text_traits!(Authority<'_>, Userinfo<'_>, Port<'_>, Path<'_>, Segment<'_>);
compares_by_text!(Authority<'_>, Userinfo<'_>, Port<'_>, Path<'_>, Segment<'_>);
orders_with_strings!(Path<'_>, Segment<'_>);

/// The name of a scheme. Equality, order and hash ignore case (RFC 3986, section 3.1).
///
/// ```
/// let scheme = locator::uri!("HTTP://example.com/").scheme();
/// assert_eq!(scheme, "http");
/// assert_eq!(scheme.as_str(), "HTTP");
/// ```
///
/// A `match` compares text with its case, so match [`lowercase`](Self::lowercase).
#[derive(Clone, Copy)]
pub struct SchemeName<'a>(pub(crate) &'a str);

impl<'a> SchemeName<'a> {
    /// Returns the text, exactly as it was given.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.0
    }

    /// Compares the name with a text, ignoring case, as `==` does (RFC 3986, 3.1).
    ///
    /// ```
    /// let uri = locator::uri!("HTTPS://example.com/");
    /// assert!(uri.scheme().eq_ignore_ascii_case("https"));
    /// ```
    #[must_use]
    pub const fn eq_ignore_ascii_case(self, other: &str) -> bool {
        self.0.eq_ignore_ascii_case(other)
    }

    /// Returns the name in lower case, for `match`. It is borrowed if the text is in lower case
    /// already, as in nearly every URL.
    ///
    /// ```
    /// let is_web = |uri: locator::Uri<'_>| match &*uri.scheme().lowercase() {
    ///     "http" | "https" => true,
    ///     _ => false,
    /// };
    /// assert!(is_web(locator::uri!("HTTPS://example.com/")));
    /// ```
    #[must_use]
    pub fn lowercase(self) -> Cow<'a, str> {
        match self.0.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(self.0.to_ascii_lowercase()),
            false => Cow::Borrowed(self.0),
        }
    }
}

impl PartialEq for SchemeName<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for SchemeName<'_> {}

impl PartialOrd for SchemeName<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SchemeName<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let lower = |name: Self| name.0.bytes().map(|byte| byte.to_ascii_lowercase());
        lower(*self).cmp(lower(*other))
    }
}

impl Hash for SchemeName<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.bytes().for_each(|byte| state.write_u8(byte.to_ascii_lowercase()));
        state.write_u8(0xFF);
    }
}

impl PartialEq<str> for SchemeName<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0.eq_ignore_ascii_case(other)
    }
}

shows_text!(SchemeName<'_>);
equals_strings_as_str!(SchemeName<'_>);

/// An authority: `[ userinfo "@" ] host [ ":" port ]`.
///
/// ```
/// let uri = locator::uri!("ftp://foo:@host.com:/");
/// let authority = uri.authority().unwrap();
/// let userinfo = authority.userinfo().unwrap();
/// assert_eq!(userinfo.user(), "foo");
/// assert_eq!(userinfo.password().unwrap(), "");
/// assert_eq!(authority.host(), "host.com");
/// assert_eq!(authority.port().unwrap(), "");
/// assert_eq!(authority.port_u16(), None);
/// ```
#[derive(Clone, Copy)]
pub struct Authority<'a> {
    pub(crate) text: &'a str,
    pub(crate) parts: ComponentSpans,
}

impl<'a> Authority<'a> {
    /// Returns the text, exactly as it was given.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        self.part(Component::Authority).unwrap_or_default()
    }

    /// Returns the user information before "@", or `None` if there is no "@".
    #[must_use]
    pub fn userinfo(self) -> Option<Userinfo<'a>> {
        self.part(Component::Userinfo).map(Userinfo)
    }

    /// Returns the host, without userinfo and port; it may be empty.
    ///
    /// For a registered name of `uri-2003`, this is the whole authority.
    #[must_use]
    pub fn host(self) -> Host<'a> {
        Host::new(self.part(Component::Host).unwrap_or_default(), self.parts.host_kind)
    }

    /// Returns the port as it is written, or `None` if there is no ":" after the host.
    #[must_use]
    pub fn port(self) -> Option<Port<'a>> {
        self.part(Component::Port).map(Port)
    }

    /// Returns the port's number, or `None` if it is absent, empty or above 65535.
    ///
    /// ```
    /// assert_eq!(
    ///     locator::uri!("http://h:0080/").authority().unwrap().port_u16(),
    ///     Some(80)
    /// );
    /// assert_eq!(
    ///     locator::uri!("http://h:99999/").authority().unwrap().port_u16(),
    ///     None
    /// );
    /// ```
    #[doc(alias = "port_to_u16")]
    #[must_use]
    pub fn port_u16(self) -> Option<u16> {
        self.port()?.number()
    }

    fn part(self, part: Component) -> Option<&'a str> {
        self.parts.get(part).map(|span| &self.text[span.range()])
    }
}

/// User information: the user, and the password after the first ":".
///
/// RFC 3986 deprecates passwords (section 3.2.1) and does not define user and password separately;
/// the older editions do.
///
/// ```
/// let userinfo = locator::uri!("ftp://a%40b:s3cret@h/").userinfo().unwrap();
/// assert_eq!(userinfo.as_str(), "a%40b:s3cret");
/// assert_eq!(userinfo.user().decode_utf8()?, "a@b");
/// assert_eq!(userinfo.password().unwrap(), "s3cret");
/// assert!(locator::uri!("ftp://jan@h/").userinfo().unwrap().password().is_none());
/// # Ok::<_, locator::CharsetError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Userinfo<'a>(&'a str);

impl<'a> Userinfo<'a> {
    /// Returns the text, exactly as it was given.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.0
    }

    /// Returns the user: the text before the first ":".
    #[doc(alias = "username")]
    #[must_use]
    pub fn user(self) -> PctStr<'a> {
        PctStr::checked(self.0.split_once(':').map_or(self.0, |(user, _)| user))
    }

    /// Returns the password after the first ":", or `None` if there is no ":".
    #[must_use]
    pub fn password(self) -> Option<PctStr<'a>> {
        self.0.split_once(':').map(|(_, password)| PctStr::checked(password))
    }
}

/// A port: decimal digits, or nothing.
///
/// ```
/// let port = |uri: locator::Uri<'static>| uri.authority()?.port();
/// assert_eq!(port(locator::uri!("http://h:0080/")).unwrap().number(), Some(80));
/// assert_eq!(port(locator::uri!("http://h:99999/")).unwrap().number(), None);
/// assert_eq!(port(locator::uri!("http://h:/")).unwrap().number(), None);
/// ```
#[derive(Clone, Copy)]
pub struct Port<'a>(&'a str);

impl<'a> Port<'a> {
    /// Returns the text, exactly as it was given.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.0
    }

    /// Returns the number, or `None` if there are no digits or it is above 65535.
    #[doc(alias("as_u16", "to_u16"))]
    #[must_use]
    pub fn number(self) -> Option<u16> {
        self.0.parse().ok()
    }
}

/// A path: segments divided by "/".
///
/// A path has no `decode`, because "%2F" would become a "/" that divides segments. Decode its
/// [`segments`](Self::segments), or decode [`as_pct_str`](Self::as_pct_str) if that does not matter.
///
/// ```
/// let path = locator::uri!("http://h/a;v=1.1;x/%2F/").path();
/// let names: Vec<_> = path.segments().map(|segment| segment.as_str()).collect();
/// assert_eq!(names, ["a;v=1.1;x", "%2F", ""]);
/// let first = path.segments().next().unwrap();
/// assert_eq!(first.name(), "a");
/// assert_eq!(
///     first.parameters().map(|p| p.as_str()).collect::<Vec<_>>(),
///     ["v=1.1", "x"]
/// );
/// ```
#[derive(Clone, Copy)]
pub struct Path<'a> {
    pub(crate) text: &'a str,
    pub(crate) edition: &'static Edition,
}

impl<'a> Path<'a> {
    /// Returns the text, exactly as it was given.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Returns whether the text is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Returns whether the path begins with "/".
    #[must_use]
    pub fn is_absolute(self) -> bool {
        self.text.starts_with('/')
    }

    /// Returns the percent-encoded text, which can be decoded. Decode segments separately if "%2F"
    /// and "/" must differ.
    #[must_use]
    pub const fn as_pct_str(self) -> PctStr<'a> {
        PctStr::checked(self.text)
    }

    /// Returns the last segment, and the path up to and including the "/" before it; `None` if the
    /// path is empty. The order is that of a slice's `split_last`.
    ///
    /// ```
    /// let (name, directory) =
    ///     locator::uri!("http://h/a/b.txt").path().split_last().unwrap();
    /// assert_eq!((name.as_str(), directory.as_str()), ("b.txt", "/a/"));
    /// let (name, directory) = locator::uri_ref!("a").path().split_last().unwrap();
    /// assert_eq!((name.as_str(), directory.as_str()), ("a", ""));
    /// ```
    #[must_use]
    pub fn split_last(self) -> Option<(Segment<'a>, Self)> {
        let (text, edition) = (self.text, self.edition);
        let (directory, name) = text.split_at(text.rfind('/').map_or(0, |slash| slash + 1));
        (!text.is_empty()).then_some((Segment { text: name, edition }, Self { text: directory, edition }))
    }

    /// Returns the number of bytes of the text.
    ///
    /// ```
    /// assert_eq!(locator::uri!("http://h/a%20b").path().len(), "/a%20b".len());
    /// ```
    #[must_use]
    pub const fn len(self) -> usize {
        self.text.len()
    }

    /// Returns the segments between the slashes, without the empty one before the first "/" of an
    /// absolute path.
    ///
    /// An empty path has no segments; `/` has one empty segment.
    #[doc(alias("path_segments", "segments_if_absolute"))]
    pub fn segments(self) -> Segments<'a> {
        let (text, edition) = (self.text, self.edition);
        let text = if text.is_empty() { None } else { Some(text.strip_prefix('/').unwrap_or(text)) };
        Segments { texts: text.map(|text| text.split('/')), edition }
    }
}

/// The segments of a path, from either end: the result of [`Path::segments`].
///
/// ```
/// use locator::component::{Segment, Segments};
///
/// /// The rest of a route.
/// struct Route<'a>(Segments<'a>);
///
/// let mut route = Route(locator::uri!("http://h/users/7").path().segments());
/// assert_eq!(route.0.next().unwrap(), "users");
/// assert_eq!(route.0.next().map(Segment::as_str), Some("7"));
/// ```
#[derive(Clone, Debug)]
pub struct Segments<'a> {
    texts: Option<Split<'a, char>>,
    edition: &'static Edition,
}

impl<'a> Iterator for Segments<'a> {
    type Item = Segment<'a>;

    fn next(&mut self) -> Option<Segment<'a>> {
        let text = self.texts.as_mut()?.next()?;
        Some(Segment { text, edition: self.edition })
    }

    fn last(mut self) -> Option<Segment<'a>> {
        self.next_back()
    }
}

impl DoubleEndedIterator for Segments<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let text = self.texts.as_mut()?.next_back()?;
        Some(Segment { text, edition: self.edition })
    }
}

impl FusedIterator for Segments<'_> {}

/// The segments of a path as text, percent-encoded: the result of
/// [`Uri::path_segments`](crate::Uri::path_segments).
///
/// ```
/// let mut segments = locator::uri!("http://h/a/b%20c").path_segments();
/// assert_eq!((segments.next(), segments.next_back()), (Some("a"), Some("b%20c")));
/// ```
#[derive(Clone, Debug)]
pub struct PathSegments<'a>(Segments<'a>);

impl<'a> PathSegments<'a> {
    pub(crate) fn new(path: Path<'a>) -> Self {
        Self(path.segments())
    }
}

impl<'a> Iterator for PathSegments<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.0.next().map(Segment::as_str)
    }
}

impl DoubleEndedIterator for PathSegments<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(Segment::as_str)
    }
}

impl FusedIterator for PathSegments<'_> {}

/// A segment of a path.
///
/// ```
/// let path = locator::uri!("http://h/a%20b;v=1/c").path();
/// let first = path.segments().next().unwrap();
/// assert_eq!(first.as_str(), "a%20b;v=1");
/// assert_eq!(first.decode_utf8()?, "a b;v=1");
/// assert_eq!(first.name(), "a%20b");
/// # Ok::<_, locator::CharsetError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Segment<'a> {
    text: &'a str,
    edition: &'static Edition,
}

impl<'a> Segment<'a> {
    /// Returns the text, exactly as it was given, with its parameters.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Returns the text as percent-encoded text, with its parameters.
    #[must_use]
    pub const fn as_pct_str(self) -> PctStr<'a> {
        PctStr::checked(self.text)
    }

    /// Returns the decoded bytes of the whole segment; see [`PctStr::decode`].
    #[must_use]
    pub fn decode(self) -> Cow<'a, [u8]> {
        self.as_pct_str().decode()
    }

    /// Returns the whole segment decoded to text.
    ///
    /// ```
    /// let uri = locator::uri!("http://h/a%2Fb/caf%C3%A9;v=1");
    /// let segments: Result<Vec<_>, _> =
    ///     uri.path().segments().map(|segment| segment.decode_utf8()).collect();
    /// assert_eq!(segments?, ["a/b", "café;v=1"]);
    /// # Ok::<_, locator::CharsetError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the position of decoded bytes that are not UTF-8.
    pub fn decode_utf8(self) -> Result<Cow<'a, str>, CharsetError> {
        self.as_pct_str().decode_utf8()
    }

    /// Returns the whole segment decoded to text, with U+FFFD in place of invalid UTF-8.
    #[must_use]
    pub fn decode_utf8_lossy(self) -> Cow<'a, str> {
        self.as_pct_str().decode_utf8_lossy()
    }

    /// Returns the name: the text before the first ";" if the edition has parameters, otherwise all
    /// of it.
    #[must_use]
    pub fn name(self) -> PctStr<'a> {
        PctStr::checked(self.cut().0)
    }

    /// Returns the parameters after the name, divided by ";" (`url-1997`, `uri-2003` and RFC 3986,
    /// section 3.3).
    pub fn parameters(self) -> Parameters<'a> {
        Parameters(self.cut().1.map(|rest| rest.split(';')))
    }

    fn cut(self) -> (&'a str, Option<&'a str>) {
        match self.text.split_once(';') {
            Some((name, parameters)) if self.edition.parameters => (name, Some(parameters)),
            _ => (self.text, None),
        }
    }
}

/// The parameters of a segment: the result of [`Segment::parameters`].
///
/// ```
/// let segment = locator::uri!("http://h/a;v=1;x").path().segments().next().unwrap();
/// assert_eq!(segment.parameters().map(|one| one.as_str()).collect::<Vec<_>>(), ["v=1", "x"]);
/// ```
#[derive(Clone, Debug)]
pub struct Parameters<'a>(Option<Split<'a, char>>);

impl<'a> Iterator for Parameters<'a> {
    type Item = PctStr<'a>;

    fn next(&mut self) -> Option<PctStr<'a>> {
        self.0.as_mut()?.next().map(PctStr::checked)
    }
}

impl FusedIterator for Parameters<'_> {}
