//! The state of a run: the steps that are left, what is being done, and how a run ends: what an end of a
//! connection means in each state, and failures with what was being done.

use std::collections::VecDeque;
use std::fmt;

#[cfg(feature = "wais")]
use locator::plan::Slices;
use locator::plan::{Connection, Direction, Exchange, Meaning, Object, Step, Transfer};

#[cfg(feature = "prospero")]
use super::event::Way;
use super::event::{Channel, Ending, Outcome, Whole};
use super::framing::{ControlConnection, Decoder};
use super::limits::{Limits, Speed};
use super::resume::Proof;
use crate::error::failure::{Failure, FailureKind, Reply};
#[cfg(feature = "prospero")]
use crate::protocols::ardp::Call;
use crate::protocols::ftp::{Directory, PortAttempt};
use crate::redact;

/// A plan that is being carried out. It must be a dialogue: a request of HTTP is one of `http`, and what
/// needs no network, such as a file, is read before a run begins. A run of such a plan fails.
///
/// These laws hold, whatever a server sends:
///
/// - Any cut of the octets that were read gives the same run.
/// - It sends the messages of the plan and nothing else, at most
///   [`Plan::most_sends`](locator::plan::Plan::most_sends) of them.
/// - It ends: each event is answered in time linear in its octets, and without recursion.
/// - The octets that it gives are a beginning of the object. The outcome is [`Outcome::Got`] only if the
///   end of the object was seen, or if nothing but the end of the connection shows it, which
///   [`Whole::Unverified`] says.
///
/// ```
/// use locator::plan::{self, Options};
/// use locator_fetch::run::{Limits, Run};
///
/// let plan =
///     plan::plan(locator::uri_ref!("gopher://h/1/"), &Options::new()).unwrap();
/// let run = Run::new(plan, Limits::default());
/// assert!(format!("{run:?}").contains("connecting to h port 70"));
/// ```
pub struct Run {
    pub(super) steps: VecDeque<Step>,
    /// The work of the plan, until its session is complete.
    pub(super) work: Option<Vec<Step>>,
    pub(super) beginning: Beginning,
    /// Whether an FTP server is asked for the directory after the login.
    pub(super) asks_directory: bool,
    pub(super) directory: Directory,
    /// Whether the server has accepted `REST`, and no transfer began after it.
    pub(super) is_restarted: bool,
    /// Whether the run ended after a reply, when the server waited for a command.
    pub(super) is_answered: bool,
    pub(super) state: State,
    pub(super) control: ControlConnection,
    pub(super) limits: Limits,
    /// Octets of the object, of which those before `taken` were taken.
    pub(super) body: Vec<u8>,
    pub(super) taken: usize,
    /// How many octets of the object were read.
    pub(super) octets: u64,
    pub(super) speed: Speed,
    /// The object that is read, or was read last.
    pub(super) object: Option<Object>,
    /// The object that describes a form, for the prompt.
    pub(super) form: Vec<u8>,
    /// How the end of the object is known, once it was read.
    pub(super) whole: Option<Whole>,
    /// The number of octets of the object that the server was asked to leave out, and leaves out.
    pub(super) from: u64,
    /// What the server said of the object.
    pub(super) proof: Proof,
    /// Whether the server said that the object is a directory.
    pub(super) is_directory: bool,
    /// Whether data connections are secured.
    pub(super) protects_data: bool,
    pub(super) host: String,
    pub(super) port: u16,
    #[cfg(feature = "prospero")]
    /// The answer to the last request in datagrams, until it is read.
    pub(super) answer: Vec<u8>,
    #[cfg(feature = "prospero")]
    /// The answer that contains the attributes of an object.
    pub(super) attributes: Vec<u8>,
    /// The reply that led to another attempt, until that one is accepted.
    pub(super) attempted: Option<Failure>,
    #[cfg(feature = "prospero")]
    /// The steps that list a directory, if the server does not have its contents (Prospero).
    pub(super) list: Vec<Step>,
    /// How many replies announced the one that is waited for.
    pub(super) announcements: usize,
    /// When the run fails unless something happens.
    pub(super) deadline: Option<u64>,
    /// When the run fails, whatever happens.
    pub(super) last: Option<u64>,
    /// Whether the present event was one that was waited for.
    pub(super) has_moved: bool,
}

/// Writes what is being done: messages and replies may contain secrets.
impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let during = redact::sentence(&self.during());
        let mut run = f.debug_struct("Run");
        run.field("host", &self.host).field("port", &self.port).field("during", &during);
        run.field("octets", &self.octets).finish_non_exhaustive()
    }
}

