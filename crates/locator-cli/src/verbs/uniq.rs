//! The verb `uniq`: prints the first of the lines that are the same URL, in the order of the input.
//!
//! A line is compared by a hash of 128 bits of its key; one that is not a valid URL, or has no host if hosts are compared, by
//! its text. The hashes are in a [`Table`] of limited size: keys are hashes already, in one array with linear probing, so
//! that a lookup touches one or two cache lines. Lines whose hashes do not fit go to a temporary file ([`spill`]), and are
//! compared at the end, part by part ([`Parts`]): equal lines are in the same part, a part whose keys do not fit into the
//! table either is divided again, by other bits of the keys, and the parts are merged in the order of the input.
//!
//! Counts of lines take two bytes each, since nearly all are small; the few large ones are in a map.

mod spill;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::hint::black_box;
use std::io;
use std::io::{IsTerminal, Write};
use std::ops::Range;
use std::path::Path;

use clap::{Args, ValueHint};
use locator::bulk::{Batch, Separator};
use locator::{Component, Edition, Level, UriRef};
use locator_functions::Row;
use locator_web::report::quantity::grouped;
use serde::Serialize;
use twox_hash::XxHash3_128;

use crate::arguments::{EditionArg, Inputs, Suggested, TableArgs, UrlTable, long_help, size};
use crate::exit::{CliError, Status, say, say_error};
use crate::field::Field;
use crate::input::files::{Named, Unpacked};
use crate::input::{Input, Origin, Stream, reading};
use crate::output::Output;
use crate::report::json;
use crate::report::json::text_of;
use crate::run::Answer;
use crate::run::interrupt::Turn;
use crate::run::table::{self, Filter};
use crate::terminal::visible;
use crate::verbs::uniq::spill::{Record, Run, Spill};
use crate::{output, pasted};

/// Print each line of lists of URLs once, the first time it occurs
///
/// Reads files or standard input, which need not be sorted, and keeps the order. Common options:
/// --by PART compares hosts, keys or other parts, -c counts, -d prints only repeated lines.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("column", |column| column.conflicts_with_all(OF_LISTS)))]
pub(crate) struct UniqArgs {
    /// Files of URLs, one per line; without a file, or for "-", standard input
    #[arg(value_name = "FILE", help_heading = None, value_hint = ValueHint::FilePath)]
    files: Vec<OsString>,
    /// Read the URLs from FILE, as if it were given without -f
    #[arg(short, long, value_name = "FILE", conflicts_with = "files", hide_short_help = true)]
    file: Option<OsString>,
    /// Compare lines by a part: host, key, normal, registered_domain, surt, query:q …
    ///
    /// The first line of equal ones is printed unchanged; with --count, the part.
    /// "text" is the line, "normal" the normal form that 'locator normalize' prints,
    /// "key" the page: without fragment and tracking, pairs sorted. All parts are in
    /// 'locator edit --help'.
    #[arg(long, value_name = "PART", default_value = "text", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(By::named, By::names))]
    by: By,
    /// Print before each line, or before the part of --by, how often it occurs
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
    #[arg(long)]
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
    #[command(flatten)]
    table: TableArgs,
}

/// The options that a table cannot have.
const OF_LISTS: [&str; 5] = ["count", "repeated", "unique", "json", "null"];

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator uniq urls.txt
  locator uniq --by host --count urls-*.txt | sort -rn | head
  locator uniq --by registered_domain -c < urls.txt
  locator uniq --by key --repeated < urls.txt
  locator uniq --csv --column url --by host < table.csv
  locator find site/ | locator uniq | locator get -O

Exit status:
  0    all lines were read
  2    wrong usage, or a file cannot be read
  130  interrupted";

/// Before the examples in `--help`: input, output, memory.
const DETAILS: &str = "\
Input:
  Equal lines need not be adjacent. A line ends with LF or CR LF, which is not
  compared. With another --by than text, a line that is not a valid URL, or
  does not have the part, is compared by its text. So no line is lost; a note
  on standard error has their number. Schemes are compared in lower case,
  hosts in normal form.

