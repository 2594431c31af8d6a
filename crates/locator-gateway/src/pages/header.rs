//! The header of a message: takes its octets, returns its fields, unfolded and decoded. Follows RFC 5322,
//! 2.2, RFC 5536, and RFC 2047 for encoded words.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use encoding_rs::Encoding;
use memchr::memchr;

use super::decode::Guess;
use super::words::boundary;

/// A field of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) value: String,
}

/// The header of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) fields: Vec<Field>,
    /// Whether some of it was taken for windows-1252.
    pub(super) was_windows: bool,
}

impl Header {
    /// Reads the fields; a line that is none is left out.
    pub(super) fn read(octets: &[u8]) -> Self {
        let mut guess = Guess::default();
        let mut fields: Vec<Field> = Vec::new();
        for line in octets.split(|&octet| octet == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            // A line that begins with white space continues the one before (RFC 5322, 2.2.3).
            if let (Some(b' ' | b'\t'), Some(field)) = (line.first(), fields.last_mut()) {
                field.value.push_str(&guess.decode(line).replace('\t', " "));
            } else if let Some(end) = memchr(b':', line).filter(|&end| is_name(&line[..end])) {
                let (name, value) = (guess.decode(&line[..end]).into_owned(), guess.decode(&line[end + 1..]));
                fields.push(Field { name, value: value.trim().to_owned() });
            }
        }
        for field in &mut fields {
            field.value = words(&field.value);
        }
        Self { fields, was_windows: guess.was_windows }
    }

    /// Returns the value of the first field of this name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|field| field.name.eq_ignore_ascii_case(name)).map(|field| &*field.value)
    }
}

/// Returns where the header of a message ends and where its text begins; `from` is where to look.
pub(super) fn end(octets: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    if at == 0 {
        match octets {
            [b'\n', ..] => return Some((0, 1)),
            [b'\r', b'\n', ..] => return Some((0, 2)),
            _ => {}
        }
    }
    while let Some(line) = memchr(b'\n', octets.get(at..)?) {
        at += line + 1;
        match &octets[at..] {
            [b'\n', ..] => return Some((at, at + 1)),
            [b'\r', b'\n', ..] => return Some((at, at + 2)),
            _ => {}
        }
    }
    None
}

/// "field-name = 1*ftext", printable octets without ":" (RFC 5322, 3.6.8).
fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|octet| matches!(octet, 33..=57 | 59..=126))
}

/// Decodes the encoded words of a value: `=?iso-8859-1?Q?caf=E9?=`. White space between two of them is not
/// shown (RFC 2047, 6.2).
pub(super) fn words(value: &str) -> String {
    let (mut text, mut rest, mut was_word) = (String::new(), value, false);
    while let Some(at) = rest.find("=?") {
        let (before, from) = rest.split_at(at);
        let Some((word, after)) = word(from) else {
            text.push_str(&rest[..at + 2]);
            (rest, was_word) = (&rest[at + 2..], false);
            continue;
        };
        if !was_word || !before.trim().is_empty() {
            text.push_str(before);
        }
        text.push_str(&word);
        (rest, was_word) = (after, true);
    }
    text.push_str(rest);
    text
}

/// How many octets an encoded word may have; RFC 2047, 2 allows 75, and programs write longer ones.
const LONGEST: usize = 1024;

/// Decodes the encoded word that a text begins with; returns it and what follows.
fn word(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix("=?")?;
    let window = &inner[..boundary(inner, LONGEST)];
    let (charset, rest) = window.split_once('?')?;
    let (encoding, rest) = rest.split_once('?')?;
    let (encoded, _) = rest.split_once("?=")?;
    let length = 2 + charset.len() + 1 + encoding.len() + 1 + encoded.len() + 2;
    // A language may follow "*" (RFC 2231, 5).
    let charset = Encoding::for_label(charset.split('*').next()?.as_bytes())?;
    let octets = match encoding {
        "B" | "b" => STANDARD.decode(encoded).ok()?,
        "Q" | "q" => quoted(&encoded.replace('_', " ")),
        _ => return None,
    };
    Some((charset.decode_without_bom_handling(&octets).0.into_owned(), text.get(length..)?))
}

/// Decodes "=XX"; what is not an escape stays (RFC 2045, 6.7).
fn quoted(text: &str) -> Vec<u8> {
    let (mut octets, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((&octet, after)) = rest.split_first() {
        let escape = after.get(..2).filter(|_| octet == b'=').and_then(|digits| {
            let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
            u8::from_str_radix(str::from_utf8(digits).ok().filter(|_| is_hex)?, 16).ok()
        });
        octets.push(escape.unwrap_or(octet));
        rest = if escape.is_some() { &after[2..] } else { after };
    }
    octets
}

/// Decodes a body by its Content-Transfer-Encoding; `None` if it is sent as it is.
pub(super) fn decoded(body: &[u8], encoding: &str) -> Option<Vec<u8>> {
    if encoding.eq_ignore_ascii_case("base64") {
        let text: Vec<u8> = body.iter().copied().filter(|octet| !octet.is_ascii_whitespace()).collect();
        return STANDARD.decode(text).ok();
    }
    if !encoding.eq_ignore_ascii_case("quoted-printable") {
        return None;
    }
    let text = String::from_utf8_lossy(body);
    // "=" at the end of a line is a soft line break.
    let joined = text.replace("=\r\n", "").replace("=\n", "");
    Some(quoted(&joined))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_unfolded_and_decoded() {
        let header = Header::read(
            b"Subject: =?utf-8?Q?caf=C3=A9_?=\r\n =?iso-8859-1*fr?b?6Q==?= x\r\nno field\r\nX-A:\tb\r\nX-B: =?x?Q?a?=\r\n",
        );
        assert_eq!(header.get("subject"), Some("café é x"));
        assert_eq!((header.get("X-A"), header.get("X-B")), (Some("b"), Some("=?x?Q?a?=")));
        assert_eq!(header.fields.len(), 3);
        assert!(Header::read(b"A: caf\xE9").was_windows);
    }

    #[test]
    fn the_end_is_an_empty_line() {
        assert_eq!(end(b"A: b\r\n\r\nc", 0), Some((6, 8)));
        assert_eq!(end(b"A: b\n\nc", 0), Some((5, 6)));
        assert_eq!((end(b"\nA", 0), end(b"A: b\n", 0)), (Some((0, 1)), None));
    }

    #[test]
    fn bodies_are_decoded() {
        assert_eq!(decoded(b"aGVs\r\nbG8=\r\n", "BASE64").unwrap(), b"hello");
        assert_eq!(decoded(b"a=3Db=\r\nc=4\n", "quoted-printable").unwrap(), b"a=bc=4\n");
        assert_eq!(decoded(b"a", "8bit"), None);
    }
}
