//! The plans of http URLs and of proxies: takes a URL, returns the request that fetches it, or that
//! asks a proxy for it. Follows RFC 9110, RFC 9112, RFC 6455, section 4, and the draft of 1994.

use alloc::vec;
use alloc::vec::Vec;

use super::{HTTP, HTTPS, Http, HttpUrl, WS, WSS};
use crate::component::SpannedStr;
use crate::form::ValueError;
use crate::plan::{
    Connection, Credentials, Exchange, Framing, Fresh, HttpOrigin, Line, Meaning, Note, Object, ObjectKind,
    On, Options, Plan, PlanError, Protocol, ReplyFraming, Request, Secret, Server, Step, Transport,
};
use crate::reference::UriRef;
use crate::scheme::parts::FieldValue;
use crate::scheme::syntax::login::{configured, in_ascii};
use crate::scheme::{Planner, Scheme};
use crate::simd::AsciiSet;

impl HttpUrl<'_> {
    /// Returns the origin of this URL (RFC 6454, 4), with the port of its scheme if it has none. A name
    /// with a dot at its end is the same host without it.
    ///
    /// ```
    /// use locator::plan::HttpOrigin;
    /// use locator::scheme::HttpUrl;
    ///
    /// let url = HttpUrl::of(locator::uri_ref!("HTTP://www.Example.com/a")).unwrap();
    /// assert_eq!(url.origin(), Ok(HttpOrigin::new("http", "www.example.com", 80)));
    /// ```
    ///
    /// # Errors
    ///
    /// The host is not one that can be looked up, or the port is above 65535.
    pub fn origin(&self) -> Result<HttpOrigin, PlanError> {
        let name = self.url.scheme().map(|scheme| scheme.as_str()).unwrap_or_default();
        let scheme = [&HTTP, &HTTPS, &WS, &WSS].into_iter().find(|scheme| scheme.is_named(name));
        let scheme = scheme.unwrap_or(&HTTP);
        let host = self.login.host_name()?;
        let host = host.strip_suffix('.').unwrap_or(&host);
        Ok(HttpOrigin::new(scheme.names[0], host, self.port(scheme)?))
    }

    /// Connects to the server, or through a proxy that does not see the content: "If a proxy is
    /// configured, the client should connect to it and ask it to open a TCP connection to the host
    /// and port" (RFC 6455, 4.1; RFC 9110, 9.3.6). A proxy that receives the whole URL has another
    /// plan.
    pub(super) fn plan(&self, scheme: &Http, options: &Options<'_>) -> Result<Plan, PlanError> {
        let transport = if scheme.is_secured { Transport::Tls } else { Transport::Tcp };
        let to = self.login.connection(scheme.port, transport, &PROTOCOL)?;
        let mut session = Vec::with_capacity(1);
        match options.proxy.filter(|_| !scheme.has_proxies()) {
            None => session.push(Step::Connect(to)),
            Some(proxy) => {
                session.extend(self.tunnel(proxy, scheme.port)?);
                session.extend(scheme.is_secured.then_some(Step::Secure { host: to.host }));
            }
        }
        let plan = Plan::with_session(session);
        if scheme.is_conversation {
            return Ok(plan.then(opening(self, options)?).then(Object::new(
                ObjectKind::Session,
                "messages",
                Framing::Connection,
            )));
        }
        let request = request(self.target(Line::new(&PROTOCOL, ""), options)?, self.host()?);
        Ok(plan.then(request.login(self.sent_login(self.origin()?))))
    }

    fn tunnel(&self, proxy: Server<'_>, default: u16) -> Result<[Step; 2], PlanError> {
        let to = self.login.connection(default, Transport::Tcp, &PROTOCOL)?;
        let name = |line: Line| host_word(line, self.login.host);
        let port = alloc::format!(":{}", to.port);
        let line = name(Line::new(&PROTOCOL, "CONNECT "))?.option("port", &port)?.word(" HTTP/1.1");
        let host = name(Line::new(&PROTOCOL, "Host: "))?.option("port", &port)?;
        let message = line.end().line(host).line(Line::new(&PROTOCOL, ""));
        let connect = Exchange::new(message).next(On::Class(2), Meaning::Done);
        Ok([Step::Connect(connection(proxy)?), connect.into()])
    }

    /// "A recipient SHOULD parse for userinfo and treat its presence as an error" (RFC 9110, 4.2.4)
    /// where the source is not trusted. The user information is sent only if the server requests it.
    fn sent_login(&self, origin: HttpOrigin) -> Option<Credentials> {
        let secret = |excerpt: SpannedStr<'_>| Secret::new(excerpt.decode().into_owned());
        Some(Credentials::new(secret(self.login.user?), self.login.password.map(secret), origin))
    }

    fn port(&self, scheme: &Http) -> Result<u16, PlanError> {
        Ok(self.login.port_number()?.unwrap_or(scheme.port))
    }

    /// The value of the field Host.
    fn host(&self) -> Result<Line, PlanError> {
        host_value(Line::new(&PROTOCOL, ""), self.login.host, self.login.port)
    }

    /// The request target: "the absolute path and query components of the target URI. If the target
    /// URI's path component is empty, the client MUST send "/"" (RFC 9112, 3.2.1).
    fn target(&self, line: Line, options: &Options<'_>) -> Result<Line, PlanError> {
        let line = match self.path.is_empty() {
            true => line.word("/"),
            false => line.escaped_with_secrets("the path", self.path, options.secrets)?,
        };
        match self.query {
            None => Ok(line),
            Some(query) => line.word("?").escaped_with_secrets("the query", query, options.secrets),
        }
    }
}

