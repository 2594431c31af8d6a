//! The objects of `find`, key by key in their order.

use std::borrow::Cow;

use locator::text::{MatchKind, literal_prefix};
use locator::{BaseCandidate, Edition, Resolved};
use locator_audit::Finding;
use locator_find::{Anchor, Context, Link, Location, Method};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::resolve::{Absolute, not_chosen};
use super::summary::CountKey;
use crate::field::Field;
use crate::input::reading;
use crate::report::failure::Failure;
use crate::report::json::{ErrorObject, FindingObjects, text_of};

/// Where something was found.
#[derive(Serialize)]
pub(super) struct PlaceObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_base64: Option<String>,
    line: u64,
    column: u64,
    offset: u64,
    length: u64,
}

impl<'a> PlaceObject<'a> {
    /// The place of what is in this file.
    pub(super) fn new(file: Option<&'a [u8]>, place: &Location) -> Self {
        let (file, file_base64) =
            file.map(text_of).map_or((None, None), |(text, base64)| (Some(text), base64));
        let length = place.span.end - place.span.start;
        Self { file, file_base64, line: place.line, column: place.column, offset: place.span.start, length }
    }
}

/// A link.
#[derive(Serialize)]
pub(super) struct LinkObject<'a> {
    #[serde(flatten)]
    place: PlaceObject<'a>,
    url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(flatten)]
    context: ContextObject<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rel: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refresh: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<bool>,
    edition: &'a str,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    escaped: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absolute: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_document: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unresolved: Option<ErrorObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<ErrorObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<FindingObjects<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<PlaceObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<BaseObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bases: Option<Vec<BaseObject<'a>>>,
}

/// What a link is in its document.
#[derive(Default, Serialize)]
struct ContextObject<'a> {
    context: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guess: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    #[serde(rename = "macro", skip_serializing_if = "Option::is_none")]
    of_macro: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    directive: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'a str>,
}

impl<'a> ContextObject<'a> {
    fn of(context: Context<'a>, url: &'a str) -> Self {
        let only = Self { context: context.name(), ..Self::default() };
        match context {
            Context::Text(how) => {
                let is_pattern = how == MatchKind::Template;
                Self {
                    how: Some(how.name()),
                    guess: how.is_guess().then_some(true),
                    pattern: is_pattern.then_some(true),
                    prefix: is_pattern.then(|| literal_prefix(url)),
                    ..only
                }
            }
            Context::Attribute { element, attribute } => {
                Self { element: Some(element), attribute: Some(attribute), ..only }
            }
            Context::Element(element) => Self { element: Some(element), ..only },
            Context::Json(member) => Self { member: Some(member), ..only },
            Context::Field(field) => Self { field: Some(field), ..only },
            Context::Macro(name) => Self { of_macro: Some(name), ..only },
            Context::Directive(name) => Self { directive: Some(name), ..only },
            Context::Role(name) => Self { role: Some(name), ..only },
            // A style sheet and Markdown have no name to add.
            _ => only,
        }
    }
}

/// A layer of the base.
#[derive(Serialize)]
struct BaseObject<'a> {
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<bool>,
    why: String,
}

impl<'a> BaseObject<'a> {
    fn chosen(layer: &'a BaseCandidate) -> Self {
        let uri = layer.uri().map(|uri| uri.as_str());
        Self {
            source: layer.source().name(),
            given: None,
            uri,
            chosen: None,
            why: layer.source().to_string(),
        }
    }

    fn all(link: &Link<'a>) -> Vec<Self> {
        let mut has_been = false;
        let of = |layer: &'a BaseCandidate| {
            let not = not_chosen(layer, &mut has_been);
            let (given, chosen) = (Some(layer.given()), Some(not.is_none()));
            let why = not.unwrap_or_else(|| layer.source().to_string());
            Self { given, chosen, why, ..Self::chosen(layer) }
        };
        link.bases().layers().map(of).collect()
    }
}

