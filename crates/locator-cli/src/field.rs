//! The named parts of a URL, for `edit --get` and `--set`, `read --columns`, `uniq --by` and
//! `find --count-by`: those of the list of `locator_functions`, and the parts that schemes define.
//!
//! A part is a [`Field`]. One that a scheme defines ([`SchemePart`]) has the name of its document; an element of a list is
//! named by number, a pair by name: `cwds:0`, `headers:subject`. [`Nth`] is a position, counted from the start or from
//! the end. [`Refused`] says why a part cannot be changed: the reasons of the library, and those for names that only the
//! command has. [`write`] sets and removes parts.

mod url_standard;
mod write;

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use locator::scheme::{self, FieldValue, Key, PartError, Shape};
use locator::{BuildError, Component, Edit, Edition, ParseError, Span, UriRef, Value, edition};
use locator_functions::{Access, Answer, PARTS, Part, PartNameError, Row, Selection, Setting};

use crate::output::paragraph;
pub(crate) use url_standard::{UrlRefused, segment};
pub(crate) use write::{after, data, in_charset};

/// A part of a URL that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// A part of the list.
    Part(Selection<'static>),
    /// A part defined by a scheme.
    OfScheme(SchemePart),
}

impl Field {
    /// The part of that name.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let sentence = |error: PartNameError| error.to_string();
        if let Some(found) = Selection::exact(name) {
            return found.map(kept).map(Self::Part).map_err(sentence);
        }
        if let Some(own) = SchemePart::named(name) {
            return own.map(Self::OfScheme);
        }
        let others: Vec<_> = names_of_schemes().collect();
        Selection::parse_among(name, &others).map(kept).map(Self::Part).map_err(sentence)
    }

    /// The same, if it can be set by itself.
    pub(crate) fn settable(name: &str) -> Result<Self, String> {
        let field = Self::named(name)?;
        let setting = match field {
            Self::Part(selection) => selection.part().setting(),
            Self::OfScheme(own) if own.is_word() => Setting::Derived(None),
            Self::OfScheme(_) => Setting::Allowed,
        };
        match setting {
            Setting::Whole => Err(format!(
                "\"{name}\" is the whole URL, which cannot be set; give it as an argument or a line"
            )),
            Setting::Derived(None) => {
                Err(format!("\"{name}\" is derived from other parts and cannot be set"))
            }
            Setting::Derived(Some(instead)) => {
                Err(format!("\"{name}\" cannot be set; set {instead} instead"))
            }
            _ => Ok(field),
        }
    }

    /// Returns the names of the parts that can be set.
    pub(crate) fn names_to_set() -> Vec<String> {
        let is_settable = |part: &&Part| part.setting() == Setting::Allowed && part.key().is_none();
        let parts = PARTS.iter().filter(is_settable);
        let mut names: Vec<_> =
            parts.flat_map(|part| [part.name()].into_iter().chain(part.aliases().iter().copied())).collect();
        for own in names_of_schemes().filter(|name| Self::settable(name).is_ok()) {
            if !names.contains(&own) {
                names.push(own);
            }
        }
        names.into_iter().map(str::to_owned).collect()
    }

    /// Returns the names of the parts without a key, for completions.
    pub(crate) fn names() -> Vec<String> {
        PARTS.iter().filter(|part| part.key().is_none()).map(|part| part.name().to_owned()).collect()
    }

    /// Returns how it is got, if it is in the list.
    pub(crate) const fn access(self) -> Option<Access> {
        match self {
            Self::Part(selection) => Some(selection.part().access()),
            Self::OfScheme(_) => None,
        }
    }

    /// Returns whether it is a component.
    pub(crate) fn is_component(self, component: Component) -> bool {
        self.access() == Some(Access::Component(component))
    }

    /// Returns the name of the parameter of a query that it is.
    pub(crate) const fn parameter(self) -> Option<&'static str> {
        match self {
            Self::Part(selection) => selection.parameter(),
            Self::OfScheme(_) => None,
        }
    }

    /// Returns the position of a segment or label.
    fn nth(self) -> Nth {
        match self {
            Self::Part(selection) => Nth::from(selection.position().unwrap_or_default()),
            Self::OfScheme(_) => Nth::from(0),
        }
    }

    /// Returns its name with its position or parameter.
    pub(crate) fn title(self) -> String {
        match self {
            Self::Part(selection) => selection.to_string(),
            Self::OfScheme(own) => own.name().to_owned(),
        }
    }

    /// Returns its place in the order in which parts are set; a part comes after the parts it
    /// requires.
    pub(crate) fn rank(self) -> Rank {
        let access = match self {
            // Parts of schemes come last, because the scheme may be set first.
            Self::OfScheme(own) => {
                let Rank { place, nth } = own.rank();
                return Rank { place: Some(PARTS.len() + place.unwrap_or_default()), nth };
            }
            Self::Part(selection) => selection.part().access(),
        };
        let (same, nth) = match access {
            Access::Segment => (Access::Component(Component::Path), Some(self.nth().rank())),
            Access::Protocol => (Access::Component(Component::Scheme), None),
            Access::Search => (Access::Component(Component::Query), None),
            Access::Hash => (Access::Component(Component::Fragment), None),
            access => (access, None),
        };
        Rank { place: PARTS.iter().position(|part| part.access() == same), nth }
    }

    /// Returns whether both name the same part.
    pub(crate) fn is(self, other: Self) -> bool {
        // Pairs have no order of their own.
        let is_own = matches!(self, Self::OfScheme(_)) || self.access() == Some(Access::Pair);
        if is_own { self == other } else { self.rank() == other.rank() }
    }

    /// Returns whether it is a piece of the text whose escapes can be decoded.
    pub(crate) fn is_decodable(self) -> bool {
        match self {
            Self::Part(selection) => selection.is_piece() && selection.part().access() != Access::Whole,
            Self::OfScheme(_) => true,
        }
    }

    /// Returns the text of the part; `None` if it is undefined.
    #[inline]
    pub(crate) fn of<'a>(self, reference: UriRef<'a>) -> Option<Cow<'a, str>> {
        match self {
            // What a scheme calls by the name of another part is that: the search of gopher is not its query.
            Self::Part(selection) => match selection.part().name() {
                "search" => match search_of(reference) {
                    Some(own) => own.of(reference).map(Cow::Borrowed),
                    None => selection.text(reference),
                },
                "kind" => SchemePart::word("kind", reference)
                    .map(Cow::Borrowed)
                    .or_else(|| selection.text(reference)),
                _ => selection.text(reference),
            },
            Self::OfScheme(own) => own.of(reference).map(Cow::Borrowed),
        }
    }

    /// Returns the part of a row, in its type.
    pub(crate) fn answer<'a>(self, row: &Row<'a>) -> Answer<'a> {
        match self {
            Self::Part(selection) => selection.answer(row),
            Self::OfScheme(own) => {
                let text = row.reference().and_then(|reference| own.of(reference));
                text.map_or(Answer::Null, |text| Answer::Text(Cow::Borrowed(text)))
            }
        }
    }

    /// Returns the text by which URLs are compared and counted; `None` if the part is undefined.
    pub(crate) fn grouped<'a>(self, row: &Row<'a>) -> Option<Cow<'a, str>> {
        match self {
            Self::Part(selection) => selection.grouped(row),
            Self::OfScheme(own) => row.reference().and_then(|reference| own.of(reference)).map(Cow::Borrowed),
        }
    }
}

