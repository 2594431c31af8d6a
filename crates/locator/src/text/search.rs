//! The search: takes a text and returns its matches one by one, by checking each candidate in
//! order. URLs that are longer than the limit are skipped.

use super::candidates::Candidates;
use super::character::Character;
use super::finder::{Finder, LIMIT, Preset};
use super::found::Found;
use super::matched::Match;
use super::octets::Classified;
use super::place::{Outcome, Place};
use super::window::{Incomplete, Window};
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
    pub(super) overlong: &'s mut Overlong,
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
        let mut place = Place { finder: self.finder, window: self.window, floor: self.state.floor };
        let text = self.window.text;
        let signs = Candidates {
            text,
            guesses: self.finder.preset == Preset::Relaxed,
            marks: self.finder.refang || self.finder.preset == Preset::Relaxed,
        };
        let (mut from, mut url) = (self.state.from, Found::default());
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
