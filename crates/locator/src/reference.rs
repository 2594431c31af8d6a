//! References: a text, where its parts stand, and the edition that says so.
//!
//! [`UriRef`] and [`Uri`] borrow their text and are `Copy`; [`UriRefBuf`] and [`UriBuf`] own
//! it and lend themselves as the borrowed ones. Equality, order and hash are those of the
//! text: nothing is normalised behind anybody's back.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt::{self, Debug, Display, Formatter};
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use core::str::FromStr;

use crate::component::{Authority, Path, SchemeName};
use crate::edition::{self, Edition};
use crate::error::{Error, ErrorKind};
use crate::escape::Escaped;
use crate::parse;
use crate::part::{Part, Parts};

/// A reference, absolute or relative: `URI-reference` of RFC 3986, section 4.1.
///
/// ```
/// use locator::UriRef;
/// use locator::edition::RFC1738;
///
/// let reference = UriRef::parse("../a?q#")?;
/// assert!(reference.scheme().is_none());
/// assert_eq!(reference.path().as_str(), "../a");
/// assert_eq!(reference.query().unwrap(), "q");
/// assert_eq!(reference.fragment().unwrap(), "");
///
/// assert!(UriRef::parse_by("../a", &RFC1738).is_err());
/// # Ok::<_, locator::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct UriRef<'a> {
    text: &'a str,
    parts: Parts,
    edition: &'static Edition,
}

impl<'a> UriRef<'a> {
    /// Reads a reference by RFC 3986.
    ///
    /// # Errors
    ///
    /// The first thing from the left that is wrong.
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        Self::parse_by(text, edition::DEFAULT)
    }

    /// Reads a reference by the generic grammar of an edition.
    ///
    /// # Errors
    ///
    /// The first thing from the left that is wrong.
    #[inline]
    pub fn parse_by(text: &'a str, edition: &'static Edition) -> Result<Self, Error> {
        let parts = parse::read(text, edition)?;
        Ok(Self { text, parts, edition })
    }

    /// The same octet by octet, for constants: slower, and of the same opinion.
    ///
    /// # Errors
    ///
    /// The first thing from the left that is wrong.
    pub const fn parse_const(text: &'a str, edition: &'static Edition) -> Result<Self, Error> {
        match parse::read_const(text, edition) {
            Ok(parts) => Ok(Self { text, parts, edition }),
            Err(error) => Err(error),
        }
    }

    /// Reads a reference from octets, which must be UTF-8.
    ///
    /// # Errors
    ///
    /// Octets that are no UTF-8, else the first thing from the left that is wrong.
    pub fn from_octets(octets: &'a [u8], edition: &'static Edition) -> Result<Self, Error> {
        match core::str::from_utf8(octets) {
            Ok(text) => Self::parse_by(text, edition),
            Err(error) => {
                let start = error.valid_up_to();
                let end = error.error_len().map_or(octets.len(), |length| start + length);
                let kind = ErrorKind::NotUtf8;
                Err(Error::new(octets, edition, kind, Part::Reference, (start, end), edition.rules.reference))
            }
        }
    }

    /// The reference in a text that is known when the program is compiled.
    #[doc(hidden)]
    pub const fn literal(text: &'a str, edition: &'static Edition) -> Self {
        match Self::parse_const(text, edition) {
            Ok(reference) => reference,
            // This runs in the compiler only: `uri_ref!` is its one caller.
            Err(error) => panic!("{}", error.rule().expects),
        }
    }

    /// The text as it was given, octet by octet.
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Where the components stand.
    pub const fn parts(self) -> Parts {
        self.parts
    }

    /// The edition by which it was read.
    pub const fn edition(self) -> &'static Edition {
        self.edition
    }

    /// The text of a component without its delimiters; `None` if it is undefined.
    #[inline]
    pub fn part(self, part: Part) -> Option<&'a str> {
        self.parts.span(part).map(|span| &self.text[span.range()])
    }

    /// The scheme, if there is one.
    pub fn scheme(self) -> Option<SchemeName<'a>> {
        self.part(Part::Scheme).map(SchemeName)
    }

    /// The authority, if there is a "//" for it.
    pub fn authority(self) -> Option<Authority<'a>> {
        self.parts.has_authority.then_some(Authority { text: self.text, parts: self.parts })
    }

    /// The path, which there always is, though it may be empty.
    pub fn path(self) -> Path<'a> {
        Path { text: self.part(Part::Path).unwrap_or_default(), edition: self.edition }
    }

    /// The query, if there is a "?" for it.
    pub fn query(self) -> Option<Escaped<'a>> {
        self.part(Part::Query).map(Escaped::checked)
    }

    /// The fragment, if there is a "#" for it.
    pub fn fragment(self) -> Option<Escaped<'a>> {
        self.part(Part::Fragment).map(Escaped::checked)
    }

    /// What kind of reference it is.
    pub fn kind(self) -> Kind {
        let path = self.path().as_str();
        if self.parts.scheme_end > u32::from(self.parts.start) {
            let hierarchical = self.parts.has_authority || path.starts_with('/');
            return if self.edition.opaque && !hierarchical { Kind::Opaque } else { Kind::Uri };
        }
        match (self.parts.has_authority, path.as_bytes().first()) {
            (true, _) => Kind::NetworkPath,
            (false, Some(b'/')) => Kind::AbsolutePath,
            (false, Some(_)) => Kind::RelativePath,
            (false, None) if self.query().is_some() => Kind::Query,
            (false, None) if self.fragment().is_some() => Kind::Fragment,
            (false, None) => Kind::Empty,
        }
    }

    /// The same as an absolute reference, if it has a scheme.
    pub fn to_uri(self) -> Option<Uri<'a>> {
        self.scheme().map(|_| Uri(self))
    }

    /// A copy that owns its text.
    pub fn to_owned(self) -> UriRefBuf {
        UriRefBuf { text: self.text.to_owned(), parts: self.parts, edition: self.edition }
    }
}

