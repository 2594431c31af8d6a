//! [`UrlCow`]: a URL that is borrowed if its text was in serialised form, and conversions from and to the
//! types of other crates.

use core::fmt::{self, Display, Formatter};

use locator::{ParseError as UriError, Uri, UriBuf};

use crate::error::ParseError;
use crate::url::Url;
use crate::url_ref::UrlRef;

/// A URL, borrowed or owned: [`Url::parse_cow`].
#[derive(Clone, Debug)]
pub enum UrlCow<'a> {
    /// The text was in serialised form.
    Borrowed(UrlRef<'a>),
    /// The serialised form is another text.
    Owned(Url),
}

impl<'a> UrlCow<'a> {
    /// Returns a view of the URL, with all components.
    #[must_use]
    pub fn as_url_ref(&self) -> UrlRef<'_> {
        match self {
            Self::Borrowed(url) => *url,
            Self::Owned(url) => url.as_url_ref(),
        }
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.as_url_ref().as_str()
    }

    /// Returns the URL, owned.
    #[must_use]
    pub fn into_owned(self) -> Url {
        match self {
            Self::Borrowed(url) => url.to_url(),
            Self::Owned(url) => url,
        }
    }
}

impl Display for UrlCow<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.as_url_ref(), f)
    }
}

impl AsRef<str> for UrlCow<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl From<UrlCow<'_>> for Url {
    fn from(url: UrlCow<'_>) -> Self {
        url.into_owned()
    }
}

/// Reads the serialised form by RFC 3986. Not every URL is a URI: `https://example.com/?f[]=1` is none.
///
/// ```
/// use locator::Uri;
/// use locator_whatwg::UrlRef;
///
/// let url = UrlRef::parse("https://example.com/a")?;
/// assert_eq!(Uri::try_from(url).unwrap().path().as_str(), "/a");
/// let url = UrlRef::parse("https://example.com/?f[]=1")?;
/// assert_eq!(Uri::try_from(url).unwrap_err().span().start, 22);
/// # Ok::<_, locator_whatwg::UrlRefError>(())
/// ```
impl<'a> TryFrom<UrlRef<'a>> for Uri<'a> {
    type Error = UriError;

    fn try_from(url: UrlRef<'a>) -> Result<Self, UriError> {
        Self::parse(url.as_str())
    }
}

/// Reads the serialised form by RFC 3986.
impl TryFrom<&Url> for UriBuf {
    type Error = UriError;

    fn try_from(url: &Url) -> Result<Self, UriError> {
        Self::parse(url.as_str())
    }
}

/// Reads a URI as browsers do: the result may have another host or path.
///
/// ```
/// use locator::Uri;
/// use locator_whatwg::Url;
///
/// let uri = Uri::parse("http://0x7f.1/%2e%2e/a").unwrap();
/// assert_eq!(Url::try_from(uri)?.as_str(), "http://127.0.0.1/a");
/// # Ok::<_, locator_whatwg::ParseError>(())
/// ```
impl TryFrom<Uri<'_>> for Url {
    type Error = ParseError;

    fn try_from(uri: Uri<'_>) -> Result<Self, ParseError> {
        Self::parse(uri.as_str())
    }
}

impl TryFrom<&UriBuf> for Url {
    type Error = ParseError;

    fn try_from(uri: &UriBuf) -> Result<Self, ParseError> {
        Self::parse(uri.as_str())
    }
}

/// Parses the text again with the crate `url`, which differs from the standard in some cases.
#[cfg(feature = "url")]
impl TryFrom<&Url> for ::url::Url {
    type Error = ::url::ParseError;

    fn try_from(url: &Url) -> Result<Self, ::url::ParseError> {
        Self::parse(url.as_str())
    }
}

#[cfg(feature = "url")]
impl TryFrom<&::url::Url> for Url {
    type Error = ParseError;

    fn try_from(url: &::url::Url) -> Result<Self, ParseError> {
        Self::parse(url.as_str())
    }
}
