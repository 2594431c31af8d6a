//! Reads a [`Policy`] from a map; an unknown key is an error, and a missing one has its default.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::net::IpAddr;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Unexpected, Visitor};

use crate::audit::{self, Nat64Prefix, Policy, Reach, Severity};

const FIELDS: [&str; 9] = [
    "base",
    "schemes",
    "ports",
    "hosts",
    "reach",
    "allowed_blocks",
    "nat64_prefixes",
    "refuse",
    "severities",
];

/// A policy begins as [`Policy::public_web`], or with the key `base` as [`Policy::same_origin`]. An
/// unknown key is an error.
///
/// ```
/// use locator::audit::Policy;
///
/// let policy = toml::from_str::<Policy>(r#"
///     schemes = ["https"]
///     ports = [443, 8443]
///     hosts = ["example.com", "*.example.com"]
///     reach = "public"
///     allowed_blocks = ["10.1.0.0/16"]
///     nat64_prefixes = ["64:ff9b:1::/96"]
///     refuse = "medium"
///     severities = { password = "high" }
/// "#)?;
/// assert!(policy.check("https://www.example.com:8443/").is_ok());
/// assert!(policy.check("https://www.example.org/").is_err());
/// assert!(toml::from_str::<Policy>("host = []").is_err());
/// # Ok::<_, toml::de::Error>(())
/// ```
impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Policy", &FIELDS, PolicyVisitor)
    }
}

struct PolicyVisitor;

impl<'de> Visitor<'de> for PolicyVisitor {
    type Value = Policy;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a policy as a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Policy, A::Error> {
        let mut values = Values::default();
        while let Some(field) = map.next_key::<Cow<'de, str>>()? {
            match &*field {
                "base" => values.base = Some(map.next_value()?),
                "schemes" => values.schemes = Some(map.next_value()?),
                "ports" => values.ports = Some(map.next_value()?),
                "hosts" => values.hosts = Some(map.next_value()?),
                "reach" => values.reach = Some(map.next_value()?),
                "allowed_blocks" => values.allowed_blocks = map.next_value()?,
                "nat64_prefixes" => values.nat64_prefixes = map.next_value()?,
                "refuse" => values.refuse = Some(map.next_value()?),
                "severities" => values.severities = map.next_value()?,
                other => return Err(A::Error::unknown_field(other, &FIELDS)),
            }
        }
        values.policy()
    }
}

/// What the map contains.
#[derive(Default)]
struct Values {
    base: Option<String>,
    schemes: Option<Vec<String>>,
    ports: Option<Vec<u16>>,
    hosts: Option<Vec<String>>,
    reach: Option<Reach>,
    allowed_blocks: Vec<Network>,
    nat64_prefixes: Vec<Nat64Prefix>,
    refuse: Option<Severity>,
    severities: BTreeMap<String, Severity>,
}

impl Values {
    fn policy<E: Error>(self) -> Result<Policy, E> {
        let mut policy = match &self.base {
            Some(base) => Policy::same_origin(base)
                .map_err(|refusal| E::custom(format_args!("the base of the policy: {refusal}")))?,
            None => Policy::public_web(),
        };
        if let Some(schemes) = &self.schemes {
            policy = policy.schemes(schemes.iter().map(String::as_str));
        }
        if let Some(ports) = self.ports {
            policy = policy.ports(ports);
        }
        if let Some(hosts) = &self.hosts {
            policy = policy.hosts(hosts.iter().map(String::as_str));
        }
        if let Some(reach) = self.reach {
            policy = policy.reach(reach);
        }
        if let Some(least) = self.refuse {
            policy = policy.refuse(least);
        }
        for Network(network, length) in self.allowed_blocks {
            policy = policy.allow_block(network, length);
        }
        policy = self.nat64_prefixes.into_iter().fold(policy, Policy::nat64_prefix);
        for (name, severity) in self.severities {
            let code = audit::code(&name);
            let code =
                code.ok_or_else(|| E::invalid_value(Unexpected::Str(&name), &"the code of a finding"))?;
            policy = policy.severity(code, severity);
        }
        Ok(policy)
    }
}

/// An address with "/" and the length of a prefix.
struct Network(IpAddr, u8);

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let read = || {
            let (network, length) = text.split_once('/')?;
            let (network, length) = (network.parse::<IpAddr>().ok()?, length.parse::<u8>().ok()?);
            let width = if network.is_ipv4() { 32 } else { 128 };
            (length <= width).then_some(Self(network, length))
        };
        read().ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&text), &"a block such as 10.1.0.0/16"))
    }
}

impl<'de> Deserialize<'de> for Nat64Prefix {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<'de, str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