Output:
  The first of equal lines, unchanged, in the order of the input. A line is
  printed when it is read, unless its count is needed (-c, -d, -u, --json) or
  the memory is full. With -c the count precedes the line, as 'uniq -c' prints
  it. With -c and a part, such as --by host, the part is printed, and \"(no
  host)\" or \"(not valid)\" for all lines without it. With --json one object for
  each line, with \"value\" if --by is a part:
    {\"input\":…,\"value\":…,\"count\":…}

Tables:
  With --csv, --tsv or --ndjson the input is a table, and so is the output: the
  line of names, and the first of the rows whose URLs, in the column of
  --column, are equal. All bytes of a row stay.

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
    if let Some(table) = args.table.input()? {
        return run_table(args, table, out);
    }
    let uniq = Uniq::new(args);
    let mut turn = Turn::begin(uniq.origin());
    let result = uniq.run(&mut turn, out);
    if matches!(result, Err(CliError::Interrupted)) {
        out.flush()?;
        turn.report();
    }
    result
}

/// Prints each row of a table once.
fn run_table(args: &UniqArgs, table: UrlTable<'_>, out: &mut Output) -> Result<Status, CliError> {
    let inputs = Inputs {
        urls: args.files.clone(),
        file: args.file.clone(),
        json: false,
        null: false,
        max_line: args.max_line,
        quiet: false,
        brief: false,
        no_messages: args.no_messages,
    };
    let keys = Keys::new(args.by, args.edition.edition, Separator::Nul, false);
    let mut rows = Rows { keys, key: Vec::new(), seen: HashSet::new(), count: 0 };
    let status = table::filter(table, &inputs, &mut rows, out)?;
    if rows.keys.by_text > 0 && !args.no_messages {
        note(args.by, rows.keys.by_text, rows.count);
    }
    Ok(status)
}

/// The rows of a table, by the keys of their URLs.
struct Rows {
    keys: Keys,
    /// The key of a row.
    key: Vec<u128>,
    seen: HashSet<u128>,
    count: u64,
}

impl Filter for Rows {
    fn keeps(&mut self, input: Input<'_>) -> bool {
        self.count += 1;
        let whole = 0..input.octets.len();
        self.keys.read(input.octets, &[whole], &mut self.key);
        self.key.first().is_none_or(|key| self.seen.insert(*key))
    }
}

impl Answer for Rows {
    fn answer(&mut self, _: Input<'_>, _: &mut Output) -> io::Result<Status> {
        Ok(Status::Valid)
    }

    fn judge(&mut self, _: Input<'_>) -> Status {
        Status::Valid
    }
}

impl UniqArgs {
    /// Returns whether the part that lines are compared by is printed.
    const fn counts_parts(&self) -> bool {
        (self.count || self.json) && self.by.part().is_some()
    }
}

impl<'a> Uniq<'a> {
    const LEAST: usize = 1 << 20;

    fn new(args: &'a UniqArgs) -> Self {
        let separator = if args.null { Separator::Nul } else { Separator::Newline };
        let counts = args.count || args.repeated || args.unique || args.json;
        let budget = Budget::new(args.memory.max(Self::LEAST), counts);
        Self {
            args,
            keys: Keys::new(args.by, args.edition.edition, separator, args.counts_parts()),
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
        let args = self.args;
        if args.files.is_empty() && args.file.is_none() {
            self.read(Named(OsStr::new("-")), turn, out)?;
        }
        for file in args.files.iter().chain(&args.file) {
            self.read(Named(file), turn, out)?;
        }
        let (by_text, is_silent) = (self.keys.by_text, self.args.no_messages);
        let (by, number) = (self.args.by, self.number);
        if number == 0 && !is_silent {
            say("there is no line in the input");
        }
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
    let value = args.by.part().filter(|_| args.counts_parts()).map(|part| value_of(args, part, line));
    if args.json {
        let (input, input_base64) = text_of(line);
        let why = value.as_ref().and_then(|value| value.as_ref().err().cloned());
        let value = value.as_ref().map(|value| value.as_deref().ok());
        json::line(out, &LineObject { input: &input, input_base64, value, why, count })?;
        return Ok(());
    }
    if args.count {
        write_count(out, count)?;
    }
    if let Some(value) = value {
        let text = value.unwrap_or_else(|why| format!("({why})"));
        output::text(out, &text)?;
    } else if out.is_terminal {
        output::text(out, &String::from_utf8_lossy(line))?;
    } else {
        out.write_all(line)?;
    }
    out.write_all(if args.null { b"\0" } else { b"\n" })?;
    Ok(())
}

/// Returns the part of a line, or why it has none.
fn value_of(args: &UniqArgs, part: Field, line: &[u8]) -> Result<String, String> {
    let ReadLine { row, is_valid } = ReadLine::of(line, args.edition.edition);
    let missing = || if is_valid { format!("no {}", part.title()) } else { "not valid".to_owned() };
    grouped_by(part, &row).map(Cow::into_owned).ok_or_else(missing)
}

/// A line for functions of URLs.
struct ReadLine<'a> {
    row: Row<'a>,
    is_valid: bool,
}

impl<'a> ReadLine<'a> {
    fn of(line: &'a [u8], edition: &'static Edition) -> Self {
        match reading::read(line, edition) {
            Ok(parsed) => Self { row: Row::of(parsed.reference), is_valid: true },
            Err(_) => Self { row: Row::unparsed_bytes(line, edition), is_valid: false },
        }
    }
}

/// Returns the part that lines are compared by; an empty host is none.
fn grouped_by<'a>(part: Field, row: &Row<'a>) -> Option<Cow<'a, str>> {
    let is_host = part.is_component(Component::Host);
    part.grouped(row).filter(|text| !(is_host && text.is_empty()))
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
    /// The part that lines are compared by, `null` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Option<&'a str>>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    count: u64,
}

