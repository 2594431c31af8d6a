//! Saves a file of a walk, unless it is there already.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::time::SystemTime;

use locator::UriRefBuf;
use locator::plan::Resumption;
use locator_fetch::blocking::{Fetcher, Response};
use locator_fetch::entries::{directory, is_list};
use locator_fetch::save::Existing;
use locator_fetch::{Proof, timestamp};

use super::folder::{Decision, Folder, is_newer};
use super::folder::{Item, ItemKind, Listing, Outcome};
use super::scope::Scope;
use super::site;
use super::state::Walk;
use crate::report::failure::Failure;
use crate::verbs::get::destination::file_error;
use crate::verbs::get::download::Part;
use crate::verbs::get::error::TransferError;
use crate::verbs::get::getter::Wanted;

/// A file of at most so many octets is fetched again rather than resumed.
const SHORT: u64 = 64 << 10;

impl Walk<'_, '_> {
    /// Saves a file. What is not known to be one may be a directory, whose items are returned.
    pub(super) fn save(
        &self,
        fetcher: &Fetcher,
        folder: &Folder,
        item: &Item,
    ) -> Result<Outcome, TransferError> {
        let file = folder.file(item)?;
        if !self.walking.getter.files.is_new_name(file.as_encoded_bytes()) {
            return Ok(Outcome::Lost("another URL of this walk has the same file name".into()));
        }
        let saved = self.save_to(fetcher, folder, item, &file);
        if !matches!(saved, Ok(Outcome::Saved | Outcome::Present)) {
            self.walking.getter.files.forget(file.as_encoded_bytes());
        }
        match saved {
            // It is what the listing did not say.
            Ok(Outcome::Directory(listing)) if listing.is_unknown => self.list_unknown(fetcher, item),
            saved => saved,
        }
    }

    fn save_to(
        &self,
        fetcher: &Fetcher,
        folder: &Folder,
        item: &Item,
        file: &OsString,
    ) -> Result<Outcome, TransferError> {
        let is_directory = fs::symlink_metadata(file).is_ok_and(|found| found.is_dir());
        if is_directory && matches!(self.scope, Scope::Http(..)) {
            return Ok(Outcome::Skipped("a directory that was saved has its name".into()));
        }
        if is_directory && item.kind == ItemKind::Unknown {
            return Ok(Outcome::Directory(Listing { is_unknown: true, ..Listing::default() }));
        }
        let (mut since, mut is_newer_by_list) = (None, true);
        let existing = match folder.decide(file, item)? {
            Decision::Keep => return Ok(Outcome::Present),
            Decision::Differs(why) => return Ok(Outcome::Skipped(why)),
            Decision::Fetch(existing) => existing,
            Decision::AskIfNewer(own, listed) => {
                since = Some(own);
                is_newer_by_list = listed;
                Existing::Replace
            }
            Decision::FetchIfNewer(own) => {
                if matches!(self.scope, Scope::Gopher(..)) {
                    return Ok(Outcome::Skipped("it is there, and gopher states no times".into()));
                }
                since = Some(own);
                Existing::Replace
            }
        };
        let name = Some(file.clone()).filter(|_| existing == Existing::Resume);
        self.walking.getter.walked(fetcher, item.url.as_uri_ref(), name, |mut wanted| {
            if matches!(self.scope, Scope::Ftp)
                && since.is_some_and(|own| !self.has_changed(&wanted, own, is_newer_by_list))
            {
                return Ok(Outcome::Present);
            }
            wanted.since = since;
            if wanted.resume.is_none() && (item.is_exact || item.size.is_some_and(|size| size <= SHORT)) {
                wanted.options.resumption = Resumption::Off;
            }
            wanted.replan();
            let fetched = self.walking.getter.fetch(&wanted, None)?;
            match self.instead(&fetched, item) {
                Some(outcome) => Ok(outcome),
                None => self.write(file, existing, &wanted, fetched, item),
            }
        })
    }

    /// Returns whether a file of ftp was changed after this time; `otherwise` if the server does not say when.
    fn has_changed(&self, wanted: &Wanted<'_>, own: SystemTime, otherwise: bool) -> bool {
        let head = self.walking.getter.head(wanted);
        let modified = head.ok().and_then(|head| head.proof().modified());
        modified.map_or(otherwise, |modified| is_newer(modified, Some(own)))
    }

    /// Returns what came of an item that is not a file to be written.
    fn instead(&self, fetched: &Response, item: &Item) -> Option<Outcome> {
        if fetched.status() == Some(304) {
            return Some(Outcome::Present);
        }
        if let Some(target) = site::target(fetched) {
            return Some(Outcome::Directory(self.redirected(item, &target)));
        }
        if !is_list(fetched.kind()) {
            return None;
        }
        Some(match item.kind {
            ItemKind::Link => Outcome::Skipped("it is a symbolic link to a directory".into()),
            _ => Outcome::Directory(Listing { is_unknown: true, ..Listing::default() }),
        })
    }

    fn list_unknown(&self, fetcher: &Fetcher, item: &Item) -> Result<Outcome, TransferError> {
        let most = self.most_levels();
        if item.depth + 1 >= most {
            return Ok(Outcome::Skipped(format!("it is deeper than --level {most}")));
        }
        let url = directory(item.url.as_uri_ref());
        let url = url.map_err(|why| Failure::other("file", why.to_string()))?;
        let directory = Item::new(UriRefBuf::from(url), item.path.clone(), &item.name, ItemKind::Directory);
        self.list(fetcher, &directory).map(Outcome::Directory)
    }

    fn write(
        &self,
        file: &OsStr,
        existing: Existing,
        wanted: &Wanted<'_>,
        fetched: Response,
        item: &Item,
    ) -> Result<Outcome, TransferError> {
        let getter = self.walking.getter;
        if let Some(failure) = getter.too_large(&fetched) {
            return Err(failure.into());
        }
        let delivery = getter.delivery(wanted);
        let mut part = Part::create(file, existing).map_err(file_error)?;
        // The listing says what `SIZE` and `MDTM` would.
        let proof = match fetched.proof() {
            proof if proof.last_modified.is_none() && item.is_exact => proof_of(item),
            proof => proof.clone(),
        };
        let modified = fetched.proof().modified().or(item.modified);
        delivery.begin_with(&mut part, (wanted.given(), wanted.resume.as_ref()), &fetched, &proof)?;
        if let Err(trouble) = delivery.put_to_file(fetched, part) {
            self.tally().remark(delivery.note.take());
            return Err(trouble);
        }
        if let Some(modified) = modified {
            let opened = fs::File::options().write(true).open(file);
            // A file system without times has none.
            let _ = opened.and_then(|file| file.set_modified(modified));
        }
        Ok(Outcome::Saved)
    }
}

/// Returns what `SIZE` and `MDTM` would reply, by the listing.
fn proof_of(item: &Item) -> Proof {
    let time = item.modified.and_then(timestamp).unwrap_or_default();
    let digits: String = time.chars().filter(char::is_ascii_digit).collect();
    let proof = Proof::default().last_modified(digits);
    item.size.into_iter().fold(proof, Proof::length)
}
