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
//!
//! A call sends a request until there is an answer, and acknowledgements when the server asks for them. Its
//! [`Answer`] takes packets in any order, returns the octets that they contain.

use std::collections::{BTreeMap, VecDeque};
use std::net::{Ipv4Addr, SocketAddrV4};

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
    Redirected(SocketAddrV4),
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

/// The number of octets of a request in one packet.
const PACKET: usize = 1250;

/// The number of packets that are sent before an acknowledgement is waited for.
const WINDOW: usize = 16;

/// What a call waits for, and how much it takes. Times are in milliseconds.
///
/// ```
/// use locator_fetch::ardp::CallLimits;
///
/// assert_eq!(CallLimits::default().silence(), 58_000);
/// assert_eq!(CallLimits::default().tries(3).silence(), 10_000);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallLimits {
    /// After this time without progress a packet is sent again. Each time it is twice as long, up to
    /// `longest_patience`.
    pub patience: u64,
    /// The longest time after which a packet is sent again.
    pub longest_patience: u64,
    /// How often something is sent before the server counts as silent.
    pub tries: u32,
    /// The number of octets of the answer.
    pub octets: usize,
    /// The number of packets that bring nothing.
    pub useless: u32,
    /// How often the server may ask to wait.
    pub waits: u32,
    /// How long it may ask to wait each time.
    pub longest_wait: u64,
}

impl Default for CallLimits {
    fn default() -> Self {
        Self {
            // The reference client waits for 4, 8 and 16 seconds, so a call through a network that loses a
            // quarter of the datagrams often ends without an answer. Fifteen tries in the same time fail
            // once in 200,000 times.
            patience: 2_000,
            longest_patience: 4_000,
            tries: 15,
            octets: 64 << 20,
            useless: 100_000,
            waits: 100,
            longest_wait: 600_000,
        }
    }
}

impl CallLimits {
    /// Sets how often something is sent before the server counts as silent.
    #[must_use]
    pub const fn tries(self, tries: u32) -> Self {
        Self { tries, ..self }
    }

    /// Sets how many octets the answer may have.
    #[must_use]
    pub const fn octets(self, octets: usize) -> Self {
        Self { octets, ..self }
    }

    /// Sets how often the server may ask to wait.
    #[must_use]
    pub const fn waits(self, waits: u32) -> Self {
        Self { waits, ..self }
    }

    /// Returns after how long a server that sends nothing counts as silent.
    #[must_use]
    pub const fn silence(&self) -> u64 {
        let (mut silence, mut tried): (u64, u32) = (0, 0);
        while tried < self.tries && self.wait_after(tried) < self.longest_patience {
            silence = silence.saturating_add(self.wait_after(tried));
            tried += 1;
        }
        let left = (self.tries - tried) as u64;
        silence.saturating_add(self.longest_patience.saturating_mul(left))
    }

    /// Returns how long an answer is waited for after so many earlier tries.
    const fn wait_after(&self, tries: u32) -> u64 {
        let time = self.patience.saturating_mul(1 << if tries < 16 { tries } else { 16 });
        if time < self.longest_patience { time } else { self.longest_patience }
    }
}

