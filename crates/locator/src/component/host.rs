//! The host of a reference, which is equal to another in any case (RFC 3986, 3.2.2).

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::HostKind;
use crate::as_text::{equals_strings_as_str, shows_text};
use crate::parse::host;
use crate::pct::PctStr;

shows_text!(Host<'_>);
equals_strings_as_str!(Host<'_>);

/// A host: a name or an address.
///
/// ```
/// use locator::HostKind;
///
/// let host = locator::uri!("http://[::ffff:10.0.0.1]/").host().unwrap();
/// assert_eq!(host.kind(), HostKind::Ipv6);
/// assert_eq!(host.ipv6(), Some("::ffff:10.0.0.1".parse().unwrap()));
/// ```
///
/// # Equality
///
/// `==`, order and hash ignore the case of ASCII letters, also against a string: "The host
/// subcomponent is case-insensitive" (RFC 3986, 3.2.2). Case counts in the zone of an IPv6 address,
/// which names an interface, and in a registered name of `uri-2003`, which is a whole authority.
///
/// ```
/// let host = locator::uri!("http://Example.COM/").host().unwrap();
/// assert_eq!(host, "example.com");
/// assert_eq!(host.as_str(), "Example.COM");
/// ```
///
/// Nothing else is decoded or converted, so these hosts are not equal, though most programs contact
/// the same server:
///
/// ```
/// use locator::{UriRef, edition::RFC3987};
///
/// let equal = |one: &str, other: &str| {
///     let host =
///         |text| UriRef::parse_with(text, &RFC3987).unwrap().host().unwrap();
///     host(&format!("//{one}")) == host(&format!("//{other}"))
/// };
/// assert!(!equal("example.com", "example.com.")); // the root, written
/// assert!(!equal("example.com", "ex%61mple.com")); // an escape
/// assert!(!equal("bücher.example", "xn--bcher-kva.example")); // a U-label and its A-label
/// assert!(!equal("bücher.example", "BÜCHER.example")); // letters beyond ASCII
/// assert!(!equal("127.0.0.1", "0x7f.1")); // numbers that some programs read
/// assert!(!equal("[::1]", "[0:0::1]")); // zeros; compare `ipv6` instead
/// ```
///
/// [`normalize`](crate::UriRef::normalize) decodes escapes and shortens addresses;
/// [`compare`](crate::compare()) reports the rung on which two references are equivalent. Whether a
/// program may contact a host is not a question for `==`: ask an `audit::Policy`.
///
/// There is no `Borrow<str>`, because a `str` has the hash of its case: look up a map with a host.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    text: &'a str,
    kind: HostKind,
}

impl<'a> Host<'a> {
    pub(super) const fn new(text: &'a str, kind: HostKind) -> Self {
        Self { text, kind }
    }

    /// Returns the text, exactly as it was given, with the brackets of an IPv6 address.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// Returns the kind of host. The address itself is [`ip`](Self::ip).
    ///
    /// ```
    /// use locator::HostKind;
    ///
    /// // Which proxy is for a host.
    /// let host = locator::uri!("http://10.0.0.1/").host().unwrap();
    /// let is_direct = match host.kind() {
    ///     HostKind::Ipv4 => host.ipv4().is_some_and(|address| address.is_private()),
    ///     HostKind::Ipv6 => host.ipv6().is_some_and(|address| address.is_loopback()),
    ///     _ => host == "localhost",
    /// };
    /// assert!(is_direct);
    /// ```
    #[doc(alias("host_parsed", "to_host"))]
    #[must_use]
    pub const fn kind(self) -> HostKind {
        self.kind
    }

    /// Returns the percent-encoded text, which can be decoded.
    #[must_use]
    pub const fn as_pct_str(self) -> PctStr<'a> {
        PctStr::checked(self.text)
    }

    /// Returns the registered name, usually a domain name, or `None` if the host is empty or an
    /// address.
    ///
    /// ```
    /// assert_eq!(
    ///     locator::uri!("http://example.com/").host().unwrap().name().unwrap(),
    ///     "example.com"
    /// );
    /// assert!(locator::uri!("http://127.0.0.1/").host().unwrap().name().is_none());
    /// ```
    #[doc(alias("domain", "reg_name"))]
    #[must_use]
    pub fn name(self) -> Option<PctStr<'a>> {
        matches!(self.kind, HostKind::Name | HostKind::Registry).then_some(self.as_pct_str())
    }

    /// Returns the IPv4 or IPv6 address, or `None` if the host is neither. The zone of an IPv6
    /// address is omitted.
    ///
    /// ```
    /// assert!(
    ///     locator::uri!("http://[::1]/").host().unwrap().ip().unwrap().is_loopback()
    /// );
    /// ```
    #[doc(alias("to_ip", "to_ip_addr", "ip_addr", "as_ip"))]
    #[must_use]
    pub fn ip(self) -> Option<IpAddr> {
        self.ipv4().map(IpAddr::V4).or_else(|| self.ipv6().map(IpAddr::V6))
    }

    /// Returns the IPv4 address, or `None` if the host is not four numbers from 0 to 255.
    #[must_use]
    pub fn ipv4(self) -> Option<Ipv4Addr> {
        match self.kind {
            HostKind::Ipv4 => host::ipv4(self.text.as_bytes(), 0, self.text.len()).ok().map(Ipv4Addr::from),
            _ => None,
        }
    }

    /// Returns the IPv6 address without its zone, or `None` if the host is not one in brackets.
    #[must_use]
    pub fn ipv6(self) -> Option<Ipv6Addr> {
        match self.kind {
            HostKind::Ipv6 => {
                let end = self.text.find('%').unwrap_or(self.text.len() - 1);
                host::ipv6(self.text.as_bytes(), 1, end).ok().map(Ipv6Addr::from)
            }
            _ => None,
        }
    }

    /// Returns the zone of an IPv6 address, after its "%25" (RFC 6874), or `None` if it has none;
    /// only [`RFC3986_WITH_ZONES`](crate::edition::RFC3986_WITH_ZONES) has them.
    #[must_use]
    pub fn zone(self) -> Option<PctStr<'a>> {
        match self.kind {
            HostKind::Ipv6 => {
                // The first "%" of the literal is that of "%25".
                let percent = self.text.bytes().position(|octet| octet == b'%')?;
                self.text.get(percent + "%25".len()..)?.strip_suffix(']').map(PctStr::checked)
            }
            _ => None,
        }
    }
}

