//! Counts URLs by host or scheme, the most frequent first, and prints the summary of `--stats`.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use locator::{Component, Edition};
use serde::Serialize;

use super::args::CountByWord;
use crate::input::reading;
use crate::output::Output;
use crate::output::progress;
use crate::terminal::paint::{FAINT, PLACE};
use crate::terminal::visible::legible;

/// The number of URLs of each kind, in all files together.
#[derive(Debug, Default)]
pub(super) struct Tally(Mutex<Counts>);

/// The number of URLs of each kind.
pub(super) type Counts = HashMap<Kind, u64>;

/// What URLs are counted by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// The host or the scheme, in lower case.
    Named(String),
    /// A relative reference.
    Relative,
    /// An absolute URL without a host.
    NoHost,
    /// An invalid URL.
    NotValid,
}

impl Kind {
    /// The kind of a URL.
    pub(super) fn of(url: &str, edition: &'static Edition, what: CountByWord) -> Self {
        let Ok(reading) = reading::read(url.as_bytes(), edition) else { return Self::NotValid };
        let reference = reading.reference;
        let part = match what {
            CountByWord::Host => Component::Host,
            CountByWord::Scheme => Component::Scheme,
        };
        match (reference.component(part), reference.as_uri()) {
            (Some(name), _) if !name.is_empty() => Self::Named(name.to_ascii_lowercase()),
            (_, Some(_)) => Self::NoHost,
            (_, None) => Self::Relative,
        }
    }

    /// Its name, if it has one.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            _ => None,
        }
    }

    /// Why it has none.
    pub(super) const fn why(&self) -> Option<&'static str> {
        match self {
            Self::Named(_) => None,
            Self::Relative => Some("relative"),
            Self::NoHost => Some("no host"),
            Self::NotValid => Some("not valid"),
        }
    }
}

impl Tally {
    /// Adds what one file has.
    pub(super) fn add(&self, counts: Counts) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.into_iter().for_each(|(kind, count)| *all.entry(kind).or_default() += count);
    }

    /// All of them, the most frequent first.
    pub(super) fn rows(&self) -> Vec<(Kind, u64)> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rows: Vec<_> = all.iter().map(|(kind, count)| (kind.clone(), *count)).collect();
        rows.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        rows
    }
}

/// Writes how many links there are of each kind, as a table.
pub(super) fn write_tally(out: &mut Output, rows: &[(Kind, u64)]) -> io::Result<()> {
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
