//! The error of setting a part that is defined by a scheme.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use crate::as_text::error_as_sentence;
use crate::build::BuildError;
use crate::edition::Edition;
use crate::form::SyntaxError;
use crate::plan::PlanError;
use crate::scheme::planned::own_parts;
use crate::span::Component;

/// The reason why a part that is defined by a scheme cannot be set.
///
/// ```
/// use locator::scheme::set_part;
///
/// let mut edit = locator::uri!("ftp://h/a").edit();
/// let error = set_part(&mut edit, "selector", None, "x".into()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "ftp URLs have no such part: their own parts are cwds, name, type"
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PartError {
    /// The scheme has no part of that name in the edition.
    NoPart {
        /// The name of the scheme; empty for an unknown scheme, and without one.
        scheme: &'static str,
        /// The edition of the reference.
        edition: &'static Edition,
    },
    /// The part has no such value: it is not a list, or it has fewer values.
    NoKey {
        /// The name of the part.
        name: &'static str,
        /// The number of its values.
        count: usize,
    },
    /// The current reference does not follow the form or the rule of its scheme.
    Malformed(SyntaxError),
    /// The value cannot be part of a valid URL.
    Build(BuildError),
}

impl PartError {
    /// Returns the name of this kind of error in JSON: `no-part`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NoPart { .. } => "no-part",
            Self::NoKey { .. } => "no-key",
            Self::Malformed(_) => "malformed",
            Self::Build(error) => error.name(),
        }
    }

    /// Returns the component that the error is in, if it is about one.
    #[must_use]
    pub const fn component(&self) -> Option<Component> {
        match self {
            Self::NoPart { .. } | Self::NoKey { .. } => None,
            Self::Malformed(malformed) => malformed.component(),
            Self::Build(error) => Some(error.component()),
        }
    }

    /// Returns the document and section of the rule, where there is one: `RFC 3986, 3.3`.
    #[must_use]
    pub fn citation(&self) -> Option<impl Display> {
        match self {
            Self::NoPart { .. } | Self::NoKey { .. } => None,
            Self::Malformed(malformed) => malformed.citation().map(|citation| citation.to_string()),
            Self::Build(error) => Some(error.citation().to_string()),
        }
    }

    /// Returns the span of the error in the URL or in the value.
    #[must_use]
    pub const fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::NoPart { .. } | Self::NoKey { .. } => None,
            Self::Malformed(malformed) => malformed.span(),
            Self::Build(error) => error.span(),
        }
    }
}

impl Display for PartError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPart { scheme, edition } => {
                let own: Vec<_> = own_parts(scheme, edition).map(|part| part.name).collect();
                match own.as_slice() {
                    [] => f.write_str("URLs of this scheme have no parts of their own"),
                    own => {
                        write!(f, "{scheme} URLs have no such part: their own parts are {}", own.join(", "))
                    }
                }
            }
            Self::NoKey { name, count } => {
                write!(f, "\"{name}\" has no such value: it has {count}, counted from 0")
            }
            Self::Malformed(malformed) => PlanError::Malformed(*malformed).message().fmt(f),
            Self::Build(error) => error.fmt(f),
        }
    }
}

error_as_sentence!(PartError);

impl From<BuildError> for PartError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl From<SyntaxError> for PartError {
    fn from(error: SyntaxError) -> Self {
        Self::Malformed(error)
    }
}
