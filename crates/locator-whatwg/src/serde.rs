//! URLs as strings, for `serde`.

use core::fmt::{self, Formatter};

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::url::Url;

impl Serialize for Url {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Url {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(UrlVisitor)
    }
}

struct UrlVisitor;

impl Visitor<'_> for UrlVisitor {
    type Value = Url;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a string representing an URL")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Url, E> {
        Url::parse(text).map_err(|error| E::custom(format_args!("{error}: {text:?}")))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Url, E> {
        let text =
            core::str::from_utf8(bytes).map_err(|_| E::invalid_value(Unexpected::Bytes(bytes), &self))?;
        self.visit_str(text)
    }
}
