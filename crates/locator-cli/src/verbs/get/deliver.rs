//! Puts an object where it belongs: on standard output, into a file, or into a JSON object.

use std::cell::{Cell, RefCell};
use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use locator::{Edition, UriRef};
use locator_fetch::blocking::Response;
use locator_fetch::run::Whole;
use locator_fetch::{FetchError, Proof};

use super::destination::{Destination, file_error};
use super::json::{Content, FetchedObject};
use super::part::Part;
use super::printing::Printing;
use super::retry::{GoOn, Reading};
use super::trouble::Trouble;
use super::{heads, list, show};
use crate::config::ServerWord;
use crate::exit::say;
use crate::failure::Failure;
use crate::input::Input;
use crate::interrupt::Unwritten;
use crate::output::Output;
use crate::progress::Progress;

/// How an object is delivered.
pub(super) struct Delivery<'a> {
    pub(super) to: &'a Destination,
    /// The edition that writes the URLs of lists.
    pub(super) edition: &'static Edition,
    /// How many bytes a second are read.
    pub(super) rate: Option<usize>,
    pub(super) news_server: Option<&'a ServerWord>,
    /// The most documents that a search was asked for, if it was said.
    pub(super) max_hits: Option<u16>,
    /// Whether neither progress nor remarks are shown.
    pub(super) is_silent: bool,
    /// Whether remarks are not shown beside a dialogue either.
    pub(super) has_no_remarks: bool,
    /// Whether the heads of responses are written, and whether nothing else is.
    pub(super) head: (bool, bool),
    /// The progress of all objects, if they are fetched at the same time.
    pub(super) progress: Option<&'a Progress>,
    /// What goes on with an object whose connection was lost.
    pub(super) go_on: RefCell<Option<GoOn<'a>>>,
    /// The number of octets that were delivered.
    pub(super) octets: Cell<u64>,
    /// What is wrong with a list that was delivered.
    pub(super) lacks: Cell<Option<Trouble>>,
}

/// The octets that a list, or an object in JSON, may have.
const LONGEST: usize = 64 << 20;

