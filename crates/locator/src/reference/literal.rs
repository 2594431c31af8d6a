//! Macros for reference literals that the compiler validates.

/// Creates a [`Uri`](crate::Uri) that is validated at compile time, by RFC 3986 or the given
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

/// Creates a [`UriRef`](crate::UriRef) that is validated at compile time, by RFC 3986 or the given
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
