//! Receives the verdicts of documents: counts them, writes those that are asked for, and knows the exit status.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use anstyle::Style;
use locator_links::{
    CacheUse, Code, LinkTarget, Outcome, OutcomeCounts, Page, PageLink, Site, Verdict, origin_of,
};
use locator_web::report::quantity::grouped;

use super::arguments::{ChosenOutcomes, LinksArgs, MendOptions};
use super::checked::{CheckedLink, LeftOut, Numbers};
use super::explain::Explanation;
use super::formats::Writer;
use super::history::{History, PastResult};
use super::mend::MendedPage;
use super::sites;
use crate::exit::{CliError, Status, say, say_help};
use crate::output::progress::{self, Progress};
use crate::output::rewrite::write_diff;
use crate::output::{Output, paragraph};
use crate::report::plural;
use crate::terminal::paint::{BAD, GOOD, WARN};

/// The results of a run.
pub(super) struct Report<'a> {
    asked: &'a LinksArgs,
    out: &'a mut Output,
    counts: OutcomeCounts,
    /// How many links are not printed although their outcome is.
    unshown: u64,
    /// How many links are not checked because they lead to private addresses.
    private: u64,
    /// How many links are not checked because of `robots.txt`.
    robots: u64,
    /// How many documents there are.
    documents: u64,
    /// How many links a change does not concern, if only those are checked that it does.
    pub(super) unchanged: Option<u64>,
    /// How many files the configuration of lychee leaves out.
    pub(super) files_left_out: u64,
    /// How many URLs the cache knew, and how many there are.
    pub(super) from_cache: CacheUse,
    /// The links that are explained, instead of what is written.
    pub(super) explanation: Option<Explanation>,
    writers: Vec<Writer>,
    /// Whether standard output has JSON.
    is_json: bool,
    known: History,
    /// The servers that asked to wait, with the numbers of their links that are not reported.
    waiting: BTreeMap<String, u64>,
    /// How many links are in the baseline, and how many are not broken for long enough.
    in_baseline: u64,
    in_grace: u64,
    /// Whether a link has an outcome of `--fail-on`.
    has_failed: bool,
    /// How many links of how many files are mended, and how many redirected ones are kept.
    mended: (u64, u64),
    kept: u64,
    progress: Progress,
}

/// A link that is not in the baseline.
struct NewLink {
    /// Its number among those that the page has kept.
    number: usize,
    past: PastResult,
    /// Whether it decides about the exit status.
    fails: bool,
    /// Whether the same was said of another link to the same server, which asks to wait.
    is_repeated: bool,
}

impl<'a> Report<'a> {
    /// Creates a report without results.
    pub(super) fn new(
        asked: &'a LinksArgs,
        known: History,
        writers: Vec<Writer>,
        out: &'a mut Output,
        has_urls: bool,
    ) -> Self {
        let is_silent = asked.answer.no_messages || asked.answer.quiet || !has_urls;
        let progress = Progress::of_links(!is_silent);
        Self {
            asked,
            out,
            counts: OutcomeCounts::default(),
            unshown: 0,
            private: 0,
            robots: 0,
            documents: 0,
            unchanged: None,
            files_left_out: 0,
            from_cache: CacheUse::default(),
            explanation: None,
            writers,
            is_json: asked.answer.is_json(),
            known,
            waiting: BTreeMap::new(),
            in_baseline: 0,
            in_grace: 0,
            has_failed: false,
            mended: (0, 0),
            kept: 0,
            progress,
        }
    }

    /// Shows how many URLs are judged, and which hosts are waited for.
    pub(super) fn progress(&self, done: usize, all: usize, waiting: &dyn Fn() -> Vec<String>) {
        self.progress.set_links((done as u64, all as u64), waiting);
    }

    /// Takes the verdicts of the links that a page has kept.
    ///
    /// The line of progress is hidden while results are written to the same terminal.
    pub(super) fn page(
        &mut self,
        site: &Site,
        page: &Page,
        verdicts: &[Verdict],
        mended: &MendedPage,
    ) -> io::Result<()> {
        let is_seen = self.out.is_terminal && self.writers.iter().any(Writer::is_seen);
        let is_mended = mended.is_written || !mended.diff.is_empty();
        let is_shown = is_mended || verdicts.iter().any(|verdict| self.shows(verdict) || self.is_json);
        match is_seen && is_shown {
            true => progress::aside(|| {
                self.take(site, page, verdicts, mended)?;
                self.out.flush()
            }),
            false => self.take(site, page, verdicts, mended),
        }
    }

