//! The verb `editions`: lists the editions and their terms.

use std::io::{self, Write};

use clap::Args;
use locator::Edition;
use locator::edition::{ALL, DEFAULT, WITH_OPTIONS};
use serde::Serialize;

use crate::exit::{CliError, Status};
use crate::input::url_standard;
use crate::output::Output;
use crate::report::json;
use crate::terminal::paint::{FAINT, STRONG};

/// List the editions of the URL standard: RFCs and drafts, and the URL Standard
///
/// Prints the names that the option -e of other verbs accepts, with the document and date of each.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EditionsArgs {
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator editions
  locator editions --json | jq -r .name

Exit status:
  0  the list is printed
  2  wrong usage";

/// Lists the editions.
pub(crate) fn run(args: &EditionsArgs, out: &mut Output) -> Result<Status, CliError> {
    if args.json {
        let mut editions = ALL.into_iter().chain(WITH_OPTIONS);
        editions
            .try_for_each(|edition| json::line(out, &EditionObject::new(edition, edition.is_default())))?;
        json::line(out, &EditionObject::URL_STANDARD)?;
    } else {
        write(out)?;
    }
    out.flush()?;
    Ok(Status::Valid)
}

/// Writes two tables, for a person, in 80 columns: which editions there are, and what they call
/// things.
fn write(out: &mut Output) -> io::Result<()> {
    table(out, ["edition", "date", "document", "relative references"], |edition| {
        let relative = if edition.defines_relative() { "yes" } else { "no" };
        [edition.name, edition.date, edition.document, relative]
    })?;
    writeln!(out)?;
    let head = ["", "absolute", "reference", "authority", "userinfo", "query", "fragment"];
    table(out, head, |edition| {
        let words = edition.words;
        let (whole, server) = ([words.absolute, words.reference], [words.authority, words.userinfo]);
        [edition.name, whole[0], whole[1], server[0], server[1], words.query, words.fragment]
    })?;
    let paint = out.paint;
    writeln!(out)?;
    for edition in WITH_OPTIONS {
        writeln!(out, "also available: {}, {}, {}", edition.name, edition.document, edition.date)?;
    }
    let (name, document, date) = (url_standard::NAME, url_standard::DOCUMENT, url_standard::DATE);
    writeln!(out, "also available: {name}, {document}, {date}: repairs and rewrites URLs, as browsers do")?;
    writeln!(out, "{} is the default; to choose another, use {}", DEFAULT.name, paint.with(STRONG, "-e NAME"))
}

fn table<const N: usize>(
    out: &mut Output,
    head: [&'static str; N],
    row: impl Fn(&'static Edition) -> [&'static str; N],
) -> io::Result<()> {
    let paint = out.paint;
    let rows: Vec<_> = ALL.into_iter().map(&row).collect();
    let width = |i: usize| rows.iter().chain([&head]).map(|row| row[i].len()).max().unwrap_or(0);
    let line = |cells: &[&str; N]| {
        let cells = cells.iter().enumerate().map(|(i, cell)| format!("{cell:0$}", width(i)));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    writeln!(out, "{}", paint.with(FAINT, line(&head)))?;
    for (row, edition) in rows.iter().zip(ALL) {
        let line = line(row);
        if edition.is_default() {
            writeln!(out, "{}", paint.with(STRONG, line))?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// An edition: the keys in their order.
#[derive(Serialize)]
struct EditionObject {
    name: &'static str,
    document: &'static str,
    title: &'static str,
    date: &'static str,
    default: bool,
    relative: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<&'static str>,
    words: WordsObject,
}

#[derive(Serialize)]
struct WordsObject {
    absolute: &'static str,
    reference: &'static str,
    authority: &'static str,
    userinfo: &'static str,
    query: &'static str,
    fragment: &'static str,
}

impl EditionObject {
    /// The URL Standard, which is not an edition, but a value of `-e`.
    const URL_STANDARD: Self = Self {
        name: url_standard::NAME,
        document: url_standard::DOCUMENT,
        title: "URL",
        date: url_standard::DATE,
        default: false,
        relative: true,
        prefix: None,
        words: WordsObject {
            absolute: "absolute-URL string",
            reference: "relative-URL string",
            authority: "host",
            userinfo: "credentials",
            query: "query",
            fragment: "fragment",
        },
    };

    /// The edition, and whether it is the default.
    fn new(edition: &Edition, default: bool) -> Self {
        let words = edition.words;
        Self {
            name: edition.name,
            document: edition.document,
            title: edition.title,
            date: edition.date,
            default,
            relative: edition.defines_relative(),
            prefix: edition.prefix(),
            words: WordsObject {
                absolute: words.absolute,
                reference: words.reference,
                authority: words.authority,
                userinfo: words.userinfo,
                query: words.query,
                fragment: words.fragment,
            },
        }
    }
}
