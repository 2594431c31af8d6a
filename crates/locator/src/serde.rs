//! Serializes references, editions and enums as strings, and options as a map.
//!
//! References are written as their text and parsed by RFC 3986. For another edition name the module
//! of that edition in `#[serde(with = "…")]`. It accepts every reference type, and an `Option` of
//! one:
//!
//! ```
//! use locator::{UriBuf, UriRefBuf};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Page {
//!     uri: UriBuf,
//!     #[serde(with = "locator::serde::rfc3987")]
//!     iri: UriBuf,
//!     #[serde(with = "locator::serde::rfc3987", default)]
//!     next: Option<UriRefBuf>,
//! }
//!
//! let page: Page =
//!     serde_json::from_str(r#"{ "uri": "http://h/", "iri": "http://h/é" }"#)?;
//! assert_eq!(page.iri.path(), "/é");
//! assert_eq!(
//!     serde_json::to_string(&page)?,
//!     r#"{"uri":"http://h/","iri":"http://h/é","next":null}"#
//! );
//! # Ok::<_, serde_json::Error>(())
//! ```
//!
//! An [`Edition`](crate::Edition) is serialized as its name (`rfc3986`), an enum as the value of
//! its `name()`.

pub(crate) mod names;
mod references;

use crate::resolve::ResolveOptions;
use alloc::borrow::Cow;
use core::fmt;
use references::FromText;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// Defines a module for `#[serde(with = "…")]` for each edition.
macro_rules! with {
    ($($module:ident: $edition:ident, $document:literal;)*) => {$(
        #[doc = concat!("Serializes references, and parses them by ", $document, ": for `#[serde(with = \"locator::serde::",
            stringify!($module), "\")]`.")]
        ///
        /// ```
        /// #[derive(serde::Deserialize)]
        /// struct Page {
        #[doc = concat!("    #[serde(with = \"locator::serde::", stringify!($module), "\")]")]
        ///     url: locator::UriRefBuf,
        /// }
        ///
        /// let page: Page = serde_json::from_str(r#"{ "url": "http://h/" }"#)?;
        #[doc = concat!("assert_eq!(page.url.edition(), &locator::edition::", stringify!($edition), ");")]
        /// # Ok::<_, serde_json::Error>(())
        /// ```
        pub mod $module {
            use super::FromText;

            /// Serializes a reference, or an `Option` of one, as its text.
            ///
            /// # Errors
            ///
            /// Returns the error of the serializer.
            pub fn serialize<T: serde::Serialize, S: serde::Serializer>(
                value: &T,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                value.serialize(serializer)
            }

            #[doc = concat!("Parses a reference, or an `Option` of one, by ", $document, ".")]
            ///
            /// # Errors
            ///
            /// Returns the error of the deserializer, or the parse error.
            pub fn deserialize<'de, T: FromText<'de>, D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<T, D::Error> {
                T::read(deserializer, &crate::edition::$edition)
            }
        }
    )*};
}

with! {
    url_1993: URL_1993, "the draft of July 1993";
    url_1994: URL_1994, "the draft of 1994";
    rfc1738: RFC1738, "RFC 1738";
    url_1997: URL_1997, "the draft of 1997";
    rfc2396: RFC2396, "RFC 2396";
    uri_2003: URI_2003, "the draft of 2003";
    rfc3986: RFC3986, "RFC 3986";
    rfc3987: RFC3987, "RFC 3987";
    rfc3986_with_zones: RFC3986_WITH_ZONES, "RFC 3986 with the zones of RFC 6874";
}

const FIELDS: [&str; 4] = ["path_underflow", "same_document", "same_scheme_is_relative", "path_relative"];

impl Serialize for ResolveOptions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [underflow, same_document, same_scheme, path_relative] = FIELDS;
        let mut map = serializer.serialize_struct("ResolveOptions", FIELDS.len())?;
        map.serialize_field(underflow, &self.path_underflow)?;
        map.serialize_field(same_document, &self.same_document)?;
        map.serialize_field(same_scheme, &self.same_scheme)?;
        map.serialize_field(path_relative, &self.path_relative)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for ResolveOptions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("ResolveOptions", &FIELDS, Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = ResolveOptions;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("options of resolving as a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ResolveOptions, A::Error> {
        let mut options = ResolveOptions::new();
        while let Some(field) = map.next_key::<Cow<'de, str>>()? {
            match &*field {
                "path_underflow" => options.path_underflow = map.next_value()?,
                "same_document" => options.same_document = map.next_value()?,
                "same_scheme_is_relative" => options.same_scheme = map.next_value()?,
                "path_relative" => options.path_relative = map.next_value()?,
                other => return Err(A::Error::unknown_field(other, &FIELDS)),
            }
        }
        Ok(options)
    }
}
