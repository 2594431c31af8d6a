//! The verb `convert`: IRIs in, their URIs out; or the other way round (RFC 3987, section 3).

use locator::{Edition, IdnaError, Part, Rewritten};

use crate::arguments::{AskedByOne, Conversion};
use crate::exit::{Status, Trouble};
use crate::failure::{Failure, Of, Place};
use crate::make::{self, Made, Make};
use crate::reading;
use crate::run::Output;
use crate::show::json::Head;

struct Convert {
    edition: &'static Edition,
    to_iri: bool,
    /// Whether hosts are domain names.
    idna: bool,
}

/// Converts every input.
pub(crate) fn run(conversion: &Conversion, asked: &AskedByOne, out: &mut Output) -> Result<Status, Trouble> {
    let verb = Convert { edition: asked.by.edition, to_iri: conversion.to_iri, idna: conversion.idna };
    make::run(&asked.inputs, Head::Input, verb, out)
}

impl Make for Convert {
    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let reference = reading::read(octets, self.edition)?.reference;
        let converted = match (self.to_iri, self.idna) {
            (true, _) => reference.uri_to_iri()?,
            (false, false) => reference.iri_to_uri()?,
            (false, true) => reference.iri_to_uri_with_idna()?,
        };
        Ok(Made::Reference(Rewritten::into_text(converted)))
    }
}

impl From<IdnaError> for Failure {
    fn from(error: IdnaError) -> Self {
        match error {
            IdnaError::NoUri(error) => Self::NotValid(error),
            error => Self::Other {
                kind: "host",
                message: format!("{}; if it is not a domain name, leave out --idna", error.message()),
                see: Some(error.see().to_string()),
                place: Some(Place { of: Of::Input, part: Some(Part::Host), span: error.span() }),
            },
        }
    }
}
