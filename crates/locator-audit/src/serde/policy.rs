//! Reads a [`Policy`] from a map; an unknown key is an error, and a missing one has its default.
//!
//! Items of a policy that are read from texts. Each is checked where it is read, so that an error has the
//! place of the item.
//!
//! The ports of a policy: a list, or a list for each scheme.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::net::IpAddr;

use locator::scheme;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};

use super::keys::{Keys, Nearest};
use crate::{Code, Nat64Prefix, Policy, Reach, Severity};

macro_rules! deserialize {
    ($($type:ty $(, $check:ident)?;)*) => {$(
        impl<'de $(, $check: $crate::serde::policy::TextRule)?> serde::de::Deserialize<'de> for $type {
            fn deserialize<D: serde::de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::serde::policy::TextVisitor(core::marker::PhantomData))
            }
        }
    )*};
}

const FIELDS: &[&str] = &[
    "preset",
    "base",
    "schemes",
    "ports",
    "hosts",
    #[cfg(feature = "public-suffix")]
    "domains",
    "reach",
    "allowed_blocks",
    "allowed_hosts",
    "nat64_prefixes",
    "refuse",
    "severities",
    "web_to_ftp",
    "proxy_checks",
    "deny",
];

const DENIED: &[&str] = &["schemes", "ports", "hosts", "blocks"];

/// A policy begins as the one that the key `preset` names: `"public_web"`, `"public_network"`, `"typed"`, or with the key
/// `base` `"same_origin"`, which is usual with it, and `"same_site"` (feature `public-suffix`). The
/// other keys are those of the methods. An unknown key is an error, which names the nearest one.
///
/// ```
/// use locator_audit::Policy;
///
/// let policy = toml::from_str::<Policy>(r#"
///     preset = "public_web"
///     schemes = ["https"]
///     ports = [443, 8443]                # or by scheme: { https = [443, 8443] }
///     hosts = ["example.com", "*.example.com"]
///     reach = "public"
///     allowed_blocks = ["10.1.0.0/16"]
///     nat64_prefixes = ["64:ff9b:1::/96"]
///     refuse = "medium"
///     severities = { password = "high" }
///     web_to_ftp = false
///     proxy_checks = false
///
///     [deny]
///     hosts = ["old.example.com"]
///     blocks = ["10.1.2.0/24"]
/// "#)?;
/// assert!(policy.check("https://www.example.com:8443/").is_ok());
/// assert!(policy.check("https://www.example.org/").is_err());
/// let error = toml::from_str::<Policy>("host = []").unwrap_err();
/// assert_eq!(error.message(), "unknown key \"host\"; did you mean \"hosts\"?");
/// # Ok::<_, toml::de::Error>(())
/// ```
impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Policy", FIELDS, PolicyVisitor)
    }
}

struct PolicyVisitor;

impl<'de> Visitor<'de> for PolicyVisitor {
    type Value = Policy;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a policy as a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Policy, A::Error> {
        let mut values = PolicyMap::default();
        while let Some(field) = map.next_key_seed(Keys(FIELDS))? {
            match field {
                "preset" => values.preset = Some(map.next_value()?),
                "base" => values.base = Some(map.next_value()?),
                "schemes" => values.schemes = Some(map.next_value()?),
                "ports" => values.ports = Some(map.next_value()?),
                "hosts" => values.hosts = Some(map.next_value()?),
                #[cfg(feature = "public-suffix")]
                "domains" => values.domains = Some(map.next_value()?),
                "reach" => values.reach = Some(map.next_value()?),
                "allowed_blocks" => values.allowed_blocks = map.next_value()?,
                "allowed_hosts" => values.allowed_hosts = map.next_value()?,
                "nat64_prefixes" => values.nat64_prefixes = map.next_value()?,
                "refuse" => values.refuse = Some(map.next_value()?),
                "severities" => values.severities = map.next_value()?,
                "web_to_ftp" => values.web_to_ftp = map.next_value()?,
                "proxy_checks" => values.proxy_checks = map.next_value()?,
                _ => values.denied = map.next_value()?,
            }
        }
        values.policy()
    }
}

