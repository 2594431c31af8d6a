//! Every error of a text: takes a text, returns its errors from left to right. After the first one
//! the reference implementation goes on after it.

use super::authority::{self, Ats};
use super::validator::{Fault, Reported, Validator};
use super::{check, host};
use crate::edition::Edition;
use crate::error::ParseError;
use crate::span::ComponentSpans;

/// Returns all errors of a text, from left to right; a valid text has no errors.
pub(crate) fn errors<'a>(text: &'a str, edition: &'static Edition) -> impl Iterator<Item = ParseError> + 'a {
    let octets = text.as_bytes();
    let too_long = check::length_error(octets, edition);
    let parts = if too_long.is_some() { None } else { Some(host::cut(octets, edition)) };
    let find = move |parts, from| {
        let (parts, fault) = check::first_error(octets, edition, parts, from);
        Some((parts, fault?))
    };
    too_long.into_iter().chain(parts.into_iter().flat_map(move |parts| each(octets, edition, parts, find)))
}

/// Returns error after error. `find` returns the first fault that has not been reported, and the
/// spans to continue with. If an unescaped "@" led to a fault, that is reported instead, and the last
/// "@" ends the user.
fn each<'a>(
    octets: &'a [u8],
    edition: &'static Edition,
    parts: ComponentSpans,
    find: impl Fn(ComponentSpans, Reported) -> Option<(ComponentSpans, Fault)> + 'a,
) -> impl Iterator<Item = ParseError> + 'a {
    let mut ats = Ats::of(octets, parts);
    let mut next = Some((parts, Reported::NOTHING));
    core::iter::from_fn(move || {
        let (parts, from) = next.take()?;
        let (read, fault) = find(parts, from)?;
        if let Some(ats) = ats.take_if(|ats| ats.explain(fault)) {
            let error = ats.error(octets, edition);
            next = Some((ats.divide(octets, parts), Reported::after_byte(&error)));
            return Some(error);
        }
        next = Some((read, Reported::with(fault)));
        Some(fault.error(octets, edition))
    })
}

/// Returns the errors of an authority that must be a server, for a scheme that requires one, from
/// left to right. A host has one at most.
pub(crate) fn server_errors<'a>(
    text: &'a str,
    edition: &'static Edition,
    parts: ComponentSpans,
) -> impl Iterator<Item = ParseError> + use<'a> {
    let octets = text.as_bytes();
    // The host of a registry name is the whole authority.
    let (host_start, host_end) =
        host::host(octets, parts.authority_start() as usize, parts.path_start as usize);
    let parts = ComponentSpans { host_start: host_start as u32, host_end: host_end as u32, ..parts };
    each(octets, edition, parts, move |parts, from| {
        let fault = authority::server(&Validator { octets, edition, parts, from }).err()?;
        Some((parts, fault))
    })
}