/// What kind of reference it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It has a scheme.
    Uri,
    /// It has a scheme and its rest does not begin with "/", in an edition that has a name for it.
    Opaque,
    /// It begins with "//".
    NetworkPath,
    /// It begins with "/".
    AbsolutePath,
    /// It begins with a segment of a path.
    RelativePath,
    /// It begins with "?".
    Query,
    /// It begins with "#".
    Fragment,
    /// There is nothing.
    Empty,
}

impl Kind {
    /// The word for it in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uri => "uri",
            Self::Opaque => "opaque",
            Self::NetworkPath => "network-path",
            Self::AbsolutePath => "absolute-path",
            Self::RelativePath => "relative-path",
            Self::Query => "query",
            Self::Fragment => "fragment",
            Self::Empty => "empty",
        }
    }
}

/// A reference that has a scheme: `URI` of RFC 3986, section 3.
///
/// It is a [`UriRef`] and has all its methods.
///
/// ```
/// use locator::{Uri, uri};
///
/// const HOME: Uri = uri!("https://example.com/");
/// assert_eq!(HOME.scheme(), "https");
/// assert_eq!(Uri::parse("https://example.com/"), Ok(HOME));
/// assert!(Uri::parse("/a/b").is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uri<'a>(UriRef<'a>);

impl<'a> Uri<'a> {
    /// Reads a reference that has a scheme, by RFC 3986.
    ///
    /// # Errors
    ///
    /// The first thing from the left that is wrong.
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        Self::parse_by(text, edition::DEFAULT)
    }

    /// Reads a reference that has a scheme, by the generic grammar of an edition.
    ///
    /// # Errors
    ///
    /// The first thing from the left that is wrong.
    #[inline]
    pub fn parse_by(text: &'a str, edition: &'static Edition) -> Result<Self, Error> {
        UriRef::parse_by(text, edition)?.try_into()
    }

    /// The URI in a text that is known when the program is compiled.
    #[doc(hidden)]
    pub const fn literal(text: &'a str, edition: &'static Edition) -> Self {
        let reference = UriRef::literal(text, edition);
        assert!(
            reference.parts.scheme_end > reference.parts.start as u32,
            "a URI begins with a scheme and \":\""
        );
        Self(reference)
    }

    /// The scheme.
    pub fn scheme(self) -> SchemeName<'a> {
        SchemeName(self.part(Part::Scheme).unwrap_or_default())
    }

    /// What stands after the scheme's ":" and before "#".
    pub fn scheme_specific_part(self) -> &'a str {
        &self.0.text[self.0.parts.after_scheme() as usize..self.0.parts.query_end as usize]
    }

    /// A copy that owns its text.
    pub fn to_owned(self) -> UriBuf {
        UriBuf(self.0.to_owned())
    }
}

impl<'a> Deref for Uri<'a> {
    type Target = UriRef<'a>;

    fn deref(&self) -> &UriRef<'a> {
        &self.0
    }
}

impl<'a> TryFrom<UriRef<'a>> for Uri<'a> {
    type Error = Error;

    fn try_from(reference: UriRef<'a>) -> Result<Self, Error> {
        let UriRef { text, edition, .. } = reference;
        let missing = |_| {
            let (kind, rule) = (ErrorKind::Missing, edition.rules.scheme_and_colon);
            Error::new(text.as_bytes(), edition, kind, Part::Scheme, (0, 0), rule)
        };
        reference.to_uri().ok_or(()).map_err(missing)
    }
}

