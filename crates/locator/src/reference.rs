//! References: a text, where its parts stand, and the edition that says so.
//!
//! [`UriRef`] and [`Uri`] borrow their text and are `Copy`; [`UriRefBuf`] and [`UriBuf`] own
//! it and lend themselves as the borrowed ones. Equality, order and hash are those of the
//! text: nothing is normalised behind anybody's back.

mod cow;
mod literal;
mod owned;
#[cfg(feature = "serde")]
mod serde;
mod text;

pub use cow::UriRefCow;
pub use owned::{UriBuf, UriRefBuf};

use core::ops::{Deref, Range};

use crate::component::{Authority, Excerpt, Path, SchemeName};
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
        parse::read(text, edition, |text, parts, edition| Self { text, parts, edition })
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
    /// The first thing from the left that is wrong, octets that are no UTF-8 being so too.
    pub fn from_octets(octets: &'a [u8], edition: &'static Edition) -> Result<Self, Error> {
        match core::str::from_utf8(octets) {
            Ok(text) => Self::parse_by(text, edition),
            Err(error) => {
                let start = error.valid_up_to();
                let end = error.error_len().map_or(octets.len(), |length| start + length);
                let kind = ErrorKind::NotUtf8;
                let not_utf8 =
                    Error::new(octets, edition, kind, Part::Reference, (start, end), edition.rules.reference);
                let first = parse::first_error(octets, edition);
                Err(first.filter(|first| first.span().start < not_utf8.span().start).unwrap_or(not_utf8))
            }
        }
    }

    /// A text that has been read, with its parts.
    pub(crate) const fn of_parts(text: &'a str, parts: Parts, edition: &'static Edition) -> Self {
        Self { text, parts, edition }
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

    /// The text of a component, knowing its place; `None` if it is undefined.
    pub fn excerpt(self, part: Part) -> Option<Excerpt<'a>> {
        self.parts.span(part).map(|span| self.excerpt_of(span.range()))
    }

    /// What stands between two octets, an escape not being divided.
    pub(crate) fn excerpt_of(self, range: Range<usize>) -> Excerpt<'a> {
        Excerpt::at(self.text.get(range.clone()).unwrap_or_default(), range.start)
    }

    /// What stands after the scheme's ":" and before "#", whatever the generic level calls it.
    pub(crate) fn scheme_specific(self) -> Excerpt<'a> {
        self.excerpt_of(self.parts.after_scheme() as usize..self.parts.query_end as usize)
    }

    /// What kind of reference it is.
    pub fn kind(self) -> Kind {
        let path = self.path().as_str();
        if self.parts.scheme_end > u32::from(self.parts.start) {
            // hier-part = [ net-path / abs-path ] [ "?" query ] where nothing need follow a scheme (2003, 3)
            let empty = path.is_empty() && self.edition.empty_after_scheme;
            let hierarchical = self.parts.has_authority || path.starts_with('/') || empty;
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
        UriRefBuf::of(self)
    }
}

/// What kind of reference it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It has a scheme.
    Uri,
    /// It has a scheme and its rest does not begin with "/", in an edition whose grammar has a rule for
    /// that: `mailto:a@b` in RFC 2396 and in the draft of 2003, where `DAV:` has an empty path instead.
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
        UriBuf::of(self)
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