/// Says how many lines were compared by their text.
fn note(by: By, by_text: u64, number: u64) {
    let part = by.part().map(Field::title);
    let which = match (part, by_text) {
        (Some(part), 1) => format!("is not a valid URL or has no {part}, and is compared by its text"),
        (None, 1) => "is not a valid URL, and is compared by its text".to_owned(),
        (Some(part), _) => format!("are not valid URLs or have no {part}, and are compared by their text"),
        (None, _) => "are not valid URLs, and are compared by their text".to_owned(),
    };
    let [by_text, number] = [by_text, number].map(grouped);
    say(&format!("{by_text} of {number} lines {which}"));
}

/// Numbers of at least 1, by place.
#[derive(Default)]
pub(super) struct Counts {
    /// What is above the numbers in the map, or the whole number if it is not there.
    low: Vec<u16>,
    /// For each place that has passed the largest number of two bytes: how much it had then.
    high: HashMap<u32, u64>,
}

impl Counts {
    /// How many bytes a number takes, of those that are not large.
    const BYTES: usize = size_of::<u16>();

    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds a place with the number 1, and returns it.
    #[inline]
    fn push(&mut self) -> u32 {
        let place = self.low.len() as u32;
        self.low.push(1);
        place
    }

    /// Adds 1 to the number of a place.
    #[inline]
    fn increase(&mut self, place: u32) {
        let low = &mut self.low[place as usize];
        match low.checked_add(1) {
            Some(more) => *low = more,
            None => {
                *self.high.entry(place).or_default() += u64::from(*low);
                *low = 1;
            }
        }
    }

    /// Returns the numbers in the order of their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> {
        let high = |place: u32| self.high.get(&place).copied().unwrap_or_default();
        (0..).zip(&self.low).map(move |(place, &low)| u64::from(low) + high(place))
    }
}

/// What lines are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// The line, byte for byte.
    Text,
    /// The page: the normal form without fragment and tracking, pairs sorted.
    Key,
    /// The normal form.
    Normal,
    /// The host, in normal form, which many lines are read for at once.
    Host(Field),
    /// Another part.
    Part(Field),
}

impl By {
    /// Reads the name of a part.
    fn named(name: &str) -> Result<Self, String> {
        let field = Field::named(name)?;
        Ok(match &*field.title() {
            "url" => Self::Text,
            "key" => Self::Key,
            "normalize" => Self::Normal,
            "host" => Self::Host(field),
            _ => Self::Part(field),
        })
    }

    /// Returns the names for completions.
    fn names() -> Vec<String> {
        let own = ["text", "normal"].map(str::to_owned);
        own.into_iter().chain(Field::names()).collect()
    }

    /// Returns the part, if it is not the whole line or a form of it.
    const fn part(self) -> Option<Field> {
        match self {
            Self::Host(field) | Self::Part(field) => Some(field),
            _ => None,
        }
    }
}

/// Makes keys of lines.
pub(super) struct Keys {
    by: By,
    edition: &'static Edition,
    separator: Separator,
    batch: Batch,
    /// Whether lines without the part are equal, as they are when parts are counted.
    groups_others: bool,
    /// Of the hashes of texts, of the hashes of what else lines are compared by, and of those without it.
    /// They are random, so that nobody can prepare lines with the same hash.
    seeds: [u64; 3],
    /// How many lines were compared by their text in place of what was asked for.
    pub(super) by_text: u64,
}

