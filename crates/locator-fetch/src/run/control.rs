//! What was read from the control connection and not yet used.

use locator::plan::{Protocol, ReplyFraming};

use super::event::Ending;
use crate::protocols::ftp::reply::{Parsed, Parser};
#[cfg(feature = "wais")]
use crate::protocols::wais::LARGEST_ANSWER;

/// The control connection: what is spoken there, and what was read and not yet used.
#[derive(Debug)]
pub(super) struct Control {
    protocol: Option<&'static Protocol>,
    octets: Vec<u8>,
    /// The octets before this offset are used.
    used: usize,
    parser: Parser,
    pub(super) peer_is_ipv4: bool,
    /// How the peer ended the connection, if it did.
    pub(super) ending: Option<Ending>,
    #[cfg(feature = "wais")]
    /// The largest number of octets of an answer in one packet.
    pub(super) largest_answer: u64,
    #[cfg(feature = "wais")]
    /// Whether the server has said how large its answers may be.
    pub(super) states_largest: bool,
}

impl Default for Control {
    fn default() -> Self {
        Self {
            protocol: None,
            octets: Vec::new(),
            used: 0,
            parser: Parser::default(),
            peer_is_ipv4: false,
            ending: None,
            #[cfg(feature = "wais")]
            largest_answer: LARGEST_ANSWER,
            #[cfg(feature = "wais")]
            states_largest: false,
        }
    }
}

impl Control {
    /// Begins a new connection.
    pub(super) fn open(&mut self, protocol: &'static Protocol) {
        *self = Self { protocol: Some(protocol), ..Self::default() };
    }

    /// Returns the name of the protocol.
    pub(super) fn name(&self) -> &'static str {
        self.protocol.map_or("a server", |protocol| protocol.name)
    }

    pub(super) const fn protocol(&self) -> Option<&'static Protocol> {
        self.protocol
    }

    pub(super) fn add(&mut self, octets: &[u8]) {
        // What is used is moved away when it is the larger part, so each octet is moved once.
        if self.used > self.octets.len() / 2 {
            self.octets.drain(..self.used);
            self.used = 0;
        }
        self.octets.extend_from_slice(octets);
    }

    pub(super) fn unread(&self) -> &[u8] {
        self.octets.get(self.used..).unwrap_or_default()
    }

    /// Marks octets as used.
    pub(super) fn use_up(&mut self, count: usize) {
        self.used = self.octets.len().min(self.used + count);
        self.parser = Parser::default();
    }

    /// Returns how replies are divided.
    pub(super) fn framing(&self) -> ReplyFraming {
        self.protocol.map_or(ReplyFraming::None, |protocol| protocol.replies)
    }

    /// Takes the next reply.
    pub(super) fn take_reply(&mut self, limit: usize) -> Parsed {
        let framing = self.framing();
        #[cfg(feature = "wais")]
        if framing == ReplyFraming::Packets {
            return self.take_init_response(limit);
        }
        let unread = self.octets.get(self.used..).unwrap_or_default();
        let parsed = self.parser.parse(framing, unread, limit);
        if let Parsed::Reply(_, length) = parsed {
            self.use_up(length);
        }
        parsed
    }
}
