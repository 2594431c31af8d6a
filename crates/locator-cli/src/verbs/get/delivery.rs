//! Writes a response body: to standard output, to a file, or into a JSON object; and decides whether it may be
//! saved to a file: not a directory, a redirect or a response without content.

use std::cell::{Cell, RefCell};
use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use locator::plan::{Object, ObjectKind, Plan, Step};
use locator::scheme::FtpUrl;
use locator::{Edition, PctStr, UriRef};
use locator_fetch::blocking::Response;
use locator_fetch::entries::is_list;
use locator_fetch::run::{self, FailureKind, Whole};
use locator_fetch::{FetchError, Proof, ResponseHead, Resume};

use super::destination::{Destination, file_error};
use super::download::Part;
use super::error::TransferError;
use super::json::{Content, FetchedObject};
use super::print::Printing;
use super::retry::{GoOn, Reading};
use super::{print, response_heads};
use crate::arguments::config::ServerWord;
use crate::exit::say;
use crate::input::Input;
use crate::output::Output;
use crate::output::progress::Progress;
use crate::report::failure::Failure;
use crate::report::reports::plural;
use crate::run::interrupt::Unwritten;

/// Fetches what a server prints for people of the directory of this URL.
type Describe<'a> = Box<dyn Fn(UriRef<'_>) -> Option<Vec<u8>> + 'a>;

/// How a response is written.
pub(super) struct Delivery<'a> {
    pub(super) to: &'a Destination,
    /// The edition that writes the URLs of listings.
    pub(super) edition: &'static Edition,
    /// How many bytes are read per second.
    pub(super) rate: Option<usize>,
    pub(super) news_server: Option<&'a ServerWord>,
    /// The most results that a search was asked for, if it was given.
    pub(super) max_hits: Option<u16>,
    /// Whether neither progress nor notes are shown.
    pub(super) is_silent: bool,
    /// Whether no notes are shown with `-v` either.
    pub(super) has_no_remarks: bool,
    pub(super) hides_progress: bool,
    /// Whether the headers of responses are written.
    pub(super) writes_heads: bool,
    /// Whether nothing else is.
    pub(super) writes_only_heads: bool,
    /// The progress of all transfers, if they are parallel.
    pub(super) progress: Option<&'a Progress>,
    /// Resumes the transfer if the connection is lost.
    pub(super) go_on: RefCell<Option<GoOn<'a>>>,
    /// Fetches what a server prints for people of a directory, if the kinds of entries are wanted.
    pub(super) describe: Option<Describe<'a>>,
    /// What the progress calls this transfer.
    pub(super) label: String,
    /// Whether the body has the length that the response states.
    pub(super) shows_length: bool,
    /// The number of bytes that were written.
    pub(super) octets: Cell<u64>,
    /// Whether a file is complete.
    pub(super) is_saved: Cell<bool>,
    /// What a user should know besides the error.
    pub(super) note: Cell<Option<String>>,
    /// The error of a listing that was written.
    pub(super) lacks: Cell<Option<TransferError>>,
}

/// Why there are no headers.
const NOTHING_KNOWN: &str = "the server states neither the size nor the time of the file";

/// The most bytes of a listing, and of a body in JSON.
const LONGEST: usize = 64 << 20;