/// What must happen next. Asking twice changes nothing.
///
/// ```
/// use locator_fetch::ardp::{Call, CallLimits, CallWant};
///
/// let call = Call::new(b"VERSION\n", 7, CallLimits::default());
/// // It begins with `CallEvent::Time`.
/// assert_eq!(call.want(), CallWant::Wait);
/// ```
#[non_exhaustive]
#[derive(Debug, PartialEq, Eq)]
pub enum CallWant<'c> {
    /// Send this datagram.
    Send(&'c [u8]),
    /// Wait for a datagram, or for the time of [`Call::wake_at`].
    Wait,
    /// Nothing more: there is an answer, or there will be none.
    Done(Result<(), &'c CallError>),
}

/// What happened.
///
/// ```
/// use locator_fetch::ardp::{Call, CallEvent, CallLimits, CallWant};
///
/// let mut call = Call::new(b"VERSION\n", 7, CallLimits::default());
/// call.handle(CallEvent::Time, 0);
/// call.handle(CallEvent::Sent, 0);
/// assert_eq!((call.want(), call.wake_at()), (CallWant::Wait, Some(2_000)));
/// // Nothing has come, so the request is sent again.
/// call.handle(CallEvent::Time, 2_000);
/// assert!(matches!(call.want(), CallWant::Send(_)));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallEvent<'e> {
    /// The datagram was sent, or lost.
    Sent,
    /// A datagram came.
    Datagram(&'e [u8]),
    /// The server has another address, which has received nothing yet.
    Moved,
    /// Time has passed.
    Time,
}

/// A request and its answer. A driver begins with [`CallEvent::Time`].
///
/// These laws hold, whatever a server sends:
///
/// - The answer consists of packets with the number of this connection, in the order of their own
///   numbers, each once.
/// - An acknowledgement is sent when one is asked for, and after a time without progress.
/// - Each datagram is handled in time linear in its octets, and the number of those that bring nothing
///   is limited.
///
/// ```
/// use locator_fetch::ardp::{Call, CallEvent, CallLimits, CallWant};
///
/// let mut call = Call::new(b"VERSION\n", 0x1414, CallLimits::default());
/// call.handle(CallEvent::Time, 0);
/// let CallWant::Send(_request) = call.want() else { panic!() };
/// call.handle(CallEvent::Sent, 0);
/// call.handle(CallEvent::Datagram(b"\x03\x14\x14VERSION 5\n"), 20);
/// assert_eq!(
///     (call.want(), call.answer()),
///     (CallWant::Done(Ok(())), &b"VERSION 5\n"[..])
/// );
/// ```
#[derive(Debug)]
pub struct Call {
    connection: u16,
    limits: CallLimits,
    /// The data of the request, packet by packet.
    request: Vec<Vec<u8>>,
    /// The server has this many packets of the request.
    taken: usize,
    outgoing: VecDeque<Vec<u8>>,
    answer: Answer,
    has_begun: bool,
    tries: u32,
    useless: u32,
    waits: u32,
    /// How long the server asked to wait, if that was the last thing it said.
    pause: u64,
    wake_at: Option<u64>,
    end: Option<Result<(), CallError>>,
    progress: u64,
}

impl Call {
    /// Creates a call. The number of the connection should be random, so that a forged answer has to
    /// guess it.
    #[must_use]
    pub fn new(request: &[u8], connection: u16, limits: CallLimits) -> Self {
        let mut packets: Vec<_> = request.chunks(PACKET).map(<[u8]>::to_vec).collect();
        if packets.is_empty() {
            packets.push(Vec::new());
        }
        let is_too_long = packets.len() > usize::from(u16::MAX);
        Self {
            connection,
            limits,
            request: packets,
            taken: 0,
            outgoing: VecDeque::new(),
            answer: Answer::default(),
            has_begun: false,
            tries: 0,
            useless: 0,
            waits: 0,
            pause: 0,
            wake_at: None,
            end: is_too_long.then_some(Err(CallError::RequestTooLong)),
            progress: 0,
        }
    }

    /// Returns what must happen next.
    #[must_use]
    pub fn want(&self) -> CallWant<'_> {
        match (self.outgoing.front(), &self.end) {
            (Some(datagram), _) => CallWant::Send(datagram),
            (None, Some(end)) => CallWant::Done(end.as_ref().copied()),
            (None, None) => CallWant::Wait,
        }
    }

    /// Returns when the call wants to hear of the time: it sends something again then, or ends.
    #[must_use]
    pub const fn wake_at(&self) -> Option<u64> {
        self.wake_at
    }

    /// Returns for how many milliseconds the server asked to wait, if that was the last thing it said.
    #[must_use]
    pub const fn pause(&self) -> u64 {
        self.pause
    }

    /// Returns the answer, as far as it is there.
    #[must_use]
    pub fn answer(&self) -> &[u8] {
        self.answer.octets()
    }

    /// Returns a number that grows when the server brings the call further.
    #[must_use]
    pub const fn progress(&self) -> u64 {
        self.progress
    }

    /// Takes what happened, and the time in milliseconds.
    pub fn handle(&mut self, event: CallEvent<'_>, now: u64) {
        if let CallEvent::Sent = event {
            self.outgoing.pop_front();
        }
        if self.end.is_some() {
            return;
        }
        if !std::mem::replace(&mut self.has_begun, true) {
            self.send_again(now);
        }
        match event {
            CallEvent::Sent => {}
            CallEvent::Time if self.wake_at.is_some_and(|time| now >= time) => self.send_again(now),
            CallEvent::Time => {}
            CallEvent::Moved => self.begin_anew(now),
            CallEvent::Datagram(datagram) => self.take(datagram, now),
        }
    }

    /// Begins from the start, unless the server has answered.
    fn begin_anew(&mut self, now: u64) {
        if self.answer.received() == 0 {
            (self.taken, self.tries) = (0, 0);
            self.send_again(now);
        }
    }

    fn take(&mut self, datagram: &[u8], now: u64) {
        let packet = Packet::parse(datagram).filter(|packet| packet.is_of(self.connection));
        let has_helped = match packet {
            None => Ok(false),
            Some(packet) => self.take_packet(&packet, now),
        };
        match has_helped {
            Ok(true) => self.progress += 1,
            Ok(false) => self.useless(),
            Err(error) => self.end(Err(error)),
        }
    }

    fn useless(&mut self) {
        self.useless += 1;
        if self.useless > self.limits.useless {
            self.end(Err(CallError::TooMany(self.limits.useless)));
        }
    }

    /// Takes a packet of this connection; returns whether it brought the call further.
    fn take_packet(&mut self, packet: &Packet<'_>, now: u64) -> Result<bool, CallError> {
        match packet.option {
            PacketOption::Refused => return Err(CallError::Refused(packet.data.into())),
            PacketOption::Redirect(to) => return Err(CallError::Redirected(to)),
            PacketOption::Reset => return Ok(self.reset(packet.received, now)),
            PacketOption::None => {}
        }
        let mut has_helped = self.was_taken(packet);
        if packet.number > 0 {
            let limit = self.limits.octets;
            has_helped |= self.answer.add(packet.number, packet.total, packet.data, limit)?;
            self.acknowledge(packet);
            if self.answer.is_whole() {
                self.end(Ok(()));
                return Ok(true);
            }
        }
        if has_helped {
            (self.tries, self.pause) = (1, 0);
            self.wait(self.limits.patience, now);
        }
        if packet.wait > 0 {
            has_helped |= self.take_wait(packet.wait, now)?;
        }
        Ok(has_helped)
    }

    /// The server asks which packets were received.
    fn acknowledge(&mut self, packet: &Packet<'_>) {
        if packet.asks_for_acknowledgement && self.outgoing.len() < WINDOW {
            self.outgoing.push_back(acknowledgement(self.connection, self.answer.received()));
        }
    }

    /// Notes which packets of the request the server has; an answer means all of them.
    fn was_taken(&mut self, packet: &Packet<'_>) -> bool {
        let all = self.request.len();
        let taken = if packet.number > 0 { all } else { usize::from(packet.received).min(all) };
        if taken <= self.taken {
            return false;
        }
        self.taken = taken;
        self.outgoing.clear();
        if taken < all {
            self.send_window();
        }
        true
    }

    /// The server has lost packets of the request.
    fn reset(&mut self, received: u16, now: u64) -> bool {
        let received = usize::from(received);
        self.waits += 1;
        if received >= self.taken || self.answer.received() > 0 || self.waits > self.limits.waits {
            return false;
        }
        self.taken = received;
        self.tries = 0;
        self.send_again(now);
        true
    }

    /// The server asks to wait.
    fn take_wait(&mut self, seconds: u16, now: u64) -> Result<bool, CallError> {
        let time = u64::from(seconds) * 1000;
        if time > self.limits.longest_wait {
            return Err(CallError::WaitsTooLong(seconds));
        }
        self.waits += 1;
        if self.waits > self.limits.waits {
            return Err(CallError::WaitsTooOften(self.limits.waits));
        }
        self.outgoing.clear();
        (self.tries, self.pause) = (0, time);
        self.wait(time, now);
        Ok(true)
    }

    /// Sends what the server lacks: the request, or which packets of the answer were received.
    fn send_again(&mut self, now: u64) {
        if self.tries >= self.limits.tries {
            return self.end(Err(CallError::Silent));
        }
        self.outgoing.clear();
        match self.answer.received() {
            0 => self.send_window(),
            received => self.outgoing.push_back(acknowledgement(self.connection, received)),
        }
        let time = self.limits.wait_after(self.tries);
        self.tries += 1;
        self.wait(time, now);
    }

    /// Sends the packets of the request that the server does not have, at most a window of them. A
    /// server that has all of them is reminded by the last one.
    fn send_window(&mut self) {
        let total = self.request.len();
        let first = self.taken.min(total - 1);
        let last = total.min(first + WINDOW);
        for (index, data) in self.request.iter().enumerate().take(last).skip(first) {
            let asks = index + 1 == last && last < total;
            let (number, total) = (index as u16 + 1, total as u16);
            self.outgoing.push_back(write(self.connection, number, total, asks, data));
        }
    }

    fn wait(&mut self, time: u64, now: u64) {
        self.wake_at = Some(now.saturating_add(time));
    }

    fn end(&mut self, end: Result<(), CallError>) {
        if end.is_err() {
            self.outgoing.clear();
        }
        self.wake_at = None;
        self.end = Some(end);
    }
}

