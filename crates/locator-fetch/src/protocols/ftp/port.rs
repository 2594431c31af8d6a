//! The port of a data connection: takes the replies to `EPSV` and `PASV`, returns the port, or the way to
//! try next (RFC 2428, section 3; RFC 959, section 4.1.2).

use locator::plan::{DataPort, Meaning, Transfer};

use crate::error::failure::{Failure, FailureKind, Reply};

/// An attempt to open the data connection of a transfer.
#[derive(Debug)]
pub(crate) struct PortAttempt {
    pub(crate) transfer: Transfer,
    /// The index of the way to learn the port that is tried.
    way: usize,
    /// Why the last way failed.
    pub(crate) failure: Option<Failure>,
}

/// Why a reply names no port.
pub(crate) enum NoPort {
    /// Another way may work.
    TryNext(Failure),
    /// No way will.
    Failed(Failure),
}

impl PortAttempt {
    pub(crate) const fn new(transfer: Transfer) -> Self {
        Self { transfer, way: 0, failure: None }
    }

    /// Returns the first way to learn a port from that of the attempt on that this version of IP has.
    pub(crate) fn way(&mut self, is_ipv4: bool) -> Option<DataPort> {
        let ways = self.transfer.ports.iter().enumerate().skip(self.way);
        let (way, port) = ways.into_iter().find(|(_, port)| is_ipv4 || port.has_ipv6())?;
        self.way = way;
        Some(*port)
    }

    /// Returns the attempt by the way after the one that failed.
    pub(crate) fn after(self, failure: Failure) -> Self {
        Self { way: self.way + 1, failure: Some(failure), ..self }
    }

    /// Returns the port that a reply names, whose meaning is the protocol's.
    pub(crate) fn port_of(&self, reply: Reply, means: Meaning) -> Result<u16, NoPort> {
        let ports = self.transfer.ports.get(self.way);
        let is_named = ports.is_some_and(|port| reply.code == Some(port.code()));
        let port = ports.filter(|_| is_named).and_then(|port| port.port(&reply.text));
        let may_try_next = is_named || reply.code.is_some_and(|code| code >= 400 && code != 421);
        port.ok_or_else(|| {
            let kind = if is_named { FailureKind::Garbled("FTP") } else { FailureKind::Said(means) };
            let during = format!("reading the reply to {}", ports.map_or("PASV", |port| port.name()));
            let failure = Failure { reply: Some(reply), ..Failure::new(kind, during) };
            if may_try_next { NoPort::TryNext(failure) } else { NoPort::Failed(failure) }
        })
    }
}
