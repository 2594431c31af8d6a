//! The verb `schemes`: names in, or nothing, what schemes there are and what the names are out.

use std::io::Write;

use locator::scheme::{self, ALL};

use crate::exit::{Status, Trouble};
use crate::run::Output;
use crate::show::{json, schemes};

/// Lists the schemes, or says what each name is.
pub(crate) fn run(names: &[String], in_json: bool, out: &mut Output) -> Result<Status, Trouble> {
    match (names, in_json) {
        ([], true) => {
            ALL.iter().try_for_each(|scheme| json::scheme(out, scheme.names()[0], Some(*scheme)))?;
        }
        ([], false) => schemes::write(out)?,
        (names, true) => names.iter().try_for_each(|name| json::scheme(out, name, scheme::named(name)))?,
        (names, false) => names.iter().try_for_each(|name| schemes::write_one(out, name))?,
    }
    out.flush()?;
    Ok(Status::Valid)
}
