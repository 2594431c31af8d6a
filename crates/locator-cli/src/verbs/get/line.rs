//! The options of curl that change how a command line is read: URLs with patterns, and those that
//! [`curl`](crate::arguments::curl) has read before the others.

use std::ffi::OsString;

use clap::{ArgAction, Args};

/// The options of the command line.
#[derive(Args, Debug)]
pub(super) struct LineArgs {
    /// Do not expand patterns in URLs, "{a,b}", "[1-10:2]" and "[a-z]"; each stands for several URLs, of which
    /// -o has the nth pattern as "#n"
    #[arg(short = 'g', long)]
    globoff: bool,
    /// Fetch URL, as if it were given without --url
    #[arg(long, value_name = "URL", value_parser = no_option)]
    url: Vec<String>,
    /// Read options and URLs from FILE, as curl does: one per line, without "--" before it, such as 'url =
    /// "http://www.example.com/"'; "-" is standard input
    #[arg(short = 'K', long, value_name = "FILE")]
    curl_config: Vec<OsString>,
    /// Begin another command line, with its own options and URLs; also "-:"
    #[arg(long, action = ArgAction::Count)]
    next: u8,
}

impl LineArgs {
    /// Returns whether patterns in URLs are expanded.
    pub(super) const fn expands(&self) -> bool {
        !self.globoff
    }

    /// Returns the files that options were read from.
    pub(super) fn files(&self) -> &[OsString] {
        &self.curl_config
    }
}

/// Refuses the value of `--url`: a URL was taken for an argument before.
fn no_option(_: &str) -> Result<String, String> {
    Err("expected a URL, and it begins with \"-\"".into())
}
