//! Where the gateway listens: takes the value of `--listen`, returns a socket.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::str::FromStr;

/// An address to listen at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Listen(SocketAddr);

impl Listen {
    /// Returns whether only this machine reaches the address.
    pub(super) fn is_loopback(self) -> bool {
        self.0.ip().to_canonical().is_loopback()
    }

    /// Opens the socket.
    pub(super) fn bind(self) -> io::Result<TcpListener> {
        let listener = TcpListener::bind(self.0)?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    }
}

impl FromStr for Listen {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let loopback = IpAddr::from(Ipv4Addr::LOCALHOST);
        let port = |text: &str| text.parse::<u16>().ok();
        if let Some(port) = port(word) {
            return Ok(Self(SocketAddr::new(loopback, port)));
        }
        let of_name = word.strip_prefix("localhost:").and_then(port);
        let address = of_name.map(|port| SocketAddr::new(loopback, port)).or_else(|| word.parse().ok());
        address.map(Self).ok_or("expected an IP address and a port, such as 127.0.0.1:1738, or a port")
    }
}

impl Display for Listen {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_ports() {
        for (word, expected, is_loopback) in [
            ("1738", "127.0.0.1:1738", true),
            ("localhost:0", "127.0.0.1:0", true),
            ("[::1]:80", "[::1]:80", true),
            ("[::ffff:127.0.0.1]:80", "[::ffff:127.0.0.1]:80", true),
            ("0.0.0.0:1738", "0.0.0.0:1738", false),
            ("192.168.1.2:1738", "192.168.1.2:1738", false),
        ] {
            let listen: Listen = word.parse().unwrap();
            assert_eq!((listen.to_string().as_str(), listen.is_loopback()), (expected, is_loopback));
        }
        for word in ["", "65536", "127.0.0.1", "0x7f.1:80", "example.com:80", "http://127.0.0.1:80/"] {
            assert!(word.parse::<Listen>().is_err(), "{word}");
        }
    }
}
