//! The search: a text enters, its hits leave one after the other. A machine finds the octets that a URL may be at, 64 at a
//! time; what stands on both sides of one says whether there is one.

use super::end::{Authority, Run, Tail, around, shed};
use super::hit::{self, Hit};
use super::window::{More, NOTHING, Window};
use super::{Finder, How, LIMIT, Preset, guess, wrapper};
use crate::octet::{BLOCK, Machine, Set, Work, dispatch};
use crate::reference::UriRef;
use crate::{edition, scheme};

/// The hits of a text.
#[derive(Clone, Debug)]
pub struct Hits<'f, 't> {
    finder: &'f Finder,
    text: &'t [u8],
    state: State,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct State {
    /// The octet that is looked at next.
    pub(super) from: usize,
    /// Where the last hit ends, its wrapper included: nothing begins before that.
    pub(super) floor: usize,
}

impl<'f, 't> Hits<'f, 't> {
    pub(super) fn whole(finder: &'f Finder, text: &'t [u8]) -> Self {
        Self { finder, text, state: State::default() }
    }
}

impl<'t> Iterator for Hits<'_, 't> {
    type Item = Hit<'t>;

    fn next(&mut self) -> Option<Hit<'t>> {
        let window = Window { text: self.text, is_last: true };
        dispatch(Search { finder: self.finder, window, state: &mut self.state })
    }
}

/// The search for the next hit.
pub(super) struct Search<'s, 'f, 't> {
    pub(super) finder: &'f Finder,
    pub(super) window: Window<'t>,
    pub(super) state: &'s mut State,
}

/// What a place is that may be a URL's.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer<'t> {
    Hit(Hit<'t>),
    /// There is none, nor does one begin before that octet.
    None(usize),
}

impl<'t> Work for Search<'_, '_, 't> {
    type Output = Option<Hit<'t>>;

