//! The state of a search that all threads share: options, results so far and output.

use std::borrow::Cow;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ignore::DirEntry;
use locator::{BaseStack, text};
use locator_audit::Auditor;
use locator_find::Finder;

use super::arguments::{ContextLines, FindArgs, OutputForm, WhenWord};
use super::files::Types;
use super::iocs::{is_domain, is_host_name};
use super::json::TallyObject;
use super::print::{LineFormat, SharedOutput};
use super::resolve::{Retrieval, file_url};
use super::source::{self, FileSelection};
use super::summary::{CheckedLinks, Notes};
use super::summary::{Stats, Tally, write_tally};
use crate::exit::{CliError, Status, say, say_error};
use crate::input::Origin;
use crate::output::Output;
use crate::output::progress::Progress;
use crate::report::findings;
use crate::report::{json, plural};
use crate::run::interrupt::Turn;
use crate::run::{self, Seen};
use crate::terminal::visible;

/// One search, which all threads share.
pub(super) struct Search<'o> {
    pub(super) args: &'o FindArgs,
    pub(super) form: OutputForm,
    pub(super) finder: Finder,
    pub(super) auditor: Auditor<'static>,
    pub(super) types: Types,
    pub(super) retrieval: Option<Retrieval<'o>>,
    pub(super) seen: Option<Seen>,
    pub(super) tally: Tally,
    pub(super) stats: Stats,
    pub(super) notes: Notes,
    pub(super) checked: CheckedLinks,
    pub(super) lines: LineFormat,
    pub(super) shared: SharedOutput<'o>,
    pub(super) progress: Progress,
    /// Whether only standard input is searched.
    is_stdin: bool,
    /// Whether the working directory is searched because nothing is named.
    is_here: bool,
    /// Whether anything was found.
    pub(super) found: AtomicBool,
    /// Whether something could not be read or resolved.
    failed: AtomicBool,
}

impl<'o> Search<'o> {
    pub(super) fn new(args: &'o FindArgs, paths: &[PathBuf], out: &'o mut Output) -> Result<Self, CliError> {
        let (output, form) = (&args.output, args.output.form());
        let (types, finder, retrieval) = (Types::new(&args.places)?, finder(args)?, retrieval(args, out)?);
        let has_files = |path: &PathBuf| path.is_dir() || args.places.search_zip && source::is_archive(path);
        let has_lists = !args.places.rules.files_from.is_empty();
        let several = has_lists || paths.len() > 1 || paths.iter().any(has_files);
        // On a terminal, the results themselves show the progress.
        let is_silent = !out.is_terminal || matches!(form, OutputForm::Quiet | OutputForm::CountBy(_));
        drop(Turn::begin(if several { Origin::File } else { Origin::Link }));
        Ok(Self {
            args,
            form,
            finder,
            auditor: findings::auditor(args.links.by.edition),
            types,
            retrieval,
            seen: args.links.are_unique().then(Seen::default),
            tally: Tally::default(),
            stats: Stats::begin(),
            notes: Notes::default(),
            checked: CheckedLinks::default(),
            lines: lines(args, paths, several, out),
            shared: SharedOutput::new(out, separator(args)),
            progress: Progress::begin(is_silent && !output.no_progress, octets(paths)),
            is_stdin: paths.iter().all(|path| path == Path::new("-")),
            is_here: args.places.paths.is_empty() && !has_lists,
            found: AtomicBool::new(false),
            failed: AtomicBool::new(false),
        })
    }

