//! References as strings for serde: written as they stand, read by RFC 3986.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde::ser::{Serialize, Serializer};

use super::{Uri, UriBuf, UriRef, UriRefBuf};

macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )*};
}

as_text!(UriRef<'_>, Uri<'_>, UriRefBuf, UriBuf);

macro_rules! borrows_text {
    ($($type:ident),*) => {$(
        impl<'de: 'a, 'a> Deserialize<'de> for $type<'a> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <&str>::deserialize(deserializer)?;
                $type::parse(text).map_err(D::Error::custom)
            }
        }
    )*};
}

borrows_text!(UriRef, Uri);

macro_rules! owns_text {
    ($($type:ident),*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = deserializer.deserialize_string(Text)?;
                $type::try_from(text).map_err(D::Error::custom)
            }
        }
    )*};
}

owns_text!(UriRefBuf, UriBuf);

/// Takes a string in whatever way the format has it.
struct Text;

impl Visitor<'_> for Text {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a URI reference as a string")
    }

    fn visit_str<E>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_string<E>(self, text: String) -> Result<String, E> {
        Ok(text)
    }
}