/// How a run began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// With a connection of its own.
    Connected,
    /// With a connection that was used before, on which nothing was accepted yet.
    Resumed,
    /// With a connection that was used before; the server goes on with it.
    Accepted,
    /// With a connection that was used before, which does not lead to the directory of the plan.
    Lost,
}

/// What is being done. Each state but `NextStep` waits for an event.
#[derive(Debug)]
pub(super) enum State {
    /// Nothing; the next step is to be taken.
    NextStep,
    Dialling(Connection),
    Securing(String),
    /// The message has holes, of which these are filled.
    Filling(Box<Sending>, Vec<Vec<u8>>),
    /// These octets are sent from the offset on.
    Sending(Box<Sending>, Vec<u8>, usize),
    AwaitingReply(Box<Sending>),
    #[cfg(feature = "prospero")]
    /// These octets are to be sent as datagrams with a random number.
    Numbering(Box<Sending>, Vec<u8>),
    #[cfg(feature = "prospero")]
    Calling(Box<Calling>),
    #[cfg(feature = "prospero")]
    Choosing(Box<Choosing>),
    Receiving(Box<Receiving>),
    #[cfg(feature = "wais")]
    /// The object is the next packet.
    AwaitingAnswer,
    #[cfg(feature = "wais")]
    AwaitingSlice(Box<Slicing>),
    /// A data connection is made to this port.
    DiallingData(Box<PortAttempt>, u16),
    SecuringData(Box<Transferring>),
    Transferring(Box<Transferring>),
    /// The data connection failed; a reply may say why.
    AwaitingReason(Box<Failure>),
    /// The data connection is closed; then these steps are taken, and then those that are left or not.
    ClosingData(Vec<Step>, RemainingSteps),
    Done(Outcome),
}

impl State {
    /// Returns whether a broken control connection ends this state.
    const fn needs_control(&self) -> bool {
        match self {
            Self::Transferring(one) => !one.is_sent,
            Self::ClosingData(..) => false,
            _ => true,
        }
    }
}

/// What becomes of the steps that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RemainingSteps {
    Kept,
    Dropped,
}

/// A message that is sent, and what it is sent for.
#[derive(Debug)]
pub(super) struct Sending {
    pub(super) exchange: Exchange,
    pub(super) purpose: Purpose,
}

/// What a message is sent for.
#[derive(Debug)]
pub(super) enum Purpose {
    /// An exchange of the plan.
    Exchange,
    /// To learn the directory after the login.
    Directory,
    /// To return to that directory.
    Return,
    /// To learn the port of a data connection.
    Port(Box<PortAttempt>),
    /// To leave out the first octets of a transfer, whose data connection is open.
    Restart(Box<Transfer>),
    /// To begin a transfer, whose data connection is open.
    Command(Box<Transfer>),
    #[cfg(feature = "wais")]
    /// To get a slice of a document.
    Slice(Box<Slicing>),
}

#[cfg(feature = "prospero")]
/// A request that waits for its answer.
#[derive(Debug)]
pub(super) struct Calling {
    pub(super) sending: Sending,
    pub(super) call: Call,
}

#[cfg(feature = "prospero")]
/// Ways from which the driver chooses.
#[derive(Debug)]
pub(super) struct Choosing {
    pub(super) ways: Vec<Way>,
    pub(super) contents: Vec<Step>,
    pub(super) list: Vec<Step>,
}

/// An object that is read from the control connection.
#[derive(Debug)]
pub(super) struct Receiving {
    pub(super) decoder: Decoder,
    pub(super) becomes: Becomes,
}

/// What becomes of the octets that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Becomes {
    /// They are those of the object of the URL.
    Body,
    /// They are shown when the form is filled in.
    Form,
    /// They are dropped; this is how many there were.
    Dropped(u64),
}

#[cfg(feature = "wais")]
/// A document that is being read.
#[derive(Debug)]
pub(super) struct Slicing {
    pub(super) slices: Slices,
    /// The number of the request, counted from 1.
    pub(super) number: u64,
    /// The offsets of the slice.
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) size: SliceSize,
    /// The slice before, and how often it was repeated.
    pub(super) last: Vec<u8>,
    pub(super) repeats: u32,
}

/// How many octets of a document are asked for at once.
#[cfg(feature = "wais")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SliceSize {
    /// As many as the plan says, to begin with.
    First,
    /// As many as the server's answers may have.
    Largest,
    /// As many as the plan says: the server sent fewer than its answers may have.
    Least,
}

/// A transfer whose object follows.
#[derive(Debug)]
pub(super) struct Transferring {
    pub(super) transfer: Transfer,
    /// Whether the reply after the object was read.
    pub(super) is_sent: bool,
    /// How the data connection ended, if it did.
    pub(super) end: Option<Ending>,
    /// What follows it before the steps that are left.
    pub(super) after: Vec<Step>,
}

