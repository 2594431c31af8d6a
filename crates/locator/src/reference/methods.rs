//! The methods of [`UriRef`] and [`Uri`] that the types which own their text have, too.
//!
//! The traits of the reference types: each is displayed, compared, ordered and hashed as its text,
//! and written by `Debug` without its password.

use core::cmp::Ordering;
use core::fmt::{self, Debug, Formatter};
use core::ops::Range;

use super::{Iri, IriBuf, ReferenceKind, Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow, delegate};
use crate::as_text::{compares_by_text, orders_with_strings, text_traits_without_debug};
use crate::component::{Authority, Host, Path, PathSegments, Port, SchemeName, SpannedStr, Userinfo};
use crate::edition::Edition;
use crate::error::Redacted;
use crate::pct::PctStr;
use crate::span::{Component, ComponentSpans};

delegate! {
    "Components":
    /// Returns the text of a component without its delimiters, or `None` if it is absent.
    #[must_use]
    fn component(component: Component) -> (Option<&'_ str>) {
        //! ```
        //! use locator::{Component, uri};
        //!
        //! // The columns of a report, by the names of its configuration.
        //! let uri = uri!("https://example.com/a?q=1");
        //! let row = [Component::Host, Component::Query].map(|part| uri.component(part));
        //! assert_eq!(row, [Some("example.com"), Some("q=1")]);
        //! ```
    }
    /// Returns the authority, or `None` if there is no "//".
    #[doc(alias("authority_str", "authority_components"))]
    #[must_use]
    fn authority() -> (Option<Authority<'_>>) {
        //! ```
        //! // The key of a pool of connections.
        //! let authority = locator::uri!("https://jan@example.com:8443/a").authority().unwrap();
        //! assert_eq!((authority.host().as_str(), authority.port_u16()), ("example.com", Some(8443)));
        //! ```
    }
    /// Returns the user information before "@", or `None` if there is no "@".
    #[must_use]
    fn userinfo() -> (Option<Userinfo<'_>>) {
        //! ```
        //! // The login of a request, decoded.
        //! let userinfo = locator::uri!("ftp://jan%40work:s3cret@example.com/").userinfo().unwrap();
        //! assert_eq!(userinfo.user().decode_utf8()?, "jan@work");
        //! assert_eq!(userinfo.password().unwrap().decode_utf8()?, "s3cret");
        //! # Ok::<_, locator::CharsetError>(())
        //! ```
    }
    /// Returns the host, which may be empty, or `None` if there is no authority.
    #[must_use]
    fn host() -> (Option<Host<'_>>) {
        //! ```
        //! // A rule of a configuration: hosts are compared without case.
        //! let is_ours = |uri: locator::Uri<'_>| uri.host().is_some_and(|host| host == "example.com");
        //! assert!(is_ours(locator::uri!("https://Example.COM/a")));
        //! assert!(!is_ours(locator::uri!("https://example.com@evil.example/")));
        //! ```
    }
    /// Returns the port as it is written, or `None` if there is no ":" after the host.
    #[doc(alias = "port_str")]
    #[must_use]
    fn port() -> (Option<Port<'_>>) {
        //! ```
        //! let port = locator::uri!("https://example.com:08443/").port().unwrap();
        //! assert_eq!((port.as_str(), port.number()), ("08443", Some(8443)));
        //! ```
    }
    /// Returns the port as a number, or `None` without one or above 65535.
    #[must_use]
    fn port_u16() -> (Option<u16>) {
        //! ```
        //! assert_eq!(locator::uri!("https://example.com:8443/").port_u16(), Some(8443));
        //! assert_eq!(locator::uri!("https://example.com/").port_u16(), None);
        //! ```
        //!
        //! With the default port of the scheme: `port_or_known_default`.
    }
    /// Returns the path, which is always there, though it may be empty.
    #[doc(alias = "path_str")]
    #[must_use]
    fn path() -> (Path<'_>) {
        //! ```
        //! // The name of a download.
        //! let path = locator::uri!("https://example.com/files/a%20b.zip?v=2").path();
        //! let (name, folder) = path.split_last().unwrap();
        //! assert_eq!((name.decode_utf8()?.as_ref(), folder.as_str()), ("a b.zip", "/files/"));
        //! # Ok::<_, locator::CharsetError>(())
        //! ```
    }
    /// Returns the query without "?", or `None` if it is absent.
    #[doc(alias = "query_str")]
    #[must_use]
    fn query() -> (Option<PctStr<'_>>) {
        //! ```
        //! assert_eq!(locator::uri!("https://example.com/?q=1").query().unwrap(), "q=1");
        //! assert!(locator::uri!("https://example.com/").query().is_none());
        //! ```
        //!
        //! Its names and values, decoded: [`query_pairs`](Self::query_pairs).
    }
    /// Returns the fragment without "#", or `None` if it is absent.
    #[doc(alias = "fragment_str")]
    #[must_use]
    fn fragment() -> (Option<PctStr<'_>>) {
        //! ```
        //! // The heading that a link leads to.
        //! let fragment = locator::uri!("https://example.com/a#%C3%9Cber-uns").fragment().unwrap();
        //! assert_eq!(fragment.decode_utf8()?, "Über-uns");
        //! # Ok::<_, locator::CharsetError>(())
        //! ```
    }
}

