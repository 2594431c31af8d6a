//! Failures: why an object was not read, in the words of the protocol and in plain words.

mod cause;
mod forbidden;
mod reply;
mod withheld;

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::sync::Arc;

use locator::plan::Meaning;
use locator_audit::Refusal;

pub(crate) use self::cause::SharedError;
pub use self::cause::{
    CodingCause, ConnectCause, Detail, FileCause, PartCause, PlanCause, ProtocolCause, ProxyCause,
    RedirectCause, TlsCause,
};
pub use self::forbidden::Forbidden;
pub use self::reply::Reply;
pub use self::withheld::Withheld;
use crate::shown;

/// Why an object was not read, or not whole.
#[non_exhaustive]
#[derive(Clone)]
pub struct Failure {
    /// The kind of the failure.
    pub kind: FailureKind,
    /// What the client was doing: `reading the reply to RETR motd`, `reading a menu`.
    pub during: String,
    /// The reply of the server, where one caused the failure.
    pub reply: Option<Reply>,
    /// What was not sent to a server that wants a login, because a redirect led to it.
    pub withheld: Option<Box<Withheld>>,
    /// The error that this one came from: one of the system, of TLS or of HTTP, the
    /// [`PlanError`](locator::plan::PlanError) of a URL, the
    /// [`Refusal`](locator_audit::Refusal) of a policy. It is no part of the equality.
    pub source: Option<Arc<dyn Error + Send + Sync>>,
}

impl PartialEq for Failure {
    fn eq(&self, other: &Self) -> bool {
        let parts = |one: &Self| (one.kind.clone(), one.during.clone());
        parts(self) == parts(other) && self.reply == other.reply && self.withheld == other.withheld
    }
}

impl Eq for Failure {}

/// The kind of a failure.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub enum FailureKind {
    /// The server said no; what it means.
    Said(Meaning),
    /// The name of the host was not found.
    NameNotFound,
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

/// An access method that a server names, and why it is not used.
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
        f.debug_struct("RefusedMethod").field("method", method).field("why", &shown::sentence(why)).finish()
    }
}

impl FailureKind {
    /// Returns the name of this kind in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Said(meaning) => meaning.name(),
            Self::NameNotFound => "name-not-found",
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
    fn take_source(&mut self) -> Option<SharedError> {
        match self {
            Self::NotConnected(why) => why.source.take().map(|source| *source),
            Self::NotSecured(why) => why.source.take().map(|source| *source),
            Self::File(why) => why.source.take().map(|source| *source),
            Self::NoPlan(why) => why.source.take().map(|source| *source),
            Self::Protocol(why) => why.source.take().map(|source| *source),
            Self::Redirect(why) => why.source.take().map(|source| *source),
            Self::Compressed(why) => why.source.take().map(|source| *source),
            Self::Proxy(why) => why.source.take().map(|source| *source),
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

impl Failure {
    /// Creates a failure without a reply.
    #[must_use]
    pub fn new(mut kind: FailureKind, during: impl Into<String>) -> Self {
        let source = kind.take_source();
        Self { kind, during: during.into(), reply: None, withheld: None, source }
    }

    /// Returns this failure with the reply of another one, which came of an attempt after it.
    pub(crate) fn before(self, later: &Self) -> Self {
        let reply = later.reply.as_ref().map(|reply| format!(": {reply}")).unwrap_or_default();
        Self { during: format!("{}; then {}{reply}", self.during, later.during), ..self }
    }
}

impl Display for FailureKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Said(meaning) => f.write_str(meaning.text()),
            Self::NameNotFound => f.write_str("the name of the host was not found"),
            Self::NotConnected(why) => write!(f, "no connection could be made: {why}"),
            Self::Forbidden(why) if why.refusal().is_some() => Display::fmt(why, f),
            Self::Forbidden(why) => write!(f, "the policy forbids it: {why}"),
            Self::NotSecured(why) => write!(f, "the connection could not be secured: {why}"),
            Self::CutOff => f.write_str("the connection ended too early"),
            Self::EmptyReply => f.write_str("the server closed the connection without sending anything"),
            Self::AmbiguousEnd => {
                f.write_str("a line \".\" has LF without CR before or after it: it may be the end or not")
            }
            Self::WrongLength { announced, read } => {
                write!(f, "the server announced {announced} octets, and the object ended after {read}")
            }
            Self::Reset => f.write_str("the server reset the connection"),
            Self::TimedOut(time) => write!(f, "nothing happened for {} seconds", seconds(*time)),
            Self::TookTooLong(time) => write!(f, "it took longer than {} seconds", seconds(*time)),
            Self::TooSlow(speed) => write!(f, "the server sent less than {speed} octets a second"),
            Self::Garbled(protocol) => write!(f, "what the server sent is not a reply of {protocol}"),
            Self::Injected => f.write_str(
                "the server sent something before the connection was secured: somebody may have injected it",
            ),
            Self::TooMuch { what, limit } => write!(f, "the server sent more than {limit} {what}"),
            Self::NoProgress => f.write_str("the server sends the same part of the object again and again"),
            Self::File(why) => Display::fmt(why, f),
            Self::NoPlan(why) => Display::fmt(why, f),
            Self::NoMethod(methods) => {
                f.write_str("none of the access methods can be used: ")?;
                for (i, RefusedMethod { method, why }) in methods.iter().enumerate() {
                    write!(f, "{}{method}: {why}", if i == 0 { "" } else { "; " })?;
                }
                Ok(())
            }
            Self::Answer => f.write_str("the answer contains an octet that would end the line; remove it"),
            Self::NoAnswer(what) => write!(f, "{what} is needed, and nobody can be asked"),
            Self::NotSupported(what) => write!(f, "{what} is not supported by this program"),
            Self::Protocol(why) => write!(f, "what the server sent is not HTTP: {why}"),
            Self::Redirect(why) => write!(f, "the redirect is not followed: {why}"),
            Self::RedirectsBody { to } => {
                write!(f, "redirect to {to} refused: it would send the body of the request to another origin")
            }
            Self::RedirectsMethod { method, to } => {
                write!(f, "redirect to {to} refused: it would repeat {method} at another origin")
            }
            Self::WrongPart(why) => write!(f, "the server sent another part than was asked for: {why}"),
            Self::Compressed(why) => write!(f, "what the server sent cannot be decompressed: {why}"),
            Self::Proxy(why) => write!(f, "the proxy did not connect to the server: {why}"),
            Self::TargetTooLong(limit) => write!(
                f,
                "the path and the query of the URL are too long: this program sends at most {limit} octets of them"
            ),
        }
    }
}

