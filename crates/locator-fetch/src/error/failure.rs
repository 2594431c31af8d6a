//! Failures: why something was not fetched, in the words of the protocol and in plain words. A [`Failure`] has
//! a [`kind`](FailureKind), what was being done, and the [`Reply`] of the server.

mod kind;

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::sync::Arc;

use locator_audit::does_harm;

pub(crate) use self::kind::REDIRECTS;
pub use self::kind::{
    CodingCause, ConnectCause, Detail, FailureKind, FileCause, Forbidden, NameCause, NameError, PartCause,
    PlanCause, ProtocolCause, ProxyCause, RedirectCause, RefusedMethod, TlsCause,
};
use crate::redact;

/// Why an object was not read, or not whole.
///
/// ```
/// use locator_fetch::blocking::Fetcher;
///
/// let error =
///     Fetcher::for_user_input().fetch("file:///no/such/file").unwrap_err();
/// let failure = error.failure().unwrap();
/// assert_eq!(
///     (failure.kind.name(), &*failure.during),
///     ("file", "opening /no/such/file")
/// );
/// ```
#[non_exhaustive]
#[derive(Clone)]
pub struct Failure {
    /// The kind of the failure.
    pub kind: FailureKind,
    /// What the client was doing: `reading the reply to RETR motd`, `reading a menu`.
    pub during: Box<str>,
    /// The reply of the server, where one caused the failure.
    pub reply: Option<Reply>,
    /// What was not sent to a server that wants a login, because a redirect led to it.
    pub withheld: Option<Box<Withheld>>,
    /// The error that this one came from: one of the system, of TLS or of HTTP, the
    /// [`PlanError`](locator::plan::PlanError) of a URL, the
    /// [`Refusal`](locator_audit::Refusal) of a policy. It does not count for equality.
    pub source: Option<Arc<dyn Error + Send + Sync>>,
    /// What few failures have.
    pub(crate) rest: Option<Box<FailureDetails>>,
}

#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct FailureDetails {
    /// The URL of a redirect, without its secrets.
    redirected_to: Option<String>,
    unsent_login: Option<UnsentLogin>,
}

impl PartialEq for Failure {
    fn eq(&self, other: &Self) -> bool {
        let parts = |one: &Self| (one.kind.clone(), one.during.clone());
        let more = |one: &Self| (one.withheld.clone(), one.rest.clone());
        parts(self) == parts(other) && self.reply == other.reply && more(self) == more(other)
    }
}

impl Eq for Failure {}

impl Failure {
    /// Creates a failure without a reply.
    #[must_use]
    pub fn new(mut kind: FailureKind, during: impl Into<Box<str>>) -> Self {
        let source = kind.take_source();
        Self { kind, during: during.into(), reply: None, withheld: None, rest: None, source }
    }

    /// Creates the failure of a redirect, or of another URL that the answer of a server led to.
    pub(crate) fn of_redirect(kind: FailureKind, to: &str) -> Self {
        let redirected_to = Some(redact::sentence(to));
        Self {
            rest: Some(FailureDetails { redirected_to, ..FailureDetails::default() }.into()),
            ..Self::new(kind, "")
        }
    }

    /// Notes why the login that was given was not sent.
    #[cfg(feature = "http")]
    pub(crate) fn set_unsent_login(&mut self, unsent_login: Option<UnsentLogin>) {
        if unsent_login.is_some() {
            self.rest.get_or_insert_default().unsent_login = unsent_login;
        }
    }

    /// Returns why the login that was given was not sent to the server that refused the request; `None` if
    /// it was, or if there is none.
    #[must_use]
    pub fn unsent_login(&self) -> Option<&UnsentLogin> {
        self.rest.as_ref()?.unsent_login.as_ref()
    }

    /// Returns the URL of a redirect that is not followed, or another one that the answer of a server led
    /// to, without its secrets.
    ///
    /// ```no_run
    /// let fetcher = locator_fetch::blocking::Fetcher::for_untrusted_urls();
    /// let error =
    ///     fetcher.fetch("http://example.com/to-a-private-address").unwrap_err();
    /// assert_eq!(error.failure().unwrap().redirected_to(), Some("http://10.0.0.1/"));
    /// ```
    #[must_use]
    pub fn redirected_to(&self) -> Option<&str> {
        self.rest.as_ref()?.redirected_to.as_deref()
    }

    /// Returns whether the sentence of the kind names the server that the client was connecting to.
    fn names_server(&self) -> bool {
        let server = self.during.strip_prefix("connecting to ").and_then(|to| to.rsplit_once(" port "));
        let Some((host, port)) = server else { return false };
        match &self.kind {
            FailureKind::NameNotFound(why) => why.text.starts_with(host),
            FailureKind::NotConnected(why) => {
                [format!("{host}:{port}"), format!("[{host}]:{port}")].iter().any(|name| **name == *why.text)
            }
            _ => false,
        }
    }

