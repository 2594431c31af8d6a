//! The parts that a scheme defines, by the names in its document: gets, sets and removes them. An
//! element of a list is named by number, a pair by name: `cwds:0`, `headers:subject`.

use std::borrow::Cow;

use locator::scheme::{self, FieldValue, Key, PartError, Shape};
use locator::{BuildError, Component, Edit, Edition, UriRef, Value, edition};

use super::nth::{Nth, Rank};
use super::refused::Refused;

/// A part of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Own {
    name: &'static str,
    which: Option<Which>,
}

/// Which of several values is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Nth(Nth),
    /// The first pair of that name.
    Name(&'static str),
}

/// The parts that can only be printed.
const WORDS: [&str; 4] = ["kind", "encoding", "gopher_plus_kind", "rest"];

/// Each scheme and edition, with the parts that its URLs have there.
fn parts() -> impl Iterator<Item = (&'static str, &'static scheme::Part)> {
    let editions = edition::ALL.into_iter();
    editions.flat_map(|edition| {
        let own = scheme::PLANNERS.iter().map(move |scheme| (scheme.names(), scheme.parts(edition)));
        let own = own.flat_map(|(names, own)| own.iter().map(move |part| (names[0], part)));
        own.filter(|(_, part)| !part.is_component())
    })
}

/// Returns the names of the parts of all schemes.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let names: Vec<_> = parts().map(|(_, part)| part.name).collect();
    let is_first = |(at, name): &(usize, &'static str)| !names[..*at].contains(name);
    names.iter().copied().enumerate().filter(is_first).map(|(_, name)| name).collect::<Vec<_>>().into_iter()
}

impl Own {
    /// The part of that name, if a scheme has one.
    pub(crate) fn named(given: &str) -> Option<Result<Self, String>> {
        let (name, key) = given.split_once(':').map_or((given, None), |(name, key)| (name, Some(key)));
        if let Some(word) = WORDS.into_iter().find(|word| *word == name) {
            return Some(Ok(Self { name: word, which: None }));
        }
        let mut found = parts().map(|(_, part)| part).filter(|part| part.name == name).peekable();
        let name = found.peek()?.name;
        let which = match (key, found.any(|part| matches!(part.shape, Shape::Pairs(_)))) {
            (None, _) => None,
            // Names are few, and stay as long as the command does.
            (Some(key), true) => Some(Which::Name(String::leak(key.to_owned()))),
            (Some(key), false) => match Nth::read(key) {
                Ok(nth) => Some(Which::Nth(nth)),
                Err(why) => return Some(Err(why)),
            },
        };
        Some(Ok(Self { name, which }))
    }

    /// Where its turn is among the parts of schemes.
    pub(crate) fn rank(self) -> Rank {
        let place = parts().position(|(_, part)| part.name == self.name);
        let nth = match self.which {
            Some(Which::Nth(nth)) => Some(nth.rank()),
            _ => None,
        };
        Rank { place, nth }
    }

    /// Whether it can only be printed.
    pub(crate) fn is_word(self) -> bool {
        WORDS.contains(&self.name)
    }

    /// The one of a reference's scheme, if it has a part of that name.
    pub(crate) fn of_scheme(
        name: &'static str,
        scheme: Option<&str>,
        edition: &'static Edition,
    ) -> Option<Self> {
        let has = scheme::part_names(scheme?, edition).any(|known| known == name);
        has.then_some(Self { name, which: None })
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        self.name
    }

    /// The word of a reference's scheme, if it has one of that name.
    pub(crate) fn word<'a>(name: &str, reference: UriRef<'a>) -> Option<&'a str> {
        let fields = scheme::fields(reference)?.ok()?;
        fields.iter().find(|field| field.name == name).and_then(|field| match field.value {
            FieldValue::Word(word) => Some(word),
            _ => None,
        })
    }

    /// What it is in a reference.
    pub(crate) fn of(self, reference: UriRef<'_>) -> Option<&str> {
        let fields = scheme::fields(reference)?.ok()?;
        let value = &fields.iter().find(|field| field.name == self.name)?.value;
        match (value, self.which) {
            (FieldValue::Word(word), None) => Some(word),
            (value, None) => reference.as_str().get(value.span()?),
            (FieldValue::Many(many), Some(Which::Nth(nth))) => {
                many.get(nth.among(many.len())?).map(|one| one.as_str())
            }
            (FieldValue::Pairs(pairs), Some(Which::Name(name))) => {
                let (part, name) = (self.part(reference)?, reference.edition().charset().encode(name).ok()?);
                let found = pairs.iter().find(|(known, _)| part.is_name(*known, &name));
                found.map(|(_, value)| value.as_str())
            }
            _ => None,
        }
    }

    /// The description that the scheme of a reference has of it.
    fn part(self, reference: UriRef<'_>) -> Option<&'static scheme::Part> {
        let scheme = scheme::planner_named(reference.scheme()?.as_str())?;
        scheme.parts(reference.edition()).iter().find(|part| part.name == self.name)
    }

    /// Whether it is there already.
    pub(crate) fn is_set(self, edit: &Edit<'_>) -> bool {
        edit.finish().is_ok_and(|built| self.of(built.as_uri_ref()).is_some())
    }

    /// Sets it.
    pub(crate) fn set(self, edit: &mut Edit<'_>, value: Value<'_>) -> Result<(), Refused> {
        let name = self.pair_name(edit.edition())?;
        let key = self.key(edit, name.as_deref());
        scheme::set_part(edit, self.name, key, value).map_err(refused)
    }

    /// Removes it with its delimiter; what is not there is no error.
    pub(crate) fn remove(self, edit: &mut Edit<'_>) -> Result<(), Refused> {
        // No pair has a name that the charset does not contain.
        let Ok(name) = self.pair_name(edit.edition()) else { return Ok(()) };
        let key = self.key(edit, name.as_deref());
        match scheme::remove_part(edit, self.name, key) {
            Ok(()) | Err(PartError::NoPart { .. } | PartError::Malformed(_)) => Ok(()),
            Err(error) => Err(refused(error)),
        }
    }

    /// The name of the pair in the charset of an edition, if one is meant.
    fn pair_name(self, edition: &'static Edition) -> Result<Option<Cow<'static, [u8]>>, BuildError> {
        match self.which {
            Some(Which::Name(name)) => Value::Text(name).encoded(edition, Component::Query).map(Some),
            _ => Ok(None),
        }
    }

    fn key<'k>(self, edit: &Edit<'_>, name: Option<&'k [u8]>) -> Option<Key<'k>> {
        Some(match self.which? {
            Which::Name(_) => Key::Name(name?),
            Which::Nth(nth) => {
                let count = edit.finish().map_or(0, |built| self.count(built.as_uri_ref()));
                // A position that does not exist is reported by the library.
                Key::Index(nth.among(count).unwrap_or(usize::MAX))
            }
        })
    }

    fn count(self, reference: UriRef<'_>) -> usize {
        let fields = scheme::fields(reference).and_then(Result::ok).unwrap_or_default();
        fields.iter().find(|field| field.name == self.name).map_or(0, |field| match &field.value {
            FieldValue::Many(many) => many.len(),
            _ => 0,
        })
    }
}

fn refused(error: PartError) -> Refused {
    match error {
        PartError::Build(error) => error.into(),
        error => Refused::Part(error),
    }
}