/// Returns the selection with its parameter, which stays as long as the command does: names are few.
fn kept(selection: Selection<'_>) -> Selection<'static> {
    selection.kept(|name| String::leak(name.to_owned()))
}

fn search_of(reference: UriRef<'_>) -> Option<SchemePart> {
    SchemePart::of_scheme("search", reference.component(Component::Scheme), reference.edition())
}

/// Returns the default port of a scheme.
pub(crate) fn default_port(scheme: Option<&str>) -> Option<u16> {
    scheme::default_port(scheme?)
}

/// Returns the list of parts for help: names, then what they are.
pub(crate) fn help() -> String {
    const NAMES: usize = 18;
    let mut text = String::new();
    for part in PARTS {
        let title = part.title();
        let gap = NAMES.saturating_sub(title.len()).max(1);
        let lines = paragraph::lines(part.summary().split(' '), 79, 2 + title.len() + gap, 2 + NAMES);
        let summary = lines.join(&format!("\n{:1$}", "", 2 + NAMES));
        text += &format!("  {title}{:gap$}{summary}\n", "");
    }
    text
}

/// A place, counted from 0, or from -1 at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nth(isize);

/// Where the turn of a part is among those that are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    /// Its place in a URL.
    place: Option<usize>,
    /// Its turn among the segments of a path, or the values of a list.
    nth: Option<NthRank>,
}