impl<'a> From<Uri<'a>> for UriRef<'a> {
    fn from(uri: Uri<'a>) -> Self {
        uri.0
    }
}

/// A [`UriRef`] that owns its text.
///
/// ```
/// use locator::UriRefBuf;
///
/// let reference: UriRefBuf = "//host/path".parse()?;
/// assert_eq!(reference.as_uri_ref().authority().unwrap().as_str(), "host");
/// # Ok::<_, locator::Error>(())
/// ```
#[derive(Clone)]
pub struct UriRefBuf {
    text: String,
    parts: Parts,
    edition: &'static Edition,
}

impl UriRefBuf {
    /// Reads a reference by an edition and keeps the text.
    ///
    /// # Errors
    ///
    /// The first thing from the left that is wrong, and the text given back.
    pub fn from_string(text: String, edition: &'static Edition) -> Result<Self, (Error, String)> {
        match parse::read(&text, edition) {
            Ok(parts) => Ok(Self { text, parts, edition }),
            Err(error) => Err((error, text)),
        }
    }

    /// The same, borrowed: every question is asked of that.
    pub fn as_uri_ref(&self) -> UriRef<'_> {
        UriRef { text: &self.text, parts: self.parts, edition: self.edition }
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text, given away.
    pub fn into_string(self) -> String {
        self.text
    }
}

/// A [`Uri`] that owns its text.
///
/// ```
/// use locator::UriBuf;
///
/// let uri: UriBuf = "mailto:John.Doe@example.com".parse()?;
/// assert_eq!(uri.as_uri().scheme(), "mailto");
/// # Ok::<_, locator::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UriBuf(UriRefBuf);

impl UriBuf {
    /// The same, borrowed: every question is asked of that.
    pub fn as_uri(&self) -> Uri<'_> {
        Uri(self.0.as_uri_ref())
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The text, given away.
    pub fn into_string(self) -> String {
        self.0.into_string()
    }
}

impl FromStr for UriRefBuf {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        UriRef::parse(text).map(UriRef::to_owned)
    }
}

impl FromStr for UriBuf {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Uri::parse(text).map(Uri::to_owned)
    }
}

impl From<UriBuf> for UriRefBuf {
    fn from(uri: UriBuf) -> Self {
        uri.0
    }
}

impl<'a> TryFrom<&'a str> for UriRef<'a> {
    type Error = Error;

    fn try_from(text: &'a str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

impl<'a> TryFrom<&'a str> for Uri<'a> {
    type Error = Error;

    fn try_from(text: &'a str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

/// What all four have in common is that they are their text.
macro_rules! is_its_text {
    ($($type:ty),*) => {$(
        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl Display for $type {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl Debug for $type {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                Debug::fmt(self.as_str(), f)
            }
        }

        impl PartialEq<str> for $type {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl PartialEq<&str> for $type {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }
    )*};
}

is_its_text!(UriRef<'_>, Uri<'_>, UriRefBuf, UriBuf);

/// Equality, order and hash of the two that have fields beside the text.
macro_rules! compares_by_text {
    ($($type:ty),*) => {$(
        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.as_str() == other.as_str()
            }
        }

        impl Eq for $type {}

        impl PartialOrd for $type {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $type {
            fn cmp(&self, other: &Self) -> Ordering {
                self.as_str().cmp(other.as_str())
            }
        }

        impl Hash for $type {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.as_str().hash(state);
            }
        }
    )*};
}

compares_by_text!(UriRef<'_>, UriRefBuf);

/// A [`Uri`] that the compiler has checked, by RFC 3986 or the edition named.
///
/// ```
/// use locator::{Uri, uri};
///
/// const HOME: Uri = uri!("https://example.com/");
/// let old = uri!("URL:http://info.cern.ch/", locator::edition::URL_1994);
/// assert_eq!(old.scheme(), "http");
/// ```
///
/// What is no URI does not compile:
///
/// ```compile_fail
/// let uri = locator::uri!("https://exa mple.com/");
/// ```
#[macro_export]
macro_rules! uri {
    ($text:expr) => {
        $crate::uri!($text, $crate::edition::RFC3986)
    };
    ($text:expr, $edition:path) => {
        const { $crate::Uri::literal($text, &$edition) }
    };
}

/// A [`UriRef`] that the compiler has checked, by RFC 3986 or the edition named.
///
/// ```
/// let reference = locator::uri_ref!("../a?q");
/// assert_eq!(reference.query().unwrap(), "q");
/// ```
#[macro_export]
macro_rules! uri_ref {
    ($text:expr) => {
        $crate::uri_ref!($text, $crate::edition::RFC3986)
    };
    ($text:expr, $edition:path) => {
        const { $crate::UriRef::literal($text, &$edition) }
    };
}
