//! What a policy allowed to fetch.
//!
//! What a text contacts: takes a text and a base, returns scheme, host and port, if every program
//! reads the same.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter, Write};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use core::ops::Range;

use locator::edition::{RFC3986, RFC3987};
use locator::scheme::default_port;
use locator::{Base, Uri, UriBuf, UriRef, UriRefBuf, UriRefCow};

use super::host::{PlainHost, name_reach, plain_host};
use super::refusal::{Refusal, RefusalReason};
use super::rules::AddressRules;
use crate::address::Reach;
use crate::domain::special as names;
use crate::readers::{Contact, Host as ContactedHost, Readings, readings};

/// A URL that a [`Policy`](super::Policy) allowed: what to send, and where to connect.
///
/// Only a policy makes one, so a function that takes a `Target` cannot be given an unchecked text.
///
/// [`name_to_look_up`](Self::name_to_look_up) and [`addresses`](Self::addresses) are about where to
/// connect to, which for an [alternative](super::Policy::alternative) is elsewhere; all else is about
/// the URL.
///
/// ```
/// use locator_audit::Policy;
/// use std::net::Ipv4Addr;
///
/// let target = Policy::public_web().check("https://www.example.com/a?b#c")?;
/// assert_eq!(target.as_str(), "https://www.example.com/a?b");
/// // With the dot no search list of the resolver is used.
/// assert_eq!(
///     (target.name_to_look_up().as_str(), target.port()),
///     ("www.example.com.", 443)
/// );
/// assert!(target.addresses([Ipv4Addr::new(93, 184, 215, 14)]).is_ok());
/// // The name leads to a private network: DNS rebinding.
/// assert!(target.addresses([Ipv4Addr::new(10, 0, 0, 1)]).is_err());
/// # Ok::<_, locator_audit::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub(super) url: String,
    pub(super) scheme_end: usize,
    pub(super) host: Range<usize>,
    pub(super) authority_end: usize,
    pub(super) port: u16,
    /// Where to connect to, if that is not the host and the port of the URL.
    pub(super) alternative: Option<Alternative>,
    /// The address to connect to, if it is known.
    pub(super) literal: Option<IpAddr>,
    pub(super) rules: AddressRules,
}

/// A server that answers for the host and the port of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alternative {
    pub(super) host: String,
    pub(super) port: u16,
}

