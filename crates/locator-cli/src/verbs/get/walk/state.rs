//! What a walk has: its options, what is left to do, and a [`Tally`] of what happened: it reports what is skipped and
//! why, errors, and a summary.

use std::collections::HashSet;
use std::hash::RandomState;
use std::io::{self, Write as _};
use std::sync::atomic::AtomicBool;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use clap::Args;
use locator::UriRefBuf;
use locator_fetch::blocking::Fetcher;

use super::folder::{Folder, Item, ItemKind, Listing, Outcome};
use super::scope::{Patterns, Scope};
use crate::exit::say;
use crate::input::{Input, Origin};
use crate::output::progress::grouped;
use crate::output::{Output, progress};
use crate::report::Reports;
use crate::report::failure::Failure;
use crate::report::reports::plural;
use crate::terminal::visible::legible;
use crate::verbs::get::error::{Failed, TransferError};
use crate::verbs::get::getter::Getter;

/// The options of walks.
#[derive(Args, Debug)]
pub(in crate::verbs::get) struct WalkArgs {
    /// Fetch a directory with everything below it
    #[arg(short, long, conflicts_with_all = NOT_WITH)]
    pub(super) recursive: bool,
    /// With -r, save only files whose names match: "*.iso,*.txt", or end with: ".iso,.txt"
    #[arg(long, value_name = "PATTERNS", requires = "recursive")]
    pub(super) accept: Vec<String>,
    /// With -r, do not save files whose names match
    #[arg(long, value_name = "PATTERNS", requires = "recursive")]
    pub(super) reject: Vec<String>,
    /// With -r, descend DEPTH directories; 1 is the given one alone. The default is 100
    #[arg(short, long, value_name = "DEPTH", requires = "recursive")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) level: Option<u32>,
    /// With -r, fetch an existing file again if the server's is newer or of another size
    #[arg(long, requires = "recursive")]
    pub(super) newer: bool,
}

/// The options that have no meaning for a walk.
const NOT_WITH: [&str; 11] = [
    "remote_name",
    "remote_name_all",
    "raw",
    "plan",
    "write_out",
    "quiet",
    "include",
    "head",
    "range",
    "request",
    "json",
];

/// How many directories a walk descends without `--level`: a link of a server may lead back up.
const MOST_LEVELS: u32 = 100;

impl WalkArgs {
    pub(in crate::verbs::get) const fn is_wanted(&self) -> bool {
        self.recursive
    }
}

/// What all walks of a run have.
#[derive(Clone, Copy)]
pub(in crate::verbs::get) struct Walking<'a> {
    pub(in crate::verbs::get) getter: &'a Getter<'a>,
    pub(in crate::verbs::get) args: &'a WalkArgs,
    /// The fetcher that does not follow redirects, which may lead out of the start.
    pub(in crate::verbs::get) fetcher: &'a Fetcher,
    pub(in crate::verbs::get) at_once: usize,
}

/// A walk, which several threads carry out.
pub(super) struct Walk<'w, 'a> {
    pub(super) walking: &'w Walking<'a>,
    pub(super) scope: Scope,
    /// The folder; `None` if only URLs are printed.
    pub(super) folder: Option<Folder>,
    pub(super) patterns: Patterns,
    /// Whether the ftp server may know `MLSD`.
    pub(super) has_facts: AtomicBool,
    pub(super) state: Mutex<State>,
    pub(super) changed: Condvar,
    pub(super) hasher: RandomState,
    pub(super) tally: Mutex<Tally>,
}

/// What is left to do. The item that was found last is taken first, so that a directory is done before the
/// next one is listed.
#[derive(Default)]
pub(super) struct State {
    pub(super) stack: Vec<Item>,
    /// How many items are being fetched.
    pub(super) active: usize,
    /// How many items were found.
    pub(super) found: usize,
    /// Hashes of the directories that were found.
    pub(super) seen: HashSet<u64>,
    /// Whether a limit was reported.
    pub(super) is_limited: bool,
    pub(super) is_over: bool,
}

impl Walk<'_, '_> {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how many directories the walk descends.
    pub(super) fn most_levels(&self) -> u32 {
        self.walking.args.level.unwrap_or(MOST_LEVELS)
    }

    /// Returns whether a link to a directory may be in a listing without being shown as a link.
    pub(super) fn may_have_loops(&self, listing: &Listing) -> bool {
        let has_unknown = || listing.items.iter().any(|item| item.kind == ItemKind::Unknown);
        self.scope.has_many_ways() || self.scope.has_logins() && has_unknown()
    }
}

