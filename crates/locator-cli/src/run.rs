//! Passes every input to the verb, in order.
//!
//! Output is flushed whenever no further input is available, so that a slow stream gets its results
//! at once and a fast one is not slowed down.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::OnceLock;

use crate::arguments::Inputs;
use crate::exit::{CliError, Status, say, say_error};
use crate::hint;
use crate::input::{Input, Origin, STDIN, Stream};
use crate::interrupt::Turn;
use crate::lines::Unpacked;
use crate::output::Output;
use crate::show::{Reports, Total};
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

    /// Returns whether an argument that names a file is an error and not a relative reference.
    fn refuses_names_of_files(&self) -> bool {
        false
    }

    /// Returns the option that names a file of inputs.
    fn option_of_files(&self) -> &'static str {
        "-f"
    }

    /// Returns whether blank lines, and those that begin with "#", are not inputs.
    fn skips_comments(&self) -> bool {
        false
    }

    /// Returns whether the verb itself handles locations before URLs.
    fn explains_places(&self) -> bool {
        false
    }
}

/// Passes every input to the verb.
pub(crate) fn run(asked: &Inputs, verb: &mut impl Answer, out: &mut Output) -> Result<Status, CliError> {
    if !asked.urls.is_empty() {
        if verb.refuses_names_of_files() {
            refuse_files(&asked.urls, verb.option_of_files())?;
        }
        note_file(asked, verb);
        return begin(asked, Origin::Argument, verb, out, |run| run.arguments(&asked.urls));
    }
    let origin = if asked.null { Origin::Item } else { Origin::Line };
    if let Some(path) = asked.file.as_deref().filter(|path| *path != "-") {
        let what = format!("\"{}\"", visible(&path.to_string_lossy()));
        let file = File::open(path).map_err(|error| CliError::Reading { what: what.clone(), error })?;
        let list = name_of_list(visible(&path.to_string_lossy()).to_string());
        return begin(asked, origin, verb, out, |run| run.stream(Unpacked::new(file), &what, list, origin));
    }
    let stdin = io::stdin();
    if stdin.is_terminal() {
        say("reading URLs from the terminal, one per line; press Ctrl-D to end");
    }
    begin(asked, origin, verb, out, |run| {
        run.stream(Unpacked::new(stdin.lock()), "standard input", STDIN, origin)
    })
}

/// Returns the name of the only list of a run, which its threads share.
fn name_of_list(name: String) -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| name)
}

/// Fails if every argument is the name of a file or a directory and has no scheme: as a relative
/// reference it would be valid, and nothing in the file would be read.
fn refuse_files(urls: &[OsString], option: &str) -> Result<(), CliError> {
    let Some(first) = urls.first() else { return Ok(()) };
    let is_reference = |name: &OsString| {
        let octets = name.as_encoded_bytes();
        let is_written_as_path = octets.starts_with(b"./") || octets.starts_with(b"../");
        let is_dots = matches!(octets, b"/" | b"." | b"..");
        is_written_as_path || is_dots || hint::has_scheme(octets) || !Path::new(name).exists()
    };
    if urls.iter().any(is_reference) {
        return Ok(());
    }
    let name = visible(&first.to_string_lossy()).to_string();
    // An absolute path is a reference whatever is before it.
    let reference = match name.starts_with('/') {
        true => String::new(),
        false => format!(" (./{name} for the reference)"),
    };
    say_error(&match urls.len() {
        _ if Path::new(first).is_dir() => {
            format!("\"{name}\" is a directory; did you mean 'locator find {name}'?{reference}")
        }
        1 => format!("\"{name}\" is a file; did you mean {option} {name}?{reference}"),
        _ => format!(
            "\"{name}\" and the other arguments are files; did you mean to read them from standard input, \
             from cat?{reference}"
        ),
    });
    Err(CliError::Reported)
}

/// Prints a hint for the first argument that is also the name of a file.
fn note_file(asked: &Inputs, verb: &impl Answer) {
    if asked.quiet || asked.no_messages || verb.takes_names_of_files() {
        return;
    }
    if let Some(name) = asked.urls.iter().find(|url| Path::new(url).is_file()) {
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

/// Returns whether a line of a list is blank, or begins with "#" after white space.
fn is_comment(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start(), [] | [b'#', ..])
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
    fn arguments(&mut self, urls: &[OsString]) -> Result<(), CliError> {
        for (url, number) in urls.iter().zip(1..) {
            let (octets, alone) = (url.as_encoded_bytes(), urls.len() == 1);
            let input = Input { octets, number, origin: Origin::Argument, alone, list: None, column: None };
            if self.one(input)? {
                break;
            }
        }
        Ok(())
    }

    fn stream(
        &mut self,
        from: impl Read,
        what: &str,
        list: &'static str,
        origin: Origin,
    ) -> Result<(), CliError> {
        let mut stream = Stream::new(from, origin, self.asked.max_line);
        let (mut number, mut has_url) = (0, false);
        let trouble = |error| CliError::Reading { what: what.to_owned(), error };
        loop {
            if let Some(found) = stream.next().map_err(trouble)? {
                number += 1;
                let octets = stream.octets(found);
                if origin == Origin::Line && self.verb.skips_comments() && is_comment(octets) {
                    continue;
                }
                has_url = true;
                self.note_place(octets, number);
                if self.one(Input { octets, number, origin, alone: false, list: Some(list), column: None })? {
                    return Ok(());
                }
            } else if stream.ended() {
                if !has_url && !self.asked.quiet && !self.asked.no_messages {
                    let why = if number == 0 { "is empty" } else { "has only comments" };
                    say(&format!("{what} {why}: there is no URL in it"));
                }
                return Ok(());
            } else {
                self.out.flush()?;
                self.turn.wait(|| stream.fill()).map_err(trouble)?;
            }
        }
    }

    /// Prints a hint if the first line begins with a location as 'locator find' prints it.
    fn note_place(&self, octets: &[u8], number: u64) {
        let is_silent = self.asked.quiet || self.asked.no_messages || self.verb.explains_places();
        if number == 1 && !is_silent && hint::has_place(octets) {
            say(hint::FIRST_PLACE);
        }
    }

    /// Processes one input; returns true if the run is to stop.
    fn one(&mut self, input: Input<'_>) -> Result<bool, CliError> {
        let status =
            if self.asked.quiet { self.verb.judge(input) } else { self.verb.answer(input, self.out)? };
        self.status = self.status.and(status);
        self.count = self.turn.count();
        if Turn::is_over() {
            self.out.flush()?;
            self.turn.report();
            return Err(CliError::Interrupted);
        }
        Ok(self.asked.quiet && self.status == Status::NotValid)
    }
}
