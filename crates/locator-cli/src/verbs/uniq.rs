//! The verb `uniq`: prints the first of the lines that are the same URL, in the order of the input.
//!
//! [`key`] makes a hash of what a line is compared by. The hashes are in a table of limited size
//! ([`table`]); lines whose hashes do not fit go to a temporary file ([`spill`]), and are compared
//! at the end, part by part ([`parts`]).

mod counts;
mod key;
mod parts;
mod spill;
mod table;

use std::ffi::{OsStr, OsString};
use std::hint::black_box;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::path::Path;

use clap::{Args, ValueHint};
use locator::bulk::Separator;
use serde::Serialize;

use self::key::{By, Keys};
use self::parts::{Budget, Parts, each_counted};
use self::spill::{Record, Run, Spill};
use self::table::{Added, Table};
use crate::arguments::{EditionArg, long_help, size};
use crate::exit::{CliError, Status, say, say_error};
use crate::input::files::{Named, Unpacked};
use crate::input::{Origin, Stream};
use crate::output::progress::grouped;
use crate::output::{self, Output};
use crate::pasted;
use crate::report::json::{self, text_of};
use crate::run::interrupt::Turn;
use crate::terminal::visible;

/// Print each line of lists of URLs once, the first time it occurs
///
/// Reads files or standard input, which need not be sorted, and keeps the order. Common options:
/// --by WHAT compares hosts, pages or normal forms, -c counts, -d prints only repeated lines.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
pub(crate) struct UniqArgs {
    /// Files of URLs, one per line; without a file, or for "-", standard input
    #[arg(value_name = "FILE", help_heading = None, value_hint = ValueHint::FilePath)]
    files: Vec<OsString>,
    /// Compare the lines by this; the first line of equal ones is printed unchanged
    #[arg(long, value_name = "WHAT", value_enum, default_value = "text")]
    by: By,
    /// Print before each line how often it occurs
    #[arg(short, long)]
    count: bool,
    /// Print only lines that occur more than once
    #[arg(short = 'd', long)]
    repeated: bool,
    /// Print only lines that occur once
    #[arg(short, long, conflicts_with = "repeated")]
    unique: bool,
    #[command(flatten)]
    edition: EditionArg,
    /// Print one JSON object per line
    #[arg(long, conflicts_with = "count")]
    json: bool,
    /// Use SIZE bytes of memory (suffix K, M or G), then a temporary file
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = size)]
    memory: usize,
    /// Split input and output at NUL, not at line ends
    #[arg(short = '0', long, visible_short_alias = 'z')]
    null: bool,
    /// Stop with an error if a line is longer than SIZE bytes (suffix K, M or G)
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = size)]
    #[arg(hide_short_help = true)]
    max_line: usize,
    /// Print no notes on standard error
    #[arg(short = 's', long, hide_short_help = true)]
    no_messages: bool,
}

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator uniq urls.txt
  locator uniq --by host --count urls-*.txt | sort -rn | head
  locator uniq --by key --repeated < urls.txt
  locator find site/ | locator uniq | locator get -O

Exit status:
  0    all lines were read
  2    wrong usage, or a file cannot be read
  130  interrupted";

/// Before the examples in `--help`: input, output, memory.
const DETAILS: &str = "\
Input:
  Equal lines need not be adjacent. A line ends with LF or CR LF, which is not
  compared. With another --by than text, a line that is not a valid URL, or has
  no host, is compared by its text. So no line is lost; a note on standard
  error has their number.

Output:
  The first of equal lines, unchanged, in the order of the input. A line is
  printed when it is read, unless its count is needed (-c, -d, -u, --json) or
  the memory is full. With -c the count precedes the line, as 'uniq -c' prints
  it. With --json one object for each line:
    {\"input\":…,\"count\":…}

Memory:
  A hash of 128 bits is kept for each different line, 16 bytes; two different
  lines with the same hash, which are not to be expected, count as equal. 256M
  are enough for 7 million different lines. With counts a line takes 22 bytes,
  which are enough for 5 million, and the first lines are kept, too. What does
  not fit is written to a temporary file in TMPDIR, which is gone when the
  command ends, however it ends.";

/// How many lines are looked up at a time.
const LINES: usize = 512;

struct Uniq<'a> {
    args: &'a UniqArgs,
    keys: Keys,
    /// Whether the number of equal lines must be known before one is printed.
    counts: bool,
    budget: Budget,
    table: Table,
    spill: Spill,
    /// The first lines that are in the table, if they are counted.
    firsts: Run,
    /// Lines that are not in the table, which is full.
    parts: Parts,
    number: u64,
}

