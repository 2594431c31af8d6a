//! The verb `path`: converts file URIs to file paths.

use clap::Args;
use locator::scheme::file::Platform;
use locator::{Component, Edition};

use crate::arguments::{PlatformArgs, QUIET_NO_ANSWER, VerbArgsOfOneEdition, long_help};
use crate::exit::{CliError, Status};
use crate::input::reading;
use crate::output::Output;
use crate::report::failure::Failure;
use crate::run::transform::{self, Head, Made, Make};

/// Convert each file URL to a file path
///
/// Takes URLs as arguments or, one per line, from standard input. Common options: -0 for 'xargs
/// -0', -p windows for Windows paths.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("null", |null| null.help(NULL)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct PathArgs {
    #[command(flatten)]
    platform: PlatformArgs,
    #[command(flatten)]
    asked: VerbArgsOfOneEdition,
}

/// The help of `-0`.
const NULL: &str = "Separate input by NUL instead of lines, and end each path with NUL";

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

  With --json one object for each URL: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}. For a path that is not UTF-8, \"result\" shows it
  with U+FFFD, and \"result_base64\" has its bytes.";

struct ToPath {
    platform: Platform,
    edition: &'static Edition,
    /// Whether each path ends with NUL.
    null: bool,
    /// Whether a path may contain a line end, because it does not end with one.
    any: bool,
}

/// Makes a path of every URI.
pub(crate) fn run(args: &PathArgs, out: &mut Output) -> Result<Status, CliError> {
    let inputs = &args.asked.inputs;
    let platform = args.platform.named().unwrap_or(Platform::HOST);
    let verb = ToPath {
        platform,
        edition: args.asked.by.edition,
        null: inputs.null,
        any: inputs.null || inputs.json,
    };
    transform::run(inputs, Head::Input, verb, out)
}

impl Make for ToPath {
    fn unwraps(&self) -> Option<&'static Edition> {
        Some(self.edition)
    }

    // An empty item would be an empty argument for `xargs -0`.
    fn keeps_lines(&self) -> bool {
        !self.null
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
