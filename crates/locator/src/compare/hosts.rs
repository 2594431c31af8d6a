//! Compares two hosts that differ in normal form. Takes two references in normal form and returns
//! the rung on which the hosts are equal. They are compared as domain names (RFC 3987, section
//! 5.3.3) and as IPv4 addresses (RFC 3986, section 7.4), if the caller asks for it.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::net::Ipv4Addr;

use super::ladder::Ladder;
use super::rung::Rung;
use crate::compose::Components;
use crate::domain::host_form;
use crate::reference::UriRef;
use crate::span::{Component, HostKind};

impl Ladder<'_> {
    /// Returns the rung on which two normalized references are equivalent that differ only in their
    /// hosts.
    pub(super) fn meet_by_host(&self, one: UriRef<'_>, other: UriRef<'_>) -> Option<Rung> {
        let without_host = |reference| Components { authority: None, ..self.compared(reference) };
        let parts = [Component::Userinfo, Component::Port];
        let same_rest = || {
            parts.into_iter().all(|part| one.component(part) == other.component(part))
                && without_host(one) == without_host(other)
        };
        self.rung_of_hosts(one, other).filter(|_| same_rest())
    }

    /// Returns the rung on which their hosts are equal.
    pub(super) fn rung_of_hosts(&self, one: UriRef<'_>, other: UriRef<'_>) -> Option<Rung> {
        let same_name =
            || self.domain_name(one)?.eq_ignore_ascii_case(&self.domain_name(other)?).then_some(());
        let same_address = || (self.address(one)? == self.address(other)?).then_some(());
        let by_name = self.domain_names.then(same_name).flatten().map(|()| Rung::Idn);
        by_name.or_else(|| same_address().map(|()| Rung::Number))
    }

    /// Returns the authority of a normalized reference with its host in the form that is compared,
    /// if that differs.
    pub(super) fn host_key(&self, normal: UriRef<'_>) -> Option<String> {
        let host = match self.address(normal) {
            Some(address) => Cow::Owned(address.to_string()),
            None if self.domain_names => self.domain_name(normal)?,
            None => return None,
        };
        let (authority, parts) = (normal.component(Component::Authority)?, normal.spans());
        let span = parts.get(Component::Host)?;
        let before = (span.start - parts.authority_start()) as usize;
        let after = (span.end - parts.authority_start()) as usize;
        Some([&authority[..before], &host.to_ascii_lowercase(), &authority[after..]].concat())
    }

    /// Returns the host as a domain name in ASCII, if hosts are domain names; otherwise its text.
    fn domain_name<'t>(&self, reference: UriRef<'t>) -> Option<Cow<'t, str>> {
        let host = reference.authority()?.host();
        if !matches!(host.kind(), HostKind::Name | HostKind::Ipv4) {
            return None;
        }
        let octets = host.as_pct_str().decode();
        if !self.domain_names || octets.is_ascii() {
            return Some(Cow::Borrowed(host.as_str()));
        }
        host_form(&octets).map(Cow::Owned)
    }

    fn address(&self, reference: UriRef<'_>) -> Option<Ipv4Addr> {
        self.addresses?.read(&self.domain_name(reference)?)
    }
}
