//! The variables of `-w`, with curl's names and values.

use std::time::Duration;

use serde_json::{Map, Value};

use super::Seen;
use crate::verbs::get::json;

/// A transfer that is over.
pub(super) struct Facts<'a> {
    pub(super) seen: &'a Seen,
    pub(super) input: &'a [u8],
    /// The number of the URL, from 1.
    pub(super) number: u64,
}

/// A variable.
pub(super) struct Variable {
    pub(super) name: &'static str,
    value: fn(&Facts<'_>) -> Content,
}

impl std::fmt::Debug for Variable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Variable {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The value of a variable.
enum Content {
    Text(String),
    /// A text that may be missing: null in JSON.
    Maybe(Option<String>),
    Number(u64),
    /// A number with three digits.
    Status(u16),
    Seconds(Duration),
}

const fn variable(name: &'static str, value: fn(&Facts<'_>) -> Content) -> Variable {
    Variable { name, value }
}

/// All variables, by name.
pub(super) static VARIABLES: [Variable; 36] = [
    variable("content_type", |facts| Content::Maybe(facts.seen.content_type.clone())),
    variable("errormsg", |facts| Content::Maybe(facts.seen.error.clone())),
    variable("exitcode", |facts| Content::Number(facts.seen.exit.into())),
    variable("filename_effective", |facts| {
        Content::Maybe(facts.seen.file.as_ref().map(|name| name.to_string_lossy().into_owned()))
    }),
    variable("http_code", status),
    variable("http_version", |facts| {
        let version = facts.seen.head.as_ref().map(|head| head.version.name().trim_start_matches("HTTP/"));
        Content::Text(version.unwrap_or("0").into())
    }),
    variable("method", |facts| Content::Text(facts.seen.method.clone())),
    variable("num_connects", |facts| Content::Number(facts.seen.timings.connections.into())),
    variable("num_headers", |facts| {
        Content::Number(facts.seen.head.as_ref().map_or(0, |head| head.headers.iter().count() as u64))
    }),
    variable("num_redirects", |facts| Content::Number(facts.seen.hops as u64)),
    variable("redirect_url", |facts| Content::Maybe(facts.seen.redirect.clone())),
    variable("remote_ip", |facts| {
        Content::Text(facts.seen.address.map(|address| address.ip().to_string()).unwrap_or_default())
    }),
    variable("remote_port", |facts| {
        Content::Number(facts.seen.address.map_or(0, |address| address.port().into()))
    }),
    variable("response_code", status),
    // curl writes it in upper case.
    variable("scheme", |facts| Content::Text(facts.seen.scheme.to_ascii_uppercase())),
    variable("size_download", |facts| Content::Number(facts.seen.octets)),
    variable("size_header", |facts| Content::Number(facts.seen.size_header)),
    variable("size_upload", |facts| Content::Number(facts.seen.size_upload)),
    variable("speed_download", |facts| speed(facts.seen.octets, facts.seen.time)),
    variable("speed_upload", |facts| speed(facts.seen.size_upload, facts.seen.time)),
    variable("ssl_verify_result", |facts| Content::Number(facts.seen.verify_result.into())),
    variable("time_appconnect", |facts| Content::Seconds(facts.seen.timings.app_connect)),
    variable("time_connect", |facts| Content::Seconds(facts.seen.timings.connect)),
    variable("time_namelookup", |facts| Content::Seconds(facts.seen.timings.name_lookup)),
    variable("time_pretransfer", |facts| Content::Seconds(facts.seen.timings.pre_transfer)),
    variable("time_redirect", |facts| Content::Seconds(facts.seen.timings.redirect)),
    variable("time_starttransfer", |facts| Content::Seconds(facts.seen.timings.start_transfer)),
    variable("time_total", |facts| Content::Seconds(facts.seen.time)),
    variable("url", |facts| Content::Text(String::from_utf8_lossy(facts.input).into_owned())),
    variable("url_effective", |facts| Content::Text(facts.seen.url.clone())),
    variable("urlnum", |facts| Content::Number(facts.number.saturating_sub(1))),
    variable("json", |facts| Content::Text(object(facts).to_string())),
    variable("header_json", |facts| Content::Text(headers(facts).to_string())),
    variable("onerror", nothing),
    variable("stderr", nothing),
    variable("stdout", nothing),
];

/// The variables that are not in the object of `json`: they change what is written, or are long.
const NOT_IN_JSON: [&str; 5] = ["json", "header_json", "onerror", "stderr", "stdout"];

fn nothing(_: &Facts<'_>) -> Content {
    Content::Text(String::new())
}

fn status(facts: &Facts<'_>) -> Content {
    Content::Status(facts.seen.head.as_ref().map_or(0, |head| head.status))
}

fn speed(octets: u64, time: Duration) -> Content {
    let micros = time.as_micros().max(1);
    Content::Number(u64::try_from(u128::from(octets) * 1_000_000 / micros).unwrap_or(u64::MAX))
}

impl Variable {
    /// Returns the value as text.
    pub(super) fn text(&self, facts: &Facts<'_>) -> String {
        match (self.value)(facts) {
            Content::Text(text) => text,
            Content::Maybe(text) => text.unwrap_or_default(),
            Content::Number(number) => number.to_string(),
            Content::Status(status) => format!("{status:03}"),
            Content::Seconds(time) => format!("{:.6}", time.as_secs_f64()),
        }
    }
}

/// Returns all variables as a JSON object.
fn object(facts: &Facts<'_>) -> Value {
    let shown = VARIABLES.iter().filter(|variable| !NOT_IN_JSON.contains(&variable.name));
    let value = |variable: &Variable| match (variable.value)(facts) {
        Content::Text(text) => text.into(),
        Content::Maybe(text) => text.into(),
        Content::Number(number) => number.into(),
        Content::Status(status) => status.into(),
        // To the microsecond, as in the text.
        Content::Seconds(time) => ((time.as_secs_f64() * 1e6).round() / 1e6).into(),
    };
    shown.map(|variable| (variable.name.to_owned(), value(variable))).collect::<Map<_, _>>().into()
}

/// Returns the headers of the last response as a JSON object, a list of values for each name.
fn headers(facts: &Facts<'_>) -> Value {
    facts.seen.head.as_ref().map(json::fields).unwrap_or_default().into()
}
