//! The conversions that all types of references have: from strings and bytes, which are parsed; from one
//! another, which cannot fail; and into strings.
//!
//! Conversions that can fail, because a scheme is missing or another edition has parsed the text, are at
//! their types.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;
use core::str::FromStr;

use super::{Iri, IriBuf, Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow};
use crate::error::{FromStringError, ParseError};

/// Implements `TryFrom` of texts for a type that borrows them.
macro_rules! borrows_text {
    ($($type:ident),*) => {$(
        impl<'a> TryFrom<&'a str> for $type<'a> {
            type Error = ParseError;

            fn try_from(text: &'a str) -> Result<Self, ParseError> {
                Self::parse(text)
            }
        }

        impl<'a> TryFrom<&'a String> for $type<'a> {
            type Error = ParseError;

            fn try_from(text: &'a String) -> Result<Self, ParseError> {
                Self::parse(text)
            }
        }

        impl<'a> TryFrom<&'a [u8]> for $type<'a> {
            type Error = ParseError;

            fn try_from(bytes: &'a [u8]) -> Result<Self, ParseError> {
                Self::parse_bytes(bytes)
            }
        }

        impl<'a> From<&$type<'a>> for $type<'a> {
            fn from(reference: &$type<'a>) -> Self {
                *reference
            }
        }
    )*};
}

borrows_text!(UriRef, Uri, Iri);

/// Implements `FromStr` and `TryFrom` of texts for a type that owns them.
macro_rules! owns_text {
    ($($owned:ident of $borrowed:ident),*) => {$(
        impl FromStr for $owned {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, ParseError> {
                Self::parse(text)
            }
        }

        impl TryFrom<&str> for $owned {
            type Error = ParseError;

            fn try_from(text: &str) -> Result<Self, ParseError> {
                Self::parse(text)
            }
        }

        impl TryFrom<String> for $owned {
            type Error = FromStringError;

            fn try_from(text: String) -> Result<Self, FromStringError> {
                Self::from_string(text)
            }
        }

        impl TryFrom<&String> for $owned {
            type Error = ParseError;

            fn try_from(text: &String) -> Result<Self, ParseError> {
                Self::parse(text)
            }
        }

        impl TryFrom<Box<str>> for $owned {
            type Error = FromStringError;

            fn try_from(text: Box<str>) -> Result<Self, FromStringError> {
                Self::from_string(text.into())
            }
        }

        impl TryFrom<Cow<'_, str>> for $owned {
            type Error = FromStringError;

            fn try_from(text: Cow<'_, str>) -> Result<Self, FromStringError> {
                Self::from_string(text.into_owned())
            }
        }

        impl TryFrom<Rc<str>> for $owned {
            type Error = ParseError;

            fn try_from(text: Rc<str>) -> Result<Self, ParseError> {
                Self::parse(&text)
            }
        }

        #[cfg(target_has_atomic = "ptr")]
        impl TryFrom<Arc<str>> for $owned {
            type Error = ParseError;

            fn try_from(text: Arc<str>) -> Result<Self, ParseError> {
                Self::parse(&text)
            }
        }

        impl TryFrom<&[u8]> for $owned {
            type Error = ParseError;

            fn try_from(bytes: &[u8]) -> Result<Self, ParseError> {
                Self::parse_bytes(bytes)
            }
        }

        impl From<&$owned> for $owned {
            fn from(reference: &$owned) -> Self {
                reference.clone()
            }
        }

        impl From<$borrowed<'_>> for $owned {
            fn from(reference: $borrowed<'_>) -> Self {
                reference.to_owned()
            }
        }
    )*};
}

owns_text!(UriRefBuf of UriRef, UriBuf of Uri, IriBuf of Iri);

/// Implements `From` of a reference for a type with fewer guarantees: a URI is a reference.
macro_rules! is_also {
    ($($type:ident: $($other:ident by $as_other:ident),+;)*) => {$($(
        impl<'a> From<$type<'a>> for $other<'a> {
            fn from(reference: $type<'a>) -> Self {
                reference.$as_other()
            }
        }

        impl<'a> From<&$type<'a>> for $other<'a> {
            fn from(reference: &$type<'a>) -> Self {
                reference.$as_other()
            }
        }
    )+)*};
}

is_also! {
    Uri: UriRef by as_uri_ref;
    Iri: UriRef by as_uri_ref, Uri by as_uri;
}

/// Implements `From` of a borrowed owner for the types that borrow its text.
macro_rules! lends_text {
    ($($owner:ty: $($borrowed:ident by $as_borrowed:ident),+;)*) => {$($(
        impl<'a> From<&'a $owner> for $borrowed<'a> {
            fn from(owner: &'a $owner) -> Self {
                owner.$as_borrowed()
            }
        }
    )+)*};
}

lends_text! {
    UriRefBuf: UriRef by as_uri_ref;
    UriBuf: UriRef by as_uri_ref, Uri by as_uri;
    IriBuf: UriRef by as_uri_ref, Uri by as_uri, Iri by as_iri;
    UriRefCow<'_>: UriRef by as_uri_ref;
    UriCow<'_>: UriRef by as_uri_ref, Uri by as_uri;
}

/// Implements `From<…>` for the strings of the standard library.
macro_rules! becomes_string {
    ($($type:ty),*) => {$(
        impl From<$type> for String {
            fn from(reference: $type) -> Self {
                reference.into_string()
            }
        }

        impl From<$type> for Box<str> {
            fn from(reference: $type) -> Self {
                reference.into_string().into()
            }
        }

        impl From<$type> for Rc<str> {
            fn from(reference: $type) -> Self {
                reference.into_string().into()
            }
        }

        #[cfg(target_has_atomic = "ptr")]
        impl From<$type> for Arc<str> {
            fn from(reference: $type) -> Self {
                reference.into_string().into()
            }
        }
    )*};
}

becomes_string!(UriRefBuf, UriBuf, IriBuf, UriRefCow<'_>, UriCow<'_>);

/// Implements `From<…>` for the strings of the standard library, for a type that borrows its text.
macro_rules! becomes_str {
    ($($type:ident),*) => {$(
        impl<'a> From<$type<'a>> for &'a str {
            fn from(reference: $type<'a>) -> Self {
                reference.as_str()
            }
        }

        impl<'a> From<$type<'a>> for Cow<'a, str> {
            fn from(reference: $type<'a>) -> Self {
                Cow::Borrowed(reference.as_str())
            }
        }

        impl From<$type<'_>> for String {
            fn from(reference: $type<'_>) -> Self {
                reference.as_str().into()
            }
        }
    )*};
}

becomes_str!(UriRef, Uri, Iri);
