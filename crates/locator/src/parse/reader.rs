//! Reads authority, host and query: in the first block for [`super::fast`], and in a whole text for
//! [`super::rare`]. Each component is scanned up to the first octet that is not allowed in it.
//!
//! Accepted texts are valid. Rejected texts may be valid too (an address in brackets, a password, a
//! registry name); the reference implementation decides.

use super::{cut, host};
use crate::edition::{Edition, LastDot, Name};
use crate::simd::{BLOCK, Class, ClassSearch};
use crate::span::{ComponentSpans, HostKind};

/// A reader of components that searches a map of character classes.
pub(super) struct Reader<'a, M> {
    pub(super) map: M,
    pub(super) octets: &'a [u8],
    pub(super) edition: &'static Edition,
}

/// An authority that names a server: the range of its host, and its end.
pub(super) struct Server {
    host_start: usize,
    host_end: usize,
    kind: HostKind,
}

impl Server {
    /// Writes the positions to the spans.
    pub(super) fn write_to(&self, parts: &mut ComponentSpans) {
        parts.host_start = self.host_start as u32;
        parts.host_end = self.host_end as u32;
        parts.host_kind = self.kind;
    }
}

impl<M: ClassSearch> Reader<'_, M> {
    #[inline(always)]
    pub(super) fn at(&self, index: usize) -> Option<u8> {
        self.octets.get(index).copied()
    }

    #[inline(always)]
    pub(super) fn server(&self, start: usize, has_scheme: bool) -> Option<Server> {
        let end = self.map.find_not_in(Class::HOST, start);
        match self.at(end) {
            // The text that was taken for the host may be the beginning of a user.
            Some(b'?') if self.authority_end(start) > end => None,
            None | Some(b'/' | b'?' | b'#') => {
                let kind = self.only_host(start, end, has_scheme)?;
                Some(Server { host_start: start, host_end: end, kind })
            }
            Some(_) => self.login(start, has_scheme),
        }
    }

    /// Returns the end of the authority that begins at `start`.
    #[inline(always)]
    pub(super) fn authority_end(&self, start: usize) -> usize {
        let end = self.map.find_in(Class::END_OF_AUTHORITY, start);
        if self.edition.server.user_may_contain_question_mark && self.at(end) == Some(b'?') {
            return cut::authority_end(self.octets, start, self.octets.len(), self.edition);
        }
        end
    }

    /// Reads `[ userinfo "@" ] host [ ":" port ]` if it is more than a host.
    #[inline(always)]
    fn login(&self, start: usize, has_scheme: bool) -> Option<Server> {
        let end = self.authority_end(start);
        let at = self.map.find_in(Class::AT, start).min(end);
        let host_start = if at < end { at + 1 } else { start };
        if at < end && (self.edition.password || self.map.find_not_in(Class::USERINFO, start) < at) {
            return None;
        }
        let host_end = self.map.find_not_in(Class::HOST, host_start).min(end);
        if host_end < end && self.octets[host_end] != b':' {
            // The authority is not a server; if it contains "@", the reference implementation
            // decides.
            let kind = if at == end { self.other(start, end, has_scheme)? } else { return None };
            return Some(Server { host_start: start, host_end: end, kind });
        }
        if host_end < end {
            let port = host_end + 1;
            let empty_is_wrong = port == end && !self.edition.server.port_may_be_empty;
            if self.map.find_not_in(Class::DIGIT, port) < end || empty_is_wrong {
                return None;
            }
        }
        let kind = self.host(host_start, host_end, self.edition.server.host_may_be_empty)?;
        Some(Server { host_start, host_end, kind })
    }

    /// Returns the kind of an authority that contains only octets of a host; if it is not a host,
    /// it may be a registry name.
    #[inline(always)]
    pub(super) fn only_host(&self, start: usize, end: usize, has_scheme: bool) -> Option<HostKind> {
        match self.host(start, end, self.edition.server.may_be_empty) {
            None => self.other(start, end, has_scheme),
            kind => kind,
        }
    }

    /// Returns the kind of an authority that is not a server: `otherurl`, `reg_name`.
    #[inline(always)]
    fn other(&self, start: usize, end: usize, has_scheme: bool) -> Option<HostKind> {
        let is_allowed = self.edition.registry.allows_reg_name(has_scheme);
        let right = is_allowed && self.map.find_not_in(Class::REGISTRY, start) >= end;
        right.then_some(if start == end { HostKind::Empty } else { HostKind::Registry })
    }

    /// Returns the kind of a host that contains only octets of a host.
    #[inline(always)]
    pub(super) fn host(&self, start: usize, end: usize, may_be_empty: bool) -> Option<HostKind> {
        if start == end {
            return may_be_empty.then_some(HostKind::Empty);
        }
        let form = &self.edition.server;
        if let Some(name) = &form.name
            && self.is_plain_name(name, start, end)
        {
            return Some(HostKind::Name);
        }
        let numbers = self.octets[start].is_ascii_digit()
            && host::is_numbers(self.octets, start, end, form.numbers_are_octets);
        if numbers {
            return Some(HostKind::Ipv4);
        }
        let fits = match &form.name {
            None => true,
            Some(name) => self.labels_fit(name, start, end),
        };
        fits.then_some(HostKind::Name)
    }

    /// Accepts nearly every name. It has less than 64 octets, so no label is too long, and a letter
    /// at the start and after each dot. Where labels must end in a letter or digit, there is one
    /// after each hyphen; then no hyphen is last or next to another.
    #[inline(always)]
    fn is_plain_name(&self, form: &Name, start: usize, end: usize) -> bool {
        let between = if form.labels_end_alphanumeric { Class::ALPHANUMERIC } else { Class::LABEL };
        self.map.each_followed_by(Class::LETTER, between, start, end)
    }

    /// Returns whether a host of allowed octets has the form of a name. Labels begin after dots and
    /// end before dots.
    #[inline(always)]
    fn labels_fit(&self, form: &Name, start: usize, end: usize) -> bool {
        let dot_is_last = self.octets[end - 1] == b'.';
        let rare = dot_is_last && form.last_dot == LastDot::AfterTopLabel;
        let last_dot = dot_is_last && form.last_dot == LastDot::Allowed;
        let len = end - start - usize::from(last_dot);
        if rare || len == 0 || len > form.longest_label.min(BLOCK - 1) {
            return host::name_error_position(self.octets, &self.edition.table, form, start, end).is_none();
        }
        let bits = |class| self.map.bits(class, start, start + len).unwrap_or_default();
        let dots = bits(Class::DOT);
        let may_begin = bits(Class::ALPHANUMERIC);
        let begins = (dots << 1 | 1) & u64::MAX >> (64 - len);
        let last_label = start + 63 - begins.leading_zeros() as usize;
        if begins & !may_begin != 0
            || form.first_begins_with_letter && !self.octets[start].is_ascii_alphabetic()
            || form.last_begins_with_letter && !self.octets[last_label].is_ascii_alphabetic()
        {
            return false;
        }
        let ends = dots >> 1 | 1 << (len - 1);
        let may_end = if form.labels_end_alphanumeric { bits(Class::ALPHANUMERIC) } else { !dots };
        ends & !may_end == 0
    }

    /// Returns the end of the query that begins at `start`, if its octets are allowed.
    #[inline(always)]
    pub(super) fn query(&self, start: usize) -> Option<usize> {
        let end = self.map.find_not_in(Class::QUERY, start);
        let ended = end == self.octets.len() || self.at(end) == Some(b'#');
        let words = !self.edition.query_is_words || self.is_one_word(start, end);
        (ended && words).then_some(end)
    }

    /// search = xalphas [ + search ]: a search of one word is the simple case.
    #[inline(always)]
    fn is_one_word(&self, start: usize, end: usize) -> bool {
        start < end && self.map.find_not_in(Class::WORD, start) >= end
    }
}