/// Where the turn of one of many is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NthRank {
    distance: usize,
    is_from_end: bool,
}

impl From<isize> for Nth {
    fn from(place: isize) -> Self {
        Self(place)
    }
}

impl Nth {
    /// Reads one.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let expected =
            || format!("\"{text}\" is not a position: expected a number from 0, or from -1 at the end");
        text.parse().map(Self).map_err(|_| expected())
    }

    /// The place from 0 on, if there is such a one.
    pub(crate) fn among(self, count: usize) -> Option<usize> {
        let length = self.0.unsigned_abs();
        let place = if self.0 < 0 { count.checked_sub(length)? } else { length };
        (place < count).then_some(place)
    }

    /// Where its turn is: what is nearer to where it is counted from comes first, so that those
    /// that are removed in the other order do not move what is still to be removed.
    const fn rank(self) -> NthRank {
        NthRank { distance: self.0.unsigned_abs(), is_from_end: self.0 < 0 }
    }
}

impl Display for Nth {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A part of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SchemePart {
    name: &'static str,
    which: Option<SchemePartKey>,
}

/// Which of several values is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SchemePartKey {
    Nth(Nth),
    /// The first pair of that name.
    Name(&'static str),
}

/// The parts of schemes that can only be printed.
const PRINTED_ONLY: [&str; 4] = ["kind", "encoding", "gopher_plus_kind", "rest"];

/// Each scheme and edition, with the parts that its URLs have there.
fn parts_of_schemes() -> impl Iterator<Item = (&'static str, &'static scheme::Part)> {
    let editions = edition::ALL.into_iter();
    editions.flat_map(|edition| {
        let own = scheme::PLANNERS.iter().map(move |scheme| (scheme.names(), scheme.parts(edition)));
        let own = own.flat_map(|(names, own)| own.iter().map(move |part| (names[0], part)));
        own.filter(|(_, part)| !part.is_component())
    })
}

/// Returns the names of the parts of all schemes.
fn names_of_schemes() -> impl Iterator<Item = &'static str> {
    let names: Vec<_> = parts_of_schemes().map(|(_, part)| part.name).collect();
    let is_first = |(at, name): &(usize, &'static str)| !names[..*at].contains(name);
    names.iter().copied().enumerate().filter(is_first).map(|(_, name)| name).collect::<Vec<_>>().into_iter()
}

impl SchemePart {
    /// The part of that name, if a scheme has one.
    pub(crate) fn named(given: &str) -> Option<Result<Self, String>> {
        let (name, key) = given.split_once(':').map_or((given, None), |(name, key)| (name, Some(key)));
        if let Some(word) = PRINTED_ONLY.into_iter().find(|word| *word == name) {
            return Some(Ok(Self { name: word, which: None }));
        }
        let mut found = parts_of_schemes().map(|(_, part)| part).filter(|part| part.name == name).peekable();
        let name = found.peek()?.name;
        let which = match (key, found.any(|part| matches!(part.shape, Shape::Pairs(_)))) {
            (None, _) => None,
            // Names are few, and stay as long as the command does.
            (Some(key), true) => Some(SchemePartKey::Name(String::leak(key.to_owned()))),
            (Some(key), false) => match Nth::read(key) {
                Ok(nth) => Some(SchemePartKey::Nth(nth)),
                Err(why) => return Some(Err(why)),
            },
        };
        Some(Ok(Self { name, which }))
    }

    /// Where its turn is among the parts of schemes.
    pub(crate) fn rank(self) -> Rank {
        let place = parts_of_schemes().position(|(_, part)| part.name == self.name);
        let nth = match self.which {
            Some(SchemePartKey::Nth(nth)) => Some(nth.rank()),
            _ => None,
        };
        Rank { place, nth }
    }

