//! A position of a text where a URL may be. The text on both sides determines whether there is a
//! URL, where it begins and ends, and what surrounds it.

use super::end::{Authority, Run, Tail, trim_trailing};
use super::found::Found;
use super::matched::{self, Match};
use super::name::NAME;
use super::window::{Incomplete, NOTHING, Window};
use super::{Finder, LIMIT, MatchKind, Preset, guess, string, template, wrapper};
use crate::reference::UriRef;
use crate::scheme;
use crate::simd::{Backend, WithBackend, dispatch};

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

/// A URL without "//" after its scheme, which must be known.
struct Opaque<'s, 'f, 't> {
    place: &'s Place<'f, 't>,
    start: usize,
    colon: usize,
    url: &'s mut Found,
}

impl WithBackend for Opaque<'_, '_, '_> {
    type Output = Result<Outcome, Incomplete>;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Result<Outcome, Incomplete> {
        let Self { place, start, colon, url } = self;
        let lacks_slash = place.lacks_slash(start, colon)?;
        if !lacks_slash && !place.is_evident(start, colon)? {
            return Ok(Outcome::None(colon + 1));
        }
        let tail = Tail::new(backend, place.window, start, colon + 1);
        // Every URL in a wrapper has been found.
        let around = Some(place.around(start)).filter(|around| *around != b'<').unwrap_or(NOTHING);
        Ok(match place.rest(&tail, (start, colon), colon + 1, around, url)? {
            Outcome::Found if !lacks_slash && !place.is_by_rule(&place.hit(url).url()) => {
                Outcome::None(url.end())
            }
            answer => answer,
        })
    }
}

