//! One answer of a server, or the lack of one ([`Reply`]), without sockets and clocks; and what follows from it
//! ([`judge()`]): is the page there, is something else to be asked first, or is nothing known?
//!
//! "404 (Not Found)" and "410 (Gone)" of GET are the only statuses that say that a page is dead (RFC 9110,
//! 15.5.5 and 15.5.11). HEAD is asked first, but servers exist that answer it wrongly. "429 (Too Many Requests)" and
//! "503 (Service Unavailable)" say that the server is to be asked later (RFC 6585, 4; RFC 9110, 15.6.4).
//!
//! ```
//! use locator_links::Code;
//! use locator_links::judge::{Method, NextStep, Reply, ReplyKind, Response, judge};
//!
//! let reply = |status| {
//!     let response = Response { status, ..Response::default() };
//!     Reply { kind: ReplyKind::Response(response), ..Reply::default() }
//! };
//! assert_eq!(judge(Method::Get, &reply(404)), NextStep::Final(Code::NotFound));
//! // HEAD may be answered wrongly.
//! assert!(matches!(judge(Method::Head, &reply(404)), NextStep::Ask(_)));
//! ```

use std::fmt;
use std::time::Duration;

use locator::{BaseStack, UriRef};
use locator_audit::{Refusal, RefusalReason};
use locator_fetch::run::{ConnectCause, FailureKind, NameCause, PlanCause, TlsCause};
use locator_find::Format;

use crate::anchors::Anchors;
use crate::outcome::Code;
use crate::redacted::{Redacted, debug_redacted};
use crate::reference::words;

/// The request of HTTP that asks whether a page is there. Other protocols have one kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// HEAD.
    Head,
    /// GET.
    Get,
    /// GET by HTTP/1.1, for servers that refuse programs by HTTP/2.
    GetHttp1,
}

/// What came of a request.
#[derive(Clone, Default)]
pub struct Reply {
    /// What the server said, or why it did not.
    pub kind: ReplyKind,
    /// Whether the server has a public address, as far as it is known.
    pub is_public: bool,
    /// How long the server asks to wait before the next request.
    pub waits: Option<Duration>,
    /// The anchors of the page, if it was read.
    pub anchors: Option<Anchors>,
    /// Whether the page ended early, so that its anchors are not known.
    pub is_cut: bool,
    /// Where the page leads by itself, by the header `Refresh` or `<meta http-equiv=refresh>`, within ten seconds.
    pub refresh: Option<String>,
    /// Whether HEAD has found a page that is so short that it may only refresh to another one.
    pub may_refresh: bool,
    /// The page, if its links are wanted and it is of a format that has some.
    pub page: Option<PageBody>,
    /// When the answer came, in seconds of Unix time.
    pub seen: Option<u64>,
}

debug_redacted!(Reply { kind, is_public, waits, anchors, is_cut, may_refresh, page, seen; refresh });

/// A page that was fetched as a document.
#[derive(Clone)]
pub struct FetchedPage {
    /// The URL that it was retrieved by.
    pub url: String,
    /// The candidates for the base of its links: its URL, and the headers of its response within it.
    pub bases: BaseStack,
    /// Its format.
    pub format: Format,
    /// Its octets.
    pub octets: Vec<u8>,
}

debug_redacted!(FetchedPage { format; url, octets });

/// The body of a page.
#[derive(Clone, Debug)]
pub enum PageBody {
    /// All of it.
    Whole(FetchedPage),
    /// It is too large to be read, or compressed although that was not asked for.
    Unreadable,
}

impl Reply {
    /// Returns the absolute URL that a redirect leads to.
    pub(crate) fn redirect(&self) -> Option<&str> {
        match &self.kind {
            ReplyKind::Response(Response { status: 300..=399, location, .. }) => location.as_deref(),
            _ => None,
        }
    }
}