    /// Returns the sentence without what the [`source`](Self::source) says, if there is one.
    pub(crate) fn without_source(&self) -> String {
        redact::sentence(&Sentence { failure: self, is_complete: self.source.is_none() }.to_string())
    }

    /// Returns this failure with the reply of another one, which came of an attempt after it.
    pub(crate) fn before(self, later: &Self) -> Self {
        let reply = later.reply.as_ref().map(|reply| format!(": {reply}")).unwrap_or_default();
        Self { during: format!("{}; then {}{reply}", self.during, later.during).into(), ..self }
    }
}

/// Writes the sentence of `Display`, and with `{:#?}` the parts; both without the secrets of URLs in
/// them.
impl Debug for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return Display::fmt(self, f);
        }
        let Self { kind, during, reply, withheld, .. } = self;
        let withheld = withheld.as_ref().map(|withheld| redact::sentence(&withheld.to_string()));
        let mut failure = f.debug_struct("Failure");
        failure.field("kind", kind).field("during", &redact::sentence(during));
        failure
            .field("reply", reply)
            .field("withheld", &withheld)
            .field("unsent_login", &self.unsent_login())
            .field("redirected_to", &self.redirected_to());
        failure.finish_non_exhaustive()
    }
}

/// Writes the whole sentence: what happened, the reply of the server, and what the client was doing: "not
/// found (550 No such file), while reading the reply to RETR motd". Secrets of URLs are hidden. As it also
/// says what the [`source`](Self::source) says, that is not the `source` of the trait `Error`.
impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&redact::sentence(&Sentence { failure: self, is_complete: true }.to_string()))
    }
}

/// The sentence of a failure, with its secrets.
struct Sentence<'f> {
    failure: &'f Failure,
    is_complete: bool,
}

impl Display for Sentence<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Failure { kind, during, reply, withheld, .. } = self.failure;
        match self.failure.redirected_to() {
            Some(to) => kind.write_of_redirect(f, to, self.is_complete)?,
            None => kind.write(f, self.is_complete)?,
        }
        if let Some(reply) = reply {
            write!(f, " ({reply})")?;
        }
        if let Some(withheld) = withheld {
            write!(f, "; {withheld}")?;
        }
        if let Some(why) = self.failure.unsent_login() {
            write!(f, "; the login was not sent: {why}")?;
        }
        let is_said = during.is_empty() || self.is_complete && self.failure.names_server();
        if is_said { Ok(()) } else { write!(f, ", while {during}") }
    }
}

impl Error for Failure {}

/// The login and the headers that were not sent to the origin that a redirect leads to, because they
/// belong to the origin of the URL that was given.
///
/// ```
/// let mut withheld = locator_fetch::run::Withheld::default();
/// (withheld.origin, withheld.login) = ("http://www.example.org".into(), true);
/// assert!(
///     withheld
///         .to_string()
///         .starts_with("the login was not sent to http://www.example.org")
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Withheld {
    /// The origin that they were not sent to: `http://www.example.org`.
    pub origin: String,
    /// Whether there is a login that was not sent.
    pub login: bool,
    /// The names of the headers, as they were given.
    pub headers: Vec<String>,
}

/// Writes a sentence: `the login and the header Cookie were not sent to http://www.example.org, which
/// is another origin`.
impl Display for Withheld {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { origin, login, headers } = self;
        if *login {
            f.write_str("the login")?;
        }
        if let [others @ .., last] = &**headers {
            f.write_str(if *login { " and the header" } else { "the header" })?;
            f.write_str(if others.is_empty() { " " } else { "s " })?;
            if !others.is_empty() {
                write!(f, "{} and ", others.join(", "))?;
            }
            f.write_str(last)?;
        }
        let was = if usize::from(*login) + headers.len() > 1 { "were" } else { "was" };
        write!(f, " {was} not sent to {origin}, which is another origin")
    }
}

/// Why a login that was given was sent to no server.
///
/// ```
/// use locator_fetch::run::UnsentLogin;
///
/// assert_eq!(UnsentLogin::NotAsked.to_string(), "the server did not ask for it");
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnsentLogin {
    /// The server did not ask for it, and answered as it answers anybody.
    NotAsked,
    /// The server asked for a login by no scheme that may be used: `it offers NTLM, and only Basic and Digest
    /// may be used`.
    Scheme(Box<str>),
    /// A redirect led to another origin.
    OtherOrigin,
}

