//! The library's errors in, why an input has no answer out: one value for all of them, with its sentence.

use std::fmt::{self, Display, Formatter};

use locator::plan::{Malformed, PlanError};
use locator::scheme::NoPlan;
use locator::scheme::file::PathError;
use locator::{Error, NotComparable, Part, ResolveError, Span};
use locator_find::Unresolved;

use crate::config;
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
    /// It is valid, and the URL that a gateway gave for it has no answer.
    Behind {
        /// That URL.
        url: String,
        /// Why.
        why: Box<Failure>,
    },
    /// It is valid, and something else is in the way.
    Other {
        /// The word for it in JSON.
        kind: &'static str,
        /// The sentence.
        message: String,
        /// Where, if it is about a place.
        place: Option<Place>,
    },
}

/// What a failure is about.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Whether it is in the base, not in the input.
    pub(crate) in_base: bool,
    /// The component.
    pub(crate) part: Option<Part>,
    /// The octets.
    pub(crate) span: Span,
    /// Document and section.
    pub(crate) see: Option<String>,
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
            Self::Other { kind, message, place } => {
                Self::Other { kind, message: format!("{what}: {message}"), place }
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
            Self::Behind { why, .. } => why.fmt(f),
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
            ResolveError::BaseNotAbsolute { .. } => "base-not-absolute",
            ResolveError::BaseOpaque { .. } => "base-opaque",
            ResolveError::EditionsDiffer { .. } => "editions-differ",
            ResolveError::Leftover { .. } => "leftover",
            ResolveError::TooLong => "too-long",
            ResolveError::Unreachable { .. } => "unreachable",
            _ => "other",
        };
        let (in_base, see) = (error.is_in_base(), error.see().map(|see| see.to_string()));
        let place = error.place().map(|(part, span)| Place { in_base, part: Some(part), span, see });
        Self::Other { kind, message: error.to_string(), place }
    }
}

impl From<Unresolved> for Failure {
    fn from(error: Unresolved) -> Self {
        match error {
            Unresolved::NotValid(error) => Self::NotValid(error),
            Unresolved::NotResolved(error) => error.into(),
            _ => Self::Other { kind: "no-base", message: error.to_string(), place: None },
        }
    }
}

impl From<PathError> for Failure {
    fn from(error: PathError) -> Self {
        Self::Other { kind: error.name(), message: error.to_string(), place: None }
    }
}

impl From<NotComparable> for Failure {
    fn from(error: NotComparable) -> Self {
        let kind = match error {
            NotComparable::FirstIsRelative | NotComparable::SecondIsRelative => "relative",
            NotComparable::EditionsDiffer { .. } => "editions-differ",
            _ => "other",
        };
        Self::Other { kind, message: error.to_string(), place: None }
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        let message = match error {
            PlanError::Malformed(Malformed::Rule(error)) => return Self::NotValid(error),
            PlanError::NotConfigured { what, option } => not_configured(what, option),
            _ => error.to_string(),
        };
        let place = |span| Place { in_base: false, part: None, span, see: None };
        Self::Other { kind: error.name(), message, place: error.span().map(place) }
    }
}

impl From<NoPlan> for Failure {
    fn from(NoPlan { error, behind }: NoPlan) -> Self {
        match behind {
            None => error.into(),
            Some(url) => Self::Behind { url, why: Box::new(error.into()) },
        }
    }
}

/// What must be configured, in the words of the command line.
fn not_configured(what: &str, option: &str) -> String {
    let flag = option.replace('_', "-");
    let or_variable = match config::variable(option) {
        Some(name) => format!(", set {name}"),
        None => String::new(),
    };
    format!(
        "{what} must be configured first: give --{flag}{or_variable}, or write {option} into the configuration"
    )
}
