//! The arguments of verbs that take URLs: where the URLs are and how results are printed ([`Inputs`]), the base of relative
//! references (`--base`, `--leftover`, `--empty`, `--same-scheme`), and the format of tables and their column of URLs.

use std::ffi::OsString;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, ValueEnum};
use locator::ResolveOptions;
use locator::edition::{PathUnderflow, SameDocument};

use crate::arguments::edition::{EditionArg, NameParser, Selection, StandardArg};
use crate::exit::{CliError, say_error};

/// The arguments of `read` and `check`.
#[derive(Args, Debug)]
pub(crate) struct VerbArgs {
    /// Follow this edition of the URL standard: an RFC, a draft of one, or "whatwg",
    /// as browsers do; "all" compares all editions
    ///
    /// 'locator editions' describes them.
    #[arg(short, long, value_name = "NAME", default_value = "rfc3986", ignore_case = true)]
    #[arg(value_parser = NameParser)]
    pub(crate) edition: Selection,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

/// The arguments of verbs that use one edition.
#[derive(Args, Debug)]
pub(crate) struct VerbArgsOfOneEdition {
    #[command(flatten)]
    pub(crate) by: EditionArg,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

/// The arguments of verbs that use one edition or the URL Standard.
#[derive(Args, Debug)]
pub(crate) struct VerbArgsOfOneStandard {
    #[command(flatten)]
    pub(crate) by: StandardArg,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

/// The arguments of every verb that takes URLs.
#[derive(Args, Debug)]
pub(crate) struct Inputs {
    /// URLs; without any, and for "-", they are read from standard input, one per line
    #[arg(value_name = "URL", help_heading = None)]
    pub(crate) urls: Vec<OsString>,
    /// Read the inputs from FILE, one per line; "-" is standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "urls")]
    pub(crate) file: Option<OsString>,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
    /// Split the input at NUL, not at line ends
    #[arg(short = '0', long, hide_short_help = true)]
    pub(crate) null: bool,
    /// Stop with an error if an input is longer than SIZE bytes (suffix K, M or G)
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = size)]
    #[arg(hide_short_help = true)]
    pub(crate) max_line: usize,
    /// Print nothing; only set the exit status, and stop at the first invalid URL
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Print each error on one line; by default only those after the tenth are
    #[arg(long, hide_short_help = true)]
    pub(crate) brief: bool,
    /// Print no error messages; the exit status still reports errors
    #[arg(short = 's', long, hide_short_help = true)]
    pub(crate) no_messages: bool,
}

impl Inputs {
    /// Returns whether an argument is "-", standard input. After "--" it is a URL, so that a script can
    /// pass on any text.
    pub(crate) fn is_stdin(&self, at: usize) -> bool {
        self.urls.get(at).is_some_and(|url| url == "-") && at < before_dashes(self.urls.len())
    }

    /// Returns whether one of the arguments is standard input.
    pub(crate) fn names_stdin(&self) -> bool {
        (0..self.urls.len()).any(|at| self.is_stdin(at))
    }

    /// Replaces each argument, whose place is passed, by the URLs that it stands for.
    #[cfg(feature = "get")]
    pub(crate) fn expand(&mut self, mut each: impl FnMut(usize, OsString) -> Vec<OsString>) {
        let before = before_dashes(self.urls.len());
        let mut urls = Vec::new();
        let mut after = 0;
        for (at, url) in std::mem::take(&mut self.urls).into_iter().enumerate() {
            let expanded = each(at, url);
            after += if at >= before { expanded.len() } else { 0 };
            urls.extend(expanded);
        }
        self.urls = urls;
        AFTER_DASHES.store(after, Ordering::Relaxed);
    }

    /// Returns whether neither errors nor notes are printed.
    pub(crate) const fn is_silent(&self) -> bool {
        self.quiet || self.no_messages
    }