impl Target {
    /// Returns the URL to send: in ASCII, with scheme and host in lower case, without userinfo,
    /// fragment and default port.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// Returns the scheme in lower case.
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.url.get(..self.scheme_end).unwrap_or_default()
    }

    /// Returns the host in ASCII and lower case, with the brackets of an IPv6 address.
    #[must_use]
    pub fn host(&self) -> &str {
        self.url.get(self.host.clone()).unwrap_or_default()
    }

    /// Returns the port, which is the scheme's default if the URL has no port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Returns the path and the query, which HTTP sends as the request target: `/a?b`.
    #[must_use]
    pub fn path_and_query(&self) -> &str {
        self.url.get(self.authority_end..).unwrap_or_default()
    }

    /// Returns the address to connect to, if the URL or the alternative has one, so that no name is
    /// looked up.
    #[must_use]
    pub const fn address(&self) -> Option<IpAddr> {
        self.literal
    }

    /// Returns the addresses that are known without a look-up.
    ///
    /// They are the [address](Self::address), and for `localhost` and the names in it the loopback
    /// addresses, which no resolver is asked for (RFC 6761, 6.3). They are judged by
    /// [`addresses`](Self::addresses) like those of a resolver.
    ///
    /// ```
    /// use locator_audit::Policy;
    ///
    /// let known = |url| Policy::typed().check(url)?.known_addresses();
    /// assert_eq!(
    ///     known("http://app.localhost:8080/")?.unwrap()[1].to_string(),
    ///     "127.0.0.1"
    /// );
    /// assert_eq!(known("http://www.example.com/")?, None);
    /// assert!(known("http://example.onion/").is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The name is in `onion`: a resolver must not be asked for it.
    pub fn known_addresses(&self) -> Result<Option<Vec<IpAddr>>, Refusal> {
        let host = self.dialled_host();
        if names::is_within(host, "onion") {
            return Err(Refusal::new(RefusalReason::Onion));
        }
        if names::is_within(host, "localhost") {
            return Ok(Some([Ipv6Addr::LOCALHOST.into(), Ipv4Addr::LOCALHOST.into()].into()));
        }
        Ok(self.literal.map(|address| [address].into()))
    }

    /// Returns the name to look up: with a dot at the end, so that no domain of the search list is
    /// appended; or the address, without brackets.
    #[must_use]
    pub fn name_to_look_up(&self) -> String {
        match self.literal {
            Some(address) => format!("{address}"),
            None => [self.dialled_host(), "."].concat(),
        }
    }

    /// Returns the addresses to connect to, with the port, in the given order.
    ///
    /// One address that the policy forbids is an error for all, because a client that tries one
    /// after the other would come to it.
    ///
    /// Connect to one of the results. A second look-up may have another answer.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let target = Policy::public_web().check("https://www.example.com/")?;
    /// let public = Ipv4Addr::new(93, 184, 215, 14);
    /// assert_eq!(target.addresses([public])?[0].to_string(), "93.184.215.14:443");
    /// assert!(target.addresses([public, Ipv4Addr::new(10, 0, 0, 1)]).is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is no answer, or the policy forbids an address, or the host is an address and the
    /// answer is another one.
    pub fn addresses<A: Into<IpAddr>>(
        &self,
        answers: impl IntoIterator<Item = A>,
    ) -> Result<Vec<SocketAddr>, Refusal> {
        let mut addresses = Vec::new();
        for answer in answers {
            let address = answer.into();
            self.permit(address)?;
            addresses.push(SocketAddr::new(address, self.dialled_port()));
        }
        if addresses.is_empty() {
            return Err(Refusal::new(RefusalReason::NoAddress));
        }
        Ok(addresses)
    }

    /// Checks one address, such as that of the peer after connecting.
    ///
    /// # Errors
    ///
    /// The policy forbids the address, or the host is an address and this is another one.
    pub fn permit(&self, address: impl Into<IpAddr>) -> Result<(), Refusal> {
        let address = address.into();
        if self.literal.is_some_and(|literal| literal.to_canonical() != address.to_canonical()) {
            return Err(Refusal::new(RefusalReason::OtherAddress));
        }
        let port = self.dialled_port();
        if self.rules.denies_socket(address, port) {
            return Err(Refusal::new(RefusalReason::Port).of(port).denied(true));
        }
        let refusal = |reason| Refusal::new(reason).denied(self.rules.is_denied(address));
        self.rules.refused(address).map_or(Ok(()), |reason| Err(refusal(reason)))
    }

    /// Checks the peer of a connection that was made to this address: it must be this address,
    /// which the policy allows.
    ///
    /// A connection to the unspecified address, `0.0.0.0` or `::`, is one to this machine.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let target = Policy::public_web().check("https://www.example.com/")?;
    /// let address = Ipv4Addr::new(93, 184, 215, 14);
    /// assert!(target.connected(address, address.to_ipv6_mapped()).is_ok());
    /// assert!(target.connected(address, Ipv4Addr::new(93, 184, 215, 15)).is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The peer has another address, or the policy forbids it.
    pub fn connected(&self, address: impl Into<IpAddr>, peer: impl Into<IpAddr>) -> Result<(), Refusal> {
        let (address, peer) = (address.into().to_canonical(), peer.into().to_canonical());
        self.permit(address)?;
        if peer == address || address.is_unspecified() && peer.is_loopback() {
            return Ok(());
        }
        Err(Refusal::new(RefusalReason::OtherAddress))
    }

    /// Returns the server that answers at this address, against which its redirects are checked.
    ///
    /// The address is checked again, and [`Policy::follow`](super::Policy::follow) and others take
    /// the result.
    ///
    /// ```
    /// use locator_audit::Policy;
    /// use std::net::Ipv4Addr;
    ///
    /// let target = Policy::public_web().check("https://www.example.com/")?;
    /// assert!(target.peer(Ipv4Addr::new(93, 184, 215, 14)).is_ok());
    /// assert!(target.peer(Ipv4Addr::LOCALHOST).is_err());
    /// # Ok::<_, locator_audit::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The policy forbids the address, as [`permit`](Self::permit) says.
    pub fn peer(&self, address: impl Into<IpAddr>) -> Result<Peer<'_>, Refusal> {
        let address = address.into().to_canonical();
        self.permit(address)?;
        Ok(Peer { target: self, address: Some(address), reach: self.rules.reach_of(address) })
    }

    /// Returns the server that answers through a proxy, whose address is not known.
    ///
    /// What its answers lead to must be public, unless the URL itself says that it is internal.
    ///
    /// # Errors
    ///
    /// The policy does not say that [the proxy checks](super::Policy::proxy_checks) what it connects
    /// to.
    pub fn peer_by_proxy(&self) -> Result<Peer<'_>, Refusal> {
        if self.rules.proxy_checks {
            Ok(self.peer_by_own_proxy())
        } else {
            Err(Refusal::new(RefusalReason::Proxy))
        }
    }

    /// Returns the server that answers through a proxy that the program itself has configured.
    ///
    /// The program trusts that proxy with the choice of addresses
    /// ([`Policy::check_proxy`](super::Policy::check_proxy) says whether it may). Otherwise like
    /// [`peer_by_proxy`](Self::peer_by_proxy).
    #[must_use]
    pub fn peer_by_own_proxy(&self) -> Peer<'_> {
        let reach = match self.literal {
            Some(address) => self.rules.reach_of(address),
            None => name_reach(self.dialled_host()),
        };
        Peer { target: self, address: None, reach }
    }

    /// Returns the host to connect to: that of the alternative, if there is one.
    fn dialled_host(&self) -> &str {
        self.alternative.as_ref().map_or(self.host(), |alternative| &alternative.host)
    }

    /// Returns the port to connect to.
    fn dialled_port(&self) -> u16 {
        self.alternative.as_ref().map_or(self.port, |alternative| alternative.port)
    }
}

