//! What was read from the control connection and not yet used.

use locator::plan::{Protocol, ReplyFraming};

use super::reply::{self, Parsed, Reply};

/// The control connection: what is spoken there, and what was read and not yet used.
#[derive(Debug, Default)]
pub(super) struct Control {
    protocol: Option<&'static Protocol>,
    unread: Vec<u8>,
    /// The octets before this offset contain no whole reply, so that a long one is not read again for
    /// each piece that arrives.
    seen: usize,
    pub(super) peer_is_ipv4: bool,
    pub(super) has_ended: bool,
}

impl Control {
    /// Begins a new connection.
    pub(super) fn open(&mut self, protocol: &'static Protocol) {
        *self = Self { protocol: Some(protocol), ..Self::default() };
    }

    pub(super) const fn protocol(&self) -> Option<&'static Protocol> {
        self.protocol
    }

    pub(super) fn add(&mut self, octets: &[u8]) {
        self.unread.extend_from_slice(octets);
    }

    pub(super) const fn has_unread(&self) -> bool {
        !self.unread.is_empty()
    }

    pub(super) const fn unread(&self) -> usize {
        self.unread.len()
    }

    /// Takes everything that was read and not used.
    pub(super) fn take_all(&mut self) -> Vec<u8> {
        self.seen = 0;
        std::mem::take(&mut self.unread)
    }

    /// Takes the next reply; `Ok(None)` if it is not there yet.
    pub(super) fn take_reply(&mut self) -> Result<Option<Reply>, ()> {
        let framing = self.protocol.map_or(ReplyFraming::None, |protocol| protocol.replies);
        // A reply ends with a line, so nothing is new without an LF; but a wrong one is seen early.
        if self.seen > 3 && !self.unread[self.seen..].contains(&b'\n') {
            self.seen = self.unread.len();
            return Ok(None);
        }
        match reply::parse(framing, &self.unread) {
            Parsed::Reply(reply, length) => {
                self.unread.drain(..length);
                self.seen = 0;
                Ok(Some(reply))
            }
            Parsed::Unfinished => {
                self.seen = self.unread.len();
                Ok(None)
            }
            Parsed::Wrong => Err(()),
        }
    }
}
