//! Policies: which URLs of strangers a program may fetch. Takes a text, returns what to send and
//! where to, or why not.
//!
//! The text must be valid, its host must be written as every program reads it, and nothing in it may
//! be found that is worse than the policy allows. Then the addresses that the host is looked up to
//! are judged. What is sent is written anew; the text of the stranger is not used again.

mod refusal;
mod rules;
mod target;

pub use refusal::{Refusal, RefusalReason};
pub use target::Target;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;
use core::net::{IpAddr, Ipv6Addr};

use rules::AddressRules;

use super::Auditor;
use super::address::Nat64Prefix;
use super::agreement::is_read_alike;
use super::blocks::Reach;
use super::finding::{Code, Finding, Severity};
use super::names::{self, Use};
use super::reader::{self, Contact, Host as ContactedHost, Readings};
use crate::base::Base;
use crate::component::Host;
use crate::edition::{RFC3986, RFC3987};
use crate::numeric::AddressReader;
use crate::reference::{Uri, UriBuf, UriRef, UriRefBuf, UriRefCow};
use crate::scheme::contact;
use crate::scheme::default_port;
use crate::span::HostKind;

/// What a program may fetch for a stranger.
///
/// A program refuses a stranger's URL in three lines:
///
/// ```
/// use locator::audit::{Policy, Refusal};
/// use std::net::{TcpStream, ToSocketAddrs};
///
/// fn connect(url: &str) -> Result<TcpStream, Box<dyn std::error::Error>> {
///     let target = Policy::public_web().check(url)?;
///     let answers = (target.name_to_look_up(), target.port()).to_socket_addrs()?;
///     Ok(TcpStream::connect(&*target.addresses(answers.map(|answer| answer.ip()))?)?)
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
/// Every URL that an answer names is a stranger's URL again: [`follow`](Self::follow) checks the target
/// of a redirect.
/// Do not give the URL to a proxy that a policy does not check: the proxy looks the name up.
#[derive(Clone, Debug)]
pub struct Policy {
    schemes: Vec<String>,
    ports: Vec<u16>,
    /// Patterns in lower case; without a pattern any host is allowed.
    hosts: Vec<String>,
    least: Severity,
    severities: Vec<(&'static Code, Severity)>,
    rules: AddressRules,
    base: Option<UriBuf>,
}

impl Policy {
    /// Returns the policy for the public web: `http` and `https`, ports 80 and 443, public addresses
    /// only, nothing that is found to be of [`Severity::Medium`] or more.
    #[must_use]
    pub fn public_web() -> Self {
        Self {
            schemes: contact::WEB.map(ToOwned::to_owned).into(),
            ports: contact::WEB_PORTS.into(),
            hosts: Vec::new(),
            least: Severity::Medium,
            severities: Vec::new(),
            rules: AddressRules { reach: Reach::Public, prefixes: Vec::new(), blocks: Vec::new() },
            base: None,
        }
    }

    /// Returns the policy for URLs of the same origin as a base: the same scheme, host and port.
    /// References without a scheme are resolved against the base. If the base is an internal
    /// address or name, addresses of its reach are allowed.
    ///
    /// ```
    /// use locator::audit::Policy;
    ///
    /// let policy = Policy::same_origin("https://www.example.com/login?next=")?;
    /// assert_eq!(policy.check("/account")?.as_str(), "https://www.example.com/account");
    /// assert!(policy.check("//www.example.org/account").is_err());
    /// assert!(policy.check("https://www.example.com:8443/").is_err());
    /// assert!(policy.check("/\\www.example.org").is_err());
    /// # Ok::<_, locator::audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The base is not a URL with a host and a port, or its host is written in a form that programs
    /// read differently.
    pub fn same_origin(base: &str) -> Result<Self, Refusal> {
        let any = Self::public_web().reach(Reach::Reserved);
        let base = read(base, None)?;
        let origin = Parts::read(base.as_uri_ref())?;
        let reach = origin.reach(&any.rules);
        Ok(Self {
            schemes: [origin.scheme].into(),
            ports: [origin.port].into(),
            hosts: [origin.host].into(),
            base: Some(base),
            ..any
        }
        .reach(reach))
    }

    /// Sets the schemes. `http` and `https` are allowed without it.
    #[must_use]
    pub fn schemes<'s>(mut self, names: impl IntoIterator<Item = &'s str>) -> Self {
        self.schemes = names.into_iter().map(str::to_ascii_lowercase).collect();
        self
    }

