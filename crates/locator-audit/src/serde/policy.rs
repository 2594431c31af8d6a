//! Reads a [`Policy`] from a map; an unknown key is an error, and a missing one has its default.

mod items;
mod ports;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::keys::{Keys, Nearest};
#[cfg(feature = "public-suffix")]
use items::IsDomain;
use items::{Checked, CodeName, FromText, IsBase, IsHost, Listed, Network, SchemeWord, texts};
use ports::{PortNumber, Ports};

use crate::{Nat64Prefix, Policy, Reach, Severity};

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
        let mut values = Values::default();
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
struct Values {
    preset: Option<Preset>,
    base: Option<Checked<IsBase>>,
    schemes: Option<Listed<SchemeWord>>,
    ports: Option<Ports>,
    hosts: Option<Listed<Checked<IsHost>>>,
    #[cfg(feature = "public-suffix")]
    domains: Option<Listed<Checked<IsDomain>>>,
    reach: Option<Reach>,
    allowed_blocks: Vec<Network>,
    allowed_hosts: Vec<Checked<IsHost>>,
    nat64_prefixes: Vec<Nat64Prefix>,
    refuse: Option<Severity>,
    severities: BTreeMap<CodeName, Severity>,
    web_to_ftp: bool,
    proxy_checks: bool,
    denied: Denied,
}

impl Values {
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
        for Network(network, length) in self.allowed_blocks {
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
            (Some(Preset::Typed), None) => Ok(Policy::typed()),
            (Some(Preset::PublicNetwork), None) => Ok(Policy::public_network()),
            (None | Some(Preset::PublicWeb), None) => Ok(Policy::public_web()),
            (None | Some(Preset::SameOrigin), Some(base)) => Policy::same_origin(base).map_err(wrong),
            #[cfg(feature = "public-suffix")]
            (Some(Preset::SameSite), Some(base)) => Policy::same_site(base).map_err(wrong),
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
struct Denied {
    schemes: Vec<SchemeWord>,
    ports: Vec<PortNumber>,
    hosts: Vec<Checked<IsHost>>,
    blocks: Vec<Network>,
}

impl Denied {
    fn add_to(self, policy: Policy) -> Policy {
        let policy = policy.deny_schemes(texts(&self.schemes)).deny_hosts(texts(&self.hosts));
        let policy = policy.deny_ports(self.ports.into_iter().map(|PortNumber(port)| port));
        let blocks = self.blocks.into_iter();
        blocks.fold(policy, |policy, Network(network, length)| policy.deny_block(network, length))
    }
}

impl<'de> Deserialize<'de> for Denied {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DeniedVisitor;
        impl<'de> Visitor<'de> for DeniedVisitor {
            type Value = Denied;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of what is forbidden")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Denied, A::Error> {
                let mut denied = Denied::default();
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
        deserializer.deserialize_struct("Denied", DENIED, DeniedVisitor)
    }
}

/// A policy to begin with.
#[derive(Clone, Copy)]
enum Preset {
    PublicWeb,
    PublicNetwork,
    SameOrigin,
    #[cfg(feature = "public-suffix")]
    SameSite,
    Typed,
}

impl Preset {
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

impl FromText for Preset {
    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        let found = Self::ALL.iter().find(|preset| preset.name() == text);
        let names = Self::ALL.iter().map(|preset| preset.name()).collect::<Vec<_>>();
        let unknown = || E::custom(Nearest { what: "preset", word: text, names: &names });
        found.copied().ok_or_else(unknown)
    }
}

items::deserialize! {
    Preset;
}
