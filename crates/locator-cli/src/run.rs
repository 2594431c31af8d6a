//! Passes every input to the verb, in order.
//!
//! Output is flushed whenever no further input is available, so that a slow stream gets its results
//! at once and a fast one is not slowed down.
//!
//! A verb implements [`Answer`], and [`run`] passes it the inputs. [`read_base`] reads the base of `resolve`, `relative`
//! and `find`; an invalid base is reported, and the run does not start. [`Seen`] remembers URLs to print each only once,
//! and names of files to write each only once.

pub(crate) mod interrupt;
pub(crate) mod table;
pub(crate) mod transform;

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::BuildHasher;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use locator::{Base, Edition, ResolveError};

use crate::arguments::Inputs;
use crate::exit::{CliError, Status, say, say_error, say_unwrapped};
use crate::input::files::{Unpacked, check_stdin_once};
use crate::input::{Input, Origin, STDIN, Stream, reading};
use crate::output::{Output, Place};
use crate::pasted;
use crate::report::failure::{self, Failure};
use crate::report::{Reports, Total};
use crate::run::interrupt::Turn;
use crate::terminal::visible;

/// A verb that processes one input after the other.
pub(crate) trait Answer {
    /// Prints the result of an input and returns its status.
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status>;

    /// Returns the status of an input and prints nothing.
    fn judge(&mut self, input: Input<'_>) -> Status;

    /// Returns the errors reported so far.
    fn reports(&self) -> Option<&Reports> {
        None
    }

    /// Returns the words of the total after a list.
    fn total(&self) -> Total {
        Total::OF_ERRORS
    }

    /// Returns whether inputs are often file names, so that no hint is needed.
    fn takes_names_of_files(&self) -> bool {
        false
    }

    /// Returns the name of the verb if an argument that names a file is an error and not a relative
    /// reference.
    fn refuses_names_of_files(&self) -> Option<&'static str> {
        None
    }

    /// Returns an argument without the delimiters around it; `None` without any, or if the verb keeps
    /// them.
    fn unwrapped(&self, _: &[u8]) -> Option<String> {
        None
    }

    /// Returns the option that names a file of inputs.
    fn option_of_files(&self) -> &'static str {
        "-f"
    }

    /// Returns the option by which the arguments are documents, whose links are the inputs.
    fn option_of_documents(&self) -> Option<&'static str> {
        None
    }

    /// Returns which lines are not inputs.
    fn skips(&self) -> Skips {
        Skips::Nothing
    }

    /// Returns whether the verb itself handles locations before URLs.
    fn explains_places(&self) -> bool {
        false
    }
}

/// Which lines of a list are not inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skips {
    /// Each line is an input.
    Nothing,
    /// Blank lines.
    Blank,
    /// Blank lines, and those that begin with "#".
    Comments,
}

impl Skips {
    fn has(self, line: &[u8]) -> bool {
        let line = line.trim_ascii_start();
        matches!((self, line), (Self::Blank | Self::Comments, []) | (Self::Comments, [b'#', ..]))
    }

    /// Returns what a list has that has no input.
    const fn name(self) -> &'static str {
        match self {
            Self::Comments => "has only comments",
            _ => "has only blank lines",
        }
    }
}

/// Passes every input to the verb.
pub(crate) fn run(asked: &Inputs, verb: &mut impl Answer, out: &mut Output) -> Result<Status, CliError> {
    let origin = if asked.null { Origin::Item } else { Origin::Line };
    if asked.null {
        out.end_lines_with_nul();
    }
    if !asked.urls.is_empty() {
        let stdin = (0..asked.urls.len()).filter(|&at| asked.is_stdin(at));
        check_stdin_once(stdin.map(|_| OsStr::new("-")), "\"-\" is given twice")?;
        if let Some(name) = verb.refuses_names_of_files() {
            refuse_files(asked, name, verb)?;
        }
        note_file(asked, verb);
        let of_all = if asked.urls.len() == 1 && asked.names_stdin() { origin } else { Origin::Argument };
        return begin(asked, of_all, verb, out, |run| run.arguments(&asked.urls, origin));
    }
    if let Some(path) = asked.file.as_deref().filter(|path| *path != "-") {
        let what = format!("\"{}\"", visible(&path.to_string_lossy()));
        let file = File::open(path).map_err(|error| CliError::Reading { what: what.clone(), error })?;
        let list = name_of_list(visible(&path.to_string_lossy()).to_string());
        return begin(asked, origin, verb, out, |run| {
            run.stream(Unpacked::new(file), &what, list, origin).map(drop)
        });
    }
    begin(asked, origin, verb, out, |run| run.stdin(origin).map(drop))
}

