//! A borrowed reference that has a scheme.

use super::UriRef;
use crate::component::SchemeName;
use crate::edition::{self, Edition};
use crate::error::{ParseError, ParseErrorKind};
use crate::span::{Component, Span};

/// A borrowed reference that has a scheme: `URI` of RFC 3986, section 3.
///
/// It has all methods of [`UriRef`], which are listed below by task. [`UriBuf`](crate::UriBuf) owns its text.
///
/// ```
/// use locator::{Uri, uri};
///
/// const HOME: Uri = uri!("https://example.com/");
/// assert_eq!(HOME.scheme(), "https");
/// assert_eq!(Uri::parse("https://example.com/"), Ok(HOME));
/// assert!(Uri::parse("/a/b").is_err());
/// ```
///
/// # Which type for a function
///
/// Take a `Uri` where a scheme is needed: to fetch, to compare, as a base. The compiler then rejects a
/// relative reference, and the caller decides against which base it is resolved:
///
/// ```
/// use locator::{Uri, UriRef, uri};
///
/// fn host_of(uri: Uri<'_>) -> Option<String> {
///     Some(uri.host()?.to_string())
/// }
///
/// assert_eq!(
///     host_of(uri!("http://example.com/")).as_deref(),
///     Some("example.com")
/// );
///
/// // A reference of a document becomes a URI by its base.
/// let link = UriRef::parse("../a")?;
/// let resolved = link.resolve_against(uri!("http://example.com/b/c"))?;
/// assert_eq!(host_of(resolved.as_uri()).as_deref(), Some("example.com"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// A `UriRef` that has a scheme already is converted without being parsed again:
///
/// ```
/// use locator::{Uri, UriRef};
///
/// let reference = UriRef::parse("http://h/")?;
/// assert_eq!(reference.as_uri().unwrap().scheme(), "http");
/// assert_eq!(Uri::try_from(reference)?, "http://h/");
/// assert!(Uri::try_from(UriRef::parse("/a")?).is_err());
/// # Ok::<_, locator::ParseError>(())
/// ```
///
/// "URI" here is `URI` of RFC 3986, section 3, so it may have a fragment; `absolute-URI`, which has none,
/// is [`without_fragment`](Self::without_fragment).
#[derive(Clone, Copy)]
#[doc(alias("Url", "UriStr", "UriAbsoluteStr"))]
pub struct Uri<'a>(UriRef<'a>);

/// # Parsing
impl<'a> Uri<'a> {
    /// Parses a URI by RFC 3986.
    ///
    /// ```
    /// use locator::Uri;
    ///
    /// let uri = Uri::parse("https://example.com/a")?;
    /// assert_eq!(uri.host_str(), Some("example.com"));
    /// assert!(Uri::parse("https://example.com/a b").is_err());
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error from the left; a missing scheme is one.
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        Self::parse_with(text, edition::DEFAULT)
    }

    /// Parses a URI by the generic grammar of an edition.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left; a missing scheme is one.
    #[inline]
    pub fn parse_with(text: &'a str, edition: &'static Edition) -> Result<Self, ParseError> {
        UriRef::parse_with(text, edition)?.try_into()
    }

    /// Parses a URI by RFC 3986 from bytes, which must be UTF-8.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left; invalid UTF-8 and a missing scheme are ones.
    pub fn parse_bytes(bytes: &'a [u8]) -> Result<Self, ParseError> {
        Self::parse_bytes_with(bytes, edition::DEFAULT)
    }

    /// Parses a URI by an edition from bytes, which must be UTF-8.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left; invalid UTF-8 and a missing scheme are ones.
    pub fn parse_bytes_with(bytes: &'a [u8], edition: &'static Edition) -> Result<Self, ParseError> {
        UriRef::parse_bytes_with(bytes, edition)?.try_into()
    }

    /// Parses a URI by RFC 3986 in a constant: like [`parse`](Self::parse), but `const` and slower.
    ///
    /// The result is the same. [`uri!`](crate::uri) does this for literals.
    ///
    /// ```
    /// use locator::Uri;
    ///
    /// const HAS_QUERY: bool = match Uri::parse_const("http://example.com/?q") {
    ///     Ok(uri) => uri.has_query(),
    ///     Err(_) => false,
    /// };
    /// assert!(HAS_QUERY);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error from the left; a missing scheme is one.
    #[doc(alias = "from_static")]
    pub const fn parse_const(text: &'a str) -> Result<Self, ParseError> {
        Self::parse_const_with(text, edition::DEFAULT)
    }

    /// Parses a URI by an edition in a constant: like [`parse_with`](Self::parse_with), but `const`
    /// and slower.
    ///
    /// # Errors
    ///
    /// Returns the first error from the left; a missing scheme is one.
    pub const fn parse_const_with(text: &'a str, edition: &'static Edition) -> Result<Self, ParseError> {
        match UriRef::parse_const_with(text, edition) {
            Ok(reference) => Self::of_reference(reference),
            Err(error) => Err(error),
        }
    }

    /// Returns the reference as a URI, or the error of a missing scheme.
    const fn of_reference(reference: UriRef<'a>) -> Result<Self, ParseError> {
        let (text, edition) = (reference.as_str(), reference.edition());
        match reference.as_uri() {
            Some(uri) => Ok(uri),
            None => {
                let (kind, rule) = (ParseErrorKind::Missing, edition.rules.scheme_and_colon);
                Err(ParseError::new(text.as_bytes(), edition, kind, Component::Scheme, Span::new(0, 0), rule))
            }
        }
    }

    /// Creates a URI from a reference that is known to have a scheme.
    pub(crate) const fn of_absolute(reference: UriRef<'a>) -> Self {
        debug_assert!(reference.has_scheme());
        Self(reference)
    }

    /// Creates a URI from a text that is known at compile time.
    #[doc(hidden)]
    #[must_use]
    pub const fn literal(text: &'a str, edition: &'static Edition) -> Self {
        let reference = UriRef::literal(text, edition);
        assert!(reference.has_scheme(), "a URI begins with a scheme and \":\"");
        Self(reference)
    }
}

