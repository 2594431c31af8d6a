//! Finds the names of schemes in a text. Takes the offset of the colon after a name and returns
//! where the name begins.
//!
//! A position of a text where a URL may be, and the result of examining it.
//!
//! Asks the scheme of a candidate: whether the text after its colon shows a URL of that scheme, and
//! whether it needs a host.
//!
//! Recognizes escapes that begin with "\". Takes the word after it and returns how many of its
//! octets may belong to an escape. In `\x00http://a/` and `\fBhttp://a/` these are the notations of
//! C, JSON and roff.

use super::evident;
use super::finder::{Finder, Preset};
use super::matched::{self, Match, UrlPosition};
use super::window::{Incomplete, NOTHING, Window};
use crate::scheme;
use crate::simd::AsciiSet;

/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`
pub(super) const NAME: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"+-."));

/// The maximum length of a scheme's name in octets.
pub(super) const LONGEST_NAME: usize = 64;

impl SearchPosition<'_, '_> {
    /// Returns the start of the scheme name that ends at a colon.
    #[inline(always)]
    pub(super) fn name(&self, colon: usize) -> Option<usize> {
        let text = self.window.text;
        if let Some(start) = letters_before(text, colon).filter(|start| *start > self.floor)
            && !is_more_than_letters(text[start - 1])
            && (text[start - 1] != b'(' || roff_escape(text, start).is_none())
        {
            return (start < colon).then_some(start);
        }
        self.name_of_any_kind(colon)
    }

    /// Returns the start of any scheme name, octet by octet.
    #[cold]
    fn name_of_any_kind(&self, colon: usize) -> Option<usize> {
        let text = self.window.text;
        let least = self.floor.max(colon.saturating_sub(LONGEST_NAME));
        let mut start = colon;
        while start > least && NAME.contains(text[start - 1]) {
            start -= 1;
        }
        let is_whole = start == 0 || !NAME.contains(text[start - 1]) || start == self.floor;
        if !is_whole || start == colon {
            return None;
        }
        let start = self.window.after_control(start, colon);
        if start == colon {
            return None;
        }
        // Nearly every name consists of letters.
        if !b"\\(".contains(&self.window.before(start))
            && text[start..colon].iter().all(u8::is_ascii_alphabetic)
        {
            return Some(start);
        }
        self.name_among_others(start, colon)
    }

    /// A name with other characters than letters: in "end.http://a/" it is after the last dot, if
    /// that name is known.
    #[cold]
    fn name_among_others(&self, start: usize, colon: usize) -> Option<usize> {
        let text = self.window.text;
        // scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
        let start = start + text[start..colon].iter().position(|octet| !b"+-.".contains(octet))?;
        let begins = |start: &usize| text.get(*start).is_some_and(u8::is_ascii_alphabetic);
        let is_known = |start: &usize| begins(start) && self.is_name_known(*start, colon);
        if let Some(after) = self.after_escape(start, colon) {
            return Some(after).filter(begins);
        }
        // "soap.beep" has a dot itself.
        let dot = text[start..colon].iter().rposition(|octet| *octet == b'.');
        let after = dot.map(|dot| start + dot + 1).filter(is_known).filter(|_| !is_known(&start));
        after.or(Some(start).filter(begins))
    }

    /// Returns the start of a name after an escape of source code or roff.
    fn after_escape(&self, start: usize, colon: usize) -> Option<usize> {
        let text = self.window.text;
        let inside = |length: usize| Some(start + length).filter(|after| *after < colon);
        if let Some(after) = numeric_escape(text, start).and_then(inside) {
            return Some(after);
        }
        let roff = roff_escape(text, start).and_then(inside);
        let is_letter = self.window.before(start) == b'\\';
        // "\tftp://a/" is a tab, though IANA's registry has "tftp".
        if !is_letter && roff.is_none() || self.is_name_here(start, colon) {
            return None;
        }
        // "\nhttp://a/" in source code begins with the end of a line.
        let letter = inside(1).filter(|after| is_letter && self.is_name_known(*after, colon));
        let is_font = is_letter && text[start] == b'f';
        letter.or(roff.filter(|after| is_font || self.is_name_known(*after, colon)))
    }

    /// Whether there is a scheme of that name, here or before a "/" in IANA's registry.
    fn is_name_known(&self, start: usize, colon: usize) -> bool {
        let octets = &self.window.text[start..colon];
        let is_registered = || {
            self.window.text.get(colon + 1) == Some(&b'/')
                && scheme::may_be_registered(octets)
                && scheme::status(core::str::from_utf8(octets).unwrap_or_default()).is_some()
        };
        self.is_name_here(start, colon) || is_registered()
    }

    /// Whether there is a scheme of that name here. If no "/" follows, its URLs must be recognizable
    /// without it.
    fn is_name_here(&self, start: usize, colon: usize) -> bool {
        let octets = &self.window.text[start..colon];
        let is_known = match self.window.text.get(colon + 1) {
            Some(b'/') => scheme::lookup(core::str::from_utf8(octets).unwrap_or_default()).is_some(),
            _ => evident::may_be_evident(octets),
        };
        is_known || self.finder.allows(octets)
    }
}

/// Returns the start of the letters before an offset, if there are fewer than eight and as many
/// octets before it.
#[inline(always)]
fn letters_before(text: &[u8], end: usize) -> Option<usize> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * EACH;
    let eight = u64::from_le_bytes(*text[..end].last_chunk()?);
    // In lower case, without the highest bits, so that no sum overflows into the next octet.
    let lower = (eight | (0x20 * EACH)) & !HIGH;
    let from_a = lower + (0x80 - u64::from(b'a')) * EACH;
    let above_z = lower + (0x80 - u64::from(b'z') - 1) * EACH;
    let others = (!from_a | above_z | eight) & HIGH;
    (others != 0).then(|| end - (others.leading_zeros() / 8) as usize)
}

/// Whether an octet before letters may make the name longer or shorter: "\n", "ESC [ m".
#[inline(always)]
const fn is_more_than_letters(octet: u8) -> bool {
    matches!(octet, b'0'..=b'9' | b'+' | b'-' | b'.' | b'\\' | b'[' | b';')
}

/// The result of examining a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    /// A URL, which was written to the output.
    Found,
    /// No URL, and no URL begins before that octet.
    None(usize),
    /// A URL that begins there and is longer than the limit.
    TooLong(usize),
}

/// The position of a search.
#[derive(Clone, Copy)]
pub(super) struct SearchPosition<'f, 't> {
    pub(super) finder: &'f Finder,
    pub(super) window: Window<'t>,
    pub(super) floor: usize,
}

impl<'t> SearchPosition<'_, 't> {
    /// Returns the opening delimiter before a URL, if it is one of a pair and does not belong to
    /// another URL.
    #[inline(always)]
    pub(super) fn around(&self, start: usize) -> u8 {
        let before = self.window.before(start);
        let is_paired = matches!(before, b'<' | b'"' | b'\'' | b'*' | b'_' | b'~');
        if is_paired && start > self.floor { before } else { NOTHING }
    }

    /// Returns the match of a URL that was found.
    #[inline(always)]
    pub(super) fn hit(&self, url: &UrlPosition) -> Match<'t> {
        let (text, edition) = (self.window.text, self.finder.edition);
        Match { text, start: url.start, end: url.end(), outer: url.outer(), how: url.how, edition }
    }
}

/// How many more "/" are allowed after the "/" that begins a path.
const MORE_SLASHES: usize = 2;

/// How many octets after the colon of an opaque scheme are checked first.
const EVIDENCE: usize = 256;

impl SearchPosition<'_, '_> {
    /// Whether the text after an opaque scheme's colon shows that it is a URL.
    pub(super) fn is_evident(&self, start: usize, colon: usize) -> Result<bool, Incomplete> {
        let name = &self.window.text[start..colon];
        if self.finder.allows(name) {
            return Ok(NAME.contains(self.window.octet(colon + 1)?) || self.window.octet(colon + 1)? > b' ');
        }
        let name = core::str::from_utf8(name).unwrap_or_default();
        if !self.is_known(name) {
            return Ok(false);
        }
        let rest = self.window.excerpt(colon + 1, EVIDENCE)?;
        let length = rest.iter().take_while(|octet| **octet > b' ' && !b"\"<>\\`".contains(octet)).count();
        Ok(evident::is_recognizable(name, &rest[..length]))
    }

    /// Whether the search includes opaque URLs of a scheme: with `Strict` only those of
    /// `spec/schemes.md`.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.finder.preset != Preset::Strict || scheme::lookup(name).is_some()
    }

    /// Whether a URL follows the rule of its scheme.
    pub(super) fn is_by_rule(&self, url: &str) -> bool {
        matched::read(url, self.finder.edition).is_ok_and(|reference| scheme::form_error(reference).is_none())
    }

    /// Whether the host may be empty: not if the scheme has a default port, since a connection
    /// needs a host.
    #[cold]
    pub(super) fn may_lack_host(&self, start: usize, colon: usize, slash: usize) -> Result<bool, Incomplete> {
        // "file:////host.example.com/path/to/file" (RFC 8089, E.3.2), which may have one "/" more
        let path = self.window.excerpt(slash + 1, MORE_SLASHES + 1)?;
        let first = path.iter().find(|octet| **octet != b'/').copied().unwrap_or(NOTHING);
        // "https:///nohost" is a typing error.
        let is_allowed = match self.needs_host(start, colon) {
            true => self.finder.preset != Preset::Strict && path.first() == Some(&first),
            false => true,
        };
        Ok(is_allowed && (first.is_ascii_alphanumeric() || b"%._~".contains(&first) || first >= 0x80))
    }

    /// Whether the URLs of a scheme have a host.
    fn needs_host(&self, start: usize, colon: usize) -> bool {
        let name = core::str::from_utf8(&self.window.text[start..colon]).unwrap_or_default();
        scheme::lookup(name).is_some_and(|scheme| scheme.default_port().is_some())
    }

    /// Whether a "/" is missing before a host: "http:/one.slash". It must look like one, for
    /// "http:/" is a part of paths, too.
    #[cold]
    pub(super) fn lacks_slash(&self, start: usize, colon: usize) -> Result<bool, Incomplete> {
        let is_slip = self.finder.preset != Preset::Strict && self.window.octet(colon + 1)? == b'/';
        if !is_slip || !self.needs_host(start, colon) {
            return Ok(false);
        }
        let host = self.window.excerpt(colon + 2, EVIDENCE)?;
        let length =
            host.iter().take_while(|octet| octet.is_ascii_alphanumeric() || b"-.".contains(octet)).count();
        let is_dot_inside =
            |three: &[u8]| three[1] == b'.' && three[0] != b'.' && three[2].is_ascii_alphanumeric();
        Ok(host.first().is_some_and(u8::is_ascii_alphanumeric)
            && host[..length].windows(3).any(is_dot_inside))
    }
}

