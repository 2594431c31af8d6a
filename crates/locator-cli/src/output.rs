//! Standard output and standard error ([`Output`]), with or without colour, and where something is that a message is about
//! ([`Place`]), which begins it: `urls.txt:17:5: error: `, as editors and terminals recognise it, or `error: argument 2: `.
//!
//! Standard error, a terminal and text for people have no line that a CI service obeys; data in a file or a pipe are
//! written as they are. GitHub Actions reads the log of a job, standard output and standard error, and obeys lines that
//! begin with `::` after white space, and those with `##[` (actions/runner, `ActionCommand`); Azure Pipelines obeys
//! `##vso[`. Names of files, URLs and what servers say are those of others. The character that completes a command is
//! written by code, as all characters that are not shown as they are: `:<U+003A>error::`.
//!
//! Standard output may be closed when the program is started, as by `>&-` in a shell. The standard library opens /dev/null
//! in place of a closed stream before `main`, so that nothing fails and everything that is written is lost. Therefore a
//! constructor looks at the stream first.

pub(crate) mod paragraph;
pub(crate) mod progress;
pub(crate) mod rewrite;
pub(crate) mod rows;

use std::io;
use std::io::{BufWriter, Write};
use std::sync::OnceLock;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};
use unicode_width::UnicodeWidthStr;

use crate::terminal::paint::FAINT;
use crate::terminal::visible::{is_plain, legible};
use crate::terminal::{Paint, Word, visible, width};

