//! Standard output and standard error, with or without colour. Standard error, a terminal and text for people have no
//! line that a CI service obeys; data in a file or a pipe are written as they are.

pub(crate) mod closed;
mod commands;
pub(crate) mod paragraph;
mod place;
pub(crate) mod progress;

use std::io::{self, BufWriter, Write};
use std::sync::OnceLock;

use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};

use self::closed::Closed;
use self::commands::Commandless;
pub(crate) use self::place::Place;
use crate::terminal::Paint;
use crate::terminal::visible::{is_plain, legible};
use crate::terminal::width;

/// Standard output or standard error, and whether it takes colour.
pub(crate) struct Output {
    to: BufWriter<Box<dyn Write + Send>>,
    /// Removes commands, if this is text for people.
    commandless: Option<Commandless>,
    /// When to colour.
    when: clap::ColorChoice,
    /// Whether it is a terminal, to which control characters must not be written.
    pub(crate) is_terminal: bool,
    /// Adds colour to text, if enabled.
    pub(crate) paint: Paint,
    /// How many columns a line may have.
    pub(crate) columns: usize,
}

/// When messages are coloured, once standard output is open.
static WHEN: OnceLock<clap::ColorChoice> = OnceLock::new();

impl Output {
    const BUFFER: usize = 64 * 1024;

    /// Opens standard output.
    pub(crate) fn open(when: clap::ColorChoice) -> Self {
        let when = *WHEN.get_or_init(|| when);
        let auto = || AutoStream::choice(&io::stdout());
        // Not locked: the threads of `find` share it.
        let output = Self::new(io::stdout(), when, width::of_stream(false), auto);
        match closed::was_closed() {
            true => Self { to: BufWriter::with_capacity(Self::BUFFER, Box::new(Closed)), ..output },
            false => output,
        }
    }

    /// Opens standard error, with colour by the same setting.
    pub(crate) fn errors(&self) -> Self {
        let auto = || AutoStream::choice(&io::stderr());
        // Not locked: the handler of Ctrl-C writes to it.
        Self::new(io::stderr(), self.when, width::of_stream(true), auto).for_people()
    }

    /// Opens standard error for a message of the run.
    pub(crate) fn messages() -> Self {
        let auto = || AutoStream::choice(&io::stderr());
        let when = WHEN.get().copied().unwrap_or(clap::ColorChoice::Auto);
        Self::new(io::stderr(), when, width::of_stream(true), auto).for_people()
    }

    /// Says that what follows is text for people: no line of it is a command of a CI service.
    pub(crate) fn begin_text(&mut self) {
        self.commandless.get_or_insert_default();
    }

    fn for_people(mut self) -> Self {
        self.begin_text();
        self
    }

    /// Writes a line that is a command of a CI service.
    #[cfg(feature = "links")]
    pub(crate) fn command(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.to, "{line}")
    }

    /// Opens standard output once more, by the same setting.
    #[cfg(feature = "get")]
    pub(crate) fn again(&self) -> Self {
        Self::open(self.when)
    }

    /// Returns an output that is kept and not shown, without colour.
    pub(crate) fn kept(to: Box<dyn Write + Send>) -> Self {
        let (to, when) = (BufWriter::new(to), clap::ColorChoice::Never);
        let (paint, columns) = (Paint::new(false), width::of_stream(false));
        Self { to, commandless: None, when, is_terminal: false, paint, columns }
    }

    /// Returns an output that is shown like this one, and passes on what is written in pieces of so many
    /// octets.
    #[cfg(feature = "get")]
    pub(crate) fn to(&self, to: Box<dyn Write + Send>, size: usize) -> Self {
        let to = BufWriter::with_capacity(size, to);
        let Self { commandless, when, is_terminal, paint, columns, .. } = self;
        let (commandless, when, paint) = (commandless.clone(), *when, *paint);
        Self { to, commandless, when, is_terminal: *is_terminal, paint, columns: *columns }
    }

    fn new<W>(to: W, when: clap::ColorChoice, columns: usize, auto: impl Fn() -> ColorChoice) -> Self
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
        // Without colour there are no escape sequences to remove.
        let to: Box<dyn Write + Send> = match color {
            ColorChoice::Never => Box::new(to),
            _ => Box::new(AutoStream::new(to, color)),
        };
        let (to, commandless) = (BufWriter::with_capacity(Self::BUFFER, to), None);
        let new = Self { to, commandless, when, is_terminal, paint, columns };
        if is_terminal { new.for_people() } else { new }
    }
}

impl Write for Output {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        match &mut self.commandless {
            None => self.to.write(octets),
            Some(commandless) => commandless.write(&mut self.to, octets).map(|()| octets.len()),
        }
    }

    fn write_all(&mut self, octets: &[u8]) -> io::Result<()> {
        match &mut self.commandless {
            None => self.to.write_all(octets),
            Some(commandless) => commandless.write(&mut self.to, octets),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writes the text of a reference; on a terminal, invisible characters are written by code.
#[inline]
pub(crate) fn text(out: &mut Output, text: &str) -> io::Result<()> {
    // Nearly all texts are plain, and formatting costs more than writing.
    if !out.is_terminal || is_plain(text.as_bytes()) {
        return out.write_all(text.as_bytes());
    }
    write!(out, "{}", legible(text))
}

/// Writes a text and ends the line.
#[inline]
pub(crate) fn line(out: &mut Output, shown: &str) -> io::Result<()> {
    text(out, shown)?;
    out.write_all(b"\n")
}
