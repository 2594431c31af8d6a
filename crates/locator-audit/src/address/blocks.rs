//! Blocks of addresses with a special purpose: takes an address, returns the longest prefix that
//! contains it.
//!
//! The rows are those of IANA's registries "IPv4 Special-Purpose Address Space" and "IPv6
//! Special-Purpose Address Space" (RFC 6890, RFC 8190), all of them, from a copy of 18 July 2026,
//! with the column "Globally Reachable" ("N/A" and an empty cell are `None`). A copy of 15
//! September 2026 has the same rows of IPv6. Tables of their own have what the registries lack: multicast,
//! unallocated and deprecated space (IANA's registry "IPv6 Address Space"), and the addresses where
//! clouds offer metadata and credentials to their machines.

use core::fmt::{self, Display, Formatter};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use Reach::{LinkLocal, Private, Public, Reserved, ThisMachine};

locator::named! {
    /// How far from this machine an address is.
    ///
    /// A later value is narrower: fewer machines reach it, and more of them trust it.
    ///
    /// ```
    /// use locator_audit::Reach;
    ///
    /// assert!(Reach::Public < Reach::Private && Reach::Private < Reach::ThisMachine);
    /// assert_eq!(
    ///     Reach::of("64:ff9b::7f00:1".parse::<std::net::Ipv6Addr>()?),
    ///     Reach::ThisMachine
    /// );
    /// # Ok::<_, std::net::AddrParseError>(())
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Reach {
        /// Reachable from everywhere.
        Public = "public",
        /// Private, shared and unique local addresses.
        Private = "private",
        /// Link-local addresses, and those where clouds offer metadata to their machines.
        LinkLocal = "link-local",
        /// Loopback and unspecified addresses.
        ThisMachine = "this-machine",
        /// Addresses that nothing should connect to: multicast, documentation, benchmarks, Teredo,
        /// space that is not allocated.
        Reserved = "reserved",
    }

    /// Returns the name: `link-local`.
    pub const fn name;
}

impl Reach {
    /// All values, from the widest.
    pub const ALL: [Self; 5] =
        [Self::Public, Self::Private, Self::LinkLocal, Self::ThisMachine, Self::Reserved];
}

/// Which table a block is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Registry,
    Added,
    Metadata,
}

/// A block of addresses with a special purpose.
///
/// ```
/// use locator_audit::Block;
///
/// let block = Block::of("192.0.0.9".parse::<std::net::Ipv4Addr>()?).unwrap();
/// assert_eq!(block.to_string(), "192.0.0.9/32");
/// assert_eq!(block.globally_reachable(), Some(true));
/// assert!(Block::of("8.8.8.8".parse::<std::net::Ipv4Addr>()?).is_none());
/// # Ok::<_, std::net::AddrParseError>(())
/// ```
#[derive(Debug)]
pub struct Block {
    network: IpAddr,
    length: u8,
    name: &'static str,
    globally_reachable: Option<bool>,
    reach: Reach,
    source: Source,
    citation: &'static str,
}

