//! Writes the results of a run in the formats that are asked for, each to its own place: as lines for people, as objects
//! of JSON, and in the formats of the modules here.
//!
//! A line for people: `docs/a.md:3:7: error: b.md: the file does not exist; did you mean "c.md"?`. On a terminal the advice
//! has a line of its own. The objects of JSON have their keys in the order of [`LinkObject`].

mod github;
mod html;
mod junit;
mod markdown;
mod sarif;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;

use anstyle::Style;
use locator_links::{Page, Site};
use serde::Serialize;

use self::github::Annotations;
use self::html::HtmlReport;
use self::markdown::Markdown;
use super::arguments::{Format, ReportTarget};
use super::checked::{CheckedLink, LeftOut, Numbers};
use crate::exit::{CliError, wrong};
use crate::output::{Output, Place, paragraph};
use crate::report::json;
use crate::report::sarif::Sarif;
use crate::terminal::{Word, secrets, visible};

/// Writes one format.
pub(super) struct Writer {
    /// The file; `None` for standard output.
    file: Option<Output>,
    state: State,
}

/// What is kept of the results until the end.
enum State {
    Text,
    Json,
    Junit,
    Sarif(Box<Sarif<sarif::PropertiesObject>>),
    Markdown(Markdown),
    Html(Box<HtmlReport>),
    Github(Annotations),
}

impl Writer {
    /// Creates the file.
    pub(super) fn new(target: &ReportTarget, out: &mut Output) -> Result<Self, CliError> {
        let create = |path: &PathBuf| {
            File::create(path).map(|file| Output::kept(Box::new(file))).map_err(|error| {
                let name = path.to_string_lossy();
                wrong(&format!("--format: \"{}\" cannot be written: {error}", visible(&name)))
            })
        };
        let file = target.file.as_ref().map(create).transpose()?;
        let state = match target.format {
            Format::Text => State::Text,
            Format::Json => State::Json,
            Format::Junit => State::Junit,
            Format::Sarif => State::Sarif(Box::new(sarif::new())),
            Format::Markdown => State::Markdown(Markdown::default()),
            Format::Html => State::Html(Box::new(HtmlReport::new(target.file.as_deref()))),
            Format::Github => State::Github(Annotations::default()),
        };
        let mut writer = Self { file, state };
        let out = writer.file.as_mut().unwrap_or(out);
        match &mut writer.state {
            State::Junit => junit::begin(out)?,
            State::Github(annotations) => annotations.begin(out)?,
            _ => {}
        }
        Ok(writer)
    }

    /// Returns whether results appear on standard output one after the other.
    pub(super) const fn is_seen(&self) -> bool {
        self.file.is_none() && matches!(self.state, State::Text | State::Json | State::Github(_))
    }

    /// Writes the links of a document that are reported: `all` to programs, `sorted` to people, the worst first.
    pub(super) fn page(
        &mut self,
        out: &mut Output,
        site: &Site,
        page: &Page,
        all: &[&CheckedLink<'_>],
        sorted: &[&CheckedLink<'_>],
    ) -> io::Result<()> {
        let out = self.file.as_mut().unwrap_or(out);
        match &mut self.state {
            State::Text => sorted.iter().try_for_each(|one| write_text(out, one)),
            State::Json => all.iter().try_for_each(|one| write_json(out, site, one)),
            State::Junit if page.is_empty() => Ok(()),
            State::Junit => junit::page(out, &page.name, sorted),
            State::Sarif(log) => {
                sorted.iter().for_each(|one| sarif::add(log, one));
                Ok(())
            }
            State::Markdown(table) => {
                sorted.iter().for_each(|one| table.add(one));
                Ok(())
            }
            State::Html(report) => {
                report.add(site, page, sorted);
                Ok(())
            }
            State::Github(annotations) => sorted.iter().try_for_each(|one| {
                annotations.add(site, one);
                write_text(out, one)
            }),
        }
    }

    /// Writes what was kept.
    pub(super) fn end(mut self, out: &mut Output, numbers: Numbers<'_>, is_silent: bool) -> io::Result<()> {
        let out = self.file.as_mut().unwrap_or(out);
        match self.state {
            State::Text => {}
            State::Json if numbers.silenced.is_nothing() => {}
            State::Json => write_json_left_out(out, numbers.silenced)?,
            State::Junit => junit::end(out, numbers.silenced)?,
            State::Sarif(mut log) => {
                let words = numbers.silenced.words().into_iter().chain(numbers.notes.iter().cloned());
                words.for_each(|words| log.note(words));
                log.write(out, is_silent)?;
            }
            State::Markdown(table) => {
                table.write(out, &numbers.line(&|_, text| text), numbers.notes)?;
            }
            State::Html(page) => page.write(out, numbers)?,
            State::Github(mut annotations) => annotations.write(out, numbers.silenced)?,
        }
        out.flush()
    }
}

/// Writes a link.
pub(super) fn write_text(out: &mut Output, judged: &CheckedLink<'_>) -> io::Result<()> {
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
            let (paint, [before, after]) = (out.paint, judged.words_of_suggestion());
            writeln!(out, "  {} {before} \"{near}\"{after}", paint.word(Word::Help))
        }
    }
}

/// Writes a link with its verdict.
pub(super) fn write_json(out: &mut Output, site: &Site, judged: &CheckedLink<'_>) -> io::Result<()> {
    json::line(out, &LinkObject::new(site, judged))
}

/// Writes how much the documents, or files beside them, leave out.
fn write_json_left_out(out: &mut Output, silenced: &LeftOut) -> io::Result<()> {
    #[derive(Serialize)]
    struct LeftOutObject<'a> {
        left_out: &'a LeftOut,
    }
    json::line(out, &LeftOutObject { left_out: silenced })
}

/// A link.
#[derive(Serialize)]
struct LinkObject<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    offset: u64,
    length: u32,
    url: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absolute: Option<String>,
    outcome: &'static str,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hops: Vec<HopObject>,
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken_since: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_fixed: Option<&'static str>,
}

/// A redirect.
#[derive(Serialize)]
struct HopObject {
    status: u16,
    url: String,
}

impl<'a> LinkObject<'a> {
    fn new(site: &Site, judged: &CheckedLink<'a>) -> Self {
        let CheckedLink { page, link, verdict, broken_since, mended, .. } = *judged;
        let hop = |hop: &locator_links::Hop| HopObject { status: hop.status, url: shown(&hop.to) };
        Self {
            file: &page.name,
            line: link.line,
            column: link.column,
            offset: link.offset,
            length: link.length,
            url: Cow::Owned(shown(page.url(link))),
            written: Some(page.written(link)).filter(|own| *own != page.url(link)).map(shown),
            absolute: judged.absolute(site).map(|url| shown(&url)),
            outcome: verdict.outcome().name(),
            code: verdict.code.name(),
            status: verdict.status,
            reason: verdict.reason.as_deref(),
            hops: verdict.hops.iter().map(hop).collect(),
            end: verdict.final_url().map(shown),
            seen: verdict.seen.and_then(|seconds| locator_fetch::timestamp(at(seconds))),
            broken_since,
            suggestion: verdict.suggestion.as_deref(),
            fixed: mended.and_then(|mended| mended.as_ref().ok()).map(|new| shown(new)),
            not_fixed: mended.and_then(|mended| mended.as_ref().err()).map(|kept| kept.name()),
        }
    }
}

fn at(seconds: u64) -> std::time::SystemTime {
    std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds)
}

/// Returns a URL with its secrets hidden.
fn shown(url: &str) -> String {
    secrets::redacted(url).to_string()
}
