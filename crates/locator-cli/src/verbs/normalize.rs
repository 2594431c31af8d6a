//! The verb `normalize`: prints the normal form of references.

use clap::{Args, ValueEnum};
use locator::{Edition, Level};

use crate::arguments::{FillArgs, NULL_ENDS_RESULTS, RepairArgs, Standard, VerbArgsOfOneStandard, long_help};
use crate::exit::{CliError, Status};
use crate::input::reading;
use crate::output::Output;
use crate::report::failure::Failure;
use crate::run::Seen;
use crate::run::transform::{self, Head, Made, Make};
use crate::verbs::whatwg::{UrlNormalize, of_edition};

/// Print the normal form of each URL
///
/// Takes URLs as arguments or, one per line, from standard input. Common options: -u removes
/// duplicates, -c lists URLs that are not in normal form, --repair accepts URLs with spaces and
/// non-ASCII characters.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
#[command(mut_arg("null", |null| null.help(NULL_ENDS_RESULTS)))]
pub(crate) struct NormalizeArgs {
    /// Apply the rules of the syntax alone, or also those of the scheme
    #[arg(short, long, value_name = "LEVEL", value_enum, default_value = "scheme")]
    level: LevelWord,
    /// Print only the URLs that are not in normal form, unchanged
    #[arg(short, long, conflicts_with = "repair")]
    check: bool,
    /// Print each normal form only once
    #[arg(short, long, conflicts_with = "check")]
    unique: bool,
    #[command(flatten)]
    repair: RepairArgs,
    #[command(flatten)]
    table: FillArgs,
    #[command(flatten)]
    asked: VerbArgsOfOneStandard,
}

impl NormalizeArgs {
    /// The level as the library has it.
    const fn level(&self) -> Level {
        match self.level {
            LevelWord::Syntax => Level::Syntax,
            LevelWord::Scheme => Level::Scheme,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LevelWord {
    /// Rules of the edition: case, escapes, dot segments (RFC 3986, 6.2.2)
    Syntax,
    /// Also rules of the scheme: default port, empty path (6.2.3)
    Scheme,
}

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator normalize HTTP://Example.COM:80/a/../%7euser
  locator normalize --level syntax http://example.com:80
  locator normalize --unique < urls.txt
  locator normalize --check < urls.txt
  locator normalize --repair 'http://h/a b|c'
  locator normalize --csv --column url < table.csv
  locator normalize -e whatwg 'https:\\\\Example.com\\a|b'

Exit status:
  0    every URL is valid (with --check: and in normal form)
  1    at least one URL is not
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`: output.
const DETAILS: &str = "\
Output:
  One line for each URL, in the same order. The normal form identifies the same
  resource: a reserved character is neither encoded nor decoded, and a relative
  reference keeps its dot segments. A URL that is not valid has an empty
  line (with --unique and --check no line); the reason is printed on standard
  error.

  With --json one object for each URL: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}.

  With --repair, characters not allowed in a URL are percent-encoded first, as
  browsers do: a space becomes %20, é becomes %C3%A9, a non-ASCII host its DNS
  name; delimiters around the URL (white space, \"<\", \">\", quotes) and line
  breaks in it are removed. A \"%\" without two hex digits becomes %25,
  and \"\\\" before the query \"/\". The repaired URL is printed on standard error,
  with --json in \"repaired\"; what cannot be repaired is an error there.

  With --csv, --tsv or --ndjson the input is a table, in files or standard
  input, and so is the output: the normal form replaces the URL in the column
  of --column. All other bytes stay, and so does a URL that is not valid.

  With -e whatwg the line is the URL as browsers write it (URL Standard, 4.5):
  what they repair is repaired, and only what they refuse is an error. A
  relative URL has no line; resolve it first.

  With --check, only URLs that are not in normal form have a line: the URL
  itself, or with --json both forms.";

struct Normalize {
    edition: &'static Edition,
    level: Level,
    /// Whether only references that are not in normal form are printed.
    check: bool,
    /// The normal forms so far, if each is printed once.
    seen: Option<Seen>,
    /// Whether what is not valid is repaired first.
    repair: bool,
}

/// Normalizes every input.
pub(crate) fn run(args: &NormalizeArgs, out: &mut Output) -> Result<Status, CliError> {
    let is_filter = args.check || args.unique;
    let Standard::Edition(edition) = args.asked.by.edition else {
        if matches!(args.level, LevelWord::Syntax) {
            return Err(of_edition("--level"));
        }
        let verb = UrlNormalize::new(args.check, args.unique);
        return transform::run_or_fill(&args.table, &args.asked.inputs, Head::Input, is_filter, verb, out);
    };
    let verb = Normalize {
        edition,
        level: args.level(),
        check: args.check,
        seen: args.unique.then(Seen::default),
        repair: args.repair.repair,
    };
    transform::run_or_fill(&args.table, &args.asked.inputs, Head::Input, is_filter, verb, out)
}

impl Make for Normalize {
    const REFUSES_NAMES_OF_FILES: Option<&'static str> = Some("normalize");

    fn unwraps(&self) -> Option<&'static Edition> {
        Some(self.edition).filter(|_| !self.repair)
    }

    // A filter prints fewer lines than it reads.
    fn keeps_lines(&self) -> bool {
        self.seen.is_none() && !self.check
    }

    fn repaired(&self, octets: &[u8]) -> Option<String> {
        self.repair.then(|| reading::repaired(octets, self.edition)).flatten()
    }

    fn not_repaired(&self, octets: &[u8], why: Failure) -> Failure {
        match why {
            Failure::NotValid(error) if self.repair => Failure::not_repaired(octets, error),
            why => why,
        }
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let reference = reading::read(octets, self.edition)?.reference;
        let normal = reference.normalize(self.level);
        if self.seen.as_ref().is_some_and(|seen| !seen.is_new(normal.as_str())) {
            return Ok(Made::Nothing);
        }
        Ok(match (self.check, normal.is_borrowed()) {
            (true, true) => Made::Nothing,
            (true, false) => Made::Wanting { given: reference.as_str(), normal: normal.into_string() },
            (false, _) => Made::Reference(normal.into_cow()),
        })
    }
}
