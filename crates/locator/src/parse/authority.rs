//! The authority judged: `[ userinfo "@" ] host [ ":" port ]`, or, where the edition has
//! it, a name of another registry.

use super::check::Case;
use super::host;
use crate::edition::{Literals, Registry};
use crate::error::{Error, ErrorKind};
use crate::octet::Class;
use crate::part::{HostKind, Part, Parts};

/// The parts with the kind of host, and the first error there is.
///
/// `Err` is never more than `Ok` with an error; it is there for `?`-less const code.
pub(super) const fn judge(case: &Case<'_>) -> Result<(Parts, Option<Error>), Error> {
    let mut parts = case.parts;
    // A server is judged as a whole, whatever has been told already.
    let whole = Case { octets: case.octets, edition: case.edition, parts, from: 0 };
    match server(&whole) {
        Ok(kind) => {
            parts.host_kind = kind;
            Ok((parts, None))
        }
        Err(_) if may_be_other(case) && !is_literal(case) => {
            parts.host_start = parts.authority_start();
            parts.host_end = parts.path_start;
            let (start, end) = (parts.host_start as usize, parts.host_end as usize);
            parts.host_kind = if start == end { HostKind::Empty } else { HostKind::Registry };
            let rule = case.edition.rules.authority;
            Ok((parts, case.octets_in(Class::Registry, Part::Authority, start, end, rule)))
        }
        Err(error) if error.span().start as usize >= case.from => Err(error),
        // Told already; look for what else is wrong in the octets.
        Err(_) => match server(case) {
            Err(error) => Err(error),
            Ok(_) => Ok((parts, None)),
        },
    }
}

/// Whether the authority may be something else than a server here.
const fn may_be_other(case: &Case<'_>) -> bool {
    match case.edition.registry {
        Registry::Never => false,
        Registry::AfterScheme => case.parts.scheme_end > case.parts.start as u32,
        Registry::Always => true,
    }
}

/// Whether the host begins with "[" and the edition knows what that means.
const fn is_literal(case: &Case<'_>) -> bool {
    let host = case.parts.host_start as usize;
    !matches!(case.edition.server.literals, Literals::None)
        && host < case.parts.path_start as usize
        && case.octets[host] == b'['
}

/// The kind of host of an authority that names a server.
const fn server(case: &Case<'_>) -> Result<HostKind, Error> {
    let (start, end) = (case.parts.authority_start() as usize, case.parts.path_start as usize);
    let form = &case.edition.server;
    if start == end && form.may_be_empty {
        return Ok(HostKind::Empty);
    }
    if let Some(error) = userinfo(case) {
        return Err(error);
    }
    let kind = match host::judge(case) {
        Ok(kind) => kind,
        Err(error) => return Err(error),
    };
    match port(case) {
        Some(error) => Err(error),
        None => Ok(kind),
    }
}

const fn userinfo(case: &Case<'_>) -> Option<Error> {
    let Some(span) = case.parts.span(Part::Userinfo) else { return None };
    let (start, end) = (span.start as usize, span.end as usize);
    let rule = case.edition.rules.userinfo;
    // "//" hostport: a partial form of url-1993 has no user.
    if may_not_have_user(case) {
        return case.error(ErrorKind::NotAllowed, Part::Userinfo, start, end + 1, case.edition.rules.host);
    }
    let colon = if case.edition.password { super::cut::find(case.octets, start, end, b":") } else { end };
    if let Some(error) = case.octets_in(Class::Userinfo, Part::Userinfo, start, colon, rule) {
        return Some(error);
    }
    if colon == start && !case.edition.server.user_may_be_empty {
        return case.error(ErrorKind::UserEmpty, Part::Userinfo, start, start, rule);
    }
    if colon == end {
        return None;
    }
    if colon + 1 == end && !case.edition.server.user_may_be_empty {
        return case.error(ErrorKind::PasswordEmpty, Part::Userinfo, end, end, rule);
    }
    case.octets_in(Class::Userinfo, Part::Userinfo, colon + 1, end, rule)
}

/// An edition whose generic rule lets an authority be anything after a scheme has no login without one.
const fn may_not_have_user(case: &Case<'_>) -> bool {
    matches!(case.edition.registry, Registry::AfterScheme) && case.parts.scheme_end == case.parts.start as u32
}

const fn port(case: &Case<'_>) -> Option<Error> {
    let Some(span) = case.parts.span(Part::Port) else { return None };
    let (start, end) = (span.start as usize, span.end as usize);
    let rule = case.edition.rules.port;
    if start == end && !case.edition.server.port_may_be_empty {
        return case.error(ErrorKind::PortEmpty, Part::Port, start, start, rule);
    }
    case.octets_in(Class::Digit, Part::Port, start, end, rule)
}
