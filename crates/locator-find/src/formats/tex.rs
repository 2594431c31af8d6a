//! TeX. Finds the URLs of a document and removes the escapes of characters that are special in TeX.
//! Follows the LaTeX manual for `\verb` and the escaped characters, the manuals of `url` and `hyperref`
//! for the arguments of `\url` and `\href`, and that of BibTeX for the field `url`.
//!
//! Such an argument in braces is a URL to its end, also in Texinfo. The rest, including comments, is
//! running text.

use std::ops::Range;

use locator::scheme;

use crate::link::cut::Cut;
use crate::search::FormatSpec;
use crate::search::stream::{self, Decoder, Text};

/// The TeX format.
pub(crate) static TEX: FormatSpec = FormatSpec {
    name: "tex",
    extensions: &["tex", "ltx", "latex", "sty", "cls", "dtx", "ins", "bib", "bbl"],
    sections: None,
    has_media_type: |kind, subtype| {
        matches!(kind, "text" | "application") && matches!(subtype, "x-tex" | "x-latex" | "x-bibtex")
    },
    begins: None,
    find: |query, input| stream::find(query, input, Tex),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Tex, text, emitter),
};

/// The decoder of TeX.
#[derive(Debug)]
struct Tex;

/// The length of the longest command that is read, with its optional argument.
const AHEAD: usize = 256;

impl Decoder for Tex {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let (mut done, mut kept) = (0, 0);
        while let Some(length) = octets[done..].iter().position(|octet| b"\\=$%{".contains(octet)) {
            let start = done + length;
            if octets.len() - start < AHEAD && !is_all {
                text.keep(&octets[kept..start], at + kept);
                return start;
            }
            let rest = &octets[start..];
            let token = match rest[0] {
                b'\\' => command_at(rest, is_all),
                b'=' if is_url_field(&octets[..start]) => field_at(rest, is_all),
                b'%' => comment_at(rest),
                b'=' => Token::Other(1),
                _ => enclosed_at(rest),
            };
            if let Token::Other(length) = token {
                done = start + length.min(rest.len());
                continue;
            }
            text.keep(&octets[kept..start], at + kept);
            let length = match token {
                Token::Character(character, length) => {
                    text.put(&[character], at + start, length);
                    length
                }
                Token::Nothing(length) => length,
                Token::End(length) => {
                    text.gap(at + start, length);
                    length
                }
                Token::Verbatim(content) => {
                    text.gap(at + start, content.start);
                    text.keep(&rest[content.clone()], at + start + content.start);
                    text.gap(at + start + content.end, 1);
                    content.end + 1
                }
                Token::Destination(content, kind) => {
                    let before = start + content.start;
                    text.keep(&octets[start..before], at + start);
                    destination(&rest[content.clone()], at + before, kind, text);
                    content.end
                }
                Token::Incomplete | Token::Other(_) => return start,
            };
            (done, kept) = (start + length, start + length);
        }
        text.keep(&octets[kept..], at + kept);
        octets.len()
    }
}

/// A construct of TeX, and its length in octets.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    /// A character.
    Character(u8, usize),
    /// Nothing: a place where a line may be broken.
    Nothing(usize),
    /// Something that ends every URL.
    End(usize),
    /// `\verb+…+`: its content is literal.
    Verbatim(Range<usize>),
    /// A URL.
    Destination(Range<usize>, Kind),
    /// Any other octets.
    Other(usize),
    /// More octets are needed.
    Incomplete,
}

/// How white space in a URL is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `\url`: "spaces are ignored".
    Url,
    /// `\href`, or a field of a bibliography.
    Href,
}

/// Commands for characters that occur in URLs.
const CHARACTERS: [(&[u8], u8); 9] = [
    (b"textasciitilde", b'~'),
    (b"textunderscore", b'_'),
    (b"textasciicircum", b'^'),
    (b"textbackslash", b'\\'),
    (b"slash", b'/'),
    (b"sim", b'~'),
    (b"lbrace", b'{'),
    (b"rbrace", b'}'),
    (b"textbar", b'|'),
];

/// Commands that print nothing.
const NOTHING: [&[u8]; 5] = [b"allowbreak", b"nobreak", b"string", b"protect", b"relax"];

/// Commands that end a URL in running text.
const ENDS: [&[u8]; 16] = [
    b"par",
    b"newline",
    b"item",
    b"hfill",
    b"quad",
    b"qquad",
    b"footnote",
    b"cite",
    b"label",
    b"index",
    b"end",
    b"begin",
    b"hline",
    b"cr",
    b"space",
    b"bibitem",
];

/// `\verb`, and the equivalent of the package `listings`.
const VERBATIM: [&[u8]; 2] = [b"verb", b"lstinline"];

/// Commands whose first argument is a URL.
const DESTINATIONS: [(&[u8], Kind); 8] = [
    (b"url", Kind::Url),
    (b"nolinkurl", Kind::Url),
    (b"path", Kind::Url),
    (b"burl", Kind::Url),
    (b"href", Kind::Href),
    (b"hyperref", Kind::Href),
    (b"hyperimage", Kind::Href),
    (b"qrcode", Kind::Href),
];

