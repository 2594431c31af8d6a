//! The kinds of failures and their causes: what a program can match, with the sentence for people and the
//! error that it came from.

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::io;
use std::sync::Arc;

use locator::plan::Meaning;
use locator_audit::Refusal;

use crate::redact;

/// The kind of a failure.
///
/// ```
/// use locator_fetch::run::FailureKind;
///
/// let kind = FailureKind::TimedOut(1_500);
/// assert_eq!(kind.to_string(), "timed out: nothing happened for 1.5 seconds");
/// assert_eq!((kind.name(), kind.may_pass()), ("timed-out", true));
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub enum FailureKind {
    /// The server said no; what it means.
    Said(Meaning),
    /// The name of the host could not be resolved.
    NameNotFound(Detail<NameCause>),
    /// No connection could be made.
    NotConnected(Detail<ConnectCause>),
    /// The policy forbids the URL, the address or the port, or the program forbids what was to be done.
    Forbidden(Forbidden),
    /// The connection could not be secured, or the certificate is not that of the host.
    NotSecured(Detail<TlsCause>),
    /// The connection ended before the object did.
    CutOff,
    /// The server closed the connection without sending anything.
    EmptyReply,
    /// A line "." has LF without CR before or after it, so it is not known whether it ends the object.
    AmbiguousEnd,
    /// The object has fewer octets than the server announced.
    WrongLength {
        /// The number that the server announced.
        announced: u64,
        /// The number of octets that are there.
        read: u64,
    },
    /// The connection was reset.
    Reset,
    /// Nothing happened for this many milliseconds.
    TimedOut(u64),
    /// All of it took longer than this many milliseconds.
    TookTooLong(u64),
    /// The server sent fewer octets of the object a second than this.
    TooSlow(u64),
    /// What the server sent is not a reply of this protocol.
    Garbled(&'static str),
    /// Octets came before the connection was secured, which somebody may have injected
    /// (CVE-2021-22947).
    Injected,
    /// The server sent more than the limit.
    TooMuch {
        /// What there was too much of: `octets of a reply`.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// The server sends the same part of the object again and again.
    NoProgress,
    /// A file could not be read or written.
    File(Detail<FileCause>),
    /// An answer of the user contains an octet that would end it.
    Answer,
    /// The user was not asked, or did not answer.
    NoAnswer(&'static str),
    /// This program cannot do this step.
    NotSupported(&'static str),
    /// The URL has no plan.
    NoPlan(Detail<PlanCause>),
    /// What the server sent breaks the rules of HTTP.
    Protocol(Detail<ProtocolCause>),
    /// The server redirects, and it is not followed.
    Redirect(Detail<RedirectCause>),
    /// The server redirects, and the body of the request would be sent to another origin.
    RedirectsBody {
        /// The URL, whose secrets are hidden.
        to: Box<str>,
    },
    /// The server redirects, and a method with an effect, such as DELETE, would be repeated at another
    /// origin (RFC 9110, 9.2.1).
    RedirectsMethod {
        /// The method.
        method: Box<str>,
        /// The URL, whose secrets are hidden.
        to: Box<str>,
    },
    /// The server sent another part of the object than was asked for.
    WrongPart(Detail<PartCause>),
    /// What the server compressed cannot be decompressed.
    Compressed(Detail<CodingCause>),
    /// The proxy did not connect to the server.
    Proxy(Detail<ProxyCause>),
    /// The request target is longer than this many octets, which this program can send.
    TargetTooLong(usize),
    /// The object can be read by no access method that the server names.
    NoMethod(Vec<RefusedMethod>),
}

/// What there are too many of if a server redirects again and again.
pub(crate) const REDIRECTS: &str = "redirects";

/// An access method that a server names, and why it is not used.
///
/// ```
/// use locator_fetch::run::FailureKind;
///
/// /// Returns why no access method was used.
/// fn reasons(kind: &FailureKind) -> Vec<&str> {
///     let FailureKind::NoMethod(methods) = kind else { return Vec::new() };
///     methods.iter().map(|one| one.why.as_str()).collect()
/// }
/// # assert!(reasons(&FailureKind::Reset).is_empty());
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub struct RefusedMethod {
    /// The name of the method.
    pub method: String,
    /// Why it is not used.
    pub why: String,
}

/// Writes the sentence without the secrets of URLs in it.
impl Debug for RefusedMethod {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { method, why } = self;
        f.debug_struct("RefusedMethod").field("method", method).field("why", &redact::sentence(why)).finish()
    }
}

impl FailureKind {
    /// Returns the name of this kind in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Said(meaning) => meaning.name(),
            Self::NameNotFound(_) => "name-not-found",
            Self::NotConnected(_) => "not-connected",
            Self::Forbidden(_) => "forbidden",
            Self::NotSecured(_) => "not-secured",
            Self::CutOff => "cut-off",
            Self::EmptyReply => "empty-reply",
            Self::AmbiguousEnd => "ambiguous-end",
            Self::WrongLength { .. } => "wrong-length",
            Self::Reset => "reset",
            Self::TimedOut(_) => "timed-out",
            Self::TookTooLong(_) => "took-too-long",
            Self::TooSlow(_) => "too-slow",
            Self::Garbled(_) => "garbled",
            Self::Injected => "injected",
            Self::TooMuch { .. } => "too-much",
            Self::NoProgress => "no-progress",
            Self::File(_) => "file",
            Self::Answer => "answer",
            Self::NoAnswer(_) => "no-answer",
            Self::NotSupported(_) => "not-supported-here",
            Self::NoPlan(_) => "no-plan",
            Self::Protocol(_) => "protocol",
            Self::Redirect(_) => "redirect",
            Self::RedirectsBody { .. } => "redirect-body",
            Self::RedirectsMethod { .. } => "redirect-method",
            Self::WrongPart(_) => "wrong-part",
            Self::Compressed(_) => "compressed",
            Self::Proxy(_) => "proxy",
            Self::TargetTooLong(_) => "target-too-long",
            Self::NoMethod(_) => "no-method",
        }
    }

    /// Takes the error that this came from out of it.
    pub(super) fn take_source(&mut self) -> Option<SharedError> {
        match self {
            Self::NameNotFound(why) => why.take_source(),
            Self::NotConnected(why) => why.take_source(),
            Self::NotSecured(why) => why.take_source(),
            Self::File(why) => why.take_source(),
            Self::NoPlan(why) => why.take_source(),
            Self::Protocol(why) => why.take_source(),
            Self::Redirect(why) => why.take_source(),
            Self::Compressed(why) => why.take_source(),
            Self::Proxy(why) => why.take_source(),
            Self::Forbidden(why) => why.refusal().map(|refusal| Arc::new(refusal.clone()) as SharedError),
            _ => None,
        }
    }

    /// Returns whether the server itself said no, in a reply that was understood.
    #[must_use]
    pub const fn is_said(&self) -> bool {
        matches!(self, Self::Said(meaning) if !matches!(meaning, Meaning::Unexpected))
    }

    /// Returns whether the same request may succeed later.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::Said(meaning) => meaning.may_pass(),
            Self::NameNotFound(why) => matches!(why.cause, NameCause::Temporary | NameCause::NoNetwork),
            Self::NotConnected(_)
            | Self::CutOff
            | Self::EmptyReply
            | Self::WrongLength { .. }
            | Self::Reset
            | Self::TimedOut(_)
            | Self::TooSlow(_)
            | Self::Proxy(_) => true,
            _ => false,
        }
    }
}