impl Delivery<'_> {
    /// Begins to write a file; notes whether the download of an earlier run resumes.
    pub(super) fn begin(
        &self,
        part: &mut Part,
        at: (UriRef<'_>, Option<&Resume>),
        fetched: &Response,
    ) -> Result<(), Failure> {
        // A file that begins with headers cannot be resumed.
        let proof = if self.writes_heads { &Proof::default() } else { fetched.proof() };
        self.begin_with(part, at, fetched, proof)
    }

    /// The same for a file of which this is known.
    pub(super) fn begin_with(
        &self,
        part: &mut Part,
        (given, resume): (UriRef<'_>, Option<&Resume>),
        fetched: &Response,
        proof: &Proof,
    ) -> Result<(), Failure> {
        if part.has_left() && !self.is_silent {
            say(&match fetched.resumed_from() {
                0 => format!("starting over: {}", why_not_resumed(resume, fetched)),
                from => format!("resuming after {}", plural(from, "byte")),
            });
        }
        part.begin(given, fetched.resumed_from(), proof).map_err(file_error)
    }

    /// Reads a body and drops it.
    pub(super) fn drain(&self, fetched: Response) -> Result<(), TransferError> {
        if let Some(lister) = self.list_of(&fetched) {
            let (body, _) = self.read(fetched)?;
            self.lacks.set(lister.lacks(&body));
            return lister.error(&body).map_or(Ok(()), Err);
        }
        self.each(fetched, Passing::default(), |_| Ok(())).map(drop)
    }

    /// Writes a response.
    pub(super) fn put(
        &self,
        fetched: Response,
        part: Option<Part>,
        out: &mut Output,
    ) -> Result<(), TransferError> {
        if self.writes_heads {
            let heads = response_heads::of(fetched.hops(), fetched.head());
            if !heads.is_empty() {
                return self.put_with_heads(&heads, fetched, part, out);
            }
            if self.writes_only_heads {
                let heads = response_heads::of_ftp(&fetched)
                    .ok_or_else(|| Failure::other("no-head", NOTHING_KNOWN.into()))?;
                return self.put_with_heads(&heads, fetched, part, out);
            }
        }
        match part {
            Some(part) => self.put_to_file(fetched, part).map(drop),
            None => self.print(fetched, out),
        }
    }

    /// Writes a body to its file, a listing as lines.
    pub(super) fn put_to_file(
        &self,
        fetched: Response,
        mut part: Part,
    ) -> Result<(Whole, u64), TransferError> {
        let Some(mut lister) = self.list_of(&fetched) else { return self.write_file(fetched, part) };
        let (body, whole) = match self.read(fetched) {
            Ok(read) => read,
            Err(trouble) => {
                part.discard();
                return Err(trouble);
            }
        };
        self.describe(&mut lister);
        self.lacks.set(lister.lacks(&body));
        let written = Printing::new(&lister, self.to.only_urls).end(&body, &mut part);
        let length = part.length();
        if let Err(trouble) = written {
            let trouble = in_file(trouble, &part);
            part.discard();
            return Err(trouble);
        }
        self.finish(part)?;
        Ok((whole, length))
    }

    /// Writes headers, and the body unless only they are wanted.
    fn put_with_heads(
        &self,
        heads: &[u8],
        fetched: Response,
        part: Option<Part>,
        out: &mut Output,
    ) -> Result<(), TransferError> {
        match part {
            Some(mut part) => {
                part.write_all(heads).map_err(|error| file_error(part.cannot_write(&error)))?;
                self.write_file(fetched, part).map(drop)
            }
            None => {
                response_heads::write(heads, out)?;
                if self.writes_only_heads { Ok(out.flush()?) } else { self.print(fetched, out) }
            }
        }
    }

    /// Prints the headers of the responses before an error.
    pub(super) fn put_heads_before(&self, error: &FetchError, out: &mut Output) -> Result<(), TransferError> {
        if self.writes_heads {
            response_heads::write(&response_heads::of(error.hops(), error.head()), out)?;
        }
        Ok(out.flush()?)
    }

    /// Writes a body to standard output.
    fn print(&self, fetched: Response, out: &mut Output) -> Result<(), TransferError> {
        if !has_content(&fetched) {
            out.flush()?;
            return self.drain(fetched);
        }
        if let Some(lister) = self.list_of(&fetched) {
            return self.print_list(fetched, lister, out);
        }
        let is_forced = self.to.is_named();
        if !out.is_terminal || is_forced {
            let mut ends_line = true;
            // The body is not written into the line of progress.
            let result = self.each(fetched, Passing::to(out), |piece| match piece {
                Piece::Octets(octets) => {
                    ends_line = octets.ends_with(b"\n");
                    Ok(out.write_all(octets)?)
                }
                Piece::Wait => Ok(out.flush()?),
            });
            // An error is not written into the line of the body.
            if result.is_err() && out.is_terminal && !ends_line {
                writeln!(out)?;
            }
            return result.map(drop);
        }
        let mut text = print::Text::new(fetched.object(), fetched.charset());
        let result = self.each(fetched, Passing::to(out), |piece| {
            let Piece::Octets(octets) = piece else { return Ok(out.flush()?) };
            if text.refuses(octets) {
                let why = "binary data is not printed to a terminal; use -o FILE to save it, or -o - to print \
                           it anyway";
                return Err(Failure::other("binary", why.into()).into());
            }
            Ok(text.write(octets, out)?)
        });
        // The last line ends before an error, too.
        text.end(out)?;
        out.flush()?;
        result.map(drop)
    }

    /// Writes the entries of a listing to standard output as they arrive.
    fn print_list(
        &self,
        fetched: Response,
        mut lister: print::Lister,
        out: &mut Output,
    ) -> Result<(), TransferError> {
        if self.describe.is_some() && lister.may_be_described() {
            let (body, _) = self.read(fetched)?;
            self.describe(&mut lister);
            self.lacks.set(lister.lacks(&body));
            return Printing::new(&lister, self.to.only_urls).end(&body, out);
        }
        let mut body = Vec::new();
        let mut printing = Printing::new(&lister, self.to.only_urls);
        self.each(fetched, Passing::to(out), |piece| match piece {
            Piece::Wait => Ok(printing.lines(&body, out)?),
            octets @ Piece::Octets(_) => append_within_limit(&mut body, octets),
        })?;
        self.lacks.set(lister.lacks(&body));
        printing.end(&body, out)
    }

    fn write_file(&self, fetched: Response, mut part: Part) -> Result<(Whole, u64), TransferError> {
        let mut count = fetched.resumed_from();
        let result = self.each(fetched, Passing::TO_FILE, |piece| {
            let Piece::Octets(octets) = piece else { return Ok(()) };
            count += octets.len() as u64;
            part.write_all(octets).map_err(|error| file_error(part.cannot_write(&error)).into())
        });
        match result {
            Ok(whole) => {
                self.finish(part)?;
                Ok((whole, count))
            }
            Err(trouble) => {
                // A write that failed may have written a part of a piece.
                let count = part.length();
                let can_go_on = count > 0 && part.keep();
                if count == 0 {
                    part.discard();
                } else if !self.is_silent {
                    let how = if can_go_on { "; use -C - to resume" } else { "" };
                    self.note.set(Some(format!("{}{how}", part.first_bytes(count))));
                }
                Err(trouble)
            }
        }
    }

    /// Renames the complete file.
    fn finish(&self, part: Part) -> Result<(), TransferError> {
        part.finish().map_err(file_error)?;
        self.is_saved.set(true);
        Ok(())
    }

    /// Returns the JSON object of a response.
    pub(super) fn object<'a>(
        &self,
        input: Input<'a>,
        edition: &'a str,
        fetched: Response,
        part: Option<Part>,
    ) -> Result<FetchedObject<'a>, TransferError> {
        let object = FetchedObject::new(input.octets, edition, &fetched);
        if let Some(part) = part {
            let name = part.whole_name();
            let (whole, octets) = self.put_to_file(fetched, part)?;
            return Ok(object.with(Content::File(name), whole, octets));
        }
        if !has_content(&fetched) {
            let whole = self.each(fetched, Passing::default(), |_| Ok(()))?;
            return Ok(object.with(Content::Text(String::new()), whole, 0));
        }
        let mut lister = self.list_of(&fetched);
        let mut octets = Vec::new();
        let whole = self.each(fetched, Passing::TO_FILE, |piece| append_within_limit(&mut octets, piece))?;
        lister.iter_mut().for_each(|lister| self.describe(lister));
        let content = match lister {
            Some(lister) => {
                self.lacks.set(lister.lacks(&octets));
                let entries = lister.objects(&octets);
                lister.remark_on_count(&octets);
                if let Some(said) = lister.error(&octets) {
                    return Err(said);
                }
                Content::Entries(entries)
            }
            None => Content::of(&octets),
        };
        Ok(object.with(content, whole, octets.len() as u64))
    }

    /// Adds what a server prints for people to a listing of names, if the kinds of entries are wanted.
    fn describe(&self, lister: &mut print::Lister) {
        if let Some(describe) = &self.describe {
            lister.describe(describe);
        }
    }

    fn list_of(&self, fetched: &Response) -> Option<print::Lister> {
        if self.to.raw {
            return None;
        }
        let lister = print::Lister::of(fetched.object(), fetched.url(), self.edition, self.news_server)?;
        Some(lister.max_hits(self.max_hits).silent(self.has_no_remarks))
    }

    /// Reads a body into memory.
    fn read(&self, fetched: Response) -> Result<(Vec<u8>, Whole), TransferError> {
        let mut octets = Vec::new();
        let whole = self.each(fetched, Passing::TO_FILE, |piece| append_within_limit(&mut octets, piece))?;
        Ok((octets, whole))
    }

    /// Passes on the pieces of a body, no faster than `--limit-rate`.
    fn each(
        &self,
        fetched: Response,
        passing: Passing,
        mut take: impl FnMut(Piece<'_>) -> Result<(), TransferError>,
    ) -> Result<Whole, TransferError> {
        let is_hidden = self.is_silent || self.hides_progress || self.progress.is_some();
        let shows_own = passing.shows_progress && !is_hidden;
        let (length, from) = (fetched.content_length().filter(|_| self.shows_length), fetched.resumed_from());
        let own = Progress::of_transfer(shows_own, self.label.clone(), length, from);
        let counts = self.progress.unwrap_or(&own).counts();
        let mut pace = Pace::new(self.rate);
        let lines = self.has_local_lines(&fetched).then(LocalLines::default);
        let mut reading = Reading::new(fetched, self.go_on.take());
        let mut unwritten = Unwritten::default();
        let mut ends = lines;
        loop {
            let mut flush = || {
                take(Piece::Wait)?;
                unwritten.written();
                Ok(())
            };
            let octets = match passing.is_buffered {
                true => reading.chunk(Some(&mut flush)),
                false => reading.chunk(None),
            };
            let Some(octets) = octets? else { break };
            unwritten.received();
            let local = ends.as_mut().map(|ends| ends.take(&octets));
            let written = local.as_deref().unwrap_or(&octets);
            take(Piece::Octets(written))?;
            self.octets.set(self.octets.get() + written.len() as u64);
            Progress::add(&counts.octets, octets.len() as u64);
            if self.rate.is_some() || Unwritten::run_ends() {
                take(Piece::Wait)?;
                unwritten.written();
            }
            if !passing.is_buffered {
                unwritten.written();
            }
            pace.wait(octets.len());
        }
        if ends.is_some_and(LocalLines::ends_with_cr) {
            take(Piece::Octets(b"\r"))?;
            self.octets.set(self.octets.get() + 1);
        }
        take(Piece::Wait)?;
        Ok(reading.whole().unwrap_or(Whole::Unverified))
    }

    /// Returns whether a body is a text of ftp in the form of the network: "the receiver will convert the
    /// data from the standard form to his own internal form" (RFC 959, 3.1.1.1).
    fn has_local_lines(&self, fetched: &Response) -> bool {
        let is_ftp = FtpUrl::of(fetched.url()).is_ok();
        is_ftp && fetched.kind() == ObjectKind::Text && !self.to.raw && !cfg!(windows)
    }
}

