//! Reads texts of any length that are not on the fast path from bitmaps in memory. Returns the
//! component spans, or the first error. It is compiled once, not for each backend.
//!
//! The text is split as in appendix B, and each component is checked. The reference implementation
//! decides what bitmaps do not show: malformed names, addresses in brackets, schemes, missing
//! elements.

use super::check::{self, Reported, character_end};
use super::cut;
use super::reader::Reader;
use crate::edition::Edition;
use crate::error::{ParseError, ParseErrorKind};
use crate::simd::{Bitmaps, Class, ClassSearch};
use crate::span::{Component, ComponentSpans, HostKind};

/// An octet that is not allowed in its component, with no error before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InvalidByte {
    kind: ParseErrorKind,
    part: Component,
    at: u32,
}

impl InvalidByte {
    pub(super) const fn octet(part: Component, at: usize) -> Self {
        Self { kind: ParseErrorKind::Octet, part, at: at as u32 }
    }

    pub(super) const fn open_bracket(at: usize) -> Self {
        Self { kind: ParseErrorKind::BracketOpen, part: Component::Host, at: at as u32 }
    }

    /// Returns the offset of the octet.
    pub(crate) const fn at(self) -> u32 {
        self.at
    }

    /// Converts the octet into a parse error.
    #[inline]
    pub(crate) fn error(self, octets: &[u8], edition: &'static Edition) -> ParseError {
        let start = self.at as usize;
        let (end, rule) = match (self.kind, &edition.server.literals) {
            (ParseErrorKind::Escape, _) => {
                let has_digit = octets.get(start + 1).is_some_and(u8::is_ascii_hexdigit);
                (start + 1 + usize::from(has_digit), edition.rules.escape)
            }
            (ParseErrorKind::BracketOpen, Some(literals)) => (start + 1, literals.rule),
            _ => (character_end(octets, start, octets.len()), edition.rules.of(self.part)),
        };
        ParseError::new(octets, edition, self.kind, self.part, (start, end), rule)
    }
}

/// The error that the bitmaps show; `None` if the reference implementation has to decide.
type Fault = Option<InvalidByte>;

impl Reader<'_, &Bitmaps<'_>> {
    /// Returns the spans of a text, or its first error.
    pub(super) fn read(&self) -> Result<ComponentSpans, ParseError> {
        let parts = self.cut();
        match self.look(&parts) {
            Ok(parts) => return Ok(parts),
            Err(Some(wrong)) => return Err(wrong.error(self.octets, self.edition)),
            Err(None) => {}
        }
        match check::first_error(self.octets, self.edition, parts, Reported::NOTHING) {
            (_, Some(error)) => Err(error),
            (parts, None) => Ok(parts),
        }
    }

    /// Returns the same spans as [`cut::cut`].
    fn cut(&self) -> ComponentSpans {
        let (octets, len) = (self.octets, self.octets.len());
        let start = cut::prefix(octets, self.edition);
        let stop = self.map.find_in(Class::EndOfScheme, start);
        let is_scheme = self.at(stop) == Some(b':')
            && (!self.edition.colon_in_first_segment || self.map.find_not_in(Class::Scheme, start) >= stop);
        let scheme_end = if is_scheme { stop } else { start };
        let rest = if scheme_end > start { scheme_end + 1 } else { start };

        let has_authority = octets.get(rest..rest + 2) == Some(b"//");
        let path_start = if has_authority { self.authority_end(rest + 2) } else { rest };
        let (host_start, host_end) =
            if has_authority { self.host_of(rest + 2, path_start) } else { (rest, rest) };
        let path_end = self.map.find_in(Class::EndOfPath, path_start);
        let query_end = self.query_end(path_end);
        ComponentSpans {
            scheme_end: scheme_end as u32,
            host_start: host_start as u32,
            host_end: host_end as u32,
            path_start: path_start as u32,
            path_end: path_end as u32,
            query_end: query_end as u32,
            len: len as u32,
            start: start as u8,
            has_authority,
            host_kind: HostKind::Empty,
        }
    }

    /// Returns the position of the first "#" at or after the end of the path.
    fn query_end(&self, path_end: usize) -> usize {
        if self.at(path_end) != Some(b'?') {
            return path_end;
        }
        // The first octet that is not allowed in a query is nearly always the "#".
        let stop = self.map.find_not_in(Class::Query, path_end + 1);
        cut::find(self.octets, stop, self.octets.len(), b'#')
    }

    /// Returns the same range as [`cut::host`].
    fn host_of(&self, start: usize, end: usize) -> (usize, usize) {
        let at = self.map.find_in(Class::At, start);
        let host_start = if at < end { at + 1 } else { start };
        let from = match self.at(host_start) {
            Some(b'[') if host_start < end => self.bracket_end(host_start, end).unwrap_or(end),
            _ => host_start,
        };
        // ":", or a "?" in an invalid host.
        let stop = self.map.find_in(Class::EndOfScheme, from).min(end);
        let host_end =
            if self.at(stop) == Some(b'?') { cut::find(self.octets, stop, end, b':') } else { stop };
        (host_start, host_end)
    }

