//! A server and a network in memory, with their own clock. The server is as simple as ARDP allows: it
//! sends windows of 16 packets, and goes on after an acknowledgement.

use locator_fetch::ardp::{Call, CallError, CallEvent, CallLimits, CallWant, Packet};

/// What becomes of a datagram that the server sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Arrives,
    Lost,
    Doubled,
    /// It comes this many datagrams later.
    Late(u8),
}

pub(crate) struct Server<'s> {
    pub(crate) answer: &'s [u8],
    /// The octets of the answer in a packet.
    pub(crate) packet: usize,
    /// Whether the octets of the connection's number are swapped.
    pub(crate) is_swapped: bool,
    /// What becomes of its datagrams, in order; the rest arrive.
    pub(crate) fates: &'s [Fate],
    /// How many datagrams of the client are lost.
    pub(crate) deaf: usize,
    /// Whether further datagrams of the client are lost, in order; the rest arrive.
    pub(crate) lost: &'s [bool],
}

/// What a call came to.
#[derive(Debug)]
pub(crate) struct Called {
    pub(crate) end: Result<Vec<u8>, CallError>,
    /// The request, as the server has read it.
    pub(crate) request: Vec<u8>,
    pub(crate) sent: usize,
    pub(crate) time: u64,
}

pub(crate) const CONNECTION: u16 = 0x12AB;

impl Server<'_> {
    /// Carries out a call.
    pub(crate) fn call(&self, request: &[u8], limits: CallLimits) -> Called {
        let mut call = Call::new(request, CONNECTION, limits);
        let mut called = Called { end: Ok(Vec::new()), request: Vec::new(), sent: 0, time: 0 };
        let mut line = Line { pending: Vec::new(), sent: 0, fates: self.fates };
        let mut taken: u16 = 0;
        call.handle(CallEvent::Time, 0);
        loop {
            match call.want() {
                CallWant::Done(end) => {
                    called.end = end.cloned_answer(&call);
                    return called;
                }
                CallWant::Send(datagram) => {
                    called.sent += 1;
                    let is_lost = self.lost.get(called.sent - 1).copied().unwrap_or(false);
                    if called.sent > self.deaf && !is_lost {
                        self.take(datagram, &mut taken, &mut called.request, &mut line);
                    }
                    call.handle(CallEvent::Sent, called.time);
                }
                _ => match line.next() {
                    Some(datagram) => call.handle(CallEvent::Datagram(&datagram), called.time),
                    None => {
                        let wake = call.wake_at().unwrap();
                        assert!(wake >= called.time, "the clock goes back");
                        called.time = wake;
                        call.handle(CallEvent::Time, wake);
                    }
                },
            }
        }
    }

    fn take(&self, datagram: &[u8], taken: &mut u16, request: &mut Vec<u8>, line: &mut Line<'_>) {
        let packet = Packet::parse(datagram).unwrap();
        assert_eq!(packet.connection, CONNECTION);
        if packet.number == *taken + 1 {
            *taken += 1;
            request.extend_from_slice(packet.data);
        }
        match packet.number {
            0 => self.send_from(packet.received, line),
            _ if packet.total == Some(*taken) => self.send_from(0, line),
            _ if packet.asks_for_acknowledgement => line.send(acknowledgement(*taken)),
            _ => {}
        }
    }

    /// Sends the window after the packets that the client has. Only its last packet asks for an
    /// acknowledgement: a server that asks twice, and answers each by a window, sends twice as much each
    /// time.
    fn send_from(&self, received: u16, line: &mut Line<'_>) {
        let packets: Vec<_> = self.answer.chunks(self.packet).collect();
        for (index, data) in packets.iter().enumerate().skip(received.into()).take(16) {
            let number = index as u16 + 1;
            let asks = usize::from(number) == usize::from(received) + 16;
            let connection = if self.is_swapped { CONNECTION.swap_bytes() } else { CONNECTION };
            let total = packets.len() as u16;
            line.send(packet(connection, number, total, asks && number < total, data));
        }
    }
}

/// The network from the server to the client.
struct Line<'f> {
    pending: Vec<Vec<u8>>,
    sent: usize,
    fates: &'f [Fate],
}

impl Line<'_> {
    fn send(&mut self, datagram: Vec<u8>) {
        let fate = self.fates.get(self.sent).copied().unwrap_or(Fate::Arrives);
        self.sent += 1;
        match fate {
            Fate::Lost => {}
            Fate::Arrives => self.pending.push(datagram),
            Fate::Doubled => self.pending.extend([datagram.clone(), datagram]),
            Fate::Late(count) => {
                let at = self.pending.len().saturating_sub(count.into());
                self.pending.insert(at, datagram);
            }
        }
    }

    fn next(&mut self) -> Option<Vec<u8>> {
        (!self.pending.is_empty()).then(|| self.pending.remove(0))
    }
}

trait CloneAnswer {
    fn cloned_answer(self, call: &Call) -> Result<Vec<u8>, CallError>;
}

impl CloneAnswer for Result<(), &CallError> {
    fn cloned_answer(self, call: &Call) -> Result<Vec<u8>, CallError> {
        self.map(|()| call.answer().to_vec()).map_err(Clone::clone)
    }
}

/// A packet with all fields.
pub(crate) fn packet(connection: u16, number: u16, total: u16, asks: bool, data: &[u8]) -> Vec<u8> {
    let fields = [connection, number, total, 1, 0].map(u16::to_be_bytes);
    [&[12][..], fields.as_flattened(), &[if asks { 0x80 } else { 0 }], data].concat()
}

fn acknowledgement(received: u16) -> Vec<u8> {
    [&[9][..], [CONNECTION, 0, 0, received].map(u16::to_be_bytes).as_flattened()].concat()
}
