//! What a mirror fetches with: a [`MirrorClient`] carries out its requests, and hears what happens. Programs that have
//! logins, retries or a progress of their own implement it; [`FetcherClient`] is the one of a
//! [`blocking::Fetcher`](crate::blocking::Fetcher).

use std::fmt::{self, Debug, Display, Formatter};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use locator::plan::{Listing, Options, Resumption};
use locator::{UriRef, UriRefBuf};

use super::error::{MirrorError, SkipReason};
use super::item::{ItemKind, MirrorItem};
use crate::blocking::{Fetcher, Response};
use crate::protocols::entries::is_list;
use crate::run::resume::{Proof, Resume};
use crate::save::{Existing, PartialSave, SaveError, resume_point};
#[cfg(feature = "http")]
use crate::time::date::fmt_http_date;
use crate::time::date::timestamp;

/// What a mirror fetches with, by [`Mirror::run_with`](super::Mirror::run_with). Several threads use it at the same
/// time.
pub trait MirrorClient: Send + Sync + Sized {
    /// Why something was not fetched or saved.
    type Error: From<MirrorError>;

    /// Returns the client of another thread, such as one with connections of its own.
    #[must_use]
    fn for_thread(&self) -> Self;

    /// Requests a directory, a menu or a page.
    ///
    /// # Errors
    ///
    /// It was not fetched. Of the directory that the mirror begins with that ends the mirror; of others it is
    /// reported.
    fn list(&self, request: &ListRequest<'_>) -> Result<Response, Self::Error>;

    /// Asks the server when a file was changed last; `None` if it does not say.
    fn last_modified(&self, url: UriRef<'_>) -> Option<SystemTime>;

    /// Requests a file, and saves the response. If the response is [not a file](SaveRequest::not_a_file), says what
    /// it is, and saves nothing; `None` is a file that was saved.
    ///
    /// # Errors
    ///
    /// It was not fetched or not saved, which is reported.
    fn save(&self, request: &SaveRequest<'_>) -> Result<Option<NotAFile>, Self::Error>;

    /// Hears what happened; `Break` ends the mirror.
    fn note(&self, event: MirrorEvent<'_, Self::Error>) -> ControlFlow<()>;
}

/// A request for a directory, a menu or a page with links.
#[derive(Clone, Copy)]
pub struct ListRequest<'a> {
    pub(super) url: UriRef<'a>,
    pub(super) form: Listing,
    pub(super) is_first: bool,
}

impl ListRequest<'_> {
    /// Returns the URL.
    #[must_use]
    pub fn url(&self) -> UriRef<'_> {
        self.url
    }

    /// Returns the form of the listing of FTP.
    #[must_use]
    pub const fn form(&self) -> Listing {
        self.form
    }

    /// Returns whether redirects are followed: only of the URL that the mirror begins with. What others redirect to
    /// may be outside of it.
    #[must_use]
    pub const fn follows_redirects(&self) -> bool {
        self.is_first
    }
}

impl Debug for ListRequest<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut request = f.debug_struct("ListRequest");
        request.field("url", &crate::redact::Url(self.url)).field("is_first", &self.is_first);
        request.finish_non_exhaustive()
    }
}

/// A request for a file, to be saved. Redirects are not followed: they may lead out of the mirror.
#[derive(Clone, Copy, Debug)]
pub struct SaveRequest<'a> {
    pub(super) item: &'a MirrorItem,
    pub(super) path: &'a Path,
    pub(super) existing: Existing,
    pub(super) since: Option<SystemTime>,
}

/// A file of at most so many octets is fetched again rather than resumed.
const SHORT: u64 = 64 << 10;

