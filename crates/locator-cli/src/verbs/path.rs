//! The verb `path`: converts file URIs to file paths.

use std::ffi::OsStr;

use clap::Args;
use locator::scheme::file::Platform;
use locator::{Component, Edition};

use crate::arguments::{
    FillArgs, NULL_ENDS_RESULTS, PlatformArgs, QUIET_NO_ANSWER, VerbArgsOfOneEdition, long_help,
};
use crate::exit::{CliError, Status, say_help};
use crate::input::reading;
use crate::output::Output;
use crate::pasted;
use crate::report::failure::Failure;
use crate::run::transform::{self, Head, Made, Make};
use crate::terminal::secrets;

/// Convert each file URL to a file path
///
/// Takes URLs as arguments or, one per line, from standard input. Common options: -0 for 'xargs
/// -0', -p windows for Windows paths.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
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
const EXAMPLES: &str = "\
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
const DETAILS: &str = "\
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

struct ToPath {
    platform: Platform,
    edition: &'static Edition,
    /// Whether a path may contain a line end, because it does not end with one.
    any: bool,
}

/// Makes a path of every URI.
pub(crate) fn run(args: &PathArgs, out: &mut Output) -> Result<Status, CliError> {
    let inputs = &args.asked.inputs;
    let platform = args.platform.named().unwrap_or(Platform::HOST);
    let verb = ToPath { platform, edition: args.asked.by.edition, any: inputs.null || inputs.json };
    let status = transform::run_or_fill(&args.table, inputs, Head::Input, false, verb, out)?;
    let is_heard = !inputs.quiet && !inputs.json && !inputs.no_messages;
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
