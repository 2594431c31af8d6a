//! Policies: which URLs of strangers a program may fetch. Takes a text, returns what to send and
//! where to, or why not.
//!
//! The text must be valid, its host must be written as every program reads it, and no finding in it
//! may be of a severity that the policy refuses. Then the addresses of the host are checked. What is
//! sent is composed from the checked parts; the text of the stranger is not used again.
//!
//! [`Policy`] has the options; `presets` those to begin with, `rules` which addresses are allowed, `host` the patterns
//! of hosts. `check` makes a [`Target`], where to connect and what to send, and from the server that answered, a
//! [`Peer`], it checks redirects. A [`Refusal`] has the reason. Against server-side request forgery (SSRF) and DNS
//! rebinding; RFC 3986, 7.6.
//!
//! ```
//! use std::net::Ipv4Addr;
//!
//! use locator_audit::Policy;
//!
//! // A webhook that a user of a service has entered.
//! let policy = Policy::public_web().schemes(["https"]);
//! let target = policy.check("https://hooks.example.com/a")?;
//! // Connect to one of these, not to the result of another look-up.
//! let addresses = target.addresses([Ipv4Addr::new(93, 184, 215, 14)])?;
//! assert_eq!(addresses[0].port(), 443);
//! assert!(policy.check("https://169.254.169.254/latest/meta-data/").is_err());
//! # Ok::<_, locator_audit::Refusal>(())
//! ```

mod check;
mod host;
mod presets;
mod refusal;
mod rules;
mod target;

pub(crate) use refusal::REFUSED;
pub use refusal::{Refusal, RefusalReason};
pub use target::{Peer, Target};

use alloc::string::String;
use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};

use host::HostPattern;
use rules::{AddressRules, Network};

use crate::address::{Nat64Prefix, Reach};
use crate::finding::{Code, Severity};
use locator::{Uri, UriBuf};

/// A policy: what a program may fetch for a stranger.
///
/// A program refuses a stranger's URL in three lines:
///
/// ```
/// use locator_audit::{Policy, Refusal};
/// use std::net::{TcpStream, ToSocketAddrs};
///
/// fn connect(url: &str) -> Result<TcpStream, Box<dyn std::error::Error>> {
///     let target = Policy::public_web().check(url)?;
///     let answers =
///         (target.name_to_look_up(), target.port()).to_socket_addrs()?;
///     Ok(TcpStream::connect(
///         &*target.addresses(answers.map(|answer| answer.ip()))?,
///     )?)
/// }
///
/// for url in [
///     "http://169.254.169.254/latest/meta-data/",
///     "http://0x7f.1/",
///     "http://[64:ff9b::7f00:1]/",
///     "http://localhost/",
///     "http://www.example.com\\@evil.example.org/",
///     "http://www.example.com:25/",
///     "file:///etc/passwd",
/// ] {
///     assert!(connect(url).unwrap_err().is::<Refusal>(), "{url}");
/// }
/// ```
///
/// Send [`Target::path_and_query`] and [`Target::host`], not the text of the stranger.
/// Whatever an answer names is a stranger's again: [`follow`](Self::follow) checks redirects and the
/// entries of menus, [`alternative`](Self::alternative) `Alt-Svc` and SVCB records,
/// [`data_address`](Self::data_address) the addresses of FTP.
/// Do not use a proxy unless [`uses_proxies`](Self::uses_proxies) says so: a proxy looks the name up
/// itself.
#[derive(Clone, Debug)]
pub struct Policy {
    /// In lower case; `None` for any that connects.
    schemes: Option<Vec<String>>,
    ports: Option<Vec<u16>>,
    /// The ports of single schemes, in place of `ports`.
    ports_by_scheme: Vec<(String, Vec<u16>)>,
    hosts: Option<Vec<HostPattern>>,
    /// In addition to the others, whatever these are.
    allowed_schemes: Vec<String>,
    allowed_ports: Vec<u16>,
    allowed_hosts: Vec<HostPattern>,
    denied_schemes: Vec<String>,
    denied_ports: Vec<u16>,
    denied_hosts: Vec<HostPattern>,
    least: Severity,
    severities: Vec<(&'static Code, Severity)>,
    rules: AddressRules,
    base: Option<UriBuf>,
    /// Whether the URL itself is trusted, and only answers are judged by findings and readers.
    is_typed: bool,
    web_to_ftp: bool,
    /// Whether a proxy may be used though it does not check addresses: all addresses are allowed.
    trusts_proxies: bool,
}

/// Returns whether a text is a registrable domain.
#[cfg(all(feature = "serde", feature = "public-suffix"))]
pub(crate) fn is_registrable(text: &str) -> bool {
    HostPattern::domain(text) != HostPattern::Wrong
}

impl Policy {
    /// Sets the allowed schemes; `http` and `https` by default.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let policy = Policy::public_web().schemes(["https"]);
    /// assert!(policy.check("https://www.example.com/").is_ok());
    /// assert!(policy.check("http://www.example.com/").is_err());
    /// ```
    #[must_use]
    pub fn schemes<'s>(mut self, names: impl IntoIterator<Item = &'s str>) -> Self {
        self.schemes = Some(names.into_iter().map(str::to_ascii_lowercase).collect());
        self
    }