fn command_at(rest: &[u8], is_all: bool) -> Token {
    match rest {
        [_, escaped @ (b'_' | b'%' | b'#' | b'&' | b'$' | b'{' | b'}'), ..] => {
            return Token::Character(*escaped, 2);
        }
        [_, b'~', b'{', b'}', ..] => return Token::Character(b'~', 4),
        [_, b'-' | b'/', ..] => return Token::Nothing(2),
        [_, b'\\' | b' ' | b',' | b';' | b':' | b'!' | b'>', ..] => return Token::End(2),
        _ => {}
    }
    let length = rest[1..].iter().take_while(|octet| octet.is_ascii_alphabetic()).count();
    let (word, after) = (&rest[1..=length], &rest[1 + length..]);
    let word_length = 1 + length;
    if let Some((_, character)) = CHARACTERS.iter().find(|(name, _)| *name == word) {
        return Token::Character(*character, word_length + ended(after));
    }
    if NOTHING.contains(&word) {
        return Token::Nothing(word_length + ended(after));
    }
    if ENDS.contains(&word) {
        return Token::End(word_length);
    }
    if VERBATIM.contains(&word)
        && let Some(content) = delimited(after)
    {
        return Token::Verbatim(word_length + content.start..word_length + content.end);
    }
    let Some((_, kind)) = DESTINATIONS.iter().find(|(name, _)| *name == word) else {
        return Token::Other(word_length.max(2).min(rest.len()));
    };
    let start = word_length + options(after);
    if rest.get(start) != Some(&b'{') {
        // `\url|http://h/|`
        return match delimited(after).filter(|_| *kind == Kind::Url) {
            Some(content) => {
                Token::Destination(word_length + content.start..word_length + content.end, *kind)
            }
            None => Token::Other(word_length),
        };
    }
    destination_in(rest, start, *kind, is_all).unwrap_or(Token::Other(word_length))
}

/// Returns the URL in the braces at `start`, if there is one.
fn destination_in(rest: &[u8], start: usize, kind: Kind, is_all: bool) -> Option<Token> {
    // Only a URL is looked at to its end.
    if !has_scheme(&rest[start + 1..]) {
        return None;
    }
    match argument(&rest[start..], b'\\', is_all) {
        Argument::To(length) => Some(Token::Destination(start + 1..start + length, kind)),
        Argument::Incomplete => Some(Token::Incomplete),
        _ => None,
    }
}

/// Returns the length of what only ends a command word: "{}" or a space.
fn ended(after: &[u8]) -> usize {
    match after {
        [b'{', b'}', ..] => 2,
        [b' ', ..] => 1,
        _ => 0,
    }
}

/// Returns the length of a star, blanks, and options in square brackets.
fn options(after: &[u8]) -> usize {
    let mut at = usize::from(after.first() == Some(&b'*'));
    loop {
        at += after[at..].iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
        match after.get(at) {
            Some(b'[') => match after[at..].iter().take(AHEAD / 2).position(|octet| *octet == b']') {
                Some(length) => at += length + 1,
                None => return at,
            },
            _ => return at,
        }
    }
}

/// "\verb char literal_text char": the character is neither a letter nor white space, and no line
/// ends in between. Braces need no special case.
fn delimited(after: &[u8]) -> Option<Range<usize>> {
    let star = usize::from(after.first() == Some(&b'*'));
    let delimiter = *after.get(star)?;
    if !delimiter.is_ascii_punctuation() || matches!(delimiter, b'{' | b'}' | b'\\') {
        return None;
    }
    let start = star + 1;
    let end = start + after[start..].iter().position(|octet| *octet == delimiter || *octet == b'\n')?;
    (after[end] == delimiter).then_some(start..end)
}

/// A "%" before a line end hides the line end and the blanks after it.
fn comment_at(rest: &[u8]) -> Token {
    let end = rest.iter().skip(1).position(|octet| !matches!(octet, b' ' | b'\t' | b'\r')).map(|at| at + 1);
    match end.filter(|end| rest[*end] == b'\n') {
        Some(end) => {
            let blanks = rest[end + 1..].iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
            Token::Nothing(end + 1 + blanks)
        }
        None => Token::Other(1),
    }
}

/// A character that is in braces or dollars to separate it: `{\_}`, `$\sim$`.
fn enclosed_at(rest: &[u8]) -> Token {
    const TILDES: [&[u8]; 4] = [b"$\\sim$", b"${\\sim}$", b"$\\sim{}$", b"{$\\sim$}"];
    if let Some(tilde) = TILDES.iter().find(|tilde| rest.starts_with(tilde)) {
        return Token::Character(b'~', tilde.len());
    }
    match rest {
        [b'{', b'\\', ..] => match command_at(&rest[1..], true) {
            Token::Character(character, length) if rest.get(1 + length) == Some(&b'}') => {
                Token::Character(character, length + 2)
            }
            _ => Token::Other(1),
        },
        _ => Token::Other(1),
    }
}

