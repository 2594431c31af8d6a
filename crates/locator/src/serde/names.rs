//! Serializes editions and enums as their names.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::build::SpaceEncoding;
use crate::compare::{DifferenceKind, Rung};
use crate::edition::{ALL, Charset, Edition, PathUnderflow, SameDocument, WITH_OPTIONS};
use crate::normalize::Level;
use crate::numeric::AddressReader;
use crate::reference::ReferenceKind;
use crate::span::{Component, HostKind};

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
