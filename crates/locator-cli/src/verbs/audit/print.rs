//! Findings for people: the first ten with the URL, the others on one line each.

use std::io::{self, Write};

use anstyle::Style;
use locator_audit::Finding;

use super::audited::Audited;
use super::readings;
use crate::findings::{is_about_readers, is_of_past, style};
use crate::output::Output;
use crate::show::excerpt::{self, Excerpt};
use crate::show::{Place, diagnosis, paragraph};
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

    /// Writes the findings of a URL, and its readings if they are asked for.
    pub(super) fn write(&mut self, out: &mut Output, audited: &Audited<'_>) -> io::Result<()> {
        for finding in audited.findings() {
            let at = audited.located.octets_of(finding.span()).start;
            let place = &audited.located.whereabouts(at);
            let is_brief = self.brief || self.reported >= Self::DRAWN;
            self.separate(out, is_brief)?;
            if is_brief {
                line(out, place, audited, finding)?;
            } else {
                draw(out, place, audited, finding, !self.readings)?;
            }
            self.reported += 1;
        }
        if self.readings {
            self.separate(out, false)?;
            let url = excerpt::beginning(audited.shown);
            writeln!(out, "{}: {url}", out.paint.with(STRONG, "readings"))?;
            readings::write(out, audited, true)?;
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
fn draw(
    out: &mut Output,
    place: &Place,
    audited: &Audited<'_>,
    finding: &Finding,
    with_readings: bool,
) -> io::Result<()> {
    let (paint, code, style) = (out.paint, finding.code(), style(finding.severity()));
    // The sentence about readers is long, and says what the readings below say.
    let has_readings = is_about_readers(finding);
    let message = if has_readings { code.title() } else { audited.message(finding) };
    diagnosis::headline(out, place, Word::of(finding.severity()), &visible(message).to_string())?;
    let at = audited.located.octets_of(finding.span()).start;
    let (range, note, note_style) = (finding.span(), format!("byte {at}"), Style::new());
    let excerpt = Excerpt { text: audited.shown, range, style, others: &[], note: &note, note_style };
    excerpt::write(out, &excerpt)?;
    if has_readings && with_readings {
        readings::write(out, audited, is_of_past(finding))?;
    }
    paragraph::write(out, "  ", code.advice().split(' '))?;
    writeln!(out, "  {}", paint.with(FAINT, format_args!("{} ({})", code.name(), code.citation())))
}

/// Writes a finding on one line.
fn line(out: &mut Output, place: &Place, audited: &Audited<'_>, finding: &Finding) -> io::Result<()> {
    let (paint, code) = (out.paint, finding.code());
    let message = visible(audited.message(finding)).to_string();
    place.begin(out, Word::of(finding.severity()))?;
    write!(out, "{} [{}]", paint.with(STRONG, message), code.name())?;
    match audited.is_in_file() {
        true => writeln!(out),
        false => writeln!(out, ": {}", excerpt::beginning(audited.shown)),
    }
}
