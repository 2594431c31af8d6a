//! Hides the passwords of userinfo: takes a text, valid or not, and returns the ranges of what may be
//! passwords.
//!
//! The search does not rely on the parser, because an invalid text has no reliable components: in
//! `ftp://gisle@aas.no:secret@host/` the grammar takes the password for a port. The search therefore
//! hides all text between the first ":" after "//" and the last "@" before the next "/". See RFC 3986,
//! 7.5: "Applications should not render as clear text any data after the first colon (":") character
//! found within a userinfo subcomponent".

use alloc::vec::Vec;
use core::ops::Range;

/// The search for passwords.
pub(crate) struct Scan<'a> {
    pub(crate) octets: &'a [u8],
    /// Whether the text is a valid reference with a known authority, so that fewer ranges are
    /// suspect.
    pub(crate) trusts: bool,
}

impl Scan<'_> {
    /// Returns the ranges of possible passwords from an offset on.
    pub(crate) fn passwords(&self, from: usize) -> Vec<Range<usize>> {
        let (mut found, mut from, mut is_first) = (Vec::new(), from, !self.trusts);
        while let Some(start) = self.authority(from) {
            let end = self.position(start, |octet| octet == b'/').unwrap_or(self.octets.len());
            let password = self.password(start, end);
            let password = password.or_else(|| if is_first { self.with_slash(start, end) } else { None });
            from = password.as_ref().map_or(end, |password| password.end.max(end));
            is_first = false;
            found.extend(password.filter(|password| !password.is_empty()));
        }
        found
    }

    /// Returns the start of the next possible authority: after "//", or after ":/" if the second
    /// "/" is missing. Browsers ignore tabs and line ends between them.
    fn authority(&self, mut from: usize) -> Option<usize> {
        // The ":" at the end of a known authority is that of an empty port.
        let floor = if self.trusts { from } else { 0 };
        loop {
            let start = self.position(from, is_slash)?;
            let is_end = |octet| !is_slash(octet) && !is_ignored(octet);
            let end = self.position(start, is_end).unwrap_or(self.octets.len());
            let slashes = self.octets[start..end].iter().filter(|octet| is_slash(**octet)).count();
            let before = self.octets[floor..start].iter().rfind(|octet| !is_ignored(**octet));
            if slashes > 1 || before == Some(&b':') {
                return Some(end);
            }
            from = end;
        }
    }

    /// Returns the range between the first ":" and the last "@".
    fn password(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let colon = start + self.octets[start..end].iter().position(|&octet| octet == b':')?;
        let at = colon + self.octets[colon..end].iter().rposition(|&octet| octet == b'@')?;
        Some(colon + 1..at)
    }

    /// Returns a password that contains a "/": if the text after ":" is not a port, the password
    /// ends at the last "@".
    fn with_slash(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let authority = &self.octets[start..end];
        let is_suspect = !authority.contains(&b'@') && !authority.starts_with(b"[");
        let colon = start + authority.iter().position(|&octet| octet == b':').filter(|_| is_suspect)?;
        self.octets[colon + 1..end].first().filter(|octet| !octet.is_ascii_digit())?;
        let space = self.position(colon, |octet| octet.is_ascii_whitespace());
        let rest = &self.octets[colon..space.unwrap_or(self.octets.len())];
        Some(colon + 1..colon + rest.iter().rposition(|&octet| octet == b'@')?)
    }

    fn position(&self, from: usize, is_it: impl Fn(u8) -> bool) -> Option<usize> {
        self.octets[from..].iter().position(|&octet| is_it(octet)).map(|index| from + index)
    }
}

/// Returns whether the octet is a tab or of a line end, which browsers remove from a URL.
fn is_ignored(octet: u8) -> bool {
    matches!(octet, b'\t' | b'\r' | b'\n')
}

/// Returns whether the octet is "/" or "\", which browsers treat as "/".
fn is_slash(octet: u8) -> bool {
    matches!(octet, b'/' | b'\\')
}
