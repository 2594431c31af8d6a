//! The steps of a plan. Steps contain exchanges, whose replies lead to other steps.
//!
//! What a plan may send: all of its messages, those of the usual course, and the largest number of
//! them. The depth of the tree is that of the program that made it; it does not depend on a URL.
//!
//! Ways to learn the port of a data connection of FTP, and the ports that replies name.
//!
//! Steps that need no network.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};
use core::iter::{Chain, FusedIterator};
use core::{option, slice};

use super::message::{Message, Prompts};
use super::reply::{Meaning, Object, On, Protocol};
use super::request::Request;
use super::text::{Secret, Text};
use crate::error::Redacted;
use crate::pct::{AsciiSet, PctString};

/// A step of a plan.
///
/// ```
/// use locator::plan::Options;
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("gopher://h.example/0a"), &Options::new())?;
/// let names: Vec<_> = plan.steps().map(|step| step.name()).collect();
/// assert_eq!(names, ["connect", "exchange", "receive"]);
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Open a connection; later steps use the connection that was opened last.
    Connect(Connection),
    /// Secure the connection with TLS, for this host. Octets that were read before it are an error
    /// (CVE-2021-22947).
    Secure {
        /// The host name that the server's certificate must contain.
        host: String,
    },
    /// Secure the data connections of later transfers, for the same host (RFC 4217, 9).
    SecureData,
    /// Send a message, and read the reply.
    Exchange(Exchange),
    /// Read the object, on this connection.
    Receive(Object),
    /// Transfer the object over a data connection (FTP), to the client or to the server.
    Transfer(Transfer),
    /// Read the object slice by slice (WAIS).
    Slices(Slices),
    /// Request the object (HTTP).
    Request(Request),
    /// Fetch another URL instead.
    GoOn(Next),
    /// Do what needs no network.
    Local(Local),
}

impl Step {
    /// Returns the name of this step in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Connect(_) => "connect",
            Self::Secure { .. } => "secure",
            Self::SecureData => "secure-data",
            Self::Exchange(_) => "exchange",
            Self::Receive(_) => "receive",
            Self::Transfer(Transfer { direction: Direction::Download, .. }) => "transfer",
            Self::Transfer(_) => "upload",
            Self::Slices(_) => "slices",
            Self::Request(_) => "request",
            Self::GoOn(_) => "go-on",
            Self::Local(_) => "local",
        }
    }

    /// Returns the message that this step sends, if it sends one. A request is sent as an HTTP
    /// client frames it.
    #[must_use]
    pub const fn message(&self) -> Option<&Message> {
        match self {
            Self::Exchange(exchange) => Some(&exchange.send),
            Self::Transfer(transfer) => Some(&transfer.command.send),
            Self::Slices(slices) => Some(&slices.packet),
            Self::Request(request) => Some(request.head()),
            _ => None,
        }
    }

    /// Returns the messages that this step sends, in order, except those of its cases and those that
    /// ask for the port of a data connection.
    pub(super) fn messages(&self) -> MessagesOfStep<'_> {
        let restart = match self {
            Self::Transfer(transfer) => transfer.restart.as_ref(),
            _ => None,
        };
        restart.map(|restart| &restart.exchange.send).into_iter().chain(self.message())
    }

    /// Returns the exchange of this step, if it has one.
    #[must_use]
    pub const fn exchange(&self) -> Option<&Exchange> {
        match self {
            Self::Exchange(exchange) => Some(exchange),
            Self::Transfer(transfer) => Some(&transfer.command),
            _ => None,
        }
    }
}

macro_rules! from {
    ($($type:ident)*) => {$(
        impl From<$type> for Step {
            fn from(step: $type) -> Self {
                Self::$type(step)
            }
        }
    )*};
}

from! { Exchange Transfer Slices Request Local }

impl From<Connection> for Step {
    fn from(to: Connection) -> Self {
        Self::Connect(to)
    }
}

impl From<Object> for Step {
    fn from(object: Object) -> Self {
        Self::Receive(object)
    }
}

impl From<Next> for Step {
    fn from(next: Next) -> Self {
        Self::GoOn(next)
    }
}

/// The endpoint of a connection, and the protocol that is spoken there.
///
/// ```
/// use locator::plan::{Options, Step, Transport};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("gopher://h.example:7070/"), &Options::new())?;
/// let Some(Step::Connect(to)) = plan.steps().next() else {
///     panic!("a plan begins with a connection")
/// };
/// assert_eq!(
///     (to.host.as_str(), to.port, to.transport),
///     ("h.example", 7070, Transport::Tcp)
/// );
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub struct Connection {
    /// The host name or address, without brackets.
    pub host: String,
    /// The port of the server.
    pub port: u16,
    /// The transport protocol.
    pub transport: Transport,
    /// The protocol.
    pub protocol: &'static Protocol,
}

