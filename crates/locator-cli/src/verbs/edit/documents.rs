//! `edit --in`: edits the URLs in documents. Takes files, directories or standard input and writes each document
//! with its URLs edited; every other byte stays.
//!
//! `locator_find` finds the URLs as for the verb `find`, and writes the new ones with the escapes of their places.
//! A file whose URLs change is replaced at once; one without changes is not touched. What cannot be edited is
//! reported with its place, and stays.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::{Args, Command, FromArgMatches};
use ignore::DirEntry;
use locator::{Base, Component, Edition, Resolved, SpaceEncoding, UriRef};
use locator_find::{Document, Finder, Format, Link, Location, RewrittenLink};
use regex::Regex;
use serde::Serialize;

use super::format::HostForm;
use super::steps::Steps;
use crate::arguments::Inputs;
use crate::exit::{CliError, Status, say, say_error, say_error_at};
use crate::field::Field;
use crate::input::{Origin, STDIN, reading, stdin_has_content};
use crate::output::rewrite::{Stamp, diff, name_in_diff, read_unchanged, replace, write_diff};
use crate::output::{self, Output, Place};
use crate::report::failure::{Failure, sentence};
use crate::report::json::{self, ErrorObject};
use crate::report::plural;
use crate::run;
use crate::run::interrupt::Turn;
use crate::terminal::{secrets, visible};
use crate::verbs::find::{self, FileArgs, FileSelection, FileVisitor, Types, WalkEntry};

/// The options of `edit` for URLs in documents.
#[derive(Args, Debug)]
#[command(next_help_heading = "URLs in documents")]
pub(super) struct DocumentArgs {
    /// Edit the URLs in documents: the arguments are files and directories
    ///
    /// Files are rewritten; without arguments, and for "-", standard input is, to
    /// standard output. Documents are read as 'locator find' reads them.
    #[arg(short = 'i', long = "in", visible_alias = "in-place", id = "in")]
    #[arg(conflicts_with_all = ["get", "wrap", "iterate", "redirect", "url", "file", "column", "csv", "tsv", "ndjson"])]
    pub(super) documents: bool,
    /// Print what would change, as a patch for 'git apply', and change nothing
    #[arg(long, visible_alias = "diff", requires = "in")]
    dry_run: bool,
    /// Edit only URLs whose PART is VALUE, such as host=old.example
    ///
    /// "*" in VALUE matches any text, as in host=*.example.org. If the option is
    /// repeated, all must match.
    #[arg(long = "where", value_name = "PART=VALUE", requires = "in", value_parser = condition)]
    conditions: Vec<Condition>,
    /// Edit only URLs that match REGEX
    #[arg(long, value_name = "REGEX", requires = "in")]
    include: Vec<Regex>,
    /// Do not edit URLs that match REGEX
    #[arg(long, value_name = "REGEX", requires = "in")]
    exclude: Vec<Regex>,
    /// Write relative URLs in full, resolved against the base of their document
    ///
    /// The base is the one that the document declares, else that of --base. Links
    /// within the document, such as #top, stay.
    #[arg(long, requires = "in")]
    absolute: bool,
    /// The URL of the document; of a directory, that of the directory
    #[arg(long, value_name = "URL", requires = "absolute")]
    base: Option<OsString>,
    /// Read documents as FORMAT, such as markdown, whatever their name and content
    #[arg(long = "as", value_name = "FORMAT", requires = "in")]
    format: Option<String>,
    /// Of directories, edit only files of TYPE, such as html; see find --type-list
    #[arg(short = 't', long = "type", value_name = "TYPE", requires = "in")]
    types: Vec<String>,
    /// Of directories, edit only files that match GLOB, or not with '!GLOB'
    #[arg(long, value_name = "GLOB", requires = "in")]
    glob: Vec<String>,
    /// Edit hidden files in directories, too
    #[arg(long, requires = "in")]
    hidden: bool,
    /// Do not use .gitignore and similar files
    #[arg(long, requires = "in")]
    no_ignore: bool,
}

/// A part that a URL must have.
#[derive(Clone, Debug)]
struct Condition {
    field: Field,
    /// What is between the "*".
    pieces: Vec<String>,
}

fn condition(given: &str) -> Result<Condition, String> {
    let (part, value) = given.split_once('=').ok_or("expected PART=VALUE, such as host=old.example")?;
    let pieces = value.split('*').map(str::to_ascii_lowercase).collect();
    Ok(Condition { field: Field::named(part)?, pieces })
}

