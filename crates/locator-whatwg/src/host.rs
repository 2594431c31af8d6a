//! [`Host`]: the host of a URL, as a value.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt::{self, Display, Formatter};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::error::ParseError;
use crate::host_parser::HostRecord;
use crate::machine;

/// The host of a URL.
///
/// ```
/// use locator_whatwg::{Host, Url};
///
/// let url = Url::parse("http://0x7f.1/")?;
/// assert_eq!(url.host(), Some(Host::Ipv4([127, 0, 0, 1].into())));
/// assert_eq!(Host::parse("EXAMPLE.com")?, Host::Domain("example.com"));
/// # Ok::<_, locator_whatwg::ParseError>(())
/// ```
#[derive(Clone, Debug, Eq, Hash, Ord, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Host<S = String> {
    /// A domain in its ASCII form; of a scheme that is not special any text, percent-encoded.
    Domain(S),
    /// An IPv4 address.
    Ipv4(Ipv4Addr),
    /// An IPv6 address.
    Ipv6(Ipv6Addr),
}

impl Host<&str> {
    /// Returns the same host, owned.
    #[must_use]
    pub fn to_owned(&self) -> Host<String> {
        match *self {
            Host::Domain(domain) => Host::Domain(domain.to_owned()),
            Host::Ipv4(address) => Host::Ipv4(address),
            Host::Ipv6(address) => Host::Ipv6(address),
        }
    }
}

impl Host<String> {
    /// Parses the host of a special scheme: a domain or an address, of IPv6 in brackets.
    ///
    /// # Errors
    ///
    /// Returns why the text is not a host.
    pub fn parse(input: &str) -> Result<Self, ParseError> {
        Self::parse_host(input, false)
    }

    /// Parses the host of a scheme that is not special.
    ///
    /// # Errors
    ///
    /// Returns why the text is not a host.
    pub fn parse_opaque(input: &str) -> Result<Self, ParseError> {
        Self::parse_host(input, true)
    }

    fn parse_host(input: &str, is_opaque: bool) -> Result<Self, ParseError> {
        machine::parse_host(input, is_opaque).map(|record| match record {
            HostRecord::Domain(text) | HostRecord::Opaque(text) => Self::Domain(text),
            HostRecord::Ipv4(address) => Self::Ipv4(address.into()),
            HostRecord::Ipv6(pieces) => Self::Ipv6(pieces.into()),
            HostRecord::Empty => Self::Domain(String::new()),
        })
    }
}

impl<S: AsRef<str>> Display for Host<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Domain(domain) => f.write_str(domain.as_ref()),
            Self::Ipv4(address) => Display::fmt(address, f),
            Self::Ipv6(address) => f.write_str(&HostRecord::Ipv6(address.segments()).serialized()),
        }
    }
}

impl<S: PartialEq<T>, T> PartialEq<Host<T>> for Host<S> {
    fn eq(&self, other: &Host<T>) -> bool {
        match (self, other) {
            (Self::Domain(a), Host::Domain(b)) => a == b,
            (Self::Ipv4(a), Host::Ipv4(b)) => a == b,
            (Self::Ipv6(a), Host::Ipv6(b)) => a == b,
            _ => false,
        }
    }
}

impl<S> From<IpAddr> for Host<S> {
    fn from(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::Ipv4(address),
            IpAddr::V6(address) => Self::Ipv6(address),
        }
    }
}