    /// Returns which files are searched, and how.
    pub(super) fn choice(&self) -> FileSelection<'_> {
        FileSelection {
            places: &self.args.places,
            types: &self.types,
            is_silent: self.args.output.no_messages,
        }
    }

    /// The path of a file, as it is printed.
    pub(super) fn name<'e>(&self, entry: &'e DirEntry) -> &'e Path {
        if entry.is_stdin() {
            return Path::new("<stdin>");
        }
        match entry.path().strip_prefix("./") {
            Ok(inner) if self.is_here => inner,
            _ => entry.path(),
        }
    }

    /// Reports an error, unless `--no-messages` is given, and sets the exit status.
    pub(super) fn report(&self, what: &str) {
        self.fail();
        if !self.args.output.no_messages {
            say_error(what);
        }
    }

    /// Sets the exit status for an error that is reported elsewhere.
    pub(super) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// How many lines around links are shown.
    pub(super) fn around(&self) -> Option<ContextLines> {
        self.args.output.lines.around().filter(|_| self.form == OutputForm::Each)
    }

    /// Whether the first link that is found is enough.
    pub(super) const fn wants_one(&self) -> bool {
        matches!(self.form, OutputForm::Quiet) && !self.args.output.lines.stats
    }

    /// Whether enough is found.
    pub(super) fn is_over(&self) -> bool {
        self.wants_one() && self.found.load(Ordering::Relaxed)
    }

    /// Whether no file was searched.
    pub(super) fn is_empty(&self) -> bool {
        self.progress.counts().files.load(Ordering::Relaxed) == 0
    }

    /// Writes counts and statistics at the end.
    pub(super) fn end(self) -> Result<Status, CliError> {
        // The line of progress is gone before anything is written.
        let counts = self.progress.end();
        let out = self.shared.end()?;
        if let OutputForm::CountBy(what) = self.form {
            let rows = self.tally.rows();
            match self.args.output.json {
                true => rows
                    .iter()
                    .try_for_each(|(kind, count)| json::line(out, &TallyObject::new(what, kind, *count)))?,
                false => write_tally(out, what, &rows)?,
            }
        }
        if self.args.output.lines.stats {
            self.stats.write(&counts, self.args.output.json, out)?;
        }
        out.flush()?;
        let is_empty = counts.files.load(Ordering::Relaxed) == 0 && !self.failed.load(Ordering::Relaxed);
        if is_empty && !self.args.output.no_messages {
            say("no file was searched; -t, -g, hidden files and .gitignore decide which are");
        }
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let files = of(&counts.files);
        if self.args.links.broken && !self.args.output.no_messages && files > 0 {
            match of(&counts.octets) {
                0 => say(&no_input(self.is_stdin, files)),
                _ if self.form == OutputForm::Each && !self.args.output.json => {
                    self.checked.write_total(of(&counts.links), files);
                }
                _ => {}
            }
        }
        self.notes.write();
        let found = self.found.into_inner();
        let templates = self.stats.templates();
        if templates > 0 && says_templates(self.args, self.form) {
            say(&templates_said(templates, found));
        }
        let defanged = self.stats.defanged();
        if defanged > 0 && says_templates(self.args, self.form) {
            say(&format!("{}; --refang prints the URLs that they mean", plural(defanged, "defanged URL")));
        }
        // As in grep, with --quiet a match outweighs errors.
        let failed = self.failed.into_inner() && !(found && self.form == OutputForm::Quiet);
        // As in `check`, finding no broken link is success.
        let is_good = found != self.args.links.broken;
        if failed { Err(CliError::Reported) } else { Ok(Status::of(is_good)) }
    }
}

/// Returns why no link was found in what was searched: it is empty.
fn no_input(is_stdin: bool, files: u64) -> String {
    match files {
        _ if is_stdin => "no input: standard input is empty".to_owned(),
        1 => "no input: the file is empty".to_owned(),
        _ => format!("no input: all {} are empty", plural(files, "file")),
    }
}

/// Whether templates that are not printed and defanged URLs are mentioned.
const fn says_templates(args: &FindArgs, form: OutputForm) -> bool {
    let (links, output) = (&args.links, &args.output);
    !(links.patterns
        || links.anchors
        || links.iocs
        || output.no_messages
        || matches!(form, OutputForm::Quiet))
}

/// Returns the note on templates that are not printed: no URL of a document is left out in silence.
fn templates_said(templates: u64, found: bool) -> String {
    match (templates, found) {
        (1, true) => "1 URL template is not printed; --patterns prints it".to_owned(),
        (1, false) => "no URLs, but 1 URL template; --patterns prints it".to_owned(),
        (_, true) => format!("{templates} URL templates are not printed; --patterns prints them"),
        (_, false) => format!("no URLs, but {templates} URL templates; --patterns prints them"),
    }
}

