//! The verb `compare`: reports the first rung of the ladder of comparison on which two absolute references are equivalent,
//! and their differences, with the redirects that it takes into account.
//!
//! `compare --lists` takes two files of URLs, and prints the URLs that only one of them contains. A hash of each URL's key is
//! kept, and no URL: a file is read a second time to print its own. What can be read only once, such as a pipe, is held in
//! memory, each URL once.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::{Args, ValueEnum};
use locator::{
    AddressReader, CompareError, Comparison, Difference, Edition, Ladder, ParseError, Redacted, Span, Uri,
    UriRef,
};
use locator_web::report::comparison;
use serde::Serialize;

use crate::arguments::{Standard, StandardArg, before_dashes, long_help};
use crate::exit::{CliError, Status, say, say_error_at, say_unwrapped};
use crate::input::files::{Named, check_stdin_once, only_line};
use crate::input::{Origin, STDIN, reading};
use crate::output::{Output, Place};
use crate::pasted;
use crate::report::failure::Failure;
use crate::report::json::{ComparisonObject, DifferenceObject, ErrorObject, StretchObject};
use crate::report::{failure, json};
use crate::run::Seen;
use crate::terminal::paint::{DIFFERENT, FAINT, GOOD};
use crate::terminal::{paint, secrets, visible};
use crate::verbs::whatwg::{self, UrlPair, of_edition};

/// Report whether two URLs are equivalent, and how they differ
///
/// Compares A and B by the rules of RFC 3986, section 6. Common options: --ignore-fragment, -q for
/// scripts, --lists to compare two files of URLs.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = long_help(DETAILS, EXAMPLES))]
pub(crate) struct CompareArgs {
    /// First URL; with --lists, a file of URLs, one per line; "-" is standard input
    #[arg(value_name = "A")]
    first: OsString,
    /// Second URL, or file; one of the two may be "-"
    #[arg(value_name = "B")]
    second: OsString,
    #[command(flatten)]
    by: StandardArg,
    /// Treat FROM and TO as equivalent because FROM redirects to TO; can be
    /// repeated
    #[arg(short, long, num_args = 2, value_names = ["FROM", "TO"])]
    redirect: Vec<OsString>,
    /// Read redirects from FILE, one per line: two URLs separated by white space;
    /// "-" is standard input
    #[arg(long, value_name = "FILE")]
    redirects: Vec<PathBuf>,
    /// Ignore fragments
    #[arg(long)]
    ignore_fragment: bool,
    /// Treat hosts as domain names: a name and its ASCII form (xn--…) are
    /// equivalent
    #[arg(long)]
    idna: bool,
    /// Compare hosts that READER parses as IPv4 addresses, such as 0177.0.0.1, as
    /// addresses
    #[arg(long, value_name = "READER", value_enum)]
    addresses: Option<ReaderWord>,
    /// Read A and B as files of URLs and print the URLs that only one contains;
    /// "-" is standard input
    #[arg(long, conflicts_with_all = ["redirect", "redirects"])]
    lists: bool,
    /// With --lists, split the files at NUL, not at line ends, and end each printed
    /// URL with NUL
    #[arg(short = '0', long, requires = "lists")]
    null: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print nothing; only set the exit status
    #[arg(short, long)]
    quiet: bool,
}