impl Block {
    /// Returns the smallest block of the tables that contains an address.
    ///
    /// Every IPv6 address is in one; an IPv4 address in none is public.
    ///
    /// ```
    /// use locator_audit::Block;
    /// use std::net::Ipv4Addr;
    ///
    /// let block = Block::of(Ipv4Addr::new(169, 254, 169, 254)).unwrap();
    /// assert!(block.is_metadata());
    /// assert!(Block::of(Ipv4Addr::new(8, 8, 8, 8)).is_none());
    /// ```
    #[must_use]
    pub fn of(address: impl Into<IpAddr>) -> Option<&'static Self> {
        let address = address.into();
        let tables: [&'static [Self]; 2] = match address {
            IpAddr::V4(_) => [&IPV4, &IPV4_ADDED],
            IpAddr::V6(_) => [&IPV6, &IPV6_ADDED],
        };
        let around = tables.into_iter().flatten().filter(|block| block.contains(address));
        around.max_by_key(|block| block.length)
    }

    /// Returns all blocks: those of the registries first.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        IPV4.iter().chain(&IPV6).chain(&IPV4_ADDED).chain(&IPV6_ADDED)
    }

    /// Returns whether the block contains an address. An IPv4 address is in no IPv6 block.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let differs = network.to_bits() ^ address.to_bits();
                differs.checked_shr(32 - u32::from(self.length)).unwrap_or(0) == 0
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let differs = network.to_bits() ^ address.to_bits();
                differs.checked_shr(128 - u32::from(self.length)).unwrap_or(0) == 0
            }
            _ => false,
        }
    }

    /// Returns the first address of the block.
    #[must_use]
    pub const fn network(&self) -> IpAddr {
        self.network
    }

    /// Returns the length of the prefix, in bits.
    #[must_use]
    pub const fn prefix_length(&self) -> u8 {
        self.length
    }

    /// Returns what the block is for, without an article: `loopback`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the column "Globally Reachable" of the registry; `None` if it is "N/A" or empty, or
    /// if the block is not in a registry.
    #[must_use]
    pub const fn globally_reachable(&self) -> Option<bool> {
        self.globally_reachable
    }

    /// Returns the reach of the block itself.
    ///
    /// Use [`Reach::of`] for an address, which may contain an IPv4 address with a narrower reach.
    #[must_use]
    pub const fn reach(&self) -> Reach {
        self.reach
    }

    /// Returns whether a cloud offers metadata, and with it credentials, to its machines there.
    #[must_use]
    pub fn is_metadata(&self) -> bool {
        self.source == Source::Metadata
    }

    /// Returns whether the block is in one of IANA's special-purpose registries.
    #[must_use]
    pub fn is_registered(&self) -> bool {
        self.source == Source::Registry
    }

    /// Returns the document that defines the block.
    #[must_use]
    pub const fn citation(&self) -> &'static str {
        self.citation
    }

    const fn registered(self, globally_reachable: Option<bool>) -> Self {
        Self { globally_reachable, source: Source::Registry, ..self }
    }

    const fn metadata(self) -> Self {
        Self { source: Source::Metadata, ..self }
    }
}

impl Display for Block {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.network, self.length)
    }
}

const fn v4(octets: [u8; 4], length: u8, reach: Reach, name: &'static str, citation: &'static str) -> Block {
    let network = IpAddr::V4(Ipv4Addr::new(octets[0], octets[1], octets[2], octets[3]));
    Block { network, length, name, globally_reachable: None, reach, source: Source::Added, citation }
}

/// The groups after the given ones are 0.
const fn v6(groups: &[u16], length: u8, reach: Reach, name: &'static str, citation: &'static str) -> Block {
    let (mut bits, mut i) = (0, 0);
    while i < groups.len() {
        bits |= (groups[i] as u128) << (112 - 16 * i);
        i += 1;
    }
    let network = IpAddr::V6(Ipv6Addr::from_bits(bits));
    Block { network, length, name, globally_reachable: None, reach, source: Source::Added, citation }
}

const NO: Option<bool> = Some(false);
const YES: Option<bool> = Some(true);