/// The number of octets of a header that a client writes.
const HEADER: usize = 9;

const CONTROL_ONLY: u8 = 0x40;
const PLEASE_ACKNOWLEDGE: u8 = 0x80;

/// A packet of a server.
///
/// ```
/// use locator_fetch::ardp::Packet;
///
/// let packet = Packet::parse(b"\x07\xBB\xBB\x00\x02\x00\x00of a text").unwrap();
/// assert_eq!((packet.connection, packet.number, packet.total), (0xBBBB, 2, None));
/// assert_eq!(packet.data, b"of a text");
/// assert!(Packet::parse(b"VERSION 5").is_none());
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet<'p> {
    /// The number of the connection.
    pub connection: u16,
    /// The number of the packet, from 1; 0 if it is out of sequence.
    pub number: u16,
    /// The number of packets of the message, once the sender knows it.
    pub total: Option<u16>,
    /// All packets up to this number were received.
    pub received: u16,
    /// For how many seconds the client should wait; 0 if the server does not say.
    pub wait: u16,
    /// Whether an acknowledgement is asked for.
    pub asks_for_acknowledgement: bool,
    /// The option.
    pub option: PacketOption,
    /// The data; empty in packets for control only.
    pub data: &'p [u8],
}

/// An option of a packet. Those that a client has no use for are ignored.
///
/// ```
/// use locator_fetch::ardp::{Packet, PacketOption};
///
/// let packet =
///     Packet::parse(b"\x0D\0\x07\0\0\0\0\0\0\0\0\x40\x01too busy").unwrap();
/// assert_eq!(
///     (packet.option, packet.data),
///     (PacketOption::Refused, &b"too busy"[..])
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketOption {
    /// None, or one that is ignored.
    None,
    /// The request is refused.
    Refused,
    /// Packets that were received are lost, and must be sent again.
    Reset,
    /// The request belongs to another server.
    Redirect(SocketAddrV4),
}

