//! Finds the names of schemes in a text. Takes the offset of the colon after a name and returns
//! where the name begins.

use super::place::Place;
use super::{evident, notation};
use crate::scheme;
use crate::simd::AsciiSet;

/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`
pub(super) const NAME: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"+-."));

/// The maximum length of a scheme's name in octets.
pub(super) const LONGEST_NAME: usize = 64;

impl Place<'_, '_> {
    /// Returns the start of the scheme name that ends at a colon.
    #[inline(always)]
    pub(super) fn name(&self, colon: usize) -> Option<usize> {
        let text = self.window.text;
        if let Some(start) = letters_before(text, colon).filter(|start| *start > self.floor)
            && !is_more_than_letters(text[start - 1])
            && (text[start - 1] != b'(' || notation::roff(text, start).is_none())
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
        if let Some(after) = notation::digits(text, start).and_then(inside) {
            return Some(after);
        }
        let roff = notation::roff(text, start).and_then(inside);
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
