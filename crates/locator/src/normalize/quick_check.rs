//! Checks whether a reference is certainly in normal form. Takes its bitmaps and returns "yes" or
//! "not sure".
//!
//! Nearly all references are, as a few bitmaps show: no capital in the scheme and the host, no dot
//! segment in the path, no escape that is written otherwise. After "not sure" the components are
//! normalized one by one, which may show that the reference was normal.

use super::address;
use crate::dots::EndOfLast;
use crate::edition::Edition;
use crate::reference::UriRef;
use crate::simd::{self, AsciiSet, BLOCK, Backend, Class, ClassSearch, LongText, ShortText, WithBackend};
use crate::span::{ComponentSpans, HostKind};

/// Whether every component is in the edition's normal form.
#[inline]
pub(super) fn is_normal(reference: UriRef<'_>) -> bool {
    simd::dispatch(Sight { reference })
}

struct Sight<'a> {
    reference: UriRef<'a>,
}

impl WithBackend for Sight<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> bool {
        let (octets, table) = (self.reference.as_str().as_bytes(), &self.reference.edition().table);
        if octets.len() < BLOCK {
            self.look(backend, &ShortText::new(backend, octets, table))
        } else {
            self.look(backend, &LongText::new(backend, octets, table))
        }
    }
}

impl Sight<'_> {
    #[inline(always)]
    fn look<M: Backend>(&self, backend: M, map: &impl ClassSearch) -> bool {
        let (parts, edition, text) =
            (self.reference.spans(), self.reference.edition(), self.reference.as_str());
        let capitals =
            |start: u32, end: u32| start < end && map.find_in(Class::CAPITAL, start as usize) < end as usize;
        let path = &text.as_bytes()[parts.path_start as usize..parts.path_end as usize];
        // "URL:" is not part of the URL, where it is known.
        parts.start == 0
            && !loses_fragment(text, edition)
            && !capitals(0, parts.scheme_end)
            && !capitals(parts.host_start, parts.host_end)
            && (!loses_dots(parts, path, edition)
                || EndOfLast { path, table: &edition.table }.run(backend) == 0)
            && (parts.host_kind() != HostKind::Ipv6 || address_is_normal(self.reference))
            && (map.find_in(Class::PERCENT, 0) == text.len() || escapes_are_normal(text, edition))
            && (!edition.is_international() || characters_are_normal(text, edition))
    }
}

/// Whether it ends in an empty fragment without meaning. "#" alone stays.
#[inline(always)]
fn loses_fragment(text: &str, edition: &Edition) -> bool {
    edition.equivalence.void_fragment && text.ends_with('#') && text != "#"
}

/// Whether dot segments may be removed: not from a relative reference, nor after `urn:`.
#[inline(always)]
fn loses_dots(parts: ComponentSpans, path: &[u8], edition: &Edition) -> bool {
    edition.equivalence.dots && parts.scheme_end > 0 && path.first() == Some(&b'/')
}

/// Whether each escape has hex digits in upper case and is one that no component decodes. An
/// edition with characters beyond ASCII may decode any of their escapes.
#[inline(never)]
fn escapes_are_normal(text: &str, edition: &Edition) -> bool {
    let undone: AsciiSet = edition.equivalence.unescapes.union(edition.equivalence.unescapes_in_query);
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    };
    text.split('%').skip(1).all(|behind| match behind.as_bytes() {
        [high, low, ..] => match (value(*high), value(*low)) {
            (Some(8..), Some(_)) if edition.is_international() => false,
            (Some(high), Some(low)) => !undone.contains(high << 4 | low),
            _ => false,
        },
        _ => false,
    })
}

/// Whether its host, an IPv6 address, is in normal form.
#[inline(never)]
fn address_is_normal(reference: UriRef<'_>) -> bool {
    reference.authority().is_none_or(|authority| address::is_normal(authority.host()))
}

/// Whether every literal character beyond ASCII is also literal in normal form.
#[inline(never)]
fn characters_are_normal(text: &str, edition: &Edition) -> bool {
    text.is_ascii() || !text.contains(|c| edition.keeps_escaped(c))
}