impl SaveRequest<'_> {
    /// Returns the URL.
    #[must_use]
    pub fn url(&self) -> UriRef<'_> {
        self.item.url()
    }

    /// Returns the file to save to, whose directory is there.
    #[must_use]
    pub const fn path(&self) -> &Path {
        self.path
    }

    /// Returns what is done about a file that exists.
    #[must_use]
    pub const fn existing(&self) -> Existing {
        self.existing
    }

    /// Returns the time since when the file must have changed on a server of HTTP: `If-Modified-Since`.
    #[must_use]
    pub const fn since(&self) -> Option<SystemTime> {
        self.since
    }

    /// Returns where an earlier run ended that has begun to save the file.
    #[must_use]
    pub fn resume_point(&self) -> Option<Resume> {
        let may_resume = self.existing == Existing::Resume;
        may_resume.then(|| resume_point(self.path, self.url())).flatten()
    }

    /// Returns whether FTP is to ask for size and time first, so that a later run can resume: not for a short file,
    /// or one whose listing states both.
    #[must_use]
    pub fn needs_proof(&self) -> bool {
        !self.item.is_exact && self.item.size.is_none_or(|size| size > SHORT)
    }

    /// Returns what proves in a later run that the file is unchanged: by the response, or by the listing, which says
    /// what `SIZE` and `MDTM` of FTP would.
    #[must_use]
    pub fn proof(&self, response: &Response) -> Proof {
        match response.proof() {
            proof if proof.last_modified.is_none() && self.item.is_exact => self.proof_of_listing(),
            proof => proof.clone(),
        }
    }

    fn proof_of_listing(&self) -> Proof {
        let time = self.item.modified.and_then(timestamp).unwrap_or_default();
        let digits: String = time.chars().filter(char::is_ascii_digit).collect();
        let proof = Proof::default().last_modified(digits);
        self.item.size.into_iter().fold(proof, Proof::length)
    }

    /// Returns the time of the last change, by the response or by the listing, which the saved file gets:
    /// [`Download::set_time_if_possible`](crate::save::Download::set_time_if_possible).
    #[must_use]
    pub fn modified(&self, response: &Response) -> Option<SystemTime> {
        response.proof().modified().or(self.item.modified)
    }

    /// Returns what a response is that is not a file to be saved.
    #[must_use]
    pub fn not_a_file(&self, response: &Response) -> Option<NotAFile> {
        if response.status() == Some(304) {
            return Some(NotAFile::Unchanged);
        }
        if let Some(target) = redirect_target(response) {
            return Some(NotAFile::Redirect(target));
        }
        is_list(response.kind()).then_some(NotAFile::Listing)
    }

    pub(super) fn is_link(&self) -> bool {
        self.item.kind == ItemKind::Link
    }
}

/// A response in place of a file.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub enum NotAFile {
    /// The file has not changed since that time.
    Unchanged,
    /// A redirect to this URL.
    Redirect(UriRefBuf),
    /// The listing of a directory.
    Listing,
}

impl Debug for NotAFile {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unchanged => f.write_str("Unchanged"),
            Self::Redirect(url) => {
                f.debug_tuple("Redirect").field(&crate::redact::Url(url.as_uri_ref())).finish()
            }
            Self::Listing => f.write_str("Listing"),
        }
    }
}

/// Returns the target of a redirect that was not followed.
#[cfg(not(feature = "http"))]
pub(super) const fn redirect_target(_: &Response) -> Option<UriRefBuf> {
    None
}

/// Returns the target of a redirect that was not followed.
#[cfg(feature = "http")]
pub(super) fn redirect_target(response: &Response) -> Option<UriRefBuf> {
    let head = response.head().filter(|head| head.status / 100 == 3)?;
    Some(head.redirect_target(response.url())?.into())
}

/// What happened in a mirror. `Debug` shows no secret of a URL.
#[non_exhaustive]
pub enum MirrorEvent<'a, E = MirrorError> {
    /// A file was saved.
    Saved(&'a MirrorItem),
    /// A file was found, of a mirror that only [lists](super::Mirror::list_only).
    Found(&'a MirrorItem),
    /// A file is there already.
    Present(&'a MirrorItem),
    /// The name of a file is not one of those that are wanted.
    LeftOut(&'a MirrorItem),
    /// Something is not followed.
    #[non_exhaustive]
    Skipped {
        /// Its URL, or the name of what has none.
        url: &'a str,
        /// Why.
        reason: SkipReason,
        /// Whether it is a file or a directory that the mirror lacks because of its name.
        is_lacking: bool,
    },
    /// A file or a directory was not fetched or not saved.
    #[non_exhaustive]
    Failed {
        /// Its URL.
        url: UriRef<'a>,
        /// Why.
        error: E,
    },
}

impl<E: Debug> Debug for MirrorEvent<'_, E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Saved(item) => f.debug_tuple("Saved").field(item).finish(),
            Self::Found(item) => f.debug_tuple("Found").field(item).finish(),
            Self::Present(item) => f.debug_tuple("Present").field(item).finish(),
            Self::LeftOut(item) => f.debug_tuple("LeftOut").field(item).finish(),
            Self::Skipped { url, reason, is_lacking } => {
                let url = locator_audit::redacted(url).to_string();
                let mut skipped = f.debug_struct("Skipped");
                skipped.field("url", &url).field("reason", reason).field("is_lacking", is_lacking).finish()
            }
            Self::Failed { url, error } => f
                .debug_struct("Failed")
                .field("url", &crate::redact::Url(*url))
                .field("error", error)
                .finish(),
        }
    }
}

/// How many files were saved, and how many were not.
///
/// ```
/// use locator_fetch::mirror::MirrorSummary;
///
/// let summary = MirrorSummary::default();
/// assert!(summary.is_complete());
/// assert_eq!(summary.to_string(), "0 files saved");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MirrorSummary {
    /// Files that were saved, or found by a mirror that only lists.
    pub saved: u64,
    /// Files that are there already.
    pub present: u64,
    /// Files whose names are not wanted.
    pub left_out: u64,
    /// What is not followed.
    pub skipped: u64,
    /// Those of them that the mirror lacks because of their names.
    pub lacking: u64,
    /// Files and directories that were not fetched or not saved.
    pub failed: u64,
}

