//! Sessions: a control connection that is logged in, and what is known of it between two runs.

use locator::plan::{Exchange, Line, Meaning, Message, On, Plan, Protocol, ReplyFraming, Step, Then};

use super::event::Outcome;
use super::framing::ControlConnection;
use super::limits::Limits;
use super::state::{Beginning, Purpose, Run, Sending, State};
use crate::error::failure::{FailureKind, Reply};
use crate::protocols::ftp::Directory;

/// What is known of a control connection that is logged in and waits for the next plan.
///
/// [`Run::take_session`] returns it after a run, and [`Run::resume`] begins with it. The plans must have equal
/// sessions: the same server, user, password and security.
///
/// ```
/// use locator::plan::{Options, plan};
/// use locator_fetch::run::{Channel, Event, Limits, Run, Want};
///
/// // The articles of a newsgroup, after another one.
/// let plan = |url| {
///     plan(locator::UriRef::parse(url).unwrap(), &Options::new()).unwrap()
/// };
/// let mut run = Run::new(plan("nntp://h/a.b/1"), Limits::new());
/// run.handle(Event::Dialled(Channel::Control, ([192, 0, 2, 1], 119).into()), 0);
/// for reply in ["200 ready", "211 1 1 1 a.b", "220 1 <1@h>\r\n.", "211 1 1 1 c.d"] {
///     let octets = format!("{reply}\r\n");
///     run.handle(Event::Octets(Channel::Control, octets.as_bytes()), 0);
///     if let Want::Send(octets) = run.want() {
///         let count = octets.len();
///         run.handle(Event::Sent(count), 0);
///     }
///     if let Some(session) = run.take_session() {
///         run = Run::resume(session, plan("nntp://h/c.d/1"), Limits::new()).unwrap();
///         assert_eq!(run.message().unwrap().shown(), "GROUP c.d");
///     }
/// }
/// ```
pub struct Session {
    control: ControlConnection,
    protects_data: bool,
    host: String,
    port: u16,
    directory: Directory,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("host", &self.host).field("port", &self.port).finish_non_exhaustive()
    }
}

impl Session {
    /// Returns the message that ends it: "QUIT" (RFC 959, 4.1.1; RFC 3977, 5.4).
    pub(crate) fn farewell(&self) -> Option<Message> {
        self.control.protocol().map(|protocol| Line::new(protocol, "QUIT").end())
    }

    /// Returns whether FTP is spoken, in which directories that differ cost a command.
    pub(crate) fn is_in_directory_of(&self, plan: &Plan) -> bool {
        self.directory.is_that_of(&plan.work)
    }
}

/// Returns whether the connection of a plan can be used for another one.
pub(crate) fn may_be_resumed(plan: &Plan) -> bool {
    matches!(plan.session.first(), Some(Step::Connect(to)) if ["FTP", "NNTP"].contains(&to.protocol.name))
}

impl Run {
    /// Begins to carry out the work of a plan on a connection that is logged in. Commands that change
    /// nothing are left out: `CWD` to the present directory, and a `TYPE` that is in effect (FTP). To get to
    /// another directory, the run first returns to the one after the login, which the server has named as
    /// the reply to `PWD`.
    ///
    /// Returns `None` if only a new login leads to the directory of the plan.
    #[must_use]
    pub fn resume(session: Session, plan: Plan, limits: Limits) -> Option<Self> {
        let protocol = session.control.protocol()?;
        let start = session.directory.start(protocol, plan.work)?;
        let mut run = Self::with_limits(limits);
        run.beginning = Beginning::Resumed;
        run.control = session.control;
        (run.host, run.port, run.protects_data) = (session.host, session.port, session.protects_data);
        run.directory = session.directory;
        run.steps = start.work.into();
        if start.asks_directory && is_ftp(protocol) {
            run.ask_directory(protocol);
        } else if let Some(message) = start.back {
            let exchange = Exchange::new(message).next(On::Class(2), Meaning::Done);
            run.begin(Sending { exchange, purpose: Purpose::Return });
        }
        run.go_on();
        Some(run)
    }

    /// Sets that the connection is to be used again. After the login, an FTP server is asked for its
    /// directory (`PWD`), so that a later run can return to it.
    #[must_use]
    pub fn keep_session(mut self) -> Self {
        self.asks_directory = true;
        self
    }