impl From<Refusal> for FailureKind {
    fn from(refusal: Refusal) -> Self {
        Self::Forbidden(refusal.into())
    }
}

/// Writes the sentence.
impl Display for FailureKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write(f, true)
    }
}

impl FailureKind {
    /// Writes the sentence; without the part that another error says, unless it `is_complete`.
    pub(super) fn write(&self, f: &mut Formatter<'_>, is_complete: bool) -> fmt::Result {
        if let (Self::NotSecured(why), false) = (self, is_complete) {
            return write!(f, "TLS failed: {}", why.cause.text());
        }
        if let Some((headline, why)) = self.headline() {
            f.write_str(headline)?;
            return if is_complete { write!(f, ": {why}") } else { Ok(()) };
        }
        match self {
            Self::Said(meaning) => f.write_str(words_of(*meaning)),
            Self::Forbidden(why) if is_complete => Display::fmt(why, f),
            Self::Forbidden(_) => f.write_str("refused by the policy"),
            Self::CutOff => f.write_str("the connection ended early"),
            Self::EmptyReply => f.write_str("empty reply: the server closed the connection"),
            Self::AmbiguousEnd => f.write_str(
                "the end is ambiguous: a line \".\" has LF without CR before or after it, which may be the end or not",
            ),
            Self::WrongLength { announced, read } => {
                write!(f, "the server announced {} and sent {read}", with_count(*announced, "byte"))
            }
            Self::Reset => f.write_str("connection reset by the server"),
            Self::TimedOut(time) => write!(f, "timed out: nothing happened for {}", seconds(*time)),
            Self::TookTooLong(time) => write!(f, "timed out: not finished after {}", seconds(*time)),
            Self::TooSlow(speed) => {
                write!(f, "too slow: less than {} per second", with_count(*speed, "byte"))
            }
            Self::Garbled(protocol) => write!(f, "the server's reply is not valid {protocol}"),
            Self::Injected => {
                f.write_str("the server sent data before TLS began, which somebody may have injected")
            }
            Self::TooMuch { what: REDIRECTS, limit } => write!(f, "too many redirects (more than {limit})"),
            Self::TooMuch { what, limit } => write!(f, "limit exceeded: more than {limit} {what}"),
            Self::NoProgress => f.write_str("the server sends the same part again and again"),
            Self::NoMethod(methods) => {
                f.write_str("no usable access method: ")?;
                for (i, RefusedMethod { method, why }) in methods.iter().enumerate() {
                    write!(f, "{}{method}: {why}", if i == 0 { "" } else { "; " })?;
                }
                Ok(())
            }
            Self::Answer => f.write_str("the answer contains a byte that would end the line; remove it"),
            Self::NoAnswer(what) => write!(f, "{what} is needed, and there is nobody to ask"),
            Self::NotSupported(what) => write!(f, "{what} is not supported"),
            Self::RedirectsBody { to } => {
                write!(f, "redirect to {to} refused: it would send the request body to another origin")
            }
            Self::RedirectsMethod { method, to } => {
                write!(f, "redirect to {to} refused: it would repeat {method} at another origin")
            }
            Self::TargetTooLong(limit) => {
                write!(f, "path and query are too long: at most {limit} bytes can be sent")
            }
            Self::File(why) if is_complete || why.cause == FileCause::NotFound => Display::fmt(why, f),
            Self::File(_) => f.write_str("cannot read the file"),
            Self::NoPlan(why) if is_complete => Display::fmt(why, f),
            _ => f.write_str("this URL cannot be fetched"),
        }
    }

