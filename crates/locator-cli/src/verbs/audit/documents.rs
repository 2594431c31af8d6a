//! `audit --documents`: audits the links of documents. Takes files, directories or standard input, passes each link with its
//! place and its text to the verb, as an object of `find --json` has them.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use clap::{Args, Command, FromArgMatches};
use locator::Edition;
use locator_find::{Document, Finder, Format, Link};
use serde::Serialize;

use crate::arguments::Inputs;
use crate::exit::{CliError, Status, say_error};
use crate::input::{Input, Origin, stdin_has_content};
use crate::output::Output;
use crate::report::json::text_of;
use crate::run::Answer;
use crate::run::interrupt::Turn;
use crate::terminal::visible;
use crate::verbs::find::{self, FileArgs, FileSelection, FileVisitor, Types, WalkEntry};

/// The options of `audit` for documents.
#[derive(Args, Debug)]
#[command(next_help_heading = "Links of documents")]
pub(super) struct DocumentArgs {
    /// Audit the links of documents: the arguments are files and directories
    ///
    /// HTML, mail, Markdown and the other formats of 'locator find'. A link of HTML or
    /// Markdown whose text names another site than it leads to is a finding
    /// (misleading-text, medium).
    #[arg(long, conflicts_with_all = ["file", "places", "column", "csv", "tsv", "ndjson"])]
    pub(super) documents: bool,
    /// Read documents as FORMAT, such as markdown, whatever their name and content
    #[arg(long = "as", value_name = "FORMAT", requires = "documents")]
    format: Option<String>,
    /// Of directories, audit only files of TYPE, such as html; see find --type-list
    #[arg(short = 't', long = "type", value_name = "TYPE", requires = "documents")]
    types: Vec<String>,
    /// Of directories, audit only files that match GLOB, or not with '!GLOB'
    #[arg(long, value_name = "GLOB", requires = "documents")]
    glob: Vec<String>,
    /// Audit hidden files in directories, too
    #[arg(long, requires = "documents")]
    hidden: bool,
    /// Do not use .gitignore and similar files
    #[arg(long, requires = "documents")]
    no_ignore: bool,
}

/// A link as `find --json` prints it.
#[derive(Serialize)]
struct LinkLine<'a> {
    url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_base64: Option<&'a str>,
    line: u64,
    column: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    /// What a link with a text is by the base of its document.
    #[serde(skip_serializing_if = "Option::is_none")]
    absolute: Option<&'a str>,
}

/// Audits the links of all documents, which are read by an edition.
pub(super) fn each(
    asked: &DocumentArgs,
    inputs: &Inputs,
    edition: &'static Edition,
    verb: &mut dyn Answer,
    out: &mut Output,
) -> Result<Status, CliError> {
    let paths: Vec<PathBuf> = inputs.urls.iter().map(Into::into).collect();
    let paths = match paths.is_empty() {
        true if stdin_has_content() => vec!["-".into()],
        true => {
            say_error("--documents needs the names of files or directories, or a document in standard input");
            return Err(CliError::Reported);
        }
        false => paths,
    };
    let places = places(asked, &paths)?;
    let types = Types::new(&places)?;
    let finder = Finder::new().text(locator::text::Finder::default().edition(edition)).link_texts(true);
    let choice = FileSelection { places: &places, types: &types, is_silent: inputs.is_silent() };
    let mut documents = Documents {
        finder,
        choice,
        links: Links { verb, inputs, out, status: Status::Valid, number: 0, error: None },
        has_failed: false,
    };
    let turn = Turn::begin(Origin::File);
    for entry in entries(&places, &paths)? {
        documents.entry(entry)?;
        if Turn::is_over() {
            documents.links.out.flush()?;
            turn.report();
            return Err(CliError::Interrupted);
        }
    }
    documents.links.out.flush()?;
    if documents.has_failed { Err(CliError::Reported) } else { Ok(documents.links.status) }
}

/// Returns the options of `find` about files that these are.
fn places(asked: &DocumentArgs, paths: &[PathBuf]) -> Result<FileArgs, CliError> {
    let mut given: Vec<OsString> = ["locator", "--sort=path"].map(Into::into).to_vec();
    let mut option = |name: &str, value: &str| given.push(format!("--{name}={value}").into());
    asked.types.iter().for_each(|value| option("type", value));
    asked.glob.iter().for_each(|value| option("glob", value));
    asked.format.iter().for_each(|value| option("as", value));
    given.extend(asked.hidden.then(|| "--hidden".into()));
    given.extend(asked.no_ignore.then(|| "--no-ignore".into()));
    given.push("--".into());
    given.extend(paths.iter().map(OsString::from));
    let command = <FileArgs as Args>::augment_args(Command::new("locator"));
    let matches = command.try_get_matches_from(given);
    matches.and_then(|matches| FileArgs::from_arg_matches(&matches)).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        say_error(first.strip_prefix("error: ").unwrap_or(first));
        CliError::Reported
    })
}

/// Receives the files of a walk.
struct Collector<'a>(&'a Mutex<Vec<WalkEntry>>);

