//! Converts references from and to `url::Url`, which follows the URL standard of WHATWG. That crate
//! rewrites its input, and some of its output is not a URI by RFC 3986.

use alloc::string::String;

use ::url::Url;

use super::{ConvertError, check_same, read_alike};
use crate::reference::{Uri, UriBuf, UriRef, UriRefBuf};

fn to_url(given: UriRef<'_>) -> Result<Url, ConvertError> {
    let reference = read_alike(given)?;
    if reference.scheme().is_none() {
        return Err(ConvertError::Form { kind: reference.kind() });
    }
    let made = Url::parse(reference.as_str()).map_err(ConvertError::Url)?;
    check_same(reference, UriRef::parse(made.as_str()).map_err(ConvertError::NotValid)?)?;
    Ok(made)
}

/// Converts a URL to a URI with the same text.
///
/// ```
/// use locator::{Uri, uri};
///
/// let url = url::Url::parse("http://Example.com").unwrap();
/// assert_eq!(Uri::try_from(&url), Ok(uri!("http://example.com/")));
///
/// let url = url::Url::parse("http://example.com/a|b").unwrap();
/// let error = Uri::try_from(&url).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "\"|\" is not allowed in the path, at byte 20 (pchar, RFC 3986, 3.3)"
/// );
/// ```
///
/// # Errors
///
/// Returns an error for octets that are not allowed in a URI: the URL standard keeps `|`, `[`, `]`,
/// "%" without hex digits and others.
impl<'a> TryFrom<&'a Url> for Uri<'a> {
    type Error = crate::error::ParseError;

    fn try_from(url: &'a Url) -> Result<Self, Self::Error> {
        Self::parse(url.as_str())
    }
}

/// Converts a URL to a URI with a copy of its text.
impl TryFrom<&Url> for UriBuf {
    type Error = crate::error::ParseError;

    fn try_from(url: &Url) -> Result<Self, Self::Error> {
        Self::parse(url.as_str())
    }
}

/// Converts a URL to a URI that takes over its text.
///
/// ```
/// use locator::UriBuf;
///
/// let url = url::Url::parse("http://Example.com").unwrap();
/// assert_eq!(UriBuf::try_from(&url)?, UriBuf::try_from(url)?);
/// # Ok::<_, locator::ParseError>(())
/// ```
impl TryFrom<Url> for UriBuf {
    type Error = crate::error::ParseError;

    fn try_from(url: Url) -> Result<Self, Self::Error> {
        Ok(Self::try_from(String::from(url))?)
    }
}

macro_rules! to_url {
    ($($type:ty),*) => {$(
        /// Converts a URI to a URL.
        ///
        /// ```
        /// use locator::{Component, ConvertError, uri};
        ///
        /// let url = url::Url::try_from(uri!("http://Example.com:80/a/../b"))?;
        /// assert_eq!(url.as_str(), "http://example.com/b");
        ///
        /// // An address to the URL standard, a name to RFC 3986.
        /// let error = url::Url::try_from(uri!("http://0x7f.1/")).unwrap_err();
        /// assert!(matches!(
        ///     error,
        ///     ConvertError::Rewritten { component: Component::Host }
        /// ));
        /// # Ok::<_, ConvertError>(())
        /// ```
        ///
        /// # Errors
        ///
        /// Returns an error for a reference without a scheme, and for one that the crate rejects or
        /// would rewrite to one that may differ. Examples are hosts taken for numbers or for IDNA,
        /// `http:a`, an empty user, "'" in a query. An IPv6 address may be written in another way.
        impl TryFrom<$type> for Url {
            type Error = ConvertError;

            fn try_from(reference: $type) -> Result<Self, ConvertError> {
                to_url(reference.into())
            }
        }
    )*};
}

to_url!(UriRef<'_>, Uri<'_>, &UriRefBuf, &UriBuf);
