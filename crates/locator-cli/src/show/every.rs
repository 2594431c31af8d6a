//! The readings of every edition in; what they agree on, what differs and who refuses it
//! out, for a person, in 80 columns.
//!
//! A column for each edition does not fit beside each other, and mostly they would be the same: so each
//! component has one row for each reading of it, with the editions that read it so.

use std::io::{self, Write};

use anstyle::Style;
use locator::{Error, Part};

use super::paint::{self, BAD, FAINT, GOOD, STRONG, WARN};
use super::person::{self, NAMES};
use super::visible;
use crate::every::{Every, Key};
use crate::reading::Reading;
use crate::run::Output;

/// The columns of a terminal that everybody has.
const COLUMNS: usize = 80;

/// Writes the readings side by side.
pub(crate) fn write(out: &mut Output, every: &Every<'_>) -> io::Result<()> {
    let text = String::from_utf8_lossy(every.octets);
    let shown = if text.is_empty() { "(empty)".to_owned() } else { visible(&text).to_string() };
    writeln!(out, "{}\n", out.paint.with(STRONG, shown))?;
    if let Some(newest) = every.valid().last() {
        for key in Key::ALL {
            component(out, every, key)?;
        }
        writeln!(out)?;
        person::warnings(out, newest.reference)?;
    }
    refusals(out, every)?;
    verdict(out, every)
}

/// What a row shows: a text, and what is to be said about it.
#[derive(Clone, Copy, PartialEq)]
struct Cell<'a> {
    text: &'a str,
    note: &'static str,
}

impl<'a> Cell<'a> {
    fn of(key: Key, reading: &Reading<'a>) -> Option<Self> {
        let authority = reading.reference.authority();
        let note = match (key, authority) {
            (Key::Part(Part::Host), Some(authority)) => person::host_kind(authority.host().kind()),
            (Key::Part(Part::Userinfo), _) => "not the host",
            _ => "",
        };
        Some(Self { text: key.of(reading)?, note })
    }
}

/// One component: a row for each reading of it.
fn component(out: &mut Output, every: &Every<'_>, key: Key) -> io::Result<()> {
    let groups = every.groups(|reading| Cell::of(key, reading));
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
        cell(out, key, group.on)?;
        if differs {
            let by = format!("by {}", group.editions.join(", "));
            for line in wrapped(&by, COLUMNS - NAMES - 2) {
                writeln!(out, "{:NAMES$}  {}", "", paint.with(WARN, line))?;
            }
        }
    }
    Ok(())
}

fn cell(out: &mut Output, key: Key, cell: Option<Cell<'_>>) -> io::Result<()> {
    let paint = out.paint;
    let style = match key {
        Key::Part(part) => paint::of(part),
        _ => Style::new(),
    };
    match cell {
        None => writeln!(out, "{}", paint.with(FAINT, "(undefined)")),
        Some(Cell { text: "", .. }) => writeln!(out, "{}", paint.with(FAINT, "(empty)")),
        Some(Cell { text, note: "" }) => writeln!(out, "{}", paint.with(style, visible(text))),
        Some(Cell { text, note }) => {
            let note = paint.with(FAINT, format_args!("({note})")).to_string();
            writeln!(out, "{}   {note}", paint.with(style, visible(text)))
        }
    }
}

fn refusals(out: &mut Output, every: &Every<'_>) -> io::Result<()> {
    let paint = out.paint;
    for error in every.refused() {
        writeln!(out, "  {} by {}", paint.with(BAD, "not valid"), error.edition().name)?;
        for line in wrapped(&reason(error), COLUMNS - 4) {
            writeln!(out, "    {}", paint.with(FAINT, line))?;
        }
    }
    Ok(())
}

/// Who takes it, and whether they take it for the same.
fn verdict(out: &mut Output, every: &Every<'_>) -> io::Result<()> {
    let paint = out.paint;
    let valid: Vec<_> = every.valid().map(|reading| reading.reference.edition().name).collect();
    let by = match valid.len() {
        0 => return Ok(()),
        count if count == every.readings.len() => "every edition".to_owned(),
        _ => valid.join(", "),
    };
    writeln!(out, "  {} by {by}", paint.with(GOOD, "valid"))?;
    let differing: Vec<_> = every.differing().map(Key::name).collect();
    if every.differs(Key::Part(Part::Host)) {
        writeln!(out, "{} {}", paint.with(WARN, "≠"), paint.with(BAD, "they do not agree on the host"))?;
    } else if !differing.is_empty() {
        let names = differing.join(", ").replace('_', " ");
        writeln!(out, "{} they do not agree on: {names}", paint.with(WARN, "≠"))?;
    } else if valid.len() > 1 {
        writeln!(out, "  {}", paint.with(GOOD, "they all read the same in it"))?;
    }
    Ok(())
}

/// Why an edition refuses it, on one line.
fn reason(error: &Error) -> String {
    let (message, rule) = (error.message(), error.rule().name);
    format!("{message}, at octet {} ({rule}, {})", error.span().start, error.see())
}

/// The text in lines of at most so many columns, where its words allow that.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