impl Condition {
    /// Returns whether the part of a reference matches; an undefined part matches an empty value.
    fn holds(&self, reference: UriRef<'_>) -> bool {
        let text = self.field.of(reference).unwrap_or_default();
        let text = text.to_ascii_lowercase();
        let Some((first, others)) = self.pieces.split_first() else { return false };
        let Some((last, middle)) = others.split_last() else { return text == *first };
        let Some(mut rest) = text.strip_prefix(first.as_str()) else { return false };
        for piece in middle {
            match rest.split_once(piece.as_str()) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        rest.ends_with(last.as_str())
    }
}

/// What is to be done in which documents.
pub(super) struct DocumentEdits {
    pub(super) asked: DocumentArgs,
    pub(super) inputs: Inputs,
    pub(super) steps: Steps,
    pub(super) edition: &'static Edition,
    pub(super) space: SpaceEncoding,
    pub(super) host: Option<HostForm>,
    pub(super) repair: bool,
}

/// Edits the URLs of all documents.
pub(super) fn run(edits: DocumentEdits, out: &mut Output) -> Result<Status, CliError> {
    let DocumentEdits { asked, mut inputs, steps, edition, space, host, repair } = edits;
    if steps.is_empty() && host.is_none() && !asked.absolute && !repair {
        return Err(wrong(
            "--in has nothing to change; add an edit, such as -s host=example.org, --qtrim 'utm_*', --unwrap or \
             --absolute",
        ));
    }
    let paths: Vec<PathBuf> = std::mem::take(&mut inputs.urls).into_iter().map(Into::into).collect();
    let paths = match paths.is_empty() {
        true if stdin_has_content() => vec!["-".into()],
        true => {
            return Err(wrong(
                "--in needs the names of files or directories, or a document in standard input",
            ));
        }
        false => paths,
    };
    let places = places(&asked, &paths)?;
    let types = Types::new(&places)?;
    let base =
        asked.base.as_ref().map(|given| run::read_base(given.as_encoded_bytes(), edition, &mut out.errors()));
    let mut run = DocumentRun {
        edits: UrlEdits {
            asked: &asked,
            needs_authority: steps.needs_authority(),
            steps,
            edition,
            space,
            host,
            repair,
        },
        inputs: &inputs,
        places: &places,
        types,
        base: base.transpose()?,
        finder: finder(edition),
        out,
        done: HashSet::new(),
        counts: Counts::default(),
        turn: Turn::begin(Origin::File),
    };
    for entry in entries(&places, &paths)? {
        run.entry(entry)?;
        if Turn::is_over() {
            run.out.flush()?;
            run.turn.report();
            return Err(CliError::Interrupted);
        }
    }
    run.end()
}

fn wrong(what: &str) -> CliError {
    say_error(what);
    CliError::Reported
}

/// Returns what finds the same URLs as the verb `find`.
fn finder(edition: &'static Edition) -> Finder {
    Finder::new().text(locator::text::Finder::default().edition(edition))
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
        wrong(first.strip_prefix("error: ").unwrap_or(first))
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

/// Returns all files in the order of their paths, before one of them is written.
fn entries(places: &FileArgs, paths: &[PathBuf]) -> Result<Vec<WalkEntry>, CliError> {
    let entries = Mutex::new(Vec::new());
    find::walk(places, paths, || Collector(&entries))?;
    Ok(entries.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// What is done to each URL.
struct UrlEdits<'a> {
    asked: &'a DocumentArgs,
    steps: Steps,
    /// Whether the steps set or remove something that only a URL with a host has.
    needs_authority: bool,
    edition: &'static Edition,
    space: SpaceEncoding,
    host: Option<HostForm>,
    repair: bool,
}

/// What is done with one URL.
#[derive(Debug)]
enum UrlResult {
    /// The conditions do not hold.
    Unselected,
    /// It stays as it is.
    Unchanged,
    /// It has no host, which an edit is about.
    WithoutHost,
    /// It becomes this.
    Changed(String),
    /// It cannot be edited.
    Failed(Failure),
}

impl UrlEdits<'_> {
    fn edited(&self, link: &Link<'_>) -> UrlResult {
        self.try_edit(link).unwrap_or_else(UrlResult::Failed)
    }

    fn try_edit(&self, link: &Link<'_>) -> Result<UrlResult, Failure> {
        let url = link.url();
        if !self.matches_patterns(url) {
            return Ok(UrlResult::Unselected);
        }
        let escaped;
        let text = match reading::read(url.as_bytes(), self.edition) {
            Ok(_) => url,
            // What it would be shows whether it is meant.
            Err(error) if !self.repair && !self.asked.absolute => {
                let repaired = link.escaped();
                let reference =
                    repaired.as_deref().and_then(|text| UriRef::parse_with(text, self.edition).ok());
                return match reference {
                    Some(reference) if !self.holds(reference) => Ok(UrlResult::Unselected),
                    Some(reference) if self.needs_authority && reference.authority().is_none() => {
                        Ok(UrlResult::WithoutHost)
                    }
                    None if !self.asked.conditions.is_empty() => Ok(UrlResult::Unselected),
                    _ => Err(error.into()),
                };
            }
            Err(error) => {
                escaped = link.escaped().ok_or_else(|| Failure::not_repaired(url.as_bytes(), error))?;
                &escaped
            }
        };
        let absolute;
        // "#top" leads to the document itself, whatever its URL is (RFC 3986, 4.4).
        let is_same_document = url.is_empty() || url.starts_with('#');
        let is_relative = !is_same_document && UriRef::parse_with(text, self.edition)?.scheme().is_none();
        let text = match self.asked.absolute && is_relative {
            false => text,
            true => match link.resolve(text)? {
                Resolved::Uri(uri) => {
                    absolute = uri.into_string();
                    &absolute
                }
                Resolved::CurrentDocument { .. } => return Ok(UrlResult::Unchanged),
            },
        };
        let reference = UriRef::parse_with(text, self.edition)?;
        if !self.holds(reference) {
            return Ok(UrlResult::Unselected);
        }
        if is_same_document {
            return Ok(UrlResult::Unchanged);
        }
        if self.needs_authority && reference.authority().is_none() {
            return Ok(if text == url {
                UrlResult::WithoutHost
            } else {
                UrlResult::Changed(text.to_owned())
            });
        }
        let edited = self.apply(reference)?;
        if edited == url {
            return Ok(UrlResult::Unchanged);
        }
        // The rest of a URL that is cut is in the document, and follows the new one.
        if link.cut().is_some() && !has_same_end(&edited, url, self.edition) {
            let message =
                "the document has only a part of this URL here, so only its scheme and host can be edited";
            return Err(Failure::other("cut", message.to_owned()));
        }
        Ok(UrlResult::Changed(edited))
    }

    fn matches_patterns(&self, url: &str) -> bool {
        let DocumentArgs { include, exclude, .. } = self.asked;
        (include.is_empty() || include.iter().any(|regex| regex.is_match(url)))
            && !exclude.iter().any(|regex| regex.is_match(url))
    }

    fn holds(&self, reference: UriRef<'_>) -> bool {
        self.asked.conditions.iter().all(|condition| condition.holds(reference))
    }

    /// Applies all steps.
    fn apply(&self, reference: UriRef<'_>) -> Result<String, Failure> {
        let formed = |edited: UriRef<'_>| -> Result<String, Failure> {
            let formed = self.host.map_or(Ok(None), |form| form.of(edited))?;
            Ok(formed.map_or_else(|| edited.as_str().to_owned(), |formed| formed.as_str().to_owned()))
        };
        if self.steps.is_empty() {
            return formed(reference);
        }
        let mut result = Ok(String::new());
        let applied = self.steps.each(reference, self.space, |edited| {
            result = edited.and_then(formed);
            Ok(())
        });
        applied.map_err(|error| Failure::other("io", error.to_string()))?;
        result
    }
}

/// Returns whether two references have the same path, query and fragment.
fn has_same_end(one: &str, other: &str, edition: &'static Edition) -> bool {
    let end = |text: &str| {
        let path = UriRef::parse_with(text, edition).ok()?.span(Component::Path)?;
        Some(text.get(path.start..)?.to_owned())
    };
    end(one) == end(other)
}

/// How many of each there are.
#[derive(Debug, Default)]
struct Counts {
    urls: u64,
    selected: u64,
    changed: u64,
    without_host: u64,
    failed: u64,
    files: u64,
    files_changed: u64,
    /// Files that could not be read or written.
    files_failed: u64,
}

/// A run over all documents.
struct DocumentRun<'a> {
    edits: UrlEdits<'a>,
    inputs: &'a Inputs,
    places: &'a FileArgs,
    types: Types,
    base: Option<Base<'a>>,
    finder: Finder,
    out: &'a mut Output,
    /// The files that are done: one may have several names.
    done: HashSet<PathBuf>,
    counts: Counts,
    turn: Turn,
}

