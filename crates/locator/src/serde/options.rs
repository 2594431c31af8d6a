//! Serializes [`ResolveOptions`] as a map; a missing entry has its default.

use alloc::borrow::Cow;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::resolve::ResolveOptions;

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