/// What is known of a link besides what its document has.
pub(super) struct LinkDetails<'a> {
    /// The file that it is in.
    pub(super) file: Option<&'a [u8]>,
    /// The edition that it is read by.
    pub(super) edition: &'static Edition,
    /// What it is resolved to, if that is asked.
    pub(super) absolute: Option<&'a Absolute<'a>>,
    /// What is wrong with it, if that is asked.
    pub(super) broken: Option<&'a Failure>,
    /// What is dangerous in it.
    pub(super) findings: &'a [Finding],
    /// Whether all of its bases are asked for.
    pub(super) with_bases: bool,
}

impl<'a> LinkObject<'a> {
    /// A link.
    pub(super) fn new(link: &'a Link<'a>, details: &LinkDetails<'a>) -> Self {
        let LinkDetails { file, edition, absolute, broken, findings, with_bases } = *details;
        let error = reading::read(link.url().as_bytes(), edition).err();
        let differs = link.written() != link.url().as_bytes();
        let (written, written_base64) = match differs.then(|| text_of(link.written())) {
            Some((written, base64)) => (Some(written), base64),
            None => (None, None),
        };
        let object = Self {
            place: PlaceObject::new(file, link.place()),
            url: link.url(),
            written,
            written_base64,
            other: link.other(),
            cut: link.cut().map(|_| true),
            note: link.cut().map(|cut| format!("only a part of the URL: {cut}")),
            context: ContextObject::of(link.context(), link.url()),
            text: link.text(),
            rel: link.rel(),
            method: link.method().map(Method::name),
            refresh: link.is_refresh().then_some(true),
            code: link.is_code().then_some(true),
            edition: edition.name,
            valid: error.is_none(),
            error: error.as_ref().map(ErrorObject::of),
            escaped: absolute.and_then(|absolute| absolute.escaped),
            absolute: None,
            current_document: None,
            fragment: None,
            unresolved: None,
            broken: broken.map(ErrorObject::why),
            findings: FindingObjects::of(findings),
            part: link.part().map(|place| PlaceObject::new(None, place)),
            base: absolute.and(link.base()).map(BaseObject::chosen),
            bases: with_bases.then(|| BaseObject::all(link)),
        };
        match absolute.map(|absolute| &absolute.target) {
            None => object,
            Some(Ok(Resolved::Uri(uri))) => {
                let refused = absolute.and_then(|absolute| absolute.refused.as_ref());
                Self { absolute: Some(uri.as_str()), unresolved: refused.map(ErrorObject::why), ..object }
            }
            Some(Ok(Resolved::CurrentDocument { fragment })) => Self {
                current_document: Some(true),
                fragment: fragment.map(|fragment| fragment.as_str()),
                ..object
            },
            Some(Err(why)) => Self { unresolved: Some(ErrorObject::why(why)), ..object },
        }
    }
}

/// A name that a fragment may point to.
#[derive(Serialize)]
pub(super) struct AnchorObject<'a> {
    #[serde(flatten)]
    place: PlaceObject<'a>,
    anchor: &'a str,
}

impl<'a> AnchorObject<'a> {
    /// An anchor.
    pub(super) fn new(file: Option<&'a [u8]>, anchor: &'a Anchor<'a>) -> Self {
        Self { place: PlaceObject::new(file, &anchor.place), anchor: &anchor.name }
    }
}

/// How many links there are of a kind.
pub(super) struct TallyObject<'a> {
    what: Field,
    kind: &'a CountKey,
    count: u64,
}

impl<'a> TallyObject<'a> {
    /// A row of a table.
    pub(super) const fn new(what: Field, kind: &'a CountKey, count: u64) -> Self {
        Self { what, kind, count }
    }
}

impl Serialize for TallyObject<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_map(None)?;
        object.serialize_entry(&self.what.title(), &self.kind.name())?;
        if let Some(why) = self.kind.why(self.what) {
            object.serialize_entry("why", &why)?;
        }
        object.serialize_entry("count", &self.count)?;
        object.end()
    }
}
