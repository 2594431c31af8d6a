//! How many links there are of each kind in, a table out.

use std::io::{self, Write};

use super::paint::{FAINT, PLACE};
use super::visible::legible;
use crate::find::Kind;
use crate::run::Output;

/// Writes the table.
pub(crate) fn write(out: &mut Output, rows: &[(Kind, u64)]) -> io::Result<()> {
    let (paint, is_terminal) = (out.paint, out.is_terminal);
    // The first count is the largest.
    let width = rows.first().map_or(0, |(_, count)| count.to_string().len());
    for (kind, count) in rows {
        write!(out, "{}  ", paint.with(PLACE, format!("{count:width$}")))?;
        match (kind.name(), kind.why()) {
            (Some(name), _) if is_terminal => writeln!(out, "{}", legible(name))?,
            (Some(name), _) => writeln!(out, "{name}")?,
            (None, why) => writeln!(out, "{}", paint.with(FAINT, format!("({})", why.unwrap_or_default())))?,
        }
    }
    Ok(())
}
