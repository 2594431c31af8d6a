//! Why a policy refuses a URL or an address.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::net::IpAddr;

use crate::address::{Block, Reach};
use crate::finding::{Code, Finding, Precision, Severity};
use locator::ParseError;

/// The refusal of a URL by a policy.
pub(crate) static REFUSED: Code = Code {
    name: "refused",
    severity: Severity::High,
    precision: Precision::VeryHigh,
    title: "the policy refuses the URL",
    advice: "do not fetch the URL, or change the policy to allow it",
    citation: "RFC 3986, 7",
    explanation: "A policy is a file that says which URLs a program may fetch for strangers: schemes, ports, hosts and \
        addresses, and how serious findings may be. The command reports this only with --policy FILE. A host that is a \
        name is allowed here if its name is; the addresses that it is looked up to are judged by the program that \
        fetches it.",
    example: "http://192.168.0.1/",
};

/// The refusal of a URL or an address by a [`Policy`](super::Policy): the reason, and the findings
/// against the URL.
///
/// Its text does not quote the URL, which may contain a secret.
///
/// ```
/// use locator_audit::{Policy, RefusalReason};
///
/// let refusal =
///     Policy::public_web().check("http://www.example.com:8080/").unwrap_err();
/// assert_eq!(*refusal.reason(), RefusalReason::Port);
/// assert_eq!(refusal.to_string(), "the policy does not allow the port");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Refusal {
    reason: RefusalReason,
    value: Option<String>,
    is_denied: bool,
    findings: Vec<Finding>,
}

/// The reason of a refusal: what a policy does not allow.
///
/// ```
/// use locator_audit::{Policy, Reach, RefusalReason};
///
/// let refusal = Policy::public_web().check("http://10.0.0.1/").unwrap_err();
/// match refusal.reason() {
///     RefusalReason::Address { reach, .. } => assert_eq!(*reach, Reach::Private),
///     reason => panic!("{reason:?}"),
/// }
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusalReason {
    /// The text is neither a URI by RFC 3986 nor an IRI by RFC 3987 that has a URI.
    Invalid(ParseError),
    /// The text has no scheme, and the policy has no base.
    Relative,
    /// The policy does not allow the scheme.
    Scheme,
    /// The URL has no host.
    NoHost,
    /// The host is written in a form that programs read differently.
    HostForm,
    /// The policy does not allow the host, or the host is a name of this machine, of its network or
    /// for a special use.
    Host,
    /// The policy does not allow the port.
    Port,
    /// The policy does not allow the address.
    Address {
        /// The address.
        address: IpAddr,
        /// Its reach.
        reach: Reach,
    },
    /// An answer leads to a narrower reach than that of the server: from a public server to a
    /// private address.
    Narrower {
        /// The reach of the address or name.
        reach: Reach,
        /// The reach of the peer.
        peer: Reach,
    },
    /// An answer of this scheme must not lead to that scheme.
    AnswerScheme,
    /// An answer must not lead to this port: it is below 1024 or that of another protocol.
    AnswerPort,
    /// A proxy would look the name up, and the policy does not say that it checks addresses.
    Proxy,
    /// The name is in `onion`, and only Tor connects to it: it is not looked up (RFC 7686, 2).
    Onion,
    /// The name has no address.
    NoAddress,
    /// The answer has an address, but the host of the URL is another address.
    OtherAddress,
    /// A finding is of the severity that the policy refuses, or of more.
    Findings,
    /// Programs in use contact different hosts or ports for this text.
    Readers,
}

impl Refusal {
    pub(super) const fn new(reason: RefusalReason) -> Self {
        Self { reason, value: None, is_denied: false, findings: Vec::new() }
    }

    /// Adds the value that is refused.
    pub(super) fn of(mut self, value: impl ToString) -> Self {
        self.value = Some(value.to_string());
        self
    }

