//! Reads policies from maps, and severities and reaches from their names (feature `serde`).
//!
//! `policy` reads a [`Policy`](crate::Policy) from the keys that `docs/policy.md` describes; `keys` names the nearest
//! key for one that is not known. Every error is about the place in the file that is wrong.
//!
//! ```
//! use locator_audit::Policy;
//!
//! let policy: Policy = serde_json::from_str(r#"{ "schemes": ["https"], "hosts": ["*.example.com"] }"#)?;
//! assert!(policy.check("https://www.example.com/").is_ok());
//! let error = serde_json::from_str::<Policy>(r#"{ "host": ["example.com"] }"#).unwrap_err();
//! assert!(error.to_string().contains("did you mean \"hosts\"?"));
//! # Ok::<_, serde_json::Error>(())
//! ```

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