/// Standard output or standard error, and whether it takes colour.
pub(crate) struct Output {
    to: BufWriter<Box<dyn Write + Send>>,
    /// Removes commands, if this is text for people.
    commandless: Option<Commandless>,
    /// When to colour.
    when: clap::ColorChoice,
    /// What ends a line of [`line`].
    ending: u8,
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
        match was_closed() {
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

    /// Says that NUL ends each line of [`line`] (`-0`).
    pub(crate) fn end_lines_with_nul(&mut self) {
        self.ending = 0;
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
        Self { to, commandless: None, when, ending: b'\n', is_terminal: false, paint, columns }
    }

    /// Returns an output that is shown like this one, and passes on what is written in pieces of so many
    /// octets.
    #[cfg(feature = "get")]
    pub(crate) fn to(&self, to: Box<dyn Write + Send>, size: usize) -> Self {
        let to = BufWriter::with_capacity(size, to);
        let Self { commandless, when, ending, is_terminal, paint, columns, .. } = self;
        let (commandless, when, ending, paint) = (commandless.clone(), *when, *ending, *paint);
        Self { to, commandless, when, ending, is_terminal: *is_terminal, paint, columns: *columns }
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
        let new = Self { to, commandless, when, ending: b'\n', is_terminal, paint, columns };
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
    end_line(out)
}

/// Ends a line of results: with NUL if `-0` is given.
pub(crate) fn end_line(out: &mut Output) -> io::Result<()> {
    out.write_all(&[out.ending])
}

#[cfg(unix)]
static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
ctor::declarative::ctor! {
    #[ctor]
    fn look() {
        use std::os::fd::AsFd;

        let is_closed = io::stdout().as_fd().try_clone_to_owned().is_err();
        WAS_CLOSED.store(is_closed, Ordering::Relaxed);
    }
}

/// Returns whether standard output was closed.
pub(crate) fn was_closed() -> bool {
    #[cfg(unix)]
    return WAS_CLOSED.load(Ordering::Relaxed);
    #[cfg(not(unix))]
    false
}

/// A closed stream: every write fails.
pub(crate) struct Closed;

impl Write for Closed {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if octets.is_empty() { Ok(0) } else { Err(closed_error()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The error of writing to a closed stream.
pub(crate) fn closed_error() -> io::Error {
    io::Error::other("it is closed")
}

/// How far a line has begun like a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    /// Only white space.
    #[default]
    Start,
    /// A colon after that.
    Colon,
    /// Something else.
    Inside,
    /// A "#".
    Hash,
    /// "##", and letters after it.
    Hashes,
}

/// Passes on text, in which no line is a command.
#[derive(Clone, Debug, Default)]
struct Commandless {
    at: At,
    /// Whether an escape sequence has begun, and whether it is one with parameters (ECMA-48, 5.4).
    escape: Option<bool>,
}

impl Commandless {
    /// Writes a piece of text.
    pub(super) fn write(&mut self, to: &mut impl Write, text: &[u8]) -> io::Result<()> {
        let (mut written, mut at) = (0, 0);
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            // In a line that begins otherwise, only these have a meaning.
            let is_sign = |octet: &u8| matches!(octet, b'\n' | b'\r' | b'#' | 0x1B);
            let is_inside = self.at == At::Inside && self.escape.is_none();
            at += if is_inside { rest.iter().position(is_sign).unwrap_or(rest.len()) } else { 0 };
            let Some(&octet) = text.get(at) else { break };
            if self.completes(octet) {
                to.write_all(text.get(written..at).unwrap_or_default())?;
                write!(to, "<U+{octet:04X}>")?;
                written = at + 1;
            }
            at += 1;
        }
        to.write_all(text.get(written..).unwrap_or_default())
    }

    /// Takes the next octet; returns whether a command would be complete with it.
    fn completes(&mut self, octet: u8) -> bool {
        // Colours are not seen, and may be removed.
        match (self.escape, octet) {
            (None, 0x1B) => {
                self.escape = Some(false);
                return false;
            }
            (Some(false), b'[') => {
                self.escape = Some(true);
                return false;
            }
            (Some(true), b' '..=b'?') => return false,
            (Some(_), _) => {
                self.escape = None;
                return false;
            }
            (None, _) => {}
        }
        let is_command = matches!((self.at, octet), (At::Colon, b':') | (At::Hashes, b'['));
        self.at = match (self.at, octet) {
            (_, b'\n' | b'\r') | (At::Start, b' ' | b'\t' | 0x0B | 0x0C) => At::Start,
            (At::Start, b':') => At::Colon,
            (At::Hash | At::Hashes, b'#') => At::Hashes,
            (_, b'#') => At::Hash,
            (At::Hashes, b'a'..=b'z' | b'A'..=b'Z' | b'-') => At::Hashes,
            _ => At::Inside,
        };
        is_command
    }
}

/// A place, for people.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The file, line and column of a byte.
    Byte,
    /// The file, line and column of a URL, or the file and line.
    Url,
    /// Another name, such as `argument 2`, or none.
    Name,
}

impl Place {
    /// Returns the place that is given with a URL: `README.md:12:5`.
    pub(crate) fn given(text: &str) -> Self {
        Self { text: visible(text).to_string(), kind: Kind::Url }
    }

    /// Returns the place of a byte of a line of a file.
    pub(crate) fn in_file(name: &str, line: u64, octet: usize) -> Self {
        Self { text: format!("{}:{line}:{}", visible(name), octet + 1), kind: Kind::Byte }
    }

    /// Returns a place with a name: `--base`.
    pub(crate) fn named(name: &str) -> Self {
        Self { text: name.to_owned(), kind: Kind::Name }
    }

    /// Returns this place with more words: `via the gateway`.
    pub(crate) fn with(&self, more: &str) -> Self {
        match (self.kind, self.text.as_str()) {
            (Kind::Name, "") => Self::named(more),
            (_, text) => Self { text: format!("{text}: {more}"), kind: self.kind },
        }
    }

    /// Returns whether it does not say which byte of the text something is about.
    pub(crate) fn has_no_byte(&self) -> bool {
        self.kind != Kind::Byte
    }

    /// Begins a message: writes the place and the word, and returns their columns.
    pub(crate) fn begin(&self, out: &mut Output, word: Word) -> io::Result<usize> {
        let (paint, text) = (out.paint, &*legible(&self.text).to_string());
        match (self.kind, text) {
            (Kind::Name, "") => write!(out, "{} ", paint.word(word))?,
            (Kind::Name, text) => {
                write!(out, "{} {} ", paint.word(word), paint.with(FAINT, format_args!("{text}:")))?;
            }
            (_, text) => write!(out, "{} {} ", paint.with(FAINT, format_args!("{text}:")), paint.word(word))?,
        }
        let place = if text.is_empty() { 0 } else { text.width() + 2 };
        Ok(place + word.text().len() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Commandless;

    fn written(pieces: &[&str]) -> String {
        let (mut commandless, mut out) = (Commandless::default(), Vec::new());
        for piece in pieces {
            commandless.write(&mut out, piece.as_bytes()).expect("memory can be written");
        }
        String::from_utf8(out).expect("it is text")
    }

    #[test]
    fn no_line_is_a_command() {
        for (text, expected) in [
            ("::error::x", ":<U+003A>error::x"),
            ("a\n::error file=a::x\n", "a\n:<U+003A>error file=a::x\n"),
            ("a\r::error::x", "a\r:<U+003A>error::x"),
            (" \t ::add-mask::x", " \t :<U+003A>add-mask::x"),
            ("\x1b[1m\x1b[31m::error::x", "\x1b[1m\x1b[31m:<U+003A>error::x"),
            (":\x1b[0m:error::x", ":\x1b[0m<U+003A>error::x"),
            (":::", ":<U+003A>:"),
            ("##[error]x", "##<U+005B>error]x"),
            ("a ##[group]x", "a ##<U+005B>group]x"),
            ("###[error]x", "###<U+005B>error]x"),
            ("##vso[task.x]", "##vso<U+005B>task.x]"),
            ("##\x1b[31m[error]", "##\x1b[31m<U+005B>error]"),
            ("a::b: ::x", "a::b: ::x"),
            ("## [error] # #[x]", "## [error] # #[x]"),
            ("note: x [::1]:80", "note: x [::1]:80"),
            ("", ""),
        ] {
            assert_eq!(written(&[text]), expected);
            let pieces: Vec<_> = text.split_inclusive(|_| true).collect();
            assert_eq!(written(&pieces), expected);
        }
    }
}