    /// The next hit. If there is none that is certain, the state says from where on more must be seen.
    #[inline(always)]
    fn run<M: Machine>(self, machine: M) -> Option<Hit<'t>> {
        let place = Place { finder: self.finder, window: self.window, floor: self.state.floor };
        let guesses = self.finder.preset == Preset::Relaxed;
        let text = self.window.text;
        let mut from = self.state.from;
        // What the table says is not asked.
        let table = &edition::DEFAULT.table;
        'blocks: while from < text.len() {
            let block = machine.load(&text[from..], table);
            let mut found = machine.equal(block, b':');
            if guesses {
                found |= machine.equal(block, b'.') | machine.equal(block, b'@');
            }
            while found != 0 {
                let at = from + found.trailing_zeros() as usize;
                found &= found - 1;
                match place.answer(machine, at) {
                    Ok(Some(Answer::Hit(hit))) => {
                        *self.state = State { from: hit.outer.1, floor: hit.outer.1 };
                        return Some(hit);
                    }
                    Ok(Some(Answer::None(behind))) if behind > at + 1 => {
                        from = behind;
                        continue 'blocks;
                    }
                    Ok(_) => {}
                    Err(More) => {
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

/// Where a search is.
#[derive(Clone, Copy)]
pub(super) struct Place<'f, 't> {
    pub(super) finder: &'f Finder,
    pub(super) window: Window<'t>,
    pub(super) floor: usize,
}

impl<'t> Place<'_, 't> {
    /// What is at an octet that may be a URL's; nothing if it is plainly none.
    #[inline(always)]
    fn answer<M: Machine>(self, machine: M, at: usize) -> Result<Option<Answer<'t>>, More> {
        match self.window.text[at] {
            b':' => {
                let next = self.window.octet(at + 1)?;
                if next == b'/' && self.window.octet(at + 2)? == b'/' {
                    return self.double(machine, at).map(Some);
                }
                // What is opaque goes on behind the colon; "std::io" and "name: value" do not.
                match next {
                    _ if next == b':' || !NAME.holds(self.window.before(at)) => Ok(None),
                    b' ' | b'\t' | b'\r' | b'\n' => self.broken(at),
                    _ if next > b' ' => self.opaque(machine, at).map(Some),
                    _ => Ok(None),
                }
            }
            b'.' => guess::domain(self, machine, at),
            _ => guess::email(self, at),
        }
    }

    /// The name of a scheme that ends at a colon: where it begins.
    #[inline(always)]
    fn name(self, colon: usize) -> Option<usize> {
        let text = self.window.text;
        let least = self.floor.max(colon.saturating_sub(LONGEST_NAME));
        let mut start = colon;
        while start > least && NAME.holds(text[start - 1]) {
            start -= 1;
        }
        let is_whole = start == 0 || !NAME.holds(text[start - 1]) || start == self.floor;
        if !is_whole || start == colon {
            return None;
        }
        // Nearly every name is letters alone.
        if self.window.before(start) != b'\\' && text[start..colon].iter().all(u8::is_ascii_alphabetic) {
            return Some(start);
        }
        self.name_among_others(start, colon)
    }

    /// A name in which stand others than letters: in "end.http://a/" it is behind the last dot, unless all of it is known.
    #[cold]
    fn name_among_others(self, start: usize, colon: usize) -> Option<usize> {
        let text = self.window.text;
        // scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
        let start = start + text[start..colon].iter().position(|octet| !b"+-.".contains(octet))?;
        let known = |start: usize| {
            let name = core::str::from_utf8(&text[start..colon]).unwrap_or_default();
            self.finder.allows(name.as_bytes())
                || scheme::named(name).is_some()
                || scheme::status(name).is_some()
        };
        let begins = |start: usize| text[start].is_ascii_alphabetic();
        if begins(start) && known(start) {
            return Some(start);
        }
        // "\nhttp://a/" in source code begins with the end of a line.
        if self.window.before(start) == b'\\' && start + 1 < colon && known(start + 1) {
            return Some(start + 1);
        }
        let dot = text[start..colon].iter().rposition(|octet| *octet == b'.');
        let behind = dot.map(|dot| start + dot + 1).filter(|&behind| behind < colon && begins(behind));
        behind.filter(|&behind| known(behind)).or(begins(start).then_some(start))
    }

    /// A URL with "//" behind its scheme.
    #[inline(always)]
    fn double<M: Machine>(self, machine: M, colon: usize) -> Result<Answer<'t>, More> {
        let Some(start) = self.name(colon) else { return Ok(Answer::None(colon + 1)) };
        if colon - start < 2 && !self.finder.allows(&self.window.text[start..colon]) {
            // "C://" is a drive.
            return Ok(Answer::None(colon + 1));
        }
        if let Some(hit) = wrapper::hit(self, start, colon)? {
            return Ok(Answer::Hit(hit));
        }
        let from = colon + 3;
        let tail = Tail::new(machine, self.window, start, from);
        let around = around(self.window.before(start));
        match tail.authority()? {
            Authority::None => Ok(Answer::None(colon + 1)),
            Authority::Empty if !self.may_lack_host(start, colon, from)? => Ok(Answer::None(colon + 1)),
            Authority::Empty => self.rest(&tail, start, from, around),
            Authority::GoesOn(at) => self.rest(&tail, start, at, around),
            Authority::Ends(end) => self.ends(start, from, end, around),
        }
    }

    /// A URL with anything else behind its scheme, which must be known.
    #[cold]
    fn opaque<M: Machine>(self, machine: M, colon: usize) -> Result<Answer<'t>, More> {
        let none = Ok(Answer::None(colon + 1));
        let Some(start) = self.name(colon) else { return none };
        if let Some(hit) = wrapper::hit(self, start, colon)? {
            return Ok(Answer::Hit(hit));
        }
        if !self.is_evident(start, colon)? {
            return none;
        }
        let tail = Tail::new(machine, self.window, start, colon + 1);
        let around = around(self.window.before(start));
        Ok(match self.rest(&tail, start, colon + 1, around)? {
            Answer::Hit(hit) if !self.is_by_rule(hit.as_str()) => Answer::None(hit.outer.1),
            answer => answer,
        })
    }

