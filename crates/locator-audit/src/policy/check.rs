//! What a policy allows: a URL of a stranger, and whatever else an answer names.
//!
//! Places: takes scheme, host and port, and the peer whose answer named them, if one did; returns the
//! rules for the addresses of the host.
//!
//! Plain URLs, as nearly all are: takes one, and answers whether the policy allows it without a copy of
//! any part. The answer "no" means nothing.
//!
//! Where a client is about to connect: takes a host and a port that are not those of a URL's text, or
//! an address that an answer names for its data, and returns whether the policy allows them.
//!
//! What a policy says of a text as findings: their severities, and the refusal as one of them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};
use core::ops::Range;

use locator::edition::RFC3986;
use locator::scheme::default_port;
use locator::{Component, Uri, UriRef, internal};

use super::Policy;
use super::host::{self, HostPattern, has_plain_labels, name_reach};
use super::refusal::{REFUSED, Refusal, RefusalReason};
use super::rules::{AddressRules, narrower};
use super::target::{Alternative, Endpoint, OwnEndpoint, Peer, Target, agreed, read};
use crate::address::Reach;
use crate::auditor::{Auditor, ONLY_AT_INFO};
use crate::checks::check::Subject;
use crate::checks::reader::DISAGREE;
use crate::finding::{Finding, Findings, Severity};
use crate::{plain, schemes};

impl Policy {
    /// Checks a URL: returns what to fetch, or why the policy refuses it.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let target =
    ///     Policy::public_web().check("HTTP://anna@WWW.Example.com:80/a?b#c")?;
    /// assert_eq!(target.as_str(), "http://www.example.com/a?b");
    /// assert_eq!((target.host(), target.port()), ("www.example.com", 80));
    ///
    /// let refusal = Policy::public_web().check("http://0177.0.0.1/").unwrap_err();
    /// assert_eq!(refusal.findings()[0].code().name(), "disguised-address");
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The policy refuses the URL.
    pub fn check(&self, text: &str) -> Result<Target, Refusal> {
        self.check_against(text, self.base(), None)
    }

    /// Checks a reference in the answer of a peer: a redirect (`Location`), or an entry of a menu.
    ///
    /// It is resolved against the peer's target.
    ///
    /// What it names must not have a narrower reach than the peer, now or when it is looked up. If
    /// the policy allows any port, one below 1024 or of another protocol must be the scheme's own, or
    /// that of the peer. From `http` and `https` it leads only to these, and never from `https` to
    /// `http`; from `gopher` and `prospero` to them, to FTP, to `gopher`, `wais` and `news`; from any
    /// other scheme only to the same.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let policy = Policy::typed();
    /// let target = policy.check("http://www.example.com/a/b")?;
    /// let peer = target.peer(Ipv4Addr::new(93, 184, 215, 14))?;
    /// assert_eq!(policy.follow(&peer, "../c")?.as_str(), "http://www.example.com/c");
    /// for url in [
    ///     "http://127.0.0.1/",
    ///     "http://www.example.com:25/",
    ///     "ftp://www.example.com/",
    /// ] {
    ///     assert!(
    ///         policy.check(url).is_ok() && policy.follow(&peer, url).is_err(),
    ///         "{url}"
    ///     );
    /// }
    /// let rebound = policy.follow(&peer, "http://www.example.org/")?;
    /// assert!(rebound.addresses([Ipv4Addr::new(10, 0, 0, 1)]).is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The policy refuses the URL.
    pub fn follow(&self, peer: &Peer<'_>, reference: &str) -> Result<Target, Refusal> {
        let base = Uri::parse_with(peer.target().as_str(), &RFC3986).ok();
        self.check_against(reference, base, Some(peer))
    }