impl Keys {
    pub(super) fn new(by: By, edition: &'static Edition, separator: Separator, groups_others: bool) -> Self {
        let seeds = [0, 1, 2].map(|number| RandomState::new().hash_one(number));
        Self { by, edition, separator, batch: Batch::new_with(edition), groups_others, seeds, by_text: 0 }
    }

    /// Replaces the keys by those of lines of a buffer that follow one another.
    pub(super) fn read(&mut self, buffer: &[u8], lines: &[Range<usize>], keys: &mut Vec<u128>) {
        keys.clear();
        match self.by {
            By::Text => keys.extend(lines.iter().map(|line| self.of_text(&buffer[line.clone()]))),
            By::Key => keys.extend(lines.iter().map(|line| self.of_key(&buffer[line.clone()]))),
            By::Normal => keys.extend(lines.iter().map(|line| self.of_normal(&buffer[line.clone()]))),
            By::Host(_) => self.read_hosts(buffer, lines, keys),
            By::Part(field) => {
                keys.extend(lines.iter().map(|line| self.of_field(field, &buffer[line.clone()])));
            }
        }
    }

    fn of_text(&self, line: &[u8]) -> u128 {
        XxHash3_128::oneshot_with_seed(self.seeds[0], line)
    }

    fn of_part(&self, part: &[u8]) -> u128 {
        XxHash3_128::oneshot_with_seed(self.seeds[1], part)
    }

    /// The key of a line without the part that is asked for.
    fn without_part(&mut self, line: &[u8], is_valid: bool) -> u128 {
        if self.groups_others {
            return XxHash3_128::oneshot_with_seed(self.seeds[2], &[u8::from(is_valid)]);
        }
        self.by_text += 1;
        self.of_text(line)
    }

    fn of_field(&mut self, field: Field, line: &[u8]) -> u128 {
        let ReadLine { row, is_valid } = ReadLine::of(line, self.edition);
        match grouped_by(field, &row) {
            Some(text) => self.of_part(text.as_bytes()),
            None => self.without_part(line, is_valid),
        }
    }

    fn of_normal(&mut self, line: &[u8]) -> u128 {
        match reading::read(line, self.edition) {
            Ok(parsed) => self.of_part(parsed.reference.normalize(Level::Scheme).as_str().as_bytes()),
            Err(_) => self.without_part(line, false),
        }
    }

    fn of_key(&mut self, line: &[u8]) -> u128 {
        match reading::read(line, self.edition) {
            Ok(parsed) => self.of_part(locator_functions::key(parsed.reference).as_str().as_bytes()),
            Err(_) => self.without_part(line, false),
        }
    }

    fn read_hosts(&mut self, buffer: &[u8], lines: &[Range<usize>], keys: &mut Vec<u128>) {
        let [Some(first), Some(last)] = [lines.first(), lines.last()] else { return };
        let rows = &buffer[first.start..last.end];
        // A batch has no row for an empty line at the end.
        let is_read = self.batch.read(rows, self.separator).is_ok() && self.batch.len() <= lines.len();
        let batch = std::mem::take(&mut self.batch);
        let read = if is_read { batch.len() } else { 0 };
        for (row, line) in lines.iter().enumerate() {
            let line = &buffer[line.clone()];
            let host = (row < read && batch.errors()[row] == Batch::VALID)
                .then(|| &line[batch.host_starts()[row] as usize..batch.host_ends()[row] as usize]);
            keys.push(match host {
                Some(host) if !host.is_empty() && host.iter().all(is_normal) => self.of_part(host),
                Some([]) => self.without_part(line, true),
                _ => self.of_host(line),
            });
        }
        self.batch = batch;
    }

    /// The key of a line whose host may not be in normal form, or which may be invalid.
    fn of_host(&mut self, line: &[u8]) -> u128 {
        let normal = UriRef::parse_bytes_with(line, self.edition).map(|url| url.normalize(Level::Scheme));
        let host = normal.as_ref().ok().and_then(|normal| normal.as_uri_ref().host());
        match host.map(|host| host.as_str()).filter(|host| !host.is_empty()) {
            Some(host) => self.of_part(host.as_bytes()),
            None => self.without_part(line, normal.is_ok()),
        }
    }
}