    /// Returns whether the session of the plan is complete: the steps of its work are next.
    #[must_use]
    pub const fn is_logged_in(&self) -> bool {
        self.work.is_none()
    }

    /// Returns whether a connection that was used before was of no use: it is closed, or the server ends it,
    /// or does not return to the directory after the login. The same plan can be carried out on a new one.
    #[must_use]
    pub fn needs_login(&self) -> bool {
        let State::Done(Outcome::Failed(failure)) = &self.state else { return false };
        match self.beginning {
            Beginning::Lost => true,
            Beginning::Resumed => match failure.kind {
                FailureKind::CutOff | FailureKind::Reset | FailureKind::NotConnected(_) => true,
                FailureKind::Said(_) => failure.reply.as_ref().is_some_and(ends_session),
                _ => false,
            },
            Beginning::Connected | Beginning::Accepted => false,
        }
    }

    /// Takes the session after the run, if the connection can be used for another plan: the server has
    /// answered everything, and has not closed it.
    #[must_use]
    pub fn take_session(&mut self) -> Option<Session> {
        let is_kept = std::mem::take(&mut self.is_answered) && self.is_logged_in() && !self.is_restarted;
        let is_open = self.control.ending.is_none() && self.control.unread().is_empty();
        if !matches!(self.state, State::Done(_)) || !is_kept || !is_open {
            return None;
        }
        Some(Session {
            control: std::mem::take(&mut self.control),
            protects_data: self.protects_data,
            host: std::mem::take(&mut self.host),
            port: self.port,
            directory: std::mem::take(&mut self.directory),
        })
    }

    /// Ends the steps of the session, and begins with the work; returns whether there was any left.
    pub(super) fn begin_work(&mut self) -> bool {
        let Some(work) = self.work.take() else { return false };
        self.steps = work.into();
        if let Some(protocol) = self.control.protocol().filter(|one| self.asks_directory && is_ftp(one)) {
            self.ask_directory(protocol);
        }
        true
    }

    fn ask_directory(&mut self, protocol: &'static Protocol) {
        let exchange = Exchange::new(Directory::question(protocol)).next(On::Class(2), Meaning::Done);
        let exchange = exchange.next(On::Class(4), Meaning::NotSupported);
        let exchange = exchange.next(On::Class(5), Meaning::NotSupported);
        let exchange = exchange.on(On::Code(421), Meaning::Busy, Then::Fail);
        self.begin(Sending { exchange, purpose: Purpose::Directory });
    }

    /// Notes that the server goes on with a connection that was used before.
    pub(super) fn note_reply(&mut self, reply: &Reply) {
        if self.beginning == Beginning::Resumed && !ends_session(reply) {
            self.beginning = Beginning::Accepted;
        }
    }

    /// Notes what a reply changes in the session.
    pub(super) fn note_session(&mut self, sending: &Sending, reply: &Reply) {
        let is_done = reply.code.is_some_and(|code| code / 100 == 2);
        match sending.purpose {
            Purpose::Directory if reply.code == Some(257) => {
                self.directory.named(&String::from_utf8_lossy(&reply.text));
            }
            Purpose::Directory => self.directory.not_named(),
            Purpose::Return if is_done => self.directory.is_back(),
            Purpose::Return => self.beginning = Beginning::Lost,
            Purpose::Exchange if is_done => self.directory.accepted(&sending.exchange.send),
            // The server may leave octets out of the next transfer, whatever that is.
            Purpose::Restart(_) => self.is_restarted = true,
            _ => {}
        }
    }

    /// Notes that the server refused a command, and waits for the next one.
    pub(super) fn note_refusal(&mut self, sending: &Sending, means: Meaning, reply: &Reply) {
        let is_command = matches!(sending.purpose, Purpose::Exchange | Purpose::Command(_));
        let stays = matches!(means, Meaning::Missing | Meaning::NotSupported | Meaning::Empty);
        self.is_answered = is_command && stays && !ends_session(reply);
    }
}

fn is_ftp(protocol: &Protocol) -> bool {
    protocol.replies == ReplyFraming::Lines
}

/// Returns whether the server closes the connection after a reply (RFC 959, 4.2.2: 421; RFC 3977, 3.2.1:
/// 400).
fn ends_session(reply: &Reply) -> bool {
    matches!(reply.code, Some(400 | 421))
}
