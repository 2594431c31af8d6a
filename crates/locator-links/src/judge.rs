//! Judges one answer: is the page there, is something else to be asked first, or is nothing known?
//!
//! "404 (Not Found)" and "410 (Gone)" of GET are the only statuses that say that a page is dead (RFC 9110,
//! 15.5.5 and 15.5.11). HEAD is asked first, but servers exist that answer it wrongly. "429 (Too Many Requests)" and
//! "503 (Service Unavailable)" say that the server is to be asked later (RFC 6585, 4; RFC 9110, 15.6.4).

pub mod reply;

use self::reply::{Method, Reply, Response, Said};
use crate::outcome::Code;

/// What follows from an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
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

/// Judges the answer to a request with this method.
#[must_use]
pub fn judge(method: Method, reply: &Reply) -> Next {
    match &reply.said {
        Said::Found => Next::Final(Code::Ok),
        Said::Response(response) => of_response(method, response, reply.waits.is_some()),
        Said::Failed(trouble) => match trouble.code {
            // A server may close the connection at a method that it does not know.
            Code::Reset | Code::Protocol if method == Method::Head => Next::Ask(Method::Get),
            code if may_pass(code) => Next::Later(code),
            code => Next::Final(code),
        },
    }
}

fn of_response(method: Method, response: &Response, asks_to_wait: bool) -> Next {
    let Response { status, is_http2, is_challenge, .. } = *response;
    let is_redirect = matches!(status, 300..=303 | 307 | 308);
    match (&response.location, status) {
        (_, 200..=299) => Next::Final(Code::Ok),
        (Some(to), _) if is_redirect => Next::Redirect(to.clone()),
        (_, 429) => Next::Wait(Code::TooManyRequests),
        (_, 503) if asks_to_wait && !is_challenge => Next::Wait(Code::Busy),
        _ if method == Method::Head => Next::Ask(Method::Get),
        _ if is_challenge => Next::Final(Code::Challenge),
        (None, _) if is_redirect && status != 300 => Next::Final(Code::BadRedirect),
        (_, 403) if method == Method::Get && is_http2 => Next::Ask(Method::GetHttp1),
        (_, 404) => Next::Final(Code::NotFound),
        (_, 410) => Next::Final(Code::Gone),
        (_, 401) => Next::Final(Code::Login),
        (_, 403) => Next::Final(Code::Forbidden),
        (_, 407) => Next::Final(Code::Proxy),
        (_, 503) => Next::Wait(Code::Busy),
        (_, 500..=599) => Next::Later(Code::ServerError),
        _ => Next::Final(Code::Status),
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
    let path =
        url.split_once("://").map_or(url, |(_, rest)| rest).split(['?', '#']).next().unwrap_or_default();
    let mut segments = path.split(['/', '.']);
    segments.any(|segment| WORDS.iter().any(|word| segment.eq_ignore_ascii_case(word)))
}
