//! The flags of `find`: where it looks ([`places`]), what it looks for and what it prints, with the names that
//! ripgrep's users know. Words of the command line in, the verb's values out.

mod places;

use std::ffi::OsString;

use clap::{ArgAction, ArgGroup, Args, ValueEnum};
use locator::text::Preset;
use regex::Regex;

pub(super) use self::places::{Order, Places, SortWord};
use crate::arguments::{By, long_help};

/// Print every URL in files, directories or standard input, with its place
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
pub(crate) struct FindArgs {
    #[command(flatten)]
    pub(super) places: Places,
    #[command(flatten)]
    pub(super) links: Links,
    #[command(flatten)]
    pub(super) answer: AnswerAsked,
}

/// After the options: what people do with it, and its exit status.
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

Exit status: 0 something was found, 1 nothing was; with --broken 0 nothing
was, 1 something is broken; 2 wrong use, a file that cannot be read, or a
link that cannot be resolved (but with -q, once something is found: as
without that), 130 interrupted.

Flags are ripgrep's where it has them, but -u: \"each URL once\" here.";

/// Before the examples with `--help`: what can be relied on.
const DETAILS: &str = "\
Input:
  Each file is read as what it is: HTML, CSS, Markdown, TeX, a mail, an mbox,
  XML (sitemaps, Atom, RSS, SVG), roff (manual pages), CSV, TSV, JSON,
  iCalendar, vCard, LDIF or running text; what that is its name says, or its
  first octets. In a directory everything is looked into but what
  .gitignore, .ignore and .git/info/exclude name, what is hidden, and what is
  binary; what is named on the command line is looked into in any case.

  With -z compressed files (gzip, bzip2, xz, zstd) and zip archives, which
  .docx, .odt and .epub are, too, are unpacked; ls.1.gz is read as ls.1 would
  be, and places are those in what is unpacked. A file in an archive has its
  name after \"!/\": book.epub!/text/1.xhtml. No more than 4 GiB of each is
  read, and no more than 1000 times its length if that is above 64 MiB.

  Not read: PDF, the older .doc, .xls and .ppt, other archives (tar, 7z, rar)
  and archives in archives; encrypted files; in HTML, XML and CSS what is no
  link (comments, scripts, text of HTML), unless --all is given. Names that
  GitHub makes links (www.example.com, joe@example.com) are links in Markdown;
  in HTML mail text is read, but that of a link.

  What is too long to be held (16 MiB of a URL, a tag or a decoded text, 48
  MiB of a mail, 8 KiB of a base) is passed over: standard error says where,
  and the exit status is 2.

