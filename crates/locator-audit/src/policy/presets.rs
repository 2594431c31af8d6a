//! The policies to begin with.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::Policy;
use super::pattern::HostPattern;
use super::refusal::Refusal;
use super::rules::AddressRules;
use super::url::{Parts, read};
use crate::address::Reach;
use crate::finding::Severity;
use crate::schemes;
use locator::UriBuf;

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
        let domain = super::pattern::registrable(&origin.host);
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
    fn of_base(base: &str) -> Result<(Self, Parts), Refusal> {
        let base: UriBuf = read(base, None)?;
        let origin = Parts::read(base.as_uri_ref())?;
        let policy = Self {
            schemes: Some([origin.scheme.clone()].into()),
            ports: Some([origin.port].into()),
            base: Some(base),
            ..Self::public_web().reach(origin.reach())
        };
        Ok((policy, origin))
    }
}
