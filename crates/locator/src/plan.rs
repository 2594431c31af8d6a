//! Plans: the steps that fetch what a URL identifies, as data.
//!
//! [`plan()`](crate::scheme::plan) makes a plan from a URL and [`Options`], without a network or a
//! clock; a [`Planner`] does so for one scheme. A plan contains everything
//! that would be sent, what each reply means, and where the object ends, so that it can be printed,
//! tested, refused, and carried out by any program (`spec/plan.md` defines its form as JSON). This
//! crate does not carry it out; the crate `locator-fetch` does.
//!
//! # When
//!
//! - To show what a program would send for a URL, before it sends anything.
//! - To write a client of your own: for an embedded device, for a test, in another language.
//! - To test a protocol without a server: replies are values in the tree.
//!
//! A program that wants the resource, and not the dialogue, uses `locator-fetch`.
//!
//! # How
//!
//! ```
//! use locator::plan::Options;
//! use locator::{scheme, uri};
//!
//! let plan = scheme::plan(uri!("gopher://h.example/0a.txt"), &Options::new())?;
//! assert_eq!(
//!     plan.to_string(),
//!     "connect to h.example, port 70 (tcp)\n  C: a.txt\nread a text until the end of the connection, less a last line \".\"\n"
//! );
//! # Ok::<_, locator::plan::PlanError>(())
//! ```
//!
//! The text is for people. Programs look at the steps:
//!
//! ```
//! use locator::plan::{Options, Step, Transport};
//! use locator::{scheme, uri};
//!
//! let plan = scheme::plan(uri!("https://h.example/a?q"), &Options::new())?;
//! let servers: Vec<_> = plan
//!     .all_steps()
//!     .filter_map(|step| match step {
//!         Step::Connect(to) => {
//!             Some((to.host.as_str(), to.port, to.transport))
//!         }
//!         _ => None,
//!     })
//!     .collect();
//! assert_eq!(servers, [("h.example", 443, Transport::Tls)]);
//! # Ok::<_, locator::plan::PlanError>(())
//! ```
//!
//! # The tree
//!
//! A plan is a tree that only goes forward: it has no variables, expressions and jumps. A step with a
//! reply ([`Exchange`]) has one case for each kind of reply, and a case leads to one of six things
//! ([`Then`]):
//!
//! - to the next step;
//! - to steps that come first, such as a password that is asked for;
//! - to steps and the same exchange once more;
//! - to other steps instead;
//! - to an object without octets, such as an empty directory;
//! - to an error.
//!
//! So there is a largest number of messages that no server can make a client exceed
//! ([`Plan::most_sends`]). What a plan sends is made by [`Line`], [`Message`] and [`Packet`], which check
//! every octet of the URL: a URL cannot end a line and begin a command of its own.
//!
//! # Options
//!
//! What a URL does not say comes from the caller: [`Options::email`] for anonymous FTP,
//! [`Options::news_server`] for `news`, [`Options::proxy`], [`Options::ftp_tls`],
//! [`Options::resumption`] for a file that was fetched in part. The values of prompts (a user, a password,
//! a search) are not options: they are [`Prompt`]s in the plan, and whatever carries it out asks for them
//! when a server does.
//!
//! ```
//! use locator::plan::Options;
//! use locator::{scheme, uri};
//!
//! let uri = uri!("news:comp.infosystems.www");
//! let error = scheme::plan(uri, &Options::new()).unwrap_err();
//! assert!(error.to_string().contains("server"), "{error}");
//! let server = locator::plan::Server { host: "news.example", port: None };
//! let plan = scheme::plan(uri, &Options::new().news_server(server))?;
//! assert!(plan.to_string().starts_with("connect to news.example, port 119"));
//! # Ok::<_, locator::plan::PlanError>(())
//! ```
//!
//! # Pitfalls
//!
//! - A plan is not a permission. It is made for `http://127.0.0.1/` as for any URL; whether a program
//!   may connect there is a question for `locator_audit::Policy`.
//! - A low port of another protocol is an error ([`Options::low_ports`]), because the URL would be read
//!   as commands: `gopher://h:25/` speaks SMTP.
//! - The messages of a plan contain the password of its URL. `Debug` and `Display` hide it; the octets
//!   that are sent do not.
//! - A host with letters beyond ASCII needs the feature `idna`.
//! - A new step or case may be added: match with a last arm that fails.
//!
//! A plan is what the draft of 1993 requires for a new scheme: "a definition of an algorithm for the
//! retrieval of any object within that scheme" ("Registration of naming schemes"). It does not
//! record which scheme made it.

