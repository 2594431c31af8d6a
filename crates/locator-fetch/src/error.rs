//! The errors of a fetch. A [`FetchError`] has the URL, how it was reached ([`Hop`]) and the reason: a
//! [`FetchErrorKind`], by which a program decides, and a [`Failure`] with what the server has sent. No text of an
//! error shows a password or a token.
//!
//! ```
//! use locator_fetch::{FetchErrorKind, blocking};
//!
//! let error = blocking::get("ftp://ftp.example/pub/README").unwrap_err();
//! assert_eq!((error.kind(), error.is_timeout()), (FetchErrorKind::Forbidden, false));
//! assert_eq!(error.url(), "ftp://ftp.example/pub/README");
//! ```

pub(crate) mod failure;

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use locator::plan::Meaning;
use locator::{ParseError, UriRef, UriRefBuf};

use crate::error::failure::{Failure, FailureKind};
use crate::headers::ResponseHead;
use crate::redact;
use crate::time::timings::Timings;

/// A URL that led to another one.
///
/// ```no_run
/// let response = locator_fetch::blocking::Fetcher::for_untrusted_urls()
///     .fetch("http://example.com/")?;
/// for hop in response.hops() {
///     println!(
///         "{} (status {:?})",
///         hop.url,
///         hop.head.as_ref().map(|head| head.status)
///     );
/// }
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub struct Hop {
    /// The URL, in the edition that read it.
    pub url: UriRefBuf,
    /// The address of the server that named the next URL; `None` if no server was asked.
    pub address: Option<SocketAddr>,
    /// The method of the request that was redirected, if it is one of HTTP.
    pub method: Option<Box<str>>,
    /// The head of the response that redirects, if it is one of HTTP.
    pub head: Option<Arc<ResponseHead>>,
}

impl Hop {
    /// Creates a hop from a URL, without a server.
    #[must_use]
    pub const fn new(url: UriRefBuf) -> Self {
        Self { url, address: None, method: None, head: None }
    }
}

/// Writes the status of the response only: its headers may contain secrets.
impl Debug for Hop {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { url, address, method, head } = self;
        let status = head.as_ref().map(|head| head.status);
        let mut hop = f.debug_struct("Hop");
        hop.field("url", &redact::Url(url.as_uri_ref()))
            .field("address", address)
            .field("method", method)
            .field("status", &status)
            .finish()
    }
}

/// What a program may want to treat differently in a [`FetchError`].
///
/// ```
/// use locator_fetch::{FetchErrorKind, blocking::Fetcher};
///
/// let error = Fetcher::for_user_input().fetch("no-scheme").unwrap_err();
/// assert_eq!(error.kind(), FetchErrorKind::NotSupported);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FetchErrorKind {
    /// The text is not a URL; the source is a [`ParseError`].
    InvalidUrl,
    /// The request cannot be sent as it is, because of a method, a header or a file for its body.
    InvalidRequest,
    /// The URL cannot be fetched: it is relative, its scheme is not known, its port is that of another
    /// protocol, as 1 is of tcpmux, or a feature is off.
    NotSupported,
    /// The policy forbids the URL, an address, a port, or what an answer leads to.
    Forbidden,
    /// The server could not be reached: there is no such name, or no connection.
    Connect,
    /// The connection could not be secured, or the certificate is not that of the host.
    Tls,
    /// There is no such file, page or article.
    NotFound,
    /// A user, a password, or another answer is needed, or it is wrong.
    Login,
    /// The server refused the request for another reason.
    Refused,
    /// A redirect is not followed.
    Redirect,
    /// It took too long.
    TimedOut,
    /// The connection ended before the response did.
    CutShort,
    /// A limit was exceeded: of the size, of the redirects, or of what a server may send.
    LimitExceeded,
    /// The server broke the rules of its protocol.
    Protocol,
    /// The body is not what it was read as: text in a known encoding, JSON, or a list.
    InvalidBody,
    /// A file of this machine could not be read or written.
    File,
}

/// Why a URL was not fetched, or not completely. `Debug` and `Display` show no secret of a URL or a response.
///
/// [`kind`](Self::kind) is for decisions, and [`failure`](Self::failure) has the details: the reply of the
/// server, and what the client was doing. The [source](Error::source) is the error of the system, of another
/// library, of the parser or of the policy; `Display` does not repeat it, `{:#}` does.
///
/// ```
/// use std::error::Error;
///
/// use locator::ParseError;
/// use locator_fetch::{FetchErrorKind, blocking::Fetcher};
///
/// let error = Fetcher::for_untrusted_urls().fetch("file:///etc/passwd").unwrap_err();
/// assert_eq!(error.kind(), FetchErrorKind::Forbidden);
///
/// let error =
///     Fetcher::for_untrusted_urls().fetch("http://example.com/a b").unwrap_err();
/// assert_eq!(error.kind(), FetchErrorKind::InvalidUrl);
/// assert_eq!(
///     error.source().unwrap().downcast_ref::<ParseError>().unwrap().offset(),
///     20
/// );
/// ```
#[derive(Clone)]
pub struct FetchError(Box<ErrorDetails>);

