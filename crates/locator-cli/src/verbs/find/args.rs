//! The options of `find`, named as in ripgrep: where to search ([`places`]), what to find and what
//! to print.

mod places;

use std::ffi::OsString;

use clap::{ArgAction, ArgGroup, Args, ValueEnum};
use locator::text::Preset;
use regex::Regex;

pub(super) use self::places::{Charset, Order, Places, SortWord};
use crate::arguments::{EditionArg, daily, long_help, short_help};

/// Print the URLs in files, directories or standard input
///
/// Reads each file by its format (HTML, Markdown, mail, JSON, …) and prints each URL after its
/// location. Common options: -t TYPE selects files, -u prints each URL once, --absolute resolves
/// links, --broken prints only invalid links.
#[derive(Args, Debug)]
#[command(after_help = short_help(EXAMPLES, 4), after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_args(|option| daily(option, DAILY)))]
pub(crate) struct FindArgs {
    #[command(flatten)]
    pub(super) places: Places,
    #[command(flatten)]
    pub(super) links: Links,
    #[command(flatten)]
    pub(super) answer: AnswerAsked,
}

/// The options that `-h` prints.
const DAILY: &str = "type glob exclude broken unique absolute count files-with-matches json quiet";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator find
  locator find -t html --absolute --base https://example.com/ public/
  locator find --bases --absolute page.html
  locator find --count-by host docs/ README.md
  locator find -u --only-scheme https,http < mail.eml | locator check
  locator find --broken docs/
  git ls-files | locator find --files-from - --exclude '^https://example[.]org'
  locator find -C 2 --heading --sort modified notes/
  locator find -l --relaxed -g '!*.min.js' src/
  locator find --separator '|' export.csv
  locator find -z /usr/share/man/man1/ls.1.gz book.epub
  locator find --all -u page.html
  locator find --json . | jq -r 'select(.valid|not)|.error.message'

Exit status:
  0    a URL is found (with --broken: no link is broken)
  1    no URL is found (with --broken: a link is broken)
  2    wrong usage, a file cannot be read, or a link cannot be resolved
       (with -q, once a URL is found: 0)
  130  interrupted

Options that ripgrep has, too, mean the same, except -u: each URL once.";

/// Before the examples in `--help`: input and output.
const DETAILS: &str = "\
Input:
  Each file is read by its format: HTML, CSS, Markdown, TeX, mail, mbox, XML
  (sitemaps, Atom, RSS, SVG), roff (manual pages), CSV, TSV, JSON, YAML, TOML,
  iCalendar, vCard, LDIF or plain text. The format is recognised by the file
  name or the first bytes. In a directory, all files are searched except hidden
  files, binary files and those ignored by .gitignore, .ignore and
  .git/info/exclude. Files named on the command line are always searched.

  In CSV, TSV, JSON, YAML and TOML, a cell or string that begins with a scheme
  and \"://\" is a URL to its end, valid or not, unless another line, another
  URL or a sentence follows.

  With -z, compressed files (gzip, bzip2, xz, zstd) and zip archives (also
  .docx, .odt and .epub) are unpacked. ls.1.gz is read as ls.1, and locations
  refer to the unpacked text. The name of a file in an archive follows \"!/\":
  book.epub!/text/1.xhtml. At most 4 GiB of each are read, and at most 1000
  times its size if that is above 64 MiB.

  Not read: PDF; the older .doc, .xls and .ppt; other archives (tar, 7z, rar)
  and archives in archives, which are reported; encrypted files. In HTML, XML
  and CSS only links are read, unless --all is given (comments, scripts and
  text as well). In Markdown, names that GitHub turns into links
  (www.example.com, joe@example.com) are links. In HTML mail, text outside of
  links is read too.

  An item that is too long (16 MiB for a URL, a tag or a decoded text, 48 MiB
  for a mail, 8 KiB for a base) is skipped; its location is printed on standard
  error, and the exit status is 2.

