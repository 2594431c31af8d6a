//! The library's errors in, why an input has no answer out: one value for all of them, with its sentence.

use std::fmt::{self, Display, Formatter};

use locator::plan::{Malformed, PlanError};
use locator::scheme::file::PathError;
use locator::{Error, NotComparable, ResolveError, Span};

use crate::edit::Refused;
use crate::show::visible;

/// Why an input has no answer.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// It is not valid.
    NotValid(Error),
    /// It is valid, and cannot be edited so.
    NotEdited {
        /// The edit as it was asked for, if one alone is to blame.
        edit: Option<String>,
        /// Why.
        why: Refused,
    },
    /// It is valid, and something else is in the way.
    Other {
        /// The word for it in JSON.
        kind: &'static str,
        /// The sentence.
        message: String,
        /// Where in the input, if it is about a place in it.
        span: Option<Span>,
    },
}

impl Failure {
    /// Why an edit is not made.
    #[cold]
    pub(crate) fn not_edited(edit: Option<&str>, why: Refused) -> Self {
        Self::NotEdited { edit: edit.map(str::to_owned), why }
    }

    /// The same, with what it is about before its sentence.
    pub(crate) fn said(self, what: &str) -> Self {
        match self {
            Self::Other { kind, message, span } => {
                Self::Other { kind, message: format!("{what}: {message}"), span }
            }
            other => other,
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotValid(error) => error.fmt(f),
            Self::NotEdited { edit: Some(edit), why } => write!(f, "{}: {why}", visible(edit)),
            Self::NotEdited { edit: None, why } => why.fmt(f),
            Self::Other { message, .. } => f.write_str(message),
        }
    }
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
        Self::Other { kind, message: error.to_string(), span: None }
    }
}

impl From<PathError> for Failure {
    fn from(error: PathError) -> Self {
        Self::Other { kind: error.name(), message: error.to_string(), span: None }
    }
}

impl From<NotComparable> for Failure {
    fn from(error: NotComparable) -> Self {
        let kind = match error {
            NotComparable::FirstIsRelative | NotComparable::SecondIsRelative => "relative",
            NotComparable::EditionsDiffer { .. } => "editions-differ",
            _ => "other",
        };
        Self::Other { kind, message: error.to_string(), span: None }
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Malformed(Malformed::Rule(error)) => Self::NotValid(error),
            _ => Self::Other { kind: error.name(), message: error.to_string(), span: error.span() },
        }
    }
}
