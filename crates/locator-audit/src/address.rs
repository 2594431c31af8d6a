//! What an address reaches: takes an IP address, takes IPv4 addresses out of it, and returns them
//! and the narrowest reach of all.
//!
//! An IPv6 address may contain an IPv4 address that a router, a translator or the operating system
//! uses instead. A list that knows only one of the forms is passed with another.
//!
//! [`Reach`] says how far from this machine an address is, [`Block`] has IANA's registries of special addresses (RFC
//! 6890), and [`Embedded`] an IPv4 address within an IPv6 address; [`Nat64Prefix`] is the prefix of a network's own
//! translator (RFC 6052).
//!
//! ```
//! use std::net::Ipv6Addr;
//!
//! use locator_audit::{Block, Reach};
//!
//! let address = "64:ff9b::a00:1".parse::<Ipv6Addr>()?;
//! assert_eq!(Reach::of(address), Reach::Private);
//! assert_eq!(Block::of("10.0.0.1".parse::<std::net::Ipv4Addr>()?).unwrap().name(), "private use");
//! # Ok::<_, std::net::AddrParseError>(())
//! ```

mod blocks;
pub(crate) mod label;

pub use blocks::{Block, Reach};

use core::fmt::{self, Display, Formatter};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::str::FromStr;

locator::named! {
    /// A form in which an IPv6 address contains an IPv4 address.
    ///
    /// ```
    /// use locator_audit::{Embedded, Embedding};
    /// use std::net::Ipv6Addr;
    ///
    /// let address = "64:ff9b::7f00:1".parse::<Ipv6Addr>()?;
    /// let embedded = Embedded::all(address, &[]).next().unwrap();
    /// assert_eq!(embedded.form, Embedding::Nat64);
    /// assert_eq!(embedded.form.name(), "NAT64");
    /// # Ok::<_, std::net::AddrParseError>(())
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Embedding {
        /// `::ffff:a.b.c.d`: the operating system connects by IPv4 (RFC 4291, 2.5.5.2).
        Mapped = "IPv4-mapped",
        /// `::a.b.c.d`, deprecated (RFC 4291, 2.5.5.1).
        Compatible = "IPv4-compatible",
        /// `::ffff:0:a.b.c.d`, of translators (RFC 2765, 2.1).
        Translated = "IPv4-translated",
        /// `64:ff9b::a.b.c.d`: a NAT64 connects by IPv4 (RFC 6052, 2.1).
        Nat64 = "NAT64",
        /// An address in `64:ff9b:1::/48`, whose networks choose the length of the prefix (RFC 8215).
        LocalNat64 = "local-use NAT64",
        /// An address in a prefix that was configured: [`Nat64Prefix`].
        ConfiguredNat64 = "configured NAT64",
        /// `2002:abcd:efgh::`: a 6to4 router sends to the IPv4 address (RFC 3056, 2).
        SixToFour = "6to4",
        /// An interface identifier `0:5efe:a.b.c.d` or `200:5efe:a.b.c.d` (RFC 5214, 6.1).
        Isatap = "ISATAP",
        /// The server in a Teredo address (RFC 4380, 4).
        TeredoServer = "Teredo server",
        /// The client in a Teredo address, whose bits are inverted there (RFC 4380, 4).
        TeredoClient = "Teredo client",
    }

    /// Returns the name of the form: `IPv4-mapped`.
    pub const fn name;
}

/// An IPv4 address that an IPv6 address contains.
///
/// ```
/// use locator_audit::{Embedded, Embedding};
///
/// let embedded =
///     Embedded::all("::ffff:10.0.0.1".parse().unwrap(), &[]).next().unwrap();
/// assert_eq!(
///     (embedded.form, embedded.address.octets()),
///     (Embedding::Mapped, [10, 0, 0, 1])
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Embedded {
    /// The form in which the address is contained.
    pub form: Embedding,
    /// The IPv4 address.
    pub address: Ipv4Addr,
}

