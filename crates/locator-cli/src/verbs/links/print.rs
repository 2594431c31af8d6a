//! Writes a link with its verdict for people: `docs/a.md:3:7: error: b.md: the file does not exist; did you
//! mean "c.md"?`. On a terminal the advice has a line of its own.

use std::io::{self, Write as _};

use anstyle::Style;
use locator_links::{FoundLink, Outcome, Page, Verdict};

use super::sentence::sentence;
use crate::message::{Place, paragraph};
use crate::output::Output;
use crate::terminal::{Word, secrets, visible};

/// Writes a link; `fails` says whether it decides about the exit status.
pub(super) fn write(
    out: &mut Output,
    page: &Page,
    (link, verdict): (&FoundLink, &Verdict),
    fails: bool,
) -> io::Result<()> {
    let word = match verdict.outcome() {
        Outcome::Broken => Word::Error,
        _ if fails => Word::Error,
        Outcome::Refused | Outcome::Unknown => Word::Warning,
        Outcome::Redirected | Outcome::Skipped | Outcome::Ok => Word::Note,
    };
    let octet = (link.column as usize).saturating_sub(1);
    let column = Place::in_file(&page.name, link.line.into(), octet).begin(out, word)?;
    let url = secrets::masked(page.url(link));
    let what = visible(&secrets::sentence(&sentence(verdict))).to_string();
    let suggestion = verdict.suggestion.as_deref().map(secrets::masked);
    match suggestion {
        None => paragraph::flow(out, column, 2, Style::new(), &format!("{url}: {what}")),
        Some(near) if out.is_terminal => {
            paragraph::flow(out, column, 2, Style::new(), &format!("{url}: {what}"))?;
            let paint = out.paint;
            writeln!(out, "  {} did you mean \"{near}\"?", paint.word(Word::Help))
        }
        Some(near) => {
            let text = format!("{url}: {what}; did you mean \"{near}\"?");
            paragraph::flow(out, column, 2, Style::new(), &text)
        }
    }
}
