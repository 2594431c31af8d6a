//! The race for percent-encoding and decoding: all characters are escaped except unreserved ones
//! (RFC 3986, section 2), and back.

use std::borrow::Cow;

use locator::edition::RFC3986;
use locator::{PctStr, PctString};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::corpus::Corpus;
use crate::pages::{Pages, Row};
use crate::race::Racer;

/// Returns the lists as data, in which every delimiter must be escaped.
pub fn texts(lists: &[&'static Corpus]) -> Vec<Pages> {
    let row = |url: &String| Row { given: url.clone().into(), answer: escaped(url).into_bytes() };
    lists.iter().map(|corpus| Pages::without_base(&corpus.name, corpus.urls.iter().map(row))).collect()
}

/// Returns the lists in escaped form, to be decoded.
pub fn escaped_texts(lists: &[&'static Corpus]) -> Vec<Pages> {
    let row = |url: &String| Row { given: escaped(url).into(), answer: url.clone().into_bytes() };
    lists.iter().map(|corpus| Pages::without_base(&corpus.name, corpus.urls.iter().map(row))).collect()
}

fn escaped(text: &str) -> String {
    let octet = |octet: u8| match octet {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(octet).to_string(),
        _ => format!("%{octet:02X}"),
    };
    text.bytes().map(octet).collect()
}

const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns the racers that escape; the first is ours.
pub fn escapers(pages: &Pages) -> Vec<Racer> {
    let base = |_| Some(());
    vec![
        pages.racer("locator", base, Some, |(), text, answer| {
            answer.is(PctString::encode(text.as_bytes(), RFC3986.unreserved()).as_str());
        }),
        pages.racer("percent-encoding", base, Some, |(), text, answer| {
            answer.is(Cow::from(utf8_percent_encode(text, RESERVED)).as_bytes());
        }),
        pages.racer("urlencoding", base, Some, |(), text, answer| {
            answer.is(urlencoding::encode(text).as_bytes());
        }),
    ]
}

/// Returns the racers that unescape; the first is ours. `percent-encoding` and `urlencoding` keep a
/// "%" without two hex digits; ours refuses it.
pub fn unescapers(pages: &Pages) -> Vec<Racer> {
    let base = |_| Some(());
    vec![
        pages.racer("locator", base, Some, |(), text, answer| {
            if let Ok(escaped) = PctStr::new(text) {
                answer.is(escaped.decode());
            }
        }),
        pages.racer("percent-encoding", base, Some, |(), text, answer| {
            answer.is(Cow::from(percent_decode_str(text)));
        }),
        pages.racer("urlencoding", base, Some, |(), text, answer| {
            answer.is(urlencoding::decode_binary(text.as_bytes()));
        }),
    ]
}
