//! The exit status of a run ([`Status`], [`CliError`]), and the messages of the command on standard error: errors that end a
//! run, notes, help, and errors of usage with the command that is meant ([`Misuse`]).

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anstyle::Style;
use clap::error::{ContextKind, ContextValue};
use unicode_width::UnicodeWidthStr;

use crate::output::Output;
use crate::output::{Place, paragraph};
use crate::output::{closed_error, progress, was_closed};
use crate::terminal::{Word, secrets, visible};

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Every input is valid.
    Valid,
    /// At least one is not.
    NotValid,
}

impl Status {
    /// The status of one input.
    pub(crate) const fn of(valid: bool) -> Self {
        if valid { Self::Valid } else { Self::NotValid }
    }

    /// The status of both: the worse one.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        self.max(other)
    }
}

/// An error that ended the run.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The input cannot be read.
    Reading {
        /// The file or stream.
        what: String,
        /// Why.
        error: io::Error,
    },
    /// Standard output cannot be written.
    Writing(io::Error),
    /// There is no such verb.
    NoVerb(String),
    /// The run failed and has printed the reason.
    Reported,
    /// The run was interrupted and has printed how much is done.
    Interrupted,
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Writing(error)
    }
}

/// Returns the result of two runs: the worse one.
pub(crate) fn both(
    one: Result<Status, CliError>,
    other: Result<Status, CliError>,
) -> Result<Status, CliError> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok(one.and(other)),
        (Err(CliError::Reported), Err(other)) | (Ok(_), Err(other)) => Err(other),
        (Err(one), _) => Err(one),
    }
}

/// The exit status of a run that was interrupted, as a shell has it: 128 and SIGINT's number.
pub(crate) const INTERRUPTED: u8 = 130;

const WRONG_USE: u8 = 2;

/// Returns the exit status of a run and prints the message of its error.
pub(crate) fn code(result: Result<Status, CliError>) -> ExitCode {
    match result {
        Ok(Status::Valid) => ExitCode::SUCCESS,
        Ok(Status::NotValid) => ExitCode::from(1),
        // The reader of the pipe has closed it: `locator read | head`.
        Err(CliError::Writing(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(CliError::Writing(error)) => failed(&format!("standard output cannot be written: {error}")),
        Err(CliError::Reading { what, error }) => failed(&format!("{what} cannot be read: {error}")),
        Err(CliError::NoVerb(verb)) => {
            failed(&format!("unknown verb \"{}\"; see 'locator --help'", visible(&verb)))
        }
        Err(CliError::Reported) => ExitCode::from(WRONG_USE),
        Err(CliError::Interrupted) => ExitCode::from(INTERRUPTED),
    }
}

fn failed(reason: &str) -> ExitCode {
    say_error(reason);
    ExitCode::from(WRONG_USE)
}

/// Prints on standard error what may be good to know.
pub(crate) fn say(what: &str) {
    message(&Place::named(""), Word::Note, what);
}

/// Prints on standard error that an argument was read without its delimiters.
pub(crate) fn say_unwrapped(url: &str) {
    say(&format!(
        "read as {}, without the delimiters and line breaks, which are not part of a URL",
        visible(url)
    ));
}

/// Prints on standard error what to do.
pub(crate) fn say_help(what: &str) {
    message(&Place::named(""), Word::Help, what);
}

/// Prints on standard error what is done and probably not intended.
#[cfg(feature = "get")]
pub(crate) fn say_warning(what: &str) {
    message(&Place::named(""), Word::Warning, what);
}

/// Prints a word of success on standard error, at a terminal. It is for people who see the result there:
/// neither for programs, nor after a list, which has a total.
#[cold]
pub(crate) fn say_valid(what: &str) {
    if io::stderr().is_terminal() && io::stdout().is_terminal() {
        message(&Place::named(""), Word::Valid, what);
    }
}

/// Prints on standard error why something is not done.
pub(crate) fn say_error(what: &str) {
    message(&Place::named(""), Word::Error, what);
}

/// Prints on standard error why the command cannot be run, and returns its error.
#[cfg(feature = "links")]
pub(crate) fn wrong(what: &str) -> CliError {
    say_error(what);
    CliError::Reported
}

/// Prints on standard error why something in a file is not accepted, with its place.
pub(crate) fn say_error_at(place: &Place, what: &str) {
    message(place, Word::Error, what);
}

/// Prints a message on standard error, with the secrets of URLs in it hidden; a failure to do so is
/// ignored. A program reads it as one line.
fn message(place: &Place, word: Word, what: &str) {
    let what = secrets::sentence(what);
    let _ = progress::aside(|| {
        let mut out = Output::messages();
        let column = place.begin(&mut out, word)?;
        paragraph::flow(&mut out, column, 2, Style::new(), &what)?;
        out.flush()
    });
}

/// Returns a replacement for the message if that quotes an argument with control characters or a
/// secret, which must not reach the terminal; `None` if the message can be printed as it is.
fn shown(error: &clap::Error) -> Option<String> {
    let text = error.render().to_string();
    let quoted = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) => {
            text.replace(value.as_str(), &secrets::argument(&secrets::edit(value).text))
        }
        _ => text.clone(),
    };
    let arguments = std::env::args_os();
    let quoted = arguments.fold(quoted, |text, given| without_argument(text, &given.to_string_lossy()));
    let given_is_plain = std::env::args_os().all(|argument| visible::is_plain(argument.as_encoded_bytes()));
    let line = |line: &str| match given_is_plain {
        true => secrets::sentence(line),
        // The ellipsis is ours.
        false => line.split('…').map(secrets::masked).collect::<Vec<_>>().join("…"),
    };
    let shown = quoted.lines().map(line).collect::<Vec<_>>().join("\n");
    (!given_is_plain || !text.lines().eq(shown.lines())).then_some(shown)
}

