//! Values of data formats that begin with a scheme and "//". Takes the octets of a value and adds the
//! URL or template that it is as a whole to the text, in place of its octets.
//!
//! In running text a URL ends at the first character that is not allowed in it. A value has its end
//! from its format, so that an invalid URL is not cut.

use std::ops::Range;

use locator::AsciiSet;
use locator::text::{Finder, MatchKind, Whole};
use memchr::{memchr2, memchr3, memmem};

use crate::decode::Escape;
use crate::link::Context;
use crate::search::stream::Text;

/// The values of a document.
#[derive(Clone, Debug)]
pub(crate) struct Values<'f> {
    finder: &'f Finder,
    slashes: memmem::Finder<'static>,
    escaped: memmem::Finder<'static>,
}

/// The octets to search, and the next places of "://" and of ":" and escaped slashes.
#[derive(Debug)]
pub(crate) struct Schemes<'v, 'o> {
    values: &'v Values<'v>,
    octets: &'o [u8],
    slashes: usize,
    /// `None` in formats without such escapes.
    escaped: Option<usize>,
}

/// Whether a value begins with a scheme and "//".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begins {
    Yes,
    No,
    /// More octets are needed.
    Unknown,
}

/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`
const NAME: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"+-."));

/// The maximum length of a scheme's name, with white space before it and the slashes after it.
const LONGEST_LEAD: usize = 72;

impl<'f> Values<'f> {
    pub(crate) fn new(finder: &'f Finder) -> Self {
        Self { finder, slashes: memmem::Finder::new("://"), escaped: memmem::Finder::new(r":\/") }
    }

    /// Begins to look for schemes in these octets.
    pub(crate) fn schemes<'v, 'o>(&'v self, octets: &'o [u8], with_escapes: bool) -> Schemes<'v, 'o> {
        let mut schemes = Schemes { values: self, octets, slashes: 0, escaped: None };
        schemes.slashes = schemes.find(&self.slashes, 0);
        schemes.escaped = with_escapes.then(|| schemes.find(&self.escaped, 0));
        schemes
    }

    /// Adds the URL or the template that a value is as a whole, which is written at this place;
    /// returns whether it is one.
    pub(crate) fn emit(&self, value: &str, written: Range<usize>, text: &mut Text) -> bool {
        match self.finder.whole(value) {
            Whole::Text => return false,
            Whole::Match(kind) => {
                text.link(written.clone(), value.trim().to_owned(), Context::Text(kind));
            }
            _ => {}
        }
        text.gap(written.start, written.len());
        true
    }

    /// Adds a cell without escapes; see [`emit`](Self::emit). A URL that running text has as a whole,
    /// too, is left to the search of the text. A cell with nothing after "http://" is a URL that
    /// somebody has not written; elsewhere it is a part of one.
    pub(crate) fn emit_cell(&self, octets: &[u8], at: usize, text: &mut Text) -> bool {
        let value = octets.trim_ascii();
        if is_simple(value) {
            return false;
        }
        let start = at + (octets.len() - octets.trim_ascii_start().len());
        let Ok(value) = str::from_utf8(value) else { return false };
        if value.strip_suffix("://").is_some_and(|name| locator::scheme::lookup(name).is_some()) {
            text.link(start..start + value.len(), value.to_owned(), Context::Text(MatchKind::Quoted));
            text.gap(start, value.len());
            return true;
        }
        self.emit(value, start..start + value.len(), text)
    }
}

impl Schemes<'_, '_> {
    fn find(&self, needle: &memmem::Finder<'_>, from: usize) -> usize {
        needle.find(&self.octets[from..]).map_or(self.octets.len(), |length| from + length)
    }

    /// Returns the first colon from an offset on that slashes follow.
    fn colon(&mut self, from: usize) -> usize {
        if self.slashes < from {
            self.slashes = self.find(&self.values.slashes, from);
        }
        let escaped = match self.escaped {
            None => return self.slashes,
            Some(escaped) if escaped >= from => escaped,
            Some(_) => self.find(&self.values.escaped, from),
        };
        self.escaped = Some(escaped);
        escaped.min(self.slashes)
    }

    /// Returns whether the value from an offset on begins with a scheme and "//", or with the name
    /// of a scheme that has URLs without "//".
    pub(crate) fn begin_at(&mut self, from: usize, is_all: bool) -> Begins {
        let rest = &self.octets[from..];
        for begins in [opaque_at(rest, is_all), data_at(rest, is_all)] {
            if begins != Begins::No {
                return begins;
            }
        }
        let colon = self.colon(from);
        let lead = &self.octets[from..colon];
        if lead.len() > LONGEST_LEAD {
            return Begins::No;
        }
        let name = lead.trim_ascii_start();
        if colon < self.octets.len() {
            let is_name = name.first().is_some_and(u8::is_ascii_alphabetic)
                && name.iter().all(|octet| NAME.contains(*octet));
            return if is_name { Begins::Yes } else { Begins::No };
        }
        let may_begin = name.iter().all(|octet| NAME.contains(*octet) || b":/\\".contains(octet));
        if may_begin && !is_all { Begins::Unknown } else { Begins::No }
    }
}

/// Returns whether a value may begin with a scheme whose URLs running text does not show as such:
/// "news:misc". The finder decides.
fn opaque_at(octets: &[u8], is_all: bool) -> Begins {
    const LONGEST: usize = 12;
    if !octets.first().is_some_and(|first| b"mnscxzfMNSCXZF".contains(first)) {
        return Begins::No;
    }
    let start = &octets[..octets.len().min(LONGEST)];
    match start.iter().position(|octet| !NAME.contains(*octet)) {
        Some(colon) if start[colon] == b':' && colon > 1 => Begins::Yes,
        None if octets.len() < LONGEST && !is_all => Begins::Unknown,
        _ => Begins::No,
    }
}

/// Returns whether a value may be a "data" URL with its data as text. Data in base64 has no octet
/// at which running text would cut it, and is long.
fn data_at(octets: &[u8], is_all: bool) -> Begins {
    const NAME: &[u8] = b"data:";
    const LONGEST: usize = 128;
    let name = &octets[..octets.len().min(NAME.len())];
    let start = &octets[..octets.len().min(LONGEST)];
    match start.iter().position(|octet| *octet == b',') {
        _ if !name.eq_ignore_ascii_case(&NAME[..name.len()]) => Begins::No,
        Some(comma) if start[..comma].ends_with(b";base64") => Begins::No,
        Some(comma) if comma >= NAME.len() => Begins::Yes,
        None if octets.len() < LONGEST && !is_all => Begins::Unknown,
        _ => Begins::No,
    }
}

/// Octets that need no check in a URL after its host.
const PLAIN: [bool; 256] = {
    let set = NAME.union(AsciiSet::of(b"_~:/?#@!$&'()*,;="));
    let mut plain = [false; 256];
    let mut octet = 0;
    while octet < 128 {
        plain[octet] = set.contains(octet as u8);
        octet += 1;
    }
    plain
};

/// Whether a value is a URL of the common form, which the search of running text finds as a whole:
/// a name or an IPv4 address as a host, perhaps a port, and no characters that need a check.
pub(crate) fn is_simple(value: &[u8]) -> bool {
    let Some(slashes) = memmem::find(&value[..value.len().min(LONGEST_LEAD)], b"://") else { return false };
    let rest = &value[slashes + 3..];
    let host = rest.iter().take_while(|octet| octet.is_ascii_alphanumeric() || b".-".contains(octet)).count();
    let mut tail = &rest[host..];
    if let Some(port) = tail.strip_prefix(b":") {
        let digits = port.iter().take_while(|octet| octet.is_ascii_digit()).count();
        if digits == 0 {
            return false;
        }
        tail = &port[digits..];
    }
    slashes > 1
        && rest.first().is_some_and(u8::is_ascii_alphanumeric)
        && matches!(tail.first(), None | Some(b'/' | b'?' | b'#'))
        && is_plain(tail)
}

fn is_plain(octets: &[u8]) -> bool {
    let mut rest = octets;
    loop {
        let Some(special) = rest.iter().position(|octet| !PLAIN[usize::from(*octet)]) else { return true };
        match &rest[special..] {
            [b'%', high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                rest = after;
            }
            _ => return false,
        }
    }
}

/// Returns the length of a string up to its closing quote, in one line: `Some(None)` if it has none
/// there, `None` if more octets are needed.
pub(crate) fn quoted_length(
    octets: &[u8],
    quote: u8,
    has_escapes: bool,
    is_all: bool,
) -> Option<Option<usize>> {
    let mut at = 0;
    loop {
        let special = |rest| match has_escapes {
            true => memchr3(quote, b'\\', b'\n', rest),
            false => memchr2(quote, b'\n', rest),
        };
        match octets.get(at..).and_then(special) {
            None if is_all => return Some(None),
            None => return None,
            Some(length) => at += length,
        }
        match octets[at] {
            b'\n' => return Some(None),
            b'\\' => at += 2,
            _ => return Some(Some(at)),
        }
    }
}

/// Decodes the escapes that YAML 1.2 (5.7) and TOML 1.1 have in double quotes; other text after a "\"
/// stays as it is.
pub(crate) fn unescaped(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        decoded.push_str(before);
        match escape_at(after) {
            Some(escape) => {
                decoded.push(escape.means);
                rest = &after[escape.length..];
            }
            None => {
                decoded.push('\\');
                rest = after;
            }
        }
    }
    decoded.push_str(rest);
    decoded
}

/// Reads an escape after its "\".
fn escape_at(after: &str) -> Option<Escape<char>> {
    let digits = |length: usize| {
        let digits = after.get(1..=length).filter(|digits| digits.bytes().all(|d| d.is_ascii_hexdigit()))?;
        let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
        Some(Escape::new(character, 1 + length))
    };
    let character = match after.as_bytes().first()? {
        b'x' => return digits(2),
        b'u' => return digits(4),
        b'U' => return digits(8),
        b'b' => '\u{8}',
        b'e' => '\u{1B}',
        b'f' => '\u{C}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        octet @ (b'"' | b'\\' | b'/') => char::from(*octet),
        _ => return None,
    };
    Some(Escape::new(character, 1))
}
