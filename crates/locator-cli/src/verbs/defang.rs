//! The verbs `defang` and `refang`: write URLs so that nobody opens them by mistake, and back. Take URLs as arguments, or
//! a text, such as a log or a report, as a filter: what is not a URL stays byte for byte.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::Path;

use clap::Args;
use locator::Edition;
use locator::text::{self, Finder, Preset};

use crate::arguments::{Inputs, QUIET_NO_ANSWER, long_help};
use crate::exit::{CliError, Status, say_error};
use crate::input::Origin;
use crate::input::files::Named;
use crate::output::{self, Output};
use crate::pasted;
use crate::report::failure::Failure;
use crate::run::interrupt::Turn;
use crate::run::transform::{self, Head, Made, Make};
use crate::terminal::visible;
use crate::verbs::find::{is_domain, is_host_name};

/// Defang URLs: http://evil.example becomes hxxp://evil[.]example
///
/// Takes URLs, hosts, IP addresses and e-mail addresses as arguments; or filters a text from standard
/// input or -f FILE, in which everything else stays as it is.
#[derive(Args, Debug)]
#[command(after_help = DEFANG_EXAMPLES, after_long_help = long_help(DEFANG_DETAILS, DEFANG_EXAMPLES))]
#[command(mut_arg("urls", |urls| urls.help(URLS)))]
#[command(mut_arg("file", |file| file.help(TEXT)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
pub(crate) struct DefangArgs {
    /// Defang only URLs with a scheme, not names such as evil.example
    #[arg(long)]
    urls_only: bool,
    #[command(flatten)]
    inputs: Inputs,
}

/// Refang URLs: hxxp://evil[.]example becomes http://evil.example
///
/// Takes defanged URLs, hosts, IP addresses and e-mail addresses as arguments; or filters a text from
/// standard input or -f FILE, in which everything else stays as it is. The results can be opened.
#[derive(Args, Debug)]
#[command(after_help = REFANG_EXAMPLES, after_long_help = long_help(REFANG_DETAILS, REFANG_EXAMPLES))]
#[command(mut_arg("urls", |urls| urls.help(URLS)))]
#[command(mut_arg("file", |file| file.help(TEXT)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
#[command(visible_alias = "fang")]
pub(crate) struct RefangArgs {
    #[command(flatten)]
    inputs: Inputs,
}

/// The help of the inputs.
const URLS: &str = "URLs; without any, and for \"-\", a text is read from standard input";

/// The help of `-f`.
const TEXT: &str = "Read a text from FILE; \"-\" is standard input";

/// After the options: examples and exit status.
const DEFANG_EXAMPLES: &str = "\
Examples:
  locator defang https://evil.example/login 192.0.2.1 joe@evil.example
  locator defang < report.txt > safe.txt
  locator defang --urls-only -f access.log
  locator find report.txt | locator defang

Exit status:
  0    the texts are defanged
  1    an argument contains no URL, host or address
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`.
const DEFANG_DETAILS: &str = "\
Output:
  http, https, ftp and ftps become hxxp, hxxps, fxp and fxps; another scheme
  has \"[:]//\". A dot in a host or an address is \"[.]\", the \"@\" of an e-mail
  address \"[@]\". Paths and queries stay, except \"://\" in them. What is defanged
  already stays. 'locator refang' gives the same text again.

  In a text, URLs are found as by 'locator find --relaxed': with a scheme,
  www.example.com, names below a public suffix, e-mail addresses. So are IPv4
  addresses (10.0.0.1:80/a) and names in .example, .test, .invalid, .onion,
  .i2p and .bit. Names that could be files (main.rs), versions
  (Chrome/120.0.0.0) and IPv6 addresses without a scheme stay. Every other byte
  stays, line ends and what is not UTF-8 too. With --json one object for each
  argument or line: {\"input\":…,\"result\":…}.";

/// After the options: examples and exit status.
const REFANG_EXAMPLES: &str = "\
Examples:
  locator refang 'hxxps://evil[.]example/login' '192.0.2[.]1'
  locator refang < report.txt
  locator refang < report.txt | locator find -u | locator audit

Exit status:
  0    the texts are refanged
  1    an argument contains no URL, host or address
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`.
const REFANG_DETAILS: &str = "\
Forms:
  hxxp hXXps h**p h__p meow fxp …   http, https, ftp
  [.] (.) {.} <.> [dot] (dot) [. .] [,]   a dot
  [@] [at] (at)                     \"@\"
  [:]// [://] :[//] [:][/][/] __    \"://\"
  \"evil dot example\" and \"evil .example\", after a scheme; spaces around marks
  are a part of them, and brackets may be doubled. 'locator find --refang' and
  the library's locator::text::refang read the same forms.

