//! The options that say what a verb may contact: `--policy`, `--public-only` and `--allow`. What a policy
//! refuses is reported with the option that allows it.

use std::net::IpAddr;

use clap::Args;
use locator::scheme;
#[cfg(feature = "serve")]
use locator_audit::Reach;
use locator_audit::{Policy, Refusal, RefusalReason};

use super::PolicyArgs;
use crate::exit::CliError;

/// What may be contacted.
#[derive(Args, Debug)]
#[command(mut_arg("policy", |policy| policy.help(POLICY)))]
pub(crate) struct ContactArgs {
    #[command(flatten)]
    policy: PolicyArgs,
    /// Contact only public addresses and read no local files; for URLs that you
    /// do not trust
    #[arg(long, conflicts_with = "policy")]
    public_only: bool,
    /// Also allow addresses (10.1.0.0/16), a host (printer, *.example.com), a port or a
    /// scheme (gopher:)
    #[arg(long, value_name = "BLOCK|HOST|PORT|SCHEME", value_parser = Allowed::read)]
    allow: Vec<Allowed>,
}

const POLICY: &str = "Contact only what the policy in FILE (TOML) allows";

impl ContactArgs {
    /// Returns the policy; without options it is that for URLs that a person has typed.
    pub(crate) fn policy(&self) -> Result<Policy, CliError> {
        let policy = match self.policy.read()? {
            Some(policy) => policy,
            None if self.public_only => Policy::public_network(),
            None => Policy::typed(),
        };
        Ok(self.allow.iter().fold(policy, |policy, allowed| allowed.add_to(policy)))
    }
}

/// What may be contacted for others.
#[cfg(feature = "serve")]
#[derive(Args, Debug)]
#[command(mut_arg("policy", |policy| policy.help(POLICY)))]
pub(crate) struct StrangerArgs {
    /// Also allow addresses (10.1.0.0/16), a host (printer, *.example.com), a port or a scheme (gopher:)
    #[arg(long, value_name = "BLOCK|HOST|PORT|SCHEME", value_parser = Allowed::read)]
    allow: Vec<Allowed>,
    #[command(flatten)]
    policy: PolicyArgs,
}

#[cfg(feature = "serve")]
impl StrangerArgs {
    /// Returns the policy; without options it allows public addresses. Ports are judged as those of a URL that
    /// a person has typed.
    pub(crate) fn policy(&self) -> Result<Policy, CliError> {
        let policy = self.policy.read()?.unwrap_or_else(|| Policy::typed().reach(Reach::Public));
        Ok(self.allow.iter().fold(policy, |policy, allowed| allowed.add_to(policy)))
    }
}

/// What is allowed in addition to a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Allowed {
    Block(IpAddr, u8),
    Host(String),
    Port(u16),
    Scheme(String),
}

impl Allowed {
    /// Parses the value of `--allow`. A word that is the name of a scheme is one; with ":" at its end it
    /// need not be known.
    fn read(word: &str) -> Result<Self, String> {
        let wrong = "expected addresses such as 10.1.0.0/16, a host such as printer or *.example.com, a port or \
                     a scheme such as gopher:";
        let is_known = |name: &str| scheme::lookup(name).is_some() || scheme::default_port(name).is_some();
        if word.bytes().all(|octet| octet.is_ascii_digit()) {
            return word.parse().map(Self::Port).map_err(|_| wrong.into());
        }
        if let Some(name) = word.strip_suffix(':').or(Some(word).filter(|name| is_known(name))) {
            let is_name = locator::UriRef::parse(&format!("{name}:")).is_ok_and(|url| url.has_scheme());
            return if is_name { Ok(Self::Scheme(name.into())) } else { Err(wrong.into()) };
        }
        if let Some(block) = block(word)? {
            return Ok(block);
        }
        if Policy::is_host_pattern(word) { Ok(Self::Host(word.into())) } else { Err(wrong.into()) }
    }

