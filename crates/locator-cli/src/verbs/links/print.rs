//! Writes a link with its verdict for people: `docs/a.md:3:7: error: b.md: the file does not exist; did you
//! mean "c.md"?`. On a terminal the advice has a line of its own.

use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};

use super::judged::Judged;
use crate::output::Output;
use crate::output::{Place, paragraph};
use crate::terminal::paint::{BAD, GOOD};
use crate::terminal::{Word, visible};

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

/// Writes a difference; at a terminal in the colours of `git diff`, without control characters.
pub(super) fn diff(out: &mut Output, text: &[u8]) -> io::Result<()> {
    if !out.is_terminal {
        return out.write_all(text);
    }
    for line in text.split_inclusive(|&octet| octet == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let style = match line {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'd', ..] => Style::new().bold(),
            [b'+', ..] => GOOD,
            [b'-', ..] => BAD,
            [b'@', ..] => AnsiColor::Cyan.on_default(),
            _ => Style::new(),
        };
        let line = visible(&String::from_utf8_lossy(line)).to_string();
        let paint = out.paint;
        writeln!(out, "{}", paint.with(style, line))?;
    }
    Ok(())
}
