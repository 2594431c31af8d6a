//! The parser: takes the octets of a text and returns [`ComponentSpans`] or the first error.
//!
//! There is one grammar and three implementations; `run` defines their order, and is called by
//! `UriRef::parse` and by `bulk`.
//!
//! The reference implementation reads octet by octet: `cut` splits the text by appendix B without
//! checks, and `check` validates each component with `authority` and `host`; `validator` has what
//! these share. It is const, so that the compiler checks literals, and it finds every error.
//!
//! The fast path, `fast`, reads the form of nearly every URL from bitmaps. It is compiled for each
//! backend, so it must stay small. Other texts go to `rare`, which reads bitmaps in memory and is
//! compiled once; it returns the first error if bitmaps show it. `reader` contains the code that
//! both use. `rows` and `names` are the fast path for eight rows at once. The reference
//! implementation must agree with every result and error of the others; tests and fuzzing check
//! this.
//!
//! `fault` has what all of them return for an invalid text; `login` finds the unescaped "@" that led
//! to an error.

mod authority;
mod check;
mod cut;
mod fast;
mod fault;
pub(crate) mod host;
mod login;
#[cfg(feature = "bulk")]
mod names;
mod rare;
mod reader;
#[cfg(feature = "bulk")]
mod rows;
mod run;
#[cfg(all(test, not(miri)))]
mod tests;
mod validator;

pub(crate) use cut::authority_end;
pub(crate) use fault::InvalidByte;
#[cfg(feature = "bulk")]
pub(crate) use rows::{Places, ROWS, Rows};
pub(crate) use run::{read_more, read_value};

use crate::edition::Edition;
use crate::error::ParseError;
use crate::span::{ComponentSpans, HostKind};
use fault::Fault;
use login::Ats;
use validator::{Reported, Validator};

/// Like `read`, but `const`, octet by octet, for literals.
pub(crate) const fn read_const(text: &str, edition: &'static Edition) -> Result<ComponentSpans, ParseError> {
    check::read(text.as_bytes(), edition)
}

/// Returns the first error of the octets, which need not be UTF-8.
pub(crate) fn first_error(octets: &[u8], edition: &'static Edition) -> Option<ParseError> {
    check::read(octets, edition).err()
}

/// Divides a text into components by appendix B, whether it is valid or not.
#[cfg(feature = "schemes")]
pub fn divide(octets: &[u8], edition: &'static Edition) -> ComponentSpans {
    cut::cut(octets, edition)
}

/// Returns all errors of a text, from left to right; a valid text has no errors.
pub(crate) fn errors<'a>(text: &'a str, edition: &'static Edition) -> impl Iterator<Item = ParseError> + 'a {
    let octets = text.as_bytes();
    let too_long = check::length_error(octets, edition);
    let parts = if too_long.is_some() { None } else { Some(cut::cut(octets, edition)) };
    let find = move |parts, from| {
        let (parts, fault) = check::first_error(octets, edition, parts, from);
        Some((parts, fault?))
    };
    too_long.into_iter().chain(parts.into_iter().flat_map(move |parts| each(octets, edition, parts, find)))
}

/// Returns error after error. `find` returns the first fault that has not been reported, and the
/// spans to go on with. If an unescaped "@" led to a fault, that is reported instead, and the last
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
        cut::host(octets, parts.authority_start() as usize, parts.path_start as usize);
    let parts = ComponentSpans { host_start: host_start as u32, host_end: host_end as u32, ..parts };
    each(octets, edition, parts, move |parts, from| {
        let fault = authority::server(&Validator { octets, edition, parts, from }).err()?;
        Some((parts, fault))
    })
}

/// Returns the kind of the host from `start` to `end`, for hosts outside the authority.
pub(crate) fn read_host(
    text: &str,
    edition: &'static Edition,
    parts: ComponentSpans,
    (start, end): (usize, usize),
) -> Result<HostKind, ParseError> {
    let parts = ComponentSpans { host_start: start as u32, host_end: end as u32, ..parts };
    let octets = text.as_bytes();
    host::validate(&Validator { octets, edition, parts, from: Reported::NOTHING })
        .map_err(|fault| fault.error(octets, edition))
}
