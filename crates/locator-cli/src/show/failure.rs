//! Why an input has no answer in, what a person reads about it on standard error out.

use std::io::{self, Write};

use locator::Span;

use super::paint::{FAINT, STRONG};
use super::{diagnosis, visible};
use crate::failure::{Failure, Of};
use crate::run::Output;

/// Writes why; `place` stands before it. If even that fails there is nobody to tell.
pub(crate) fn write(errors: &mut Output, place: &str, octets: &[u8], why: &Failure) {
    let _ = try_write(errors, place, octets, why);
}

/// Writes an empty line, as between two diagnoses.
pub(crate) fn stand_off(errors: &mut Output) {
    let _ = writeln!(errors);
}

fn try_write(errors: &mut Output, place: &str, octets: &[u8], why: &Failure) -> io::Result<()> {
    match why {
        Failure::NotValid(error) => diagnosis::write(errors, place, octets, error)?,
        Failure::Behind { url, why } => {
            let place = format!("{place}behind the gateway: ");
            return try_write(errors, &place, url.as_bytes(), why);
        }
        Failure::Elsewhere { text, .. } => {
            write_marked(errors, place, text, why, why.place().map(|place| place.span))?;
        }
        Failure::Other { .. } | Failure::NotEdited { .. } => {
            let span = why.place().filter(|place| place.of == Of::Input).map(|place| place.span);
            write_marked(errors, place, &String::from_utf8_lossy(octets), why, span)?;
        }
    }
    errors.flush()
}

/// The sentence, below it the text, and below that a mark under the octets that it is about.
fn write_marked(
    errors: &mut Output,
    place: &str,
    text: &str,
    why: &Failure,
    span: Option<Span>,
) -> io::Result<()> {
    let paint = errors.paint;
    writeln!(errors, "{}{}", paint.with(FAINT, place), paint.with(STRONG, why))?;
    let Some(span) = span else { return writeln!(errors, "  {}", visible(text)) };
    let [first, start, end, last] = stretch(text, span);
    let [before, marked, after] =
        [first..start, start..end, end..last].map(|range| visible(&text[range]).to_string());
    let cut = |is_cut| if is_cut { "..." } else { "" };
    let (cut_before, cut_after) = (cut(first > 0), cut(last < text.len()));
    writeln!(errors, "  {cut_before}{before}{marked}{after}{cut_after}")?;
    let (columns, carets) = (cut_before.len() + before.len(), marked.len().max(1));
    writeln!(errors, "  {:columns$}{}", "", paint.with(STRONG, "^".repeat(carets)))
}

/// How much of a long text is shown: so many octets before and after those that are marked, and of those.
const AROUND: usize = 160;

/// Where what is shown begins, where the mark begins and ends, and where what is shown ends.
fn stretch(text: &str, span: Span) -> [usize; 4] {
    let boundary =
        |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let start = boundary(span.start as usize);
    let end = boundary((span.end as usize).min(start + AROUND)).max(start);
    [boundary(start.saturating_sub(AROUND)), start, end, boundary(end.saturating_add(AROUND))]
}
