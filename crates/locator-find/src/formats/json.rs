//! JSON and JSON lines. Decodes the escapes in strings. Follows RFC 8259, section 7; NDJSON or JSON
//! Lines has one value per line.
//!
//! A string that begins with a scheme and "//" is read as a whole. The quotes of another string remain in the text, so that a URL which fills a string ends with it. A
//! string also ends with its line: invalid JSON and JSON with comments are decoded as far as
//! possible.

use locator::text::Finder;
use locator::{Base, UriRef};
use memchr::{memchr, memchr3, memrchr};
use serde::de::IgnoredAny;
use serde_json::Deserializer;

use crate::formats::values::{Begins, Values, is_simple, quoted_length};
use crate::link::Context;
use crate::search::FormatSpec;
use crate::search::stream::{self, Decoder, Text};

/// JSON documents and JSON lines.
pub(crate) static JSON: FormatSpec = FormatSpec {
    name: "json",
    extensions: &["json", "ndjson", "jsonl", "geojson", "jsonld", "jsonc", "webmanifest", "har"],
    sections: None,
    has_media_type: |kind, subtype| {
        kind == "application" && matches!(subtype, "json" | "x-ndjson" | "jsonl")
            || subtype.ends_with("+json")
    },
    begins: Some(|head| !head.is_wide() && begins(head.text())),
    find: |query, input| stream::find(query, input, Json::new(&query.options.text)),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Json::new(&query.options.text), text, emitter),
};

/// The decoder of JSON.
#[derive(Debug)]
struct Json<'f> {
    values: Values<'f>,
    /// Whether strings are read as a whole.
    reads_whole: bool,
    in_string: bool,
    /// The last value of a member "url": in an HTTP archive (HAR 1.2) the request of the next response.
    requested: Option<String>,
}

/// The longest URL of a request that a redirect is resolved by.
const LONGEST_REQUEST: usize = 8 << 10;

/// The content of a string.
struct StringContent<'o> {
    /// Where it begins, after the quote.
    start: usize,
    octets: &'o [u8],
}

/// Returns the string that is the value of a member, whose name begins with a quote at the first octet; `None` if
/// the member has another name or value, or is not complete.
fn value_of<'o>(octets: &'o [u8], name: &str) -> Option<StringContent<'o>> {
    let rest = octets.strip_prefix(b"\"")?.strip_prefix(name.as_bytes())?.strip_prefix(b"\"")?;
    let rest = rest.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start().strip_prefix(b"\"")?;
    let length = quoted_length(&rest[..rest.len().min(LONGEST_REQUEST)], b'"', true, true)??;
    Some(StringContent { start: octets.len() - rest.len(), octets: &rest[..length] })
}

/// Returns whether a member with this name may be complete only when more octets are there.
fn may_be(octets: &[u8], name: &str) -> bool {
    let length = octets.len().min(name.len() + 1);
    octets.len() < LONGEST_REQUEST && octets[1..length] == name.as_bytes()[..length - 1]
}

impl<'f> Json<'f> {
    fn new(finder: &'f Finder) -> Self {
        Self { values: Values::new(finder), reads_whole: true, in_string: false, requested: None }
    }
}

/// What was read of a string, from its opening quote on.
struct StringStart {
    length: usize,
    /// Whether the string goes on after it.
    goes_on: bool,
}

/// Decodes a string that begins with a scheme and "//"; `None` if more octets are needed.
fn decode_value(
    values: &Values<'_>,
    octets: &[u8],
    at: usize,
    is_all: bool,
    text: &mut Text,
) -> Option<StringStart> {
    let Some(length) = quoted_length(&octets[1..], b'"', true, is_all)? else {
        text.keep(&octets[..1], at);
        return Some(StringStart { length: 1, goes_on: true });
    };
    let content = &octets[1..=length];
    if is_simple(content.trim_ascii()) {
        text.keep(&octets[..length + 2], at);
        return Some(StringStart { length: length + 2, goes_on: false });
    }
    text.keep(&octets[..1], at);
    let is_emitted = String::from_utf8(unescaped(content))
        .is_ok_and(|value| values.emit(&value, at + 1..at + 1 + length, text));
    Some(StringStart { length: if is_emitted { 1 + length } else { 1 }, goes_on: true })
}

