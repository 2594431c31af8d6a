//! The verb `editions`: nothing in, what editions there are and what they call things out.

use std::io::Write;

use locator::edition::{ALL, WITH_OPTIONS};

use crate::exit::{Status, Trouble};
use crate::run::Output;
use crate::show::{editions, json};

/// Lists the editions.
pub(crate) fn run(in_json: bool, out: &mut Output) -> Result<Status, Trouble> {
    if in_json {
        ALL.into_iter().chain(WITH_OPTIONS).try_for_each(|edition| json::edition(out, edition))?;
    } else {
        editions::write(out)?;
    }
    out.flush()?;
    Ok(Status::Valid)
}
