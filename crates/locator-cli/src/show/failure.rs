//! Writes why an input has no result, on standard error, for people.

use std::io::{self, Write};

use anstyle::Style;
use locator::{BuildError, Redacted, Span};

use super::diagnosis;
use super::excerpt::{self, Excerpt, beginning};
use crate::failure::{Failure, Position, Side};
use crate::field::Refused;
use crate::hint;
use crate::message::Place;
use crate::output::Output;
use crate::terminal::paint::BAD;
use crate::terminal::{Word, secrets, visible};

/// Writes the reason after the location `place`; a failure to write is ignored.
pub(crate) fn write(errors: &mut Output, place: &Place, octets: &[u8], why: &Failure) {
    let _ = draw(errors, place, octets, why).and_then(|()| errors.flush());
}

/// Writes the repaired form of an invalid input.
pub(crate) fn remark_repaired(errors: &mut Output, place: &Place, repaired: &str) {
    let repaired = visible(&secrets::redacted(repaired).to_string()).to_string();
    let written = place.begin(errors, Word::Note).and_then(|_| writeln!(errors, "repaired: {repaired}"));
    let _ = written.and_then(|()| errors.flush());
}

/// Writes the reason, with the text below it.
pub(crate) fn draw(errors: &mut Output, place: &Place, octets: &[u8], why: &Failure) -> io::Result<()> {
    draw_redacted(errors, place, &secrets::redacted(&String::from_utf8_lossy(octets)), why)
}

/// Writes the reason, with the text below it, whose secrets are known.
fn draw_redacted(errors: &mut Output, place: &Place, text: &Redacted<'_>, why: &Failure) -> io::Result<()> {
    match why {
        Failure::NotValid(error) => diagnosis::write(errors, place, None, text, error),
        Failure::Gateway { url, secrets, why } => {
            draw_redacted(errors, &place.with(VIA_GATEWAY), &secrets::redacted_with(url, secrets), why)
        }
        Failure::Elsewhere { text, .. } => {
            let span = why.place().map(|place| place.span);
            write_marked(errors, place, &secrets::redacted(text), why, span)
        }
        Failure::Other { .. } | Failure::NotEdited { .. } => {
            let span = why.place().filter(|place| place.of == Side::Input).map(|place| place.span);
            write_marked(errors, place, text, why, span)
        }
    }
}

/// What is before an error in a URL that a gateway made from the input.
pub(super) const VIA_GATEWAY: &str = "via the gateway";

/// Returns which byte of the input the reason is about.
pub(crate) fn octet(why: &Failure) -> usize {
    let of_input = |place: &Position| place.of == Side::Input;
    match why {
        Failure::NotValid(error) => error.offset(),
        Failure::Gateway { .. } | Failure::Elsewhere { .. } => 0,
        _ => why.place().filter(of_input).map_or(0, |place| place.span.start as usize),
    }
}

/// Returns the reason in one sentence without secrets; `text` is the text with the error.
pub(crate) fn sentence(why: &Failure, text: &Redacted<'_>) -> String {
    match why {
        Failure::NotValid(error) => text.report(*error).in_one_line().to_string(),
        Failure::NotEdited { edit: Some(edit), why, .. } => {
            let edit = secrets::edit(edit);
            let why = match why {
                Refused::Build(BuildError::Value(error)) => {
                    Refused::Build(BuildError::Value(edit.error(*error)))
                }
                why => *why,
            };
            format!("{}: {why}", edit.text)
        }
        Failure::NotEdited { edit: None, why: Refused::Build(BuildError::Whole(error)), .. } => {
            Refused::Build(BuildError::Whole(text.error(*error))).to_string()
        }
        Failure::Gateway { url, secrets, why } => sentence(why, &secrets::redacted_with(url, secrets)),
        Failure::Elsewhere { text, why } => sentence(why, &secrets::redacted(text)),
        Failure::NotEdited { .. } | Failure::Other { .. } => secrets::sentence(&why.to_string()),
    }
}

/// Writes the sentence, then the text, then carets under the span.
fn write_marked(
    errors: &mut Output,
    place: &Place,
    text: &Redacted<'_>,
    why: &Failure,
    span: Option<Span>,
) -> io::Result<()> {
    diagnosis::headline(errors, place, Word::Error, &sentence(why, text))?;
    match span {
        Some(span) => {
            let range = span.range();
            let byte = if place.has_no_byte() { format!("byte {}", range.start) } else { String::new() };
            let (style, note_style) = (BAD, Style::new());
            let excerpt = Excerpt { text, range, style, others: &[], note: &byte, note_style };
            excerpt::write(errors, &excerpt)?;
        }
        None => writeln!(errors, "  {}", beginning(text))?,
    }
    hint(why, text.as_str()).map_or(Ok(()), |hint| diagnosis::help(errors, hint))
}

/// Returns the hint for a valid input without a result, if "URL:" was read as its scheme.
fn hint(why: &Failure, text: &str) -> Option<&'static str> {
    let is_of_scheme = matches!(why, Failure::Other { kind: "unknown-scheme" | "not-file", .. });
    // An edition that has the prefix does not count it to the scheme.
    let is_first = why.place().is_none_or(|place| place.span.start == 0);
    (is_of_scheme && is_first && hint::has_prefix(text.as_bytes())).then_some(hint::PREFIX)
}