/// "A user agent MUST generate a Host header field": host and port as in the URL (RFC 9112, 3.2).
fn host_value(line: Line, host: SpannedStr<'_>, port: Option<SpannedStr<'_>>) -> Result<Line, PlanError> {
    let line = host_word(line, host)?;
    match port.filter(|port| !port.is_empty()) {
        None => Ok(line),
        Some(port) => line.word(":").excerpt("the port", port),
    }
}

/// Writes a host as other machines know it: "An HTTP client, proxy, or other intermediary MUST
/// remove any ZoneID attached to an outgoing URI, as it has only local significance at the sending
/// host" (RFC 6874, 4).
fn host_word(line: Line, host: SpannedStr<'_>) -> Result<Line, PlanError> {
    match host.split_once("%").filter(|_| host.as_str().starts_with('[')) {
        None => match in_ascii(host)? {
            Some(name) => line.option("the host", &name),
            None => line.excerpt("the host", host),
        },
        Some((address, _)) => Ok(line.excerpt("the host", address)?.word("]")),
    }
}

/// Returns the request whose target and field Host are given.
fn request(target: Line, host: Line) -> Request {
    let object = Object::new(ObjectKind::Unknown, "the response body", Framing::Http);
    Request::new(target, object).line("Host", host)
}

/// The opening handshake of RFC 6455, section 4.1.
fn opening(url: &HttpUrl<'_>, options: &Options<'_>) -> Result<Exchange, PlanError> {
    let line = url.target(Line::new(&PROTOCOL, "GET "), options)?.word(" HTTP/1.1");
    let key = Line::new(&PROTOCOL, "Sec-WebSocket-Key: ").fresh(Fresh::Nonce);
    let message = line
        .end()
        .line(host_value(Line::new(&PROTOCOL, "Host: "), url.login.host, url.login.port)?)
        .line(Line::new(&PROTOCOL, "Upgrade: websocket"));
    let message = message.line(Line::new(&PROTOCOL, "Connection: Upgrade")).line(key);
    let message =
        message.line(Line::new(&PROTOCOL, "Sec-WebSocket-Version: 13")).line(Line::new(&PROTOCOL, ""));
    Ok(Exchange::new(message).next(On::Code(101), Meaning::Follows))
}

