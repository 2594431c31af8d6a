//! The verbs `file` and `path`: convert file paths to file URLs, and back (RFC 8089). A relative path is relative to the
//! working directory, unless `--platform` is given.

use std::borrow::Cow;
use std::ffi::OsStr;

use clap::Args;
use locator::scheme::file::Platform;
use locator::{Component, Edition};

use crate::arguments::{
    FillArgs, Inputs, NULL_ENDS_RESULTS, PlatformArgs, QUIET_NO_ANSWER, VerbArgsOfOneEdition, long_help,
};
use crate::exit::{CliError, Status, say, say_help};
use crate::input::paths::absolute;
use crate::input::reading;
use crate::output::Output;
use crate::pasted;
use crate::report::failure::Failure;
use crate::run::transform::{self, Head, Made, Make};
use crate::terminal::{secrets, visible};

/// Convert each file path to a file URL
///
/// Takes paths as arguments or, one per line, from standard input. Common options: -0 for the
/// output of 'find -print0', -d for directories, -p windows for Windows paths.
#[derive(Args, Debug)]
#[command(after_help = FILE_EXAMPLES, after_long_help = long_help(FILE_DETAILS, FILE_EXAMPLES))]
#[command(mut_arg("urls", |urls| urls.value_name("PATH").help(PATHS)))]
#[command(mut_arg("null", |null| null.help(NULL_ENDS_RESULTS)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct FileArgs {
    #[command(flatten)]
    platform: PlatformArgs,
    /// Treat the paths as directories: end each URL with "/"
    #[arg(short, long)]
    directory: bool,
    #[command(flatten)]
    table: FillArgs,
    #[command(flatten)]
    inputs: Inputs,
}

/// The help of the inputs.
const PATHS: &str = "Paths to convert; if none is given, they are read from standard input, one per line";

/// After the options: examples and exit status.
const FILE_EXAMPLES: &str = "\
Examples:
  locator file '/home/jan/50% off?.txt'
  locator file --directory .cache/
  locator file --platform windows 'C:\\Users\\jan\\a b.txt' '\\\\server\\share'
  locator file -p vms 'DISK$USER:[MY.NOTES]NOTE.TXT'
  find . -type f -print0 | locator file -0

Exit status:
  0    every path has a URL
  1    at least one path has no URL
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`: input and output.
const FILE_DETAILS: &str = "\
Input:
  A path is a sequence of bytes. Without --platform, a relative path is
  relative to the working directory; with it, a relative path is an error.
  --platform posix: a path begins with \"/\". --platform windows: a path begins
  with a drive or with a server and a share, \"/\" is the same as \"\\\", and names
  are UTF-8. --platform vms: a path is DEVICE:[DIRECTORY.DIRECTORY]NAME, and
  its URL is in lower case, since names have no case; the node of NODE:: is
  the host.

Output:
  One line for each path, in the same order: its URL according to RFC 8089,
  with characters not allowed in a URL percent-encoded. With -0, NUL follows
  each URL. A \"/\" at the end is kept; with --directory it is added, so that the
  URL can be the base for files in the directory. A path that has no URL has an
  empty line (with -0 nothing); the reason is printed on standard error.

  A path that contains a segment \"..\" or \".\" has no URL: in a path \"..\" may
  follow a symbolic link, in a URL it does not. Use realpath first. Windows
  paths that begin with \\\\?\\ or \\\\.\\ have no URL either.

  With --csv, --tsv or --ndjson the input is a table, in files or standard
  input, and so is the output: the result replaces the path in the column
  of --column. All other bytes stay, and so does a path without a result.

  With --json one object for each path: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{\"kind\":…,\"offset\":…,\"message\":…,\"see\":…}}.";

/// Convert each file URL to a file path
///
/// Takes URLs as arguments or, one per line, from standard input. Common options: -0 for 'xargs
/// -0', -p windows for Windows paths.
#[derive(Args, Debug)]
#[command(after_help = PATH_EXAMPLES, after_long_help = long_help(PATH_DETAILS, PATH_EXAMPLES))]
#[command(mut_arg("null", |null| null.help(NULL_ENDS_RESULTS)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct PathArgs {
    #[command(flatten)]
    platform: PlatformArgs,
    #[command(flatten)]
    table: FillArgs,
    #[command(flatten)]
    asked: VerbArgsOfOneEdition,
}

/// After the options: examples and exit status.
const PATH_EXAMPLES: &str = "\
Examples:
  locator path file:///home/jan/50%25%20off%3F.txt
  locator path -p windows file:///c:/a.txt file://server/share/a.txt
  locator path -p vms 'file:///disk$user/my/notes/note.txt'
  locator file photos/* | tr '\\n' '\\0' | locator path -0 | xargs -0 ls -ld

Exit status:
  0    every URL has a path
  1    at least one URL has no path
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`: output.
const PATH_DETAILS: &str = "\
Output:
  One line for each URL, in the same order: the decoded path, byte for byte. On
  a terminal, characters that are not printable ASCII are shown by code. A path
  that contains a line end is printed only with -0 or --json. A URL that has no
  path has an empty line (with -0 nothing); the reason is printed on standard
  error.

  These URLs have no path: a URL that names another host (except with
  --platform windows, where the host is a server with shares, and vms, where it
  is a node), that has a
  query, a fragment, a user or a port, that contains an encoded delimiter or
  NUL, or a segment \".\" or \"..\" (use 'locator normalize' first).

  With --csv, --tsv or --ndjson the input is a table, in files or standard
  input, and so is the output: the result replaces the URL in the column
  of --column. All other bytes stay, and so does a URL without a result.

  With --json one object for each URL: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}. For a path that is not UTF-8, \"result\" shows it
  with U+FFFD, and \"result_base64\" has its bytes.";