    /// Whether it can only be printed.
    pub(crate) fn is_word(self) -> bool {
        PRINTED_ONLY.contains(&self.name)
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
            (FieldValue::Many(many), Some(SchemePartKey::Nth(nth))) => {
                many.get(nth.among(many.len())?).map(|one| one.as_str())
            }
            (FieldValue::Pairs(pairs), Some(SchemePartKey::Name(name))) => {
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
        scheme::set_part(edit, self.name, key, value).map_err(Refused::from)
    }

    /// Removes it with its delimiter; what is not there is no error.
    pub(crate) fn remove(self, edit: &mut Edit<'_>) -> Result<(), Refused> {
        // No pair has a name that the charset does not contain.
        let Ok(name) = self.pair_name(edit.edition()) else { return Ok(()) };
        let key = self.key(edit, name.as_deref());
        match scheme::remove_part(edit, self.name, key) {
            Ok(()) | Err(PartError::NoPart { .. } | PartError::Malformed(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The name of the pair in the charset of an edition, if one is meant.
    fn pair_name(self, edition: &'static Edition) -> Result<Option<Cow<'static, [u8]>>, BuildError> {
        match self.which {
            Some(SchemePartKey::Name(name)) => Value::Text(name).encoded(edition, Component::Query).map(Some),
            _ => Ok(None),
        }
    }

    fn key<'k>(self, edit: &Edit<'_>, name: Option<&'k [u8]>) -> Option<Key<'k>> {
        Some(match self.which? {
            SchemePartKey::Name(_) => Key::Name(name?),
            SchemePartKey::Nth(nth) => {
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

/// The reason why a part cannot be changed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refused {
    /// An error of the library.
    Build(BuildError),
    /// A zone for a host that is not an IPv6 address.
    NoAddress,
    /// The scheme has no such part, or the part no such value.
    Part(PartError),
    /// A port above 65535.
    PortTooLarge,
    /// The host is set to nothing in a URL whose scheme needs one.
    SchemeNeedsHost,
    /// A scheme that needs a host is set, and there is none.
    SchemeWithoutHost,
    /// A host is set in a reference that begins with what may be its host.
    HostOrPath,
    /// A zone in an edition without zones.
    NoZones(&'static Edition),
    /// A segment that the path does not have.
    NoSegment {
        /// The requested segment.
        nth: Nth,
        /// How many there are.
        count: usize,
        /// The edition whose rule it is.
        edition: &'static Edition,
    },
}

impl Refused {
    /// The word for it in JSON.
    pub(crate) const fn kind(self) -> &'static str {
        match self.by_library() {
            Some(error) => error.name(),
            None => match self {
                Self::NoAddress => "no-address",
                Self::PortTooLarge => "port-too-large",
                Self::SchemeNeedsHost | Self::SchemeWithoutHost => "host-needed",
                Self::HostOrPath => "host-or-path",
                Self::Part(error) => error.name(),
                _ => "no-zones",
            },
        }
    }

    /// What is wrong with the octets, if that is why.
    pub(crate) const fn error(self) -> Option<ParseError> {
        match self {
            Self::Build(BuildError::Value(error) | BuildError::Whole(error)) => Some(error),
            _ => None,
        }
    }

    /// The component that it is about.
    pub(crate) const fn part(self) -> Component {
        match self.by_library() {
            Some(error) => error.component(),
            None if matches!(self, Self::PortTooLarge) => Component::Port,
            None if matches!(self, Self::Part(_)) => Component::Path,
            None => Component::Host,
        }
    }

    /// The rule that it breaks.
    pub(crate) const fn rule(self) -> &'static str {
        match self.by_library() {
            Some(error) => error.rule().name,
            None if matches!(self, Self::PortTooLarge) => "port",
            None if matches!(self, Self::SchemeNeedsHost | Self::SchemeWithoutHost | Self::HostOrPath) => {
                "authority"
            }
            None if matches!(self, Self::Part(_)) => "",
            None => "IPv6addrz",
        }
    }

    /// Document and section.
    pub(crate) fn see(self) -> String {
        match (self.by_library(), self) {
            (Some(error), _) => error.citation().to_string(),
            (None, Self::Part(_)) => String::new(),
            (None, Self::PortTooLarge) => "RFC 9293, 3.1".to_owned(),
            (None, Self::SchemeNeedsHost | Self::SchemeWithoutHost | Self::HostOrPath) => {
                "RFC 3986, 3.2.2".to_owned()
            }
            (None, _) => "RFC 6874, 2".to_owned(),
        }
    }

    /// The sentence alone, without place, rule and section.
    pub(crate) fn message(self) -> String {
        match self {
            Self::Build(error) => error.message().to_string(),
            Self::Part(error) => error.to_string(),
            Self::NoAddress => "only an IPv6 address can have a zone; set the host first".to_owned(),
            Self::PortTooLarge => {
                "a port is a number up to 65535; use \":=\" to write any other number".to_owned()
            }
            Self::SchemeNeedsHost => {
                "a URL of this scheme needs a host; use --unset host to remove it anyway".to_owned()
            }
            Self::SchemeWithoutHost => {
                "a URL of this scheme needs a host; set it, too, or write the reference with \"//\" before \
                 its host"
                    .to_owned()
            }
            Self::HostOrPath => {
                "the first segment may be a host or a part of the path; write \"//\" before a host, \"/\" \
                 before a path"
                    .to_owned()
            }
            Self::NoZones(edition) => {
                let known = edition::ALL.into_iter().chain(edition::WITH_OPTIONS);
                let known: Vec<_> =
                    known.filter(|edition| edition.defines_zones()).map(|edition| edition.name).collect();
                format!("{} does not define zones; these editions do: {}", edition.document, known.join(" "))
            }
            Self::NoSegment { nth, count, .. } => format!(
                "there is no segment {nth}; the path has {count} (counted from 0, or from -1 at the end)"
            ),
        }
    }

    /// Returns the position of the error in the reference to edit; empty where something is
    /// missing.
    pub(crate) fn place(self, reference: UriRef<'_>) -> Option<Span> {
        let span = |part| reference.span(part).map(Span::from);
        let before = |part| span(part).map(|Span { start, .. }| Span { start, end: start });
        match self {
            Self::NoAddress | Self::SchemeNeedsHost => span(Component::Host),
            Self::SchemeWithoutHost => before(Component::Path),
            Self::HostOrPath => Some(Span { start: 0, end: 0 }),
            Self::NoSegment { .. } | Self::Build(BuildError::NoRoot { .. }) => span(Component::Path),
            Self::Build(BuildError::NoAuthority { .. }) if span(Component::Authority).is_none() => {
                before(Component::Path)
            }
            Self::Build(BuildError::NoUser { .. }) => before(Component::Host),
            Self::Build(BuildError::HostNeeded { .. }) => span(Component::Host),
            Self::Build(BuildError::Registered { .. }) => span(Component::Authority),
            Self::Part(_) | Self::PortTooLarge | Self::NoZones(_) | Self::Build(_) => None,
        }
    }

    /// The error of the library that it is.
    const fn by_library(self) -> Option<BuildError> {
        match self {
            Self::Build(error) => Some(error),
            // Only the command counts from the end.
            Self::NoSegment { count, edition, .. } => {
                Some(BuildError::NoSegment { index: count, count, edition })
            }
            Self::Part(_)
            | Self::NoAddress
            | Self::PortTooLarge
            | Self::SchemeNeedsHost
            | Self::SchemeWithoutHost
            | Self::HostOrPath
            | Self::NoZones(_) => None,
        }
    }
}

impl Display for Refused {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(error @ BuildError::HostAsData { found, .. }) => {
                let Some(advice) = error.advice() else { return error.fmt(f) };
                let option = match found {
                    ':' => " with -s port=NUMBER",
                    '@' => " with -s user=NAME",
                    '/' => " with -s path=PATH",
                    '?' => " with -s query=QUERY",
                    '#' => " with -s fragment=FRAGMENT",
                    _ => "",
                };
                write!(f, "{error}; {advice}{option}")
            }
            Self::Build(error) => match error.advice() {
                Some(advice) => write!(f, "{error}; {advice}"),
                None => error.fmt(f),
            },
            Self::Part(error) => error.fmt(f),
            _ => write!(f, "{} ({}, {})", self.message(), self.rule(), self.see()),
        }
    }
}

impl From<PartError> for Refused {
    fn from(error: PartError) -> Self {
        match error {
            PartError::Build(error) => error.into(),
            error => Self::Part(error),
        }
    }
}

impl From<BuildError> for Refused {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_both_ends() {
        let among = |text, count| Nth::read(text).expect("a number").among(count);
        assert_eq!(among("0", 2), Some(0));
        assert_eq!(among("1", 2), Some(1));
        assert_eq!(among("2", 2), None);
        assert_eq!(among("-1", 2), Some(1));
        assert_eq!(among("-2", 2), Some(0));
        assert_eq!(among("-3", 2), None);
        assert_eq!(among("-1", 0), None);
        assert_eq!(among(&isize::MIN.to_string(), usize::MAX), Some(usize::MAX - isize::MIN.unsigned_abs()));
        assert!(Nth::read("").is_err());
        assert!(Nth::read("9999999999999999999999").is_err());
    }
}
