//! JSON-LD. Finds the strings of a script that are links. Follows RFC 8259 for the syntax and
//! JSON-LD 1.1 for the meaning, as far as possible without fetching a context.
//!
//! A context may turn any member's value into a link. Without it, links are the values of certain
//! keywords and every string that begins as an absolute URL with "//".

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use memchr::{memchr, memchr2};

/// Receives the octets of a link, the link and the name of its member.
type Take<'t> = dyn FnMut(Range<usize>, &str, &str) -> ControlFlow<()> + 't;

/// The keywords whose values are IRIs, or references to them.
const LINKS: [&str; 4] = ["@id", "@base", "@vocab", "@context"];

/// Finds the links of JSON.
///
/// Invalid JSON is read as a sequence of strings.
pub(super) fn find(octets: &[u8], take: &mut Take<'_>) -> ControlFlow<()> {
    let mut member = String::new();
    let mut at = 0;
    while let Some(length) = memchr(b'"', &octets[at..]) {
        let start = at + length + 1;
        let Some(end) = end_of_string(octets, start) else {
            break;
        };
        let text = text_of(&octets[start..end]);
        at = end + 1;
        if octets[at..].trim_ascii_start().starts_with(b":") {
            member = text.into_owned();
        } else if is_link(&member, &text) {
            take(start..end, &text, &member)?;
        }
    }
    ControlFlow::Continue(())
}

fn end_of_string(octets: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr2(b'"', b'\\', octets.get(at..)?)?;
        match octets[at] {
            b'"' => return Some(at),
            _ => at += 2,
        }
    }
}

fn is_link(member: &str, text: &str) -> bool {
    // "A blank node identifier is a string that [...] begins with _:"
    let is_node = !text.is_empty() && !text.starts_with("_:");
    is_node && LINKS.contains(&member)
        || text.split_once("://").is_some_and(|(scheme, _)| {
            scheme.starts_with(|first: char| first.is_ascii_alphabetic())
                && scheme
                    .chars()
                    .all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
        })
}

/// Decodes the escapes of a string.
fn text_of(written: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(written);
    if !text.contains('\\') {
        return text;
    }
    let mut units = Vec::with_capacity(text.len());
    let mut rest = &*text;
    while let Some((before, after)) = rest.split_once('\\') {
        units.extend(before.encode_utf16());
        let (unit, length) = unit_of(after);
        units.extend(unit);
        rest = &after[length..];
    }
    units.extend(rest.encode_utf16());
    Cow::Owned(String::from_utf16_lossy(&units))
}

/// Returns the code unit of an escape, without its "\", and its length; surrogates come in two.
fn unit_of(escape: &str) -> (Option<u16>, usize) {
    let unit = match escape.as_bytes().first() {
        Some(b'u') => {
            let number = escape.get(1..5).and_then(|digits| u16::from_str_radix(digits, 16).ok());
            return (number, if number.is_some() { 5 } else { 1 });
        }
        Some(b'b') => 0x08,
        Some(b'f') => 0x0C,
        Some(b'n') => 0x0A,
        Some(b'r') => 0x0D,
        Some(b't') => 0x09,
        Some(octet @ (b'"' | b'\\' | b'/')) => u16::from(*octet),
        _ => return (None, 0),
    };
    (Some(unit), 1)
}
