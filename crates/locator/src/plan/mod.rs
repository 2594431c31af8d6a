//! Plans: what would be done to fetch what a URL identifies, step by step.
//!
//! A plan is made by a scheme from a URL and [`Options`], with no network and no clock, and says all that
//! would go over the wire, so that it can be printed, tested and refused; carrying it out is another
//! crate's. It is "a definition of an algorithm for the retrieval of any object within that scheme", as
//! "Registration of naming schemes" of the draft of 1993 asks for. Who made it a plan does not know.

mod dialogue;
mod error;
mod gateway;
mod line;
mod options;

pub use crate::form::{Syntax, SyntaxError};
pub use error::PlanError;
pub use gateway::{Gateway, TemplateError};
pub use line::{InputError, Line, Message, MessagePiece, Protocol};
pub use options::{Options, Program, Server, TransferMode};

use alloc::string::String;
use alloc::vec::Vec;

/// What would be done, in order.
///
/// ```
/// use locator::plan::Options;
/// use locator::{UriRef, edition::RFC1738, scheme};
///
/// let url = UriRef::parse_with("gopher://gopher.dom/7/search%09whales", &RFC1738)?;
/// let plan = scheme::plan(url, &Options::default()).unwrap();
/// assert_eq!(plan.octets(), b"/search\twhales\r\n");
/// assert_eq!(plan.to_string(), "\
/// connect to gopher.dom, port 70 (tcp)
///   C: /search<TAB>whales
/// read a menu until a line \".\" or the end of the connection
/// ");
/// # Ok::<_, locator::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The steps.
    pub steps: Vec<Step>,
}

impl Plan {
    /// One with nothing to do yet.
    pub const fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// The same with one more thing to do.
    #[must_use]
    pub fn then(mut self, action: Action) -> Self {
        self.steps.push(Step { only_after: None, action });
        self
    }

    /// The same with one more thing to do if the last reply was this one.
    #[must_use]
    pub fn then_after(mut self, reply: &'static str, action: Action) -> Self {
        self.steps.push(Step { only_after: Some(reply), action });
        self
    }

    /// The same with the steps of another behind it.
    #[must_use]
    pub fn followed_by(mut self, other: Self) -> Self {
        self.steps.extend(other.steps);
        self
    }

    /// Everything that is sent, octet by octet; what a person is asked for is left out.
    pub fn octets(&self) -> Vec<u8> {
        self.messages().flat_map(Message::octets).collect()
    }

    /// Every message that is sent.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.steps.iter().filter_map(|step| match &step.action {
            Action::Send(message) => Some(message),
            _ => None,
        })
    }

    /// What a person, or the program for him, must answer before all can be sent.
    pub fn prompts(&self) -> impl Iterator<Item = &Prompt> {
        self.steps.iter().filter_map(|step| match &step.action {
            Action::Ask(question) => Some(question),
            _ => None,
        })
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The step is taken only if the last reply began with this code; otherwise it is left out.
    pub only_after: Option<&'static str>,
    /// What is done.
    pub action: Action,
}

/// What is done in a step.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Connect; what is sent and read afterwards goes over this connection.
    Connect(Connection),
    /// Secure the connection that there is with TLS, for this host.
    Secure {
        /// The name that the server's certificate must have.
        host: String,
    },
    /// Send this.
    Send(Message),
    /// Read a reply, which must be one of these.
    Expect(&'static [Reply]),
    /// Ask for something that the URL does not say.
    Ask(Prompt),
    /// Let the server name a port for the data, and connect to it: `EPSV`, or `PASV` where the server does
    /// not know that.
    OpenData,
    /// Read what was asked for.
    Receive(Response),
    /// Take what a file of this machine holds; its name in octets.
    Read {
        /// The name.
        file: Vec<u8>,
    },
    /// The object itself, which is in the URL.
    InlineData {
        /// What kind of data it is, as the URL says.
        media_type: String,
        /// The data.
        data: Vec<u8>,
    },
    /// Look for a message, or a part of one, among those that the caller has.
    LookUp(LookUp),
    /// Show a message that is not sent yet to who would send it.
    Draft(Draft),
    /// Start an interactive program.
    Start(Session),
    /// Go on with this URL.
    Redirect {
        /// The URL.
        url: String,
    },
    /// Go on with a URL that the answer gives, in the words of the protocol.
    RedirectWithInput {
        /// Where the answer says it.
        access: &'static str,
    },
    /// Take the next steps again and again until the object has ended; none of them if it has already.
    Repeat {
        /// How many steps.
        steps: usize,
        /// When it has ended.
        until: &'static str,
    },
    /// Nothing is done; who reads the plan should know this.
    Remark(String),
}

