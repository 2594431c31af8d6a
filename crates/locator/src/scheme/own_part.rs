//! The parts of a scheme's URLs that can be set: a scheme describes each by a value, and what is written for it
//! follows from that.

use alloc::format;
use alloc::string::String;

use super::kept;
use crate::build::Value;
use crate::edition::Edition;
use crate::escape::PctString;
use crate::simd::AsciiSet;
use crate::span::Component;

/// A part of the URLs of a scheme that can be set.
#[derive(Clone, Copy, Debug)]
pub struct OwnPart {
    /// What the scheme's document calls it, in lower case.
    pub name: &'static str,
    /// What is written before it: its delimiter.
    pub before: &'static str,
    /// What is written after it where it was absent: the delimiter of a part that must follow.
    pub after: &'static str,
    /// What is written for it where it is absent and a part after it is set. Without one nothing is written.
    pub default: Option<&'static str>,
    /// The component that it is in.
    pub component: Component,
    /// The characters that data keeps in it; others are escaped.
    pub data: AsciiSet,
    /// What it consists of.
    pub shape: Shape,
}

/// What a part consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One value.
    One,
    /// One value, in base64 (RFC 4648, 4) where the URL says that its data is.
    Content,
    /// Words with "+" between them, which is a space in data.
    Words,
    /// Values with this delimiter between them; NUL is written escaped.
    Many(char),
    /// Names and values with "=" between the two and this delimiter between pairs.
    Pairs(char),
    /// All that follows the login, in place of what is there.
    Whole,
    /// The host.
    Host,
}

impl OwnPart {
    /// A part of one value in the path, after this delimiter.
    pub const fn new(name: &'static str, before: &'static str, data: AsciiSet) -> Self {
        Self { name, before, after: "", default: None, component: Component::Path, data, shape: Shape::One }
    }

    /// The same with another shape.
    #[must_use]
    pub const fn of(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// The same in the query.
    #[must_use]
    pub const fn in_query(self) -> Self {
        Self { component: Component::Query, ..self }
    }

    /// The same with a delimiter after it.
    #[must_use]
    pub const fn followed_by(self, after: &'static str) -> Self {
        Self { after, ..self }
    }

    /// The same with a default.
    #[must_use]
    pub const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    /// What is written for a value of it.
    pub(super) fn write(&self, value: Value<'_>, edition: &Edition) -> String {
        if !value.is_decoded() {
            return self.write_one(value, edition);
        }
        let octets = value.as_octets();
        match self.shape {
            Shape::Many(between) => self.write_list(octets, between, edition),
            Shape::Pairs(between) => {
                let pairs = octets.split(|&octet| char::from(octet) == between);
                let pair = |pair: &[u8]| match pair.iter().position(|&octet| octet == b'=') {
                    Some(at) => {
                        let value = self.write_one(Value::Decoded(&pair[at + 1..]), edition);
                        format!("{}={value}", self.write_one(Value::Decoded(&pair[..at]), edition))
                    }
                    None => self.write_one(Value::Decoded(pair), edition),
                };
                join(pairs.map(pair), between)
            }
            _ => self.write_one(value, edition),
        }
    }

    fn write_list(&self, octets: &[u8], between: char, edition: &Edition) -> String {
        let pieces = octets.split(|&octet| char::from(octet) == between);
        join(pieces.map(|piece| self.write_one(Value::Decoded(piece), edition)), between)
    }

    /// The same for one of several.
    pub(super) fn write_one(&self, value: Value<'_>, edition: &Edition) -> String {
        let octets = match value {
            Value::Encoded(text) => return text.into(),
            _ => value.as_octets(),
        };
        let words = self.shape == Shape::Words;
        let set = if words { self.data.difference(AsciiSet::of(b"+")) } else { self.data };
        let escaped = PctString::encode(octets, kept(edition, self.component, set)).into_string();
        if words { escaped.replace("%20", "+") } else { escaped }
    }
}

pub(super) fn join(pieces: impl Iterator<Item = String>, between: char) -> String {
    let mut joined = String::new();
    for (i, piece) in pieces.enumerate() {
        if i > 0 {
            match between {
                '\0' => joined.push_str("%00"),
                _ => joined.push(between),
            }
        }
        joined.push_str(&piece);
    }
    joined
}