    /// Sets the ports. 80 and 443 are allowed without it.
    ///
    /// ```
    /// use locator::audit::Policy;
    ///
    /// let url = "http://www.example.com:8080/";
    /// assert!(Policy::public_web().check(url).is_err());
    /// assert_eq!(Policy::public_web().ports([80, 443, 8080]).check(url)?.port(), 8080);
    /// # Ok::<_, locator::audit::Refusal>(())
    /// ```
    #[must_use]
    pub fn ports(mut self, ports: impl IntoIterator<Item = u16>) -> Self {
        self.ports = ports.into_iter().filter(|port| *port != 0).collect();
        self
    }

    /// Sets the hosts. `*.example.com` allows all names below `example.com`, and not that name
    /// itself. Any host is allowed without it.
    ///
    /// ```
    /// use locator::audit::Policy;
    ///
    /// let policy = Policy::public_web().hosts(["example.com", "*.example.com"]);
    /// assert!(policy.check("https://www.example.com/").is_ok());
    /// assert!(policy.check("https://wwwexample.com/").is_err());
    /// assert!(policy.check("https://example.com.evil.org/").is_err());
    /// ```
    #[must_use]
    pub fn hosts<'h>(mut self, patterns: impl IntoIterator<Item = &'h str>) -> Self {
        self.hosts = patterns.into_iter().map(str::to_ascii_lowercase).collect();
        self
    }

    /// Sets the narrowest reach of addresses and names that is allowed. Only what is public is
    /// allowed without it.
    #[must_use]
    pub const fn reach(mut self, narrowest: Reach) -> Self {
        self.rules.reach = narrowest;
        self
    }

    /// Allows a block of addresses, whatever its reach is: a network, and the length of its prefix.
    ///
    /// ```
    /// use locator::audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let policy = Policy::public_web().allow_block(Ipv4Addr::new(10, 1, 0, 0), 16);
    /// assert!(policy.check("http://10.1.0.7/").is_ok() && policy.check("http://10.2.0.7/").is_err());
    /// ```
    #[must_use]
    pub fn allow_block(mut self, network: impl Into<IpAddr>, prefix_length: u8) -> Self {
        self.rules.blocks.push((network.into(), prefix_length));
        self
    }

    /// Adds a prefix by which a NAT64 of the own network translates to IPv4.
    #[must_use]
    pub fn nat64_prefix(mut self, prefix: Nat64Prefix) -> Self {
        self.rules.prefixes.push(prefix);
        self
    }

    /// Sets the least severity that is refused; [`Severity::Medium`] without it.
    #[must_use]
    pub const fn refuse(mut self, least: Severity) -> Self {
        self.least = least;
        self
    }

    /// Sets the severity of the findings of a code, for this policy.
    ///
    /// ```
    /// use locator::audit::{self, Policy, Severity};
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

    /// Checks a URL. A host beyond ASCII needs the feature `idna`.
    ///
    /// ```
    /// use locator::audit::Policy;
    ///
    /// let target = Policy::public_web().check("HTTP://anna@WWW.Example.com:80/a?b#c")?;
    /// assert_eq!(target.as_str(), "http://www.example.com/a?b");
    /// assert_eq!((target.host(), target.port()), ("www.example.com", 80));
    ///
    /// let refusal = Policy::public_web().check("http://0177.0.0.1/").unwrap_err();
    /// assert_eq!(refusal.findings()[0].code().name(), "disguised-address");
    /// # Ok::<_, locator::audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The policy refuses the URL.
    pub fn check(&self, text: &str) -> Result<Target, Refusal> {
        self.check_against(text, self.base.as_ref().map(UriBuf::as_uri))
    }

    /// Checks a reference that the answer from a target contains, such as that of `Location`; it is
    /// resolved against the target.
    ///
    /// ```
    /// use locator::audit::Policy;
    ///
    /// let policy = Policy::public_web();
    /// let target = policy.check("https://www.example.com/a/b")?;
    /// assert_eq!(policy.follow(&target, "../c")?.as_str(), "https://www.example.com/c");
    /// assert!(policy.follow(&target, "//127.0.0.1/").is_err());
    /// # Ok::<_, locator::audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The policy refuses the URL.
    pub fn follow(&self, from: &Target, reference: &str) -> Result<Target, Refusal> {
        self.check_against(reference, Uri::parse_with(from.as_str(), &RFC3986).ok())
    }

    fn check_against(&self, text: &str, base: Option<Uri<'_>>) -> Result<Target, Refusal> {
        let findings = self.against(text);
        let target = self.target(text, base).and_then(|target| agreed(text, base, target));
        match target {
            Ok(target) if findings.is_empty() => Ok(target),
            Ok(_) => Err(Refusal::new(RefusalReason::Findings).with_findings(findings)),
            Err(refusal) => Err(refusal.with_findings(findings)),
        }
    }

    /// Returns the findings that the policy refuses.
    fn against(&self, text: &str) -> Vec<Finding> {
        // A code may be of more severity here than elsewhere.
        let raised = |severity: &(_, Severity)| severity.1 >= self.least;
        let least = if self.severities.iter().any(raised) { Severity::Info } else { self.least };
        let mut findings = Auditor::new().least(least).audit(text);
        findings.retain(|finding| {
            let own = self.severities.iter().find(|(code, _)| *code == finding.code());
            own.map_or(finding.severity(), |(_, severity)| *severity) >= self.least
        });
        findings
    }

    fn target(&self, text: &str, base: Option<Uri<'_>>) -> Result<Target, Refusal> {
        let url = read(text, base)?;
        let parts = Parts::read(url.as_uri_ref())?;
        let refused = |reason| Err(Refusal::new(reason));
        if !self.schemes.contains(&parts.scheme) {
            return refused(RefusalReason::Scheme);
        }
        if !self.hosts.is_empty() && !self.hosts.iter().any(|pattern| matches(pattern, &parts.host)) {
            return refused(RefusalReason::Host);
        }
        if !self.ports.contains(&parts.port) {
            return refused(RefusalReason::Port);
        }
        match parts.literal {
            Some(address) => {
                if let Some(reach) = self.rules.refused(address) {
                    return refused(RefusalReason::Address { address, reach });
                }
            }
            None if name_reach(&parts.host) > self.rules.reach => return refused(RefusalReason::Host),
            None => {}
        }
        Ok(parts.target(url.as_uri_ref(), self.rules.clone()))
    }
}

