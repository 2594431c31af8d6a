//! TOML. Finds the strings and leaves everything else as running text. Follows TOML 1.1, "String" and
//! "Comment".
//!
//! A string that begins with a scheme and "//" is read as a whole. No escapes are decoded elsewhere, but a "\"
//! at the end of a line is left out with the white space after it.

use locator::text::Finder;
use memchr::{memchr, memchr3, memmem};

use crate::formats::values::{Begins, Values, is_simple, quoted_length, unescaped};
use crate::search::FormatSpec;
use crate::search::stream::{self, Decoder, Text};

/// TOML documents.
pub(crate) static TOML: FormatSpec = FormatSpec {
    name: "toml",
    extensions: &["toml"],
    sections: None,
    has_media_type: |kind, subtype| kind == "application" && subtype == "toml",
    begins: None,
    find: |query, input| stream::find(query, input, Toml::new(&query.options.text)),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Toml::new(&query.options.text), text, emitter),
};

/// The decoder of TOML.
#[derive(Debug)]
struct Toml<'f> {
    values: Values<'f>,
    place: TomlState,
}

/// Where the next octet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TomlState {
    /// Between strings.
    Between,
    Comment,
    /// In a string of one line, in these quotes.
    Line(u8),
    /// In a string between three of these quotes.
    Lines(u8),
    /// In such a string, in the white space after a "\" at the end of a line.
    Trimmed(u8),
}

impl<'f> Toml<'f> {
    fn new(finder: &'f Finder) -> Self {
        Self { values: Values::new(finder), place: TomlState::Between }
    }
}

/// Whether a string has escapes.
const fn has_escapes(quote: u8) -> bool {
    quote == b'"'
}

/// Returns how far the octets go on in this place, and the next place; `None` if more octets are
/// needed. It may need some at the end only.
fn skip(place: TomlState, octets: &[u8], is_all: bool) -> Option<(usize, TomlState)> {
    let all = octets.len();
    match place {
        TomlState::Comment => {
            Some(memchr(b'\n', octets).map_or((all, TomlState::Comment), |end| (end, TomlState::Between)))
        }
        TomlState::Line(quote) => {
            let length = quoted_length(octets, quote, has_escapes(quote), is_all)?;
            let end = length.map(|length| length + 1).or(memchr(b'\n', octets)).unwrap_or(all);
            Some((end, TomlState::Between))
        }
        TomlState::Lines(quote) => {
            let mut at = 0;
            while let Some(length) = memchr::memchr2(quote, b'\\', &octets[at..]) {
                at += length;
                match &octets[at..] {
                    rest @ [b'\\', ..] if has_escapes(quote) => match line_end(rest) {
                        // The decoder leaves it out.
                        LineEnd::Found if at > 0 => return Some((at, place)),
                        LineEnd::Found => return Some((1, TomlState::Trimmed(quote))),
                        LineEnd::Unknown if !is_all => return (at > 0).then_some((at, place)),
                        LineEnd::Unknown | LineEnd::None => at = all.min(at + 2),
                    },
                    [b'\\', _, ..] => at += 1,
                    [one, two, three, ..] if [one, two, three] == [&quote; 3] => {
                        return Some((at + 3, TomlState::Between));
                    }
                    rest if rest.len() < 3 && !is_all => return (at > 0).then_some((at, place)),
                    _ => at += 1,
                }
            }
            Some((all, place))
        }
        TomlState::Trimmed(quote) => {
            let white = octets.iter().position(|octet| !b" \t\r\n".contains(octet));
            Some(white.map_or((all, place), |white| (white, TomlState::Lines(quote))))
        }
        TomlState::Between => Some((memchr3(b'"', b'\'', b'#', octets).unwrap_or(all), TomlState::Between)),
    }
}

/// Whether a "\" is the last of its line.
enum LineEnd {
    None,
    Found,
    Unknown,
}

