//! The command lines of curl: options that are accepted and change nothing, those that are explained because
//! another does the same, and options whose order counts.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};
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

const ONLY_BASIC_AND_DIGEST: &str = "the schemes that are supported are --basic and --digest";

/// Options of wget, and of curl, that have another name here, or none.
const FOREIGN: &[(&str, &str)] = &[
    ("--adjust-extension", "files have the names of the server; use -o FILE"),
    ("--aws-sigv4", ONLY_BASIC_AND_DIGEST),
    ("--background", "use the shell: locator get … &"),
    ("--body-data", "wget's --body-data is -d"),
    ("--body-file", "wget's --body-file is -d @FILE or -T FILE"),
    ("--ca-certificate", "wget's --ca-certificate is --cacert"),
    ("--certificate", "wget's --certificate is --cert"),
    ("--content-disposition", "wget's --content-disposition is -OJ"),
    ("--continue", "wget's --continue is -C -"),
    ("--directory-prefix", "wget's -P is --output-dir DIR, with --create-dirs"),
    ("--http-password", "wget's --user and --password are -u USER:PASSWORD"),
    ("--http-user", "wget's --user and --password are -u USER:PASSWORD"),
    ("--input-file", "wget's -i is --file"),
    ("--load-cookies", "wget's --load-cookies is -b FILE"),
    ("--method", "wget's --method is -X"),
    ("--negotiate", ONLY_BASIC_AND_DIGEST),
    ("--no-certificate-check", "use -k"),
    ("--no-check-certificate", "wget's --no-check-certificate is -k"),
    ("--no-clobber", "this is the default: an existing file is never overwritten without --clobber"),
    ("--no-directories", "wget's -nd: -O saves each URL in the working directory"),
    ("--no-verbose", "wget's -nv is -s"),
    ("--ntlm", ONLY_BASIC_AND_DIGEST),
    ("--ntlm-wb", ONLY_BASIC_AND_DIGEST),
    ("--oauth2-bearer", "use -H 'Authorization: Bearer TOKEN'"),
    ("--output-document", "wget's -O FILE is -o FILE"),
    ("--password", "wget's --user and --password are -u USER:PASSWORD"),
    ("--post-data", "wget's --post-data is -d"),
    ("--post-file", "wget's --post-file is -d @FILE"),
    ("--private-key", "wget's --private-key is --key"),
    ("--proto-default", "write the scheme before the URL"),
    ("--proxy-negotiate", ONLY_BASIC_AND_DIGEST),
    ("--proxy-ntlm", ONLY_BASIC_AND_DIGEST),
    ("--save-cookies", "wget's --save-cookies is -c FILE"),
    ("--server-response", "wget's -S is -i, or -v"),
    ("--spider", "wget's --spider is -I"),
    ("--timeout", "wget's --timeout is --connect-timeout and --idle-timeout; -m limits the whole transfer"),
    ("--timestamping", "wget's -N is -R -z FILE --clobber"),
    ("--tries", "wget's --tries is --retry, which counts retries"),
    ("--wait", "URLs are fetched one after the other; use --limit-rate to limit the speed"),
    ("-P", "wget's -P is --output-dir DIR, with --create-dirs"),
    ("-t", "wget's -t is --retry, which counts retries"),
];

/// Says in an error of usage what an option of another program is called here.
pub(crate) fn explain(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else { return error };
    let name = given.split('=').next().unwrap_or_default();
    let Some((_, hint)) = FOREIGN.iter().find(|(known, _)| *known == name) else { return error };
    error.remove(ContextKind::SuggestedArg);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![(*hint).into()]));
    error
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
    fn the_hints_are_in_order() {
        assert!(FOREIGN.is_sorted_by(|one, other| one.0 < other.0));
    }

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
