//! The verb `path`: file URIs in, the paths of their files out.

use clap::Args;
use locator::scheme::file::Platform;
use locator::{Edition, Part};

use crate::arguments::{AskedByOne, PlatformAsked, QUIET_NO_ANSWER, long_help};
use crate::exit::{Status, Trouble};
use crate::failure::Failure;
use crate::make::{self, Head, Made, Make};
use crate::output::Output;
use crate::reading;

/// Print the path of the file that each URL names
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("null", |null| null.help(NULL)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct PathArgs {
    #[command(flatten)]
    platform: PlatformAsked,
    #[command(flatten)]
    asked: AskedByOne,
}

/// What `-0` does.
const NULL: &str = "Standard input is divided by NUL and not by lines, and each path ends with NUL";

/// After the options: what people do with it, and its exit status.
const EXAMPLES: &str = "\
Examples:
  locator path file:///home/jan/50%25%20off%3F.txt
  locator path --platform windows file:///c:/a.txt file://server/share/a.txt
  locator file photos/* | tr '\\n' '\\0' | locator path -0 | xargs -0 ls -ld

Exit status: 0 all have a path, 1 at least one has none, 2 wrong use,
130 interrupted.";

/// Before the examples with `--help`: what can be relied on.
const DETAILS: &str = "\
Output:
  One line for each URL, in their order: the path with its escapes undone,
  octet for octet; on a terminal, what is not printable ASCII is shown by its
  code. A path that holds a line end is printed with -0 or --json only.

  No path has what names another host (but for --platform windows, where it is
  a server with shares), what has a query, a fragment, a user or a port, and
  what holds an escaped delimiter or NUL, or a segment \".\" or \"..\", which
  normalize removes. Standard error tells which it is and why.

  With --json every URL has its line: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}. A path that is not UTF-8 is shown with U+FFFD,
  and as it is in \"result_base64\".";

struct ToPath {
    platform: Platform,
    edition: &'static Edition,
    /// Whether a path may hold a line end, because it ends with something else.
    any: bool,
}

/// Makes a path of every URI.
pub(crate) fn run(args: &PathArgs, out: &mut Output) -> Result<Status, Trouble> {
    let inputs = &args.asked.inputs;
    let platform = args.platform.named().unwrap_or(Platform::HOST);
    let verb = ToPath { platform, edition: args.asked.by.edition, any: inputs.null || inputs.json };
    make::run(inputs, Head::Input, verb, out)
}

impl Make for ToPath {
    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let reference = reading::read(octets, self.edition)?.reference;
        let octets = self.platform.to_path(reference);
        let octets = octets
            .map_err(|error| Failure::from(error).about(error.part().unwrap_or(Part::Path), reference))?;
        if !self.any && octets.iter().any(|octet| matches!(octet, b'\n' | b'\r')) {
            let message = "the path holds a line end: paths that end with NUL may, with -0".to_owned();
            return Err(Failure::other("line-end", message));
        }
        Ok(Made::Path { octets, ended_by_nul: self.any })
    }
}
