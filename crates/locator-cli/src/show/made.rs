//! What a verb made of an input in, one line for a person or a program that reads lines out.

use std::io::{self, Write};

use super::paint::FAINT;
use super::visible;
use super::visible::is_plain;
use crate::make::Made;
use crate::run::Output;

/// Writes it.
pub(crate) fn write(out: &mut Output, made: &Made<'_>) -> io::Result<()> {
    let paint = out.paint;
    match made {
        Made::Reference(text) => line(out, text),
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

/// Writes a text, each character seen.
#[inline]
pub(crate) fn text(out: &mut Output, text: &str) -> io::Result<()> {
    // Nearly all are, and formatting costs more than writing.
    if is_plain(text.as_bytes()) { out.write_all(text.as_bytes()) } else { write!(out, "{}", visible(text)) }
}
