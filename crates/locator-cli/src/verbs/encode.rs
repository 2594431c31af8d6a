//! The verbs `encode` and `decode`: percent-encode texts for a part of a URL, and back (RFC 3986, section 2.1; for forms
//! the URL Standard, section 5).
//!
//! A text is a sequence of bytes. What a kind does not encode are the characters that its part of a URL allows as data.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::Write as _;

use clap::{ArgGroup, Args};
use locator::Edition;
use locator::pct::{AsciiSet, PctString, escaped_octet};

use crate::arguments::{Inputs, QUIET_NO_ANSWER, long_help};
use crate::exit::{CliError, Status};
use crate::input::files::Named;
use crate::output::{Output, line};
use crate::report::failure::{self, Failure, Position, Side};
use crate::run::transform::{self, Head, Made, Make};

/// Percent-encode texts for use in a URL
///
/// Takes texts as arguments or, one per line, from standard input. Without an option the result can
/// stand anywhere in a URL, as a path segment or as a value of the query: only letters, digits and
/// -._~ are kept. Common options: --path keeps "/", --form writes a space as "+".
#[derive(Args, Debug)]
#[command(after_help = ENCODE_EXAMPLES, after_long_help = long_help(ENCODE_DETAILS, ENCODE_EXAMPLES))]
pub(crate) struct EncodeArgs {
    /// Also keep these characters, as in --safe /
    #[arg(long, value_name = "CHARS", value_parser = ascii)]
    safe: Option<String>,
    #[command(flatten)]
    texts: TextArgs,
}

/// Decode percent-encoded texts
///
/// Takes texts as arguments or, one per line, from standard input, and prints them with each %XX
/// decoded, byte for byte. A "+" stays unless --form is given.
#[derive(Args, Debug)]
#[command(after_help = DECODE_EXAMPLES, after_long_help = long_help(DECODE_DETAILS, DECODE_EXAMPLES))]
#[command(mut_arg("form", |form| form.help("Also decode \"+\" as a space, as in HTML forms").long_help(None)))]
#[command(mut_arg("uri", |uri| uri.help("Decode a whole URL, except its delimiters").long_help(None)))]
#[command(mut_args(|option| option_of_decode(option)))]
pub(crate) struct DecodeArgs {
    /// Keep a "%" without two hex digits, and print U+FFFD for what is not UTF-8
    #[arg(long)]
    lossy: bool,
    #[command(flatten)]
    texts: TextArgs,
}

/// The texts, and the part of a URL that they are encoded for.
#[derive(Args, Debug)]
#[command(mut_arg("urls", |urls| urls.value_name("TEXT").help(TEXTS)))]
#[command(mut_arg("file", |file| file.help(TEXT_FILE)))]
#[command(mut_arg("null", |null| null.help(NULL)))]
#[command(mut_arg("quiet", |quiet| quiet.help(QUIET_NO_ANSWER)))]
struct TextArgs {
    /// Read all of the input as one text, line ends included
    #[arg(long, conflicts_with_all = ["json", "null", "urls"])]
    whole: bool,
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    kind: KindArgs,
}

/// The part of a URL that a text is encoded for.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Part of the URL")]
#[command(group = ArgGroup::new("kind"))]
struct KindArgs {
    /// Any part of a URL (the default)
    #[arg(long, group = "kind")]
    component: bool,
    /// A name or a value in a query: keep !$'()*,/:?@, but not &=+
    #[arg(long, group = "kind")]
    query: bool,
    /// A name or a value in the query or body of an HTML form: a space is "+"
    #[arg(long, visible_alias = "plus", group = "kind")]
    form: bool,
    /// A path: keep "/" and !$&'()*+,;=:@
    #[arg(long, group = "kind")]
    path: bool,
    /// A segment of a path: keep !$&'()*+,;=:@, but not "/"
    #[arg(long, group = "kind")]
    segment: bool,
    /// A fragment: keep /? and !$&'()*+,;=:@
    #[arg(long, group = "kind")]
    fragment: bool,
    /// A user or a password: keep !$&'()*+,;=
    #[arg(long, group = "kind")]
    userinfo: bool,
    /// A whole URL: keep its delimiters and escapes
    #[arg(long, visible_alias = "url", group = "kind")]
    uri: bool,
}

