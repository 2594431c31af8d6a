//! What a policy allows: a URL of a stranger, and whatever else an answer names.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Policy;
use super::host;
use super::place::Place;
use super::refusal::{Refusal, RefusalReason};
use super::target::{Peer, Target};
use super::url::{Parts, agreed, read};
use crate::auditor::{Auditor, ONLY_AT_INFO};
use crate::checks::reader::DISAGREE;
use crate::finding::{Finding, Severity};
use locator::edition::RFC3986;
use locator::{Uri, UriRef, internal};

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
    /// The policy refuses the place.
    pub fn alternative(&self, peer: &Peer<'_>, name: &str, port: u16) -> Result<Target, Refusal> {
        let target = peer.target();
        let name = match name.strip_suffix('.').unwrap_or(name) {
            "" => target.host(),
            name => name,
        };
        let (host, literal) = host::parse(name).ok_or(Refusal::new(RefusalReason::HostForm))?;
        let findings = self.against(&format!("{}://{host}:{port}/", target.scheme()));
        let place = Place { scheme: target.scheme(), host: &host, port, literal };
        let rules =
            self.allow(&place, Some(peer)).map_err(|refusal| refusal.with_findings(findings.clone()))?;
        if !findings.is_empty() {
            return Err(Refusal::new(RefusalReason::Findings).with_findings(findings));
        }
        Ok(Target { alternative: Some((host, port)), literal, rules, ..target.clone() })
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
        let parts = Parts::read(url)?;
        let Parts { scheme, host, port, literal } = &parts;
        let rules = self.allow(&Place { scheme, host, port: *port, literal: *literal }, peer)?;
        Ok(parts.target(url, rules))
    }
}
