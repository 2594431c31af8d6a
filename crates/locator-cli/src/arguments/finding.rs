//! What `find` is asked: where it looks, what it looks for and what it prints, with the names that ripgrep's
//! users know. Words of the command line in, the verb's values out.

mod lines;
mod rules;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, ArgGroup, Args, ValueEnum};
use locator::text::Preset;
use locator_find::Format;
use regex::Regex;

use super::By;
pub(crate) use lines::{Around, LinesAsked};
pub(crate) use rules::{Order, Rules, SortWord};

/// What `find` is asked.
#[derive(Args, Debug)]
pub(crate) struct Sought {
    #[command(flatten)]
    pub(crate) places: Places,
    #[command(flatten)]
    pub(crate) links: Links,
    #[command(flatten)]
    pub(crate) answer: AnswerAsked,
}

/// Where it looks.
#[derive(Args, Debug)]
#[command(next_help_heading = "Where to look")]
pub(crate) struct Places {
    /// Files and directories; "-" is standard input. Without any it is standard
    /// input that is read, or, at a terminal, the working directory
    #[arg(value_name = "PATH", help_heading = None)]
    pub(crate) paths: Vec<PathBuf>,
    /// Only files of that type: a format (see --type-list), or one of ripgrep's
    /// types, such as rust; standard input is read as that format
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// No files of that type
    #[arg(short = 'T', long, value_name = "TYPE")]
    pub(crate) type_not: Vec<String>,
    /// List the types, and look for nothing
    #[arg(long, conflicts_with = "paths")]
    pub(crate) type_list: bool,
    /// Read everything as that format, whatever its name and its content say
    #[arg(long = "as", value_name = "FORMAT", value_parser = read_format)]
    pub(crate) format: Option<Format>,
    /// What separates the cells of CSV and TSV: a character, or "tab"; without
    /// it a tab in TSV, in CSV what the first line shows: "," ";" "|" or a tab
    #[arg(long, value_name = "CHAR", value_parser = read_separator)]
    pub(crate) separator: Option<u8>,
    /// Only files that the glob matches, or, with "!" before it, does not; as
    /// in .gitignore
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,
    /// Hidden files and directories, too
    #[arg(short = '.', long)]
    pub(crate) hidden: bool,
    /// Files that .gitignore, .ignore and the like name, too
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// Binary files, too, as if they were text
    #[arg(short = 'a', long)]
    pub(crate) text: bool,
    /// What is in compressed files (gzip, bzip2, xz, zstd) and in zip archives,
    /// which .docx, .odt and .epub are, too; each is known by its first octets,
    /// a name ends in "!/" and the name in the archive
    #[arg(short = 'z', long)]
    pub(crate) search_zip: bool,
    /// Follow symbolic links
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,
    /// How far to go down into directories
    #[arg(short = 'd', long, value_name = "NUM")]
    pub(crate) max_depth: Option<usize>,
    /// How many threads look; 0 is as many as there are processors
    #[arg(short = 'j', long, value_name = "NUM", default_value_t = 0, hide_default_value = true)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) rules: Rules,
}

