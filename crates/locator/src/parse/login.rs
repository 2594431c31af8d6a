//! The unescaped "@" in a user or a password. The user information ends at the first "@", so the
//! parser takes the text after it for a host and a port, and finds the error there:
//! `ftp://gisle@aas.no:secret@host/`. The functions of this file say what led to it.

use super::cut::{authority_end, find, host};
use super::fault::Fault;
use crate::edition::Edition;
use crate::error::{ParseError, ParseErrorKind};
use crate::span::{Component, ComponentSpans};

/// Returns the error of an unescaped "@" if that led to this fault, otherwise the error of the fault.
#[inline(never)]
pub(super) const fn explained(fault: Fault, octets: &[u8], edition: &'static Edition) -> ParseError {
    if is_after_login(fault.component)
        && let Some(at) = unescaped_at(octets, edition, fault.start as usize)
    {
        return of_at(octets, edition, at);
    }
    fault.error(octets, edition)
}

/// Returns the error of the unescaped "@" at this offset, which is in the password if a ":" is before
/// it and the edition divides the password from the user.
pub(super) const fn of_at(octets: &[u8], edition: &'static Edition, at: usize) -> ParseError {
    let (mut start, mut has_colon) = (at, false);
    while edition.password && start > 0 && octets[start - 1] != b'/' {
        start -= 1;
        has_colon |= octets[start] == b':';
    }
    let rule = if has_colon { edition.rules.password } else { edition.rules.userinfo };
    Fault {
        kind: ParseErrorKind::LoginDelimiter,
        component: Component::Userinfo,
        is_of_password: has_colon,
        start: at as u32,
        end: at as u32 + 1,
        rule,
    }
    .error(octets, edition)
}

const fn is_after_login(component: Component) -> bool {
    matches!(component, Component::Host | Component::Port)
}

/// Returns the first "@" of the authority if another one is at or after the error.
const fn unescaped_at(octets: &[u8], edition: &Edition, error: usize) -> Option<usize> {
    let (mut start, mut first) = (error, None);
    while start > 0 && octets[start - 1] != b'/' {
        start -= 1;
        if octets[start] == b'@' {
            first = Some(start);
        }
    }
    let Some(first) = first else { return None };
    let end = authority_end(octets, start, octets.len(), edition);
    if find(octets, error, end, b'@') < end { Some(first) } else { None }
}

/// The first and the last "@" of an authority that has several.
#[derive(Clone, Copy)]
pub(super) struct Ats {
    pub(super) first: usize,
    last: usize,
}

impl Ats {
    /// Returns those of a text.
    pub(super) fn of(octets: &[u8], parts: ComponentSpans) -> Option<Self> {
        let first = parts.get(Component::Userinfo)?.end as usize;
        let rest = octets.get(first + 1..parts.path_start as usize)?;
        let last = first + 1 + rest.iter().rposition(|&octet| octet == b'@')?;
        Some(Self { first, last })
    }

    /// Returns whether the first one led to this error.
    pub(super) const fn explain(self, fault: Fault) -> bool {
        let at = fault.start as usize;
        is_after_login(fault.component) && self.first < at && at <= self.last
    }

    /// Returns the spans with everything before the last "@" as the user information.
    pub(super) const fn divide(self, octets: &[u8], parts: ComponentSpans) -> ComponentSpans {
        let (_, end) = host(octets, self.last, parts.path_start as usize);
        ComponentSpans { host_start: self.last as u32 + 1, host_end: end as u32, ..parts }
    }
}
