//! The causes of failures: what a program can match, with a sentence for people and the error that it
//! came from.

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::io;
use std::sync::Arc;

use crate::redact;

/// An error that a failure came from.
pub(crate) type SharedError = Arc<dyn Error + Send + Sync>;

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