    /// Checks an alternative server for the peer's target, which an answer or the DNS names.
    ///
    /// The name is in `Alt-Svc` (RFC 7838) or in an SVCB or HTTPS record (RFC 9460). The
    /// result has the URL of the target, and [`name_to_look_up`](Target::name_to_look_up) and
    /// [`addresses`](Target::addresses) of the alternative. Without a host (`Alt-Svc: h3=":443"`, the
    /// target name `.`) it is the host of the URL.
    ///
    /// The server must still show that it is the host of the URL, by its certificate.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let policy = Policy::public_web();
    /// let target = policy.check("https://www.example.com/a")?;
    /// let peer = target.peer(Ipv4Addr::new(93, 184, 215, 14))?;
    /// let alternative = policy.alternative(&peer, "alt.example.net", 443)?;
    /// assert_eq!(alternative.as_str(), "https://www.example.com/a");
    /// assert_eq!(alternative.name_to_look_up(), "alt.example.net.");
    /// assert!(policy.alternative(&peer, "alt.example.net", 25).is_err());
    /// assert!(policy.alternative(&peer, "localhost", 443).is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The policy refuses the host or the port.
    pub fn alternative(&self, peer: &Peer<'_>, name: &str, port: u16) -> Result<Target, Refusal> {
        let target = peer.target();
        let name = match name.strip_suffix('.').unwrap_or(name) {
            "" => target.host(),
            name => name,
        };
        let plain = host::parse(name).ok_or(Refusal::new(RefusalReason::HostForm))?;
        let host::PlainHost { text: host, address: literal } = plain;
        let findings = self.against(&format!("{}://{host}:{port}/", target.scheme()));
        let endpoint = Endpoint { scheme: target.scheme(), host: &host, port, literal };
        let rules =
            self.allow(&endpoint, Some(peer)).map_err(|refusal| refusal.with_findings(findings.clone()))?;
        if !findings.is_empty() {
            return Err(Refusal::new(RefusalReason::Findings).with_findings(findings));
        }
        Ok(Target { alternative: Some(Alternative { host, port }), literal, rules, ..target.clone() })
    }

    /// Returns whether the policy allows URLs of a scheme.
    ///
    /// The scheme must be one of [`schemes`](Self::schemes). If these are not limited, it is one
    /// that connects to a host, or for [typed](Self::typed) URLs any.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// assert!(
    ///     Policy::typed().allows_scheme("file")
    ///         && !Policy::public_web().allows_scheme("file")
    /// );
    /// assert!(!Policy::typed().deny_schemes(["file"]).allows_scheme("FILE"));
    /// ```
    #[must_use]
    pub fn allows_scheme(&self, name: &str) -> bool {
        let names = |schemes: &[String]| schemes.iter().any(|scheme| scheme.eq_ignore_ascii_case(name));
        let is_listed = match &self.schemes {
            Some(schemes) => names(schemes),
            None => self.is_typed || internal::ports::connects(name),
        };
        (is_listed || names(&self.allowed_schemes)) && !names(&self.denied_schemes)
    }

    /// Checks a scheme, as [`allows_scheme`](Self::allows_scheme) says.
    ///
    /// # Errors
    ///
    /// The policy refuses the scheme.
    pub fn check_scheme(&self, name: &str) -> Result<(), Refusal> {
        if self.allows_scheme(name) {
            return Ok(());
        }
        let is_denied = self.denied_schemes.iter().any(|scheme| scheme.eq_ignore_ascii_case(name));
        Err(Refusal::new(RefusalReason::Scheme).of(name.to_ascii_lowercase()).denied(is_denied))
    }

    /// Checks whether a URL of one scheme, or the answer to it, may lead to a URL of another
    /// scheme.
    ///
    /// It is a part of [`follow`](Self::follow), and all of it for a URL without a host, such as
    /// `news:comp.lang.rust`.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let policy = Policy::typed();
    /// assert!(policy.leads_to("gopher", "news").is_ok());
    /// assert!(policy.leads_to("https", "http").is_err());
    /// assert!(policy.leads_to("gopher", "file").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// The policy refuses the second scheme, or no answer leads to it from the first.
    pub fn leads_to(&self, from: &str, to: &str) -> Result<(), Refusal> {
        let (from, to) = (from.to_ascii_lowercase(), to.to_ascii_lowercase());
        self.check_scheme(&to)?;
        if internal::ports::may_lead(&from, &to, self.web_to_ftp) {
            return Ok(());
        }
        Err(Refusal::new(RefusalReason::AnswerScheme).of(to))
    }

