//! Packets of protocols that count octets: every field of a URL is preceded by its length, so that
//! none of its octets can be another field.

use alloc::vec::Vec;

use super::message::{Message, MessagePiece};

/// A builder of a packet.
///
/// ```
/// use locator::plan::Packet;
///
/// // A type, a name with its length in two octets, and a number in four.
/// let packet = Packet::new()
///     .octets(b"\x01")
///     .counted(2, b"motd")
///     .unwrap()
///     .number(4, 7)
///     .unwrap()
///     .end();
/// assert_eq!(packet.to_bytes(), b"\x01\x00\x04motd\x00\x00\x00\x07");
/// assert!(Packet::new().counted(1, &[0; 256]).is_none());
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a packet that is not ended is not sent"]
pub struct Packet {
    octets: Vec<u8>,
}

impl Packet {
    /// Creates an empty packet.
    pub const fn new() -> Self {
        Self { octets: Vec::new() }
    }

    /// Appends octets of the protocol.
    pub fn octets(mut self, octets: &'static [u8]) -> Self {
        self.octets.extend_from_slice(octets);
        self
    }

    /// Appends a number in `width` octets, the most significant first; `None` if it does not fit.
    #[must_use]
    pub fn number(mut self, width: usize, number: u64) -> Option<Self> {
        let octets = number.to_be_bytes();
        let start = octets.len().checked_sub(width)?;
        if octets[..start].iter().any(|&octet| octet != 0) {
            return None;
        }
        self.octets.extend_from_slice(&octets[start..]);
        Some(self)
    }

    /// Appends the number of octets in `width` octets, then the octets; `None` if there are too many.
    #[must_use]
    pub fn counted(self, width: usize, octets: &[u8]) -> Option<Self> {
        let mut counted = self.number(width, octets.len() as u64)?;
        counted.octets.extend_from_slice(octets);
        Some(counted)
    }

    /// Ends the packet and returns it as a message.
    #[must_use]
    pub fn end(self) -> Message {
        Message::packet([MessagePiece::Bytes(self.octets)].into())
    }
}