impl<'p> Packet<'p> {
    /// Parses a datagram; `None` if it is not a packet of version 0, or if its header is longer than
    /// itself or ends within a field.
    #[must_use]
    pub fn parse(datagram: &'p [u8]) -> Option<Self> {
        let (&first, _) = datagram.split_first()?;
        let length = usize::from(first & 0x3F);
        let is_whole = matches!(length, 1 | 3 | 5 | 7 | 9 | 11 | 12..);
        let (header, data) = datagram.split_at_checked(length).filter(|_| is_whole && first >> 6 == 0)?;
        let number = field(header, 3);
        let flags = header.get(11).copied().unwrap_or_default();
        let total = match (number, field(header, 5)) {
            (None, _) => Some(1),
            (Some(_), total) => total.filter(|&total| total != 0),
        };
        Some(Self {
            connection: field(header, 1).unwrap_or_default(),
            number: if flags & CONTROL_ONLY == 0 { number.unwrap_or(1) } else { 0 },
            total,
            received: field(header, 7).unwrap_or_default(),
            wait: field(header, 9).unwrap_or_default(),
            asks_for_acknowledgement: flags & PLEASE_ACKNOWLEDGE != 0,
            option: PacketOption::parse(header)?,
            data,
        })
    }

    /// Returns whether the packet belongs to a connection: its number in either byte order.
    #[must_use]
    pub const fn is_of(&self, connection: u16) -> bool {
        self.connection == connection || self.connection == connection.swap_bytes()
    }
}