    /// Returns whether this is a policy for URLs that a user gives ([`typed`](Self::typed)), which
    /// trusts the URL itself.
    #[must_use]
    pub const fn is_typed(&self) -> bool {
        self.is_typed
    }

    fn check_against(
        &self,
        text: &str,
        base: Option<Uri<'_>>,
        peer: Option<&Peer<'_>>,
    ) -> Result<Target, Refusal> {
        if self.is_typed && peer.is_none() {
            return self.target(text, base, peer);
        }
        let found = self.looking_for_raised(Auditor::new().least(self.least)).audit(text);
        self.check_found(text, base, peer, found)
    }

    /// Checks a text, of which the findings are known.
    pub(super) fn check_found(
        &self,
        text: &str,
        base: Option<Uri<'_>>,
        peer: Option<&Peer<'_>>,
        found: Vec<Finding>,
    ) -> Result<Target, Refusal> {
        let agree = !found.iter().any(|finding| *finding.code() == DISAGREE);
        let findings = self.weighed(found, self.least);
        let target = self.target(text, base, peer);
        match target.and_then(|target| agreed(text, base, target, agree)) {
            Ok(target) if findings.is_empty() => Ok(target),
            Ok(_) => Err(Refusal::new(RefusalReason::Findings).with_findings(findings)),
            Err(refusal) => Err(refusal.with_findings(findings)),
        }
    }

    /// Returns the findings that the policy refuses.
    pub(super) fn against(&self, text: &str) -> Vec<Finding> {
        self.weighed(self.looking_for_raised(Auditor::new().least(self.least)).audit(text), self.least)
    }

    /// Returns findings with the severities of the policy, as far as they are of this severity at least.
    pub(super) fn weighed(&self, findings: Vec<Finding>, least: Severity) -> Vec<Finding> {
        let weighed = findings.into_iter().map(|finding| self.weigh(finding));
        weighed.filter(|finding| finding.severity() >= least).collect()
    }

    /// Returns an auditor that finds also what is of more severity here than elsewhere.
    pub(super) fn looking_for_raised<'a>(&self, auditor: Auditor<'a>) -> Auditor<'a> {
        let mut raised = self.severities.iter().filter(|(_, severity)| *severity >= auditor.least).peekable();
        if raised.peek().is_none() {
            return auditor;
        }
        match raised.any(|(code, _)| ONLY_AT_INFO.contains(&code.name)) {
            true => auditor.least(Severity::Info),
            false => auditor.least(auditor.least.min(Severity::Low)).keeping_all(),
        }
    }

    /// Sets the severity of a finding to that of the policy.
    pub(super) fn weigh(&self, finding: Finding) -> Finding {
        let own = self.severities.iter().find(|(code, _)| *code == finding.code());
        match own {
            Some((_, severity)) => finding.severe(*severity),
            None => finding,
        }
    }

    fn target(&self, text: &str, base: Option<Uri<'_>>, peer: Option<&Peer<'_>>) -> Result<Target, Refusal> {
        match UriRef::parse_with(text, &RFC3986) {
            // Nearly all are, and need not be copied.
            Ok(url) if url.has_scheme() => self.target_of(url, peer),
            _ => self.target_of(read(text, base)?.as_uri_ref(), peer),
        }
    }

    fn target_of(&self, url: UriRef<'_>, peer: Option<&Peer<'_>>) -> Result<Target, Refusal> {
        let scheme = url.scheme().map(|scheme| scheme.lowercase()).unwrap_or_default();
        let may_connect = self.schemes.is_some() || internal::ports::connects(&scheme);
        if !may_connect {
            return Err(Refusal::new(RefusalReason::Scheme).of(scheme));
        }
        self.check_scheme(&scheme)?;
        if let Some(peer) = peer {
            self.leads_to(peer.target().scheme(), &scheme)?;
        }
        let own = OwnEndpoint::read(url)?;
        let rules = self.allow(&own.borrowed(), peer)?;
        Ok(own.target(url, rules))
    }
}