/// What it looks for.
#[derive(Args, Debug)]
#[command(next_help_heading = "What to find")]
pub(crate) struct Links {
    #[command(flatten)]
    pub(crate) by: By,
    /// How much is taken for a URL where there is running text
    #[arg(long, value_name = "NAME", value_enum, default_value = "default")]
    preset: PresetWord,
    /// --preset strict
    #[arg(long, conflicts_with_all = ["relaxed", "preset"])]
    strict: bool,
    /// --preset relaxed
    #[arg(long, conflicts_with = "preset")]
    relaxed: bool,
    /// A scheme to look for besides those that are known; may be given several
    /// times, and several with "," between them
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = read_scheme)]
    pub(crate) scheme: Vec<String>,
    /// Only URLs of that scheme
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = read_scheme)]
    pub(crate) only_scheme: Vec<String>,
    /// Only URLs that REGEX matches somewhere, as they are printed; may be given
    /// several times, and one is enough then
    #[arg(long, value_name = "REGEX")]
    pub(crate) include: Vec<Regex>,
    /// No URLs that REGEX matches somewhere; may be given several times
    #[arg(long, value_name = "REGEX")]
    pub(crate) exclude: Vec<Regex>,
    /// Only URLs that are not valid by the edition or by the rule of their
    /// scheme, as http:/one.slash and https:///nohost are, each with what is
    /// wrong; the exit status is 1 if there is one
    #[arg(long, conflicts_with_all = ["resolving", "anchors", "patterns", "as_written"])]
    pub(crate) broken: bool,
    /// Templates of URLs in running text, too, as http://h/{id} and http://h/%s
    /// are; in JSON they have "pattern" and the "prefix" that is sure
    #[arg(long)]
    pub(crate) patterns: bool,
    /// In HTML, XML and CSS text, comments, scripts and all attributes, too, not
    /// only links
    #[arg(long)]
    pub(crate) all: bool,
    /// The URLs of JSON-LD in HTML, too
    #[arg(long)]
    pub(crate) json_ld: bool,
    /// The names that a fragment may point to, in place of the links
    #[arg(long)]
    pub(crate) anchors: bool,
    /// Each URL only once, however many files have it; ripgrep's -u is
    /// --no-ignore, its -uu --no-ignore --hidden
    #[arg(short, long, action = ArgAction::Count)]
    unique: u8,
    /// No more than so many of each file
    #[arg(short, long, value_name = "NUM")]
    pub(crate) max_count: Option<u64>,
}

impl Links {
    /// Whether each URL is given once.
    pub(crate) const fn are_unique(&self) -> bool {
        self.unique > 0
    }

    /// Whether somebody means what ripgrep's `-uu` does.
    pub(crate) const fn are_unrestricted(&self) -> bool {
        self.unique > 1
    }

