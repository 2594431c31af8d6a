//! A plan in; its dialogue in colour out, for a person. The library has written it in printable ASCII.

use std::io::{self, Write};

use locator::plan::Plan;

use super::paint::{FAINT, STRONG};
use crate::run::Output;

/// Writes a plan.
pub(crate) fn write(out: &mut Output, plan: &Plan) -> io::Result<()> {
    let paint = out.paint;
    for line in plan.to_string().lines() {
        if let Some(said) = line.trim_start().strip_prefix("C: ") {
            let indentation = line.len() - line.trim_start().len();
            writeln!(out, "{:indentation$}{}{}", "", paint.with(FAINT, "C: "), paint.with(STRONG, said))?;
        } else if line.starts_with(' ') {
            writeln!(out, "{}", paint.with(FAINT, line))?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
