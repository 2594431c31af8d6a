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
//! An [`Edition`] is serialized as its name (`rfc3986`), an enum as the value of
//! its `name()`.
//!
//! Serializes editions and enums as their names.
//!
//! Serializes the reference types as strings.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::build::SpaceEncoding;
use crate::compare::{DifferenceKind, Rung};
use crate::edition::{self, ALL, Charset, Edition, PathUnderflow, SameDocument, WITH_OPTIONS};
use crate::normalize::Level;
use crate::numeric::AddressReader;
use crate::reference::{ReferenceKind, Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow};
use crate::resolve::ResolveOptions;
use crate::span::{Component, HostKind};

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

/// A visitor that accepts the name of one of these values.
#[doc(hidden)]
#[derive(Debug)]
pub struct ByName<T: 'static> {
    /// What they are, for errors: "a component".
    pub what: &'static str,
    /// The values.
    pub values: &'static [T],
    /// Returns the name of a value.
    pub name: fn(T) -> &'static str,
}

impl<T: Copy> Visitor<'_> for ByName<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of {}:", self.what)?;
        self.values.iter().try_for_each(|value| write!(f, " {}", (self.name)(*value)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let found = self.values.iter().find(|value| (self.name)(**value) == text);
        found.copied().ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

/// A visitor that accepts the name of an edition, ignoring case.
struct EditionName;

impl Visitor<'_> for EditionName {
    type Value = &'static Edition;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an edition:")?;
        ALL.into_iter().chain(WITH_OPTIONS).try_for_each(|edition| write!(f, " {edition}"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Edition::from_name(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

impl Serialize for Edition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for &'static Edition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(EditionName)
    }
}

macro_rules! by_name {
    ($($type:ident ($what:literal, $name:expr): $($value:ident)*;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let name: fn($type) -> &'static str = $name;
                serializer.serialize_str(name(*self))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let values = const { &[$($type::$value),*] };
                deserializer.deserialize_str(ByName { what: $what, values, name: $name })
            }
        }
    )*};
}

by_name! {
    Component ("a component", Component::name): Reference Prefix Scheme Authority Userinfo Host Port Path Query Fragment;
    HostKind ("a kind of host", HostKind::name): Empty Name Ipv4 Ipv6 IpvFuture Registry;
    ReferenceKind ("a kind of reference", ReferenceKind::name):
        Uri Opaque NetworkPath AbsolutePath RelativePath Query Fragment Empty;
    Rung ("a rung of the comparison ladder", Rung::name): Simple Syntax Scheme Idn Number Protocol;
    DifferenceKind ("a kind of difference", DifferenceKind::name):
        Prefix Case HexCase Escape Dots Address Void Port Scheme Idn Number Presence Content;
    AddressReader ("a reader of IPv4 addresses", AddressReader::name): Strict InetAton Url Decimal;
    Charset ("a charset", Charset::name): Utf8 Latin1;
    SpaceEncoding ("an encoding of spaces", space): Percent20 Plus;
    PathUnderflow ("what becomes of excess dot segments", excess): Keep Remove Refuse;
    SameDocument ("what an empty reference means", same_document): CurrentDocument Base;
}

#[cfg(feature = "schemes")]
by_name! {
    Level ("a level", Level::name): Syntax Scheme;
}
#[cfg(not(feature = "schemes"))]
by_name! {
    Level ("a level", Level::name): Syntax;
}

fn space(spaces: SpaceEncoding) -> &'static str {
    if spaces == SpaceEncoding::Plus { "plus" } else { "percent-20" }
}

fn excess(leftover: PathUnderflow) -> &'static str {
    match leftover {
        PathUnderflow::Keep => "keep",
        PathUnderflow::Remove => "remove",
        PathUnderflow::Refuse => "refuse",
    }
}

fn same_document(empty: SameDocument) -> &'static str {
    match empty {
        SameDocument::CurrentDocument => "current-document",
        SameDocument::Base => "base",
    }
}

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
            fn read<D: serde::Deserializer<'de>>(
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
            fn read<D: serde::Deserializer<'de>>(
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