/// Returns the name of the only list of a run, which its threads share.
fn name_of_list(name: String) -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| name)
}

/// Fails if every argument is the name of a file or a directory and has no scheme: as a relative
/// reference it would be valid, and nothing in the file would be read.
fn refuse_files(asked: &Inputs, verb: &str, answer: &impl Answer) -> Result<(), CliError> {
    let (option, documents) = (answer.option_of_files(), answer.option_of_documents());
    let names = asked.urls.iter().enumerate().filter(|&(at, _)| !asked.is_stdin(at));
    let urls: Vec<_> = names.map(|(_, name)| name).collect();
    let Some(first) = urls.first() else { return Ok(()) };
    let is_reference = |name: &&OsString| {
        let octets = name.as_encoded_bytes();
        let is_written_as_path = octets.starts_with(b"./") || octets.starts_with(b"../");
        let is_dots = matches!(octets, b"/" | b"." | b"..");
        is_written_as_path || is_dots || pasted::has_scheme(octets) || !Path::new(name).exists()
    };
    if urls.iter().any(is_reference) {
        return Ok(());
    }
    let name = visible(&first.to_string_lossy()).to_string();
    let word = pasted::shell_word(&name);
    let found = match documents {
        Some(documents) => format!("'locator {verb} {documents} {word}'"),
        None => format!("'locator find {word} | locator {verb} -'"),
    };
    // An absolute path is a reference whatever is before it.
    let reference = match name.starts_with('/') {
        true => String::new(),
        false => format!(" (./{name} for the reference)"),
    };
    say_error(&match urls.len() {
        _ if Path::new(first).is_dir() => {
            format!("\"{name}\" is a directory; did you mean {found}?{reference}")
        }
        1 if is_list(first) => format!("\"{name}\" is a file; did you mean {option} {word}?{reference}"),
        1 => format!(
            "\"{name}\" is a file; did you mean {found}, or {option} {word} if each of its lines is a \
             URL?{reference}"
        ),
        _ if documents.is_some() => {
            let others =
                urls.iter().map(|name| pasted::shell_word(&visible(&name.to_string_lossy()).to_string()));
            let (words, documents) = (others.collect::<Vec<_>>().join(" "), documents.unwrap_or_default());
            format!(
                "\"{name}\" and the other arguments are files; did you mean 'locator {verb} {documents} {words}'?\
                 {reference}"
            )
        }
        _ => format!(
            "\"{name}\" and the other arguments are files; did you mean to read them from standard input, \
             from cat?{reference}"
        ),
    });
    Err(CliError::Reported)
}

/// Returns whether a file begins with a line that is a URL, so that it is a list of URLs.
fn is_list(path: &OsStr) -> bool {
    const BEGINNING: u64 = 4096;
    // Reading from a pipe would take what is in it, or wait.
    if !Path::new(path).is_file() {
        return true;
    }
    let mut octets = Vec::new();
    let read = File::open(path).and_then(|file| Unpacked::new(file).take(BEGINNING).read_to_end(&mut octets));
    let mut lines = octets.split(|&octet| octet == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !Skips::Comments.has(line)).unwrap_or_default();
    read.is_ok() && pasted::begins_with_scheme(first)
}