/// What happened, counted.
pub(super) struct Tally {
    reports: Reports,
    errors: Output,
    /// Where the URLs of files are printed, if they are not saved.
    urls: Option<Output>,
    saved: u64,
    present: u64,
    left_out: u64,
    skipped: u64,
    pub(super) failed: u64,
    /// How many of those that are skipped have no name here.
    pub(super) lost: u64,
    /// Whether a file could not be fetched for another reason than that a server refused it.
    pub(super) could_not: bool,
    /// Whether the URLs could be printed.
    pub(super) written: io::Result<()>,
}

impl Tally {
    pub(super) fn new(reports: Reports, errors: Output, urls: Option<Output>) -> Self {
        let (saved, present, left_out, skipped, failed, lost, could_not) = (0, 0, 0, 0, 0, 0, false);
        let written = Ok(());
        Self { reports, errors, urls, saved, present, left_out, skipped, failed, lost, could_not, written }
    }

    pub(super) fn take_reports(&mut self) -> Reports {
        std::mem::take(&mut self.reports)
    }

    /// Counts what came of an item, and reports it unless that is what was asked for. Returns whether the
    /// walk goes on.
    pub(super) fn note(&mut self, item: &Item, outcome: Result<Outcome, TransferError>) -> bool {
        match outcome {
            Ok(Outcome::Saved) => {
                self.saved += 1;
                if let Some(urls) = &mut self.urls {
                    self.written = writeln!(urls, "{}", item.url.as_str()).and_then(|()| urls.flush());
                }
            }
            Ok(Outcome::Present) => self.present += 1,
            Ok(Outcome::LeftOut) => self.left_out += 1,
            Ok(Outcome::Skipped(why)) => self.skip(item.url.as_str(), &why),
            Ok(Outcome::Lost(why)) => self.lose(item.url.as_str(), &why),
            Ok(Outcome::Directory(_)) => {}
            Err(TransferError::Writing(error)) => self.written = Err(error),
            Err(TransferError::Failed(Failed { why, is_said, .. })) => {
                self.could_not |= !is_said;
                self.report(&item.url, &why);
            }
            Err(TransferError::Incomplete(why) | TransferError::Beside(why)) => self.report(&item.url, &why),
        }
        self.written.is_ok()
    }

    /// Reports what is not followed.
    pub(super) fn skip(&mut self, url: &str, why: &str) {
        self.skipped += 1;
        if !self.reports.is_silent() {
            let url = locator::Redacted::new(url).to_string();
            progress::aside(|| say(&format!("skipped {}: {why}", legible(&url))));
        }
    }

    /// Reports what is skipped because of its name, which is not a success.
    fn lose(&mut self, url: &str, why: &str) {
        self.lost += 1;
        self.skip(url, why);
    }

    /// Reports an error of the walk itself.
    pub(super) fn fail(&mut self, url: &UriRefBuf, why: &str) {
        self.could_not = true;
        self.report(url, &Failure::other("too-much", why.into()));
    }

    /// Prints a note about a file that failed.
    pub(super) fn remark(&mut self, note: Option<String>) {
        if let Some(note) = note.filter(|_| !self.reports.is_silent()) {
            progress::aside(|| say(&note));
        }
    }

    fn report(&mut self, url: &UriRefBuf, why: &Failure) {
        self.failed += 1;
        let octets = url.as_str().as_bytes();
        let number = self.failed;
        let input = Input { octets, number, origin: Origin::Link, alone: true, list: None, column: None };
        let (reports, errors) = (&mut self.reports, &mut self.errors);
        progress::aside(|| reports.report(errors, input, why));
    }

    /// Says what happened: `12 files saved, 3 skipped, 1 failed`.
    pub(super) fn summarize(&self, is_silent: bool) {
        if is_silent {
            return;
        }
        let what = if self.urls.is_some() { "listed" } else { "saved" };
        let mut summary = format!("{} {what}", plural(self.saved, "file"));
        for (count, how) in [
            (self.present, "already there"),
            (self.left_out, "left out by --accept and --reject"),
            (self.skipped, "skipped"),
            (self.failed, "failed"),
        ] {
            if count > 0 {
                summary.push_str(&format!(", {} {how}", grouped(count)));
            }
        }
        progress::end_line();
        say(&summary);
    }
}
