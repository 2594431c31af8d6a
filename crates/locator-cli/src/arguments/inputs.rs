//! What the verbs are asked that take URLs: where these are, and what is said of them. Words of the command line in,
//! values out.

use std::ffi::OsString;

use clap::Args;

use super::edition::{By, NameParser, Selection};

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

/// What the verbs are asked that go by one edition.
#[derive(Args, Debug)]
pub(crate) struct AskedByOne {
    #[command(flatten)]
    pub(crate) by: By,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
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

/// What `-q` does where not every input that is valid has an answer.
pub(crate) const QUIET_NO_ANSWER: &str =
    "Say nothing; the exit status tells, and the first that has no answer ends the run";

/// Whether what is not valid is repaired first.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct RepairAsked {
    /// Escape what no URL may hold, as browsers do: a space, "|", é; standard error
    /// tells what was read
    #[arg(long)]
    pub(crate) repair: bool,
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