    /// Writes the sentence of a redirect that is not followed.
    pub(super) fn write_of_redirect(
        &self,
        f: &mut Formatter<'_>,
        to: &str,
        is_complete: bool,
    ) -> fmt::Result {
        match self {
            Self::TooMuch { what: REDIRECTS, .. } => {
                self.write(f, is_complete)?;
                write!(f, ", the last to {to}")
            }
            Self::Redirect(why) if is_complete => {
                write!(f, "redirected to {to}, which is not followed: {why}")
            }
            Self::Redirect(_) => write!(f, "redirected to {to}, which is not followed"),
            _ => {
                write!(f, "redirected to {to}, which is not followed: ")?;
                self.write(f, is_complete)
            }
        }
    }

    /// Returns what failed, and the sentence that says why, if the kind has both.
    fn headline(&self) -> Option<(&'static str, &dyn Display)> {
        Some(match self {
            Self::NameNotFound(why) => ("could not resolve host", why),
            Self::NotConnected(why) => (why.cause.text(), why),
            Self::NotSecured(why) => ("TLS failed", why),
            Self::Protocol(why) => ("invalid HTTP response", why),
            Self::Redirect(why) => ("redirect not followed", why),
            Self::WrongPart(why) => ("the server sent another range", why),
            Self::Compressed(why) => ("cannot decompress the body", why),
            Self::Proxy(why) => ("proxy failed", why),
            _ => return None,
        })
    }
}

/// Returns the sentence of a reply that is an error.
const fn words_of(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Missing => "not found",
        Meaning::WrongLogin => "login failed",
        Meaning::NeedPassword => "password required",
        Meaning::NeedAccount => "account required",
        Meaning::NeedLogin => "login required",
        Meaning::Refused => "the server refused the request",
        Meaning::Busy => "the server cannot serve the request now",
        Meaning::NotSupported => "the server does not support the request",
        Meaning::NoTls => "the server does not support TLS",
        Meaning::Broken => "the transfer failed",
        _ => "unexpected reply",
    }
}

