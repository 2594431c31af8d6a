//! Writes a link with its verdict for people: `docs/a.md:3:7: error: b.md: the file does not exist; did you
//! mean "c.md"?`. On a terminal the advice has a line of its own.

use std::io::{self, Write as _};

use anstyle::Style;

use super::judged::Judged;
use crate::message::{Place, paragraph};
use crate::output::Output;
use crate::terminal::Word;

/// Writes a link.
pub(super) fn write(out: &mut Output, judged: &Judged<'_>) -> io::Result<()> {
    let octet = (judged.link.column as usize).saturating_sub(1);
    let place = Place::in_file(&judged.page.name, judged.link.line.into(), octet);
    let column = place.begin(out, judged.word())?;
    match judged.suggestion().filter(|_| out.is_terminal) {
        None => {
            let text = format!("{}: {}", judged.url(), judged.advice());
            paragraph::flow(out, column, 2, Style::new(), &text)
        }
        Some(near) => {
            let text = format!("{}: {}", judged.url(), judged.sentence());
            paragraph::flow(out, column, 2, Style::new(), &text)?;
            let paint = out.paint;
            writeln!(out, "  {} did you mean \"{near}\"?", paint.word(Word::Help))
        }
    }
}