/// What the map contains.
#[derive(Default)]
struct PolicyMap {
    preset: Option<PresetName>,
    base: Option<CheckedText<IsBase>>,
    schemes: Option<ListOf<SchemeWord>>,
    ports: Option<AllowedPorts>,
    hosts: Option<ListOf<CheckedText<IsHost>>>,
    #[cfg(feature = "public-suffix")]
    domains: Option<ListOf<CheckedText<IsDomain>>>,
    reach: Option<Reach>,
    allowed_blocks: Vec<CidrText>,
    allowed_hosts: Vec<CheckedText<IsHost>>,
    nat64_prefixes: Vec<Nat64Prefix>,
    refuse: Option<Severity>,
    severities: BTreeMap<CodeName, Severity>,
    web_to_ftp: bool,
    proxy_checks: bool,
    denied: DeniedMap,
}

impl PolicyMap {
    fn policy<E: Error>(self) -> Result<Policy, E> {
        let mut policy = self.preset()?;
        if let Some(schemes) = &self.schemes {
            policy = policy.schemes(texts(&schemes.0));
        }
        if let Some(ports) = self.ports {
            policy = ports.add_to(policy);
        }
        if let Some(hosts) = &self.hosts {
            policy = policy.hosts(texts(&hosts.0));
        }

        #[cfg(feature = "public-suffix")]
        if let Some(domains) = &self.domains {
            policy = policy.domains(texts(&domains.0));
        }
        if let Some(reach) = self.reach {
            policy = policy.reach(reach);
        }
        if let Some(least) = self.refuse {
            policy = policy.refuse(least);
        }
        for CidrText(network, length) in self.allowed_blocks {
            policy = policy.allow_block(network, length);
        }
        policy = policy.allow_hosts(texts(&self.allowed_hosts));
        policy = self.nat64_prefixes.into_iter().fold(policy, Policy::nat64_prefix);
        for (CodeName(code), severity) in self.severities {
            policy = policy.severity(code, severity);
        }
        Ok(self.denied.add_to(policy.web_to_ftp(self.web_to_ftp).proxy_checks(self.proxy_checks)))
    }

    /// Returns the policy to begin with.
    fn preset<E: Error>(&self) -> Result<Policy, E> {
        let base = self.base.as_ref().map(|base| base.as_ref());
        let wrong = |refusal| E::custom(format_args!("the base of the policy: {refusal}"));
        match (self.preset, base) {
            (Some(PresetName::Typed), None) => Ok(Policy::typed()),
            (Some(PresetName::PublicNetwork), None) => Ok(Policy::public_network()),
            (None | Some(PresetName::PublicWeb), None) => Ok(Policy::public_web()),
            (None | Some(PresetName::SameOrigin), Some(base)) => Policy::same_origin(base).map_err(wrong),
            #[cfg(feature = "public-suffix")]
            (Some(PresetName::SameSite), Some(base)) => Policy::same_site(base).map_err(wrong),
            (Some(preset), None) => {
                Err(E::custom(format_args!("the preset \"{}\" needs a base", preset.name())))
            }
            (Some(preset), Some(_)) => {
                Err(E::custom(format_args!("the preset \"{}\" takes no base", preset.name())))
            }
        }
    }
}

/// What the policy forbids.
#[derive(Default)]
struct DeniedMap {
    schemes: Vec<SchemeWord>,
    ports: Vec<PortNumber>,
    hosts: Vec<CheckedText<IsHost>>,
    blocks: Vec<CidrText>,
}

impl DeniedMap {
    fn add_to(self, policy: Policy) -> Policy {
        let policy = policy.deny_schemes(texts(&self.schemes)).deny_hosts(texts(&self.hosts));
        let policy = policy.deny_ports(self.ports.into_iter().map(|PortNumber(port)| port));
        let blocks = self.blocks.into_iter();
        blocks.fold(policy, |policy, CidrText(network, length)| policy.deny_block(network, length))
    }
}

