//! The verb `file`: paths of files in, their URIs out. A relative path is one of the directory that the command
//! runs in, unless another platform's paths are meant.

use std::borrow::Cow;

use clap::Args;
use locator::scheme::file::Platform;

use crate::arguments::{Inputs, PlatformAsked, QUIET_NO_ANSWER, long_help};
use crate::exit::{Status, Trouble};
use crate::failure::Failure;
use crate::make::{self, Head, Made, Make};
use crate::output::Output;
use crate::paths::absolute;
use crate::terminal::visible;

/// Print the file URI of each path
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("urls", |urls| urls.value_name("PATH").help(URLS)))]
#[command(mut_arg("null", |null| null.help(NULL)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct FileArgs {
    #[command(flatten)]
    platform: PlatformAsked,
    /// The paths are those of directories, so that each URL ends with "/"
    #[arg(short, long)]
    directory: bool,
    #[command(flatten)]
    inputs: Inputs,
}

/// What it takes.
const URLS: &str = "The paths; without any they are read from standard input, one a line";

/// What `-0` does.
const NULL: &str = "Standard input is divided by NUL and not by lines, and each URL ends with NUL";

/// After the options: what people do with it, and its exit status.
const EXAMPLES: &str = "\
Examples:
  locator file '/home/jan/50% off?.txt'
  locator file --directory .cache/
  locator file --platform windows 'C:\\Users\\jan\\a b.txt' '\\\\server\\share'
  find . -type f -print0 | locator file -0

Exit status: 0 all have a URL, 1 at least one has none, 2 wrong use,
130 interrupted.";

/// Before the examples with `--help`: what can be relied on.
const DETAILS: &str = "\
Input:
  A path is octets. Without --platform a relative one is a path in the working
  directory; with it, there is none. --platform posix: a path begins with \"/\".
  --platform windows: with a drive or with a server and a share, \"/\" is as good
  as \"\\\", and names are UTF-8.

Output:
  One line for each path, with -0 NUL after each, in their order: its URL as
  RFC 8089 has it, with all that may not stand in a URL escaped. A last \"/\"
  stays; with --directory there always is one, so that the URL is a base for
  what is in the directory.

  A path with a segment \"..\" or \".\" has none, because after a symbolic link a
  URL's \"..\" is not the file system's: realpath tells where it leads. Nor have
  Windows paths that begin with \\\\?\\ or \\\\.\\.

  With --json every path has its line: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{\"kind\":…,\"offset\":…,\"message\":…,\"see\":…}}.";

struct File {
    platform: Platform,
    /// Whether relative paths are of the working directory.
    is_here: bool,
    directory: bool,
    /// Whether each URL ends with NUL.
    null: bool,
}

/// Makes a URI of every path.
pub(crate) fn run(args: &FileArgs, out: &mut Output) -> Result<Status, Trouble> {
    let platform = args.platform.named();
    let verb = File {
        platform: platform.unwrap_or(Platform::HOST),
        is_here: platform.is_none(),
        directory: args.directory,
        null: args.inputs.null,
    };
    make::run(&args.inputs, Head::Input, verb, out)
}

impl Make for File {
    const TAKES_NAMES_OF_FILES: bool = true;

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let here = if self.is_here { absolute(octets) } else { None };
        let path = here.as_ref().map_or(octets, |path| path.as_os_str().as_encoded_bytes());
        let made = match self.directory {
            true => self.platform.to_directory_uri(path),
            false => self.platform.to_uri(path),
        };
        match (made, here) {
            (Ok(uri), _) if self.null => {
                Ok(Made::Path { octets: uri.into_string().into_bytes(), ended_by_nul: true })
            }
            (Ok(uri), _) => Ok(Made::Reference(Cow::Owned(uri.into_string()))),
            (Err(error), None) => Err(error.into()),
            // Its place is one in the path that was made.
            (Err(error), Some(path)) => {
                let whole = path.to_string_lossy();
                let see = error.see().map(str::to_owned);
                let message = format!("{}, in {}", error.message(), visible(&whole));
                Err(Failure::Other { kind: error.name(), message, see, place: None })
            }
        }
    }
}
