//! A plan in; its dialogue in colour out, for a person. The library has written it in printable ASCII.

use std::io::{self, Write};

use locator::plan::Plan;

use super::paint::{FAINT, STRONG};
use crate::run::Output;

/// Writes what is sent, octet for octet; to a terminal, which must be given nothing raw, with codes for what is no
/// printable ASCII, and each line of the protocol on one of its own.
pub(crate) fn octets(out: &mut Output, octets: &[u8]) -> io::Result<()> {
    if !out.is_terminal {
        return out.write_all(octets);
    }
    for &octet in octets {
        match octet {
            b' '..=b'~' => out.write_all(&[octet])?,
            b'\n' => writeln!(out, "<0A>")?,
            octet => write!(out, "<{octet:02X}>")?,
        }
    }
    match octets.last() {
        None | Some(b'\n') => Ok(()),
        Some(_) => writeln!(out),
    }
}

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
