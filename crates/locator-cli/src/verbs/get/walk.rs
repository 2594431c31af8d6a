//! Walks (`-r`): fetches a directory, a menu or a page of links with everything below it into a folder.
//!
//! `locator_fetch::mirror` walks over the tree, and says what is skipped and why. This module has the options
//! ([`WalkArgs`]), fetches by the [`Getter`] with its logins, retries and progress ([`WalkClient`]), and reports what
//! happens ([`Tally`]): what is skipped, errors, and a summary.

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use clap::Args;
use locator::UriRef;
use locator::plan::Resumption;
use locator_fetch::blocking::{Fetcher, Response};
use locator_fetch::mirror::{
    ListRequest, Mirror, MirrorClient, MirrorError, MirrorEvent, NotAFile, SaveRequest, SkipReason,
};
use locator_fetch::save::Existing;
use locator_web::report::quantity::grouped;

use super::destination::file_error;
use super::download::{Part, quoted_path, save_sentence};
use super::error::{Failed, TransferError};
use super::getter::Getter;
use super::urls::Urls;
use super::verdict::Verdict;
use super::write_out::TransferRecord;
use crate::exit::{CliError, Status, say};
use crate::input::{Input, Origin};
use crate::output::progress::Progress;
use crate::output::{Output, progress};
use crate::report::Reports;
use crate::report::failure::Failure;
use crate::report::reports::plural;
use crate::run::{self, Answer};
use crate::terminal::visible::legible;

/// The options of walks.
#[derive(Args, Debug)]
pub(super) struct WalkArgs {
    /// Fetch a directory with everything below it
    #[arg(short, long, conflicts_with_all = NOT_WITH)]
    recursive: bool,
    /// With -r, save only files whose names match: "*.iso,*.txt", or end with: ".iso,.txt"
    #[arg(long, value_name = "PATTERNS", requires = "recursive")]
    accept: Vec<String>,
    /// With -r, do not save files whose names match
    #[arg(long, value_name = "PATTERNS", requires = "recursive")]
    reject: Vec<String>,
    /// With -r, descend DEPTH directories; 1 is the given one alone. The default is 100
    #[arg(short, long, value_name = "DEPTH", requires = "recursive")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    level: Option<u32>,
    /// With -r, fetch an existing file again if the server's is newer or of another size
    #[arg(long, requires = "recursive")]
    newer: bool,
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

impl WalkArgs {
    pub(super) const fn is_wanted(&self) -> bool {
        self.recursive
    }
}

/// What all walks of a run have.
#[derive(Clone, Copy)]
pub(super) struct Walking<'a> {
    pub(super) getter: &'a Getter<'a>,
    pub(super) args: &'a WalkArgs,
    /// The fetcher that does not follow redirects, which may lead out of the start.
    pub(super) fetcher: &'a Fetcher,
    pub(super) at_once: usize,
}

/// Walks from every input.
pub(super) fn run<'a>(
    walking: Walking<'a>,
    verdict: Verdict<'a>,
    out: &mut Output,
) -> Result<Verdict<'a>, CliError> {
    let getter = walking.getter;
    let mut urls = Urls { getter, inner: Walks { walking, mirror: walking.mirror(), verdict } };
    run::run(getter.inputs, &mut urls, out)?;
    Ok(urls.inner.verdict)
}

struct Walks<'a> {
    walking: Walking<'a>,
    /// The settings of all walks. No two URLs are saved to the same file.
    mirror: Mirror<Fetcher>,
    verdict: Verdict<'a>,
}

impl Answer for Walks<'_> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        match self.walking.walk(&self.mirror, input, out, &mut self.verdict.reports) {
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

impl Walking<'_> {
    fn mirror(&self) -> Mirror<Fetcher> {
        let Self { getter, args, .. } = self;
        let mut mirror = Mirror::new(&getter.fetcher)
            .edition(getter.edition)
            .at_once(self.at_once)
            .list_only(getter.to.only_urls)
            .replace(getter.to.replaces())
            .newer(args.newer);
        if let Some(level) = args.level {
            mirror = mirror.depth(level);
        }
        mirror = args.accept.iter().fold(mirror, |mirror, patterns| mirror.accept(patterns));
        args.reject.iter().fold(mirror, |mirror, patterns| mirror.reject(patterns))
    }

    /// Walks from the URL of an input; the reports are those of the run.
    fn walk(
        &self,
        mirror: &Mirror<Fetcher>,
        input: Input<'_>,
        out: &mut Output,
        reports: &mut Reports,
    ) -> Result<Tally, TransferError> {
        let getter = self.getter;
        let url = getter.url(input.octets)?;
        let mut mirror = mirror.clone();
        if let Some(folder) = getter.to.folder(&getter.globs.nth(input.number))? {
            mirror = mirror.to(folder);
        }
        let urls = getter.to.only_urls.then(|| out.again());
        let tally = Mutex::new(Tally::new(std::mem::take(reports), out.errors(), urls));
        let client = WalkClient { walking: self, fetcher: self.fetcher.clone(), tally: &tally };
        let walked = mirror.run_with(&client, url.as_uri_ref());
        drop(client);
        let mut tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        *reports = tally.take_reports();
        match walked {
            Ok(_) => Ok(tally),
            Err(trouble) => Err(not_a_directory(url.as_uri_ref(), trouble)),
        }
    }
}

