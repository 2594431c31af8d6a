//! The search: takes a text and returns its matches one by one, by checking each candidate in
//! order. URLs that are longer than the limit are skipped.
//!
//! Searches texts that arrive in pieces. Takes windows on a text and returns the same matches as a
//! search of the whole text, in memory that does not depend on its length.

use super::finder::{Finder, LIMIT, LOOKBEHIND, Preset};
use super::matched::{Match, UrlPosition};
use super::name::{Outcome, SearchPosition};
use super::window::{Candidates, Character, Classified, Incomplete, Window};
use crate::simd::{AsciiSet, BLOCK, Backend, WithBackend, dispatch};

/// An iterator over the matches in a text, from left to right.
///
/// ```
/// use locator::text::Finder;
///
/// let finder = Finder::default();
/// let mut matches = finder.find_iter(b"http://a/ http://b/");
/// assert_eq!(matches.next().unwrap().span(), 0..9);
/// assert_eq!((matches.count()), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Matches<'f, 't> {
    finder: &'f Finder,
    text: &'t [u8],
    state: State,
    overlong: Overlong,
}

/// The state of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct State {
    /// The octet to examine next.
    pub(super) from: usize,
    /// The end of the last match with its wrapper: no match begins before it.
    pub(super) floor: usize,
}

impl<'f, 't> Matches<'f, 't> {
    pub(super) fn whole(finder: &'f Finder, text: &'t [u8]) -> Self {
        Self { finder, text, state: State::default(), overlong: Overlong::default() }
    }

    /// Returns the start of the first URL since the last call that was skipped because it has more
    /// than [`LIMIT`] octets.
    pub fn passed_over(&mut self) -> Option<usize> {
        self.overlong.passed_over()
    }
}

impl<'t> Iterator for Matches<'_, 't> {
    type Item = Match<'t>;

    fn next(&mut self) -> Option<Match<'t>> {
        let window = Window::new(self.text, true);
        let (state, overlong) = (&mut self.state, &mut self.overlong);
        dispatch(Search { finder: self.finder, window, state, overlong })
    }
}

/// The search for the next match.
pub(super) struct Search<'s, 'f, 't> {
    pub(super) finder: &'f Finder,
    pub(super) window: Window<'t>,
    pub(super) state: &'s mut State,
    overlong: &'s mut Overlong,
}

impl<'t> WithBackend for Search<'_, '_, 't> {
    type Output = Option<Match<'t>>;

    /// Returns the next match. If no match is certain, the state records from where more text is
    /// needed.
    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Option<Match<'t>> {
        if self.overlong.goes_on {
            self.state.floor = self.overlong.pass_rest(self.window, self.state.from);
            self.state.from = self.state.floor;
        }
        let mut place = SearchPosition { finder: self.finder, window: self.window, floor: self.state.floor };
        let text = self.window.text;
        let signs = Candidates {
            text,
            guesses: self.finder.preset == Preset::Relaxed,
            marks: self.finder.refang || self.finder.preset == Preset::Relaxed,
        };
        let (mut from, mut url) = (self.state.from, UrlPosition::default());
        'blocks: while from < text.len() {
            let mut found = signs.at(backend, from);
            if found == 0 {
                (from, found) = signs.next(backend, from + BLOCK);
            }
            if found == 0 {
                continue;
            }
            while found != 0 {
                let at = from + found.trailing_zeros() as usize;
                found &= found - 1;
                let block = match text[at..].strip_prefix(b"://") {
                    Some(rest) => Classified::new(backend, rest),
                    None => Classified::default(),
                };
                match place.examine(at, block, &mut url) {
                    Ok(Some(Outcome::Found)) => {
                        place.refang(&mut url);
                        let after = url.outer().1;
                        *self.state = State { from: after, floor: after };
                        return Some(place.hit(&url));
                    }
                    Ok(Some(Outcome::None(after))) if after > at + 1 => {
                        from = after;
                        continue 'blocks;
                    }
                    Ok(Some(Outcome::TooLong(start))) => {
                        from = self.overlong.pass(self.window, start);
                        place.floor = from;
                        self.state.floor = from;
                        continue 'blocks;
                    }
                    Ok(_) => {}
                    Err(Incomplete) => {
                        self.state.from = at;
                        return None;
                    }
                }
            }
            from += BLOCK;
        }
        self.state.from = text.len();
        None
    }
}

/// The state of skipping URLs that are too long.
#[derive(Clone, Debug, Default)]
struct Overlong {
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
    fn pass_rest(&mut self, window: Window<'_>, from: usize) -> usize {
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
    fn passed_over(&mut self) -> Option<usize> {
        self.start.take()
    }
}

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
    /// keep its contents. A window of [`LIMIT`] and [`LOOKBEHIND`] octets more always
    /// makes progress. A URL that has not ended is examined again from its start, so use larger
    /// pieces after a long one.
    pub fn next<'t>(&mut self, window: &'t [u8], is_last: bool) -> Option<Match<'t>> {
        let window = Window::new(window, is_last);
        let (state, overlong) = (&mut self.state, &mut self.overlong);
        dispatch(Search { finder: self.finder, window, state, overlong })
    }

    /// Returns the start, in the window, of the first URL since the last call that was skipped
    /// because it has more than [`LIMIT`] octets. Call this before octets are
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
