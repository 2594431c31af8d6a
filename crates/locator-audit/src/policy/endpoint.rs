//! Where a client is about to connect: takes a host and a port that are not those of a URL's text, or
//! an address that an answer names for its data, and returns whether the policy allows them.

use alloc::format;
use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};

use super::Policy;
use super::host;
use super::place::Place;
use super::refusal::{Refusal, RefusalReason};
use super::target::{Peer, Target};
use super::url::{Parts, read};
use locator::internal;

impl Policy {
    /// Checks where a client is about to connect for a URL of this scheme.
    ///
    /// That may be another server than the one that the URL names: a gateway, or one that the user
    /// configured. The host is written as in a URL. Whether the scheme itself is allowed is asked
    /// by [`allows_scheme`](Self::allows_scheme).
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let target = Policy::typed().endpoint("finger", "www.example.com", 79)?;
    /// let address = target.addresses([Ipv4Addr::new(93, 184, 215, 14)])?[0];
    /// assert_eq!(address.to_string(), "93.184.215.14:79");
    /// assert!(Policy::public_web().endpoint("http", "127.0.0.1", 80).is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The policy refuses the host or the port.
    pub fn endpoint(&self, scheme: &str, host: &str, port: u16) -> Result<Target, Refusal> {
        self.endpoint_after(None, scheme, host, port)
    }

    /// Checks where a client is about to connect for a URL that [`follow`](Self::follow) allowed.
    ///
    /// Otherwise like [`endpoint`](Self::endpoint), which is for what the user chose, also after an
    /// answer: a gateway or a proxy.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let policy = Policy::typed();
    /// let target = policy.check("http://www.example.com/")?;
    /// let peer = target.peer(Ipv4Addr::new(93, 184, 215, 14))?;
    /// let named = policy.named_endpoint(&peer, "http", "www.example.org", 80)?;
    /// assert!(named.addresses([Ipv4Addr::LOCALHOST]).is_err());
    /// assert!(policy.named_endpoint(&peer, "http", "localhost", 80).is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The policy refuses the host or the port.
    pub fn named_endpoint(
        &self,
        peer: &Peer<'_>,
        scheme: &str,
        host: &str,
        port: u16,
    ) -> Result<Target, Refusal> {
        self.endpoint_after(Some(peer), scheme, host, port)
    }

    fn endpoint_after(
        &self,
        peer: Option<&Peer<'_>>,
        scheme: &str,
        host: &str,
        port: u16,
    ) -> Result<Target, Refusal> {
        let text = format!("{scheme}://{host}:{port}/");
        let url = read(&text, None)?;
        let parts = Parts::read(url.as_uri_ref())?;
        let Parts { scheme, host, port, literal } = &parts;
        let rules = self.allow(&Place { scheme, host, port: *port, literal: *literal }, peer)?;
        let findings = if self.is_typed { Vec::new() } else { self.against(&text) };
        if !findings.is_empty() {
            return Err(Refusal::new(RefusalReason::Findings).with_findings(findings));
        }
        Ok(parts.target(url.as_uri_ref(), rules))
    }

    /// Checks the address and the port of a data connection, such as those that FTP's `PASV` and
    /// `EPSV` name.
    ///
    /// The port must not be below 1024 or that of another protocol; [`ports`](Self::ports) do not
    /// limit it. If the policy names hosts, the address must be the peer's own, or one of those.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let (server, other) =
    ///     (Ipv4Addr::new(93, 184, 215, 14), Ipv4Addr::new(10, 0, 0, 1));
    /// let policy = Policy::public_web().schemes(["ftp"]).ports([21]);
    /// let target = policy.check("ftp://ftp.example.com/a")?;
    /// let peer = target.peer(server)?;
    /// assert_eq!(
    ///     policy.data_address(&peer, server, 50_000)?.to_string(),
    ///     "93.184.215.14:50000"
    /// );
    /// assert!(policy.data_address(&peer, server, 25).is_err());
    /// assert!(policy.data_address(&peer, other, 50_000).is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The policy refuses the address or the port.
    pub fn data_address(
        &self,
        peer: &Peer<'_>,
        address: impl Into<IpAddr>,
        port: u16,
    ) -> Result<SocketAddr, Refusal> {
        let address = address.into().to_canonical();
        if port < 1024 || internal::ports::foreign_port(peer.target().scheme(), port).is_some() {
            return Err(Refusal::new(RefusalReason::AnswerPort).of(port));
        }
        if self.denied_ports.contains(&port) || self.rules.denies_socket(address, port) {
            return Err(Refusal::new(RefusalReason::Port).of(port));
        }
        let host = host::of_address(address);
        let is_named = peer.address() == Some(address) || self.names_host(&host);
        if !is_named || self.denies_host(&host) {
            return Err(Refusal::new(RefusalReason::Host).of(host));
        }
        match self.rules_after(Some(peer)).refused(address) {
            Some(reason) => Err(Refusal::new(reason)),
            None => Ok(SocketAddr::new(address, port)),
        }
    }
}