impl CompareArgs {
    /// The two, as files of URLs.
    fn as_lists(&self) -> Lists<'_> {
        Lists {
            first: &self.first,
            second: &self.second,
            standard: self.by.edition,
            ladder: self.ladder(),
            ignores_fragment: self.ignore_fragment,
            quiet: self.quiet,
            json: self.json,
            null: self.null,
        }
    }

    /// Returns the first option that only an edition has, if one is given. The URL Standard itself reads hosts as
    /// domain names and as addresses.
    const fn of_edition(&self) -> Option<&'static str> {
        match self {
            _ if !self.redirect.is_empty() => Some("--redirect"),
            _ if !self.redirects.is_empty() => Some("--redirects"),
            Self { addresses: Some(ReaderWord::InetAton | ReaderWord::Decimal), .. } => Some("--addresses"),
            _ => None,
        }
    }

    /// How the two are compared, but for redirects.
    fn ladder(&self) -> Ladder<'static> {
        let mut ladder = Ladder::new();
        if self.ignore_fragment {
            ladder = ladder.without_fragments();
        }
        if self.idna {
            ladder = ladder.with_domain_names();
        }
        match self.addresses {
            None => ladder,
            Some(ReaderWord::InetAton) => ladder.with_addresses(AddressReader::InetAton),
            Some(ReaderWord::Url) => ladder.with_addresses(AddressReader::Url),
            Some(ReaderWord::Decimal) => ladder.with_addresses(AddressReader::Decimal),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ReaderWord {
    /// C library, curl, wget: octal, hexadecimal, one to four numbers
    InetAton,
    /// Browsers and Node: as inet-aton, and a dot at the end
    Url,
    /// Java: decimal with leading zeros, one to four numbers
    Decimal,
}

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator compare http://example.com/~a HTTP://EXAMPLE.com:80/%7Ea
  locator compare --ignore-fragment http://h/#a http://h/#b
  locator compare http://h/a http://h/b --redirect http://h/a http://h/b
  locator compare --idna -e rfc3987 http://é.example http://xn--9ca.example
  locator compare --lists old.txt new.txt
  locator compare -e whatwg http://127.1/ http://2130706433/
  if locator compare -q \"$one\" \"$other\"; then echo the same; fi

Exit status:
  0  the URLs are equivalent (with --lists: the lists are)
  1  they are not
  2  they cannot be compared, or wrong usage";

/// Before the examples in `--help`: input and output.
const DETAILS: &str = "\
Output:
  Whether the URLs are equivalent, and by which rule: simple string comparison,
  syntax (case, escapes, dot segments, spelling of an IPv6 address), scheme
  (default port, empty path), domain name (with --idna), number of an IPv4
  address (with --addresses), or protocol (a known redirect leads from one to
  the other). The differences follow, the text of the first URL above that of
  the second. URLs that are not equivalent may still identify the same
  resource. A relative reference cannot be compared; resolve it first. With
  --lists it is compared by its normal form, as if both files had one base.

  With --json
    {\"first\":…,\"second\":…,\"edition\":…,\"equivalent\":true,\"rung\":\"syntax\",
     \"see\":…,\"differences\":
     [{\"component\":…,\"kind\":…,\"first\":{…},\"second\":{…}},…]}
  on one line. Each text has \"offset\", \"length\" (in bytes) and \"text\". \"rung\"
  is \"simple\", \"syntax\", \"scheme\", \"idn\", \"number\" or \"protocol\". If the URLs
  are not equivalent, \"rung\" and \"see\" (the document and section) are absent.

  With -e whatwg two URLs are equivalent if browsers write them in the same way
  (URL Standard, 4.6); the differences are those of what they write, which
  \"first_href\" and \"second_href\" have. \"rung\" is \"serialization\".

  With --lists, each URL of the first file that is equivalent to no URL of the
  second is printed as \"<\", a space and the URL; then those of the second file,
  with \">\". Of equivalent URLs in one file, the first is printed. With --json:
  {\"list\":1,\"line\":…,\"url\":…}; with -0, \"line\" is the number of the item.
  The exit status is 0 if nothing is printed, 1 if a URL is printed and 2 if a
  line is not valid.";

/// Two references, and how they compare.
#[derive(Debug)]
struct Pair<'a> {
    /// The first.
    first: UriRef<'a>,
    /// The second.
    second: UriRef<'a>,
    /// How they compare.
    comparison: Comparison,
}

/// Why they are not compared, and which of the two it is about.
#[derive(Debug)]
struct Refusal {
    /// The number of the argument, from 1.
    argument: u64,
    /// Why.
    why: Failure,
}

/// Compares the two.
pub(crate) fn run(asked: &CompareArgs, out: &mut Output) -> Result<Status, CliError> {
    if let (Standard::Url, Some(option)) = (asked.by.edition, asked.of_edition()) {
        return Err(of_edition(option));
    }
    if asked.lists {
        return compare_lists(&asked.as_lists(), out);
    }
    if !asked.json {
        out.begin_text();
    }
    note_files(asked);
    let sides = sides(asked)?;
    let Standard::Edition(edition) = asked.by.edition else { return compare_urls(asked, &sides, out) };
    let redirects = Redirects::collect(&asked.redirect, &asked.redirects)?;
    let seen = redirects.read(edition, &mut out.errors())?;
    let compared = compare(asked, edition, &sides, &seen);
    match &compared {
        _ if asked.quiet => {}
        _ if asked.json => json::line(out, &object(asked, &sides, &compared))?,
        Ok(pair) => write(out, pair)?,
        Err(Refusal { argument, why }) => {
            let given = &sides[usize::from(*argument == 2)];
            failure::write(&mut out.errors(), &Place::named(&format!("argument {argument}")), given, why);
        }
    }
    out.flush()?;
    compared.map(|pair| Status::of(pair.comparison.is_equivalent())).map_err(|_| CliError::Reported)
}

/// Compares the two by the URL Standard.
fn compare_urls(asked: &CompareArgs, sides: &[Vec<u8>; 2], out: &mut Output) -> Result<Status, CliError> {
    let compared = UrlPair::new(sides, asked.ignore_fragment);
    match &compared {
        _ if asked.quiet => {}
        _ if asked.json => json::line(out, &whatwg::comparison(sides, &compared))?,
        Ok(pair) => pair.write(out)?,
        Err((argument, why)) => {
            let given = &sides[usize::from(*argument == 2)];
            failure::write(&mut out.errors(), &Place::named(&format!("argument {argument}")), given, why);
        }
    }
    out.flush()?;
    compared.map(|pair| Status::of(pair.is_equivalent())).map_err(|_| CliError::Reported)
}

/// Returns the two URLs: "-" is the line of standard input, and of an argument the delimiters are removed.
fn sides(asked: &CompareArgs) -> Result<[Vec<u8>; 2], CliError> {
    let (given, before) = ([&asked.first, &asked.second], before_dashes(2));
    let is_stdin = |at: usize| at < before && Named(given[at]).is_stdin();
    let files = asked.redirects.iter().map(|path| path.as_os_str());
    let named = (0..2).filter(|&at| is_stdin(at)).map(|at| given[at].as_os_str());
    check_stdin_once(named.chain(files), "two of A, B and --redirects are \"-\"")?;
    let side = |at: usize| {
        if is_stdin(at) {
            return only_line();
        }
        let octets = given[at].as_encoded_bytes();
        let Standard::Edition(edition) = asked.by.edition else { return Ok(octets.to_vec()) };
        let Some(url) = pasted::unwrapped(octets, edition) else { return Ok(octets.to_vec()) };
        if !asked.quiet {
            say_unwrapped(&url);
        }
        Ok(url.into_bytes())
    };
    Ok([side(0)?, side(1)?])
}

/// Prints a hint if both arguments are names of files.
fn note_files(asked: &CompareArgs) {
    let names = [&asked.first, &asked.second];
    if !asked.quiet && names.iter().all(|name| Path::new(name).is_file()) {
        let [first, second] = names.map(|name| Named(name).shown());
        say(&format!(
            "{first} and {second} are read as URLs, but there are files of these names; use --lists to compare \
             the URLs in them"
        ));
    }
}

fn compare<'a>(
    asked: &CompareArgs,
    edition: &'static Edition,
    [first, second]: &'a [Vec<u8>; 2],
    seen: &[(Uri<'_>, Uri<'_>)],
) -> Result<Pair<'a>, Refusal> {
    let read = |argument, octets: &'a [u8]| match reading::read(octets, edition) {
        Ok(reading) => Ok(reading.reference),
        Err(error) => Err(Refusal { argument, why: error.into() }),
    };
    let first = read(1, first)?;
    let second = read(2, second)?;
    match asked.ladder().with_redirects(seen).compare(first, second) {
        Ok(comparison) => Ok(Pair { first, second, comparison }),
        Err(error) => {
            let argument = if matches!(error, CompareError::SecondIsRelative { .. }) { 2 } else { 1 };
            Err(Refusal { argument, why: error.into() })
        }
    }
}

/// Writes the verdict, then the differences.
fn write(out: &mut Output, pair: &Pair<'_>) -> io::Result<()> {
    let (paint, differences) = (out.paint, &pair.comparison.differences);
    match pair.comparison.rung {
        Some(rung) => {
            let see = paint
                .with(FAINT, format_args!("({})", comparison::citation(rung, pair.first, &pair.comparison)))
                .to_string();
            writeln!(out, "{} {} {see}", paint.with(GOOD, "equivalent"), comparison::rung(rung))?;
        }
        None => writeln!(out, "{} by any rule", paint.with(DIFFERENT, "not equivalent"))?,
    }
    if !differences.is_empty() {
        writeln!(out)?;
    }
    rows(out, pair)
}

/// Two rows for each difference.
fn rows(out: &mut Output, pair: &Pair<'_>) -> io::Result<()> {
    let (paint, differences) = (out.paint, &pair.comparison.differences);
    let parts = differences.iter().map(|one| one.component.name().len()).max().unwrap_or(0);
    let kinds = differences.iter().map(|one| comparison::kind(one.kind).len()).max().unwrap_or(0);
    let sides = [pair.first, pair.second].map(secrets::of);
    let rows = differences
        .iter()
        .zip(1..)
        .filter(|(one, next)| !comparison::is_covered(one, &differences[*next..], &sides));
    for (one, _) in rows {
        let (part, kind, fatal) =
            (one.component.name(), comparison::kind(one.kind), one.kind.rung().is_none());
        let part = paint.with(paint::of(one.component), format_args!("{part:parts$}")).to_string();
        let kind =
            paint.with(if fatal { DIFFERENT } else { FAINT }, format_args!("{kind:kinds$}")).to_string();
        let first = shown(out, (pair.first, &sides[0]), one, one.first);
        let second = shown(out, (pair.second, &sides[1]), one, one.second);
        writeln!(out, "  {part}  {kind}  {first}")?;
        writeln!(out, "  {:parts$}  {:kinds$}  {second}", "", "")?;
    }
    Ok(())
}

/// Returns the text of one of the two; if it is empty, whether it is undefined.
fn shown(
    out: &Output,
    (reference, text): (UriRef<'_>, &Redacted<'_>),
    one: &Difference,
    span: Span,
) -> String {
    let nothing = match reference.component(one.component) {
        None => "(undefined)",
        Some("") => "(empty)",
        Some(_) => "(nothing)",
    };
    // An undefined component is no part of a secret that ends where it would be.
    let secret = reference.component(one.component).and_then(|_| comparison::secret(text, span));
    let whole = secret.unwrap_or(span.range());
    match &*text.slice(whole) {
        "" => out.paint.with(FAINT, nothing).to_string(),
        text => visible(text).to_string(),
    }
}

/// What was asked, and the answer.
fn object<'a>(
    asked: &'a CompareArgs,
    sides: &'a [Vec<u8>; 2],
    compared: &'a Result<Pair<'_>, Refusal>,
) -> ComparisonObject<'a> {
    let (pair, refusal) = (compared.as_ref().ok(), compared.as_ref().err());
    let rung = pair.and_then(|pair| pair.comparison.rung);
    ComparisonObject {
        equivalent: pair.map(|pair| pair.comparison.is_equivalent()),
        rung: rung.map(|rung| rung.name()),
        see: pair.zip(rung).map(|(pair, rung)| comparison::citation(rung, pair.first, &pair.comparison)),
        differences: pair.map(differences),
        argument: refusal.map(|refusal| refusal.argument),
        error: refusal.map(|refusal| ErrorObject::why(&refusal.why)),
        ..ComparisonObject::of(sides, asked.by.edition.name())
    }
}