delegate! {
    "Components as text":
    /// Returns the text of the host, with the brackets of an IPv6 address; `None` if there is no host or
    /// an empty one.
    #[must_use]
    [const] fn host_str() -> (Option<&'_ str>) {
        //! ```
        //! assert_eq!(locator::uri!("https://example.com:8443/").host_str(), Some("example.com"));
        //! assert_eq!(locator::uri!("https://[::1]/").host_str(), Some("[::1]"));
        //! assert_eq!(locator::uri!("file:///etc/motd").host_str(), None);
        //! ```
    }
    /// Returns the text of the host if it is a name; `None` for an address, and if there is no host.
    #[must_use]
    fn domain() -> (Option<&'_ str>) {
        //! ```
        //! assert_eq!(locator::uri!("https://example.com/").domain(), Some("example.com"));
        //! assert_eq!(locator::uri!("https://127.0.0.1/").domain(), None);
        //! ```
    }
    /// Returns the user before "@", percent-encoded; "" if there is no user.
    #[must_use]
    fn username() -> (&'_ str) {
        //! ```
        //! assert_eq!(locator::uri!("ssh://git@example.com/repo").username(), "git");
        //! assert_eq!(locator::uri!("https://example.com/").username(), "");
        //! ```
        //!
        //! Decoded: `uri.userinfo()?.user().decode_utf8()?`.
    }
    /// Returns the password of the user information, percent-encoded; `None` if there is no ":".
    #[must_use]
    fn password() -> (Option<&'_ str>) {
        //! ```
        //! assert_eq!(locator::uri!("ftp://jan:s3cret@example.com/").password(), Some("s3cret"));
        //! assert_eq!(locator::uri!("ftp://jan@example.com/").password(), None);
        //! ```
        //!
        //! Decoded: `uri.userinfo()?.password()?.decode_utf8()?`.
    }
    /// Returns the segments of the path as text, percent-encoded: those of [`Path::segments`].
    fn path_segments() -> (PathSegments<'_>) {
        //! ```
        //! // A route.
        //! let segments: Vec<&str> = locator::uri!("https://example.com/users/7/edit").path_segments().collect();
        //! assert!(matches!(segments[..], ["users", "7", "edit"]));
        //! ```
    }
    /// Returns the path and the query with its "?": what HTTP calls the request target.
    #[must_use]
    fn path_and_query() -> (PctStr<'_>) {
        //! ```
        //! let target = locator::uri!("https://example.com/a?q=1#top").path_and_query();
        //! assert_eq!(format!("GET {target} HTTP/1.1"), "GET /a?q=1 HTTP/1.1");
        //! ```
        //!
        //! An empty path stays empty; HTTP sends "/" for it (RFC 9112, 3.2.1).
    }
}

