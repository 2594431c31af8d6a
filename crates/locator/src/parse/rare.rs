//! Reads texts of any length that are not on the fast path from bitmaps in memory. Returns the
//! component spans, or the first error. It is compiled once, not for each backend.
//!
//! The text is split as in appendix B, and each component is checked. The reference implementation
//! decides what bitmaps do not show: malformed names, addresses in brackets, schemes, missing
//! elements.

use super::host;
use super::host::Division;
use super::reader::Reader;
use super::validator::{InvalidByte, Reported, Validated};
use super::{authority, check, fast};
use crate::error::ParseError;
use crate::simd::{Bitmaps, Class, ClassSearch};
use crate::span::{Component, ComponentSpans, HostKind};

/// The error that the bitmaps show; `None` if the reference implementation has to decide.
type Shown = Option<InvalidByte>;

impl Reader<'_, &Bitmaps<'_>> {
    /// Returns the spans of a text, or its first error.
    #[inline(always)]
    pub(super) fn read<T>(&self, make: impl FnOnce(ComponentSpans) -> T) -> Result<T, ParseError> {
        let parts = self.cut();
        let parts = match self.look(&parts) {
            Ok(parts) => parts,
            Err(Some(wrong)) => return Err(wrong.error(self.octets, self.edition)),
            Err(None) => match check::first_error(self.octets, self.edition, parts, Reported::NOTHING) {
                Validated { parts, fault: Some(fault) } => {
                    return Err(authority::explained(fault, self.octets, self.edition, parts));
                }
                Validated { parts, fault: None } => parts,
            },
        };
        Ok(make(parts))
    }

    /// Returns the same spans as [`cut`](super::host::cut).
    fn cut(&self) -> ComponentSpans {
        let (octets, len) = (self.octets, self.octets.len());
        let start = host::prefix(octets, self.edition);
        let stop = self.map.find_in(Class::END_OF_SCHEME, start);
        let is_scheme = self.at(stop) == Some(b':')
            && (!self.edition.colon_in_first_segment || self.map.find_not_in(Class::SCHEME, start) >= stop);
        let scheme_end = if is_scheme { stop } else { start };
        let rest = if scheme_end > start { scheme_end + 1 } else { start };

        let has_authority = octets.get(rest..rest + 2) == Some(b"//");
        let path_start = if has_authority { self.authority_end(rest + 2) } else { rest };
        let host = has_authority.then(|| self.host_of(rest + 2, path_start));
        let path_end = self.map.find_in(Class::END_OF_PATH, path_start);
        let query_end = self.query_end(path_end);
        Division { start, scheme_end, host, path_start, path_end, query_end, len }.spans()
    }

    /// Returns the end of the authority that begins at `start`.
    fn authority_end(&self, start: usize) -> usize {
        let end = self.map.find_in(Class::END_OF_AUTHORITY, start);
        if self.edition.server.user_may_contain_question_mark && self.at(end) == Some(b'?') {
            return host::authority_end(self.octets, start, self.octets.len(), self.edition);
        }
        end
    }

    /// Returns the position of the first "#" at or after the end of the path.
    fn query_end(&self, path_end: usize) -> usize {
        if self.at(path_end) != Some(b'?') {
            return path_end;
        }
        // The first octet that is not allowed in a query is nearly always the "#".
        let stop = self.map.find_not_in(Class::QUERY, path_end + 1);
        host::find(self.octets, stop, self.octets.len(), b'#')
    }

    /// Returns the same range as [`host`](super::host::host).
    fn host_of(&self, start: usize, end: usize) -> (usize, usize) {
        let at = self.map.find_in(Class::AT, start);
        let host_start = if at < end { at + 1 } else { start };
        let from = match self.at(host_start) {
            Some(b'[') if host_start < end => self.bracket_end(host_start, end).unwrap_or(end),
            _ => host_start,
        };
        // ":", or a "?" in an invalid host.
        let stop = self.map.find_in(Class::END_OF_SCHEME, from).min(end);
        let host_end =
            if self.at(stop) == Some(b'?') { host::find(self.octets, stop, end, b':') } else { stop };
        (host_start, host_end)
    }

    /// Returns the position of the first "]".
    fn bracket_end(&self, start: usize, end: usize) -> Option<usize> {
        // There is rarely one, and `contains` checks many octets at once.
        let octets = &self.octets[start..end];
        fast::contains(octets, b']').then(|| host::find(self.octets, start, end, b']'))
    }

    /// Returns the spans with the kind of host, or the first error, component by component.
    fn look(&self, parts: &ComponentSpans) -> Result<ComponentSpans, Shown> {
        let (start, scheme_end) = (usize::from(parts.start), parts.scheme_end as usize);
        let has_scheme = scheme_end > start;
        self.look_at_scheme(start, scheme_end, parts)?;
        let mut seen = *parts;
        if parts.has_authority {
            let end = parts.path_start as usize;
            match self.authority_kind(parts, has_scheme) {
                Some(kind) if self.map.broken_escape(scheme_end) >= end => seen.host_kind = kind,
                _ => return Err(self.wrong_authority(parts, has_scheme)?),
            }
            if seen.host_kind == HostKind::Registry {
                (seen.host_start, seen.host_end) = (parts.authority_start(), parts.path_start);
            }
        }
        let is_opaque = self.edition.opaque && has_scheme && self.at(scheme_end + 1) != Some(b'/');
        let class = |class| if is_opaque { Class::OPAQUE } else { class };
        // An error in an opaque part breaks a rule of its own.
        let fault = |fault: Shown| if is_opaque { None } else { fault };
        let (path_start, path_end) = (parts.path_start as usize, parts.path_end as usize);
        self.look_at(class(Class::PATH), Component::Path, path_start, path_end).map_err(fault)?;
        let (len, query_end) = (self.octets.len(), parts.query_end as usize);
        if query_end > path_end {
            // search = xalphas [ + search ]: a search of one word is the simple case.
            let is_word = || self.map.is_all(Class::WORD, path_end + 1, query_end);
            if self.edition.query_is_words && (query_end == path_end + 1 || !is_word()) {
                return Err(None);
            }
            self.look_at(class(Class::QUERY), Component::Query, path_end + 1, query_end).map_err(fault)?;
        }
        self.look_at(Class::FRAGMENT, Component::Fragment, len.min(query_end + 1), len)?;
        Ok(seen)
    }

