//! Formats with folded lines: iCalendar, vCard and LDIF. Decodes their lines into unfolded text.
//! Follows RFC 5545, 3.1 and 3.3.11, RFC 6350, 3.2 and 3.4, and RFC 2849, notes 2 and 4.
//!
//! Only LDIF has base64 values that are text; such values are decoded.

use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memchr2, memchr3};

use crate::decode::transfer::{self, Transfer};
use crate::decode::{Decoded, charset};
use crate::search::FormatSpec;
use crate::search::stream::{self, Decoder, Text};

/// The iCalendar format.
pub(crate) static ICALENDAR: FormatSpec = FormatSpec {
    name: "icalendar",
    extensions: &["ics", "ical", "ifb"],
    sections: None,
    has_media_type: |kind, subtype| (kind, subtype) == ("text", "calendar"),
    begins: Some(|head| head.begins_with(&["begin:vcalendar"])),
    find: |query, input| stream::find(query, input, Folded::card()),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Folded::card(), text, emitter),
};

/// The vCard format.
pub(crate) static VCARD: FormatSpec = FormatSpec {
    name: "vcard",
    extensions: &["vcf", "vcard"],
    sections: None,
    has_media_type: |kind, subtype| kind == "text" && matches!(subtype, "vcard" | "x-vcard" | "directory"),
    begins: Some(|head| head.begins_with(&["begin:vcard"])),
    find: |query, input| stream::find(query, input, Folded::card()),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Folded::card(), text, emitter),
};

/// The LDIF format.
pub(crate) static LDIF: FormatSpec = FormatSpec {
    name: "ldif",
    extensions: &["ldif"],
    sections: None,
    has_media_type: |kind, subtype| {
        matches!(kind, "text" | "application") && matches!(subtype, "ldif" | "x-ldif")
    },
    begins: Some(|head| is_ldif(head.start())),
    find: |query, input| stream::find(query, input, Folded::ldif()),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Folded::ldif(), text, emitter),
};

/// Recognises a distinguished name, optionally after a version and comments.
fn is_ldif(text: &[u8]) -> bool {
    let lines = text
        .split(|octet| *octet == b'\n')
        .filter(|line| !line.starts_with(b"#") && !line.trim_ascii().is_empty());
    let mut lines = lines.skip_while(|line| line.starts_with(b"version:"));
    let name = lines.next().and_then(|line| line.strip_prefix(b"dn:"));
    name.is_some_and(|name| name.contains(&b'=') || name.starts_with(b":"))
}

/// The decoder of folded lines.
#[derive(Debug)]
struct Folded {
    rules: Rules,
    place: LineState,
}

/// Where the next octet is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LineState {
    /// At the start of a line.
    #[default]
    Start,
    /// In a line.
    Line,
    /// In a base64 value, before a group of four characters.
    Base64,
}

/// What ends a line: a line end or a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineEnd {
    /// Its length, with the white space of a fold; 0 if the line does not end here.
    length: usize,
    /// Whether the next line continues this one.
    is_fold: bool,
}

/// The end of a value as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ValueEnd {
    at: usize,
    /// Whether its line ends there, and not only the octets.
    is_visible: bool,
}

/// The length of a base64 value that shows whether it is text. A longer one is decoded piece by
/// piece.
const SAMPLE: usize = 256 << 10;

/// The syntax of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    /// iCalendar and vCard: "\" begins an escape.
    Card,
    /// LDIF: "::" begins a base64 value.
    Ldif,
}

impl Folded {
    /// Returns the decoder of iCalendar and vCard.
    const fn card() -> Self {
        Self { rules: Rules::Card, place: LineState::Start }
    }

    /// Returns the decoder of LDIF.
    const fn ldif() -> Self {
        Self { rules: Rules::Ldif, place: LineState::Start }
    }