/// What a server said.
#[derive(Clone, Debug, Default)]
pub enum ReplyKind {
    /// A response of HTTP.
    Response(Response),
    /// What another protocol has for "here it is".
    #[default]
    Found,
    /// No usable answer.
    Failed(RequestFailure),
}

/// A response of HTTP.
#[derive(Clone, Default)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The words after it.
    pub reason: String,
    /// The absolute URL that it redirects to.
    pub location: Option<String>,
    /// Whether it came by HTTP/2.
    pub is_http2: bool,
    /// Whether it asks for a proof that a person visits the page: `cf-mitigated`.
    pub is_challenge: bool,
    /// Whether it sets a cookie.
    pub sets_cookie: bool,
}

debug_redacted!(Response { status, is_http2, is_challenge, sets_cookie; reason, location });

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq)]
pub struct RequestFailure {
    /// The reason.
    pub code: Code,
    /// What the system said.
    pub text: String,
}

debug_redacted!(RequestFailure { code; text });

impl RequestFailure {
    /// Returns the trouble of a failure.
    #[must_use]
    pub fn of(kind: &FailureKind) -> Self {
        Self { code: code_of(kind), text: kind.to_string() }
    }
}

fn code_of(kind: &FailureKind) -> Code {
    match kind {
        FailureKind::NameNotFound(why) => match why.cause {
            NameCause::NoSuchName => Code::NoSuchName,
            NameCause::NoNetwork => Code::NoNetwork,
            _ => Code::NameFailed,
        },
        FailureKind::NotConnected(why) => match why.cause {
            ConnectCause::Refused => Code::ConnectionRefused,
            ConnectCause::TimedOut => Code::TimedOut,
            ConnectCause::Reset => Code::Reset,
            _ => Code::Unreachable,
        },
        FailureKind::NotSecured(why) => match why.cause {
            TlsCause::Expired => Code::CertificateExpired,
            TlsCause::OtherName => Code::CertificateForOther,
            TlsCause::SelfSigned => Code::CertificateSelfSigned,
            TlsCause::UnknownIssuer => Code::CertificateUnknown,
            _ => Code::Tls,
        },
        FailureKind::Forbidden(why) => why.refusal().map_or(Code::Policy, code_of_refusal),
        FailureKind::CutOff
        | FailureKind::EmptyReply
        | FailureKind::WrongLength { .. }
        | FailureKind::Reset => Code::Reset,
        FailureKind::TimedOut(_) | FailureKind::TookTooLong(_) | FailureKind::TooSlow(_) => Code::TimedOut,
        FailureKind::Redirect(_) => Code::BadRedirect,
        FailureKind::Proxy(_) => Code::Proxy,
        FailureKind::Said(_) | FailureKind::Answer | FailureKind::NoAnswer(_) => Code::ServerRefused,
        // A port that programs do not connect to.
        FailureKind::NoPlan(why) if why.cause != PlanCause::Server => Code::Policy,
        FailureKind::NoPlan(_) | FailureKind::NotSupported(_) | FailureKind::NoMethod(_) => Code::NoServer,
        _ => Code::Protocol,
    }
}

/// Returns the code of a policy's refusal.
pub(crate) fn code_of_refusal(refusal: &Refusal) -> Code {
    match refusal.reason() {
        RefusalReason::Address { .. } | RefusalReason::Host | RefusalReason::Narrower { .. } => Code::Private,
        RefusalReason::NoAddress => Code::NameFailed,
        RefusalReason::Proxy => Code::Proxy,
        RefusalReason::Onion => Code::ReservedName,
        _ => Code::Policy,
    }
}

/// What follows from an answer.
#[derive(Clone, PartialEq, Eq)]
pub enum NextStep {
    /// The page is judged.
    Final(Code),
    /// The URL leads to another one.
    Redirect(String),
    /// Ask for the same URL once more, in this way.
    Ask(Method),
    /// The page is judged so unless a later try has another result.
    Later(Code),
    /// The server asks to wait.
    Wait(Code),
}