delegate! {
    "Which components there are":
    /// Returns whether there is no scheme: whether this is a relative reference.
    #[must_use]
    [const] fn is_relative() -> (bool) {
        //! ```
        //! // A `Uri` has a scheme; `UriRef::is_relative` is the question.
        //! assert!(!locator::uri!("https://example.com/").is_relative());
        //! assert!(locator::uri_ref!("../a").is_relative());
        //! ```
    }
    /// Returns whether there is a scheme. A fragment is allowed, as in `URI` of RFC 3986.
    #[must_use]
    [const] fn is_absolute() -> (bool) {
        //! ```
        //! assert!(locator::uri!("https://example.com/#top").is_absolute());
        //! assert!(!locator::uri_ref!("//example.com/").is_absolute());
        //! ```
    }
    /// Returns whether there is a scheme: whether this is a URI.
    #[must_use]
    [const] fn has_scheme() -> (bool) {
        //! ```
        //! assert!(locator::uri!("mailto:jan@example.com").has_scheme());
        //! ```
    }
    /// Returns whether there is an authority, which may be empty.
    #[doc(alias = "has_host")]
    #[must_use]
    [const] fn has_authority() -> (bool) {
        //! ```
        //! assert!(locator::uri!("file:///etc/motd").has_authority());
        //! assert!(!locator::uri!("mailto:jan@example.com").has_authority());
        //! ```
    }
    /// Returns whether there is a query, which may be empty.
    #[must_use]
    [const] fn has_query() -> (bool) {
        //! ```
        //! // Whether a page may be cached by its path alone.
        //! const PAGE: locator::Uri = locator::uri!("https://example.com/a?");
        //! const HAS_QUERY: bool = PAGE.has_query();
        //! assert!(HAS_QUERY);
        //! ```
    }
    /// Returns whether there is a fragment, which may be empty.
    #[must_use]
    [const] fn has_fragment() -> (bool) {
        //! ```
        //! // Fragments are not sent.
        //! assert!(locator::uri!("https://example.com/a#top").has_fragment());
        //! ```
    }
    /// Returns the kind of this reference.
    #[must_use]
    fn kind() -> (ReferenceKind) {
        //! ```
        //! use locator::{ReferenceKind, uri, uri_ref};
        //!
        //! assert_eq!(uri!("https://example.com/").kind(), ReferenceKind::Uri);
        //! assert_eq!(uri_ref!("//example.com/").kind(), ReferenceKind::NetworkPath);
        //! ```
    }
}

delegate! {
    "Positions, secrets, edition":
    /// Returns the byte range of a component without its delimiters, or `None` if it is absent.
    #[must_use]
    fn span(component: Component) -> (Option<Range<usize>>) {
        //! ```
        //! use locator::{Component, uri};
        //!
        //! // To draw a host in bold.
        //! let uri = uri!("https://jan@example.com/a");
        //! let host = uri.span(Component::Host).unwrap();
        //! let (before, after) = (&uri.as_str()[..host.start], &uri.as_str()[host.end..]);
        //! assert_eq!((before, after), ("https://jan@", "/a"));
        //! ```
    }
    /// Returns the positions of all components.
    #[must_use]
    [const] fn spans() -> (ComponentSpans) {
        //! ```
        //! use locator::{Component, uri};
        //!
        //! let spans = uri!("https://example.com/a").spans();
        //! assert_eq!(spans.span(Component::Path), Some(19..21));
        //! ```
    }
    /// Returns the text of a component with its position; `None` if it is absent.
    #[must_use]
    fn spanned(component: Component) -> (Option<SpannedStr<'_>>) {
        //! ```
        //! use locator::{Component, uri};
        //!
        //! // An error of a program's own points at the byte.
        //! let path = uri!("ftp://example.com/a;type=x").spanned(Component::Path).unwrap();
        //! let (_, code) = path.split_once(";type=").unwrap();
        //! assert_eq!((code.as_str(), code.span()), ("x", 25..26));
        //! ```
    }
    /// Returns the text with its password hidden, and those of URLs in it.
    #[doc(alias("mask_password", "sanitized"))]
    #[must_use]
    fn redacted() -> (Redacted<'_>) {
        //! ```
        //! // For logs and messages.
        //! let uri = locator::uri!("ftp://jan:s3cret@example.com/");
        //! assert_eq!(uri.redacted().to_string(), "ftp://jan:(hidden)@example.com/");
        //! ```
    }
    /// Returns the edition that parsed this reference.
    #[must_use]
    [const] fn edition() -> (&'static Edition) {
        //! ```
        //! use locator::{edition::RFC3986, uri};
        //!
        //! assert_eq!(uri!("https://example.com/").edition(), &RFC3986);
        //! ```
    }
}

