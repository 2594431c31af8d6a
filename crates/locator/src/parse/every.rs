//! Every error of a text: takes a text, returns its errors from left to right. After the first one
//! the reference implementation goes on after it.

use core::fmt::{self, Debug, Formatter};
use core::iter::{Chain, Flatten};
use core::option;

use super::authority::{self, Ats};
use super::validator::{Fault, Reported, Validated, Validator};
use super::{check, host};
use crate::edition::Edition;
use crate::error::ParseError;
use crate::span::ComponentSpans;

/// Returns all errors of a text, from left to right; a valid text has no errors.
pub(crate) fn errors<'a>(text: &'a str, edition: &'static Edition) -> GenericErrors<'a> {
    let octets = text.as_bytes();
    let too_long = check::length_error(octets, edition);
    let parts = if too_long.is_some() { None } else { Some(host::cut(octets, edition)) };
    let each = parts.map(|parts| {
        EachError::new(octets, edition, parts, |FaultSearch { octets, edition, parts, from }| {
            let Validated { parts, fault } = check::first_error(octets, edition, parts, from);
            Some((parts, fault?))
        })
    });
    too_long.into_iter().chain(each.into_iter().flatten())
}

/// The errors of a text: its length alone, or each of the others.
pub(crate) type GenericErrors<'a> =
    Chain<option::IntoIter<ParseError>, Flatten<option::IntoIter<EachError<'a>>>>;

/// Error after error. If an unescaped "@" led to a fault, that is reported instead, and the last "@"
/// ends the user.
#[derive(Clone)]
pub(crate) struct EachError<'a> {
    octets: &'a [u8],
    edition: &'static Edition,
    ats: Option<Ats>,
    /// The spans to continue with, and what has been reported; `None` after the last error.
    next: Option<(ComponentSpans, Reported)>,
    find: Find,
}

/// Returns the first fault that has not been reported, and the spans to continue with.
type Find = fn(FaultSearch<'_>) -> Option<(ComponentSpans, Fault)>;

/// Where the next fault is looked for.
struct FaultSearch<'a> {
    octets: &'a [u8],
    edition: &'static Edition,
    parts: ComponentSpans,
    from: Reported,
}

impl<'a> EachError<'a> {
    fn new(octets: &'a [u8], edition: &'static Edition, parts: ComponentSpans, find: Find) -> Self {
        let (ats, next) = (Ats::of(octets, parts), Some((parts, Reported::NOTHING)));
        Self { octets, edition, ats, next, find }
    }
}

impl Iterator for EachError<'_> {
    type Item = ParseError;

    fn next(&mut self) -> Option<ParseError> {
        let Self { octets, edition, .. } = *self;
        let (parts, from) = self.next.take()?;
        let (read, fault) = (self.find)(FaultSearch { octets, edition, parts, from })?;
        if let Some(ats) = self.ats.take_if(|ats| ats.explain(fault)) {
            let error = ats.error(octets, edition);
            self.next = Some((ats.divide(octets, parts), Reported::after_byte(&error)));
            return Some(error);
        }
        self.next = Some((read, Reported::with(fault)));
        Some(fault.error(octets, edition))
    }
}

impl Debug for EachError<'_> {
    // Without the text, which may have a password.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("EachError").finish_non_exhaustive()
    }
}

/// Returns the errors of an authority that must be a server, for a scheme that requires one, from
/// left to right. A host has one at most.
pub(crate) fn server_errors<'a>(
    text: &'a str,
    edition: &'static Edition,
    parts: ComponentSpans,
) -> EachError<'a> {
    let octets = text.as_bytes();
    // The host of a registry name is the whole authority.
    let (host_start, host_end) =
        host::host(octets, parts.authority_start() as usize, parts.path_start as usize);
    let parts = ComponentSpans { host_start: host_start as u32, host_end: host_end as u32, ..parts };
    EachError::new(octets, edition, parts, |FaultSearch { octets, edition, parts, from }| {
        let fault = authority::server(&Validator { octets, edition, parts, from }).err()?;
        Some((parts, fault))
    })
}