impl Embedded {
    /// Returns every IPv4 address that an IPv6 address contains, in any form. Addresses in one of
    /// the prefixes are read by their length alone.
    ///
    /// ```
    /// use locator_audit::{Embedded, Embedding};
    /// use std::net::Ipv4Addr;
    ///
    /// let all: Vec<_> =
    ///     Embedded::all("2002:7f00:1::5efe:a00:1".parse().unwrap(), &[]).collect();
    /// assert_eq!(
    ///     all,
    ///     [
    ///         Embedded {
    ///             form: Embedding::SixToFour,
    ///             address: Ipv4Addr::new(127, 0, 0, 1)
    ///         },
    ///         Embedded {
    ///             form: Embedding::Isatap,
    ///             address: Ipv4Addr::new(10, 0, 0, 1)
    ///         },
    ///     ]
    /// );
    /// ```
    pub fn all(address: Ipv6Addr, prefixes: &[Nat64Prefix]) -> impl Iterator<Item = Self> {
        let bits = address.to_bits();
        // `::` and `::1` contain no IPv4 address.
        let forms = if bits > 1 { FORMS.as_slice() } else { &[] };
        let known = forms.iter().filter_map(move |layout| layout.read(bits));
        let configured = prefixes.iter().filter_map(move |prefix| prefix.read(bits));
        known.chain(configured)
    }
}

/// Where a form has the IPv4 address, and how it is recognized.
struct Layout {
    form: Embedding,
    mask: u128,
    value: u128,
    /// The four octets of the IPv4 address.
    at: [usize; 4],
    inverted: bool,
    /// The octets after the IPv4 address must be 0.
    rest_is_zero: bool,
}

impl Layout {
    const fn new(form: Embedding, value: u128, length: u32, at: [usize; 4]) -> Self {
        let mask = u128::MAX << (128 - length);
        Self { form, mask, value, at, inverted: false, rest_is_zero: false }
    }

    fn read(&self, bits: u128) -> Option<Embedded> {
        let rest = u128::MAX.checked_shr(8 * (self.at[3] as u32 + 1)).unwrap_or(0);
        if bits & self.mask != self.value || self.rest_is_zero && bits & rest != 0 {
            return None;
        }
        let address = octets_at(bits, self.at);
        let address = if self.inverted { Ipv4Addr::from_bits(!address.to_bits()) } else { address };
        Some(Embedded { form: self.form, address })
    }
}

fn octets_at(bits: u128, at: [usize; 4]) -> Ipv4Addr {
    let octets = bits.to_be_bytes();
    Ipv4Addr::from(at.map(|index| octets.get(index).copied().unwrap_or_default()))
}

const LAST: [usize; 4] = [12, 13, 14, 15];
const LOCAL: u128 = 0x0064_FF9B_0001 << 80;
const ISATAP: Layout = Layout {
    form: Embedding::Isatap,
    mask: 0xFDFF_FFFF << 32,
    value: 0x0000_5EFE << 32,
    at: LAST,
    inverted: false,
    rest_is_zero: false,
};

static FORMS: [Layout; 12] = [
    Layout::new(Embedding::Mapped, 0xFFFF << 32, 96, LAST),
    Layout::new(Embedding::Compatible, 0, 96, LAST),
    Layout::new(Embedding::Translated, 0xFFFF << 48, 96, LAST),
    Layout::new(Embedding::Nat64, 0x0064_FF9B << 96, 96, LAST),
    Layout::new(Embedding::LocalNat64, LOCAL, 48, LAST),
    // Shorter prefixes within the block, if what follows is zero (RFC 6052, 2.2).
    Layout { rest_is_zero: true, ..Layout::new(Embedding::LocalNat64, LOCAL, 48, [6, 7, 9, 10]) },
    Layout { rest_is_zero: true, ..Layout::new(Embedding::LocalNat64, LOCAL, 48, [7, 9, 10, 11]) },
    Layout { rest_is_zero: true, ..Layout::new(Embedding::LocalNat64, LOCAL, 48, [9, 10, 11, 12]) },
    Layout::new(Embedding::SixToFour, 0x2002 << 112, 16, [2, 3, 4, 5]),
    Layout::new(Embedding::TeredoServer, 0x2001_0000 << 96, 32, [4, 5, 6, 7]),
    Layout { inverted: true, ..Layout::new(Embedding::TeredoClient, 0x2001_0000 << 96, 32, LAST) },
    ISATAP,
];

