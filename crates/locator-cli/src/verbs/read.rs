//! The verb `read`: prints the components of inputs, in one edition or in every edition, side by side: the text in colour, a
//! row for each defined component, a verdict, and a mark where current programs read a text in another way.
//!
//! `read --columns` prints parts of each URL as the columns of a table. They are added to the table that the URLs are in;
//! URLs of a list become a table of their own.

use std::borrow::Cow;
use std::io::Write;
use std::{io, mem};

use anstyle::Style;
use clap::Args;
use locator::scheme::{self, FieldValue};
use locator::{Charset, Component, Edition, Redacted, SpannedStr, UriRef, edition};
use locator_audit::{Auditor, Contacted, Finding, Readings, Returned};
use locator_functions::{Access, Answer as CellAnswer, Row};
use locator_web::report::words::{host_kind, reference_kind};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use crate::arguments::{
    RepairArgs, Selection, Standard, Suggested, TABLES, TableArgs, TableFormat, VerbArgs, long_help,
};
use crate::exit::{CliError, Status, say_error};
use crate::field::Field;
use crate::input::reading::{AllEditions, Group, Key, Parsed};
use crate::input::{Input, reading, url_standard};
use crate::output::rows::{NAMES, row, value};
use crate::output::{Output, paragraph};
use crate::pasted::scheme_note;
use crate::report::failure::Failure;
use crate::report::json::{FindingObjects, Object, text_of};
use crate::report::{Reports, diagnosis, failure, findings, json};
use crate::run::table::{CellValue, Fill, TextRow};
use crate::run::{Answer, table};
use crate::terminal::paint::{BAD, FAINT, GOOD, STRONG, WARN};
use crate::terminal::visible::legible;
use crate::terminal::{Word, paint, secrets, visible};
use crate::verbs::whatwg::{self, Last, UrlRead};
use crate::{pasted, run};

/// Split each URL into its components and print them
///
/// Takes URLs as arguments or, one per line, from standard input. Common options: -e NAME follows
/// another edition of the standard, -e all compares all editions, --json prints objects for
/// programs.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    repair: RepairArgs,
    /// Print a table with these parts of each URL, such as scheme,host,path
    ///
    /// The parts are those of 'locator edit --help', such as registered_domain,
    /// query:NAME and surt. NAME=PART names the column. With --column they are added
    /// to the table that the URLs are in.
    #[arg(long, value_name = "PART,…", value_delimiter = ',', hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(Column::parse, Field::names))]
    #[arg(conflicts_with = "json", help_heading = TABLES)]
    columns: Vec<Column>,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    asked: VerbArgs,
}

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator read http://user@example.com:8080/a?q#f
  locator read -e rfc1738 'ftp://host/a;type=d'
  locator read -e all http://10.0.0.256/
  locator read -e whatwg 'https:\\\\user@example.com/a|b'
  locator read --json < urls.txt | jq -r 'select(.valid).host'
  locator read --columns scheme,host,path < urls.txt
  locator read --csv --column url --columns host,path < table.csv
  find . -type f -print0 | locator read -0 --json

