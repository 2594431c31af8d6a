//! The command line, with its help.

use std::path::PathBuf;

use clap::{Parser, ValueEnum, ValueHint};

/// Run SQL over Parquet, CSV, NDJSON and text files, with functions of URLs
///
/// A table is the name of a file in quotes: from 'urls.parquet'. The functions are those of
/// docs/functions.md, such as uri_host and uri_registered_domain.
#[derive(Debug, Parser)]
#[command(name = "locator-sql", bin_name = "locator sql", version)]
#[command(arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = EXAMPLES, after_long_help = format!("{DETAILS}\n\n{EXAMPLES}"))]
pub(crate) struct Arguments {
    /// One query: SELECT, WITH, VALUES, EXPLAIN or DESCRIBE
    pub(crate) query: String,
    /// Format of the result [default: by the name of FILE; else table at a terminal, csv elsewhere]
    #[arg(short, long, value_name = "FORMAT")]
    pub(crate) format: Option<OutputFormat>,
    /// Write the result to FILE, which is replaced once the result is complete
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Format of standard input, and of files whose names do not say it [default: txt for '-']
    #[arg(short, long, value_name = "FORMAT")]
    pub(crate) input_format: Option<InputFormat>,
    /// Read CSV and TSV without a first line of names; columns are column_1, column_2, …
    #[arg(long)]
    pub(crate) no_header: bool,
    /// Read all columns of CSV and TSV as text, not as numbers or dates
    #[arg(long)]
    pub(crate) all_text: bool,
    /// Use SIZE bytes of memory (suffix K, M or G), then temporary files
    #[arg(short, long, value_name = "SIZE", default_value = "2G", value_parser = size)]
    pub(crate) memory: usize,
    /// Use so many threads [default: one for each processor]
    #[arg(short, long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Show no progress and print no notes
    #[arg(short = 's', long)]
    pub(crate) no_messages: bool,
}

/// Formats of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Columns for people; 1000 rows at most
    Table,
    /// NULL is nothing, '' is ""; the first line has the names
    Csv,
    /// An object for each row
    #[value(alias = "jsonl")]
    Ndjson,
    /// Parquet, compressed with zstd
    Parquet,
}

/// Formats of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum InputFormat {
    /// Parquet
    Parquet,
    /// Fields with commas between them
    Csv,
    /// Fields with tabs between them
    Tsv,
    /// An object in each line
    #[value(alias = "jsonl")]
    Ndjson,
    /// A URL in each line: the table has one column, url
    Txt,
}

const EXAMPLES: &str = "\
Examples:
  locator sql \"select uri_host_normal(url) host, count(*) from 'urls.txt'
               group by 1 order by 2 desc limit 10\"
  locator sql \"select count(distinct uri_key(url)) from 'crawl/*.parquet'\"
  locator sql -o bad.csv \"select url, uri_error(url) from 'a.csv.gz'
               where not uri_is_valid(url)\"
  zcat log.gz | locator sql \"select uri_uniq(url) from '-'\"

Exit status:
  0    the whole result is written
  2    wrong usage, or a file cannot be read
  130  interrupted";

const DETAILS: &str = "\
Tables:
  The name of a file in single or double quotes, a folder, or a pattern with
  * and ?. The name tells the format: .parquet, .csv, .tsv, .ndjson or .jsonl,
  .txt; all but Parquet can be compressed (.gz, .zst). All files of a folder
  or pattern have the same format. '-' is standard input, which is copied to
  a temporary file first. In a text file each line is a row, also an empty
  one; its only column is url. 'describe' shows the columns of a table:
    locator sql \"describe 'urls.csv'\"
  In CSV and TSV an empty field is NULL. The types of columns are taken from
  the first 1000 rows; --all-text reads all as text.

SQL:
  The dialect is that of DataFusion, which is close to PostgreSQL. One query
  at a time; what writes (CREATE, INSERT, COPY) is not allowed. Names without
  quotes are read in lower case: write \"URL\" for a column URL. Without
  'order by' the order of rows is not fixed. NULL and text that is not a valid
  URL give NULL in the functions of URLs. With _by, their last argument is the
  name of an edition: uri_host_by(url, 'rfc2396').

Memory:
  Sorting, grouping and 'distinct' write to temporary files in TMPDIR when
  they need more than --memory. These are removed when the command ends, also
  by Ctrl-C or SIGTERM. uri_uniq and joins do not write; they end with an
  error. The process takes more than SIZE, but not twice as much.";

/// Reads a number of bytes.
fn size(word: &str) -> Result<usize, String> {
    let unit = word.chars().next_back().map_or(0, |suffix| match suffix.to_ascii_uppercase() {
        'K' => 1 << 10,
        'M' => 1 << 20,
        'G' => 1 << 30,
        _ => 0,
    });
    let number = if unit > 0 { &word[..word.len() - 1] } else { word };
    let bytes = number.parse::<usize>().ok().and_then(|number| number.checked_mul(unit.max(1)));
    let wrong = || "expected a number of bytes, at least 16M: 64M or 1G".to_owned();
    bytes.filter(|&bytes| bytes >= 16 << 20).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn sizes() {
        assert_eq!((size("16M"), size("1g")), (Ok(16 << 20), Ok(1 << 30)));
        assert!(
            ["", "K", "1K", "x", "-1M", "99999999999999999999G"].into_iter().all(|word| size(word).is_err())
        );
    }

    #[test]
    fn no_line_of_the_help_is_broken_by_a_terminal() {
        Arguments::command().debug_assert();
        let texts = [EXAMPLES, DETAILS].join("\n");
        let long: Vec<_> = texts.lines().filter(|line| line.chars().count() >= 80).collect();
        assert!(long.is_empty(), "{long:#?}");
    }
}