    /// The choice as the library has it.
    pub(crate) const fn preset(&self) -> Preset {
        match (self.strict, self.relaxed, self.preset) {
            (true, ..) | (_, _, PresetWord::Strict) => Preset::Strict,
            (_, true, _) | (_, _, PresetWord::Relaxed) => Preset::Relaxed,
            (_, _, PresetWord::Default) => Preset::Default,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PresetWord {
    /// What is wrapped, scheme://, and the opaque schemes that are known
    Strict,
    /// What a person would take for a URL
    Default,
    /// Guesses, too: www.example.com, example.com, joe@example.com; a name that
    /// may be a file's, such as main.rs, only with a path behind it
    Relaxed,
}

/// What it prints.
#[derive(Args, Debug)]
#[command(next_help_heading = "What to print")]
#[command(group = ArgGroup::new("resolving").args(["absolute", "bases"]).multiple(true))]
pub(crate) struct AnswerAsked {
    /// Each URL in its absolute form, resolved by the base that its document has;
    /// what may not stand in a URL is escaped, as browsers do
    #[arg(long)]
    pub(crate) absolute: bool,
    /// The URL that what is named was retrieved by: of a file the base, unless
    /// it says another; of a directory what its files' paths are relative to.
    /// If not given, a file's own URL
    #[arg(long, value_name = "URL", requires = "resolving")]
    pub(crate) base: Option<OsString>,
    /// Below it all that may be its base: which one is, and why the others are
    /// not
    #[arg(long)]
    pub(crate) bases: bool,
    /// The octets as they stand in the document, in place of the URL they mean
    #[arg(long, conflicts_with_all = ["absolute", "json"])]
    pub(crate) as_written: bool,
    /// Only the URLs and not the lines they stand in: what is always done
    #[arg(short = 'o', long)]
    only_matching: bool,
    /// Line and column, where standard input alone is read, too
    #[arg(short = 'n', long, overrides_with = "no_line_number")]
    line_number: bool,
    /// Neither line nor column
    #[arg(short = 'N', long, overrides_with = "line_number")]
    no_line_number: bool,
    /// The column, and so the line
    #[arg(long, overrides_with = "no_column")]
    column: bool,
    /// No column
    #[arg(long, overrides_with = "column")]
    no_column: bool,
    #[command(flatten)]
    pub(crate) lines: LinesAsked,
    /// The file's name, where there is only one, too
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    with_filename: bool,
    /// No file's name
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    no_filename: bool,
    /// NUL behind each file's name, and behind each URL that has none before it
    #[arg(short = '0', long)]
    pub(crate) null: bool,
    /// How many there are in each file
    #[arg(short, long, visible_alias = "count-matches", group = "form")]
    count: bool,
    /// Only the names of the files that have any
    #[arg(short = 'l', long, group = "form")]
    files_with_matches: bool,
    /// Only the names of the files that have none
    #[arg(long, group = "form")]
    files_without_match: bool,
    /// Only the names of the files that would be looked into
    #[arg(long, group = "form")]
    files: bool,
    /// How many there are of each scheme or host, in all files together
    #[arg(long, value_name = "WHAT", value_enum, group = "form")]
    count_by: Option<CountByWord>,
    /// One JSON object a line, for programs
    #[arg(long, conflicts_with_all = ["count", "files_with_matches", "files_without_match", "files"])]
    pub(crate) json: bool,
    /// Say nothing; the exit status tells, and the first that is found ends
    /// the run
    #[arg(short, long)]
    quiet: bool,
    /// Do not tell what cannot be read or resolved; the exit status still does
    #[arg(short = 's', long)]
    pub(crate) no_messages: bool,
    /// Do not tell how far the search is; it is told where standard error is a
    /// terminal and the answers go elsewhere, when it lasts
    #[arg(long)]
    pub(crate) no_progress: bool,
    /// When file names and URLs are links that a terminal can follow; auto is
    /// on a terminal that is known to
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(crate) hyperlink: WhenWord,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CountByWord {
    /// By host
    Host,
    /// By scheme
    Scheme,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhenWord {
    /// Where it is of use
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What becomes of what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A line or an object each.
    Each,
    /// How many a file has.
    Count,
    /// The names of files that have any.
    FilesWith,
    /// The names of files that have none.
    FilesWithout,
    /// The names of the files that would be looked into.
    Files,
    /// How many there are of a kind.
    CountBy(CountByWord),
    /// Nothing but the exit status.
    Quiet,
}

impl AnswerAsked {
    /// What becomes of what is found.
    pub(crate) const fn form(&self) -> Form {
        match self {
            Self { quiet: true, .. } => Form::Quiet,
            Self { count: true, .. } => Form::Count,
            Self { files_with_matches: true, .. } => Form::FilesWith,
            Self { files_without_match: true, .. } => Form::FilesWithout,
            Self { files: true, .. } => Form::Files,
            Self { count_by: Some(what), .. } => Form::CountBy(*what),
            _ => Form::Each,
        }
    }

    /// Whether the file's name is printed; `several` where there may be more than one.
    pub(crate) const fn name(&self, several: bool) -> bool {
        self.with_filename || (several && !self.no_filename)
    }

    /// Whether line and column are printed; `usual` if nothing else is said.
    pub(crate) const fn line_and_column(&self, usual: bool) -> (bool, bool) {
        let line = self.line_number || (!self.no_line_number && (self.column || usual));
        (line, self.column || (line && !self.no_column))
    }
}

fn read_format(word: &str) -> Result<Format, String> {
    let names = || Format::ALL.map(Format::name).join(", ");
    Format::from_name(word).ok_or_else(|| format!("the formats are {}", names()))
}

fn read_separator(word: &str) -> Result<u8, String> {
    match word.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [octet] if octet.is_ascii() && !octet.is_ascii_alphanumeric() && !b"\"\r\n".contains(octet) => {
            Ok(*octet)
        }
        _ => Err("a separator is \"tab\" or one ASCII character that is no letter, digit, quote or line end"
            .into()),
    }
}

/// "scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )" (RFC 3986, 3.1)
fn read_scheme(word: &str) -> Result<String, String> {
    let name = word.strip_suffix(':').unwrap_or(word);
    let is_tail = |octet: u8| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet);
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || !name.bytes().all(is_tail) {
        return Err("a scheme is a letter, then letters, digits, \"+\", \"-\", \".\" (RFC 3986, 3.1)".into());
    }
    Ok(name.to_ascii_lowercase())
}
