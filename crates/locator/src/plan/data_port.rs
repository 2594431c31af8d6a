//! Ways to learn the port of a data connection of FTP, and the ports that replies name.

use alloc::vec::Vec;

use super::message::Message;

crate::as_text::named! {
    /// A command of FTP that asks the server for the port of a data connection.
    ///
    /// The address is always that of the control connection's peer; one that a reply names is
    /// ignored.
    ///
    /// ```
    /// use locator::plan::DataPort;
    ///
    /// assert_eq!(
    ///     DataPort::Epsv.port(b"Entering Extended Passive Mode (|||6446|)"),
    ///     Some(6446)
    /// );
    /// assert_eq!(
    ///     DataPort::Pasv.port(b"Entering Passive Mode (10,0,0,1,25,46)"),
    ///     Some(25 * 256 + 46)
    /// );
    /// assert_eq!((DataPort::Epsv.code(), DataPort::Pasv.has_ipv6()), (229, false));
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum DataPort {
        /// `EPSV`, whose reply 229 names the port (RFC 2428, 3).
        Epsv = "EPSV",
        /// `PASV`, whose reply 227 names address and port (RFC 959, 4.1.2); not with IPv6.
        Pasv = "PASV",
    }

    /// Returns the command: `EPSV`.
    pub const fn name;
}

impl DataPort {
    /// Returns whether the command works over IPv6.
    #[must_use]
    pub const fn has_ipv6(self) -> bool {
        matches!(self, Self::Epsv)
    }

    /// Returns the message that asks for the port.
    #[must_use]
    pub fn message(self) -> Message {
        Message::of_line(self.name())
    }

    /// Returns the code of the reply that names the port.
    #[must_use]
    pub const fn code(self) -> u16 {
        match self {
            Self::Epsv => 229,
            Self::Pasv => 227,
        }
    }

    /// Returns the port in the text of a reply; `None` if the text has no port.
    ///
    /// ```
    /// use locator::plan::DataPort;
    ///
    /// assert_eq!(
    ///     DataPort::Epsv.port(b"Entering Extended Passive Mode (|||6446|)"),
    ///     Some(6446)
    /// );
    /// assert_eq!(
    ///     DataPort::Pasv.port(b"Entering Passive Mode (127,0,0,1,25,46)."),
    ///     Some(6446)
    /// );
    /// assert_eq!(DataPort::Epsv.port(b"ok"), None);
    /// ```
    #[must_use]
    pub fn port(self, text: &[u8]) -> Option<u16> {
        let port = match self {
            Self::Epsv => port_of_epsv(text),
            Self::Pasv => port_of_pasv(text),
        };
        port.filter(|&port| port > 0)
    }
}

/// `(<d><d><d><tcp-port><d>)`: the delimiter is a character from 33 to 126 (RFC 2428, 3).
fn port_of_epsv(text: &[u8]) -> Option<u16> {
    let start = text.iter().position(|&octet| octet == b'(')?;
    let (&delimiter, rest) = text.get(start + 1..)?.split_first()?;
    if !(33..=126).contains(&delimiter) || delimiter.is_ascii_digit() {
        return None;
    }
    let digits = rest.strip_prefix(&[delimiter, delimiter])?;
    let end = digits.iter().position(|octet| !octet.is_ascii_digit())?;
    let is_closed = digits.get(end..end + 2) == Some(&[delimiter, b')']);
    number(digits.get(..end)?).filter(|_| is_closed)
}

/// "h1,h2,h3,h4,p1,p2", with or without parentheses: servers differ (RFC 1123, 4.1.2.6).
fn port_of_pasv(text: &[u8]) -> Option<u16> {
    let is_number_octet = |octet: &u8| octet.is_ascii_digit() || *octet == b',';
    let words = text.split(|octet| !is_number_octet(octet));
    words
        .filter_map(|word| {
            let numbers: Vec<_> = word.split(|&octet| octet == b',').map(number::<u8>).collect();
            match numbers[..] {
                [Some(_), Some(_), Some(_), Some(_), Some(high), Some(low)] => {
                    Some(u16::from_be_bytes([high, low]))
                }
                _ => None,
            }
        })
        .next()
}

fn number<N: core::str::FromStr>(digits: &[u8]) -> Option<N> {
    core::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::DataPort::{Epsv, Pasv};

    #[test]
    fn ports_of_replies() {
        for (way, text, port) in [
            (Epsv, "Entering Extended Passive Mode (|||30001|)", Some(30001)),
            (Epsv, "(!!!1!) ok", Some(1)),
            (Epsv, "(|||0|)", None),
            (Epsv, "(|||65536|)", None),
            (Epsv, "(|1|127.0.0.1|30001|)", None),
            (Epsv, "(|||30001)", None),
            (Epsv, "(", None),
            (Epsv, "(1111230001)", None),
            (Epsv, "", None),
            (Pasv, "Entering Passive Mode (127,0,0,1,4,1)", Some(1025)),
            (Pasv, "=127,0,0,1,4,1", Some(1025)),
            (Pasv, "Entering Passive Mode 127,0,0,1,4,1", Some(1025)),
            (Pasv, "127,0,0,1,0,0", None),
            (Pasv, "127,0,0,1,256,1", None),
            (Pasv, "127,0,0,1,4", None),
            (Pasv, "", None),
        ] {
            assert_eq!(way.port(text.as_bytes()), port, "{way:?} {text}");
        }
    }
}
