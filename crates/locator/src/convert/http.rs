//! Converts references from and to `http::Uri`, the target of a request. It is absolute with an
//! authority, or a path that begins with "/", and has no fragment (RFC 9112, section 3.2).

use alloc::string::ToString;

use ::http::Uri as HttpUri;

use super::{ConvertError, check_same, read_alike};
use crate::reference::{ReferenceKind, Uri, UriBuf, UriRef, UriRefBuf};
use crate::span::Component;

fn to_http(given: UriRef<'_>) -> Result<HttpUri, ConvertError> {
    let reference = read_alike(given)?;
    // The crate would drop it silently.
    if reference.fragment().is_some() {
        return Err(ConvertError::Component { component: Component::Fragment });
    }
    let has_authority = reference.authority().is_some();
    match reference.kind() {
        ReferenceKind::Uri if has_authority => {}
        ReferenceKind::AbsolutePath => {}
        kind => return Err(ConvertError::Form { kind }),
    }
    let made = HttpUri::try_from(reference.as_str()).map_err(ConvertError::Http)?;
    let text = made.to_string();
    check_same(reference, UriRef::parse(&text).map_err(ConvertError::NotValid)?)?;
    Ok(made)
}

fn from_http(uri: &HttpUri) -> Result<UriRefBuf, ConvertError> {
    let is_authority = uri.scheme().is_none() && uri.authority().is_some();
    if is_authority || uri.path() == "*" {
        return Err(ConvertError::RequestTarget);
    }
    let reference =
        UriRefBuf::try_from(uri.to_string()).map_err(|error| ConvertError::NotValid(error.error()))?;
    // A path may begin with "//" there; here that begins an authority.
    let has_authority = reference.as_uri_ref().authority().is_some();
    if has_authority == uri.authority().is_some() {
        Ok(reference)
    } else {
        Err(ConvertError::Rewritten { component: Component::Authority })
    }
}

/// Converts a request target to a reference.
///
/// ```
/// use locator::{ConvertError, UriRefBuf};
///
/// let target = http::Uri::from_static("/a?b");
/// assert_eq!(UriRefBuf::try_from(&target)?, "/a?b");
/// assert!(
///     UriRefBuf::try_from(&http::Uri::from_static("example.com:443")).is_err()
/// );
/// # Ok::<_, ConvertError>(())
/// ```
///
/// # Errors
///
/// Returns an error for `host:port` and `*`, which are not references, for octets that are not
/// allowed in a URI, and for a path that begins with "//".
impl TryFrom<&HttpUri> for UriRefBuf {
    type Error = ConvertError;

    fn try_from(uri: &HttpUri) -> Result<Self, ConvertError> {
        from_http(uri)
    }
}

/// Converts a request target to a URI.
///
/// ```
/// use locator::UriBuf;
///
/// let target = http::Uri::from_static("http://example.com/a");
/// assert_eq!(UriBuf::try_from(&target)?, UriBuf::try_from(target)?);
/// # Ok::<_, locator::ConvertError>(())
/// ```
impl TryFrom<&HttpUri> for UriBuf {
    type Error = ConvertError;

    fn try_from(uri: &HttpUri) -> Result<Self, ConvertError> {
        Self::try_from(from_http(uri)?).map_err(|error| ConvertError::NotValid(error.error()))
    }
}

macro_rules! from_owned {
    ($($type:ty),*) => {$(
        /// Converts a request target, as from a borrowed one.
        impl TryFrom<HttpUri> for $type {
            type Error = ConvertError;

            fn try_from(uri: HttpUri) -> Result<Self, ConvertError> {
                Self::try_from(&uri)
            }
        }
    )*};
}

from_owned!(UriRefBuf, UriBuf);

macro_rules! to_http {
    ($($type:ty),*) => {$(
        /// Converts a reference to the target of a request.
        ///
        /// ```
        /// use locator::{Component, ConvertError, uri};
        ///
        /// let target = http::Uri::try_from(uri!("HTTP://example.com/a?b"))?;
        /// assert_eq!(target, "http://example.com/a?b");
        /// let error = http::Uri::try_from(uri!("http://example.com/#a")).unwrap_err();
        /// assert!(matches!(
        ///     error,
        ///     ConvertError::Component { component: Component::Fragment }
        /// ));
        /// # Ok::<_, ConvertError>(())
        /// ```
        ///
        /// # Errors
        ///
        /// Returns an error for a fragment, which would be lost, and for all but an absolute path
        /// or a URI with an authority. Also rejects a reference that the crate rejects or would
        /// rewrite to one that may differ.
        impl TryFrom<$type> for HttpUri {
            type Error = ConvertError;

            fn try_from(reference: $type) -> Result<Self, ConvertError> {
                to_http(reference.into())
            }
        }
    )*};
}

to_http!(UriRef<'_>, Uri<'_>, &UriRefBuf, &UriBuf);