impl Host<'_> {
    /// Returns whether this is a registered name of `uri-2003`, which no other host is equal to.
    fn is_registry(self) -> bool {
        self.kind == HostKind::Registry
    }

    /// Divides the text: case does not count before the offset.
    fn split_by_case(&self) -> (&str, &str) {
        let at = match self.kind {
            HostKind::Registry => 0,
            HostKind::Ipv6 => self.text.find('%').unwrap_or(self.text.len()),
            _ => self.text.len(),
        };
        self.text.split_at(at)
    }

    /// Returns the bytes that are compared.
    fn folded(&self) -> impl Iterator<Item = u8> {
        let (folds, counts) = self.split_by_case();
        folds.bytes().map(|byte| byte.to_ascii_lowercase()).chain(counts.bytes())
    }
}

impl PartialEq<str> for Host<'_> {
    fn eq(&self, other: &str) -> bool {
        let (folds, counts) = self.split_by_case();
        other.as_bytes().split_at_checked(folds.len()).is_some_and(|(start, rest)| {
            start.eq_ignore_ascii_case(folds.as_bytes()) && rest == counts.as_bytes()
        })
    }
}

impl PartialEq for Host<'_> {
    fn eq(&self, other: &Self) -> bool {
        // Equal hosts have a zone at the same offset, so it does not matter which of them is divided.
        self.is_registry() == other.is_registry() && *self == *other.text
    }
}

impl Eq for Host<'_> {}

impl PartialOrd for Host<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Host<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.folded().cmp(other.folded()).then(self.is_registry().cmp(&other.is_registry()))
    }
}

impl Hash for Host<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.folded().for_each(|byte| state.write_u8(byte));
        state.write_u8(0xFF);
    }
}