/// Converts the line ends of the network, CR LF, to those of this machine, LF.
#[derive(Default)]
struct LocalLines {
    /// Whether a CR was read whose LF may follow.
    has_cr: bool,
}

impl LocalLines {
    fn take(&mut self, octets: &[u8]) -> Vec<u8> {
        let mut converted = Vec::with_capacity(octets.len() + 1);
        for &octet in octets {
            if std::mem::take(&mut self.has_cr) && octet != b'\n' {
                converted.push(b'\r');
            }
            match octet {
                b'\r' => self.has_cr = true,
                _ => converted.push(octet),
            }
        }
        converted
    }

    /// Returns whether a CR at the end of the text is not written yet.
    const fn ends_with_cr(self) -> bool {
        self.has_cr
    }
}

/// Returns why the download of an earlier run does not resume; `resume` is what is known of it.
fn why_not_resumed(resume: Option<&Resume>, fetched: &Response) -> &'static str {
    let Some(Resume { proof: old, .. }) = resume else {
        return "no ETag or date of the file was recorded for this URL";
    };
    let new = fetched.proof();
    let has_changed = differ(&old.etag, &new.etag)
        || differ(&old.last_modified, &new.last_modified)
        || differ(&old.length, &new.length);
    let same = |one: Option<&str>, other: Option<&str>| one.is_some() && one == other;
    let is_same = same(old.strong_etag(), new.strong_etag())
        || same(old.strong_last_modified(), new.last_modified.as_deref());
    match fetched.status() {
        _ if has_changed => "the file has changed on the server",
        Some(200) if is_same => "the server ignores the range and sends the whole file",
        _ => "the server does not prove that the file is unchanged",
    }
}