fn differences<'a>(pair: &'a Pair<'_>) -> Vec<DifferenceObject<'a>> {
    let object = |one: &Difference| DifferenceObject {
        component: one.component.name(),
        kind: one.kind.name(),
        first: stretch(pair.first, one.first),
        second: stretch(pair.second, one.second),
    };
    pair.comparison.differences.iter().map(object).collect()
}

fn stretch(reference: UriRef<'_>, span: Span) -> StretchObject<'_> {
    StretchObject::of(reference.as_str(), span.range())
}

/// Two files of URLs, and how they are compared.
pub(super) struct Lists<'a> {
    pub(super) first: &'a OsStr,
    pub(super) second: &'a OsStr,
    pub(super) standard: Standard,
    pub(super) ladder: Ladder<'static>,
    pub(super) ignores_fragment: bool,
    pub(super) quiet: bool,
    pub(super) json: bool,
    /// Whether NUL separates the URLs of the files, and those that are printed.
    pub(super) null: bool,
}

/// A list that was read once.
struct List<'a> {
    file: Named<'a>,
    /// The keys of its URLs.
    keys: Seen,
    /// Each URL once, with its line, if the file cannot be read again.
    held: Option<Vec<(u64, Vec<u8>)>>,
    /// Whether every line is valid.
    is_valid: bool,
}

