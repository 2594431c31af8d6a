//! What the engine asks its caller for: answers, messages, drafts and programs; and what it reports
//! to it.

use std::fmt;
use std::net::SocketAddr;

use locator::plan::{Draft, LookUp, Prompt, Protocol, Session};

use crate::error::failure::{FailureKind, UnsentLogin, Withheld};
use crate::headers::ResponseHead;
use crate::net::certificate::TlsDetails;
use crate::redact;

/// Answers the prompts of plans. It may wait for a person: it is called on a thread of its own.
///
/// ```
/// use std::sync::Arc;
///
/// use locator::plan::Prompt;
/// use locator_fetch::{Prompter, blocking::Fetcher};
///
/// /// Knows one password.
/// struct Password;
///
/// impl Prompter for Password {
///     fn answer(&self, prompt: &Prompt, _form: &[u8]) -> Option<Vec<u8>> {
///         matches!(prompt, Prompt::Password { .. }).then(|| b"secret".into())
///     }
/// }
///
/// let fetcher = Fetcher::for_user_input().prompter(Arc::new(Password));
/// ```
pub trait Prompter: Send + Sync {
    /// Returns the answer, or `None` without one. For [`Prompt::Form`], `form` is what the
    /// server sent to describe it.
    fn answer(&self, prompt: &Prompt, form: &[u8]) -> Option<Vec<u8>>;
}

/// Does what needs no network and what only the caller can do. Each method has a default, which is
/// used without a handler, too.
///
/// ```
/// use std::sync::Arc;
///
/// use locator::plan::LookUp;
/// use locator_fetch::run::FailureKind;
/// use locator_fetch::{Handler, MailMessage, blocking::Fetcher};
///
/// /// Has one message.
/// struct Mailbox;
///
/// impl Handler for Mailbox {
///     fn look_up(
///         &self,
///         what: &LookUp,
///     ) -> Result<Option<MailMessage>, FailureKind> {
///         let is_known = what.message_id.as_deref() == Some(b"1@example.org");
///         Ok(is_known.then(|| MailMessage::new("hello")))
///     }
/// }
///
/// let fetcher = Fetcher::for_user_input().handler(Arc::new(Mailbox));
/// assert_eq!(fetcher.fetch("mid:1@example.org")?.text()?, "hello");
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
pub trait Handler: Send + Sync {
    /// Finds a message, or a part of one; the default has none.
    ///
    /// # Errors
    ///
    /// The messages could not be read.
    fn look_up(&self, _what: &LookUp) -> Result<Option<MailMessage>, FailureKind> {
        Err(FailureKind::NotSupported("looking for a message among those of the user"))
    }

    /// Shows a draft; the octets are the object of the URL. The default returns the draft as a text.
    ///
    /// # Errors
    ///
    /// The draft could not be shown.
    fn draft(&self, draft: &Draft) -> Result<Vec<u8>, FailureKind> {
        Ok(draft_text(draft))
    }

    /// Starts an interactive program, and returns when it has ended. The default starts none.
    ///
    /// # Errors
    ///
    /// The program could not be started.
    fn start(&self, _session: &Session) -> Result<(), FailureKind> {
        Err(FailureKind::NotSupported("starting a program"))
    }
}

/// A message that a [`Handler`] found.
///
/// ```
/// use locator_fetch::MailMessage;
///
/// let message =
///     MailMessage::new("Subject: hello\r\n\r\n").media_type("message/rfc822");
/// assert!(!format!("{message:?}").contains("hello"));
/// ```
#[non_exhaustive]
#[derive(Clone, Default, PartialEq, Eq)]
pub struct MailMessage {
    /// The media type, if it is known.
    pub media_type: Option<String>,
    /// The octets.
    pub octets: Vec<u8>,
}

impl MailMessage {
    /// Creates a message, or a part of one, without a media type.
    #[must_use]
    pub fn new(octets: impl Into<Vec<u8>>) -> Self {
        Self { media_type: None, octets: octets.into() }
    }

    /// Sets the media type.
    #[must_use]
    pub fn media_type(self, media_type: impl Into<String>) -> Self {
        Self { media_type: Some(media_type.into()), ..self }
    }
}

/// Writes the number of its octets.
impl fmt::Debug for MailMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { media_type, octets } = self;
        let mut message = f.debug_struct("MailMessage");
        message.field("media_type", media_type).field("octets", &redact::Octets(octets)).finish()
    }
}

/// Watches the dialogue with a server. The methods must return soon.
///
/// ```
/// use std::sync::Arc;
///
/// use locator_fetch::{Watcher, blocking::Fetcher};
///
/// /// Prints the commands that are sent.
/// struct Commands;
///
/// impl Watcher for Commands {
///     fn sent(&self, message: &str) {
///         eprintln!("> {message}");
///     }
/// }
///
/// let fetcher = Fetcher::for_user_input().watcher(Arc::new(Commands));
/// ```
pub trait Watcher: Send + Sync {
    /// A connection was made, on which this protocol is spoken.
    fn connected(&self, _host: &str, _address: SocketAddr, _protocol: &'static Protocol) {}

    /// A connection that was used before is used again.
    fn reused(&self, _host: &str, _address: SocketAddr, _protocol: &'static Protocol) {}

    /// A data connection was made (FTP).
    fn connected_data(&self, _address: SocketAddr) {}

    /// A connection was secured with TLS.
    fn secured(&self, _host: &str) {}

    /// TLS has agreed on a version and a cipher, and the server has shown its certificate.
    fn agreed(&self, _tls: &TlsDetails) {}

    /// A message is sent; it is shown without its secrets.
    fn sent(&self, _message: &str) {}

    /// Octets were read from the control connection, in any cut. They include the object where that
    /// is on the same connection.
    fn received(&self, _octets: &[u8]) {}

    /// A request of HTTP is sent. The head is shown as HTTP/1.1 has it, with LF and without its secrets.
    fn requested(&self, _head: &str) {}

    /// A redirect leads to another origin, and the next request is sent without this.
    fn withheld(&self, _what: &Withheld) {}

    /// The response to a fetch by HTTP came from this origin, and the login that was given was sent to no
    /// server. An error says so itself.
    fn login_unsent(&self, _origin: &str, _why: &UnsentLogin) {}

    /// The head of a response of HTTP was read.
    fn responded(&self, _response: &ResponseHead) {}

    /// Something was done that the user may not expect, such as sending a password in the clear.
    fn warned(&self, _warning: &str) {}
}

/// The handler of a caller that has none.
pub(crate) struct NoHandler;

impl Handler for NoHandler {}

/// Returns a draft as a message (RFC 5322): header fields, an empty line, and the text.
///
/// ```
/// let fetcher = locator_fetch::blocking::Fetcher::for_user_input();
/// // Without a handler a draft is this text.
/// let draft = fetcher.fetch("mailto:joe@example.org")?.text()?;
/// assert!(draft.starts_with("To: joe@example.org\n"));
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
#[must_use]
pub fn draft_text(draft: &Draft) -> Vec<u8> {
    let to = draft.to.iter().map(|to| (&b"To"[..], to.as_slice()));
    let others = draft.fields.iter().map(|(name, value)| (name.as_slice(), value.as_slice()));
    let mut text = Vec::new();
    for (name, value) in to.chain(others) {
        text.extend([name, b": ", value, b"\n"].concat());
    }
    text.push(b'\n');
    text.extend_from_slice(&draft.body);
    text
}
