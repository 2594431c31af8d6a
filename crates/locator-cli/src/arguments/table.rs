//! The options of verbs that read tables: their format, and the column of URLs.

use clap::Args;

use crate::exit::{CliError, say_error};

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

    /// Returns the format, if the input is a table.
    pub(crate) fn input(&self) -> Result<Option<TableFormat>, CliError> {
        match (self.format(), &self.column) {
            (None, None) => Ok(None),
            (Some(format), Some(_)) => Ok(Some(format)),
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

    /// Returns the format, if the input is a table and the output is that table with other values.
    pub(crate) fn output(&self, json: bool, is_filter: bool) -> Result<Option<TableFormat>, CliError> {
        let format = self.input()?;
        if format.is_some() && (json || is_filter) {
            say_error(match json {
                true => "--json is for lists; the output of a table is that table",
                false => "a table has one result for each row; omit the option that prints fewer or more",
            });
            return Err(CliError::Reported);
        }
        Ok(format)
    }
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