impl Connection {
    /// Creates an endpoint; an IPv6 address has no brackets.
    #[must_use]
    pub fn new(
        host: impl Into<String>,
        port: u16,
        transport: Transport,
        protocol: &'static Protocol,
    ) -> Self {
        Self { host: host.into(), port, transport, protocol }
    }
}

/// Shows the protocol by its name.
impl Debug for Connection {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut connection = f.debug_struct("Connection");
        connection.field("host", &self.host).field("port", &self.port).field("transport", &self.transport);
        connection.field("protocol", &self.protocol.name).finish()
    }
}

crate::as_text::named! {
    /// The transport protocol of a connection.
    ///
    /// ```
    /// use locator::plan::{Options, Step, Transport};
    /// use locator::{scheme, uri};
    ///
    /// let transport = |uri: locator::Uri<'_>| {
    ///     let plan = scheme::plan(uri, &Options::new()).ok()?;
    ///     plan.steps().find_map(|step| {
    ///         if let Step::Connect(to) = step { Some(to.transport) } else { None }
    ///     })
    /// };
    /// assert_eq!(transport(uri!("http://h/")), Some(Transport::Tcp));
    /// assert_eq!(transport(uri!("https://h/")), Some(Transport::Tls));
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Transport {
        /// A byte stream (RFC 9293).
        Tcp = "tcp",
        /// A byte stream that is secured from its first octet (RFC 8446).
        Tls = "tls",
        /// Datagrams (RFC 768).
        Udp = "udp",
    }

    /// Returns the name of this transport.
    pub const fn name;
}

/// Another URL to fetch in place of this one.
///
/// `Debug` shows a URL without its passwords.
///
/// ```
/// use locator::plan::{Next, Options, Step};
/// use locator::{scheme, uri};
///
/// // A server of Prospero says where the object is.
/// let plan = scheme::plan(uri!("prospero://h/a;V=1"), &Options::new())?;
/// let next = plan.steps().find_map(|step| match step {
///     Step::GoOn(next) => Some(next),
///     _ => None,
/// });
/// let Some(Next::AccessMethod { wanted, .. }) = next else { panic!() };
/// assert_eq!(*wanted, [(b"V".to_vec(), b"1".to_vec())]);
/// assert_eq!(next.unwrap().steps().len(), 2);
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub enum Next {
    /// This URL.
    Url(String),
    /// The URL that an attribute ACCESS-METHOD of the answer gives (Prospero). One method is no URL,
    /// and a directory has no method: then other steps read the object.
    AccessMethod {
        /// The name of the object, which methods without a name of their own refer to.
        name: Vec<u8>,
        /// Names and values of the attributes that the object must have: "these fields serve to
        /// identify the target of the URL" (RFC 1738, 3.11).
        wanted: Vec<(Vec<u8>, Vec<u8>)>,
        /// The steps that read the object if the method is PROSPERO-CONTENTS.
        contents: Vec<Step>,
        /// The steps that list a directory, if there is no method, or if the server has no contents.
        list: Vec<Step>,
    },
}

impl Debug for Next {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => f.debug_tuple("Url").field(&Redacted::new(url).to_string()).finish(),
            Self::AccessMethod { name, wanted, contents, list } => {
                let mut method = f.debug_struct("AccessMethod");
                method.field("name", name).field("wanted", wanted);
                method.field("contents", contents).field("list", list).finish()
            }
        }
    }
}

impl Next {
    /// Returns the steps that read the object instead of another URL.
    #[must_use]
    pub fn steps(&self) -> [&[Step]; 2] {
        match self {
            Self::AccessMethod { contents, list, .. } => [contents, list],
            Self::Url(_) => [&[], &[]],
        }
    }
}