impl<'de> Deserialize<'de> for DeniedMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DeniedMapVisitor;
        impl<'de> Visitor<'de> for DeniedMapVisitor {
            type Value = DeniedMap;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of what is forbidden")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<DeniedMap, A::Error> {
                let mut denied = DeniedMap::default();
                while let Some(field) = map.next_key_seed(Keys(DENIED))? {
                    match field {
                        "schemes" => denied.schemes = map.next_value()?,
                        "ports" => denied.ports = map.next_value()?,
                        "hosts" => denied.hosts = map.next_value()?,
                        _ => denied.blocks = map.next_value()?,
                    }
                }
                Ok(denied)
            }
        }
        deserializer.deserialize_struct("Denied", DENIED, DeniedMapVisitor)
    }
}

/// A policy to begin with.
#[derive(Clone, Copy)]
enum PresetName {
    PublicWeb,
    PublicNetwork,
    SameOrigin,
    #[cfg(feature = "public-suffix")]
    SameSite,
    Typed,
}

impl PresetName {
    const ALL: &'static [Self] = &[
        Self::PublicWeb,
        Self::PublicNetwork,
        Self::SameOrigin,
        #[cfg(feature = "public-suffix")]
        Self::SameSite,
        Self::Typed,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::PublicWeb => "public_web",
            Self::PublicNetwork => "public_network",
            Self::SameOrigin => "same_origin",
            #[cfg(feature = "public-suffix")]
            Self::SameSite => "same_site",
            Self::Typed => "typed",
        }
    }
}

impl FromText for PresetName {
    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        let found = Self::ALL.iter().find(|preset| preset.name() == text);
        let names = Self::ALL.iter().map(|preset| preset.name()).collect::<Vec<_>>();
        let unknown = || E::custom(Nearest { what: "preset", word: text, names: &names });
        found.copied().ok_or_else(unknown)
    }
}

deserialize! {
    PresetName;
}

/// A text that is checked where it is read, so that an error is about its place.
struct CheckedText<C> {
    text: String,
    _check: PhantomData<C>,
}

/// What a text must be.
trait TextRule {
    const EXPECTED: &'static str;

    fn is_right(text: &str) -> bool;
}

struct IsBase;
struct IsHost;
#[cfg(feature = "public-suffix")]
struct IsDomain;

impl TextRule for IsBase {
    const EXPECTED: &'static str = "a URL with a host and a port that programs read alike";

    fn is_right(text: &str) -> bool {
        Policy::same_origin(text).is_ok()
    }
}

impl TextRule for IsHost {
    const EXPECTED: &'static str = "a host in ASCII such as \"example.com\", \"*.example.com\" or \"[::1]\"";

    fn is_right(text: &str) -> bool {
        text.is_ascii() && Policy::is_host_pattern(text)
    }
}

#[cfg(feature = "public-suffix")]
impl TextRule for IsDomain {
    const EXPECTED: &'static str = "a domain below a public suffix, such as \"example.co.uk\"";

    fn is_right(text: &str) -> bool {
        crate::is_registrable(text)
    }
}

impl<C: TextRule> FromText for CheckedText<C> {
    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        match C::is_right(text) {
            true => Ok(Self { text: text.into(), _check: PhantomData }),
            false => Err(E::invalid_value(Unexpected::Str(text), &C::EXPECTED)),
        }
    }
}

impl<C> AsRef<str> for CheckedText<C> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Returns the texts of items.
fn texts<T: AsRef<str>>(items: &[T]) -> impl Iterator<Item = &str> {
    items.iter().map(AsRef::as_ref)
}

/// The name of a scheme that is known, in lower case. Another one has ":" at its end.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SchemeWord(String);

impl AsRef<str> for SchemeWord {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl FromText for SchemeWord {
    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        let (name, is_own) = text.strip_suffix(':').map_or((text, false), |name| (name, true));
        let allowed = |octet: u8| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet);
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || !name.bytes().all(allowed) {
            return Err(E::invalid_value(Unexpected::Str(text), &"the name of a scheme such as \"https\""));
        }
        let is_known = scheme::lookup(name).is_some()
            || scheme::default_port(name).is_some()
            || scheme::status(name).is_some();
        if is_known || is_own {
            return Ok(Self(name.to_ascii_lowercase()));
        }
        let near = scheme::suggest(name).map(|near| format!("did you mean \"{near}\"? or "));
        let near = near.unwrap_or_default();
        Err(E::custom(format_args!(
            "unknown scheme \"{name}\"; {near}write \"{name}:\" for a scheme of your own"
        )))
    }
}

