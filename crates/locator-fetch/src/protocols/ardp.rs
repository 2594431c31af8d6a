//! ARDP, the Asynchronous Reliable Delivery Protocol: a request and its answer as datagrams. Prospero
//! uses it over UDP.
//!
//! A [`Call`] has no socket and no clock. [`Call::want`] says what must happen next, [`Call::handle`]
//! takes what happened and the time. A packet is a header, whose fields may be left out from the end,
//! and data:
//!
//! | octet | field | if it is left out |
//! |---|---|---|
//! | 0 | version (2 bits, 0), length of the header (6 bits) | |
//! | 1-2 | number of the connection, which the client chooses | 0 |
//! | 3-4 | number of the packet, from 1; 0 for a packet out of sequence | 1 |
//! | 5-6 | number of packets of the message; 0 if it is not known yet | 1 for a message of one packet |
//! | 7-8 | packets up to this number were received | 0 |
//! | 9-10 | seconds that the client should wait; 0 if it may decide | 0 |
//! | 11 | flags: 40 no data, 80 an acknowledgement is asked for; others add fields | 0 |
//! | 12 | option: 1 refused, 2 received packets were lost, 4 and 5 another server | 0 |
//!
//! Numbers are in network byte order. Some servers on little-endian machines swap the octets of the
//! connection's number in the packets that they keep, so a call accepts both.
//!
//! ```
//! use locator_fetch::ardp::{Call, CallEvent, CallLimits, CallWant};
//!
//! let mut call = Call::new(b"VERSION\n", 0x1414, CallLimits::default());
//! call.handle(CallEvent::Time, 0);
//! assert!(matches!(
//!     call.want(),
//!     CallWant::Send(b"\x09\x14\x14\x00\x01\x00\x01\x00\x00VERSION\n")
//! ));
//! call.handle(CallEvent::Sent, 0);
//! call.handle(CallEvent::Datagram(b"\x03\x14\x14VERSION 5 P53.17May94b\n"), 20);
//! let CallWant::Done(Ok(())) = call.want() else { panic!() };
//! assert_eq!(call.answer(), b"VERSION 5 P53.17May94b\n");
//! ```

mod answer;
mod call;
mod packet;

pub use answer::Answer;
pub use call::{Call, CallEvent, CallLimits, CallWant};
pub use packet::{Packet, PacketOption};

/// Why there is no answer.
///
/// ```
/// use locator_fetch::ardp::{Call, CallError, CallEvent, CallLimits, CallWant};
///
/// let mut call = Call::new(b"VERSION\n", 7, CallLimits::default());
/// call.handle(CallEvent::Time, 0);
/// call.handle(
///     CallEvent::Datagram(b"\x0D\0\x07\0\0\0\0\0\0\0\0\x40\x01too busy"),
///     20,
/// );
/// assert_eq!(
///     call.want(),
///     CallWant::Done(Err(&CallError::Refused(b"too busy".to_vec())))
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// The server refused the request; the text that it sent with that.
    Refused(Vec<u8>),
    /// The request belongs to another server.
    Redirected(std::net::SocketAddrV4),
    /// The request has more packets than their numbers can count.
    RequestTooLong,
    /// The server did not answer, or went silent.
    Silent,
    /// The packets contradict each other.
    Garbled,
    /// The answer has more octets than this.
    TooLong(usize),
    /// More than this many packets brought nothing.
    TooMany(u32),
    /// The server asked to wait more often than this.
    WaitsTooOften(u32),
    /// The server asked to wait for this many seconds, which is too long.
    WaitsTooLong(u16),
}