#[rustfmt::skip]
static IPV4: [Block; 26] = [
    v4([0, 0, 0, 0], 8, Reserved, "\"this network\"", "RFC 791, 3.2").registered(NO),
    v4([0, 0, 0, 0], 32, ThisMachine, "\"this host on this network\"", "RFC 1122, 3.2.1.3").registered(NO),
    v4([10, 0, 0, 0], 8, Private, "private use", "RFC 1918").registered(NO),
    v4([100, 64, 0, 0], 10, Private, "shared address space", "RFC 6598").registered(NO),
    v4([127, 0, 0, 0], 8, ThisMachine, "loopback", "RFC 1122, 3.2.1.3").registered(NO),
    v4([169, 254, 0, 0], 16, LinkLocal, "link-local", "RFC 3927").registered(NO),
    v4([172, 16, 0, 0], 12, Private, "private use", "RFC 1918").registered(NO),
    v4([192, 0, 0, 0], 24, Reserved, "IETF protocol assignments", "RFC 6890, 2.1").registered(NO),
    v4([192, 0, 0, 0], 29, Private, "IPv4 service continuity prefix", "RFC 7335").registered(NO),
    v4([192, 0, 0, 8], 32, Reserved, "IPv4 dummy address", "RFC 7600").registered(NO),
    v4([192, 0, 0, 9], 32, Public, "Port Control Protocol anycast", "RFC 7723").registered(YES),
    v4([192, 0, 0, 10], 32, Public, "TURN anycast", "RFC 8155").registered(YES),
    v4([192, 0, 0, 170], 32, Reserved, "NAT64/DNS64 discovery", "RFC 7050, 2.2").registered(NO),
    v4([192, 0, 0, 171], 32, Reserved, "NAT64/DNS64 discovery", "RFC 7050, 2.2").registered(NO),
    v4([192, 0, 2, 0], 24, Reserved, "documentation (TEST-NET-1)", "RFC 5737").registered(NO),
    v4([192, 31, 196, 0], 24, Public, "AS112-v4", "RFC 7535").registered(YES),
    v4([192, 52, 193, 0], 24, Public, "AMT", "RFC 7450").registered(YES),
    v4([192, 88, 99, 0], 24, Reserved, "deprecated 6to4 relay anycast", "RFC 7526").registered(None),
    v4([192, 88, 99, 2], 32, Reserved, "6a44 relay anycast", "RFC 6751").registered(NO),
    v4([192, 168, 0, 0], 16, Private, "private use", "RFC 1918").registered(NO),
    v4([192, 175, 48, 0], 24, Public, "direct delegation AS112 service", "RFC 7534").registered(YES),
    v4([198, 18, 0, 0], 15, Reserved, "benchmarking", "RFC 2544").registered(NO),
    v4([198, 51, 100, 0], 24, Reserved, "documentation (TEST-NET-2)", "RFC 5737").registered(NO),
    v4([203, 0, 113, 0], 24, Reserved, "documentation (TEST-NET-3)", "RFC 5737").registered(NO),
    v4([240, 0, 0, 0], 4, Reserved, "reserved", "RFC 1112, 4").registered(NO),
    v4([255, 255, 255, 255], 32, Reserved, "limited broadcast", "RFC 919, 7").registered(NO),
];

// The reach of a block that contains IPv4 addresses is that of the block alone. So 64:ff9b::/96 and
// 2002::/16 are public here, and the IPv4 address decides. Nobody outside a network can use its
// prefixes from 64:ff9b:1::/48, and what relays Teredo is not known.
#[rustfmt::skip]
static IPV6: [Block; 25] = [
    v6(&[0, 0, 0, 0, 0, 0, 0, 1], 128, ThisMachine, "loopback", "RFC 4291, 2.5.3").registered(NO),
    v6(&[], 128, ThisMachine, "unspecified address", "RFC 4291, 2.5.2").registered(NO),
    v6(&[0, 0, 0, 0, 0, 0xFFFF], 96, Public, "IPv4-mapped addresses", "RFC 4291, 2.5.5.2").registered(NO),
    v6(&[0x64, 0xFF9B], 96, Public, "IPv4-IPv6 translation", "RFC 6052, 2.1").registered(YES),
    v6(&[0x64, 0xFF9B, 1], 48, Private, "local-use IPv4-IPv6 translation", "RFC 8215").registered(NO),
    v6(&[0x100], 64, Reserved, "discard-only", "RFC 6666").registered(NO),
    v6(&[0x100, 0, 0, 1], 64, Reserved, "dummy prefix", "RFC 9780").registered(NO),
    v6(&[0x2001], 23, Reserved, "IETF protocol assignments", "RFC 2928").registered(NO),
    v6(&[0x2001], 32, Reserved, "Teredo", "RFC 4380").registered(None),
    v6(&[0x2001, 1, 0, 0, 0, 0, 0, 1], 128, Public, "Port Control Protocol anycast", "RFC 7723").registered(YES),
    v6(&[0x2001, 1, 0, 0, 0, 0, 0, 2], 128, Public, "TURN anycast", "RFC 8155").registered(YES),
    v6(&[0x2001, 1, 0, 0, 0, 0, 0, 3], 128, Public, "DNS-SD service registration anycast", "RFC 9665").registered(YES),
    v6(&[0x2001, 2], 48, Reserved, "benchmarking", "RFC 5180").registered(NO),
    v6(&[0x2001, 3], 32, Public, "AMT", "RFC 7450").registered(YES),
    v6(&[0x2001, 4, 0x112], 48, Public, "AS112-v6", "RFC 7535").registered(YES),
    v6(&[0x2001, 0x10], 28, Reserved, "deprecated ORCHID", "RFC 4843").registered(None),
    v6(&[0x2001, 0x20], 28, Public, "ORCHIDv2", "RFC 7343").registered(YES),
    v6(&[0x2001, 0x30], 28, Public, "drone remote identification", "RFC 9374").registered(YES),
    v6(&[0x2001, 0xDB8], 32, Reserved, "documentation", "RFC 3849").registered(NO),
    v6(&[0x2002], 16, Public, "6to4", "RFC 3056").registered(None),
    v6(&[0x2620, 0x4F, 0x8000], 48, Public, "direct delegation AS112 service", "RFC 7534").registered(YES),
    v6(&[0x3FFF], 20, Reserved, "documentation", "RFC 9637").registered(NO),
    v6(&[0x5F00], 16, Reserved, "segment routing (SRv6) SIDs", "RFC 9602").registered(NO),
    v6(&[0xFC00], 7, Private, "unique local", "RFC 4193").registered(NO),
    v6(&[0xFE80], 10, LinkLocal, "link-local", "RFC 4291, 2.5.6").registered(NO),
];

