//! Asks the scheme of a candidate: whether the text after its colon shows a URL of that scheme, and
//! whether it needs a host.

use super::finder::Preset;
use super::name::NAME;
use super::place::Place;
use super::window::{Incomplete, NOTHING};
use super::{evident, matched};
use crate::scheme;

/// How many more "/" are allowed after the "/" that begins a path.
const MORE_SLASHES: usize = 2;

/// How many octets after the colon of an opaque scheme are checked first.
const EVIDENCE: usize = 256;

impl Place<'_, '_> {
    /// Whether the text after an opaque scheme's colon shows that it is a URL.
    pub(super) fn is_evident(&self, start: usize, colon: usize) -> Result<bool, Incomplete> {
        let name = &self.window.text[start..colon];
        if self.finder.allows(name) {
            return Ok(NAME.contains(self.window.octet(colon + 1)?) || self.window.octet(colon + 1)? > b' ');
        }
        let name = core::str::from_utf8(name).unwrap_or_default();
        if !self.is_known(name) {
            return Ok(false);
        }
        let rest = self.window.excerpt(colon + 1, EVIDENCE)?;
        let length = rest.iter().take_while(|octet| **octet > b' ' && !b"\"<>\\`".contains(octet)).count();
        Ok(evident::is_recognizable(name, &rest[..length]))
    }

    /// Whether the search includes opaque URLs of a scheme: with `Strict` only those of
    /// `spec/schemes.md`.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.finder.preset != Preset::Strict || scheme::lookup(name).is_some()
    }

    /// Whether a URL follows the rule of its scheme.
    pub(super) fn is_by_rule(&self, url: &str) -> bool {
        matched::read(url, self.finder.edition).is_ok_and(|reference| scheme::form_error(reference).is_none())
    }

    /// Whether the host may be empty: not if the scheme has a default port, since a connection
    /// needs a host.
    #[cold]
    pub(super) fn may_lack_host(&self, start: usize, colon: usize, slash: usize) -> Result<bool, Incomplete> {
        // "file:////host.example.com/path/to/file" (RFC 8089, E.3.2), which may have one "/" more
        let path = self.window.excerpt(slash + 1, MORE_SLASHES + 1)?;
        let first = path.iter().find(|octet| **octet != b'/').copied().unwrap_or(NOTHING);
        // "https:///nohost" is a typing error.
        let is_allowed = match self.needs_host(start, colon) {
            true => self.finder.preset != Preset::Strict && path.first() == Some(&first),
            false => true,
        };
        Ok(is_allowed && (first.is_ascii_alphanumeric() || b"%._~".contains(&first) || first >= 0x80))
    }

    /// Whether the URLs of a scheme have a host.
    fn needs_host(&self, start: usize, colon: usize) -> bool {
        let name = core::str::from_utf8(&self.window.text[start..colon]).unwrap_or_default();
        scheme::lookup(name).is_some_and(|scheme| scheme.default_port().is_some())
    }

    /// Whether a "/" is missing before a host: "http:/one.slash". It must look like one, for
    /// "http:/" is a part of paths, too.
    #[cold]
    pub(super) fn lacks_slash(&self, start: usize, colon: usize) -> Result<bool, Incomplete> {
        let is_slip = self.finder.preset != Preset::Strict && self.window.octet(colon + 1)? == b'/';
        if !is_slip || !self.needs_host(start, colon) {
            return Ok(false);
        }
        let host = self.window.excerpt(colon + 2, EVIDENCE)?;
        let length =
            host.iter().take_while(|octet| octet.is_ascii_alphanumeric() || b"-.".contains(octet)).count();
        let is_dot_inside =
            |three: &[u8]| three[1] == b'.' && three[0] != b'.' && three[2].is_ascii_alphanumeric();
        Ok(host.first().is_some_and(u8::is_ascii_alphanumeric)
            && host[..length].windows(3).any(is_dot_inside))
    }
}
