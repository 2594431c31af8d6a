//! Walks (`-r`): fetches a directory, a menu or a page of links with everything below it into a folder.
//!
//! [`site`] says what is below a URL: it lists directories of FTP, menus of Gopher, pages of HTTP and
//! directories of this machine. [`scope`] says what is outside of the start, which is not followed, and which
//! names `--accept` and `--reject` leave out. [`folder`] names the files and says which are there already, and
//! [`save`] fetches the others. [`state`] has the options and what is left to do, and counts what happened.

mod folder;
mod save;
mod scope;
mod site;
mod state;

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use locator_fetch::blocking::Fetcher;

use self::folder::Folder;
use self::folder::{Item, ItemKind, Listing, Outcome, Trail};
use self::scope::Patterns;
use self::state::Tally;
use self::state::Walk;
use super::error::TransferError;
use super::urls::Urls;
use super::verdict::Verdict;
use super::write_out::TransferRecord;
use crate::exit::{CliError, Status};
use crate::input::Input;
use crate::output::Output;
use crate::output::progress::Progress;
use crate::report::Reports;
use crate::run::{self, Answer};

pub(super) use self::state::{WalkArgs, Walking};

/// How many URLs a walk finds at most: a server may make up menus without end.
const MOST_ITEMS: usize = 1_000_000;

/// The memory for the calls of a thread.
const STACK: usize = 1 << 20;

/// How many connections a walk uses for a server that has one login for each.
const MOST_LOGINS: usize = 8;

/// Walks from every input.
pub(super) fn run<'a>(
    walking: Walking<'a>,
    verdict: Verdict<'a>,
    out: &mut Output,
) -> Result<Verdict<'a>, CliError> {
    let getter = walking.getter;
    let mut urls = Urls { getter, inner: Walks { walking, verdict } };
    run::run(getter.inputs, &mut urls, out)?;
    Ok(urls.inner.verdict)
}

struct Walks<'a> {
    walking: Walking<'a>,
    verdict: Verdict<'a>,
}

impl Answer for Walks<'_> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        match self.walking.walk(input, out, &mut self.verdict.reports) {
            Ok(tally) => {
                tally.summarize(self.verdict.reports.is_silent());
                let status = self.verdict.judge_walk(tally.failed + tally.lost, tally.could_not);
                tally.written.map(|()| status)
            }
            Err(trouble) => self.verdict.report(input, Err(trouble), TransferRecord::default(), out),
        }
    }

    fn judge(&mut self, _: Input<'_>) -> Status {
        // `--quiet` is refused.
        Status::NotValid
    }
}

impl<'a> Walking<'a> {
    /// Walks from the URL of an input; the reports are those of the run.
    fn walk(
        &self,
        input: Input<'_>,
        out: &mut Output,
        reports: &mut Reports,
    ) -> Result<Tally, TransferError> {
        let begun = site::begin(self, input)?;
        let urls = self.getter.to.only_urls.then(|| out.again());
        let folder = match &urls {
            Some(_) => None,
            None => Some(Folder::create(&begun.folder, self.getter.to.replaces(), self.args.newer)?),
        };
        let walk = Walk {
            walking: self,
            scope: begun.scope,
            folder,
            patterns: Patterns::new(&self.args.accept, &self.args.reject),
            has_facts: AtomicBool::new(begun.has_facts),
            state: Mutex::default(),
            changed: Condvar::new(),
            hasher: RandomState::new(),
            tally: Mutex::new(Tally::new(std::mem::take(reports), out.errors(), urls)),
        };
        walk.listed(0, None, begun.listing);
        walk.work(self.at_once);
        let mut tally = walk.tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        *reports = tally.take_reports();
        Ok(tally)
    }
}

impl Walk<'_, '_> {
    /// Fetches everything, by so many threads.
    fn work(&self, at_once: usize) {
        let at_once = if self.scope.has_logins() { at_once.min(MOST_LOGINS) } else { at_once };
        if at_once <= 1 {
            return self.work_on(self.walking.fetcher);
        }
        thread::scope(|scope| {
            for _ in 0..at_once {
                let fetcher = self.walking.fetcher.separate();
                let thread = thread::Builder::new().stack_size(STACK);
                // With fewer threads it takes longer.
                if thread.spawn_scoped(scope, move || self.work_on(&fetcher)).is_err() {
                    break;
                }
            }
            self.work_on(self.walking.fetcher);
        });
    }