impl UnsentLogin {
    /// Returns the name of the reason, such as `not-asked`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NotAsked => "not-asked",
            Self::Scheme(_) => "scheme",
            Self::OtherOrigin => "other-origin",
        }
    }
}

/// Writes the reason: `the server did not ask for it`.
impl Display for UnsentLogin {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAsked => f.write_str("the server did not ask for it"),
            Self::Scheme(why) => write!(f, "the server asks for a login, but {why}"),
            Self::OtherOrigin => f.write_str("a redirect led to another origin"),
        }
    }
}

/// A reply of a server.
///
/// ```
/// use locator_fetch::run::Reply;
///
/// let reply = Reply::new(Some(550), "No such file");
/// assert_eq!(reply.to_string(), "550 No such file");
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    /// The code: `550`. An error of Gopher+ has none.
    pub code: Option<u16>,
    /// The text after the code; the lines of a longer reply are divided by LF.
    pub text: Vec<u8>,
}

impl Reply {
    /// Creates a reply.
    #[must_use]
    pub fn new(code: Option<u16>, text: impl Into<Vec<u8>>) -> Self {
        Self { code, text: text.into() }
    }
}

/// The number of characters of a reply that are shown.
const SHOWN: usize = 400;

/// Writes code and text on one line, and "…" for what is longer than 400 characters. Characters that
/// are not seen are written by their codes, octets that are not UTF-8 as U+FFFD.
impl Display for Reply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.text);
        let text = text.trim();
        if let Some(code) = self.code {
            write!(f, "{code}{}", if text.is_empty() { "" } else { " " })?;
        }
        for c in text.chars().filter(|&c| c != '\r').take(SHOWN) {
            match c {
                '\n' => f.write_str(" / ")?,
                c if c.is_control() || does_harm(c) => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => write!(f, "{c}")?,
            }
        }
        if text.chars().nth(SHOWN).is_some() { f.write_str("…") } else { Ok(()) }
    }
}

/// Writes what `Display` writes, without the secrets of URLs.
impl Debug for Reply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reply").field(&redact::sentence(&self.to_string())).finish()
    }
}

#[cfg(test)]
mod tests {
    use locator::plan::Meaning;

    use super::*;

    #[test]
    fn a_failure_is_a_sentence() {
        let said = |meaning| FailureKind::Said(meaning);
        let of = |kind, code, text: &[u8]| {
            let reply = Some(Reply { code: Some(code), text: text.into() }).filter(|_| code > 0);
            Failure { reply, ..Failure::new(kind, "reading the reply to RETR motd") }.to_string()
        };
        let ending = ", while reading the reply to RETR motd";
        for (kind, code, text, sentence) in [
            (said(Meaning::Missing), 550, "No such file", "not found (550 No such file)"),
            (said(Meaning::WrongLogin), 530, "", "login failed (530)"),
            (said(Meaning::Unexpected), 299, "x", "unexpected reply (299 x)"),
            (
                FailureKind::NameNotFound("h: no such name".into()),
                0,
                "",
                "could not resolve host: h: no such name",
            ),
            (FailureKind::NotConnected("no way".into()), 0, "", "connection failed: no way"),
            (
                FailureKind::NotConnected(Detail::new(ConnectCause::Refused, "192.0.2.1:80")),
                0,
                "",
                "connection refused: 192.0.2.1:80",
            ),
            (FailureKind::Forbidden("10.0.0.1 is private".into()), 0, "", "10.0.0.1 is private"),
            (FailureKind::NotSecured("expired".into()), 0, "", "TLS failed: expired"),
            (FailureKind::CutOff, 0, "", "the connection ended early"),
            (
                FailureKind::WrongLength { announced: 9, read: 4 },
                0,
                "",
                "the server announced 9 bytes and sent 4",
            ),
            (FailureKind::Reset, 426, "aborted", "connection reset by the server (426 aborted)"),
            (FailureKind::TimedOut(1_500), 0, "", "timed out: nothing happened for 1.5 seconds"),
            (FailureKind::TookTooLong(1_000), 0, "", "timed out: not finished after 1 second"),
            (FailureKind::TooSlow(1), 0, "", "too slow: less than 1 byte per second"),
            (FailureKind::TookTooLong(60_000), 0, "", "timed out: not finished after 60 seconds"),
            (FailureKind::TooSlow(1_024), 0, "", "too slow: less than 1024 bytes per second"),
            (FailureKind::Garbled("FTP"), 0, "", "the server's reply is not valid FTP"),
            (
                FailureKind::TooMuch { what: "bytes in a reply", limit: 9 },
                0,
                "",
                "limit exceeded: more than 9 bytes in a reply",
            ),
            (FailureKind::TooMuch { what: REDIRECTS, limit: 10 }, 0, "", "too many redirects (more than 10)"),
            (FailureKind::NoProgress, 0, "", "the server sends the same part again and again"),
            (FailureKind::File("/a: no space left".into()), 0, "", "/a: no space left"),
            (FailureKind::Answer, 0, "", "the answer contains a byte that would end the line; remove it"),
            (FailureKind::NoAnswer("password"), 0, "", "password is needed, and there is nobody to ask"),
            (FailureKind::NotSupported("TLS"), 0, "", "TLS is not supported"),
            (FailureKind::Protocol("two lengths".into()), 0, "", "invalid HTTP response: two lengths"),
            (FailureKind::Proxy("no route".into()), 0, "", "proxy failed: no route"),
        ] {
            assert_eq!(of(kind, code, text.as_bytes()), format!("{sentence}{ending}"));
        }
        let failure = Failure::new(FailureKind::NotSupported("HTTP"), "");
        assert_eq!(failure.to_string(), "HTTP is not supported");
    }