/// Writes a time: `1 second`, `1.5 seconds`.
fn seconds(milliseconds: u64) -> String {
    let plural = if milliseconds == 1_000 { "" } else { "s" };
    format!("{} second{plural}", milliseconds as f64 / 1000.0)
}

/// Writes a number and what is counted: `1 byte`, `2 bytes`.
fn with_count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Writes the name and the sentence of this kind, without the secrets of URLs in it.
impl Debug for FailureKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?})", self.name(), redact::sentence(&self.to_string()))
    }
}

/// Why something is forbidden.
///
/// ```
/// use locator_fetch::blocking::Fetcher;
/// use locator_fetch::run::FailureKind;
///
/// let error = Fetcher::for_untrusted_urls().fetch("http://127.0.0.1/").unwrap_err();
/// let FailureKind::Forbidden(why) = &error.failure().unwrap().kind else {
///     panic!()
/// };
/// assert_eq!(why.refusal().unwrap().to_string(), why.to_string());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Forbidden {
    why: String,
    refusal: Option<Box<Refusal>>,
}

/// Writes the sentence without the secrets of URLs in it.
impl Debug for Forbidden {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Forbidden").field(&redact::sentence(&self.why)).finish()
    }
}

impl Forbidden {
    /// Returns the refusal of the policy, if a policy forbids it.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_deref()
    }
}

impl From<Refusal> for Forbidden {
    fn from(refusal: Refusal) -> Self {
        Self { why: refusal.to_string(), refusal: Some(refusal.into()) }
    }
}

impl From<&str> for Forbidden {
    fn from(why: &str) -> Self {
        Self { why: why.into(), refusal: None }
    }
}

impl Display for Forbidden {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

/// An error that a failure came from.
type SharedError = Arc<dyn Error + Send + Sync>;

/// Why something failed: a cause for programs, and a sentence for people. Two are equal if these are.
///
/// ```
/// use locator_fetch::run::{ConnectCause, FailureKind};
///
/// fn is_refused(kind: &FailureKind) -> bool {
///     matches!(kind, FailureKind::NotConnected(why) if why.cause == ConnectCause::Refused)
/// }
/// ```
#[non_exhaustive]
#[derive(Clone)]
pub struct Detail<C> {
    /// The cause.
    pub cause: C,
    /// The sentence, which is a part of that of the failure.
    pub text: Box<str>,
    /// The error that it came from, until a failure takes it.
    source: Option<Box<SharedError>>,
}

impl<C> Detail<C> {
    /// Creates a detail.
    #[must_use]
    pub fn new(cause: C, text: impl Into<Box<str>>) -> Self {
        Self { cause, text: text.into(), source: None }
    }

    pub(super) fn take_source(&mut self) -> Option<SharedError> {
        self.source.take().map(|source| *source)
    }

    /// Sets the error that it came from.
    #[must_use]
    pub fn source(self, error: impl Error + Send + Sync + 'static) -> Self {
        Self { source: Some(Box::new(Arc::new(error))), ..self }
    }
}

impl<C: PartialEq> PartialEq for Detail<C> {
    fn eq(&self, other: &Self) -> bool {
        self.cause == other.cause && self.text == other.text
    }
}

impl<C: Eq> Eq for Detail<C> {}

impl<C: Default> From<String> for Detail<C> {
    fn from(text: String) -> Self {
        Self::new(C::default(), text)
    }
}

impl<C: Default> From<&str> for Detail<C> {
    fn from(text: &str) -> Self {
        Self::new(C::default(), text)
    }
}

/// Writes the sentence.
impl<C> Display for Detail<C> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Writes the cause, and the sentence without the secrets of URLs in it.
impl<C: Debug> Debug for Detail<C> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut detail = f.debug_struct("Detail");
        detail
            .field("cause", &self.cause)
            .field("text", &redact::sentence(&self.text))
            .finish_non_exhaustive()
    }
}