Output:
  Only URLs, hosts, IP addresses and e-mail addresses that are defanged change;
  every other byte of a text stays. With --json one object for each argument or
  line: {\"input\":…,\"result\":…}.";

/// Defangs arguments or a text.
pub(crate) fn defang(args: &DefangArgs, out: &mut Output) -> Result<Status, CliError> {
    let preset = if args.urls_only { Preset::Default } else { Preset::Relaxed };
    let finder = Finder::new().preset(preset).domains(is_host_name).addresses(true);
    run(Verb { finder, of_one: text::defang, name: "defang", is_text: false, null: false }, &args.inputs, out)
}

/// Refangs arguments or a text.
pub(crate) fn refang(args: &RefangArgs, out: &mut Output) -> Result<Status, CliError> {
    let finder = Finder::new().preset(Preset::Relaxed).domains(is_domain).refang(true);
    run(Verb { finder, of_one: text::refang, name: "refang", is_text: false, null: false }, &args.inputs, out)
}

fn run(verb: Verb, inputs: &Inputs, out: &mut Output) -> Result<Status, CliError> {
    let is_text = inputs.urls.is_empty() || inputs.urls.len() == 1 && inputs.names_stdin();
    let verb = Verb { is_text, null: inputs.null, ..verb };
    if is_text && !inputs.json && !inputs.null {
        return filter(&verb, inputs, out);
    }
    refuse_files(&verb, inputs)?;
    transform::run(inputs, Head::Input, verb, out)
}

/// Fails if every argument is the name of a file: what is in it was probably meant.
fn refuse_files(verb: &Verb, inputs: &Inputs) -> Result<(), CliError> {
    let is_file = |name: &OsStr| !pasted::has_scheme(name.as_encoded_bytes()) && Path::new(name).is_file();
    match inputs.urls.first() {
        Some(first) if inputs.urls.iter().all(|name| is_file(name)) => {
            let name = visible(&first.to_string_lossy()).to_string();
            let word = pasted::shell_word(&name);
            say_error(&format!(
                "\"{name}\" is a file; did you mean 'locator {} -f {word}', for the URLs in it?",
                verb.name
            ));
            Err(CliError::Reported)
        }
        _ => Ok(()),
    }
}

/// The longest piece of a text without a line end that is searched at once.
const LONGEST_LINE: u64 = 16 << 20;

/// Passes a text on, with its URLs changed, a line after the other.
fn filter(verb: &Verb, inputs: &Inputs, out: &mut Output) -> Result<Status, CliError> {
    let file = Named(inputs.file.as_deref().unwrap_or(OsStr::new("-")));
    let mut from = BufReader::with_capacity(1 << 16, file.open_unpacked()?);
    let (mut turn, mut line) = (Turn::begin(Origin::Line), Vec::new());
    loop {
        line.clear();
        // What is written is seen before the next line comes.
        if !from.buffer().contains(&b'\n') {
            out.flush()?;
        }
        let read = turn.wait(|| from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line));
        if read.map_err(|error| file.unreadable(error))? == 0 {
            break;
        }
        if !inputs.quiet {
            let changed = verb.in_text(&line);
            match out.is_terminal {
                false => out.write_all(&changed)?,
                true => {
                    let text = String::from_utf8_lossy(&changed).into_owned();
                    output::text(out, text.trim_end_matches(['\r', '\n']))?;
                    out.write_all(if text.ends_with('\n') { b"\n" } else { b"" })?;
                }
            }
        }
        turn.count();
        if Turn::is_over() {
            out.flush()?;
            turn.report();
            return Err(CliError::Interrupted);
        }
    }
    out.flush()?;
    Ok(Status::Valid)
}

/// One of the two verbs.
struct Verb {
    finder: Finder,
    /// Changes a text that is one URL, host or address.
    of_one: fn(&str) -> Cow<'_, str>,
    name: &'static str,
    /// Whether lines of a text are read, which need not have a URL.
    is_text: bool,
    /// Whether each result ends with NUL.
    null: bool,
}

impl Verb {
    /// Returns a text with its URLs changed.
    fn in_text<'t>(&self, octets: &'t [u8]) -> Cow<'t, [u8]> {
        self.finder.replace_all(octets, |found| match (self.of_one)(found.as_str()) {
            Cow::Owned(url) => Some(url),
            Cow::Borrowed(_) => None,
        })
    }
}

impl Make for Verb {
    const TAKES_NAMES_OF_FILES: bool = true;
    const TAKES_URLS: bool = false;

    fn unwraps(&self) -> Option<&'static Edition> {
        None
    }

    fn keeps_lines(&self) -> bool {
        !self.null
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let given = str::from_utf8(octets).ok();
        let changed = match given.map(self.of_one) {
            Some(Cow::Owned(text)) => Cow::Owned(text.into_bytes()),
            _ => self.in_text(octets),
        };
        let has_url = || {
            let is_defanged = given.is_some_and(|text| matches!(text::refang(text), Cow::Owned(_)));
            let is_plain = given.is_some_and(|text| matches!(text::defang(text), Cow::Owned(_)));
            is_defanged || is_plain || self.finder.find_iter(octets).next().is_some()
        };
        if !self.is_text && matches!(changed, Cow::Borrowed(_)) && !has_url() {
            let message = "this contains no URL, host, IP address or e-mail address".to_owned();
            return Err(Failure::other("no-url", message));
        }
        Ok(Made::Octets { octets: changed.into_owned(), ended_by_nul: self.null })
    }
}