/// Hides the secrets of an argument that a message quotes. The message is no URL, so where it ends
/// could only be guessed.
fn without_argument(text: String, argument: &str) -> String {
    let value = match argument.strip_prefix('-').and_then(|option| option.split_once('=')) {
        Some((_, value)) => value,
        None => argument,
    };
    if value.is_empty() || !text.contains(value) {
        return text;
    }
    text.replace(value, &secrets::argument(&secrets::redacted(value).to_string()))
}

/// Prints an error of usage. What `clap` calls a tip is our `help:`.
fn print_usage(error: &clap::Error) -> io::Result<()> {
    let mut out = Output::messages();
    let text = shown(error).unwrap_or_else(|| error.render().to_string());
    text.lines().try_for_each(|line| print_usage_line(&mut out, &in_our_words(line)))?;
    out.flush()
}

/// Returns a line of `clap` with our word for what it calls a subcommand.
fn in_our_words(line: &str) -> Cow<'_, str> {
    let words = WORDS.iter().find_map(|(theirs, ours)| Some((ours, line.strip_prefix(theirs)?)));
    words.map_or(Cow::Borrowed(line), |(ours, rest)| Cow::Owned(format!("{ours}{rest}")))
}

/// How lines of `clap` about verbs begin, and how ours do.
const WORDS: [(&str, &str); 2] = [
    ("error: 'locator' requires a subcommand but one was not provided", "error: no verb or URL is given"),
    ("  [subcommands: ", "  [verbs: "),
];

/// A verb or an option that is not known.
#[derive(Debug)]
pub(crate) struct Misuse {
    /// What is wrong.
    pub(crate) what: String,
    /// What is good to know about the command that is meant.
    pub(crate) why: &'static str,
    /// The words of the command that is probably meant, as they are typed.
    pub(crate) meant: Option<Vec<String>>,
    /// The usage of the verb.
    pub(crate) usage: String,
    /// The command that prints its help.
    pub(crate) help: String,
}

/// Prints what is not known, and the command to type.
pub(crate) fn misused(misuse: &Misuse) -> ExitCode {
    let mut out = Output::messages();
    // A failure to write to standard error is ignored.
    let _ = write_misuse(&mut out, misuse).and_then(|()| out.flush());
    ExitCode::from(WRONG_USE)
}

fn write_misuse(out: &mut Output, misuse: &Misuse) -> io::Result<()> {
    let Misuse { what, why, meant, usage, help } = misuse;
    print_usage_line(out, &format!("error: {what}"))?;
    if let Some(meant) = meant {
        let lead = if why.is_empty() { "did you mean:".to_owned() } else { format!("{why}; type:") };
        writeln!(out)?;
        let command = meant.join(" ");
        if out.is_terminal && lead.width() + command.width() + 10 > out.columns {
            print_usage_line(out, &format!("  tip: {lead}"))?;
            let lines = command_in_lines(meant, out.columns);
            lines.iter().try_for_each(|line| writeln!(out, "    {line}"))?;
        } else {
            writeln!(out, "  {} {lead} {command}", out.paint.word(Word::Help))?;
        }
    } else if !why.is_empty() {
        writeln!(out)?;
        print_usage_line(out, &format!("  tip: {why}"))?;
    }
    writeln!(out)?;
    usage.lines().try_for_each(|line| print_usage_line(out, line))?;
    writeln!(out)?;
    print_usage_line(out, &format!("For more information, try '{help}'."))
}

/// Returns a command in lines that fit after four blanks, each continued as a shell reads it, so that it can be copied.
fn command_in_lines(words: &[String], columns: usize) -> Vec<String> {
    let (room, mut lines) = (columns.saturating_sub(" \\".len() + 4), vec![String::new()]);
    for word in words {
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            line.push_str(word);
        } else if line.width() + 1 + word.width() <= room {
            line.push(' ');
            line.push_str(word);
        } else {
            line.push_str(" \\");
            lines.push(format!("  {word}"));
        }
    }
    lines
}

fn print_usage_line(out: &mut Output, line: &str) -> io::Result<()> {
    let (paint, rest) = (out.paint, line.trim_start_matches(' '));
    let indent = line.len() - rest.len();
    write!(out, "{:indent$}", "")?;
    let words = [("error: ", Word::Error), ("tip: ", Word::Help)];
    let (column, rest) = match words.iter().find_map(|(tip, word)| Some((*word, rest.strip_prefix(tip)?))) {
        Some((word, rest)) => {
            write!(out, "{} ", paint.word(word))?;
            (indent + word.text().len() + 1, rest)
        }
        None => (indent, rest),
    };
    paragraph::flow(out, column, indent.max(2), Style::new(), rest)
}

/// Prints help, the version or an error of usage, as worded by `clap`.
pub(crate) fn wrong_use(error: &clap::Error) -> ExitCode {
    let code = ExitCode::from(if error.use_stderr() { WRONG_USE } else { 0 });
    if !error.use_stderr() && was_closed() {
        return self::code(Err(CliError::Writing(closed_error())));
    }
    let printed = if error.use_stderr() { print_usage(error) } else { error.print() };
    match printed {
        Ok(()) => code,
        // A pager or `head` need not read all of the help.
        Err(failed) if !error.use_stderr() => self::code(Err(CliError::Writing(failed))),
        Err(_) => ExitCode::from(WRONG_USE),
    }
}