    /// Fetches one item after the other, until there are no more.
    fn work_on(&self, fetcher: &Fetcher) {
        let guard = EndsInPanic(self);
        while let Some(item) = self.next() {
            let outcome = self.take(fetcher, &item);
            let directory = match outcome {
                Ok(Outcome::Directory(listing)) => Some(listing),
                outcome => {
                    self.count(&outcome);
                    let written = self.tally().note(&item, outcome);
                    self.lock().is_over |= !written;
                    None
                }
            };
            if let Some(listing) = directory {
                self.listed(item.depth + 1, Some(&item), listing);
            }
            self.lock().active -= 1;
            self.changed.notify_all();
        }
        drop(guard);
    }

    /// Counts a file for the progress.
    fn count(&self, outcome: &Result<Outcome, TransferError>) {
        let Some(progress) = self.walking.getter.progress.as_ref().filter(|_| self.folder.is_some()) else {
            return;
        };
        let counts = progress.counts();
        match outcome {
            Ok(Outcome::Saved | Outcome::Present) => Progress::add(&counts.files, 1),
            Ok(_) => {}
            Err(_) => Progress::add(&counts.failed, 1),
        }
    }

    /// Waits for an item; `None` if there will be no more.
    fn next(&self) -> Option<Item> {
        let mut state = self.lock();
        loop {
            if state.is_over {
                return None;
            }
            if let Some(item) = state.stack.pop() {
                state.active += 1;
                return Some(item);
            }
            if state.active == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Fetches an item.
    fn take(&self, fetcher: &Fetcher, item: &Item) -> Result<Outcome, TransferError> {
        if let Some(why) = item.refused.filter(|_| self.folder.is_some()) {
            return Ok(Outcome::Lost(why.to_string()));
        }
        match item.kind {
            ItemKind::Directory => self.list(fetcher, item).map(Outcome::Directory),
            // Only listing it shows what it is.
            ItemKind::Unknown if self.folder.is_none() || !self.patterns.allow(&item.name) => {
                match self.list(fetcher, item) {
                    Ok(listing) => Ok(Outcome::Directory(listing)),
                    Err(_) => self.take_file(fetcher, item),
                }
            }
            _ => self.take_file(fetcher, item),
        }
    }

    fn take_file(&self, fetcher: &Fetcher, item: &Item) -> Result<Outcome, TransferError> {
        if !self.patterns.allow(&item.name) {
            return Ok(Outcome::LeftOut);
        }
        match &self.folder {
            None => Ok(Outcome::Saved),
            Some(folder) => self.save(fetcher, folder, item),
        }
    }

    /// Adds the items of a directory at a depth, and reports what is not followed.
    fn listed(&self, depth: u32, directory: Option<&Item>, listing: Listing) {
        let mut tally = self.tally();
        let above = directory.and_then(|directory| directory.trail.as_ref());
        let trail = Trail::extend(above, &listing, &self.hasher);
        if let (Some(directory), None) = (directory, &trail)
            && self.may_have_loops(&listing)
        {
            let why = "its listing is that of a directory above it, so it leads back up";
            return tally.skip(directory.url.as_str(), why);
        }
        listing.skipped.iter().for_each(|(url, why)| tally.skip(url, why));
        tally.lost += listing.lost;
        let most = self.most_levels();
        let mut state = self.lock();
        // The first item is taken first.
        for mut item in listing.items.into_iter().rev() {
            (item.depth, item.trail) = (depth, trail.clone());
            let is_directory = item.kind == ItemKind::Directory;
            if is_directory && depth + 1 >= most {
                tally.skip(item.url.as_str(), &format!("it is deeper than --level {most}"));
                continue;
            }
            if (is_directory || self.scope.has_many_ways())
                && !state.seen.insert(self.hasher.hash_one(item.key()))
            {
                continue;
            }
            if state.found >= MOST_ITEMS {
                if !std::mem::replace(&mut state.is_limited, true) {
                    tally.fail(
                        &item.url,
                        "a walk finds at most 1,000,000 URLs; this one and others are left out",
                    );
                }
                continue;
            }
            state.found += 1;
            state.stack.push(item);
        }
        self.changed.notify_all();
    }
}

/// Ends the walk if a thread panics: the others would wait for it.
struct EndsInPanic<'w, 's, 'a>(&'w Walk<'s, 'a>);

impl Drop for EndsInPanic<'_, '_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().is_over = true;
            self.0.changed.notify_all();
        }
    }
}