/// A message, and the replies to it.
///
/// The message is empty where the server speaks first, as in a greeting; nothing is read where
/// there are no cases.
///
/// ```
/// use locator::plan::{Exchange, Line, Meaning, On, Protocol, ReplyFraming};
/// use locator::scheme::AsciiSet;
///
/// # static FTP: Protocol = Protocol {
/// #     name: "FTP",
/// #     delimiters: AsciiSet::EMPTY,
/// #     line_end: b"\r\n",
/// #     citation: "RFC 959, 5.3",
/// #     replies: ReplyFraming::Lines,
/// #     meanings: &[],
/// # };
/// let mode = Exchange::new(Line::new(&FTP, "TYPE I").end())
///     .next(On::Code(200), Meaning::Done);
/// assert_eq!(mode.case(200, "").unwrap().means, Meaning::Done);
/// assert!(mode.case(504, "").is_none());
/// ```
///
/// ```
/// use locator::plan::{Meaning, Options, Step, Then};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("ftp://h.example/a"), &Options::new())?;
/// let login = plan.steps().filter_map(Step::exchange).nth(1).unwrap();
/// assert_eq!(login.send.shown(), "USER anonymous");
/// // The server asks for a password, so that message comes first.
/// let asked = login.case(331, "").unwrap();
/// assert_eq!(asked.means, Meaning::NeedPassword);
/// assert!(
///     matches!(&asked.then, Then::First(steps) if steps[0].message().is_some())
/// );
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The message that is sent; empty for a greeting.
    pub send: Message,
    /// The replies and what follows each; a reply that is not listed has the meaning that
    /// [`Protocol::meaning`](super::Protocol::meaning) gives it.
    pub cases: Vec<Case>,
}

impl Exchange {
    /// Creates an exchange that sends a message.
    #[must_use]
    pub const fn new(send: Message) -> Self {
        Self { send, cases: Vec::new() }
    }

    /// Creates an exchange in which the server speaks first.
    #[must_use]
    pub const fn greeting() -> Self {
        Self::new(Message::empty())
    }

    /// Adds a reply after which the next step follows.
    #[must_use]
    pub fn next(self, on: On, means: Meaning) -> Self {
        self.on(on, means, Then::Next)
    }

    /// Adds a reply after which these steps come first, then the next step.
    #[must_use]
    pub fn first(self, on: On, means: Meaning, steps: Vec<Step>) -> Self {
        self.on(on, means, Then::First(steps))
    }

    /// Adds a reply, and what follows it.
    #[must_use]
    pub fn on(mut self, on: On, means: Meaning, then: Then) -> Self {
        self.cases.push(Case { on, means, then });
        self
    }

    /// Returns the most exact case that matches a reply, by its code and text.
    #[must_use]
    pub fn case(&self, code: u16, text: &str) -> Option<&Case> {
        Case::of(&self.cases, code, text)
    }
}

/// A kind of reply, its meaning and what follows.
///
/// ```
/// use locator::plan::{Case, Meaning, On, Then};
///
/// let case = |on, means| Case { on, means, then: Then::Next };
/// let cases =
///     [case(On::Class(2), Meaning::Done), case(On::Code(211), Meaning::Empty)];
/// assert_eq!(Case::of(&cases, 211, "").unwrap().means, Meaning::Empty);
/// assert_eq!(Case::of(&cases, 200, "").unwrap().means, Meaning::Done);
/// assert!(Case::of(&cases, 500, "").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The replies that this case is for.
    pub on: On,
    /// The meaning of these replies at this step.
    pub means: Meaning,
    /// What follows.
    pub then: Then,
}

impl Exchange {
    /// Returns the prompts of the message.
    pub fn prompts(&self) -> Prompts<'_> {
        self.send.prompts()
    }
}

impl Case {
    /// Returns the most exact case that matches a reply, by its code and text; the first of equals.
    #[must_use]
    pub fn of<'c>(cases: &'c [Self], code: u16, text: &str) -> Option<&'c Self> {
        let fitting = cases.iter().rev().filter(|case| case.on.fits(code, text));
        fitting.max_by_key(|case| case.on.exactness())
    }
}

/// What follows a reply.
///
/// ```
/// use locator::plan::{Step, Then};
///
/// assert_eq!(Then::Next.steps(), [] as [Step; 0]);
/// assert_eq!(Then::Fail.name(), "fail");
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Then {
    /// The next step.
    Next,
    /// These steps, then the next one.
    First(Vec<Step>),
    /// These steps, then the same exchange once more. The second time this case is an error.
    Retry(Vec<Step>),
    /// These steps in place of all that would follow.
    Instead(Vec<Step>),
    /// These steps in place of all that would follow, if the server accepts the first of them.
    ///
    /// If it refuses that one for good (5xx), the error is this reply, which is about what was
    /// asked for: `RETR` of a file, and not `CWD` to it.
    Attempt(Vec<Step>),
    /// The object is there and has no octets; nothing follows.
    Nothing,
    /// An error, whose kind follows from the meaning.
    Fail,
}