/// Makes URLs of paths.
struct ToUrl {
    platform: Platform,
    /// Whether relative paths are of the working directory.
    is_here: bool,
    directory: bool,
}

/// Makes a URI of every path.
pub(crate) fn to_url(args: &FileArgs, out: &mut Output) -> Result<Status, CliError> {
    let platform = args.platform.named();
    let verb = ToUrl {
        platform: platform.unwrap_or(Platform::HOST),
        is_here: platform.is_none(),
        directory: args.directory,
    };
    let inputs = &args.inputs;
    if let Some(url) = inputs.urls.iter().find(|url| pasted::begins_with_scheme(url.as_encoded_bytes()))
        && !inputs.is_silent()
    {
        let url = secrets::redacted(&url.to_string_lossy()).to_string();
        say(&format!(
            "{} is read as the name of a file, but it is a URL; 'locator path' makes a path of a file: URL",
            visible(&url)
        ));
    }
    transform::run_or_fill(&args.table, &args.inputs, Head::Input, false, verb, out)
}

impl Make for ToUrl {
    const TAKES_NAMES_OF_FILES: bool = true;
    const TAKES_URLS: bool = false;
    const NOUN: &'static str = "path";

    fn unwraps(&self) -> Option<&'static Edition> {
        None
    }

    fn keeps_lines(&self) -> bool {
        true
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let here = if self.is_here { absolute(octets) } else { None };
        let path = here.as_ref().map_or(octets, |path| path.as_os_str().as_encoded_bytes());
        let made = match self.directory {
            true => self.platform.to_directory_uri(path),
            false => self.platform.to_uri(path),
        };
        match (made, here) {
            (Ok(uri), _) => Ok(Made::Reference(Cow::Owned(uri.into_string()))),
            (Err(error), None) => Err(error.into()),
            // The position is one in the absolute path.
            (Err(error), Some(path)) => {
                let whole = path.to_string_lossy();
                let see = error.citation().map(str::to_owned);
                let message = format!("{}, in {}", error.message(), visible(&whole));
                Err(Failure::Other { kind: error.name(), message, see, place: None })
            }
        }
    }
}

/// Makes paths of URLs.
struct ToPath {
    platform: Platform,
    edition: &'static Edition,
    /// Whether a path may contain a line end, because it does not end with one.
    any: bool,
}

/// Makes a path of every URI.
pub(crate) fn to_path(args: &PathArgs, out: &mut Output) -> Result<Status, CliError> {
    let inputs = &args.asked.inputs;
    let platform = args.platform.named().unwrap_or(Platform::HOST);
    let verb = ToPath { platform, edition: args.asked.by.edition, any: inputs.null || inputs.json };
    let status = transform::run_or_fill(&args.table, inputs, Head::Input, false, verb, out)?;
    let is_heard = !inputs.is_silent() && !inputs.json;
    if let Some(url) = inputs.urls.iter().find(|url| is_of_web(url)).filter(|_| is_heard) {
        let url = pasted::shell_word(&secrets::redacted(&url.to_string_lossy()).to_string());
        say_help(&format!(
            "only file: URLs have a path of a file; did you mean: locator edit -g '{{path}}' {url}"
        ));
    }
    Ok(status)
}

/// Returns whether an argument is a URL of another scheme than file.
fn is_of_web(url: &OsStr) -> bool {
    let octets = url.as_encoded_bytes();
    let is_file = octets.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"file:"));
    !is_file && pasted::begins_with_scheme(octets)
}

impl Make for ToPath {
    fn unwraps(&self) -> Option<&'static Edition> {
        Some(self.edition)
    }

    fn keeps_lines(&self) -> bool {
        true
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let reference = reading::read(octets, self.edition)?.reference;
        let octets = self.platform.to_path(reference);
        let octets = octets.map_err(|error| {
            Failure::from(error).about(error.component().unwrap_or(Component::Path), reference)
        })?;
        if !self.any && octets.iter().any(|octet| matches!(octet, b'\n' | b'\r')) {
            let message = "the path contains a line end; use -0 to end paths with NUL".to_owned();
            return Err(Failure::other("line-end", message));
        }
        Ok(Made::Octets { octets, ended_by_nul: self.any })
    }
}
