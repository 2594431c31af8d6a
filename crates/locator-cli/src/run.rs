//! What is asked for in; every input handed to the verb in order, the answers written out.
//!
//! What is answered is written whenever there is no more input at hand, so that an endless
//! stream gets its answers as it goes and a fast one is not slowed down by it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use crate::arguments::Inputs;
use crate::exit::{Status, Trouble, say};
use crate::hint;
use crate::input::{Input, Origin, Stream};
use crate::interrupt::Turn;
use crate::output::Output;
use crate::show::Reports;
use crate::terminal::visible;

/// A verb that answers one input after the other.
pub(crate) trait Answer {
    /// Answers an input, and says whether it is valid.
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status>;

    /// Judges an input and is silent.
    fn judge(&mut self, input: Input<'_>) -> Status;

    /// What it has said of inputs that have errors.
    fn reports(&self) -> Option<&Reports> {
        None
    }

    /// Whether inputs are often names of files, so that nothing need be said about it.
    fn takes_names_of_files(&self) -> bool {
        false
    }

    /// Whether it sees for itself that something stands before URLs.
    fn explains_places(&self) -> bool {
        false
    }
}

/// Hands every input to the verb.
pub(crate) fn run(asked: &Inputs, verb: &mut impl Answer, out: &mut Output) -> Result<Status, Trouble> {
    if !asked.urls.is_empty() {
        tell_of_file(asked, verb);
        return begin(asked, Origin::Argument, verb, out, |run| run.arguments(&asked.urls));
    }
    let origin = if asked.null { Origin::Item } else { Origin::Line };
    if let Some(path) = asked.file.as_deref().filter(|path| *path != "-") {
        let what = format!("\"{}\"", visible(&path.to_string_lossy()));
        let file = File::open(path).map_err(|error| Trouble::Reading { what: what.clone(), error })?;
        return begin(asked, origin, verb, out, |run| run.stream(file, &what, origin));
    }
    let stdin = io::stdin();
    if stdin.is_terminal() {
        say("reading URLs from the terminal, one a line; Ctrl-D ends");
    }
    begin(asked, origin, verb, out, |run| run.stream(stdin.lock(), "standard input", origin))
}

/// Says that an argument, which is a reference, is the name of a file as well: the first one that is.
fn tell_of_file(asked: &Inputs, verb: &impl Answer) {
    if asked.quiet || asked.no_messages || verb.takes_names_of_files() {
        return;
    }
    if let Some(name) = asked.urls.iter().find(|url| Path::new(url).is_file()) {
        let name = visible(&name.to_string_lossy()).to_string();
        say(&format!(
            "\"{name}\" is taken for a URL; there is a file of that name, whose lines are read by -f {name}"
        ));
    }
}

fn begin<V: Answer>(
    asked: &Inputs,
    origin: Origin,
    verb: &mut V,
    out: &mut Output,
    work: impl FnOnce(&mut Run<'_, V>) -> Result<(), Trouble>,
) -> Result<Status, Trouble> {
    let mut run = Run { verb, out, asked, status: Status::Valid, turn: Turn::begin(origin), count: 0 };
    work(&mut run)?;
    let (status, count) = (run.status, run.count);
    out.flush()?;
    if let Some(reports) = verb.reports() {
        reports.end(count, origin);
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
    fn arguments(&mut self, urls: &[OsString]) -> Result<(), Trouble> {
        for (url, number) in urls.iter().zip(1..) {
            let (octets, alone) = (url.as_encoded_bytes(), urls.len() == 1);
            let input = Input { octets, number, origin: Origin::Argument, alone };
            if self.one(input)? {
                break;
            }
        }
        Ok(())
    }

    fn stream(&mut self, from: impl Read, what: &str, origin: Origin) -> Result<(), Trouble> {
        let mut stream = Stream::new(from, origin, self.asked.max_line);
        let mut number = 0;
        let trouble = |error| Trouble::Reading { what: what.to_owned(), error };
        loop {
            if let Some(found) = stream.next().map_err(trouble)? {
                number += 1;
                let octets = stream.octets(found);
                self.tell_of_place(octets, number);
                if self.one(Input { octets, number, origin, alone: false })? {
                    return Ok(());
                }
            } else if stream.ended() {
                return Ok(());
            } else {
                self.out.flush()?;
                self.turn.wait(|| stream.fill()).map_err(trouble)?;
            }
        }
    }

    /// Says that something stands before the URL of the first line, if that is what 'locator find' prints.
    fn tell_of_place(&self, octets: &[u8], number: u64) {
        let is_silent = self.asked.quiet || self.asked.no_messages || self.verb.explains_places();
        if number == 1 && !is_silent && !self.verb.takes_names_of_files() && hint::has_place(octets) {
            say(
                "line 1 has a place before its URL, as 'locator find' prints it, which is read as part of it: see \
                 'locator find -I -N', or 'locator check --places'",
            );
        }
    }

    /// Answers one input; true if that was enough.
    fn one(&mut self, input: Input<'_>) -> Result<bool, Trouble> {
        let status =
            if self.asked.quiet { self.verb.judge(input) } else { self.verb.answer(input, self.out)? };
        self.status = self.status.and(status);
        self.count = self.turn.count();
        if Turn::is_over() {
            self.out.flush()?;
            self.turn.tell();
            return Err(Trouble::Interrupted);
        }
        Ok(self.asked.quiet && self.status == Status::NotValid)
    }
}
