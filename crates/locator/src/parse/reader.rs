//! Reads hosts and registry names: in the first block for [`super::fast`], and in a whole text for
//! [`super::rare`].
//!
//! Accepted texts are valid. Rejected texts may be valid too (an address in brackets); the reference
//! implementation decides.
//!
//! The order in which the implementations read a text.
//!
//! The caller tries [`read_value`], the fast path, which is compiled for each backend. If that
//! returns `Err(None)`, nothing is decided, and the caller calls [`read_more`], which is compiled
//! once: it reads from bitmaps, and leaves what they do not show, and texts without bitmaps, to the
//! reference implementation, octet by octet.

use super::validator::InvalidByte;
use super::{check, host};
use crate::edition::{Edition, LastDot, Name};
use crate::error::ParseError;
use crate::simd::{BLOCK, Backend, Bitmaps, Class, ClassSearch};
use crate::span::{ComponentSpans, HostKind};

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
        let Some(name) = &form.name else {
            let may_be_numbers = self.at(start).is_some_and(|octet| octet.is_ascii_digit());
            let is_ipv4 = may_be_numbers && is_numbers(self.octets, self.edition, start, end);
            return Some(if is_ipv4 { HostKind::Ipv4 } else { HostKind::Name });
        };
        if self.is_plain_name(name, start, end) {
            return Some(HostKind::Name);
        }
        // A last dot may be the octet with which they do not fit in a block.
        let to = if self.at(end - 1) == Some(b'.') { end - 1 } else { end };
        let bits = |class| self.map.bits(class, start, to).unwrap_or_default();
        let bits = LabelBits { dots: bits(Class::DOT), alphanumeric: bits(Class::ALPHANUMERIC) };
        rare_name(self.octets, self.edition, name, (start, end), bits)
    }

    /// Accepts nearly every name. It has less than 64 octets, so no label is too long, and a letter
    /// at the start and after each dot. Where labels must end in a letter or digit, there is one
    /// after each hyphen; then no hyphen is last or next to another.
    #[inline(always)]
    fn is_plain_name(&self, form: &Name, start: usize, end: usize) -> bool {
        let between = if form.labels_end_alphanumeric { Class::ALPHANUMERIC } else { Class::LABEL };
        self.map.each_followed_by(Class::LETTER, between, start, end)
    }
}

/// The dots, without one at the end, and the letters and digits of a host of less than a block.
struct LabelBits {
    dots: u64,
    alphanumeric: u64,
}

#[inline(never)]
fn is_numbers(octets: &[u8], edition: &Edition, start: usize, end: usize) -> bool {
    host::is_numbers(octets, start, end, edition.server.numbers_are_octets)
}

/// Returns the kind of a host of allowed octets, in an edition whose names have a form. Compiled once:
/// nearly every name is plain.
#[inline(never)]
fn rare_name(
    octets: &[u8],
    edition: &Edition,
    form: &Name,
    (start, end): (usize, usize),
    bits: LabelBits,
) -> Option<HostKind> {
    let may_be_numbers = octets.get(start).is_some_and(u8::is_ascii_digit);
    if may_be_numbers && is_numbers(octets, edition, start, end) {
        return Some(HostKind::Ipv4);
    }
    labels_fit(octets, edition, form, (start, end), bits).then_some(HostKind::Name)
}

/// Returns whether a host of allowed octets has the form of a name. Labels begin after dots and
/// end before dots.
fn labels_fit(
    octets: &[u8],
    edition: &Edition,
    form: &Name,
    (start, end): (usize, usize),
    bits: LabelBits,
) -> bool {
    let dot_is_last = octets[end - 1] == b'.';
    let rare = dot_is_last && form.last_dot == LastDot::AfterTopLabel;
    let last_dot = dot_is_last && form.last_dot == LastDot::Allowed;
    let len = end - start - usize::from(last_dot);
    if rare || len == 0 || len > form.longest_label.min(BLOCK - 1) {
        return host::name_error_position(octets, &edition.table, form, start, end).is_none();
    }
    let inside = u64::MAX >> (64 - len);
    let dot_at_end = u64::from(dot_is_last && !last_dot) << (len - 1);
    let (dots, alphanumeric) = (bits.dots & inside | dot_at_end, bits.alphanumeric & inside);
    let begins = (dots << 1 | 1) & inside;
    let last_label = start + 63 - begins.leading_zeros() as usize;
    if begins & !alphanumeric != 0
        || form.first_begins_with_letter && !octets[start].is_ascii_alphabetic()
        || form.last_begins_with_letter && !octets[last_label].is_ascii_alphabetic()
    {
        return false;
    }
    let ends = dots >> 1 | 1 << (len - 1);
    let may_end = if form.labels_end_alphanumeric { alphanumeric } else { !dots };
    ends & !may_end == 0
}

/// Returns the spans of a text if it is on the fast path.
///
/// # Errors
///
/// Returns the error if the bitmaps show it, otherwise `None`: the text may be valid or not, and
/// [`read_more`] decides.
#[inline(always)]
pub(crate) fn read_value<M: Backend>(
    backend: M,
    octets: &[u8],
    edition: &'static Edition,
) -> Result<ComponentSpans, Option<InvalidByte>> {
    if octets.len() >= u32::MAX as usize {
        return Err(None);
    }
    let block = backend.load(octets, &edition.table);
    Reader::common(backend, block, octets, edition)
}

/// Reads a text of any length that is rare or invalid. This code is compiled once, not for each
/// backend. What is made of the spans is made where they are found, because copying what was just
/// written field by field stalls.
#[inline(always)]
pub(crate) fn read_more<T>(
    text: &str,
    edition: &'static Edition,
    make: impl FnOnce(ComponentSpans) -> T,
) -> Result<T, ParseError> {
    let octets = text.as_bytes();
    let mut map = Bitmaps::new(octets, &edition.table, edition.groups());
    // The plain backend makes no bitmaps; then `fill` returns false.
    if octets.len() < u32::MAX as usize && map.fill() {
        return Reader { map: &map, octets, edition }.read(make);
    }
    check::read(octets, edition).map(make)
}
