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
    writeln!(errors, "  {}", visible(text))?;
    let Some(span) = span else { return Ok(()) };
    let columns = |end| text.get(..end).map_or(0, |text| visible(text).to_string().len());
    let before = columns(span.start as usize);
    let marked = columns(span.end as usize).saturating_sub(before).max(1);
    writeln!(errors, "  {:before$}{}", "", paint.with(STRONG, "^".repeat(marked)))
}
