//! Puts an object where it belongs: on standard output, into a file, or into a JSON object.

use std::ffi::OsString;
use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use locator::UriRef;
use locator_fetch::blocking::{Body, Fetched};
use locator_fetch::run::Whole;

use super::json::{Content, FetchedObject};
use super::part::Part;
use super::trouble::Trouble;
use super::{list, name, show};
use crate::config::ServerWord;
use crate::exit::say;
use crate::failure::Failure;
use crate::input::Input;
use crate::output::Output;
use crate::progress::Progress;

/// Where the object goes, and in which form.
#[derive(Args, Clone, Debug)]
pub(super) struct Destination {
    /// Write to FILE; "-" is standard output, also for binary objects on a terminal
    #[arg(short, long, value_name = "FILE", conflicts_with = "remote_name")]
    output: Option<OsString>,
    /// Write to a file with the last name of the URL, in the working directory
    #[arg(short = 'O', long)]
    remote_name: bool,
    /// Replace a file that exists, and what is left of an earlier try
    #[arg(long)]
    clobber: bool,
    /// Print lists as the server sent them
    #[arg(long)]
    raw: bool,
    /// Print only the URLs of the entries of a list
    #[arg(long = "urls", conflicts_with_all = ["raw", "json"])]
    only_urls: bool,
}

/// How an object is delivered.
pub(super) struct Delivery<'a> {
    pub(super) to: &'a Destination,
    /// How many bytes a second are read.
    pub(super) rate: Option<usize>,
    pub(super) news_server: Option<&'a ServerWord>,
    /// Whether neither progress nor remarks are shown.
    pub(super) is_silent: bool,
}

/// The octets that a list, or an object in JSON, may have.
const LONGEST: usize = 64 << 20;

impl Delivery<'_> {
    /// Begins the file that a URL is written to, if there is to be one.
    pub(super) fn file(&self, given: UriRef<'_>) -> Result<Option<Part>, Failure> {
        let wrong = |why: String| Failure::other("file", why);
        let name = match &self.to.output {
            Some(name) if name == "-" => return Ok(None),
            Some(name) => name.clone(),
            None if self.to.remote_name => {
                name::of(given).map_err(|why| wrong(format!("{why}; use -o FILE to choose another")))?
            }
            None => return Ok(None),
        };
        Part::create(&name, self.to.clobber).map(Some).map_err(wrong)
    }

    /// Reads an object and drops it.
    pub(super) fn drain(&self, fetched: Fetched) -> Result<(), Trouble> {
        self.each(fetched.body, false, |_| Ok(())).map(drop)
    }

    /// Writes an object.
    pub(super) fn put(&self, fetched: Fetched, part: Option<Part>, out: &mut Output) -> Result<(), Trouble> {
        if let Some(lister) = self.list_of(&fetched) {
            let body = self.read(fetched.body)?;
            return match part {
                None => lister.write(&body, self.to.only_urls, out),
                Some(mut part) => {
                    let written = lister.write(&body, self.to.only_urls, &mut part);
                    written.map_err(|trouble| in_file(trouble, &part))?;
                    Ok(part.finish().map_err(file_error)?)
                }
            };
        }
        match part {
            Some(part) => self.write_file(fetched.body, part).map(drop),
            None => self.print(fetched, out),
        }
    }

    /// Writes an object to standard output.
    fn print(&self, fetched: Fetched, out: &mut Output) -> Result<(), Trouble> {
        let is_forced = self.to.output.is_some();
        if !out.is_terminal || is_forced {
            self.each(fetched.body, true, |octets| Ok(out.write_all(octets)?))?;
            return Ok(out.flush()?);
        }
        let mut text = show::Text::new(&fetched.object, fetched.charset.as_deref());
        self.each(fetched.body, false, |octets| {
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

    fn write_file(&self, body: Body, mut part: Part) -> Result<(Whole, u64), Trouble> {
        let mut count = 0;
        let result = self.each(body, true, |octets| {
            count += octets.len() as u64;
            part.write_all(octets).map_err(|error| file_error(part.cannot_write(&error)).into())
        });
        match result {
            Ok(whole) => {
                part.finish().map_err(file_error)?;
                Ok((whole, count))
            }
            Err(trouble) if count == 0 => {
                part.discard();
                Err(trouble)
            }
            Err(trouble) => {
                if !self.is_silent {
                    say(&format!("the first {count} bytes are in {}", part.shown()));
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
        fetched: Fetched,
        part: Option<Part>,
    ) -> Result<FetchedObject<'a>, Trouble> {
        let object = FetchedObject::new(input.octets, edition, &fetched);
        if let Some(part) = part {
            let name = part.whole_name();
            let (whole, octets) = self.write_file(fetched.body, part)?;
            return Ok(object.with(Content::File(name), whole, octets));
        }
        let lister = self.list_of(&fetched);
        let mut octets = Vec::new();
        let whole = self.each(fetched.body, true, |piece| append(&mut octets, piece))?;
        let content = match lister {
            Some(lister) => {
                let entries = lister.objects(&octets);
                if let Some(said) = lister.error(&octets) {
                    return Err(said);
                }
                Content::Entries(entries)
            }
            None => Content::of(&octets),
        };
        Ok(object.with(content, whole, octets.len() as u64))
    }

    fn list_of(&self, fetched: &Fetched) -> Option<list::Lister> {
        if self.to.raw { None } else { list::Lister::of(&fetched.object, &fetched.url, self.news_server) }
    }

    /// Reads an object as a whole.
    fn read(&self, body: Body) -> Result<Vec<u8>, Trouble> {
        let mut whole = Vec::new();
        self.each(body, true, |octets| append(&mut whole, octets))?;
        Ok(whole)
    }

    /// Passes the pieces of a body on, no faster than is wanted.
    fn each(
        &self,
        mut body: Body,
        shows_progress: bool,
        mut take: impl FnMut(&[u8]) -> Result<(), Trouble>,
    ) -> Result<Whole, Trouble> {
        let progress = Progress::of_octets(shows_progress && !self.is_silent);
        let mut pace = Pace::new(self.rate);
        while let Some(octets) = body.chunk()? {
            take(&octets)?;
            Progress::add(&progress.counts().octets, octets.len() as u64);
            pace.wait(octets.len());
        }
        Ok(body.whole().unwrap_or(Whole::Unverified))
    }
}

fn append(whole: &mut Vec<u8>, octets: &[u8]) -> Result<(), Trouble> {
    if whole.len() + octets.len() > LONGEST {
        let why = "the object is longer than 64 MiB; use -o FILE, and --raw for a list";
        return Err(Failure::other("too-much", why.into()).into());
    }
    whole.extend_from_slice(octets);
    Ok(())
}

fn file_error(why: String) -> Failure {
    Failure::other("file", why)
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