impl<'t> Place<'_, 't> {
    /// Examines a candidate octet.
    #[inline(always)]
    pub(super) fn answer<M: Backend>(
        &self,
        backend: M,
        at: usize,
        url: &mut Found,
    ) -> Result<Option<Outcome>, Incomplete> {
        match self.window.text[at] {
            b':' => {
                let next = self.window.octet(at + 1)?;
                if next == b'/' && self.window.octet(at + 2)? == b'/' {
                    return self.double(backend, at, url).map(Some);
                }
                if next == b'\\' {
                    return dispatch(string::Double { place: self, colon: at, url }).map(Some);
                }
                // An opaque URL continues after the colon; "std::io" and "name: value" do not.
                if next == b':' || !NAME.contains(self.window.before(at)) {
                    return Ok(None);
                }
                let Some(start) = self.name(at) else { return Ok(None) };
                // After white space, the rest of a wrapped URL may follow.
                if wrapper::find(self, start, at, url)? {
                    return Ok(Some(Outcome::Found));
                }
                let name = &self.window.text[start..at];
                let may_be = || scheme::may_be_evident(name) || next == b'/' || self.finder.allows(name);
                if next > b' ' && may_be() {
                    return dispatch(Opaque { place: self, start, colon: at, url }).map(Some);
                }
                Ok(None)
            }
            b'.' => guess::domain(self, at, url),
            _ => guess::email(self, at, url),
        }
    }

    /// A URL with "//" after its scheme.
    #[inline(always)]
    fn double<M: Backend>(&self, backend: M, colon: usize, url: &mut Found) -> Result<Outcome, Incomplete> {
        let Some(start) = self.name(colon) else { return Ok(Outcome::None(colon + 1)) };
        if colon - start < 2 && !self.finder.allows(&self.window.text[start..colon]) {
            // "C://" is a drive, not a scheme.
            return Ok(Outcome::None(colon + 1));
        }
        let around = self.around(start);
        // A URL between angle brackets without white space is found on the way.
        if around != b'<' && wrapper::find(self, start, colon, url)? {
            return Ok(Outcome::Found);
        }
        let tail = Tail::new(backend, self.window, start, colon + 3);
        let least = match tail.authority(self.finder.domains)? {
            Authority::Ends(end) => {
                return self.ends_or_breaks((start, colon), colon + 3, end, around, url);
            }
            Authority::GoesOn(at) => at,
            Authority::Empty if self.may_lack_host(start, colon, colon + 3)? => colon + 3,
            Authority::Empty | Authority::None => {
                let is_found = around == b'<' && wrapper::find(self, start, colon, url)?;
                return match is_found {
                    true => Ok(Outcome::Found),
                    false => template::find(self, (start, colon + 3), colon + 1, url),
                };
            }
        };
        self.rest(&tail, (start, colon), least, around, url)
    }

    /// Returns the opening delimiter before a URL, if it is one of a pair and does not belong to
    /// another URL.
    #[inline(always)]
    fn around(&self, start: usize) -> u8 {
        let before = self.window.before(start);
        let is_paired = matches!(before, b'<' | b'"' | b'\'' | b'*' | b'_' | b'~');
        if is_paired && start > self.floor { before } else { NOTHING }
    }

    /// Whether the text after an opaque scheme's colon shows that it is a URL.
    pub(super) fn is_evident(&self, start: usize, colon: usize) -> Result<bool, Incomplete> {
        let name = &self.window.text[start..colon];
        if self.finder.allows(name) {
            return Ok(NAME.contains(self.window.octet(colon + 1)?) || self.window.octet(colon + 1)? > b' ');
        }
        let name = core::str::from_utf8(name).unwrap_or_default();
        if !self.is_known(name) {
            return Ok(false);
        }
        let rest = self.window.excerpt(colon + 1, EVIDENCE)?;
        let length = rest.iter().take_while(|octet| **octet > b' ' && !b"\"<>\\`".contains(octet)).count();
        Ok(scheme::is_recognizable(name, &rest[..length]))
    }

    /// Whether the search includes opaque URLs of a scheme: with `Strict` only those of
    /// `spec/schemes.md`.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.finder.preset != Preset::Strict || scheme::lookup(name).is_some()
    }

    /// Whether a URL follows the rule of its scheme.
    pub(super) fn is_by_rule(&self, url: &str) -> bool {
        let by_rule = |reference: UriRef<'_>| !matches!(scheme::fields(reference), Some(Err(_)));
        matched::read(url, self.finder.edition).is_ok_and(by_rule)
    }

    /// Whether the host may be empty: not if the scheme has a default port, since a connection
    /// needs a host.
    #[cold]
    pub(super) fn may_lack_host(&self, start: usize, colon: usize, slash: usize) -> Result<bool, Incomplete> {
        // "file:////host.example.com/path/to/file" (RFC 8089, E.3.2), which may have one "/" more
        let path = self.window.excerpt(slash + 1, MORE_SLASHES + 1)?;
        let first = path.iter().find(|octet| **octet != b'/').copied().unwrap_or(NOTHING);
        // "https:///nohost" is a typing error.
        let is_allowed = match self.needs_host(start, colon) {
            true => self.finder.preset != Preset::Strict && path.first() == Some(&first),
            false => true,
        };
        Ok(is_allowed && (first.is_ascii_alphanumeric() || b"%._~".contains(&first) || first >= 0x80))
    }

    /// Whether the URLs of a scheme have a host.
    fn needs_host(&self, start: usize, colon: usize) -> bool {
        let name = core::str::from_utf8(&self.window.text[start..colon]).unwrap_or_default();
        scheme::lookup(name).is_some_and(|scheme| scheme.default_port().is_some())
    }

    /// Whether a "/" is missing before a host: "http:/one.slash". It must look like one, for "http:/" is a part of paths, too.
    #[cold]
    fn lacks_slash(&self, start: usize, colon: usize) -> Result<bool, Incomplete> {
        let is_slip = self.finder.preset != Preset::Strict && self.window.octet(colon + 1)? == b'/';
        if !is_slip || !self.needs_host(start, colon) {
            return Ok(false);
        }
        let host = self.window.excerpt(colon + 2, EVIDENCE)?;
        let length =
            host.iter().take_while(|octet| octet.is_ascii_alphanumeric() || b"-.".contains(octet)).count();
        let is_dot_inside =
            |three: &[u8]| three[1] == b'.' && three[0] != b'.' && three[2].is_ascii_alphanumeric();
        Ok(host.first().is_some_and(u8::is_ascii_alphanumeric)
            && host[..length].windows(3).any(is_dot_inside))
    }

    /// A URL that has more than an authority.
    #[inline(always)]
    fn rest<M: Backend>(
        &self,
        tail: &Tail<'t, M>,
        name: (usize, usize),
        at: usize,
        mut around: u8,
        url: &mut Found,
    ) -> Result<Outcome, Incomplete> {
        loop {
            let end = match tail.run(at, around)? {
                Run::To(end) => end,
                // In a wrapper the digits of a "%" may be in the next line.
                Run::Pattern(_) if around == b'<' && wrapper::find(self, name.0, name.1, url)? => {
                    return Ok(Outcome::Found);
                }
                Run::Pattern(at) => return template::find(self, (name.0, tail.from()), at, url),
                Run::TooLong => return Ok(Outcome::TooLong(name.0)),
            };
            // A quote that is not closed is not a wrapper, and brackets in it belong to the text.
            if around == b'"' && self.window.octet(end)? != b'"' {
                if let Some(answer) = string::rest_of_quoted(self, (name.0, tail.from(), end), url)? {
                    return Ok(answer);
                }
                around = NOTHING;
                continue;
            }
            return self.ends_or_breaks(name, at, end, around, url);
        }
    }

    /// A URL that ends there, unless it is between angle brackets and continues.
    #[inline(always)]
    fn ends_or_breaks(
        &self,
        (start, colon): (usize, usize),
        least: usize,
        end: usize,
        around: u8,
        url: &mut Found,
    ) -> Result<Outcome, Incomplete> {
        if around != b'<' || self.window.octet(end)? == b'>' {
            return self.ends(start, least, end, around, url);
        }
        if wrapper::find(self, start, colon, url)? {
            return Ok(Outcome::Found);
        }
        self.ends(start, least, end, NOTHING, url)
    }

    /// A URL that ends there, after trimming its end.
    #[inline(always)]
    fn ends(
        &self,
        start: usize,
        least: usize,
        end: usize,
        around: u8,
        url: &mut Found,
    ) -> Result<Outcome, Incomplete> {
        let next = self.window.octet(end)?;
        let how = match around {
            b'<' => MatchKind::Angle,
            b'"' if next == b'"' => MatchKind::Quoted,
            _ => MatchKind::Bare,
        };
        let (end, outer) = if how == MatchKind::Bare {
            // "<!--http://a/-->"
            let is_comment = next == b'>' && self.window.text[least..end].ends_with(b"--");
            let end = trim_trailing(self.window.text, least, if is_comment { end - 2 } else { end }, around);
            (end, (start, end))
        } else {
            (end, (start - 1, end + 1))
        };
        if end == least && self.window.text[end - 1] == b':' || outer.1 - outer.0 > LIMIT {
            return Ok(Outcome::None(end.max(start + 1)));
        }
        url.set((start, end), outer, how);
        if self.finder.preset == Preset::Strict && !self.hit(url).is_readable() {
            return Ok(Outcome::None(end));
        }
        Ok(Outcome::Found)
    }

    #[inline(always)]
    pub(super) fn hit(&self, url: &Found) -> Match<'t> {
        let (text, edition) = (self.window.text, self.finder.edition);
        Match { text, start: url.start, end: url.end(), outer: url.outer(), how: url.how, edition }
    }
}

/// How many more "/" are allowed after the "/" that begins a path.
const MORE_SLASHES: usize = 2;

/// How many octets after the colon of an opaque scheme are checked first.
const EVIDENCE: usize = 256;
