//! The JSON of `get`: a response, or the error of a transfer.

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use locator::{BaseSource, Edition, UriBuf};
use locator_fetch::ResponseHead;
use locator_fetch::blocking::Response;
use locator_fetch::entries::{Entry, SearchHit};
use locator_fetch::run::{UnsentLogin, Whole};
use locator_fetch::{FetchError, Hop, timestamp};
use serde::Serialize;
use serde_json::{Map, Value};

use super::error::Failed;
use super::response_heads;
use crate::report::failure::Failure;
use crate::report::json::{ErrorObject, text_of};
use crate::terminal::secrets;

/// A response: the keys in their order.
#[derive(Serialize)]
pub(super) struct FetchedObject<'a> {
    input: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    edition: &'a str,
    url: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hops: Vec<HopObject>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    media_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    charset: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Map<String, Value>>,
    /// Why the login that was given was not sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsent_login: Option<&'static str>,
    /// The base of its links, if a header states another one than the URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    whole: Option<&'static str>,
    octets: u64,
    #[serde(flatten)]
    content: Option<Content>,
}

/// Returns how the server has encoded the body.
fn encoding(response: &ResponseHead) -> Option<String> {
    response.headers.get_bytes("content-encoding").map(|value| String::from_utf8_lossy(value).into_owned())
}

/// Returns the base that the header Content-Base or Content-Location states (RFC 3986, 5.1.2).
fn stated_base(fetched: &Response) -> Option<String> {
    let bases = fetched.bases();
    let chosen = bases.chosen().filter(|candidate| candidate.source() != BaseSource::Retrieval)?;
    chosen.uri().map(|uri| uri.as_str().to_owned())
}

/// Returns the fields of a response: a list of values for each name.
pub(super) fn fields(response: &ResponseHead) -> Map<String, Value> {
    fields_with(response, |_, value| value.to_owned())
}

/// Returns the fields of a response, whose values a function writes.
fn fields_with(response: &ResponseHead, write: impl Fn(&str, &str) -> String) -> Map<String, Value> {
    let mut fields = Map::new();
    for (name, value) in &response.headers {
        let values = fields.entry(name).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(values) = values {
            values.push(write(name, &String::from_utf8_lossy(value)).into());
        }
    }
    fields
}

/// A URL that led to another one.
#[derive(Serialize)]
struct HopObject {
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
}

impl HopObject {
    fn all(hops: &[Hop]) -> Vec<Self> {
        let object = |hop: &Hop| Self {
            url: hop.url.as_str().into(),
            address: hop.address.map(|one| one.to_string()),
        };
        hops.iter().map(object).collect()
    }
}

/// A body.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Content {
    Entries(Vec<EntryObject>),
    Text(String),
    Base64(String),
    File(String),
}

impl Content {
    /// The octets as text if they are UTF-8, else in base64.
    pub(super) fn of(octets: &[u8]) -> Self {
        match std::str::from_utf8(octets) {
            Ok(text) => Self::Text(text.into()),
            Err(_) => Self::Base64(BASE64_STANDARD.encode(octets)),
        }
    }
}

impl<'a> FetchedObject<'a> {
    /// Begins the JSON object of an input.
    pub(super) fn new(octets: &'a [u8], edition: &'a str, fetched: &Response) -> Self {
        let (input, input_base64) = text_of(octets);
        let response = fetched.head();
        Self {
            input,
            input_base64,
            edition,
            url: fetched.url().as_str().into(),
            hops: HopObject::all(fetched.hops()),
            kind: fetched.kind().name(),
            media_type: fetched.media_type().map(Into::into),
            charset: fetched.charset().map(Into::into),
            encoding: response.and_then(encoding),
            status: response.map(|response| response.status),
            fields: response.map(fields),
            unsent_login: fetched.unsent_login().map(UnsentLogin::name),
            base: stated_base(fetched),
            whole: None,
            octets: 0,
            content: None,
        }
    }

    /// Adds the octets, and how their end is known.
    pub(super) fn with(self, content: Content, whole: Whole, octets: u64) -> Self {
        let whole = Some(match whole {
            Whole::Framed => "framed",
            Whole::Confirmed => "confirmed",
            Whole::Unverified => "unverified",
        });
        Self { content: Some(content), whole, octets, ..self }
    }
}

/// An entry of a list.
#[derive(Serialize)]
pub(super) struct EntryObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name_base64: Option<String>,
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modified: Option<String>,
    /// What a symbolic link leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    media_type: Option<String>,
    /// The URL of an access method of the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    access: Option<String>,
    #[serde(flatten)]
    hit: Option<HitObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_url: Option<String>,
}

