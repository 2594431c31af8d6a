//! What a walk has: its options, what is left to do, and what it has found.

use std::collections::HashSet;
use std::hash::RandomState;
use std::sync::atomic::AtomicBool;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use clap::Args;
use locator_fetch::blocking::Fetcher;

use super::folder::Folder;
use super::item::{Item, ItemKind, Listing};
use super::patterns::Patterns;
use super::scope::Scope;
use super::tally::Tally;
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