/// Compares the lists as sets.
fn compare_lists(asked: &Lists<'_>, out: &mut Output) -> Result<Status, CliError> {
    check_stdin_once([asked.first, asked.second].into_iter(), "both lists name it")?;
    let mut errors = out.errors();
    let first = List::read(asked.first, asked, &mut errors)?;
    let second = List::read(asked.second, asked, &mut errors)?;
    let mut same = true;
    for (number, list, other) in [(1, &first, &second), (2, &second, &first)] {
        list.each(asked, |line, url, key| {
            // What is printed is added to the other list, so that it is printed once.
            if other.keys.is_new(key) {
                same = false;
                print(asked, out, OnlyIn { list: number, line, url: &String::from_utf8_lossy(url) })?;
            }
            Ok(())
        })?;
    }
    out.flush()?;
    if first.is_valid && second.is_valid { Ok(Status::of(same)) } else { Err(CliError::Reported) }
}

fn print(asked: &Lists<'_>, out: &mut Output, only: OnlyIn<'_>) -> io::Result<()> {
    let sign = if only.list == 1 { "<" } else { ">" };
    match (asked.quiet, asked.json) {
        (true, _) => Ok(()),
        (false, true) => json::line(out, &only),
        (false, false) if out.is_terminal => writeln!(out, "{sign} {}", visible(only.url)),
        (false, false) => write!(out, "{sign} {}{}", only.url, if asked.null { '\0' } else { '\n' }),
    }
}

