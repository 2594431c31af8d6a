//! The results as a table of Markdown, for the summary of a job (GitHub Flavored Markdown, 4.10).

use std::io::{self, Write};

use super::super::checked::CheckedLink;
use crate::report::plural;
use crate::terminal::{Word, visible};

/// The rows of a table.
#[derive(Debug, Default)]
pub(super) struct Markdown {
    rows: Vec<String>,
    left_out: u64,
}

/// How many rows a table has.
const MOST: usize = 200;

impl Markdown {
    /// Adds a link.
    pub(super) fn add(&mut self, judged: &CheckedLink<'_>) {
        if self.rows.len() == MOST {
            self.left_out += 1;
            return;
        }
        let word = match judged.word() {
            Word::Error => "error",
            Word::Warning => "warning",
            _ => "note",
        };
        let place = format!("{}:{}", visible(&judged.page.name), judged.link.line);
        let [before, after] = judged.words_of_suggestion();
        let near = judged.suggestion().map(|near| format!("; {before} {}{after}", code(&near)));
        let route = judged.route();
        let how =
            if route.is_empty() { String::new() } else { format!("<br>{}", escaped(&route.join("; "))) };
        let what = escaped(&judged.sentence()) + &near.unwrap_or_default() + &how;
        self.rows.push(format!("| {word} | {} | {} | {what} |", escaped(&place), code(&judged.url())));
    }

    /// Writes the table below the numbers, and notes about all links below these.
    pub(super) fn write(&self, out: &mut impl Write, total: &str, notes: &[String]) -> io::Result<()> {
        writeln!(out, "### Links\n\n{}", escaped(total))?;
        notes.iter().try_for_each(|note| writeln!(out, "\n{}", escaped(note)))?;
        if self.rows.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n| | place | link | what happened |\n|---|---|---|---|")?;
        self.rows.iter().try_for_each(|row| writeln!(out, "{row}"))?;
        match self.left_out {
            0 => Ok(()),
            more => writeln!(out, "\nThe table does not have {}.", plural(more, "other link")),
        }
    }
}

/// Returns a text as code in a cell.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    // A "|" ends a cell, in code, too.
    format!("{fence}{space}{}{space}{fence}", text.replace('|', "\\|"))
}

/// Escapes the characters that mean something in Markdown; a name is not mentioned, and a host is no link.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '@' => escaped.push_str("&#64;"),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            c if "\\`*_{}[]#|!~".contains(c) => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped.replace("://", ":&#47;/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_stays_a_cell() {
        for (text, expected) in
            [("a.md", "`a.md`"), ("a|b", "`a\\|b`"), ("`a``b", "``` `a``b ```"), ("", "`  `")]
        {
            assert_eq!(code(text), expected);
        }
        assert_eq!(escaped("<b>@a|[x](y) http://h/"), "&lt;b>&#64;a\\|\\[x\\](y) http:&#47;/h/");
    }
}