/// A list that has items: an empty one would allow nothing.
struct ListOf<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ListOf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = Vec::deserialize(deserializer)?;
        if items.is_empty() {
            return Err(D::Error::custom("an empty list allows nothing; remove the key to have its default"));
        }
        Ok(Self(items))
    }
}

/// The code of a finding, by its name.
struct CodeName(&'static Code);

impl PartialEq for CodeName {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for CodeName {}

impl PartialOrd for CodeName {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CodeName {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.0.name().cmp(other.0.name())
    }
}

impl FromText for CodeName {
    fn from_text<E: Error>(name: &str) -> Result<Self, E> {
        let names = crate::codes().map(Code::name).collect::<Vec<_>>();
        let unknown = || E::custom(Nearest { what: "finding", word: name, names: &names });
        crate::code(name).map(Self).ok_or_else(unknown)
    }
}

/// An address, or a network with "/" and the length of its prefix.
struct CidrText(IpAddr, u8);

impl FromText for CidrText {
    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        let read = || {
            let (network, length) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
            let network = network.parse::<IpAddr>().ok()?;
            let width = if network.is_ipv4() { 32 } else { 128 };
            let length = length.map_or(Some(width), |length| length.parse::<u8>().ok())?;
            (length <= width).then_some((network, length))
        };
        let expected = "a block such as \"10.1.0.0/16\" or an address";
        let (network, length) = read().ok_or_else(|| E::invalid_value(Unexpected::Str(text), &expected))?;
        Policy::check_block(network, length).map_err(E::custom)?;
        Ok(Self(network, length))
    }
}

impl FromText for Nat64Prefix {
    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        text.parse().map_err(E::custom)
    }
}

/// What is read from a text. Its errors are those of the visitor, so that they have the place of an
/// item in a list.
trait FromText: Sized {
    fn from_text<E: Error>(text: &str) -> Result<Self, E>;
}

struct TextVisitor<T>(PhantomData<T>);

impl<T: FromText> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::from_text(text)
    }
}

deserialize! {
    CheckedText<C>, C;
    CodeName;
    SchemeWord;
    CidrText;
    Nat64Prefix;
}

/// The ports that a policy allows.
enum AllowedPorts {
    OfAll(ListOf<PortNumber>),
    ByScheme(BTreeMap<SchemeWord, ListOf<PortNumber>>),
}

impl AllowedPorts {
    fn add_to(self, policy: Policy) -> Policy {
        let numbers = |ports: ListOf<PortNumber>| ports.0.into_iter().map(|PortNumber(port)| port);
        match self {
            Self::OfAll(ports) => policy.ports(numbers(ports)),
            Self::ByScheme(schemes) => schemes
                .into_iter()
                .fold(policy, |policy, (scheme, ports)| policy.ports_of(scheme.as_ref(), numbers(ports))),
        }
    }
}

impl<'de> Deserialize<'de> for AllowedPorts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PortsVisitor;
        impl<'de> Visitor<'de> for PortsVisitor {
            type Value = AllowedPorts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list such as [80, 443], or by scheme: { http = [80], https = [443] }")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<AllowedPorts, A::Error> {
                Deserialize::deserialize(SeqAccessDeserializer::new(list)).map(AllowedPorts::OfAll)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AllowedPorts, A::Error> {
                Deserialize::deserialize(MapAccessDeserializer::new(map)).map(AllowedPorts::ByScheme)
            }
        }
        deserializer.deserialize_any(PortsVisitor)
    }
}

/// A port that a client can connect to.
struct PortNumber(u16);

impl<'de> Deserialize<'de> for PortNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = PortNumber;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a port from 1 to 65535")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<PortNumber, E> {
                let port = u16::try_from(number).ok().filter(|port| *port > 0);
                port.map(PortNumber).ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<PortNumber, E> {
                let port = u16::try_from(number).ok().filter(|port| *port > 0);
                port.map(PortNumber).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
            }
        }
        deserializer.deserialize_u16(NumberVisitor)
    }
}
