//! Reads the base of `resolve`, `relative` and `find`. An invalid base is reported, and the run
//! does not start.

use locator::{Base, Edition, ResolveError};

use crate::exit::{CliError, say_error};
use crate::input::reading;
use crate::output::Output;
use crate::output::Place;
use crate::report::failure;
use crate::report::failure::Failure;

/// Reads a base.
pub(crate) fn read<'a>(
    octets: &'a [u8],
    edition: &'static Edition,
    errors: &mut Output,
) -> Result<Base<'a>, CliError> {
    let reference = match reading::parse(octets, edition) {
        Ok(reference) => reference,
        Err(error) => return Err(reported(octets, &error.into(), errors)),
    };
    Base::try_from(reference).map_err(|error| match error {
        // The edition does not define resolution, whatever the base.
        ResolveError::NotDefined { .. } => {
            say_error(&error.to_string());
            CliError::Reported
        }
        error => reported(octets, &Failure::from(error).of_base(), errors),
    })
}

fn reported(octets: &[u8], why: &Failure, errors: &mut Output) -> CliError {
    failure::write(errors, &Place::named("--base"), octets, why);
    CliError::Reported
}
