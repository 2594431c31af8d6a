//! What a policy allowed to fetch.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::net::{IpAddr, SocketAddr};
use core::ops::Range;

use super::refusal::{Refusal, RefusalReason};
use super::rules::AddressRules;

/// A URL that a [`Policy`](super::Policy) allowed: what to send, and where to.
///
/// Only [`Policy::check`](super::Policy::check) makes one, so a function that takes a `Target`
/// cannot be given an unchecked text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub(super) url: String,
    pub(super) scheme_end: usize,
    pub(super) host: Range<usize>,
    pub(super) authority_end: usize,
    pub(super) port: u16,
    pub(super) literal: Option<IpAddr>,
    pub(super) rules: AddressRules,
}

impl Target {
    /// Returns the URL to send: in ASCII, with scheme and host in lower case, without userinfo,
    /// fragment and default port.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// Returns the scheme in lower case.
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.url.get(..self.scheme_end).unwrap_or_default()
    }

    /// Returns the host in ASCII and lower case, with the brackets of an IPv6 address.
    #[must_use]
    pub fn host(&self) -> &str {
        self.url.get(self.host.clone()).unwrap_or_default()
    }

    /// Returns the port, which is the scheme's own if the URL has none.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Returns the path and the query, which HTTP sends as the request target: `/a?b`.
    #[must_use]
    pub fn path_and_query(&self) -> &str {
        self.url.get(self.authority_end..).unwrap_or_default()
    }

    /// Returns the address, if the host is one. Then nothing is to be looked up.
    #[must_use]
    pub const fn address(&self) -> Option<IpAddr> {
        self.literal
    }

    /// Returns what to give to a resolver: the name, with a dot at the end, so that no domain of the
    /// search list is appended; or the address, without brackets.
    #[must_use]
    pub fn name_to_look_up(&self) -> String {
        match self.literal {
            Some(address) => format!("{address}"),
            None => [self.host(), "."].concat(),
        }
    }

    /// Returns the addresses to connect to, with the port, in the order of the answers. One address
    /// that the policy forbids forbids all, because a client that tries one after the other would
    /// come to it.
    ///
    /// Connect to one of the results. A second look-up may have another answer.
    ///
    /// ```
    /// use locator::audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let target = Policy::public_web().check("https://www.example.com/")?;
    /// let public = Ipv4Addr::new(93, 184, 215, 14);
    /// assert_eq!(target.addresses([public])?[0].to_string(), "93.184.215.14:443");
    /// assert!(target.addresses([public, Ipv4Addr::new(10, 0, 0, 1)]).is_err());
    /// # Ok::<_, locator::audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is no answer, or the policy forbids an address, or the host is an address and the
    /// answer is another one.
    pub fn addresses<A: Into<IpAddr>>(
        &self,
        answers: impl IntoIterator<Item = A>,
    ) -> Result<Vec<SocketAddr>, Refusal> {
        let mut addresses = Vec::new();
        for answer in answers {
            let address = answer.into();
            self.permit(address)?;
            addresses.push(SocketAddr::new(address, self.port));
        }
        if addresses.is_empty() {
            return Err(Refusal::new(RefusalReason::NoAddress));
        }
        Ok(addresses)
    }

    /// Checks one address, such as that of the peer after connecting.
    ///
    /// # Errors
    ///
    /// The policy forbids the address, or the host is an address and this is another one.
    pub fn permit(&self, address: impl Into<IpAddr>) -> Result<(), Refusal> {
        let address = address.into();
        if self.literal.is_some_and(|literal| literal.to_canonical() != address.to_canonical()) {
            return Err(Refusal::new(RefusalReason::OtherAddress));
        }
        match self.rules.refused(address) {
            Some(reach) => Err(Refusal::new(RefusalReason::Address { address, reach })),
            None => Ok(()),
        }
    }
}

impl Display for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

impl AsRef<str> for Target {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}
