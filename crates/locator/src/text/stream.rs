//! Texts that come piece by piece: windows on a text enter, the same hits leave as those of the whole text, in memory that
//! does not depend on its length.

use super::overlong::Overlong;
use super::search::{Search, State};
use super::window::Window;
use super::{Finder, LOOKBEHIND, Match};
use crate::simd::dispatch;

/// A search through a text that is never at hand as a whole. It holds no text: the caller does, and may let go of what
/// [`StreamFinder::consume`] says.
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

    /// The next hit that is certain, whatever comes behind the window; its span counts from the window's start. None
    /// if there is none, or if more must be seen: then octets must be put behind the window, unless it is the last.
    ///
    /// The window must begin where the last one did, or behind the octets that were released, and hold what it held.
    /// With [`LIMIT`](super::LIMIT) and [`LOOKBEHIND`] octets more than nothing in it the search always gets on. A URL that has not
    /// ended is looked at again from its beginning, so that behind one which is long already larger pieces are better.
    pub fn next<'t>(&mut self, window: &'t [u8], is_last: bool) -> Option<Match<'t>> {
        let window = Window::new(window, is_last);
        let (state, overlong) = (&mut self.state, &mut self.overlong);
        dispatch(Search { finder: self.finder, window, state, overlong })
    }

    /// Where in the window the first URL begins that was passed over since this was asked last, because it has more than
    /// [`LIMIT`](super::LIMIT) octets; none if there was none. Ask before octets are released.
    pub fn passed_over(&mut self) -> Option<usize> {
        self.overlong.told()
    }

    /// How many octets at the window's front are not needed any more. From now on they count as released: the next
    /// window begins behind them.
    pub fn consume(&mut self) -> usize {
        let octets = self.state.from.saturating_sub(LOOKBEHIND);
        self.state.from -= octets;
        self.state.floor = self.state.floor.saturating_sub(octets);
        octets
    }
}
