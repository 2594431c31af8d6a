//! The options of verbs that read tables: their format, and the column of URLs.

use clap::Args;

use crate::exit::{CliError, say_error};

/// The format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableFormat {
    /// Comma-separated values (RFC 4180).
    Csv,
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
    /// The column with the URLs: its name, or its number from 1
    #[arg(long, value_name = "COLUMN", help_heading = TABLES)]
    pub(crate) column: Option<String>,
    /// The table has no line of names; --column is a number
    #[arg(long, visible_alias = "no-header", requires = "column", conflicts_with = "ndjson")]
    #[arg(hide_short_help = true, help_heading = TABLES)]
    pub(crate) no_headers: bool,
}

impl TableArgs {
    /// Returns the format, if one is given.
    pub(crate) const fn format(&self) -> Option<TableFormat> {
        match (self.csv, self.tsv, self.ndjson) {
            (true, ..) => Some(TableFormat::Csv),
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