Exit status:
  0    every URL is valid (with -e all: in every edition)
  1    at least one URL is not valid
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`: input and output.
const DETAILS: &str = "\
Input:
  A line ends with LF or CR LF. An empty line is an empty reference, which is
  valid. With -0 URLs are separated by NUL, and every other byte belongs to the
  URL. Results have the order of the input. They are printed whenever no more
  input is waiting, so that 'tail -f log | locator read' prints at once.

Output:
  A table of the components of each URL. A character that is not printable
  ASCII is shown by its code, such as <U+202E>, and a password as (hidden),
  unless --show-secrets is given.

  With --json passwords are not hidden. An undefined component has no key; an
  empty one is \"\". Input that is not UTF-8 is not valid; \"input\" shows it with
  U+FFFD, and \"input_base64\" has its bytes. In an error, \"offset\" and \"length\"
  count bytes, and \"found\" is \"\" at the end of the text.

  For an unknown scheme, \"scheme_status\" is its status in the IANA registry. If
  it is not registered, \"scheme_near\" is a known scheme with a similar name.

  A note below a table says what is dangerous in a URL. With --json \"findings\"
  has it: what 'locator audit --json' reports of medium severity or more.

  \"scheme_parts\" contains the parts that the scheme defines. \"raw\" is the text
  of a part, and \"decoded\" its decoded form where that differs
  (\"decoded_base64\" where the result is not UTF-8). \"meaning\" is what the
  scheme's document says of a value, as of a gopher type.

  With --columns a table: a line of names, then a row for each URL, in TSV, or
  in the format of --csv or --ndjson. With --column the URLs are in that column
  of a table in that format; its columns stay, and the named ones are added. A
  part that is undefined has an empty cell (in NDJSON null), and so have all
  parts of a URL that is not valid. The arguments are then files.

  With -e whatwg the parts are those that browsers see, by the URL Standard:
  \"href\" is the URL as they write it, and \"warnings\" has what they repair.
  -e all has it as the last reading.

  With --json -e all one object has the result of every edition:
    {\"input\":…,\"readings\":[{\"edition\":…,\"valid\":…,…},…],\"differs\":[…],
     \"contacts\":[{\"scheme\":…,\"host\":…,\"port\":…,\"readers\":[…]},…]}
  \"differs\" lists the keys, such as \"host\", that differ between valid readings,
  and \"valid\" if only some editions accept the URL. \"contacts\" is there if
  current programs (browsers, curl, Java, …) and rfc3986 contact different
  hosts for it: what each contacts, first rfc3986. \"at_base\" has the readers to
  which the URL is a relative reference: they stay at the server of the base.";

struct Read {
    selection: Selection,
    json: bool,
    /// That of the edition, if there is only one.
    auditor: Auditor<'static>,
    /// The edition that `--repair` follows, if it is given.
    repair: Option<&'static Edition>,
    errors: Output,
    /// Whether a result was written.
    has_written: bool,
}

/// Reads every input.
pub(crate) fn run(args: &ReadArgs, out: &mut Output) -> Result<Status, CliError> {
    let asked = &args.asked;
    if !args.columns.is_empty() {
        return write_columns(args, args.columns.clone(), out);
    }
    if args.table.format().is_some() && args.table.column.is_none() {
        let columns = TABLE_COLUMNS.map(|name| Column::parse(name).expect("they are parts"));
        return write_columns(args, columns.into(), out);
    }
    let table = args.table.input()?;
    if !asked.inputs.json && table.is_none() {
        out.begin_text();
    }
    if asked.edition.is_url_standard() {
        let mut verb = UrlRead::new(asked.inputs.json);
        return match table {
            Some(table) => table::each(table, &asked.inputs, &mut verb, out),
            None => run::run(&asked.inputs, &mut verb, out),
        };
    }
    let newest = asked.edition.editions().last().copied().unwrap_or(edition::DEFAULT);
    let auditor = findings::auditor(newest);
    let repair = args.repair.repair.then_some(newest);
    let (json, has_written) = (asked.inputs.json, false);
    let mut verb =
        Read { selection: asked.edition, json, auditor, repair, errors: out.errors(), has_written };
    match table {
        Some(table) => table::each(table, &asked.inputs, &mut verb, out),
        None => run::run(&asked.inputs, &mut verb, out),
    }
}

/// The columns of a table for which no others are named.
const TABLE_COLUMNS: [&str; 6] = ["scheme", "host", "port", "path", "query", "fragment"];

/// Writes parts of every input as a table.
fn write_columns(args: &ReadArgs, columns: Vec<Column>, out: &mut Output) -> Result<Status, CliError> {
    let inputs = &args.asked.inputs;
    let Some(standard) = args.asked.edition.standard() else {
        say_error("--columns takes one edition, not \"all\"");
        return Err(CliError::Reported);
    };
    let names = Columns::names_of(&columns);
    let is_again = |(place, name): &(usize, &String)| {
        names[..*place].iter().any(|before| before.eq_ignore_ascii_case(name))
    };
    if let Some((_, name)) = names.iter().enumerate().find(is_again) {
        say_error(&format!("--columns has \"{name}\" twice; name one of them otherwise, as in NAME={name}"));
        return Err(CliError::Reported);
    }
    let mut verb = Columns {
        names,
        columns,
        standard,
        repair: args.repair.repair,
        row: TextRow::new(args.table.format().unwrap_or(TableFormat::Tsv)),
        errors: out.errors(),
        reports: Reports::new(inputs),
    };
    if args.table.column.is_some()
        && let Some(table) = args.table.input()?
    {
        return table::fill(table, inputs, &mut verb, out);
    }
    if !inputs.quiet {
        verb.write_names(out)?;
    }
    run::run(inputs, &mut verb, out)
}

impl Answer for Read {
    fn refuses_names_of_files(&self) -> Option<&'static str> {
        Some("read")
    }

    fn unwrapped(&self, argument: &[u8]) -> Option<String> {
        // Of all editions one may have "URL:" as a part of the URL.
        let editions = self.selection.editions();
        let edition = editions.iter().find(|edition| edition.prefix().is_some()).or(editions.last());
        let edition = edition.filter(|_| self.repair.is_none())?;
        pasted::unwrapped(argument, edition)
    }

    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        if !self.json && mem::replace(&mut self.has_written, true) {
            writeln!(out)?;
        }
        let repaired = self.repaired(input.octets);
        if let Some(repaired) = repaired.as_deref().filter(|_| !self.json) {
            out.flush()?;
            failure::remark_repaired(&mut self.errors, &input.place(0), repaired);
        }
        let octets = repaired.as_deref().map_or(input.octets, str::as_bytes);
        match self.selection {
            Selection::All => {
                let (readings, last) = (AllEditions::of(octets), Last::of(octets));
                if self.json {
                    write_every_json(out, &readings, &last)?;
                } else {
                    write_every(out, &readings, &last)?;
                }
                Ok(Status::of(readings.refused().next().is_none() && last.refused().is_none()))
            }
            // `run` has another verb for it.
            Selection::UrlStandard => Ok(Status::Valid),
            Selection::One(edition) => {
                let (reading, findings) = (reading::read(octets, edition), serious(octets, &self.auditor));
                match &reading {
                    _ if self.json => {
                        let object =
                            Object::new(edition, &reading).of(input.octets).repaired(repaired.as_deref());
                        json::line(out, &object.with_findings(&findings))?;
                    }
                    Ok(reading) => write(out, reading, &findings)?,
                    Err(error) => {
                        diagnosis::refusal(out, input, octets, error)?;
                        let text = String::from_utf8_lossy(octets);
                        note(out, &text, &findings)?;
                        if error.component() == Component::Scheme {
                            meant(out, &text)?;
                        }
                    }
                }
                Ok(Status::of(reading.is_ok()))
            }
        }
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let repaired = self.repaired(input.octets);
        let octets = repaired.as_deref().map_or(input.octets, str::as_bytes);
        let is_refused = self.selection.is_all() && Last::of(octets).refused().is_some();
        reading::judge(octets, self.selection.editions()).and(Status::of(!is_refused))
    }
}

impl Read {
    /// Returns the repaired text of an invalid input, if `--repair` is given.
    fn repaired(&self, octets: &[u8]) -> Option<String> {
        reading::repaired(octets, self.repair?)
    }
}

/// Writes the readings side by side.
fn write_every(out: &mut Output, every: &AllEditions<'_>, last: &Last) -> io::Result<()> {
    let text = String::from_utf8_lossy(every.octets);
    let whole = secrets::in_every_edition(&text, every);
    let shown = if text.is_empty() { "(empty)".to_owned() } else { visible(&whole.to_string()).to_string() };
    writeln!(out, "{}\n", out.paint.with(STRONG, shown))?;
    let newest = every.valid().last();
    let differing = last.differing(newest);
    for key in Key::ALL {
        // The authority is seen in its parts.
        let is_other = differing.contains(&key) && key != Key::Part(Component::Authority);
        component(out, every, key, &whole, (last, is_other))?;
    }
    if newest.is_some() || last.url().is_some() {
        writeln!(out)?;
    }
    if let Some(newest) = newest {
        note(out, &text, &serious(every.octets, &findings::auditor(newest.reference.edition())))?;
    }
    refusals(out, every, &text)?;
    last.write_refusal(out, &text)?;
    verdict(out, every, last, &differing)?;
    meant(out, &text)?;
    Programs::of(&text).write(out)
}

/// What a row shows: a text, and what is to be said about it.
#[derive(Clone, PartialEq)]
struct Cell<'a> {
    text: Cow<'a, str>,
    note: &'static str,
}

impl<'a> Cell<'a> {
    fn of(key: Key, reading: &Parsed<'a>, whole: &Redacted<'a>) -> Option<Self> {
        let authority = reading.reference.authority();
        let note = match (key, authority) {
            (Key::Part(Component::Host), Some(authority)) => host_kind(authority.host().kind()),
            (Key::Part(Component::Userinfo), _) => "not the host",
            _ => "",
        };
        let text = key.of(reading)?;
        let span = if let Key::Part(part) = key { reading.reference.span(part) } else { None };
        let text = span.map_or(Cow::Borrowed(text), |span| whole.slice(span));
        Some(Self { text, note })
    }
}

/// One component: a row for each reading of it.
fn component<'a>(
    out: &mut Output,
    every: &AllEditions<'a>,
    key: Key,
    whole: &Redacted<'a>,
    (last, is_other): (&Last, bool),
) -> io::Result<()> {
    let mut groups = every.groups(|reading| Cell::of(key, reading, whole));
    let newest = every.valid().last().map(|reading| reading.reference.edition().name);
    if last.url().is_some() {
        let name = url_standard::NAME;
        match groups.iter_mut().find(|group| newest.is_some_and(|newest| group.editions.contains(&newest))) {
            // It is the same in the normal form, if it is not the same text.
            Some(group) if !is_other => group.editions.push(name),
            _ => {
                let cell = last.value(key).map(|(text, note)| Cell { text: Cow::Owned(text), note });
                groups.push(Group { on: cell, editions: vec![name] });
            }
        }
    }
    let (differs, paint) = (groups.len() > 1, out.paint);
    let is_shown = match key {
        // It is shown with the host, and the two of the userinfo are seen in that.
        Key::HostKind | Key::User | Key::Password => false,
        Key::Kind => differs,
        Key::Part(_) => differs || groups.iter().any(|group| group.on.is_some()),
    };
    for (i, group) in groups.iter().filter(|_| is_shown).enumerate() {
        match (differs, i) {
            (true, 0) => write!(out, "{} ", paint.with(WARN, "≠"))?,
            _ => write!(out, "  ")?,
        }
        let name = if i == 0 { key.name() } else { "" };
        write!(out, "{}", paint.with(FAINT, format_args!("{name:0$}", NAMES - 2)))?;
        cell(out, key, group.on.as_ref())?;
        if differs {
            let by = format!("in {}", group.editions.join(", "));
            for line in paragraph::lines(by.split(' '), out.columns, NAMES + 2, NAMES + 2) {
                writeln!(out, "{:NAMES$}  {}", "", paint.with(WARN, line))?;
            }
        }
    }
    Ok(())
}

fn cell(out: &mut Output, key: Key, cell: Option<&Cell<'_>>) -> io::Result<()> {
    let paint = out.paint;
    let style = match key {
        Key::Part(part) => paint::of(part),
        _ => Style::new(),
    };
    match cell {
        None => writeln!(out, "{}", paint.with(FAINT, "(undefined)")),
        Some(Cell { text, .. }) if text.is_empty() => writeln!(out, "{}", paint.with(FAINT, "(empty)")),
        Some(Cell { text, note }) => value(out, NAMES, style, text, note),
    }
}

fn refusals(out: &mut Output, every: &AllEditions<'_>, text: &str) -> io::Result<()> {
    let (paint, redacted) = (out.paint, secrets::without_secrets(text));
    for error in every.refused() {
        writeln!(out, "  {} in {}", paint.with(BAD, "not valid"), error.edition().name)?;
        let reason = redacted.report(*error).in_one_line().to_string();
        for line in paragraph::lines(reason.split(' '), out.columns, 4, 4) {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}

/// Writes which editions accept the input, and whether they agree on its components.
fn verdict(out: &mut Output, every: &AllEditions<'_>, last: &Last, differing: &[Key]) -> io::Result<()> {
    let paint = out.paint;
    let valid = every.valid().map(|reading| reading.reference.edition().name);
    let valid: Vec<_> = valid.chain(last.url().map(|_| url_standard::NAME)).collect();
    // What is relative is not refused.
    let is_every = every.refused().next().is_none() && last.refused().is_none();
    let all = if is_every { "all" } else { "these" };
    let by = match valid.len() {
        0 => return Ok(()),
        _ if is_every => "every edition".to_owned(),
        _ => valid.join(", "),
    };
    write!(out, "  {} ", paint.word(Word::Valid))?;
    paragraph::flow(out, 3 + Word::Valid.text().len(), 4, Style::new(), &format!("in {by}"))?;
    let is_last_alone = |key: &Key| differing.contains(key) && !every.differs(*key);
    let other_host = last.url().filter(|_| is_last_alone(&Key::Part(Component::Host)));
    let differing: Vec<_> = Key::ALL
        .into_iter()
        .filter(|key| {
            every.differs(*key) || differing.contains(key) && *key != Key::Part(Component::Authority)
        })
        .map(Key::name)
        .collect();
    let (style, sentence) = if let Some(url) = other_host {
        let host = url.host_str().map_or_else(|| "none".to_owned(), |host| visible(host).to_string());
        (BAD, format!("browsers (whatwg) read another host: {host}"))
    } else if let Some(url) = last.url().filter(|_| every.valid().next().is_none()) {
        let host = url.host_str().map(|host| format!(", with the host {}", visible(host)));
        (BAD, format!("only browsers (whatwg) read it{}", host.unwrap_or_default()))
    } else if every.differs(Key::Part(Component::Host)) {
        (BAD, "the editions disagree on the host".to_owned())
    } else if !differing.is_empty() {
        let names = differing.join(", ").replace('_', " ");
        (Style::new(), format!("the editions disagree on: {names}"))
    } else if valid.len() > 1 {
        write!(out, "  ")?;
        return paragraph::flow(out, 2, 4, GOOD, &format!("{all} editions agree on every component"));
    } else {
        return Ok(());
    };
    write!(out, "{} ", paint.with(WARN, "≠"))?;
    paragraph::flow(out, 2, 4, style, &sentence)
}

/// Returns the findings of an input that is text.
fn serious(octets: &[u8], auditor: &Auditor<'_>) -> Vec<Finding> {
    std::str::from_utf8(octets).map_or_else(|_| Vec::new(), |text| auditor.audit(text))
}

fn write_every_json(out: &mut Output, every: &AllEditions<'_>, last: &Last) -> io::Result<()> {
    let is_valid = every.valid().next().is_some();
    let is_other = if is_valid { last.refused().is_some() } else { last.url().is_some() };
    let disputed = (every.is_disputed() || is_other).then_some("valid");
    let by_last = last.differing(every.valid().last());
    let differing = Key::ALL.into_iter().filter(|key| every.differs(*key) || by_last.contains(key));
    let differs = disputed.into_iter().chain(differing.map(Key::name)).collect();
    let edition = every.valid().last().map_or(edition::DEFAULT, |newest| newest.reference.edition());
    let findings = serious(every.octets, &findings::auditor(edition));
    let object = EveryObject::new(every, last, differs);
    json::line(out, &EveryObject { findings: FindingObjects::of(&findings), ..object })
}

/// One input by every edition: the keys in their order.
#[derive(Serialize)]
struct EveryObject<'a> {
    input: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    readings: Objects<'a>,
    differs: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<FindingObjects<'a>>,
    /// What current programs contact, if they do not agree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contacts: Vec<ContactObject>,
    /// The readers to which the input is relative, if programs do not agree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    at_base: Vec<&'static str>,
}

impl<'a> EveryObject<'a> {
    /// The readings of an input, and the keys that are not the same in all of them.
    fn new(every: &'a AllEditions<'a>, last: &'a Last, differs: Vec<&'static str>) -> Self {
        let (input, input_base64) = text_of(every.octets);
        let programs = Programs::of(&input);
        let (contacts, at_base) = (programs.objects(), programs.at_base());
        let readings = Objects(every, last);
        Self { input, input_base64, readings, differs, findings: None, contacts, at_base }
    }
}

/// The object of each reading, made when it is written: its parts take many times the memory of the
/// input.
struct Objects<'a>(&'a AllEditions<'a>, &'a Last);

impl Serialize for Objects<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut readings = to.serialize_seq(None)?;
        for (edition, reading) in &self.0.readings {
            readings.serialize_element(&Object::new(edition, reading))?;
        }
        readings.serialize_element(&self.1.object())?;
        readings.end()
    }
}

/// A column that is written, such as `host` or `site=host`.
#[derive(Clone, Debug)]
struct Column {
    name: String,
    part: Field,
}

impl Column {
    /// Reads `COLUMN` or `NAME=COLUMN`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (name, part) = text.split_once('=').unwrap_or((text, text));
        Ok(Self { name: name.to_owned(), part: Field::named(part)? })
    }
}

/// Returns the value of a part in a row.
fn cell_of<'a>(part: Field, row: &Row<'a>) -> CellValue<'a> {
    match part.answer(row) {
        CellAnswer::Null => CellValue::Null,
        CellAnswer::Text(text) => CellValue::Text(text),
        other => {
            let (cell, json) = (other.cell().to_string(), other.json().to_string());
            CellValue::Other { cell, json }
        }
    }
}

/// The columns of a run.
pub(super) struct Columns {
    columns: Vec<Column>,
    pub(super) names: Vec<String>,
    standard: Standard,
    pub(super) repair: bool,
    /// The row of the table that a list becomes.
    pub(super) row: TextRow,
    pub(super) errors: Output,
    pub(super) reports: Reports,
}

impl Columns {
    /// Returns the names of columns.
    fn names_of(columns: &[Column]) -> Vec<String> {
        columns.iter().map(|column| column.name.clone()).collect()
    }

    const fn edition(&self) -> Option<&'static Edition> {
        match self.standard {
            Standard::Edition(edition) => Some(edition),
            Standard::Url => None,
        }
    }

    /// Passes the name and the value of each column to a function.
    fn each_value(&mut self, input: Input<'_>, take: impl FnMut(&str, CellValue<'_>)) -> Status {
        let Some(edition) = self.edition() else { return self.each_by_url_standard(input, take) };
        let repaired = self.repaired(input.octets);
        let octets = repaired.as_deref().map_or(input.octets, str::as_bytes);
        let reading = reading::read(octets, edition);
        let row = match &reading {
            Ok(reading) => Row::of(reading.reference),
            Err(_) => Row::unparsed_bytes(octets, edition),
        };
        let value = |part: Field| match part.access() {
            Some(Access::Whole) => CellValue::Text(String::from_utf8_lossy(input.octets)),
            _ => cell_of(part, &row),
        };
        self.pass(value, take);
        match &reading {
            Ok(_) => {
                if let Some(repaired) = &repaired {
                    failure::remark_repaired(&mut self.errors, &input.place(0), repaired);
                }
            }
            Err(error) => self.reports.report(&mut self.errors, input, &Failure::from(*error)),
        }
        Status::of(reading.is_ok())
    }

    /// The same for a URL by the URL Standard.
    fn each_by_url_standard(&mut self, input: Input<'_>, take: impl FnMut(&str, CellValue<'_>)) -> Status {
        let parsed = url_standard::parse(input.octets, None);
        let value = |part: Field| match (part.access(), &parsed) {
            (Some(Access::Whole), Err(_)) => CellValue::Text(String::from_utf8_lossy(input.octets)),
            (_, Ok(url)) => whatwg::cell(part, url),
            (_, Err(_)) => CellValue::Null,
        };
        self.pass(value, take);
        let status = Status::of(parsed.is_ok());
        if let Err(error) = parsed {
            self.reports.report(&mut self.errors, input, &error.into());
        }
        status
    }

    /// Passes the name of each column, and its value of a part, to a function.
    fn pass<'v>(&self, value: impl Fn(Field) -> CellValue<'v>, mut take: impl FnMut(&str, CellValue<'_>)) {
        for Column { name, part } in &self.columns {
            take(name, value(*part));
        }
    }

    /// Writes the line of names of a list, if the format has one.
    pub(super) fn write_names(&mut self, out: &mut Output) -> io::Result<()> {
        if self.row.format == TableFormat::Ndjson {
            return Ok(());
        }
        for name in &self.names {
            self.row.push(name, &CellValue::Text(Cow::Borrowed(name)));
        }
        self.row.write(out)
    }

    fn repaired(&self, octets: &[u8]) -> Option<String> {
        let edition = self.edition()?;
        self.repair.then(|| reading::repaired(octets, edition)).flatten()
    }
}

impl Fill for Columns {
    fn added(&self) -> &[String] {
        &self.names
    }

    fn fill(&mut self, input: Input<'_>, values: &mut Vec<CellValue<'static>>) -> io::Result<Status> {
        Ok(self.each_value(input, |_, value| values.push(value.into_owned())))
    }
}

impl Answer for Columns {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        if out.is_terminal {
            // Rows and errors are in the order of the input.
            out.flush()?;
        }
        let format = self.row.format;
        let mut row = mem::replace(&mut self.row, TextRow::new(format));
        let status = self.each_value(input, |name, value| row.push(name, &value));
        self.row = row;
        self.row.write(out)?;
        Ok(status)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let repaired = self.repaired(input.octets);
        let octets = repaired.as_deref().map_or(input.octets, str::as_bytes);
        self.edition().map_or_else(
            || Status::of(url_standard::parse(octets, None).is_ok()),
            |edition| reading::judge(octets, &[edition]),
        )
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.reports)
    }

    fn refuses_names_of_files(&self) -> Option<&'static str> {
        Some("read --columns")
    }

    fn unwrapped(&self, argument: &[u8]) -> Option<String> {
        if self.repair { None } else { pasted::unwrapped(argument, self.edition()?) }
    }
}

/// Writes a reading, and what is dangerous in it.
pub(super) fn write(out: &mut Output, reading: &Parsed<'_>, findings: &[Finding]) -> io::Result<()> {
    let reference = reading.reference;
    let whole = secrets::of(reference);
    text(out, reference, &whole)?;
    if !reference.as_str().is_empty() {
        writeln!(out)?;
    }
    rows(out, reference, &whole)?;
    scheme_rows(out, reference, &whole)?;
    writeln!(out)?;
    note(out, reference.as_str(), findings)?;
    verdict_of_one(out, reading)?;
    meant(out, reference.as_str())
}

/// Writes the parts defined by the scheme that are not components: the text of each, and its
/// decoded form if that differs.
fn scheme_rows(out: &mut Output, reference: UriRef<'_>, whole: &Redacted<'_>) -> io::Result<()> {
    let Some(Ok(fields)) = scheme::fields(reference) else { return Ok(()) };
    let own = |field: &&scheme::Field<'_>| !COMPONENTS.contains(&field.name);
    if let Some(name) = reference.scheme().filter(|_| fields.iter().any(|field| own(&field))) {
        let name = visible(&name.as_str().to_ascii_lowercase()).to_string();
        writeln!(out, "  {}", out.paint.with(FAINT, format_args!("as {name}:")))?;
    }
    let place = (reference.edition().charset(), whole);
    for field in fields.iter().filter(own) {
        let name = format!("    {}", field.name);
        match &field.value {
            FieldValue::One(excerpt) => match field.meaning {
                Some(meaning) => row(out, &name, &whole.slice(excerpt.span()), Component::Path, meaning)?,
                None => scheme_row(out, &name, excerpt, place)?,
            },
            FieldValue::Many(all) => {
                all.iter().try_for_each(|excerpt| scheme_row(out, &name, excerpt, place))?;
            }
            FieldValue::Pairs(pairs) => pairs.iter().try_for_each(|(key, value)| {
                scheme_row(out, &name, key, place)?;
                scheme_row(out, "", value, place)
            })?,
            FieldValue::Word(word) => row(out, &name, word, Component::Path, "")?,
            _ => {}
        }
    }
    Ok(())
}

/// What has been shown as a component.
const COMPONENTS: [&str; 7] = ["user", "password", "host", "port", "path", "query", "rest"];

fn scheme_row(
    out: &mut Output,
    name: &str,
    excerpt: &SpannedStr<'_>,
    (charset, whole): (Charset, &Redacted<'_>),
) -> io::Result<()> {
    let shown = whole.slice(excerpt.span());
    let octets = excerpt.decode();
    let decoded = charset.decode(Cow::Borrowed(&octets)).unwrap_or_else(|_| String::from_utf8_lossy(&octets));
    let note = match excerpt.as_str() == decoded || shown == Redacted::HIDDEN {
        true => String::new(),
        false => legible(&secrets::without_secrets(&decoded).to_string()).to_string(),
    };
    row(out, name, &shown, Component::Path, &note)
}

/// The text, each component in its colour, what divides them faint.
fn text(out: &mut Output, reference: UriRef<'_>, whole: &Redacted<'_>) -> io::Result<()> {
    let (paint, length) = (out.paint, reference.as_str().len());
    if length == 0 {
        return writeln!(out, "{}", paint.with(FAINT, "(empty)"));
    }
    let mut shown = 0;
    // An authority is coloured as what it has in it.
    for part in Component::ALL.into_iter().filter(|&part| part != Component::Authority) {
        if let Some(range) = reference.span(part).filter(|range| !range.is_empty()) {
            if shown < range.start {
                write!(out, "{}", paint.with(FAINT, visible(&whole.slice(shown..range.start))))?;
            }
            shown = range.end;
            write!(out, "{}", paint.with(paint::of(part), visible(&whole.slice(range))))?;
        }
    }
    if shown < length {
        write!(out, "{}", paint.with(FAINT, visible(&whole.slice(shown..length))))?;
    }
    writeln!(out)
}

fn rows(out: &mut Output, reference: UriRef<'_>, whole: &Redacted<'_>) -> io::Result<()> {
    let shown = |part| match reference.span(part) {
        Some(span) => whole.slice(span),
        None => Cow::Borrowed(""),
    };
    if let Some(prefix) = reference.component(Component::Prefix) {
        row(out, "  prefix", prefix, Component::Prefix, "not part of the URL")?;
    }
    let words = reference.edition().words;
    if let Some(scheme) = reference.scheme() {
        let note = scheme_note(scheme.as_str(), reference.as_str());
        row(out, "  scheme", scheme.as_str(), Component::Scheme, &note)?;
    }
    if reference.authority().is_some() {
        let name = format!("  {}", words.authority);
        row(out, &name, &shown(Component::Authority), Component::Authority, "")?;
        authority_rows(out, reference, whole)?;
    }
    if reference.authority().is_some() || !reference.path().is_empty() {
        row(out, "  path", &shown(Component::Path), Component::Path, "")?;
    }
    parameter_rows(out, reference, whole)?;
    for part in [Component::Query, Component::Fragment] {
        if reference.component(part).is_some() {
            row(out, &format!("  {}", words.of(part)), &shown(part), part, "")?;
        }
    }
    Ok(())
}

/// Writes the parts of an authority, indented; the text before "@" must not be mistaken for the
/// host.
fn authority_rows(out: &mut Output, reference: UriRef<'_>, whole: &Redacted<'_>) -> io::Result<()> {
    let Some(authority) = reference.authority() else { return Ok(()) };
    if let Some(userinfo) = authority.userinfo() {
        match userinfo.password() {
            None => {
                let name = format!("    {}", reference.edition().words.userinfo);
                row(out, &name, &part(whole, userinfo.as_str()), Component::Userinfo, "not the host")?;
            }
            Some(password) => {
                let user = part(whole, userinfo.user().as_str());
                row(out, "    user", &user, Component::Userinfo, "not the host")?;
                let end = reference.span(Component::Userinfo).map_or(0, |span| span.end);
                let shown = whole.slice(end - password.as_str().len()..end);
                let is_shown = shown == password.as_str();
                let note = if is_shown { "clear text" } else { "clear text; --show-secrets prints it" };
                row(out, "    password", &shown, Component::Userinfo, note)?;
            }
        }
    }
    let host = reference.span(Component::Host).map_or(Cow::Borrowed(""), |span| whole.slice(span));
    row(out, "    host", &host, Component::Host, host_kind(authority.host().kind()))?;
    if let Some(zone) = authority.host().zone() {
        let decoded = zone.decode_with(reference.edition().charset()).ok().filter(|text| zone != **text);
        let note = decoded.map(|text| format!("decoded: {}", visible(&text))).unwrap_or_default();
        row(out, "    zone", zone.as_str(), Component::Host, &note)?;
    }
    match authority.port() {
        Some(port) => row(out, "    port", port.as_str(), Component::Port, ""),
        None => Ok(()),
    }
}

/// The segments that have parameters.
fn parameter_rows(out: &mut Output, reference: UriRef<'_>, whole: &Redacted<'_>) -> io::Result<()> {
    for segment in reference.path().segments() {
        let parameters: Vec<_> = segment.parameters().map(|one| part(whole, one.as_str())).collect();
        if !parameters.is_empty() {
            let plural = if parameters.len() == 1 { "" } else { "s" };
            let note = format!("parameter{plural} {}", visible(&parameters.join(", ")));
            row(out, "    segment", &part(whole, segment.name().as_str()), Component::Path, &note)?;
        }
    }
    Ok(())
}

/// Returns a part of the text as it is shown.
fn part<'a>(whole: &Redacted<'a>, part: &'a str) -> Cow<'a, str> {
    let start = part.as_ptr().addr().saturating_sub(whole.as_str().as_ptr().addr());
    let range = start..start + part.len();
    if whole.as_str().get(range.clone()) == Some(part) { whole.slice(range) } else { Cow::Borrowed(part) }
}

/// Writes what is dangerous in a URL, if anything is.
pub(super) fn note(out: &mut Output, text: &str, findings: &[Finding]) -> io::Result<()> {
    let Some(remark) = findings::remark(text, findings) else { return Ok(()) };
    let paint = out.paint;
    write!(out, "  {} ", paint.word(Word::Note))?;
    paragraph::flow(out, 3 + Word::Note.text().len(), 4, Style::new(), &remark)
}

/// Writes which URL was probably meant by a host without a scheme, or by one whose port is read as what
/// follows a scheme.
pub(super) fn meant(out: &mut Output, text: &str) -> io::Result<()> {
    let has_scheme = pasted::has_scheme(text.as_bytes());
    let scheme = text.split_once(':').map(|(scheme, _)| scheme).filter(|_| has_scheme);
    let is_host = !has_scheme || pasted::is_host_with_port(text);
    let Some(url) = pasted::with_scheme(text.as_bytes()).filter(|_| is_host) else { return Ok(()) };
    let what =
        scheme.map_or_else(|| "no scheme".to_owned(), |scheme| format!("\"{scheme}\" is read as a scheme"));
    write!(out, "  {} ", out.paint.word(Word::Note))?;
    let sentence = secrets::sentence(&format!("{what}; did you mean {url} ?"));
    paragraph::flow(out, 3 + Word::Note.text().len(), 4, Style::new(), &sentence)
}

fn verdict_of_one(out: &mut Output, reading: &Parsed<'_>) -> io::Result<()> {
    let reference = reading.reference;
    let (paint, edition) = (out.paint, reference.edition());
    let rule = match reference.scheme().filter(|_| reading.has_scheme_rule) {
        Some(scheme) => format!(", including its rule for {}", visible(&scheme.lowercase())),
        None => String::new(),
    };
    let kind = reference_kind(reference.kind(), edition.words.absolute);
    write!(out, "  {} ", paint.word(Word::Valid))?;
    let sentence = format!("in {}{rule}: {kind}", edition.document);
    paragraph::flow(out, 3 + Word::Valid.text().len(), 4, Style::new(), &sentence)
}

/// What programs contact, if they do not agree.
pub(super) struct Programs(Option<Readings>);

impl Programs {
    /// Asks the readers of `audit`.
    pub(super) fn of(text: &str) -> Self {
        let text = text.trim_matches([' ', '\t', '\n', '\r']);
        Self(Some(Readings::new(text, None)).filter(|readings| !readings.agree()))
    }

    /// Writes a line that says whom programs contact, if they do not agree.
    pub(super) fn write(&self, out: &mut Output) -> io::Result<()> {
        let Some(readings) = &self.0 else { return Ok(()) };
        let paint = out.paint;
        let contacts = readings.contacts();
        let names = contacts.iter().filter(|found| found.is_current()).map(shown);
        let at_base = readings.at_base().filter(Contacted::is_current);
        let names =
            names.chain(at_base.map(|_| "the server of the base, as for a relative reference,".into()));
        let names = names.collect::<Vec<_>>().join(" or ");
        let returned = readings.returned();
        let others = returned.iter().filter(|found| found.is_current()).map(host_of);
        let others = others.collect::<Vec<_>>().join(" or ");
        let also = if others.is_empty() { String::new() } else { format!(", and return the host {others}") };
        let sentence = format!("current programs contact {}{}", visible(&names), visible(&also));
        write!(out, "{} ", paint.with(WARN, "≠"))?;
        paragraph::short(out, 2, BAD, &sentence, [" ", "(locator audit --readings)"])
    }

    /// Returns the contacts as objects; empty if programs agree.
    pub(super) fn objects(&self) -> Vec<ContactObject> {
        let Some(readings) = &self.0 else { return Vec::new() };
        readings.contacts().iter().map(ContactObject::new).collect()
    }

    /// Returns the readers to which the text is relative, if programs do not agree; `read` has no base.
    pub(super) fn at_base(&self) -> Vec<&'static str> {
        let at_base = self.0.as_ref().and_then(Readings::at_base);
        at_base.map(|found| found.readers.iter().map(|reader| reader.name()).collect()).unwrap_or_default()
    }
}

/// Returns `http://host:80`, without what may be a part of a password.
fn shown(found: &Contacted<'_>) -> Cow<'static, str> {
    if found.is_of_password && !secrets::are_shown() {
        "a part of the password".into()
    } else {
        found.contact.to_string().into()
    }
}

/// Returns a host that is returned, unless it may be a part of a password.
fn host_of<'a>(found: &Returned<'a>) -> &'a str {
    if found.is_of_password && !secrets::are_shown() { "(a part of the password)" } else { found.host }
}

/// What some readers contact.
#[derive(Serialize)]
pub(super) struct ContactObject {
    scheme: String,
    host: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    readers: Vec<&'static str>,
}

impl ContactObject {
    fn new(found: &Contacted<'_>) -> Self {
        Self {
            scheme: found.contact.scheme().to_owned(),
            host: found.contact.host().to_string(),
            port: found.contact.port(),
            readers: found.readers.iter().map(|reader| reader.name()).collect(),
        }
    }
}