/// Adds to the error of an ftp server that finds no directory that it may be a file.
fn not_a_directory(url: UriRef<'_>, trouble: TransferError) -> TransferError {
    let scheme = url.scheme().map(|scheme| scheme.lowercase().to_string()).unwrap_or_default();
    match trouble {
        TransferError::Failed(failed) if failed.is_said && matches!(&*scheme, "ftp" | "ftps") => {
            let why = format!("{}; -r needs a directory, and -O saves a file", failed.why);
            TransferError::Failed(Failed { why: Failure::other("missing", why), ..failed })
        }
        trouble => trouble,
    }
}

/// Fetches what a walk finds, as the options say.
struct WalkClient<'w, 'a> {
    walking: &'w Walking<'a>,
    /// The fetcher that does not follow redirects.
    fetcher: Fetcher,
    tally: &'w Mutex<Tally>,
}

impl MirrorClient for WalkClient<'_, '_> {
    type Error = TransferError;

    fn for_thread(&self) -> Self {
        Self { fetcher: self.fetcher.separate(), ..*self }
    }

    fn list(&self, request: &ListRequest<'_>) -> Result<Response, TransferError> {
        let getter = self.walking.getter;
        let fetcher = if request.follows_redirects() { &getter.fetcher } else { &self.fetcher };
        getter.walked(fetcher, request.url(), None, |mut wanted| {
            wanted.options.listing = request.form();
            wanted.replan();
            Ok(getter.fetch(&wanted, None)?)
        })
    }

    fn last_modified(&self, url: UriRef<'_>) -> Option<SystemTime> {
        let getter = self.walking.getter;
        let asked = getter.walked(&self.fetcher, url, None, |wanted| Ok(getter.head(&wanted)?));
        asked.ok().and_then(|head| head.proof().modified())
    }

    fn save(&self, request: &SaveRequest<'_>) -> Result<Option<NotAFile>, TransferError> {
        let getter = self.walking.getter;
        let file = request.path().as_os_str();
        let name = Some(file.to_owned()).filter(|_| request.existing() == Existing::Resume);
        getter.walked(&self.fetcher, request.url(), name, |mut wanted| {
            wanted.since = request.since();
            if wanted.resume.is_none() && !request.needs_proof() {
                wanted.options.resumption = Resumption::Off;
            }
            wanted.replan();
            let fetched = getter.fetch(&wanted, None)?;
            if let Some(instead) = request.not_a_file(&fetched) {
                return Ok(Some(instead));
            }
            if let Some(failure) = getter.too_large(&fetched) {
                return Err(failure.into());
            }
            let delivery = getter.delivery(&wanted);
            let mut part = Part::create(file, request.existing()).map_err(file_error)?;
            request.modified(&fetched).into_iter().for_each(|time| part.set_time_if_possible(time));
            let proof = request.proof(&fetched);
            delivery.begin_with(&mut part, (wanted.given(), wanted.resume.as_ref()), &fetched, &proof)?;
            if let Err(trouble) = delivery.put_to_file(fetched, part) {
                self.tally.lock().unwrap_or_else(PoisonError::into_inner).remark(delivery.note.take());
                return Err(trouble);
            }
            Ok(None)
        })
    }

    fn note(&self, event: MirrorEvent<'_, TransferError>) -> ControlFlow<()> {
        let getter = self.walking.getter;
        if let Some(progress) = getter.progress.as_ref().filter(|_| !getter.to.only_urls) {
            let counts = progress.counts();
            match event {
                MirrorEvent::Saved(_) | MirrorEvent::Present(_) => Progress::add(&counts.files, 1),
                MirrorEvent::Failed { .. } => Progress::add(&counts.failed, 1),
                _ => {}
            }
        }
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).note(event)
    }
}

/// Says why something is not followed, with the option that changes it.
fn why_skipped(reason: &SkipReason) -> String {
    match reason {
        SkipReason::TooDeep(most) => format!("it is deeper than --level {most}"),
        SkipReason::OtherSize(path) => format!(
            "{} has another size than the file on the server; use --newer or --clobber to replace it",
            quoted_path(path)
        ),
        reason => reason.to_string(),
    }
}

