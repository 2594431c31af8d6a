//! Why something is not built or not edited: a value that says so in a sentence.

use core::fmt::{self, Display, Formatter};

use crate::edition::{Edition, Rule};
use crate::error::Error;
use crate::part::Part;

/// Why something is not built or not edited.
///
/// ```
/// use locator::{BuildError, Part, Value, uri_ref};
///
/// let mut edit = uri_ref!("/a").edit();
/// let error = edit.set(Part::Port, "80").unwrap_err();
/// assert!(matches!(error, BuildError::NoAuthority { part: Part::Port, .. }));
/// assert_eq!(
///     error.to_string(),
///     "there is no authority for the port: set the host first (authority, RFC 3986, 3.2)"
/// );
///
/// let error = edit.set(Part::Query, Value::Raw("a b")).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the value does not fit: a space may not stand in the query, at octet 1 (query, RFC 3986, 3.4)"
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The value that was given is not valid there; the error is about its octets.
    Value(Error),
    /// Each value is valid and the whole is not; the error is about the text that it would be.
    Whole(Error),
    /// A component of an authority, and there is none.
    NoAuthority {
        /// The component.
        part: Part,
        /// The edition whose rule it is.
        edition: &'static Edition,
    },
    /// A password, and there is no user before it.
    NoUser {
        /// The edition whose rule it is.
        edition: &'static Edition,
    },
    /// The host cannot be removed: the user or the port before or after it would be nobody's.
    HostNeeded {
        /// The edition whose rule it is.
        edition: &'static Edition,
    },
    /// The authority is a registered name: it has no user, host and port that could be edited.
    Registered {
        /// The edition whose rule it is.
        edition: &'static Edition,
    },
    /// An authority given as data, in which its delimiters would be escaped.
    AuthorityAsData {
        /// The edition whose rule it is.
        edition: &'static Edition,
    },
    /// The reference as a whole, which is no component.
    NoComponent,
    /// A mark before the URL that the edition does not have.
    NoPrefix {
        /// The edition.
        edition: &'static Edition,
    },
    /// A segment "." or ".." given as data: it would be read as a step, escaped or not.
    DotSegment,
    /// There is no such segment.
    NoSegment {
        /// The one that was asked for, counted from 0.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The edition's queries cannot hold "&" and "=".
    NoPairs {
        /// The edition.
        edition: &'static Edition,
    },
    /// What was written would be read as something else.
    Misread {
        /// The first component that would not be what was asked for.
        part: Part,
    },
}

impl Display for BuildError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(error) => write!(f, "the value does not fit: {error}"),
            Self::Whole(error) => write!(f, "the whole would not be valid: {error}"),
            Self::NoAuthority { part, edition } => {
                let see = See(edition, edition.rules.authority);
                write!(f, "there is no authority for the {}: set the host first {see}", part.name())
            }
            Self::NoUser { edition } => {
                let see = See(edition, edition.rules.userinfo);
                write!(f, "there is no user before the password: set the user first {see}")
            }
            Self::HostNeeded { edition } => write!(
                f,
                "the host cannot be removed alone: remove user and port first, or the authority as a whole {}",
                See(edition, edition.rules.authority)
            ),
            Self::Registered { edition } => write!(
                f,
                "the authority is a registered name and has no user, host or port of its own: \
                 set or remove it as a whole {}",
                See(edition, edition.rules.authority)
            ),
            Self::AuthorityAsData { edition } => write!(
                f,
                "an authority is no datum, its delimiters would be escaped: set its components, \
                 or give it raw {}",
                See(edition, edition.rules.authority)
            ),
            Self::NoComponent => f.write_str("the reference as a whole is no component: read it instead"),
            Self::NoPrefix { edition } => {
                write!(f, "{} has no such mark before a reference", edition.document)
            }
            Self::DotSegment => f.write_str(
                "a segment \".\" or \"..\" is a step and no name, escaped or not: give it raw if a step \
                 is meant",
            ),
            Self::NoSegment { index, count } => {
                write!(f, "there is no segment {index}: the path has {count}, counted from 0")
            }
            Self::NoPairs { edition } => {
                write!(f, "a query of {} holds no pairs: \"=\" may not stand in it", edition.document)
            }
            Self::Misread { part } => {
                write!(f, "the {} would be read as something else than what was asked for", part.name())
            }
        }
    }
}

impl core::error::Error for BuildError {}

/// The rule that is to blame, with its document and section, as at the end of an [`Error`].
struct See(&'static Edition, &'static Rule);

impl Display for See {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(edition, rule) = self;
        write!(f, "({}, {}, {})", rule.name, edition.document, rule.section)
    }
}
