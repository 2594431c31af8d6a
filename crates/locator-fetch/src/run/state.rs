//! The state of a run: the steps that are left, and what is being done.

use std::collections::VecDeque;
use std::fmt;

#[cfg(feature = "wais")]
use locator::plan::Slices;
use locator::plan::{Connection, Direction, Exchange, Object, Step, Transfer};

use super::control::Control;
#[cfg(feature = "prospero")]
use super::event::Way;
use super::event::{Ending, Outcome, Whole};
use super::framing::Decoder;
use super::limits::Limits;
use super::speed::Speed;
use crate::error::failure::Failure;
#[cfg(feature = "prospero")]
use crate::protocols::ardp::Call;
use crate::protocols::ftp::directory::Directory;
use crate::protocols::ftp::port::PortAttempt;
use crate::redact;
use crate::run::resume::Proof;

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
    pub(super) control: Control,
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
    ClosingData(Vec<Step>, Rest),
    Done(Outcome),
}

impl State {
    /// Returns whether a broken control connection ends this state.
    pub(super) const fn needs_control(&self) -> bool {
        match self {
            Self::Transferring(one) => !one.is_sent,
            Self::ClosingData(..) => false,
            _ => true,
        }
    }
}

/// What becomes of the steps that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
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
