//! Writes an error below its text, in colour.

use std::io::{self, Write};

use locator::{ParseError, Redacted, Report};
use unicode_width::UnicodeWidthStr;

use crate::hint;
use crate::output::Output;
use crate::terminal::paint::{BAD, FAINT, STRONG};
use crate::terminal::{secrets, visible};

/// Writes a diagnosis, with the location `place` before it and a hint after it.
pub(crate) fn write(
    out: &mut Output,
    place: &str,
    drawing: &Report<'_>,
    hint: Option<&str>,
) -> io::Result<()> {
    let paint = out.paint;
    write!(out, "{}", paint.with(FAINT, place))?;
    draw(out, drawing, hint)
}

/// Writes the diagnosis of a text.
pub(crate) fn of(out: &mut Output, place: &str, text: &Redacted<'_>, error: &ParseError) -> io::Result<()> {
    write(out, place, &text.report(*error), hint::of(text.as_str().as_bytes(), error.edition()))
}

/// Writes that octets are not valid, and why, as the output of `read`.
pub(crate) fn refusal(out: &mut Output, octets: &[u8], error: &ParseError) -> io::Result<()> {
    let paint = out.paint;
    write!(out, "{} ", paint.with(BAD, "not valid:"))?;
    let text = String::from_utf8_lossy(octets);
    draw(out, &secrets::without_passwords(&text).report(*error), hint::of(octets, error.edition()))
}

/// Adds colour; the library has written only printable characters.
fn draw(out: &mut Output, drawing: &Report<'_>, hint: Option<&str>) -> io::Result<()> {
    let (paint, drawing) = (out.paint, drawing.to_string());
    let mut lines = drawing.lines().peekable();
    if let Some(message) = lines.next() {
        writeln!(out, "{}", paint.with(STRONG, message))?;
    }
    while let Some(line) = lines.next() {
        match lines.peek().and_then(|under| marks(under)) {
            // Each character of the text line takes one column, so columns are indices.
            Some((start, end)) => {
                let part =
                    |from: usize, to: usize| line.chars().skip(from).take(to - from).collect::<String>();
                let parts = [part(0, start), part(start, end), part(end, usize::MAX)];
                // In a terminal that shows letters, they take fewer columns than their codes.
                let [before, marked, after] = parts.map(visible::letters);
                let (column, carets) = (before.width(), marked.width().max(1));
                writeln!(out, "{before}{}{after}", paint.with(BAD, marked))?;
                let place = lines.next().and_then(|under| under.get(end..)).unwrap_or_default();
                let caret = format!("{:column$}{}", "", "^".repeat(carets));
                writeln!(out, "{}{}", paint.with(BAD, caret), paint.with(FAINT, place))?;
            }
            None => writeln!(out, "{}", paint.with(FAINT, line))?,
        }
    }
    match hint {
        None => Ok(()),
        Some(hint) => hint.lines().try_for_each(|line| writeln!(out, "  {}", paint.with(STRONG, line))),
    }
}

/// Returns the columns of the carets in a line that contains nothing before them.
fn marks(line: &str) -> Option<(usize, usize)> {
    let start = line.find(|c| c != ' ').filter(|&start| line[start..].starts_with('^'))?;
    let count = line[start..].bytes().take_while(|&octet| octet == b'^').count();
    Some((start, start + count))
}
