//! The verb `resolve`: references in, their absolute form out.

use std::borrow::Cow;

use clap::Args;
use locator::{Base, ResolveOptions, Resolved, UriRef};

use crate::arguments::{AskedByOne, BaseArgs, QUIET_NO_ANSWER, long_help};
use crate::base;
use crate::exit::{Status, Trouble};
use crate::failure::{Failure, Of};
use crate::make::{self, Head, Made, Make};
use crate::output::Output;
use crate::reading;

/// Print the absolute form of each reference that stands in a document
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("urls", |urls| urls.value_name("REF").help(URLS)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct ResolveArgs {
    #[command(flatten)]
    base: BaseArgs,
    #[command(flatten)]
    asked: AskedByOne,
}

/// What it takes.
const URLS: &str = "The references; without any they are read from standard input, one a line";

/// After the options: what people do with it, and its exit status.
const EXAMPLES: &str = "\
Examples:
  locator resolve --base http://a/b/c/d ../g '?y' '#s'
  locator resolve -b http://a/b/c/d --leftover refuse ../../../g
  locator resolve -b http://a/b/c/d -e url-1997 '?y'
  locator resolve -b http://a/b/c/d --json < hrefs.txt | jq -r .result

Exit status: 0 all are resolved, 1 at least one cannot be, 2 wrong use (a base
that is none, too), 130 interrupted.";

/// Before the examples with `--help`: what can be relied on.
const DETAILS: &str = "\
Input:
  A line ends in LF or CR LF; an empty line is an empty reference. With -0
  every octet between two NULs is data.

Output:
  One line for each reference, in their order. A reference to the document it
  stands in, which need not be the base, is \"(current document)\" or
  \"(current document)#s\". What cannot be resolved has no line: standard error
  tells which it is and why. A result that the edition refuses has its line
  (ftp://a for .. on ftp://a/b/c, by url-1993); standard error reports it, and
  the exit status is 1.

  With --json every reference has its line:
    {\"base\":…,\"reference\":…,\"edition\":…,\"result\":…}
  or, in place of \"result\", \"current_document\":true with its \"fragment\", or
  \"error\":{…}: as in read --json where the reference is not valid, else \"kind\"
  (\"base-opaque\", \"leftover\"), \"message\", \"see\" and the octets that it is
  about; \"of\":\"base\" if they are of the base. A result that the edition
  refuses has both, with \"kind\":\"result-not-valid\".

  url-1994 and rfc1738 do not say how a reference is resolved.";

struct Resolve<'b> {
    base: Base<'b>,
    options: ResolveOptions,
    target: String,
}

/// Resolves every input.
pub(crate) fn run(args: &ResolveArgs, out: &mut Output) -> Result<Status, Trouble> {
    let ResolveArgs { base: given, asked } = args;
    let base = base::read(given.octets(), asked.by.edition, &mut out.errors())?;
    let head = Head::Resolve { base: String::from_utf8_lossy(given.octets()), edition: asked.by.edition };
    let verb = Resolve { base, options: given.options(), target: String::new() };
    make::run(&asked.inputs, head, verb, out)
}

impl Make for Resolve<'_> {
    const TAKES_NAMES_OF_FILES: bool = true;

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let reference = UriRef::from_octets(octets, self.base.edition())?;
        let resolved = self.base.resolve_into(reference, self.options, &mut self.target);
        let in_base = |error| Failure::from(error).shown_in(self.base.as_str(), Of::Base);
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
