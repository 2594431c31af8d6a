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
    ("--accept-regex", "use --accept PATTERNS, such as '*.iso'"),
    ("--adjust-extension", "files have the names of the server; use -o FILE"),
    ("--auth", "httpie's --auth is -u USER:PASSWORD"),
    ("--aws-sigv4", ONLY_BASIC_AND_DIGEST),
    ("--background", "use the shell: locator get … &"),
    ("--capath", "use --cacert FILE"),
    ("--ciphers", "the ciphers of rustls are used; -k does not verify the certificate"),
    ("--convert-links", "links in saved pages are not changed; use 'locator find --absolute' to list them"),
    ("--cut-dirs", "use -o FOLDER, or --output-dir DIR, to name the folder of -r"),
    ("--domains", "-r stays on the host of the URL and below its directory"),
    ("--download", "httpie's --download is -O"),
    ("--force-directories", "use -o FILE with --create-dirs"),
    ("--http1.0", "use --http1.1"),
    ("--http2-prior-knowledge", "use --http2, with an https URL"),
    ("--http3", "use --http2"),
    ("--interface", "the system chooses the interface; -4 and -6 choose the IP version"),
    ("--negotiate", ONLY_BASIC_AND_DIGEST),
    ("--no-directories", "wget's -nd: -O saves each URL in the working directory"),
    ("--no-location", "redirects are followed; --max-redirs 0 prints the redirect"),
    ("--ntlm", ONLY_BASIC_AND_DIGEST),
    ("--ntlm-wb", ONLY_BASIC_AND_DIGEST),
    (
        "--page-requisites",
        "use: locator get URL | locator find --as html --absolute --base URL | locator get -Z -O",
    ),
    ("--post301", "after 301, 302 and 303 a POST becomes a GET"),
    ("--post302", "after 301, 302 and 303 a POST becomes a GET"),
    ("--post303", "after 301, 302 and 303 a POST becomes a GET"),
    ("--proto-default", "write the scheme before the URL"),
    ("--proxy-cacert", "-k and --cacert are for the proxy, too"),
    ("--proxy-insecure", "-k and --cacert are for the proxy, too"),
    ("--proxy-negotiate", ONLY_BASIC_AND_DIGEST),
    ("--proxy-ntlm", ONLY_BASIC_AND_DIGEST),
    ("--quota", "use --max-filesize SIZE for each file"),
    ("--random-wait", "URLs are fetched one after the other; use --limit-rate to limit the speed"),
    ("--reject-regex", "use --reject PATTERNS, such as '*.html'"),
    ("--remove-on-error", "what was received stays in FILE.part, for -C -; --clobber starts over"),
    ("--server-response", "wget's -S is -i, or -v"),
    ("--skip-existing", "use -C -: a file that is complete is kept"),
    ("--span-hosts", "-r stays on the host of the URL and below its directory"),
    ("--stderr", "use the shell: 2> FILE"),
    ("--timestamping", "wget's -N is -R -z FILE --clobber"),
    ("--trace", "use -v"),
    ("--trace-ascii", "use -v"),
    ("--trace-time", "use -v"),
    (
        "--trust-server-names",
        "-O takes the name from the given URL; use -OJ for the name that the server suggests",
    ),
    ("--url-query", "use -G --data-urlencode NAME=VALUE"),
    ("--verify", "httpie's --verify=no is -k"),
    ("--wait", "URLs are fetched one after the other; use --limit-rate to limit the speed"),
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