/// Parses the text, and resolves it against the base, if there is one. The result is a URI.
fn read(text: &str, base: Option<Uri<'_>>) -> Result<UriBuf, Refusal> {
    let reference = match UriRef::parse_with(text, &RFC3986) {
        Ok(reference) => reference.to_owned(),
        Err(error) => uri_of_iri(text).ok_or_else(|| Refusal::new(RefusalReason::Invalid(error)))?,
    };
    let reference = reference.as_uri_ref();
    match (reference.as_uri(), base) {
        (Some(uri), _) => Ok(uri.to_owned()),
        (None, None) => Err(Refusal::new(RefusalReason::Relative)),
        (None, Some(base)) => {
            let joined = Base::new(base).and_then(|base| base.join(reference.as_str()));
            joined.map_err(|_| Refusal::new(RefusalReason::Relative))
        }
    }
}

/// Returns the URI of an IRI; `None` if it has none, or if programs convert its host differently.
fn uri_of_iri(text: &str) -> Option<UriRefBuf> {
    let iri = UriRef::parse_with(text, &RFC3987).ok()?;
    if iri.host().is_none_or(|host| host.as_str().is_ascii()) {
        return iri.to_uri_form().ok().map(UriRefCow::into_owned);
    }
    #[cfg(feature = "idna")]
    {
        let uri = iri.to_uri_with_idna().ok()?;
        // Programs map what is not in its final form by different tables (RFC 3490, UTS 46, RFC
        // 5891), and the first removes or replaces four characters that the others keep.
        let host = iri.host()?.as_str();
        let is_final = uri.host_to_unicode().is_some_and(|name| name == host);
        let deviates = host.contains(['ß', 'ς', '\u{200C}', '\u{200D}']);
        (is_final && !deviates).then(|| uri.into_owned())
    }
    #[cfg(not(feature = "idna"))]
    None
}

/// Requires that every current program contacts the scheme, host and port of the target for the
/// text.
fn agreed(text: &str, base: Option<Uri<'_>>, target: Target) -> Result<Target, Refusal> {
    let base = base.and_then(|base| reader::readings(base.as_str()).own().contact().cloned());
    let readings = Readings::new(text, &RFC3986, base.as_ref());
    let own = readings.own().contact();
    if is_read_alike(text, base.is_some()) && readings.agree() && own.is_none_or(|own| is_of(&target, own)) {
        Ok(target)
    } else {
        Err(Refusal::new(RefusalReason::Readers))
    }
}

