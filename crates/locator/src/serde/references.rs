//! Serializes the reference types as strings.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::edition::{self, Edition};
use crate::reference::{Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow};

/// A reference type that any edition can parse.
pub trait FromText<'de>: Sized {
    /// Deserializes a reference and parses it by an edition.
    ///
    /// # Errors
    ///
    /// Returns the error of the deserializer, or the parse error.
    fn read<D: Deserializer<'de>>(deserializer: D, edition: &'static Edition) -> Result<Self, D::Error>;
}

macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )*};
}

as_text!(UriRef<'_>, Uri<'_>, UriRefBuf, UriBuf, UriRefCow<'_>, UriCow<'_>);

/// Implements deserialization by RFC 3986 for types that any edition can parse.
macro_rules! deserializes {
    ($($type:ty),*) => {$(
        impl<'de: 'a, 'a> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::read(deserializer, edition::DEFAULT)
            }
        }
    )*};
}

deserializes!(UriRef<'a>, Uri<'a>, UriRefCow<'a>, UriCow<'a>);

macro_rules! borrows_text {
    ($($type:ident),*) => {$(
        impl<'de: 'a, 'a> FromText<'de> for $type<'a> {
            fn read<D: Deserializer<'de>>(
                deserializer: D,
                edition: &'static Edition,
            ) -> Result<Self, D::Error> {
                let text = <&str>::deserialize(deserializer)?;
                $type::parse_with(text, edition).map_err(D::Error::custom)
            }
        }
    )*};
}

borrows_text!(UriRef, Uri);

macro_rules! owns_text {
    ($($type:ident),*) => {$(
        impl<'de> FromText<'de> for $type {
            fn read<D: Deserializer<'de>>(
                deserializer: D,
                edition: &'static Edition,
            ) -> Result<Self, D::Error> {
                let text = deserializer.deserialize_string(Text)?.into_owned();
                $type::from_string_with(text, edition).map_err(D::Error::custom)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::read(deserializer, edition::DEFAULT)
            }
        }
    )*};
}

owns_text!(UriRefBuf, UriBuf);

/// Borrows the text if the format contains it unescaped.
impl<'de: 'a, 'a> FromText<'de> for UriRefCow<'a> {
    fn read<D: Deserializer<'de>>(deserializer: D, edition: &'static Edition) -> Result<Self, D::Error> {
        match deserializer.deserialize_str(Text)? {
            Cow::Borrowed(text) => {
                UriRef::parse_with(text, edition).map(Self::Borrowed).map_err(D::Error::custom)
            }
            Cow::Owned(text) => {
                UriRefBuf::from_string_with(text, edition).map(Self::Owned).map_err(D::Error::custom)
            }
        }
    }
}

impl<'de: 'a, 'a> FromText<'de> for UriCow<'a> {
    fn read<D: Deserializer<'de>>(deserializer: D, edition: &'static Edition) -> Result<Self, D::Error> {
        UriRefCow::read(deserializer, edition)?.try_into().map_err(D::Error::custom)
    }
}

impl<'de, T: FromText<'de>> FromText<'de> for Option<T> {
    fn read<D: Deserializer<'de>>(deserializer: D, edition: &'static Edition) -> Result<Self, D::Error> {
        deserializer.deserialize_option(Optional { edition, of: core::marker::PhantomData })
    }
}

/// A visitor that accepts a string, borrowed or owned.
struct Text;

impl<'de> Visitor<'de> for Text {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a URI reference as a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text))
    }
}

/// A visitor that accepts a reference or nothing.
struct Optional<T> {
    edition: &'static Edition,
    of: core::marker::PhantomData<T>,
}

impl<'de, T: FromText<'de>> Visitor<'de> for Optional<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a URI reference as a string, or nothing")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        T::read(deserializer, self.edition).map(Some)
    }
}
