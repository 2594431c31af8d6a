//! The command lines of curl: options that are accepted and change nothing, and options whose order counts.

use std::ffi::OsString;

use clap::{ArgAction, Args};

use super::http::{Schemes, schemes};

/// Options that are accepted.
#[derive(Args, Debug)]
pub(super) struct AcceptedArgs {
    /// Do not remove "/../" and "/./" from URLs; this is the default
    #[arg(long)]
    path_as_is: bool,
    /// Print the body of an error response, and exit with 1; this is the default
    #[arg(long, conflicts_with = "fail")]
    fail_with_body: bool,
    /// Show no progress; notes and errors are shown
    #[arg(long)]
    no_progress_meter: bool,
    /// Show the progress; this is the default at a terminal
    #[arg(short = '#', long)]
    progress_bar: bool,
    /// Use TLS 1.2 or later; this is the default
    #[arg(short = '1', long = "tlsv1.2", visible_aliases = ["tlsv1", "tlsv1.0", "tlsv1.1"])]
    tlsv1_2: bool,
    /// Fetch only URLs of these schemes ("=https"), also after redirects
    #[arg(long, value_name = "SCHEMES", allow_hyphen_values = true, value_parser = allowed)]
    proto: Option<Schemes>,
}

/// The schemes of `--proto`, which are those of `get`.
const SCHEMES: &[&str] = &[
    "http", "https", "ws", "wss", "ftp", "ftps", "gopher", "news", "nntp", "snews", "wais", "prospero",
    "whois", "file", "data", "mailto", "telnet", "rlogin", "tn3270", "mid", "cid", "z39.50s", "z39.50r",
];

fn allowed(word: &str) -> Result<Schemes, String> {
    let found = schemes(word, SCHEMES, SCHEMES.len(), true);
    found.ok_or_else(|| "expected names of schemes, such as =https, -all,https or -ftp".into())
}

impl AcceptedArgs {
    /// Returns the schemes that may be fetched, if not all.
    pub(super) fn schemes(&self) -> Option<&Schemes> {
        self.proto.as_ref()
    }

    /// Returns whether no progress is shown.
    pub(super) const fn hides_progress(&self) -> bool {
        self.no_progress_meter
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_that_are_fetched() {
        assert_eq!(allowed("=https").unwrap(), ["https"]);
        assert_eq!(allowed("-all,https,ftp").unwrap(), ["https", "ftp"]);
        assert_eq!(allowed("-http").unwrap().len(), SCHEMES.len() - 1);
        assert_eq!(allowed("-all, +https").unwrap(), ["https"]);
        assert_eq!(allowed("=https,sftp").unwrap(), ["https"]);
        assert_eq!(allowed("=scp").unwrap(), [""; 0]);
        assert_eq!(allowed("all,-ftp,-dict").unwrap().len(), SCHEMES.len() - 1);
        assert!(allowed("=httpx").is_err() && allowed("").is_err() && allowed("=https,").is_err());
    }
}
