//! The readings of every edition in; what they agree on, what differs and who refuses it
//! out, for a person, in 80 columns.
//!
//! A column for each edition does not fit beside each other, and mostly they would be the same: so each
//! component has one row for each reading of it, with the editions that read it so.

use std::borrow::Cow;
use std::io::{self, Write};

use anstyle::Style;
use locator::{Part, Redacted};

use super::paint::{self, BAD, FAINT, GOOD, STRONG, WARN};
use super::person::{self, NAMES};
use super::{secrets, visible};
use crate::every::{Every, Key};
use crate::reading::Reading;
use crate::run::Output;

/// The columns of a terminal that everybody has.
const COLUMNS: usize = 80;

/// Writes the readings side by side.
pub(crate) fn write(out: &mut Output, every: &Every<'_>) -> io::Result<()> {
    let text = String::from_utf8_lossy(every.octets);
    let whole = redacted(&text, every);
    let shown = if text.is_empty() { "(empty)".to_owned() } else { visible(&whole.to_string()).to_string() };
    writeln!(out, "{}\n", out.paint.with(STRONG, shown))?;
    if let Some(newest) = every.valid().last() {
        for key in Key::ALL {
            component(out, every, key, &whole)?;
        }
        writeln!(out)?;
        person::warnings(out, newest.reference)?;
    }
    refusals(out, every, &text)?;
    verdict(out, every)
}

/// The input with its password hidden, wherever an edition sees one.
fn redacted<'a>(text: &'a str, every: &Every<'a>) -> Redacted<'a> {
    let is_suspect = |reading: &&Reading<'_>| {
        Key::Password.of(reading).is_some() || secrets::is_registered(reading.reference)
    };
    match every.valid().find(is_suspect) {
        Some(_) => secrets::redacted(text),
        None => every
            .valid()
            .last()
            .map_or_else(|| secrets::redacted(text), |reading| secrets::of(reading.reference)),
    }
}

/// What a row shows: a text, and what is to be said about it.
#[derive(Clone, PartialEq)]
struct Cell<'a> {
    text: Cow<'a, str>,
    note: &'static str,
}

impl<'a> Cell<'a> {
    fn of(key: Key, reading: &Reading<'a>, whole: &Redacted<'a>) -> Option<Self> {
        let authority = reading.reference.authority();
        let note = match (key, authority) {
            (Key::Part(Part::Host), Some(authority)) => person::host_kind(authority.host().kind()),
            (Key::Part(Part::Userinfo), _) => "not the host",
            _ => "",
        };
        let text = key.of(reading)?;
        let span = if let Key::Part(part) = key { reading.reference.parts().span(part) } else { None };
        let text = span.map_or(Cow::Borrowed(text), |span| whole.slice(span.range()));
        Some(Self { text, note })
    }
}

/// One component: a row for each reading of it.
fn component<'a>(out: &mut Output, every: &Every<'a>, key: Key, whole: &Redacted<'a>) -> io::Result<()> {
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
            let by = format!("by {}", group.editions.join(", "));
            for line in wrapped(&by, COLUMNS - NAMES - 2) {
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
        Some(Cell { text, note: "" }) => writeln!(out, "{}", paint.with(style, visible(text))),
        Some(Cell { text, note }) => {
            let note = paint.with(FAINT, format_args!("({note})")).to_string();
            writeln!(out, "{}   {note}", paint.with(style, visible(text)))
        }
    }
}

fn refusals(out: &mut Output, every: &Every<'_>, text: &str) -> io::Result<()> {
    let (paint, redacted) = (out.paint, secrets::redacted(text));
    for error in every.refused() {
        writeln!(out, "  {} by {}", paint.with(BAD, "not valid"), error.edition().name)?;
        let reason = redacted.draw(*error).in_one_line().to_string();
        for line in wrapped(&reason, COLUMNS - 4) {
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
