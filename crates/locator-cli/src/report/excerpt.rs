//! A part of a text for people, on one line, with carets under some of its bytes ([`Excerpt`]). What is far from them is left
//! out.

use std::io::{self, Write};
use std::ops::Range;

use anstyle::Style;
use locator::Redacted;
use unicode_width::UnicodeWidthChar;

use crate::output::Output;
use crate::output::paragraph;
use crate::terminal::visible;

/// A text, and what is shown of it.
pub(crate) struct Excerpt<'a> {
    pub(crate) text: &'a Redacted<'a>,
    /// The bytes above the carets. Hidden text is marked as a whole.
    pub(crate) range: Range<usize>,
    /// The colour of the carets and of what is above them.
    pub(crate) style: Style,
    /// Ranges with a colour of their own.
    pub(crate) others: &'a [(Range<usize>, Style)],
    /// What is beside the carets.
    pub(crate) note: &'a str,
    /// The colour of the note.
    pub(crate) note_style: Style,
}

/// The indent of the text.
const INDENT: usize = 2;

/// How many bytes before the carets, under them and after them may be shown: more than the columns
/// of a line, because a character of several bytes, or several characters, may be in one column.
const REACH: usize = 480;

/// What is in place of text that does not fit.
const CUT: &str = "…";

/// What is shown in some columns.
struct Cell {
    /// Its first byte in the text.
    at: usize,
    shown: String,
    columns: usize,
}

/// A row of cells, with what is left out before and after it.
#[derive(Default)]
struct Cells {
    cells: Vec<Cell>,
    is_cut: bool,
}

/// Writes the text around the range, and under it the carets and the note.
pub(crate) fn write(out: &mut Output, excerpt: &Excerpt<'_>) -> io::Result<()> {
    let [before, marked, after] = fitted(excerpt, out.columns - INDENT);
    write!(out, "{:INDENT$}{}", "", if before.is_cut { CUT } else { "" })?;
    colored(out, &before, excerpt, Style::new())?;
    colored(out, &marked, excerpt, excerpt.style)?;
    write!(out, "{}", if marked.is_cut { CUT } else { "" })?;
    colored(out, &after, excerpt, Style::new())?;
    writeln!(out, "{}", if after.is_cut { CUT } else { "" })?;
    let column = INDENT + before.columns();
    carets(out, column, marked.columns().max(1), excerpt)
}

/// Writes cells in their colours.
fn colored(out: &mut Output, cells: &Cells, excerpt: &Excerpt<'_>, style: Style) -> io::Result<()> {
    let paint = out.paint;
    let style_of = |cell: &Cell| {
        let own = excerpt.others.iter().find(|(range, _)| range.contains(&cell.at));
        own.map_or(style, |(_, style)| *style)
    };
    let is_blank = cells.cells.iter().all(|cell| cell.shown == " ");
    for run in cells.cells.chunk_by(|one, other| style_of(one) == style_of(other)) {
        let text: String = run.iter().map(|cell| cell.shown.as_str()).collect();
        let style = run.first().map_or(style, style_of);
        // The foreground of a blank is not seen.
        let style = if is_blank { Style::new().bg_color(style.get_fg_color()) } else { style };
        write!(out, "{}", paint.with(style, text))?;
    }
    Ok(())
}

/// Writes the carets, and the note beside them: on their right side, or else on their left, or else
/// below.
fn carets(out: &mut Output, column: usize, count: usize, excerpt: &Excerpt<'_>) -> io::Result<()> {
    let (paint, note) = (out.paint, excerpt.note);
    let width: usize = note.chars().filter_map(UnicodeWidthChar::width).sum();
    let shown = paint.with(excerpt.note_style, note).to_string();
    let carets = paint.with(excerpt.style, "^".repeat(count)).to_string();
    if note.is_empty() {
        writeln!(out, "{:column$}{carets}", "")
    } else if column + count + 1 + width <= out.columns {
        writeln!(out, "{:column$}{carets} {shown}", "")
    } else if INDENT + width < column {
        writeln!(out, "{:1$}{shown} {carets}", "", column - width - 1)
    } else {
        writeln!(out, "{:column$}{carets}", "")?;
        write!(out, "{:INDENT$}", "")?;
        paragraph::flow(out, INDENT, INDENT, excerpt.note_style, note)
    }
}