impl Decoder for Json<'_> {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let Self { values, reads_whole, in_string, requested } = self;
        let mut schemes = values.schemes(octets, true);
        let mut done = 0;
        while done < octets.len() {
            let rest = &octets[done..];
            let end = match *in_string {
                true => memchr3(b'"', b'\\', b'\n', rest),
                false => memchr(b'"', rest),
            };
            let Some(end) = end else {
                text.keep(rest, at + done);
                return octets.len();
            };
            if rest[end] == b'"' && !*in_string {
                text.keep(&rest[..end], at + done);
                done += end;
                let member = &octets[done..];
                if !is_all
                    && value_of(member, REQUESTED).or(value_of(member, REDIRECT)).is_none()
                    && (may_be(member, REQUESTED) || may_be(member, REDIRECT))
                {
                    return done;
                }
                if let Some(url) = value_of(member, REQUESTED) {
                    *requested = String::from_utf8(unescaped(url.octets)).ok();
                }
                if let Some(StringContent { start, octets: reference }) = value_of(member, REDIRECT)
                    && let Some(target) = requested.as_deref().and_then(|url| redirect_target(url, reference))
                {
                    text.keep(&member[..start], at + done);
                    let span = done + start..done + start + reference.len();
                    text.link(at + span.start..at + span.end, target, Context::Json(REDIRECT));
                    text.gap(at + span.start, span.len());
                    (done, *in_string) = (span.end, true);
                    continue;
                }
                let begins = if *reads_whole { schemes.begin_at(done + 1, is_all) } else { Begins::No };
                let read = match begins {
                    Begins::No => {
                        text.keep(b"\"", at + done);
                        Some(StringStart { length: 1, goes_on: true })
                    }
                    Begins::Yes => decode_value(values, &octets[done..], at + done, is_all, text),
                    Begins::Unknown => None,
                };
                let Some(read) = read else { return done };
                (done, *in_string) = (done + read.length, read.goes_on);
                continue;
            }
            if rest[end] != b'\\' {
                *in_string = false;
                text.keep(&rest[..=end], at + done);
                done += end + 1;
                continue;
            }
            text.keep(&rest[..end], at + done);
            done += end;
            match escape_at(&rest[end..], is_all) {
                JsonEscape::Character(character, length) => {
                    text.put(character.encode_utf8(&mut [0; 4]).as_bytes(), at + done, length);
                    done += length;
                }
                JsonEscape::None => {
                    text.keep(b"\\", at + done);
                    done += 1;
                }
                JsonEscape::Cut => return done,
            }
        }
        done
    }
}

/// The members of an HTTP archive with the URL of a request, and with that of a redirect.
const REQUESTED: &str = "url";
const REDIRECT: &str = "redirectURL";

/// Returns the URL that a relative redirect leads to; `None` if it is not relative, or leads nowhere.
fn redirect_target(requested: &str, reference: &[u8]) -> Option<String> {
    let reference = String::from_utf8(unescaped(reference)).ok()?;
    let reference = UriRef::parse_repaired(&reference).ok()?;
    let base = UriRef::parse_repaired(requested).ok()?;
    if reference.as_str().is_empty() || reference.has_scheme() {
        return None;
    }
    let base = Base::new(base.as_uri_ref().as_uri()?).ok()?;
    base.join(reference.as_uri_ref()).ok().map(|target| target.as_str().to_owned())
}

/// Decodes the content of a string.
fn unescaped(octets: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while let Some(at) = memchr(b'\\', rest) {
        text.extend_from_slice(&rest[..at]);
        match escape_at(&rest[at..], true) {
            JsonEscape::Character(character, length) => {
                text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = &rest[at + length..];
            }
            _ => {
                text.push(b'\\');
                rest = &rest[at + 1..];
            }
        }
    }
    text.extend_from_slice(rest);
    text
}

/// The result of decoding at a "\".
pub(super) enum JsonEscape {
    /// A character and the number of octets it is written as.
    Character(char, usize),
    /// Not a JSON escape.
    None,
    /// More octets are needed.
    Cut,
}

pub(super) fn escape_at(octets: &[u8], is_all: bool) -> JsonEscape {
    let character = match octets.get(1) {
        None if is_all => return JsonEscape::None,
        None => return JsonEscape::Cut,
        Some(b'u') => return unicode_at(octets, is_all),
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{C}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(octet @ (b'"' | b'\\' | b'/')) => char::from(*octet),
        Some(_) => return JsonEscape::None,
    };
    JsonEscape::Character(character, 2)
}

/// Decodes `\u` and four digits, or a pair of them for a character beyond the Basic Multilingual
/// Plane.
fn unicode_at(octets: &[u8], is_all: bool) -> JsonEscape {
    const LENGTH: usize = 6;
    if octets.len() < LENGTH && !is_all {
        return JsonEscape::Cut;
    }
    let Some(first) = unit_at(octets) else { return JsonEscape::None };
    if !(0xD800..0xDC00).contains(&first) {
        let character = char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER);
        return JsonEscape::Character(character, LENGTH);
    }
    if octets.len() < 2 * LENGTH
        && !is_all
        && b"\\u".starts_with(&octets[LENGTH..octets.len().min(LENGTH + 2)])
    {
        return JsonEscape::Cut;
    }
    let second = unit_at(&octets[LENGTH..]).filter(|second| (0xDC00..0xE000).contains(second));
    let character =
        second.and_then(|second| char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + second - 0xDC00));
    character.map_or(JsonEscape::Character(char::REPLACEMENT_CHARACTER, LENGTH), |character| {
        JsonEscape::Character(character, 2 * LENGTH)
    })
}