impl Delivery<'_> {
    /// Begins to write an object to its file; says whether it goes on with what an earlier run left.
    pub(super) fn begin(
        &self,
        part: &mut Part,
        given: UriRef<'_>,
        fetched: &Response,
    ) -> Result<(), Failure> {
        if part.has_left() && !self.is_silent {
            say(&match fetched.resumed_from() {
                0 => "beginning anew: the server did not prove that the object is the same".into(),
                from => format!("going on after {from} bytes"),
            });
        }
        // What begins with a head cannot be gone on with.
        let proof = if self.head.0 { &Proof::default() } else { fetched.proof() };
        part.begin(given, fetched.resumed_from(), proof).map_err(file_error)
    }

    /// Reads an object and drops it.
    pub(super) fn drain(&self, fetched: Response) -> Result<(), Trouble> {
        if let Some(lister) = self.list_of(&fetched) {
            let (body, _) = self.read(fetched)?;
            self.lacks.set(lister.lacks(&body));
            return lister.error(&body).map_or(Ok(()), Err);
        }
        self.each(fetched, false, |_| Ok(())).map(drop)
    }

    /// Writes an object.
    pub(super) fn put(&self, fetched: Response, part: Option<Part>, out: &mut Output) -> Result<(), Trouble> {
        if self.head.0 {
            let heads = heads::of(fetched.hops(), fetched.head());
            if !heads.is_empty() {
                return self.put_with_heads(&heads, fetched, part, out);
            }
        }
        match part {
            Some(part) => self.put_to_file(fetched, part).map(drop),
            None => self.print(fetched, out),
        }
    }

    /// Writes an object to its file, a list as lines.
    fn put_to_file(&self, fetched: Response, mut part: Part) -> Result<(Whole, u64), Trouble> {
        let Some(lister) = self.list_of(&fetched) else { return self.write_file(fetched, part) };
        let (body, whole) = match self.read(fetched) {
            Ok(read) => read,
            Err(trouble) => {
                part.discard();
                return Err(trouble);
            }
        };
        self.lacks.set(lister.lacks(&body));
        let written = Printing::new(&lister, self.to.only_urls).end(&body, &mut part);
        let length = part.length();
        if let Err(trouble) = written {
            let trouble = in_file(trouble, &part);
            part.discard();
            return Err(trouble);
        }
        part.finish().map_err(file_error)?;
        Ok((whole, length))
    }

    /// Writes heads, and the object unless only they are wanted.
    fn put_with_heads(
        &self,
        heads: &[u8],
        fetched: Response,
        part: Option<Part>,
        out: &mut Output,
    ) -> Result<(), Trouble> {
        match part {
            Some(mut part) => {
                part.write_all(heads).map_err(|error| file_error(part.cannot_write(&error)))?;
                self.write_file(fetched, part).map(drop)
            }
            None => {
                heads::write(heads, out)?;
                if self.head.1 { Ok(out.flush()?) } else { self.print(fetched, out) }
            }
        }
    }

    /// Writes the heads of the responses before an error, unless they belong into a file.
    pub(super) fn put_heads_before(&self, error: &FetchError, out: &mut Output) -> Result<(), Trouble> {
        if self.head.0 {
            heads::write(&heads::of(error.hops(), error.head()), out)?;
        }
        Ok(out.flush()?)
    }

    /// Writes an object to standard output.
    fn print(&self, fetched: Response, out: &mut Output) -> Result<(), Trouble> {
        if !has_content(&fetched) {
            out.flush()?;
            return self.drain(fetched);
        }
        if let Some(lister) = self.list_of(&fetched) {
            return self.print_list(fetched, &lister, out);
        }
        let is_forced = self.to.is_named();
        if !out.is_terminal || is_forced {
            self.each(fetched, true, |piece| match piece {
                Piece::Octets(octets) => Ok(out.write_all(octets)?),
                Piece::Wait => Ok(out.flush()?),
            })?;
            return Ok(());
        }
        let mut text = show::Text::new(fetched.object(), fetched.charset());
        self.each(fetched, false, |piece| {
            let Piece::Octets(octets) = piece else { return Ok(out.flush()?) };
            if text.refuses(octets) {
                let why = "the object is binary, and standard output is a terminal; use -o FILE, or -o - to \
                           print it anyway";
                return Err(Failure::other("binary", why.into()).into());
            }
            Ok(text.write(octets, out)?)
        })?;
        text.end(out)?;
        Ok(out.flush()?)
    }

    /// Writes the entries of a list to standard output as they come.
    fn print_list(&self, fetched: Response, lister: &list::Lister, out: &mut Output) -> Result<(), Trouble> {
        let mut body = Vec::new();
        let mut printing = Printing::new(lister, self.to.only_urls);
        self.each(fetched, true, |piece| match piece {
            Piece::Wait => Ok(printing.lines(&body, out)?),
            octets @ Piece::Octets(_) => append(&mut body, octets),
        })?;
        self.lacks.set(lister.lacks(&body));
        printing.end(&body, out)
    }

    fn write_file(&self, fetched: Response, mut part: Part) -> Result<(Whole, u64), Trouble> {
        let mut count = fetched.resumed_from();
        let result = self.each(fetched, true, |piece| {
            let Piece::Octets(octets) = piece else { return Ok(()) };
            count += octets.len() as u64;
            part.write_all(octets).map_err(|error| file_error(part.cannot_write(&error)).into())
        });
        match result {
            Ok(whole) => {
                part.finish().map_err(file_error)?;
                Ok((whole, count))
            }
            Err(trouble) => {
                // A write that failed may have written a part of a piece.
                let count = part.length();
                let can_go_on = count > 0 && part.leave();
                if count == 0 {
                    part.discard();
                } else if !self.is_silent {
                    let how = if can_go_on { "; -C - goes on after them" } else { "" };
                    say(&format!("the first {count} bytes are in {}{how}", part.shown()));
                }
                Err(trouble)
            }
        }
    }

    /// Returns the JSON object of an object.
    pub(super) fn object<'a>(
        &self,
        input: Input<'a>,
        edition: &'a str,
        fetched: Response,
        part: Option<Part>,
    ) -> Result<FetchedObject<'a>, Trouble> {
        let object = FetchedObject::new(input.octets, edition, &fetched);
        if let Some(part) = part {
            let name = part.whole_name();
            let (whole, octets) = self.put_to_file(fetched, part)?;
            return Ok(object.with(Content::File(name), whole, octets));
        }
        if !has_content(&fetched) {
            let whole = self.each(fetched, false, |_| Ok(()))?;
            return Ok(object.with(Content::Text(String::new()), whole, 0));
        }
        let lister = self.list_of(&fetched);
        let mut octets = Vec::new();
        let whole = self.each(fetched, true, |piece| append(&mut octets, piece))?;
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

    fn list_of(&self, fetched: &Response) -> Option<list::Lister> {
        if self.to.raw {
            return None;
        }
        let lister = list::Lister::of(fetched.object(), fetched.url(), self.edition, self.news_server)?;
        Some(lister.max_hits(self.max_hits).silent(self.has_no_remarks))
    }

    /// Reads an object as a whole.
    fn read(&self, fetched: Response) -> Result<(Vec<u8>, Whole), Trouble> {
        let mut octets = Vec::new();
        let whole = self.each(fetched, true, |piece| append(&mut octets, piece))?;
        Ok((octets, whole))
    }

    /// Passes the pieces of an object on, no faster than is wanted.
    fn each(
        &self,
        fetched: Response,
        shows_progress: bool,
        mut take: impl FnMut(Piece<'_>) -> Result<(), Trouble>,
    ) -> Result<Whole, Trouble> {
        let shows_own = shows_progress && !self.is_silent && self.progress.is_none();
        let own = Progress::of_octets(shows_own, fetched.content_length());
        let counts = self.progress.unwrap_or(&own).counts();
        Progress::add(&counts.octets, fetched.resumed_from());
        let mut pace = Pace::new(self.rate);
        let mut reading = Reading::new(fetched, self.go_on.take());
        let mut unwritten = Unwritten::default();
        loop {
            let octets = reading.chunk(&mut || {
                take(Piece::Wait)?;
                unwritten.written();
                Ok(())
            })?;
            let Some(octets) = octets else { break };
            unwritten.received();
            take(Piece::Octets(&octets))?;
            self.octets.set(self.octets.get() + octets.len() as u64);
            Progress::add(&counts.octets, octets.len() as u64);
            if self.rate.is_some() || Unwritten::run_ends() {
                take(Piece::Wait)?;
                unwritten.written();
            }
            pace.wait(octets.len());
        }
        take(Piece::Wait)?;
        Ok(reading.whole().unwrap_or(Whole::Unverified))
    }
}

/// Returns whether a response has content that is to be written. "205 […] MUST NOT generate content" (RFC
/// 9110, 15.3.6).
fn has_content(fetched: &Response) -> bool {
    fetched.status() != Some(205)
}

/// What is passed on of an object.
enum Piece<'o> {
    /// Its next octets.
    Octets(&'o [u8]),
    /// Nothing follows at once: what was passed on is written, and not kept in a buffer.
    Wait,
}

fn append(whole: &mut Vec<u8>, piece: Piece<'_>) -> Result<(), Trouble> {
    let Piece::Octets(octets) = piece else { return Ok(()) };
    if whole.len() + octets.len() > LONGEST {
        let why = "the object is longer than 64 MiB; use -o FILE, and --raw for a list";
        return Err(Failure::other("too-much", why.into()).into());
    }
    whole.extend_from_slice(octets);
    Ok(())
}

/// An error of writing is one of the file, and not one of standard output.
fn in_file(trouble: Trouble, part: &Part) -> Trouble {
    match trouble {
        Trouble::Writing(error) => file_error(part.cannot_write(&error)).into(),
        trouble => trouble,
    }
}

/// Keeps the average rate below a limit: what is not read is not sent.
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
