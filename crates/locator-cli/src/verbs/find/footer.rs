//! What people read after the results: what is dangerous in the links that were printed, and with
//! `--broken` how many links were checked.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use anstyle::Style;
use locator_audit::Finding;
use locator_find::Location;

use crate::exit::say_help;
use crate::output::Output;
use crate::output::progress::grouped;
use crate::output::{Place, paragraph};
use crate::report::findings;
use crate::report::plural;
use crate::terminal::Word;
use crate::terminal::paint::{BAD, GOOD};

/// The notes on links, kept until all results are written.
#[derive(Debug, Default)]
pub(super) struct Notes(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    first: Vec<(Place, String)>,
    /// How many links have notes.
    count: u64,
}

impl Notes {
    /// How many notes are written.
    const WRITTEN: usize = 10;

    /// Keeps what is dangerous in a link, if anything is.
    pub(super) fn add(&self, path: &Path, place: &Location, url: &str, findings: &[Finding]) {
        let Some(remark) = findings::in_short(url, findings) else { return };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.count += 1;
        if kept.first.len() < Self::WRITTEN {
            // A column counts from 1, the octets of a line from 0.
            let octet = usize::try_from(place.column.saturating_sub(1)).unwrap_or(usize::MAX - 1);
            kept.first.push((Place::in_file(&path.to_string_lossy(), place.line, octet), remark));
        }
    }

    /// Writes the first notes on standard error, and how many others there are.
    pub(super) fn write(self) {
        let Kept { first, count } = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        if count == 0 {
            return;
        }
        let mut out = Output::messages();
        // A failure to write to standard error is ignored.
        let _ = write_notes(&mut out, &first).and_then(|()| out.flush());
        let more = match count - first.len() as u64 {
            0 => String::new(),
            more => format!("{} with such findings; ", plural(more, "more link")),
        };
        say_help(&format!("{more}'locator find -n … | locator audit --places' explains all findings"));
    }
}

fn write_notes(out: &mut Output, notes: &[(Place, String)]) -> io::Result<()> {
    writeln!(out)?;
    for (place, remark) in notes {
        let column = place.begin(out, Word::Note)?;
        paragraph::flow(out, column, 2, Style::new(), remark)?;
    }
    Ok(())
}

/// The links that were checked by `--broken`.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// How many are not broken.
    good: AtomicU64,
}

impl Checked {
    /// Adds links that are not broken.
    pub(super) fn add_good(&self, links: u64) {
        self.good.fetch_add(links, Ordering::Relaxed);
    }

    /// Writes on standard error, at a terminal, how many links were checked, and how many of them are
    /// broken.
    pub(super) fn write_total(&self, broken: u64, files: u64) {
        if !io::stderr().is_terminal() {
            return;
        }
        let mut out = Output::messages();
        let (style, sentence) = total(self.good.load(Ordering::Relaxed), broken, files);
        let gap = if broken > 0 { "\n" } else { "" };
        // A failure to write to standard error is ignored.
        let _ = write!(out, "{gap}")
            .and_then(|()| paragraph::flow(&mut out, 0, 2, style, &sentence))
            .and_then(|()| out.flush());
    }
}

fn total(good: u64, broken: u64, files: u64) -> (Style, String) {
    let links = plural(good + broken, "link");
    let place = if files == 1 { String::new() } else { format!(" in {}", plural(files, "file")) };
    match (good, broken) {
        (0, 0) => (Style::new(), format!("no links{place}")),
        (_, 0) => (GOOD, format!("{links}{place}, none is broken")),
        (_, 1) => (BAD, format!("1 of {links}{place} is broken")),
        _ => (BAD, format!("{} of {links}{place} are broken", grouped(broken))),
    }
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn the_total_has_the_right_number() {
        for (good, broken, files, stated) in [
            (0, 0, 3, "no links in 3 files"),
            (1, 0, 1, "1 link, none is broken"),
            (12, 0, 2, "12 links in 2 files, none is broken"),
            (0, 1, 1, "1 of 1 link is broken"),
            (1000, 2, 2, "2 of 1,002 links in 2 files are broken"),
        ] {
            assert_eq!(total(good, broken, files).1, stated);
        }
    }
}
