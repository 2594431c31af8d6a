//! Runs a verb on a column of a table: passes the URL of each row to the verb, and writes the row with what the verb made
//! of it ([`fill`]), if the verb keeps it ([`filter`]), or not at all ([`each`]).
//!
//! [`row`] reads rows of CSV (RFC 4180), TSV and NDJSON, finds the URL in one and writes it.

mod row;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use self::row::{CellValue, TextRow, write_csv};
use self::row::{Row, UrlCell};
use self::row::{RowBuffer, Source, shown};
use crate::arguments::{Inputs, TableFormat, UrlTable};
use crate::exit::{CliError, Status, say, say_error, say_error_at};
use crate::input::files::check_stdin_once;
use crate::input::{Input, MARK, Origin, STDIN};
use crate::output::Output;
use crate::output::Place;
use crate::report::{Reports, Total};
use crate::run::Answer;
use crate::run::interrupt::Turn;

/// A verb that makes values of URLs.
pub(crate) trait Fill: Answer {
    /// Returns the names of the columns that are added; if there are none, the value replaces the
    /// URL.
    fn added(&self) -> &[String];

    /// Appends a value for each column that is added, or one. If there is no value, because the URL
    /// is not valid, nothing is appended.
    fn fill(&mut self, input: Input<'_>, values: &mut Vec<CellValue<'static>>) -> io::Result<Status>;
}

/// A verb that leaves out rows.
pub(crate) trait Filter: Answer {
    /// Returns whether the row of a URL is written.
    fn keeps(&mut self, input: Input<'_>) -> bool;
}

/// What is done with each row.
trait Each {
    /// Returns the names of the columns that are added.
    fn added(&self) -> &[String];
    fn verb(&mut self) -> &mut impl Answer;
    /// Processes a URL; the values are those of the row.
    fn each(
        &mut self,
        input: Input<'_>,
        values: &mut Vec<CellValue<'static>>,
        out: &mut Output,
    ) -> io::Result<Status>;
    /// Whether rows are written.
    const WRITES: bool;

    /// Returns whether the row of the last URL is written.
    fn keeps(&self) -> bool {
        true
    }
}

/// Passes the URL of each row to a verb, which prints what it has to say.
pub(crate) fn each(
    table: UrlTable<'_>,
    asked: &Inputs,
    verb: &mut impl Answer,
    out: &mut Output,
) -> Result<Status, CliError> {
    run(table, asked, Printed(verb), out)
}

/// Writes the table with what a verb makes of each URL.
pub(crate) fn fill(
    table: UrlTable<'_>,
    asked: &Inputs,
    verb: &mut impl Fill,
    out: &mut Output,
) -> Result<Status, CliError> {
    run(table, asked, Filled(verb), out)
}

/// Writes the rows of a table that a verb keeps.
pub(crate) fn filter(
    table: UrlTable<'_>,
    asked: &Inputs,
    verb: &mut impl Filter,
    out: &mut Output,
) -> Result<Status, CliError> {
    run(table, asked, Filtered { verb, keeps: true }, out)
}

struct Printed<'v, V>(&'v mut V);

impl<V: Answer> Each for Printed<'_, V> {
    const WRITES: bool = false;

    fn added(&self) -> &[String] {
        &[]
    }

    fn verb(&mut self) -> &mut impl Answer {
        self.0
    }

    fn each(
        &mut self,
        input: Input<'_>,
        _: &mut Vec<CellValue<'static>>,
        out: &mut Output,
    ) -> io::Result<Status> {
        self.0.answer(input, out)
    }
}

struct Filled<'v, V>(&'v mut V);

impl<V: Fill> Each for Filled<'_, V> {
    const WRITES: bool = true;

    fn added(&self) -> &[String] {
        self.0.added()
    }

    fn verb(&mut self) -> &mut impl Answer {
        self.0
    }

    fn each(
        &mut self,
        input: Input<'_>,
        values: &mut Vec<CellValue<'static>>,
        _: &mut Output,
    ) -> io::Result<Status> {
        self.0.fill(input, values)
    }
}

struct Filtered<'v, V> {
    verb: &'v mut V,
    keeps: bool,
}

impl<V: Filter> Each for Filtered<'_, V> {
    const WRITES: bool = true;

    fn added(&self) -> &[String] {
        &[]
    }

    fn verb(&mut self) -> &mut impl Answer {
        self.verb
    }

    fn each(
        &mut self,
        input: Input<'_>,
        _: &mut Vec<CellValue<'static>>,
        _: &mut Output,
    ) -> io::Result<Status> {
        self.keeps = self.verb.keeps(input);
        Ok(Status::Valid)
    }

    fn keeps(&self) -> bool {
        self.keeps
    }
}