impl Then {
    /// Returns the name of this kind of case in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::First(_) => "first",
            Self::Retry(_) => "retry",
            Self::Instead(_) => "instead",
            Self::Attempt(_) => "attempt",
            Self::Nothing => "nothing",
            Self::Fail => "fail",
        }
    }

    /// Returns the steps of this case.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        match self {
            Self::First(steps) | Self::Retry(steps) | Self::Instead(steps) | Self::Attempt(steps) => steps,
            Self::Next | Self::Nothing | Self::Fail => &[],
        }
    }
}

/// A transfer of FTP (RFC 959, 5.4): a command on the control connection, and the object on a data
/// connection to the same address.
///
/// The address of the data connection is that of the control connection. A reply names only its port, so
/// a server cannot make a client connect to another machine.
///
/// ```
/// use locator::plan::{DataPort, Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("ftp://h/pub/a"), &Options::new())?;
/// let transfer = plan.steps().find_map(|step| match step {
///     Step::Transfer(transfer) => Some(transfer),
///     _ => None,
/// });
/// let transfer = transfer.unwrap();
/// assert_eq!(transfer.ports, [DataPort::Epsv, DataPort::Pasv]);
/// assert_eq!(transfer.command.send.shown(), "RETR a");
/// assert_eq!(transfer.done.len(), 2);
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The ways to learn the port of the data connection. The next one is tried after a refusal, and
    /// after a connection that cannot be made.
    pub ports: &'static [DataPort],
    /// Where the object begins, if its first octets are left out.
    pub restart: Option<Restart>,
    /// The command, and its first reply; a case that goes on means that the object follows.
    pub command: Exchange,
    /// Who sends the object.
    pub direction: Direction,
    /// The number of octets that are wanted, if not all are. After them the data connection is closed,
    /// and any reply ends the transfer.
    pub length: Option<u64>,
    /// The object.
    pub object: Object,
    /// The reply after the object; it may come before the end of the data. Its cases go on, have steps
    /// first, or are errors.
    pub done: Vec<Case>,
}

impl Transfer {
    /// Creates a transfer: EPSV, else PASV (RFC 2428, 3), and "226" or "250" at its end.
    #[must_use]
    pub fn new(command: Exchange, object: Object) -> Self {
        let sent = |code| Case { on: On::Code(code), means: Meaning::Sent, then: Then::Next };
        let done = [sent(226), sent(250)];
        let ports = &[DataPort::Epsv, DataPort::Pasv];
        let direction = Direction::Download;
        Self { ports, restart: None, command, direction, length: None, object, done: done.into() }
    }

    /// Sets who sends the object.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// Sets the number of octets that are wanted.
    #[must_use]
    pub fn length(self, octets: u64) -> Self {
        Self { length: Some(octets), ..self }
    }

    /// Sets where the object begins, if its first octets are left out.
    #[must_use]
    pub fn restart(self, restart: Restart) -> Self {
        Self { restart: Some(restart), ..self }
    }
}

/// Who sends the object of a [`Transfer`].
///
/// ```
/// use locator::plan::{Direction, Options, Step, Upload};
/// use locator::{scheme, uri};
///
/// let options = Options::new().upload(Upload::Store);
/// let plan = scheme::plan(uri!("ftp://h/a"), &options)?;
/// assert!(plan.steps().any(|step| {
///     matches!(step, Step::Transfer(one) if one.direction == Direction::Upload)
/// }));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The server. Its end of the data connection is that of the object.
    Download,
    /// The client, which then closes the data connection. An object of the kind
    /// [`Text`](super::ObjectKind::Text) is sent in lines that end in CR LF.
    Upload,
}

/// The start of a transfer at a later octet of its object (RFC 3659, 5).
///
/// ```
/// use locator::plan::{Options, Resumption, Step};
/// use locator::{scheme, uri};
///
/// let rest = Resumption::From {
///     start: 1_000,
///     length: 5_000,
///     modified: "20260101120000",
/// };
/// let options = Options::new().resumption(rest);
/// let plan = scheme::plan(uri!("ftp://h/a;type=i"), &options)?;
/// let restart = plan.all_steps().find_map(|step| match step {
///     Step::Transfer(transfer) => transfer.restart.as_ref(),
///     _ => None,
/// });
/// let restart = restart.unwrap();
/// assert_eq!(restart.start, 1_000);
/// assert_eq!(restart.exchange.send.shown(), "REST 1000");
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restart {
    /// The number of octets that are left out.
    pub start: u64,
    /// The command `REST`, which is sent directly before that of the transfer: some servers forget it
    /// with any other command. A case that goes on means that the server leaves the octets out.
    pub exchange: Exchange,
}