/// Returns whether two values are known and not the same.
fn differ<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
    one.is_some() && other.is_some() && one != other
}

/// Returns whether a response has content that is to be written. "205 […] MUST NOT generate content" (RFC
/// 9110, 15.3.6).
fn has_content(fetched: &Response) -> bool {
    fetched.status() != Some(205)
}

/// How a body is passed on.
#[derive(Clone, Copy, Default)]
struct Passing {
    shows_progress: bool,
    /// Whether the pieces may be in a buffer, which is flushed before the next one is waited for.
    is_buffered: bool,
}

impl Passing {
    /// To a file, or to memory.
    const TO_FILE: Self = Self { shows_progress: true, is_buffered: false };

    /// To standard output. A body at a terminal is not written into the line of progress.
    const fn to(out: &Output) -> Self {
        Self { shows_progress: !out.is_terminal, is_buffered: true }
    }
}

/// A piece of a body.
enum Piece<'o> {
    /// The next bytes.
    Octets(&'o [u8]),
    /// Nothing follows at once, so buffers are flushed.
    Wait,
}

fn append_within_limit(whole: &mut Vec<u8>, piece: Piece<'_>) -> Result<(), TransferError> {
    let Piece::Octets(octets) = piece else { return Ok(()) };
    if whole.len() + octets.len() > LONGEST {
        let why = "the response is larger than 64 MiB; use -o FILE, and --raw for a listing";
        return Err(Failure::other("too-much", why.into()).into());
    }
    whole.extend_from_slice(octets);
    Ok(())
}

