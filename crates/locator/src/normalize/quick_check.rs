//! Checks whether a reference is certainly in normal form. Takes the reference and returns "yes" or
//! "not sure".
//!
//! Nearly all references are, as a few bitmaps show: no capital in the scheme and the host, no dot
//! segment in the path, no escape that is written otherwise. After "not sure" the components are
//! normalized one by one, which may show that the reference was normal.

use super::address;
use crate::edition::Edition;
use crate::reference::UriRef;
use crate::resolve::dots::{DotBits, STEP};
use crate::simd::{self, AsciiSet, BLOCK, Backend, Class, Plain, WithBackend};
use crate::span::{ComponentSpans, HostKind};

/// Whether every component is in the edition's normal form.
#[inline]
pub(super) fn is_normal(reference: &UriRef<'_>) -> bool {
    let (spans, edition, text) = (reference.spans(), reference.edition(), reference.as_str());
    // "URL:" is not part of the URL, where it is known.
    if spans.start > 0 || loses_fragment(text, edition) {
        return false;
    }
    let has_escapes = match simd::dispatch(Scan { reference }) {
        Scanned::NotSure => return false,
        Scanned::Escapes => true,
        Scanned::NoEscapes => false,
    };
    (spans.host_kind() != HostKind::Ipv6 || address_is_normal(*reference))
        && (!has_escapes || escapes_are_normal(text, edition))
        && (!edition.is_international() || characters_are_normal(text, edition))
}

/// The search for capitals, dot segments and escapes, in one pass.
struct Scan<'a> {
    reference: &'a UriRef<'a>,
}

/// The result of the pass.
enum Scanned {
    /// A capital where case does not matter, or a dot segment.
    NotSure,
    /// There are escapes, and nothing else that may change.
    Escapes,
    NoEscapes,
}

impl WithBackend for Scan<'_> {
    type Output = Scanned;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Scanned {
        let (octets, edition) = (self.reference.as_str().as_bytes(), self.reference.edition());
        let spans = self.reference.spans();
        let path_start = if loses_dots(spans, octets, edition) { spans.path_start } else { spans.path_end };
        let (mut start, mut escapes) = (0, 0);
        // Blocks overlap, so that each dot segment is whole in one of them.
        loop {
            let rest = &octets[start..];
            let before = |offset: u32| !u64::MAX.unbounded_shl(offset.saturating_sub(start as u32));
            let between = |from, to| before(to) & !before(from);
            let block = backend.load(rest, &edition.table);
            let capitals = backend.bitmap(&block, &edition.table, Class::CAPITAL);
            let lower_case = before(spans.scheme_end) | between(spans.host_start, spans.host_end);
            let (slashes, dots) = (backend.equal(&block, b'/'), backend.equal(&block, b'.'));
            let begins = dots & slashes << 1 & between(path_start, spans.path_end);
            let path_end = !before(spans.path_end) & before(spans.path_end.saturating_add(1));
            let found = DotBits::new(begins, dots, slashes | path_end);
            if capitals & lower_case | found.one | found.two != 0 {
                return Scanned::NotSure;
            }
            escapes |= backend.equal(&block, b'%');
            if rest.len() < BLOCK {
                return if escapes > 0 { Scanned::Escapes } else { Scanned::NoEscapes };
            }
            start += STEP;
        }
    }

    #[inline(never)]
    fn run_plain(self) -> Scanned {
        self.run(Plain)
    }
}

/// Whether it ends in an empty fragment without meaning. "#" alone stays.
#[inline(always)]
fn loses_fragment(text: &str, edition: &Edition) -> bool {
    edition.equivalence.void_fragment && text.ends_with('#') && text != "#"
}

/// Whether dot segments may be removed: not from a relative reference, nor after `urn:`.
#[inline(always)]
fn loses_dots(spans: ComponentSpans, octets: &[u8], edition: &Edition) -> bool {
    let has_root = spans.path_start < spans.path_end && octets[spans.path_start as usize] == b'/';
    edition.equivalence.dots && spans.scheme_end > 0 && has_root
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
    text.split('%').skip(1).all(|after| match after.as_bytes() {
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