fn unit_at(octets: &[u8]) -> Option<u32> {
    let digits = octets.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}

/// Returns whether a text begins with JSON: an object or an array that contains a string.
fn begins(first: &[u8]) -> bool {
    if !matches!(first.trim_ascii_start().first(), Some(b'{' | b'[')) || memchr(b'"', first).is_none() {
        return false;
    }
    let mut values = Deserializer::from_slice(first).into_iter::<IgnoredAny>();
    let mut error = values.next().and_then(Result::err);
    if error.is_none() {
        // A second value must be on another line: `[1] "a"` is a note.
        let after = &first[values.byte_offset()..];
        let line = after.split(|octet| *octet == b'\n').next().unwrap_or_default();
        if !line.trim_ascii().is_empty() {
            return false;
        }
        error = values.find_map(Result::err);
    }
    error.is_none_or(|error| error.is_eof())
}

/// Returns whether a line is a single value that contains an escape.
fn is_value(line: &[u8]) -> bool {
    begins_value(line) && memchr(b'\\', line).is_some() && serde_json::from_slice::<IgnoredAny>(line).is_ok()
}

/// Returns whether a line begins as a value with strings does, or has only white space so far.
fn begins_value(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), None | Some(b'{' | b'[' | b'"'))
}

/// The maximum length of a line that is parsed as a value.
const LONGEST_LINE: usize = 1 << 20;

/// A text up to a line that is JSON, or as far as no line is.
pub(crate) struct BeforeJson {
    /// The length of the text that does not belong to such a line.
    pub(crate) length: usize,
    /// Whether such a line follows.
    pub(crate) is_before_line: bool,
}

/// Finds the first line that is one JSON value with an escape. JsonLines that begin before `from` are already checked.
pub(crate) fn before_first_line(octets: &[u8], from: usize, is_last: bool) -> BeforeJson {
    let open = memrchr(b'\n', octets).map_or(0, |at| at + 1);
    let whole = if is_last { octets.len() } else { open };
    let mut at = from;
    while let Some(escape) = octets.get(at..whole).and_then(|octets| memchr(b'\\', octets)) {
        let escape = at + escape;
        let start = memrchr(b'\n', &octets[..escape]).map_or(0, |at| at + 1);
        let end = memchr(b'\n', &octets[escape..]).map_or(octets.len(), |length| escape + length);
        if start >= from && end - start <= LONGEST_LINE && is_value(&octets[start..end]) {
            return BeforeJson { length: start, is_before_line: true };
        }
        at = end;
    }
    let is_waiting = open >= from && octets.len() - open <= LONGEST_LINE && begins_value(&octets[open..]);
    let length = if is_waiting && !is_last { open } else { octets.len() };
    BeforeJson { length, is_before_line: false }
}

/// The decoder of a text with lines that may be JSON.
#[derive(Debug)]
pub(crate) struct JsonLines<'f> {
    json: Json<'f>,
    /// Whether it is within a line, and whether that line is JSON.
    line: Option<bool>,
}

impl<'f> JsonLines<'f> {
    pub(crate) fn new(finder: &'f Finder) -> Self {
        Self { json: Json::new(finder), line: None }
    }
}

impl Decoder for JsonLines<'_> {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let mut done = 0;
        while done < octets.len() {
            let rest = &octets[done..];
            let end = memchr(b'\n', rest);
            if end.is_none() && self.line.is_none() && !is_all && begins_value(rest) {
                return done;
            }
            let line = &rest[..end.map_or(rest.len(), |end| end + 1)];
            let is_json = *self.line.get_or_insert_with(|| is_value(line));
            if !self.json.in_string {
                // A string that is a line is source code, whose text goes on in the next line.
                self.json.reads_whole = !line.trim_ascii_start().starts_with(b"\"");
            }
            let read = match is_json {
                true => self.json.decode(line, at + done, is_all || end.is_some(), text),
                false => {
                    text.keep(line, at + done);
                    line.len()
                }
            };
            if end.is_some() {
                (self.line, self.json.in_string) = (None, false);
            }
            done += read;
            if read < line.len() {
                break;
            }
        }
        done
    }
}