macro_rules! causes {
    ($($(#[$doc:meta])* $name:ident { $($(#[$case:meta])* $cause:ident,)* })*) => {
        $(
            $(#[$doc])*
            #[non_exhaustive]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub enum $name {
                $($(#[$case])* $cause,)*
                /// Another one.
                #[default]
                Other,
            }
        )*
    };
}

causes! {
    /// Why a name could not be resolved, as far as the resolver says. A [`Resolver`](crate::Resolver) of a
    /// program says it by a [`NameError`].
    NameCause {
        /// There is no such name.
        NoSuchName,
        /// The name has no address.
        NoAddress,
        /// The resolver has no answer for now: its server does not answer, or reports a failure.
        Temporary,
        /// This machine has no network: no way leads to any other.
        NoNetwork,
    }

    /// Why no connection could be made, or why one was lost.
    ConnectCause {
        /// The host refused it: nothing listens at the port.
        Refused,
        /// No way leads to the host or to its network.
        Unreachable,
        /// The host did not answer.
        TimedOut,
        /// The connection was reset.
        Reset,
        /// The system does not allow it.
        Denied,
        /// The host has no address of the version of IP that is used.
        NoAddress,
        /// This machine does not have the zone of the address.
        NoZone,
        /// The server names no port for data that may be used.
        DataPort,
        /// There is no connection yet, or no more.
        NotOpen,
    }

    /// Why a connection could not be secured.
    TlsCause {
        /// The certificate has expired.
        Expired,
        /// The certificate is not valid yet.
        NotYetValid,
        /// The certificate is one of another name.
        OtherName,
        /// The owner of the certificate has signed it, and no trusted authority.
        SelfSigned,
        /// The certificate is signed by an authority that is not trusted.
        UnknownIssuer,
        /// The certificate was revoked.
        Revoked,
        /// Something else is wrong with the certificate, such as its signature.
        Certificate,
        /// What the server sent breaks the rules of TLS.
        Protocol,
        /// What the server sent is not TLS: it is the port of another protocol.
        NotTls,
        /// The server requires a certificate of the client.
        ClientRequired,
        /// The server does not accept the certificate of the client.
        ClientRefused,
        /// The server sent another alert: it did not accept what the client offered.
        Alert,
        /// The certificates of authorities could not be loaded.
        Roots,
        /// The host is not one that a certificate can contain.
        Host,
        /// The connection ended or broke while it was secured.
        Connection,
    }

    /// Why a file could not be read or written.
    FileCause {
        /// There is no such file or message.
        NotFound,
        /// The system does not allow it.
        Denied,
        /// It is a pipe, a socket or a device.
        NotAFile,
        /// The name is not one of this system.
        Name,
    }

    /// Why a URL has no plan.
    PlanCause {
        /// The URL or its scheme cannot be fetched; the source is a `PlanError` with the position.
        Plan,
        /// A text is not a URL; the source is a `ParseError` with the position.
        Url,
        /// The URL cannot name the server that another one redirects to.
        Server,
    }

    /// How the rules of HTTP were broken.
    ProtocolCause {
        /// The head is not one of HTTP.
        Head,
        /// The server speaks TLS on this port.
        Tls,
        /// The final response has a status below 200.
        Status,
        /// The transfer coding was not asked for.
        TransferCoding,
        /// The body and its head do not agree.
        Body,
        /// HTTP/2 was broken.
        Http2,
    }

    /// Why a redirect is not followed.
    RedirectCause {
        /// It names no URL.
        Url,
        /// Redirects may not lead to URLs of this scheme.
        Scheme,
        /// The body of the request was sent secured, and would be sent in the clear.
        Downgrade,
    }

    /// Why a part of an object is not the one that was asked for (RFC 9110, 14.4, 15.3.7).
    PartCause {
        /// The response does not say which part it is, or contains several.
        NotStated,
        /// The part is not in the object.
        NotInObject,
        /// It is another part.
        Another,
        /// The part has another length than the response says.
        Length,
        /// The object has no octets in this range.
        Unsatisfiable,
    }

    /// Why an object could not be decompressed.
    CodingCause {
        /// The coding is not known.
        Unknown,
        /// The coding was not asked for.
        NotAsked,
        /// The object was compressed more than once.
        Multiple,
        /// It needs more memory than is given.
        Window,
        /// The octets are not of the coding, or changed.
        Corrupt,
        /// The end is missing.
        CutOff,
    }

    /// Why a proxy did not connect to a server.
    ProxyCause {
        /// It refused to.
        Refused,
        /// It could not reach the server, or the server refused.
        Unreachable,
        /// It wants a login, or another one.
        Login,
        /// What it sent is not the protocol.
        Protocol,
        /// It closed the connection.
        Closed,
        /// A name or a password is too long for its protocol.
        TooLong,
    }
}

impl ConnectCause {
    /// Returns what failed.
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Refused => "connection refused",
            Self::Unreachable => "host unreachable",
            Self::TimedOut => "connection timed out",
            Self::Reset => "connection reset",
            Self::Denied => "connection not permitted by the system",
            _ => "connection failed",
        }
    }
}

impl TlsCause {
    /// Returns what is wrong.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Expired => "the certificate has expired",
            Self::NotYetValid => "the certificate is not valid yet",
            Self::OtherName => "the certificate is for another host",
            Self::SelfSigned => "the certificate is self-signed",
            Self::UnknownIssuer => "the certificate is not signed by a trusted authority",
            Self::Revoked => "the certificate was revoked",
            Self::Certificate => "the certificate is invalid",
            Self::ClientRequired => "the server requires a client certificate",
            Self::ClientRefused => "the server does not accept the client certificate",
            Self::Alert => "the server sent an alert",
            Self::NotTls => "the server does not speak TLS on this port",
            Self::Roots => "the trusted certificates cannot be loaded",
            Self::Host => "this host cannot have a certificate",
            Self::Protocol | Self::Connection | Self::Other => "the handshake failed",
        }
    }
}

