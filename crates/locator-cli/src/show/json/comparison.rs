//! The object of two references that are compared, key by key in their order.

use std::borrow::Cow;

use locator::{Difference, Span, UriRef};
use serde::Serialize;

use super::error::ErrorObject;
use super::object::text_of;
use crate::arguments::Compared;
use crate::compare::{Pair, Refusal};
use crate::show::comparison::see;

/// Two references and how they compare, or why they do not.
#[derive(Serialize)]
pub(super) struct ComparisonObject<'a> {
    first: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_base64: Option<String>,
    second: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_base64: Option<String>,
    edition: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    equivalent: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rung: Option<&'a str>,
    /// Which documents have the rung.
    #[serde(skip_serializing_if = "Option::is_none")]
    see: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    differences: Option<Vec<DifferenceObject<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject<'a>>,
}

/// A URL that only one of two lists has.
#[derive(Serialize)]
pub(super) struct OnlyInObject<'a> {
    /// Which list, from 1.
    pub(super) list: u32,
    /// Its line there, from 1.
    pub(super) line: u64,
    pub(super) url: &'a str,
}

/// One difference, with the octets of each.
#[derive(Serialize)]
struct DifferenceObject<'a> {
    component: &'a str,
    kind: &'a str,
    first: StretchObject<'a>,
    second: StretchObject<'a>,
}

/// A stretch of a text; empty where there is nothing.
#[derive(Serialize)]
struct StretchObject<'a> {
    offset: u32,
    length: u32,
    text: &'a str,
}

impl<'a> ComparisonObject<'a> {
    /// What was asked, and the answer.
    pub(super) fn new(asked: &'a Compared, compared: &'a Result<Pair<'_>, Refusal>) -> Self {
        let (first, first_base64) = text_of(asked.first.as_encoded_bytes());
        let (second, second_base64) = text_of(asked.second.as_encoded_bytes());
        let (pair, refusal) = (compared.as_ref().ok(), compared.as_ref().err());
        let rung = pair.and_then(|pair| pair.comparison.rung);
        Self {
            first,
            first_base64,
            second,
            second_base64,
            edition: asked.by.edition.name,
            equivalent: pair.map(|pair| pair.comparison.is_equivalent()),
            rung: rung.map(|rung| rung.name()),
            see: pair.zip(rung).map(|(pair, rung)| see(rung, pair)),
            differences: pair.map(differences),
            argument: refusal.map(|refusal| refusal.argument),
            error: refusal.map(|refusal| ErrorObject::why(&refusal.why)),
        }
    }
}

fn differences<'a>(pair: &'a Pair<'_>) -> Vec<DifferenceObject<'a>> {
    let object = |one: &Difference| DifferenceObject {
        component: one.part.name(),
        kind: one.kind.name(),
        first: stretch(pair.first, one.first),
        second: stretch(pair.second, one.second),
    };
    pair.comparison.differences.iter().map(object).collect()
}

fn stretch(reference: UriRef<'_>, span: Span) -> StretchObject<'_> {
    StretchObject { offset: span.start, length: span.len(), text: &reference.as_str()[span.range()] }
}
