//! The object of a URL that is divided by its scheme, key by key in their order.

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use locator::scheme::{Field, FieldValue};
use locator::{Charset, SpannedStr};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The parts of a URL that its scheme defines, a key for each, and the charset of its escapes.
pub(super) struct SchemeParts<'a>(pub(super) Vec<Field<'a>>, pub(super) Charset);

impl<'a> Serialize for SchemeParts<'a> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let of = |excerpt: &SpannedStr<'a>| PartObject::of(excerpt, self.1);
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for field in &self.0 {
            match &field.value {
                FieldValue::One(excerpt) => {
                    let part = PartObject { meaning: field.meaning, ..of(excerpt) };
                    map.serialize_entry(field.name, &part)?;
                }
                FieldValue::Many(excerpts) => {
                    map.serialize_entry(field.name, &Each(|| excerpts.iter().map(of)))?;
                }
                FieldValue::Pairs(pairs) => {
                    let pair = |(name, value): &_| PairObject { name: of(name), value: of(value) };
                    map.serialize_entry(field.name, &Each(|| pairs.iter().map(pair)))?;
                }
                FieldValue::Word(word) => map.serialize_entry(field.name, word)?,
                _ => {}
            }
        }
        map.end()
    }
}

/// A list whose objects are made as they are written.
struct Each<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0())
    }
}

/// A part, and its decoded form if that differs: text, or base64 if it is not UTF-8.
#[derive(serde::Serialize)]
struct PartObject<'a> {
    raw: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    decoded: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decoded_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meaning: Option<&'static str>,
}

#[derive(serde::Serialize)]
struct PairObject<'a> {
    name: PartObject<'a>,
    value: PartObject<'a>,
}

impl<'a> PartObject<'a> {
    fn of(excerpt: &SpannedStr<'a>, charset: Charset) -> Self {
        let raw = excerpt.as_str();
        let octets = match excerpt.decode() {
            Cow::Borrowed(_) => return Self { raw, decoded: None, decoded_base64: None, meaning: None },
            Cow::Owned(octets) => octets,
        };
        let (decoded, decoded_base64) = match charset.decode(Cow::Borrowed(&octets)) {
            Ok(text) => (Some(text.into_owned()), None),
            Err(_) => (None, Some(BASE64_STANDARD.encode(&octets))),
        };
        Self { raw, decoded, decoded_base64, meaning: None }
    }
}
