//! Describes the parts of a scheme's URLs that can be set. Each is a value from which the written
//! form follows.

use alloc::format;
use alloc::string::String;

use super::compose::kept;
use crate::build::Value;
use crate::component::SpannedStr;
use crate::edition::Edition;
use crate::pct::PctString;
use crate::simd::AsciiSet;
use crate::span::Component;

/// A part of the URLs of a scheme that can be set.
#[derive(Clone, Copy, Debug)]
pub struct OwnPart {
    /// The name of the part in the scheme's document, in lower case.
    pub name: &'static str,
    /// The delimiter before the part.
    pub before: &'static str,
    /// The delimiter after the part, written if the part was absent and another must follow.
    pub after: &'static str,
    /// The default value that is written for an absent part if a later part is set. Without a
    /// default nothing is written.
    pub default: Option<&'static str>,
    /// The component that contains the part.
    pub component: Component,
    /// The characters that are not escaped in data.
    pub data: AsciiSet,
    /// The shape of the part.
    pub shape: Shape,
    /// Whether the names of its pairs ignore case.
    pub ignores_case: bool,
    /// The part that contains this one, which the scheme writes
    /// ([`Planner::rewritten`](crate::scheme::Planner::rewritten)).
    pub inside: Option<&'static str>,
}

/// The shape of a part: a value, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A single value.
    One,
    /// A single value, in base64 (RFC 4648, 4) if the URL declares base64.
    Content,
    /// Words with "+" between them, which is a space in data.
    Words,
    /// Values with this delimiter between them. NUL, a space and a line end (CR LF, given as LF) are
    /// written percent-encoded.
    Many(char),
    /// Names and values with "=" between them and this delimiter between pairs.
    Pairs(char),
    /// All text after the login, which is replaced.
    Whole,
    /// The host of the URL.
    Host,
}

impl OwnPart {
    /// Creates a part that is in the path after the delimiter `before` and has one value, whose
    /// data may contain the characters `data`.
    #[must_use]
    pub const fn new(name: &'static str, before: &'static str, data: AsciiSet) -> Self {
        Self {
            name,
            before,
            after: "",
            default: None,
            component: Component::Path,
            data,
            shape: Shape::One,
            ignores_case: false,
            inside: None,
        }
    }

    /// Sets the shape of this part.
    #[must_use]
    pub const fn of(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// Moves this part to the query.
    #[must_use]
    pub const fn in_query(self) -> Self {
        Self { component: Component::Query, ..self }
    }

    /// Sets the delimiter after this part.
    #[must_use]
    pub const fn followed_by(self, after: &'static str) -> Self {
        Self { after, ..self }
    }

    /// Sets the default value of this part.
    #[must_use]
    pub const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    /// Makes it a part of another one, whose text the scheme writes.
    #[must_use]
    pub const fn inside(self, outer: &'static str) -> Self {
        Self { inside: Some(outer), ..self }
    }

    /// Makes the names of its pairs ignore case.
    #[must_use]
    pub const fn ignoring_case(self) -> Self {
        Self { ignores_case: true, ..self }
    }

    /// Returns whether the name of a pair in a URL is this one, in octets.
    #[must_use]
    pub fn is_name(&self, found: SpannedStr<'_>, name: &[u8]) -> bool {
        let found = found.decode();
        if self.ignores_case { found.eq_ignore_ascii_case(name) } else { *found == *name }
    }

    /// Returns the written form of a value of this part.
    pub(in crate::scheme) fn write(&self, value: Value<'_>, edition: &Edition) -> String {
        if !value.is_decoded() {
            return self.write_one(value, edition);
        }
        let octets = value.as_bytes();
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

    /// Returns the written form of one of several values.
    pub(in crate::scheme) fn write_one(&self, value: Value<'_>, edition: &Edition) -> String {
        let octets = match value {
            Value::Encoded(text) => return text.into(),
            _ => value.as_bytes(),
        };
        let words = self.shape == Shape::Words;
        let set = if words { self.data.difference(AsciiSet::of(b"+")) } else { self.data };
        let escaped = PctString::encode(octets, kept(edition, self.component, set)).into_string();
        if words { escaped.replace("%20", "+") } else { escaped }
    }
}

pub(in crate::scheme) fn join(pieces: impl Iterator<Item = String>, between: char) -> String {
    let mut joined = String::new();
    for (i, piece) in pieces.enumerate() {
        if i > 0 {
            match between {
                '\0' => joined.push_str("%00"),
                ' ' => joined.push_str("%20"),
                '\n' => joined.push_str("%0D%0A"),
                _ => joined.push(between),
            }
        }
        joined.push_str(&piece);
    }
    joined
}