/// Returns what an address in the local-use block contains by each of its shorter prefixes, whatever
/// follows: a translator may ignore the bits of the suffix (RFC 6052, 2.2), and so an address may hide
/// another before the one in its last octets. Zeros there are those of a longer prefix.
fn in_local_use(bits: u128) -> impl Iterator<Item = Ipv4Addr> {
    let is_local = bits & (u128::MAX << 80) == LOCAL;
    let positions = [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12]].into_iter().filter(move |_| is_local);
    positions.map(move |at| octets_at(bits, at)).filter(|address| address.octets()[0] != 0)
}

/// A prefix by which a NAT64 of your network translates to IPv4 (RFC 6052, 2.2).
///
/// ```
/// use locator_audit::{Nat64Prefix, Reach};
///
/// let prefixes = ["2001:db8:100::/40".parse::<Nat64Prefix>()?];
/// let address = "2001:db8:1c0:2:21::".parse::<std::net::Ipv6Addr>().unwrap();
/// assert_eq!(Reach::with_prefixes(address, &prefixes), Reach::Reserved); // 192.0.2.33
/// assert!("2001:db8::/97".parse::<Nat64Prefix>().is_err());
/// # Ok::<_, locator_audit::Nat64PrefixError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nat64Prefix {
    bits: u128,
    length: u8,
}

impl Nat64Prefix {
    /// Returns the prefix with a length of 32, 40, 48, 56, 64 or 96 bits.
    ///
    /// # Errors
    ///
    /// The length is another, or a bit after the prefix is set.
    pub const fn new(network: Ipv6Addr, length: u8) -> Result<Self, Nat64PrefixError> {
        let bits = network.to_bits();
        let has_length = matches!(length, 32 | 40 | 48 | 56 | 64 | 96);
        if has_length && bits << length == 0 {
            Ok(Self { bits, length })
        } else {
            Err(Nat64PrefixError { _private: () })
        }
    }

    fn contains(self, bits: u128) -> bool {
        (bits ^ self.bits) >> (128 - self.length) == 0
    }

    fn read(self, bits: u128) -> Option<Embedded> {
        // "Bits 64 to 71 of the address are reserved", so octet 8 is left out.
        let at = match self.length {
            32 => [4, 5, 6, 7],
            40 => [5, 6, 7, 9],
            48 => [6, 7, 9, 10],
            56 => [7, 9, 10, 11],
            64 => [9, 10, 11, 12],
            _ => LAST,
        };
        let form = Embedding::ConfiguredNat64;
        self.contains(bits).then(|| Embedded { form, address: octets_at(bits, at) })
    }
}

impl FromStr for Nat64Prefix {
    type Err = Nat64PrefixError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = Nat64PrefixError { _private: () };
        let (network, length) = text.split_once('/').ok_or(error)?;
        Self::new(network.parse().map_err(|_| error)?, length.parse().map_err(|_| error)?)
    }
}

impl Display for Nat64Prefix {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", Ipv6Addr::from_bits(self.bits), self.length)
    }
}

/// The error of a text or a length that is not a NAT64 prefix.
///
/// ```
/// let error = "2001:db8::/97".parse::<locator_audit::Nat64Prefix>().unwrap_err();
/// assert!(error.to_string().contains("96"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Nat64PrefixError {
    _private: (),
}

impl Display for Nat64PrefixError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a NAT64 prefix is an IPv6 address with \"/\" and a length of 32, 40, 48, 56, 64 or 96 bits, \
             and no bit after them (RFC 6052, 2.2)",
        )
    }
}

/// Shows the sentence of `Display`, for a `main` that returns the error.
impl fmt::Debug for Nat64PrefixError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl core::error::Error for Nat64PrefixError {}

impl Reach {
    /// Returns the narrowest reach of an address and of all IPv4 addresses that it contains.
    ///
    /// ```
    /// use locator_audit::Reach;
    ///
    /// let reach =
    ///     |address: &str| Reach::of(address.parse::<std::net::IpAddr>().unwrap());
    /// assert_eq!(reach("8.8.8.8"), Reach::Public);
    /// assert_eq!(reach("64:ff9b::808:808"), Reach::Public);
    /// assert_eq!(reach("2002:a00:1::"), Reach::Private);
    /// assert_eq!(reach("168.63.129.16"), Reach::LinkLocal);
    /// assert_eq!(reach("::ffff:127.0.0.1"), Reach::ThisMachine);
    /// assert_eq!(reach("2001::1"), Reach::Reserved);
    /// ```
    #[must_use]
    pub fn of(address: impl Into<IpAddr>) -> Self {
        Self::with_prefixes(address, &[])
    }

