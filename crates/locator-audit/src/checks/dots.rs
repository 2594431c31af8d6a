//! Segments that are "." or ".." for a program that decodes, removes parameters, or reads "\" as "/":
//! takes a path as it is written, and decodes each segment until nothing is left to decode.
//!
//! Programs in a row decode once each, and each in its own way: percent-encoding, the `%u002E` of old
//! servers, overlong UTF-8, and characters that a normalisation to NFKC or the code pages of Windows
//! replace with ASCII. What they remove combines, so it is all removed here: `.%2e;x=1` is "..".

use alloc::vec::Vec;

use super::check::{Check, Subject};
use super::escapes::{OVERLONG, TWICE_MOVES};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::plain::ordinary::Signs;
use locator::Component;
use locator::internal::escaped_octet;

pub(super) static CHECK: Check = Check { codes: &[&DOTS, &PARAMETER], run };

static DOTS: Code = Code {
    name: "escaped-dots",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "escapes or a \"\\\" make a \".\" or \"..\" segment for some programs",
    advice: "decode unreserved characters and remove dot-segments before the path is checked",
    citation: "RFC 3986, 6.2.2.2",
    explanation: "%2E is a dot (RFC 3986, 2.3), and the URL Standard removes %2e%2e as it removes \"..\". A program that \
        checks the path first lets it out of the directory that it allows. So do programs that decode once more, read \
        \"\\\" as \"/\", or normalise characters such as the fullwidth full stop.",
    example: "https://host.example/files/%2e%2e/secret",
};

static PARAMETER: Code = Code {
    name: "dots-with-parameter",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a server that removes parameters finds a \".\" or \"..\" segment",
    advice: "refuse segments that are \".\" or \"..\" before \";\"",
    citation: "RFC 3986, 3.3",
    explanation: "Servers of servlets remove what follows \";\" in each segment before they remove dot-segments, and \
        proxies do not. So /public/..;/admin is /admin for the server, and passes the proxy.",
    example: "https://host.example/public/..;/admin",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let (Some(span), Some(path)) = (subject.span(Component::Path), subject.get(Component::Path)) else {
        return;
    };
    let has_signs = subject.signs.has_any(Signs::PERCENT.union(Signs::ODD));
    if subject.least > Severity::Medium || !has_signs && !path.contains([';', '\\']) {
        return;
    }
    // These say the same of the same octets. They were found from left to right.
    let said = findings.spans_of(&[&TWICE_MOVES, &OVERLONG]);
    let mut said = said.into_iter().filter(|one| span.contains(&one.start)).peekable();
    let (mut start, mut decoded, mut rest) = (span.start, Vec::new(), Vec::new());
    for segment in path.split('/') {
        let end = start + segment.len();
        while said.next_if(|one| one.start < start).is_some() {}
        // What is left of the segment where another finding has said the rest.
        rest.clear();
        while let Some(one) = said.next_if(|one| one.start < end) {
            if rest.is_empty() {
                rest.extend_from_slice(segment.as_bytes());
            }
            rest[one.start - start..one.end.min(end) - start].fill(b'x');
        }
        let unsaid = if rest.is_empty() { segment.as_bytes() } else { &rest };
        if needs_look(unsaid)
            && let Some(code) = dots_in(unsaid, &mut decoded)
        {
            let is_literal = |at: &usize| code == &PARAMETER && is_dots(&segment.as_bytes()[..*at]);
            let end = segment.find(';').filter(is_literal).map_or(end, |at| start + at + 1);
            findings.push(Finding::new(code, Component::Path, start..end));
        }
        start = end + 1;
    }
}

/// Returns whether a segment is other than it is written for some program, and may have dots alone between
/// dividers: none is before a letter, and nearly every escape stands for something else.
fn needs_look(segment: &[u8]) -> bool {
    if !segment.iter().any(|octet| matches!(octet, b'%' | b';' | b'\\' | 0x80..)) {
        return false;
    }
    segment.iter().enumerate().any(|(at, octet)| match (octet, &segment[at + 1..]) {
        (b'.', []) | (b'.', [b'.' | b'%' | b';' | b'\\' | 0x80.., ..]) | (0x80.., _) => true,
        // "%2E", "%25", "%u", and the first octets of longer forms.
        (b'%', [b'2', b'5' | b'e' | b'E', ..] | [b'u' | b'U', ..]) => true,
        (
            b'%',
            [b'c' | b'C' | b'e' | b'E' | b'f' | b'F', b'0' | b'2' | b'8' | b'c' | b'C' | b'f' | b'F', ..],
        ) => true,
        _ => false,
    })
}

