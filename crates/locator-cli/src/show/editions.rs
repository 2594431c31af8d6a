//! The editions as two tables, for a person, in 80 columns: which they are, and what they
//! call things.

use std::io::{self, Write};

use locator::Edition;
use locator::edition::{ALL, DEFAULT, WITH_OPTIONS};

use super::paint::{FAINT, STRONG};
use crate::run::Output;

/// Writes both tables.
pub(crate) fn write(out: &mut Output) -> io::Result<()> {
    table(out, ["edition", "date", "document", "relative references"], |edition| {
        let relative = if edition.defines_relative() { "yes" } else { "no" };
        [edition.name, edition.date, edition.document, relative]
    })?;
    writeln!(out)?;
    let head = ["", "absolute", "reference", "authority", "userinfo", "query", "fragment"];
    table(out, head, |edition| {
        let words = edition.words;
        let (whole, server) = ([words.absolute, words.reference], [words.authority, words.userinfo]);
        [edition.name, whole[0], whole[1], server[0], server[1], words.query, words.fragment]
    })?;
    let paint = out.paint;
    writeln!(out)?;
    for edition in WITH_OPTIONS {
        writeln!(out, "with an option: {}, {}, {}", edition.name, edition.document, edition.date)?;
    }
    writeln!(out, "{} is the default; choose with {}", DEFAULT.name, paint.with(STRONG, "-e NAME"))
}

fn table<const N: usize>(
    out: &mut Output,
    head: [&'static str; N],
    row: impl Fn(&'static Edition) -> [&'static str; N],
) -> io::Result<()> {
    let paint = out.paint;
    let rows: Vec<_> = ALL.into_iter().map(&row).collect();
    let width = |i: usize| rows.iter().chain([&head]).map(|row| row[i].len()).max().unwrap_or(0);
    let line = |cells: &[&str; N]| {
        let cells = cells.iter().enumerate().map(|(i, cell)| format!("{cell:0$}", width(i)));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    writeln!(out, "{}", paint.with(FAINT, line(&head)))?;
    for (row, edition) in rows.iter().zip(ALL) {
        let line = line(row);
        if edition.is_default() {
            writeln!(out, "{}", paint.with(STRONG, line))?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