    fn take(
        &mut self,
        site: &Site,
        page: &Page,
        verdicts: &[Verdict],
        mended: &MendedPage,
    ) -> io::Result<()> {
        self.counts.add_all(&page.counts);
        self.documents += 1;
        let fails = &self.asked.answer.fail_on;
        let is_counted = |one: &Outcome| page.counts.of(*one) > 0 && ChosenOutcomes::have(fails, *one);
        self.has_failed |= Outcome::ALL.iter().any(is_counted);
        let new = self.new_links(site, page, verdicts, mended);
        let judged = new.iter().map(|&NewLink { number, ref past, fails, is_repeated }| {
            let (link, verdict) = (&page.links[number], &verdicts[number]);
            let broken_since = match past {
                PastResult::Young(time) => Some(&**time),
                _ => None,
            };
            let mended = mended.link(number);
            CheckedLink { page, link, verdict, is_repeated, fails, broken_since, mended }
        });
        let judged: Vec<_> = judged.collect();
        self.has_failed |= judged.iter().any(|one| one.fails);
        if let Some(explanation) = &mut self.explanation {
            return explanation.page(self.out, site, page, &judged);
        }
        let all: Vec<_> = judged.iter().filter(|one| self.shows_to_programs(one.verdict)).collect();
        if !mended.diff.is_empty() {
            write_diff(self.out, &mended.diff)?;
        }
        let is_fixed =
            |one: &CheckedLink<'_>| mended.is_written && one.is_fixed() && !self.asked.answer.quiet;
        let is_shown = |one: &&CheckedLink<'_>| is_fixed(one) || self.shows(one.verdict) && !one.is_repeated;
        let mut sorted: Vec<_> = judged.iter().filter(is_shown).collect();
        sorted.sort_by_key(|one| if one.is_fixed() { Outcome::Ok } else { one.verdict.outcome() });
        let mut writers = self.writers.iter_mut();
        writers.try_for_each(|writer| writer.page(self.out, site, page, &all, &sorted))
    }

    /// Counts the links of a page, and returns those that are not in the baseline.
    fn new_links(
        &mut self,
        site: &Site,
        page: &Page,
        verdicts: &[Verdict],
        mended: &MendedPage,
    ) -> Vec<NewLink> {
        let mut new = Vec::new();
        for (number, (link, verdict)) in page.links.iter().zip(verdicts).enumerate() {
            let past = self.known.past(site, page, link, verdict);
            if past == PastResult::Known {
                self.in_baseline += 1;
                continue;
            }
            let outcome = outcome_of(number, verdict, mended);
            match outcome == verdict.outcome() {
                true => self.counts.add_code(verdict.code),
                false => self.counts.add(outcome),
            }
            self.in_grace += u64::from(past != PastResult::Nothing);
            self.private += u64::from(verdict.code == Code::Private);
            self.robots += u64::from(verdict.code == Code::Robots);
            self.unshown += u64::from(outcome == Outcome::Unknown && !self.shows(verdict));
            let is_kept = matches!(mended.link(number), Some(Err(_)));
            self.kept += u64::from(outcome == Outcome::Redirected && is_kept);
            let is_young = matches!(past, PastResult::Young(_));
            let fails = !is_young && ChosenOutcomes::have(&self.asked.answer.fail_on, outcome);
            // What fails is reported, each link.
            let is_repeated = !fails && self.is_repeated(site, page, link, verdict);
            new.push(NewLink { number, past, fails, is_repeated });
        }
        if mended.count() > 0 {
            self.mended = (self.mended.0 + mended.count(), self.mended.1 + 1);
        }
        new
    }

    /// Returns whether a link is not reported since its server asks to wait, which is reported once.
    fn is_repeated(&mut self, site: &Site, page: &Page, link: &PageLink, verdict: &Verdict) -> bool {
        if !verdict.code.is_of_waiting() || !self.asked.answer.show.is_empty() {
            return false;
        }
        let url = match (verdict.final_url(), &link.target) {
            (Some(url), _) => url.to_owned(),
            (None, LinkTarget::Url(url)) => site.urls.text(*url).to_string(),
            (None, _) => page.url(link).to_owned(),
        };
        let Some(origin) = origin_of(&url) else { return false };
        match self.waiting.get_mut(&origin) {
            Some(more) => {
                *more += 1;
                true
            }
            None => {
                self.waiting.insert(origin, 0);
                false
            }
        }
    }

    fn shows(&self, verdict: &Verdict) -> bool {
        let answer = &self.asked.answer;
        let outcome = verdict.outcome();
        match () {
            () if answer.quiet || self.asked.mend.diff => false,
            () if !answer.show.is_empty() => ChosenOutcomes::have(&answer.show, outcome),
            () => ChosenOutcomes::have(&answer.fail_on, outcome) || !verdict.code.is_ordinary(),
        }
    }

    /// Returns whether JSON has a link.
    fn shows_to_programs(&self, verdict: &Verdict) -> bool {
        let show = &self.asked.answer.show;
        show.is_empty() || ChosenOutcomes::have(show, verdict.outcome())
    }

    /// Writes since when URLs have been broken, if that is asked for.
    pub(super) fn write_known(&self) -> Result<(), CliError> {
        self.known.write()
    }