impl From<MirrorError> for TransferError {
    fn from(error: MirrorError) -> Self {
        let refused = |why: &str| Failure::other("not-supported-here", why.into()).into();
        match error {
            MirrorError::Fetch(error) => error.into(),
            MirrorError::Save(error) => file_error(save_sentence(&error)).into(),
            MirrorError::Scheme => refused("-r fetches ftp, ftps, gopher, file, http and https URLs only"),
            MirrorError::NotADirectory => refused("the URL is a file, not a directory; use -O to save it"),
            MirrorError::NotOfTypeMenu => refused("the URL is not a menu (type 1); use -O to save a file"),
            MirrorError::LongListing | MirrorError::TooManyUrls => {
                Failure::other("too-much", error.to_string()).into()
            }
            MirrorError::FolderName(_) => {
                file_error(format!("{error}; use -o FOLDER to name the folder")).into()
            }
            MirrorError::CreateFolder(path, error) => {
                file_error(format!("the folder {} cannot be created: {error}", quoted_path(&path))).into()
            }
            MirrorError::NotAFolder(path) => {
                file_error(format!("{} is not a directory", quoted_path(&path))).into()
            }
            MirrorError::NotAFile(path) => {
                file_error(format!("{} is not a regular file", quoted_path(&path))).into()
            }
            other => refused(&other.to_string()),
        }
    }
}

/// What happened, counted.
struct Tally {
    reports: Reports,
    errors: Output,
    /// Where the URLs of files are printed, if they are not saved.
    urls: Option<Output>,
    saved: u64,
    present: u64,
    left_out: u64,
    skipped: u64,
    failed: u64,
    /// How many of those that are skipped have no name here.
    lost: u64,
    /// Whether a file could not be fetched for another reason than that a server refused it.
    could_not: bool,
    /// Whether the URLs could be printed.
    written: io::Result<()>,
}

impl Tally {
    fn new(reports: Reports, errors: Output, urls: Option<Output>) -> Self {
        let (saved, present, left_out, skipped, failed, lost, could_not) = (0, 0, 0, 0, 0, 0, false);
        let written = Ok(());
        Self { reports, errors, urls, saved, present, left_out, skipped, failed, lost, could_not, written }
    }

    fn take_reports(&mut self) -> Reports {
        std::mem::take(&mut self.reports)
    }

    /// Counts what came of an item, and reports it unless that is what was asked for. `Break` if the URLs cannot be
    /// printed.
    fn note(&mut self, event: MirrorEvent<'_, TransferError>) -> ControlFlow<()> {
        match event {
            MirrorEvent::Saved(_) => self.saved += 1,
            MirrorEvent::Found(item) => {
                self.saved += 1;
                if let Some(urls) = &mut self.urls {
                    self.written = writeln!(urls, "{}", item.url().as_str()).and_then(|()| urls.flush());
                }
            }
            MirrorEvent::Present(_) => self.present += 1,
            MirrorEvent::LeftOut(_) => self.left_out += 1,
            MirrorEvent::Skipped { url, reason, is_lacking, .. } => {
                self.lost += u64::from(is_lacking);
                self.skip(url, &why_skipped(&reason));
            }
            MirrorEvent::Failed { error: TransferError::Writing(error), .. } => self.written = Err(error),
            MirrorEvent::Failed {
                url, error: TransferError::Failed(Failed { why, is_said, .. }), ..
            } => {
                self.could_not |= !is_said;
                self.report(url, &why);
            }
            MirrorEvent::Failed {
                url,
                error: TransferError::Incomplete(why) | TransferError::Beside(why),
                ..
            } => self.report(url, &why),
            // The library says nothing else yet.
            _ => {}
        }
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Reports what is not followed.
    fn skip(&mut self, url: &str, why: &str) {
        self.skipped += 1;
        if !self.reports.is_silent() {
            let url = locator::Redacted::new(url).to_string();
            progress::aside(|| say(&format!("skipped {}: {why}", legible(&url))));
        }
    }

    /// Prints a note about a file that failed.
    fn remark(&mut self, note: Option<String>) {
        if let Some(note) = note.filter(|_| !self.reports.is_silent()) {
            progress::aside(|| say(&note));
        }
    }

    fn report(&mut self, url: UriRef<'_>, why: &Failure) {
        self.failed += 1;
        let octets = url.as_str().as_bytes();
        let number = self.failed;
        let input = Input { octets, number, origin: Origin::Link, alone: true, list: None, column: None };
        let (reports, errors) = (&mut self.reports, &mut self.errors);
        progress::aside(|| reports.report(errors, input, why));
    }

    /// Says what happened: `12 files saved, 3 skipped, 1 failed`.
    fn summarize(&self, is_silent: bool) {
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