/// A server that answers for a [`Target`]; redirects and links in its answers are checked against
/// it.
///
/// Only [`Target::peer`], [`Target::peer_by_proxy`] and [`Target::peer_by_own_proxy`] make one.
///
/// ```
/// use locator_audit::Policy;
/// use std::net::Ipv4Addr;
///
/// let policy = Policy::public_web();
/// let target = policy.check("https://www.example.com/a/b")?;
/// let peer = target.peer(Ipv4Addr::new(93, 184, 215, 14))?;
/// assert_eq!(policy.follow(&peer, "../c")?.as_str(), "https://www.example.com/c");
/// assert!(policy.follow(&peer, "http://127.0.0.1/").is_err());
/// # Ok::<_, locator_audit::Refusal>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer<'t> {
    target: &'t Target,
    address: Option<IpAddr>,
    reach: Reach,
}

impl<'t> Peer<'t> {
    /// Returns the target that it answers for.
    #[must_use]
    pub const fn target(&self) -> &'t Target {
        self.target
    }

    /// Returns its address; `None` if a proxy is connected to it.
    #[must_use]
    pub const fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// Returns the reach of its address; its answers may not lead to a narrower one.
    #[must_use]
    pub const fn reach(&self) -> Reach {
        self.reach
    }
}

impl Display for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

impl AsRef<str> for Target {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

/// Parses the text, and resolves it against the base, if there is one. The result is a URI.
pub(super) fn read(text: &str, base: Option<Uri<'_>>) -> Result<UriBuf, Refusal> {
    let reference = match UriRef::parse_with(text, &RFC3986) {
        Ok(reference) => reference.to_owned(),
        Err(error) => uri_of_iri(text).ok_or_else(|| Refusal::new(RefusalReason::Invalid(error)))?,
    };
    let reference = reference.as_uri_ref();
    match (reference.as_uri(), base) {
        (Some(uri), _) => Ok(uri.to_owned()),
        (None, None) => Err(Refusal::new(RefusalReason::Relative)),
        (None, Some(base)) => {
            let joined = Base::new(base).and_then(|base| base.join(reference.as_str()));
            joined.map_err(|_| Refusal::new(RefusalReason::Relative))
        }
    }
}

/// Returns the URI of an IRI; `None` if it has none, or if programs convert its host differently.
pub(super) fn uri_of_iri(text: &str) -> Option<UriRefBuf> {
    let iri = UriRef::parse_with(text, &RFC3987).ok()?;
    if iri.host().is_none_or(|host| host.as_str().is_ascii()) {
        return iri.to_uri_form().ok().map(UriRefCow::into_owned);
    }
    let uri = iri.to_uri_with_idna().ok()?;
    // Programs map what is not in its final form by different tables (RFC 3490, UTS 46, RFC
    // 5891), and the first removes or replaces four characters that the others keep.
    let host = iri.host()?.as_str();
    let is_final = uri.host_to_unicode().is_some_and(|name| name == host);
    let deviates = host.contains(['ß', 'ς', '\u{200C}', '\u{200D}']);
    (is_final && !deviates).then(|| uri.into_owned())
}

/// Requires that every current program contacts the scheme, host and port of the target for the
/// text. `agree` says whether all contact the same, where they are not asked with another base.
pub(super) fn agreed(
    text: &str,
    base: Option<Uri<'_>>,
    target: Target,
    agree: bool,
) -> Result<Target, Refusal> {
    let is_alone = || match base {
        // The target is what RFC 3986 reads in the text, and so is the contact of the programs that agree.
        None if text.is_ascii() => agree,
        _ => contacts_alone(&target, text, base),
    };
    if is_read_alike(text, base.is_some()) && is_alone() {
        Ok(target)
    } else {
        Err(Refusal::new(RefusalReason::Readers))
    }
}

/// Returns whether all programs contact the target, and nothing else.
fn contacts_alone(target: &Target, text: &str, base: Option<Uri<'_>>) -> bool {
    let base = base.and_then(|base| readings(base.as_str()).own().contact().cloned());
    let readings = Readings::new(text, base.as_ref());
    readings.agree() && readings.own().contact().is_none_or(|own| is_of(target, own))
}

fn is_of(target: &Target, contact: &Contact) -> bool {
    let is_host = match (contact.host(), target.address()) {
        (ContactedHost::Name(name), None) => name == target.host(),
        (ContactedHost::Address(address), Some(own)) => *address == own.to_canonical(),
        _ => false,
    };
    is_host && contact.scheme() == target.scheme() && contact.port() == Some(target.port())
}

/// Where a client is to connect; [`OwnEndpoint`] owns what this borrows.
pub(super) struct Endpoint<'a> {
    pub(super) scheme: &'a str,
    pub(super) host: &'a str,
    pub(super) port: u16,
    /// The address, if the host is one.
    pub(super) literal: Option<IpAddr>,
}