    /// Returns how many URLs there are; `None` if some are read from a list.
    pub(crate) fn count(&self) -> Option<usize> {
        Some(self.urls.len()).filter(|&count| count > 0 && !self.names_stdin())
    }
}

/// How many arguments are after "--".
static AFTER_DASHES: AtomicUsize = AtomicUsize::new(0);

/// Notes the arguments of the command that is run.
pub(crate) fn note_dashes(arguments: &[OsString]) {
    let after = arguments.iter().skip_while(|argument| *argument != "--").count();
    AFTER_DASHES.store(after.saturating_sub(1), Ordering::Relaxed);
}

/// Returns how many of the last arguments, those that are no options, are before "--".
pub(crate) fn before_dashes(arguments: usize) -> usize {
    arguments.saturating_sub(AFTER_DASHES.load(Ordering::Relaxed))
}

/// The help of `-0` in verbs whose results are lines.
pub(crate) const NULL_ENDS_RESULTS: &str = "Split input and output at NUL, not at line ends";

/// The help of `-q` in verbs that may have no result for a valid input.
pub(crate) const QUIET_NO_ANSWER: &str =
    "Print nothing; only set the exit status, and stop at the first input without a result";

/// The option `--repair`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct RepairArgs {
    /// Percent-encode characters that are not allowed, as browsers do
    ///
    /// Such characters are a space, "|" and é. The repaired URL is also printed on
    /// standard error.
    #[arg(long)]
    pub(crate) repair: bool,
}

/// Parses a number of bytes: `4096`, `64K`, `16M`, `1G`.
pub(crate) fn size(word: &str) -> Result<usize, String> {
    let unit = |suffix: char| match suffix.to_ascii_uppercase() {
        'K' => Some(1 << 10),
        'M' => Some(1 << 20),
        'G' => Some(1 << 30),
        _ => None,
    };
    let unit = word.chars().next_back().and_then(unit);
    let number = if unit.is_some() { &word[..word.len() - 1] } else { word };
    let octets = number.parse::<usize>().ok().and_then(|number| number.checked_mul(unit.unwrap_or(1)));
    octets
        .filter(|&octets| octets > 0)
        .ok_or_else(|| "expected a number of bytes: 65536, 64K, 16M or 1G".into())
}

/// The base, and the options of resolution.
#[derive(Args, Debug)]
pub(crate) struct BaseArgs {
    /// The base: the absolute URL of the document that contains the references
    #[arg(short, long, value_name = "URL")]
    base: OsString,
    /// Keep, remove or refuse ".." above the root, as in ../../../g
    ///
    /// The default is the edition's rule: "remove" in rfc3986 and rfc3987, "keep" in
    /// the others.
    #[arg(long, value_name = "HOW", value_enum)]
    leftover: Option<LeftoverWord>,
    /// Resolve an empty reference or "#s" to WHAT
    ///
    /// The default is the edition's rule: "base" in rfc3986 and rfc3987, "document" in
    /// the others.
    #[arg(long, value_name = "WHAT", value_enum)]
    empty: Option<EmptyWord>,
    /// Read "http:g" as relative if the base has the scheme http, as old browsers did
    #[arg(long)]
    same_scheme: bool,
}

impl BaseArgs {
    /// Returns the bytes of the base as given.
    pub(crate) fn octets(&self) -> &[u8] {
        self.base.as_encoded_bytes()
    }

