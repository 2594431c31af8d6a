//! What is written after the results: URLs counted by a part, the most frequent first, the
//! summary of `--stats`, the notes on dangerous links, and with `--broken` how many links were checked.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anstyle::Style;
use locator::{Component, Edition};
use locator_audit::Finding;
use locator_find::Location;
use locator_functions::Row;
use locator_web::report::quantity::grouped;
use serde::Serialize;

use crate::exit::say_help;
use crate::field::Field;
use crate::input::reading::{self, Parsed};
use crate::output::progress;
use crate::output::{Output, Place, paragraph};
use crate::report::{findings, plural};
use crate::terminal::Word;
use crate::terminal::paint::{BAD, FAINT, GOOD, PLACE};
use crate::terminal::visible::legible;

/// The number of URLs of each kind, in all files together.
#[derive(Debug, Default)]
pub(super) struct Tally(Mutex<Counts>);

/// The number of URLs of each kind.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Of those that have the part. It is copied when it is met first.
    named: HashMap<String, u64>,
    /// Of the others.
    unnamed: HashMap<CountKey, u64>,
}

impl Counts {
    /// Counts a URL.
    pub(super) fn add(&mut self, url: &str, edition: &'static Edition, what: Field) {
        let reading = reading::read(url.as_bytes(), edition);
        let unnamed = match &reading {
            Err(_) => CountKey::NotValid,
            Ok(Parsed { reference, .. }) => {
                let is_of_start =
                    [Component::Scheme, Component::Host].into_iter().any(|part| what.is_component(part));
                match what.grouped(&Row::of(*reference)) {
                    Some(name) if !(is_of_start && name.is_empty()) => return self.add_named(name),
                    _ if is_of_start && reference.as_uri().is_none() => CountKey::Relative,
                    _ => CountKey::NoPart,
                }
            }
        };
        *self.unnamed.entry(unnamed).or_default() += 1;
    }

    fn add_named(&mut self, name: Cow<'_, str>) {
        match self.named.get_mut(&*name) {
            Some(count) => *count += 1,
            None => {
                self.named.insert(name.into_owned(), 1);
            }
        }
    }

    fn add_all(&mut self, others: Self) {
        // Nearly always there is one file, or it is the first.
        if self.named.is_empty() {
            self.named = others.named;
        } else {
            others.named.into_iter().for_each(|(name, count)| *self.named.entry(name).or_default() += count);
        }
        others.unnamed.into_iter().for_each(|(kind, count)| *self.unnamed.entry(kind).or_default() += count);
    }
}

/// What URLs are counted by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum CountKey {
    /// The part, such as the host in normal form.
    Named(String),
    /// A relative reference, which has no scheme or no host.
    Relative,
    /// A URL without the part.
    NoPart,
    /// An invalid URL.
    NotValid,
}

impl CountKey {
    /// Its name, if it has one.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            _ => None,
        }
    }

    /// Why it has none.
    pub(super) fn why(&self, what: Field) -> Option<String> {
        match self {
            Self::Named(_) => None,
            Self::Relative => Some("relative".to_owned()),
            Self::NoPart => Some(format!("no {}", what.title())),
            Self::NotValid => Some("not valid".to_owned()),
        }
    }
}

impl Tally {
    /// Adds what one file has.
    pub(super) fn add(&self, counts: Counts) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add_all(counts);
    }

    /// All of them, the most frequent first.
    pub(super) fn rows(&self) -> Vec<(CountKey, u64)> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let named = all.named.iter().map(|(name, count)| (CountKey::Named(name.clone()), *count));
        let unnamed = all.unnamed.iter().map(|(kind, count)| (kind.clone(), *count));
        let mut rows: Vec<_> = named.chain(unnamed).collect();
        rows.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        rows
    }
}

/// Writes how many links there are of each kind, as a table.
pub(super) fn write_tally(out: &mut Output, what: Field, rows: &[(CountKey, u64)]) -> io::Result<()> {
    let (paint, is_terminal) = (out.paint, out.is_terminal);
    // The first count is the largest.
    let width = rows.first().map_or(0, |(_, count)| count.to_string().len());
    for (kind, count) in rows {
        write!(out, "{}  ", paint.with(PLACE, format!("{count:width$}")))?;
        match (kind.name(), kind.why(what)) {
            (Some(name), _) if is_terminal => writeln!(out, "{}", legible(name))?,
            (Some(name), _) => writeln!(out, "{name}")?,
            (None, why) => writeln!(out, "{}", paint.with(FAINT, format!("({})", why.unwrap_or_default())))?,
        }
    }
    Ok(())
}

/// Counts for the summary that the progress line does not have.
#[derive(Debug)]
pub(super) struct Stats {
    start: Instant,
    /// How many files have links.
    files_with_links: AtomicU64,
    /// How many templates there are, printed or not.
    templates: AtomicU64,
    /// How many defanged URLs are printed as they are written.
    defanged: AtomicU64,
}

/// The summary, in JSON under the key "stats".
#[derive(Serialize)]
struct Summary {
    links: u64,
    templates: u64,
    files_with_links: u64,
    files: u64,
    octets: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Object {
    stats: Summary,
}

impl Stats {
    /// Nothing is read yet.
    pub(super) fn begin() -> Self {
        let zero = || AtomicU64::new(0);
        Self { start: Instant::now(), files_with_links: zero(), templates: zero(), defanged: zero() }
    }

    /// Counts a file that has links.
    pub(super) fn add(&self) {
        self.files_with_links.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a template.
    pub(super) fn add_template(&self) {
        self.templates.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a defanged URL.
    pub(super) fn add_defanged(&self) {
        self.defanged.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of defanged URLs.
    pub(super) fn defanged(&self) -> u64 {
        self.defanged.load(Ordering::Relaxed)
    }

    /// Returns the number of templates.
    pub(super) fn templates(&self) -> u64 {
        self.templates.load(Ordering::Relaxed)
    }

    /// Writes the summary, for people after an empty line.
    pub(super) fn write(
        &self,
        counts: &progress::Counts,
        is_json: bool,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let stats = Summary {
            links: of(&counts.links),
            templates: self.templates(),
            files_with_links: of(&self.files_with_links),
            files: of(&counts.files),
            octets: of(&counts.octets),
            // A finer resolution would not be reliable.
            seconds: (self.start.elapsed().as_secs_f64() * 1e6).round() / 1e6,
        };
        if is_json {
            serde_json::to_writer(&mut *out, &Object { stats })?;
            return writeln!(out);
        }
        let Summary { links, templates, files_with_links, files, octets, seconds } = stats;
        writeln!(
            out,
            "\n{links} links\n{templates} templates\n{files_with_links} files contained links\n{files} files searched\n\
             {octets} bytes searched\n{seconds:.6} seconds"
        )
    }
}

/// The notes on links, kept until all results are written.
#[derive(Debug, Default)]
pub(super) struct Notes(Mutex<KeptNotes>);

#[derive(Debug, Default)]
struct KeptNotes {
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
        let KeptNotes { first, count } = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
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
pub(super) struct CheckedLinks {
    /// How many are not broken.
    good: AtomicU64,
}

impl CheckedLinks {
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
    use super::*;

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
