//! The head of a request, as hyper sends it: the fields of the plan, those of the settings, and what the
//! client adds.

use hyper::header::{HeaderName, HeaderValue};
use hyper::http::uri::{PathAndQuery, Uri};
use locator::internal::secrets::is_header;
use locator::plan::{self, HttpOrigin, MessagePiece, RequestField, Secret};

use super::auth::basic;
use super::body::{ContinueGate, OutgoingBody, RequestBody};
use super::coding::{ACCEPTED, SMALL};
use super::cookies::CookieTarget;
use super::range::RangeHeaders;
use super::request::{OriginLogin, PreparedRequest, Request};
use super::settings::Http;
use super::wire::{EXPECT, TARGET};
use crate::error::failure::FailureKind;
use crate::net::proxy::Login;
use crate::redact;
use crate::run::resume::Resume;

/// What is spoken on the connection of a request.
pub(super) struct LinkProtocol {
    pub(super) is_http2: bool,
    pub(super) is_secured: bool,
    /// Whether there is memory for codings with large windows.
    pub(super) has_window: bool,
    /// Whether a long body may be announced, so that the server can refuse it.
    pub(super) may_expect: bool,
}

/// The head of a request.
pub(super) struct Head {
    method: String,
    uri: Uri,
    is_http2: bool,
    fields: Vec<(HeaderName, HeaderValue)>,
    /// The target for people, without its secrets.
    shown_target: String,
}

impl Request {
    /// Returns the request of a plan as it is sent first, by HTTP/1.1: with all headers, and without logins
    /// that are sent if they are asked for.
    pub(crate) fn complete(
        &mut self,
        plan: plan::Request,
        origin: HttpOrigin,
        is_secured: bool,
        (http, resume): (&Http, Option<&Resume>),
    ) -> Result<plan::Request, FailureKind> {
        let request = self.prepare(plan, origin, is_secured, (http, resume))?;
        let protocol = LinkProtocol { is_http2: false, is_secured, has_window: true, may_expect: true };
        let login = match &request.login {
            Some(OriginLogin { user, password: Some(password), .. }) if http.sends_basic_at_once() => {
                Some(basic(&Login { user: user.clone(), password: password.clone() }))
            }
            _ => None,
        };
        let logins = [("authorization", login), ("proxy-authorization", None)];
        let head = Head::new(&request, http, protocol, logins)?;
        let fields = head.sent_fields()?;
        let plan = request.plan.method_named(request.method);
        Ok(plan.map_err(|_| FailureKind::NotSupported("this method"))?.all_fields(fields))
    }
}