#[rustfmt::skip]
static IPV4_ADDED: [Block; 12] = [
    v4([224, 0, 0, 0], 4, Reserved, "multicast", "RFC 5771"),
    v4([100, 80, 80, 80], 32, LinkLocal, "metadata (UCloud)", "UCloud, UHost, metadata").metadata(),
    v4([100, 96, 0, 96], 32, LinkLocal, "metadata (Volcano Engine)", "Volcano Engine, ECS, instance metadata").metadata(),
    v4([100, 100, 100, 200], 32, LinkLocal, "metadata (Alibaba Cloud)", "Alibaba Cloud, ECS, instance metadata").metadata(),
    v4([168, 63, 129, 16], 32, LinkLocal, "metadata (Azure WireServer)", "Azure, What is IP address 168.63.129.16").metadata(),
    v4([169, 254, 0, 23], 32, LinkLocal, "metadata (Tencent Cloud)", "Tencent Cloud, CVM, instance metadata").metadata(),
    v4([169, 254, 42, 42], 32, LinkLocal, "metadata (Scaleway)", "Scaleway, instance metadata").metadata(),
    v4([169, 254, 169, 254], 32, LinkLocal, "metadata (AWS, Azure, Google and others)", "AWS, EC2 User Guide, instance metadata").metadata(),
    v4([169, 254, 170, 2], 32, LinkLocal, "credentials of a task (AWS ECS)", "AWS, ECS Developer Guide, task IAM role").metadata(),
    v4([169, 254, 170, 23], 32, LinkLocal, "credentials of a pod (AWS EKS)", "AWS, EKS User Guide, Pod Identity").metadata(),
    v4([192, 0, 0, 192], 32, LinkLocal, "metadata (Oracle Cloud Classic)", "Oracle Cloud Infrastructure Classic, instance metadata").metadata(),
    v4([192, 80, 8, 124], 32, LinkLocal, "metadata (Equinix Metal)", "Equinix Metal, server metadata").metadata(),
];