/// A verb that prints one line for each URL, which becomes a value.
pub(crate) struct LineFill<V> {
    verb: V,
    into: Vec<String>,
    output: Output,
    lines: Captured,
}

impl<V: Answer> LineFill<V> {
    /// The line replaces the URL, or is added as a column of that name.
    pub(crate) fn new(verb: V, into: Option<&str>) -> Self {
        let lines = Captured::default();
        let output = Output::kept(Box::new(lines.clone()));
        Self { verb, into: into.map(str::to_owned).into_iter().collect(), output, lines }
    }
}

impl<V: Answer> Answer for LineFill<V> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        self.verb.answer(input, out)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        self.verb.judge(input)
    }

    fn reports(&self) -> Option<&Reports> {
        self.verb.reports()
    }

    fn total(&self) -> Total {
        self.verb.total()
    }
}

impl<V: Answer> Fill for LineFill<V> {
    fn added(&self) -> &[String] {
        &self.into
    }

    fn fill(&mut self, input: Input<'_>, values: &mut Vec<CellValue<'static>>) -> io::Result<Status> {
        let status = self.verb.answer(input, &mut self.output)?;
        self.output.flush()?;
        let mut lines = self.lines.0.lock().unwrap_or_else(PoisonError::into_inner);
        if status == Status::Valid {
            let line = String::from_utf8_lossy(lines.strip_suffix(b"\n").unwrap_or(&lines)).into_owned();
            values.push(CellValue::Text(Cow::Owned(line)));
        }
        lines.clear();
        Ok(status)
    }
}

/// What was printed for a row.
#[derive(Clone, Default)]
struct Captured(Arc<Mutex<Vec<u8>>>);

impl Write for Captured {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Run<'a, E> {
    asked: &'a Inputs,
    format: TableFormat,
    column: &'a str,
    has_names: bool,
    each: E,
    out: &'a mut Output,
    turn: Turn,
    status: Status,
    count: u64,
    /// Whether a table before this one has been read.
    is_later: bool,
    /// The line of names that was written.
    names: Option<Vec<u8>>,
    written: Vec<u8>,
}

/// The columns of a file.
struct Columns {
    /// Which one has the URLs; of NDJSON the key decides.
    url: usize,
    count: usize,
}

fn run<E: Each>(
    UrlTable { args: table, format }: UrlTable<'_>,
    asked: &Inputs,
    each: E,
    out: &mut Output,
) -> Result<Status, CliError> {
    let mut run = Run {
        asked,
        format,
        column: table.column.as_deref().unwrap_or_default(),
        has_names: !table.no_headers && format != TableFormat::Ndjson,
        each,
        out,
        turn: Turn::begin(Origin::Line),
        status: Status::Valid,
        count: 0,
        is_later: false,
        names: None,
        written: Vec::new(),
    };
    let stdin = OsStr::new("-");
    check_stdin_once(asked.urls.iter().map(OsString::as_os_str), "\"-\" is given twice")?;
    match asked.urls.as_slice() {
        [] => run.file(asked.file.as_deref().unwrap_or(stdin))?,
        files => files.iter().try_for_each(|file| run.file(file))?,
    }
    run.out.flush()?;
    let (status, count) = (run.status, run.count);
    let verb = run.each.verb();
    if let Some(reports) = verb.reports() {
        let of_file = !asked.urls.is_empty() || asked.file.as_deref().is_some_and(|path| path != "-");
        reports.end(count, Origin::Line, &Total { of_file, ..verb.total() });
    }
    Ok(status)
}