    fn add_to(&self, policy: Policy) -> Policy {
        match self {
            Self::Block(network, length) => policy.allow_block(*network, *length),
            Self::Host(pattern) => policy.allow_hosts([&**pattern]),
            Self::Port(port) => policy.allow_ports([*port]),
            Self::Scheme(name) => policy.allow_schemes([&**name]),
        }
    }
}

/// Parses an address, or a network and the length of its prefix; `None` if it is neither. A network with
/// bits after its prefix is an error, because it is not known which addresses are meant.
fn block(word: &str) -> Result<Option<Allowed>, String> {
    let (network, length) = match word.split_once('/') {
        Some((network, length)) => (network, Some(length)),
        None => (word.trim_start_matches('[').trim_end_matches(']'), None),
    };
    let Ok(network) = network.parse::<IpAddr>() else { return Ok(None) };
    let width: u8 = if network.is_ipv4() { 32 } else { 128 };
    let length = length.map_or(Some(width), |length| length.parse().ok());
    let Some(length) = length.filter(|length| *length <= width) else { return Ok(None) };
    Policy::check_block(network, length)?;
    Ok(Some(Allowed::Block(network, length)))
}

/// Returns how to allow what a policy refused, if an option does.
pub(crate) fn advice(refusal: &Refusal) -> Option<String> {
    match refusal.reason() {
        _ if refusal.is_denied() => None,
        RefusalReason::Scheme => Some(format!("use --allow {}: if it is meant", refusal.value()?)),
        RefusalReason::Host
        | RefusalReason::Port
        | RefusalReason::AnswerPort
        | RefusalReason::Address { .. } => Some(format!("use --allow {} if it is meant", refusal.value()?)),
        RefusalReason::Proxy => {
            Some("allow it in the policy of --policy FILE, or use no proxy with --noproxy '*'".into())
        }
        RefusalReason::Narrower { .. } | RefusalReason::AnswerScheme => {
            Some("to fetch it, pass that URL to 'locator get'".into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_allowed() {
        let block = |network: &str, length| Allowed::Block(network.parse().unwrap(), length);
        let host = |name: &str| Allowed::Host(name.into());
        let scheme = |name: &str| Allowed::Scheme(name.into());
        for (word, expected) in [
            ("8080", Some(Allowed::Port(8080))),
            ("65536", None),
            ("10.1.0.0/16", Some(block("10.1.0.0", 16))),
            ("10.1.0.7", Some(block("10.1.0.7", 32))),
            ("fd00::/8", Some(block("fd00::", 8))),
            ("::1", Some(block("::1", 128))),
            ("[::1]", Some(block("::1", 128))),
            ("10.0.0.0/33", None),
            ("10.1.2.3/8", None),
            ("printer", Some(host("printer"))),
            ("*.example.com", Some(host("*.example.com"))),
            ("gopher", Some(scheme("gopher"))),
            ("data", Some(scheme("data"))),
            ("x-own:", Some(scheme("x-own"))),
            ("http://h/", None),
            ("", None),
            (":", None),
            ("a b", None),
            ("*", None),
        ] {
            assert_eq!(Allowed::read(word).ok(), expected, "{word}");
        }
    }

    /// What a message says is allowed then.
    #[test]
    fn advice_helps() {
        for url in [
            "gopher://h.example.com/",
            "http://h.example.com:81/",
            "http://10.0.0.1/",
            "http://[fd00::1]/",
            "http://printer/",
        ] {
            let policy = Policy::public_web();
            let advice = advice(&policy.check(url).unwrap_err()).unwrap();
            let word = advice.split(' ').nth(2).unwrap();
            let mut policy = Allowed::read(word).unwrap().add_to(policy);
            if url.starts_with("gopher") {
                policy = policy.allow_ports([70]);
            }
            assert!(policy.check(url).is_ok(), "{url}: {advice}");
        }
        let denied = Policy::typed().deny_ports([81]).check("http://h.example.com:81/").unwrap_err();
        assert_eq!(advice(&denied), None);
    }
}