impl Policy {
    /// Returns the rules for the addresses of an endpoint, or why the policy refuses it.
    pub(super) fn allow(
        &self,
        endpoint: &Endpoint<'_>,
        peer: Option<&Peer<'_>>,
    ) -> Result<AddressRules, Refusal> {
        let Endpoint { host, literal, .. } = *endpoint;
        if !self.names_host(host) || self.denies_host(host) {
            return Err(Refusal::new(RefusalReason::Host).of(host).denied(self.denies_host(host)));
        }
        self.allow_port(endpoint, peer)?;
        let mut rules = self.rules_after(peer);
        if self.allowed_hosts.iter().any(|pattern| pattern.allows(host)) {
            rules.reach = Reach::Reserved;
        }
        let is_host_of_peer = peer.is_some_and(|peer| peer.target().host() == host);
        let reason = match literal {
            Some(address) => rules.refused(address),
            None => match name_reach(host) {
                reach if reach > rules.reach => Some(RefusalReason::Host),
                // A server may name itself, whatever its name is reserved for; its addresses are checked.
                _ if is_host_of_peer => None,
                reach => narrower(rules.peer, reach),
            },
        };
        let is_denied = literal.is_some_and(|address| rules.is_denied(address));
        match reason {
            Some(reason) => Err(Refusal::new(reason).of(host).denied(is_denied)),
            None => Ok(rules),
        }
    }

    fn allow_port(&self, endpoint: &Endpoint<'_>, peer: Option<&Peer<'_>>) -> Result<(), Refusal> {
        let names = |ports: &Vec<u16>| ports.contains(&endpoint.port);
        let own = self.ports_by_scheme.iter().find(|(scheme, _)| scheme == endpoint.scheme);
        let ports = own.map(|(_, ports)| ports).or(self.ports.as_ref());
        let is_listed = ports.is_some_and(names) || names(&self.allowed_ports);
        let is_allowed = match ports {
            Some(_) => is_listed,
            None => {
                self.is_typed
                    || is_listed
                    || internal::ports::foreign_port(endpoint.scheme, endpoint.port).is_none()
            }
        };
        if endpoint.port == 0 || !is_allowed || names(&self.denied_ports) {
            let is_denied = names(&self.denied_ports);
            return Err(Refusal::new(RefusalReason::Port).of(endpoint.port).denied(is_denied));
        }
        match peer {
            Some(peer) if !is_listed && !may_name_port(peer.target(), endpoint) => {
                Err(Refusal::new(RefusalReason::AnswerPort).of(endpoint.port))
            }
            _ => Ok(()),
        }
    }

    /// Returns whether the policy allows the name of a host, as far as it names hosts.
    pub(super) fn names_host(&self, host: &str) -> bool {
        let names = |patterns: &Vec<HostPattern>| patterns.iter().any(|pattern| pattern.allows(host));
        self.hosts.as_ref().is_none_or(names) || names(&self.allowed_hosts)
    }

    pub(super) fn denies_host(&self, host: &str) -> bool {
        self.denied_hosts.iter().any(|pattern| pattern.denies(host))
    }

    /// Returns the rules for addresses that the answer of a peer names.
    pub(super) fn rules_after(&self, peer: Option<&Peer<'_>>) -> AddressRules {
        AddressRules { peer: peer.map(Peer::reach), ..self.rules.clone() }
    }
}

/// Returns whether an answer for a target may name a port: not one below 1024 or of another protocol,
/// unless it is the scheme's own, or the endpoint is that of the target.
fn may_name_port(target: &Target, endpoint: &Endpoint<'_>) -> bool {
    let is_same =
        (target.scheme(), target.host(), target.port()) == (endpoint.scheme, endpoint.host, endpoint.port);
    is_same || internal::ports::foreign_port(endpoint.scheme, endpoint.port).is_none()
}

impl Policy {
    /// Returns whether a text is a plain URL, the policy allows it, and an auditor that looks for what the
    /// policy raises has no finding about it.
    pub(super) fn is_quiet(&self, auditor: &Auditor<'_>, text: &str) -> bool {
        let own = self.looking_for_raised(Auditor::new().least(self.least));
        let skips = self.base().is_none() && self.least > Severity::Info;
        skips
            && own.skips_plain()
            && auditor.skips_plain()
            && plain::is_plain(text)
            && self.allows_plain(text)
    }

