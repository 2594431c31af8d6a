//! The objects of the verbs that make one reference of each input, key by key in their order.

use std::borrow::Cow;

use locator::Edition;
use serde::Serialize;

use super::error::ErrorObject;
use super::object::text_of;
use crate::failure::Failure;
use crate::make::Made;

/// With what an object begins.
#[derive(Debug)]
pub(crate) enum Head<'a> {
    /// With the input.
    Input,
    /// With the base, the input as a reference and the edition.
    Resolve {
        /// The base as it was given.
        base: Cow<'a, str>,
        /// The edition.
        edition: &'static Edition,
    },
}

/// One input, and what was made of it.
#[derive(Default, Serialize)]
pub(super) struct MadeObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repaired: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edition: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_document: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject<'a>>,
}

impl<'a> MadeObject<'a> {
    /// What was made of octets, or why nothing.
    pub(super) fn new(head: &'a Head<'_>, octets: &'a [u8], made: &'a Result<Made<'_>, Failure>) -> Self {
        let object = Self::of(head, octets);
        match made {
            Ok(Made::Reference(text)) => Self { result: Some(Cow::Borrowed(text)), ..object },
            Ok(Made::Refused { text, why }) => {
                Self { result: Some(Cow::Borrowed(text)), error: Some(ErrorObject::of_result(why)), ..object }
            }
            Ok(Made::Path { octets, .. }) => {
                let (text, base64) = text_of(octets);
                Self { result: Some(text), result_base64: base64, ..object }
            }
            Ok(Made::Wanting { normal, .. }) => Self { result: Some(Cow::Borrowed(normal)), ..object },
            Ok(Made::CurrentDocument { fragment }) => {
                Self { current_document: Some(true), fragment: *fragment, ..object }
            }
            Ok(Made::Nothing) => object,
            Err(why) => Self { error: Some(ErrorObject::why(why)), ..object },
        }
    }

    /// The same with what was read in place of the input.
    pub(super) fn repaired(self, repaired: Option<&str>) -> Self {
        Self { repaired: repaired.map(str::to_owned), ..self }
    }

    fn of(head: &'a Head<'_>, octets: &'a [u8]) -> Self {
        let (text, base64) = text_of(octets);
        match head {
            Head::Input => Self { input: Some(text), input_base64: base64, ..Self::default() },
            Head::Resolve { base, edition } => Self {
                base: Some(base),
                reference: Some(text),
                reference_base64: base64,
                edition: Some(edition.name),
                ..Self::default()
            },
        }
    }
}