/// "When the last non-whitespace character on a line is an unescaped \, it will be trimmed along with all
/// whitespace (including newlines) up to the next non-whitespace character or closing delimiter."
fn line_end(octets: &[u8]) -> LineEnd {
    let after = octets.iter().skip(1).find(|octet| !b" \t\r".contains(octet));
    match after {
        Some(b'\n') => LineEnd::Found,
        Some(_) => LineEnd::None,
        None => LineEnd::Unknown,
    }
}

/// A string after its opening quotes.
struct Opened {
    /// The number of the opening quotes.
    quotes: usize,
    quote: u8,
    /// The length of the content, if it ends in its line.
    length: Option<usize>,
}

/// Returns the string that these octets begin; `None` if more octets are needed. Its end is looked
/// for only if `is_value` says so.
fn open(octets: &[u8], mut is_value: impl FnMut(usize) -> Begins, is_all: bool) -> Option<Opened> {
    let quote = octets[0];
    let quotes = match octets {
        [_, two, three, ..] if [*two, *three] == [quote; 2] => 3,
        [_, _, _, ..] => 1,
        _ if is_all => 1,
        _ => return None,
    };
    let length = match is_value(quotes) {
        Begins::No => None,
        Begins::Unknown => return None,
        Begins::Yes if quotes == 1 => quoted_length(&octets[1..], quote, has_escapes(quote), is_all)?,
        Begins::Yes => {
            let content = &octets[3..];
            let end = memmem::find(content, &[quote; 3]);
            let line = &content[..end.unwrap_or(content.len())];
            match end {
                _ if line.contains(&b'\n') => None,
                None if !is_all => return None,
                end => end,
            }
        }
    };
    Some(Opened { quotes, quote, length })
}

impl Decoder for Toml<'_> {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let Self { values, place } = self;
        let mut schemes = values.schemes(octets, false);
        let (mut done, mut kept) = (0, 0);
        while done < octets.len() {
            let rest = &octets[done..];
            match (*place, rest[0]) {
                (TomlState::Between, b'#') => {
                    (done, *place) = (done + 1, TomlState::Comment);
                    continue;
                }
                (TomlState::Between, b'"' | b'\'') => {
                    let begins = |quotes| schemes.begin_at(done + quotes, is_all);
                    let Some(opened) = open(rest, begins, is_all) else { break };
                    let start = done + opened.quotes;
                    if let Some(length) = opened.length {
                        text.keep(&octets[kept..start], at + kept);
                        kept = start
                            + string(values, &octets[start..start + length], opened.quote, at + start, text);
                        done = start + length + opened.quotes;
                        continue;
                    }
                    done = start;
                    *place = if opened.quotes == 3 {
                        TomlState::Lines(opened.quote)
                    } else {
                        TomlState::Line(opened.quote)
                    };
                    continue;
                }
                _ => {}
            }
            let Some((length, next)) = skip(*place, rest, is_all) else { break };
            // What is trimmed is no text, with the "\" before it.
            let is_trimmed =
                matches!((*place, next), (TomlState::Trimmed(_), _) | (_, TomlState::Trimmed(_)));
            if is_trimmed {
                text.keep(&octets[kept..done], at + kept);
                kept = done + length;
            }
            (done, *place) = (done + length, next);
        }
        let done = done.min(octets.len());
        text.keep(&octets[kept.min(done)..done], at + kept);
        done
    }
}

/// Adds the URL that a string is as a whole; returns how many of its octets are not text.
fn string(values: &Values<'_>, content: &[u8], quote: u8, at: usize, text: &mut Text) -> usize {
    let Ok(value) = str::from_utf8(content) else { return 0 };
    if is_simple(content.trim_ascii()) {
        return 0;
    }
    let decoded = if has_escapes(quote) { unescaped(value) } else { value.to_owned() };
    if values.emit(&decoded, at..at + content.len(), text) { content.len() } else { 0 }
}
