//! Plans: the steps that fetch what a URL identifies, public as `locator::plan`.
//!
//! A scheme makes a plan from a URL and [`Options`], without a network or a clock. It takes only
//! what this module can write: [`mod@line`] is the one file that makes what is sent.

mod dialogue;
mod error;
mod gateway;
mod line;
mod options;
mod prompt;

pub use error::PlanError;
pub use gateway::{Gateway, TemplateError};
pub use line::{InputError, Line, Message, MessagePiece, Protocol};
pub use options::{Options, Program, Server, TransferMode};
pub use prompt::Prompt;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};

use crate::error::Hidden;

/// The steps that fetch what a URL identifies, in order.
///
/// ```
/// use locator::plan::Options;
/// use locator::{UriRef, edition::RFC1738, scheme};
///
/// let url = UriRef::parse_with("gopher://gopher.dom/7/search%09whales", &RFC1738)?;
/// let plan = scheme::plan(url, &Options::default()).unwrap();
/// assert_eq!(plan.to_bytes(), b"/search\twhales\r\n");
/// assert_eq!(plan.to_string(), "\
/// connect to gopher.dom, port 70 (tcp)
///   C: /search<TAB>whales
/// read a menu until a line \".\" or the end of the connection
/// ");
/// # Ok::<_, locator::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl Plan {
    /// Returns a plan without steps.
    #[must_use]
    pub const fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// Appends a step to this plan.
    #[must_use]
    pub fn then(mut self, action: Action) -> Self {
        self.steps.push(Step { only_after: None, action });
        self
    }

    /// Appends a step that is executed only if the last reply began with this code.
    #[must_use]
    pub fn then_after(mut self, reply: &'static str, action: Action) -> Self {
        self.steps.push(Step { only_after: Some(reply), action });
        self
    }

    /// Appends the steps of another plan.
    #[must_use]
    pub fn followed_by(mut self, other: Self) -> Self {
        self.steps.extend(other.steps);
        self
    }

    /// Returns all octets that the plan sends, without the user's input.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.messages().flat_map(Message::to_bytes).collect()
    }

    /// Returns every message that the plan sends.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.steps.iter().filter_map(|step| match &step.action {
            Action::Send(message) => Some(message),
            _ => None,
        })
    }

    /// Returns every prompt that must be answered before all messages can be sent.
    pub fn prompts(&self) -> impl Iterator<Item = &Prompt> {
        self.steps.iter().filter_map(|step| match &step.action {
            Action::Ask(question) => Some(question),
            _ => None,
        })
    }
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The code that the last reply must begin with; otherwise the step is skipped.
    pub only_after: Option<&'static str>,
    /// The action of this step.
    pub action: Action,
}

/// The action of a step.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Open a connection; later messages are sent and received over it.
    Connect(Connection),
    /// Secure the current connection with TLS, for this host.
    Secure {
        /// The host name that the server's certificate must contain.
        host: String,
    },
    /// Send this message.
    Send(Message),
    /// Read a reply, which must be one of these.
    Expect(&'static [Reply]),
    /// Ask for something that the URL does not contain.
    Ask(Prompt),
    /// Open a data connection to a port that the server names: `EPSV`, or `PASV` where the server
    /// does not support that.
    OpenData,
    /// Read the requested data.
    Receive(Response),
    /// Read a file of the local machine; its name is in octets.
    Read {
        /// The name of the file.
        file: Vec<u8>,
    },
    /// Use the data that the URL itself contains.
    InlineData {
        /// The media type that the URL declares.
        media_type: String,
        /// The data.
        data: Vec<u8>,
    },
    /// Find a message, or a part of one, among those of the caller.
    LookUp(LookUp),
    /// Show an unsent message to its sender.
    Draft(Draft),
    /// Start an interactive program.
    Start(Session),
    /// Continue with this URL.
    Redirect {
        /// The next URL.
        url: String,
    },
    /// Continue with a URL that the answer contains, in the words of the protocol.
    RedirectWithInput {
        /// The place of the URL in the answer.
        access: &'static str,
    },
    /// Repeat the next steps until the object has ended; skip them if it already has.
    Repeat {
        /// The number of steps to repeat.
        steps: usize,
        /// The condition that ends the repetition.
        until: &'static str,
    },
    /// A note for the reader of the plan; it requires no action.
    Remark(String),
}

/// The endpoint of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The host name or address, without brackets.
    pub host: String,
    /// The port of the server.
    pub port: u16,
    /// The transport protocol.
    pub transport: Transport,
}

/// The transport protocol of a connection.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A byte stream (RFC 9293).
    Tcp,
    /// A byte stream that is secured from its first octet (RFC 8446).
    Tls,
    /// Datagrams (RFC 768).
    Udp,
}

impl Transport {
    /// Returns the name of this transport.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tcp => "tcp",
            Self::Tls => "tls",
            Self::Udp => "udp",
        }
    }
}

/// A reply that a server may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The code that the reply begins with: `220`.
    pub code: &'static str,
    /// The meaning of the reply.
    pub means: &'static str,
}

/// A response and its framing. It begins after what was read before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// The content of the response: "a menu".
    pub what: &'static str,
    /// The framing of the response, which determines its end.
    pub end: Framing,
}

/// The framing of a response, which determines where it ends.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// The response ends when the connection closes.
    Connection,
    /// The response ends when the data connection closes.
    DataConnection,
    /// The response ends before a line that is "." alone. A "." that was added to the beginning of
    /// any other line is removed.
    Dot,
    /// The response ends before a line "." or when the connection closes: servers differ. No "." is
    /// removed from a line.
    DotOrConnection,
    /// The first line determines the framing: `+` and the number of octets, `+-1` for a line ".",
    /// `+-2` for the connection's end, `-` for an error instead (Gopher+).
    GopherPlus,
    /// HTTP framing (RFC 9112, section 6.3).
    Http,
    /// The response is a single answer of the server.
    Answer,
}

impl Framing {
    /// Returns the name of this framing in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::DataConnection => "data-connection",
            Self::Dot => "dot",
            Self::DotOrConnection => "dot-or-connection",
            Self::GopherPlus => "gopher-plus",
            Self::Http => "http-framing",
            Self::Answer => "answer",
        }
    }
}

/// The identifiers of a message, or of a part of one, that the caller may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookUp {
    /// The identifier of the message, without "<" and ">"; `None` matches any message.
    pub message_id: Option<Vec<u8>>,
    /// The identifier of the part, without "<" and ">"; `None` for the whole message.
    pub content_id: Option<Vec<u8>>,
}

/// A message that has not been sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The addresses of the recipients.
    pub to: Vec<Vec<u8>>,
    /// The other header fields, names and values.
    pub fields: Vec<(Vec<u8>, Vec<u8>)>,
    /// The text of the message.
    pub body: Vec<u8>,
    /// The names of the header fields that were dropped because they could do harm.
    pub dropped: Vec<Vec<u8>>,
}

/// A program for an interactive session. Its arguments are passed without a shell, and no argument
/// from the URL begins with "-".
#[derive(Clone, PartialEq, Eq)]
pub struct Session {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The user name that the URL suggests, for display.
    pub user: Option<Vec<u8>>,
    /// The password that the URL suggests, for display.
    pub password: Option<Vec<u8>>,
}

impl Debug for Session {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut session = f.debug_struct("Session");
        session.field("words", &self.words).field("user", &self.user);
        session.field("password", &self.password.as_ref().map(|_| Hidden)).finish()
    }
}