/// Prints a hint for the first argument that is also the name of a file.
fn note_file(asked: &Inputs, verb: &impl Answer) {
    if asked.quiet || asked.no_messages || verb.takes_names_of_files() {
        return;
    }
    let mut names = asked.urls.iter().enumerate().filter(|&(at, _)| !asked.is_stdin(at));
    if let Some((_, name)) = names.find(|(_, url)| Path::new(url).is_file()) {
        let name = visible(&name.to_string_lossy()).to_string();
        say(&format!(
            "\"{name}\" is read as a URL, but there is a file of that name; use --file {name} to read URLs from it"
        ));
    }
}

fn begin<V: Answer>(
    asked: &Inputs,
    origin: Origin,
    verb: &mut V,
    out: &mut Output,
    work: impl FnOnce(&mut Run<'_, V>) -> Result<(), CliError>,
) -> Result<Status, CliError> {
    let mut run = Run { verb, out, asked, status: Status::Valid, turn: Turn::begin(origin), count: 0 };
    work(&mut run)?;
    let (status, count) = (run.status, run.count);
    out.flush()?;
    if let Some(reports) = verb.reports() {
        let of_file = asked.file.as_deref().is_some_and(|path| path != "-");
        reports.end(count, origin, &Total { of_file, ..verb.total() });
    }
    Ok(status)
}

struct Run<'a, V> {
    verb: &'a mut V,
    out: &'a mut Output,
    asked: &'a Inputs,
    status: Status,
    turn: Turn,
    count: u64,
}

impl<V: Answer> Run<'_, V> {
    /// Processes arguments, and the inputs of standard input in place of "-".
    fn arguments(&mut self, urls: &[OsString], of_stdin: Origin) -> Result<(), CliError> {
        for (at, (url, number)) in urls.iter().zip(1..).enumerate() {
            if self.asked.is_stdin(at) {
                if self.stdin(of_stdin)?.is_break() {
                    break;
                }
                continue;
            }
            let (given, alone) = (url.as_encoded_bytes(), urls.len() == 1);
            let unwrapped = self.unwrapped(given);
            let octets = unwrapped.as_deref().map_or(given, str::as_bytes);
            let input = Input { octets, number, origin: Origin::Argument, alone, list: None, column: None };
            if self.one(input)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Returns an argument without the delimiters that it was copied with, which a note says.
    fn unwrapped(&self, octets: &[u8]) -> Option<String> {
        let url = self.verb.unwrapped(octets)?;
        if !self.asked.quiet && !self.asked.no_messages {
            say_unwrapped(&url);
        }
        Some(url)
    }

    /// Processes the inputs of standard input.
    fn stdin(&mut self, origin: Origin) -> Result<ControlFlow<()>, CliError> {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            say("reading URLs from the terminal, one per line; press Ctrl-D to end");
        }
        self.stream(Unpacked::new(stdin.lock()), "standard input", STDIN, origin)
    }

    fn stream(
        &mut self,
        from: impl Read,
        what: &str,
        list: &'static str,
        origin: Origin,
    ) -> Result<ControlFlow<()>, CliError> {
        let mut stream = Stream::new(from, origin, self.asked.max_line);
        let (mut number, mut has_url) = (0, false);
        let trouble = |error| CliError::Reading { what: what.to_owned(), error };
        loop {
            if let Some(found) = stream.next().map_err(trouble)? {
                number += 1;
                let octets = stream.octets(found);
                if origin == Origin::Line && self.verb.skips().has(octets) {
                    continue;
                }
                has_url = true;
                self.note_place(octets, number);
                let input = Input { octets, number, origin, alone: false, list: Some(list), column: None };
                if self.one(input)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            } else if stream.ended() {
                if !has_url && !self.asked.quiet && !self.asked.no_messages {
                    let why = if number == 0 { "is empty" } else { self.verb.skips().name() };
                    say(&format!("{what} {why}: there is no URL in it"));
                }
                return Ok(ControlFlow::Continue(()));
            } else {
                self.out.flush()?;
                self.turn.wait(|| stream.fill()).map_err(trouble)?;
            }
        }
    }

    /// Prints a hint if the first line begins with a location as 'locator find' prints it.
    fn note_place(&self, octets: &[u8], number: u64) {
        let is_silent = self.asked.quiet || self.asked.no_messages || self.verb.explains_places();
        if number == 1 && !is_silent && pasted::has_place(octets) {
            say(pasted::FIRST_PLACE);
        }
    }

    /// Processes one input; breaks if the run is to stop.
    fn one(&mut self, input: Input<'_>) -> Result<ControlFlow<()>, CliError> {
        let status =
            if self.asked.quiet { self.verb.judge(input) } else { self.verb.answer(input, self.out)? };
        self.status = self.status.and(status);
        self.count = self.turn.count();
        if Turn::is_over() {
            self.out.flush()?;
            self.turn.report();
            return Err(CliError::Interrupted);
        }
        Ok(match self.asked.quiet && self.status == Status::NotValid {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }
}

/// Reads a base.
pub(crate) fn read_base<'a>(
    octets: &'a [u8],
    edition: &'static Edition,
    errors: &mut Output,
) -> Result<Base<'a>, CliError> {
    let reference = match reading::parse(octets, edition) {
        Ok(reference) => reference,
        Err(error) => return Err(reported(octets, &error.into(), errors)),
    };
    Base::try_from(reference).map_err(|error| match error {
        // The edition does not define resolution, whatever the base.
        ResolveError::NotDefined { .. } => {
            say_error(&error.to_string());
            CliError::Reported
        }
        error => reported(octets, &Failure::from(error).of_base(), errors),
    })
}

