//! The verb `find`: files, directories and standard input in, the URLs in them out, each with its place.
//!
//! A walk comes upon the files, in as many threads as there are processors ([`walk`]); each is opened and its format
//! seen ([`source`]); what `locator_find` finds in it is written on a page of its own ([`hits`], [`page`]), so that what
//! a file has stands together.

mod absolute;
mod around;
mod broken;
mod domain;
mod hits;
mod listed;
mod look;
mod page;
mod retrieval;
mod seen;
mod source;
mod stats;
mod tally;
mod transcode;
mod types;
mod walk;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use ignore::DirEntry;
use locator::{BaseStack, text};
use locator_find::Finder;

pub(crate) use self::absolute::Absolute;
pub(crate) use self::around::Shown;
use self::look::Look;
use self::page::Floor;
use self::retrieval::Retrieval;
pub(crate) use self::seen::Seen;
use self::source::Choice;
use self::stats::Stats;
pub(crate) use self::tally::Kind;
use self::tally::Tally;
use self::types::Types;
use crate::arguments::{Around, Form, Sought, WhenWord};
use crate::base;
use crate::exit::{Status, Trouble, say};
use crate::input::Origin;
use crate::interrupt::Turn;
use crate::progress::Progress;
use crate::run::Output;
use crate::show::hit::Lines;
use crate::show::{json, tally as table, visible};

/// One search, which all threads share.
struct Search<'o> {
    asked: &'o Sought,
    form: Form,
    finder: Finder,
    types: Types,
    retrieval: Option<Retrieval<'o>>,
    seen: Option<Seen>,
    tally: Tally,
    stats: Stats,
    lines: Lines,
    floor: Floor<'o>,
    progress: Progress,
    /// Whether the working directory is searched because nothing is named.
    is_here: bool,
    /// Whether anything was found.
    found: AtomicBool,
    /// Whether something could not be read or resolved.
    failed: AtomicBool,
}

/// Looks into all that is named.
pub(crate) fn run(asked: &Sought, out: &mut Output) -> Result<Status, Trouble> {
    if asked.places.type_list {
        types::list(&asked.places.rules.type_add, out)?;
        out.flush()?;
        return Ok(Status::Valid);
    }
    if asked.links.are_unrestricted() {
        say(UNRESTRICTED);
        return Err(Trouble::Told);
    }
    let paths = paths(asked)?;
    let search = Search::new(asked, &paths, out)?;
    walk::walk(&asked.places, &paths, || Look::new(&search))?;
    search.end()
}

/// What is said to those who mean ripgrep's `-uu`.
const UNRESTRICTED: &str = "-u is \"each URL once\" here: ripgrep's -uu is --no-ignore --hidden, its -uuu \
    --no-ignore --hidden --text";

/// What is named, by itself and in lists; if nothing is: standard input, but at a terminal the working directory.
fn paths(asked: &Sought) -> Result<Vec<PathBuf>, Trouble> {
    let (named, lists) = (asked.places.paths.as_slice(), asked.places.rules.files_from.as_slice());
    Ok(match (named, lists) {
        ([], []) if io::stdin().is_terminal() => vec!["./".into()],
        ([], []) => vec!["-".into()],
        _ => [named, &listed::read(lists)?].concat(),
    })
}

impl<'o> Search<'o> {
    fn new(asked: &'o Sought, paths: &[PathBuf], out: &'o mut Output) -> Result<Self, Trouble> {
        let (answer, form) = (&asked.answer, asked.answer.form());
        let (types, finder, retrieval) = (Types::new(&asked.places)?, finder(asked)?, retrieval(asked, out)?);
        let has_files = |path: &PathBuf| path.is_dir() || asked.places.search_zip && source::is_archive(path);
        let has_lists = !asked.places.rules.files_from.is_empty();
        let several = has_lists || paths.len() > 1 || paths.iter().any(has_files);
        // Lines that come by say enough.
        let is_silent = !out.is_terminal || matches!(form, Form::Quiet | Form::CountBy(_));
        drop(Turn::begin(if several { Origin::File } else { Origin::Link }));
        Ok(Self {
            asked,
            form,
            finder,
            types,
            retrieval,
            seen: asked.links.are_unique().then(Seen::default),
            tally: Tally::default(),
            stats: Stats::begin(),
            lines: lines(asked, paths, several, out),
            floor: Floor::new(out, separator(asked)),
            progress: Progress::begin(is_silent && !answer.no_progress, octets(paths)),
            is_here: asked.places.paths.is_empty() && !has_lists,
            found: AtomicBool::new(false),
            failed: AtomicBool::new(false),
        })
    }

