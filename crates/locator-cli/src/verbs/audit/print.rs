//! Findings for people: the first ten below their URL, which is shown once, the others on one line
//! each.

use std::io::{self, Write};

use anstyle::Style;
use locator_audit::Finding;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::audited::Audited;
use super::readings::{self, Hosts};
use crate::output::Output;
use crate::output::{Place, paragraph};
use crate::report::diagnosis;
use crate::report::excerpt::{self, Excerpt};
use crate::report::findings::{is_about_readers, is_of_past};
use crate::terminal::paint::{FAINT, STRONG};
use crate::terminal::{Word, visible};

/// The findings reported in a run.
#[derive(Debug)]
pub(super) struct Report {
    /// Whether each finding has one line.
    brief: bool,
    /// Whether the readings of every URL are written.
    readings: bool,
    /// How many findings have been reported.
    reported: u64,
    /// Whether anything has been written in several lines.
    has_drawn: bool,
}

impl Report {
    /// How many findings are reported in full.
    const DRAWN: u64 = 10;

    /// No findings yet.
    pub(super) const fn new(brief: bool, readings: bool) -> Self {
        Self { brief, readings, reported: 0, has_drawn: false }
    }

    /// Writes the findings of a URL, the most severe first, and its readings if they are asked for.
    pub(super) fn write(&mut self, out: &mut Output, audited: &Audited<'_>) -> io::Result<()> {
        let mut findings: Vec<&Finding> = audited.findings().collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
        let is_brief = self.brief || self.reported >= Self::DRAWN;
        if !findings.is_empty() {
            self.separate(out, is_brief)?;
        }
        for (number, finding) in findings.iter().enumerate() {
            match number {
                _ if is_brief => line(out, audited, finding, Form::Brief)?,
                0 => draw(out, audited, finding, !self.readings)?,
                1 => {
                    writeln!(out)?;
                    line(out, audited, finding, Form::Further)?;
                }
                _ => line(out, audited, finding, Form::Further)?,
            }
        }
        self.reported += findings.len() as u64;
        if self.readings {
            self.separate(out, false)?;
            let url = excerpt::beginning(audited.shown);
            paragraph::short(out, 0, STRONG, "readings:", [" ", &url])?;
            readings::write_all(out, audited)?;
        }
        Ok(())
    }

    /// Writes an empty line before and after what has several lines.
    fn separate(&mut self, out: &mut Output, is_brief: bool) -> io::Result<()> {
        let has_drawn = std::mem::replace(&mut self.has_drawn, !is_brief);
        if has_drawn || !is_brief && self.reported > 0 { writeln!(out) } else { Ok(()) }
    }
}

/// Writes a finding with its URL, and with the readings that it is about.
fn draw(out: &mut Output, audited: &Audited<'_>, finding: &Finding, with_readings: bool) -> io::Result<()> {
    let code = finding.code();
    line(out, audited, finding, Form::First)?;
    let place = place(audited, finding);
    let at = audited.located.octets_of(finding.span()).start;
    let note = if place.has_no_byte() { format!("byte {at}") } else { String::new() };
    // The sentence about readers is long, and says what the readings below say.
    let hosts = is_about_readers(finding).then(|| Hosts::of(audited, is_of_past(finding)));
    let others = hosts.as_ref().map(|hosts| hosts.in_url(finding.span())).unwrap_or_default();
    let excerpt = Excerpt {
        text: audited.shown,
        range: finding.span(),
        style: Word::of(finding.severity()).style(),
        others: &others,
        note: &note,
        note_style: Style::new(),
    };
    excerpt::write(out, &excerpt)?;
    if let Some(hosts) = hosts.filter(|_| with_readings) {
        writeln!(out)?;
        hosts.write(out)?;
        writeln!(out)?;
    }
    diagnosis::help(out, code.advice())?;
    let paint = out.paint;
    write!(out, "  {}  ", paint.with(FAINT, "see:"))?;
    let see = format!("{}; locator audit --explain {}", finding.citation(), code.name());
    paragraph::flow(out, 8, 2, FAINT, &see)
}