/// Hides the kinds that differ only in what is encoded.
fn option_of_decode(option: clap::Arg) -> clap::Arg {
    let same = ["component", "query", "path", "segment", "fragment", "userinfo"];
    let is_same = option.get_long().is_some_and(|long| same.contains(&long));
    if is_same { option.hide(true) } else { option }
}

/// The help of the inputs.
const TEXTS: &str = "Texts; without any, and for \"-\", they are read from standard input, one per line";

/// The help of `-f`.
const TEXT_FILE: &str = "Read the texts from FILE, one per line; \"-\" is standard input";

/// The help of `-0`.
const NULL: &str = "Separate input by NUL instead of lines, and end each result with NUL";

/// After the options: examples and exit status.
const ENCODE_EXAMPLES: &str = "\
Examples:
  locator encode 'a b&c'
  locator encode --path 'my files/50%.txt'
  locator encode --form 'a b&c'
  locator encode --safe / 'my files/a&b.txt'
  locator encode --whole < body.txt
  locator encode --uri 'http://example.com/a b?q=é'

Exit status:
  0    every text is encoded
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`: the kinds, and what they are elsewhere.
const ENCODE_DETAILS: &str = "\
What is kept:
  Letters, digits and -._~ are kept, every other byte is written as %XX in
  UTF-8. An option keeps what its part of a URL allows besides (RFC 3986, 3.3
  to 3.5); --safe adds characters. \"%\" is always encoded, so encoding twice
  does not give the same text; --uri alone keeps escapes.

The same elsewhere:
  (none)              jq @uri; curl --data-urlencode; PHP rawurlencode; Perl
                      uri_escape; Python quote(s, safe='')
  --safe /            Python quote(s)
  --safe \"!*'()\"      JavaScript encodeURIComponent
  --form              JavaScript URLSearchParams; Java URLEncoder. Python
                      quote_plus and Go QueryEscape keep \"~\" and encode \"*\"
  --uri               JavaScript encodeURI, which encodes \"%\" again and []

  To set a part of a URL, use 'locator edit -s PART=DATA', which encodes it.

Output:
  One line for each text, in the same order; with --whole the result without a
  line end. With --json one object for each text: {\"input\":…,\"result\":…}.";

/// After the options: examples and exit status.
const DECODE_EXAMPLES: &str = "\
Examples:
  locator decode 'a%20b%26c'
  locator decode --form 'name=Jan+M%C3%BCller'
  locator decode --lossy '100% caf%E9'
  locator decode < encoded.txt
  locator decode --uri 'http://example.com/caf%C3%A9?q=a%26b'

Exit status:
  0    every text is decoded
  1    a \"%\" is not followed by two hex digits
  2    wrong usage
  130  interrupted";

/// Before the examples in `--help`: input and output.
const DECODE_DETAILS: &str = "\
Output:
  One line for each text, in the same order; with --whole the result without a
  line end. The bytes are printed as they are, also if they are not UTF-8 or
  contain a line end: use -0 or --json to tell results apart. On a terminal,
  what is not printable is shown by code. A text with a wrong escape has an
  empty line, and its error names the byte; --lossy keeps a \"%\" without two
  hex digits, and prints U+FFFD for bytes that are not UTF-8.

  --uri keeps the escapes of delimiters and of \"%\", so that the result means
  the same URL, as decodeURI of JavaScript does. Without an option the result
  is that of decodeURIComponent and of Python's unquote, with --form that of
  unquote_plus. The options of 'encode' that are not listed here are accepted
  and change nothing.

  With --json one object for each text: {\"input\":…,\"result\":…}; if the result
  is not UTF-8, \"result_base64\" has its bytes. An error is {\"input\":…,
  \"error\":{…}}.";

/// How a text is encoded for a part of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    /// The characters that are kept.
    keeps: AsciiSet,
    is_form: bool,
    /// Whether escapes are kept, those of a URL as a whole.
    keeps_escapes: bool,
}

/// "gen-delims / sub-delims" (RFC 3986, 2.2)
const RESERVED: AsciiSet = AsciiSet::of(b":/?#[]@!$&'()*+,;=");

/// "pchar = unreserved / pct-encoded / sub-delims / ":" / "@"" (RFC 3986, 3.3)
const PCHAR: AsciiSet = AsciiSet::UNRESERVED.union(AsciiSet::of(b"!$&'()*+,;=:@"));

impl KindArgs {
    fn kind(self, safe: Option<&str>) -> Kind {
        let unreserved = AsciiSet::UNRESERVED;
        let keeps = match self {
            Self { query: true, .. } => unreserved.union(AsciiSet::of(b"!$'()*,/:?@")),
            // "application/x-www-form-urlencoded percent-encode set" (URL Standard, 1.3)
            Self { form: true, .. } => unreserved.remove(b'~').add(b'*'),
            Self { path: true, .. } => PCHAR.add(b'/'),
            Self { segment: true, .. } => PCHAR,
            Self { fragment: true, .. } => PCHAR.add(b'/').add(b'?'),
            Self { userinfo: true, .. } => PCHAR.remove(b':').remove(b'@'),
            Self { uri: true, .. } => unreserved.union(RESERVED),
            _ => unreserved,
        };
        let keeps = safe.unwrap_or_default().bytes().fold(keeps, AsciiSet::add);
        Kind { keeps, is_form: self.form, keeps_escapes: self.uri }
    }
}

fn ascii(given: &str) -> Result<String, String> {
    match given.bytes().find(|octet| !octet.is_ascii_graphic() || *octet == b'%') {
        None => Ok(given.to_owned()),
        Some(b'%') => Err("\"%\" begins every escape, so it is always encoded".to_owned()),
        Some(_) => Err("expected printable characters of ASCII; others are always encoded".to_owned()),
    }
}

impl Kind {
    fn encode(self, octets: &[u8]) -> String {
        let piece = |octets: &[u8]| PctString::encode(octets, self.keeps).as_str().to_owned();
        if self.is_form {
            let words: Vec<_> = octets.split(|&octet| octet == b' ').map(piece).collect();
            return words.join("+");
        }
        if !self.keeps_escapes {
            return piece(octets);
        }
        let (mut encoded, mut start) = (String::with_capacity(octets.len()), 0);
        let is_escape = |at: &usize| octets.get(*at..).and_then(escaped_octet).is_some();
        for at in memchr::memchr_iter(b'%', octets).filter(is_escape) {
            encoded.push_str(&piece(octets.get(start..at).unwrap_or_default()));
            start = at + 3;
            encoded.extend(octets.get(at..start).unwrap_or_default().iter().map(|&octet| char::from(octet)));
        }
        encoded.push_str(&piece(octets.get(start..).unwrap_or_default()));
        encoded
    }

    /// Decodes a text; returns the position of a "%" without two hex digits, unless it is kept.
    fn decode(self, octets: &[u8], is_lossy: bool) -> Result<Vec<u8>, usize> {
        let mut decoded = Vec::with_capacity(octets.len());
        let mut at = 0;
        while let Some(&octet) = octets.get(at) {
            let escaped = octets.get(at..).and_then(escaped_octet).filter(|_| octet == b'%');
            let is_kept = |octet: u8| self.keeps_escapes && (octet == b'%' || RESERVED.contains(octet));
            match (octet, escaped) {
                (_, Some(escaped)) if !is_kept(escaped) => decoded.push(escaped),
                (_, Some(_)) => decoded.extend_from_slice(octets.get(at..at + 3).unwrap_or_default()),
                (b'%', None) if !is_lossy => return Err(at),
                (b'+', None) if self.is_form => decoded.push(b' '),
                _ => decoded.push(octet),
            }
            at += if escaped.is_some() { 3 } else { 1 };
        }
        if is_lossy && let Cow::Owned(text) = String::from_utf8_lossy(&decoded) {
            return Ok(text.into_bytes());
        }
        Ok(decoded)
    }
}

/// Encodes every text.
pub(crate) fn encode(args: &EncodeArgs, out: &mut Output) -> Result<Status, CliError> {
    let kind = args.texts.kind.kind(args.safe.as_deref());
    run(&args.texts, Coder { kind, step: Step::Encode, null: args.texts.inputs.null }, out)
}

/// Decodes every text.
pub(crate) fn decode(args: &DecodeArgs, out: &mut Output) -> Result<Status, CliError> {
    let step = Step::Decode { is_lossy: args.lossy };
    run(&args.texts, Coder { kind: args.texts.kind.kind(None), step, null: args.texts.inputs.null }, out)
}

fn run(texts: &TextArgs, mut verb: Coder, out: &mut Output) -> Result<Status, CliError> {
    let inputs = &texts.inputs;
    if !texts.whole {
        return transform::run(inputs, Head::Input, verb, out);
    }
    let octets = Named(inputs.file.as_deref().unwrap_or(OsStr::new("-"))).read()?;
    match verb.make(&octets) {
        Ok(Made::Octets { octets, .. }) if !inputs.quiet => {
            match out.is_terminal {
                true => line(out, &String::from_utf8_lossy(&octets))?,
                false => out.write_all(&octets)?,
            }
            out.flush()?;
            Ok(Status::Valid)
        }
        Ok(_) => Ok(Status::Valid),
        Err(why) => {
            if !inputs.is_silent() {
                failure::write(&mut out.errors(), &crate::output::Place::named(""), &octets, &why);
            }
            Ok(Status::NotValid)
        }
    }
}

/// Encodes or decodes texts.
struct Coder {
    kind: Kind,
    step: Step,
    /// Whether each result ends with NUL.
    null: bool,
}

/// What is done with each text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Encode,
    Decode { is_lossy: bool },
}

impl Make for Coder {
    const TAKES_NAMES_OF_FILES: bool = true;
    const TAKES_URLS: bool = false;
    const NOUN: &'static str = "text";

    fn unwraps(&self) -> Option<&'static Edition> {
        None
    }

    // Every text can be encoded.
    fn keeps_lines(&self) -> bool {
        self.step != Step::Encode && !self.null
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let octets = match self.step {
            Step::Encode => self.kind.encode(octets).into_bytes(),
            Step::Decode { is_lossy } => {
                self.kind.decode(octets, is_lossy).map_err(|at| wrong_escape(octets, at))?
            }
        };
        Ok(Made::Octets { octets, ended_by_nul: self.null })
    }
}

/// The error of a "%" that is not followed by two hex digits.
fn wrong_escape(octets: &[u8], at: usize) -> Failure {
    let length = octets.len().saturating_sub(at).min(3);
    let found = String::from_utf8_lossy(octets.get(at..at + length).unwrap_or_default());
    let found = found.split(char::is_whitespace).next().unwrap_or_default().to_owned();
    let message = format!(
        "\"%\" must be followed by two hex digits, not {}, at byte {at}; write %25 for \"%\", or use --lossy",
        match found.get(1..).unwrap_or_default() {
            "" => "the end or a space".to_owned(),
            rest => format!("\"{rest}\""),
        }
    );
    let start = u32::try_from(at).unwrap_or(u32::MAX);
    let span = locator::Span { start, end: start.saturating_add(1) };
    let place = Some(Position { of: Side::Input, part: None, span });
    Failure::Other { kind: "escape", message, see: Some("RFC 3986, 2.1".to_owned()), place }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(args: KindArgs) -> Kind {
        args.kind(None)
    }

    const NONE: KindArgs = KindArgs {
        component: false,
        query: false,
        form: false,
        path: false,
        segment: false,
        fragment: false,
        userinfo: false,
        uri: false,
    };

    /// Decoding by the same kind gives the text again.
    #[test]
    fn a_round_trip() {
        let all: Vec<u8> = (0..=255).collect();
        for args in [
            NONE,
            KindArgs { query: true, ..NONE },
            KindArgs { form: true, ..NONE },
            KindArgs { path: true, ..NONE },
            KindArgs { segment: true, ..NONE },
            KindArgs { fragment: true, ..NONE },
            KindArgs { userinfo: true, ..NONE },
        ] {
            let encoded = kind(args).encode(&all);
            assert!(encoded.bytes().all(|octet| octet.is_ascii_graphic()), "{args:?}");
            assert_eq!(kind(args).decode(encoded.as_bytes(), false), Ok(all.clone()), "{args:?}");
        }
        let uri = kind(KindArgs { uri: true, ..NONE });
        let encoded = uri.encode(&all);
        assert_eq!(uri.encode(encoded.as_bytes()), encoded);
    }
}