/// Whether a field of a bibliography before a "=" has a URL.
fn is_url_field(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let is_name = |octet: &&u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_');
    let length = before.iter().rev().take(16).take_while(is_name).count();
    let name = &before[before.len() - length..];
    let is = |one: &[u8]| name.eq_ignore_ascii_case(one);
    is(b"url") || is(b"link") || is(b"howpublished") || is(b"urlraw") || name.starts_with(b"bdsk-url-")
}

/// The value of such a field: `= {http://h/}`.
fn field_at(rest: &[u8], is_all: bool) -> Token {
    let blanks = rest[1..].iter().take_while(|octet| octet.is_ascii_whitespace()).count();
    let start = 1 + blanks;
    match rest.get(start) {
        Some(b'{') => destination_in(rest, start, Kind::Href, is_all).unwrap_or(Token::Other(1)),
        _ => Token::Other(1),
    }
}

/// Adds the URL of an argument, which is written at `at`.
fn destination(octets: &[u8], at: usize, kind: Kind, text: &mut Text) {
    let lead = octets.len() - octets.trim_ascii_start().len();
    let octets = octets.trim_ascii();
    let (mut url, mut done) = (Vec::new(), 0);
    let mut cut = None;
    while cut.is_none()
        && let Some(octet) = octets.get(done)
    {
        let rest = &octets[done..];
        let (character, length) = match octet {
            b'\\' if rest.get(1) == Some(&b'\\') => (Some(b'\\'), 2),
            b'\\' => match command_at(rest, true) {
                Token::Character(character, length) => (Some(character), length),
                Token::Nothing(length) => (None, length),
                _ => {
                    // The value of a macro.
                    cut = Some(Cut::Value);
                    break;
                }
            },
            b'%' => match comment_at(rest) {
                Token::Nothing(length) => (None, length),
                _ => (Some(b'%'), 1),
            },
            // An argument of a macro that is being defined.
            b'#' if rest.get(1).is_some_and(u8::is_ascii_digit)
                && !rest.get(2).is_some_and(u8::is_ascii_alphanumeric) =>
            {
                cut = Some(Cut::Value);
                break;
            }
            b'$' => match enclosed_at(rest) {
                Token::Character(character, length) => (Some(character), length),
                _ => (Some(b'$'), 1),
            },
            b'{' | b'}' => (None, 1),
            octet if octet.is_ascii_whitespace() => {
                let length = rest.iter().take_while(|octet| octet.is_ascii_whitespace()).count();
                let is_line_end = rest[..length].contains(&b'\n');
                match kind {
                    Kind::Url => (None, length),
                    Kind::Href if is_line_end => {
                        cut = Some(Cut::LineEnd);
                        break;
                    }
                    Kind::Href => (Some(b' '), length),
                }
            }
            octet => (Some(*octet), 1),
        };
        url.extend(character);
        done += length;
    }
    let written = at + lead..at + lead + done;
    match String::from_utf8(url) {
        Ok(url) => {
            text.cut_link(written.clone(), url, cut);
            text.gap(written.start, 0);
        }
        // A text in another encoding.
        Err(_) => text.keep(octets, at + lead),
    }
}

/// The end of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// The closing brace is at this offset.
    To(usize),
    /// It is not closed before an empty line.
    Open,
    /// More octets are needed.
    Incomplete,
}

/// The length of the longest argument.
const LONGEST: usize = 4 << 10;

/// Returns the end of the argument that begins with a brace. The octet after `escape` is no brace.
pub(crate) fn argument(octets: &[u8], escape: u8, is_all: bool) -> Argument {
    let (mut depth, mut is_empty_line) = (0_usize, false);
    let mut at = 0;
    while let Some(octet) = octets.get(at).filter(|_| at < LONGEST) {
        match *octet {
            octet if octet == escape => at += 1,
            b'{' => depth += 1,
            b'}' if depth <= 1 => return Argument::To(at),
            b'}' => depth -= 1,
            b'\n' if is_empty_line => return Argument::Open,
            _ => {}
        }
        is_empty_line = *octet == b'\n' || is_empty_line && matches!(octet, b' ' | b'\t' | b'\r');
        at += 1;
    }
    if is_all || at >= LONGEST { Argument::Open } else { Argument::Incomplete }
}

/// Returns whether a text begins with a scheme and "//", or with the name of a known scheme.
pub(crate) fn has_scheme(octets: &[u8]) -> bool {
    let octets = octets.trim_ascii_start();
    let is_name = |octet: &&u8| octet.is_ascii_alphanumeric() || b"+-.".contains(octet);
    let length = octets.iter().take(64).take_while(is_name).count();
    let name = str::from_utf8(&octets[..length]).unwrap_or_default();
    let after = &octets[length..];
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && (after.starts_with(b"://") || after.starts_with(b":") && scheme::lookup(name).is_some())
}