/// What is only known of a document that a search found.
#[derive(Serialize)]
struct HitObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<u64>,
    types: Vec<String>,
    /// The URLs for the types after the first one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_urls: Vec<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

impl HitObject {
    fn new(hit: SearchHit) -> Self {
        let SearchHit { score, lines, types, other_urls, date, source, .. } = hit;
        let other_urls = other_urls.into_iter().map(|url| url.ok().map(UriBuf::into_string)).collect();
        Self { score, lines, types, other_urls, date, source }
    }
}

impl EntryObject {
    pub(super) fn new(entry: Entry) -> Self {
        let (name, name_base64) = text_of(&entry.name);
        Self {
            hit: entry.hit.map(HitObject::new),
            name: name.into_owned(),
            name_base64,
            r#type: entry.kind.name(),
            size: entry.size,
            modified: entry.modified.and_then(timestamp),
            target: entry.target.map(|target| String::from_utf8_lossy(&target).into_owned()),
            media_type: entry.media_type,
            access: entry.access.map(|url| url.into_string()),
            no_url: entry.url.as_ref().err().map(ToString::to_string),
            url: entry.url.ok().map(|url| url.into_string()),
        }
    }
}

/// An input that was not fetched.
#[derive(Serialize)]
pub(super) struct FailedObject<'a> {
    input: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    edition: &'a str,
    /// Whether something of the input is hidden.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    redacted: bool,
    error: FailureObject<'a>,
}

#[derive(Serialize)]
struct FailureObject<'a> {
    #[serde(flatten)]
    why: ErrorObject<'a>,
    /// The URL that it is about, if that is not the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hops: Vec<HopObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<ReplyObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Map<String, Value>>,
    /// Why the login that was given was not sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsent_login: Option<&'static str>,
    /// Whether the server refused the request.
    said: bool,
    /// Whether the same may succeed later.
    may_pass: bool,
}

#[derive(Serialize)]
struct ReplyObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<u16>,
    text: String,
}

/// Returns the name of the reason why a login was not sent.
fn unsent_login(failure: &locator_fetch::run::Failure) -> Option<&'static str> {
    let is_withheld = failure.withheld.as_ref().is_some_and(|withheld| withheld.login);
    let why = failure.unsent_login().or_else(|| is_withheld.then_some(&UnsentLogin::OtherOrigin));
    why.map(UnsentLogin::name)
}

/// Returns the JSON object of an input that was not fetched, without the secrets of URLs and headers.
pub(super) fn failed_object<'a>(
    octets: &'a [u8],
    edition: &'a Edition,
    failed: &'a Failed,
) -> FailedObject<'a> {
    let (mut input, mut input_base64) = text_of(octets);
    let hidden = secrets::redacted(&input);
    let redacted = !hidden.hidden().is_empty();
    if redacted {
        (input, input_base64) = (hidden.to_string().into(), None);
    }
    let plain = |url: &str| secrets::redacted(url).to_string();
    let of = |error: &'a FetchError| {
        let reply = error.failure().and_then(|failure| failure.reply.as_ref());
        let reply = reply.map(|reply| {
            let text = secrets::sentence(&String::from_utf8_lossy(&reply.text));
            ReplyObject { code: reply.code, text }
        });
        let url = error.unredacted_url().filter(|_| !error.hops().is_empty()).map(|url| plain(url.as_str()));
        let mut hops = HopObject::all(error.hops());
        hops.iter_mut().for_each(|hop| hop.url = plain(&hop.url));
        (url, hops, reply, error.may_pass())
    };
    let (url, hops, reply, may_pass) = failed.error.as_deref().map_or((None, Vec::new(), None, false), of);
    let gateway = if let Failure::Gateway { url, .. } = &failed.why { Some(plain(url)) } else { None };
    let why = ErrorObject::why(&failed.why);
    let response = failed.error.as_ref().and_then(|error| error.head());
    let error = FailureObject {
        why,
        url: url.or(gateway),
        hops,
        reply,
        status: response.map(|response| response.status),
        fields: response.map(|response| fields_with(response, response_heads::shown_value)),
        unsent_login: failed.error.as_ref().and_then(|error| unsent_login(error.failure()?)),
        said: failed.is_said,
        may_pass,
    };
    FailedObject { input, input_base64, edition: edition.name, redacted, error }
}