/// A document of WAIS that is read slice by slice.
///
/// It ends with a slice that is shorter than it was asked for, or with the diagnostic "SF" (out of
/// range).
///
/// Servers of WAIS send a document in messages of a limited size, so a client asks for the octets from 0
/// to 10000, then for those from 10000 to 20000, and so on.
///
/// ```
/// use locator::plan::{Fresh, Hole, Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("wais://h/db/TEXT/1/id"), &Options::new())?;
/// let slices = plan.steps().find_map(|step| match step {
///     Step::Slices(slices) => Some(slices),
///     _ => None,
/// });
/// let slices = slices.unwrap();
/// assert_eq!(slices.slice, 10_000);
/// // The packet for the second slice.
/// let packet = slices.packet.with_input(|hole| match hole {
///     Hole::Fresh(Fresh::SliceStart) => b"0000010000".to_vec(),
///     Hole::Fresh(Fresh::SliceEnd) => b"0000020000".to_vec(),
///     _ => b"0000000002".to_vec(),
/// })?;
/// assert!(packet.windows(10).any(|octets| octets == b"0000020000"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slices {
    /// The packet that asks for a slice; its holes are [`Fresh::SliceStart`](super::Fresh::SliceStart),
    /// [`Fresh::SliceEnd`](super::Fresh::SliceEnd) and
    /// [`Fresh::SliceNumber`](super::Fresh::SliceNumber).
    pub packet: Message,
    /// The number of octets of the first slice; fewer if the server's messages are smaller. Later slices
    /// are as large as those messages allow.
    pub slice: u64,
    /// The number of octets of the document, as the URL says. A slice ends there, and another one
    /// finds out whether the document does: it may have changed.
    pub length: Option<u64>,
    /// The identifier of the document, which the server repeats; empty if any is accepted.
    pub identifier: Vec<u8>,
    /// The document.
    pub object: Object,
}

impl Slices {
    /// The least number of octets of a slice, however small the server's messages are, unless the
    /// plan's own slices are smaller or the slice ends after `length` octets.
    pub const LEAST: u64 = 1_000;

    /// The number of octets of the longest document: the offsets of its slices have ten digits.
    pub const MOST_OCTETS: u64 = 9_999_999_999;

    /// Creates a document that is read in slices of this length.
    #[must_use]
    pub const fn new(packet: Message, slice: u64, length: Option<u64>, object: Object) -> Self {
        Self { packet, slice, length, identifier: Vec::new(), object }
    }

    /// Sets the identifier of the document, which the server repeats.
    #[must_use]
    pub fn identifier(self, identifier: impl Into<Vec<u8>>) -> Self {
        Self { identifier: identifier.into(), ..self }
    }
}

/// Every step of a plan, including those of cases: the result of [`Plan::all_steps`](super::Plan::all_steps).
///
/// ```
/// use locator::plan::{Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("ftp://h/a"), &Options::default())?;
/// assert!(plan.all_steps().any(|step| matches!(step, Step::Transfer(_))));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AllSteps<'p> {
    /// The steps that are left, the next ones last.
    stack: Vec<slice::Iter<'p, Step>>,
}

impl<'p> AllSteps<'p> {
    /// Returns the steps of each list and those of their cases, in the order of their printing.
    pub(super) fn of<const LISTS: usize>(lists: [&'p [Step]; LISTS]) -> Self {
        Self { stack: lists.into_iter().rev().map(<[Step]>::iter).collect() }
    }
}

impl<'p> Iterator for AllSteps<'p> {
    type Item = &'p Step;

    fn next(&mut self) -> Option<&'p Step> {
        let stack = &mut self.stack;
        loop {
            let Some(step) = stack.last_mut()?.next() else {
                stack.pop();
                continue;
            };
            if let Step::Transfer(transfer) = step {
                stack.extend(transfer.done.iter().rev().map(|case| case.then.steps().iter()));
            }
            if let Step::GoOn(next) = step {
                let ways: [_; 2] = next.steps();
                stack.extend(ways.into_iter().rev().map(<[Step]>::iter));
            }
            let cases = step.exchange().into_iter().flat_map(|exchange| exchange.cases.iter().rev());
            stack.extend(cases.map(|case| case.then.steps().iter()));
            if let Step::Transfer(Transfer { restart: Some(restart), .. }) = step {
                stack.extend(restart.exchange.cases.iter().rev().map(|case| case.then.steps().iter()));
            }
            return Some(step);
        }
    }
}

impl FusedIterator for AllSteps<'_> {}

/// The messages that a step sends: that of a restart, and its own.
pub(super) type MessagesOfStep<'p> = Chain<option::IntoIter<&'p Message>, option::IntoIter<&'p Message>>;