/// A URL of a document, and what becomes of it.
struct EditedUrl {
    place: Location,
    url: String,
    result: Result<String, Failure>,
}

/// A document that was rewritten.
struct EditedDocument {
    octets: Vec<u8>,
    /// In the order of the document.
    links: Vec<RewrittenLink>,
    urls: Vec<EditedUrl>,
}

impl DocumentRun<'_> {
    fn entry(&mut self, entry: WalkEntry) -> Result<(), CliError> {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                self.counts.files_failed += 1;
                say_error(&find::reason(&error));
                return Ok(());
            }
        };
        let result = match entry.is_stdin() {
            true => self.stdin(&entry),
            false if entry.file_type().is_some_and(|of| of.is_dir()) || entry.path().is_dir() => Ok(()),
            false => self.file(&entry),
        };
        match result {
            Err(CliError::Reading { what, error }) => {
                self.counts.files_failed += 1;
                say_error(&format!("{what}: {}", visible(&error.to_string())));
                Ok(())
            }
            other => other,
        }
    }

    /// Edits standard input, to standard output.
    fn stdin(&mut self, entry: &DirEntry) -> Result<(), CliError> {
        if self.inputs.json && !self.edits.asked.dry_run {
            return Err(wrong(
                "--json and the edited document both need standard output; add --dry-run, or name a file",
            ));
        }
        let reading = |error| CliError::Reading { what: "standard input cannot be read".to_owned(), error };
        let mut octets = Vec::new();
        io::stdin().lock().read_to_end(&mut octets).map_err(reading)?;
        if let Some(what) = find::packed(&octets) {
            self.counts.files_failed += 1;
            say_error(&format!("standard input is {what}, in which no URL can be edited; unpack it first"));
            return Ok(());
        }
        let given = self.places.format.or_else(|| self.types.format());
        let known = given.or_else(|| Format::of_octets(head(&octets))).unwrap_or(Format::Text);
        let is_html = given.is_none() && known == Format::Text && begins_with_tag(&octets);
        let format = if is_html { Format::Html } else { known };
        if is_html && !self.inputs.quiet && !self.inputs.no_messages {
            say("standard input is read as HTML; --as text reads it as plain text");
        }
        let document = self.document(entry, format);
        let new = self.rewrite(&document, &octets).map_err(reading)?;
        if self.edits.asked.dry_run {
            self.print_diff(b"stdin", &octets, &new)?;
        } else if self.out.is_terminal {
            let text = String::from_utf8_lossy(&new.octets).into_owned();
            for line in text.split_inclusive('\n') {
                output::text(self.out, line.strip_suffix('\n').unwrap_or(line))?;
                self.out.write_all(if line.ends_with('\n') { b"\n" } else { b"" })?;
            }
        } else if !self.inputs.quiet {
            self.out.write_all(&new.octets)?;
        }
        self.report(STDIN, &new)
    }

    /// Edits a file.
    fn file(&mut self, entry: &DirEntry) -> Result<(), CliError> {
        let (path, was_named) = (entry.path(), entry.depth() == 0);
        let name = visible(&path.strip_prefix("./").unwrap_or(path).to_string_lossy()).to_string();
        let failed = |verb: &str| format!("\"{name}\" cannot be {verb}");
        let reading = |error| CliError::Reading { what: failed("read"), error };
        // A symbolic link stays one: the file that it leads to is rewritten.
        let real = fs::canonicalize(path).map_err(reading)?;
        let of = fs::metadata(&real).map_err(reading)?;
        if !of.is_file() {
            if was_named {
                return Err(reading(io::Error::other("it is not a regular file")));
            }
            return Ok(());
        }
        if !self.done.insert(real.clone()) {
            return Ok(());
        }
        let octets = fs::read(&real).map_err(reading)?;
        if let Some(what) = find::packed(&octets) {
            if was_named {
                self.counts.files_failed += 1;
                say_error(&format!("\"{name}\" is {what}, in which no URL can be edited; unpack it first"));
            }
            return Ok(());
        }
        let choice = FileSelection { places: self.places, types: &self.types, is_silent: true };
        let Some(format) = choice.format(path, was_named, head(&octets)) else { return Ok(()) };
        let document = self.document(entry, format);
        let new = self.rewrite(&document, &octets).map_err(reading)?;
        if new.links.is_empty() {
            // It stays as it is.
        } else if self.edits.asked.dry_run {
            self.print_diff(&name_in_diff(&name, &real), &octets, &new)?;
        } else {
            let writing = |error| CliError::Reading { what: failed("written"), error };
            if !write_file(&real, &of, &octets, &new.octets).map_err(writing)? {
                return Err(writing(io::Error::other("it has changed since it was read")));
            }
            self.counts.files_changed += 1;
            if !self.inputs.quiet && !self.inputs.json {
                let what = plural(new.links.len() as u64, "URL");
                writeln!(self.out, "{name}: {what} changed")?;
            }
        }
        self.report(&name, &new)
    }

    /// Returns how a document is read.
    fn document(&self, entry: &DirEntry, format: Format) -> Document {
        let mut document = Document::new(format);
        if let Some(separator) = self.places.separator {
            document = document.separated_by(separator);
        }
        if let Ok(by_edition) = document.clone().resolved_by(self.edits.edition) {
            document = by_edition;
        }
        match self.base.as_ref().and_then(|base| find::url_below(base, entry)) {
            Some(url) => document.retrieved_by(&url),
            None => document,
        }
    }

    fn rewrite(&mut self, document: &Document, octets: &[u8]) -> io::Result<EditedDocument> {
        self.counts.files += 1;
        let mut urls = Vec::new();
        let (edits, counts) = (&self.edits, &mut self.counts);
        let new = self.finder.rewrite(document, octets, &mut |link| {
            let edited = edits.edited(link);
            counts.urls += 1;
            counts.selected += u64::from(!matches!(edited, UrlResult::Unselected));
            let result = match edited {
                UrlResult::Unselected | UrlResult::Unchanged => return None,
                UrlResult::WithoutHost => {
                    counts.without_host += 1;
                    return None;
                }
                UrlResult::Changed(new) => Ok(new),
                UrlResult::Failed(why) => Err(why),
            };
            let new = result.as_ref().ok().cloned();
            urls.push(EditedUrl { place: link.place().clone(), url: link.url().to_owned(), result });
            new
        })?;
        let mut links = Vec::new();
        let changed = urls.iter_mut().filter(|url| url.result.is_ok());
        for (url, link) in changed.zip(new.links) {
            match link {
                Ok(link) => links.push(link),
                Err(why) => url.result = Err(Failure::other(why.name(), why.to_string())),
            }
        }
        links.sort_by_key(|link| link.range.start);
        self.counts.changed += links.len() as u64;
        Ok(EditedDocument { octets: new.octets, links, urls })
    }

    fn print_diff(&mut self, name: &[u8], old: &[u8], new: &EditedDocument) -> Result<(), CliError> {
        if new.links.is_empty() || self.inputs.quiet || self.inputs.json {
            return Ok(());
        }
        self.counts.files_changed += 1;
        let edits: Vec<_> = new.links.iter().collect();
        Ok(write_diff(self.out, &diff(name, old, &edits))?)
    }

    /// Prints what became of the URLs of a document.
    fn report(&mut self, name: &str, new: &EditedDocument) -> Result<(), CliError> {
        self.turn.count();
        self.counts.failed += new.urls.iter().filter(|url| url.result.is_err()).count() as u64;
        if self.inputs.quiet {
            return Ok(());
        }
        for url in &new.urls {
            if self.inputs.json {
                json::line(self.out, &EditedUrlObject::new(name, url))?;
                continue;
            }
            let Err(why) = &url.result else { continue };
            if self.inputs.no_messages {
                continue;
            }
            // On a terminal, results and errors are in the order of the documents.
            self.out.flush()?;
            let redacted = secrets::redacted(&url.url);
            let column = usize::try_from(url.place.column).unwrap_or(1).saturating_sub(1);
            let why = sentence(why, &redacted);
            let message = format!("\"{}\" is not edited: {why}", visible(redacted.as_str()));
            say_error_at(&Place::in_file(name, url.place.line, column), &message);
        }
        Ok(())
    }

    /// Prints the totals.
    fn end(self) -> Result<Status, CliError> {
        self.out.flush()?;
        let Counts { urls, selected, changed, without_host, failed, files, files_changed, files_failed } =
            self.counts;
        if !self.inputs.quiet && !self.inputs.no_messages {
            let (of_urls, of_files) = (plural(urls, "URL"), plural(files, "document"));
            let would = if self.edits.asked.dry_run { " would be" } else { "" };
            match changed {
                0 if selected == 0 && urls > 0 => {
                    say(&format!("none of {of_urls} in {of_files} is one of those that are to be edited"));
                }
                0 if files == 0 => {}
                0 => say(&format!("no URL changed: {of_urls} in {of_files}")),
                _ if files == 1 && files_changed == 0 => {}
                _ => say(&format!(
                    "{} of {of_urls}{would} changed, in {files_changed} of {of_files}",
                    locator_web::report::quantity::grouped(changed)
                )),
            }
            if without_host > 0 {
                let what = plural(without_host, "URL");
                say(&format!(
                    "{what} without a host kept; --absolute --base URL writes relative ones in full"
                ));
            }
            if failed > 0 {
                say(&format!("{} could not be edited", plural(failed, "URL")));
            }
        }
        match (files_failed, failed) {
            (1.., _) => Err(CliError::Reported),
            (_, 0) => Ok(Status::Valid),
            _ => Ok(Status::NotValid),
        }
    }
}

