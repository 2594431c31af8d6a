//! The JSON object of an input that was read by the URL Standard: the keys of [`Object`](super::json::Object), in their
//! order, and `href` and `origin`. The values are those of the serialisation, not of the input.

use std::borrow::Cow;

use locator::Component;
use locator_audit::Finding;
use locator_whatwg::Url;
use serde::{Serialize, Serializer};

use crate::input::Input;
use crate::input::url_standard::{self, UrlError, UrlErrors, part};
use crate::report::json::{ErrorObject, FindingObjects, OriginObject, text_of};

/// An input, and the URL that it is, or why it is none.
#[derive(Default, Serialize)]
pub(crate) struct UrlObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    #[serde(flatten)]
    origin_of_input: OriginObject<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    edition: &'static str,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    href: Option<&'a str>,
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
    host_kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Pairs<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<FindingObjects<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Errors<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Errors<'a>>,
}

impl<'a> UrlObject<'a> {
    /// The object of a URL or an error, without the input.
    pub(crate) fn new(parsed: Result<&'a Url, &UrlError>) -> Self {
        match parsed {
            Ok(url) => Self::valid(url),
            Err(error) => Self::refused(ErrorObject::of_url(error)),
        }
    }

    /// The object of an input without a result.
    pub(crate) fn refused(error: ErrorObject<'a>) -> Self {
        Self { edition: url_standard::NAME, error: Some(error), ..Self::default() }
    }

    fn valid(url: &'a Url) -> Self {
        let userinfo = part(url, Component::Userinfo);
        Self {
            edition: url_standard::NAME,
            valid: true,
            kind: Some(if url.cannot_be_a_base() { "opaque" } else { "url" }),
            href: Some(url.as_str()),
            scheme: Some(url.scheme()),
            authority: part(url, Component::Authority),
            userinfo,
            user: userinfo.map(|_| url.username()),
            password: url.password(),
            host: part(url, Component::Host),
            host_kind: url_standard::host_kind(url),
            port: part(url, Component::Port),
            path: Some(url.path()),
            query: url.query(),
            fragment: url.fragment(),
            origin: Some(url.origin().ascii_serialization()),
            pairs: url.query().map(|_| Pairs(url)),
            ..Self::default()
        }
    }

    /// The object of an edited input.
    pub(crate) fn edited(url: &'a Url) -> Self {
        Self { result: Some(url.as_str()), ..Self::valid(url) }
    }

    /// The object of a valid input with warnings.
    pub(crate) fn warned(warnings: Errors<'a>) -> Self {
        Self { edition: url_standard::NAME, valid: true, warnings: Some(warnings), ..Self::default() }
    }

    /// Adds the input.
    pub(crate) fn of(self, octets: &'a [u8]) -> Self {
        let (input, input_base64) = text_of(octets);
        Self { input: Some(input), input_base64, ..self }
    }

    /// Adds the findings of the input.
    pub(crate) fn with_findings(self, findings: &'a [Finding]) -> Self {
        Self { findings: FindingObjects::of(findings), ..self }
    }

    /// Adds errors.
    pub(crate) fn with_errors(self, errors: Errors<'a>) -> Self {
        Self { errors: Some(errors), ..self }
    }

    /// Adds the validation errors that a URL has all the same, if there are any.
    pub(crate) fn with_warnings(self, warnings: Errors<'a>) -> Self {
        let is_there = self.valid && !warnings.is_empty();
        Self { warnings: is_there.then_some(warnings), ..self }
    }

    /// Adds the file that the input is in.
    pub(crate) fn in_file(mut self, file: Option<&'a [u8]>) -> Self {
        self.origin_of_input = self.origin_of_input.in_file(file);
        self
    }

    /// Adds the location of the input.
    pub(crate) fn at(self, input: Input<'a>, located: Option<&'a str>) -> Self {
        let mut object = Self { place: located, ..self.of(input.octets) };
        object.origin_of_input = object.origin_of_input.numbered(&input);
        object
    }
}

/// The pairs of a query, decoded as they are written: they take many times the memory of the query.
struct Pairs<'a>(&'a Url);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.query_pairs().map(|(name, value)| PairObject { name, value }))
    }
}

#[derive(Serialize)]
struct PairObject<'a> {
    name: Cow<'a, str>,
    value: Cow<'a, str>,
}

/// Validation errors, described as they are written: there may be one for each byte of the input.
pub(crate) enum Errors<'a> {
    /// Every error.
    All(&'a UrlErrors<'a>),
    /// Only one, if there is any.
    One(Option<UrlError>),
}

impl<'a> Errors<'a> {
    /// All errors, or only the most important one: that because of which the input is not parsed, or the first.
    pub(crate) fn new(found: &'a UrlErrors<'a>, all: bool) -> Self {
        if all { Self::All(found) } else { Self::One(found.first()) }
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::All(found) => found.first().is_none(),
            Self::One(error) => error.is_none(),
        }
    }
}

impl Serialize for Errors<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::All(found) => to.collect_seq(found.iter().map(|error| ErrorObject::of_url(&error))),
            Self::One(error) => to.collect_seq(error.iter().map(ErrorObject::of_url)),
        }
    }
}
