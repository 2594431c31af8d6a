//! Skips white space in a wrapper. Takes a text and an offset in it, and returns the end of the
//! spaces before or after that offset. RFC 3986, appendix C: "extra whitespace (spaces,
//! line-breaks, tabs, etc.) may have to be added to break a long URI across lines. The whitespace
//! should be ignored when the URI is extracted."

use super::window::{Incomplete, Window};

/// Whether a character is ignored within a wrapper: every Unicode space, including those without
/// width.
pub(super) fn is_space(character: char) -> bool {
    match character {
        '\u{200B}' | '\u{FEFF}' => true,
        // They end a page and a paragraph.
        '\u{C}' | '\u{2029}' => false,
        _ => character.is_whitespace(),
    }
}

/// Whether a text contains a space.
pub(super) fn is_in(text: &str) -> bool {
    let octets = text.as_bytes();
    match octets.is_ascii() {
        true => octets.iter().any(|octet| is_space(char::from(*octet))),
        false => text.contains(is_space),
    }
}

/// Returns the text without its spaces.
pub(super) fn without(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|character| !is_space(*character))
}

/// Whether an octet may be the last one of a space.
pub(super) const fn may_end(octet: u8) -> bool {
    octet.is_ascii_whitespace() || octet == 0x0B || octet & 0xC0 == 0x80
}

/// Returns the start of the spaces that end at `end`, in the text from `least` on.
pub(super) fn before(text: &[u8], least: usize, mut end: usize) -> usize {
    loop {
        let tail = &text[least.max(end.saturating_sub(4))..end];
        let start = tail.iter().rposition(|octet| octet & 0xC0 != 0x80).unwrap_or(0);
        let last = core::str::from_utf8(&tail[start..]).ok().and_then(|last| last.chars().next_back());
        match last.filter(|last| is_space(*last)) {
            Some(space) => end -= space.len_utf8(),
            None => return end,
        }
    }
}

/// Returns the length of the space at an offset; 0 if there is no space.
pub(super) fn length(window: Window<'_>, at: usize) -> Result<usize, Incomplete> {
    let octet = window.octet(at)?;
    Ok(match octet {
        0x80.. => window.character(at)?.filter(|(found, _)| is_space(*found)).map_or(0, |(_, length)| length),
        _ => usize::from(is_space(char::from(octet))),
    })
}