/// A connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// A name or an address, without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
    /// How.
    pub transport: Transport,
}

/// How octets are carried.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A stream (RFC 9293).
    Tcp,
    /// A stream secured from its first octet on (RFC 8446).
    Tls,
    /// Datagrams (RFC 768).
    Udp,
}

impl Transport {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tcp => "tcp",
            Self::Tls => "tls",
            Self::Udp => "udp",
        }
    }
}

/// A reply that a server may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// With what it begins: `220`.
    pub code: &'static str,
    /// What that means.
    pub means: &'static str,
}

/// Something that the URL does not say.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// The password of a user; the octets of his name.
    Password {
        /// The user.
        user: Vec<u8>,
    },
    /// The account that a server asks for besides.
    Account,
    /// The e-mail address of who fetches.
    Email,
    /// The fields of a form, each a line.
    Form,
    /// A number that nobody can guess, made anew each time: sixteen random octets in base64.
    Nonce,
    /// The octet of a document at which the next slice begins, counted from 0.
    SliceStart,
    /// The one behind its last.
    SliceEnd,
}

impl Prompt {
    /// The word for it in JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Password { .. } => "password",
            Self::Account => "account",
            Self::Email => "email",
            Self::Form => "form",
            Self::Nonce => "nonce",
            Self::SliceStart => "slice-start",
            Self::SliceEnd => "slice-end",
        }
    }

    /// How many digits its answer has where a packet has counted them before it was known; what is missing
    /// of them is filled up with "0" from the left.
    pub(crate) const fn digits(&self) -> Option<usize> {
        match self {
            Self::SliceStart | Self::SliceEnd => Some(10),
            _ => None,
        }
    }
}

/// What is read, and where it ends. It begins behind what was read before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// What it is: "a menu".
    pub what: &'static str,
    /// Where it ends.
    pub end: Framing,
}

/// Where an object ends.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Where the connection does.
    Connection,
    /// Where the data connection does.
    DataConnection,
    /// Before a line that is "." alone; one more "." at the beginning of any other line is not the object's.
    Dot,
    /// Before a line "." or where the connection ends: servers differ. No "." is taken away from a line.
    DotOrConnection,
    /// As a first line says: `+` and the number of octets, `+-1` for a line ".", `+-2` for the
    /// connection's end, `-` for an error instead (Gopher+).
    GopherPlus,
    /// As HTTP frames it (RFC 9112, section 6.3).
    Http,
    /// With the server's one answer.
    Answer,
}

impl Framing {
    /// The word for it in JSON.
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

/// A message or a part of one that the caller may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookUp {
    /// The message's identifier, without "<" and ">"; `None` if any message will do.
    pub message_id: Option<Vec<u8>>,
    /// The part's identifier, likewise; `None` if the whole message is meant.
    pub content_id: Option<Vec<u8>>,
}

/// A message that has not been sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// To whom.
    pub to: Vec<Vec<u8>>,
    /// The header fields besides, name and value.
    pub fields: Vec<(Vec<u8>, Vec<u8>)>,
    /// The text.
    pub body: Vec<u8>,
    /// The names of the fields that were asked for and are not taken over, for they could do harm.
    pub dropped: Vec<Vec<u8>>,
}

/// A program that is started for an interactive session. Its words are handed over as they are; no shell
/// reads them, and none of them that is the URL's begins with "-".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The program and its words.
    pub words: Vec<String>,
    /// The user that the URL advises, to be shown.
    pub user: Option<Vec<u8>>,
    /// The password that the URL advises, to be shown.
    pub password: Option<Vec<u8>>,
}