impl<'a> List<'a> {
    /// Reads a list once; empty lines are skipped, and invalid ones are reported.
    fn read(path: &'a OsStr, asked: &Lists<'_>, errors: &mut Output) -> Result<Self, CliError> {
        let file = Named(path);
        let name = if file.is_stdin() { STDIN.into() } else { path.to_string_lossy() };
        let is_read_again = !file.is_stdin() && fs::metadata(path).is_ok_and(|file| file.is_file());
        let (keys, mut held, mut is_valid) = (Seen::default(), Vec::new(), true);
        each_url(file, asked, |line, url| {
            if line == 1 && !asked.quiet && pasted::has_place(url) {
                say(&format!("{}: {}", file.shown(), pasted::FIRST_PLACE));
            }
            match key(url, asked) {
                Ok(key) if keys.is_new(&key) && !is_read_again => held.push((line, url.to_vec())),
                Ok(_) => {}
                Err(why) => {
                    is_valid = false;
                    if !asked.quiet {
                        let octet = failure::octet(&why);
                        let place = Place::in_file(&name, line, octet);
                        failure::write(errors, &place, url, &why);
                    }
                }
            }
            Ok(())
        })?;
        Ok(Self { file, keys, held: (!is_read_again).then_some(held), is_valid })
    }

    /// Passes each valid URL, with its line and its key, to a function.
    fn each(
        &self,
        asked: &Lists<'_>,
        mut each: impl FnMut(u64, &[u8], &str) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let mut one = |line, url: &[u8]| key(url, asked).map_or(Ok(()), |key| each(line, url, &key));
        match &self.held {
            Some(held) => held.iter().try_for_each(|(line, url)| one(*line, url)),
            None => each_url(self.file, asked, one),
        }
    }
}