impl FileVisitor for Collector<'_> {
    fn visit(&mut self, step: WalkEntry) -> ControlFlow<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(step);
        ControlFlow::Continue(())
    }
}

/// Returns all files in the order of their paths.
fn entries(places: &FileArgs, paths: &[PathBuf]) -> Result<Vec<WalkEntry>, CliError> {
    let entries = Mutex::new(Vec::new());
    find::walk(places, paths, || Collector(&entries))?;
    Ok(entries.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// How much of a document shows its format.
const HEAD: u64 = 8 * 1024;

/// What is done with each document.
struct Documents<'a> {
    finder: Finder,
    choice: FileSelection<'a>,
    links: Links<'a>,
    has_failed: bool,
}

impl Documents<'_> {
    fn entry(&mut self, entry: WalkEntry) -> Result<(), CliError> {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                self.has_failed = true;
                say_error(&find::reason(&error));
                return Ok(());
            }
        };
        if entry.is_stdin() {
            let found = self.stream(None, &mut io::stdin().lock(), |head, choice| {
                let given = choice.places.format.or_else(|| choice.types.format());
                Some(given.or_else(|| Format::of_octets(head)).unwrap_or(Format::Text))
            });
            return self.end("standard input cannot be read", found);
        }
        let path = entry.path();
        if entry.file_type().is_some_and(|of| of.is_dir()) || path.is_dir() {
            return Ok(());
        }
        let (name, was_named) = (path.strip_prefix("./").unwrap_or(path), entry.depth() == 0);
        let shown = visible(&name.to_string_lossy()).to_string();
        let found = File::open(path).and_then(|mut file| {
            let octets = name.as_os_str().as_encoded_bytes();
            self.stream(Some(octets), &mut file, |head, choice| choice.format(path, was_named, head))
        });
        if let Ok(Some(what)) = &found
            && was_named
        {
            self.has_failed = true;
            say_error(&format!("\"{shown}\" is {what}, in which no links are found; unpack it first"));
        }
        self.end(&format!("\"{shown}\" cannot be read"), found)
    }

    /// Reports why a document was not read; the others are read nevertheless.
    fn end(&mut self, what: &str, found: io::Result<Option<String>>) -> Result<(), CliError> {
        if let Some(error) = self.links.error.take() {
            return Err(error.into());
        }
        if let Err(error) = found {
            self.has_failed = true;
            say_error(&format!("{what}: {}", visible(&error.to_string())));
        }
        Ok(())
    }

    /// Audits the links of a document. Returns what it is if it is packed.
    fn stream(
        &mut self,
        file: Option<&[u8]>,
        source: &mut dyn io::Read,
        format: impl Fn(&[u8], FileSelection<'_>) -> Option<Format>,
    ) -> io::Result<Option<String>> {
        let mut head = Vec::new();
        (&mut *source).take(HEAD).read_to_end(&mut head)?;
        if let Some(what) = find::packed(&head) {
            return Ok(Some(what));
        }
        let Some(format) = format(&head, self.choice) else { return Ok(None) };
        let mut document = Document::new(format);
        if let Some(separator) = self.choice.places.separator {
            document = document.separated_by(separator);
        }
        let links = &mut self.links;
        self.finder
            .find(&document, &mut head.chain(source), &mut |link: &Link<'_>| links.take(file, link))?;
        Ok(None)
    }
}

/// What is done with each link.
struct Links<'a> {
    verb: &'a mut dyn Answer,
    inputs: &'a Inputs,
    out: &'a mut Output,
    status: Status,
    number: u64,
    /// Why a finding could not be written.
    error: Option<io::Error>,
}

impl Links<'_> {
    fn take(&mut self, file: Option<&[u8]>, link: &Link<'_>) -> ControlFlow<()> {
        self.number += 1;
        let (file, file_base64) = file.map_or((None, None), |file| {
            let (text, base64) = text_of(file);
            (Some(text), base64)
        });
        let absolute = link.text().and_then(|_| absolute(link));
        let line = LinkLine {
            url: link.url(),
            file: file.as_deref(),
            file_base64: file_base64.as_deref(),
            line: link.place().line,
            column: link.place().column,
            text: link.text(),
            absolute: absolute.as_deref(),
        };
        let Ok(octets) = serde_json::to_vec(&line) else { return ControlFlow::Continue(()) };
        let input = Input {
            octets: &octets,
            number: self.number,
            origin: Origin::Line,
            alone: false,
            list: None,
            column: None,
        };
        let status = match self.inputs.quiet {
            true => Ok(self.verb.judge(input)),
            false => self.verb.answer(input, self.out),
        };
        match status {
            Ok(status) => self.status = self.status.and(status),
            Err(error) => {
                self.error = Some(error);
                return ControlFlow::Break(());
            }
        }
        // The answer is known.
        if self.inputs.quiet && self.status != Status::Valid {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Returns what a link is by the base that its document declares; `None` without one.
fn absolute(link: &Link<'_>) -> Option<String> {
    link.base()?;
    let escaped = link.escaped();
    let resolved = link.resolve(escaped.as_deref().unwrap_or(link.url())).ok()?;
    resolved.uri().map(ToString::to_string)
}