fn reported(octets: &[u8], why: &Failure, errors: &mut Output) -> CliError {
    failure::write(errors, &Place::named("--base"), octets, why);
    CliError::Reported
}

/// The URLs that were seen.
///
/// A hash of 128 bits is kept for each URL, whatever its length. Its keys are random, so that
/// nobody can construct two URLs with the same hash; a chance collision among 10^9 URLs is less
/// likely than 2^-68.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    keys: [RandomState; 2],
    /// Divided, so that threads seldom wait for each other.
    hashes: [Mutex<HashSet<u128>>; SHARDS],
}

const SHARDS: usize = 16;

impl Seen {
    /// Returns whether a URL is seen for the first time.
    pub(crate) fn is_new(&self, url: &str) -> bool {
        self.is_new_name(url.as_bytes())
    }

    /// Returns whether a name, which need not be text, is seen for the first time.
    pub(crate) fn is_new_name(&self, name: &[u8]) -> bool {
        let (part, hash) = self.hash(name);
        part.lock().unwrap_or_else(PoisonError::into_inner).insert(hash)
    }

    /// Forgets a name that was seen.
    #[cfg(feature = "get")]
    pub(crate) fn forget(&self, name: &[u8]) {
        let (part, hash) = self.hash(name);
        part.lock().unwrap_or_else(PoisonError::into_inner).remove(&hash);
    }

    /// Returns the hash, and where it is kept.
    fn hash(&self, name: &[u8]) -> (&Mutex<HashSet<u128>>, u128) {
        let [low, high] = [0, 1].map(|half| self.keys[half].hash_one(name));
        (&self.hashes[low as usize % SHARDS], u128::from(high) << 64 | u128::from(low))
    }
}

#[cfg(test)]
mod tests {
    use super::Seen;

    #[test]
    fn each_is_new_once() {
        let seen = Seen::default();
        let urls = || (0..10_000).map(|number| format!("http://h/{number}"));
        assert!(urls().all(|url| seen.is_new(&url)));
        assert!(!urls().any(|url| seen.is_new(&url)));
        #[cfg(feature = "get")]
        seen.forget(b"http://h/7");
        #[cfg(feature = "get")]
        assert_eq!(urls().filter(|url| seen.is_new(url)).collect::<Vec<_>>(), ["http://h/7"]);
    }
}