impl MirrorSummary {
    /// Returns whether all files are here that are wanted and that can be here.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.failed == 0 && self.lacking == 0
    }

    pub(super) fn count<E>(&mut self, event: &MirrorEvent<'_, E>) {
        match event {
            MirrorEvent::Saved(_) | MirrorEvent::Found(_) => self.saved += 1,
            MirrorEvent::Present(_) => self.present += 1,
            MirrorEvent::LeftOut(_) => self.left_out += 1,
            MirrorEvent::Skipped { is_lacking, .. } => {
                self.skipped += 1;
                self.lacking += u64::from(*is_lacking);
            }
            MirrorEvent::Failed { .. } => self.failed += 1,
        }
    }
}

/// Writes what happened: `12 files saved, 3 skipped, 1 failed`.
impl Display for MirrorSummary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} saved", self.saved, if self.saved == 1 { "file" } else { "files" })?;
        let others = [
            (self.present, "already there"),
            (self.left_out, "left out"),
            (self.skipped, "skipped"),
            (self.failed, "failed"),
        ];
        others
            .iter()
            .filter(|(count, _)| *count > 0)
            .try_for_each(|(count, how)| write!(f, ", {count} {how}"))
    }
}

/// What listens to the events of a mirror.
pub(super) type Listener = dyn Fn(MirrorEvent<'_>) + Send + Sync;

/// The client of a fetcher.
pub(super) struct FetcherClient<'m> {
    fetcher: Fetcher,
    /// The one that follows no redirects.
    unfollowing: Fetcher,
    listener: Option<&'m Listener>,
    /// Whether the mirror is to end.
    is_stopped: &'m AtomicBool,
}

impl<'m> FetcherClient<'m> {
    pub(super) fn new(fetcher: &Fetcher, listener: Option<&'m Listener>, is_stopped: &'m AtomicBool) -> Self {
        let fetcher = fetcher.expecting_reuse();
        let unfollowing = fetcher.following_no_redirects();
        Self { fetcher, unfollowing, listener, is_stopped }
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

impl MirrorClient for FetcherClient<'_> {
    type Error = MirrorError;

    fn for_thread(&self) -> Self {
        let (fetcher, unfollowing) = (self.fetcher.separate(), self.unfollowing.separate());
        Self { fetcher, unfollowing, ..*self }
    }

    fn list(&self, request: &ListRequest<'_>) -> Result<Response, MirrorError> {
        let fetcher = if request.follows_redirects() { &self.fetcher } else { &self.unfollowing };
        let form = request.form();
        let set = |options: &mut Options<'_>| options.listing = form;
        Ok(fetcher.request(request.url()).with_options(set).send()?)
    }

    fn last_modified(&self, url: UriRef<'_>) -> Option<SystemTime> {
        let set = |options: &mut Options<'_>| options.head = true;
        let head = self.unfollowing.request(url).with_options(set).send();
        head.ok()?.proof().modified()
    }

    fn save(&self, request: &SaveRequest<'_>) -> Result<Option<NotAFile>, MirrorError> {
        let resumption = if request.needs_proof() { Resumption::Prepared } else { Resumption::Off };
        let set = |options: &mut Options<'_>| options.resumption = resumption;
        let mut to_send = self.unfollowing.request(request.url()).with_options(set);
        #[cfg(feature = "http")]
        if let Some(since) = request.since() {
            to_send = to_send.header("If-Modified-Since", fmt_http_date(since));
        }
        if let Some(resume) = request.resume_point() {
            to_send = to_send.resume(resume);
        }
        let mut response = to_send.send()?;
        if let Some(instead) = request.not_a_file(&response) {
            return Ok(Some(instead));
        }
        let proof = request.proof(&response);
        let mut file = PartialSave::create(request.path(), request.existing())?;
        request.modified(&response).into_iter().for_each(|time| file.set_time_if_possible(time));
        let mut file = file.begin(request.url(), response.resumed_from(), &proof)?;
        loop {
            match response.chunk() {
                Ok(_) if self.is_stopped() => {
                    file.keep();
                    return Err(SaveError::Stopped(request.path().into()).into());
                }
                Ok(Some(octets)) => file = file.with(&octets)?,
                Ok(None) => break,
                Err(error) => {
                    file.keep();
                    return Err(error.into());
                }
            }
        }
        file.finish()?;
        Ok(None)
    }

    fn note(&self, event: MirrorEvent<'_>) -> ControlFlow<()> {
        if self.is_stopped() {
            return ControlFlow::Break(());
        }
        if let Some(listener) = self.listener {
            listener(event);
        }
        ControlFlow::Continue(())
    }
}
