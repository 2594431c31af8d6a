//! Header fields. Finds the fields of a header with their positions, and decodes their values.
//! Follows RFC 5322, 2.2, and RFC 2047 for encoded words.

use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};
use memchr::memchr;
use memchr::memmem;

use crate::decode::decoded::Decoded;
use crate::decode::encoding::decode;
use crate::decode::transfer;

/// A field: the spans of its name and its value in the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: Range<usize>,
    /// The span after the colon up to the end of the last line, including folds.
    pub(super) value: Range<usize>,
}

impl Field {
    /// Returns whether the field has this name.
    pub(super) fn is(&self, message: &[u8], name: &str) -> bool {
        message[self.name.clone()].eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the undecoded value, without surrounding white space.
    pub(super) fn value<'m>(&self, message: &'m [u8]) -> &'m [u8] {
        message[self.value.clone()].trim_ascii()
    }
}

/// Reads a header; returns its fields and the start of the body.
///
/// A line that is neither a field nor a continuation ends the header, like an empty line. Fields
/// beyond the first `most` are skipped.
pub(super) fn read_header(message: &[u8], mut at: usize, most: usize) -> (Vec<Field>, usize) {
    let mut fields: Vec<Field> = Vec::new();
    let mut is_full = false;
    while at < message.len() {
        let end = memchr(b'\n', &message[at..]).map_or(message.len(), |length| at + length + 1);
        let line = &message[at..end];
        match line {
            b"\n" | b"\r\n" => return (fields, end),
            // "folding": a line that begins with white space goes on with the field before it
            [b' ' | b'\t', ..] if is_full => {}
            [b' ' | b'\t', ..] => match fields.last_mut() {
                Some(field) => field.value.end = end,
                None => return (fields, at),
            },
            _ => match name_length(line) {
                Some(_) if fields.len() >= most => is_full = true,
                Some(length) => {
                    fields.push(Field { name: at..at + length, value: colon(message, at) + 1..end });
                }
                // The line that a mailbox has before a message.
                None if fields.is_empty() && line.starts_with(b"From ") => {}
                None => return (fields, at),
            },
        }
        at = end;
    }
    (fields, at)
}

/// "Field names MUST be composed of printable US-ASCII characters [...] except colon"; white space
/// before the colon is that of the obsolete syntax (4.5).
fn name_length(line: &[u8]) -> Option<usize> {
    let length = line.iter().position(|octet| !octet.is_ascii_graphic() || *octet == b':')?;
    let after = line[length..].iter().find(|octet| !matches!(octet, b' ' | b'\t'))?;
    (length > 0 && *after == b':').then_some(length)
}

/// INVARIANT: the line has one.
fn colon(message: &[u8], at: usize) -> usize {
    memchr(b':', &message[at..]).map_or(at, |length| at + length)
}

/// Decodes the value of a field.
pub(super) fn value_of(field: &Field, message: &[u8]) -> String {
    String::from_utf8_lossy(text(field.value(message)).text()).into_owned()
}

/// Decodes a value: unfolds it and decodes encoded words. Offsets are those in the value.
pub(super) fn text(value: &[u8]) -> Decoded {
    let mut decoded = Decoded::default();
    let mut done = 0;
    let mut after_word = None;
    while let Some(start) = memmem::find(&value[done..], b"=?").map(|length| done + length) {
        let Some(word) = Word::read(value, start) else {
            unfold(value, done..start + 2, &mut decoded);
            (done, after_word) = (start + 2, None);
            continue;
        };
        // "any 'linear-white-space' that separates a pair of adjacent 'encoded-word's is ignored"
        if after_word != Some(done) || !value[done..start].trim_ascii().is_empty() {
            unfold(value, done..start, &mut decoded);
        }
        word.decode(value, &mut decoded);
        (done, after_word) = (word.end, Some(word.end));
    }
    unfold(value, done..value.len(), &mut decoded);
    decoded
}

/// "Unfolding is accomplished by simply removing any CRLF that is immediately followed by WSP."
fn unfold(value: &[u8], span: Range<usize>, decoded: &mut Decoded) {
    let mut at = span.start;
    for line in value[span].split_inclusive(|octet| *octet == b'\n') {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        decoded.keep(content.strip_suffix(b"\r").unwrap_or(content), at);
        at += line.len();
    }
}

/// An encoded word: `=?charset?encoding?text?=`.
struct Word {
    encoding: &'static Encoding,
    is_base64: bool,
    text: Range<usize>,
    end: usize,
}

/// "An 'encoded-word' may not be more than 75 characters long"; many are, but a limit is needed.
const LONGEST_WORD: usize = 1024;

impl Word {
    fn read(value: &[u8], start: usize) -> Option<Self> {
        let word = &value[start..value.len().min(start + LONGEST_WORD)];
        let label = 2..2 + memchr(b'?', word.get(2..)?)?;
        let letter = *word.get(label.end + 1)?;
        let text = label.end + 3;
        let end = text + memchr(b'?', word.get(text..)?)?;
        let is_whole = word.get(label.end + 2) == Some(&b'?') && word.get(end + 1) == Some(&b'=');
        if !is_whole || !matches!(letter, b'q' | b'Q' | b'b' | b'B') {
            return None;
        }
        // RFC 2231, 5: a language may follow the charset.
        let label = word[label].split(|octet| *octet == b'*').next()?;
        Some(Self {
            encoding: Encoding::for_label(label).unwrap_or(UTF_8),
            is_base64: letter.eq_ignore_ascii_case(&b'b'),
            text: start + text..start + end,
            end: start + end + 2,
        })
    }

    fn decode(&self, value: &[u8], decoded: &mut Decoded) {
        let mut octets = Decoded::default();
        let decode_text = if self.is_base64 { transfer::b } else { transfer::q };
        decode_text(&value[self.text.clone()], self.text.start, &mut octets);
        match decode(octets.text(), self.encoding) {
            None => decoded.append(&octets),
            Some(characters) => decoded.append(&characters.made_of(&octets)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_ends_where_no_field_is() {
        let message = b"A: b\r\n c\r\nB : d\r\n\r\nbody";
        let (fields, body) = read_header(message, 0, 9);
        assert_eq!(fields, [Field { name: 0..1, value: 2..10 }, Field { name: 10..11, value: 13..17 }]);
        assert_eq!(body, 19);
        assert_eq!(fields[0].value(message), b"b\r\n c");
        assert_eq!(read_header(b"A: b\nno field\n\n", 0, 9).1, 5);
        assert_eq!(read_header(b"A: b\nC: d\n\n", 0, 1), (vec![Field { name: 0..1, value: 2..5 }], 11));
        assert_eq!(read_header(b" A: b\n", 0, 9), (Vec::new(), 0));
    }

    #[test]
    fn encoded_words_are_decoded() {
        let value = b" a =?UTF-8?Q?=C3=A9?=\r\n =?iso-8859-1?B?6Q==?= =?broken\r\n =?utf-8?q?x_y?=";
        let decoded = text(value);
        assert_eq!(str::from_utf8(decoded.text()), Ok(" a éé =?broken x y"));
        assert_eq!(decoded.source_of(3..5), 13..19);
        assert_eq!(decoded.source_of(5..7), 39..41);
    }
}