/// How a finding is shown on one line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Above its URL.
    First,
    /// Below the first one of its URL.
    Further,
    /// Without others around it.
    Brief,
}

/// Writes a finding on one line, with its name: for programs, and where it is all that is written of
/// the finding, in brackets after the sentence, else at the right margin.
fn line(out: &mut Output, audited: &Audited<'_>, finding: &Finding, form: Form) -> io::Result<()> {
    let (paint, code) = (out.paint, finding.code());
    let column = place(audited, finding).begin(out, Word::of(finding.severity()))?;
    let title = visible(code.title()).to_string();
    let message = match form {
        Form::Brief if is_about_readers(finding) => {
            match Hosts::of(audited, is_of_past(finding)).named().as_str() {
                "" => title.clone(),
                hosts => format!("{title}: {}", visible(hosts)),
            }
        }
        // The sentence about readers is long, and the rows below the URL say more.
        Form::First if is_about_readers(finding) => title.clone(),
        Form::Further if is_about_readers(finding) && out.is_terminal => title.clone(),
        _ => visible(&audited.fact(finding)).to_string(),
    };
    if form == Form::Brief || !out.is_terminal {
        let url = match form == Form::Brief && !audited.is_in_file() {
            true => format!(": {}", excerpt::beginning(audited.shown)),
            false => String::new(),
        };
        return one_line(out, column, [message, title], &format!("[{}]", code.name()), &url);
    }
    let room = out.columns.saturating_sub(column + 1 + code.name().len());
    let message = [message, title].into_iter().reduce(|message, title| match message.width() > room {
        // A line with a part of what is known is better than two; the URL is above.
        true if form == Form::Further && title.width() <= room => title,
        _ => message,
    });
    let message = message.unwrap_or_default();
    let lines = paragraph::lines(message.split(' '), out.columns, column, 2);
    for (number, line) in lines.iter().enumerate() {
        let start = if number == 0 { column } else { 2 };
        write!(out, "{:1$}{2}", "", if number == 0 { 0 } else { 2 }, paint.with(STRONG, line))?;
        if number + 1 < lines.len() {
            writeln!(out)?;
            continue;
        }
        let rest = out.columns.saturating_sub(start + line.width());
        let name = paint.with(FAINT, format!("{:>1$}", code.name(), rest.max(code.name().len())));
        match rest > code.name().len() {
            true => writeln!(out, "{name}")?,
            false => {
                let name = paint.with(FAINT, format!("{:>1$}", code.name(), out.columns));
                writeln!(out, "\n{name}")?;
            }
        }
    }
    Ok(())
}

/// Writes a fact, the code and the URL on one line. At a terminal, what does not fit is left out: of the
/// URL its end, then the fact is replaced by the title, which is cut.
fn one_line(
    out: &mut Output,
    column: usize,
    [fact, title]: [String; 2],
    code: &str,
    url: &str,
) -> io::Result<()> {
    let paint = out.paint;
    if !out.is_terminal {
        return writeln!(out, "{} {code}{url}", paint.with(STRONG, fact));
    }
    let room = out.columns.saturating_sub(column + 1 + code.len());
    let fact = if fact.width() > room && title.width() < fact.width() { title } else { fact };
    let fact = match fact.width() > room && room < SHORTEST {
        // The code says as much.
        true => return writeln!(out, "{code}"),
        false => cut(&fact, room),
    };
    let url = match room.saturating_sub(fact.width()) {
        room if room < SHORTEST && url.width() > room => String::new(),
        room => cut(url, room),
    };
    writeln!(out, "{} {code}{url}", paint.with(STRONG, fact))
}

/// In how many columns the beginning of a URL or of a sentence is of use: `: http://h.example/…`.
const SHORTEST: usize = 20;

/// Returns as much of a text as fits, and a sign that there is more.
fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut width = 1;
    let fits = |c: &char| {
        width += c.width().unwrap_or(0);
        width <= columns
    };
    let beginning: String = text.chars().take_while(fits).collect();
    format!("{}…", beginning.trim_end())
}

/// Returns where a finding is.
fn place(audited: &Audited<'_>, finding: &Finding) -> Place {
    audited.located.whereabouts(audited.located.octets_of(finding.span()).start)
}
