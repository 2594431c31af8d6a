//! Errors of transfers ([`TransferError`]), with the advice that the options give.

use std::io;

use locator::UriRef;
use locator_fetch::FetchError;
use locator_fetch::run::{FailureKind, ProtocolCause, TlsCause, UnsentLogin};

use crate::arguments::policy;
use crate::report::failure::{Failure, with_advice};

/// The error of a transfer.
pub(super) enum TransferError {
    /// The URL has no plan, or it was not fetched.
    Failed(Failed),
    /// A listing was written, and some of its entries have no URL in the edition.
    Incomplete(Failure),
    /// The results of a search were written, and the server sent a message beside them.
    Beside(Failure),
    /// Standard output cannot be written to.
    Writing(io::Error),
}

/// Why a URL was not fetched.
pub(super) struct Failed {
    pub(super) why: Failure,
    /// The error of the fetch.
    pub(super) error: Option<Box<FetchError>>,
    /// Whether the server refused the request.
    pub(super) is_said: bool,
}

impl From<Failure> for TransferError {
    fn from(why: Failure) -> Self {
        Self::Failed(Failed { why, error: None, is_said: false })
    }
}

impl From<FetchError> for TransferError {
    fn from(error: FetchError) -> Self {
        let is_said = error.failure().is_some_and(|failure| failure.kind.is_said());
        let (why, has_failure) = (failure(&error), error.failure().is_some());
        let error = Some(error).filter(|_| has_failure).map(Box::new);
        Self::Failed(Failed { why, error, is_said })
    }
}

/// Returns why a URL was not fetched, with advice.
pub(super) fn failure(error: &FetchError) -> Failure {
    let Some(failure) = error.failure() else {
        return Failure::other("invalid", format!("{error:#}"));
    };
    let advice = match &failure.kind {
        FailureKind::Forbidden(why) => why.refusal().and_then(policy::advice),
        FailureKind::NotSecured(why) if why.cause == TlsCause::NotTls => with_scheme(error, "https", "http"),
        FailureKind::Protocol(why) if why.cause == ProtocolCause::Tls => with_scheme(error, "http", "https"),
        FailureKind::CutOff if is_port_of_tls(error) => with_scheme(error, "http", "https"),
        FailureKind::Said(_) if wants_tls(error) => Some("use --ssl-reqd to encrypt it".into()),
        FailureKind::RedirectsMethod { .. } => Some("use --redirect-body to repeat it there".into()),
        FailureKind::RedirectsBody { .. } => Some("use --redirect-body to send the data there".into()),
        _ if failure.withheld.is_some() => Some(TRUST.into()),
        _ if failure.unsent_login() == Some(&UnsentLogin::NotAsked) => Some(AT_ONCE.into()),
        _ => None,
    };
    Failure::other(failure.kind.name(), with_advice(failure, advice.as_deref()))
}

/// Returns the URL of an error with the other one of two schemes, if that may have been meant.
fn with_scheme(error: &FetchError, wrong: &str, right: &str) -> Option<String> {
    let (failure, url) = (error.failure()?, error.unredacted_url()?);
    // A proxy is not what the URL names.
    let is_of_proxy = failure.during.contains("proxy")
        || failure.during.starts_with("setting up TLS with ")
            && !url.host().is_some_and(|host| failure.during.ends_with(host.as_str()));
    let url = url.redacted().to_string();
    let (scheme, rest) = url.split_once(':')?;
    (scheme.eq_ignore_ascii_case(wrong) && !is_of_proxy).then(|| format!("did you mean {right}:{rest}?"))
}

/// Returns whether the port of an error's URL is like that of https. Some servers of TLS end the connection when
/// they are sent HTTP.
fn is_port_of_tls(error: &FetchError) -> bool {
    let port = error.unredacted_url().and_then(UriRef::port);
    port.is_some_and(|port| port.as_str().ends_with("443"))
}

/// The option that sends everything to another origin.
pub(super) const TRUST: &str = "use --location-trusted to send everything to redirected hosts";

/// The option that sends a login before the server asks for it.
pub(super) const AT_ONCE: &str = "--auth-no-challenge sends it at once";

/// Returns whether an FTP server requires an encrypted connection, which only its message says: `530
/// Non-anonymous sessions must use encryption`, `550 SSL/TLS required on the control channel`, `421
/// Sorry, cleartext sessions are not accepted`.
fn wants_tls(error: &FetchError) -> bool {
    let scheme = error.unredacted_url().and_then(UriRef::scheme);
    let is_ftp = scheme.is_some_and(|scheme| scheme.as_str().eq_ignore_ascii_case("ftp"));
    let reply = error.failure().and_then(|failure| failure.reply.as_ref()).filter(|_| is_ftp);
    let text = reply.map(|reply| String::from_utf8_lossy(&reply.text).to_ascii_lowercase());
    let words = ["encrypt", "tls", "ssl", "cleartext", "prot p", "prot command"];
    reply.is_some_and(|reply| matches!(reply.code, Some(421 | 500..)))
        && text.is_some_and(|text| words.iter().any(|word| text.contains(word)))
}

impl From<io::Error> for TransferError {
    fn from(error: io::Error) -> Self {
        Self::Writing(error)
    }
}