impl fmt::Debug for NextStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Final(code) => f.debug_tuple("Final").field(code).finish(),
            Self::Redirect(url) => f.debug_tuple("Redirect").field(&Redacted(url)).finish(),
            Self::Ask(method) => f.debug_tuple("Ask").field(method).finish(),
            Self::Later(code) => f.debug_tuple("Later").field(code).finish(),
            Self::Wait(code) => f.debug_tuple("Wait").field(code).finish(),
        }
    }
}

/// Judges the answer to a request with this method.
#[must_use]
pub fn judge(method: Method, reply: &Reply) -> NextStep {
    match &reply.kind {
        ReplyKind::Found => NextStep::Final(Code::Ok),
        ReplyKind::Response(response) => of_response(method, response, reply.waits.is_some()),
        ReplyKind::Failed(failure) => match failure.code {
            // A server may close the connection at a method that it does not know.
            Code::Reset | Code::Protocol if method == Method::Head => NextStep::Ask(Method::Get),
            code if may_pass(code) => NextStep::Later(code),
            code => NextStep::Final(code),
        },
    }
}

fn of_response(method: Method, response: &Response, asks_to_wait: bool) -> NextStep {
    let Response { status, is_http2, is_challenge, .. } = *response;
    let is_redirect = matches!(status, 300..=303 | 307 | 308);
    match (&response.location, status) {
        (_, 200..=299) => NextStep::Final(Code::Ok),
        (Some(to), _) if is_redirect => NextStep::Redirect(to.clone()),
        (_, 429) => NextStep::Wait(Code::TooManyRequests),
        (_, 503) if asks_to_wait && !is_challenge => NextStep::Wait(Code::Busy),
        _ if method == Method::Head => NextStep::Ask(Method::Get),
        _ if is_challenge => NextStep::Final(Code::Challenge),
        (None, _) if is_redirect && status != 300 => NextStep::Final(Code::BadRedirect),
        (_, 403) if method == Method::Get && is_http2 => NextStep::Ask(Method::GetHttp1),
        (_, 404) => NextStep::Final(Code::NotFound),
        (_, 410) => NextStep::Final(Code::Gone),
        (_, 401) => NextStep::Final(Code::Login),
        (_, 403) => NextStep::Final(Code::Forbidden),
        (_, 407) => NextStep::Final(Code::Proxy),
        (_, 503) => NextStep::Wait(Code::Busy),
        (_, 500..=599) => NextStep::Later(Code::ServerError),
        _ => NextStep::Final(Code::Status),
    }
}

/// Returns whether a failure may be over when the other pages are checked.
const fn may_pass(code: Code) -> bool {
    matches!(
        code,
        Code::TimedOut
            | Code::Reset
            | Code::NoSuchName
            | Code::NameFailed
            | Code::ConnectionRefused
            | Code::Unreachable
            | Code::NoNetwork
    )
}

/// Returns whether a failure is that of the host, whichever page is asked for.
#[must_use]
pub const fn is_of_host(code: Code) -> bool {
    matches!(
        code,
        Code::TimedOut
            | Code::NoSuchName
            | Code::NameFailed
            | Code::ConnectionRefused
            | Code::Unreachable
            | Code::NoNetwork
            | Code::CertificateExpired
            | Code::CertificateForOther
            | Code::CertificateSelfSigned
            | Code::CertificateUnknown
            | Code::Tls
    )
}

/// Returns whether a URL that a redirect leads to is that of a login.
#[must_use]
pub fn is_login(url: &str) -> bool {
    const WORDS: [&str; 9] =
        ["login", "log-in", "signin", "sign-in", "sign_in", "sso", "oauth", "authorize", "authenticate"];
    let is_word = |word: &str| WORDS.iter().any(|own| word.eq_ignore_ascii_case(own));
    UriRef::parse(url).is_ok_and(|url| words(url).any(is_word))
}
