//! The policies to begin with.
//!
//! What a policy allows in addition to its schemes, ports, hosts and reach.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use locator::UriBuf;

use super::Policy;
use super::host::HostPattern;
use super::refusal::Refusal;
use super::rules::{AddressRules, Network};
use super::target::{OwnEndpoint, read};
use crate::address::Reach;
use crate::finding::Severity;
use crate::schemes;

impl Policy {
    /// Returns the policy for the public web: `http` and `https` at public addresses, on ports 80
    /// and 443.
    ///
    /// A URL with a finding of [`Severity::Medium`] or more is refused.
    #[must_use]
    pub fn public_web() -> Self {
        Self {
            schemes: Some(schemes::WEB.map(ToOwned::to_owned).into()),
            ports: Some(schemes::WEB_PORTS.into()),
            is_typed: false,
            trusts_proxies: false,
            rules: AddressRules::new(Reach::Public),
            ..Self::typed()
        }
    }

    /// Returns the policy for the public network: any scheme that connects to a host, at public
    /// addresses.
    ///
    /// A port that is reserved or that of another protocol is refused, and so is a URL with a
    /// finding of [`Severity::Medium`] or more.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let policy = Policy::public_network();
    /// assert!(policy.check("gopher://gopher.example.com/").is_ok());
    /// assert!(policy.check("gopher://10.0.0.1/").is_err());
    /// assert!(!policy.allows_scheme("file"));
    /// ```
    #[must_use]
    pub fn public_network() -> Self {
        let rules = AddressRules::new(Reach::Public);
        Self { is_typed: false, trusts_proxies: false, rules, ..Self::typed() }
    }

    /// Returns the policy for URLs with the origin of a base: its scheme, host and port.
    ///
    /// References without a scheme are resolved against the base. If the base is an internal
    /// address or name, addresses of its reach are allowed.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let policy = Policy::same_origin("https://www.example.com/login?next=")?;
    /// assert_eq!(
    ///     policy.check("/account")?.as_str(),
    ///     "https://www.example.com/account"
    /// );
    /// assert!(policy.check("//www.example.org/account").is_err());
    /// assert!(policy.check("https://www.example.com:8443/").is_err());
    /// assert!(policy.check("/\\www.example.org").is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The base is not a URL with a host and a port, or its host is written in a form that programs
    /// read differently.
    pub fn same_origin(base: &str) -> Result<Self, Refusal> {
        let (policy, origin) = Self::of_base(base)?;
        Ok(Self { hosts: Some([HostPattern::Host(origin.host)].into()), ..policy })
    }

    /// Returns the policy for URLs of the site of a base: its scheme and port, and hosts in its
    /// registrable domain.
    ///
    /// The public suffix list defines registrable domains.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let policy = Policy::same_site("https://www.example.co.uk/")?;
    /// assert!(policy.check("https://images.example.co.uk/a").is_ok());
    /// assert!(policy.check("https://www.other.co.uk/").is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`same_origin`](Self::same_origin), or the host of the base is not in a registrable
    /// domain.
    #[cfg(feature = "public-suffix")]
    pub fn same_site(base: &str) -> Result<Self, Refusal> {
        let (policy, origin) = Self::of_base(base)?;
        let domain = super::host::registrable(&origin.host);
        let domain = domain.ok_or(Refusal::new(super::refusal::RefusalReason::Host))?;
        Ok(Self { hosts: Some([HostPattern::Domain(domain.to_owned())].into()), ..policy })
    }

    /// Returns the policy for URLs that the user of a program gives: any scheme that connects to a
    /// host, at any address.
    ///
    /// Only what is invalid or ambiguous is refused. What an answer names is still a stranger's:
    /// [`follow`](Self::follow) and others refuse what leads inwards.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let policy = Policy::typed();
    /// let target = policy.check("http://localhost:8080/")?;
    /// let peer = target.peer(Ipv4Addr::LOCALHOST)?;
    /// assert!(policy.follow(&peer, "/login").is_ok());
    /// assert!(policy.check("http://0177.0.0.1/").is_err());
    ///
    /// let target = policy.check("http://www.example.com/")?;
    /// let peer = target.peer(Ipv4Addr::new(93, 184, 215, 14))?;
    /// assert!(policy.follow(&peer, "http://localhost:8080/").is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    #[must_use]
    pub const fn typed() -> Self {
        Self {
            schemes: None,
            ports: None,
            ports_by_scheme: Vec::new(),
            hosts: None,
            allowed_schemes: Vec::new(),
            allowed_ports: Vec::new(),
            allowed_hosts: Vec::new(),
            denied_schemes: Vec::new(),
            denied_ports: Vec::new(),
            denied_hosts: Vec::new(),
            least: Severity::Medium,
            severities: Vec::new(),
            rules: AddressRules::new(Reach::Reserved),
            base: None,
            is_typed: true,
            web_to_ftp: false,
            trusts_proxies: true,
        }
    }

    /// Returns the policy for the scheme, the port and the reach of a base, and what the base contacts.
    fn of_base(base: &str) -> Result<(Self, OwnEndpoint), Refusal> {
        let base: UriBuf = read(base, None)?;
        let origin = OwnEndpoint::read(base.as_uri_ref())?;
        let policy = Self {
            schemes: Some([origin.scheme.clone()].into()),
            ports: Some([origin.port].into()),
            base: Some(base),
            ..Self::public_web().reach(origin.reach())
        };
        Ok((policy, origin))
    }
}

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
        self.rules.blocks.push(Network { address: network.into(), length: prefix_length });
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
