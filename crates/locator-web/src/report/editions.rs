//! The readings of all editions for one input: [`parse`] and [`read`] take bytes and an edition's grammar, with
//! its rule for the scheme; [`AllEditions`] compares the results by [`Key`], as `read --json` does.

use alloc::vec;
use alloc::vec::Vec;

use locator::edition::ALL;
use locator::{Component, Edition, ParseError, UriRef, scheme};

/// The result of every edition for one input, the oldest first.
///
/// ```
/// use locator::Component;
/// use locator_web::report::{AllEditions, Key};
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
/// use locator_web::report::AllEditions;
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

/// A key of `read --json` that can differ between editions.
///
/// ```
/// assert_eq!(locator_web::report::Key::HostKind.name(), "host_kind");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
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
    pub const ALL: [Self; 13] = [
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

    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Part(part) => part.name(),
            Self::User => "user",
            Self::Password => "password",
            Self::HostKind => "host_kind",
        }
    }

    /// Returns the value in a reading; `None` if it is undefined.
    #[must_use]
    pub fn of<'a>(self, reading: &Parsed<'a>) -> Option<&'a str> {
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

/// A reference that is valid in its edition and by the edition's rule for its scheme.
///
/// ```
/// use locator::edition::RFC1738;
///
/// let parsed = locator_web::report::read(b"ftp://h/a;type=d", &RFC1738).unwrap();
/// assert!(parsed.has_scheme_rule);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parsed<'a> {
    /// The reference.
    pub reference: UriRef<'a>,
    /// Whether the edition has a rule for its scheme.
    pub has_scheme_rule: bool,
}

/// Parses bytes by the grammar of an edition, then by its rule for the scheme.
///
/// # Errors
///
/// The first error by the grammar or by the rule of the scheme.
pub fn read<'a>(octets: &'a [u8], edition: &'static Edition) -> Result<Parsed<'a>, ParseError> {
    let reference = UriRef::parse_bytes_with(octets, edition).map_err(|error| leftmost(octets, error))?;
    match scheme::check(reference) {
        Some(Err(error)) => Err(error),
        by_scheme => Ok(Parsed { reference, has_scheme_rule: by_scheme.is_some() }),
    }
}

/// Parses bytes by the grammar of an edition. An error has the rule of the scheme, where the edition
/// has one.
///
/// # Errors
///
/// The first error by the grammar.
pub fn parse<'a>(octets: &'a [u8], edition: &'static Edition) -> Result<UriRef<'a>, ParseError> {
    let explained = |error| core::str::from_utf8(octets).map_or(error, |text| scheme::explain(text, error));
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

/// Returns every error of an input, in the edition of the first error.
pub fn errors(octets: &[u8], first: ParseError) -> impl Iterator<Item = ParseError> {
    let edition = first.edition();
    let text = core::str::from_utf8(octets).ok();
    let every = move |text| scheme::explain_each(text, edition, scheme::errors_with(text, edition));
    let of_text = text.into_iter().flat_map(every);
    // Invalid UTF-8 has only that error.
    text.is_none().then_some(first).into_iter().chain(of_text)
}
