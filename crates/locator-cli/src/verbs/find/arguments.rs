//! The options of `find`, named as in ripgrep: which files to search ([`FileArgs`]), what to find
//! ([`LinkArgs`]) and what to print ([`OutputArgs`]).

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{StringValueParser, TypedValueParser};
use clap::{ArgAction, ArgGroup, Args, ValueEnum};
use encoding_rs::Encoding;
use ignore::types::TypesBuilder;
use locator::text::Preset;
use locator_find::Format;
use regex::Regex;

use crate::arguments::{EditionArg, Suggested, daily, long_help, short_help};
use crate::field::Field;
use crate::verbs::find::ebcdic::CodePage;

/// Print the URLs in files, directories or standard input
///
/// Searches directories as ripgrep does and reads each file by its format (HTML, Markdown, mail,
/// JSON, …). On a terminal it prints FILE:LINE:COLUMN:URL, in a pipe only the URLs. Common options:
/// -t TYPE selects files, -u prints each URL once, --absolute resolves links, --broken prints only
/// invalid links.
#[derive(Args, Debug)]
#[command(after_help = short_help(EXAMPLES, 4), after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_args(|option| daily(option, DAILY)))]
pub(crate) struct FindArgs {
    #[command(flatten)]
    pub(super) places: FileArgs,
    #[command(flatten)]
    pub(super) links: LinkArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// The options that `-h` prints.
const DAILY: &str = "type glob hidden search-zip only-scheme include exclude relaxed refang iocs broken unique \
    absolute base line-number with-filename count-by files-with-matches json quiet";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator find docs/
  locator find --broken docs/
  locator find -t html --absolute --base https://example.com/ public/
  locator find -u docs/ | locator get -Z -O
  locator find -n docs/ | locator check --places
  locator find --count-by host docs/ README.md
  locator find -u --only-scheme https,http < mail.eml | locator check
  locator find --bases --absolute page.html
  git ls-files | locator find --files-from - --exclude '^https://example'
  locator find -C 2 --heading --sort modified notes/
  locator find -l --relaxed -g '!*.min.js' src/
  locator find --separator '|' export.csv
  locator find -z /usr/share/man/man1/ls.1.gz book.epub
  locator find --all -u page.html
  locator find --refang report.txt | locator audit -
  locator find --iocs --csv -u report.txt > iocs.csv
  locator find --json . | jq -r 'select(.valid|not)|.error.message'

Exit status:
  0    a URL was found (with --broken: no link is broken)
  1    no URL was found (with --broken: a link is broken)
  2    wrong usage, a file not read, a link not resolved, or a URL cut
       (with -q: 0 as soon as a URL is found)
  130  interrupted

Options that ripgrep has mean the same, except -e, -s and -u.";

/// Before the examples in `--help`: input and output.
const DETAILS: &str = "\
Input:
  Each file is read by its format: HTML, CSS, Markdown, MDX, components of
  Vue, Svelte and Astro, TeX, mail, mbox, XML (sitemaps, Atom, RSS, SVG), roff
  (manual pages), CSV, TSV, JSON, YAML, TOML, notebooks of Jupyter, iCalendar,
  vCard, LDIF, reStructuredText, AsciiDoc, Org, Texinfo, PO, properties, shell
  scripts, RTF, strings of PDF, gemtext, HLS playlists, WARC, responses with
  their headers (get -i) or plain text.
  The format is recognised by the file name or the first bytes. In a directory,
  all files are searched except hidden files, binary files and those ignored by
  .gitignore, .ignore and .git/info/exclude. Files on the command line are
  always searched.

  Without PATH, standard input is searched if it is a file, a pipe or a socket,
  else the working directory, as in ripgrep.

  In CSV, TSV, JSON, YAML and TOML, a cell or string that begins with a scheme
  and \"://\" is a URL to its end, valid or not, unless another line, another
  URL or a sentence follows.

  With -z, compressed files (gzip, bzip2, xz, zstd) and zip archives (also
  .docx, .odt and .epub) are unpacked. ls.1.gz is read as ls.1, and locations
  refer to the unpacked text. The name of a file in an archive follows \"!/\":
  book.epub!/text/1.xhtml. At most 4 GiB of each are read, and at most 1000
  times its size if that is above 64 MiB.