#[derive(Clone)]
struct ErrorDetails {
    url: Result<UriRefBuf, String>,
    cause: ErrorCause,
    hops: Vec<Hop>,
    head: Option<Box<ResponseHead>>,
    timings: Timings,
}

#[derive(Clone)]
enum ErrorCause {
    Failure(Failure),
    Other { kind: FetchErrorKind, what: &'static str, source: Option<Arc<dyn Error + Send + Sync>> },
}

impl FetchError {
    pub(crate) fn new(url: UriRefBuf, hops: Vec<Hop>, failure: Failure) -> Self {
        Self(Box::new(ErrorDetails {
            url: Ok(url),
            cause: ErrorCause::Failure(failure),
            hops,
            head: None,
            timings: Timings::default(),
        }))
    }

    /// Returns the error of a text that is not a URL.
    pub(crate) fn of_text(text: String, error: ParseError) -> Self {
        let (kind, what) = (FetchErrorKind::InvalidUrl, "not a valid URL");
        let cause = ErrorCause::Other { kind, what, source: Some(Arc::new(error)) };
        Self(Box::new(ErrorDetails {
            url: Err(text),
            cause,
            hops: Vec::new(),
            head: None,
            timings: Timings::default(),
        }))
    }

    /// Returns an error of another library; `what` was done with the response, or is wrong with the request.
    pub(crate) fn other(
        kind: FetchErrorKind,
        what: &'static str,
        source: Option<Arc<dyn Error + Send + Sync>>,
        (url, hops): (UriRefBuf, Vec<Hop>),
    ) -> Self {
        Self(Box::new(ErrorDetails {
            url: Ok(url),
            cause: ErrorCause::Other { kind, what, source },
            hops,
            head: None,
            timings: Timings::default(),
        }))
    }

    pub(crate) fn with_head(mut self, head: ResponseHead) -> Self {
        self.0.head = Some(head.into());
        self
    }

    pub(crate) fn set_timings(&mut self, timings: Timings) {
        self.0.timings = timings;
    }

    /// Returns how long the steps took that succeeded, such as connecting.
    #[must_use]
    pub fn timings(&self) -> Timings {
        self.0.timings
    }

    /// Shows another URL in place of the one that was requested.
    pub(crate) fn shown_as(&mut self, url: &UriRefBuf) {
        match self.0.hops.first_mut() {
            Some(hop) => hop.url = url.clone(),
            None => self.0.url = Ok(url.clone()),
        }
    }

    /// Returns what a program may want to know of the reason.
    #[must_use]
    pub fn kind(&self) -> FetchErrorKind {
        match &self.0.cause {
            ErrorCause::Other { kind, .. } => *kind,
            ErrorCause::Failure(failure) => kind_of(&failure.kind),
        }
    }

    /// Returns the URL that the error is about, the given one or one that it led to, with its passwords and
    /// tokens hidden.
    #[must_use]
    pub fn url(&self) -> String {
        match &self.0.url {
            Ok(url) => redact::url(url.as_uri_ref()),
            Err(text) => locator_audit::redacted(text).to_string(),
        }
    }

    /// Returns the URL that the error is about, with its secrets; `None` if the text is not a URL.
    #[must_use]
    pub fn unredacted_url(&self) -> Option<UriRef<'_>> {
        self.0.url.as_ref().ok().map(UriRefBuf::as_uri_ref)
    }

    /// Returns the URLs that led to the last one, in order.
    #[must_use]
    pub fn hops(&self) -> &[Hop] {
        &self.0.hops
    }

    /// Returns what went wrong in the dialogue with a server or in its preparation, with the server's reply.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        match &self.0.cause {
            ErrorCause::Failure(failure) => Some(failure),
            ErrorCause::Other { .. } => None,
        }
    }

    /// Returns the status of a response of HTTP that is an error, such as 404.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.head().map(|head| head.status)
    }

    /// Returns the head of a response of HTTP that is an error.
    #[must_use]
    pub fn head(&self) -> Option<&ResponseHead> {
        self.0.head.as_deref()
    }

    /// Returns whether it took too long.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        self.kind() == FetchErrorKind::TimedOut
    }

    /// Returns whether the server could not be reached, or the connection not secured.
    #[must_use]
    pub fn is_connect(&self) -> bool {
        matches!(self.kind(), FetchErrorKind::Connect | FetchErrorKind::Tls)
    }

    /// Returns whether a redirect is not followed.
    #[must_use]
    pub fn is_redirect(&self) -> bool {
        self.kind() == FetchErrorKind::Redirect
    }

    /// Returns whether the policy forbids the URL, an address of its host, or what a redirect leads to.
    #[must_use]
    pub fn is_forbidden(&self) -> bool {
        self.kind() == FetchErrorKind::Forbidden
    }

    /// Returns whether a response of HTTP has a status of 400 or more, which [`status`](Self::status) returns.
    #[must_use]
    pub fn is_status(&self) -> bool {
        self.status().is_some_and(|status| status >= 400)
    }

    /// Returns whether the same request may succeed later.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        self.failure().is_some_and(|failure| failure.kind.may_pass())
    }
}