impl Transferring {
    /// Returns whether the object is sent to the server.
    pub(super) fn is_upload(&self) -> bool {
        self.transfer.direction == Direction::Upload
    }
}

impl Run {
    pub(super) fn ended(&mut self, ending: Ending) {
        match self.state {
            State::Dialling(_) => {}
            State::Securing(_) => self.fail(cut_off(ending)),
            State::Sending(..) => self.not_sent(cut_off(ending)),
            _ => self.control.ending = Some(ending),
        }
    }

    pub(super) fn injected(&mut self) {
        self.fail_with(FailureKind::Injected, "setting up TLS".into(), None);
    }

    pub(super) fn broke(&mut self, channel: Channel, kind: FailureKind) {
        match (channel, &self.state) {
            (Channel::Data, State::DiallingData(..)) => self.data_not_dialled(kind),
            (Channel::Data, State::SecuringData(_) | State::Transferring(_)) => self.data_failed(kind),
            (Channel::Data, State::ClosingData(..)) => self.closed(),
            (Channel::Data, State::AwaitingReply(_) | State::AwaitingReason(_)) => {}
            (Channel::Control, State::Sending(..)) => self.not_sent(kind),
            (Channel::Control, State::AwaitingReason(_)) => self.no_reply(kind),
            (Channel::Control, state) if !state.needs_control() => self.control.ending = Some(Ending::Reset),
            _ => self.fail(kind),
        }
    }

    /// Returns what is being done, for people.
    pub(super) fn during(&self) -> String {
        match &self.state {
            State::Dialling(to) => format!("connecting to {} port {}", to.host, to.port),
            State::Securing(host) => format!("setting up TLS with {host}"),
            State::Filling(one, _) | State::Sending(one, ..) => one.sending(),
            #[cfg(feature = "prospero")]
            State::Numbering(one, _) => one.sending(),
            State::AwaitingReply(one) => one.reading(),
            #[cfg(feature = "prospero")]
            State::Calling(one) => one.reading(),
            #[cfg(feature = "prospero")]
            State::Choosing(_) => "choosing an access method".into(),
            State::Receiving(_) => format!("reading {}", self.object_name()),
            #[cfg(feature = "wais")]
            State::AwaitingAnswer | State::AwaitingSlice(_) => format!("reading {}", self.object_name()),
            State::DiallingData(_, port) => format!("opening a data connection to port {port}"),
            State::SecuringData(_) => "setting up TLS on the data connection".into(),
            State::Transferring(one) if one.is_upload() && one.end.is_none() => {
                format!("sending {}", self.object_name())
            }
            State::Transferring(one) if one.end.is_none() => format!("reading {}", self.object_name()),
            State::Transferring(_) => format!("waiting for the reply after {}", self.object_name()),
            State::AwaitingReason(failure) => failure.during.to_string(),
            State::NextStep | State::ClosingData(..) | State::Done(_) => String::new(),
        }
    }

    /// Returns the object for people: `a menu`.
    pub(super) fn object_name(&self) -> &str {
        self.object.as_ref().map_or("the response", |object| object.name.trim_end_matches(','))
    }

    pub(super) fn too_much(&mut self, what: &'static str, limit: u64) {
        self.fail(FailureKind::TooMuch { what, limit });
    }

    pub(super) fn not_supported(&mut self, what: &'static str) {
        self.fail(FailureKind::NotSupported(what));
    }

    pub(super) fn fail(&mut self, kind: FailureKind) {
        self.fail_with(kind, self.during(), None);
    }

    /// The server said no.
    pub(super) fn said(&mut self, means: Meaning, reply: Reply) {
        self.fail_with(FailureKind::Said(means), self.during(), Some(reply));
    }

    pub(super) fn fail_with(&mut self, kind: FailureKind, during: String, reply: Option<Reply>) {
        let failure = Failure { reply, ..Failure::new(kind, during) };
        let is_refused = matches!(failure.kind, FailureKind::Said(_))
            && failure.reply.as_ref().and_then(|reply| reply.code).is_some_and(|code| code / 100 == 5);
        let failure = match self.attempted.take() {
            Some(first) if is_refused => first.before(&failure),
            _ => failure,
        };
        self.finish(Outcome::Failed(failure));
    }

    pub(super) fn finish(&mut self, outcome: Outcome) {
        self.steps.clear();
        self.state = State::Done(outcome);
    }
}

/// Returns the failure of a connection that was ended too early.
pub(super) const fn cut_off(ending: Ending) -> FailureKind {
    match ending {
        Ending::Reset => FailureKind::Reset,
        Ending::Fin | Ending::Notified => FailureKind::CutOff,
    }
}
