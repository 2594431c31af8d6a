//! Why an input has no answer in, its object out: the same keys in the same order whatever the verb, each of
//! them only where there is something to say.

use locator::{Error, Found, Part};
use serde::Serialize;

use crate::failure::{Failure, Of, Place};
use crate::lint::Warning;

/// An error.
#[derive(Default, Serialize)]
pub(crate) struct ErrorObject<'a> {
    /// What is in the way, where the input itself is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    /// The change that cannot be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    edit: Option<&'a str>,
    /// What the place is one of, if not of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<&'static str>,
    /// What the edits would make, where the place is one of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    /// Where it is, in octets.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u32>,
    /// How many octets it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    component: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    /// What stands there; empty at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    /// The sentence.
    message: String,
    /// Document and section.
    #[serde(skip_serializing_if = "Option::is_none")]
    see: Option<String>,
}

impl<'a> ErrorObject<'a> {
    /// The object of what is not valid.
    pub(crate) fn of(error: &Error) -> Self {
        Self {
            offset: Some(error.span().start),
            length: Some(error.span().len()),
            component: Some(error.part().name()),
            rule: Some(error.rule().name),
            found: Some(match error.found() {
                Found::Char(c) => c.to_string(),
                Found::Octet(_) => char::REPLACEMENT_CHARACTER.to_string(),
                _ => String::new(),
            }),
            message: error.message().to_string(),
            see: Some(error.see().to_string()),
            ..Self::default()
        }
    }

    /// The object of a warning.
    pub(crate) fn warning(warning: &'a Warning) -> Self {
        Self {
            kind: Some(warning.kind),
            offset: Some(warning.span.start),
            length: Some(warning.span.len()),
            component: Some(warning.part.name()),
            message: warning.message.clone(),
            see: warning.see.clone(),
            ..Self::default()
        }
    }

    /// The object of a failure.
    pub(crate) fn why(why: &'a Failure) -> Self {
        match why {
            Failure::NotValid(error) => Self::of(error),
            Failure::Behind { why, .. } => Self::why(why),
            Failure::Elsewhere { text, why: inner } => {
                let is_result = why.place().is_some_and(|place| place.of == Of::Result);
                Self { result: is_result.then_some(text.as_str()), ..Self::why(inner) }
            }
            Failure::NotEdited { edit, why, place } => {
                let error = match why.error() {
                    Some(error) => Self::of(&error),
                    None => Self {
                        component: Some(why.part().name()),
                        rule: Some(why.rule()).filter(|rule| !rule.is_empty()),
                        message: why.message(),
                        see: Some(why.see()).filter(|see| !see.is_empty()),
                        ..Self::default()
                    },
                };
                Self { kind: Some(why.kind()), edit: edit.as_deref(), ..error }.at(place.as_ref())
            }
            Failure::Other { kind, message, see, place } => {
                let error =
                    Self { kind: Some(kind), message: message.clone(), see: see.clone(), ..Self::default() };
                error.at(place.as_ref())
            }
        }
    }

    /// The object of what is wrong with a result that stands beside it.
    pub(crate) fn of_result(why: &'a Failure) -> Self {
        Self { result: None, ..Self::why(why) }
    }

    /// The same with a place.
    fn at(self, place: Option<&Place>) -> Self {
        let Some(Place { of, part, span }) = place else { return self };
        Self {
            of: match of {
                Of::Input => None,
                Of::Base => Some("base"),
                Of::Value => Some("value"),
                Of::Result => Some("result"),
            },
            offset: Some(span.start),
            length: Some(span.len()),
            component: part.map(Part::name).or(self.component),
            ..self
        }
    }
}
