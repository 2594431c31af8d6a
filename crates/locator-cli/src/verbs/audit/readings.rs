//! What each reader contacts for a URL, for people.

use std::io::{self, Write};

use locator::audit::{Outcome, Reader};

use super::audited::Audited;
use crate::output::Output;
use crate::show::paragraph;
use crate::terminal::paint::{FAINT, GOOD, WARN};
use crate::terminal::visible;

/// Writes each contact with its readers, that of the chosen edition first, then the readers that
/// contact nothing; those of the past only if `with_past`.
pub(super) fn write(out: &mut Output, audited: &Audited<'_>, with_past: bool) -> io::Result<()> {
    let (paint, readings) = (out.paint, audited.readings());
    for found in readings.contacts() {
        if !with_past && !found.is_current() {
            continue;
        }
        let style = if found.is_own { GOOD } else { WARN };
        let contact = visible(&audited.contact(found.contact)).to_string();
        let note =
            if found.is_own { format!(" (as {} divides it)", audited.edition.name) } else { String::new() };
        writeln!(out, "    {}{}", paint.with(style, contact), paint.with(FAINT, note))?;
        names(out, &found.readers, with_past)?;
    }
    for found in readings.guesses() {
        let contact = visible(&audited.contact(found.contact)).to_string();
        let note = " (a guess: the scheme is taken for a part of the server)";
        writeln!(out, "    {}{}", paint.with(FAINT, contact), paint.with(FAINT, note))?;
        names(out, &found.readers, with_past)?;
    }
    let (mut without_host, mut refusing) = (Vec::new(), Vec::new());
    for (reader, outcome) in readings.outcomes() {
        match outcome {
            Outcome::Contact(_) => {}
            Outcome::NoHost => without_host.push(reader),
            _ => refusing.push(reader),
        }
    }
    for (what, readers) in [("no host", without_host), ("refused", refusing)] {
        if readers.iter().any(|reader| with_past || reader.is_current()) {
            writeln!(out, "    {}", paint.with(FAINT, what))?;
            names(out, &readers, with_past)?;
        }
    }
    Ok(())
}

/// Writes the names of readers; those of the past on lines of their own.
fn names(out: &mut Output, readers: &[&Reader], with_past: bool) -> io::Result<()> {
    for (is_current, head) in [(true, None), (false, Some("historical:"))] {
        let names = readers.iter().filter(|reader| reader.is_current() == is_current);
        let mut names: Vec<_> = names.map(|reader| format!("{};", reader.title())).collect();
        let Some(last) = names.last_mut().filter(|_| is_current || with_past) else { continue };
        last.pop();
        paragraph::write(out, "      ", head.into_iter().chain(names.iter().map(String::as_str)))?;
    }
    Ok(())
}
