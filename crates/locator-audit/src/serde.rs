//! Reads policies from maps, and severities and reaches from their names (feature `serde`).

mod keys;
mod policy;

use locator::internal::ByName;
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::{Reach, Severity};

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