/// Returns what makes a segment, or a part of it between the slashes that decoding makes, one of dots.
fn dots_in(segment: &[u8], decoded: &mut Vec<u8>) -> Option<&'static Code> {
    decode(segment, decoded);
    let mut found = None;
    for part in decoded.split(|octet| matches!(octet, b'/' | b'\\')) {
        if is_dots(part) {
            return Some(&DOTS);
        }
        // What is decoded and read again ends at "?" and "#", and in C at NUL.
        let name = part.split(|octet| matches!(octet, b';' | b'?' | b'#' | 0)).next().unwrap_or_default();
        if is_dots(name) {
            found = Some(if part.get(name.len()) == Some(&b';') { &PARAMETER } else { &DOTS });
        }
    }
    found
}

fn is_dots(name: &[u8]) -> bool {
    matches!(name, b"." | b"..")
}

/// Decodes a segment until nothing is left to decode.
fn decode(segment: &[u8], decoded: &mut Vec<u8>) {
    unescape(segment, decoded);
    // A replaced character may be a "%", and what it begins another one; more than that is not read.
    for _ in 0..2 {
        if decoded.is_ascii() {
            return;
        }
        let replaced = with_ascii_forms(decoded);
        unescape(&replaced, decoded);
    }
}

/// Decodes escapes, and those that decoding makes, in one pass: an escape ends at its last digit, whether
/// that was written or decoded.
fn unescape(octets: &[u8], decoded: &mut Vec<u8>) {
    decoded.clear();
    for &octet in octets {
        decoded.push(octet);
        if !octet.is_ascii_hexdigit() {
            continue;
        }
        while let Some(escape) = escape_at_end(decoded) {
            decoded.truncate(decoded.len() - escape.length);
            match escape.means {
                EscapedAs::Octet(octet) => decoded.push(octet),
                EscapedAs::Character(c) => decoded.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }
}

/// An escape: `%2E` or `%u002E`.
struct Escape {
    length: usize,
    means: EscapedAs,
}

/// What an escape stands for.
enum EscapedAs {
    Octet(u8),
    Character(char),
}

/// Returns the escape that the octets end with.
fn escape_at_end(octets: &[u8]) -> Option<Escape> {
    if let Some(octet) = octets.last_chunk::<3>().and_then(|last| escaped_octet(last)) {
        return Some(Escape { length: 3, means: EscapedAs::Octet(octet) });
    }
    let [b'%', b'u' | b'U', digits @ ..] = octets.last_chunk::<6>()? else { return None };
    let digits = digits.iter().all(u8::is_ascii_hexdigit).then_some(digits)?;
    let number = u32::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()?;
    Some(Escape { length: 6, means: EscapedAs::Character(char::from_u32(number)?) })
}

/// Returns the octets with overlong forms and characters that some programs replace as ASCII.
fn with_ascii_forms(octets: &[u8]) -> Vec<u8> {
    let (mut written, mut rest) = (Vec::with_capacity(octets.len()), octets);
    while let [first, after @ ..] = rest {
        if let Some(overlong) = overlong_form(rest) {
            written.push(overlong.ascii);
            rest = &rest[overlong.length..];
        } else if let Some((length, ascii)) =
            first_character(rest).and_then(|c| Some((c.len_utf8(), ascii_form(c)?)))
        {
            written.extend_from_slice(ascii.as_bytes());
            rest = &rest[length..];
        } else {
            written.push(*first);
            rest = after;
        }
    }
    written
}

/// An ASCII character in more octets than UTF-8 has for it.
struct OverlongForm {
    length: usize,
    ascii: u8,
}

/// Returns the overlong form that the octets begin with.
fn overlong_form(octets: &[u8]) -> Option<OverlongForm> {
    if let [first @ (0xC0 | 0xC1), last @ 0x80..0xC0, ..] = octets {
        return Some(OverlongForm { length: 2, ascii: (first & 1) << 6 | last & 0x3F });
    }
    let length = match octets.first()? {
        0xE0 => 3,
        0xF0 => 4,
        0xF8 => 5,
        0xFC => 6,
        _ => return None,
    };
    // Only the lowest bits are other than 0: six in the last octet, and one before it.
    let [_, inner @ .., before @ (0x80 | 0x81), last @ 0x80..0xC0] = octets.get(..length)? else {
        return None;
    };
    let ascii = (before & 1) << 6 | last & 0x3F;
    inner.iter().all(|octet| *octet == 0x80).then_some(OverlongForm { length, ascii })
}

/// Returns the character that the octets begin with.
fn first_character(octets: &[u8]) -> Option<char> {
    let octets = octets.get(..octets.len().min(4))?;
    let valid = match core::str::from_utf8(octets) {
        Ok(text) => text,
        Err(error) => core::str::from_utf8(octets.get(..error.valid_up_to())?).ok()?,
    };
    valid.chars().next()
}

/// Returns the ASCII that NFKC, or a code page of Windows ("best fit"), makes of a character.
fn ascii_form(c: char) -> Option<&'static str> {
    /// The characters from "!" to "~", which have fullwidth forms in this order from U+FF01.
    static FULLWIDTH: &str =
        "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    match c {
        '\u{FF01}'..='\u{FF5E}' => {
            let at = u32::from(c) as usize - 0xFF01;
            FULLWIDTH.get(at..=at)
        }
        '\u{2024}' | '\u{FE52}' => Some("."),
        '\u{2025}' | '\u{FE30}' => Some(".."),
        '\u{2044}' | '\u{2215}' => Some("/"),
        '\u{2216}' | '\u{FE68}' => Some("\\"),
        '\u{37E}' | '\u{FE14}' => Some(";"),
        '\u{FE6A}' => Some("%"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::string::{String, ToString};
    use std::vec::Vec;

    use super::*;

    /// Writes each octet of a text as an escape.
    fn escaped(text: &str) -> String {
        text.bytes().map(|octet| std::format!("%{octet:02x}")).collect()
    }

    /// Every way to write dots, combined with every way to end a segment.
    #[test]
    fn products_are_dots() {
        let mut dots = Vec::from(["..", ".%2e", "%2E.", "%2e%2E", ".", "%2e"].map(String::from));
        for other in ["..", ".%2e", "%2e", "."] {
            let mut deeper = other.to_string();
            for _ in 0..3 {
                deeper = escaped(&deeper);
                dots.push(deeper.clone());
                dots.push(deeper.to_uppercase());
            }
        }
        for base in ["%2e%2e", "%2e"] {
            let mut deeper = base.to_string();
            for _ in 0..3 {
                deeper = deeper.replace('%', "%25");
                dots.push(deeper.clone());
            }
        }
        for other in [
            "%c0%ae%c0%ae",
            "%e0%80%ae.",
            "%f0%80%80%ae%2e",
            "%f8%80%80%80%ae.",
            "%fc%80%80%80%80%ae.",
            "%ef%bc%8e%ef%bc%8e",
            "\u{FF0E}\u{2024}",
            "%e2%80%a4.",
            "%e2%80%a5",
            "%u002e%u002e",
            "%uff0e.",
            "\u{FF05}2e\u{FF05}2e",
            "%25c0%25ae.",
            "%c0%a52e.",
        ] {
            dots.push(other.into());
        }
        let ends = [
            "",
            "%2f",
            ";",
            ";x=1",
            "%3b",
            "%3bx",
            "\\",
            "%5c",
            "%252f",
            "%253b",
            "%c0%af",
            "%ef%bc%8f",
            "%00",
            "%3f",
            "%23",
            "\u{2215}",
            "%c1%9c",
        ];
        for dots in &dots {
            for end in ends {
                if dots.bytes().all(|octet| octet == b'.') && end.is_empty() {
                    continue;
                }
                for (before, after) in [("", ""), ("a%2f", ""), ("", "b"), ("a\\", "")] {
                    let is_end = end.is_empty() || end.starts_with([';']);
                    if is_end && after == "b" && end != ";" && end != ";x=1" {
                        continue;
                    }
                    let segment = std::format!("{before}{dots}{end}{after}");
                    assert!(needs_look(segment.as_bytes()), "{segment}");
                    let found = dots_in(segment.as_bytes(), &mut Vec::new());
                    assert!(found.is_some(), "{segment}");
                }
            }
        }
    }

    #[test]
    fn ordinary_segments_are_not_dots() {
        for segment in [
            "%2e%2e%2e",
            "..a%2f",
            "a..;x",
            ".git%2fconfig",
            "a;jsessionid=1",
            ";x=..",
            "100%",
            "%e6%97%a5",
            "v1%2e2",
            "%2f%2f",
            "\u{2026}",
            "%c3%ae",
            "%c0%ae%c0%ae%c0%ae",
            "%u",
            "%u002",
            "%u0041",
            "%",
            "%%",
            "",
        ] {
            assert!(dots_in(segment.as_bytes(), &mut Vec::new()).is_none(), "{segment}");
        }
    }
}