  Not read: compressed streams of PDF; .doc, .xls and .ppt; other archives
  (tar, 7z, rar); archives in archives, which are reported; encrypted files. In
  HTML, XML and CSS only links are read, unless --all is given (comments,
  scripts and text as well). In Markdown, names that GitHub turns into links
  (www.example.com, joe@example.com) are links. In HTML mail, text outside of
  links is read too.

  An item that is too long (16 MiB for a URL, a tag or a decoded text, 48 MiB
  for a mail, 8 KiB for a base) is skipped; its location is printed on standard
  error, and the exit status is 2.

Output:
  On a terminal FILE:LINE:COLUMN:URL, without FILE if there is only one file.
  If the output is not a terminal, only the URL, so that it can be piped into
  other commands; -n adds line and column, and the file name if there are
  several files, as 'check --places' and 'audit --places' read them; -H always
  adds the file name. --broken, --anchors, --bases, --heading and -A, -B and -C
  print locations in a pipe, too. The lines of a file are printed together.
  Lines and columns count from 1; columns count bytes.

  The URL is printed decoded: without white space, entities and transfer
  encodings; --as-written prints the original bytes. A line end in a name or a
  URL is shown by its code, unless names and URLs end with NUL. On a terminal,
  invisible characters are shown by their code.

  With -A, -B or -C, the line in which a URL begins is printed after it, with
  the lines around it: FILE-LINE-TEXT, at most 1024 bytes of each; \"--\" marks
  omitted lines. With --heading, the file name is above its lines, and an empty
  line separates files. With -b, the byte offset precedes the URL:
  FILE:LINE:COLUMN:OFFSET:URL.

