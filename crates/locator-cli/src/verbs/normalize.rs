//! The verb `normalize`: references in, their normal form out.

use clap::{Args, ValueEnum};
use locator::{Edition, Level};

use crate::arguments::{AskedByOne, RepairAsked, long_help};
use crate::exit::{Status, Trouble};
use crate::failure::Failure;
use crate::make::{self, Head, Made, Make};
use crate::output::Output;
use crate::reading;
use crate::seen::Seen;

/// Print the normal form of each URL
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
pub(crate) struct NormalizeArgs {
    /// How much is known of the URLs
    #[arg(short, long, value_name = "LEVEL", value_enum, default_value = "scheme")]
    level: LevelWord,
    /// Print only the URLs that are not in normal form, as they are
    #[arg(short, long, conflicts_with = "repair")]
    check: bool,
    /// Print each normal form once
    #[arg(short, long, conflicts_with = "check")]
    unique: bool,
    #[command(flatten)]
    repair: RepairAsked,
    #[command(flatten)]
    asked: AskedByOne,
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
    /// The edition: case, escapes, dot segments (RFC 3986, 6.2.2)
    Syntax,
    /// The scheme too: its default port, its empty path (6.2.3)
    Scheme,
}

/// After the options: what people do with it, and its exit status.
const EXAMPLES: &str = "\
Examples:
  locator normalize HTTP://Example.COM:80/a/../%7euser
  locator normalize --level syntax http://example.com:80
  locator normalize --unique < urls.txt
  locator normalize --check < urls.txt
  locator normalize --repair 'http://h/a b|c'

Exit status: 0 all are valid (with --check: and in normal form), 1 at least
one is not, 2 wrong use, 130 interrupted.";

/// Before the examples with `--help`: what can be relied on.
const DETAILS: &str = "\
Output:
  One line for each URL, in their order. The normal form identifies the same;
  a reserved character is neither escaped nor unescaped, and a relative
  reference keeps its dot segments. What is not valid has no line: standard
  error tells which it is and why.

  With --json every URL has its line: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}.

  With --repair what no URL may hold is escaped first, as browsers do: a space
  is %20, é is %C3%A9, a host beyond ASCII its name in the DNS; white space
  around the URL goes. A \"%\" without two hex digits stays an error. Standard
  error tells what was read, with --json \"repaired\".

  With --check only what is not in normal form has a line: as it is, or with
  --json both forms.";

struct Normalize {
    edition: &'static Edition,
    level: Level,
    /// Only those that are not normal are told of.
    check: bool,
    /// The normal forms so far, if each is printed once.
    seen: Option<Seen>,
    /// Whether what is not valid is repaired first.
    repair: bool,
}

/// Normalizes every input.
pub(crate) fn run(args: &NormalizeArgs, out: &mut Output) -> Result<Status, Trouble> {
    let verb = Normalize {
        edition: args.asked.by.edition,
        level: args.level(),
        check: args.check,
        seen: args.unique.then(Seen::default),
        repair: args.repair.repair,
    };
    make::run(&args.asked.inputs, Head::Input, verb, out)
}

impl Make for Normalize {
    fn repaired(&self, octets: &[u8]) -> Option<String> {
        self.repair.then(|| reading::repaired(octets, self.edition)).flatten()
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let reference = reading::read(octets, self.edition)?.reference;
        let normal = reference.normalize(self.level);
        if self.seen.as_ref().is_some_and(|seen| !seen.is_new(normal.as_str())) {
            return Ok(Made::Nothing);
        }
        Ok(match (self.check, normal.is_as_given()) {
            (true, true) => Made::Nothing,
            (true, false) => Made::Wanting { given: reference.as_str(), normal: normal.into_string() },
            (false, _) => Made::Reference(normal.into_text()),
        })
    }
}
