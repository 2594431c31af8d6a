//! Receives the verdicts of documents: counts them, writes those that are asked for, and knows the exit status.

use std::io::{self, Write as _};

use anstyle::Style;
use locator_links::{Code, Counts, FoundLink, Outcome, Page, Site, Verdict};

use super::args::{Chosen, LinksArgs};
use super::{json, print};
use crate::exit::{Status, say_help};
use crate::output::Output;
use crate::progress::{self, Progress, grouped};
use crate::show::plural;
use crate::terminal::paint::{BAD, GOOD, WARN};

/// The results of a run.
pub(super) struct Report<'a> {
    asked: &'a LinksArgs,
    out: &'a mut Output,
    counts: Counts,
    /// How many links are not printed although their outcome is.
    unshown: u64,
    /// How many links are not checked because they lead to private addresses.
    private: u64,
    progress: Progress,
}

impl<'a> Report<'a> {
    /// Creates a report without results.
    pub(super) fn new(asked: &'a LinksArgs, out: &'a mut Output, urls: usize) -> Self {
        let is_silent = asked.answer.no_messages || asked.answer.quiet || urls == 0;
        let progress = Progress::of_links(!is_silent, urls as u64);
        Self { asked, out, counts: Counts::default(), unshown: 0, private: 0, progress }
    }

    /// Shows how many URLs are judged, and which hosts are waited for.
    pub(super) fn progress(&self, done: usize, _: usize, waiting: &dyn Fn() -> Vec<String>) {
        self.progress.set_links(done as u64, waiting);
    }

    /// Takes the verdicts of the links that a page has kept.
    ///
    /// The line of progress is hidden while results are written to the same terminal.
    pub(super) fn page(&mut self, site: &Site, page: &Page, verdicts: &[Verdict]) -> io::Result<()> {
        match self.out.is_terminal && verdicts.iter().any(|verdict| self.shows(verdict)) {
            true => progress::aside(|| {
                self.take(site, page, verdicts)?;
                self.out.flush()
            }),
            false => self.take(site, page, verdicts),
        }
    }

    fn take(&mut self, site: &Site, page: &Page, verdicts: &[Verdict]) -> io::Result<()> {
        self.counts.add_all(&page.counts);
        verdicts.iter().for_each(|verdict| self.counts.add(verdict.outcome()));
        self.private += verdicts.iter().filter(|verdict| verdict.code == Code::Private).count() as u64;
        let mut shown: Vec<_> =
            page.links.iter().zip(verdicts).filter(|(_, verdict)| self.shows(verdict)).collect();
        let is_unshown = |verdict: &&Verdict| verdict.outcome() == Outcome::Unknown && !self.shows(verdict);
        self.unshown += verdicts.iter().filter(is_unshown).count() as u64;
        if self.asked.answer.json {
            return shown
                .iter()
                .try_for_each(|(link, verdict)| json::write(self.out, site, page, (link, verdict)));
        }
        shown.sort_by_key(|(_, verdict)| verdict.outcome());
        let fails = &self.asked.answer.fail_on;
        let mut write = |(link, verdict): &(&FoundLink, &Verdict)| {
            print::write(self.out, page, (link, verdict), Chosen::have(fails, verdict.outcome()))
        };
        shown.iter().try_for_each(&mut write)
    }

    fn shows(&self, verdict: &Verdict) -> bool {
        let answer = &self.asked.answer;
        let outcome = verdict.outcome();
        match () {
            () if answer.quiet => false,
            () if !answer.show.is_empty() => Chosen::have(&answer.show, outcome),
            () if answer.json => true,
            () => Chosen::have(&answer.fail_on, outcome) || !verdict.code.is_ordinary(),
        }
    }

    /// Writes the numbers, and returns the exit status.
    pub(super) fn end(self, files: usize) -> io::Result<Status> {
        self.progress.end();
        self.out.flush()?;
        let answer = &self.asked.answer;
        let fails =
            Outcome::ALL.into_iter().any(|one| self.counts.of(one) > 0 && Chosen::have(&answer.fail_on, one));
        let fails = fails || answer.fail_on_empty && self.counts.total() == 0;
        if !answer.no_messages && !answer.quiet && !answer.json && files > 0 {
            // A failure to write to standard error is ignored.
            let _ = write_total(&self.counts, files as u64);
            if self.private > 0 {
                let links = plural(self.private, "link");
                say_help(&format!("--private checks the {links} to private addresses"));
            }
            if self.unshown > 0 {
                let more = plural(self.unshown, "unknown link");
                say_help(&format!("--show unknown prints {more}, about which only a script could tell more"));
            }
        }
        Ok(Status::of(!fails))
    }
}

/// Writes how many links have which outcome.
fn write_total(counts: &Counts, files: u64) -> io::Result<()> {
    let mut out = Output::messages();
    let paint = out.paint;
    let (links, place) = (plural(counts.total(), "link"), plural(files, "file"));
    if counts.total() == 0 {
        writeln!(out, "no links in {place}")?;
        return out.flush();
    }
    let style = |outcome| match outcome {
        Outcome::Broken => BAD,
        Outcome::Refused | Outcome::Unknown => WARN,
        Outcome::Ok => GOOD,
        _ => Style::new(),
    };
    let some = Outcome::ALL.into_iter().filter(|outcome| counts.of(*outcome) > 0);
    let words = some.map(|outcome| {
        let text = format!("{} {}", grouped(counts.of(outcome)), outcome.name());
        paint.with(style(outcome), text).to_string()
    });
    writeln!(out, "{links} in {place}: {}", words.collect::<Vec<_>>().join(", "))?;
    out.flush()
}
