//! Why a reference is not resolved, or a target has no reference: a value that says so in a sentence.

use core::fmt::{self, Display, Formatter};

use crate::edition::{ALL, Edition};

/// Why a reference is not resolved, or a target not made relative.
///
/// ```
/// use locator::{Base, ResolveError, uri};
/// use locator::edition::{RFC1738, URL_1997};
///
/// let error = Base::new(uri!("http://a/", RFC1738)).unwrap_err();
/// assert_eq!(error, ResolveError::NotDefined { edition: &RFC1738 });
/// assert_eq!(
///     error.to_string(),
///     "RFC 1738 does not say how a reference is resolved; these editions do: \
///      url-1993 url-1997 rfc2396 uri-2003 rfc3986 rfc3987"
/// );
///
/// let base = Base::new(uri!("mailto:jan@example.com", URL_1997))?;
/// let error = base.resolve(locator::uri_ref!("piet", URL_1997)).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the base's rest does not begin with \"/\": it has no hierarchy for a relative path \
///      (draft-fielding-url-syntax-05, 5)"
/// );
/// # Ok::<_, ResolveError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResolveError {
    /// The edition does not say how a reference is resolved.
    NotDefined {
        /// The edition.
        edition: &'static Edition,
    },
    /// The base has no scheme.
    BaseNotAbsolute,
    /// The base's rest does not begin with "/", and the reference is a relative path.
    BaseOpaque {
        /// The edition, which calls such a base opaque.
        edition: &'static Edition,
    },
    /// The reference or the target was read by another edition than the base.
    EditionsDiffer {
        /// The base's edition.
        base: &'static Edition,
        /// The other one.
        other: &'static Edition,
    },
    /// ".." leads above the root of the base's path, and that is refused.
    Leftover,
    /// The target is longer than 4,294,967,294 octets.
    TooLong,
    /// No reference resolves to the target: resolving would remove dot segments from its path.
    Unreachable {
        /// The edition.
        edition: &'static Edition,
    },
}

impl Display for ResolveError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDefined { edition } => {
                let document = edition.document;
                write!(f, "{document} does not say how a reference is resolved; these editions do:")?;
                let mut defining = ALL.into_iter().filter(|edition| edition.defines_resolution());
                defining.try_for_each(|edition| write!(f, " {edition}"))
            }
            Self::BaseNotAbsolute => f.write_str("the base has no scheme, so nothing is relative to it"),
            Self::BaseOpaque { edition } => write!(
                f,
                "the base's rest does not begin with \"/\": it has no hierarchy for a relative path ({}, 5)",
                edition.document
            ),
            Self::EditionsDiffer { base, other } => {
                write!(f, "the base was read by {base}, and what is put to it by {other}")
            }
            Self::Leftover => f.write_str("\"..\" leads above the root of the base's path"),
            Self::TooLong => f.write_str("the target is longer than 4,294,967,294 octets"),
            Self::Unreachable { edition } => write!(
                f,
                "no reference resolves to the target: {} removes the dot segments of its path",
                edition.document
            ),
        }
    }
}

impl core::error::Error for ResolveError {}
