//! Why an input has no answer in, what a person reads about it on standard error out.

use std::borrow::Cow;
use std::io::{self, Write};

use super::paint::{FAINT, STRONG};
use super::{diagnosis, visible};
use crate::failure::{Failure, Of, Place};
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
        Failure::Other { .. } | Failure::NotEdited { .. } => {
            let (paint, text) = (errors.paint, text_of(octets, why));
            writeln!(errors, "{}{}", paint.with(FAINT, place), paint.with(STRONG, why))?;
            writeln!(errors, "  {}", visible(&text))?;
            if let Some(Place { of: Of::Input | Of::Result, span, .. }) = why.place() {
                let columns = |end| text.get(..end).map_or(0, |text| visible(text).to_string().len());
                let before = columns(span.start as usize);
                let marked = columns(span.end as usize).saturating_sub(before).max(1);
                writeln!(errors, "  {:before$}{}", "", paint.with(STRONG, "^".repeat(marked)))?;
            }
        }
    }
    errors.flush()
}

/// The text that is shown: the input, or what would be made of it, where the place is one of that.
fn text_of<'a>(octets: &'a [u8], why: &'a Failure) -> Cow<'a, str> {
    match why {
        Failure::NotEdited { result: Some(result), .. } => Cow::Borrowed(result),
        _ => String::from_utf8_lossy(octets),
    }
}
