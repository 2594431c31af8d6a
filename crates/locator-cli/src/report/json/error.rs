//! The JSON object of an error: the same keys in the same order for all verbs, each present only if
//! it has a value.

use locator::{Component, Found, ParseError, Span};
use serde::Serialize;

use crate::report::failure::{Failure, Position, Side};
use crate::report::lint::Warning;

/// An error.
#[derive(Default, Serialize)]
pub(crate) struct ErrorObject<'a> {
    /// The kind of the error, if the input itself is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    /// The change that cannot be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    edit: Option<&'a str>,
    /// The text that contains the position, if not the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<&'static str>,
    /// The result of the edits, if that contains the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    /// Its position, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u32>,
    /// Its length, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    component: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    /// The character there; empty at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    /// The sentence.
    message: String,
    /// Document and section.
    #[serde(skip_serializing_if = "Option::is_none")]
    see: Option<String>,
}

impl<'a> ErrorObject<'a> {
    /// The object of a parse error.
    pub(crate) fn of(error: &ParseError) -> Self {
        let span = Span::from(error.span());
        Self {
            offset: Some(span.start),
            length: Some(span.len()),
            component: Some(error.component().name()),
            rule: Some(error.rule().name),
            found: Some(match error.found() {
                Found::Char(c) => c.to_string(),
                Found::Byte(_) => char::REPLACEMENT_CHARACTER.to_string(),
                _ => String::new(),
            }),
            message: error.message().to_string(),
            see: Some(error.citation().to_string()),
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
            Failure::Gateway { why, .. } => Self::why(why),
            Failure::Elsewhere { text, why: inner } => {
                let is_result = why.place().is_some_and(|place| place.of == Side::Result);
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

    /// The object of an error in a result that is printed beside it.
    pub(crate) fn of_result(why: &'a Failure) -> Self {
        Self { result: None, ..Self::why(why) }
    }

    /// Adds a position.
    fn at(self, place: Option<&Position>) -> Self {
        let Some(Position { of, part, span }) = place else { return self };
        Self {
            of: match of {
                Side::Input => None,
                Side::Base => Some("base"),
                Side::Value => Some("value"),
                Side::Result => Some("result"),
            },
            offset: Some(span.start),
            length: Some(span.len()),
            component: part.map(Component::name).or(self.component),
            ..self
        }
    }
}
