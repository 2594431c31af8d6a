//! Reads policies from maps, and severities and reaches from their names (feature `serde`).

mod keys;
mod policy;

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::{Reach, Severity};

/// A visitor that accepts the name of one of these values.
struct ByName<T: 'static> {
    what: &'static str,
    values: &'static [T],
    name: fn(T) -> &'static str,
}

impl<T: Copy> Visitor<'_> for ByName<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of {}:", self.what)?;
        self.values.iter().try_for_each(|value| write!(f, " {}", (self.name)(*value)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let found = self.values.iter().find(|value| (self.name)(**value) == text);
        found.copied().ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

macro_rules! by_name {
    ($($type:ident, $what:literal;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(ByName { what: $what, values: &Self::ALL, name: Self::name })
            }
        }
    )*};
}

by_name! {
    Reach, "a reach";
    Severity, "a severity";
}
