//! The traits of the reference types: each is displayed, compared, ordered and hashed as its text,
//! and written by `Debug` without its password.

use alloc::string::String;
use core::borrow::Borrow;
use core::fmt::{self, Debug, Formatter};

use super::{Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow};
use crate::as_text::{compares_by_text, text_traits_without_debug};

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
