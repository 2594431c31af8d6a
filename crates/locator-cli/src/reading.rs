//! Parses inputs by an edition's grammar and its rule for the scheme, and compares the results of
//! all editions.

use locator::edition::ALL;
use locator::{Component, Edition, ParseError, UriRef, UriRefCow, scheme};

use crate::exit::Status;
use crate::given;

/// A reference that is valid in its edition and by the edition's rule for its scheme.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parsed<'a> {
    /// The reference.
    pub(crate) reference: UriRef<'a>,
    /// Whether the edition has a rule for its scheme.
    pub(crate) has_scheme_rule: bool,
}

/// Parses bytes by the grammar of an edition, then by its rule for the scheme.
pub(crate) fn read<'a>(octets: &'a [u8], edition: &'static Edition) -> Result<Parsed<'a>, ParseError> {
    let reference = UriRef::parse_bytes_with(octets, edition).map_err(|error| leftmost(octets, error))?;
    match scheme::check(reference) {
        Some(Err(error)) => Err(error),
        by_scheme => Ok(Parsed { reference, has_scheme_rule: by_scheme.is_some() }),
    }
}

/// Parses bytes by the grammar of an edition. An error has the rule of the scheme, where the edition
/// has one.
pub(crate) fn parse<'a>(octets: &'a [u8], edition: &'static Edition) -> Result<UriRef<'a>, ParseError> {
    let explained = |error| std::str::from_utf8(octets).map_or(error, |text| scheme::explain(text, error));
    UriRef::parse_bytes_with(octets, edition).map_err(explained)
}

/// Returns the first error by the grammar or by the rule of the scheme.
#[cold]
fn leftmost(octets: &[u8], error: ParseError) -> ParseError {
    let mut rules = scheme::ALL.iter().flat_map(|scheme| scheme.rules());
    if !rules.any(|rule| rule.edition == error.edition()) {
        return error;
    }
    errors(octets, error).next().unwrap_or(error)
}

/// Returns an invalid input repaired as browsers do, if the result is valid.
pub(crate) fn repaired(octets: &[u8], edition: &'static Edition) -> Option<String> {
    let unwrapped = given::unwrapped(octets, edition);
    let text = unwrapped.as_deref().map_or_else(|| std::str::from_utf8(octets), Ok).ok()?;
    let repaired =
        UriRef::parse_repaired_with(text, edition).ok().filter(|repaired| repaired.as_str() != text);
    repaired
        .map(UriRefCow::into_string)
        .or_else(|| unwrapped.filter(|url| read(url.as_bytes(), edition).is_ok()))
}

/// Returns every error of an input, in the edition of the first error.
pub(crate) fn errors(octets: &[u8], first: ParseError) -> impl Iterator<Item = ParseError> {
    let edition = first.edition();
    let text = std::str::from_utf8(octets).ok();
    let every = move |text| scheme::explain_each(text, edition, scheme::errors_with(text, edition));
    let of_text = text.into_iter().flat_map(every);
    // Invalid UTF-8 has only that error.
    text.is_none().then_some(first).into_iter().chain(of_text)
}

/// Returns whether an input is valid in all of the editions.
pub(crate) fn judge(octets: &[u8], editions: &[&'static Edition]) -> Status {
    Status::of(editions.iter().all(|edition| read(octets, edition).is_ok()))
}

/// The result of every edition for one input, the oldest first.
pub(crate) struct AllEditions<'a> {
    /// The input.
    pub(crate) octets: &'a [u8],
    /// Each edition's reading.
    pub(crate) readings: Vec<(&'static Edition, Result<Parsed<'a>, ParseError>)>,
}

/// A key of `read --json` that can differ between editions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// What kind of reference it is.
    Kind,
    /// A component.
    Part(Component),
    /// The text before the first ":" of the userinfo.
    User,
    /// The text after it.
    Password,
    /// What kind of host it is.
    HostKind,
}

impl Key {
    /// All of them, in the order of `read --json`.
    pub(crate) const ALL: [Self; 13] = [
        Self::Kind,
        Self::Part(Component::Prefix),
        Self::Part(Component::Scheme),
        Self::Part(Component::Authority),
        Self::Part(Component::Userinfo),
        Self::User,
        Self::Password,
        Self::Part(Component::Host),
        Self::HostKind,
        Self::Part(Component::Port),
        Self::Part(Component::Path),
        Self::Part(Component::Query),
        Self::Part(Component::Fragment),
    ];

    /// Its name in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Part(part) => part.name(),
            Self::User => "user",
            Self::Password => "password",
            Self::HostKind => "host_kind",
        }
    }

    /// Returns the value in a reading; `None` if it is undefined.
    pub(crate) fn of<'a>(self, reading: &Parsed<'a>) -> Option<&'a str> {
        let reference = reading.reference;
        let userinfo = || reference.authority()?.userinfo();
        match self {
            Self::Kind => Some(reference.kind().name()),
            Self::Part(part) => reference.component(part),
            Self::User => Some(userinfo()?.user().as_str()),
            Self::Password => Some(userinfo()?.password()?.as_str()),
            Self::HostKind => Some(reference.authority()?.host().kind().name()),
        }
    }
}

/// Editions with the same value.
pub(crate) struct Group<T> {
    /// The value.
    pub(crate) on: T,
    /// Their names, the oldest first.
    pub(crate) editions: Vec<&'static str>,
}

impl<'a> AllEditions<'a> {
    /// Reads the octets by every edition.
    pub(crate) fn of(octets: &'a [u8]) -> Self {
        let readings = ALL.into_iter().map(|edition| (edition, read(octets, edition))).collect();
        Self { octets, readings }
    }

    /// Returns the readings of the editions that accept the input.
    pub(crate) fn valid(&self) -> impl Iterator<Item = &Parsed<'a>> {
        self.readings.iter().filter_map(|(_, reading)| reading.as_ref().ok())
    }

    /// Returns the errors of the other editions.
    pub(crate) fn refused(&self) -> impl Iterator<Item = &ParseError> {
        self.readings.iter().filter_map(|(_, reading)| reading.as_ref().err())
    }

    /// Groups the editions that accept the input by the value of `of`.
    pub(crate) fn groups<T: PartialEq>(&self, of: impl Fn(&Parsed<'a>) -> T) -> Vec<Group<T>> {
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
    pub(crate) fn is_disputed(&self) -> bool {
        self.valid().next().is_some() && self.refused().next().is_some()
    }

    /// Returns whether the readings differ in a key.
    pub(crate) fn differs(&self, key: Key) -> bool {
        let mut found = self.valid().map(|reading| key.of(reading));
        found.next().is_some_and(|first| found.any(|other| other != first))
    }

    /// Returns the keys in which the readings differ.
    pub(crate) fn differing(&self) -> impl Iterator<Item = Key> {
        Key::ALL.into_iter().filter(|&key| self.differs(key))
    }
}
