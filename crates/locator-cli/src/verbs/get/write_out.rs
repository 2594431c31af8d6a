//! The text of `-w` after a transfer, with curl's variables: [`Format`] reads it, [`TransferRecord`] is what is known
//! of a transfer, and a table has the variables with their values.
//!
//! ```console
//! $ locator get -o /dev/null -w '%{http_code} %{url_effective}\n' http://www.example.com/
//! ```

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::net::SocketAddr;
use std::str::FromStr;
use std::time::Duration;

use locator::{UriRef, edit_distance};
use locator_fetch::blocking::Response;
use locator_fetch::run::{FailureKind, TlsCause};
use locator_fetch::{FetchError, Hop, ResponseHead, Timings};
use serde_json::{Map, Value};

use super::json;

/// The text of `-w`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Format(Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    Variable(&'static Variable),
    /// The header with this name.
    Header(String),
}

/// Where a part of the text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Stdout,
    Stderr,
}

impl FromStr for Format {
    type Err = String;

    /// Parses a text with `%{NAME}`, `%header{NAME}`, `%%`, `\n`, `\r`, `\t` and `\\`; or reads it from a file:
    /// `@FILE`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix('@') {
            Some("-") => {
                let mut text = String::new();
                let read = io::stdin().read_to_string(&mut text);
                read.map_err(|error| format!("standard input cannot be read: {error}"))?;
                Self::parse(&text)
            }
            Some(file) => {
                let text = fs::read_to_string(file);
                Self::parse(&text.map_err(|error| format!("\"{file}\" cannot be read: {error}"))?)
            }
            None => Self::parse(text),
        }
    }
}

impl Format {
    fn parse(text: &str) -> Result<Self, String> {
        let (mut pieces, mut plain, mut rest) = (Vec::new(), String::new(), text);
        while let Some(at) = rest.find(['%', '\\']) {
            let (before, marked) = rest.split_at(at);
            plain.push_str(before);
            let (piece, taken) = read_piece(marked)?;
            match piece {
                Piece::Text(text) => plain.push_str(&text),
                piece => {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    pieces.push(piece);
                }
            }
            rest = &marked[taken..];
        }
        plain.push_str(rest);
        pieces.push(Piece::Text(plain));
        Ok(Self(pieces))
    }

    /// Returns the text for the transfer of `input`, the nth URL, in parts that are written to standard output
    /// or to standard error.
    pub(super) fn texts(&self, input: &[u8], number: u64, seen: &TransferRecord) -> Vec<(Stream, String)> {
        let facts = Facts { seen, input, number };
        let (mut texts, mut stream) = (Vec::new(), Stream::Stdout);
        for piece in &self.0 {
            let text = match piece {
                Piece::Text(text) => text.clone(),
                Piece::Variable(Variable { name: "stdout", .. }) => {
                    stream = Stream::Stdout;
                    continue;
                }
                Piece::Variable(Variable { name: "stderr", .. }) => {
                    stream = Stream::Stderr;
                    continue;
                }
                // What follows is written after an error only.
                Piece::Variable(Variable { name: "onerror", .. }) if seen.exit == 0 => break,
                Piece::Variable(variable) => variable.text(&facts),
                Piece::Header(name) => seen.header(name),
            };
            match texts.last_mut() {
                Some((last, before)) if *last == stream => String::push_str(before, &text),
                _ => texts.push((stream, text)),
            }
        }
        texts
    }
}

/// Reads what begins with "%" or "\"; returns it and its length.
fn read_piece(marked: &str) -> Result<(Piece, usize), String> {
    if let Some(prefix) = function(marked).filter(|name| *name != "header") {
        return Err(format!("unknown \"%{prefix}{{\"; expected %{{NAME}} or %header{{NAME}}"));
    }
    for (prefix, is_header) in [("%{", false), ("%header{", true)] {
        let Some(named) = marked.strip_prefix(prefix) else { continue };
        let (name, _) = named.split_once('}').ok_or_else(|| format!("\"{prefix}\" has no \"}}\""))?;
        let taken = prefix.len() + name.len() + 1;
        if is_header {
            return Ok((Piece::Header(name.to_ascii_lowercase()), taken));
        }
        let variable =
            VARIABLES.iter().find(|known| known.name == name).ok_or_else(|| unknown_variable(name))?;
        return Ok((Piece::Variable(variable), taken));
    }
    let (text, taken) = match marked.as_bytes() {
        [b'%', b'%', ..] => ("%", 2),
        [b'\\', b'n', ..] => ("\n", 2),
        [b'\\', b'r', ..] => ("\r", 2),
        [b'\\', b't', ..] => ("\t", 2),
        [b'\\', b'\\', ..] => ("\\", 2),
        _ => (&marked[..1], 1),
    };
    Ok((Piece::Text(text.into()), taken))
}

