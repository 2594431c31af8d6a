//! Findings for people: the first ten with the URL, the others on one line each.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use locator::audit::{Finding, Severity};

use super::audited::Audited;
use crate::output::Output;
use crate::show::excerpt::{self, NARROW};
use crate::terminal::paint::{BAD, FAINT, STRONG, WARN};
use crate::terminal::visible;

/// The findings reported in a run.
#[derive(Debug)]
pub(super) struct Report {
    /// Whether each finding has one line.
    brief: bool,
    /// How many findings have been reported.
    reported: u64,
}

impl Report {
    /// How many findings are reported in full.
    const DRAWN: u64 = 10;

    /// No findings yet.
    pub(super) const fn new(brief: bool) -> Self {
        Self { brief, reported: 0 }
    }

    /// Writes the findings of a URL.
    pub(super) fn write(&mut self, out: &mut Output, audited: &Audited<'_>) -> io::Result<()> {
        let place = visible(&audited.located.whereabouts()).to_string();
        for finding in audited.findings() {
            if self.brief || self.reported >= Self::DRAWN {
                if !self.brief && self.reported == Self::DRAWN {
                    writeln!(out)?;
                }
                line(out, &place, audited, finding)?;
            } else {
                if self.reported > 0 {
                    writeln!(out)?;
                }
                draw(out, &place, audited, finding)?;
            }
            self.reported += 1;
        }
        Ok(())
    }
}

/// Writes a finding with its URL.
fn draw(out: &mut Output, place: &str, audited: &Audited<'_>, finding: &Finding) -> io::Result<()> {
    let (paint, code, style) = (out.paint, finding.code(), style(finding.severity()));
    let message = visible(audited.message(finding)).to_string();
    let severity = paint.with(style, finding.severity());
    writeln!(out, "{}{severity}: {}", paint.with(FAINT, place), paint.with(STRONG, message))?;
    let at = audited.located.octets_of(finding.span()).start;
    excerpt::write(out, audited.shown, finding.span(), &NARROW, style, &format!(" byte {at}"))?;
    writeln!(out, "  {}", code.advice())?;
    writeln!(out, "  {}", paint.with(FAINT, format_args!("{} ({})", code.name(), code.citation())))
}

/// Writes a finding on one line.
fn line(out: &mut Output, place: &str, audited: &Audited<'_>, finding: &Finding) -> io::Result<()> {
    let (paint, code) = (out.paint, finding.code());
    let severity = paint.with(style(finding.severity()), finding.severity());
    let message = visible(audited.message(finding)).to_string();
    let url = excerpt::beginning(audited.shown);
    writeln!(
        out,
        "{}{severity}: {} ({}, {}): {url}",
        paint.with(FAINT, place),
        paint.with(STRONG, message),
        code.name(),
        code.citation()
    )
}

/// Returns the colour of a severity.
pub(super) const fn style(severity: Severity) -> Style {
    match severity {
        Severity::High => BAD,
        Severity::Medium => WARN,
        Severity::Low => AnsiColor::Cyan.on_default(),
        _ => FAINT,
    }
}
