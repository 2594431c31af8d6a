//! The methods of [`UriRef`] and [`Uri`] that the types which own their text have, too.
//!
//! The traits of the reference types: each is displayed, compared, ordered and hashed as its text,
//! and written by `Debug` without its password.

use alloc::string::String;
use core::borrow::Borrow;
use core::fmt::{self, Debug, Formatter};
use core::ops::Range;

use super::{ReferenceKind, Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow, delegate};
use crate::as_text::{compares_by_text, text_traits_without_debug};
use crate::component::{Authority, Host, Path, Port, SchemeName, SpannedStr, Userinfo};
use crate::edition::Edition;
use crate::error::Redacted;
use crate::pct::PctStr;
use crate::span::{Component, ComponentSpans};

delegate! {
    /// Returns the positions of all components.
    #[must_use]
    fn spans() -> ComponentSpans;
    /// Returns the edition that parsed this reference.
    #[must_use]
    fn edition() -> &'static Edition;
    /// Returns the text of a component without its delimiters, or `None` if it is absent.
    #[must_use]
    fn component(component: Component) -> Option<&str>;
    /// Returns the byte range of a component without its delimiters, or `None` if it is absent.
    #[must_use]
    fn span(component: Component) -> Option<Range<usize>>;
    /// Returns the authority, or `None` if there is no "//".
    #[must_use]
    fn authority() -> Option<Authority<'_>>;
    /// Returns the user information before "@", or `None` if there is no "@".
    #[doc(alias("username", "password"))]
    #[must_use]
    fn userinfo() -> Option<Userinfo<'_>>;
    /// Returns the host, which may be empty, or `None` if there is no authority.
    #[doc(alias("host_str", "domain"))]
    #[must_use]
    fn host() -> Option<Host<'_>>;
    /// Returns the port as it is written, or `None` if there is no ":" after the host.
    #[must_use]
    fn port() -> Option<Port<'_>>;
    /// Returns the path, which is always there, though it may be empty.
    #[doc(alias = "path_segments")]
    #[must_use]
    fn path() -> Path<'_>;
    /// Returns the query without "?", or `None` if it is absent.
    #[must_use]
    fn query() -> Option<PctStr<'_>>;
    /// Returns the fragment without "#", or `None` if it is absent.
    #[must_use]
    fn fragment() -> Option<PctStr<'_>>;
    /// Returns the text with its password hidden, and those of URLs in it.
    #[must_use]
    fn redacted() -> Redacted<'_>;
    /// Returns the text of a component with its position; `None` if it is absent.
    #[must_use]
    fn spanned(component: Component) -> Option<SpannedStr<'_>>;
    /// Returns whether there is a scheme: whether this is a URI.
    #[doc(alias = "is_absolute")]
    #[must_use]
    fn has_scheme() -> bool;
    /// Returns whether there is an authority, which may be empty.
    #[doc(alias = "has_host")]
    #[must_use]
    fn has_authority() -> bool;
    /// Returns whether there is a query, which may be empty.
    #[must_use]
    fn has_query() -> bool;
    /// Returns whether there is a fragment, which may be empty.
    #[must_use]
    fn has_fragment() -> bool;
    /// Returns the kind of this reference.
    #[must_use]
    fn kind() -> ReferenceKind;
}

delegate! {
    /// Returns the port as a number, or `None` without one or above 65535.
    #[must_use]
    fn port_u16() -> Option<u16>;
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

text_traits_without_debug!(UriRef<'_>, Uri<'_>, UriRefBuf, UriBuf, UriRefCow<'_>, UriCow<'_>);
compares_by_text!(UriRef<'_>, Uri<'_>, UriRefBuf, UriBuf, UriRefCow<'_>, UriCow<'_>);

/// Implements `Debug` by the text with its password hidden: values that contain references are
/// logged (RFC 3986, 7.5). `Display` shows the password.
macro_rules! debugs_redacted {
    ($($type:ty),*) => {$(
        impl Debug for $type {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                self.redacted().fmt(f)
            }
        }
    )*};
}

debugs_redacted!(UriRef<'_>, Uri<'_>, UriRefBuf, UriBuf, UriRefCow<'_>, UriCow<'_>);

/// Implements `==` between two types, from both sides.
macro_rules! equal {
    ($($one:ty => $($other:ty),+;)*) => {$($(
        impl PartialEq<$other> for $one {
            fn eq(&self, other: &$other) -> bool {
                self.as_str() == other.as_str()
            }
        }

        impl PartialEq<$one> for $other {
            fn eq(&self, other: &$one) -> bool {
                self.as_str() == other.as_str()
            }
        }
    )+)*};
}

equal! {
    UriRef<'_> => Uri<'_>, UriRefBuf, UriBuf, UriRefCow<'_>, UriCow<'_>;
    Uri<'_> => UriRefBuf, UriBuf, UriRefCow<'_>, UriCow<'_>;
    UriRefBuf => UriBuf, UriRefCow<'_>, UriCow<'_>;
    UriBuf => UriRefCow<'_>, UriCow<'_>;
    UriRefCow<'_> => UriCow<'_>;
}

/// Implements `Borrow<str>`, so that a map with such keys accepts a `&str` for lookup.
macro_rules! borrows_as_str {
    ($($type:ty),*) => {$(
        impl Borrow<str> for $type {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }
    )*};
}

borrows_as_str!(UriRefBuf, UriBuf, UriRefCow<'_>, UriCow<'_>);

/// Implements `From<…> for String`.
macro_rules! becomes_string {
    ($($type:ty),*) => {$(
        impl From<$type> for String {
            fn from(reference: $type) -> Self {
                reference.into_string()
            }
        }
    )*};
}

becomes_string!(UriRefBuf, UriBuf, UriRefCow<'_>, UriCow<'_>);

impl<'a> From<UriRef<'a>> for &'a str {
    fn from(reference: UriRef<'a>) -> Self {
        reference.as_str()
    }
}

impl<'a> From<Uri<'a>> for &'a str {
    fn from(uri: Uri<'a>) -> Self {
        uri.as_str()
    }
}