mod dialogue;
mod error;
mod gateway;
mod message;
mod options;
mod reply;
mod request;
mod step;
mod text;

pub use error::PlanError;
pub(crate) use error::check_count;
pub(crate) use gateway::MappedUrl;
pub use gateway::{Gateway, GatewayUrl, TemplateError};
pub use message::{Hole, InputError, Line, Message, MessagePiece, Packet, Prompts};
pub use options::{Listing, Options, Program, Resumption, Server, Tls, TransferMode, Upload};
pub use reply::{ErrorForm, Framing, Meaning, Object, ObjectKind, On, Protocol, ReplyFraming};
pub use request::{Credentials, HttpOrigin, Note, Request, RequestField, RequestValue};
use step::MessagesOfStep;
pub use step::{
    AllSteps, Case, Connection, DataPort, Direction, Draft, Exchange, Local, LookUp, Next, Restart, Session,
    Slices, Step, Then, Transfer, Transport,
};
pub use text::{Fresh, Prompt, Secret, Text};

pub use crate::form::{Syntax, SyntaxError, ValueError};
pub use crate::scheme::{GatewayPlanError, Planner, plan};

use alloc::vec::Vec;
use core::iter::{Chain, Filter, FlatMap};
use core::slice;

use crate::as_text::iterator;

/// The steps that fetch what a URL identifies, in order.
///
/// ```
/// use locator::plan::Options;
/// use locator::{UriRef, edition::RFC1738, scheme};
///
/// let url =
///     UriRef::parse_with("gopher://gopher.dom/7/search%09whales", &RFC1738)?;
/// let plan = scheme::plan(url, &Options::default()).unwrap();
/// assert_eq!(plan.to_bytes(), b"/search\twhales\r\n");
/// assert_eq!(
///     plan.to_string(),
///     "\
/// connect to gopher.dom, port 70 (tcp)
///   C: /search<U+0009>whales
/// read a menu until a line \".\" or the end of the connection
/// "
/// );
/// # Ok::<_, locator::ParseError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Notes for the reader of the plan, which require no action.
    pub notes: Vec<Note>,
    /// The URL of the last gateway that the plan fetches from.
    pub gateway: Option<GatewayUrl>,
    /// The steps that connect, greet and log in. Plans whose sessions are equal may use one
    /// connection, one after the other.
    pub session: Vec<Step>,
    /// The steps that fetch the object.
    pub work: Vec<Step>,
}

impl Plan {
    /// Returns a plan without steps.
    #[must_use]
    pub const fn new() -> Self {
        Self { notes: Vec::new(), gateway: None, session: Vec::new(), work: Vec::new() }
    }

    /// Returns a plan that begins with these steps, which connect, greet and log in.
    #[must_use]
    pub const fn with_session(session: Vec<Step>) -> Self {
        Self { notes: Vec::new(), gateway: None, session, work: Vec::new() }
    }

    /// Adds a note for the reader of this plan.
    #[must_use]
    pub fn note(mut self, note: Note) -> Self {
        self.notes.push(note);
        self
    }

    /// Appends a step to the work of this plan.
    #[must_use]
    pub fn then(mut self, step: impl Into<Step>) -> Self {
        // A step is large, and many plans have one.
        if self.work.is_empty() {
            self.work.reserve_exact(1);
        }
        self.work.push(step.into());
        self
    }