    /// Returns how many links do not decide about the exit status, and why.
    fn left_out(&self) -> Vec<String> {
        let (unchanged, repeated) = (self.unchanged.unwrap_or(0), self.waiting.values().sum::<u64>());
        let all = [
            (self.in_baseline, format!("{} in the baseline", grouped(self.in_baseline))),
            (self.in_grace, format!("{} within --grace", grouped(self.in_grace))),
            (repeated, format!("{} to servers that are reported once", plural(repeated, "other link"))),
            (unchanged, format!("the change does not concern {}", plural(unchanged, "other link"))),
        ];
        all.into_iter().filter(|(number, _)| *number > 0).map(|(_, words)| words).collect()
    }

    /// Writes the numbers, and returns the exit status. `has_files` says whether files were searched.
    pub(super) fn end(mut self, site: &Site, has_files: bool) -> Result<Status, CliError> {
        if let Some(explanation) = self.explanation.take() {
            self.progress.end();
            self.out.flush()?;
            return match explanation.end() {
                true => Ok(Status::of(!self.has_failed)),
                false => Err(CliError::Reported),
            };
        }
        let silenced = LeftOut::new(self.asked, &self.counts, self.files_left_out);
        let mut others = self.left_out();
        others.extend(silenced.words());
        let is_empty = self.counts.total() == 0 && self.left_out().is_empty();
        if self.from_cache.cached > 0 {
            let CacheUse { cached, all } = self.from_cache;
            let (known, all) = (grouped(cached), plural(all, "URL"));
            others.push(format!("{known} of {all} from the cache"));
        }
        self.progress.end();
        let answer = &self.asked.answer;
        let is_silent = answer.no_messages || answer.quiet || self.is_json;
        let place = plural(self.documents, if has_files { "file" } else { "page" });
        let notes = sites::notes(site, &self.counts);
        let numbers = Numbers {
            counts: &self.counts,
            place: &place,
            others: &others,
            silenced: &silenced,
            notes: &notes,
        };
        for writer in self.writers {
            writer.end(self.out, numbers, is_silent)?;
        }
        self.out.flush()?;
        if !is_silent && (self.documents > 0 || silenced.files > 0) {
            // A failure to write to standard error is ignored.
            let _ = write_total(numbers);
            let _ = write_notes(numbers);
            say_mended(self.asked, self.mended, self.kept);
            if self.private > 0 {
                let links = plural(self.private, "link");
                say_help(&format!("--private checks the {links} to private addresses"));
            }
            if self.robots > 0 {
                let links = plural(self.robots, "link");
                say_help(&format!("--ignore-robots checks the {links} that robots.txt disallows"));
            }
            if self.unshown > 0 {
                let more = plural(self.unshown, "unknown link");
                say_help(&format!("--show unknown prints {more}; --explain CODE says what a code means"));
            }
        }
        let has_failed = self.has_failed || answer.fail_on_empty && is_empty;
        Ok(Status::of(!has_failed))
    }
}

/// Returns the outcome of a link; one that is mended is good.
fn outcome_of(number: usize, verdict: &Verdict, mended: &MendedPage) -> Outcome {
    match mended.link(number) {
        Some(Ok(_)) if mended.is_written => Outcome::Ok,
        _ => verdict.outcome(),
    }
}

/// Says how many links of how many files are mended, and how many redirected ones are kept.
fn say_mended(asked: &LinksArgs, (links, files): (u64, u64), kept: u64) {
    let what = format!("{} in {}", plural(links, "link"), plural(files, "file"));
    match (&asked.mend, links) {
        (MendOptions { diff: true, .. }, 1..) => say_help(&format!("--fix instead of --diff fixes {what}")),
        (MendOptions { diff: true, .. }, 0) => say("no link can be fixed"),
        (MendOptions { fix: Some(_), .. }, 0) => say("no link was fixed"),
        (MendOptions { fix: Some(_), .. }, _) => say(&format!("{what} fixed")),
        _ => {}
    }
    if kept > 0 && !ChosenOutcomes::have(&asked.answer.show, Outcome::Redirected) {
        let links = plural(kept, "redirected link");
        say_help(&format!("--fix --show redirected says why {links} cannot be fixed"));
    }
}

/// Writes how many links have which outcome, and how many there are besides.
fn write_total(numbers: Numbers<'_>) -> io::Result<()> {
    let mut out = Output::messages();
    let paint = out.paint;
    let style = |outcome| match outcome {
        Outcome::Broken => BAD,
        Outcome::Refused | Outcome::Unknown => WARN,
        Outcome::Ok => GOOD,
        _ => Style::new(),
    };
    let painted = |outcome, text| paint.with(style(outcome), text).to_string();
    writeln!(out, "{}", numbers.line(&painted))?;
    out.flush()
}

/// Writes what was found of sites, and why links are unknown or skipped.
fn write_notes(numbers: Numbers<'_>) -> io::Result<()> {
    let mut out = Output::messages();
    for note in numbers.notes {
        paragraph::flow(&mut out, 0, 2, Style::new(), note)?;
    }
    out.flush()
}
