//! Octets and an edition in, a reference that is valid on both levels or an error out.

use locator::{Edition, Error, UriRef, scheme};

use crate::exit::Status;

/// A reference that is valid by its edition, and by the edition's rule for its scheme.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    /// The reference.
    pub(crate) reference: UriRef<'a>,
    /// Whether the edition has a rule for its scheme.
    pub(crate) has_scheme_rule: bool,
}

/// Reads octets by an edition: its grammar for any reference, then its rule for the scheme.
pub(crate) fn read<'a>(octets: &'a [u8], edition: &'static Edition) -> Result<Reading<'a>, Error> {
    let reference = UriRef::from_octets(octets, edition)?;
    match scheme::check(reference) {
        Some(Err(error)) => Err(error),
        by_scheme => Ok(Reading { reference, has_scheme_rule: by_scheme.is_some() }),
    }
}

/// What browsers read in place of octets that are not valid, if that is.
pub(crate) fn repaired(octets: &[u8], edition: &'static Edition) -> Option<String> {
    locator_find::repaired(std::str::from_utf8(octets).ok()?, edition)
}

/// Every error of the octets by the edition of the first one.
pub(crate) fn errors(octets: &[u8], first: Error) -> impl Iterator<Item = Error> {
    let edition = first.edition();
    let text = std::str::from_utf8(octets).ok();
    let of_text = text.into_iter().flat_map(move |text| scheme::errors(text, edition));
    // What is no text has that one error.
    text.is_none().then_some(first).into_iter().chain(of_text)
}

/// Whether the octets are valid by all of the editions.
pub(crate) fn judge(octets: &[u8], editions: &[&'static Edition]) -> Status {
    Status::of(editions.iter().all(|edition| read(octets, edition).is_ok()))
}
