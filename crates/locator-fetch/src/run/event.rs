//! What a run and its driver say to each other: what must happen next, and what happened.

use std::fmt::{self, Debug, Formatter};
use std::net::SocketAddr;

use locator::plan::{Connection, Next, Prompt};

use crate::error::failure::{Failure, FailureKind};
use crate::redact;

/// A connection of a run.
///
/// ```
/// use locator_fetch::run::{Channel, Ending, Event};
///
/// // The data connection of a transfer ended.
/// let event = Event::Ended(Channel::Data, Ending::Fin);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// The connection that messages are sent on.
    Control,
    /// The data connection of a transfer of FTP.
    Data,
}

/// What must happen next. Asking twice changes nothing. `Debug` does not show octets, which may be secrets.
///
/// ```
/// use locator::plan::{self, Options};
/// use locator_fetch::run::{Limits, Run, Want};
///
/// let plan = plan::plan(locator::uri_ref!("whois://h/example"), &Options::new())
///     .unwrap();
/// assert!(
///     matches!(Run::new(plan, Limits::default()).want(), Want::Dial(to) if to.port == 43)
/// );
/// ```
#[non_exhaustive]
pub enum Want<'r> {
    /// Open the control connection; an earlier one is closed first.
    Dial(&'r Connection),
    /// Open the data connection to this port of the control connection's peer.
    DialPeer(u16),
    /// Secure a connection with TLS; the certificate must contain this host.
    Secure(Channel, &'r str),
    /// Send octets on the control connection.
    Send(&'r [u8]),
    /// Read from the control connection, from the data connection, or from the one that has octets.
    Read {
        /// Whether octets of the control connection are wanted.
        control: bool,
        /// Whether octets of the data connection are wanted.
        data: bool,
    },
    /// Send the next octets of the object on the data connection. After the last one, send the end of the
    /// connection, too.
    Upload {
        /// Whether octets of the control connection are wanted, too.
        control: bool,
        /// Whether lines are sent with CR LF at their end.
        is_text: bool,
    },
    /// Send a datagram on the control connection.
    SendDatagram(&'r [u8]),
    /// Read a datagram from the control connection.
    ReadDatagram,
    /// Choose the first of these ways that the policy allows.
    Choose(&'r [Way]),
    /// Ask the user.
    Ask(&'r Prompt),
    /// Make this many random octets.
    Random(usize),
    /// Take octets of the object.
    Give(&'r [u8]),
    /// Close the data connection.
    CloseData,
    /// Nothing more: the run has ended. Both connections are closed.
    Done(&'r Outcome),
}

/// What happened. `Debug` does not show octets, which may be secrets.
///
/// ```
/// use locator_fetch::run::{Channel, Event};
///
/// let event = Event::Octets(Channel::Control, b"PASS secret\r\n");
/// assert!(!format!("{event:?}").contains("secret"));
/// ```
#[non_exhaustive]
#[derive(Clone)]
pub enum Event<'e> {
    /// A connection was made to this address. While datagrams are wanted this means that the server has
    /// another address, because the first refused them.
    Dialled(Channel, SocketAddr),
    /// A connection is secured.
    Secured(Channel),
    /// This many of the octets to send were sent.
    Sent(usize),
    /// This many octets of the object were sent on the data connection; 0 means that they are all sent, and
    /// the end of the connection is.
    Uploaded(usize),
    /// A datagram was read.
    Datagram(&'e [u8]),
    /// The way with this index was chosen.
    Chosen(usize),
    /// Octets were read. They are all taken.
    Octets(Channel, &'e [u8]),
    /// Octets were read from the data connection. They are all taken, without a copy.
    Piece(Vec<u8>),
    /// A connection was ended by its peer.
    Ended(Channel, Ending),
    /// The answer to a prompt, or random octets.
    Answer(&'e [u8]),
    /// This many octets of the object were taken.
    Taken(usize),
    /// The data connection is closed.
    Closed,
    /// Time has passed.
    Time,
    /// A connection could not be made, secured or used.
    Broke(Channel, FailureKind),
}

impl Debug for Want<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (name, value): (_, &dyn Debug) = match self {
            Self::Dial(to) => ("Dial", to),
            Self::DialPeer(port) => ("DialPeer", port),
            Self::Secure(channel, _) => ("Secure", channel),
            Self::Send(octets) => ("Send", &redact::Octets(octets)),
            Self::Read { control, data } => ("Read", &(control, data)),
            Self::Upload { control, is_text } => ("Upload", &(control, is_text)),
            Self::SendDatagram(octets) => ("SendDatagram", &redact::Octets(octets)),
            Self::ReadDatagram => return f.write_str("ReadDatagram"),
            Self::Choose(ways) => ("Choose", ways),
            Self::Ask(prompt) => ("Ask", prompt),
            Self::Random(count) => ("Random", count),
            Self::Give(octets) => ("Give", &redact::Octets(octets)),
            Self::CloseData => return f.write_str("CloseData"),
            Self::Done(outcome) => ("Done", outcome),
        };
        f.debug_tuple(name).field(value).finish()
    }
}

impl Debug for Event<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (name, value): (_, &dyn Debug) = match self {
            Self::Dialled(channel, address) => ("Dialled", &(channel, address)),
            Self::Secured(channel) => ("Secured", channel),
            Self::Sent(count) => ("Sent", count),
            Self::Uploaded(count) => ("Uploaded", count),
            Self::Datagram(octets) => ("Datagram", &redact::Octets(octets)),
            Self::Chosen(index) => ("Chosen", index),
            Self::Octets(channel, octets) => ("Octets", &(channel, redact::Octets(octets))),
            Self::Piece(octets) => ("Piece", &redact::Octets(octets)),
            Self::Ended(channel, ending) => ("Ended", &(channel, ending)),
            Self::Answer(octets) => ("Answer", &redact::Octets(octets)),
            Self::Taken(count) => ("Taken", count),
            Self::Closed => return f.write_str("Closed"),
            Self::Time => return f.write_str("Time"),
            Self::Broke(channel, kind) => ("Broke", &(channel, kind)),
        };
        f.debug_tuple(name).field(value).finish()
    }
}

/// How a peer ended a connection.
///
/// ```
/// use locator_fetch::run::Ending;
///
/// /// Returns whether nobody on the way can have ended the connection.
/// fn is_proven(ending: Ending) -> bool {
///     ending == Ending::Notified
/// }
/// # assert!(!is_proven(Ending::Fin));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A FIN of TCP; under TLS this is an end that was not announced.
    Fin,
    /// A close_notify of TLS (RFC 8446, 6.1).
    Notified,
    /// A RST of TCP.
    Reset,
}

/// How the end of an object is known, from the best to the worst.
///
/// ```
/// use locator_fetch::run::Whole;
///
/// assert!(
///     Whole::Framed < Whole::Confirmed && Whole::Confirmed < Whole::Unverified
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Whole {
    /// By its length, or by a line ".". In a text of Gopher whose own lines may be "." this is the last
    /// line before the end of the connection.
    Framed,
    /// By a reply after the end of the data, or by a close_notify of TLS.
    Confirmed,
    /// The connection ended, and that is all that is known. This includes data connections under TLS
    /// that ended without a close_notify, whatever the server replied.
    Unverified,
}

/// How a run ended.
///
/// ```
/// use locator_fetch::run::Outcome;
///
/// /// Returns how many octets were read.
/// fn length(outcome: &Outcome) -> Option<u64> {
///     if let Outcome::Got { octets, .. } = outcome { Some(*octets) } else { None }
/// }
/// # assert_eq!(length(&Outcome::Redirected("192.0.2.1:1525".parse().unwrap())), None);
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The object was read.
    Got {
        /// How its end is known.
        whole: Whole,
        /// The number of its octets.
        octets: u64,
    },
    /// Another URL leads to the object.
    GoOn(Next),
    /// The server at this address has the object, by the same plan.
    Redirected(SocketAddr),
    /// The object was not read, or not whole.
    Failed(Failure),
}

/// A way to an object, which a server names.
///
/// ```
/// use locator_fetch::run::{Destination, Way};
///
/// /// Returns the first way that needs no other server.
/// fn nearest(ways: &[Way]) -> Option<usize> {
///     ways.iter().position(|way| way.to == Destination::Server)
/// }
/// # assert_eq!(nearest(&[]), None);
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The name of the method, for people.
    pub method: String,
    /// Where it leads.
    pub to: Destination,
}

/// Where a way leads.
///
/// ```
/// use locator_fetch::run::Destination;
///
/// assert_eq!(format!("{:?}", Destination::Server), "Server");
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub enum Destination {
    /// Another URL.
    Url(String),
    /// A URL of a file of this machine. The server must be this machine, and the user must have typed
    /// its URL.
    File(String),
    /// The same server has the object.
    Server,
    /// Nowhere; why.
    Nowhere(String),
}

/// Writes the URL without its secrets.
impl Debug for Destination {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (name, text) = match self {
            Self::Url(url) => ("Url", url.as_str()),
            Self::File(url) => ("File", url.as_str()),
            Self::Server => return f.write_str("Server"),
            Self::Nowhere(why) => ("Nowhere", why.as_str()),
        };
        f.debug_tuple(name).field(&redact::sentence(text)).finish()
    }
}