    /// Returns the kind of the authority `[ userinfo "@" ] host [ ":" port ]`, if it is valid. Its
    /// escapes are not checked.
    fn authority_kind(&self, parts: &ComponentSpans, has_scheme: bool) -> Option<HostKind> {
        let form = &self.edition.server;
        let (start, end) = (parts.authority_start() as usize, parts.path_start as usize);
        let (host, host_end) = (parts.host_start as usize, parts.host_end as usize);
        let has_user = start < host;
        if has_user && (self.edition.password || !self.map.is_all(Class::USERINFO, start, host - 1)) {
            return None;
        }
        if !self.map.is_all(Class::HOST, host, host_end) {
            // The authority is not a server; if it contains "@", the reference implementation
            // decides.
            return if has_user { None } else { self.other(start, end, has_scheme) };
        }
        let port = host_end + 1;
        let empty_is_wrong = port == end && !form.port_may_be_empty;
        if host_end < end && (empty_is_wrong || !self.map.is_all(Class::DIGIT, port, end)) {
            return None;
        }
        let is_host_alone = !has_user && host_end == end;
        let may_be_empty = if is_host_alone { form.may_be_empty } else { form.host_may_be_empty };
        match self.host(host, host_end, may_be_empty) {
            None if is_host_alone => self.other(start, end, has_scheme),
            kind => kind,
        }
    }

    fn look_at_scheme(&self, start: usize, end: usize, parts: &ComponentSpans) -> Result<(), Shown> {
        let is_right = if end > start {
            self.edition.table.contains(Class::SCHEME_START, self.octets[start])
                && (self.edition.empty_after_scheme || end + 1 < parts.query_end as usize)
        } else {
            self.edition.relative && (self.edition.colon_in_first_segment || self.at(start) != Some(b':'))
        };
        match self.look_at(Class::SCHEME, Component::Scheme, start, end) {
            Ok(()) if is_right => Ok(()),
            _ if start == end && self.edition.relative => Err(Some(InvalidByte::first_colon(start))),
            _ => Err(None),
        }
    }

    /// Returns the error in an authority that the fast path does not accept.
    fn wrong_authority(&self, parts: &ComponentSpans, has_scheme: bool) -> Result<Shown, Shown> {
        let start = parts.authority_start() as usize;
        let (host, end) = (parts.host_start as usize, parts.path_start as usize);
        let is_literal = self.at(host) == Some(b'[') && host < end && self.edition.server.literals.is_some();
        if self.edition.registry.allows_reg_name(has_scheme) {
            // An authority that is not a server is a registry name, so its errors are those of a
            // registry name.
            let is_divided = start < host || (parts.host_end as usize) < end;
            if !is_literal && !is_divided {
                self.wrong_at(Class::REGISTRY, Component::Authority, start, end)?;
            }
            return Ok(None);
        }
        if self.edition.password || self.edition.server.name.is_some() {
            return Ok(None);
        }
        if start < host {
            // A second "@" shows that the first one does not end the user.
            if host::find(self.octets, host, end, b'@') < end {
                return Ok(None);
            }
            self.wrong_at(Class::USERINFO, Component::Userinfo, start, host - 1)?;
        }
        if is_literal {
            let is_open = host::find(self.octets, host, end, b']') == end;
            return Ok(is_open.then_some(InvalidByte::open_bracket(host)));
        }
        let host_end = parts.host_end as usize;
        self.wrong_at(Class::REGISTRY, Component::Host, host, host_end)?;
        self.wrong_at(Class::DIGIT, Component::Port, end.min(host_end + 1), end)?;
        Ok(None)
    }

    /// Checks that every octet is in the class and every escape complete.
    #[inline(always)]
    fn look_at(&self, class: Class, part: Component, start: usize, end: usize) -> Result<(), Shown> {
        if start >= end || self.map.is_short_and_whole(class, start, end) {
            return Ok(());
        }
        self.wrong_at(class, part, start, end)
    }

    /// Returns the first octet that is not in the class, or the first "%" without two hex digits.
    #[inline(never)]
    fn wrong_at(&self, class: Class, part: Component, start: usize, end: usize) -> Result<(), Shown> {
        let octet = self.map.find_not_in(class, start);
        let escape = self.map.broken_escape(start);
        let at = octet.min(escape);
        if at >= end {
            return Ok(());
        }
        if octet < escape && self.edition.is_international() && !self.octets[at].is_ascii() {
            return Err(None);
        }
        let is_octet = octet <= escape;
        Err(Some(if is_octet { InvalidByte::octet(part, at) } else { InvalidByte::escape(part, at) }))
    }
}