/// Converts an error of writing to that of the file.
fn in_file(trouble: TransferError, part: &Part) -> TransferError {
    match trouble {
        TransferError::Writing(error) => file_error(part.cannot_write(&error)).into(),
        trouble => trouble,
    }
}

/// Limits the average speed. A server stops sending what is not read.
struct Pace {
    rate: Option<usize>,
    start: Instant,
    count: u64,
}

impl Pace {
    fn new(rate: Option<usize>) -> Self {
        Self { rate, start: Instant::now(), count: 0 }
    }

    fn wait(&mut self, octets: usize) {
        let Some(rate) = self.rate else { return };
        self.count += octets as u64;
        let due = Duration::from_secs_f64(self.count as f64 / rate as f64);
        thread::sleep(due.saturating_sub(self.start.elapsed()));
    }
}

/// Returns why a response has nothing to write, if that is a success: there is no content (RFC 9110,
/// 15.3.5 and 15.3.6), or the file has not changed (15.4.5).
///
/// # Errors
///
/// The server replied 304 to a request without a condition.
pub(super) fn why_nothing_is_written(
    response: Option<&ResponseHead>,
    is_conditional: bool,
) -> Result<Option<&'static str>, Failure> {
    match response.map(|response| response.status) {
        Some(204) => Ok(Some("the response has no content (204 No Content)")),
        Some(205) => Ok(Some("the response has no content (205 Reset Content)")),
        Some(304) if is_conditional => Ok(Some("the file has not changed (304 Not Modified)")),
        Some(304) => {
            let why = "the server replied 304 Not Modified to a request without a header If-…";
            Err(Failure::other("protocol", why.into()))
        }
        _ => Ok(None),
    }
}

