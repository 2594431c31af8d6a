//! The error of comparing: why two references cannot be compared.

use core::fmt::{self, Display, Formatter};

use crate::as_text::error_as_sentence;
use crate::edition::Edition;
use crate::reference::UriRef;
use crate::span::Component;

/// The reason why two references cannot be compared.
///
/// ```
/// let error =
///     locator::compare(locator::uri_ref!("http://h/a"), locator::uri_ref!("a"))
///         .unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the second reference is relative, and relative references cannot be compared (RFC 3986, 6.1)"
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CompareError {
    /// The first reference has no scheme.
    FirstIsRelative {
        /// The edition that parsed it.
        edition: &'static Edition,
    },
    /// The second reference has no scheme.
    SecondIsRelative {
        /// The edition that parsed it.
        edition: &'static Edition,
    },
    /// Different editions parsed the references; what one calls equivalent another may not.
    EditionsDiffer {
        /// The edition of the first.
        first: &'static Edition,
        /// The edition of the second.
        second: &'static Edition,
    },
}

impl CompareError {
    /// Returns the message alone, without document and section.
    #[must_use]
    pub fn message(&self) -> impl Display {
        CompareMessage(*self)
    }

    /// Returns advice on how to correct the error.
    #[must_use]
    pub const fn advice(&self) -> Option<&'static str> {
        match self {
            Self::FirstIsRelative { .. } | Self::SecondIsRelative { .. } => Some("resolve it first"),
            Self::EditionsDiffer { .. } => Some("parse both by one edition"),
        }
    }

    /// Returns the component that the error is about: the scheme, if it is missing.
    #[must_use]
    pub const fn component(&self) -> Option<Component> {
        match self {
            Self::FirstIsRelative { .. } | Self::SecondIsRelative { .. } => Some(Component::Scheme),
            Self::EditionsDiffer { .. } => None,
        }
    }

    /// Returns the document and section of the rule, where there is one: `RFC 3986, 6.1`.
    #[must_use]
    pub const fn citation(&self) -> Option<&'static str> {
        match self {
            // "applications should not directly compare relative references; the references should
            // be converted to their respective target URIs before comparison"
            Self::FirstIsRelative { edition } | Self::SecondIsRelative { edition } => {
                Some(edition.ladder.relative)
            }
            Self::EditionsDiffer { .. } => None,
        }
    }
}

impl Display for CompareError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)?;
        self.citation().map_or(Ok(()), |see| write!(f, " ({see})"))
    }
}

/// The message of an error.
struct CompareMessage(CompareError);

impl Display for CompareMessage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let relative = |f: &mut Formatter<'_>, which| {
            write!(f, "the {which} reference is relative, and relative references cannot be compared")
        };
        match self.0 {
            CompareError::FirstIsRelative { .. } => relative(f, "first"),
            CompareError::SecondIsRelative { .. } => relative(f, "second"),
            CompareError::EditionsDiffer { first, second } => {
                write!(f, "the references were parsed by different editions ({first}, {second})")
            }
        }
    }
}

error_as_sentence!(CompareError);

/// Checks that two references have schemes and one edition.
pub(super) fn check_comparable(first: UriRef<'_>, second: UriRef<'_>) -> Result<(), CompareError> {
    if !first.has_scheme() {
        return Err(CompareError::FirstIsRelative { edition: first.edition() });
    }
    if !second.has_scheme() {
        return Err(CompareError::SecondIsRelative { edition: second.edition() });
    }
    let (one, other) = (first.edition(), second.edition());
    if one != other {
        return Err(CompareError::EditionsDiffer { first: one, second: other });
    }
    Ok(())
}