/// "When an http server is being used as a gateway (or "proxy") then the entire URI, whether HTTP
/// or some other scheme, is passed on the HTTP command line" (draft of 1994; RFC 9112, 3.2.2). The
/// fragment is never sent, and "a sender MUST NOT generate the userinfo subcomponent" in an http
/// URL (RFC 9110, 4.2.4).
pub(in crate::scheme) fn plan_by_proxy(
    reference: UriRef<'_>,
    scheme: &dyn Planner,
    proxy: Server<'_>,
    options: &Options<'_>,
) -> Result<Plan, PlanError> {
    let fields = scheme.fields(reference)?;
    let one = |name| {
        fields.iter().find(|field| field.name == name).and_then(|field| match field.value {
            FieldValue::One(excerpt) => Some(excerpt),
            _ => None,
        })
    };
    let is_http = scheme.is_named(HTTP.names[0]);
    let span = reference.scheme_specific().place();
    let host = one("host").ok_or(ValueError::NoHost { span })?;
    let (start, end) = (usize::from(reference.spans().start), span.end as usize);
    let line = Line::new(&PROTOCOL, "");
    let (host_start, host_end) = (host.span().start, host.span().end);
    let before = match one("user").filter(|_| is_http) {
        None => start..host_start,
        Some(_) => start..span.start as usize + 2,
    };
    let line = match one("password").filter(|password| !is_http && !password.is_empty()) {
        None => before_host(line, reference.excerpt_of(before))?,
        Some(password) => {
            let user = before_host(line, reference.excerpt_of(before.start..password.span().start))?;
            let line = user.escaped_secret("the URL", password)?;
            before_host(line, reference.excerpt_of(password.span().end..before.end))?
        }
    };
    let line = host_word(line, host)?;
    let rest = reference.excerpt_of(host_end..end);
    let line = line.escaped_with_secrets("the URL", rest, options.secrets)?;
    let request = request(line, host_value(Line::new(&PROTOCOL, ""), host, one("port"))?);
    let request = match HttpUrl::read(reference, &HTTP) {
        Ok(url) => {
            let origin = url.origin()?;
            request.login(url.sent_login(origin))
        }
        Err(_) => request,
    };
    let has_password = one("password").is_some_and(|password| !password.is_empty());
    let plan = Plan::with_session(vec![Step::Connect(connection(proxy)?)]);
    let text = if is_http { IN_THE_CLEAR_IF_ASKED } else { IN_THE_CLEAR };
    Ok(if has_password { plan.note(Note::new("password-in-the-clear", text)) } else { plan }.then(request))
}

/// Writes the text before the host of a URL. RFC 1738 allows "?" in a user, and a proxy ends the
/// authority there (RFC 3986, 3.2): it would connect to another host. In RFC 1738 its escaped form
/// is equivalent, because it is not reserved in a user (3.1).
fn before_host(mut line: Line, excerpt: SpannedStr<'_>) -> Result<Line, PlanError> {
    let mut rest = excerpt;
    while let Some((before, after)) = rest.split_once("?") {
        line = line.escaped("the URL", before)?.word("%3F");
        rest = after;
    }
    line.escaped("the URL", rest)
}

/// The request is not encrypted, whatever the scheme's own protocol is.
const IN_THE_CLEAR: &str = "the password of the URL is sent to the proxy in the clear";

/// A server of HTTP asks for the login; the proxy passes it on.
const IN_THE_CLEAR_IF_ASKED: &str =
    "the password of the URL is sent to the proxy in the clear if the server asks for it";

fn connection(proxy: Server<'_>) -> Result<Connection, PlanError> {
    let host = configured("proxy", proxy)?;
    Ok(Connection::new(host, proxy.port.unwrap_or(80), Transport::Tcp, &PROTOCOL))
}

/// The meanings are those of RFC 9110, 15.
static PROTOCOL: Protocol = Protocol {
    name: "HTTP",
    delimiters: AsciiSet::of(b" \t"),
    line_end: b"\r\n",
    citation: "RFC 9112, 3",
    replies: ReplyFraming::Head,
    meanings: &[
        (On::Class(1), Meaning::Wait),
        (On::Class(4), Meaning::Refused),
        (On::Class(5), Meaning::Busy),
        (On::Code(401), Meaning::NeedLogin),
        (On::Code(403), Meaning::Refused),
        (On::Code(404), Meaning::Missing),
        (On::Code(407), Meaning::NeedLogin),
        (On::Code(408), Meaning::Busy),
        (On::Code(410), Meaning::Missing),
        (On::Code(429), Meaning::Busy),
        (On::Code(501), Meaning::NotSupported),
        (On::Code(505), Meaning::NotSupported),
    ],
};
