//! Packets of ARDP: takes a datagram, returns its header and its data; and writes those of a client.

use std::net::{Ipv4Addr, SocketAddrV4};

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
pub(super) fn acknowledgement(connection: u16, received: u16) -> Vec<u8> {
    header(connection, 0, 0, received)
}

fn header(connection: u16, number: u16, total: u16, received: u16) -> Vec<u8> {
    let fields = [connection, number, total, received].map(u16::to_be_bytes);
    [&[HEADER as u8][..], fields.as_flattened()].concat()
}
