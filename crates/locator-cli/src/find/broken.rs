//! A link in, what is wrong with it out: by the edition, by the edition's rule for its scheme, and by what URLs of its
//! scheme must have, which RFC 3986 alone does not ask.

use locator::text::How;
use locator::{Edition, UriRef};
use locator_find::{Context, Link};

use crate::failure::{Failure, Of, Place};
use crate::{lint, reading};

/// What is wrong with a link, if anything is.
pub(super) fn why(link: &Link<'_>, edition: &'static Edition) -> Option<Failure> {
    if link.context() == Context::Text(How::Template) {
        return None;
    }
    match reading::read(link.url().as_bytes(), edition) {
        Err(error) => Some(Failure::NotValid(error)),
        Ok(reading) => of_scheme(reading.reference),
    }
}

/// What is wrong by the scheme's rule. That nobody has registered the scheme is not wrong, however near it is to another.
fn of_scheme(reference: UriRef<'_>) -> Option<Failure> {
    let warnings = lint::warnings(reference, true);
    let is_broken = |warning: &lint::Warning| ![lint::NEAR_SCHEME, lint::PASSWORD].contains(&warning.kind);
    let warning = warnings.into_iter().find(is_broken)?;
    let place = Place { of: Of::Input, part: Some(warning.part), span: warning.span };
    Some(Failure::Other {
        kind: warning.kind,
        message: warning.message,
        see: warning.see,
        place: Some(place),
    })
}
