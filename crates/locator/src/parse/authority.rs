//! Validates the authority: `[ userinfo "@" ] host [ ":" port ]`, or a registry name if the edition
//! allows one.
//!
//! The unescaped "@" in a user or a password. The user information ends at the first "@", so the
//! parser takes the text after it for a host and a port, and finds the error there:
//! `ftp://gisle@aas.no:secret@host/`. The functions of this file say what led to it.

#[cfg(feature = "schemes")]
use super::host::host;
use super::host::{self, find};
use super::validator::{Fault, Validated, Validator, octet_at};
use crate::edition::{Edition, RegName};
use crate::error::{ParseError, ParseErrorKind};
use crate::simd::Class;
use crate::span::{Component, ComponentSpans, HostKind};

/// Returns the spans with the kind of host, and the first error that has not been reported.
pub(super) const fn validate(case: &Validator<'_>) -> Validated {
    let parts = case.parts;
    if case.from.is_after(parts.path_start as usize) {
        return Validated { parts, fault: None };
    }
    // After an error in the authority has been reported, its interpretation is settled.
    let settled = case.from.is_after(parts.authority_start() as usize);
    if settled && matches!(parts.host_kind, HostKind::Registry) {
        return Validated { parts, fault: other(case) };
    }
    match server(case) {
        Ok(host_kind) => Validated { parts: ComponentSpans { host_kind, ..parts }, fault: None },
        Err(_) if !settled && may_be_other(case) && !is_literal(case) => as_other(case),
        Err(fault) => Validated { parts, fault: Some(fault) },
    }
}

/// Validates the authority as a registry name, with the whole authority as the host.
const fn as_other(case: &Validator<'_>) -> Validated {
    let start = case.parts.authority_start();
    let end = case.parts.path_start;
    let host_kind = if start == end { HostKind::Empty } else { HostKind::Registry };
    let parts = ComponentSpans { host_start: start, host_end: end, host_kind, ..case.parts };
    let case = Validator { parts, ..*case };
    Validated { parts, fault: other(&case) }
}

const fn other(case: &Validator<'_>) -> Option<Fault> {
    let (start, end) = (case.parts.host_start as usize, case.parts.host_end as usize);
    case.octets_in(Class::REGISTRY, Component::Authority, start, end, case.edition.rules.authority)
}

/// Returns whether the authority may be a registry name here.
const fn may_be_other(case: &Validator<'_>) -> bool {
    case.edition.registry.allows_reg_name(case.parts.scheme_end > case.parts.start as u32)
}

/// Returns whether the host begins with "[" and the edition allows addresses in brackets.
const fn is_literal(case: &Validator<'_>) -> bool {
    let host = case.parts.host_start as usize;
    case.edition.server.literals.is_some()
        && host < case.parts.path_start as usize
        && octet_at(case.octets, host) == b'['
}

/// Returns the kind of host of an authority that names a server.
pub(super) const fn server(case: &Validator<'_>) -> Result<HostKind, Fault> {
    let (start, end) = (case.parts.authority_start() as usize, case.parts.path_start as usize);
    let form = &case.edition.server;
    if start == end && form.may_be_empty {
        return Ok(HostKind::Empty);
    }
    if let Some(fault) = userinfo(case) {
        return Err(fault);
    }
    let kind = match host::validate(case) {
        Ok(kind) => kind,
        Err(fault) => return Err(fault),
    };
    match port(case) {
        Some(fault) => Err(fault),
        None => Ok(kind),
    }
}

/// Validates the text before the first "@". In an edition that has passwords the first ":" divides
/// it; in the others ":" is an ordinary character of it, and the view of the user information
/// divides it.
#[inline(never)]
const fn userinfo(case: &Validator<'_>) -> Option<Fault> {
    let Some(span) = case.parts.get(Component::Userinfo) else { return None };
    let (start, end) = (span.start as usize, span.end as usize);
    let rule = case.edition.rules.userinfo;
    if case.from.octet > end {
        return None;
    }
    // "//" hostport: a partial form of url-1993 has no user.
    if may_not_have_user(case) {
        return case.error(
            ParseErrorKind::NotAllowed,
            Component::Userinfo,
            start,
            end + 1,
            case.edition.rules.host,
        );
    }
    if !case.from.is_in_password {
        match case.octets_in(Class::USERINFO, Component::Userinfo, start, end, rule) {
            None => return user_empty(case, start, end),
            Some(fault) if case.edition.password && octet_at(case.octets, fault.start as usize) == b':' => {
                let colon = fault.start as usize;
                if let Some(fault) = user_empty(case, start, colon) {
                    return Some(fault);
                }
                return of_password(case, colon + 1, end);
            }
            Some(fault) => return Some(named(case, fault)),
        }
    }
    of_password(case, case.from.octet, end)
}

#[inline(never)]
const fn user_empty(case: &Validator<'_>, start: usize, end: usize) -> Option<Fault> {
    if start < end || case.edition.server.user_may_be_empty {
        return None;
    }
    case.error(ParseErrorKind::UserEmpty, Component::Userinfo, start, start, case.edition.rules.userinfo)
}

/// Returns the first error in the password, or in what is left of it.
#[inline(never)]
const fn of_password(case: &Validator<'_>, start: usize, end: usize) -> Option<Fault> {
    let rule = case.edition.rules.password;
    let is_empty = start == end && !case.from.is_in_password;
    let fault = if is_empty && !case.edition.server.user_may_be_empty {
        case.error(ParseErrorKind::PasswordEmpty, Component::Userinfo, end, end, rule)
    } else {
        case.octets_in(Class::USERINFO, Component::Userinfo, start, end, rule)
    };
    match fault {
        Some(fault) => Some(named(case, Fault { is_of_password: true, ..fault })),
        None => None,
    }
}

/// Returns the error with the kind of a delimiter, if one was found in the user or the password:
/// "any ":", "@", or "/" must be encoded" (RFC 1738, 3.1).
const fn named(case: &Validator<'_>, fault: Fault) -> Fault {
    let is_delimiter = matches!(fault.kind, ParseErrorKind::InvalidByte)
        && matches!(octet_at(case.octets, fault.start as usize), b':' | b'@');
    if is_delimiter { Fault { kind: ParseErrorKind::LoginDelimiter, ..fault } } else { fault }
}

/// Returns whether a login is not allowed: in an edition whose generic rule allows any authority
/// after a scheme, a reference without a scheme has no login.
const fn may_not_have_user(case: &Validator<'_>) -> bool {
    matches!(case.edition.registry, RegName::AfterScheme) && case.parts.scheme_end == case.parts.start as u32
}

/// Validates the port: digits, as many as there are. That it is at most 65535 is in no grammar;
/// `Port::number` decides it.
const fn port(case: &Validator<'_>) -> Option<Fault> {
    let Some(span) = case.parts.get(Component::Port) else { return None };
    let (start, end) = (span.start as usize, span.end as usize);
    let rule = case.edition.rules.port;
    if start == end && !case.edition.server.port_may_be_empty {
        return case.error(ParseErrorKind::PortEmpty, Component::Port, start, start, rule);
    }
    case.octets_in(Class::DIGIT, Component::Port, start, end, rule)
}

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