/// Returns the messages that are sent if every reply is the first of its exchange that leads on,
/// directly or by steps that come first.
pub(super) fn usual<'p>(
    steps: impl Iterator<Item = &'p Step> + 'p,
) -> Box<dyn Iterator<Item = &'p Message> + 'p> {
    Box::new(steps.flat_map(|step| {
        let first = step.exchange().map_or(&[][..], steps_after);
        step.messages().chain(usual(first.iter()))
    }))
}

/// Returns the steps that come first after a usual reply: those of a login with a password, and of a
/// connection that the server can secure.
fn steps_after(exchange: &Exchange) -> &[Step] {
    let is_usual = |case: &&Case| {
        matches!(case.then, Then::First(_)) && matches!(case.means, Meaning::NeedPassword | Meaning::Done)
    };
    let first = exchange.cases.iter().filter(is_usual);
    first.map(|case| case.then.steps()).next().unwrap_or_default()
}

/// Returns the largest number of messages of steps.
pub(super) fn most(steps: &[Step]) -> u64 {
    let mut rest = 0_u64;
    for step in steps.iter().rev() {
        rest = most_of(step, rest);
    }
    rest
}

/// Returns the largest number of messages of a step and of what follows it, which sends `rest`.
fn most_of(step: &Step, rest: u64) -> u64 {
    match step {
        Step::Exchange(exchange) => most_of_exchange(exchange, 0, rest),
        Step::Transfer(transfer) => {
            let after = transfer.done.iter().map(|case| after(&case.then, rest)).max().unwrap_or(rest);
            let ports = transfer.ports.len() as u64;
            match &transfer.restart {
                None => most_of_exchange(&transfer.command, ports, after.max(rest)),
                Some(restart) => {
                    let transferred = most_of_exchange(&transfer.command, 0, after.max(rest));
                    most_of_exchange(&restart.exchange, ports, transferred)
                }
            }
        }
        Step::Slices(slices) => {
            // One of them may be shorter, because it ends where the URL says that the document does; and
            // one because the server sends less than it has said.
            let least = slices.slice.clamp(1, Slices::LEAST);
            rest.saturating_add(Slices::MOST_OCTETS.div_ceil(least)).saturating_add(2)
        }
        Step::Request(_) => rest.saturating_add(1),
        // Where there are no contents, a directory is listed.
        Step::GoOn(next) => next.steps().into_iter().map(most).fold(0, u64::saturating_add),
        _ => rest,
    }
}

/// Returns the largest number of messages of an exchange and of what follows it; `before` are sent before
/// it each time.
fn most_of_exchange(exchange: &Exchange, before: u64, rest: u64) -> u64 {
    let own = before.saturating_add(u64::from(!exchange.send.is_empty()));
    let others = exchange.cases.iter().filter(|case| !matches!(case.then, Then::Retry(_)));
    let once = others.map(|case| after(&case.then, rest)).max().unwrap_or(rest);
    let retries = exchange.cases.iter().filter(|case| matches!(case.then, Then::Retry(_)));
    // Each retry can be taken once.
    let again = retries.map(|case| most(case.then.steps()).saturating_add(own)).fold(0, u64::saturating_add);
    own.saturating_add(once).saturating_add(again)
}

/// Returns the largest number of messages after a reply.
fn after(then: &Then, rest: u64) -> u64 {
    match then {
        Then::Next | Then::Retry(_) => rest,
        Then::First(steps) => most(steps).saturating_add(rest),
        Then::Instead(steps) | Then::Attempt(steps) => most(steps),
        Then::Nothing | Then::Fail => 0,
    }
}

crate::as_text::named! {
    /// A command of FTP that asks the server for the port of a data connection.
    ///
    /// The address is always that of the control connection's peer; one that a reply names is
    /// ignored.
    ///
    /// ```
    /// use locator::plan::DataPort;
    ///
    /// assert_eq!(
    ///     DataPort::Epsv.port(b"Entering Extended Passive Mode (|||6446|)"),
    ///     Some(6446)
    /// );
    /// assert_eq!(
    ///     DataPort::Pasv.port(b"Entering Passive Mode (10,0,0,1,25,46)"),
    ///     Some(25 * 256 + 46)
    /// );
    /// assert_eq!((DataPort::Epsv.code(), DataPort::Pasv.has_ipv6()), (229, false));
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum DataPort {
        /// `EPSV`, whose reply 229 names the port (RFC 2428, 3).
        Epsv = "EPSV",
        /// `PASV`, whose reply 227 names address and port (RFC 959, 4.1.2); not with IPv6.
        Pasv = "PASV",
    }

    /// Returns the command: `EPSV`.
    pub const fn name;
}