    /// Appends steps to the work of this plan.
    #[must_use]
    pub fn then_all(mut self, steps: impl IntoIterator<Item = Step>) -> Self {
        self.work.extend(steps);
        self
    }

    /// Returns the steps of the session and of the work, in order.
    pub fn steps(&self) -> Steps<'_> {
        Steps(self.session.iter().chain(&self.work))
    }

    /// Returns every step, including those that follow certain replies only, in the order of
    /// `Display`.
    pub fn all_steps(&self) -> AllSteps<'_> {
        AllSteps::of([&self.session, &self.work])
    }

    /// Returns every message that the plan may send, in the order of `Display`, except those that
    /// ask for the port of a data connection, which are named in [`Transfer::ports`].
    pub fn messages(&self) -> Messages<'_> {
        let of_step: fn(&Step) -> MessagesOfStep<'_> = Step::messages;
        Messages(self.all_steps().flat_map(of_step).filter(|message| !message.is_empty()))
    }

    /// Returns the octets that the plan sends if no reply is an error and the server asks for a
    /// password.
    ///
    /// It contains the secrets of the URL, and no input for prompts.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        step::usual(self.steps()).flat_map(|message| message.to_bytes()).collect()
    }

    /// Returns every prompt that the plan may ask, in the order of `Display`.
    pub fn prompts(&self) -> AllPrompts<'_> {
        AllPrompts(self.messages().flat_map(Message::prompts))
    }

    /// Returns the largest number of messages that the plan can send, whatever a server replies.
    ///
    /// The packets of a datagram protocol that are sent again, and the requests after a challenge
    /// of HTTP, are not counted.
    #[must_use]
    pub fn most_sends(&self) -> u64 {
        step::most(&self.session).saturating_add(step::most(&self.work))
    }
}

iterator! {
    /// The steps of the session and of the work of a plan: the result of [`Plan::steps`].
    ///
    /// ```
    /// use locator::plan::{Options, Step};
    /// use locator::{scheme, uri};
    ///
    /// let plan = scheme::plan(uri!("ftp://h/a"), &Options::default())?;
    /// assert!(matches!(plan.steps().next(), Some(Step::Connect(_))));
    /// # Ok::<_, locator::plan::PlanError>(())
    /// ```
    pub struct Steps<'p>(Chain<slice::Iter<'p, Step>, slice::Iter<'p, Step>>) -> &'p Step;
}

iterator! {
    /// Every message that a plan may send: the result of [`Plan::messages`].
    ///
    /// ```
    /// use locator::plan::Options;
    /// use locator::{scheme, uri};
    ///
    /// let plan = scheme::plan(uri!("ftp://h/a"), &Options::default())?;
    /// assert!(plan.messages().any(|message| message.to_bytes() == b"RETR a\r\n"));
    /// # Ok::<_, locator::plan::PlanError>(())
    /// ```
    pub struct Messages<'p>(
        Filter<
            FlatMap<AllSteps<'p>, MessagesOfStep<'p>, fn(&'p Step) -> MessagesOfStep<'p>>,
            fn(&&'p Message) -> bool,
        >
    ) -> &'p Message;
}

iterator! {
    /// Every prompt that a plan may ask: the result of [`Plan::prompts`].
    ///
    /// ```
    /// use locator::plan::Options;
    /// use locator::{scheme, uri};
    ///
    /// let plan = scheme::plan(uri!("ftp://jan@h/a"), &Options::default())?;
    /// assert!(plan.prompts().next().is_some());
    /// # Ok::<_, locator::plan::PlanError>(())
    /// ```
    pub struct AllPrompts<'p>(
        FlatMap<Messages<'p>, Prompts<'p>, fn(&'p Message) -> Prompts<'p>>
    ) -> &'p Prompt;
}
