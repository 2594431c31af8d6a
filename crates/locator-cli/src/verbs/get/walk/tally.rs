//! Reports what a walk does: what is skipped and why, errors, and a summary.

use std::io::{self, Write as _};

use locator::UriRefBuf;

use super::item::{Item, Outcome};
use crate::exit::say;
use crate::input::{Input, Origin};
use crate::output::Output;
use crate::output::progress;
use crate::output::progress::grouped;
use crate::report::Reports;
use crate::report::failure::Failure;
use crate::report::reports::plural;
use crate::terminal::visible::legible;
use crate::verbs::get::trouble::{Failed, Trouble};

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
    pub(super) fn note(&mut self, item: &Item, outcome: Result<Outcome, Trouble>) -> bool {
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
            Err(Trouble::Writing(error)) => self.written = Err(error),
            Err(Trouble::Failed(Failed { why, is_said, .. })) => {
                self.could_not |= !is_said;
                self.report(&item.url, &why);
            }
            Err(Trouble::Incomplete(why) | Trouble::Beside(why)) => self.report(&item.url, &why),
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
