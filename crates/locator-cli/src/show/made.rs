//! What a verb made of an input in, one line for a person or a program that reads lines out.

use std::io::{self, Write};

use super::paint::FAINT;
use super::visible::{is_plain, legible, visible};
use crate::make::Made;
use crate::run::Output;

/// Writes it.
pub(crate) fn write(out: &mut Output, made: &Made<'_>) -> io::Result<()> {
    let paint = out.paint;
    match made {
        Made::Reference(text) => line(out, text),
        Made::Refused { text, .. } => line(out, text),
        Made::Path { octets, ended_by_nul } => path(out, octets, *ended_by_nul),
        Made::Wanting { given, .. } => line(out, given),
        Made::CurrentDocument { fragment } => {
            write!(out, "{}", paint.with(FAINT, "(current document)"))?;
            match fragment {
                Some(fragment) => writeln!(out, "#{}", visible(fragment)),
                None => writeln!(out),
            }
        }
        Made::Nothing => Ok(()),
    }
}

/// Writes a text and ends the line.
#[inline]
pub(crate) fn line(out: &mut Output, shown: &str) -> io::Result<()> {
    text(out, shown)?;
    out.write_all(b"\n")
}

/// Writes a text of a reference as it is; on a terminal only what shows itself there.
#[inline]
pub(crate) fn text(out: &mut Output, text: &str) -> io::Result<()> {
    // Nearly all are plain, and formatting costs more than writing.
    if !out.is_terminal || is_plain(text.as_bytes()) {
        return out.write_all(text.as_bytes());
    }
    write!(out, "{}", legible(text))
}

/// A program is given the octets as they are, because nothing else is the path; a terminal is not.
fn path(out: &mut Output, octets: &[u8], ended_by_nul: bool) -> io::Result<()> {
    if out.is_terminal {
        write!(out, "{}", visible(&String::from_utf8_lossy(octets)))?;
    } else {
        out.write_all(octets)?;
    }
    out.write_all(if ended_by_nul { b"\0" } else { b"\n" })
}