impl Head {
    pub(super) fn new(
        request: &PreparedRequest,
        http: &Http,
        connection: LinkProtocol,
        logins: [(&'static str, Option<Vec<u8>>); 2],
    ) -> Result<Self, FailureKind> {
        let LinkProtocol { is_http2, is_secured, has_window, .. } = connection;
        let target = request.plan.target().to_bytes();
        let mut fields = Vec::new();
        for field in request.plan.fields() {
            fields.push(named(field.name(), &field.value().to_bytes())?);
        }
        let mut add = |name: &'static str, value: &[u8]| named(name, value).map(|field| fields.push(field));
        if let Some(agent) = &http.user_agent {
            add("user-agent", agent.as_bytes())?;
        }
        add("accept", b"*/*")?;
        let RangeHeaders { range, if_range } = request.range.headers();
        let range = range.or_else(|| {
            Some(format!("bytes={}-", request.plan.first_octet())).filter(|_| request.plan.first_octet() > 0)
        });
        for (name, value) in [("range", range), ("if-range", if_range)] {
            if let Some(value) = value {
                add(name, value.as_bytes())?;
            }
        }
        if request.may_be_compressed(http) {
            let codings = if has_window { ACCEPTED } else { SMALL };
            add("accept-encoding", codings.as_bytes())?;
        }
        for (name, value) in logins {
            if let Some(value) = value {
                add(name, &value)?;
            }
        }
        fields.retain(|(name, _)| http.left_out.iter().all(|other| name.as_str() != other));
        let own: Vec<_> = http
            .fields
            .iter()
            .filter(|(name, _)| request.sends(name))
            .map(|(name, value)| named(name, value.reveal()))
            .collect::<Result<_, _>>()?;
        let own = with_cookies(own, request, http)?;
        fields.retain(|(name, _)| own.iter().all(|(other, _)| other != name));
        // Host is the first field.
        let (hosts, others): (Vec<_>, Vec<_>) = own.into_iter().partition(|(name, _)| name == "host");
        fields.splice(0..0, hosts);
        fields.extend(others);
        for (name, value) in of_body(request, &connection, http) {
            if fields.iter().all(|(own, _)| own != name) {
                fields.push(named(name, value.as_bytes())?);
            }
        }
        let uri = uri(&target, is_secured, is_http2, &fields)?;
        if is_http2 {
            fields.retain(|(name, _)| name != "host");
        }
        let shown_target = request.plan.target().pieces().iter().map(shown_piece).collect();
        Ok(Self { method: request.method.clone(), uri, is_http2, fields, shown_target })
    }

    /// Returns whether the server is asked whether it wants the body.
    pub(super) fn expects(&self) -> bool {
        let is_expectation = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"100-continue");
        self.fields.iter().any(|(name, value)| name == "expect" && is_expectation(value))
    }

    /// Returns the request with a body, which waits at the gate.
    pub(super) fn request(
        &self,
        body: Option<RequestBody>,
        gate: Option<ContinueGate>,
    ) -> Result<hyper::Request<OutgoingBody>, FailureKind> {
        let mut request = hyper::Request::builder().method(self.method.as_str()).uri(self.uri.clone());
        for (name, value) in &self.fields {
            request = request.header(name, value);
        }
        let request = request.body(body.unwrap_or_default().open(gate)?);
        request.map_err(|_| FailureKind::NotSupported("this method or header"))
    }

    /// Returns the headers, in their order.
    fn sent_fields(&self) -> Result<Vec<RequestField>, FailureKind> {
        self.fields.iter().map(|(name, value)| sent_field(name.as_str(), value.as_bytes())).collect()
    }

    /// Writes the head as HTTP/1.1 has it, without secrets.
    pub(super) fn shown(&self) -> String {
        let version = if self.is_http2 { "HTTP/2" } else { "HTTP/1.1" };
        let target = locator_audit::redacted(&self.shown_target);
        let mut text = format!("{} {target} {version}\n", self.method);
        if self.is_http2
            && let Some(authority) = self.uri.authority()
        {
            text.push_str(&format!("host: {authority}\n"));
        }
        for (name, value) in &self.fields {
            let value = String::from_utf8_lossy(value.as_bytes());
            let value = if is_header(name.as_str()) { "(password)" } else { &*redact::sentence(&value) };
            text.push_str(&format!("{name}: {value}\n"));
        }
        text
    }
}

/// Adds the cookies of the jar to the headers; those that the user has given follow them, in one header, as
/// "the user agent MUST NOT attach more than one Cookie header field" (RFC 6265bis, 5.8).
fn with_cookies(
    mut own: Vec<(HeaderName, HeaderValue)>,
    request: &PreparedRequest,
    http: &Http,
) -> Result<Vec<(HeaderName, HeaderValue)>, FailureKind> {
    let path = request.path();
    let jar = http.cookies.as_ref().filter(|_| http.left_out.iter().all(|name| name != "cookie"));
    let place = CookieTarget::new(&request.origin, &path);
    let Some(cookies) = jar.zip(place).and_then(|(jar, place)| jar.header(&place)) else { return Ok(own) };
    let given = own.iter().filter(|(name, _)| name == "cookie").map(|(_, value)| value.as_bytes());
    let all: Vec<_> = [&*cookies].into_iter().chain(given).collect();
    let all = named("cookie", &all.join(&b"; "[..]))?;
    own.retain(|(name, _)| name != "cookie");
    own.push(all);
    Ok(own)
}

/// Returns the headers that say how long the body is, and whether it is wanted. hyper adds none to them, so
/// these are all that is sent.
fn of_body(request: &PreparedRequest, connection: &LinkProtocol, http: &Http) -> Vec<(&'static str, String)> {
    let Some(length) = request.body.as_ref().map_or(Some(0), RequestBody::content_length) else {
        // "A client MUST NOT send a request containing Transfer-Encoding unless it knows the server will handle
        // HTTP/1.1 requests" (RFC 9112, 6.1), which cannot be known before the first one.
        let coding = (!connection.is_http2).then(|| ("transfer-encoding", "chunked".to_owned()));
        return coding.into_iter().chain(expectation(connection, http)).collect();
    };
    // "A user agent normally sends Content-Length in a POST request even when the value is 0" (RFC 9110, 8.6).
    if length == 0 && !matches!(&*request.method, "POST" | "PUT" | "PATCH") {
        return Vec::new();
    }
    let expectation = expectation(connection, http).filter(|_| length > EXPECT);
    [("content-length", length.to_string())].into_iter().chain(expectation).collect()
}

/// "A client that will wait for a 100 (Continue) response before sending the request content MUST send an
/// Expect header field containing a 100-continue expectation" (RFC 9110, 10.1.1). HTTP/2 has flow control.
fn expectation(connection: &LinkProtocol, http: &Http) -> Option<(&'static str, String)> {
    let is_wanted =
        connection.may_expect && !connection.is_http2 && http.left_out.iter().all(|name| name != "expect");
    is_wanted.then(|| ("expect", "100-continue".to_owned()))
}

/// Returns a header for a plan. A value with a secret, or with a URL that has one, is not shown.
fn sent_field(name: &str, value: &[u8]) -> Result<RequestField, FailureKind> {
    let text = String::from_utf8_lossy(value);
    let field = match is_header(name) || redact::sentence(&text) != text {
        true => RequestField::secret(name.to_owned(), Secret::new(value)),
        false => RequestField::new(name.to_owned(), value),
    };
    field.map_err(|_| UNSENDABLE)
}

const UNSENDABLE: FailureKind = FailureKind::NotSupported("a control character in a header");

fn shown_piece(piece: &MessagePiece) -> String {
    match piece {
        MessagePiece::Bytes(octets) => octets.escape_ascii().to_string(),
        _ => "(password)".into(),
    }
}

fn named(name: &str, value: &[u8]) -> Result<(HeaderName, HeaderValue), FailureKind> {
    let name = HeaderName::from_bytes(name.as_bytes());
    match (name, HeaderValue::from_bytes(value)) {
        (Ok(name), Ok(value)) => Ok((name, value)),
        _ => Err(UNSENDABLE),
    }
}

/// Returns the target for hyper, which writes it as it is. An `http` URL for a proxy that has no path gets
/// "/", which is the same one (RFC 9110, 4.2.3).
fn uri(
    target: &[u8],
    is_secured: bool,
    is_http2: bool,
    fields: &[(HeaderName, HeaderValue)],
) -> Result<Uri, FailureKind> {
    if target.len() > TARGET {
        return Err(FailureKind::TargetTooLong(TARGET));
    }
    const OTHER: FailureKind = FailureKind::NotSupported("a character in the path or query of the URL");
    if !target.starts_with(b"/") {
        let uri = Uri::try_from(target).map_err(|_| OTHER)?;
        let written = uri.to_string().into_bytes();
        let is_same = written.eq_ignore_ascii_case(target)
            || written.strip_suffix(b"/").is_some_and(|written| written.eq_ignore_ascii_case(target));
        return if is_same { Ok(uri) } else { Err(OTHER) };
    }
    let path = PathAndQuery::try_from(target).map_err(|_| OTHER)?;
    if path.as_str().as_bytes() != target {
        return Err(OTHER);
    }
    if !is_http2 {
        return Ok(Uri::from(path));
    }
    let host = fields.iter().find(|(name, _)| name == "host").map(|(_, value)| value.as_bytes());
    let scheme = if is_secured { "https" } else { "http" };
    let uri = Uri::builder().scheme(scheme).authority(host.unwrap_or_default()).path_and_query(path);
    uri.build().map_err(|_| FailureKind::NotSupported("this host name"))
}