/// Passes each line that is not empty, without its line end, or each item.
fn each_url(
    file: Named<'_>,
    asked: &Lists<'_>,
    mut each: impl FnMut(u64, &[u8]) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let origin = if asked.null { Origin::Item } else { Origin::Line };
    file.each(origin, |line, url| if url.is_empty() { Ok(()) } else { each(line, url) })
}

fn key(url: &[u8], asked: &Lists<'_>) -> Result<String, Failure> {
    match asked.standard {
        Standard::Edition(edition) => Ok(asked.ladder.key(reading::read(url, edition)?.reference)),
        Standard::Url => whatwg::key_of(url, asked.ignores_fragment),
    }
}

/// A URL that only one of two lists has.
#[derive(Serialize)]
struct OnlyIn<'a> {
    /// Which list, from 1.
    list: u32,
    /// Its line there, from 1.
    line: u64,
    url: &'a str,
}

/// The redirects that were seen: the text of each, and where it is from.
#[derive(Debug)]
pub(super) struct Redirects {
    redirects: Vec<Redirect>,
}

/// A redirect as it was given.
#[derive(Debug)]
struct Redirect {
    from: Vec<u8>,
    to: Vec<u8>,
    /// Where it is from: `redirects.txt:3:1`.
    place: Place,
}

impl Redirects {
    /// Collects the redirects of the command line and of files. An invalid redirect is reported,
    /// and the run does not start.
    pub(super) fn collect(pairs: &[OsString], files: &[PathBuf]) -> Result<Self, CliError> {
        let pairs = pairs.chunks_exact(2).zip(1..);
        let argument = |(pair, number): (&[OsString], u32)| Redirect {
            from: pair[0].as_encoded_bytes().to_vec(),
            to: pair[1].as_encoded_bytes().to_vec(),
            place: Place::named(&format!("--redirect {number}")),
        };
        let mut redirects: Vec<_> = pairs.map(argument).collect();
        check_stdin_once(files.iter().map(|path| path.as_os_str()), "--redirects names it twice")?;
        for path in files {
            lines(path, &mut redirects)?;
        }
        Ok(Self { redirects })
    }

    /// Reads them by an edition.
    pub(super) fn read<'a>(
        &'a self,
        edition: &'static Edition,
        errors: &mut Output,
    ) -> Result<Vec<(Uri<'a>, Uri<'a>)>, CliError> {
        let mut seen = Vec::with_capacity(self.redirects.len());
        for Redirect { from, to, place } in &self.redirects {
            let mut read = |octets: &'a [u8]| {
                uri(octets, edition).map_err(|error| {
                    failure::write(errors, place, octets, &error.into());
                    CliError::Reported
                })
            };
            seen.push((read(from)?, read(to)?));
        }
        Ok(seen)
    }
}

fn uri<'a>(octets: &'a [u8], edition: &'static Edition) -> Result<Uri<'a>, ParseError> {
    UriRef::parse_bytes_with(octets, edition)?.try_into()
}

/// The redirects of a file, a line each; "-" is standard input.
fn lines(path: &Path, redirects: &mut Vec<Redirect>) -> Result<(), CliError> {
    let file = Named(path.as_os_str());
    let name = if file.is_stdin() { STDIN.into() } else { path.to_string_lossy() };
    let octets = file.read()?;
    for (line, number) in octets.split(|&octet| octet == b'\n').zip(1..) {
        let place = Place::given(&format!("{name}:{number}:1"));
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        match (words.next(), words.next(), words.next()) {
            (None, ..) => {}
            (Some(from), Some(to), None) => {
                redirects.push(Redirect { from: from.to_vec(), to: to.to_vec(), place });
            }
            _ => {
                say_error_at(&place, "expected two URLs separated by white space");
                return Err(CliError::Reported);
            }
        }
    }
    Ok(())
}