    /// Sets the allowed ports; 80 and 443 by default.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let url = "http://www.example.com:8080/";
    /// assert!(Policy::public_web().check(url).is_err());
    /// assert_eq!(
    ///     Policy::public_web().ports([80, 443, 8080]).check(url)?.port(),
    ///     8080
    /// );
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    #[must_use]
    pub fn ports(mut self, ports: impl IntoIterator<Item = u16>) -> Self {
        self.ports = Some(ports.into_iter().collect());
        self
    }

    /// Sets the allowed ports of one scheme, in place of [`ports`](Self::ports), which still limits
    /// the others.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let policy = Policy::public_web().ports_of("https", [443, 8443]);
    /// assert!(policy.check("https://www.example.com:8443/").is_ok());
    /// assert!(policy.check("https://www.example.com:80/").is_err());
    /// assert!(policy.check("http://www.example.com/").is_ok());
    /// ```
    #[must_use]
    pub fn ports_of(mut self, scheme: &str, ports: impl IntoIterator<Item = u16>) -> Self {
        let scheme = scheme.to_ascii_lowercase();
        self.ports_by_scheme.retain(|(other, _)| *other != scheme);
        self.ports_by_scheme.push((scheme, ports.into_iter().collect()));
        self
    }

    /// Sets the allowed hosts; any host by default.
    ///
    /// `*.example.com` allows all names below `example.com`, and not that name itself. A pattern
    /// that is not a host, or this, allows nothing.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let policy = Policy::public_web().hosts(["example.com", "*.example.com"]);
    /// assert!(policy.check("https://www.example.com/").is_ok());
    /// assert!(policy.check("https://wwwexample.com/").is_err());
    /// assert!(policy.check("https://example.com.evil.org/").is_err());
    /// ```
    #[must_use]
    pub fn hosts<'h>(mut self, patterns: impl IntoIterator<Item = &'h str>) -> Self {
        self.hosts = Some(patterns.into_iter().map(HostPattern::new).collect());
        self
    }

    /// Allows registrable domains and all names in them, in addition to [`hosts`](Self::hosts).
    ///
    /// Names that others can register by the public suffix list are not allowed. A text that is not
    /// a registrable domain allows nothing.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let policy = Policy::public_web().domains(["amazonaws.com", "co.uk"]);
    /// assert!(policy.check("https://www.amazonaws.com/").is_ok());
    /// assert!(policy.check("https://anybody.s3.amazonaws.com/").is_err());
    /// assert!(policy.check("https://example.co.uk/").is_err());
    /// ```
    #[cfg(feature = "public-suffix")]
    #[must_use]
    pub fn domains<'d>(mut self, names: impl IntoIterator<Item = &'d str>) -> Self {
        self.hosts.get_or_insert_default().extend(names.into_iter().map(HostPattern::domain));
        self
    }

    /// Forbids schemes, whatever else allows them.
    #[must_use]
    pub fn deny_schemes<'s>(mut self, names: impl IntoIterator<Item = &'s str>) -> Self {
        self.denied_schemes.extend(names.into_iter().map(str::to_ascii_lowercase));
        self
    }

    /// Forbids ports, whatever else allows them.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let policy = Policy::public_web().ports([80, 443, 8080]).deny_ports([8080]);
    /// assert!(policy.check("http://www.example.com:8080/").is_err());
    /// ```
    #[must_use]
    pub fn deny_ports(mut self, ports: impl IntoIterator<Item = u16>) -> Self {
        self.denied_ports.extend(ports);
        self
    }

    /// Forbids hosts, whatever else allows them.
    ///
    /// `example.com` forbids that name and all names below it, `*.example.com` only those below it.
    /// A pattern that is not a host, or this, forbids everything.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let policy = Policy::public_web()
    ///     .hosts(["*.example.com"])
    ///     .deny_hosts(["old.example.com"]);
    /// assert!(policy.check("https://www.example.com/").is_ok());
    /// assert!(policy.check("https://www.old.example.com/").is_err());
    /// ```
    #[must_use]
    pub fn deny_hosts<'h>(mut self, patterns: impl IntoIterator<Item = &'h str>) -> Self {
        self.denied_hosts.extend(patterns.into_iter().map(HostPattern::new));
        self
    }

    /// Forbids a block of addresses, whatever else allows them: a network, and the length of its
    /// prefix.
    ///
    /// IPv6 addresses that contain an IPv4 address of the block are forbidden, too.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let policy =
    ///     Policy::public_web().deny_block(Ipv4Addr::new(93, 184, 215, 0), 24);
    /// assert!(policy.check("http://93.184.215.14/").is_err());
    /// assert!(policy.check("http://[64:ff9b::5db8:d70e]/").is_err());
    /// ```
    #[must_use]
    pub fn deny_block(mut self, network: impl Into<IpAddr>, prefix_length: u8) -> Self {
        let network = network.into();
        let width = if network.is_ipv4() { 32 } else { 128 };
        self.rules.denied.push(Network { address: network, length: prefix_length.min(width) });
        self
    }

    /// Forbids an address with a port, whatever else allows them: a server that fetches URLs for others
    /// must not ask itself. With the unspecified address the port is forbidden at every address.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let policy = Policy::typed().deny_socket((Ipv4Addr::LOCALHOST, 1738).into());
    /// let target = policy.check("gopher://example.com:1738/")?;
    /// assert!(target.addresses([Ipv4Addr::LOCALHOST]).is_err());
    /// assert!(target.addresses([Ipv4Addr::new(127, 0, 0, 2)]).is_ok());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    #[must_use]
    pub fn deny_socket(mut self, socket: SocketAddr) -> Self {
        self.rules.denied_sockets.push(socket);
        self
    }

    /// Sets the narrowest reach of addresses and names that is allowed; [`Reach::Public`] by
    /// default.
    ///
    /// A program in a private network can allow the addresses of that network, and still none of its own
    /// machine:
    ///
    /// ```
    /// use locator_audit::{Policy, Reach};
    ///
    /// let policy = Policy::public_web().reach(Reach::Private);
    /// assert!(policy.check("http://10.0.0.1/").is_ok());
    /// assert!(policy.check("http://169.254.169.254/").is_err());
    /// assert!(policy.check("http://127.0.0.1/").is_err());
    /// ```
    #[must_use]
    pub const fn reach(mut self, narrowest: Reach) -> Self {
        self.rules.reach = narrowest;
        self
    }

    /// Adds a prefix by which a NAT64 of your network translates to IPv4.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let url = "http://[2600:1::a00:1]/";
    /// assert!(Policy::public_web().check(url).is_ok());
    ///
    /// let prefix = "2600:1::/96".parse()?;
    /// assert!(Policy::public_web().nat64_prefix(prefix).check(url).is_err());
    /// # Ok::<_, locator_audit::Nat64PrefixError>(())
    /// ```
    #[must_use]
    pub fn nat64_prefix(mut self, prefix: Nat64Prefix) -> Self {
        self.rules.prefixes.push(prefix);
        self
    }

    /// Sets the least severity that is refused; [`Severity::Medium`] by default.
    ///
    /// A policy for [typed](Self::typed) URLs then refuses these, too.
    ///
    /// ```
    /// use locator_audit::{Policy, Severity};
    ///
    /// // A password in a URL is of low severity.
    /// let url = "http://jan:s3cret@www.example.com/";
    /// assert!(Policy::public_web().check(url).is_ok());
    /// let strict = Policy::public_web().refuse(Severity::Low);
    /// assert!(strict.check(url).is_err());
    /// ```
    #[must_use]
    pub const fn refuse(mut self, least: Severity) -> Self {
        self.least = least;
        self.is_typed = false;
        self
    }

    /// Sets whether [`follow`](Self::follow) may lead from `http` and `https` to FTP; `false` by
    /// default.
    #[must_use]
    pub const fn web_to_ftp(mut self, is_allowed: bool) -> Self {
        self.web_to_ftp = is_allowed;
        self
    }

    /// Sets whether the proxies of the client check the addresses that they connect to; `false` by
    /// default.
    ///
    /// Proxies that do not must not be used.
    #[must_use]
    pub const fn proxy_checks(mut self, does: bool) -> Self {
        self.rules.proxy_checks = does;
        self.trusts_proxies = does;
        self
    }

    /// Returns whether a client may use a proxy, which looks names up itself.
    ///
    /// It may if the proxy [checks](Self::proxy_checks) addresses, or if this is the policy for
    /// [typed](Self::typed) URLs, and neither its [reach](Self::reach) is limited nor a block
    /// [denied](Self::deny_block).
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// assert!(Policy::typed().uses_proxies() && !Policy::public_web().uses_proxies());
    /// assert!(Policy::public_web().proxy_checks(true).uses_proxies());
    /// ```
    #[must_use]
    pub fn uses_proxies(&self) -> bool {
        let allows_all = self.rules.reach == Reach::Reserved && self.rules.denied.is_empty();
        self.rules.proxy_checks || self.trusts_proxies && allows_all
    }

    /// Checks whether a client may use a proxy, as [`uses_proxies`](Self::uses_proxies) says; the refusal
    /// names its host.
    ///
    /// # Errors
    ///
    /// The policy does not say that proxies check addresses.
    pub fn check_proxy(&self, host: &str) -> Result<(), Refusal> {
        if self.uses_proxies() { Ok(()) } else { Err(Refusal::new(RefusalReason::Proxy).of(host)) }
    }

    /// Returns the base, which references without a scheme are resolved against.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let policy = Policy::same_origin("https://www.example.com/a")?;
    /// assert_eq!(policy.base().unwrap(), "https://www.example.com/a");
    /// assert!(Policy::typed().base().is_none());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    #[must_use]
    pub fn base(&self) -> Option<Uri<'_>> {
        self.base.as_ref().map(UriBuf::as_uri)
    }

    /// Sets the severity of the findings of a code, in this policy.
    ///
    /// ```
    /// use locator_audit::{self as audit, Policy, Severity};
    ///
    /// let password = audit::code("password").unwrap();
    /// let policy = Policy::public_web().severity(password, Severity::High);
    /// assert!(policy.check("https://anna:secret@www.example.com/").is_err());
    /// ```
    #[must_use]
    pub fn severity(mut self, code: &'static Code, severity: Severity) -> Self {
        self.severities.retain(|(other, _)| *other != code);
        self.severities.push((code, severity));
        self
    }
}