/// Prints each line once.
pub(crate) fn run(args: &UniqArgs, out: &mut Output) -> Result<Status, CliError> {
    let uniq = Uniq::new(args);
    let mut turn = Turn::begin(uniq.origin());
    let result = uniq.run(&mut turn, out);
    if matches!(result, Err(CliError::Interrupted)) {
        out.flush()?;
        turn.report();
    }
    result
}

impl<'a> Uniq<'a> {
    const LEAST: usize = 1 << 20;

    fn new(args: &'a UniqArgs) -> Self {
        let separator = if args.null { Separator::Nul } else { Separator::Newline };
        let counts = args.count || args.repeated || args.unique || args.json;
        let budget = Budget::new(args.memory.max(Self::LEAST), counts);
        Self {
            args,
            keys: Keys::new(args.by, args.edition.edition, separator),
            counts,
            budget,
            table: budget.table(),
            spill: budget.spill(),
            firsts: Run::without_keys(),
            parts: Parts::new(),
            number: 0,
        }
    }

    fn origin(&self) -> Origin {
        if self.args.null { Origin::Item } else { Origin::Line }
    }

    fn run(mut self, turn: &mut Turn, out: &mut Output) -> Result<Status, CliError> {
        if self.args.files.is_empty() {
            self.read(Named(OsStr::new("-")), turn, out)?;
        }
        for file in &self.args.files {
            self.read(Named(file), turn, out)?;
        }
        let (by_text, is_silent) = (self.keys.by_text, self.args.no_messages);
        let (by, number) = (self.args.by, self.number);
        self.finish(out)?;
        out.flush()?;
        if by_text > 0 && !is_silent {
            note(by, by_text, number);
        }
        Ok(Status::Valid)
    }

    fn read(&mut self, file: Named<'_>, turn: &mut Turn, out: &mut Output) -> Result<(), CliError> {
        if file.is_stdin() && io::stdin().is_terminal() {
            say("reading URLs from the terminal, one per line; press Ctrl-D to end");
        }
        let from = open(file)?;
        let mut stream = Stream::new(from, self.origin(), self.args.max_line);
        let (mut lines, mut keys) = (Vec::with_capacity(LINES), Vec::with_capacity(LINES));
        loop {
            let failed = gather(&mut stream, &mut lines);
            self.each(stream.buffer(), &lines, &mut keys, out)?;
            turn.add(self.origin(), lines.len() as u64);
            failed.map_err(|error| file.unreadable(error))?;
            if Turn::is_over() {
                return Err(CliError::Interrupted);
            }
            if lines.is_empty() {
                if stream.ended() {
                    return Ok(());
                }
                out.flush()?;
                turn.wait(|| stream.fill()).map_err(|error| file.unreadable(error))?;
            }
        }
    }

    /// Prints or keeps those of some lines that are new.
    fn each(
        &mut self,
        buffer: &[u8],
        lines: &[Range<usize>],
        keys: &mut Vec<u128>,
        out: &mut Output,
    ) -> Result<(), CliError> {
        self.keys.read(buffer, lines, keys);
        // The processor reads the slots of all lines at the same time.
        black_box(keys.iter().fold(0, |all, &key| all ^ self.table.touch(key)));
        for (line, &key) in lines.iter().zip(&*keys) {
            let line = &buffer[line.clone()];
            let record = Record { key, number: self.number, count: 1, line };
            self.number += 1;
            match self.table.add(key) {
                Added::Known => {}
                Added::New if self.counts => self.spill.push(&mut self.firsts, record)?,
                Added::New => print(self.args, record, out)?,
                Added::Full => self.parts.push(&mut self.spill, record)?,
            }
        }
        Ok(())
    }

