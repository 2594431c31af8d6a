//! Keys of a map whose names are known, and the nearest name to one that is not.

use core::fmt::{self, Display, Formatter};

use locator::edit_distance;
use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

/// Reads a key that must be one of these. The error is about the key, so it has its place.
#[derive(Clone, Copy)]
pub(super) struct Keys(pub(super) &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Keys {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Keys {
    type Value = &'static str;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Self::Value, E> {
        let unknown = || E::custom(Nearest { what: "key", word, names: self.0 });
        self.0.iter().copied().find(|name| *name == word).ok_or_else(unknown)
    }
}

/// The message for a word that is no name of something: it has the nearest name, or all if none is
/// near.
pub(super) struct Nearest<'w> {
    pub(super) what: &'static str,
    pub(super) word: &'w str,
    pub(super) names: &'w [&'static str],
}

impl Display for Nearest<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { what, word, names } = self;
        write!(f, "unknown {what} {word:?}; ")?;
        let near = names.iter().filter_map(|name| Some((distance(word, name)?, name)));
        match near.min_by_key(|(distance, _)| *distance) {
            Some((_, name)) => write!(f, "did you mean \"{name}\"?"),
            None => {
                f.write_str("expected one of:")?;
                names.iter().try_for_each(|name| write!(f, " {name}"))
            }
        }
    }
}

/// Returns how far a word is from a name, if it may be a typing error for it: up to three errors, or as many as
/// half of the name has letters. A part of the other word counts as one error.
fn distance(word: &str, name: &str) -> Option<usize> {
    if word.len() > 2 * name.len() {
        return None;
    }
    if word.len() >= 4 && name.contains(word) || name.len() >= 4 && word.contains(name) {
        return Some(1);
    }
    edit_distance(word, name, (name.len() / 2).max(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (word, name, expected) in
            [("hots", "hosts", 1), ("prots", "ports", 1), ("blocks", "allowed_blocks", 1), ("", "ab", 2)]
        {
            assert_eq!(distance(word, name), Some(expected), "{word} {name}");
        }
    }
}