Output:
  file:line:column:url, one line for each URL, those of a file together. Lines
  and columns count from 1; columns count bytes. The file name is omitted if
  there is only one file. If only standard input is read and the output is not
  a terminal, only the URL is printed. The URL is printed decoded: without
  white space, entities and transfer encodings; --as-written prints the
  original bytes. A line end in a name or a URL is shown by code, unless names
  and URLs end with NUL. On a terminal, invisible characters are shown by code.

  With -A, -B or -C, the line in which a URL begins is printed after it, with
  the lines around it: file-line-text, at most 1024 bytes of each; \"--\" marks
  omitted lines. With --heading, the file name is above its lines, and an empty
  line separates files. With -b, the byte offset precedes the URL:
  file:line:column:offset:url.

  With --broken, only invalid links are printed, with the error:
  file:line:column: url: error. A link is broken if the edition or its rule for
  the scheme rejects it, or if it does not have the form of its scheme
  (http:/one.slash, https:///nohost, http://h:99999/), which RFC 3986 alone
  allows. In JSON the error is in \"broken\". Templates are skipped; --stats
  counts them. An unknown scheme is not an error; 'locator check --lint' warns
  of names similar to known ones.

  With --stats, the number of links, templates (printed or not), files and
  bytes and the elapsed time follow after an empty line; in JSON a last object
  has them: {\"stats\":{…}}.

  With --absolute, each link is resolved. The base is the one the document
  declares (<base href>, xml:base, Content-Base, Content-Location), else the
  URL it was retrieved from: the file's own URL, or the one given with --base
  (RFC 3986, 5.1). For a directory, that URL should end with \"/\"; each file is
  at its relative path there. A link that is invalid only because a character
  is not encoded, as \"x y\" or \"é\" in HTML, is resolved as browsers do. A link
  that cannot be resolved has no line; the reason is printed on standard error,
  and the exit status is 2. A template (--patterns) is printed unchanged.

  -u needs 16 bytes of memory for each different URL, however long it is.

  With --json one object for each URL:
    {\"file\":…,\"line\":…,\"column\":…,\"offset\":…,\"length\":…,\"url\":…,\"context\":…,
     \"edition\":…,\"valid\":…}
  \"offset\" and \"length\" count bytes from 0. \"written\" has the original bytes
  if they differ from the URL. If a hyphen ends a line in the URL, \"other\" is
  the URL without it, or with it. An invalid URL has \"error\". \"findings\" has
  what is dangerous in the URL, as 'locator audit --json' reports it; on a
  terminal a note below the URL says it.

  \"context\" is text, attribute (with \"element\" and \"attribute\"), element,
  style, json, markdown, field or macro. For text, \"how\" says how the URL is
  recognised:
    url       between <URL: and >
    angle     between < and >
    quoted    between double quotes
    bare      by its scheme alone
    escaped   by its scheme, in a string with escapes (http:\\/\\/h)
    template  a URL template (--patterns)
    www       a guess: www.example.com
    domain    a guess: example.com
    email     a guess: joe@example.com
  A guess has \"guess\":true. A template has \"pattern\":true, and \"prefix\" is the
  text before its first expression.

  With --absolute there is \"absolute\", or \"unresolved\" with the reason (both
  for a result that the edition rejects, with \"kind\":\"result-not-valid\");
  \"escaped\", if the link was percent-encoded first; and \"base\":
    {\"source\":\"embedded\",\"uri\":…,\"why\":…}
  With --bases, \"bases\" has all possible bases, the innermost first:
    [{\"source\":…,\"given\":…,\"uri\":…,\"chosen\":true,\"why\":…},…]";

/// What it looks for.
#[derive(Args, Debug)]
#[command(next_help_heading = "What to find")]
pub(super) struct Links {
    #[command(flatten)]
    pub(super) by: EditionArg,
    /// Choose how URLs are recognised in plain text
    #[arg(long, value_name = "NAME", value_enum, default_value = "default")]
    preset: PresetWord,
    /// Same as --preset strict
    #[arg(long, conflicts_with_all = ["relaxed", "preset"])]
    strict: bool,
    /// Same as --preset relaxed
    #[arg(long, conflicts_with = "preset")]
    relaxed: bool,
    /// Also find URLs of the scheme NAME; can be repeated, or list several names
    /// separated by ","
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = read_scheme)]
    pub(super) scheme: Vec<String>,
    /// Print only URLs of the scheme NAME; can be repeated, or list several names
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = read_scheme)]
    pub(super) only_scheme: Vec<String>,
    /// Print only URLs that match REGEX, as printed; can be repeated, and one
    /// match is enough
    #[arg(long, value_name = "REGEX")]
    pub(super) include: Vec<Regex>,
    /// Omit URLs that match REGEX; can be repeated
    #[arg(long, value_name = "REGEX")]
    pub(super) exclude: Vec<Regex>,
    /// Print only links that are not valid in the edition or for their scheme,
    /// such as http:/one.slash and https:///nohost, each with its error; the exit
    /// status is 1 if there is one
    #[arg(long, conflicts_with_all = ["resolving", "anchors", "patterns", "as_written"])]
    pub(super) broken: bool,
    /// Also find URL templates, such as http://h/{id}, http://h/<id> and
    /// http://h/%s; in JSON they have "pattern" and the constant "prefix"
    #[arg(long)]
    pub(super) patterns: bool,
    /// In HTML, XML and CSS, also search text, comments, scripts and all attributes,
    /// not only links
    #[arg(long)]
    pub(super) all: bool,
    /// Also find the URLs of JSON-LD in HTML
    #[arg(long)]
    pub(super) json_ld: bool,
    /// Print the anchors, the names a fragment can refer to, instead of links
    #[arg(long)]
    pub(super) anchors: bool,
    /// Print each URL only once, even if several files contain it (ripgrep's -u is
    /// --no-ignore, its -uu is --no-ignore --hidden)
    #[arg(short, long, action = ArgAction::Count)]
    unique: u8,
    /// Print at most NUM URLs of each file
    #[arg(short, long, value_name = "NUM")]
    pub(super) max_count: Option<u64>,
}

impl Links {
    /// Whether each URL is given once.
    pub(super) const fn are_unique(&self) -> bool {
        self.unique > 0
    }

    /// Whether somebody means what ripgrep's `-uu` does.
    pub(super) const fn are_unrestricted(&self) -> bool {
        self.unique > 1
    }

    /// The choice as the library has it.
    pub(super) const fn preset(&self) -> Preset {
        match (self.strict, self.relaxed, self.preset) {
            (true, ..) | (_, _, PresetWord::Strict) => Preset::Strict,
            (_, true, _) | (_, _, PresetWord::Relaxed) => Preset::Relaxed,
            (_, _, PresetWord::Default) => Preset::Default,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PresetWord {
    /// Delimited URLs, scheme://, and known opaque schemes
    Strict,
    /// What a person would recognise as a URL
    Default,
    /// Also guesses: www.example.com, example.com, joe@example.com; a name that
    /// could be a file, such as main.rs, only if a path follows it
    Relaxed,
}

/// What it prints.
#[derive(Args, Debug)]
#[command(next_help_heading = "What to print")]
#[command(group = ArgGroup::new("resolving").args(["absolute", "bases"]).multiple(true))]
pub(super) struct AnswerAsked {
    /// Print each URL in absolute form, resolved against the base of its document;
    /// characters not allowed in a URL are percent-encoded, as browsers do
    #[arg(long)]
    pub(super) absolute: bool,
    /// Use URL as the one the input was retrieved from: the base of a file unless
    /// the document declares one; for a directory, file paths are relative to it.
    /// The default is the file's own URL
    #[arg(long, value_name = "URL", requires = "resolving")]
    pub(super) base: Option<OsString>,
    /// Print the possible bases below each URL: which one is used, and why the
    /// others are not
    #[arg(long)]
    pub(super) bases: bool,
    /// Print the original bytes of the document instead of the decoded URL
    #[arg(long, conflicts_with_all = ["absolute", "json"])]
    pub(super) as_written: bool,
    /// Accepted for compatibility with ripgrep: only URLs are printed, not lines
    #[arg(short = 'o', long)]
    only_matching: bool,
    /// Print line and column, also if only standard input is read
    #[arg(short = 'n', long, overrides_with = "no_line_number")]
    line_number: bool,
    /// Omit line and column
    #[arg(short = 'N', long, overrides_with = "line_number")]
    no_line_number: bool,
    /// Print line and column, as -n does
    #[arg(long, overrides_with = "no_column")]
    column: bool,
    /// Omit the column
    #[arg(long, overrides_with = "column")]
    no_column: bool,
    #[command(flatten)]
    pub(super) lines: LinesAsked,
    /// Print the file name, also if there is only one file
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    with_filename: bool,
    /// Omit the file name
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    no_filename: bool,
    /// Print NUL after each file name; after each URL if it has no file name
    #[arg(short = '0', long)]
    pub(super) null: bool,
    /// Print the number of URLs in each file
    #[arg(short, long, visible_alias = "count-matches", group = "form")]
    count: bool,
    /// Print only the names of files that contain a URL
    #[arg(short = 'l', long, group = "form")]
    files_with_matches: bool,
    /// Print only the names of files that contain no URL
    #[arg(long, group = "form")]
    files_without_match: bool,
    /// Print only the names of files that would be searched
    #[arg(long, group = "form")]
    files: bool,
    /// Print the number of URLs of each scheme or host, in all files together
    #[arg(long, value_name = "WHAT", value_enum, group = "form")]
    count_by: Option<CountByWord>,
    /// Print one JSON object per line
    #[arg(long, conflicts_with_all = ["count", "files_with_matches", "files_without_match", "files"])]
    pub(super) json: bool,
    /// Print nothing; only set the exit status, and stop at the first URL found
    #[arg(short, long)]
    quiet: bool,
    /// Print no message about files that cannot be read and links that cannot be
    /// resolved; the exit status still reports them
    #[arg(short = 's', long)]
    pub(super) no_messages: bool,
    /// Show no progress; by default, progress of a long search is shown if
    /// standard error is a terminal and standard output is not
    #[arg(long)]
    pub(super) no_progress: bool,
    /// Make file names and URLs links that the terminal can open; auto is on
    /// terminals known to support it
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(super) hyperlink: WhenWord,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CountByWord {
    /// By host
    Host,
    /// By scheme
    Scheme,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum WhenWord {
    /// If the terminal supports it
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What becomes of what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
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
    pub(super) const fn form(&self) -> Form {
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
    pub(super) const fn name(&self, several: bool) -> bool {
        self.with_filename || (several && !self.no_filename)
    }

    /// Whether line and column are printed; `usual` if nothing else is said.
    pub(super) const fn line_and_column(&self, usual: bool) -> (bool, bool) {
        let line = self.line_number || (!self.no_line_number && (self.column || usual));
        (line, self.column || (line && !self.no_column))
    }
}

/// "scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )" (RFC 3986, 3.1)
fn read_scheme(word: &str) -> Result<String, String> {
    let name = word.strip_suffix(':').unwrap_or(word);
    let is_tail = |octet: u8| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet);
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || !name.bytes().all(is_tail) {
        return Err(
            "a scheme is a letter followed by letters, digits, \"+\", \"-\" or \".\" (RFC 3986, 3.1)".into(),
        );
    }
    Ok(name.to_ascii_lowercase())
}

/// What is around the lines of `find`.
#[derive(Args, Debug)]
pub(super) struct LinesAsked {
    /// Print the byte offset of each URL in the file, from 0, before it
    #[arg(short = 'b', long)]
    pub(super) byte_offset: bool,
    /// Print the file name once, above its lines
    #[arg(long, overrides_with = "no_heading", conflicts_with = "json")]
    heading: bool,
    /// Print the file name before each line (the default)
    #[arg(long, overrides_with = "heading")]
    no_heading: bool,
    /// Print the line that contains the URL and NUM lines after it
    #[arg(short = 'A', long, value_name = "NUM", conflicts_with = "json")]
    after_context: Option<u64>,
    /// Print the line that contains the URL and NUM lines before it
    #[arg(short = 'B', long, value_name = "NUM", conflicts_with = "json")]
    before_context: Option<u64>,
    /// Print the line that contains the URL and NUM lines before and after it
    #[arg(short = 'C', long, value_name = "NUM", conflicts_with = "json")]
    context: Option<u64>,
    /// Print the number of URLs and files and the elapsed time at the end
    #[arg(long)]
    pub(super) stats: bool,
}

/// How many lines around a link are shown, its own besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Around {
    /// Before it.
    pub(super) before: u64,
    /// After it.
    pub(super) after: u64,
}

impl LinesAsked {
    /// Whether a file's name is above its lines and not in them.
    pub(super) const fn has_heading(&self) -> bool {
        self.heading
    }

    /// How many lines around a link are shown; none if none is, its own neither.
    pub(super) fn around(&self) -> Option<Around> {
        let (before, after) = (self.before_context.or(self.context), self.after_context.or(self.context));
        (before.is_some() || after.is_some())
            .then(|| Around { before: before.unwrap_or(0), after: after.unwrap_or(0) })
    }
}