impl DataPort {
    /// Returns whether the command works over IPv6.
    #[must_use]
    pub const fn has_ipv6(self) -> bool {
        matches!(self, Self::Epsv)
    }

    /// Returns the message that asks for the port.
    #[must_use]
    pub fn message(self) -> Message {
        Message::of_line(self.name())
    }

    /// Returns the code of the reply that names the port.
    #[must_use]
    pub const fn code(self) -> u16 {
        match self {
            Self::Epsv => 229,
            Self::Pasv => 227,
        }
    }

    /// Returns the port in the text of a reply; `None` if the text has no port.
    ///
    /// ```
    /// use locator::plan::DataPort;
    ///
    /// assert_eq!(
    ///     DataPort::Epsv.port(b"Entering Extended Passive Mode (|||6446|)"),
    ///     Some(6446)
    /// );
    /// assert_eq!(
    ///     DataPort::Pasv.port(b"Entering Passive Mode (127,0,0,1,25,46)."),
    ///     Some(6446)
    /// );
    /// assert_eq!(DataPort::Epsv.port(b"ok"), None);
    /// ```
    #[must_use]
    pub fn port(self, text: &[u8]) -> Option<u16> {
        let port = match self {
            Self::Epsv => port_of_epsv(text),
            Self::Pasv => port_of_pasv(text),
        };
        port.filter(|&port| port > 0)
    }
}

/// `(<d><d><d><tcp-port><d>)`: the delimiter is a character from 33 to 126 (RFC 2428, 3).
fn port_of_epsv(text: &[u8]) -> Option<u16> {
    let start = text.iter().position(|&octet| octet == b'(')?;
    let (&delimiter, rest) = text.get(start + 1..)?.split_first()?;
    if !(33..=126).contains(&delimiter) || delimiter.is_ascii_digit() {
        return None;
    }
    let digits = rest.strip_prefix(&[delimiter, delimiter])?;
    let end = digits.iter().position(|octet| !octet.is_ascii_digit())?;
    let is_closed = digits.get(end..end + 2) == Some(&[delimiter, b')']);
    number(digits.get(..end)?).filter(|_| is_closed)
}

/// "h1,h2,h3,h4,p1,p2", with or without parentheses: servers differ (RFC 1123, 4.1.2.6).
fn port_of_pasv(text: &[u8]) -> Option<u16> {
    let is_number_octet = |octet: &u8| octet.is_ascii_digit() || *octet == b',';
    let words = text.split(|octet| !is_number_octet(octet));
    words
        .filter_map(|word| {
            let numbers: Vec<_> = word.split(|&octet| octet == b',').map(number::<u8>).collect();
            match numbers[..] {
                [Some(_), Some(_), Some(_), Some(_), Some(high), Some(low)] => {
                    Some(u16::from_be_bytes([high, low]))
                }
                _ => None,
            }
        })
        .next()
}

fn number<N: core::str::FromStr>(digits: &[u8]) -> Option<N> {
    core::str::from_utf8(digits).ok()?.parse().ok()
}

/// A step that needs no network.
///
/// ```
/// use locator::plan::{Local, Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("data:text/plain,hi"), &Options::new())?;
/// let Some(Step::Local(Local::Data { media_type, data })) = plan.steps().next()
/// else {
///     panic!("a data URL contains its data");
/// };
/// assert_eq!((&**media_type, &**data), ("text/plain", &b"hi"[..]));
/// assert_eq!(plan.most_sends(), 0);
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Local {
    /// Read a file of this machine, or list a directory; its name is in octets.
    File {
        /// The name of the file.
        file: Vec<u8>,
    },
    /// Use the data that the URL itself contains.
    Data {
        /// The media type that the URL declares.
        media_type: Text,
        /// The data.
        data: Vec<u8>,
    },
    /// Find a message, or a part of one, among those of the caller.
    LookUp(LookUp),
    /// Show an unsent message to its sender.
    Draft(Draft),
    /// Start an interactive program.
    Start(Session),
}

/// The identifiers of a message, or of a part of one, that the caller may have.
///
/// A `mid` or `cid` URL is not fetched: it refers to a message that the caller has already, such as
/// the one that contains the link (RFC 2392).
///
/// ```
/// use locator::plan::{Local, Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("cid:logo@h.example"), &Options::new())?;
/// let Some(Step::Local(Local::LookUp(wanted))) = plan.steps().next() else {
///     panic!("a cid URL is looked up");
/// };
/// assert_eq!(wanted.message_id, None);
/// assert_eq!(wanted.content_id.as_deref(), Some(&b"logo@h.example"[..]));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookUp {
    /// The identifier of the message, without "<" and ">"; `None` matches any message.
    pub message_id: Option<Vec<u8>>,
    /// The identifier of the part, without "<" and ">"; `None` for the whole message.
    pub content_id: Option<Vec<u8>>,
}

