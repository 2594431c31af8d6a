//! The verb `schemes`: nothing in, what schemes there are out.

use std::io::Write;

use locator::scheme::ALL;

use crate::exit::{Status, Trouble};
use crate::run::Output;
use crate::show::{json, schemes};

/// Lists the schemes.
pub(crate) fn run(in_json: bool, out: &mut Output) -> Result<Status, Trouble> {
    if in_json {
        ALL.iter().try_for_each(|scheme| json::scheme(out, *scheme))?;
    } else {
        schemes::write(out)?;
    }
    out.flush()?;
    Ok(Status::Valid)
}
