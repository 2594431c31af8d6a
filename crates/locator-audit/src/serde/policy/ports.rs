//! The ports of a policy: a list, or a list for each scheme.

use alloc::collections::BTreeMap;
use core::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};

use super::items::{Listed, SchemeWord};
use crate::Policy;

/// The ports that a policy allows.
pub(super) enum Ports {
    OfAll(Listed<PortNumber>),
    ByScheme(BTreeMap<SchemeWord, Listed<PortNumber>>),
}

impl Ports {
    pub(super) fn add_to(self, policy: Policy) -> Policy {
        let numbers = |ports: Listed<PortNumber>| ports.0.into_iter().map(|PortNumber(port)| port);
        match self {
            Self::OfAll(ports) => policy.ports(numbers(ports)),
            Self::ByScheme(schemes) => schemes
                .into_iter()
                .fold(policy, |policy, (scheme, ports)| policy.ports_of(scheme.as_ref(), numbers(ports))),
        }
    }
}

impl<'de> Deserialize<'de> for Ports {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PortsVisitor;
        impl<'de> Visitor<'de> for PortsVisitor {
            type Value = Ports;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list such as [80, 443], or by scheme: { http = [80], https = [443] }")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Ports, A::Error> {
                Deserialize::deserialize(SeqAccessDeserializer::new(list)).map(Ports::OfAll)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Ports, A::Error> {
                Deserialize::deserialize(MapAccessDeserializer::new(map)).map(Ports::ByScheme)
            }
        }
        deserializer.deserialize_any(PortsVisitor)
    }
}

/// A port that a client can connect to.
pub(super) struct PortNumber(pub(super) u16);

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
