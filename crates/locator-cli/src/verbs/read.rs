//! The verb `read`: prints the components of inputs, in one edition ([`print`]) or in every
//! edition, side by side.

mod columns;
mod print;
mod programs;

use std::borrow::Cow;
use std::io::{self, Write};

use anstyle::Style;
use clap::Args;
use locator::{Component, Edition, Redacted, edition};
use locator_audit::{Auditor, Finding};
use locator_web::report::words;
use serde::{Serialize, Serializer};

use self::columns::{Column, Columns};
use self::print::NAMES;
use self::programs::{ContactObject, Programs};
use crate::arguments::{RepairArgs, Selection, TABLES, TableArgs, TableFormat, VerbArgs, long_help};
use crate::exit::{CliError, Status, say_error};
use crate::input::Input;
use crate::input::reading::{self, AllEditions, Key, Parsed};
use crate::output::Output;
use crate::output::paragraph;
use crate::pasted;
use crate::report::findings;
use crate::report::json::{self, FindingObjects, Object, text_of};
use crate::report::{Reports, diagnosis, failure};
use crate::run::table;
use crate::run::{self, Answer};
use crate::terminal::paint::{self, BAD, FAINT, GOOD, STRONG, WARN};
use crate::terminal::{Word, secrets, visible};

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
    /// NAME=PART names the column. With --column they are added to the table that
    /// the URLs are in.
    #[arg(long, value_name = "PART,…", value_delimiter = ',', value_parser = Column::parse)]
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
        return write_columns(args, out);
    }
    let format = args.table.input()?;
    if !asked.inputs.json && format.is_none() {
        out.begin_text();
    }
    let newest = asked.edition.editions().last().copied().unwrap_or(edition::DEFAULT);
    let auditor = findings::auditor(newest);
    let repair = args.repair.repair.then_some(newest);
    let (json, has_written) = (asked.inputs.json, false);
    let mut verb =
        Read { selection: asked.edition, json, auditor, repair, errors: out.errors(), has_written };
    match format {
        Some(format) => table::each((&args.table, format), &asked.inputs, &mut verb, out),
        None => run::run(&asked.inputs, &mut verb, out),
    }
}

/// Writes parts of every input as a table.
fn write_columns(args: &ReadArgs, out: &mut Output) -> Result<Status, CliError> {
    let inputs = &args.asked.inputs;
    let Selection::One(edition) = args.asked.edition else {
        say_error("--columns takes one edition, not \"all\"");
        return Err(CliError::Reported);
    };
    let names = Columns::names_of(&args.columns);
    let is_again = |(place, name): &(usize, &String)| {
        names[..*place].iter().any(|before| before.eq_ignore_ascii_case(name))
    };
    if let Some((_, name)) = names.iter().enumerate().find(is_again) {
        say_error(&format!("--columns has \"{name}\" twice; name one of them otherwise, as in NAME={name}"));
        return Err(CliError::Reported);
    }
    let mut verb = Columns {
        names,
        columns: args.columns.clone(),
        edition,
        repair: args.repair.repair,
        format: args.table.format().unwrap_or(TableFormat::Tsv),
        errors: out.errors(),
        reports: Reports::new(inputs),
    };
    if args.table.column.is_some()
        && let Some(format) = args.table.input()?
    {
        return table::fill((&args.table, format), inputs, &mut verb, out);
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
        if !self.json && std::mem::replace(&mut self.has_written, true) {
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
                let readings = AllEditions::of(octets);
                if self.json {
                    write_every_json(out, &readings)?;
                } else {
                    write_every(out, &readings)?;
                }
                Ok(Status::of(readings.refused().next().is_none()))
            }
            Selection::One(edition) => {
                let (reading, findings) = (reading::read(octets, edition), serious(octets, &self.auditor));
                match &reading {
                    _ if self.json => {
                        let object =
                            Object::new(edition, &reading).of(input.octets).repaired(repaired.as_deref());
                        json::line(out, &object.with_findings(&findings))?;
                    }
                    Ok(reading) => print::write(out, reading, &findings)?,
                    Err(error) => {
                        diagnosis::refusal(out, input, octets, error)?;
                        let text = String::from_utf8_lossy(octets);
                        print::note(out, &text, &findings)?;
                        if error.component() == Component::Scheme {
                            print::meant(out, &text)?;
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
        reading::judge(octets, self.selection.editions())
    }
}

impl Read {
    /// Returns the repaired text of an invalid input, if `--repair` is given.
    fn repaired(&self, octets: &[u8]) -> Option<String> {
        reading::repaired(octets, self.repair?)
    }
}

/// Writes the readings side by side.
fn write_every(out: &mut Output, every: &AllEditions<'_>) -> io::Result<()> {
    let text = String::from_utf8_lossy(every.octets);
    let whole = secrets::in_every_edition(&text, every);
    let shown = if text.is_empty() { "(empty)".to_owned() } else { visible(&whole.to_string()).to_string() };
    writeln!(out, "{}\n", out.paint.with(STRONG, shown))?;
    if let Some(newest) = every.valid().last() {
        for key in Key::ALL {
            component(out, every, key, &whole)?;
        }
        writeln!(out)?;
        print::note(out, &text, &serious(every.octets, &findings::auditor(newest.reference.edition())))?;
    }
    refusals(out, every, &text)?;
    verdict(out, every)?;
    print::meant(out, &text)?;
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
            (Key::Part(Component::Host), Some(authority)) => words::host_kind(authority.host().kind()),
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
) -> io::Result<()> {
    let groups = every.groups(|reading| Cell::of(key, reading, whole));
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
        Some(Cell { text, note }) => print::value(out, NAMES, style, text, note),
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
fn verdict(out: &mut Output, every: &AllEditions<'_>) -> io::Result<()> {
    let paint = out.paint;
    let valid: Vec<_> = every.valid().map(|reading| reading.reference.edition().name).collect();
    let all = if valid.len() == every.readings.len() { "all" } else { "these" };
    let by = match valid.len() {
        0 => return Ok(()),
        count if count == every.readings.len() => "every edition".to_owned(),
        _ => valid.join(", "),
    };
    write!(out, "  {} ", paint.word(Word::Valid))?;
    paragraph::flow(out, 3 + Word::Valid.text().len(), 4, Style::new(), &format!("in {by}"))?;
    let differing: Vec<_> = every.differing().map(Key::name).collect();
    let (style, sentence) = if every.differs(Key::Part(Component::Host)) {
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

fn write_every_json(out: &mut Output, every: &AllEditions<'_>) -> io::Result<()> {
    let disputed = every.is_disputed().then_some("valid");
    let differs = disputed.into_iter().chain(every.differing().map(Key::name)).collect();
    let edition = every.valid().last().map_or(edition::DEFAULT, |newest| newest.reference.edition());
    let findings = serious(every.octets, &findings::auditor(edition));
    let object = EveryObject::new(every, differs);
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
    fn new(every: &'a AllEditions<'a>, differs: Vec<&'static str>) -> Self {
        let (input, input_base64) = text_of(every.octets);
        let programs = Programs::of(&input);
        let (contacts, at_base) = (programs.objects(), programs.at_base());
        Self { input, input_base64, readings: Objects(every), differs, findings: None, contacts, at_base }
    }
}

/// The object of each reading, made when it is written: its parts take many times the memory of the
/// input.
struct Objects<'a>(&'a AllEditions<'a>);

impl Serialize for Objects<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.readings.iter().map(|(edition, reading)| Object::new(edition, reading)))
    }
}