fn seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1000.0
}

/// Writes the name and the sentence of this kind, without the secrets of URLs in it.
impl Debug for FailureKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?})", self.name(), shown::sentence(&self.to_string()))
    }
}

/// Writes the sentence of `Display`, and with `{:#?}` the parts; both without the secrets of URLs in
/// them.
impl Debug for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return Display::fmt(self, f);
        }
        let Self { kind, during, reply, withheld, source: _ } = self;
        let withheld = withheld.as_ref().map(|withheld| shown::sentence(&withheld.to_string()));
        let mut failure = f.debug_struct("Failure");
        failure.field("kind", kind).field("during", &shown::sentence(during));
        failure.field("reply", reply).field("withheld", &withheld).finish_non_exhaustive()
    }
}

/// Writes what happened, what the server said, and what the client was doing: "there is no such object;
/// the server said: 550 No such file (while reading the reply to RETR motd)". Secrets of URLs are hidden.
impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&shown::sentence(&Sentence(self).to_string()))
    }
}

struct Sentence<'f>(&'f Failure);

impl Display for Sentence<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(failure) = self;
        Display::fmt(&failure.kind, f)?;
        if let Some(reply) = &failure.reply {
            write!(f, "; the server said: {reply}")?;
        }
        if let Some(withheld) = &failure.withheld {
            write!(f, "; {withheld}")?;
        }
        if failure.during.is_empty() { Ok(()) } else { write!(f, " (while {})", failure.during) }
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|error| -> &(dyn Error + 'static) { error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_a_sentence() {
        let said = |meaning| FailureKind::Said(meaning);
        let of = |kind, code, text: &[u8]| {
            let reply = Some(Reply { code: Some(code), text: text.into() }).filter(|_| code > 0);
            Failure { reply, ..Failure::new(kind, "reading the reply to RETR motd") }.to_string()
        };
        let ending = " (while reading the reply to RETR motd)";
        for (kind, code, text, sentence) in [
            (
                said(Meaning::Missing),
                550,
                "No such file",
                "there is no such object; the server said: 550 No such file",
            ),
            (said(Meaning::WrongLogin), 530, "", "the login is wrong; the server said: 530"),
            (
                said(Meaning::Unexpected),
                299,
                "x",
                "the reply is not one to this step; the server said: 299 x",
            ),
            (FailureKind::NameNotFound, 0, "", "the name of the host was not found"),
            (FailureKind::NotConnected("refused".into()), 0, "", "no connection could be made: refused"),
            (
                FailureKind::Forbidden("10.0.0.1 is private".into()),
                0,
                "",
                "the policy forbids it: 10.0.0.1 is private",
            ),
            (
                FailureKind::NotSecured("expired".into()),
                0,
                "",
                "the connection could not be secured: expired",
            ),
            (FailureKind::CutOff, 0, "", "the connection ended too early"),
            (
                FailureKind::WrongLength { announced: 9, read: 4 },
                0,
                "",
                "the server announced 9 octets, and the object ended after 4",
            ),
            (
                FailureKind::Reset,
                426,
                "aborted",
                "the server reset the connection; the server said: 426 aborted",
            ),
            (FailureKind::TimedOut(1_500), 0, "", "nothing happened for 1.5 seconds"),
            (FailureKind::TookTooLong(60_000), 0, "", "it took longer than 60 seconds"),
            (FailureKind::TooSlow(1_024), 0, "", "the server sent less than 1024 octets a second"),
            (FailureKind::Garbled("FTP"), 0, "", "what the server sent is not a reply of FTP"),
            (
                FailureKind::TooMuch { what: "octets of a reply", limit: 9 },
                0,
                "",
                "the server sent more than 9 octets of a reply",
            ),
            (FailureKind::NoProgress, 0, "", "the server sends the same part of the object again and again"),
            (FailureKind::File("/a: no space left".into()), 0, "", "/a: no space left"),
            (FailureKind::Answer, 0, "", "the answer contains an octet that would end the line; remove it"),
            (FailureKind::NoAnswer("the password"), 0, "", "the password is needed, and nobody can be asked"),
            (FailureKind::NotSupported("this object"), 0, "", "this object is not supported by this program"),
            (
                FailureKind::Protocol("two lengths".into()),
                0,
                "",
                "what the server sent is not HTTP: two lengths",
            ),
            (
                FailureKind::Proxy("no route".into()),
                0,
                "",
                "the proxy did not connect to the server: no route",
            ),
        ] {
            assert_eq!(of(kind, code, text.as_bytes()), format!("{sentence}{ending}"));
        }
        let failure = Failure::new(FailureKind::NotSupported("HTTP"), "");
        assert_eq!(failure.to_string(), "HTTP is not supported by this program");
    }
}