/// Returns the word of "%word{".
fn function(marked: &str) -> Option<&str> {
    let (word, _) = marked.strip_prefix('%')?.split_once('{')?;
    (!word.is_empty() && word.bytes().all(|octet| octet.is_ascii_lowercase())).then_some(word)
}

/// Returns the error of an unknown variable: the most similar one, or all.
fn unknown_variable(name: &str) -> String {
    let names = VARIABLES.iter().map(|variable| variable.name);
    let most = (name.len() / 3).max(1);
    let near = names.clone().filter_map(|known| Some((edit_distance(name, known, most)?, known)));
    match near.min_by_key(|(distance, _)| *distance) {
        Some((_, nearest)) => format!("unknown variable %{{{name}}}; did you mean %{{{nearest}}}?"),
        None => {
            let names: Vec<_> = names.map(|name| format!("%{{{name}}}")).collect();
            format!("unknown variable %{{{name}}}; expected %header{{NAME}} or one of {}", names.join(", "))
        }
    }
}

/// What is known about a transfer.
#[derive(Clone, Debug, Default)]
pub(super) struct TransferRecord {
    /// The number of the argument, from 1, if that has patterns.
    pub(super) argument: Option<u64>,
    /// Whether all of it is written.
    pub(super) is_wanted: bool,
    /// The last URL.
    pub(super) url: String,
    pub(super) scheme: String,
    pub(super) hops: usize,
    /// The head of the last response.
    pub(super) head: Option<ResponseHead>,
    /// The number of bytes of all response headers.
    pub(super) size_header: u64,
    /// The target of a redirect that is not followed.
    pub(super) redirect: Option<String>,
    pub(super) content_type: Option<String>,
    pub(super) address: Option<SocketAddr>,
    timings: Timings,
    /// The method of the first request, and of the last.
    pub(super) method: String,
    /// The number of bytes that the body of the request has.
    pub(super) size_upload: u64,
    /// Whether certificates are verified.
    pub(super) is_verified: bool,
    verify_result: u32,
    /// The number of bytes that were written.
    pub(super) octets: u64,
    pub(super) time: Duration,
    pub(super) exit: u8,
    /// The error, in a sentence.
    pub(super) error: Option<String>,
    /// The file that it is saved to.
    pub(super) file: Option<OsString>,
    /// Whether a file is complete.
    pub(super) is_saved: bool,
    /// Whether the file was complete before.
    pub(super) is_complete: bool,
    /// What a user should know besides the error.
    pub(super) note: Option<String>,
    /// Whether the error is reported.
    pub(super) is_reported: bool,
}

impl TransferRecord {
    /// Begins with the method of the first request, and the number of bytes of its body. `is_wanted` says
    /// whether the variables of `-w` are written.
    pub(super) fn new(is_wanted: bool, method: &str, size_upload: u64, is_verified: bool) -> Self {
        Self { is_wanted, method: method.into(), size_upload, is_verified, ..Self::default() }
    }

    pub(super) fn fetched(&mut self, fetched: &Response) {
        self.responded(fetched.url(), fetched.hops(), fetched.head());
        if !self.is_wanted {
            return;
        }
        self.content_type = fetched.media_type().map(str::to_owned);
        self.address = fetched.remote_addr();
        self.timings = fetched.timings();
        if let Some(method) = fetched.method() {
            method.clone_into(&mut self.method);
        }
        if matches!(&*self.method, "GET" | "HEAD") && self.hops > 0 {
            self.size_upload = 0;
        }
        // X509_V_ERR_UNSPECIFIED: nobody knows.
        self.verify_result = u32::from(!self.is_verified && self.timings.app_connect > Duration::ZERO);
    }

    pub(super) fn failed(&mut self, error: &FetchError) {
        self.hops = error.hops().len();
        self.timings = error.timings();
        if let Some(url) = error.unredacted_url() {
            self.responded(url, error.hops(), error.head());
        }
        self.verify_result = match error.failure().map(|failure| &failure.kind) {
            Some(FailureKind::NotSecured(why)) => verify_result(&why.cause),
            _ => 0,
        };
    }

    /// Returns the value of a header of the last response, whose name is in lower case.
    pub(super) fn header(&self, name: &str) -> String {
        let value = self.head.as_ref().and_then(|head| head.headers.get_bytes(name));
        value.map(|value| String::from_utf8_lossy(value).into_owned()).unwrap_or_default()
    }

