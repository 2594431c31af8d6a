//! The server's side of ARDP: takes the packets of a client, returns those of the answer.

/// The packets of an answer that are sent at once.
const WINDOW: usize = 16;

/// A packet of a client.
#[derive(Debug)]
pub(super) struct Packet<'p> {
    pub(super) connection: [u8; 2],
    pub(super) number: usize,
    pub(super) total: usize,
    pub(super) received: usize,
    pub(super) asks: bool,
    pub(super) data: &'p [u8],
}

impl<'p> Packet<'p> {
    /// Reads a datagram; none if it is not a packet.
    pub(super) fn read(datagram: &'p [u8]) -> Option<Self> {
        let length = usize::from(*datagram.first()?);
        let (header, data) = datagram.split_at_checked(length).filter(|_| length >= 3)?;
        let field =
            |at: usize| Some(usize::from(u16::from_be_bytes([*header.get(at)?, *header.get(at + 1)?])));
        Some(Self {
            connection: [header[1], header[2]],
            number: field(3).unwrap_or(1),
            total: field(5).unwrap_or(1),
            received: field(7).unwrap_or(0),
            asks: header.get(11).is_some_and(|flags| flags & 0x80 != 0),
            data,
        })
    }
}

/// A request, and its answer once there is one.
#[derive(Debug, Default)]
pub(super) struct Session {
    request: Vec<u8>,
    taken: usize,
    answer: Option<Vec<Vec<u8>>>,
    /// The packets up to this number have been sent once.
    pub(super) sent: usize,
}

/// What the packet of a client leads to.
pub(super) enum Step {
    /// Nothing is sent.
    Nothing,
    /// These packets of the request are there.
    Acknowledge(usize),
    /// The request is whole.
    Answer,
    /// The client has the packets up to this number.
    Continue(usize),
}

impl Session {
    /// Takes a packet.
    pub(super) fn take(&mut self, packet: &Packet<'_>) -> Step {
        if packet.number == 0 {
            return Step::Continue(packet.received);
        }
        if packet.number == self.taken + 1 {
            self.taken += 1;
            self.request.extend_from_slice(packet.data);
        }
        match (&self.answer, packet.total == self.taken) {
            (Some(_), _) => Step::Continue(packet.received),
            (None, true) => Step::Answer,
            (None, false) if packet.asks => Step::Acknowledge(self.taken),
            (None, false) => Step::Nothing,
        }
    }

    pub(super) fn request(&self) -> &[u8] {
        &self.request
    }

    /// Sets the answer, in packets of this size.
    pub(super) fn answer(&mut self, answer: &[u8], size: usize) {
        let mut packets: Vec<_> = answer.chunks(size).map(<[u8]>::to_vec).collect();
        if packets.is_empty() {
            packets.push(Vec::new());
        }
        self.answer = Some(packets);
    }

    /// Returns the window of packets after those that the client has, and the number of the first.
    pub(super) fn window(&self, connection: [u8; 2], received: usize) -> (usize, Vec<Vec<u8>>) {
        let packets = self.answer.as_deref().unwrap_or_default();
        let window = packets.iter().enumerate().skip(received).take(WINDOW);
        let datagrams = window.map(|(index, data)| {
            let mut datagram = self.header(connection, index + 1, packets.len());
            datagram.extend_from_slice(data);
            datagram
        });
        (received + 1, datagrams.collect())
    }

    /// Writes a header, as short as the server of 1994 did: it does not know how many packets there are
    /// while it sends the first window. The captures have answers of 1 and of 67 packets; that the last
    /// of 2 to 16 packets has their number is a guess.
    fn header(&self, connection: [u8; 2], number: usize, total: usize) -> Vec<u8> {
        if total == 1 {
            return header(connection, &[]);
        }
        let is_last = number == total;
        let known = if number > WINDOW || is_last { total } else { 0 };
        let asks = number.is_multiple_of(WINDOW) && !is_last;
        let fields = [number, known, self.taken, 0].map(|field| field as u16);
        let count = if asks {
            4
        } else if known > 0 {
            3
        } else {
            2
        };
        let mut header = header(connection, &fields[..count]);
        if asks {
            header.push(0x80);
            header[0] += 1;
        }
        header
    }
}

/// Writes a header with these fields after the number of the connection.
pub(super) fn header(connection: [u8; 2], fields: &[u16]) -> Vec<u8> {
    let length = 3 + 2 * fields.len() as u8;
    let mut header = vec![length, connection[0], connection[1]];
    fields.iter().for_each(|field| header.extend(field.to_be_bytes()));
    header
}
