//! The walk over a tree: threads take one item after the other, list directories and save files, until nothing is
//! left. The item that was found last is taken first, so that a directory is done before the next one is listed.

use std::collections::HashSet;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use locator::{UriRef, UriRefBuf};

use super::client::{MirrorClient, MirrorEvent, MirrorSummary, NotAFile, SaveRequest};
use super::error::{MirrorError, SkipReason};
use super::folder::{Decision, Folder, is_newer};
use super::item::{DirectoryListing, ItemKind, ListingTrail, MirrorItem, Outcome};
use super::listing::{FtpListing, Lister, redirect_item};
use super::scope::Scope;
use super::settings::Settings;
use crate::protocols::entries::directory;
use crate::save::Existing;

/// How many URLs a walk finds at most: a server may make up menus without end.
const MOST_ITEMS: usize = 1_000_000;

/// The memory for the calls of a thread.
const STACK: usize = 1 << 20;

/// How many connections a walk uses for a server that has one login for each.
const MOST_LOGINS: usize = 8;

/// How many threads begin at once. A near server is fastest with a few, and a far one needs all that are wanted.
const FEW: usize = 4;

/// A further thread begins if no item is taken for this time.
const PATIENCE: Duration = Duration::from_millis(1);

/// Walks from a URL.
pub(super) fn walk<C: MirrorClient>(
    settings: &Settings,
    client: &C,
    url: UriRef<'_>,
) -> Result<MirrorSummary, C::Error> {
    let start = Lister { client, settings }.begin(url)?;
    let folder = match settings.lists_only {
        true => None,
        false => Some(Folder::create(&start.folder, settings.replaces, settings.newer)?),
    };
    let walk = Walk {
        settings,
        scope: start.scope,
        folder,
        has_facts: AtomicBool::new(start.has_facts),
        state: Mutex::default(),
        changed: Condvar::new(),
        grown: Condvar::new(),
        hasher: RandomState::new(),
        summary: Mutex::default(),
    };
    walk.add(client, 0, None, start.listing);
    walk.work(client);
    Ok(walk.summary.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// A walk, which several threads carry out.
struct Walk<'w> {
    settings: &'w Settings,
    scope: Scope,
    /// The folder; `None` if files are only reported.
    folder: Option<Folder>,
    /// Whether the ftp server may know `MLSD`.
    has_facts: AtomicBool,
    state: Mutex<State>,
    /// There are items for the threads, or the walk is over.
    changed: Condvar,
    /// The same for what begins threads.
    grown: Condvar,
    hasher: RandomState,
    summary: Mutex<MirrorSummary>,
}

/// What is left to do.
#[derive(Default)]
struct State {
    stack: Vec<MirrorItem>,
    /// How many items are being fetched.
    active: usize,
    /// How many items were taken.
    taken: u64,
    /// How many items were found.
    found: usize,
    /// Hashes of the directories that were found.
    seen: HashSet<u64>,
    /// Whether a limit was reported.
    is_limited: bool,
    is_over: bool,
}

impl State {
    /// Returns whether nothing is left to do.
    const fn is_done(&self) -> bool {
        self.is_over || self.active == 0 && self.stack.is_empty()
    }
}

impl Walk<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts what happened, and reports it.
    fn note<C: MirrorClient>(&self, client: &C, event: MirrorEvent<'_, C::Error>) {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner).count(&event);
        if client.note(event) == ControlFlow::Break(()) {
            self.lock().is_over = true;
        }
    }

    /// Fetches everything, by as many threads as are wanted.
    fn work<C: MirrorClient>(&self, client: &C) {
        let at_once = self.settings.at_once;
        let at_once = if self.scope.has_logins() { at_once.min(MOST_LOGINS) } else { at_once };
        if at_once <= 1 {
            return self.work_on(client);
        }
        thread::scope(|scope| {
            for threads in 0..at_once {
                if threads >= FEW && !self.needs_thread() {
                    return;
                }
                let own = client.for_thread();
                let thread = thread::Builder::new().stack_size(STACK);
                // With fewer threads it takes longer.
                if thread.spawn_scoped(scope, move || self.work_on(&own)).is_err() {
                    return self.work_on(client);
                }
            }
        });
    }

    /// Waits until there are items of which none is taken for a time; returns false if the walk is over.
    fn needs_thread(&self) -> bool {
        let mut state = self.lock();
        loop {
            if state.is_done() {
                return false;
            }
            if state.stack.is_empty() {
                state = self.grown.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let taken = state.taken;
            let waited = self.grown.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
            if waited.1.timed_out() && state.taken == taken && !state.is_done() {
                return true;
            }
        }
    }

    /// Ends an item; wakes what waits if it was the last one.
    fn end_item(&self) {
        let mut state = self.lock();
        state.active -= 1;
        if state.is_done() {
            drop(state);
            self.wake_all();
        }
    }

    fn wake_all(&self) {
        self.changed.notify_all();
        self.grown.notify_all();
    }

    /// Fetches one item after the other, until there are no more.
    fn work_on<C: MirrorClient>(&self, client: &C) {
        let guard = EndsInPanic(self);
        while let Some(item) = self.next() {
            match self.take(client, &item) {
                Ok(Outcome::Directory(listing)) => self.add(client, item.depth + 1, Some(&item), listing),
                Ok(outcome) => self.report(client, &item, outcome),
                Err(error) => self.note(client, MirrorEvent::Failed { url: item.url(), error }),
            }
            self.end_item();
        }
        drop(guard);
    }

    fn report<C: MirrorClient>(&self, client: &C, item: &MirrorItem, outcome: Outcome) {
        let event = match outcome {
            Outcome::Saved if self.folder.is_none() => MirrorEvent::Found(item),
            Outcome::Saved => MirrorEvent::Saved(item),
            Outcome::Present => MirrorEvent::Present(item),
            Outcome::LeftOut => MirrorEvent::LeftOut(item),
            Outcome::Skipped(reason) => skipped(item.url.as_str(), reason, false),
            Outcome::Lost(reason) => skipped(item.url.as_str(), reason, true),
            // Its items are reported.
            Outcome::Directory(_) => return,
        };
        self.note(client, event);
    }

    /// Waits for an item; `None` if there will be no more.
    fn next(&self) -> Option<MirrorItem> {
        let mut state = self.lock();
        loop {
            if state.is_done() {
                return None;
            }
            if let Some(item) = state.stack.pop() {
                state.active += 1;
                state.taken += 1;
                return Some(item);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Fetches an item.
    fn take<C: MirrorClient>(&self, client: &C, item: &MirrorItem) -> Result<Outcome, C::Error> {
        if let Some(why) = item.refused.filter(|_| self.folder.is_some()) {
            return Ok(Outcome::Lost(SkipReason::Name(why)));
        }
        match item.kind {
            ItemKind::Directory => self.list(client, item).map(Outcome::Directory),
            // Only listing it shows what it is.
            ItemKind::Unknown if self.folder.is_none() || !self.settings.patterns.allow(&item.name) => {
                match self.list(client, item) {
                    Ok(listing) => Ok(Outcome::Directory(listing)),
                    Err(_) => self.take_file(client, item),
                }
            }
            _ => self.take_file(client, item),
        }
    }

    fn take_file<C: MirrorClient>(&self, client: &C, item: &MirrorItem) -> Result<Outcome, C::Error> {
        if !self.settings.patterns.allow(&item.name) {
            return Ok(Outcome::LeftOut);
        }
        match &self.folder {
            None => Ok(Outcome::Saved),
            Some(folder) => self.save(client, folder, item),
        }
    }

    /// Lists a directory.
    fn list<C: MirrorClient>(&self, client: &C, item: &MirrorItem) -> Result<DirectoryListing, C::Error> {
        let (url, lister) = (item.url.as_uri_ref(), Lister { client, settings: self.settings });
        let listing = match &self.scope {
            Scope::Ftp => {
                let may_have_facts = self.has_facts.load(Ordering::Relaxed);
                let FtpListing { listing, has_facts } =
                    lister.list_ftp(url, &item.path, may_have_facts, false)?;
                self.has_facts.store(has_facts, Ordering::Relaxed);
                listing
            }
            Scope::File => lister.list_local_below(item, self.folder.as_ref())?,
            Scope::Gopher(..) => lister.list_menu(&self.scope, url, false)?,
            Scope::Http(..) => lister.list_page(&self.scope, item)?,
        };
        if let Some(folder) = &self.folder {
            folder.directory(&item.path)?;
        }
        Ok(listing)
    }

    /// Saves a file, unless it is there already. What is not known to be one may be a directory, whose items are
    /// returned.
    fn save<C: MirrorClient>(
        &self,
        client: &C,
        folder: &Folder,
        item: &MirrorItem,
    ) -> Result<Outcome, C::Error> {
        let file = folder.file(item)?;
        if !self.settings.names.is_new(&file) {
            return Ok(Outcome::Lost(SkipReason::NameTaken));
        }
        let saved = self.save_to(client, folder, item, &file);
        if !matches!(saved, Ok(Outcome::Saved | Outcome::Present)) {
            self.settings.names.forget(&file);
        }
        match saved {
            // It is what the listing did not say.
            Ok(Outcome::Directory(listing)) if listing.is_unknown => self.list_unknown(client, item),
            saved => saved,
        }
    }

    fn save_to<C: MirrorClient>(
        &self,
        client: &C,
        folder: &Folder,
        item: &MirrorItem,
        file: &Path,
    ) -> Result<Outcome, C::Error> {
        let found = fs::symlink_metadata(file).ok();
        let is_directory = found.as_ref().is_some_and(fs::Metadata::is_dir);
        if is_directory && matches!(self.scope, Scope::Http(..)) {
            return Ok(Outcome::Skipped(SkipReason::DirectoryHasName));
        }
        if is_directory && item.kind == ItemKind::Unknown {
            return Ok(Outcome::Directory(DirectoryListing::unknown()));
        }
        let mut since: Option<SystemTime> = None;
        let existing = match folder.decide(file, found.as_ref(), item)? {
            Decision::Keep => return Ok(Outcome::Present),
            Decision::Differs => return Ok(Outcome::Skipped(SkipReason::OtherSize(file.into()))),
            Decision::Fetch(existing) => existing,
            Decision::AskIfNewer(own, is_newer_by_list) => {
                if self.is_unchanged(client, item, own, is_newer_by_list) {
                    return Ok(Outcome::Present);
                }
                since = Some(own);
                Existing::Replace
            }
            Decision::FetchIfNewer(own) => {
                if matches!(self.scope, Scope::Gopher(..)) {
                    return Ok(Outcome::Skipped(SkipReason::NoTimes));
                }
                if self.is_unchanged(client, item, own, true) {
                    return Ok(Outcome::Present);
                }
                since = Some(own);
                Existing::Replace
            }
        };
        let request = SaveRequest { item, path: file, existing, since };
        Ok(match client.save(&request)? {
            None => Outcome::Saved,
            Some(NotAFile::Unchanged) => Outcome::Present,
            Some(NotAFile::Redirect(target)) => Outcome::Directory(redirect_item(&self.scope, item, &target)),
            Some(NotAFile::Listing) if request.is_link() => Outcome::Skipped(SkipReason::LinkToDirectory),
            Some(NotAFile::Listing) => Outcome::Directory(DirectoryListing::unknown()),
        })
    }

    /// Returns whether a file of ftp was not changed after this time; `is_newer_by_list` counts if the server does
    /// not say when. HTTP has a condition for it.
    fn is_unchanged<C: MirrorClient>(
        &self,
        client: &C,
        item: &MirrorItem,
        own: SystemTime,
        is_newer_by_list: bool,
    ) -> bool {
        if !matches!(self.scope, Scope::Ftp) {
            return false;
        }
        let modified = client.last_modified(item.url());
        !modified.map_or(is_newer_by_list, |modified| is_newer(modified, Some(own)))
    }

    fn list_unknown<C: MirrorClient>(&self, client: &C, item: &MirrorItem) -> Result<Outcome, C::Error> {
        let most = self.settings.levels;
        if item.depth + 1 >= most {
            return Ok(Outcome::Skipped(SkipReason::TooDeep(most)));
        }
        let url = directory(item.url.as_uri_ref()).map_err(MirrorError::Unlisted)?;
        let (url, path) = (UriRefBuf::from(url), item.path.clone());
        let directory = MirrorItem::new(url, path, &item.name, ItemKind::Directory);
        self.list(client, &directory).map(Outcome::Directory)
    }

    /// Adds the items of a directory at a depth, and reports what is not followed.
    fn add<C: MirrorClient>(
        &self,
        client: &C,
        depth: u32,
        directory: Option<&MirrorItem>,
        listing: DirectoryListing,
    ) {
        let above = directory.and_then(|directory| directory.trail.as_ref());
        let trail = ListingTrail::extend(above, &listing, &self.hasher);
        if let (Some(directory), None) = (directory, &trail)
            && self.may_have_loops(&listing)
        {
            return self.note(client, skipped(directory.url.as_str(), SkipReason::LeadsUp, false));
        }
        for one in listing.skipped {
            self.note(client, skipped(&one.url, one.reason, one.is_lost));
        }
        let Refused { too_deep, beyond_limit } = self.push(depth, &trail, listing.items);
        for item in too_deep {
            let reason = SkipReason::TooDeep(self.settings.levels);
            self.note(client, skipped(item.url.as_str(), reason, false));
        }
        if let Some(item) = beyond_limit {
            let error = MirrorError::TooManyUrls.into();
            self.note(client, MirrorEvent::Failed { url: item.url(), error });
        }
        self.wake_all();
    }

    /// Puts items on the stack, unless they were found before.
    fn push(&self, depth: u32, trail: &Option<Arc<ListingTrail>>, items: Vec<MirrorItem>) -> Refused {
        let mut refused = Refused::default();
        let mut state = self.lock();
        // The first item is taken first.
        for mut item in items.into_iter().rev() {
            (item.depth, item.trail) = (depth, trail.clone());
            let is_directory = item.kind == ItemKind::Directory;
            if is_directory && depth + 1 >= self.settings.levels {
                refused.too_deep.push(item);
                continue;
            }
            let may_come_again = is_directory || self.scope.has_many_ways();
            if may_come_again && !state.seen.insert(self.hasher.hash_one(item.key())) {
                continue;
            }
            if state.found < MOST_ITEMS {
                state.found += 1;
                state.stack.push(item);
            } else if !std::mem::replace(&mut state.is_limited, true) {
                refused.beyond_limit = Some(item);
            }
        }
        refused
    }

    /// Returns whether a link to a directory may be in a listing without being shown as a link.
    fn may_have_loops(&self, listing: &DirectoryListing) -> bool {
        let has_unknown = || listing.items.iter().any(|item| item.kind == ItemKind::Unknown);
        self.scope.has_many_ways() || self.scope.has_logins() && has_unknown()
    }
}

const fn skipped<E>(url: &str, reason: SkipReason, is_lacking: bool) -> MirrorEvent<'_, E> {
    MirrorEvent::Skipped { url, reason, is_lacking }
}

/// What is not put on the stack.
#[derive(Default)]
struct Refused {
    /// Directories that are too deep.
    too_deep: Vec<MirrorItem>,
    /// The first item that is one too many.
    beyond_limit: Option<MirrorItem>,
}

/// Ends the walk if a thread panics: the others would wait for it.
struct EndsInPanic<'w, 's>(&'w Walk<'s>);

impl Drop for EndsInPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().is_over = true;
            self.0.wake_all();
        }
    }
}