    /// Returns the position of the first "]".
    fn bracket_end(&self, start: usize, end: usize) -> Option<usize> {
        // There is rarely one, and `contains` checks many octets at once.
        let octets = &self.octets[start..end];
        octets.contains(&b']').then(|| cut::find(self.octets, start, end, b']'))
    }

    /// Returns the spans with the kind of host, or the first error, component by component.
    fn look(&self, parts: &ComponentSpans) -> Result<ComponentSpans, Fault> {
        let (start, scheme_end) = (usize::from(parts.start), parts.scheme_end as usize);
        let has_scheme = scheme_end > start;
        self.look_at_scheme(start, scheme_end, parts)?;
        let mut seen = *parts;
        if parts.has_authority {
            let end = parts.path_start as usize;
            match self.server(parts.authority_start() as usize, has_scheme) {
                Some(server) if self.map.broken_escape(scheme_end) >= end => server.write_to(&mut seen),
                _ => return Err(self.wrong_authority(parts, has_scheme)?),
            }
        }
        let is_opaque = self.edition.opaque && has_scheme && self.at(scheme_end + 1) != Some(b'/');
        let class = |class| if is_opaque { Class::Opaque } else { class };
        // An error in an opaque part breaks a rule of its own.
        let fault = |fault: Fault| if is_opaque { None } else { fault };
        let (path_start, path_end) = (parts.path_start as usize, parts.path_end as usize);
        self.look_at(class(Class::Path), Component::Path, path_start, path_end).map_err(fault)?;
        let (len, query_end) = (self.octets.len(), parts.query_end as usize);
        if query_end > path_end {
            if self.edition.query_is_words && self.query(path_end + 1).is_none() {
                return Err(None);
            }
            self.look_at(class(Class::Query), Component::Query, path_end + 1, query_end).map_err(fault)?;
        }
        self.look_at(Class::Fragment, Component::Fragment, len.min(query_end + 1), len)?;
        Ok(seen)
    }

    fn look_at_scheme(&self, start: usize, end: usize, parts: &ComponentSpans) -> Result<(), Fault> {
        let is_right = if end > start {
            self.edition.table.contains(Class::SchemeStart, self.octets[start])
                && (self.edition.empty_after_scheme || end + 1 < parts.query_end as usize)
        } else {
            self.edition.relative && (self.edition.colon_in_first_segment || self.at(start) != Some(b':'))
        };
        match self.look_at(Class::Scheme, Component::Scheme, start, end) {
            Ok(()) if is_right => Ok(()),
            _ => Err(None),
        }
    }

    /// Returns the error in an authority that the fast path does not accept.
    fn wrong_authority(&self, parts: &ComponentSpans, has_scheme: bool) -> Result<Fault, Fault> {
        let start = parts.authority_start() as usize;
        let (host, end) = (parts.host_start as usize, parts.path_start as usize);
        let is_literal = self.at(host) == Some(b'[') && host < end && self.edition.server.literals.is_some();
        if self.edition.registry.allows_reg_name(has_scheme) {
            // An authority that is not a server is a registry name, so its errors are those of a
            // registry name.
            let is_divided = start < host || (parts.host_end as usize) < end;
            if !is_literal && !is_divided {
                self.look_at(Class::Registry, Component::Authority, start, end)?;
            }
            return Ok(None);
        }
        if self.edition.password || self.edition.server.name.is_some() {
            return Ok(None);
        }
        if start < host {
            self.look_at(Class::Userinfo, Component::Userinfo, start, host - 1)?;
        }
        if is_literal {
            let is_open = cut::find(self.octets, host, end, b']') == end;
            return Ok(is_open.then_some(InvalidByte {
                kind: ParseErrorKind::BracketOpen,
                part: Component::Host,
                at: host as u32,
            }));
        }
        let host_end = parts.host_end as usize;
        self.look_at(Class::Registry, Component::Host, host, host_end)?;
        self.look_at(Class::Digit, Component::Port, end.min(host_end + 1), end)?;
        Ok(None)
    }

    /// Returns the first octet that is not in the class, or the first "%" without two hex digits.
    fn look_at(&self, class: Class, part: Component, start: usize, end: usize) -> Result<(), Fault> {
        let octet = self.map.find_not_in(class, start);
        let escape = self.map.broken_escape(start);
        let at = octet.min(escape);
        if at >= end {
            return Ok(());
        }
        if octet < escape && self.edition.is_international() && !self.octets[at].is_ascii() {
            return Err(None);
        }
        let kind = if octet <= escape { ParseErrorKind::Octet } else { ParseErrorKind::Escape };
        Err(Some(InvalidByte { kind, part, at: at as u32 }))
    }
}