/// Returns whether a document begins with a tag: it is a piece of HTML, in whose URLs "&amp;" is "&".
fn begins_with_tag(octets: &[u8]) -> bool {
    let Some(tag) = octets.trim_ascii_start().strip_prefix(b"<") else { return false };
    let length = tag.iter().take_while(|octet| octet.is_ascii_alphanumeric()).count();
    tag.first().is_some_and(u8::is_ascii_alphabetic)
        && tag.get(length).is_some_and(|octet| octet.is_ascii_whitespace() || b"/>".contains(octet))
}

/// Returns the beginning of a document, by which its format is recognised.
fn head(octets: &[u8]) -> &[u8] {
    const HEAD: usize = 8 * 1024;
    octets.get(..HEAD).unwrap_or(octets)
}

/// Replaces a file if it still has these octets; returns whether that is done.
fn write_file(path: &Path, of: &fs::Metadata, old: &[u8], new: &[u8]) -> io::Result<bool> {
    let stamp = Stamp::of(of);
    match read_unchanged(path, &stamp)? {
        Some(octets) if octets == old => replace(path, &stamp, new),
        _ => Ok(false),
    }
}

/// A URL of a document in JSON.
#[derive(Serialize)]
struct EditedUrlObject<'a> {
    file: &'a str,
    line: u64,
    column: u64,
    offset: u64,
    length: u64,
    url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject<'a>>,
}

