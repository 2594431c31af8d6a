//! The verb `relative`: prints the shortest relative reference to each absolute one from a base.

use std::borrow::Cow;

use clap::Args;
use locator::{Base, Edition, ResolveOptions, Uri};

use crate::arguments::{
    BaseArgs, FillArgs, NULL_ENDS_RESULTS, QUIET_NO_ANSWER, Standard, VerbArgsOfOneStandard, long_help,
};
use crate::exit::{CliError, Status};
use crate::input::reading;
use crate::output::Output;
use crate::report::failure::Failure;
use crate::run;
use crate::run::transform::{self, Head, Made, Make};
use crate::verbs::whatwg::{UrlRelative, of_edition};

/// Print the shortest relative reference from a base to each URL
///
/// The inverse of 'locator resolve'. Takes absolute URLs as arguments or, one per line, from
/// standard input; --base URL is required.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("null", |null| null.help(NULL_ENDS_RESULTS)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct RelativeArgs {
    #[command(flatten)]
    base: BaseArgs,
    /// Print a relative path (../d, not /d) where scheme and host are those of the
    /// base, even if it is longer
    #[arg(long)]
    path_relative: bool,
    #[command(flatten)]
    table: FillArgs,
    #[command(flatten)]
    asked: VerbArgsOfOneStandard,
}

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator relative -b http://a/b/c/d http://a/b/g http://a/b/c/this:that
  locator relative -b http://a/b/c/d --json < urls.txt | jq -r .result
  locator relative --path-relative -b http://a/b/c/d http://a/x

Exit status:
  0    every URL has a reference
  1    at least one URL has no reference
  2    wrong usage, or the base is not valid
  130  interrupted";

/// Before the examples in `--help`: output.
const DETAILS: &str = "\
Output:
  One line for each URL, in the same order: the shortest reference that
  'locator resolve' with the same base, edition and options resolves to exactly
  that URL. It may be empty. A URL without such a reference, as http://a/./g,
  has an empty line; the reason is printed on standard error. With -e whatwg
  it is one that browsers resolve to that URL, a path relative to the base.

  With --csv, --tsv or --ndjson the input is a table, in files or standard
  input, and so is the output: the result replaces the URL in the column
  of --column. All other bytes stay, and so does a URL without a result.

  With --json one object for each URL: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}.";

struct Relative<'b> {
    base: Base<'b>,
    options: ResolveOptions,
}

/// Makes every input relative.
pub(crate) fn run(args: &RelativeArgs, out: &mut Output) -> Result<Status, CliError> {
    let Standard::Edition(edition) = args.asked.by.edition else {
        if let Some(option) = args.base.of_edition() {
            return Err(of_edition(option));
        }
        let verb = UrlRelative::new(args.base.octets(), &mut out.errors())?;
        return transform::run_or_fill(&args.table, &args.asked.inputs, Head::Input, false, verb, out);
    };
    let base = run::read_base(args.base.octets(), edition, &mut out.errors())?;
    let options = args.base.options().path_relative(args.path_relative);
    transform::run_or_fill(
        &args.table,
        &args.asked.inputs,
        Head::Input,
        false,
        Relative { base, options },
        out,
    )
}

impl Make for Relative<'_> {
    fn unwraps(&self) -> Option<&'static Edition> {
        Some(self.base.edition())
    }

    fn keeps_lines(&self) -> bool {
        true
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let target = reading::read(octets, self.base.edition())?.reference;
        let target = Uri::try_from(target)?;
        let reference = self.base.make_relative_with(target, self.options)?;
        Ok(Made::Reference(Cow::Owned(reference.into_string())))
    }
}
