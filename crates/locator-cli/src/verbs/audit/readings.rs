//! What each reader contacts for a URL, for people.

use std::io::{self, Write};

use anstyle::Style;
use locator_audit::{Outcome, Reader};

use super::audited::Audited;
use crate::output::Output;
use crate::show::paragraph;
use crate::terminal::paint::{FAINT, HOSTS};
use crate::terminal::visible;

/// Writes each contact with its readers, that of the chosen edition first, then the hosts that are
/// returned and not contacted, then the readers that reject the URL; those of the past only if
/// `with_past`.
pub(super) fn write(out: &mut Output, audited: &Audited<'_>, with_past: bool) -> io::Result<()> {
    let (paint, readings) = (out.paint, audited.readings());
    let note_of = |is_own: bool| match is_own {
        true => format!(" (as {} divides it)", audited.edition.name),
        false => String::new(),
    };
    let style_of = |is_own: bool| if is_own { HOSTS[0] } else { HOSTS[1] };
    for found in readings.contacts() {
        if with_past || found.is_current() {
            let what = format!("contacts {}", audited.contact(found.contact));
            heading(out, &what, style_of(found.is_own), &note_of(found.is_own))?;
            names(out, &found.readers, with_past)?;
        }
    }
    for found in readings.guesses() {
        let what = format!("contacts {}", audited.contact(found.contact));
        heading(out, &what, FAINT, " (a guess: the scheme is taken for a part of the server)")?;
        names(out, &found.readers, with_past)?;
    }
    for found in readings.returned() {
        if with_past || found.is_current() {
            let what = format!("returns {}, contacts nothing", audited.returned(&found));
            heading(out, &what, style_of(found.is_own), &note_of(found.is_own))?;
            names(out, &found.readers, with_past)?;
        }
    }
    let (mut without_host, mut rejecting) = (Vec::new(), Vec::new());
    for (reader, outcome) in readings.outcomes() {
        match outcome {
            Outcome::Contact(_) | Outcome::Returned(_) => {}
            Outcome::NoHost => without_host.push(reader),
            _ => rejecting.push(reader),
        }
    }
    for (what, readers) in [("returns no host, contacts nothing", without_host), ("rejects", rejecting)] {
        if readers.iter().any(|reader| with_past || reader.is_current()) {
            writeln!(out, "    {}", paint.with(FAINT, what))?;
            names(out, &readers, with_past)?;
        }
    }
    Ok(())
}

/// Writes what the readers on the next lines do.
fn heading(out: &mut Output, what: &str, style: Style, note: &str) -> io::Result<()> {
    let (paint, what) = (out.paint, visible(what).to_string());
    writeln!(out, "    {}{}", paint.with(style, what), paint.with(FAINT, note))
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
