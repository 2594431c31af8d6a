//! The verb `relative`: absolute references in, the shortest reference to each from a base out.

use std::borrow::Cow;

use clap::Args;
use locator::{Base, ResolveOptions, Uri};

use crate::arguments::{AskedByOne, BaseArgs, QUIET_NO_ANSWER, long_help};
use crate::base;
use crate::exit::{Status, Trouble};
use crate::failure::Failure;
use crate::make::{self, Head, Made, Make};
use crate::output::Output;
use crate::reading;

/// Print the shortest reference that resolves to each URL
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct RelativeArgs {
    #[command(flatten)]
    base: BaseArgs,
    /// Print a relative path (../d, not /d) where the URL has the base's scheme and
    /// host, also if it is longer
    #[arg(long)]
    path_relative: bool,
    #[command(flatten)]
    asked: AskedByOne,
}

/// After the options: what people do with it, and its exit status.
const EXAMPLES: &str = "\
Examples:
  locator relative --base http://a/b/c/d http://a/b/g http://a/b/c/this:that
  locator relative -b http://a/b/c/d --json < urls.txt | jq -r .result
  locator relative --path-relative -b http://a/b/c/d http://a/x

Exit status: 0 all have a reference, 1 at least one has none, 2 wrong use (a
base that is none, too), 130 interrupted.";

/// Before the examples with `--help`: what can be relied on.
const DETAILS: &str = "\
Output:
  One line for each URL, in their order: the shortest reference that
  'locator resolve' with the same base, edition and options makes exactly that
  URL of. It may be empty. What has none, as http://a/./g, has no line:
  standard error tells which it is and why.

  With --json every URL has its line: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}.";

struct Relative<'b> {
    base: Base<'b>,
    options: ResolveOptions,
}

/// Makes every input relative.
pub(crate) fn run(args: &RelativeArgs, out: &mut Output) -> Result<Status, Trouble> {
    let base = base::read(args.base.octets(), args.asked.by.edition, &mut out.errors())?;
    let options = args.base.options().path_relative(args.path_relative);
    make::run(&args.asked.inputs, Head::Input, Relative { base, options }, out)
}

impl Make for Relative<'_> {
    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let target = reading::read(octets, self.base.edition())?.reference;
        let target = Uri::try_from(target)?;
        let reference = self.base.relativize_with(target, self.options)?;
        Ok(Made::Reference(Cow::Owned(reference.into_string())))
    }
}
