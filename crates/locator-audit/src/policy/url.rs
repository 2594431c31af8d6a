//! What a text contacts: takes a text and a base, returns scheme, host and port, if every program
//! reads the same.

use alloc::string::String;
use core::fmt::Write;
use core::net::IpAddr;

use super::host::{name_reach, plain_host};
use super::refusal::{Refusal, RefusalReason};
use super::rules::AddressRules;
use super::target::Target;
use crate::address::Reach;
use crate::readers::{Contact, Host as ContactedHost, Readings, readings};
use locator::edition::{RFC3986, RFC3987};
use locator::scheme::default_port;
use locator::{Base, Uri, UriBuf, UriRef, UriRefBuf, UriRefCow};

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

/// Where a URL leads.
pub(super) struct Parts {
    pub(super) scheme: String,
    /// In lower case, and an address in its normal form.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) literal: Option<IpAddr>,
}

impl Parts {
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
        let (host, literal) = plain_host(host).ok_or(refusal(RefusalReason::HostForm))?;
        Ok(Self { scheme, host, port, literal })
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