/// Returns the total number of bytes, if all paths are files.
fn octets(paths: &[PathBuf]) -> Option<u64> {
    let length_of =
        |path: &PathBuf| path.metadata().ok().filter(fs::Metadata::is_file).map(|file| file.len());
    paths.iter().map(length_of).sum()
}

/// What is between the lines of two files.
fn separator(args: &FindArgs) -> &'static str {
    let output = &args.output;
    match (output.form(), output.lines.has_heading(), output.lines.around()) {
        (OutputForm::Each, true, _) => "\n",
        (OutputForm::Each, false, Some(_)) => "--\n",
        _ => "",
    }
}

/// How lines are written.
fn lines(args: &FindArgs, paths: &[PathBuf], several: bool, out: &Output) -> LineFormat {
    let output = &args.output;
    let only_stdin = paths.iter().all(|path| path == Path::new("-"));
    // What is not a terminal gets URLs that other programs can read, but what is for people or is
    // of no use without its location has that.
    let around = output.lines.has_heading() || output.lines.around().is_some();
    let is_report = args.links.broken || args.links.anchors || output.bases || around;
    let (line, column) = output.line_and_column(out.is_terminal || is_report && !only_stdin);
    let has_name = out.is_terminal || is_report || output.has_location() || output.form() != OutputForm::Each;
    let has_links = match output.hyperlink {
        WhenWord::Auto => out.is_terminal && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout),
        when => when == WhenWord::Always,
    };
    LineFormat {
        paint: out.paint,
        is_terminal: out.is_terminal,
        columns: out.columns,
        has_links,
        name: output.name(several && has_name),
        line,
        column,
        offset: output.lines.byte_offset,
        heading: output.lines.has_heading(),
        null: output.null,
    }
}

fn finder(args: &FindArgs) -> Result<Finder, CliError> {
    let links = &args.links;
    let domains = if links.iocs { is_host_name } else { is_domain };
    let mut text = text::Finder::new().preset(links.preset()).edition(links.by.edition).domains(domains);
    // Templates that are not printed are counted.
    text = text.patterns(true).refang(links.refang || links.iocs).addresses(links.iocs);
    for name in &links.scheme {
        text = text.scheme(name).map_err(|error| {
            say_error(&format!("--scheme {}: {error}", visible(name)));
            CliError::Reported
        })?;
    }
    // Bases are read only if links are resolved.
    let bases = args.output.is_absolute() || args.output.bases;
    let finder = Finder::new().text(text).json_ld(links.json_ld).all(links.all || links.iocs).bases(bases);
    // Only objects have the texts of links.
    Ok(finder.link_texts(args.output.json))
}

/// Returns the URLs that documents were retrieved from, if links are resolved.
fn retrieval<'o>(args: &'o FindArgs, out: &Output) -> Result<Option<Retrieval<'o>>, CliError> {
    let (output, edition) = (&args.output, args.links.by.edition);
    if let Some(given) = &output.base {
        return Ok(Some(Retrieval::Given(run::read_base(
            given.as_encoded_bytes(),
            edition,
            &mut out.errors(),
        )?)));
    }
    if !output.is_absolute() && !output.bases {
        return Ok(None);
    }
    if let Err(error) = BaseStack::new_with(edition) {
        say_error(&error.to_string());
        return Err(CliError::Reported);
    }
    Ok(Some(Retrieval::Files))
}

/// The names of a document.
pub(super) struct DocumentName<'n> {
    pub(super) path: Cow<'n, Path>,
    /// Standard input has no name in JSON.
    pub(super) is_stdin: bool,
    /// The URL of the file, for links in a terminal.
    pub(super) link: Option<String>,
}

impl<'n> DocumentName<'n> {
    /// Returns the names of a file found in the walk.
    pub(super) fn new(search: &Search<'_>, entry: &'n DirEntry) -> Self {
        let link = search.lines.has_links.then(|| file_url(entry.path())).flatten();
        Self { path: Cow::Borrowed(search.name(entry)), is_stdin: entry.is_stdin(), link }
    }

    /// Adds the name of a file in this archive.
    pub(super) fn enter(&mut self, member: &str) {
        let mut path = self.path.as_os_str().to_owned();
        path.push("!/");
        path.push(member);
        self.path = Cow::Owned(path.into());
    }
}
