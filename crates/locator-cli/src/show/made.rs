//! What a verb made of an input in, one line for a person or a program that reads lines out.

use std::io::{self, Write};

use super::paint::FAINT;
use super::visible;
use crate::make::Made;
use crate::run::Output;

/// Writes it.
pub(crate) fn write(out: &mut Output, made: &Made<'_>) -> io::Result<()> {
    let paint = out.paint;
    match made {
        Made::Reference(text) => writeln!(out, "{}", visible(text)),
        Made::Wanting { given, .. } => writeln!(out, "{}", visible(given)),
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