/// # The whole
impl<'a> Uri<'a> {
    /// Returns this URI as a [`UriRef`].
    ///
    /// ```
    /// let link: locator::UriRef<'_> = locator::uri!("https://example.com/").as_uri_ref();
    /// assert!(link.is_absolute());
    /// ```
    #[must_use]
    pub const fn as_uri_ref(self) -> UriRef<'a> {
        self.0
    }

    /// Returns the text, exactly as it was given.
    ///
    /// ```
    /// assert_eq!(locator::uri!("HTTPS://Example.com").as_str(), "HTTPS://Example.com");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.0.as_str()
    }

    /// Returns the scheme.
    ///
    /// ```
    /// // A `match` compares text with its case.
    /// let port = match &*locator::uri!("HTTPS://example.com/").scheme().lowercase() {
    ///     "http" => 80,
    ///     "https" => 443,
    ///     _ => 0,
    /// };
    /// assert_eq!(port, 443);
    /// ```
    #[doc(alias("protocol", "scheme_str"))]
    #[must_use]
    pub fn scheme(self) -> SchemeName<'a> {
        SchemeName(self.component(Component::Scheme).unwrap_or_default())
    }

    /// Returns the text after the scheme's ":" and before "#".
    ///
    /// ```
    /// assert_eq!(locator::uri!("urn:isbn:0451450523").scheme_specific_part(), "isbn:0451450523");
    /// ```
    #[must_use]
    pub fn scheme_specific_part(self) -> &'a str {
        &self.0.as_str()[self.0.spans().after_scheme() as usize..self.0.spans().query_end as usize]
    }

    /// Returns this URI up to "#".
    ///
    /// ```
    /// assert_eq!(locator::uri!("http://h/a#f").without_fragment(), "http://h/a");
    /// ```
    #[doc(alias = "strip_fragment")]
    #[must_use]
    pub fn without_fragment(self) -> Self {
        Self(self.0.without_fragment())
    }
}

impl<'a> TryFrom<UriRef<'a>> for Uri<'a> {
    type Error = ParseError;

    fn try_from(reference: UriRef<'a>) -> Result<Self, ParseError> {
        Self::of_reference(reference)
    }
}

impl<'a> UriRef<'a> {
    /// Returns this reference as a [`Uri`], or `None` if it has no scheme. `Uri::try_from` returns an error
    /// instead of `None`.
    ///
    /// ```
    /// use locator::uri_ref;
    ///
    /// assert_eq!(uri_ref!("https://example.com/").as_uri().unwrap().scheme(), "https");
    /// assert!(uri_ref!("/a").as_uri().is_none());
    /// ```
    #[doc(alias("to_uri", "to_absolute"))]
    #[must_use]
    pub const fn as_uri(self) -> Option<Uri<'a>> {
        if self.has_scheme() { Some(Uri(self)) } else { None }
    }
}

/// Creates a [`Uri`] that is validated at compile time, by RFC 3986 or the given
/// edition.
///
/// ```
/// use locator::{Uri, uri};
///
/// const HOME: Uri = uri!("https://example.com/");
/// let old = uri!("URL:http://info.cern.ch/", locator::edition::URL_1994);
/// assert_eq!(old.scheme(), "http");
/// ```
///
/// An invalid URI does not compile:
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

/// Creates a [`UriRef`] that is validated at compile time, by RFC 3986 or the given
/// edition.
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