fn is_of(target: &Target, contact: &Contact) -> bool {
    let is_host = match (contact.host(), target.address()) {
        (ContactedHost::Name(name), None) => name == target.host(),
        (ContactedHost::Address(address), Some(own)) => *address == own.to_canonical(),
        _ => false,
    };
    is_host && contact.scheme() == target.scheme() && contact.port() == Some(target.port())
}

/// Where a URL leads.
struct Parts {
    scheme: String,
    /// In lower case, and an address in its normal form.
    host: String,
    port: u16,
    literal: Option<IpAddr>,
}

impl Parts {
    fn read(url: UriRef<'_>) -> Result<Self, Refusal> {
        let refusal = |reason| Refusal::new(reason);
        let scheme = url.scheme().ok_or(refusal(RefusalReason::Relative))?.as_str().to_ascii_lowercase();
        let authority = url.authority().ok_or(refusal(RefusalReason::NoHost))?;
        let host = authority.host();
        if host.as_str().is_empty() {
            return Err(refusal(RefusalReason::NoHost));
        }
        let written = authority.port().filter(|port| !port.as_str().is_empty());
        let port = match written {
            Some(port) => port.number(),
            None => default_port(&scheme),
        };
        let port = port.filter(|port| *port != 0).ok_or(refusal(RefusalReason::Port))?;
        let (host, literal) = plain_host(host).ok_or(refusal(RefusalReason::HostForm))?;
        Ok(Self { scheme, host, port, literal })
    }

    /// Returns the reach of the host, as far as it is known without looking it up.
    fn reach(&self, rules: &AddressRules) -> Reach {
        match self.literal {
            Some(address) => Reach::with_prefixes(address.to_canonical(), &rules.prefixes),
            None => name_reach(&self.host),
        }
    }

    fn target(self, url: UriRef<'_>, rules: AddressRules) -> Target {
        let mut text = format!("{}://{}", self.scheme, self.host);
        let host = self.scheme.len() + 3..text.len();
        if default_port(&self.scheme) != Some(self.port) {
            let _ = write!(text, ":{}", self.port);
        }
        let authority_end = text.len();
        let path = url.path().as_str();
        text.push_str(if path.is_empty() { "/" } else { path });
        if let Some(query) = url.query() {
            text.push('?');
            text.push_str(query.as_str());
        }
        let Self { scheme, port, literal, .. } = self;
        Target { url: text, scheme_end: scheme.len(), host, authority_end, port, literal, rules }
    }
}

/// Returns the host in lower case, and its address; `None` if programs may read it differently.
fn plain_host(host: Host<'_>) -> Option<(String, Option<IpAddr>)> {
    match host.kind() {
        HostKind::Ipv4 => {
            let address = host.ipv4()?;
            Some((format!("{address}"), Some(address.into())))
        }
        HostKind::Ipv6 => {
            let text = host.as_str().strip_prefix('[')?.strip_suffix(']')?;
            // A zone is refused.
            let address = text.parse::<Ipv6Addr>().ok()?;
            Some((format!("[{address}]"), Some(address.into())))
        }
        HostKind::Name => {
            let name = host.as_str();
            let allowed = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_');
            let is_label = |label: &str| !label.is_empty() && label.len() <= 63 && label.bytes().all(allowed);
            let is_address = AddressReader::ALL.iter().any(|reader| reader.read(name).is_some());
            let is_plain = name.len() <= 253
                && name.split('.').all(is_label)
                // A program that gives the name to another takes it for an option.
                && !name.starts_with('-')
                && !is_address
                && !names::ends_in_number(name);
            is_plain.then(|| (name.to_ascii_lowercase(), None))
        }
        _ => None,
    }
}

/// Returns the reach of a name, as far as the name says it.
fn name_reach(name: &str) -> Reach {
    if names::metadata(name).is_some() {
        return Reach::LinkLocal;
    }
    match names::special(name).map(|special| special.for_use) {
        Some(Use::ThisMachine) => Reach::ThisMachine,
        Some(Use::LocalNetwork) => Reach::Private,
        Some(Use::NotInDns | Use::Protocol) => Reach::Reserved,
        Some(Use::Example) => Reach::Public,
        None if !name.contains('.') => Reach::Private,
        None => Reach::Public,
    }
}

fn matches(pattern: &str, host: &str) -> bool {
    match pattern.strip_prefix("*.") {
        Some(domain) => host.len() > domain.len() && names::is_within(host, domain),
        None => pattern == host,
    }
}