    /// Prints what could not be printed before the end of the input.
    fn finish(mut self, out: &mut Output) -> Result<(), CliError> {
        self.spill.close(&mut self.firsts)?;
        let args = self.args;
        // The memory of the table is needed.
        let counts = self.table.into_counts();
        each_counted(&self.firsts, &counts, &mut self.spill, |_, record| print(args, record, out))?;
        self.parts.finish(self.budget, &mut self.spill, &mut |record| print(args, record, out))
    }
}

/// Replaces the lines by the next ones of the buffer. What was found before an error is there.
fn gather(stream: &mut Stream<impl io::Read>, lines: &mut Vec<Range<usize>>) -> io::Result<()> {
    lines.clear();
    while lines.len() < LINES {
        match stream.next()? {
            Some(line) => lines.push(line),
            None => break,
        }
    }
    Ok(())
}

fn open(file: Named<'_>) -> Result<Unpacked, CliError> {
    if pasted::has_scheme(file.0.as_encoded_bytes()) && !Path::new(file.0).exists() {
        let name = visible(&file.0.to_string_lossy()).to_string();
        say_error(&format!("\"{name}\" is a URL; uniq takes files of URLs, or reads standard input"));
        return Err(CliError::Reported);
    }
    file.open_unpacked()
}

fn print(args: &UniqArgs, record: Record<'_>, out: &mut Output) -> Result<(), CliError> {
    let Record { count, line, .. } = record;
    if args.repeated && count < 2 || args.unique && count > 1 {
        return Ok(());
    }
    if args.json {
        let (input, input_base64) = text_of(line);
        json::line(out, &LineObject { input: &input, input_base64, count })?;
        return Ok(());
    }
    if args.count {
        write_count(out, count)?;
    }
    if out.is_terminal {
        output::text(out, &String::from_utf8_lossy(line))?;
    } else {
        out.write_all(line)?;
    }
    out.write_all(if args.null { b"\0" } else { b"\n" })?;
    Ok(())
}

/// Writes a number as `{count:>7} ` does, which takes as long as all else that is done with a line.
fn write_count(out: &mut Output, mut count: u64) -> io::Result<()> {
    const WIDTH: usize = 7;
    // The largest number has 20 digits.
    let mut text = [b' '; 21];
    let mut start = text.len() - 1;
    loop {
        start -= 1;
        text[start] = b'0' + (count % 10) as u8;
        count /= 10;
        if count == 0 {
            break;
        }
    }
    out.write_all(&text[start.min(text.len() - 1 - WIDTH)..])
}

/// The object of a line.
#[derive(Serialize)]
struct LineObject<'a> {
    input: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    count: u64,
}

/// Says how many lines were compared by their text.
fn note(by: By, by_text: u64, number: u64) {
    let which = match (by, by_text) {
        (By::Host, 1) => "is not a valid URL or has no host, and is compared by its text",
        (_, 1) => "is not a valid URL, and is compared by its text",
        (By::Host, _) => "are not valid URLs or have no host, and are compared by their text",
        _ => "are not valid URLs, and are compared by their text",
    };
    let [by_text, number] = [by_text, number].map(grouped);
    say(&format!("{by_text} of {number} lines {which}"));
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            self.0.lock().map_err(|_| io::ErrorKind::Other)?.write(octets)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn counts_are_written_as_numbers_are_formatted() {
        let (kept, mut expected) = (Kept::default(), String::new());
        let mut out = Output::kept(Box::new(kept.clone()));
        for count in [0, 1, 10, 999_999, 1_000_000, 9_999_999, 10_000_000, u64::MAX] {
            assert!(write_count(&mut out, count).is_ok());
            expected += &format!("{count:>7} ");
        }
        assert!(out.flush().is_ok());
        assert_eq!(kept.0.lock().ok().as_deref(), Some(&expected.into_bytes()));
    }
}