    fn responded(&mut self, url: UriRef<'_>, hops: &[Hop], response: Option<&ResponseHead>) {
        let redirect = response.filter(|response| response.status / 100 == 3);
        self.redirect = redirect.and_then(|response| Some(response.redirect_target(url)?.into_string()));
        if !self.is_wanted {
            return;
        }
        url.as_str().clone_into(&mut self.url);
        self.scheme = url.scheme().map(|scheme| scheme.lowercase().to_string()).unwrap_or_default();
        self.hops = hops.len();
        let heads = hops.iter().filter_map(|hop| hop.head.as_deref()).chain(response);
        self.size_header = heads.map(|head| head.head().len() as u64).sum();
        self.head = response.cloned();
    }
}

/// Returns the number that OpenSSL, and so curl, has for what is wrong with a certificate.
const fn verify_result(cause: &TlsCause) -> u32 {
    match cause {
        TlsCause::NotYetValid => 9,
        TlsCause::Expired => 10,
        TlsCause::SelfSigned => 18,
        TlsCause::UnknownIssuer => 20,
        TlsCause::Revoked => 23,
        TlsCause::OtherName => 62,
        _ => 1,
    }
}

/// A transfer that is over.
pub(super) struct Facts<'a> {
    pub(super) seen: &'a TransferRecord,
    pub(super) input: &'a [u8],
    /// The number of the URL, from 1.
    pub(super) number: u64,
}

/// A variable.
struct Variable {
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
static VARIABLES: [Variable; 36] = [
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
    variable("onerror", no_content),
    variable("stderr", no_content),
    variable("stdout", no_content),
];

/// The variables that are not in the object of `json`: they change what is written, or are long.
const NOT_IN_JSON: [&str; 5] = ["json", "header_json", "onerror", "stderr", "stdout"];

fn no_content(_: &Facts<'_>) -> Content {
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn text(format: &str, seen: &TransferRecord) -> String {
        let texts = format.parse::<Format>().unwrap().texts(b"http://h/a", 1, seen);
        texts.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn texts() {
        let seen = TransferRecord {
            octets: 12,
            time: Duration::from_millis(1500),
            exit: 1,
            error: Some("refused".into()),
            method: "GET".into(),
            ..TransferRecord::default()
        };
        for (format, expected) in [
            ("", ""),
            ("%{http_code}\\n", "000\n"),
            ("%{url} %{num_redirects} %{method} %{urlnum}", "http://h/a 0 GET 0"),
            ("%{size_download}\\t%{speed_download}\\\\", "12\t8\\"),
            ("100%% %{time_total} %{time_connect} %{exitcode} \\q%", "100% 1.500000 0.000000 1 \\q%"),
            ("a%{onerror}b %{errormsg}", "ab refused"),
            ("[%header{X-A}] %header", "[] %header"),
        ] {
            assert_eq!(text(format, &seen), expected, "{format}");
        }
        let done = TransferRecord { exit: 0, ..seen };
        assert_eq!(text("a%{onerror}b", &done), "a");
        let format: Format = "a%{stderr}b%{url}%{stdout}c".parse().unwrap();
        let expected = [(Stream::Stdout, "a"), (Stream::Stderr, "bu"), (Stream::Stdout, "c")];
        assert_eq!(format.texts(b"u", 1, &done), expected.map(|(stream, text)| (stream, text.to_owned())));
    }

    #[test]
    fn all_variables_as_json() {
        let seen = TransferRecord { time: Duration::from_micros(1_500_250), ..TransferRecord::default() };
        let object: Value = serde_json::from_str(&text("%{json}", &seen)).unwrap();
        let object = object.as_object().unwrap();
        assert_eq!(object.len(), VARIABLES.len() - 5);
        assert_eq!((&object["time_total"], &object["http_code"]), (&1.50025.into(), &0.into()));
        assert_eq!(object["errormsg"], Value::Null);
        assert_eq!(text("%{header_json}", &seen), "{}");
    }

    #[test]
    fn wrong_variables() {
        let wrong = |format: &str| format.parse::<Format>().unwrap_err();
        assert_eq!(
            wrong("%{time_start_transfer}"),
            "unknown variable %{time_start_transfer}; did you mean %{time_starttransfer}?"
        );
        assert_eq!(
            wrong("%{size-download}"),
            "unknown variable %{size-download}; did you mean %{size_download}?"
        );
        assert!(wrong("%{nothing}").contains("%{time_total}, %{url}, %{url_effective}"));
        assert!(wrong("%{}").starts_with("unknown variable %{}; expected"));
        assert_eq!(wrong("100%output{a}"), "unknown \"%output{\"; expected %{NAME} or %header{NAME}");
        assert_eq!(wrong("%{url"), "\"%{\" has no \"}\"");
        assert_eq!(wrong("%header{x"), "\"%header{\" has no \"}\"");
        assert!(wrong("@/does/not/exist").contains("cannot be read"));
    }
}
