//! The verb `resolve`: resolves references against a base.

use std::borrow::Cow;

use clap::Args;
use locator::{Base, Edition, ResolveOptions, Resolved};

use crate::arguments::{
    BaseArgs, FillArgs, NULL_ENDS_RESULTS, QUIET_NO_ANSWER, Standard, VerbArgsOfOneStandard, long_help,
};
use crate::exit::{CliError, Status};
use crate::input::reading;
use crate::output::Output;
use crate::report::failure::{Failure, Side};
use crate::run;
use crate::run::transform::{self, Head, Made, Make};
use crate::verbs::whatwg::{UrlResolve, of_edition};

/// Resolve each reference against a base URL
///
/// Takes references as arguments or, one per line, from standard input; --base URL is required.
/// Common options: -e NAME resolves by another edition, --leftover and --empty override its rules.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("urls", |urls| urls.value_name("REF").help(URLS)))]
#[command(mut_arg("null", |null| null.help(NULL_ENDS_RESULTS)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct ResolveArgs {
    #[command(flatten)]
    base: BaseArgs,
    #[command(flatten)]
    table: FillArgs,
    #[command(flatten)]
    asked: VerbArgsOfOneStandard,
}

/// The help of the inputs.
const URLS: &str = "References to resolve; if none is given, they are read from standard input, one per line";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator resolve --base http://a/b/c/d ../g '?y' '#s'
  locator resolve -b http://a/b/c/d --leftover refuse ../../../g
  locator resolve -b http://a/b/c/d -e url-1997 '?y'
  locator resolve -b http://a/b/c/d -e whatwg '\\\\evil.example'
  locator resolve -b http://a/b/c/d --json < hrefs.txt | jq -r .result

Exit status:
  0    every reference is resolved
  1    at least one cannot be resolved, or its result is not valid
  2    wrong usage, or the base is not valid
  130  interrupted";

/// Before the examples in `--help`: input and output.
const DETAILS: &str = "\
Input:
  A line ends with LF or CR LF. An empty line is an empty reference. With -0
  references are separated by NUL, and every other byte belongs to them.

Output:
  One line for each reference, in the same order: the absolute URL. Some
  editions resolve an empty reference or \"#s\" not to the base but to the
  document that contains it; the line is then \"(current document)\" or
  \"(current document)#s\". A reference that cannot be resolved has an empty
  line; the reason is printed on standard error. A result that the edition
  rejects, such as ftp://a for \"..\" on ftp://a/b/c in url-1993, is printed and
  also reported on standard error, and the exit status is 1.

  With --csv, --tsv or --ndjson the input is a table, in files or standard
  input, and so is the output: the result replaces the reference in the column
  of --column. All other bytes stay, and so does one without a result.

  With --json one object for each reference:
    {\"base\":…,\"reference\":…,\"edition\":…,\"result\":…}
  or, instead of \"result\", \"current_document\":true with its \"fragment\", or
  \"error\":{…}. For an invalid reference, the error is that of read --json; for
  others it has \"kind\" (\"base-opaque\", \"leftover\"), \"message\", \"see\" and a
  position, which is in the base if there is \"of\":\"base\". A result that the
  edition rejects has \"result\" and an error of \"kind\":\"result-not-valid\".

  url-1994 and rfc1738 do not define resolution. With -e whatwg the result is
  that of browsers: \"\\\" is \"/\" in http and https, \"/\\host\" is another host, and
  --leftover, --empty and --same-scheme have no meaning.";

struct Resolve<'b> {
    base: Base<'b>,
    options: ResolveOptions,
    target: String,
}

/// Resolves every input.
pub(crate) fn run(args: &ResolveArgs, out: &mut Output) -> Result<Status, CliError> {
    let ResolveArgs { base: given, table, asked } = args;
    let text = String::from_utf8_lossy(given.octets());
    let head = Head::Resolve { base: text, edition: asked.by.edition.name() };
    let Standard::Edition(edition) = asked.by.edition else {
        if let Some(option) = given.of_edition() {
            return Err(of_edition(option));
        }
        let verb = UrlResolve::new(given.octets(), &mut out.errors())?;
        return transform::run_or_fill(table, &asked.inputs, head, false, verb, out);
    };
    let base = run::read_base(given.octets(), edition, &mut out.errors())?;
    let verb = Resolve { base, options: given.options(), target: String::new() };
    transform::run_or_fill(table, &asked.inputs, head, false, verb, out)
}

impl Make for Resolve<'_> {
    const TAKES_NAMES_OF_FILES: bool = true;

    fn unwraps(&self) -> Option<&'static Edition> {
        Some(self.base.edition())
    }

    fn keeps_lines(&self) -> bool {
        true
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let reference = reading::parse(octets, self.base.edition())?;
        let resolved = self.base.resolve_into(reference, self.options, &mut self.target);
        let in_base = |error| Failure::from(error).shown_in(self.base.as_str(), Side::Base);
        Ok(match resolved.map_err(in_base)? {
            Resolved::Uri(text) => match reading::read(text.as_bytes(), self.base.edition()) {
                Ok(_) => Made::Reference(Cow::Borrowed(text)),
                Err(error) => Made::Refused { text, why: Failure::result_not_valid(text, &error) },
            },
            Resolved::CurrentDocument { fragment } => {
                Made::CurrentDocument { fragment: fragment.map(|fragment| fragment.as_str()) }
            }
        })
    }
}