/// Returns the length of a numeric escape at the start of a word: `\x1b`, `\u0020`, `\033`.
pub(super) fn numeric_escape(text: &[u8], start: usize) -> Option<usize> {
    let word = text[..start].last().filter(|before| **before == b'\\').map(|_| &text[start..])?;
    let count = |word: &[u8], most: usize, is_digit: fn(&u8) -> bool| {
        word.iter().take(most).take_while(|octet| is_digit(octet)).count()
    };
    let hex = u8::is_ascii_hexdigit;
    match word {
        [b'x', rest @ ..] => Some(count(rest, 2, hex)).filter(|digits| *digits > 0).map(|digits| digits + 1),
        [b'u', rest @ ..] => Some(5).filter(|_| count(rest, 4, hex) == 4),
        [b'U', rest @ ..] => Some(9).filter(|_| count(rest, 8, hex) == 8),
        _ => Some(count(word, 3, u8::is_ascii_digit)).filter(|digits| *digits > 0),
    }
}

/// Whether a numeric escape is that of a control, a space or a quote, so that a word begins after
/// it.
pub(super) fn is_separator_escape(escape: &[u8]) -> bool {
    let (digits, radix) = match escape {
        [b'x' | b'u' | b'U', hex @ ..] => (hex, 16),
        _ => (escape, 8),
    };
    let code = core::str::from_utf8(digits).ok().and_then(|digits| u32::from_str_radix(digits, radix).ok());
    code.is_some_and(|code| code <= 0x20 || code == 0x22 || code == 0x27)
}

/// Returns the length of a roff escape in a word: a font, as in `\fB`, a size, as in `\s-1`, or a
/// name of two octets, as in `\(lq` and `\f(CW`.
pub(super) fn roff_escape(text: &[u8], start: usize) -> Option<usize> {
    match text.split_at(start) {
        ([.., b'\\'], [b'f', font, ..]) => (font.is_ascii_uppercase() || font.is_ascii_digit()).then_some(2),
        ([.., b'\\'], [b's', b'+' | b'-', digit, ..]) => digit.is_ascii_digit().then_some(3),
        ([.., b'\\'], [b's', digit, ..]) => digit.is_ascii_digit().then_some(2),
        ([.., b'\\', b'('] | [.., b'\\', b'f' | b'*' | b's' | b'm', b'('], _) => Some(2),
        _ => None,
    }
}

/// Whether a text begins with a roff font, or with a character that roff names.
pub(super) fn begins_roff(text: &[u8]) -> bool {
    match text {
        [b'\\', b'f', font, ..] => font.is_ascii_uppercase() || font.is_ascii_digit() || b"([".contains(font),
        [b'\\', b'(' | b'[' | b'&' | b'*', ..] => true,
        _ => false,
    }
}
