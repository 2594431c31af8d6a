//! What a policy allows in addition to its schemes, ports, hosts and reach.

use alloc::format;
use alloc::string::String;
use core::net::IpAddr;
use core::net::{Ipv4Addr, Ipv6Addr};

use super::Policy;
use super::pattern::HostPattern;

impl Policy {
    /// Allows schemes in addition to [`schemes`](Self::schemes), unless they are denied.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let policy = Policy::public_network().allow_schemes(["data"]);
    /// assert!(policy.allows_scheme("data") && policy.allows_scheme("ftp"));
    /// ```
    #[must_use]
    pub fn allow_schemes<'s>(mut self, names: impl IntoIterator<Item = &'s str>) -> Self {
        self.allowed_schemes.extend(names.into_iter().map(str::to_ascii_lowercase));
        self
    }

    /// Allows ports in addition to [`ports`](Self::ports), unless they are denied.
    ///
    /// Redirects may lead to them, too, if they are below 1024 or of another protocol.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let policy = Policy::typed().allow_ports([81]);
    /// let target = policy.check("http://www.example.com/")?;
    /// let peer = target.peer(Ipv4Addr::new(93, 184, 215, 14))?;
    /// assert!(policy.follow(&peer, "http://www.example.com:81/").is_ok());
    /// assert!(policy.follow(&peer, "http://www.example.com:82/").is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    #[must_use]
    pub fn allow_ports(mut self, ports: impl IntoIterator<Item = u16>) -> Self {
        self.allowed_ports.extend(ports);
        self
    }

    /// Allows hosts in addition to [`hosts`](Self::hosts), at addresses of any reach, unless they
    /// are denied.
    ///
    /// `*.example.com` allows all names below `example.com`. A pattern that is not a host, or this,
    /// allows nothing. An answer still does not lead to a narrower reach.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let policy = Policy::public_web().allow_hosts(["printer"]);
    /// assert!(
    ///     policy.check("http://printer/")?.permit(Ipv4Addr::new(10, 0, 0, 1)).is_ok()
    /// );
    /// assert!(
    ///     policy
    ///         .check("http://www.example.com/")?
    ///         .permit(Ipv4Addr::new(10, 0, 0, 1))
    ///         .is_err()
    /// );
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    #[must_use]
    pub fn allow_hosts<'h>(mut self, patterns: impl IntoIterator<Item = &'h str>) -> Self {
        self.allowed_hosts.extend(patterns.into_iter().map(HostPattern::new));
        self
    }

    /// Returns whether a text is a pattern of hosts: `www.example.com`, `*.example.com`, `10.0.0.1` or
    /// `[::1]`.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// assert!(Policy::is_host_pattern("*.example.com"));
    /// assert!(!Policy::is_host_pattern("https://example.com/"));
    /// assert!(!Policy::is_host_pattern("www.*.com"));
    /// ```
    #[must_use]
    pub fn is_host_pattern(text: &str) -> bool {
        HostPattern::new(text) != HostPattern::Wrong
    }

    /// Allows a block of addresses of any reach: a network, and the length of its prefix.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let policy = Policy::public_web().allow_block(Ipv4Addr::new(10, 1, 0, 0), 16);
    /// assert!(
    ///     policy.check("http://10.1.0.7/").is_ok()
    ///         && policy.check("http://10.2.0.7/").is_err()
    /// );
    /// ```
    #[must_use]
    pub fn allow_block(mut self, network: impl Into<IpAddr>, prefix_length: u8) -> Self {
        self.rules.blocks.push((network.into(), prefix_length));
        self
    }

    /// Checks a block that a person wrote: a network has no bits after its prefix, and a block of IPv4 is not
    /// written as IPv6 (`::ffff:10.0.0.0/104`).
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// assert!(Policy::check_block(Ipv4Addr::new(10, 0, 0, 0), 8).is_ok());
    /// let error = Policy::check_block(Ipv4Addr::new(10, 1, 2, 3), 8).unwrap_err();
    /// assert!(error.contains("10.0.0.0/8"));
    /// ```
    ///
    /// # Errors
    ///
    /// A sentence with the block that is meant.
    pub fn check_block(network: impl Into<IpAddr>, prefix_length: u8) -> Result<(), String> {
        let network = network.into();
        if let IpAddr::V6(address) = network
            && let Some(inner) = address.to_ipv4_mapped().filter(|_| prefix_length >= 96)
        {
            return Err(format!("write \"{inner}/{}\" for this block of IPv4", prefix_length - 96));
        }
        let meant: IpAddr = match network {
            IpAddr::V4(address) => {
                let after = u32::MAX.checked_shr(prefix_length.into()).unwrap_or(0);
                Ipv4Addr::from_bits(address.to_bits() & !after).into()
            }
            IpAddr::V6(address) => {
                let after = u128::MAX.checked_shr(prefix_length.into()).unwrap_or(0);
                Ipv6Addr::from_bits(address.to_bits() & !after).into()
            }
        };
        if meant == network {
            return Ok(());
        }
        Err(format!(
            "\"{network}/{prefix_length}\" is not a network: write \"{meant}/{prefix_length}\" for all of it, or \
             \"{network}\" for one address"
        ))
    }
}