/// Where a URL leads; owned, as an [`Endpoint`] is not.
pub(super) struct OwnEndpoint {
    pub(super) scheme: String,
    /// In lower case, and an address in its normal form.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) literal: Option<IpAddr>,
}

impl OwnEndpoint {
    pub(super) fn read(url: UriRef<'_>) -> Result<Self, Refusal> {
        let refusal = |reason| Refusal::new(reason);
        let scheme = url.scheme().ok_or(refusal(RefusalReason::Relative))?.as_str().to_ascii_lowercase();
        let authority = url.authority().ok_or(refusal(RefusalReason::NoHost))?;
        let host = authority.host();
        if host.as_str().is_empty() {
            return Err(refusal(RefusalReason::NoHost));
        }
        let written = authority.port().filter(|port| !port.as_str().is_empty());
        let port = match written {
            Some(port) => port.number(),
            None => default_port(&scheme),
        };
        let port = port.filter(|port| *port != 0).ok_or(refusal(RefusalReason::Port))?;
        let PlainHost { text: host, address: literal } =
            plain_host(host).ok_or(refusal(RefusalReason::HostForm))?;
        Ok(Self { scheme, host, port, literal })
    }

    pub(super) fn borrowed(&self) -> Endpoint<'_> {
        Endpoint { scheme: &self.scheme, host: &self.host, port: self.port, literal: self.literal }
    }

    /// Returns the reach of the host, as far as it is known without looking it up.
    pub(super) fn reach(&self) -> Reach {
        match self.literal {
            Some(address) => Reach::of(address.to_canonical()),
            None => name_reach(&self.host),
        }
    }

    pub(super) fn target(self, url: UriRef<'_>, rules: AddressRules) -> Target {
        let mut text = String::with_capacity(self.scheme.len() + self.host.len() + url.as_str().len());
        [&*self.scheme, "://", &*self.host].into_iter().for_each(|piece| text.push_str(piece));
        let host = self.scheme.len() + 3..text.len();
        if default_port(&self.scheme) != Some(self.port) {
            let _ = write!(text, ":{}", self.port);
        }
        let authority_end = text.len();
        let path = url.path().as_str();
        text.push_str(if path.is_empty() { "/" } else { path });
        if let Some(query) = url.query() {
            text.push('?');
            text.push_str(query.as_str());
        }
        let Self { scheme, port, literal, .. } = self;
        let scheme_end = scheme.len();
        Target { url: text, scheme_end, host, authority_end, port, alternative: None, literal, rules }
    }
}

/// Returns whether no program has a reason to read the text in its own way: it has no octet before
/// the end of the host that some program was seen to remove, replace or take for a delimiter. So
/// programs that were not run (see [`readers`](mod@crate::readers)) read it in the same way, too.
///
/// The text is valid by RFC 3986 or RFC 3987, so it has no control, no space and no backslash, and
/// the policy has refused hosts that are not plain. Left are a userinfo with escapes, which a proxy
/// gets decoded from some programs; with delimiters, such as ";", where others end it; and an "@"
/// after a query or fragment without a path, which an authority of RFC 1738 may contain.
fn is_read_alike(text: &str, has_base: bool) -> bool {
    // Octet by octet: the pieces are too short for the searchers of `str`.
    let octets = text.as_bytes();
    let Some(slashes) = octets.windows(2).position(|two| two == b"//") else { return has_base };
    let rest = &octets[slashes + 2..];
    let end = rest.iter().position(|octet| matches!(octet, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    let userinfo = authority.iter().rposition(|octet| *octet == b'@').map_or(&[][..], |at| &authority[..at]);
    let mut until_slash = rest.iter().take_while(|octet| **octet != b'/');
    !until_slash.any(|octet| *octet == b'@')
        && userinfo.iter().all(|octet| octet.is_ascii_alphanumeric() || b"-._~:".contains(octet))
}