delegate! {
    [UriRefBuf, UriRefCow<'_>] by as_uri_ref:
    /// Returns the scheme, or `None` in a relative reference.
    #[doc(alias = "protocol")]
    #[must_use]
    fn scheme() -> Option<SchemeName<'_>>;
    /// Returns this reference up to "#".
    #[must_use]
    fn without_fragment() -> UriRef<'_>;
    /// Returns this reference as a [`Uri`], or `None` if it has no scheme.
    #[must_use]
    fn as_uri() -> Option<Uri<'_>>;
}

delegate! {
    [UriBuf, UriCow<'_>] by as_uri:
    /// Returns the scheme.
    #[doc(alias = "protocol")]
    #[must_use]
    fn scheme() -> SchemeName<'_>;
    /// Returns the text after the scheme's ":" and before "#".
    #[must_use]
    fn scheme_specific_part() -> &str;
    /// Returns this URI up to "#".
    #[must_use]
    fn without_fragment() -> Uri<'_>;
}

text_traits_without_debug!(
    UriRef<'_>,
    Uri<'_>,
    Iri<'_>,
    UriRefBuf,
    UriBuf,
    IriBuf,
    UriRefCow<'_>,
    UriCow<'_>
);
compares_by_text!(UriRef<'_>, Uri<'_>, Iri<'_>, UriRefBuf, UriBuf, IriBuf, UriRefCow<'_>, UriCow<'_>);
orders_with_strings!(UriRef<'_>, Uri<'_>, Iri<'_>, UriRefBuf, UriBuf, IriBuf, UriRefCow<'_>, UriCow<'_>);

/// Implements `Debug` by the text with its password hidden: values that contain references are
/// logged (RFC 3986, 7.5). `Display` shows the password.
macro_rules! debugs_redacted {
    ($($type:ty),* $(,)?) => {$(
        impl Debug for $type {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                self.redacted().fmt(f)
            }
        }
    )*};
}

debugs_redacted!(UriRef<'_>, Uri<'_>, Iri<'_>, UriRefBuf, UriBuf, IriBuf, UriRefCow<'_>, UriCow<'_>);

/// Implements `==` and order between two types, from both sides.
macro_rules! compares {
    ($($one:ty => $($other:ty),+;)*) => {$($(
        compares!(@one $one, $other);
        compares!(@one $other, $one);
    )+)*};
    (@one $one:ty, $other:ty) => {
        impl PartialEq<$other> for $one {
            fn eq(&self, other: &$other) -> bool {
                self.as_str() == other.as_str()
            }
        }

        impl PartialOrd<$other> for $one {
            fn partial_cmp(&self, other: &$other) -> Option<Ordering> {
                self.as_str().partial_cmp(other.as_str())
            }
        }
    };
}

compares! {
    UriRef<'_> => Uri<'_>, Iri<'_>, UriRefBuf, UriBuf, IriBuf, UriRefCow<'_>, UriCow<'_>;
    Uri<'_> => Iri<'_>, UriRefBuf, UriBuf, IriBuf, UriRefCow<'_>, UriCow<'_>;
    Iri<'_> => UriRefBuf, UriBuf, IriBuf, UriRefCow<'_>, UriCow<'_>;
    UriRefBuf => UriBuf, IriBuf, UriRefCow<'_>, UriCow<'_>;
    UriBuf => IriBuf, UriRefCow<'_>, UriCow<'_>;
    IriBuf => UriRefCow<'_>, UriCow<'_>;
    UriRefCow<'_> => UriCow<'_>;
}
