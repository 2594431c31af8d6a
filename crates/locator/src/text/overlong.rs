//! Skips URLs that are longer than the limit. Takes the start of one and returns its end, if that
//! is visible. There is no match within it.

use super::LIMIT;
use super::character::Character;
use super::window::Window;
use crate::simd::AsciiSet;

/// What is known of such URLs.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlong {
    /// Where the first one begins that nobody has asked for.
    start: Option<usize>,
    /// Whether what was seen of the text ends in one.
    pub(super) goes_on: bool,
}

/// What ends every URL, besides characters beyond ASCII.
const ENDS: AsciiSet = AsciiSet::range(0, b' ').union(AsciiSet::of(b"\"<>\\^`{|}\x7F"));

impl Overlong {
    /// Passes over a URL that begins there; gives where it ends.
    #[cold]
    pub(super) fn pass(&mut self, window: Window<'_>, start: usize) -> usize {
        self.start.get_or_insert(start);
        self.pass_rest(window, start + LIMIT)
    }

    /// Passes over what follows of one.
    #[cold]
    pub(super) fn pass_rest(&mut self, window: Window<'_>, from: usize) -> usize {
        let mut at = from;
        self.goes_on = false;
        while let Some(octet) = window.text.get(at) {
            at += match octet {
                0x80.. => match window.character(at) {
                    Ok(Some((character, length))) if Character::of(character) != Character::End => length,
                    Ok(_) => return at,
                    // Its other octets are not there yet.
                    Err(_) => break,
                },
                octet if ENDS.contains(*octet) => return at,
                _ => 1,
            };
        }
        self.goes_on = !window.is_last();
        at
    }

    /// Where the first one begins, once.
    pub(super) fn told(&mut self) -> Option<usize> {
        self.start.take()
    }
}
