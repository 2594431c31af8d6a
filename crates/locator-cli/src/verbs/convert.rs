//! The verb `convert`: converts IRIs to URIs, or URIs to IRIs (RFC 3987, section 3).

use clap::Args;
use locator::{Edition, UriRefCow};

use crate::arguments::{FillArgs, NULL_ENDS_RESULTS, QUIET_NO_ANSWER, VerbArgsOfOneEdition, long_help};
use crate::exit::{CliError, Status, say};
use crate::input::reading;
use crate::output::Output;
use crate::pasted;
use crate::report::failure::Failure;
use crate::run::transform::{self, Head, Made, Make};

/// Convert IRIs (URLs with non-ASCII characters) to URIs, or back
///
/// Takes IRIs as arguments or, one per line, from standard input. Common options: --idna writes
/// hosts as ASCII domain names (xn--…), --to-iri converts in the other direction.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("edition", |edition| edition.default_value("rfc3987")))]
#[command(mut_arg("urls", |urls| urls.value_name("IRI").help(URLS)))]
#[command(mut_arg("null", |null| null.help(NULL_ENDS_RESULTS)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct ConvertArgs {
    /// Convert URIs to IRIs: decode the escapes of characters allowed in an IRI
    #[arg(long)]
    to_iri: bool,
    /// Treat hosts as domain names and write them in ASCII (xn--…), not as escapes
    #[arg(long, conflicts_with = "to_iri")]
    idna: bool,
    #[command(flatten)]
    table: FillArgs,
    #[command(flatten)]
    asked: VerbArgsOfOneEdition,
}

/// The help of the inputs.
const URLS: &str = "IRIs to convert (with --to-iri, URIs); if none is given, they are read from standard input, one per line";

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator convert http://résumé.example/é
  locator convert --idna http://résumé.example/é
  locator convert --to-iri http://example.org/D%C3%BCrst
  locator convert < iris.txt > uris.txt

Exit status:
  0    every input is converted
  1    at least one cannot be converted
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`: input and output.
const DETAILS: &str = "\
Output:
  One line for each input, in the same order. An input that is not valid has
  an empty line; the reason is printed on standard error. Nothing else is
  changed; for the normal form of an IRI, use 'locator normalize -e rfc3987'.

  In a URI, every character outside ASCII is percent-encoded as UTF-8, also in
  the host. With --idna, a host that contains such characters, encoded or not,
  is a domain name and is written in its ASCII form (UTS 46); a host that is
  not a domain name is then an error.

  In an IRI, escapes of UTF-8 characters that an IRI may contain are decoded.
  These stay encoded: delimiters, characters that end a URL for 'locator find'
  (spaces, quotes, brackets), invisible and bidirectional formatting characters
  (U+202E), and private-use characters. Labels \"xn--…\" are not changed. On a
  terminal, an invisible character is shown by code: <U+200D>.

  With --csv, --tsv or --ndjson the input is a table, in files or standard
  input, and so is the output: the result replaces the URL in the column
  of --column. All other bytes stay, and so does a URL without a result.

  With --json one object for each input: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}.";

struct Convert {
    edition: &'static Edition,
    to_iri: bool,
    /// Whether hosts are domain names.
    idna: bool,
    /// Whether it may still be said that a host is not what a user may expect.
    is_to_say: bool,
}

impl Convert {
    /// Says once that a host is converted by another option or verb.
    fn say_host(&mut self, host: &str) {
        let is_ascii_form = || {
            host.split('.')
                .any(|label| label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--")))
        };
        let note = match self.to_iri {
            true if is_ascii_form() => {
                "labels \"xn--…\" are not changed; for their letters type: locator edit --as-idn URL"
            }
            false if !self.idna && !host.is_ascii() => {
                "the host is percent-encoded (RFC 3987, 3.1); for its ASCII form in the DNS type: locator convert --idna URL"
            }
            _ => return,
        };
        self.is_to_say = false;
        say(note);
    }
}

/// Converts every input.
pub(crate) fn run(args: &ConvertArgs, out: &mut Output) -> Result<Status, CliError> {
    let inputs = &args.asked.inputs;
    if let Some(host) = pasted::bare_host(&inputs.urls).filter(|_| args.idna && !inputs.is_silent()) {
        say(&format!(
            "{host} has no \"//\" before it, so it is read as a path; type: locator convert --idna //{host}"
        ));
    }
    let verb = Convert {
        edition: args.asked.by.edition,
        to_iri: args.to_iri,
        idna: args.idna,
        is_to_say: !inputs.is_silent(),
    };
    transform::run_or_fill(&args.table, &args.asked.inputs, Head::Input, false, verb, out)
}

impl Make for Convert {
    const REFUSES_NAMES_OF_FILES: Option<&'static str> = Some("convert");

    fn unwraps(&self) -> Option<&'static Edition> {
        Some(self.edition)
    }

    fn keeps_lines(&self) -> bool {
        true
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let reference = reading::read(octets, self.edition)?.reference;
        if self.is_to_say
            && let Some(host) = reference.host()
        {
            self.say_host(host.as_str());
        }
        let converted = match (self.to_iri, self.idna) {
            (true, _) => reference.to_iri_form()?,
            (false, false) => reference.to_uri_form()?,
            (false, true) => reference.to_uri_with_idna()?,
        };
        Ok(Made::Reference(UriRefCow::into_cow(converted)))
    }
}
