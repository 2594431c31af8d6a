//! Converts references from and to the types of other crates: `http::Uri` (feature `http`),
//! `url::Url` (feature `url`). Each conversion is `TryFrom`, and fails with a [`ConvertError`].
//!
//! ```
//! # #[cfg(feature = "http")] {
//! use locator::{Uri, UriBuf};
//!
//! // A request of the crate `http`, for a URL that this crate has checked.
//! let target = http::Uri::try_from(Uri::parse("https://example.com/a?q=1")?)?;
//! assert_eq!(target.path(), "/a");
//! assert_eq!(UriBuf::try_from(&target)?, "https://example.com/a?q=1");
//! # }
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! A conversion keeps the identity of the reference. Both crates rewrite their input, so the output
//! is compared with the input on the ladder of RFC 3986, section 6. A result that is not equivalent
//! on any rung is rejected.

#[cfg(feature = "http")]
mod http;
#[cfg(feature = "url")]
mod url;

use alloc::string::ToString;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use crate::as_text::debug_as_display;
use crate::compare::compare;
use crate::error::ParseError;
use crate::reference::{ReferenceKind, UriRef};
use crate::span::Component;

/// The reason why a reference cannot be converted from or to the type of another crate.
///
/// It is neither `Clone` nor comparable, because the error of the crate `http` is not.
///
/// ```
/// # #[cfg(feature = "url")] {
/// use locator::{Component, Uri};
///
/// // The crate `url` would drop the default port.
/// let uri = Uri::parse("http://example.com:80/")?;
/// assert_eq!(url::Url::try_from(uri)?.as_str(), "http://example.com/");
///
/// // It would read another host.
/// let uri = Uri::parse("http://0x7f.1/")?;
/// let error = url::Url::try_from(uri).unwrap_err();
/// assert_eq!(error.component(), Some(Component::Host));
/// # }
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
pub enum ConvertError {
    /// The text is not a reference by RFC 3986, though the other crate or another edition accepts
    /// it.
    NotValid(ParseError),
    /// The other type cannot hold this component, which would be lost.
    Component {
        /// The component.
        component: Component,
    },
    /// The other type cannot represent a reference of this kind.
    Form {
        /// The kind of the reference.
        kind: ReferenceKind,
    },
    /// A request target that is not a reference: `host:80` or `*` (RFC 9112, 3.2.3 and 3.2.4).
    RequestTarget,
    /// The component would change, or would be parsed as something else.
    Rewritten {
        /// The first such component.
        component: Component,
    },
    /// The crate `http` rejects it.
    #[cfg(feature = "http")]
    Http(::http::uri::InvalidUri),
    /// The crate `url` rejects it.
    #[cfg(feature = "url")]
    Url(::url::ParseError),
}

impl ConvertError {
    /// Returns the component that the error is about, if it is about one.
    #[must_use]
    pub const fn component(&self) -> Option<Component> {
        match self {
            Self::NotValid(error) => Some(error.component()),
            Self::Component { component: part } | Self::Rewritten { component: part } => Some(*part),
            _ => None,
        }
    }

    /// Returns the bytes that the error is about, if it is about bytes.
    #[must_use]
    pub const fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::NotValid(error) => Some(error.span()),
            _ => None,
        }
    }

    /// Returns the document and section of the rule, where there is one: `RFC 3986, 3.3`.
    #[must_use]
    pub fn citation(&self) -> Option<impl Display + use<>> {
        match self {
            Self::NotValid(error) => Some(error.citation().to_string()),
            Self::RequestTarget => Some("RFC 9112, 3.2".to_string()),
            _ => None,
        }
    }
}

impl Display for ConvertError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotValid(error) => write!(f, "not a reference by RFC 3986: {error}"),
            Self::Component { component: part } => {
                let name = part.name();
                write!(f, "the {name} would be lost: the other type has none")
            }
            Self::Form { kind: ReferenceKind::Uri | ReferenceKind::Opaque } => {
                f.write_str("the other type cannot represent a URI without an authority")
            }
            Self::Form { .. } => f.write_str("the other type cannot represent such a reference"),
            Self::RequestTarget => f.write_str(
                "a request target is not a reference: a host and a port, or \"*\" (RFC 9112, 3.2)",
            ),
            Self::Rewritten { component: part } => {
                write!(
                    f,
                    "the {} would be rewritten, and the result need not be equivalent (RFC 3986, 6)",
                    part.name()
                )
            }
            #[cfg(feature = "http")]
            Self::Http(error) => write!(f, "rejected by the crate http: {error}"),
            #[cfg(feature = "url")]
            Self::Url(error) => write!(f, "rejected by the crate url: {error}"),
        }
    }
}

debug_as_display!(ConvertError);

impl core::error::Error for ConvertError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::NotValid(error) => Some(error),
            #[cfg(feature = "http")]
            Self::Http(error) => Some(error),
            #[cfg(feature = "url")]
            Self::Url(error) => Some(error),
            _ => None,
        }
    }
}

/// Returns the same reference by RFC 3986, the edition closest to other crates.
fn read_alike(reference: UriRef<'_>) -> Result<UriRef<'_>, ConvertError> {
    let read = UriRef::parse(reference.as_str()).map_err(ConvertError::NotValid)?;
    match Component::ALL.into_iter().find(|&part| read.component(part) != reference.component(part)) {
        Some(part) => Err(ConvertError::Rewritten { component: part }),
        None => Ok(read),
    }
}

/// Checks that two URIs identify the same resource, as far as their texts show.
fn check_same(given: UriRef<'_>, made: UriRef<'_>) -> Result<(), ConvertError> {
    // A reference without a scheme cannot be compared before it is resolved; its text must be the
    // same.
    let Ok(found) = compare(given, made) else {
        let rewritten = ConvertError::Rewritten { component: Component::Reference };
        return if given == made { Ok(()) } else { Err(rewritten) };
    };
    let address = |reference: UriRef<'_>| reference.authority().and_then(|authority| authority.host().ipv6());
    let same_address = address(given).is_some() && address(given) == address(made);
    let matters = |part| !(part == Component::Host && same_address);
    let mut rewritten =
        found.differences.iter().filter(|one| one.kind.rung().is_none() && matters(one.component));
    rewritten.next().map_or(Ok(()), |one| Err(ConvertError::Rewritten { component: one.component }))
}
