//! RTF. Decodes the text of a document, and finds its URLs and those of its fields. Follows the Rich
//! Text Format Specification 1.9: "Control Words", "Unicode RTF" and "Fields".
//!
//! Groups, fonts and line ends between the octets of a URL are no part of it.

use std::ops::Range;

use encoding_rs::{Encoding, WINDOWS_1252};

use crate::search::FormatSpec;
use crate::search::stream::{self, Decoder, Text};

/// The RTF format.
pub(crate) static RTF: FormatSpec = FormatSpec {
    name: "rtf",
    extensions: &["rtf"],
    sections: None,
    has_media_type: |kind, subtype| {
        matches!(kind, "text" | "application") && matches!(subtype, "rtf" | "x-rtf")
    },
    begins: Some(|head| head.start().starts_with(br"{\rtf")),
    find: |query, input| stream::find(query, input, Rtf::default()),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Rtf::default(), text, emitter),
};

/// The decoder of RTF.
#[derive(Debug)]
struct Rtf {
    encoding: &'static Encoding,
    /// How many characters for older readers follow `\u`, in each open group.
    fallbacks: Vec<usize>,
    /// How many of these are still to be skipped.
    skipped: usize,
    /// The octets of `\bin` that are still to be skipped.
    binary: usize,
    /// The first half of a surrogate pair.
    high: Option<u16>,
}

impl Default for Rtf {
    fn default() -> Self {
        Self { encoding: WINDOWS_1252, fallbacks: vec![1], skipped: 0, binary: 0, high: None }
    }
}

/// The length of the longest control word that is read.
const AHEAD: usize = 64;

/// The length of the switches of a field that are read, with a tip in them.
const SWITCHES_AHEAD: usize = 512;

/// The number of open groups that are known.
const DEEPEST: usize = 1 << 12;

impl Decoder for Rtf {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let mut done = 0;
        while done < octets.len() {
            let rest = &octets[done..];
            if self.binary > 0 {
                let length = self.binary.min(rest.len());
                text.gap(at + done, length);
                self.binary -= length;
                done += length;
                continue;
            }
            let plain = rest.iter().position(|octet| b"\\{}\r\n".contains(octet)).unwrap_or(rest.len());
            if let Some(divider) = fragment_divider(rest, plain) {
                let skipped = self.skipped.min(divider.start);
                self.skipped -= skipped;
                text.keep(&rest[skipped..divider.start], at + done + skipped);
                text.put(b"#", at + done + divider.start, divider.len());
                done += divider.end;
                continue;
            }
            if plain > 0 && rest.len() - plain < SWITCHES_AHEAD && !is_all && rest[..plain].ends_with(b"\" ")
            {
                // The fragment of a link may follow.
                return done;
            }
            if plain > 0 {
                let skipped = self.skipped.min(plain);
                self.skipped -= skipped;
                text.keep(&rest[skipped..plain], at + done + skipped);
                done += plain;
                continue;
            }
            if rest[0] == b'\\' && rest.len() < AHEAD && !is_all {
                return done;
            }
            done += self.control(rest, at + done, text);
        }
        done
    }
}

/// Returns what stands for "#" in a field, from the quote that ends the URL: `HYPERLINK "url" \\l "fragment"`.
fn fragment_divider(octets: &[u8], plain: usize) -> Option<Range<usize>> {
    let url = octets[..plain].trim_ascii_end().strip_suffix(b"\"")?;
    let before = url.len();
    // A URL has one fragment.
    if url.rsplit(|octet| *octet == b'"').next().is_some_and(|url| url.contains(&b'#')) {
        return None;
    }
    let limit = octets.len().min(plain + SWITCHES_AHEAD);
    let fragment = fragment_after(&octets[plain..limit], br"\\")?;
    Some(before..limit - fragment.len())
}

/// Returns what follows the quote that begins the fragment of a field, `\l "fragment"`, given its switches after the
/// URL; `backslash` is one as the document has it. Another switch may be before it: `\o "tip"`, `\n`, `\t "frame"`
/// (ECMA-376, part 1, 17.16.5.25).
pub(crate) fn fragment_after<'o>(switches: &'o [u8], backslash: &[u8]) -> Option<&'o [u8]> {
    let mut rest = switches;
    loop {
        let (name, after) = rest.strip_prefix(backslash)?.split_first()?;
        let argument = after.trim_ascii_start().strip_prefix(b"\"");
        let next = match (name.to_ascii_lowercase(), argument) {
            (b'l', Some(fragment)) => return Some(fragment),
            (b'o' | b't', Some(text)) => &text[memchr::memchr(b'"', text)? + 1..],
            (b'n' | b'm', _) => after,
            _ => return None,
        };
        rest = next.trim_ascii_start();
    }
}