/// A message that has not been sent.
///
/// A `mailto` URL never sends anything: its sender reads the message first (RFC 6068, 7). Header fields
/// that could add recipients or forge a sender are dropped, and named.
///
/// ```
/// use locator::plan::{Local, Options, Step};
/// use locator::{scheme, uri};
///
/// let uri = uri!("mailto:jan@h.example?subject=Hi&bcc=eve@h.example");
/// let plan = scheme::plan(uri, &Options::new())?;
/// let Some(Step::Local(Local::Draft(draft))) = plan.steps().next() else {
///     panic!("a mailto URL is a draft");
/// };
/// assert_eq!(draft.to, [b"jan@h.example"]);
/// assert_eq!(draft.fields, [(b"subject".to_vec(), b"Hi".to_vec())]);
/// assert_eq!(draft.dropped, [b"bcc"]);
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
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

impl Draft {
    /// Returns the draft as a `mailto` URL, in which every octet is percent-encoded that could mean anything to
    /// anybody: a program that gets it reads no field that was dropped.
    ///
    /// ```
    /// use locator::plan::Draft;
    ///
    /// let draft = Draft { to: vec![b"jan@h.example".to_vec()], body: b"a&bcc=b".to_vec(), ..Draft::default() };
    /// assert_eq!(draft.to_url(), "mailto:jan@h.example?body=a%26bcc%3Db");
    /// ```
    #[must_use]
    pub fn to_url(&self) -> String {
        const ADDRESS: AsciiSet = AsciiSet::UNRESERVED.union(AsciiSet::of(b"@"));
        let to: Vec<_> = self.to.iter().map(|to| PctString::encode(to, ADDRESS).into_string()).collect();
        let mut url = format!("mailto:{}", to.join(","));
        let fields = self.fields.iter().map(|(name, value)| (name.as_slice(), value));
        let body = Some((&b"body"[..], &self.body)).filter(|(_, body)| !body.is_empty());
        for (i, (name, value)) in fields.chain(body).enumerate() {
            url.push(if i == 0 { '?' } else { '&' });
            url.push_str(PctString::encode(name, AsciiSet::UNRESERVED).as_str());
            url.push('=');
            url.push_str(PctString::encode(value, AsciiSet::UNRESERVED).as_str());
        }
        url
    }
}

/// A program for an interactive session. Its arguments are passed without a shell, and no argument
/// from the URL begins with "-".
///
/// User and password are not passed to the program: "the `<user>` and `<password>` supplied are advisory
/// only" (RFC 1738, 3.8). Show them, so that the person types them. [`Options::programs`](super::Options)
/// replaces the program.
///
/// ```
/// use locator::plan::{Local, Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("telnet://jan@h.example"), &Options::new())?;
/// let Some(Step::Local(Local::Start(session))) = plan.steps().next() else {
///     panic!("a telnet URL starts a program");
/// };
/// assert_eq!(session.words, ["telnet", "h.example", "23"]);
/// assert_eq!(session.user.as_deref(), Some(&b"jan"[..]));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The user name that the URL suggests, for display.
    pub user: Option<Vec<u8>>,
    /// The password that the URL suggests, for display.
    pub password: Option<Secret>,
}

#[cfg(test)]
mod tests {
    use super::DataPort::{Epsv, Pasv};

    #[test]
    fn ports_of_replies() {
        for (way, text, port) in [
            (Epsv, "Entering Extended Passive Mode (|||30001|)", Some(30001)),
            (Epsv, "(!!!1!) ok", Some(1)),
            (Epsv, "(|||0|)", None),
            (Epsv, "(|||65536|)", None),
            (Epsv, "(|1|127.0.0.1|30001|)", None),
            (Epsv, "(|||30001)", None),
            (Epsv, "(", None),
            (Epsv, "(1111230001)", None),
            (Epsv, "", None),
            (Pasv, "Entering Passive Mode (127,0,0,1,4,1)", Some(1025)),
            (Pasv, "=127,0,0,1,4,1", Some(1025)),
            (Pasv, "Entering Passive Mode 127,0,0,1,4,1", Some(1025)),
            (Pasv, "127,0,0,1,0,0", None),
            (Pasv, "127,0,0,1,256,1", None),
            (Pasv, "127,0,0,1,4", None),
            (Pasv, "", None),
        ] {
            assert_eq!(way.port(text.as_bytes()), port, "{way:?} {text}");
        }
    }
}