/// Returns the kind of a failure for programs.
const fn kind_of(kind: &FailureKind) -> FetchErrorKind {
    use FailureKind as F;
    match kind {
        F::Said(Meaning::Missing) => FetchErrorKind::NotFound,
        F::Said(Meaning::NeedPassword | Meaning::NeedAccount | Meaning::NeedLogin | Meaning::WrongLogin)
        | F::Answer
        | F::NoAnswer(_) => FetchErrorKind::Login,
        F::Said(Meaning::Unexpected) => FetchErrorKind::Protocol,
        F::Said(_) => FetchErrorKind::Refused,
        F::NameNotFound(_) | F::NotConnected(_) | F::Proxy(_) => FetchErrorKind::Connect,
        F::Forbidden(_) => FetchErrorKind::Forbidden,
        F::NotSecured(_) | F::Injected => FetchErrorKind::Tls,
        F::CutOff | F::EmptyReply | F::AmbiguousEnd | F::WrongLength { .. } | F::Reset => {
            FetchErrorKind::CutShort
        }
        F::TimedOut(_) | F::TookTooLong(_) | F::TooSlow(_) => FetchErrorKind::TimedOut,
        F::TooMuch { .. } => FetchErrorKind::LimitExceeded,
        F::Garbled(_) | F::NoProgress | F::Protocol(_) | F::WrongPart(_) | F::Compressed(_) => {
            FetchErrorKind::Protocol
        }
        F::File(_) => FetchErrorKind::File,
        F::Redirect(_) | F::RedirectsBody { .. } | F::RedirectsMethod { .. } => FetchErrorKind::Redirect,
        F::NotSupported(_) | F::NoPlan(_) | F::TargetTooLong(_) | F::NoMethod(_) => {
            FetchErrorKind::NotSupported
        }
    }
}

impl PartialEq for FetchError {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (&*self.0, &*other.0);
        let is_same_cause = match (&one.cause, &two.cause) {
            (ErrorCause::Failure(one), ErrorCause::Failure(two)) => one == two,
            (ErrorCause::Other { .. }, ErrorCause::Other { .. }) => {
                format!("{self:#}") == format!("{other:#}")
            }
            _ => false,
        };
        is_same_cause && one.url == two.url && one.hops == two.hops && one.head == two.head
    }
}

impl Eq for FetchError {}

/// Writes the sentence with its reason, for a `main` that returns the error, and with `{:#?}` its parts.
impl Debug for FetchError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return write!(f, "{self:#}");
        }
        let mut error = f.debug_struct("FetchError");
        error.field("kind", &self.kind()).field("url", &self.url());
        match &self.0.cause {
            ErrorCause::Failure(failure) => error.field("failure", failure),
            ErrorCause::Other { source, .. } => error.field("source", source),
        };
        error.field("hops", &self.0.hops).field("head", &self.0.head).finish()
    }
}

/// Writes the URL, without its secrets, and what failed. Why it failed is what the
/// [source](Error::source) says; `{:#}` writes both.
impl Display for FetchError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.url())?;
        match &self.0.cause {
            ErrorCause::Failure(failure) if f.alternate() => Display::fmt(failure, f),
            ErrorCause::Failure(failure) => f.write_str(&failure.without_source()),
            ErrorCause::Other { what, source: Some(source), .. } if f.alternate() => {
                write!(f, "{what}: {source}")
            }
            ErrorCause::Other { what, .. } => f.write_str(what),
        }
    }
}

impl Error for FetchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let source = match &self.0.cause {
            ErrorCause::Failure(failure) => failure.source.as_ref(),
            ErrorCause::Other { source, .. } => source.as_ref(),
        };
        source.map(|source| &**source as &(dyn Error + 'static))
    }
}

/// Keeps the error as the inner one. A body that was cut short is an `UnexpectedEof`.
impl From<FetchError> for io::Error {
    fn from(error: FetchError) -> Self {
        let kind = match error.kind() {
            FetchErrorKind::CutShort => io::ErrorKind::UnexpectedEof,
            FetchErrorKind::TimedOut => io::ErrorKind::TimedOut,
            FetchErrorKind::NotFound => io::ErrorKind::NotFound,
            FetchErrorKind::Forbidden => io::ErrorKind::PermissionDenied,
            FetchErrorKind::InvalidBody | FetchErrorKind::Protocol => io::ErrorKind::InvalidData,
            _ => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}
