//! Formats whose values go on in the next line: messages of gettext (PO) and properties of Java.
//! Follows the manual of GNU gettext, "The Format of PO Files", and `java.util.Properties.load`.
//! Joins the lines of a value and decodes its escapes.

use crate::search::FormatSpec;
use crate::search::stream::{self, Decoder, Text};

/// Messages of gettext.
pub(crate) static PO: FormatSpec = FormatSpec {
    name: "po",
    extensions: &["po", "pot"],
    sections: None,
    has_media_type: |kind, subtype| {
        matches!(kind, "text" | "application")
            && matches!(subtype, "x-gettext" | "x-gettext-translation" | "x-po")
    },
    begins: Some(|head| is_po(head.start())),
    find: |query, input| stream::find(query, input, PoOrProperties { rules: Rules::Po }),
    find_seekable: None,
    find_in: |query, text, emitter| {
        stream::find_in(query, PoOrProperties { rules: Rules::Po }, text, emitter)
    },
};

/// Properties of Java.
pub(crate) static PROPERTIES: FormatSpec = FormatSpec {
    name: "properties",
    extensions: &["properties"],
    sections: None,
    has_media_type: |kind, subtype| kind == "text" && subtype == "x-java-properties",
    begins: None,
    find: |query, input| stream::find(query, input, PoOrProperties { rules: Rules::Properties }),
    find_seekable: None,
    find_in: |query, text, emitter| {
        stream::find_in(query, PoOrProperties { rules: Rules::Properties }, text, emitter)
    },
};

/// Recognises a first message after comments.
fn is_po(text: &[u8]) -> bool {
    let is_comment = |line: &&[u8]| line.starts_with(b"#") || line.trim_ascii().is_empty();
    let first = text.split(|octet| *octet == b'\n').find(|line| !is_comment(line)).unwrap_or_default();
    [&b"msgid \""[..], b"msgctxt \""].iter().any(|start| first.starts_with(start))
}

/// The decoder of such formats.
#[derive(Debug)]
struct PoOrProperties {
    rules: Rules,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    Po,
    Properties,
}

impl Decoder for PoOrProperties {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let mut done = 0;
        while done < octets.len() {
            let rest = &octets[done..];
            let end = match self.rules {
                Rules::Po => rest.iter().position(|octet| *octet == b'\n'),
                Rules::Properties => logical_end(rest),
            };
            let Some(length) = end.map(|end| end + 1).or(is_all.then_some(rest.len())) else { return done };
            match self.rules {
                Rules::Po => message(&rest[..length], at + done, text),
                Rules::Properties => property(&rest[..length], at + done, text),
            }
            done += length;
        }
        done
    }
}

/// Adds a line of a message. A line with only a string goes on with the one before.
fn message(line: &[u8], at: usize, text: &mut Text) {
    let obsolete = if line.starts_with(b"#~") || line.starts_with(b"#|") { 2 } else { 0 };
    let blanks = line[obsolete..].iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
    let start = obsolete + blanks;
    let is_string = line[start..].starts_with(b"\"");
    let keyword =
        line[start..].starts_with(b"msg").then(|| line.iter().position(|octet| *octet == b'"')).flatten();
    let open = if is_string { Some(start) } else { keyword };
    let close = line.iter().rposition(|octet| *octet == b'"');
    let (Some(open), Some(close)) = (open, close) else {
        text.gap(at, 0);
        return text.keep(line, at);
    };
    if !is_string {
        text.gap(at, open);
    }
    if open < close {
        escaped(&line[open + 1..close], at + open + 1, Rules::Po, text);
    }
}

/// Returns the line end after a property and its continuations.
fn logical_end(octets: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let end = from + octets[from..].iter().position(|octet| *octet == b'\n')?;
        let line = octets[from..end].strip_suffix(b"\r").unwrap_or(&octets[from..end]);
        let escapes = line.iter().rev().take_while(|octet| **octet == b'\\').count();
        let is_comment = from == 0 && matches!(line.trim_ascii_start().first(), Some(b'#' | b'!'));
        if escapes % 2 == 0 || is_comment {
            return Some(end);
        }
        from = end + 1;
    }
}

/// Adds a property: its value, and its key before a gap. A comment is running text.
fn property(line: &[u8], at: usize, text: &mut Text) {
    if matches!(line.trim_ascii_start().first(), Some(b'#' | b'!')) {
        return text.keep(line, at);
    }
    let mut key = line.len() - line.trim_ascii_start().len();
    while let Some(octet) = line.get(key) {
        match octet {
            b'\\' => key += 1,
            b'=' | b':' | b' ' | b'\t' => break,
            _ => {}
        }
        key += 1;
    }
    let key = key.min(line.len());
    let blanks = line[key..].iter().take_while(|octet| b"=: \t".contains(octet)).count();
    // A list of URLs has no keys.
    let has_key = blanks > 0 && !line[key..].starts_with(b"://");
    let start = if has_key { key + blanks } else { 0 };
    text.gap(at, start);
    escaped(&line[start..], at + start, Rules::Properties, text);
    text.gap(at + line.len(), 0);
}

/// Adds a value, and decodes its escapes.
fn escaped(value: &[u8], at: usize, rules: Rules, text: &mut Text) {
    let mut done = 0;
    while let Some(length) = memchr::memchr(b'\\', &value[done..]) {
        text.keep(&value[done..done + length], at + done);
        done += length;
        let rest = &value[done..];
        let length = escape(rest, at + done, rules, text);
        done += length.min(rest.len());
    }
    text.keep(&value[done..], at + done);
}

/// Adds the character of an escape; returns its length.
fn escape(rest: &[u8], at: usize, rules: Rules, text: &mut Text) -> usize {
    let digits = |range: std::ops::Range<usize>, radix| {
        let digits = rest.get(range).and_then(|digits| str::from_utf8(digits).ok())?;
        u32::from_str_radix(digits, radix).ok()
    };
    let (character, length) = match rest.get(1) {
        None => return 1,
        Some(b'n') => ('\n', 2),
        Some(b't') => ('\t', 2),
        Some(b'r') => ('\r', 2),
        Some(b'f') => ('\u{C}', 2),
        Some(b'\r' | b'\n') if rules == Rules::Properties => {
            let end = rest.iter().position(|octet| *octet == b'\n').map_or(rest.len(), |end| end + 1);
            let blanks = rest[end..].iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
            return end + blanks;
        }
        Some(b'u') if rules == Rules::Properties => match digits(2..6, 16).and_then(char::from_u32) {
            Some(character) => (character, 6),
            None => return 2,
        },
        Some(b'x') if rules == Rules::Po => match digits(2..4, 16) {
            Some(octet) => {
                text.put(&[octet as u8], at, 4);
                return 4;
            }
            None => return 2,
        },
        Some(digit @ b'0'..=b'7') if rules == Rules::Po => {
            match digits(1..4, 8).and_then(|code| u8::try_from(code).ok()) {
                Some(octet) => {
                    text.put(&[octet], at, 4);
                    return 4;
                }
                None => (char::from(*digit), 2),
            }
        }
        Some(octet) if octet.is_ascii() => (char::from(*octet), 2),
        Some(_) => return 1,
    };
    text.put(character.encode_utf8(&mut [0; 4]).as_bytes(), at, length);
    length
}