    /// A URL that is broken behind its scheme's colon, which only a wrapper allows.
    #[inline(always)]
    fn broken(self, colon: usize) -> Result<Option<Answer<'t>>, More> {
        let Some(start) = self.name(colon) else { return Ok(None) };
        // Behind a space there is the rest of a wrapper, or prose.
        Ok(wrapper::hit(self, start, colon)?.map(Answer::Hit))
    }

    /// Whether what stands behind an opaque scheme's colon shows that it is a URL.
    pub(super) fn is_evident(self, start: usize, colon: usize) -> Result<bool, More> {
        let name = &self.window.text[start..colon];
        if self.finder.allows(name) {
            return Ok(NAME.holds(self.window.octet(colon + 1)?) || self.window.octet(colon + 1)? > b' ');
        }
        let name = core::str::from_utf8(name).unwrap_or_default();
        if !self.is_known(name) {
            return Ok(false);
        }
        let rest = self.window.excerpt(colon + 1, EVIDENCE)?;
        let length = rest.iter().take_while(|octet| **octet > b' ' && !b"\"<>\\`".contains(octet)).count();
        Ok(scheme::is_evident(name, &rest[..length]))
    }

    /// Whether an opaque URL of a scheme may be looked for: strictly only those of `spec/schemes.md`.
    pub(super) fn is_known(self, name: &str) -> bool {
        let is_registered = || self.finder.preset != Preset::Strict && scheme::status(name).is_some();
        scheme::named(name).is_some() || is_registered()
    }

    /// Whether a URL keeps the rule of its scheme.
    pub(super) fn is_by_rule(self, url: &str) -> bool {
        let by_rule = |reference: UriRef<'_>| !matches!(scheme::fields(reference), Some(Err(_)));
        hit::read(url, self.finder.edition).is_ok_and(by_rule)
    }

    /// Whether the host may be empty: where the scheme has a default port something is connected to.
    #[cold]
    pub(super) fn may_lack_host(self, start: usize, colon: usize, slash: usize) -> Result<bool, More> {
        let name = core::str::from_utf8(&self.window.text[start..colon]).unwrap_or_default();
        let needs_host = scheme::named(name).is_some_and(|scheme| scheme.default_port().is_some());
        let first = self.window.octet(slash + 1)?;
        Ok(!needs_host && (first.is_ascii_alphanumeric() || b"%._~".contains(&first) || first >= 0x80))
    }

    /// A URL of which more than the authority stands there.
    #[inline(always)]
    fn rest<M: Machine>(
        self,
        tail: &Tail<'t, M>,
        start: usize,
        at: usize,
        around: u8,
    ) -> Result<Answer<'t>, More> {
        let end = match tail.run(at, around)? {
            Run::To(end) => end,
            Run::Pattern(at) => return Ok(Answer::None(at)),
            Run::TooLong => return Ok(Answer::None(start + LIMIT)),
        };
        if around != b'"' || self.window.octet(end)? == b'"' {
            return self.ends(start, at, end, around);
        }
        // The quote was not closed, so it is no wrapper.
        match tail.run(at, NOTHING)? {
            Run::To(end) => self.ends(start, at, end, NOTHING),
            _ => Ok(Answer::None(at)),
        }
    }

    /// A URL that ends there, or sheds what it need not have.
    #[inline(always)]
    fn ends(self, start: usize, least: usize, end: usize, around: u8) -> Result<Answer<'t>, More> {
        let is_quoted = around == b'"' && self.window.octet(end)? == b'"';
        let (end, outer, how) = if is_quoted {
            (end, (start - 1, end + 1), How::Quoted)
        } else {
            let is_comment = self.window.octet(end)? == b'>' && self.window.text[least..end].ends_with(b"--");
            let end = shed(self.window.text, least, if is_comment { end - 2 } else { end }, around);
            (end, (start, end), How::Bare)
        };
        if end == least && self.window.text[end - 1] == b':' || end - start > LIMIT {
            return Ok(Answer::None(end.max(start + 1)));
        }
        let hit = self.hit(start, end, outer, how);
        if self.finder.preset == Preset::Strict && !hit.is_readable() {
            return Ok(Answer::None(end));
        }
        Ok(Answer::Hit(hit))
    }

    pub(super) fn hit(self, start: usize, end: usize, outer: (usize, usize), how: How) -> Hit<'t> {
        Hit { text: self.window.text, start, end, outer, how, edition: self.finder.edition }
    }
}

/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`
pub(super) const NAME: Set = Set::ALPHA.or(Set::DIGIT).or(Set::of(b"+-."));

/// How many octets a scheme's name may have.
pub(super) const LONGEST_NAME: usize = 64;

/// How many octets behind the colon of an opaque scheme are looked at before anything else is.
const EVIDENCE: usize = 256;