impl<'a> EditedUrlObject<'a> {
    fn new(file: &'a str, url: &'a EditedUrl) -> Self {
        let Location { span, line, column } = &url.place;
        Self {
            file,
            line: *line,
            column: *column,
            offset: span.start,
            length: span.end - span.start,
            url: &url.url,
            result: url.result.as_ref().ok().map(String::as_str),
            error: url.result.as_ref().err().map(ErrorObject::why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions() {
        let holds = |given: &str, url: &str| {
            condition(given).expect("a condition").holds(UriRef::parse(url).expect("a reference"))
        };
        for (given, url, expected) in [
            ("host=a.example", "http://A.example/x", true),
            ("host=a.example", "http://b.a.example/x", false),
            ("host=*.example", "http://b.a.example/x", true),
            ("host=*.example", "http://example/", false),
            ("path=/a/*/c", "http://h/a/b/c", true),
            ("path=/a/*/c", "http://h/a/c", false),
            ("path=*b*d*", "http://h/a/b/c/d/e", true),
            ("query=", "http://h/", true),
            ("query=", "http://h/?a", false),
            ("scheme=http", "https://h/", false),
            ("scheme=http", "HTTP://h/", true),
        ] {
            assert_eq!(holds(given, url), expected, "{given} {url}");
        }
        assert!(condition("host").is_err() && condition("hots=a").is_err());
    }
}