    /// Returns the reach of an address, like [`of`](Self::of), in a network with its own NAT64
    /// prefixes.
    ///
    /// A network may translate by a prefix of its own (RFC 6052). Without it, the addresses below the prefix
    /// look public, although they lead to private IPv4 addresses:
    ///
    /// ```
    /// use locator_audit::{Nat64Prefix, Reach};
    /// use std::net::Ipv6Addr;
    ///
    /// // 10.0.0.1 by the prefix of a company.
    /// let address: Ipv6Addr = "2600:1::a00:1".parse()?;
    /// let prefix: Nat64Prefix = "2600:1::/96".parse().unwrap();
    /// assert_eq!(Reach::of(address), Reach::Public);
    /// assert_eq!(Reach::with_prefixes(address, &[prefix]), Reach::Private);
    /// # Ok::<_, std::net::AddrParseError>(())
    /// ```
    #[must_use]
    pub fn with_prefixes(address: impl Into<IpAddr>, prefixes: &[Nat64Prefix]) -> Self {
        match address.into() {
            IpAddr::V4(address) => Self::of_ipv4(address),
            IpAddr::V6(address) => {
                let bits = address.to_bits();
                let all = Embedded::all(address, prefixes);
                if prefixes.iter().any(|prefix| prefix.contains(bits)) {
                    // The prefix says what the address is; the local-use block leaves that open.
                    let judged = all.filter(|embedded| embedded.form != Embedding::LocalNat64);
                    return judged
                        .map(|embedded| Self::of_ipv4(embedded.address))
                        .max()
                        .unwrap_or(Self::Public);
                }
                let own = Block::of(address).map_or(Self::Public, Block::reach);
                let all = all.map(|embedded| embedded.address).chain(in_local_use(bits));
                all.map(Self::of_ipv4).fold(own, Self::max)
            }
        }
    }

    fn of_ipv4(address: Ipv4Addr) -> Self {
        Block::of(address).map_or(Self::Public, Block::reach)
    }
}

#[cfg(test)]
mod tests {
    use std::string::{String, ToString};
    use std::vec::Vec;

    use super::*;

    fn embedded(address: &str) -> Vec<String> {
        let all = Embedded::all(address.parse().unwrap(), &[]);
        all.map(|one| std::format!("{} {}", one.form.name(), one.address)).collect()
    }

    #[test]
    fn every_form() {
        for (address, expected) in [
            ("::", &[] as &[&str]),
            ("::1", &[]),
            ("2606:4700::1111", &[]),
            ("::127.0.0.1", &["IPv4-compatible 127.0.0.1"]),
            ("::ffff:127.0.0.1", &["IPv4-mapped 127.0.0.1"]),
            ("::ffff:0:127.0.0.1", &["IPv4-translated 127.0.0.1"]),
            ("64:ff9b::127.0.0.1", &["NAT64 127.0.0.1"]),
            ("64:ff9b:0:0:0:1:7f00:1", &[]),
            ("64:ff9b:1:2:3:4:7f00:1", &["local-use NAT64 127.0.0.1"]),
            ("2002:7f00:1::", &["6to4 127.0.0.1"]),
            ("2001:0:7f00:1::80ff:fffe", &["Teredo server 127.0.0.1", "Teredo client 127.0.0.1"]),
            ("2606:4700::5efe:7f00:1", &["ISATAP 127.0.0.1"]),
            ("2606:4700::200:5efe:7f00:1", &["ISATAP 127.0.0.1"]),
            ("2606:4700::100:5efe:7f00:1", &[]),
        ] {
            assert_eq!(embedded(address), expected, "{address}");
        }
        assert!(embedded("64:ff9b:1:7f00:0:100::").contains(&"local-use NAT64 127.0.0.1".into()));
        assert!(embedded("64:ff9b:1:7f:0:1::").contains(&"local-use NAT64 127.0.0.1".into()));
        assert!(embedded("64:ff9b:1:0:7f:0:100:0").contains(&"local-use NAT64 127.0.0.1".into()));
    }

