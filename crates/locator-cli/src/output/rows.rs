//! Rows of a name and a value, as `read` shows the parts of a URL.

use std::io::{self, Write};

use anstyle::Style;
use locator::Component;
use unicode_width::UnicodeWidthStr;

use crate::output::{Output, paragraph};
use crate::terminal::paint::FAINT;
use crate::terminal::{paint, visible};

/// How wide the names of components are, indentation included.
pub(crate) const NAMES: usize = 14;

/// One component: name, text, and what is to be said about it.
pub(crate) fn row(out: &mut Output, name: &str, text: &str, part: Component, note: &str) -> io::Result<()> {
    let paint = out.paint;
    // A long name is not glued to what it names.
    let gap = if name.len() < NAMES { "" } else { " " };
    write!(out, "{}{gap}", paint.with(FAINT, format_args!("{name:NAMES$}")))?;
    match text {
        "" => writeln!(out, "{}", paint.with(FAINT, "(empty)")),
        _ => value(out, NAMES.max(name.len() + 1), paint::of(part), text, note),
    }
}

/// Writes a text, and a note about it, after so many columns; on lines of their own at a terminal where they
/// do not fit.
pub(crate) fn value(out: &mut Output, column: usize, style: Style, text: &str, note: &str) -> io::Result<()> {
    let (paint, text) = (out.paint, visible(text).to_string());
    let fits = |column: usize, columns: usize| !out.is_terminal || column + columns <= out.columns;
    let own_line = 4;
    let column = if fits(column, text.width()) { column } else { own_line };
    let is_beside = note.is_empty() || fits(column, text.width() + 5 + note.width());
    if column == own_line {
        write!(out, "\n{:own_line$}", "")?;
    }
    write!(out, "{}", paint.with(style, text))?;
    match note {
        "" => writeln!(out),
        _ if is_beside => writeln!(out, "   {}", paint.with(FAINT, format_args!("({note})"))),
        _ => {
            write!(out, "\n{:column$}", "")?;
            paragraph::flow(out, column, column, FAINT, &format!("({note})"))
        }
    }
}