/// Returns the note on a redirect that is printed instead of followed: its body may be empty.
pub(super) fn remark_on_redirect(fetched: &Response, target: Option<&str>) -> Option<String> {
    let head = fetched.head().filter(|head| head.status / 100 == 3)?;
    let ResponseHead { status, reason, .. } = head;
    target.map(|url| format!("redirect to {url} not followed ({status} {reason})"))
}

/// Returns the error of a redirect that is not followed; `target` is where it leads.
pub(super) fn redirect(fetched: &Response, target: Option<&str>) -> Option<TransferError> {
    let head = fetched.head().filter(|head| head.status / 100 == 3)?;
    let ResponseHead { status, reason, .. } = head;
    let why = match target {
        Some(url) => format!("it leads to {url} ({status} {reason}); nothing is saved"),
        None => format!("the response is {status} {reason}; nothing is saved"),
    };
    let failure = run::Failure::new(FailureKind::Redirect(why.into()), "");
    Some(fetched.error(failure).into())
}

/// Returns whether a URL itself says that it is a listing: a directory with "/" at its end, a menu by
/// its type, a newsgroup. `plan` is its plan.
pub(super) fn names_list(url: UriRef<'_>, plan: &Plan) -> bool {
    let object = |step: &Step| match step {
        Step::Receive(object) => Some(object.kind),
        Step::Transfer(transfer) => Some(transfer.object.kind),
        Step::Slices(slices) => Some(slices.object.kind),
        _ => None,
    };
    url.path().as_str().ends_with('/') || plan.work.iter().rev().find_map(object).is_some_and(is_list)
}

/// Returns whether a plan connects to a server of FTP.
pub(super) fn is_ftp(plan: &Plan) -> bool {
    plan.steps().any(|step| matches!(step, Step::Connect(to) if to.protocol.name == "FTP"))
}

/// Returns whether a plan transfers the file of an ftp URL as lines of text.
pub(super) fn is_text_of_ftp(plan: &Plan) -> bool {
    let is_text =
        |step: &Step| matches!(step, Step::Transfer(transfer) if transfer.object.kind == ObjectKind::Text);
    plan.steps().any(is_text)
}

/// Returns the error of a listing that is not saved to a file: with `-O`, or if its URL does not say that
/// it is one.
pub(super) fn list_error(object: &Object, given: UriRef<'_>, by_remote_name: bool) -> Failure {
    let what = match object.kind {
        ObjectKind::Names | ObjectKind::Facts | ObjectKind::Links => "a directory",
        ObjectKind::Menu => "a menu",
        ObjectKind::Groups => "a list of newsgroups",
        ObjectKind::Numbers | ObjectKind::Overview => "a newsgroup",
        _ => "the result of a search",
    };
    let how = match (url_of_list(given), by_remote_name) {
        (Some(url), true) => format!("; use -o FILE {url} to save the listing"),
        (Some(url), false) => format!("; use {url} to save the listing"),
        (None, true) => "; use -o FILE to save the listing".into(),
        (None, false) => "; its listing is only printed to standard output".into(),
    };
    Failure::other("directory", format!("the URL is {what}, not a file{how}"))
}

/// Returns the URL with "/" that identifies a directory, of a scheme that has such URLs.
fn url_of_list(given: UriRef<'_>) -> Option<String> {
    let scheme = given.scheme()?.lowercase();
    let path = given.path().as_str();
    let path = match FtpUrl::of(given) {
        Ok(_) => path.split_once(";type=").map_or(path, |(path, _)| path),
        Err(_) if scheme == "file" => path,
        Err(_) => return None,
    };
    let path = format!("{}/", path.trim_end_matches('/'));
    let url = given.edit().set_path(PctStr::new(&path).ok()?).ok()?.finish().ok()?;
    Some(url.redacted().to_string())
}