impl PacketOption {
    /// Parses the option of a header; `None` if its fields are missing. The fields of flags are before
    /// those of the option, so these end the header.
    fn parse(header: &[u8]) -> Option<Self> {
        Some(match header.get(12) {
            Some(1) => Self::Refused,
            Some(2) => Self::Reset,
            Some(4 | 5) => {
                let (_, &[a, b, c, d, high, low]) = header.get(13..)?.split_last_chunk()?;
                let port = u16::from_be_bytes([high, low]);
                Self::Redirect(SocketAddrV4::new(Ipv4Addr::new(a, b, c, d), port))
            }
            _ => Self::None,
        })
    }
}

fn field(header: &[u8], at: usize) -> Option<u16> {
    header.get(at..)?.first_chunk().map(|&octets| u16::from_be_bytes(octets))
}

/// Writes a packet of a request.
pub(super) fn write(connection: u16, number: u16, total: u16, asks: bool, data: &[u8]) -> Vec<u8> {
    let mut packet = header(connection, number, total, 0);
    if asks {
        packet.extend_from_slice(&[0, 0, PLEASE_ACKNOWLEDGE]);
        packet[0] = HEADER as u8 + 3;
    }
    packet.extend_from_slice(data);
    packet
}

/// Writes a packet out of sequence that says which packets were received.
fn acknowledgement(connection: u16, received: u16) -> Vec<u8> {
    header(connection, 0, 0, received)
}

fn header(connection: u16, number: u16, total: u16, received: u16) -> Vec<u8> {
    let fields = [connection, number, total, received].map(u16::to_be_bytes);
    [&[HEADER as u8][..], fields.as_flattened()].concat()
}

/// How far beyond the first missing packet others are kept. Servers send 16 at once.
const AHEAD: u16 = 64;

/// The octets of an answer, as far as they are there.
///
/// ```
/// let mut answer = locator_fetch::ardp::Answer::default();
/// answer.add(2, Some(2), b"world", 100)?;
/// answer.add(1, None, b"hello ", 100)?;
/// assert_eq!((answer.octets(), answer.is_whole()), (&b"hello world"[..], true));
/// # Ok::<_, locator_fetch::ardp::CallError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Answer {
    octets: Vec<u8>,
    /// All packets up to this number are in `octets`.
    received: u16,
    /// Packets after the first that is missing.
    later: BTreeMap<u16, Vec<u8>>,
    total: Option<u16>,
}

impl Answer {
    /// Takes a packet. Returns whether it brings something new.
    ///
    /// # Errors
    ///
    /// The packets contradict each other about how many they are, or they are longer than the limit.
    pub fn add(
        &mut self,
        number: u16,
        total: Option<u16>,
        data: &[u8],
        limit: usize,
    ) -> Result<bool, CallError> {
        self.count(number, total)?;
        let is_new =
            number > self.received && number - self.received <= AHEAD && !self.later.contains_key(&number);
        if !is_new {
            return Ok(false);
        }
        self.later.insert(number, data.to_vec());
        while let Some(data) = self.received.checked_add(1).and_then(|next| self.later.remove(&next)) {
            self.received += 1;
            if data.len() > limit - self.octets.len() {
                return Err(CallError::TooLong(limit));
            }
            self.octets.extend(data);
        }
        Ok(true)
    }

    /// Checks the number of a packet, and that of all.
    fn count(&mut self, number: u16, total: Option<u16>) -> Result<(), CallError> {
        let largest = self.later.last_key_value().map_or(self.received, |(&last, _)| last).max(number);
        match (self.total, total) {
            (Some(known), Some(total)) if known != total => return Err(CallError::Garbled),
            (known, total) => self.total = known.or(total),
        }
        if self.total.is_some_and(|total| largest > total) { Err(CallError::Garbled) } else { Ok(()) }
    }

    /// Returns the number of the last packet before which none is missing.
    #[must_use]
    pub const fn received(&self) -> u16 {
        self.received
    }

    /// Returns whether every packet is there.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.total == Some(self.received)
    }

    /// Returns the octets before the first packet that is missing.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }
}
