//! A position of a text where a URL may be, and the result of examining it.

use super::finder::Finder;
use super::found::Found;
use super::matched::Match;
use super::window::{NOTHING, Window};

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
pub(super) struct Place<'f, 't> {
    pub(super) finder: &'f Finder,
    pub(super) window: Window<'t>,
    pub(super) floor: usize,
}

impl<'t> Place<'_, 't> {
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
    pub(super) fn hit(&self, url: &Found) -> Match<'t> {
        let (text, edition) = (self.window.text, self.finder.edition);
        Match { text, start: url.start, end: url.end(), outer: url.outer(), how: url.how, edition }
    }
}