    /// Returns the first option that only an edition has, if one is given.
    pub(crate) const fn of_edition(&self) -> Option<&'static str> {
        match self {
            Self { leftover: Some(_), .. } => Some("--leftover"),
            Self { empty: Some(_), .. } => Some("--empty"),
            Self { same_scheme: true, .. } => Some("--same-scheme"),
            _ => None,
        }
    }

    /// Converts the options to those of the library.
    pub(crate) fn options(&self) -> ResolveOptions {
        let mut options = ResolveOptions::new().same_scheme(self.same_scheme);
        if let Some(word) = self.leftover {
            options = options.path_underflow(match word {
                LeftoverWord::Keep => PathUnderflow::Keep,
                LeftoverWord::Remove => PathUnderflow::Remove,
                LeftoverWord::Refuse => PathUnderflow::Refuse,
            });
        }
        match self.empty {
            None => options,
            Some(EmptyWord::Base) => options.same_document(SameDocument::Base),
            Some(EmptyWord::Document) => options.same_document(SameDocument::CurrentDocument),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LeftoverWord {
    /// Keep it: http://a/../g
    Keep,
    /// Remove it: http://a/g
    Remove,
    /// Report an error
    Refuse,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EmptyWord {
    /// The base, as for the action of a form
    Base,
    /// The current document, which need not be the base
    Document,
}

/// The format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableFormat {
    /// Comma-separated values (RFC 4180), or values with another byte between them.
    Csv {
        /// The byte between two cells.
        delimiter: u8,
    },
    /// Tab-separated values, without quotes.
    Tsv,
    /// A JSON object on each line.
    Ndjson,
}

/// The heading of the options for tables.
pub(crate) const TABLES: &str = "Tables";

/// The options of a verb that reads URLs from a column of a table.
#[derive(Args, Debug)]
pub(crate) struct TableArgs {
    /// Read a table in CSV (or --tsv, --ndjson) from files or standard input
    #[arg(long, conflicts_with_all = ["tsv", "ndjson"], help_heading = TABLES)]
    csv: bool,
    /// Read a table in TSV (without quotes)
    #[arg(long, conflicts_with = "ndjson", hide_short_help = true, help_heading = TABLES)]
    tsv: bool,
    /// Read a table of JSON objects, one per line
    #[arg(long, hide_short_help = true, help_heading = TABLES)]
    ndjson: bool,
    /// The byte between the cells of --csv, such as ";" or "\t"; by default ","
    #[arg(long, value_name = "BYTE", requires = "csv", value_parser = delimiter)]
    #[arg(hide_short_help = true, help_heading = TABLES)]
    delimiter: Option<u8>,
    /// The column with the URLs: its name, or its number from 1
    ///
    /// In an object of --ndjson a.b is the key "b" of the object of "a", if no key is
    /// "a.b"; so is the JSON pointer /a/b. A number is the place in a list, from 0.
    #[arg(long, value_name = "COLUMN", help_heading = TABLES)]
    pub(crate) column: Option<String>,
    /// The table has no line of names; --column is a number
    #[arg(long, visible_alias = "no-header", requires = "column", conflicts_with = "ndjson")]
    #[arg(hide_short_help = true, help_heading = TABLES)]
    pub(crate) no_headers: bool,
}

/// A table that URLs are read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UrlTable<'a> {
    /// Which column has the URLs, and whether the columns have names.
    pub(crate) args: &'a TableArgs,
    /// Its format.
    pub(crate) format: TableFormat,
}

impl TableArgs {
    /// Returns the format, if one is given.
    pub(crate) fn format(&self) -> Option<TableFormat> {
        match (self.csv, self.tsv, self.ndjson) {
            (true, ..) => Some(TableFormat::Csv { delimiter: self.delimiter.unwrap_or(b',') }),
            (_, true, _) => Some(TableFormat::Tsv),
            (.., true) => Some(TableFormat::Ndjson),
            _ => None,
        }
    }

    /// Returns the table, if the input is one.
    pub(crate) fn input(&self) -> Result<Option<UrlTable<'_>>, CliError> {
        match (self.format(), &self.column) {
            (None, None) => Ok(None),
            (Some(format), Some(_)) => Ok(Some(UrlTable { args: self, format })),
            (Some(_), None) => {
                say_error("--column is needed, which names the column with the URLs");
                Err(CliError::Reported)
            }
            (None, Some(_)) => {
                say_error("--column is for tables; add --csv, --tsv or --ndjson");
                Err(CliError::Reported)
            }
        }
    }

    /// Returns the table, if the input is one and the output is that table with other values.
    pub(crate) fn output(&self, json: bool, is_filter: bool) -> Result<Option<UrlTable<'_>>, CliError> {
        let table = self.input()?;
        if table.is_some() && (json || is_filter) {
            say_error(match json {
                true => "--json is for lists; the output of a table is that table",
                false => "a table has one result for each row; omit the option that prints fewer or more",
            });
            return Err(CliError::Reported);
        }
        Ok(table)
    }
}

/// The options of a verb whose results replace the URLs of a table.
#[derive(Args, Debug)]
pub(crate) struct FillArgs {
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// Add the results as the column NAME; by default they replace the URLs
    #[arg(long, value_name = "NAME", requires = "column", help_heading = TABLES)]
    #[arg(hide_short_help = true)]
    pub(crate) into: Option<String>,
}

/// Parses the byte between two cells.
fn delimiter(text: &str) -> Result<u8, String> {
    match (text, text.as_bytes()) {
        ("\\t" | "tab" | "TAB", _) => Ok(b'\t'),
        (_, b"\"" | b"\n" | b"\r" | b"\0") => {
            Err("a quote, a line end or NUL cannot be between cells".into())
        }
        (_, &[octet]) => Ok(octet),
        _ => Err("expected one byte, such as ';', '|' or '\\t'".into()),
    }
}