/// Returns what is shown before the carets, above them and after them.
fn fitted(excerpt: &Excerpt<'_>, columns: usize) -> [Cells; 3] {
    let text = excerpt.text;
    let [start, end] = marked(text, &excerpt.range);
    let first = boundary(text, start.saturating_sub(REACH));
    let last = boundary(text, end.saturating_add(REACH));
    let mut before = Cells::of(text, first..start, first > 0);
    let mut marked = Cells::of(text, start..end, boundary(text, excerpt.range.end) > end);
    let after = Cells::of(text, end..last, last < text.as_str().len());
    // A mark that is shown above a letter is marked with it.
    while marked.cells.first().is_some_and(|cell| cell.columns == 0)
        && let Some(letter) = before.cells.pop()
    {
        marked.cells.insert(0, letter);
    }
    let parts = [before, marked, after];
    let all: usize = parts.iter().map(Cells::columns).sum();
    if all <= columns {
        return parts;
    }
    let [mut before, mut marked, mut after] = parts;
    marked.keep_first(columns * 2 / 3);
    let rest = columns - marked.columns();
    let short = after.columns();
    before.keep_last(rest - short.min(rest / 3));
    after.keep_first(rest - before.columns());
    if marked.is_cut {
        after = Cells::default();
    }
    [before, marked, after]
}

/// Returns the range whose cells are marked: whole characters, and hidden text as a whole.
fn marked(text: &Redacted<'_>, range: &Range<usize>) -> [usize; 2] {
    let start = boundary(text, range.start);
    let end = boundary(text, range.end.min(start + REACH)).max(start);
    let end = if end > start { text.hidden_at(end - 1).map_or(end, |hidden| hidden.end) } else { end };
    let start = text.hidden_at(start).filter(|_| end > start).map_or(start, |hidden| hidden.start);
    [start, end]
}

/// Returns the start of the character that contains a byte.
fn boundary(text: &Redacted<'_>, at: usize) -> usize {
    let text = text.as_str();
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

impl Cells {
    /// Returns the cells of a range of a text.
    fn of(text: &Redacted<'_>, range: Range<usize>, is_cut: bool) -> Self {
        let (mut cells, mut at) = (Vec::new(), range.start);
        let cell = |at: usize, c: char| match c {
            ' '..='~' => Cell { at, shown: c.to_string(), columns: 1 },
            _ => {
                let shown = visible(c.encode_utf8(&mut [0; 4])).to_string();
                let columns = shown.chars().filter_map(UnicodeWidthChar::width).sum();
                Cell { at, shown, columns }
            }
        };
        while at < range.end {
            if let Some(hidden) = text.hidden_at(at) {
                cells.extend(Redacted::HIDDEN.chars().map(|c| cell(at, c)));
                at = hidden.end;
            } else {
                let c = text.as_str()[at..].chars().next().unwrap_or(' ');
                cells.push(cell(at, c));
                at += c.len_utf8();
            }
        }
        Self { cells, is_cut }
    }

    fn columns(&self) -> usize {
        let sign = usize::from(self.is_cut);
        sign + self.cells.iter().map(|cell| cell.columns).sum::<usize>()
    }

    /// Leaves out the last cells, so that the others and the sign for them fit.
    fn keep_first(&mut self, columns: usize) {
        while self.columns() > columns && self.cells.pop().is_some() {
            self.is_cut = true;
        }
    }

    /// Leaves out the first cells.
    fn keep_last(&mut self, columns: usize) {
        let (mut rest, mut first) = (self.columns(), 0);
        while rest > columns && first < self.cells.len() {
            rest -= self.cells[first].columns;
            rest += usize::from(!self.is_cut);
            self.is_cut = true;
            first += 1;
        }
        self.cells.drain(..first);
    }
}

/// How many bytes of a URL a line repeats.
const REPEATED: usize = 80;

/// Returns the beginning of a text.
pub(crate) fn beginning(text: &Redacted<'_>) -> String {
    let whole = text.as_str();
    let end = boundary(text, REPEATED);
    let rest = if end < whole.len() { CUT } else { "" };
    let shown = text.slice(0..end);
    format!("{}{rest}", visible(&shown))
}