/// Returns whether a byte of a host is the same in its normal form, whatever is around it.
fn is_normal(octet: &u8) -> bool {
    matches!(octet, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_')
}

/// How much memory is used, in bytes, and for what.
#[derive(Clone, Copy, Debug)]
struct Budget {
    /// For the table.
    pub(super) table: usize,
    /// For records.
    pub(super) records: usize,
    /// For the last block of each part.
    pub(super) block: usize,
    /// Whether lines are counted.
    pub(super) counts: bool,
}

impl Budget {
    /// Divides that many bytes. The table needs half as much more while it grows, and each part its last
    /// block.
    pub(super) fn new(memory: usize, counts: bool) -> Self {
        let block = (memory / 2048).clamp(1 << 10, 64 << 10);
        Self { table: memory / 16 * 9, records: memory / 16, block, counts }
    }

    pub(super) fn table(&self) -> Table {
        Table::new(self.table, self.counts)
    }

    pub(super) fn spill(&self) -> Spill {
        Spill::new(self.records, self.block)
    }

    /// How many runs are merged at a time; each needs a block.
    fn merged(&self) -> usize {
        (self.table / self.block).max(2)
    }
}

/// Lines by their keys.
pub(super) struct Parts {
    runs: Vec<Run>,
    /// How often what is in them was divided before.
    depth: u32,
}

impl Parts {
    const BITS: u32 = 6;
    /// When all bits of the half of a key that the table does not use have been used.
    const DEEPEST: u32 = 64 / Self::BITS;

    pub(super) fn new() -> Self {
        Self::at(0)
    }

    fn at(depth: u32) -> Self {
        Self { runs: std::iter::repeat_with(Run::with_keys).take(1 << Self::BITS).collect(), depth }
    }

    /// Adds a line to its part.
    fn push(&mut self, spill: &mut Spill, record: Record<'_>) -> Result<(), CliError> {
        let part = (record.key as u64 >> (self.depth * Self::BITS)) as usize % self.runs.len();
        spill.push(&mut self.runs[part], record)
    }

    /// Ends the parts: returns those with lines, each with its depth.
    fn end(mut self, spill: &mut Spill) -> Result<Vec<(Run, u32)>, CliError> {
        self.runs.iter_mut().try_for_each(|run| spill.close(run))?;
        let depth = self.depth + 1;
        Ok(self.runs.into_iter().filter(|run| !run.is_empty()).map(|run| (run, depth)).collect())
    }

    /// Passes the first line of each key, with its count, in the order of the input.
    fn finish(
        self,
        budget: Budget,
        spill: &mut Spill,
        print: &mut impl FnMut(Record<'_>) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let mut parts = self.end(spill)?;
        let mut firsts = Vec::new();
        while let Some((part, depth)) = parts.pop() {
            let (run, more) = first_lines(&part, depth, budget, spill)?;
            firsts.push(run);
            parts.extend(more.end(spill)?);
        }
        while firsts.len() > budget.merged() {
            let some = firsts.split_off(firsts.len() - budget.merged());
            let mut merged = Run::without_keys();
            merge(&some, spill, |spill, record| spill.push(&mut merged, record))?;
            spill.close(&mut merged)?;
            // At the other end, so that runs of equal length are merged.
            firsts.insert(0, merged);
        }
        merge(&firsts, spill, |_, record| print(record))
    }
}

/// Returns the first line of each key of a part that fits into a table, and the other lines.
fn first_lines(part: &Run, depth: u32, budget: Budget, spill: &mut Spill) -> Result<(Run, Parts), CliError> {
    let budget = if depth > Parts::DEEPEST { Budget { table: usize::MAX / 2, ..budget } } else { budget };
    let (mut firsts, mut more) = (Run::without_keys(), Parts::at(depth));
    let (mut table, mut reader) = (budget.table(), part.read());
    while let Some(record) = reader.peek(spill)? {
        match table.add(record.key) {
            Added::Full => more.push(spill, record)?,
            Added::New => spill.push(&mut firsts, record)?,
            Added::Known => {}
        }
        reader.pass();
    }
    spill.close(&mut firsts)?;
    if !budget.counts {
        return Ok((firsts, more));
    }
    let mut counted = Run::without_keys();
    each_counted(&firsts, &table.into_counts(), spill, |spill, record| spill.push(&mut counted, record))?;
    spill.close(&mut counted)?;
    Ok((counted, more))
}

/// Passes the records of a run, whose keys were added to a table in the same order, with their counts.
fn each_counted(
    firsts: &Run,
    counts: &Counts,
    spill: &mut Spill,
    mut pass: impl FnMut(&mut Spill, Record<'_>) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let mut reader = firsts.read();
    for count in counts.iter() {
        let Some(record) = reader.peek(spill)? else { break };
        pass(spill, Record { count, ..record })?;
        reader.pass();
    }
    Ok(())
}

/// Passes the records of runs in the order of their numbers, which each run has.
fn merge(
    runs: &[Run],
    spill: &mut Spill,
    mut pass: impl FnMut(&mut Spill, Record<'_>) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let mut readers: Vec<_> = runs.iter().map(Run::read).collect();
    let mut next = BinaryHeap::new();
    for (index, reader) in readers.iter_mut().enumerate() {
        next.extend(reader.peek(spill)?.map(|record| Reverse((record.number, index))));
    }
    while let Some(Reverse((_, index))) = next.pop() {
        let reader = &mut readers[index];
        if let Some(record) = reader.peek(spill)? {
            pass(spill, record)?;
            reader.pass();
        }
        next.extend(reader.peek(spill)?.map(|record| Reverse((record.number, index))));
    }
    Ok(())
}

/// The keys that were added.
pub(super) struct Table {
    /// 0 marks a free slot.
    keys: Vec<u128>,
    /// How many keys were added before that of the same slot; empty if nothing is counted.
    places: Vec<u32>,
    /// By place.
    counts: Counts,
    used: usize,
    /// How many slots there may be.
    most: usize,
    /// How often the number of slots can be doubled until there are as many.
    doublings: u32,
}

/// What [`Table::add`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Added {
    /// The key was not in the table, and is now.
    New,
    /// The key was in the table.
    Known,
    /// The key is not in the table, which is full.
    Full,
}

impl Table {
    const FREE: u128 = 0;
    const FIRST: usize = 1 << 12;

    /// Creates a table that takes at most that many bytes, and half of that more while it grows.
    pub(super) fn new(bytes: usize, counts: bool) -> Self {
        let count = if counts { size_of::<u32>() + Counts::BYTES } else { 0 };
        let most = (bytes / (size_of::<u128>() + count)).clamp(16, u32::MAX as usize);
        let doublings = (most / Self::FIRST).checked_ilog2().map_or(0, |doublings| doublings + 1);
        let slots = most >> doublings;
        let places = vec![0; if counts { slots } else { 0 }];
        Self { keys: vec![Self::FREE; slots], places, counts: Counts::new(), used: 0, most, doublings }
    }

    /// Returns the content of the first slot of a key. Reading those of many keys at once takes
    /// little longer than reading one, and afterwards they are in the cache.
    fn touch(&self, key: u128) -> u128 {
        self.keys[Self::start(key, self.keys.len())]
    }

    /// Adds a key, or increases its count.
    fn add(&mut self, key: u128) -> Added {
        let key = key.max(1);
        let mut slot = self.find(key);
        if self.keys[slot] == key {
            if let Some(&place) = self.places.get(slot) {
                self.counts.increase(place);
            }
            return Added::Known;
        }
        if self.used >= self.keys.len() / 4 * 3 {
            if self.doublings == 0 {
                return Added::Full;
            }
            self.grow();
            slot = self.find(key);
        }
        self.keys[slot] = key;
        if let Some(place) = self.places.get_mut(slot) {
            *place = self.counts.push();
        }
        self.used += 1;
        Added::New
    }

    /// Returns how often each key was added, in the order in which they were first added.
    fn into_counts(self) -> Counts {
        self.counts
    }

    /// Returns the slot of a key, or the free one where it would be. There is always a free one.
    fn find(&self, key: u128) -> usize {
        let mut slot = Self::start(key, self.keys.len());
        while self.keys[slot] != key && self.keys[slot] != Self::FREE {
            slot = if slot + 1 == self.keys.len() { 0 } else { slot + 1 };
        }
        slot
    }

    /// Returns the first slot of a key: its high half as a fraction of the table.
    fn start(key: u128, slots: usize) -> usize {
        let scaled = (key >> 64) * slots as u128;
        (scaled >> 64) as usize
    }

    fn grow(&mut self) {
        self.doublings -= 1;
        let slots = self.most >> self.doublings;
        let keys = std::mem::replace(&mut self.keys, vec![Self::FREE; slots]);
        let is_counted = !self.places.is_empty();
        let places = std::mem::replace(&mut self.places, vec![0; if is_counted { slots } else { 0 }]);
        for (old, &key) in keys.iter().enumerate().filter(|(_, key)| **key != Self::FREE) {
            let slot = self.find(key);
            self.keys[slot] = key;
            if is_counted {
                self.places[slot] = places[old];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};
    use twox_hash::XxHash3_128;

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

    #[test]
    fn large_numbers_are_exact() {
        let mut counts = Counts::new();
        let numbers = [1, 2, 65_534, 65_535, 65_536, 65_537, 131_070, 131_071, 200_000];
        for number in numbers {
            let place = counts.push();
            (1..number).for_each(|_| counts.increase(place));
        }
        assert_eq!(counts.iter().collect::<Vec<_>>(), numbers);
    }

    fn line(number: u64) -> Vec<u8> {
        // A few are longer than a block.
        let length = if number.is_multiple_of(97) { 300 } else { number as usize % 7 };
        [number.to_string().into_bytes(), vec![b'a'; length]].concat()
    }

    #[test]
    fn parts_are_divided_and_merged() {
        // A table has 75 keys, so parts of parts are needed, and more runs than are merged at a time.
        for (counts, records) in [(false, 0), (true, 0), (false, 3_000), (true, 1 << 20)] {
            let table = if counts { 2_200 } else { 1_600 };
            let budget = Budget { table, records, block: 64, counts };
            let (mut spill, mut parts) = (budget.spill(), Parts::new());
            let mut expected: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
            for number in 0..30_000_u64 {
                let different = number * 7_919 % 12_000;
                let line = line(different);
                let key = XxHash3_128::oneshot(&line);
                expected.entry(different).or_insert((number, 0)).1 += 1;
                let record = Record { key, number, count: 1, line: &line };
                assert!(parts.push(&mut spill, record).is_ok());
            }
            let mut expected: Vec<_> =
                expected.into_iter().map(|(line, (number, count))| (number, count, line)).collect();
            expected.sort_unstable();
            let mut found = Vec::new();
            let mut print = |record: Record<'_>| {
                found.push((record.number, record.count, record.line.to_vec()));
                Ok(())
            };
            assert!(parts.finish(budget, &mut spill, &mut print).is_ok());
            let count = |count| if counts { count } else { 1 };
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(number, found, different)| (number, count(found), line(different)))
                .collect();
            assert_eq!(found.len(), expected.len());
            assert!(found == expected, "{counts}, {records}");
        }
    }

    /// Keys that fall into few slots, and into the last one.
    fn keys() -> impl Iterator<Item = u128> {
        let near = (0..500).map(|low| u128::MAX << 64 | low);
        near.chain((1..500).map(|high| high << 100)).chain([0, 2])
    }

    #[test]
    fn a_key_is_new_once_and_is_counted() {
        let mut table = Table::new(1 << 20, true);
        assert!(keys().all(|key| table.add(key) == Added::New));
        assert!(keys().all(|key| table.add(key) == Added::Known));
        assert_eq!([7, 2].map(|key| table.add(key)), [Added::New, Added::Known]);
        let counts: Vec<u64> = table.into_counts().iter().collect();
        assert_eq!(counts, keys().map(|key| if key == 2 { 3 } else { 2 }).chain([1]).collect::<Vec<_>>());
    }

    #[test]
    fn a_table_doubles_up_to_its_limit() {
        for (bytes, counts, slots) in
            [(1600, false, 100), (16 * 10_000, false, 10_000), (22 << 16, true, 1 << 16)]
        {
            let mut table = Table::new(bytes, counts);
            let first = table.keys.len();
            while table.doublings > 0 {
                let before = table.keys.len();
                table.grow();
                assert!((2 * before..=2 * before + 1).contains(&table.keys.len()));
            }
            assert_eq!(table.keys.len(), slots);
            assert!(first < 2 * Table::FIRST);
        }
    }

    #[test]
    fn a_full_table_knows_its_keys() {
        let mut table = Table::new(1600, false);
        let new = keys().take_while(|&key| table.add(key) == Added::New).count();
        assert_eq!(new, 75);
        assert!(keys().take(75).all(|key| table.add(key) == Added::Known));
        assert_eq!(table.add(u128::MAX), Added::Full);
    }
}
