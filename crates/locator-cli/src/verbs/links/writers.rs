//! Writes the results of a run in the formats that are asked for, each to its own place.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use locator_links::{Page, Site};

use super::format::{Format, Target};
use super::github::Annotations;
use super::html::HtmlReport;
use super::judged::Judged;
use super::markdown::Markdown;
use super::numbers::Numbers;
use super::{json, junit, print, sarif};
use crate::exit::{CliError, wrong};
use crate::output::Output;
use crate::report::sarif::Sarif;
use crate::terminal::visible;

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
    pub(super) fn new(target: &Target, out: &mut Output) -> Result<Self, CliError> {
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

    /// Writes the links of a document that are reported. `sorted` has the worst first.
    pub(super) fn page(
        &mut self,
        out: &mut Output,
        (site, page): (&Site, &Page),
        (all, sorted): (&[&Judged<'_>], &[&Judged<'_>]),
    ) -> io::Result<()> {
        let out = self.file.as_mut().unwrap_or(out);
        match &mut self.state {
            State::Text => sorted.iter().try_for_each(|one| print::write(out, one)),
            State::Json => all.iter().try_for_each(|one| json::write(out, site, one)),
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
                report.add((site, page), sorted);
                Ok(())
            }
            State::Github(annotations) => sorted.iter().try_for_each(|one| {
                annotations.add(site, one);
                print::write(out, one)
            }),
        }
    }

    /// Writes what was kept.
    pub(super) fn end(mut self, out: &mut Output, numbers: Numbers<'_>, is_silent: bool) -> io::Result<()> {
        let out = self.file.as_mut().unwrap_or(out);
        match self.state {
            State::Text => {}
            State::Json if numbers.silenced.is_nothing() => {}
            State::Json => json::write_silenced(out, numbers.silenced)?,
            State::Junit => junit::end(out, numbers.silenced)?,
            State::Sarif(mut log) => {
                numbers.silenced.words().into_iter().for_each(|words| log.note(words));
                log.write(out, is_silent)?;
            }
            State::Markdown(table) => table.write(out, &numbers.line(&|_, text| text))?,
            State::Html(page) => page.write(out, numbers)?,
            State::Github(mut annotations) => annotations.write(out, numbers.silenced)?,
        }
        out.flush()
    }
}
