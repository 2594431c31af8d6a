//! The JSON object of an input, with its keys in order. A value of `None` has no key.

use std::borrow::Cow;
use std::cell::Cell;

use locator::{Component, Edit, Edition, ParseError, PctStr, SpaceEncoding, UriRef, scheme};
use locator_audit::Finding;
use serde::{Serialize, Serializer};

use super::error::ErrorObject;
use super::finding::FindingObjects;
use super::scheme::SchemeParts;
use super::text_of;
use crate::input::reading::Parsed;
use crate::input::{Input, Origin};
use crate::report::failure::Failure;
use crate::report::lint::Warning;
use crate::terminal::undo::{Decoding, undone};

/// One input by one edition.
#[derive(Default, Serialize)]
pub(crate) struct Object<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repaired: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    edition: &'a str,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    authority: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    userinfo: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    password: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme_valid: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme_status: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme_near: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme_parts: Option<SchemeParts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Pairs<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<FindingObjects<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Errors<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Vec<ErrorObject<'a>>>,
}

impl<'a> Object<'a> {
    /// The object of a reading or an error, without the input.
    pub(crate) fn new(edition: &'a Edition, reading: &Result<Parsed<'a>, ParseError>) -> Self {
        match reading {
            Ok(reading) => Self::valid(reading),
            Err(error) => {
                Self { edition: edition.name, error: Some(ErrorObject::of(error)), ..Self::default() }
            }
        }
    }

    fn valid(reading: &Parsed<'a>) -> Self {
        let reference = reading.reference;
        let authority = reference.authority();
        let userinfo = authority.and_then(|authority| authority.userinfo());
        let unknown = reference.component(Component::Scheme).filter(|name| scheme::lookup(name).is_none());
        Self {
            edition: reference.edition().name,
            valid: true,
            kind: Some(reference.kind().name()),
            prefix: reference.component(Component::Prefix),
            scheme: reference.component(Component::Scheme),
            authority: reference.component(Component::Authority),
            userinfo: reference.component(Component::Userinfo),
            user: userinfo.map(|userinfo| userinfo.user().as_str()),
            password: userinfo.and_then(|userinfo| userinfo.password()).map(|text| text.as_str()),
            host: reference.component(Component::Host),
            host_kind: authority.map(|authority| authority.host().kind().name()),
            zone: authority.and_then(|authority| authority.host().zone()).map(|zone| zone.as_str()),
            port: reference.component(Component::Port),
            path: reference.component(Component::Path),
            query: reference.component(Component::Query),
            pairs: Pairs::of(reference, SpaceEncoding::Percent20),
            fragment: reference.component(Component::Fragment),
            // A reading is valid by the grammar and by the rule for the scheme.
            scheme_valid: reading.has_scheme_rule.then_some(true),
            scheme_status: unknown.and_then(scheme::status).map(scheme::IanaStatus::name),
            scheme_near: unknown.and_then(scheme::suggest),
            scheme_parts: scheme_parts(reference),
            ..Self::default()
        }
    }

    /// The object of an edited input.
    pub(crate) fn edited(edited: UriRef<'a>, space: SpaceEncoding) -> Self {
        let has_scheme_rule = matches!(scheme::check(edited), Some(Ok(())));
        Self {
            result: Some(edited.as_str()),
            pairs: Pairs::of(edited, space),
            ..Self::valid(&Parsed { reference: edited, has_scheme_rule })
        }
    }

    /// Adds the repaired input.
    pub(crate) fn repaired(self, repaired: Option<&str>) -> Self {
        Self { repaired: repaired.map(str::to_owned), ..self }
    }

    /// The object of an input that could not be edited.
    pub(crate) fn not_edited(edition: &'a Edition, why: &'a Failure) -> Self {
        Self { edition: edition.name, error: Some(ErrorObject::why(why)), ..Self::default() }
    }

    /// Adds the input.
    pub(crate) fn of(self, octets: &'a [u8]) -> Self {
        let (input, input_base64) = text_of(octets);
        Self { input: Some(input), input_base64, ..self }
    }

    /// The object of a valid input with warnings.
    pub(crate) fn warned(edition: &'a Edition, warnings: &'a [Warning]) -> Self {
        let warnings = warnings.iter().map(ErrorObject::warning).collect();
        Self { edition: edition.name, valid: true, warnings: Some(warnings), ..Self::default() }
    }

    /// Adds the findings of the text whose components it has.
    pub(crate) fn with_findings(self, findings: &'a [Finding]) -> Self {
        Self { findings: FindingObjects::of(findings), ..self }
    }

    /// Adds errors.
    pub(crate) fn with_errors(self, errors: impl Iterator<Item = ErrorObject<'a>> + 'a) -> Self {
        Self { errors: Some(Errors(Cell::new(Some(Box::new(errors))))), ..self }
    }

    /// Adds the file that the input is in.
    pub(crate) fn in_file(self, file: Option<&'a [u8]>) -> Self {
        let (file, file_base64) = file.map(text_of).map_or((None, None), |(text, raw)| (Some(text), raw));
        Self { file, file_base64, ..self }
    }

    /// Adds the location of the input.
    pub(crate) fn at(self, input: Input<'a>, located: Option<&'a str>) -> Self {
        let number = |origin| (input.origin == origin).then_some(input.number);
        Self {
            argument: number(Origin::Argument),
            line: number(Origin::Line),
            item: number(Origin::Item),
            place: located,
            ..self.of(input.octets)
        }
    }
}

/// The parts of its scheme, if that is known.
fn scheme_parts(reference: UriRef<'_>) -> Option<SchemeParts<'_>> {
    let fields = scheme::fields(reference)?.ok()?;
    Some(SchemeParts(fields, reference.edition().charset()))
}

/// The pairs of a query, decoded as they are written: they take many times the memory of the query.
struct Pairs<'a> {
    reference: UriRef<'a>,
    space: SpaceEncoding,
}

impl<'a> Pairs<'a> {
    /// Those of a reference; `None` without a query.
    fn of(reference: UriRef<'a>, space: SpaceEncoding) -> Option<Self> {
        reference.query().map(|_| Self { reference, space })
    }
}

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut edit = Edit::of(self.reference);
        edit.spaces(self.space);
        let by = Decoding { space: self.space, charset: self.reference.edition().charset() };
        let text = |text: PctStr<'_>| undone(text.as_str(), by);
        to.collect_seq(
            edit.pairs().map(|pair| PairObject { name: text(pair.name()), value: pair.value().map(text) }),
        )
    }
}

/// A pair of a query, decoded to printable characters; without "=" it has no value.
#[derive(Serialize)]
struct PairObject {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

/// Errors, written as they are found: they may not all fit into memory.
struct Errors<'a>(Cell<Option<Box<dyn Iterator<Item = ErrorObject<'a>> + 'a>>>);

impl Serialize for Errors<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // An object is written once, which consumes its errors.
        to.collect_seq(self.0.take().into_iter().flatten())
    }
}
