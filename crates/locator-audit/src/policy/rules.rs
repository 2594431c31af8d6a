//! Which addresses a policy allows.

use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};

use super::refusal::RefusalReason;
use crate::address::Reach;
use crate::address::{Embedded, Nat64Prefix};

/// The addresses that a policy allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AddressRules {
    /// The narrowest reach.
    pub(super) reach: Reach,
    /// The reach of the peer whose answer named the host, if one did; what it names is not narrower.
    pub(super) peer: Option<Reach>,
    pub(super) prefixes: Vec<Nat64Prefix>,
    /// Networks that are allowed whatever their reach is.
    pub(super) blocks: Vec<Network>,
    /// Networks that are forbidden, whatever else allows them.
    pub(super) denied: Vec<Network>,
    /// Addresses that are forbidden with a port.
    pub(super) denied_sockets: Vec<SocketAddr>,
    /// Whether the proxy checks the addresses that it connects to.
    pub(super) proxy_checks: bool,
}

impl AddressRules {
    /// Returns the rules for addresses of this reach.
    pub(super) const fn new(reach: Reach) -> Self {
        Self {
            reach,
            peer: None,
            prefixes: Vec::new(),
            blocks: Vec::new(),
            denied: Vec::new(),
            denied_sockets: Vec::new(),
            proxy_checks: false,
        }
    }

    /// Returns why an address is not allowed.
    pub(super) fn refused(&self, address: IpAddr) -> Option<RefusalReason> {
        // The operating system connects to a mapped address by IPv4.
        let address = address.to_canonical();
        let reach = self.reach_of(address);
        let is_allowed = reach <= self.reach || self.blocks.iter().any(|network| network.contains(address));
        if !is_allowed || self.is_denied(address) {
            Some(RefusalReason::Address { address, reach })
        } else {
            narrower(self.peer, reach)
        }
    }

    /// Returns whether an address is forbidden with this port. A connection to the unspecified address is one to
    /// this machine.
    pub(super) fn denies_socket(&self, address: IpAddr, port: u16) -> bool {
        let address = address.to_canonical();
        self.denied_sockets.iter().any(|denied| {
            let ip = denied.ip().to_canonical();
            let is_same = ip == address || ip.is_unspecified();
            denied.port() == port && (is_same || address.is_unspecified() && ip.is_loopback())
        })
    }

    /// Returns the reach of an address.
    pub(super) fn reach_of(&self, address: IpAddr) -> Reach {
        Reach::with_prefixes(address.to_canonical(), &self.prefixes)
    }

    /// Returns whether an address, or an IPv4 address in it, is in a forbidden block.
    pub(super) fn is_denied(&self, address: IpAddr) -> bool {
        let is_denied = |address: IpAddr| self.denied.iter().any(|network| network.contains(address));
        is_denied(address)
            || match address {
                IpAddr::V6(v6) if !self.denied.is_empty() => {
                    Embedded::all(v6, &self.prefixes).any(|embedded| is_denied(embedded.address.into()))
                }
                _ => false,
            }
    }
}

/// Returns the reason against what an answer names, if that has a narrower reach than the peer that
/// answered. A reserved address is not within any network: its answers lead to other reserved
/// addresses and to the public network only.
pub(super) fn narrower(peer: Option<Reach>, named: Reach) -> Option<RefusalReason> {
    let peer = peer?;
    let is_within =
        named <= peer && (peer < Reach::Reserved || matches!(named, Reach::Public | Reach::Reserved));
    (!is_within).then_some(RefusalReason::Narrower { reach: named, peer })
}

/// A block of addresses, as in CIDR notation: `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Network {
    pub(super) address: IpAddr,
    /// The length of the prefix, in bits.
    pub(super) length: u8,
}

impl Network {
    fn contains(self, address: IpAddr) -> bool {
        let (differs, width) = match (address, self.address) {
            (IpAddr::V4(address), IpAddr::V4(own)) => (u128::from(address.to_bits() ^ own.to_bits()), 32),
            (IpAddr::V6(address), IpAddr::V6(own)) => (address.to_bits() ^ own.to_bits(), 128),
            _ => return false,
        };
        let rest = u32::checked_sub(width, self.length.into());
        rest.is_some_and(|rest| differs.checked_shr(rest).unwrap_or(0) == 0)
    }
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::*;

    fn network(address: &str, length: u8) -> Network {
        Network { address: address.parse().unwrap(), length }
    }

    #[test]
    fn blocks_and_reach() {
        let rules = AddressRules {
            blocks: vec![
                network("10.1.0.0", 16),
                network("fd00::", 8),
                network("::", 0),
                network("1.2.3.4", 33),
            ],
            denied: vec![network("10.1.2.0", 24), network("9.9.9.9", 32)],
            ..AddressRules::new(Reach::Public)
        };
        for (address, expected) in [
            ("10.1.255.255", None),
            ("::ffff:10.1.0.1", None),
            ("10.2.0.0", Some(Reach::Private)),
            ("::ffff:10.2.0.0", Some(Reach::Private)),
            ("127.0.0.1", Some(Reach::ThisMachine)),
            ("fd00::1", None),
            ("8.8.8.8", None),
            ("10.1.2.3", Some(Reach::Private)),
            ("9.9.9.9", Some(Reach::Public)),
            ("::ffff:9.9.9.9", Some(Reach::Public)),
            ("64:ff9b::9.9.9.9", Some(Reach::Public)),
            ("2002:909:909::1", Some(Reach::Public)),
            ("64:ff9b::9.9.9.8", None),
        ] {
            let reach = rules.refused(address.parse().unwrap()).map(|reason| match reason {
                RefusalReason::Address { reach, .. } => reach,
                other => panic!("{address}: {other:?}"),
            });
            assert_eq!(reach, expected, "{address}");
        }
    }

    /// What an answer names is not narrower than the peer that named it, not even in an allowed block.
    #[test]
    fn answers_do_not_lead_inwards() {
        use Reach::{LinkLocal, Private, Public, Reserved, ThisMachine};
        for (i, peer) in [Public, Private, LinkLocal, ThisMachine, Reserved].into_iter().enumerate() {
            let rules = AddressRules {
                peer: Some(peer),
                blocks: vec![network("10.0.0.0", 8)],
                ..AddressRules::new(Reserved)
            };
            let addresses = ["8.8.8.8", "10.0.0.1", "169.254.169.254", "127.0.0.1", "239.0.0.1"];
            for (j, address) in addresses.into_iter().enumerate() {
                let refused = rules.refused(address.parse().unwrap());
                // No network is within a reserved address.
                let is_refused = if peer == Reserved { (1..4).contains(&j) } else { j > i };
                assert_eq!(refused.is_some(), is_refused, "{peer} names {address}");
            }
        }
    }
}