impl Rtf {
    /// Reads a control; returns its length.
    fn control(&mut self, rest: &[u8], at: usize, text: &mut Text) -> usize {
        match *rest {
            [b'{', ..] => {
                if self.fallbacks.len() < DEEPEST {
                    self.fallbacks.push(self.fallbacks.last().copied().unwrap_or(1));
                }
                self.skipped = 0;
                1
            }
            [b'}', ..] => {
                if self.fallbacks.len() > 1 {
                    self.fallbacks.pop();
                }
                self.skipped = 0;
                1
            }
            [b'\\', b'\'', high, low, ..] => {
                let digit = |octet: u8| char::from(octet).to_digit(16);
                if let (Some(high), Some(low)) = (digit(high), digit(low)) {
                    self.octet((high * 16 + low) as u8, at, text);
                }
                4
            }
            [b'\\', escaped @ (b'\\' | b'{' | b'}'), ..] => self.put(&[escaped], at, 2, text),
            [b'\\', b'~', ..] => self.put("\u{A0}".as_bytes(), at, 2, text),
            [b'\\', b'_', ..] => self.put(b"-", at, 2, text),
            [b'\\', b'\n' | b'\r', ..] => self.put(b"\n", at, 2, text),
            [b'\\', letter, ..] if letter.is_ascii_alphabetic() => self.word(rest, at, text),
            [b'\\', _, ..] => 2,
            _ => 1,
        }
    }

    /// Adds a character, unless it is one for older readers.
    fn put(&mut self, character: &[u8], at: usize, length: usize, text: &mut Text) -> usize {
        match self.skipped {
            0 => text.put(character, at, length),
            _ => self.skipped -= 1,
        }
        length
    }

    /// Adds a character of the encoding of the document.
    fn octet(&mut self, octet: u8, at: usize, text: &mut Text) {
        let octets = [octet];
        let (character, _) = self.encoding.decode_without_bom_handling(&octets);
        self.put(character.as_bytes(), at, 4, text);
    }

    fn word(&mut self, rest: &[u8], at: usize, text: &mut Text) -> usize {
        let letters =
            rest[1..].iter().take(AHEAD / 2).take_while(|octet| octet.is_ascii_alphabetic()).count();
        let name = &rest[1..=letters];
        let mut end = 1 + letters;
        let sign = usize::from(rest.get(end) == Some(&b'-'));
        let digits = rest[end + sign..].iter().take(10).take_while(|octet| octet.is_ascii_digit()).count();
        let mut number: Option<i64> = None;
        if digits > 0 {
            number = str::from_utf8(&rest[end..end + sign + digits]).ok().and_then(|text| text.parse().ok());
            end += sign + digits;
        }
        // "a space [...] is part of the control word"
        end += usize::from(rest.get(end) == Some(&b' '));
        match (name, number) {
            (b"u", Some(code)) => {
                self.unit(code as u16, at, end, text);
                self.skipped = self.fallbacks.last().copied().unwrap_or(1);
            }
            (b"uc", Some(count)) => {
                if let Some(last) = self.fallbacks.last_mut() {
                    *last = usize::try_from(count).unwrap_or(1).min(16);
                }
            }
            (b"bin", Some(count)) => self.binary = usize::try_from(count).unwrap_or(0),
            (b"ansicpg", Some(page)) => {
                let label = format!("windows-{page}");
                let one = Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_single_byte());
                self.encoding = one.unwrap_or(self.encoding);
            }
            (b"mac", None) => self.encoding = encoding_rs::MACINTOSH,
            (
                b"par" | b"line" | b"cell" | b"row" | b"page" | b"sect" | b"tab" | b"fldinst" | b"fldrslt",
                _,
            ) => {
                text.put(b"\n", at, end);
            }
            (b"ldblquote" | b"rdblquote", _) => text.put(b"\"", at, end),
            (b"lquote" | b"rquote", _) => text.put("\u{2019}".as_bytes(), at, end),
            (b"endash", _) => text.put("\u{2013}".as_bytes(), at, end),
            (b"emdash" | b"bullet", _) => text.put("\u{2014}".as_bytes(), at, end),
            _ => {}
        }
        end
    }

    /// Adds a code unit of UTF-16.
    fn unit(&mut self, unit: u16, at: usize, length: usize, text: &mut Text) {
        let high = self.high.take();
        if matches!(unit, 0xD800..0xDC00) {
            self.high = Some(unit);
            return;
        }
        let units = [high.unwrap_or(unit), unit];
        let units = if high.is_some() { &units[..] } else { &units[1..] };
        for character in char::decode_utf16(units.iter().copied()) {
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            text.put(character.encode_utf8(&mut [0; 4]).as_bytes(), at, length);
        }
    }
}