    /// Every program reads a plain URL in the same way: it has no userinfo and no port, and its host ends at
    /// the first "/".
    fn allows_plain(&self, text: &str) -> bool {
        let Some(start) = text.as_bytes().first_chunk().and_then(schemes::after_usual_scheme) else {
            return false;
        };
        let (before, rest) = text.split_at(start);
        let scheme = before.trim_end_matches("://");
        let host = rest.split('/').next().unwrap_or_default();
        let is_name = has_plain_labels(host.as_bytes()) && !host.starts_with('-');
        let Some(port) = default_port(scheme) else { return false };
        let endpoint = Endpoint { scheme, host, port, literal: None };
        is_name
            && !host.bytes().any(|octet| octet.is_ascii_uppercase())
            && self.allows_scheme(scheme)
            && self.allow(&endpoint, None).is_ok()
    }
}

impl Policy {
    /// Checks where a client is about to connect for a URL of this scheme.
    ///
    /// That may be another server than the one that the URL names: a gateway, or one that the user
    /// configured. The host is written as in a URL. Whether the scheme itself is allowed is asked
    /// by [`allows_scheme`](Self::allows_scheme).
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let target = Policy::typed().endpoint("finger", "www.example.com", 79)?;
    /// let address = target.addresses([Ipv4Addr::new(93, 184, 215, 14)])?[0];
    /// assert_eq!(address.to_string(), "93.184.215.14:79");
    /// assert!(Policy::public_web().endpoint("http", "127.0.0.1", 80).is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The policy refuses the host or the port.
    pub fn endpoint(&self, scheme: &str, host: &str, port: u16) -> Result<Target, Refusal> {
        self.endpoint_after(None, scheme, host, port)
    }

    /// Checks where a client is about to connect for a URL that [`follow`](Self::follow) allowed.
    ///
    /// Otherwise like [`endpoint`](Self::endpoint), which is for what the user chose, also after an
    /// answer: a gateway or a proxy.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let policy = Policy::typed();
    /// let target = policy.check("http://www.example.com/")?;
    /// let peer = target.peer(Ipv4Addr::new(93, 184, 215, 14))?;
    /// let named = policy.named_endpoint(&peer, "http", "www.example.org", 80)?;
    /// assert!(named.addresses([Ipv4Addr::LOCALHOST]).is_err());
    /// assert!(policy.named_endpoint(&peer, "http", "localhost", 80).is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The policy refuses the host or the port.
    pub fn named_endpoint(
        &self,
        peer: &Peer<'_>,
        scheme: &str,
        host: &str,
        port: u16,
    ) -> Result<Target, Refusal> {
        self.endpoint_after(Some(peer), scheme, host, port)
    }

    fn endpoint_after(
        &self,
        peer: Option<&Peer<'_>>,
        scheme: &str,
        host: &str,
        port: u16,
    ) -> Result<Target, Refusal> {
        let text = format!("{scheme}://{host}:{port}/");
        let url = read(&text, None)?;
        let own = OwnEndpoint::read(url.as_uri_ref())?;
        let rules = self.allow(&own.borrowed(), peer)?;
        let findings = if self.is_typed { Vec::new() } else { self.against(&text) };
        if !findings.is_empty() {
            return Err(Refusal::new(RefusalReason::Findings).with_findings(findings));
        }
        Ok(own.target(url.as_uri_ref(), rules))
    }