Output:
  file:line:column:url, a line for each, all of a file's together. Lines and
  columns count from 1, columns octets. Without the file's name if there is
  only one file; the URL alone where standard input alone is read and the
  output is no terminal. The URL is the one that is meant: white space taken
  out, entities and transfer encodings undone; --as-written prints the octets
  as they stand. A line end in a name or in the octets is shown by its code,
  unless NUL ends them; to a terminal goes nothing but what shows itself.

  With -A, -B or -C the line that a URL begins in is printed after it, and the
  lines around it: file-line-text, as the file has them, at most 1024 octets
  of each; \"--\" where lines are left out. With --heading the file's name is
  above its lines, and an empty line between two files. With -b the offset is
  before the URL: file:line:column:offset:url.

  With --broken only links that are not valid are printed, with what is wrong:
  file:line:column: url: what is wrong. Not valid is what the edition or its
  rule for the scheme refuses, and what the scheme's form does not allow
  (http:/one.slash, https:///nohost, http://h:99999/), though RFC 3986 alone
  does. In JSON \"broken\" says it. Templates are passed over. That a scheme is
  unknown is not an error; \"locator check --lint\" warns of names that are near
  to known ones.

  With --stats the numbers of links, of files and of octets and the time follow
  after an empty line; in JSON one more object has them: {\"stats\":{…}}.

  With --absolute each is resolved: the base is what the document says
  (<base href>, xml:base, Content-Base, Content-Location), else the URL that
  it was retrieved by, which is a file's own if --base does not say another
  (RFC 3986, 5.1). For a directory that --base should end with \"/\": each file
  in it is at its own path there. A link that is not valid only for want of
  escapes, as \"x y\" or \"é\" in HTML, is resolved as browsers do. What has no
  absolute form has no line: standard error tells which it is and why, and
  the exit status is 2. A template (--patterns) is printed as it stands.

  With -u what is kept of a URL is 16 octets, however long it is.

  With --json every URL has its line:
    {\"file\":…,\"line\":…,\"column\":…,\"offset\":…,\"length\":…,\"url\":…,\"context\":…,
     \"edition\":…,\"valid\":…}
  \"offset\" and \"length\" count octets from 0; \"written\" has the octets where
  they are not the URL, \"other\" the other reading where a hyphen ends a line.
  \"context\" is text, attribute (with \"element\" and \"attribute\"), element,
  style, json, markdown, field or macro; of text \"how\" tells how it was found:
  url, angle, quoted, bare, escaped, or www, domain, email, which are guesses
  (\"guess\":true), or template, with --patterns: \"pattern\":true, and \"prefix\"
  has what stands before the first of its expressions.
  What is not valid has an \"error\". With --absolute there is \"absolute\", or
  \"unresolved\" with the reason, \"escaped\" if that was resolved and not the
  URL as it stands, and \"base\":
    {\"source\":\"embedded\",\"uri\":…,\"why\":…}
  with --bases all that may be the base, the innermost first: \"bases\":
    [{\"source\":…,\"given\":…,\"uri\":…,\"chosen\":true,\"why\":…},…]";

/// What it looks for.
#[derive(Args, Debug)]
#[command(next_help_heading = "What to find")]
pub(super) struct Links {
    #[command(flatten)]
    pub(super) by: By,
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
    pub(super) scheme: Vec<String>,
    /// Only URLs of that scheme
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = read_scheme)]
    pub(super) only_scheme: Vec<String>,
    /// Only URLs that REGEX matches somewhere, as they are printed; may be given
    /// several times, and one is enough then
    #[arg(long, value_name = "REGEX")]
    pub(super) include: Vec<Regex>,
    /// No URLs that REGEX matches somewhere; may be given several times
    #[arg(long, value_name = "REGEX")]
    pub(super) exclude: Vec<Regex>,
    /// Only URLs that are not valid by the edition or by the rule of their
    /// scheme, as http:/one.slash and https:///nohost are, each with what is
    /// wrong; the exit status is 1 if there is one
    #[arg(long, conflicts_with_all = ["resolving", "anchors", "patterns", "as_written"])]
    pub(super) broken: bool,
    /// Templates of URLs in running text, too, as http://h/{id} and http://h/%s
    /// are; in JSON they have "pattern" and the "prefix" that is sure
    #[arg(long)]
    pub(super) patterns: bool,
    /// In HTML, XML and CSS text, comments, scripts and all attributes, too, not
    /// only links
    #[arg(long)]
    pub(super) all: bool,
    /// The URLs of JSON-LD in HTML, too
    #[arg(long)]
    pub(super) json_ld: bool,
    /// The names that a fragment may point to, in place of the links
    #[arg(long)]
    pub(super) anchors: bool,
    /// Each URL only once, however many files have it; ripgrep's -u is
    /// --no-ignore, its -uu --no-ignore --hidden
    #[arg(short, long, action = ArgAction::Count)]
    unique: u8,
    /// No more than so many of each file
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
pub(super) struct AnswerAsked {
    /// Each URL in its absolute form, resolved by the base that its document has;
    /// what may not stand in a URL is escaped, as browsers do
    #[arg(long)]
    pub(super) absolute: bool,
    /// The URL that what is named was retrieved by: of a file the base, unless
    /// it says another; of a directory what its files' paths are relative to.
    /// If not given, a file's own URL
    #[arg(long, value_name = "URL", requires = "resolving")]
    pub(super) base: Option<OsString>,
    /// Below it all that may be its base: which one is, and why the others are
    /// not
    #[arg(long)]
    pub(super) bases: bool,
    /// The octets as they stand in the document, in place of the URL they mean
    #[arg(long, conflicts_with_all = ["absolute", "json"])]
    pub(super) as_written: bool,
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
    pub(super) lines: LinesAsked,
    /// The file's name, where there is only one, too
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    with_filename: bool,
    /// No file's name
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    no_filename: bool,
    /// NUL behind each file's name, and behind each URL that has none before it
    #[arg(short = '0', long)]
    pub(super) null: bool,
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
    pub(super) json: bool,
    /// Say nothing; the exit status tells, and the first that is found ends
    /// the run
    #[arg(short, long)]
    quiet: bool,
    /// Do not tell what cannot be read or resolved; the exit status still does
    #[arg(short = 's', long)]
    pub(super) no_messages: bool,
    /// Do not tell how far the search is; it is told where standard error is a
    /// terminal and the answers go elsewhere, when it lasts
    #[arg(long)]
    pub(super) no_progress: bool,
    /// When file names and URLs are links that a terminal can follow; auto is
    /// on a terminal that is known to
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
    /// Where it is of use
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
        return Err("a scheme is a letter, then letters, digits, \"+\", \"-\", \".\" (RFC 3986, 3.1)".into());
    }
    Ok(name.to_ascii_lowercase())
}

/// What is around the lines of `find`.
#[derive(Args, Debug)]
pub(super) struct LinesAsked {
    /// The offset of the URL's first octet in the file, from 0, before it
    #[arg(short = 'b', long)]
    pub(super) byte_offset: bool,
    /// The file's name once, above its lines
    #[arg(long, overrides_with = "no_heading", conflicts_with = "json")]
    heading: bool,
    /// The file's name before each line: what is done anyway
    #[arg(long, overrides_with = "heading")]
    no_heading: bool,
    /// The line that a URL is in, and NUM lines after it
    #[arg(short = 'A', long, value_name = "NUM", conflicts_with = "json")]
    after_context: Option<u64>,
    /// The line that a URL is in, and NUM lines before it
    #[arg(short = 'B', long, value_name = "NUM", conflicts_with = "json")]
    before_context: Option<u64>,
    /// The same before and after it; 0 is the line alone
    #[arg(short = 'C', long, value_name = "NUM", conflicts_with = "json")]
    context: Option<u64>,
    /// How many URLs and files there were, and how long it took, at the end
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
