//! A part of a text for people, with a mark under some of its bytes.

use std::io::{self, Write};
use std::ops::Range;

use anstyle::Style;
use locator::Redacted;
use unicode_width::UnicodeWidthStr;

use crate::output::Output;
use crate::terminal::visible;

/// How much of a long text is shown: bytes before the mark, in it and after it, and the sign for
/// what is left out.
pub(crate) struct Extent {
    before: usize,
    marked: usize,
    after: usize,
    cut: &'static str,
}

/// What a message is about: 160 bytes each.
pub(crate) const WIDE: Extent = Extent { before: 160, marked: 160, after: 160, cut: "..." };

/// What fits a line of a terminal, as in the reports of the library.
pub(crate) const NARROW: Extent = Extent { before: 48, marked: 48, after: 24, cut: "…" };

/// Writes the text around a range on one line, and under it a mark and a note. Hidden text is
/// marked as a whole.
pub(crate) fn write(
    out: &mut Output,
    text: &Redacted<'_>,
    range: Range<usize>,
    extent: &Extent,
    style: Style,
    note: &str,
) -> io::Result<()> {
    let paint = out.paint;
    let [first, start, end, last] = stretch(text, range, extent);
    let [before, marked, after] =
        [first..start, start..end, end..last].map(|range| visible(&text.slice(range)).to_string());
    let cut = |is_cut| if is_cut { extent.cut } else { "" };
    let (cut_before, cut_after) = (cut(first > 0), cut(last < text.as_str().len()));
    writeln!(out, "  {cut_before}{before}{marked}{after}{cut_after}")?;
    let (columns, carets) = (cut_before.chars().count() + before.width(), marked.width().max(1));
    writeln!(out, "  {:columns$}{}{note}", "", paint.with(style, "^".repeat(carets)))
}

/// Returns the start of the excerpt, the start and end of the mark, and the end of the excerpt.
fn stretch(redacted: &Redacted<'_>, range: Range<usize>, extent: &Extent) -> [usize; 4] {
    let text = redacted.as_str();
    let boundary =
        |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let hidden = |octet| redacted.hidden_at(octet);
    let start = boundary(range.start);
    let end = boundary(range.end.min(start + extent.marked)).max(start);
    let end = if end > start { hidden(end - 1).map_or(end, |hidden| hidden.end) } else { end };
    let start = hidden(start).filter(|_| end > start).map_or(start, |hidden| hidden.start);
    [boundary(start.saturating_sub(extent.before)), start, end, boundary(end.saturating_add(extent.after))]
}

/// How many bytes of a URL a line repeats.
const REPEATED: usize = 80;

/// Returns the beginning of a text.
pub(crate) fn beginning(text: &Redacted<'_>) -> String {
    let whole = text.as_str();
    let end = (0..=REPEATED.min(whole.len())).rev().find(|&end| whole.is_char_boundary(end)).unwrap_or(0);
    let rest = if end < whole.len() { "…" } else { "" };
    let shown = text.slice(0..end);
    format!("{}{rest}", visible(&shown))
}
