//! A change as it is asked for in, the same made to a reference that is being edited out, or why not.
//!
//! The changes are made in trurl's order, whatever order they are asked for in: what is removed, what
//! is set, what is iterated over, segments, pairs. So a port may be set before the host it needs.

use locator::{BuildError, Edit, Edition, Part, UriRef, Value};

use super::field::{Field, Rank, default_port};
use super::nth::Nth;
use super::refused::Refused;
use crate::failure::Failure;

/// A value as it is given: as data, or in escaped form.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    /// Octets that stand for themselves.
    Data(Vec<u8>),
    /// A text that is written as it is.
    Raw(String),
}

impl Given {
    /// The same for the library.
    pub(crate) fn value(&self) -> Value<'_> {
        match self {
            Self::Data(octets) => data(octets),
            Self::Raw(text) => Value::Raw(text),
        }
    }
}

/// Returns what was typed as data: characters if it is UTF-8, else octets.
pub(crate) fn data(octets: &[u8]) -> Value<'_> {
    std::str::from_utf8(octets).map_or(Value::Data(octets), Value::Text)
}

/// A name and the value after its "=", if it has one.
#[derive(Clone, Debug)]
pub(crate) struct GivenPair {
    pub(crate) name: Given,
    pub(crate) value: Option<Given>,
}

/// Something that is done to each reference.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// A part is removed.
    Remove(Field),
    /// A part is set.
    Set {
        /// Which.
        field: Field,
        /// To what.
        value: Given,
        /// Not if it is there already.
        only_if_undefined: bool,
    },
    /// A segment is put behind the last.
    AppendSegment(Given),
    /// A pair is put behind the last.
    AppendPair(GivenPair),
    /// The pairs of a name become one.
    Replace {
        /// The one.
        pair: GivenPair,
        /// It is appended if there is none.
        append: bool,
    },
    /// One pair of a name gets another value.
    ReplaceNth {
        /// Which of them.
        nth: Nth,
        /// The name, and what its value becomes.
        name: Vec<u8>,
        value: Option<Given>,
    },
    /// Pairs are removed.
    Trim(Vec<Names>),
    /// The pairs are sorted.
    Sort,
    /// The scheme's port is written where there is none.
    DefaultPort,
}

/// The names of pairs.
#[derive(Clone, Debug)]
pub(crate) enum Names {
    /// One.
    Only(Vec<u8>),
    /// All that begin so.
    BeginWith(Vec<u8>),
}

/// A change, and what it is on the command line.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// `--set port=80`
    pub(crate) said: String,
    pub(crate) change: Change,
}

impl Step {
    /// Makes the change.
    pub(crate) fn make(&self, edit: &mut Edit<'_>) -> Result<(), Failure> {
        self.change.make(edit).map_err(|refused| Failure::not_edited(&self.said, refused))
    }

    /// Says if no reference at all can be changed so.
    pub(crate) fn check(&self, edition: &'static Edition) -> Result<(), Failure> {
        // It has all that may be set or removed.
        let Ok(reference) = UriRef::parse_by("a://u:p@h:1/p?q#f", edition) else { return Ok(()) };
        let mut edit = reference.edit();
        if matches!(self.change, Change::Set { field: Field::ZoneId, .. }) {
            // Only an address has a zone.
            drop(edit.set(Part::Host, "::1"));
        }
        let made = match &self.change {
            // Somewhere there is none.
            Change::Set { field, value, .. } => field.set(&mut edit, value.value()),
            change => change.make(&mut edit),
        };
        match made {
            Err(refused) if !depends_on_reference(refused) => Err(Failure::not_edited(&self.said, refused)),
            _ => Ok(()),
        }
    }

    /// Whether both set or remove one part.
    pub(crate) fn is_of_part(&self, other: &Self) -> bool {
        self.field().zip(other.field()).is_some_and(|(one, other)| one.is(other))
    }

    const fn field(&self) -> Option<Field> {
        match self.change {
            Change::Remove(field) | Change::Set { field, .. } => Some(field),
            _ => None,
        }
    }

    /// Where its turn is among what is set, and what is removed.
    pub(crate) fn rank(&self) -> Option<Rank> {
        self.field().map(Field::rank)
    }
}

/// Whether another reference could be changed so.
const fn depends_on_reference(refused: Refused) -> bool {
    !matches!(
        refused,
        Refused::NoZones(_)
            | Refused::PortTooLarge
            | Refused::Build(
                BuildError::Value(_)
                    | BuildError::AuthorityAsData { .. }
                    | BuildError::NoComponent { .. }
                    | BuildError::NoPrefix { .. }
                    | BuildError::DotSegment { .. }
                    | BuildError::NoPairs { .. }
            )
    )
}

impl Change {
    fn make(&self, edit: &mut Edit<'_>) -> Result<(), Refused> {
        match self {
            Self::Remove(field) => field.remove(edit)?,
            Self::Set { field, only_if_undefined: true, .. } if field.is_set(edit) => {}
            Self::Set { field, value, .. } => field.set(edit, value.value())?,
            Self::AppendSegment(segment) => drop(edit.append_segment(segment.value())?),
            Self::AppendPair(pair) => append(edit, pair)?,
            Self::Replace { pair, append: if_none } => {
                let value = pair.value.as_ref().map(Given::value);
                if edit.replace_pairs(pair.name.value(), value)? == 0 && *if_none {
                    append(edit, pair)?;
                }
            }
            Self::ReplaceNth { nth, name, value } => {
                let count = edit.pairs().filter(|pair| *pair.name_octets() == **name).count();
                // Where there is none the value is judged all the same.
                let nth = nth.among(count).unwrap_or(count);
                edit.replace_nth_pair(data(name), nth, value.as_ref().map(Given::value))?;
            }
            Self::Trim(names) => drop(edit.retain_pairs(|pair| {
                let name = pair.name_octets();
                !names.iter().any(|names| names.hold(&name))
            })),
            Self::Sort => drop(edit.sort_pairs()),
            Self::DefaultPort => write_default_port(edit)?,
        }
        Ok(())
    }
}

impl Names {
    fn hold(&self, name: &[u8]) -> bool {
        match self {
            Self::Only(only) => name == only,
            Self::BeginWith(beginning) => name.starts_with(beginning),
        }
    }
}

fn append(edit: &mut Edit<'_>, pair: &GivenPair) -> Result<(), BuildError> {
    match &pair.value {
        Some(value) => edit.append_pair(pair.name.value(), value.value()).map(drop),
        None => edit.append_flag(pair.name.value()).map(drop),
    }
}

fn write_default_port(edit: &mut Edit<'_>) -> Result<(), BuildError> {
    let has_host = edit.part(Part::Host).is_some_and(|host| !host.is_empty());
    let has_port = edit.part(Part::Port).is_some_and(|port| !port.is_empty());
    match default_port(edit.part(Part::Scheme).as_deref()) {
        Some(port) if has_host && !has_port => edit.set(Part::Port, &port.to_string()).map(drop),
        _ => Ok(()),
    }
}
