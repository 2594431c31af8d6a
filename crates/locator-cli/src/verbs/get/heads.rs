//! The heads of responses, as `-i` and `-I` print them: those on the way to an object, and its own.

use std::io::{self, Write as _};

use locator_fetch::Hop;
use locator_fetch::http::Response;

use crate::output::Output;
use crate::terminal::visible::legible;

/// Returns the heads of the responses that redirected, and of the last one; nothing if none is of HTTP.
pub(super) fn of(hops: &[Hop], last: Option<&Response>) -> Vec<u8> {
    let responses = hops.iter().filter_map(|hop| hop.response.as_deref()).chain(last);
    responses.flat_map(|response| response.head().into_owned()).collect()
}

/// Writes heads to standard output; on a terminal controls are written by code.
pub(super) fn write(heads: &[u8], out: &mut Output) -> io::Result<()> {
    if !out.is_terminal {
        return out.write_all(heads);
    }
    let text = String::from_utf8_lossy(heads);
    text.lines().try_for_each(|line| writeln!(out, "{}", legible(line)))
}
