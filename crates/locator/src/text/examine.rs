//! Examines a candidate: takes its position and returns whether there is a URL. The text on both
//! sides determines where the URL begins and ends, and what surrounds it.

use super::end::{Authority, Run, Tail, trim_trailing};
use super::finder::{LIMIT, Preset};
use super::found::Found;
use super::matched::MatchKind;
use super::name::NAME;
use super::octets::Classified;
use super::place::{Outcome, Place};
use super::refang::opens;
use super::window::{Incomplete, NOTHING};
use super::{evident, guess, string, template, wrapper};
use crate::scheme;

impl<'t> Place<'_, 't> {
    /// Examines a candidate octet. `block` is the block after "://", if that is there.
    #[inline(never)]
    pub(super) fn examine(
        &self,
        at: usize,
        block: Classified,
        url: &mut Found,
    ) -> Result<Option<Outcome>, Incomplete> {
        match self.window.text[at] {
            b':' => {
                let next = self.window.octet(at + 1)?;
                if next == b'/' && self.window.octet(at + 2)? == b'/' {
                    if opens(self.window.before(at))
                        && let Some(found) = self.defanged_before(at, url)?
                    {
                        return Ok(Some(found));
                    }
                    return self.double(at, block, url).map(Some);
                }
                if next == b'\\' {
                    return string::double(self, at, url).map(Some);
                }
                let is_marked = match next {
                    b']' | b')' | b'}' | b'>' | b'/' => opens(self.window.before(at)),
                    b'[' | b'(' | b'{' => self.window.octet(at + 2)? == b'/',
                    _ => false,
                };
                if is_marked && let Some(found) = self.defanged_before(at, url)? {
                    return Ok(Some(found));
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
                if core::str::from_utf8(name).is_ok_and(scheme::names_mailbox)
                    && let Some(found) = self.defanged(start, url)?
                {
                    return Ok(Some(found));
                }
                let may_be = || evident::may_be_evident(name) || next == b'/' || self.finder.allows(name);
                if next > b' ' && may_be() {
                    return self.opaque(start, at, url).map(Some);
                }
                Ok(None)
            }
            b'.' => guess::domain(self, at, url),
            b'@' => guess::email(self, at, url),
            _ => self.defanged_guess(at, url),
        }
    }

    /// A URL with "//" after its scheme.
    #[inline(always)]
    fn double(&self, colon: usize, block: Classified, url: &mut Found) -> Result<Outcome, Incomplete> {
        let Some(start) = self.name(colon) else { return Ok(Outcome::None(colon + 1)) };
        // "h**p://", "h[tt]p://"
        if matches!(self.window.before(start), b'*' | b'_' | b'#' | b']' | b')')
            && let Some(found) = self.defanged_before(colon, url)?
        {
            return Ok(found);
        }
        if colon - start < 2 && !self.finder.allows(&self.window.text[start..colon]) {
            // "C://" is a drive, not a scheme.
            return Ok(Outcome::None(colon + 1));
        }
        let start = self.outer_scheme(start);
        let around = self.around(start);
        // A URL between angle brackets without white space is found on the way.
        if around != b'<' && wrapper::find(self, start, colon, url)? {
            return Ok(Outcome::Found);
        }
        let mut tail = Tail::classified(self.window, start, colon + 3, block);
        let authority = tail.authority(self.finder.domains)?;
        let end = match authority {
            Authority::Ends(end) => end,
            Authority::GoesOn(_) | Authority::Empty | Authority::None => tail.past_host(),
        };
        if !matches!(authority, Authority::GoesOn(_))
            && self.may_be_marked(end)?
            && let Some(found) = self.defanged(start, url)?
        {
            return Ok(found);
        }
        let least = match authority {
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
        self.rest(&mut tail, (start, colon), least, around, url)
    }

    /// Returns the start of the scheme around another one: of `jdbc:mysql://h/db` the inner URL alone
    /// means something else. A label before a URL, `see:http://h/`, is no scheme.
    #[inline(always)]
    fn outer_scheme(&self, start: usize) -> usize {
        if self.window.before(start) == b':' { self.outer_scheme_before(start) } else { start }
    }

    #[cold]
    fn outer_scheme_before(&self, mut start: usize) -> usize {
        let text = self.window.text;
        // "scm:git:https://h/", "jar:nested:file:/a!/b"
        for _ in 0..3 {
            // "git::https://h/" (go-getter)
            let colons = text[..start].iter().rev().take(2).take_while(|octet| **octet == b':').count();
            let end = start - colons;
            let name = text[..end].iter().rev().take(24).take_while(|octet| NAME.contains(**octet)).count();
            let outer = end - name;
            if outer < self.floor || !scheme::wraps_urls(&text[outer..end]) {
                break;
            }
            start = outer;
        }
        start
    }

    /// A URL without "//" after its scheme, which must be known.
    fn opaque(&self, start: usize, colon: usize, url: &mut Found) -> Result<Outcome, Incomplete> {
        let lacks_slash = self.lacks_slash(start, colon)?;
        if !lacks_slash && !self.is_evident(start, colon)? {
            return Ok(Outcome::None(colon + 1));
        }
        let mut tail = Tail::new(self.window, start, colon + 1);
        // Every URL in a wrapper has been found.
        let around = Some(self.around(start)).filter(|around| *around != b'<').unwrap_or(NOTHING);
        Ok(match self.rest(&mut tail, (start, colon), colon + 1, around, url)? {
            Outcome::Found if !lacks_slash && !self.is_by_rule(&self.hit(url).url()) => {
                Outcome::None(url.end())
            }
            answer => answer,
        })
    }

    /// A URL that has more than an authority.
    fn rest(
        &self,
        tail: &mut Tail<'t>,
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
                if let Some(answer) = string::rest_of_quoted(self, tail, end, url)? {
                    return Ok(answer);
                }
                around = NOTHING;
                continue;
            }
            // "mailto:joe[at]evil.example", "http://evil.example/a[.]php"
            if opens(self.window.octet(end)?)
                && let Some(found) = self.defanged_path(name.0, end, url)?
            {
                return Ok(found);
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
}
