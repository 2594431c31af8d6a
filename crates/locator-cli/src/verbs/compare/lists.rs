//! `compare --lists`: takes two files of URLs, and prints the URLs that only one of them contains.
//!
//! A hash of each URL's key is kept, and no URL: a file is read a second time to print its own. What
//! can be read only once, such as a pipe, is held in memory, each URL once.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};

use locator::{Edition, Ladder};
use serde::Serialize;

use crate::exit::{CliError, Status, say};
use crate::input::STDIN;
use crate::input::files::{Named, check_stdin_once};
use crate::input::reading;
use crate::output::Output;
use crate::output::Place;
use crate::pasted;
use crate::report::failure::Failure;
use crate::report::{failure, json};
use crate::run::distinct::Seen;
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

/// A list that was read once.
struct List<'a> {
    file: Named<'a>,
    /// The keys of its URLs.
    keys: Seen,
    /// Each URL once, with its line, if the file cannot be read again.
    held: Option<Vec<(u64, Vec<u8>)>>,
    /// Whether every line is valid.
    is_valid: bool,
}

/// Compares the lists as sets.
pub(super) fn compare(asked: &Lists<'_>, out: &mut Output) -> Result<Status, CliError> {
    check_stdin_once([asked.first, asked.second].into_iter(), "both lists name it")?;
    let mut errors = out.errors();
    let first = List::read(asked.first, asked, &mut errors)?;
    let second = List::read(asked.second, asked, &mut errors)?;
    let mut same = true;
    for (number, list, other) in [(1, &first, &second), (2, &second, &first)] {
        list.each(asked, |line, url, key| {
            // What is printed is added to the other list, so that it is printed once.
            if other.keys.is_new(key) {
                same = false;
                print(asked, out, OnlyIn { list: number, line, url: &String::from_utf8_lossy(url) })?;
            }
            Ok(())
        })?;
    }
    out.flush()?;
    if first.is_valid && second.is_valid { Ok(Status::of(same)) } else { Err(CliError::Reported) }
}

fn print(asked: &Lists<'_>, out: &mut Output, only: OnlyIn<'_>) -> io::Result<()> {
    let sign = if only.list == 1 { "<" } else { ">" };
    match (asked.quiet, asked.json) {
        (true, _) => Ok(()),
        (false, true) => json::line(out, &only),
        (false, false) if out.is_terminal => writeln!(out, "{sign} {}", visible(only.url)),
        (false, false) => writeln!(out, "{sign} {}", only.url),
    }
}

impl<'a> List<'a> {
    /// Reads a list once; empty lines are skipped, and invalid ones are reported.
    fn read(path: &'a OsStr, asked: &Lists<'_>, errors: &mut Output) -> Result<Self, CliError> {
        let file = Named(path);
        let name = if file.is_stdin() { STDIN.into() } else { path.to_string_lossy() };
        let is_read_again = !file.is_stdin() && fs::metadata(path).is_ok_and(|file| file.is_file());
        let (keys, mut held, mut is_valid) = (Seen::default(), Vec::new(), true);
        each_url(file, |line, url| {
            if line == 1 && !asked.quiet && pasted::has_place(url) {
                say(&format!("{}: {}", file.shown(), pasted::FIRST_PLACE));
            }
            match key(url, asked) {
                Ok(key) if keys.is_new(&key) && !is_read_again => held.push((line, url.to_vec())),
                Ok(_) => {}
                Err(why) => {
                    is_valid = false;
                    if !asked.quiet {
                        let octet = failure::octet(&why);
                        let place = Place::in_file(&name, line, octet);
                        failure::write(errors, &place, url, &why);
                    }
                }
            }
            Ok(())
        })?;
        Ok(Self { file, keys, held: (!is_read_again).then_some(held), is_valid })
    }

    /// Passes each valid URL, with its line and its key, to a function.
    fn each(
        &self,
        asked: &Lists<'_>,
        mut each: impl FnMut(u64, &[u8], &str) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let mut one = |line, url: &[u8]| key(url, asked).map_or(Ok(()), |key| each(line, url, &key));
        match &self.held {
            Some(held) => held.iter().try_for_each(|(line, url)| one(*line, url)),
            None => each_url(self.file, one),
        }
    }
}

/// Passes each line that is not empty, without its line end.
fn each_url(
    file: Named<'_>,
    mut each: impl FnMut(u64, &[u8]) -> Result<(), CliError>,
) -> Result<(), CliError> {
    file.each_line(|line, url| if url.is_empty() { Ok(()) } else { each(line, url) })
}

fn key(url: &[u8], asked: &Lists<'_>) -> Result<String, Failure> {
    let reference = reading::read(url, asked.edition)?.reference;
    Ok(asked.ladder.key(reference))
}

/// A URL that only one of two lists has.
#[derive(Serialize)]
struct OnlyIn<'a> {
    /// Which list, from 1.
    list: u32,
    /// Its line there, from 1.
    line: u64,
    url: &'a str,
}
