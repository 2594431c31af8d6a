//! Socket addresses of an authority: literal addresses are used directly, and names go through the
//! system's resolver.

use std::io::{Error, ErrorKind, Result};
use std::net::{SocketAddr, SocketAddrV6, ToSocketAddrs};
use std::vec::Vec;

use super::{Authority, Host};
use crate::span::HostKind;

impl Authority<'_> {
    /// Returns the socket addresses of the host and its port, or the default port if none is
    /// written.
    ///
    /// An IP address is used as it is. A name is percent-decoded and looked up by the operating
    /// system, which blocks and which may accept more than RFC 3986 calls an address (`0x7f.1`).
    /// Where that matters, check [`Host::kind`] first.
    ///
    /// ```
    /// use std::net::SocketAddr;
    ///
    /// let authority = locator::uri!("http://[::1]:8080/").authority().unwrap();
    /// assert_eq!(
    ///     authority.socket_addrs(80)?,
    ///     ["[::1]:8080".parse::<SocketAddr>().unwrap()]
    /// );
    /// let authority = locator::uri!("http://127.0.0.1/").authority().unwrap();
    /// assert_eq!(
    ///     authority.socket_addrs(80)?,
    ///     ["127.0.0.1:80".parse::<SocketAddr>().unwrap()]
    /// );
    /// # Ok::<_, std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns `InvalidInput` if the host is empty or an address of an unknown version, if its name
    /// is not UTF-8, if its zone is not a number, or if the port is above 65535; otherwise the
    /// resolver's error.
    pub fn socket_addrs(self, default_port: u16) -> Result<Vec<SocketAddr>> {
        let port = match self.port() {
            Some(port) if !port.as_str().is_empty() => {
                port.number().ok_or_else(|| invalid("the port is above 65535"))?
            }
            _ => default_port,
        };
        let host = self.host();
        if let Some(address) = host.ipv4() {
            return Ok(std::vec![SocketAddr::from((address, port))]);
        }
        if let Some(address) = host.ipv6() {
            return Ok(std::vec![SocketAddrV6::new(address, port, 0, scope(host)?).into()]);
        }
        match host.kind() {
            HostKind::Name | HostKind::Registry => {
                let name = host.as_pct_str().decode_utf8();
                let name = name.map_err(|_| invalid("the host is not UTF-8 after percent-decoding"))?;
                #[expect(clippy::disallowed_methods, reason = "the implementation of the trait")]
                let addresses = (&*name, port).to_socket_addrs()?;
                Ok(addresses.collect())
            }
            _ => Err(invalid("the host is neither a name nor an IP address")),
        }
    }
}

/// Returns the scope ID of an IPv6 address with a zone. The name of an interface is not resolved to
/// a number.
fn scope(host: Host<'_>) -> Result<u32> {
    let Some(zone) = host.zone() else { return Ok(0) };
    zone.as_str().parse().map_err(|_| invalid("the zone of the IPv6 address is not a number"))
}

fn invalid(message: &'static str) -> Error {
    Error::new(ErrorKind::InvalidInput, message)
}