    /// The examples of RFC 6052, 2.4, all of 192.0.2.33.
    #[test]
    fn prefixes_of_every_length() {
        for (prefix, address) in [
            ("2001:db8::/32", "2001:db8:c000:221::"),
            ("2001:db8:100::/40", "2001:db8:1c0:2:21::"),
            ("2001:db8:122::/48", "2001:db8:122:c000:2:2100::"),
            ("2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"),
            ("2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"),
            ("2001:db8:122:344::/96", "2001:db8:122:344::192.0.2.33"),
        ] {
            let parsed = prefix.parse::<Nat64Prefix>().unwrap();
            assert_eq!(parsed.to_string(), prefix);
            let all = Embedded::all(address.parse().unwrap(), &[parsed]).collect::<Vec<_>>();
            let expected =
                Embedded { form: Embedding::ConfiguredNat64, address: Ipv4Addr::new(192, 0, 2, 33) };
            assert_eq!(all, [expected], "{prefix}");
        }
        for wrong in
            ["", "64:ff9b::", "64:ff9b::/", "64:ff9b::/0", "64:ff9b::/95", "64:ff9b::1/96", "1.2.3.4/32"]
        {
            assert!(wrong.parse::<Nat64Prefix>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn reaches() {
        let local = ["64:ff9b:1::/96".parse::<Nat64Prefix>().unwrap(), "fd64::/64".parse().unwrap()];
        for (address, plain, configured) in [
            ("64:ff9b:1::8.8.8.8", Reach::Private, Reach::Public),
            ("64:ff9b:1::7f00:1", Reach::ThisMachine, Reach::ThisMachine),
            ("64:ff9b:1:7f00:0:100::", Reach::Reserved, Reach::Reserved),
            ("64:ff9b:1:1:1:1:8.8.8.8", Reach::Private, Reach::Private),
            ("64:ff9b:1:a9fe:a9:fe00:8.8.8.8", Reach::Reserved, Reach::Reserved),
            ("64:ff9b:1:7f:0:1:8.8.8.8", Reach::ThisMachine, Reach::ThisMachine),
            ("fd64::8:808:800:0", Reach::Private, Reach::Public),
            ("fd64::a:0:100:0", Reach::Private, Reach::Private),
            ("64:ff9b::8.8.8.8", Reach::Public, Reach::Public),
            ("64:ff9b::10.0.0.1", Reach::Private, Reach::Private),
            ("64:ff9b::169.254.169.254", Reach::LinkLocal, Reach::LinkLocal),
            ("::ffff:8.8.8.8", Reach::Public, Reach::Public),
            ("::ffff:0.0.0.0", Reach::ThisMachine, Reach::ThisMachine),
            ("::8.8.8.8", Reach::Reserved, Reach::Reserved),
            ("::ffff:0:8.8.8.8", Reach::Reserved, Reach::Reserved),
            ("2002:808:808::1", Reach::Public, Reach::Public),
            ("2002:808:808::5efe:7f00:1", Reach::ThisMachine, Reach::ThisMachine),
            ("2606:4700::5efe:808:808", Reach::Public, Reach::Public),
            ("fe80::5efe:808:808", Reach::LinkLocal, Reach::LinkLocal),
            ("2001:0:808:808::f7f7:f7f7", Reach::Reserved, Reach::Reserved),
            ("fec0::1", Reach::Private, Reach::Private),
            ("ff02::1", Reach::Reserved, Reach::Reserved),
            ("::", Reach::ThisMachine, Reach::ThisMachine),
            ("4000::1", Reach::Reserved, Reach::Reserved),
            ("2a00:1450::1", Reach::Public, Reach::Public),
        ] {
            let parsed = address.parse::<Ipv6Addr>().unwrap();
            assert_eq!(Reach::of(parsed), plain, "{address}");
            assert_eq!(Reach::with_prefixes(parsed, &local), configured, "{address}");
        }
    }
}
