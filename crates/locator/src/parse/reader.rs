//! Reads hosts and registry names: in the first block for [`super::fast`], and in a whole text for
//! [`super::rare`].
//!
//! Accepted texts are valid. Rejected texts may be valid too (an address in brackets); the reference
//! implementation decides.

use super::host;
use crate::edition::{Edition, LastDot, Name};
use crate::simd::{BLOCK, Class, ClassSearch};
use crate::span::HostKind;

/// A reader of components that searches a map of character classes.
pub(super) struct Reader<'a, M> {
    pub(super) map: M,
    pub(super) octets: &'a [u8],
    pub(super) edition: &'static Edition,
}

impl<M: ClassSearch> Reader<'_, M> {
    #[inline(always)]
    pub(super) fn at(&self, index: usize) -> Option<u8> {
        self.octets.get(index).copied()
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
    pub(super) fn other(&self, start: usize, end: usize, has_scheme: bool) -> Option<HostKind> {
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
}