  With --broken, only invalid links are printed, with the error:
  FILE:LINE:COLUMN: URL: ERROR, on a terminal in two lines. A link is broken if
  it is not valid in the edition, or not in the form of its scheme
  (http:/one.slash, https:///nohost, http://h:99999/), which RFC 3986 alone
  allows. In JSON the error is in \"broken\". Templates are skipped; --stats
  counts them. An unknown scheme is not an error; 'locator check --lint' warns
  of names similar to known ones.

  With --stats, the numbers of URLs, templates (printed or not), files and
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

Indicators (--iocs):
  TYPE is url, domain, ipv4, ipv6, cidr or email. A URL is followed by its
  host, an e-mail address by its domain; all have the place of the text that
  they are from. A domain is one if it ends in a public suffix, or in
  .example, .test, .invalid, .onion, .i2p or .bit; a name that could be a
  file (readme.md, script.py, node.js) only if it is defanged or a path
  follows it. Addresses that are not public are printed, too; what they are
  for follows after a TAB, or is in \"special\": private use, loopback,
  documentation. Hosts are written as browsers read them: in lower case, with
  punycode, 0x7f000001 as 127.0.0.1. IPv6 addresses are found in URLs only;
  hashes and file names are not found. -u prints each once; 'sort | uniq -c'
  counts them.
    {\"file\":…,\"line\":…,\"column\":…,\"offset\":…,\"length\":…,\"type\":\"domain\",
     \"value\":\"evil.example\",\"special\":…,\"written\":\"hxxp://evil[.]example/\"}

JSON:
  With --json one object for each URL:
    {\"file\":…,\"line\":…,\"column\":…,\"offset\":…,\"length\":…,\"url\":…,\"context\":…,
     \"edition\":…,\"valid\":…}
  \"offset\" and \"length\" count bytes from 0. \"written\" has the original bytes
  if they differ from the URL. If a hyphen ends a line in the URL, \"other\" is
  the URL without it, or with it. An invalid URL has \"error\". \"findings\" has
  what is dangerous in the URL, as 'locator audit --json' reports it; on a
  terminal a note below the URL says it.

  \"context\" is text, attribute (with \"element\" and \"attribute\"), element,
  style, json, markdown, field, macro, line, hyperlink, directive, role or
  import. For text, \"how\" says how the URL is recognised:
    url       between <URL: and >
    angle     between < and >
    quoted    between double quotes
    bare      by its scheme alone
    escaped   by its scheme, in a string with escapes (http:\\/\\/h)
    template  a URL template (--patterns)
    defanged  a URL that nobody opens by mistake: hxxp://h[.]example
    refanged  such a URL as the one that it means (--refang)
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
    [{\"source\":…,\"given\":…,\"uri\":…,\"chosen\":true,\"why\":…},…]

Differences from ripgrep:
  Options that ripgrep has mean the same here, except:
    -e  the edition, as in every verb; for a pattern use --include
    -s  --no-messages, as in grep; the case of letters always counts
    -u  print each URL once; for ripgrep's -uu use --no-ignore --hidden
  URLs are counted, not lines (-c, -m). In a pipe the file name is printed only
  with -H or -n. On a terminal it is before each line; --heading prints it
  above. -o changes nothing, and the objects of --json are different.";

/// What it looks for.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which URLs")]
pub(super) struct LinkArgs {
    #[command(flatten)]
    pub(super) by: EditionArg,
    /// Set which URLs are recognised in plain text
    #[arg(long, value_name = "NAME", value_enum, default_value = "default")]
    preset: PresetWord,
    /// Recognise only what is certainly a URL; same as --preset strict
    #[arg(long, conflicts_with_all = ["relaxed", "preset"])]
    strict: bool,
    /// Also print guesses: www.example.com, joe@example.com; same as --preset relaxed
    #[arg(long, conflicts_with = "preset")]
    relaxed: bool,
    /// Also recognise URLs with the scheme NAME, which locator does not know; several
    /// names are separated by ","
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = read_scheme)]
    pub(super) scheme: Vec<String>,
    /// Print only URLs with the scheme NAME; several names are separated by ","
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = read_scheme)]
    pub(super) only_scheme: Vec<String>,
    /// Print only URLs that match REGEX
    ///
    /// REGEX is matched against the URL as it is printed. If the option is repeated,
    /// one match is enough.
    #[arg(long, value_name = "REGEX")]
    pub(super) include: Vec<Regex>,
    /// Do not print URLs that match REGEX
    #[arg(long, value_name = "REGEX")]
    pub(super) exclude: Vec<Regex>,
    /// Print only invalid links, each with its error
    ///
    /// A link is invalid if it is not allowed by the edition, or not by its scheme,
    /// such as http:/one.slash and https:///nohost. The exit status is 1 if there is
    /// one.
    #[arg(long, conflicts_with_all = ["resolving", "anchors", "patterns", "as_written"])]
    pub(super) broken: bool,
    /// Also print URL templates: http://h/{id}, http://h/<id>, http://h/%s
    ///
    /// In JSON a template has "pattern" and its constant "prefix".
    #[arg(long)]
    pub(super) patterns: bool,
    /// Print defanged URLs as the URLs that they mean
    ///
    /// Such are hxxp://evil[.]example, evil[dot]example and joe[at]evil[.]example.
    /// Without this option a defanged URL with a scheme is printed as it is written,
    /// and one without a scheme only with --relaxed.
    #[arg(long)]
    pub(super) refang: bool,
    /// Print indicators of compromise, defanged or not
    ///
    /// They are URLs, hosts, IP addresses and e-mail addresses. Each is a line TYPE,
    /// TAB, VALUE, or with --csv or --json a row or an object with its place. All of a document is searched, as with --all and --relaxed, and
    /// defanged texts are printed as what they mean, as with --refang.
    #[arg(long, conflicts_with_all = ["broken", "anchors", "patterns", "as_written", "resolving", "count_by"])]
    #[arg(conflicts_with_all = ["strict", "preset"])]
    pub(super) iocs: bool,
    /// Search all of HTML, XML and CSS, not only links: also text, comments, scripts
    /// and other attributes
    #[arg(long)]
    pub(super) all: bool,
    /// Search JSON-LD in HTML, too
    #[arg(long)]
    pub(super) json_ld: bool,
    /// Print anchors, the targets of fragments such as #top, instead of links
    #[arg(long)]
    pub(super) anchors: bool,
    /// Print each URL only once, in all files together
    ///
    /// ripgrep's -u is --no-ignore here, its -uu is --no-ignore --hidden.
    #[arg(short, long, action = ArgAction::Count)]
    unique: u8,
    /// Print at most NUM URLs from each file
    #[arg(short, long, value_name = "NUM")]
    pub(super) max_count: Option<u64>,
}

impl LinkArgs {
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
            _ if self.iocs => Preset::Relaxed,
            (_, _, PresetWord::Default) => Preset::Default,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PresetWord {
    /// URLs with delimiters or "://", and those of known schemes without it (mailto:)
    Strict,
    /// What a person would recognise as a URL
    Default,
    /// Also guesses: www.example.com, example.com, joe@example.com; a name that
    /// could be a file, such as main.rs, only if a path follows it
    Relaxed,
}

/// What it prints.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
#[command(group = ArgGroup::new("resolving").args(["absolute", "base", "bases"]).multiple(true))]
pub(super) struct OutputArgs {
    /// Resolve each link against the base of its document, and print the result
    ///
    /// Characters that are not allowed in a URL are percent-encoded, as browsers do.
    #[arg(long)]
    absolute: bool,
    /// Resolve links against URL, which the input was retrieved from: --absolute
    ///
    /// A base that the document declares, such as <base href>, takes precedence. The
    /// paths of files in a directory are relative to URL. The default is the file's
    /// own URL, file:///…
    #[arg(long, value_name = "URL")]
    pub(super) base: Option<OsString>,
    /// Print below each URL the possible bases: the one that is used, and why the
    /// others are not
    #[arg(long)]
    pub(super) bases: bool,
    /// Print URLs as the document has them, not decoded
    #[arg(long, conflicts_with_all = ["absolute", "base", "json"])]
    pub(super) as_written: bool,
    /// Accepted for compatibility with ripgrep: only URLs are printed, never lines
    #[arg(short = 'o', long)]
    only_matching: bool,
    /// Print line and column, as on a terminal
    #[arg(short = 'n', long, overrides_with = "no_line_number")]
    line_number: bool,
    /// Do not print line and column
    #[arg(short = 'N', long, overrides_with = "line_number")]
    no_line_number: bool,
    /// Same as -n
    #[arg(long, overrides_with = "no_column")]
    column: bool,
    /// Do not print the column
    #[arg(long, overrides_with = "column")]
    no_column: bool,
    #[command(flatten)]
    pub(super) lines: LineArgs,
    /// Print the file name, even of a single file
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    with_filename: bool,
    /// Do not print the file name
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    no_filename: bool,
    /// Print NUL after each file name, or after each URL without one
    #[arg(short = '0', long)]
    pub(super) null: bool,
    /// Print only the number of URLs in each file
    #[arg(short, long, visible_alias = "count-matches", group = "form")]
    count: bool,
    /// Print only the names of files with URLs
    #[arg(short = 'l', long, group = "form")]
    files_with_matches: bool,
    /// Print only the names of files without URLs
    #[arg(long, group = "form")]
    files_without_match: bool,
    /// Print the names of the files that would be searched
    #[arg(long, group = "form")]
    files: bool,
    /// Print the number of URLs per host, scheme or other part, in all files together
    ///
    /// The parts are those of 'locator edit --help', such as registered_domain.
    #[arg(long, value_name = "PART", group = "form", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(Field::named, Field::names))]
    count_by: Option<Field>,
    /// Print one JSON object per line
    #[arg(long, conflicts_with_all = ["count", "files_with_matches", "files_without_match", "files"])]
    pub(super) json: bool,
    /// With --iocs, print a table: type, value, special, written, file, line, column
    #[arg(long, conflicts_with_all = ["json", "heading", "null", "after_context", "before_context", "context"])]
    pub(super) csv: bool,
    /// Print nothing and stop at the first URL; only the exit status tells
    #[arg(short, long)]
    quiet: bool,
    /// Print no message about files that cannot be read or links that cannot be
    /// resolved; the exit status is 2 all the same
    #[arg(short = 's', long)]
    pub(super) no_messages: bool,
    /// Do not show the progress of a long search, which is shown if standard error is
    /// a terminal and standard output is not
    #[arg(long)]
    pub(super) no_progress: bool,
    /// Make file names and URLs links that the terminal opens
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(super) hyperlink: WhenWord,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum WhenWord {
    /// On terminals that are known to support links
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What becomes of what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputForm {
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
    CountBy(Field),
    /// Nothing but the exit status.
    Quiet,
}

impl OutputArgs {
    /// Whether links are resolved and printed so.
    pub(super) const fn is_absolute(&self) -> bool {
        self.absolute || self.base.is_some() && !self.bases
    }

    /// What becomes of what is found.
    pub(super) const fn form(&self) -> OutputForm {
        match self {
            Self { quiet: true, .. } => OutputForm::Quiet,
            Self { count: true, .. } => OutputForm::Count,
            Self { files_with_matches: true, .. } => OutputForm::FilesWith,
            Self { files_without_match: true, .. } => OutputForm::FilesWithout,
            Self { files: true, .. } => OutputForm::Files,
            Self { count_by: Some(what), .. } => OutputForm::CountBy(*what),
            _ => OutputForm::Each,
        }
    }

    /// Whether the file's name is printed; `usual` if nothing else is said.
    pub(super) const fn name(&self, usual: bool) -> bool {
        self.with_filename || (usual && !self.no_filename)
    }

    /// Whether a part of the location is asked for.
    pub(super) const fn has_location(&self) -> bool {
        self.line_number || self.column || self.lines.byte_offset
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
pub(super) struct LineArgs {
    /// Print the byte offset of each URL in its file, counted from 0
    #[arg(short = 'b', long)]
    pub(super) byte_offset: bool,
    /// Print the file name once, above its URLs
    #[arg(long, overrides_with = "no_heading", conflicts_with = "json")]
    heading: bool,
    /// Print the file name before each URL (the default)
    #[arg(long, overrides_with = "heading")]
    no_heading: bool,
    /// Print the line of each URL and NUM lines after it
    #[arg(short = 'A', long, value_name = "NUM", conflicts_with = "json")]
    after_context: Option<u64>,
    /// Print the line of each URL and NUM lines before it
    #[arg(short = 'B', long, value_name = "NUM", conflicts_with = "json")]
    before_context: Option<u64>,
    /// Print the line of each URL and NUM lines around it
    #[arg(short = 'C', long, value_name = "NUM", conflicts_with = "json")]
    context: Option<u64>,
    /// Print statistics at the end: URLs, files, bytes, elapsed time
    #[arg(long)]
    pub(super) stats: bool,
}

/// How many lines around a link are shown, its own besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ContextLines {
    /// Before it.
    pub(super) before: u64,
    /// After it.
    pub(super) after: u64,
}

impl LineArgs {
    /// Whether a file's name is above its lines and not in them.
    pub(super) const fn has_heading(&self) -> bool {
        self.heading
    }

    /// How many lines around a link are shown; none if none is, its own neither.
    pub(super) fn around(&self) -> Option<ContextLines> {
        let (before, after) = (self.before_context.or(self.context), self.after_context.or(self.context));
        (before.is_some() || after.is_some())
            .then(|| ContextLines { before: before.unwrap_or(0), after: after.unwrap_or(0) })
    }
}

/// Where it looks.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which files")]
pub(in crate::verbs) struct FileArgs {
    /// Files and directories to search; "-" is standard input. Without PATH, standard
    /// input is searched if it is a file or a pipe, else the working directory
    #[arg(value_name = "PATH", help_heading = None)]
    pub(in crate::verbs) paths: Vec<PathBuf>,
    /// Search only files of TYPE, such as html or rust; --type-list lists the types
    ///
    /// A type is a format that is read here or one of ripgrep's types. Standard input
    /// is read as the format.
    #[arg(short = 't', long = "type", value_name = "TYPE", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(StringValueParser::new(), types))]
    pub(in crate::verbs) types: Vec<String>,
    /// Do not search files of TYPE
    #[arg(short = 'T', long, value_name = "TYPE", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(StringValueParser::new(), types))]
    pub(in crate::verbs) type_not: Vec<String>,
    /// Print all types with their globs
    #[arg(long, conflicts_with = "paths")]
    pub(in crate::verbs) type_list: bool,
    /// Read all input as FORMAT, whatever its name and content
    #[arg(long = "as", value_name = "FORMAT", hide_possible_values = true)]
    #[arg(value_parser = Suggested::new(StringValueParser::new().try_map(|word| read_format(&word)), formats))]
    pub(in crate::verbs) format: Option<Format>,
    /// Split CSV and TSV at CHAR, or at "tab"
    ///
    /// The default is a tab for TSV, and for CSV the one in the first line: "," ";"
    /// "|" or a tab.
    #[arg(long, value_name = "CHAR", value_parser = read_separator)]
    pub(in crate::verbs) separator: Option<u8>,
    /// Search only files that match GLOB, or exclude them with '!GLOB', as in
    /// .gitignore
    #[arg(short, long, value_name = "GLOB")]
    pub(in crate::verbs) glob: Vec<String>,
    /// Search hidden files and directories
    #[arg(short = '.', long)]
    pub(in crate::verbs) hidden: bool,
    /// Do not use .gitignore, .ignore and similar files
    #[arg(long)]
    pub(in crate::verbs) no_ignore: bool,
    /// Search binary files as if they were text
    #[arg(short = 'a', long)]
    pub(in crate::verbs) text: bool,
    /// Search in compressed files and zip archives
    ///
    /// gzip, bzip2, xz, zstd and zip (also .docx, .odt and .epub) are recognised by
    /// their first bytes. The name of a file in an archive follows "!/".
    #[arg(short = 'z', long)]
    pub(in crate::verbs) search_zip: bool,
    /// Follow symbolic links
    #[arg(short = 'L', long)]
    pub(in crate::verbs) follow: bool,
    /// Descend at most NUM levels into directories
    #[arg(short = 'd', long, value_name = "NUM")]
    pub(in crate::verbs) max_depth: Option<usize>,
    /// Use NUM threads, at most 1024; 0, the default, is the number of processors
    #[arg(short = 'j', long, value_name = "NUM", default_value_t = 0, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(in crate::verbs) threads: u16,
    #[command(flatten)]
    pub(in crate::verbs) rules: FileRuleArgs,
}

/// Which files are read, how and in which order.
#[derive(Args, Debug)]
pub(in crate::verbs) struct FileRuleArgs {
    /// Search the paths that are listed in FILE, one per line or each ended by NUL;
    /// "-" is standard input
    #[arg(long, value_name = "FILE")]
    pub(in crate::verbs) files_from: Vec<PathBuf>,
    /// Add a glob to a type or define a type, as 'web:*.{html,css}'
    ///
    /// Files that are added to a format, as by 'html:*.vm', are read as that format.
    #[arg(long, value_name = "TYPE:GLOB")]
    pub(in crate::verbs) type_add: Vec<String>,
    /// Read further ignore rules from FILE, in the syntax of .gitignore; globs in it
    /// are relative to the working directory
    #[arg(long, value_name = "FILE")]
    pub(in crate::verbs) ignore_file: Vec<PathBuf>,
    /// Ignore files in directories that are larger than NUM bytes: 500, 50K, 2G
    #[arg(long, value_name = "NUM", value_parser = read_size)]
    pub(in crate::verbs) max_filesize: Option<u64>,
    /// Read files in the encoding NAME, such as latin1 or cp037; "none" decodes
    /// nothing, "auto" is the default
    ///
    /// A byte order mark takes precedence, and mail declares its own encodings.
    /// Offsets and columns count bytes of the text in UTF-8.
    #[arg(short = 'E', long, value_name = "NAME", value_parser = read_encoding)]
    #[arg(default_value = "auto", hide_default_value = true)]
    encoding: FileEncoding,
    /// Sort the files; with path and modified one thread searches
    #[arg(long, value_name = "HOW", value_enum, default_value = "none")]
    #[arg(overrides_with_all = ["sort", "sortr"])]
    sort: SortWord,
    /// Sort the files in reverse order
    #[arg(long, value_name = "HOW", value_enum, hide_possible_values = true)]
    #[arg(overrides_with_all = ["sort", "sortr"])]
    sortr: Option<SortWord>,
}

/// How the order of files is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::verbs) enum SortWord {
    /// Unsorted: as files are finished
    None,
    /// By path
    Path,
    /// By the time of the last change
    Modified,
}

/// The order of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::verbs) struct Order {
    /// What they are ordered by.
    pub(in crate::verbs) by: SortWord,
    /// Whether the last is the first.
    pub(in crate::verbs) is_reversed: bool,
}

/// The encoding that files have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::verbs) enum FileEncoding {
    /// Each file declares its own.
    Declared,
    /// Bytes are read as they are, whatever files declare.
    Raw,
    /// All files have this one.
    Given(&'static Encoding),
    /// All files have this code page.
    Ebcdic(&'static CodePage),
}

impl FileRuleArgs {
    /// The order of files.
    pub(in crate::verbs) const fn order(&self) -> Order {
        match self.sortr {
            Some(by) => Order { by, is_reversed: true },
            None => Order { by: self.sort, is_reversed: false },
        }
    }

    /// The encoding that all files have.
    pub(in crate::verbs) const fn encoding(&self) -> FileEncoding {
        self.encoding
    }
}

/// The names of the Encoding standard, those of EBCDIC, "auto" and "none".
fn read_encoding(word: &str) -> Result<FileEncoding, String> {
    match Encoding::for_label_no_replacement(word.as_bytes()) {
        _ if word.eq_ignore_ascii_case("auto") => Ok(FileEncoding::Declared),
        _ if word.eq_ignore_ascii_case("none") => Ok(FileEncoding::Raw),
        Some(encoding) => Ok(FileEncoding::Given(encoding)),
        None => CodePage::of_name(word).map(FileEncoding::Ebcdic).ok_or_else(|| {
            "unknown encoding; examples are utf-8, latin1, windows-1252, utf-16le, shift_jis, gb18030, \
            and cp037, cp500 and cp1047 of EBCDIC (https://encoding.spec.whatwg.org/#names-and-labels)"
                .into()
        }),
    }
}

/// Octets, or with K, M or G 1024 of them, 1024 of those and so on.
fn read_size(word: &str) -> Result<u64, String> {
    let (digits, unit) = match word.as_bytes().last() {
        Some(b'K' | b'k') => (&word[..word.len() - 1], 1 << 10),
        Some(b'M' | b'm') => (&word[..word.len() - 1], 1 << 20),
        Some(b'G' | b'g') => (&word[..word.len() - 1], 1 << 30),
        _ => (word, 1_u64),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit());
    let size = digits.parse::<u64>().ok().filter(|_| is_number).and_then(|number| number.checked_mul(unit));
    size.ok_or_else(|| "expected a number of bytes, optionally with K, M or G".into())
}

/// The formats, for completions.
fn formats() -> Vec<String> {
    Format::ALL.map(|format| format.name().to_owned()).to_vec()
}

/// The formats and ripgrep's types, for completions.
fn types() -> Vec<String> {
    let others = TypesBuilder::new().add_defaults().definitions();
    let others = others.iter().map(|definition| definition.name().to_owned());
    formats().into_iter().chain(others.filter(|name| Format::from_name(name).is_none())).collect()
}

fn read_format(word: &str) -> Result<Format, String> {
    let names = || Format::ALL.map(Format::name).join(", ");
    Format::from_name(word).ok_or_else(|| format!("unknown format; the formats are {}", names()))
}

fn read_separator(word: &str) -> Result<u8, String> {
    match word.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [octet] if octet.is_ascii() && !octet.is_ascii_alphanumeric() && !b"\"\r\n".contains(octet) => {
            Ok(*octet)
        }
        _ => {
            Err("expected \"tab\" or one ASCII character that is not a letter, digit, quote or line end"
                .into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_may_have_a_unit() {
        assert_eq!(
            ["7", "50K", "80m", "2G"].map(|word| read_size(word).ok()),
            [Some(7), Some(50 << 10), Some(80 << 20), Some(2 << 30)]
        );
        for word in ["", "K", "+1", "1.5M", "5T", "99999999999G"] {
            assert!(read_size(word).is_err(), "{word}");
        }
    }
}
