//! The files of `compare`: two lists of URLs, compared by normal form, and lists of redirects.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use locator::{Edition, Ladder, ParseError, Uri, UriRef};
use serde::Serialize;

use crate::exit::{CliError, Status, say};
use crate::failure::Failure;
use crate::input::whole;
use crate::output::Output;
use crate::reading;
use crate::show::{failure, json};
use crate::terminal::visible;

/// Two files of URLs, and how they are compared.
pub(super) struct Lists<'a> {
    pub(super) first: &'a OsStr,
    pub(super) second: &'a OsStr,
    pub(super) edition: &'static Edition,
    pub(super) ladder: Ladder<'static>,
    pub(super) quiet: bool,
    pub(super) json: bool,
}

/// A list, with what each of its URLs is compared by.
struct List {
    lines: Vec<u8>,
    name: String,
}

/// A URL of a list.
struct Entry<'a> {
    line: u64,
    url: &'a [u8],
    key: String,
}

/// Compares the lists as sets.
pub(super) fn compare(asked: &Lists<'_>, out: &mut Output) -> Result<Status, CliError> {
    let lists = [List::read(asked.first)?, List::read(asked.second)?];
    let [first, second] = [0, 1].map(|list: usize| lists[list].entries(asked, &mut out.errors()));
    let are_valid = first.are_valid && second.are_valid;
    let [first, second] = [first.entries, second.entries];
    let [only_first, only_second] = [only_in(&first, &second), only_in(&second, &first)];
    let same = only_first.is_empty() && only_second.is_empty();
    if !asked.quiet {
        for (sign, number, entries) in [("<", 1, only_first), (">", 2, only_second)] {
            for entry in entries {
                let url = String::from_utf8_lossy(entry.url);
                if asked.json {
                    json::line(out, &OnlyInObject { list: number, line: entry.line, url: &url })?;
                } else if out.is_terminal {
                    writeln!(out, "{sign} {}", visible(&url))?;
                } else {
                    writeln!(out, "{sign} {url}")?;
                }
            }
        }
    }
    out.flush()?;
    if are_valid { Ok(Status::of(same)) } else { Err(CliError::Reported) }
}

/// The URLs of a list.
struct Entries<'a> {
    entries: Vec<Entry<'a>>,
    /// Whether every line is one.
    are_valid: bool,
}

/// What one list has and the other has not: each once, in its order.
fn only_in<'a, 'b>(list: &'b [Entry<'a>], other: &[Entry<'a>]) -> Vec<&'b Entry<'a>> {
    let mut seen: HashMap<&str, ()> = other.iter().map(|entry| (&*entry.key, ())).collect();
    list.iter().filter(|entry| seen.insert(&entry.key, ()).is_none()).collect()
}

impl List {
    fn read(path: &OsStr) -> Result<Self, CliError> {
        let name = visible(&path.to_string_lossy()).to_string();
        let mut lines = Vec::new();
        let read = match name.as_str() {
            "-" => io::stdin().lock().read_to_end(&mut lines),
            _ => File::open(path).and_then(|mut file| file.read_to_end(&mut lines)),
        };
        match read {
            Ok(_) => Ok(Self { lines, name }),
            Err(error) => {
                say(&format!("{name} cannot be read: {error}"));
                Err(CliError::Reported)
            }
        }
    }

    /// The URLs; empty lines are passed over.
    fn entries<'a>(&'a self, asked: &Lists<'_>, errors: &mut Output) -> Entries<'a> {
        let (mut entries, mut are_valid) = (Vec::new(), true);
        for (url, line) in self.lines.split(|&octet| octet == b'\n').zip(1..) {
            let url = url.strip_suffix(b"\r").unwrap_or(url);
            if url.is_empty() {
                continue;
            }
            match key(url, asked) {
                Ok(key) => entries.push(Entry { line, url, key }),
                Err(why) => {
                    are_valid = false;
                    failure::write(errors, &format!("{}:{line}: ", self.name), url, &why);
                }
            }
        }
        Entries { entries, are_valid }
    }
}

fn key(url: &[u8], asked: &Lists<'_>) -> Result<String, Failure> {
    let reference = reading::read(url, asked.edition)?.reference;
    Ok(asked.ladder.key(reference))
}

/// A URL that only one of two lists has.
#[derive(Serialize)]
struct OnlyInObject<'a> {
    /// Which list, from 1.
    list: u32,
    /// Its line there, from 1.
    line: u64,
    url: &'a str,
}

/// The redirects that were seen: the text of each, and where it is from.
#[derive(Debug)]
pub(super) struct Redirects {
    redirects: Vec<Redirect>,
}

/// A redirect as it was given.
#[derive(Debug)]
struct Redirect {
    from: Vec<u8>,
    to: Vec<u8>,
    /// The location before a diagnosis: `redirects.txt:3: `.
    place: String,
}

impl Redirects {
    /// Collects the redirects of the command line and of files. An invalid redirect is reported,
    /// and the run does not start.
    pub(super) fn collect(pairs: &[OsString], files: &[PathBuf]) -> Result<Self, CliError> {
        let pairs = pairs.chunks_exact(2).zip(1..);
        let argument = |(pair, number): (&[OsString], u32)| Redirect {
            from: pair[0].as_encoded_bytes().to_vec(),
            to: pair[1].as_encoded_bytes().to_vec(),
            place: format!("--redirect {number}: "),
        };
        let mut redirects: Vec<_> = pairs.map(argument).collect();
        for path in files {
            lines(path, &mut redirects)?;
        }
        Ok(Self { redirects })
    }

    /// Reads them by an edition.
    pub(super) fn read<'a>(
        &'a self,
        edition: &'static Edition,
        errors: &mut Output,
    ) -> Result<Vec<(Uri<'a>, Uri<'a>)>, CliError> {
        let mut seen = Vec::with_capacity(self.redirects.len());
        for Redirect { from, to, place } in &self.redirects {
            let mut read = |octets: &'a [u8]| {
                uri(octets, edition).map_err(|error| {
                    failure::write(errors, place, octets, &error.into());
                    CliError::Reported
                })
            };
            seen.push((read(from)?, read(to)?));
        }
        Ok(seen)
    }
}

fn uri<'a>(octets: &'a [u8], edition: &'static Edition) -> Result<Uri<'a>, ParseError> {
    UriRef::parse_bytes(octets, edition)?.try_into()
}

/// The redirects of a file, a line each; "-" is standard input.
fn lines(path: &Path, redirects: &mut Vec<Redirect>) -> Result<(), CliError> {
    let name = path.to_string_lossy();
    let octets = if name == "-" { whole(io::stdin().lock()) } else { File::open(path).and_then(whole) };
    let octets = octets.map_err(|error| failed(&format!("{} cannot be read: {error}", visible(&name))))?;
    for (line, number) in octets.split(|&octet| octet == b'\n').zip(1..) {
        let place = format!("{}:{number}: ", visible(&name));
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        match (words.next(), words.next(), words.next()) {
            (None, ..) => {}
            (Some(from), Some(to), None) => {
                redirects.push(Redirect { from: from.to_vec(), to: to.to_vec(), place });
            }
            _ => return Err(failed(&format!("{place}expected two URLs separated by white space"))),
        }
    }
    Ok(())
}

fn failed(what: &str) -> CliError {
    say(what);
    CliError::Reported
}
