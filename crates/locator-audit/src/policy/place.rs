//! Places: takes scheme, host and port, and the peer whose answer named them, if one did; returns the
//! rules for the addresses of the host.

use alloc::vec::Vec;
use core::net::IpAddr;

use super::Policy;
use super::host::name_reach;
use super::pattern::HostPattern;
use super::refusal::{Refusal, RefusalReason};
use super::rules::{AddressRules, narrower};
use super::target::{Peer, Target};
use crate::address::Reach;
use locator::internal;

/// Where a client is to connect.
pub(super) struct Place<'a> {
    pub(super) scheme: &'a str,
    pub(super) host: &'a str,
    pub(super) port: u16,
    /// The address, if the host is one.
    pub(super) literal: Option<IpAddr>,
}
impl Policy {
    /// Returns the rules for the addresses of a place, or why the policy refuses it.
    pub(super) fn allow(&self, place: &Place<'_>, peer: Option<&Peer<'_>>) -> Result<AddressRules, Refusal> {
        let Place { host, literal, .. } = *place;
        if !self.names_host(host) || self.denies_host(host) {
            return Err(Refusal::new(RefusalReason::Host).of(host).denied(self.denies_host(host)));
        }
        self.allow_port(place, peer)?;
        let mut rules = self.rules_after(peer);
        if self.allowed_hosts.iter().any(|pattern| pattern.allows(host)) {
            rules.reach = Reach::Reserved;
        }
        let is_host_of_peer = peer.is_some_and(|peer| peer.target().host() == host);
        let reason = match literal {
            Some(address) => rules.refused(address),
            None => match name_reach(host) {
                reach if reach > rules.reach => Some(RefusalReason::Host),
                // A server may name itself, whatever its name is reserved for; its addresses are checked.
                _ if is_host_of_peer => None,
                reach => narrower(rules.peer, reach),
            },
        };
        let is_denied = literal.is_some_and(|address| rules.is_denied(address));
        match reason {
            Some(reason) => Err(Refusal::new(reason).of(host).denied(is_denied)),
            None => Ok(rules),
        }
    }

    fn allow_port(&self, place: &Place<'_>, peer: Option<&Peer<'_>>) -> Result<(), Refusal> {
        let names = |ports: &Vec<u16>| ports.contains(&place.port);
        let own = self.ports_by_scheme.iter().find(|(scheme, _)| scheme == place.scheme);
        let ports = own.map(|(_, ports)| ports).or(self.ports.as_ref());
        let is_listed = ports.is_some_and(names) || names(&self.allowed_ports);
        let is_allowed = match ports {
            Some(_) => is_listed,
            None => {
                self.is_typed
                    || is_listed
                    || internal::ports::foreign_port(place.scheme, place.port).is_none()
            }
        };
        if place.port == 0 || !is_allowed || names(&self.denied_ports) {
            let is_denied = names(&self.denied_ports);
            return Err(Refusal::new(RefusalReason::Port).of(place.port).denied(is_denied));
        }
        match peer {
            Some(peer) if !is_listed && !may_name_port(peer.target(), place) => {
                Err(Refusal::new(RefusalReason::AnswerPort).of(place.port))
            }
            _ => Ok(()),
        }
    }

    /// Returns whether the policy allows the name of a host, as far as it names hosts.
    pub(super) fn names_host(&self, host: &str) -> bool {
        let names = |patterns: &Vec<HostPattern>| patterns.iter().any(|pattern| pattern.allows(host));
        self.hosts.as_ref().is_none_or(names) || names(&self.allowed_hosts)
    }

    pub(super) fn denies_host(&self, host: &str) -> bool {
        self.denied_hosts.iter().any(|pattern| pattern.denies(host))
    }

    /// Returns the rules for addresses that the answer of a peer names.
    pub(super) fn rules_after(&self, peer: Option<&Peer<'_>>) -> AddressRules {
        AddressRules { peer: peer.map(Peer::reach), ..self.rules.clone() }
    }
}

/// Returns whether an answer for a target may name a port: not one below 1024 or of another protocol,
/// unless it is the scheme's own, or the place is that of the target.
fn may_name_port(target: &Target, place: &Place<'_>) -> bool {
    let is_same = (target.scheme(), target.host(), target.port()) == (place.scheme, place.host, place.port);
    is_same || internal::ports::foreign_port(place.scheme, place.port).is_none()
}