    /// Sets whether the policy denies the value.
    pub(super) const fn denied(mut self, is_denied: bool) -> Self {
        self.is_denied = is_denied;
        self
    }

    pub(super) fn with_findings(mut self, findings: Vec<Finding>) -> Self {
        self.findings = findings;
        self
    }

    /// Returns the reason.
    #[must_use]
    pub const fn reason(&self) -> &RefusalReason {
        &self.reason
    }

    /// Returns the value that is refused, if there is one: a scheme, a host or a port, in the
    /// normal form, or an address.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let refusal =
    ///     Policy::public_web().check("http://www.example.com:8080/").unwrap_err();
    /// assert_eq!(refusal.value().as_deref(), Some("8080"));
    /// ```
    #[must_use]
    pub fn value(&self) -> Option<String> {
        match &self.reason {
            RefusalReason::Address { address, .. } => Some(address.to_string()),
            _ => self.value.clone(),
        }
    }

    /// Returns whether a denial refuses the value, such as
    /// [`Policy::deny_ports`](super::Policy::deny_ports).
    #[must_use]
    pub const fn is_denied(&self) -> bool {
        self.is_denied
    }

    /// Returns the findings against the URL, from left to right; the list is empty if there is
    /// another reason.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.reason {
            RefusalReason::Invalid(error) => write!(f, "{error}"),
            RefusalReason::Relative => f.write_str(
                "the URL has no scheme: as an href it is relative to a base, as the argument of a program often a host",
            ),
            RefusalReason::Scheme => f.write_str("the policy does not allow the scheme"),
            RefusalReason::NoHost => f.write_str("the URL has no host"),
            RefusalReason::HostForm => f.write_str("programs read the host differently"),
            RefusalReason::Host => f.write_str("the policy does not allow the host"),
            RefusalReason::Port => f.write_str("the policy does not allow the port"),
            RefusalReason::Address { address, .. } => {
                write!(f, "the policy does not allow the address {address}")?;
                Block::of(*address)
                    .map_or(Ok(()), |block| write!(f, ", which is in {block} ({})", block.name()))
            }
            RefusalReason::Narrower { reach, peer } => {
                write!(
                    f,
                    "a redirect or link from {} to {} is not allowed",
                    reach_name(*peer),
                    reach_name(*reach)
                )
            }
            RefusalReason::AnswerScheme => f.write_str("a redirect or link to this scheme is not allowed"),
            RefusalReason::AnswerPort => {
                f.write_str("a redirect or link to a port below 1024 or of another protocol is not allowed")
            }
            RefusalReason::Proxy => {
                f.write_str("the proxy")?;
                self.value.as_ref().map_or(Ok(()), |host| write!(f, " {host}"))?;
                f.write_str(
                    " is refused: it looks up names itself, so the policy cannot check their addresses; set \
                     \"proxy_checks = true\" if the proxy checks them",
                )
            }
            RefusalReason::Onion => f.write_str("a name in onion is not looked up: only Tor connects to it"),
            RefusalReason::NoAddress => f.write_str("the host has no address"),
            RefusalReason::OtherAddress => f.write_str("the host is another address than the answer"),
            RefusalReason::Findings => match self.findings.first() {
                Some(finding) => write!(f, "{finding} ({})", finding.code().name()),
                None => f.write_str("there are findings against the URL"),
            },
            RefusalReason::Readers => f.write_str("programs contact different hosts or ports for the URL"),
        }
    }
}

/// Returns the words for what has this reach.
const fn reach_name(reach: Reach) -> &'static str {
    match reach {
        Reach::Public => "the public network",
        Reach::Private => "a private network",
        Reach::LinkLocal => "a link-local address",
        Reach::ThisMachine => "this machine",
        Reach::Reserved => "a reserved address",
    }
}

/// Shows the sentence of `Display`, for a `main` that returns the error.
impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl core::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.reason {
            RefusalReason::Invalid(error) => Some(error),
            _ => None,
        }
    }
}