impl<E: Each> Run<'_, E> {
    fn file(&mut self, path: &OsStr) -> Result<(), CliError> {
        let mut source = Source::open(path, self.asked.max_line)?;
        let (mut buffer, mut columns, mut has_key) = (RowBuffer::default(), None, false);
        let mut first_keys = None;
        while source.next(self.format, &mut buffer, &mut self.turn, self.out)? {
            let cells = std::mem::take(&mut buffer.cells);
            let row = Row {
                format: self.format,
                octets: &buffer.octets,
                line: buffer.line,
                cells,
                keys: Vec::new(),
            };
            if let Some(delimiter) = row.declared_delimiter() {
                self.declared(&row, delimiter, source.name)?;
            } else if row.is_blank() {
                self.copy(&row)?;
            } else if self.format == TableFormat::Ndjson {
                let (found, keys) = self.object(row, source.name)?;
                has_key |= found;
                first_keys.get_or_insert(keys);
            } else if let Some(columns) = &columns {
                self.row(&row, columns, source.name)?;
            } else {
                columns = Some(self.first(&row, source.name)?);
            }
            if Turn::is_over() {
                self.out.flush()?;
                self.turn.report();
                return Err(CliError::Interrupted);
            }
            if self.asked.quiet && self.status == Status::NotValid {
                return Ok(());
            }
        }
        if let Some(keys) = first_keys.filter(|_| !has_key) {
            self.out.flush()?;
            return Err(self.no_column(source.name, &keys));
        }
        if buffer.line == 1 && !self.asked.quiet && !self.asked.no_messages {
            let name = if source.name == STDIN { "standard input" } else { source.name };
            say(&format!("{name} is empty: there is no row in it"));
        }
        self.is_later = true;
        Ok(())
    }

    /// Takes the delimiter that the first line of a table names for Excel, `sep=;`. The line is no row, and
    /// the first one is written.
    fn declared(&mut self, row: &Row<'_>, delimiter: u8, name: &str) -> Result<(), CliError> {
        let TableFormat::Csv { delimiter: own } = self.format else { return Ok(()) };
        // Without --delimiter it is ",", as long as no table has named another.
        if own != delimiter && (self.is_later || own != b',') {
            self.out.flush()?;
            let own = if own == b'\t' { "\\t".to_owned() } else { char::from(own).to_string() };
            let named = row.shown();
            return Err(wrong(&format!(
                "{name} begins with \"{named}\", but --delimiter, or the first table, has \"{own}\""
            )));
        }
        self.format = TableFormat::Csv { delimiter };
        if self.is_later { Ok(()) } else { self.copy(row) }
    }

    /// Processes the first row: the names of the columns, unless there are none.
    fn first(&mut self, row: &Row<'_>, name: &'static str) -> Result<Columns, CliError> {
        let count = row.cells.len();
        if !self.has_names {
            let columns = Columns { url: self.by_number(count, name)?, count };
            self.row(row, &columns, name)?;
            return Ok(columns);
        }
        let names: Vec<Cow<'_, [u8]>> = (0..count).map(|index| row.value(index)).collect();
        if let Some(what) = row.ambiguity() {
            return Err(wrong(&format!("{name}: the line of names has {what}")));
        }
        let url = self.by_name(&names, name)?;
        let is_taken = |name: &&Cow<'_, [u8]>| self.each.added().iter().any(|added| is_same(added, name));
        if let Some(taken) = names.iter().find(is_taken) {
            let taken = shown(taken);
            return Err(wrong(&format!("{name} already has a column \"{taken}\"; use another name")));
        }
        self.write_names(row, name)?;
        Ok(Columns { url, count })
    }

    fn number(&self, count: usize) -> Option<usize> {
        let number = self.column.parse().ok().filter(|number| (1..=count).contains(number));
        number.map(|number: usize| number - 1)
    }

    /// Returns the column by its number.
    fn by_number(&self, count: usize, name: &str) -> Result<usize, CliError> {
        self.number(count).ok_or_else(|| {
            let column = shown(self.column.as_bytes());
            let columns = if count == 1 { "1 column".to_owned() } else { format!("{count} columns") };
            wrong(&format!("{name} has {columns}, and --column {column} is not the number of one"))
        })
    }

    /// Returns the column by its name, or by its number if no column has that name.
    fn by_name(&self, names: &[Cow<'_, [u8]>], name: &str) -> Result<usize, CliError> {
        let has_name = |(_, name): &(usize, &Cow<'_, [u8]>)| ***name == *self.column.as_bytes();
        let mut found = names.iter().enumerate().filter(has_name).map(|(index, _)| index);
        match (found.next(), found.next()) {
            (Some(first), Some(second)) => {
                let (column, first, second) = (shown(self.column.as_bytes()), first + 1, second + 1);
                Err(wrong(&format!(
                    "{name} has several columns \"{column}\"; use --column {first} or --column {second}"
                )))
            }
            (Some(index), None) => Ok(index),
            (None, _) => self.number(names.len()).ok_or_else(|| {
                let names: Vec<_> = names.iter().map(|name| shown(name)).collect();
                self.no_column(name, &names)
            }),
        }
    }

    fn no_column(&self, name: &str, names: &[String]) -> CliError {
        let (column, all) = (shown(self.column.as_bytes()), names.join(", "));
        let other = match names {
            [one] => [';', '\t', '|', ','].into_iter().find(|delimiter| one.contains(*delimiter)),
            _ => None,
        };
        let advice = match (self.format, other) {
            (TableFormat::Csv { .. }, Some('\t')) => "; did you mean --tsv?".to_owned(),
            (TableFormat::Csv { .. }, Some(',')) | (TableFormat::Tsv, Some(',')) => {
                "; did you mean --csv?".to_owned()
            }
            (TableFormat::Csv { .. } | TableFormat::Tsv, Some(other)) => {
                format!("; did you mean --csv --delimiter '{other}'?")
            }
            _ => String::new(),
        };
        wrong(&format!("{name} has no column \"{column}\"; its columns are {all}{advice}"))
    }

    /// Writes the names, which must be the same in all files.
    fn write_names(&mut self, row: &Row<'_>, name: &str) -> Result<(), CliError> {
        if !E::WRITES || self.asked.quiet {
            return Ok(());
        }
        let added = self.each.added().iter().map(String::as_str);
        let added: Vec<_> = added.map(|name| (name, CellValue::Text(Cow::Borrowed(name)))).collect();
        self.written.clear();
        row.write(&[], &added, &mut self.written);
        let names = self.written.trim_ascii_end();
        let names = names.strip_prefix(MARK).unwrap_or(names);
        match &self.names {
            Some(first) if first != names => {
                self.out.flush()?;
                return Err(wrong(&format!("{name} does not have the columns of the first table")));
            }
            Some(_) => return Ok(()),
            None => self.names = Some(names.to_vec()),
        }
        self.write(row)
    }

    fn row(&mut self, row: &Row<'_>, columns: &Columns, name: &'static str) -> Result<(), CliError> {
        if let Some(what) = self.irregularity(row, columns.count) {
            self.refuse((row.line, 0), name, &what)?;
            let added = self.each.added().len();
            if E::WRITES && added == 0 {
                return self.copy(row);
            } else if E::WRITES {
                self.written.clear();
                row.write_refused(columns.count, added, &mut self.written);
                return self.write(row);
            }
        }
        match row.url(columns.url) {
            Ok(url) => self.cell(row, url, name),
            // Only JSON has other types.
            Err(_) => Ok(()),
        }
    }

    /// Returns why the cells of a row may not be those of the columns, and what becomes of it.
    fn irregularity(&self, row: &Row<'_>, columns: usize) -> Option<String> {
        let cells = row.cells.len();
        let counted = |count, what| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let what = match row.ambiguity() {
            Some(what) => what.to_owned(),
            None if cells == columns => return None,
            None => format!("{} in a table of {}", counted(cells, "cell"), counted(columns, "column")),
        };
        let then = match self.each.added().len() {
            _ if !E::WRITES => "",
            0 => "; the row stays as it is",
            _ if cells > columns => "; the row has no values, and what is after its last column is left out",
            _ => "; the row has no values",
        };
        Some(what + then)
    }

    /// Processes a JSON object; returns whether it has the key, and its keys.
    fn object(&mut self, mut row: Row<'_>, name: &'static str) -> Result<(bool, Vec<String>), CliError> {
        let skipped = if row.line == 1 && row.octets.starts_with(MARK) { MARK.len() } else { 0 };
        let text = str::from_utf8(&row.octets[skipped..]).map_err(|error| error.to_string());
        let mut members = Vec::new();
        if let Err(why) = text.clone().and_then(|text| row::members(text, &mut members)) {
            self.refuse((row.line, 0), name, &format!("not a JSON object: {why}"))?;
            // Another program may read an object in it.
            match self.each.added() {
                [] => self.copy(&row)?,
                added => {
                    self.written.clear();
                    row.write_nulls(added, &mut self.written);
                    self.write(&row)?;
                }
            }
            return Ok((true, Vec::new()));
        }
        for (key, range) in members {
            row.keys.push(Cow::Owned(key.into_owned()));
            row.cells.push(range.start + skipped..range.end + skipped);
        }
        let keys: Vec<String> = row.keys.iter().map(|key| shown(key.as_bytes())).collect();
        let mut urls = row.places_of(|key| key == self.column);
        let mut why = row.ambiguity().map(str::to_owned);
        if urls.is_empty() {
            match row::nested(text.unwrap_or_default(), self.column) {
                Ok(None) => {}
                Ok(Some(range)) => {
                    urls.push(row.cells.len());
                    row.cells.push(range.start + skipped..range.end + skipped);
                }
                Err(key) => why = Some(format!("an object has several keys \"{}\"", shown(key.as_bytes()))),
            }
        }
        if urls.len() > 1 {
            why = Some(format!("the object has several keys \"{}\"", shown(self.column.as_bytes())));
        }
        let taken = row.places_of(|key| self.each.added().iter().any(|added| is_same(added, key.as_bytes())));
        if let Some(&taken) = taken.first() {
            let taken = &keys[taken];
            let what = "whose value is written as null; use another name";
            why = Some(format!("the object already has a key \"{taken}\", {what}"));
        }
        let mut place = 0;
        if why.is_none()
            && let Some(Err(column)) = urls.first().map(|&url| row.url(url))
        {
            place = column;
            why = Some(format!("the value of \"{}\" is not a text", shown(self.column.as_bytes())));
        }
        let has_url = !urls.is_empty();
        if let Some(why) = why {
            self.refuse((row.line, place), name, &why)?;
            if E::WRITES {
                self.write_refused(&row, &taken)?;
                return Ok((true, keys));
            }
        }
        if urls.is_empty() {
            self.cell(&row, None, name)?;
        }
        // Of several keys with this name, a program may read any.
        for url in urls {
            if let Ok(url) = row.url(url) {
                self.cell(&row, url, name)?;
            }
        }
        Ok((has_url, keys))
    }

    /// Writes an object without values. What it has under the names that are added, in any case, is
    /// written as null, since the next program would take it for ours.
    fn write_refused(&mut self, row: &Row<'_>, taken: &[usize]) -> Result<(), CliError> {
        if self.each.added().is_empty() {
            return self.copy(row);
        }
        let taken: Vec<_> = taken.iter().map(|&index| (index, CellValue::Null)).collect();
        let is_there = |name: &&String| row.keys.iter().any(|key| **key == **name);
        let added = self.each.added().iter().filter(|name| !is_there(name));
        let added: Vec<_> = added.map(|name| (name.as_str(), CellValue::Null)).collect();
        self.written.clear();
        row.write(&taken, &added, &mut self.written);
        let is_end = self.written.ends_with(b"\r\n");
        let end = self.written.len() - if is_end { 2 } else { 0 };
        self.written[..end].iter_mut().filter(|octet| **octet == b'\r').for_each(|octet| *octet = b' ');
        self.write(row)
    }

    /// Processes the URL of a row, and writes the row.
    fn cell(&mut self, row: &Row<'_>, url: Option<UrlCell<'_>>, name: &'static str) -> Result<(), CliError> {
        let (mut values, mut replaced) = (Vec::new(), None);
        if let Some(url) = &url {
            let input = Input {
                octets: &url.octets,
                number: url.line,
                column: Some(url.column),
                origin: Origin::Line,
                alone: false,
                list: Some(name),
            };
            let status = match self.asked.quiet {
                true => self.each.verb().judge(input),
                false => self.each.each(input, &mut values, self.out)?,
            };
            self.status = self.status.and(status);
            self.turn.count();
            self.count += 1;
            if self.each.added().is_empty() {
                replaced = values.pop().map(|value| (url.index, value));
            }
        }
        if !E::WRITES || self.asked.quiet || url.is_some() && !self.each.keeps() {
            return Ok(());
        }
        let mut values = values.into_iter();
        let added: Vec<_> = self
            .each
            .added()
            .iter()
            .map(|name| (name.as_str(), values.next().unwrap_or(CellValue::Null)))
            .collect();
        self.written.clear();
        row.write(replaced.as_slice(), &added, &mut self.written);
        self.write(row)
    }

    /// Reports why a row cannot be processed.
    fn refuse(&mut self, (line, column): (u64, usize), name: &str, what: &str) -> io::Result<()> {
        self.status = Status::NotValid;
        self.turn.count();
        if !self.asked.quiet && !self.asked.no_messages {
            // On a terminal, keep rows and errors in the order of the input.
            self.out.flush()?;
            say_error_at(&Place::in_file(name, line, column), what);
        }
        Ok(())
    }

    /// Writes a row as it is.
    fn copy(&mut self, row: &Row<'_>) -> Result<(), CliError> {
        self.written.clear();
        self.written.extend_from_slice(row.octets);
        self.write(row)
    }

    /// Writes what a row has become, if rows are written.
    fn write(&mut self, row: &Row<'_>) -> Result<(), CliError> {
        if !E::WRITES || self.asked.quiet {
            return Ok(());
        }
        let mark = self.written.strip_prefix(MARK).filter(|_| self.is_later && row.line == 1);
        Ok(row::write(mark.unwrap_or(&self.written), self.out)?)
    }
}

/// Returns whether two names of columns are one for programs that do not distinguish upper and lower
/// case.
fn is_same(name: &str, other: &[u8]) -> bool {
    name.as_bytes().eq_ignore_ascii_case(other)
}

/// Reports that the table or the column is not what was expected.
fn wrong(what: &str) -> CliError {
    say_error(what);
    CliError::Reported
}
