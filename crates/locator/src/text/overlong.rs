//! Skips URLs that are longer than the limit. Takes the start of one and returns its end, if that
//! is visible. There is no match within it.

use super::character::Character;
use super::finder::LIMIT;
use super::window::Window;
use crate::simd::AsciiSet;

/// The state of skipping URLs that are too long.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlong {
    /// The start of the first one that was not reported yet.
    start: Option<usize>,
    /// Whether the text seen so far ends in one.
    pub(super) goes_on: bool,
}

/// The octets that end every URL, besides characters beyond ASCII.
const ENDS: AsciiSet = AsciiSet::range(0, b' ').union(AsciiSet::of(b"\"<>\\^`{|}\x7F"));

impl Overlong {
    /// Skips a URL that begins there, and returns its end.
    #[cold]
    pub(super) fn pass(&mut self, window: Window<'_>, start: usize) -> usize {
        self.start.get_or_insert(start);
        self.pass_rest(window, start + LIMIT)
    }

    /// Skips the rest of one.
    #[cold]
    pub(super) fn pass_rest(&mut self, window: Window<'_>, from: usize) -> usize {
        let mut at = from;
        self.goes_on = false;
        while let Some(octet) = window.text.get(at) {
            at += match octet {
                0x80.. => match window.character(at) {
                    Ok(Some((character, length))) if Character::of(character) != Character::End => length,
                    Ok(_) => return at,
                    // Its other octets are not available yet.
                    Err(_) => break,
                },
                octet if ENDS.contains(*octet) => return at,
                _ => 1,
            };
        }
        self.goes_on = !window.is_last();
        at
    }

    /// Returns the start of the first one, once.
    pub(super) fn passed_over(&mut self) -> Option<usize> {
        self.start.take()
    }
}
