//! Items of a policy that are read from texts. Each is checked where it is read, so that an error has the
//! place of the item.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::net::IpAddr;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

use crate::serde::keys::Nearest;
use crate::{Code, Nat64Prefix, Policy};
use locator::scheme;

/// A text that is checked where it is read, so that an error is about its place.
pub(super) struct Checked<C> {
    text: String,
    _check: PhantomData<C>,
}

/// What a text must be.
pub(super) trait Check {
    const EXPECTED: &'static str;

    fn is_right(text: &str) -> bool;
}

pub(super) struct IsBase;
pub(super) struct IsHost;
#[cfg(feature = "public-suffix")]
pub(super) struct IsDomain;

impl Check for IsBase {
    const EXPECTED: &'static str = "a URL with a host and a port that programs read alike";

    fn is_right(text: &str) -> bool {
        Policy::same_origin(text).is_ok()
    }
}

impl Check for IsHost {
    const EXPECTED: &'static str = "a host in ASCII such as \"example.com\", \"*.example.com\" or \"[::1]\"";

    fn is_right(text: &str) -> bool {
        text.is_ascii() && Policy::is_host_pattern(text)
    }
}

#[cfg(feature = "public-suffix")]
impl Check for IsDomain {
    const EXPECTED: &'static str = "a domain below a public suffix, such as \"example.co.uk\"";

    fn is_right(text: &str) -> bool {
        crate::is_registrable(text)
    }
}

impl<C: Check> FromText for Checked<C> {
    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        match C::is_right(text) {
            true => Ok(Self { text: text.into(), _check: PhantomData }),
            false => Err(E::invalid_value(Unexpected::Str(text), &C::EXPECTED)),
        }
    }
}

impl<C> AsRef<str> for Checked<C> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Returns the texts of items.
pub(super) fn texts<T: AsRef<str>>(items: &[T]) -> impl Iterator<Item = &str> {
    items.iter().map(AsRef::as_ref)
}

/// The name of a scheme that is known, in lower case. Another one has ":" at its end.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SchemeWord(String);

impl AsRef<str> for SchemeWord {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl FromText for SchemeWord {
    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        let (name, is_own) = text.strip_suffix(':').map_or((text, false), |name| (name, true));
        let allowed = |octet: u8| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet);
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || !name.bytes().all(allowed) {
            return Err(E::invalid_value(Unexpected::Str(text), &"the name of a scheme such as \"https\""));
        }
        let is_known = scheme::lookup(name).is_some()
            || scheme::default_port(name).is_some()
            || scheme::status(name).is_some();
        if is_known || is_own {
            return Ok(Self(name.to_ascii_lowercase()));
        }
        let near = scheme::suggest(name).map(|near| format!("did you mean \"{near}\"? or "));
        let near = near.unwrap_or_default();
        Err(E::custom(format_args!(
            "unknown scheme \"{name}\"; {near}write \"{name}:\" for a scheme of your own"
        )))
    }
}

/// A list that has items: an empty one would allow nothing.
pub(super) struct Listed<T>(pub(super) Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = Vec::deserialize(deserializer)?;
        if items.is_empty() {
            return Err(D::Error::custom("an empty list allows nothing; remove the key to have its default"));
        }
        Ok(Self(items))
    }
}

/// The code of a finding, by its name.
pub(super) struct CodeName(pub(super) &'static Code);

impl PartialEq for CodeName {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for CodeName {}

impl PartialOrd for CodeName {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CodeName {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.0.name().cmp(other.0.name())
    }
}

impl FromText for CodeName {
    fn from_text<E: Error>(name: &str) -> Result<Self, E> {
        let names = crate::codes().map(Code::name).collect::<Vec<_>>();
        let unknown = || E::custom(Nearest { what: "finding", word: name, names: &names });
        crate::code(name).map(Self).ok_or_else(unknown)
    }
}

/// An address, or a network with "/" and the length of its prefix.
pub(super) struct Network(pub(super) IpAddr, pub(super) u8);

impl FromText for Network {
    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        let read = || {
            let (network, length) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
            let network = network.parse::<IpAddr>().ok()?;
            let width = if network.is_ipv4() { 32 } else { 128 };
            let length = length.map_or(Some(width), |length| length.parse::<u8>().ok())?;
            (length <= width).then_some((network, length))
        };
        let expected = "a block such as \"10.1.0.0/16\" or an address";
        let (network, length) = read().ok_or_else(|| E::invalid_value(Unexpected::Str(text), &expected))?;
        Policy::check_block(network, length).map_err(E::custom)?;
        Ok(Self(network, length))
    }
}

impl FromText for Nat64Prefix {
    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        text.parse().map_err(E::custom)
    }
}

/// What is read from a text. Its errors are those of the visitor, so that they have the place of an
/// item in a list.
pub(super) trait FromText: Sized {
    fn from_text<E: Error>(text: &str) -> Result<Self, E>;
}

pub(super) struct TextVisitor<T>(pub(super) PhantomData<T>);

impl<T: FromText> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::from_text(text)
    }
}

macro_rules! deserialize {
    ($($type:ty $(, $check:ident)?;)*) => {$(
        impl<'de $(, $check: $crate::serde::policy::items::Check)?> serde::de::Deserialize<'de> for $type {
            fn deserialize<D: serde::de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::serde::policy::items::TextVisitor(core::marker::PhantomData))
            }
        }
    )*};
}
pub(super) use deserialize;

deserialize! {
    Checked<C>, C;
    CodeName;
    SchemeWord;
    Network;
    Nat64Prefix;
}