/// The error of a resolver: why a name could not be resolved.
///
/// ```
/// use std::io;
///
/// use locator_fetch::run::{NameCause, NameError};
///
/// let error =
///     io::Error::from(NameError::new(NameCause::NoSuchName, "not in the table"));
/// assert_eq!(NameCause::from(&error), NameCause::NoSuchName);
/// assert_eq!(error.to_string(), "not in the table");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    cause: NameCause,
    text: String,
}

impl NameError {
    /// Creates an error with a text for people.
    #[must_use]
    pub fn new(cause: NameCause, text: impl Into<String>) -> Self {
        Self { cause, text: text.into() }
    }
}

impl Display for NameError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for NameError {}

impl From<NameError> for io::Error {
    fn from(error: NameError) -> Self {
        Self::other(error)
    }
}

/// Returns the cause of a [`NameError`] that an error contains, or `Other`.
impl From<&io::Error> for NameCause {
    fn from(error: &io::Error) -> Self {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<NameError>());
        inner.map_or(Self::Other, |error| error.cause)
    }
}

impl From<io::ErrorKind> for ConnectCause {
    fn from(kind: io::ErrorKind) -> Self {
        use io::ErrorKind as Kind;
        match kind {
            Kind::ConnectionRefused => Self::Refused,
            Kind::HostUnreachable | Kind::NetworkUnreachable | Kind::NetworkDown | Kind::AddrNotAvailable => {
                Self::Unreachable
            }
            Kind::TimedOut => Self::TimedOut,
            Kind::ConnectionReset | Kind::ConnectionAborted | Kind::BrokenPipe => Self::Reset,
            Kind::PermissionDenied => Self::Denied,
            Kind::NotConnected => Self::NotOpen,
            _ => Self::Other,
        }
    }
}

impl From<io::ErrorKind> for FileCause {
    fn from(kind: io::ErrorKind) -> Self {
        match kind {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::PermissionDenied => Self::Denied,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_of_the_system() {
        for (kind, cause) in [
            (io::ErrorKind::ConnectionRefused, ConnectCause::Refused),
            (io::ErrorKind::NetworkUnreachable, ConnectCause::Unreachable),
            (io::ErrorKind::Interrupted, ConnectCause::Other),
        ] {
            assert_eq!(ConnectCause::from(kind), cause);
        }
    }

    #[test]
    fn causes_of_resolvers() {
        let error = io::Error::from(NameError::new(NameCause::Temporary, "try again"));
        assert_eq!(NameCause::from(&error), NameCause::Temporary);
        // What an error says in a language is no cause.
        let said = io::Error::other("Name or service not known");
        assert_eq!(NameCause::from(&said), NameCause::Other);
    }

    #[test]
    fn the_error_below_does_not_count() {
        let detail = || Detail::new(FileCause::NotFound, "a");
        assert_eq!(detail().source(io::Error::other("b")), detail());
        assert_ne!(Detail::from("a"), detail());
    }
}