    /// Reads what ends a line; returns `None` if more octets are needed.
    fn line_end(&self, octets: &[u8], is_all: bool) -> Option<LineEnd> {
        let after = match octets {
            [b'\r', b'\n', ..] => 2,
            [b'\n', ..] => 1,
            [b'\r'] if !is_all => return None,
            // Not a line end.
            _ => return Some(LineEnd { length: 0, is_fold: false }),
        };
        match octets.get(after) {
            None if !is_all => None,
            // "CRLF immediately followed by a single linear white-space character" (RFC 5545); "a
            // line separator [...] and a SPACE" (RFC 2849)
            Some(b' ') => Some(LineEnd { length: after + 1, is_fold: true }),
            Some(b'\t') if self.rules == Rules::Card => Some(LineEnd { length: after + 1, is_fold: true }),
            _ => Some(LineEnd { length: after, is_fold: false }),
        }
    }

    /// Decodes the escape at a "\", which may be folded; returns its length, or `None` if more
    /// octets are needed.
    fn escape(&self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> Option<usize> {
        let mut length = 1;
        while let LineEnd { length: fold, is_fold: true } = self.line_end(&octets[length..], is_all)? {
            length += fold;
        }
        let character = match octets.get(length) {
            None if !is_all => return None,
            Some(b'n' | b'N') => b'\n',
            Some(octet @ (b',' | b';' | b':' | b'\\')) => *octet,
            _ => {
                text.keep(b"\\", at);
                return Some(1);
            }
        };
        text.put(&[character], at, length + 1);
        Some(length + 1)
    }

    /// Decodes the start of a line with a base64 value, up to its end or the last complete group;
    /// returns the number of octets, 0 if there is no such value or it is not text, or `None` if
    /// more octets are needed.
    fn begin_base64(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> Option<usize> {
        self.place = LineState::Line;
        // value-spec = ":" (FILL 0*1(SAFE-STRING) / ":" FILL (BASE64-STRING) / "<" FILL url)
        let is_name = |octet: &u8| octet.is_ascii_alphanumeric() || b"-;.".contains(octet);
        let name = octets.iter().take_while(|octet| is_name(octet)).count();
        let start = match octets[name..] {
            [b':', b':', ..] => name + 2,
            [] | [b':'] if !is_all => return self.wait(),
            _ => return Some(0),
        };
        let ValueEnd { at: end, is_visible: is_end } = self.end_of_value(&octets[start..], is_all);
        if !is_end && !is_all && octets.len() < SAMPLE {
            return self.wait();
        }
        let mut decoded = Decoded::default();
        let length = base64(&octets[start..start + end], at + start, is_end || is_all, &mut decoded);
        // A character may continue after a group.
        if str::from_utf8(decoded.text()).is_err_and(|error| is_end || error.error_len().is_some()) {
            return Some(0);
        }
        text.keep(&octets[..start], at);
        text.gap(at + start, 0);
        text.append(&decoded);
        if !is_end {
            self.place = LineState::Base64;
        }
        Some(start + length)
    }

    /// Decodes a line of vCard 2.1 in quoted-printable, whose lines end in "=" before a soft line break;
    /// returns its length, 0 if it is another line, or `None` if more octets are needed.
    fn quoted_printable(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> Option<usize> {
        const NAME: &[u8] = b"QUOTED-PRINTABLE";
        const LONGEST: usize = 1024;
        let head = octets.iter().take(LONGEST).position(|octet| matches!(octet, b':' | b'\n'));
        let Some(head) = head else {
            return if is_all || octets.len() >= LONGEST { Some(0) } else { self.wait() };
        };
        let is_encoded = octets[..head].windows(NAME.len()).any(|word| word.eq_ignore_ascii_case(NAME));
        if !is_encoded || octets[head] == b'\n' {
            return Some(0);
        }
        let mut end = head;
        loop {
            let Some(length) = memchr(b'\n', &octets[end..]) else {
                if !is_all && octets.len() < SAMPLE {
                    return self.wait();
                }
                end = octets.len();
                break;
            };
            let line = octets[end..end + length].trim_ascii_end();
            end += length + 1;
            if !line.ends_with(b"=") {
                break;
            }
        }
        let value = &octets[head + 1..end];
        let decoded = Transfer::QuotedPrintable.decode(value).unwrap_or_default();
        let charset = charset_of(&octets[..head]);
        let characters = charset::decode(decoded.text(), charset).map(|text| text.made_of(&decoded));
        text.keep(&octets[..=head], at);
        text.append(&characters.unwrap_or(decoded).shifted(at + head + 1));
        Some(end)
    }

    fn wait<T>(&mut self) -> Option<T> {
        self.place = LineState::Start;
        None
    }

    /// Decodes more of a base64 value; returns the number of octets.
    fn continue_base64(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let ValueEnd { at: end, is_visible: is_end } = self.end_of_value(octets, is_all);
        let mut decoded = Decoded::default();
        let length = base64(&octets[..end], at, is_end || is_all, &mut decoded);
        text.append(&decoded);
        if is_end {
            self.place = LineState::Line;
        }
        length
    }

    /// Returns the end of a value, before its line end.
    fn end_of_value(&self, octets: &[u8], is_all: bool) -> ValueEnd {
        let mut end = 0;
        while let Some(length) = memchr(b'\n', &octets[end..]) {
            end += length;
            match self.line_end(&octets[end..], is_all) {
                Some(LineEnd { length, is_fold: true }) => end += length,
                Some(_) => return ValueEnd { at: end, is_visible: true },
                None => return ValueEnd { at: end, is_visible: false },
            }
        }
        ValueEnd { at: octets.len(), is_visible: false }
    }
}

/// Returns the encoding of a property of vCard 2.1: `CHARSET=ISO-8859-1`.
fn charset_of(head: &[u8]) -> &'static Encoding {
    let of = |parameter: &[u8]| {
        let name = parameter.get(..8).filter(|name| name.eq_ignore_ascii_case(b"CHARSET="))?;
        Encoding::for_label(&parameter[name.len()..])
    };
    head.split(|octet| *octet == b';').find_map(of).unwrap_or(UTF_8)
}

/// Decodes base64, up to its end if `is_whole` is set, or else up to the last complete group;
/// returns the number of octets.
fn base64(octets: &[u8], at: usize, is_whole: bool, decoded: &mut Decoded) -> usize {
    let length = if is_whole { octets.len() } else { transfer::whole_groups(octets) };
    transfer::b(&octets[..length], at, decoded);
    length
}

impl Decoder for Folded {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let mut done = 0;
        while done < octets.len() {
            if self.place == LineState::Start && self.rules == Rules::Ldif {
                match self.begin_base64(&octets[done..], at + done, is_all, text) {
                    Some(length) => done += length,
                    None => return done,
                }
            }
            if self.place == LineState::Start && self.rules == Rules::Card {
                match self.quoted_printable(&octets[done..], at + done, is_all, text) {
                    Some(0) => {}
                    Some(length) => {
                        done += length;
                        continue;
                    }
                    None => return done,
                }
            }
            if self.place == LineState::Base64 {
                done += self.continue_base64(&octets[done..], at + done, is_all, text);
                if self.place == LineState::Base64 {
                    return done;
                }
            }
            self.place = LineState::Line;
            let rest = &octets[done..];
            let special = match self.rules {
                Rules::Card => memchr3(b'\\', b'\r', b'\n', rest),
                Rules::Ldif => memchr2(b'\r', b'\n', rest),
            };
            let plain = special.unwrap_or(rest.len());
            text.keep(&rest[..plain], at + done);
            done += plain;
            let rest = &rest[plain..];
            let length = match rest.first() {
                None => break,
                Some(b'\\') => self.escape(rest, at + done, is_all, text),
                Some(_) => self.line_end(rest, is_all).map(|LineEnd { length, is_fold }| {
                    // A CR that ends no line is a character.
                    let length = length.max(1);
                    if !is_fold {
                        text.keep(&rest[..length], at + done);
                        if rest[length - 1] == b'\n' {
                            self.place = LineState::Start;
                        }
                    }
                    length
                }),
            };
            match length {
                Some(length) => done += length,
                None => return done,
            }
        }
        done
    }
}