    #[test]
    fn a_redirect_is_named_once() {
        let of = |kind| Failure::of_redirect(kind, "http://u:pw@h/").to_string();
        for (kind, sentence) in [
            (
                FailureKind::TooMuch { what: REDIRECTS, limit: 1 },
                "too many redirects (more than 1), the last to http://u:(hidden)@h/",
            ),
            (
                FailureKind::Redirect("redirects to http are not allowed".into()),
                "redirected to http://u:(hidden)@h/, which is not followed: redirects to http are not allowed",
            ),
            (
                FailureKind::Forbidden("h is private".into()),
                "redirected to http://u:(hidden)@h/, which is not followed: h is private",
            ),
        ] {
            assert_eq!(of(kind), sentence);
        }
    }

    #[test]
    fn a_server_is_named_once() {
        let of = |kind, during: &str| Failure::new(kind, during).to_string();
        let refused = |text: &str| FailureKind::NotConnected(Detail::new(ConnectCause::Refused, text));
        let name = || FailureKind::NameNotFound("h: no such name".into());
        for (sentence, expected) in [
            (of(name(), "connecting to h port 80"), "could not resolve host: h: no such name"),
            (
                of(refused("127.0.0.1:80"), "connecting to 127.0.0.1 port 80"),
                "connection refused: 127.0.0.1:80",
            ),
            (of(refused("[::1]:80"), "connecting to ::1 port 80"), "connection refused: [::1]:80"),
            (
                of(refused("127.0.0.1:80"), "connecting to the proxy 127.0.0.1 port 80"),
                "connection refused: 127.0.0.1:80, while connecting to the proxy 127.0.0.1 port 80",
            ),
        ] {
            assert_eq!(sentence, expected);
        }
    }

    #[test]
    fn a_source_is_not_repeated() {
        let error = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        let why = Detail::new(ConnectCause::Refused, "192.0.2.1:80").source(error);
        let failure = Failure::new(FailureKind::NotConnected(why), "connecting to h port 80");
        assert_eq!(failure.to_string(), "connection refused: 192.0.2.1:80, while connecting to h port 80");
        assert_eq!(failure.without_source(), "connection refused, while connecting to h port 80");
        assert!(failure.source.is_some() && Error::source(&failure).is_none());
    }

    #[test]
    fn what_was_withheld() {
        for (login, headers, expected) in [
            (true, &[][..], "the login was"),
            (true, &["Cookie"], "the login and the header Cookie were"),
            (true, &["Cookie", "X-A"], "the login and the headers Cookie and X-A were"),
            (false, &["Cookie"], "the header Cookie was"),
            (false, &["A", "B", "C"], "the headers A, B and C were"),
        ] {
            let headers = headers.iter().map(|name| (*name).to_owned()).collect();
            let withheld = Withheld { origin: "http://b".into(), login, headers };
            let expected = format!("{expected} not sent to http://b, which is another origin");
            assert_eq!(withheld.to_string(), expected);
        }
    }

    #[test]
    fn a_reply_is_shown_on_one_line() {
        let shown = |text: &[u8]| Reply { code: Some(550), text: text.into() }.to_string();
        assert_eq!(shown(b"No\x1B[2J such\r\nfile\xE9"), "550 No\\u{1b}[2J such / file\u{FFFD}");
        assert_eq!(shown(b" "), "550");
        assert_eq!(shown(&[b'x'; 500]).chars().count(), 405);
        assert_eq!(Reply { code: None, text: b"1 admin\r\n".into() }.to_string(), "1 admin");
    }
}
