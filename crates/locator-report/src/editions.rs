//! The readings of all editions for one input, and how they differ.

use alloc::vec;
use alloc::vec::Vec;

use locator::edition::ALL;
use locator::{Edition, ParseError};

use crate::key::Key;
use crate::reading::{Parsed, read};

/// The result of every edition for one input, the oldest first.
///
/// ```
/// use locator::Component;
/// use locator_report::{AllEditions, Key};
///
/// let every = AllEditions::of(b"http://h/a b");
/// assert_eq!(every.refused().count(), 8);
/// assert!(!every.is_disputed() && !every.differs(Key::Part(Component::Host)));
/// ```
#[derive(Clone, Debug)]
pub struct AllEditions<'a> {
    /// The input.
    pub octets: &'a [u8],
    /// Each edition's reading.
    pub readings: Vec<(&'static Edition, Result<Parsed<'a>, ParseError>)>,
}

/// Editions with the same value.
///
/// ```
/// use locator_report::AllEditions;
///
/// let every = AllEditions::of(b"http://10.0.0.256/");
/// let groups = every.groups(|reading| reading.reference.host().map(|host| host.kind()));
/// assert_eq!(groups[1].editions, ["uri-2003", "rfc3986", "rfc3987"]);
/// ```
#[derive(Clone, Debug)]
pub struct Group<T> {
    /// The value.
    pub on: T,
    /// Their names, the oldest first.
    pub editions: Vec<&'static str>,
}

impl<'a> AllEditions<'a> {
    /// Reads the octets by every edition.
    #[must_use]
    pub fn of(octets: &'a [u8]) -> Self {
        let readings = ALL.into_iter().map(|edition| (edition, read(octets, edition))).collect();
        Self { octets, readings }
    }

    /// Returns the readings of the editions that accept the input.
    pub fn valid(&self) -> impl Iterator<Item = &Parsed<'a>> {
        self.readings.iter().filter_map(|(_, reading)| reading.as_ref().ok())
    }

    /// Returns the errors of the other editions.
    pub fn refused(&self) -> impl Iterator<Item = &ParseError> {
        self.readings.iter().filter_map(|(_, reading)| reading.as_ref().err())
    }

    /// Groups the editions that accept the input by the value of `of`.
    #[must_use]
    pub fn groups<T: PartialEq>(&self, of: impl Fn(&Parsed<'a>) -> T) -> Vec<Group<T>> {
        let mut groups: Vec<Group<T>> = Vec::new();
        for reading in self.valid() {
            let (on, name) = (of(reading), reading.reference.edition().name);
            match groups.iter_mut().find(|group| group.on == on) {
                Some(group) => group.editions.push(name),
                None => groups.push(Group { on, editions: vec![name] }),
            }
        }
        groups
    }

    /// Returns whether some editions accept the input and others do not.
    #[must_use]
    pub fn is_disputed(&self) -> bool {
        self.valid().next().is_some() && self.refused().next().is_some()
    }

    /// Returns whether the readings differ in a key.
    #[must_use]
    pub fn differs(&self, key: Key) -> bool {
        let mut found = self.valid().map(|reading| key.of(reading));
        found.next().is_some_and(|first| found.any(|other| other != first))
    }

    /// Returns the keys in which the readings differ.
    pub fn differing(&self) -> impl Iterator<Item = Key> {
        Key::ALL.into_iter().filter(|&key| self.differs(key))
    }
}
