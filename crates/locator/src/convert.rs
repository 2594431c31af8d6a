//! References from and to the types of other crates: `http::Uri` (feature `http`), `url::Url` (feature `url`).
//!
//! What is carried over identifies the same. Both crates rewrite what they read, so what came out is compared with
//! what went in, on the ladder of RFC 3986, section 6, and refused if no rung makes them one.

#[cfg(feature = "http")]
mod http;
#[cfg(feature = "url")]
mod url;

use core::fmt::{self, Display, Formatter};

use crate::compare::compare;
use crate::error::Error;
use crate::part::Part;
use crate::reference::{Kind, UriRef};

/// Why a reference is not converted from or to another crate's type.
#[non_exhaustive]
#[derive(Debug)]
pub enum ConvertError {
    /// The text is no reference by RFC 3986, though the other crate or another edition reads it.
    NotValid(Error),
    /// The other type has no place for this component, which would be lost.
    Component {
        /// The component.
        part: Part,
    },
    /// The other type does not hold such a reference.
    Form {
        /// What it is.
        kind: Kind,
    },
    /// A request target that is no reference: `host:80` or `*` (RFC 9112, 3.2.3 and 3.2.4).
    RequestTarget,
    /// The component would be another one, or be read as something else.
    Rewritten {
        /// The first such component.
        part: Part,
    },
    /// `http` refuses it.
    #[cfg(feature = "http")]
    Http(::http::uri::InvalidUri),
    /// `url` refuses it.
    #[cfg(feature = "url")]
    Url(::url::ParseError),
}

impl Display for ConvertError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotValid(error) => write!(f, "it is no reference by RFC 3986: {error}"),
            Self::Component { part } => {
                let name = part.name();
                write!(f, "the {name} would be lost, the other type has none: remove it first")
            }
            Self::Form { kind: Kind::Uri | Kind::Opaque } => {
                f.write_str("the other type holds no URI without an authority")
            }
            Self::Form { .. } => {
                f.write_str("the other type does not hold such a reference: resolve it first")
            }
            Self::RequestTarget => f.write_str(
                "it is the target of a request and no reference: a host and a port, or \"*\" (RFC 9112, 3.2)",
            ),
            Self::Rewritten { part } => {
                write!(f, "the {} would be rewritten to what need not be the same (RFC 3986, 6)", part.name())
            }
            #[cfg(feature = "http")]
            Self::Http(error) => write!(f, "the crate http refuses it: {error}"),
            #[cfg(feature = "url")]
            Self::Url(error) => write!(f, "the crate url refuses it: {error}"),
        }
    }
}

impl core::error::Error for ConvertError {}

/// The same reference by RFC 3986, which is what other crates are nearest to.
fn read_alike(reference: UriRef<'_>) -> Result<UriRef<'_>, ConvertError> {
    let read = UriRef::parse(reference.as_str()).map_err(ConvertError::NotValid)?;
    match Part::COMPONENTS.into_iter().find(|&part| read.part(part) != reference.part(part)) {
        Some(part) => Err(ConvertError::Rewritten { part }),
        None => Ok(read),
    }
}

/// Whether two URIs identify the same, as far as their texts tell.
fn check_same(given: UriRef<'_>, made: UriRef<'_>) -> Result<(), ConvertError> {
    // What has no scheme is not compared before it is resolved; its text must be the same.
    let Ok(found) = compare(given, made) else {
        let rewritten = ConvertError::Rewritten { part: Part::Reference };
        return if given == made { Ok(()) } else { Err(rewritten) };
    };
    let address = |reference: UriRef<'_>| reference.authority().and_then(|authority| authority.host().ipv6());
    let same_address = address(given).is_some() && address(given) == address(made);
    let matters = |part| !(part == Part::Host && same_address);
    let mut rewritten = found.differences.iter().filter(|one| one.kind.rung().is_none() && matters(one.part));
    rewritten.next().map_or(Ok(()), |one| Err(ConvertError::Rewritten { part: one.part }))
}
