//! The library's errors in, why an input has no answer out: one value for all of them.

use locator::{Error, NotComparable, ResolveError};

/// Why an input has no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It is not valid.
    NotValid(Error),
    /// It is valid, and something else is in the way.
    Other {
        /// The word for it in JSON.
        kind: &'static str,
        /// The sentence.
        message: String,
    },
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::NotValid(error)
    }
}

impl From<ResolveError> for Failure {
    fn from(error: ResolveError) -> Self {
        let kind = match error {
            ResolveError::NotDefined { .. } => "not-defined",
            ResolveError::BaseNotAbsolute => "base-not-absolute",
            ResolveError::BaseOpaque { .. } => "base-opaque",
            ResolveError::EditionsDiffer { .. } => "editions-differ",
            ResolveError::Leftover => "leftover",
            ResolveError::TooLong => "too-long",
            ResolveError::Unreachable { .. } => "unreachable",
            _ => "other",
        };
        Self::Other { kind, message: error.to_string() }
    }
}

impl From<NotComparable> for Failure {
    fn from(error: NotComparable) -> Self {
        let kind = match error {
            NotComparable::FirstIsRelative | NotComparable::SecondIsRelative => "relative",
            NotComparable::EditionsDiffer { .. } => "editions-differ",
            _ => "other",
        };
        Self::Other { kind, message: error.to_string() }
    }
}
