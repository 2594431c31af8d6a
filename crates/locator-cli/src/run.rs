//! What is asked for in; every input handed to the verb in order, the answers written out.
//!
//! What is answered is written whenever there is no more input at hand, so that an endless
//! stream gets its answers as it goes and a fast one is not slowed down by it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Write};

use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};

use crate::arguments::Inputs;
use crate::exit::{Status, Trouble, say};
use crate::input::{Input, Origin, Stream};
use crate::interrupt::Turn;
use crate::show::{Paint, visible};

/// Standard output or standard error, and whether it takes colour.
pub(crate) struct Output {
    to: BufWriter<Box<dyn Write + Send>>,
    /// When to colour.
    when: clap::ColorChoice,
    /// Whether it is shown to a person, who must be given nothing raw.
    pub(crate) is_terminal: bool,
    /// What colours text, or leaves it as it is.
    pub(crate) paint: Paint,
}

impl Output {
    const BUFFER: usize = 64 * 1024;

    /// Opens standard output.
    pub(crate) fn open(when: clap::ColorChoice) -> Self {
        let auto = || AutoStream::choice(&io::stdout());
        // Not locked: the threads of `find` take turns at it.
        Self::new(io::stdout(), when, auto)
    }

    /// Standard error, which takes colour when this is told to.
    pub(crate) fn errors(&self) -> Self {
        let auto = || AutoStream::choice(&io::stderr());
        // Not locked: an interrupted run has its say there.
        Self::new(io::stderr(), self.when, auto)
    }

    fn new<W>(to: W, when: clap::ColorChoice, auto: impl Fn() -> ColorChoice) -> Self
    where
        W: RawStream + AsLockedWrite + Send + 'static,
    {
        let color = match when {
            clap::ColorChoice::Auto => auto(),
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        };
        let is_terminal = to.is_terminal();
        let paint = Paint::new(color != ColorChoice::Never);
        // Without colour nothing has to be taken out again, so nothing need look for it.
        let to: Box<dyn Write + Send> = match color {
            ColorChoice::Never => Box::new(to),
            _ => Box::new(AutoStream::new(to, color)),
        };
        Self { to: BufWriter::with_capacity(Self::BUFFER, to), when, is_terminal, paint }
    }
}

impl Write for Output {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.to.write(octets)
    }

    fn write_all(&mut self, octets: &[u8]) -> io::Result<()> {
        self.to.write_all(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// A verb that answers one input after the other.
pub(crate) trait Answer {
    /// Answers an input, and says whether it is valid.
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status>;

    /// Judges an input and is silent.
    fn judge(&mut self, input: Input<'_>) -> Status;
}

/// Hands every input to the verb.
pub(crate) fn run(asked: &Inputs, verb: &mut impl Answer, out: &mut Output) -> Result<Status, Trouble> {
    if !asked.urls.is_empty() {
        return begin(asked, Origin::Argument, verb, out, |run| run.arguments(&asked.urls));
    }
    let stdin = io::stdin();
    if stdin.is_terminal() {
        say("reading URLs from the terminal, one a line; Ctrl-D ends");
    }
    let origin = origin(asked);
    begin(asked, origin, verb, out, |run| run.stream(stdin.lock(), "standard input", origin))
}

/// The same for what stands in a file.
pub(crate) fn run_file(
    path: &OsStr,
    asked: &Inputs,
    verb: &mut impl Answer,
    out: &mut Output,
) -> Result<Status, Trouble> {
    let what = format!("\"{}\"", visible(&path.to_string_lossy()));
    let file = File::open(path).map_err(|error| Trouble::Reading { what: what.clone(), error })?;
    let origin = origin(asked);
    begin(asked, origin, verb, out, |run| run.stream(file, &what, origin))
}

const fn origin(asked: &Inputs) -> Origin {
    if asked.null { Origin::Item } else { Origin::Line }
}

fn begin<V: Answer>(
    asked: &Inputs,
    origin: Origin,
    verb: &mut V,
    out: &mut Output,
    work: impl FnOnce(&mut Run<'_, V>) -> Result<(), Trouble>,
) -> Result<Status, Trouble> {
    let mut run = Run { verb, out, quiet: asked.quiet, status: Status::Valid, turn: Turn::begin(origin) };
    work(&mut run)?;
    let status = run.status;
    out.flush()?;
    Ok(status)
}

struct Run<'a, V> {
    verb: &'a mut V,
    out: &'a mut Output,
    quiet: bool,
    status: Status,
    turn: Turn,
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
        let mut stream = Stream::new(from, origin);
        let mut number = 0;
        loop {
            if let Some(found) = stream.next() {
                number += 1;
                let octets = stream.octets(found);
                if self.one(Input { octets, number, origin, alone: false })? {
                    return Ok(());
                }
            } else if stream.ended() {
                return Ok(());
            } else {
                self.out.flush()?;
                let trouble = |error| Trouble::Reading { what: what.to_owned(), error };
                self.turn.wait(|| stream.fill()).map_err(trouble)?;
            }
        }
    }

    /// Answers one input; true if that was enough.
    fn one(&mut self, input: Input<'_>) -> Result<bool, Trouble> {
        let status = if self.quiet { self.verb.judge(input) } else { self.verb.answer(input, self.out)? };
        self.status = self.status.and(status);
        self.turn.count();
        if Turn::is_over() {
            self.out.flush()?;
            self.turn.tell();
            return Err(Trouble::Interrupted);
        }
        Ok(self.quiet && self.status == Status::NotValid)
    }
}
