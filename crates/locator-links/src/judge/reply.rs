//! One answer, or the lack of one, as the judge sees it: without sockets and clocks.

use std::time::Duration;

use locator::BaseStack;
use locator_audit::{Refusal, RefusalReason};
use locator_fetch::run::{ConnectCause, FailureKind, NameCause, PlanCause, TlsCause};
use locator_find::Format;

use crate::anchors::Anchors;
use crate::outcome::Code;

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
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// What the server said, or why it did not.
    pub said: Said,
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

/// A page that was fetched as a document.
#[derive(Clone, Debug)]
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
        match &self.said {
            Said::Response(Response { status: 300..=399, location, .. }) => location.as_deref(),
            _ => None,
        }
    }
}

/// What a server said.
#[derive(Clone, Debug, Default)]
pub enum Said {
    /// A response of HTTP.
    Response(Response),
    /// What another protocol has for "here it is".
    #[default]
    Found,
    /// No usable answer.
    Failed(Trouble),
}

/// A response of HTTP.
#[derive(Clone, Debug, Default)]
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

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The reason.
    pub code: Code,
    /// What the system said.
    pub text: String,
}

impl Trouble {
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