    /// Which files are looked into, and how.
    fn choice(&self) -> Choice<'_> {
        Choice { places: &self.asked.places, types: &self.types, is_silent: self.asked.answer.no_messages }
    }

    /// The path of a file, as it is printed.
    fn name<'e>(&self, entry: &'e DirEntry) -> &'e Path {
        if entry.is_stdin() {
            return Path::new("<stdin>");
        }
        match entry.path().strip_prefix("./") {
            Ok(inner) if self.is_here => inner,
            _ => entry.path(),
        }
    }

    /// Says what could not be done, unless nobody wants to know; the exit status tells in any case.
    fn tell(&self, what: &str) {
        self.fail();
        if !self.asked.answer.no_messages {
            say(what);
        }
    }

    /// Something could not be done, and was told elsewhere.
    fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// How many lines around links are shown.
    fn around(&self) -> Option<Around> {
        self.asked.answer.lines.around().filter(|_| self.form == Form::Each)
    }

    /// Whether the first link that is found is enough.
    const fn wants_one(&self) -> bool {
        matches!(self.form, Form::Quiet) && !self.asked.answer.lines.stats
    }

    /// Whether enough is found.
    fn is_over(&self) -> bool {
        self.wants_one() && self.found.load(Ordering::Relaxed)
    }

    /// Writes what can only be said at the end.
    fn end(self) -> Result<Status, Trouble> {
        // The line of progress is gone before anything is written.
        let counts = self.progress.end();
        let out = self.floor.end()?;
        if let Form::CountBy(what) = self.form {
            let rows = self.tally.rows();
            match self.asked.answer.json {
                true => rows.iter().try_for_each(|(kind, count)| json::tally(out, what, kind, *count))?,
                false => table::write(out, &rows)?,
            }
        }
        if self.asked.answer.lines.stats {
            self.stats.write(&counts, self.asked.answer.json, out)?;
        }
        out.flush()?;
        let found = self.found.into_inner();
        // As with grep: who asks quietly and has the answer need not hear of the rest.
        let failed = self.failed.into_inner() && !(found && self.form == Form::Quiet);
        // Who looks for what is broken has good news if there is none, as with `check`.
        let is_good = found != self.asked.links.broken;
        if failed { Err(Trouble::Told) } else { Ok(Status::of(is_good)) }
    }
}

/// How many octets there are in all, if that is easy to know.
fn octets(paths: &[PathBuf]) -> Option<u64> {
    let of_file = |path: &PathBuf| path.metadata().ok().filter(fs::Metadata::is_file).map(|file| file.len());
    paths.iter().map(of_file).sum()
}

/// What is between the lines of two files.
fn separator(asked: &Sought) -> &'static str {
    let answer = &asked.answer;
    match (answer.form(), answer.lines.has_heading(), answer.lines.around()) {
        (Form::Each, true, _) => "\n",
        (Form::Each, false, Some(_)) => "--\n",
        _ => "",
    }
}

/// How lines are written.
fn lines(asked: &Sought, paths: &[PathBuf], several: bool, out: &Output) -> Lines {
    let answer = &asked.answer;
    let only_stdin = paths.iter().all(|path| path == Path::new("-"));
    // Who pipes something through wants what is in it, and has no use for a place in what is gone.
    let (line, column) = answer.line_and_column(!only_stdin || out.is_terminal);
    let has_links = match answer.hyperlink {
        WhenWord::Auto => out.is_terminal && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout),
        when => when == WhenWord::Always,
    };
    Lines {
        paint: out.paint,
        is_terminal: out.is_terminal,
        has_links,
        name: answer.name(several),
        line,
        column,
        offset: answer.lines.byte_offset,
        heading: answer.lines.has_heading(),
        null: answer.null,
    }
}

fn finder(asked: &Sought) -> Result<Finder, Trouble> {
    let links = &asked.links;
    let mut text = text::Finder::new(links.preset()).edition(links.by.edition).domains(domain::is_domain);
    text = text.patterns(links.patterns);
    for name in &links.scheme {
        text = text.scheme(name).map_err(|error| {
            say(&format!("--scheme {}: {error}", visible(name)));
            Trouble::Told
        })?;
    }
    // What documents say of their bases need not be looked for where nobody asks.
    let bases = asked.answer.absolute || asked.answer.bases;
    Ok(Finder::new().text(text).json_ld(links.json_ld).all(links.all).bases(bases))
}

/// By which URLs documents were retrieved, if anything depends on it.
fn retrieval<'o>(asked: &'o Sought, out: &Output) -> Result<Option<Retrieval<'o>>, Trouble> {
    let (answer, edition) = (&asked.answer, asked.links.by.edition);
    if let Some(given) = &answer.base {
        return Ok(Some(Retrieval::Given(base::read(given.as_encoded_bytes(), edition, &mut out.errors())?)));
    }
    if !answer.absolute && !answer.bases {
        return Ok(None);
    }
    if let Err(error) = BaseStack::new(edition) {
        say(&error.to_string());
        return Err(Trouble::Told);
    }
    Ok(Some(Retrieval::Files))
}
