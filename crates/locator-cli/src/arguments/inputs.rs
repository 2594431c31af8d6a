//! What the verbs are asked that take URLs: where these are, what is said of them, and the edition. Words of the command
//! line in, values out.

use std::ffi::OsString;

use clap::Args;
use locator::Edition;

use crate::selection::{NameParser, OneNameParser, Selection};

/// What `read` and `check` are asked.
#[derive(Args, Debug)]
pub(crate) struct Asked {
    /// The edition of the standard to read by, or "all"
    #[arg(short, long, value_name = "NAME", default_value = "rfc3986", ignore_case = true)]
    #[arg(value_parser = NameParser)]
    pub(crate) edition: Selection,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

/// What `check` is asked besides.
#[derive(Args, Debug)]
pub(crate) struct Checks {
    /// Tell every error of a URL, not just the first
    #[arg(short, long)]
    pub(crate) all: bool,
    /// Demand a scheme: a relative reference is an error
    #[arg(short = 'A', long)]
    pub(crate) absolute: bool,
    /// Let warnings count as errors: what is valid and probably not meant
    #[arg(short, long)]
    pub(crate) lint: bool,
    /// Each line has a place before its URL, FILE:LINE:COLUMN:, as 'locator find'
    /// prints it
    #[arg(long)]
    pub(crate) places: bool,
}

/// What the verbs are asked that go by one edition.
#[derive(Args, Debug)]
pub(crate) struct AskedByOne {
    #[command(flatten)]
    pub(crate) by: By,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

/// The edition to go by.
#[derive(Args, Debug)]
pub(crate) struct By {
    /// The edition of the standard to go by
    #[arg(short, long, value_name = "NAME", default_value = "rfc3986", ignore_case = true)]
    #[arg(value_parser = OneNameParser)]
    pub(crate) edition: &'static Edition,
}

/// What every verb that takes URLs understands.
#[derive(Args, Debug)]
pub(crate) struct Inputs {
    /// The URLs; without any they are read from standard input, one a line
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<OsString>,
    /// Read them from a file, one a line; "-" is standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "urls")]
    pub(crate) file: Option<OsString>,
    /// One JSON object a line, for programs
    #[arg(long)]
    pub(crate) json: bool,
    /// The list is divided by NUL and not by lines
    #[arg(short = '0', long)]
    pub(crate) null: bool,
    /// Refuse a line that is longer, and end the run: a number with K, M or G
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = size)]
    pub(crate) max_line: usize,
    /// Say nothing; the exit status tells, and the first URL not valid ends the run
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Tell each error in one line, as is done after the first ten
    #[arg(long)]
    pub(crate) brief: bool,
    /// Tell no errors; the exit status does
    #[arg(short = 's', long)]
    pub(crate) no_messages: bool,
}

/// Reads a number of octets: `4096`, `64K`, `16M`, `1G`.
fn size(word: &str) -> Result<usize, String> {
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
        .ok_or_else(|| "a number of octets is expected: 65536, 64K, 16M or 1G".into())
}