    /// Checks the address and the port of a data connection, such as those that FTP's `PASV` and
    /// `EPSV` name.
    ///
    /// The port must not be below 1024 or that of another protocol; [`ports`](Self::ports) do not
    /// limit it. If the policy names hosts, the address must be the peer's own, or one of those.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let (server, other) =
    ///     (Ipv4Addr::new(93, 184, 215, 14), Ipv4Addr::new(10, 0, 0, 1));
    /// let policy = Policy::public_web().schemes(["ftp"]).ports([21]);
    /// let target = policy.check("ftp://ftp.example.com/a")?;
    /// let peer = target.peer(server)?;
    /// assert_eq!(
    ///     policy.data_address(&peer, server, 50_000)?.to_string(),
    ///     "93.184.215.14:50000"
    /// );
    /// assert!(policy.data_address(&peer, server, 25).is_err());
    /// assert!(policy.data_address(&peer, other, 50_000).is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The policy refuses the address or the port.
    pub fn data_address(
        &self,
        peer: &Peer<'_>,
        address: impl Into<IpAddr>,
        port: u16,
    ) -> Result<SocketAddr, Refusal> {
        let address = address.into().to_canonical();
        if port < 1024 || internal::ports::foreign_port(peer.target().scheme(), port).is_some() {
            return Err(Refusal::new(RefusalReason::AnswerPort).of(port));
        }
        if self.denied_ports.contains(&port) || self.rules.denies_socket(address, port) {
            return Err(Refusal::new(RefusalReason::Port).of(port));
        }
        let host = host::of_address(address);
        let is_named = peer.address() == Some(address) || self.names_host(&host);
        if !is_named || self.denies_host(&host) {
            return Err(Refusal::new(RefusalReason::Host).of(host));
        }
        match self.rules_after(Some(peer)).refused(address) {
            Some(reason) => Err(Refusal::new(reason)),
            None => Ok(SocketAddr::new(address, port)),
        }
    }
}

impl Policy {
    /// Returns the findings of a text with the severities of this policy, from left to right.
    ///
    /// A finding `refused` is among them if the policy refuses the text.
    ///
    /// ```
    /// use locator_audit::{Auditor, Policy};
    ///
    /// let findings =
    ///     Policy::public_web().audit(&Auditor::new(), "http://www.example.com:8080/");
    /// assert_eq!(findings[0].code().name(), "refused");
    /// assert_eq!(findings[0].span(), 23..27);
    /// assert_eq!(
    ///     findings[0].message(),
    ///     "refused: the policy does not allow the port"
    /// );
    /// ```
    #[must_use]
    pub fn audit(&self, auditor: &Auditor<'_>, text: &str) -> Vec<Finding> {
        let raised = self.looking_for_raised(*auditor);
        if self.is_quiet(&raised, text) {
            return Vec::new();
        }
        let found = raised.audit(text);
        let is_sought = auditor.only.is_none_or(|codes| codes.contains(&REFUSED.name));
        let checked = if !is_sought {
            None
        } else if !self.is_typed && auditor.finds_all_of(self.least) {
            self.check_found(text, self.base(), None, found.clone()).err()
        } else {
            self.check(text).err()
        };
        let findings = self.weighed(found, auditor.least);
        match checked {
            Some(refusal) => {
                let subject = Subject::new(text, auditor.edition, false, auditor.least);
                let mut all = Findings::default();
                findings.into_iter().for_each(|finding| all.push(finding));
                all.push(self.weigh(finding_of(&refusal, &subject)));
                all.sorted(auditor.least)
            }
            None => findings,
        }
    }
}

/// Returns a refusal as a finding, about the component that it is for.
fn finding_of(refusal: &Refusal, subject: &Subject<'_>) -> Finding {
    let (component, span) = refused_part(refusal, subject);
    Finding::new(&REFUSED, component, span).saying(format!("refused: {refusal}"))
}

fn refused_part(refusal: &Refusal, subject: &Subject<'_>) -> (Component, Range<usize>) {
    let component = match refusal.reason() {
        RefusalReason::Invalid(error) => {
            let span = error.span();
            if subject.text.get(span.clone()).is_some_and(|text| !text.is_empty()) {
                return (error.component(), span);
            }
            Component::Reference
        }
        RefusalReason::Findings => match refusal.findings().first() {
            Some(finding) => return (finding.component(), finding.span()),
            None => Component::Reference,
        },
        RefusalReason::Scheme => Component::Scheme,
        RefusalReason::HostForm | RefusalReason::Host | RefusalReason::Address { .. } => Component::Host,
        RefusalReason::Port => Component::Port,
        RefusalReason::Readers => Component::Authority,
        _ => Component::Reference,
    };
    let is_there = |component: &Component| subject.get(*component).is_some_and(|text| !text.is_empty());
    let component = [component, Component::Authority].into_iter().find(is_there);
    let span = component.and_then(|component| Some((component, subject.span(component)?)));
    span.unwrap_or((Component::Reference, 0..subject.text.len()))
}
