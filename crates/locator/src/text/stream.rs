//! Searches texts that arrive in pieces. Takes windows on a text and returns the same matches as a
//! search of the whole text, in memory that does not depend on its length.

use super::finder::{Finder, LOOKBEHIND};
use super::matched::Match;
use super::search::{Overlong, Search, State};
use super::window::Window;
use crate::simd::dispatch;

/// A finder of URLs in a text that arrives in pieces.
///
/// The text is never in memory as a whole. The caller holds the text, and may drop the octets that
/// [`StreamFinder::consume`] returns.
///
/// ```
/// use locator::text::Finder;
///
/// let finder = Finder::default();
/// let mut feed = finder.stream();
/// let (mut window, mut found) = (Vec::new(), Vec::new());
/// let mut pieces = ["see http://exam", "ple.com/, or", " not"].iter().peekable();
/// while let Some(piece) = pieces.next() {
///     window.extend_from_slice(piece.as_bytes());
///     let is_last = pieces.peek().is_none();
///     while let Some(hit) = feed.next(&window, is_last) {
///         found.push(hit.url().into_owned());
///     }
///     window.drain(..feed.consume());
/// }
/// assert_eq!(found, ["http://example.com/"]);
/// ```
#[derive(Clone, Debug)]
pub struct StreamFinder<'f> {
    finder: &'f Finder,
    state: State,
    overlong: Overlong,
}

impl<'f> StreamFinder<'f> {
    pub(super) fn new(finder: &'f Finder) -> Self {
        Self { finder, state: State::default(), overlong: Overlong::default() }
    }

    /// Returns the next match in the window that no later text can change; its span counts from the
    /// window's start.
    ///
    /// `None` means that there is no match or that the search needs more text: append octets to the
    /// window, unless it is the last.
    ///
    /// The window must begin where the last one did, or after the octets that were consumed, and
    /// keep its contents. A window of [`LIMIT`](super::LIMIT) and [`LOOKBEHIND`] octets more always
    /// makes progress. A URL that has not ended is examined again from its start, so use larger
    /// pieces after a long one.
    pub fn next<'t>(&mut self, window: &'t [u8], is_last: bool) -> Option<Match<'t>> {
        let window = Window::new(window, is_last);
        let (state, overlong) = (&mut self.state, &mut self.overlong);
        dispatch(Search { finder: self.finder, window, state, overlong })
    }

    /// Returns the start, in the window, of the first URL since the last call that was skipped
    /// because it has more than [`LIMIT`](super::LIMIT) octets. Call this before octets are
    /// consumed.
    pub fn passed_over(&mut self) -> Option<usize> {
        self.overlong.passed_over()
    }

    /// Consumes the octets at the start of the window that are no longer needed, and returns their
    /// number. The next window begins after them.
    pub fn consume(&mut self) -> usize {
        let octets = self.state.from.saturating_sub(LOOKBEHIND);
        self.state.from -= octets;
        self.state.floor = self.state.floor.saturating_sub(octets);
        octets
    }
}
