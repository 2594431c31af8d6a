//! The unescaped "@" in a user or a password. The user information ends at the first "@", so the
//! parser takes the text after it for a host and a port, and finds the error there:
//! `ftp://gisle@aas.no:secret@host/`. The functions of this file say what led to it.

use super::cut::find;
#[cfg(feature = "schemes")]
use super::cut::host;
use super::fault::Fault;
use crate::edition::Edition;
use crate::error::{ParseError, ParseErrorKind};
use crate::span::{Component, ComponentSpans};

/// Returns the error of an unescaped "@" if that led to this fault, otherwise the error of the fault.
#[inline(never)]
pub(super) const fn explained(
    fault: Fault,
    octets: &[u8],
    edition: &'static Edition,
    parts: ComponentSpans,
) -> ParseError {
    match Ats::of(octets, parts) {
        Some(ats) if ats.explain(fault) => ats.error(octets, edition),
        _ => fault.error(octets, edition),
    }
}

/// The first and the last "@" of an authority that has several.
#[derive(Clone, Copy)]
pub(super) struct Ats {
    /// Where the authority begins.
    start: usize,
    first: usize,
    last: usize,
}

impl Ats {
    /// Returns those of a text.
    pub(super) const fn of(octets: &[u8], parts: ComponentSpans) -> Option<Self> {
        let Some(userinfo) = parts.get(Component::Userinfo) else { return None };
        let (start, first, end) = (userinfo.start as usize, userinfo.end as usize, parts.path_start as usize);
        let (mut last, mut next) = (first, first);
        while next < end {
            last = next;
            next = find(octets, next + 1, end, b'@');
        }
        if first < last { Some(Self { start, first, last }) } else { None }
    }

    /// Returns the error of the first one, which is in the password if a ":" is before it and the
    /// edition divides the password from the user.
    pub(super) const fn error(self, octets: &[u8], edition: &'static Edition) -> ParseError {
        let is_of_password = edition.password && find(octets, self.start, self.first, b':') < self.first;
        Fault {
            kind: ParseErrorKind::LoginDelimiter,
            component: Component::Userinfo,
            is_of_password,
            start: self.first as u32,
            end: self.first as u32 + 1,
            rule: if is_of_password { edition.rules.password } else { edition.rules.userinfo },
        }
        .error(octets, edition)
    }

    /// Returns whether the first one led to this error.
    pub(super) const fn explain(self, fault: Fault) -> bool {
        let at = fault.start as usize;
        let is_after_login = matches!(fault.component, Component::Host | Component::Port);
        is_after_login && self.first < at && at <= self.last
    }

    /// Returns the spans with everything before the last "@" as the user information.
    #[cfg(feature = "schemes")]
    pub(super) const fn divide(self, octets: &[u8], parts: ComponentSpans) -> ComponentSpans {
        let (_, end) = host(octets, self.last, parts.path_start as usize);
        ComponentSpans { host_start: self.last as u32 + 1, host_end: end as u32, ..parts }
    }
}
