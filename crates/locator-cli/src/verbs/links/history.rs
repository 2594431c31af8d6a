//! What earlier runs say about a link (`--baseline`, `--grace`): whether its result is known, and since
//! when the URL of a server has been broken.
//!
//! The file has one object a line: those of `links --json`, whose results are known, and with `--grace`
//! `{"url":…,"broken_since":…}`, which each run writes. Times are in UTC and have one form, so they compare
//! as texts.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use locator_links::{LinkTarget, Outcome, Page, PageLink, Site, Verdict};
use serde::{Deserialize, Serialize};

use crate::exit::{CliError, wrong};
use crate::input::files::Named;
use crate::report::baseline::{Baseline, Key};
use crate::terminal::secrets;

/// The results of earlier runs.
#[derive(Debug, Default)]
pub(super) struct History {
    results: Baseline,
    grace: Option<Grace>,
}

/// What earlier runs say about a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PastResult {
    /// Nothing that matters.
    Nothing,
    /// The same result is in the baseline.
    Known,
    /// The URL was first seen broken at this time, which is not long ago.
    Young(String),
}

/// Since when the URLs of servers have been broken.
#[derive(Debug)]
struct Grace {
    file: PathBuf,
    since: BTreeMap<String, String>,
    /// The time of this run, and the time at which what is an error now was broken already.
    now: String,
    limit: String,
    /// The URLs that are broken in this run, and those that are not any more.
    broken: HashSet<String>,
    mended: HashSet<String>,
}

/// A line of the file.
#[derive(Deserialize)]
struct Line {
    url: Option<String>,
    file: Option<String>,
    outcome: Option<String>,
    broken_since: Option<String>,
}

impl Line {
    /// Returns whether a run wrote it; a result may say since when, too.
    const fn is_record(&self) -> bool {
        self.url.is_some() && self.broken_since.is_some() && self.outcome.is_none()
    }
}

/// A line that a run writes.
#[derive(Serialize)]
struct Record<'a> {
    url: &'a str,
    broken_since: &'a str,
}

impl History {
    /// Reads the file of `--baseline`. With `--grace` it need not exist yet.
    pub(super) fn read(path: Option<&OsStr>, grace: Option<Duration>) -> Result<Self, CliError> {
        let Some(path) = path else { return Ok(Self::default()) };
        let Some(grace) = grace else {
            return Ok(Self { results: results(path, &RefCell::default())?, grace: None });
        };
        let named = Named(path);
        let is_file = fs::metadata(path).map_or_else(|error| is_missing(&error), |file| file.is_file());
        if named.is_stdin() || !is_file {
            return Err(named.unreadable(io::Error::other("--grace needs a file that it can write")));
        }
        // A run may take long, so this is not found at its end.
        let directory = Path::new(path).parent().filter(|directory| !directory.as_os_str().is_empty());
        if directory.is_some_and(|directory| !directory.is_dir()) {
            return Err(wrong(&format!("{} cannot be written: its directory does not exist", named.shown())));
        }
        let since = RefCell::default();
        let exists = Path::new(path).exists();
        let results = if exists { results(path, &since)? } else { Baseline::default() };
        let now = SystemTime::now();
        let time = |time| locator_fetch::timestamp(time).unwrap_or_default();
        let limit = now.checked_sub(grace).map(time).unwrap_or_default();
        let (broken, mended) = (HashSet::new(), HashSet::new());
        let grace =
            Grace { file: path.into(), since: since.into_inner(), now: time(now), limit, broken, mended };
        Ok(Self { results, grace: Some(grace) })
    }

    /// Returns what earlier runs say about a link.
    pub(super) fn past(
        &mut self,
        site: &Site,
        page: &Page,
        link: &PageLink,
        verdict: &Verdict,
    ) -> PastResult {
        let outcome = verdict.outcome();
        let young = self.grace.as_mut().and_then(|grace| grace.young(site, link, outcome));
        if outcome < Outcome::Skipped && self.results.contains(&key(&page.name, page.url(link), outcome)) {
            return PastResult::Known;
        }
        young.map_or(PastResult::Nothing, PastResult::Young)
    }

    /// Writes since when the URLs have been broken. What this run has not seen stays.
    pub(super) fn write(&self) -> Result<(), CliError> {
        let Some(grace) = &self.grace else { return Ok(()) };
        grace.write().map_err(|error| {
            wrong(&format!("{} cannot be written: {error}", Named(grace.file.as_os_str()).shown()))
        })
    }
}

impl Grace {
    /// Notes the outcome of a URL; returns since when it has been broken if that is not long.
    fn young(&mut self, site: &Site, link: &PageLink, outcome: Outcome) -> Option<String> {
        let LinkTarget::Url(url) = link.target else { return None };
        let url = secrets::redacted(&site.urls.text(url)).to_string();
        match outcome {
            Outcome::Broken => {
                let since = self.since.get(&url).unwrap_or(&self.now).clone();
                self.broken.insert(url);
                (since > self.limit).then_some(since)
            }
            Outcome::Ok | Outcome::Redirected => {
                self.mended.insert(url);
                None
            }
            _ => None,
        }
    }

    fn write(&self) -> io::Result<()> {
        // A link in a repository leads to the file that is written.
        let path = fs::canonicalize(&self.file).unwrap_or_else(|_| self.file.clone());
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
        let mut new = new_file(directory.unwrap_or(Path::new(".")))?;
        if let Ok(old) = fs::read(&path) {
            for line in old.split_inclusive(|&octet| octet == b'\n').filter(|line| !is_record(line)) {
                new.write_all(line.strip_suffix(b"\n").unwrap_or(line))?;
                new.write_all(b"\n")?;
            }
        }
        let mut since = self.since.clone();
        since.retain(|url, _| !self.mended.contains(url));
        for url in &self.broken {
            since.entry(url.clone()).or_insert_with(|| self.now.clone());
        }
        for (url, broken_since) in &since {
            serde_json::to_writer(&mut new, &Record { url, broken_since })?;
            new.write_all(b"\n")?;
        }
        new.persist(&path)?;
        Ok(())
    }
}

/// Creates a file with the usual permissions, which replaces another one once it is complete.
fn new_file(directory: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let usual = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(usual);
    builder.tempfile_in(directory)
}

/// Reads the results that are known, and since when URLs have been broken.
fn results(path: &OsStr, since: &RefCell<BTreeMap<String, String>>) -> Result<Baseline, CliError> {
    Baseline::read(path, "links", |line: Line| {
        if line.is_record() {
            since.borrow_mut().extend(line.url.zip(line.broken_since));
            return Vec::new();
        }
        let outcome = line.outcome.as_deref().and_then(Outcome::from_name);
        // The last line of a run has the numbers of what is left out.
        let Some(((file, url), outcome)) = line.file.zip(line.url).zip(outcome) else { return Vec::new() };
        vec![key(&file, &url, outcome)]
    })
}

/// Returns what is the same for a result in every run, on whatever line it is.
pub(super) fn key(file: &str, url: &str, outcome: Outcome) -> Key {
    Key::of_hidden(Some(file.as_bytes()), &secrets::redacted(url).to_string(), None).of(outcome.name())
}

fn is_record(line: &[u8]) -> bool {
    line.trim_ascii().is_empty() || serde_json::from_slice::<Line>(line).is_ok_and(|line| line.is_record())
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}
