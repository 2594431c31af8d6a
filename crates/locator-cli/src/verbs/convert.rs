//! The verb `convert`: IRIs in, their URIs out; or the other way round (RFC 3987, section 3).

use clap::Args;
use locator::{Edition, UriRefCow};

use crate::arguments::{AskedByOne, QUIET_NO_ANSWER, long_help};
use crate::exit::{Status, Trouble};
use crate::failure::Failure;
use crate::make::{self, Head, Made, Make};
use crate::output::Output;
use crate::reading;

/// Print the URI of each IRI, or the IRI of each URI
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("edition", |edition| edition.default_value("rfc3987")))]
#[command(mut_arg("urls", |urls| urls.value_name("IRI").help(URLS)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct ConvertArgs {
    /// The other way round: undo the escapes of what an IRI may have as it is
    #[arg(long)]
    to_iri: bool,
    /// Hosts are domain names: write them in ASCII (xn--…), not as escapes
    #[arg(long, conflicts_with = "to_iri")]
    idna: bool,
    #[command(flatten)]
    asked: AskedByOne,
}

/// What it takes.
const URLS: &str =
    "The IRIs, with --to-iri the URIs; without any they are read from standard input, one a line";

/// After the options: what people do with it, and its exit status.
const EXAMPLES: &str = "\
Examples:
  locator convert http://résumé.example/é
  locator convert --idna http://résumé.example/é
  locator convert --to-iri http://example.org/D%C3%BCrst
  locator convert < iris.txt > uris.txt

Exit status: 0 all are converted, 1 at least one cannot be, 2 wrong use, 130
interrupted.";

/// Before the examples with `--help`: what can be relied on.
const DETAILS: &str = "\
Output:
  One line for each, in their order. What is not valid has no line: standard
  error tells which it is and why. Nothing else is changed: for the normal form
  of an IRI there is 'locator normalize -e rfc3987'.

  A URI has the escapes of UTF-8 for every character beyond ASCII, in the host
  as elsewhere. With --idna a host that has such characters, escaped or not, is
  taken for a domain name and written in its ASCII form (UTS 46); one that is
  no domain name is an error.

  An IRI has the characters that it may have in place of their escapes, where
  these are UTF-8. What divides a URI stays escaped, and so do characters at
  which 'locator find' ends a URL: spaces, quotes, brackets, what has no width
  or turns the direction of the text (U+202E); and private ones. Names \"xn--…\"
  stay. Where a character would not show itself on a terminal its code is
  shown: <U+200D>.

  With --json every input has its line: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}.";

struct Convert {
    edition: &'static Edition,
    to_iri: bool,
    /// Whether hosts are domain names.
    idna: bool,
}

/// Converts every input.
pub(crate) fn run(args: &ConvertArgs, out: &mut Output) -> Result<Status, Trouble> {
    let verb = Convert { edition: args.asked.by.edition, to_iri: args.to_iri, idna: args.idna };
    make::run(&args.asked.inputs, Head::Input, verb, out)
}

impl Make for Convert {
    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let reference = reading::read(octets, self.edition)?.reference;
        let converted = match (self.to_iri, self.idna) {
            (true, _) => reference.uri_to_iri()?,
            (false, false) => reference.iri_to_uri()?,
            (false, true) => reference.iri_to_uri_with_idna()?,
        };
        Ok(Made::Reference(UriRefCow::into_text(converted)))
    }
}