#[rustfmt::skip]
static IPV6_ADDED: [Block; 14] = [
    v6(&[], 0, Reserved, "not allocated", "RFC 4291, 4"),
    v6(&[0x2000], 3, Public, "global unicast", "RFC 4291, 4"),
    v6(&[], 96, Reserved, "IPv4-compatible addresses", "RFC 4291, 2.5.5.1"),
    v6(&[0xFEC0], 10, Private, "deprecated site-local", "RFC 3879"),
    v6(&[0xFF00], 8, Reserved, "multicast", "RFC 4291, 2.7"),
    v6(&[0xFD00, 0x42, 0, 0, 0, 0, 0, 0x42], 128, LinkLocal, "metadata (Scaleway)", "Scaleway, instance metadata").metadata(),
    v6(&[0xFD00, 0xC1, 0, 0, 0, 0, 0xA9FE, 0xA9FE], 128, LinkLocal, "metadata (Oracle Cloud)", "Oracle Cloud Infrastructure, SDK for Python, instance principals").metadata(),
    v6(&[0xFD00, 0x100, 0, 0, 0, 0, 0x100, 0x200], 128, LinkLocal, "metadata (Alibaba Cloud)", "Alibaba Cloud, ECS, instance metadata").metadata(),
    v6(&[0xFD00, 0xA9FE, 0xA9FE, 0, 0, 0, 0, 1], 128, LinkLocal, "metadata (Akamai)", "Akamai, Metadata Service API").metadata(),
    v6(&[0xFE80, 0, 0, 0, 0, 0, 0xA9FE, 0xA9FE], 128, LinkLocal, "metadata (OpenStack)", "OpenStack, Nova, metadata").metadata(),
    v6(&[0xFD00, 0xEC2], 32, LinkLocal, "services of AWS for its machines (DNS, time)", "AWS, VPC User Guide, Route 53 Resolver"),
    v6(&[0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x23], 128, LinkLocal, "credentials of a pod (AWS EKS)", "AWS, EKS User Guide, Pod Identity").metadata(),
    v6(&[0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x254], 128, LinkLocal, "metadata (AWS)", "AWS, EC2 User Guide, instance metadata").metadata(),
    v6(&[0xFD20, 0xCE, 0, 0, 0, 0, 0, 0x254], 128, LinkLocal, "metadata (Google Cloud)", "Google Cloud, VM metadata").metadata(),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::string::ToString;

    use super::*;

    #[test]
    fn every_block_is_there_once_and_has_no_bits_after_its_prefix() {
        let mut seen = BTreeSet::new();
        for block in Block::all() {
            assert!(seen.insert(block.to_string()), "{block}");
            let (bits, width) = match block.network {
                IpAddr::V4(network) => (u128::from(network.to_bits()), 32),
                IpAddr::V6(network) => (network.to_bits(), 128),
            };
            assert!(bits.trailing_zeros() >= width - u32::from(block.length), "{block}");
            assert_eq!(Block::of(block.network).unwrap().network, block.network, "{block}");
        }
    }

    #[test]
    fn what_is_not_globally_reachable_is_public_only_where_an_ipv4_address_decides() {
        for block in Block::all().filter(|block| block.is_registered()) {
            let by_ipv4 = ["::ffff:0.0.0.0/96", "2002::/16"].contains(&&*block.to_string());
            let is_public = block.globally_reachable == YES || by_ipv4;
            assert_eq!(block.reach == Public, is_public, "{block}");
        }
    }

    #[test]
    fn the_longest_prefix_is_found() {
        for (address, expected) in [
            ("192.0.0.9", "192.0.0.9/32"),
            ("192.0.0.11", "192.0.0.0/24"),
            ("192.0.0.7", "192.0.0.0/29"),
            ("192.0.0.192", "192.0.0.192/32"),
            ("0.0.0.0", "0.0.0.0/32"),
            ("0.0.0.1", "0.0.0.0/8"),
            ("172.31.255.255", "172.16.0.0/12"),
            ("255.255.255.255", "255.255.255.255/32"),
            ("239.1.1.1", "224.0.0.0/4"),
            ("::1", "::1/128"),
            ("::2", "::/96"),
            ("100:0:0:1::5", "100:0:0:1::/64"),
            ("100:0:0:2::5", "::/0"),
            ("2001:1::3", "2001:1::3/128"),
            ("2001:1::4", "2001::/23"),
            ("2001:0:1::", "2001::/32"),
            ("2001:200::", "2000::/3"),
            ("3fff:fff::1", "3fff::/20"),
            ("3fff:1000::1", "2000::/3"),
            ("4000::1", "::/0"),
            ("fd20:ce::254", "fd20:ce::254/128"),
            ("fd20:ce::255", "fc00::/7"),
            ("fd00:ec2::253", "fd00:ec2::/32"),
            ("fd00:c1::a9fe:a9fe", "fd00:c1::a9fe:a9fe/128"),
        ] {
            let address = address.parse::<IpAddr>().unwrap();
            assert_eq!(Block::of(address).unwrap().to_string(), expected, "{address}");
        }
        for address in ["1.1.1.1", "172.32.0.0", "100.128.0.0", "192.0.1.1", "223.255.255.255"] {
            assert!(Block::of(address.parse::<IpAddr>().unwrap()).is_none(), "{address}");
        }
    }
}
