//! PDF. Finds the URLs in the strings of a document, such as the `/URI` of its links, and in streams
//! that are not compressed. Follows ISO 32000-1, 7.3.4 "String Objects".
//!
//! Compressed streams and encrypted strings are not read, which is reported.

use std::ops::ControlFlow;

use memchr::memmem;

use crate::decode::{Decoded, DecodedSource, Escape};
use crate::link::PassedOver;
use crate::search::emitter::Emitter;
use crate::search::{FormatSpec, Query};

/// The PDF format.
pub(crate) static PDF: FormatSpec = FormatSpec {
    name: "pdf",
    extensions: &["pdf"],
    sections: None,
    has_media_type: |kind, subtype| (kind, subtype) == ("application", "pdf"),
    begins: Some(|head| head.start().starts_with(b"%PDF-")),
    find: |query, input| input.find_whole(|octets, emitter| find_in(query, octets, emitter)),
    find_seekable: None,
    find_in,
};

/// The maximum length of a string.
const LONGEST: usize = 16 << 10;

fn find_in(query: &Query<'_>, octets: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let (mut at, mut dictionary, mut is_reported) = (0, 0, false);
    let mut text = Decoded::default();
    while let Some(length) = octets[at..].iter().position(|octet| b"(<%s".contains(octet)) {
        at += length;
        let rest = &octets[at..];
        at += match rest {
            [b'%', ..] => rest.iter().position(|octet| matches!(octet, b'\n' | b'\r')).unwrap_or(rest.len()),
            [b'<', b'<', ..] => {
                dictionary = at;
                2
            }
            [b'(', ..] => literal(rest, at, &mut text),
            [b'<', ..] => hexadecimal(rest, at, &mut text),
            _ if rest.starts_with(b"stream\n") || rest.starts_with(b"stream\r") => {
                let end = memmem::find(rest, b"endstream").unwrap_or(rest.len());
                // A filter compresses or encodes the stream.
                if memmem::find(&octets[dictionary.max(at.saturating_sub(LONGEST))..at], b"/Filter").is_some()
                {
                    if !is_reported {
                        emitter.passed_over(at, PassedOver::Compressed);
                    }
                    is_reported = true;
                } else {
                    text.keep(&rest[..end], at);
                    text.put(b"\x1F", at + end, 0);
                }
                let length = (end + b"endstream".len()).min(rest.len());
                dictionary = at + length;
                length
            }
            _ => 1,
        };
    }
    let traced = DecodedSource { decoded: &text, source: emitter.source };
    query.find_urls(text.text(), &mut emitter.of(&traced))
}

/// Adds a string in parentheses, between quotes; returns its length.
fn literal(rest: &[u8], at: usize, text: &mut Decoded) -> usize {
    let before = text.text().len();
    text.put(b"<", at, 1);
    let (mut depth, mut done) = (1_usize, 1);
    while let Some(octet) = rest.get(done).filter(|_| done < LONGEST) {
        let start = done;
        done += 1;
        match octet {
            b'(' => depth += 1,
            b')' if depth == 1 => {
                text.put(b">\x1F", at + start, 1);
                return done;
            }
            b')' => depth -= 1,
            b'\\' => {
                let escape = escape_at(&rest[start..]);
                if let Some(octet) = escape.means {
                    text.put(&[octet], at + start, escape.length);
                }
                done = start + escape.length;
                continue;
            }
            _ => {}
        }
        text.keep(&[*octet], at + start);
    }
    // It is not closed.
    text.truncate(before);
    text.keep(&rest[..done], at);
    done
}

/// Returns the octet of an escape, if it has one.
fn escape_at(rest: &[u8]) -> Escape<Option<u8>> {
    match rest {
        [_, b'\r', b'\n', ..] => Escape::new(None, 3),
        [_, b'\n' | b'\r', ..] => Escape::new(None, 2),
        [_, b'n', ..] => Escape::new(Some(b'\n'), 2),
        [_, b'r', ..] => Escape::new(Some(b'\r'), 2),
        [_, b't', ..] => Escape::new(Some(b'\t'), 2),
        [_, b'b' | b'f', ..] => Escape::new(Some(b' '), 2),
        [_, digits @ ..] if digits.first().is_some_and(|digit| (b'0'..b'8').contains(digit)) => {
            let digits =
                &digits[..digits.iter().take(3).take_while(|digit| (b'0'..b'8').contains(digit)).count()];
            let code = digits.iter().fold(0_u32, |code, digit| code * 8 + u32::from(digit - b'0'));
            // "high-order overflow shall be ignored"
            Escape::new(Some(code as u8), 1 + digits.len())
        }
        [_, octet, ..] => Escape::new(Some(*octet), 2),
        _ => Escape::new(None, rest.len().max(1)),
    }
}

/// Adds a string of hexadecimal digits; returns its length.
fn hexadecimal(rest: &[u8], at: usize, text: &mut Decoded) -> usize {
    let digits = |octet: &u8| octet.is_ascii_hexdigit() || octet.is_ascii_whitespace();
    let length = 1 + rest[1..].iter().take(LONGEST).take_while(|octet| digits(octet)).count();
    if rest.get(length) != Some(&b'>') {
        return 1;
    }
    text.put(b"<", at, 1);
    let mut high: Option<(usize, u32)> = None;
    for (place, octet) in rest[..length].iter().enumerate().skip(1) {
        let Some(digit) = char::from(*octet).to_digit(16) else { continue };
        match high.take() {
            Some((start, high)) => text.put(&[(high * 16 + digit) as u8], at + start, place + 1 - start),
            None => high = Some((place, digit)),
        }
    }
    text.put(b">\x1F", at + length, 1);
    length + 1
}
