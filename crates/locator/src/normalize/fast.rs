//! The fast path of normalization by syntax alone, for URIs with an authority, the most common
//! kind. Takes the reference and writes its normal form from left to right in one pass.
//!
//! Other references go to [`super::component`], which is the reference implementation; both give
//! the same results.
//!
//! Checks whether a reference is certainly in normal form. Takes the reference and returns "yes" or
//! "not sure".
//!
//! Nearly all references are, as a few bitmaps show: no capital in the scheme and the host, no dot
//! segment in the path, no escape that is written otherwise. After "not sure" the components are
//! normalized one by one, which may show that the reference was normal.

use alloc::string::String;
use core::ops::Range;

use super::component::is_normal_address;
use super::component::{Normalizer, PctDecodable, push_case};
use crate::edition::Edition;
use crate::equivalence::Basis;
use crate::pct::escaped_octet;
use crate::reference::UriRef;
use crate::resolve::dots::{Called, DotBits, DotSegments, Dots, STEP, step_up};
use crate::simd::{self, AsciiSet, BLOCK, Backend, Class, Plain, WithBackend};
use crate::span::{Component, ComponentSpans, HostKind, Span};

/// A normal form, and its components as far as they are known without parsing it.
pub(super) struct NormalText {
    pub(super) text: String,
    pub(super) spans: Option<ComponentSpans>,
}

/// Returns the normal form by syntax, if the fast path can write it.
pub(super) fn write(reference: UriRef<'_>, basis: Basis<'_>) -> Option<NormalText> {
    let (parts, text) = (reference.spans(), reference.as_str());
    let has_server =
        parts.has_authority && matches!(parts.host_kind, HostKind::Empty | HostKind::Name | HostKind::Ipv4);
    if !has_server || parts.start > 0 || parts.scheme_end == 0 || reference.edition().is_international() {
        return None;
    }
    let escapes = match text.find('%') {
        Some(first) => first as u32..text.rfind('%').map_or(0, |last| last as u32 + 1),
        None => parts.len..0,
    };
    let forms = Normalizer::new(reference, basis);
    let mut direct = Direct { reference, forms, escapes, out: String::with_capacity(text.len()) };
    let spans = direct.write()?;
    // A host that is decoded may be of another kind: an IPv4 address.
    let has_same_host = !direct.may_have_escapes(Span { start: parts.host_start, end: parts.host_end });
    Some(NormalText { spans: has_same_host.then_some(spans), text: direct.out })
}

struct Direct<'a, 's> {
    reference: UriRef<'a>,
    forms: Normalizer<'a, 's>,
    /// From the first of them to the last, if there are any.
    escapes: Range<u32>,
    out: String,
}

impl<'a> Direct<'a, '_> {
    /// Writes the components, and returns where they are.
    fn write(&mut self) -> Option<ComponentSpans> {
        let parts = self.reference.spans();
        let mut spans = self.before_path(parts)?;
        self.path(Span { start: parts.path_start, end: parts.path_end })?;
        spans.path_end = self.out.len() as u32;
        self.component(Component::Query, Span { start: parts.path_end, end: parts.query_end })?;
        spans.query_end = self.out.len() as u32;
        if !self.forms.loses_fragment() {
            self.component(Component::Fragment, Span { start: parts.query_end, end: parts.len })?;
        }
        spans.len = self.out.len() as u32;
        Some(spans)
    }

    fn before_path(&mut self, parts: ComponentSpans) -> Option<ComponentSpans> {
        let whole = Span { start: 0, end: parts.path_start };
        if !self.may_have_escapes(whole) {
            let text = self.text(whole);
            self.out.push_str(text);
            self.out[..parts.scheme_end as usize].make_ascii_lowercase();
            self.out[parts.host_start as usize..parts.host_end as usize].make_ascii_lowercase();
            return Some(parts);
        }
        let scheme = self.text(Span { start: 0, end: parts.scheme_end });
        push_case(&mut self.out, scheme, true);
        self.component(Component::Userinfo, Span { start: parts.scheme_end, end: parts.host_start })?;
        let host_start = self.out.len() as u32;
        self.component(Component::Host, Span { start: parts.host_start, end: parts.host_end })?;
        let host_end = self.out.len() as u32;
        let port = self.text(Span { start: parts.host_end, end: parts.path_start });
        self.out.push_str(port);
        Some(ComponentSpans { host_start, host_end, path_start: self.out.len() as u32, ..parts })
    }

    #[inline]
    fn text(&self, span: Span) -> &'a str {
        &self.reference.as_str()[span.range()]
    }

    /// Writes a component with its delimiters.
    #[inline]
    fn component(&mut self, part: Component, span: Span) -> Option<()> {
        let text = self.text(span);
        if self.may_have_escapes(span) {
            return self.escaped(part, text);
        }
        push_case(&mut self.out, text, part == Component::Host);
        Some(())
    }

    /// Writes a component that may have escapes; `None` if it has one of a dot that stays.
    #[inline(never)]
    fn escaped(&mut self, part: Component, text: &str) -> Option<()> {
        let rules = self.forms.undone(part);
        let mut rest = text;
        while let Some(at) = rest.bytes().position(|octet| octet == b'%') {
            let (before, after) = rest.split_at(at);
            push_case(&mut self.out, before, rules.lower);
            // INVARIANT: in a parsed text "%" is followed by two hex digits.
            let octet = escaped_octet(after.as_bytes())?;
            if octet == b'.' && part == Component::Path && self.forms.keeps_escaped_dots() {
                return None;
            }
            self.escape(rules, octet);
            rest = after.get(3..)?;
        }
        push_case(&mut self.out, rest, rules.lower);
        Some(())
    }

    /// Writes an escape, or the character that it is of.
    #[inline]
    fn escape(&mut self, rules: PctDecodable, octet: u8) {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        if rules.undoes_octet(octet) {
            let octet = if rules.lower { octet.to_ascii_lowercase() } else { octet };
            return self.out.push(char::from(octet));
        }
        // "should be normalized to use uppercase letters for the digits A-F"
        let escape = [b'%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]];
        self.out.push_str(core::str::from_utf8(&escape).unwrap_or_default());
    }

    fn path(&mut self, span: Span) -> Option<()> {
        if span.start == span.end {
            return Some(());
        }
        let start = self.out.len();
        if !self.may_have_escapes(span) {
            let until_end = self.text(Span { start: 0, end: span.end });
            return self.without_dots(span.start as usize, until_end);
        }
        let text = self.text(span);
        self.escaped(Component::Path, text)?;
        // A decoded text may be a dot segment, too.
        let table = &self.reference.edition().table;
        let has_dots = DotSegments::new(Called, self.out.as_bytes(), start, table).next().is_some();
        if has_dots && self.forms.loses_dots() {
            let undone = String::from(&self.out[start..]);
            self.out.truncate(start);
            self.without_dots(0, &undone)?;
        }
        Some(())
    }

    /// Writes the path that begins at an offset of a text, without its dot segments if they have a
    /// meaning; `None` if one stays.
    fn without_dots(&mut self, path_start: usize, text: &str) -> Option<()> {
        let edition = self.reference.edition();
        let mut segments = DotSegments::new(Called, text.as_bytes(), path_start, &edition.table);
        let (mut from, mut dots, floor) = (path_start, segments.next(), self.out.len());
        let rule = edition.resolution.as_ref().filter(|_| dots.is_some() && self.forms.loses_dots());
        dots = dots.filter(|_| rule.is_some());
        while let Some(Dots { start, end, up }) = dots {
            self.out.push_str(&text[from..start]);
            if up {
                step_up(&mut self.out, floor, rule?.leftover)?;
            }
            (from, dots) = (end, segments.next());
        }
        self.out.push_str(&text[from..]);
        Some(())
    }

    const fn may_have_escapes(&self, span: Span) -> bool {
        self.escapes.start < span.end && self.escapes.end > span.start
    }
}

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
    reference.authority().is_none_or(|authority| is_normal_address(authority.host()))
}

/// Whether every literal character beyond ASCII is also literal in normal form.
#[inline(never)]
fn characters_are_normal(text: &str, edition: &Edition) -> bool {
    text.is_ascii() || !text.contains(|c| edition.keeps_escaped(c))
}

#[cfg(all(test, feature = "schemes"))]
mod tests {
    use alloc::borrow::ToOwned;
    use std::format;
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::edition;
    use crate::scheme::{self, Equivalences, Registry, Scheme, Syntax};
    use crate::simd::AsciiSet;

    /// A scheme of the caller, with rules for paths that few other schemes have.
    #[derive(Debug)]
    struct Own;

    impl Scheme for Own {
        fn names(&self) -> &'static [&'static str] {
            &["own"]
        }

        fn object(&self) -> &'static str {
            "a name"
        }

        fn form(&self) -> Syntax {
            Syntax { text: "own://host/name", citation: "here" }
        }
    }

    impl Equivalences for Own {
        fn is_hierarchical(&self) -> bool {
            false
        }

        fn reserved(&self) -> AsciiSet {
            AsciiSet::of(b"+$!")
        }
    }

    fn url() -> impl Strategy<Value = String> {
        let names = scheme::ALL.iter().flat_map(|scheme| scheme.names()).chain(&["own", "unknown", "x-any"]);
        let name = prop::sample::select(names.copied().collect::<Vec<_>>());
        let name = (name, any::<bool>())
            .prop_map(|(name, capital)| if capital { name.to_ascii_uppercase() } else { name.to_owned() });
        let login = "((a|%41|%7e|%3a|:){1,3}@)?";
        let host = "([aB.-]|%41|%2d|%2E|%c3|1\\.2\\.3\\.4){0,3}|\\[::A\\]";
        let port = "(:[0-9]{0,3})?";
        let path = "(/(\\.\\.?|[aB;=+$!,]|%2[eEfFbB]|%[0-9A-Fa-f]{2}){0,3}){0,6}";
        let rest = "(\\?([aB./@;=+$&,]|%2[bBcC]|%[0-9A-Fa-f]{2}){0,5})?(#([aB./]|%[0-9A-Fa-f]{2}){0,3})?";
        (name, login, host, port, path, rest).prop_map(|(name, login, host, port, path, rest)| {
            format!("{name}://{login}{host}{port}{path}{rest}")
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

        #[test]
        fn what_is_written_directly_is_the_plain_ways_normal_form(text in url()) {
            let mut own = Registry::new();
            own.register(&Own).expect("nobody else has its name");
            for edition in edition::ALL.into_iter().chain(edition::WITH_OPTIONS) {
                let Ok(reference) = UriRef::parse_with(&text, edition) else { continue };
                for basis in [Basis::SYNTAX, Registry::BUILT_IN.basis().by_syntax(), own.basis().by_syntax()] {
                    let plain = reference.normalize_components(basis);
                    if let Some(direct) = write(reference, basis) {
                        prop_assert_eq!(plain.as_str(), &direct.text, "{} by {}", reference, edition);
                        let spans = UriRef::parse_with(&direct.text, edition).map(UriRef::spans);
                        let found = Ok(direct.spans.unwrap_or(plain.spans()));
                        prop_assert_eq!(spans, found, "{} by {}", reference, edition);
                    }
                }
            }
        }
    }

    /// Texts that are often in normal form.
    fn nearly_normal() -> impl Strategy<Value = String> {
        let names = scheme::ALL.iter().flat_map(|scheme| scheme.names()).chain(&["own", "unknown", "x-any"]);
        let name = prop::sample::select(names.copied().collect::<Vec<_>>());
        let authority = "(//(u@)?(h|localhost|1\\.2\\.3\\.4|\\[::1\\]|\\[::A\\])?(:(80|21|70|1)?)?)?";
        let path = "(/|a|/a;type=a|/a;b|a@b,c|h:a:b|//a|/%2F|/%3F|/1:a|/\\|c:)?";
        (name, authority, path, "(\\?(a|%3D|to=a)?)?(#a?)?")
            .prop_map(|(name, authority, path, rest)| format!("{name}:{authority}{path}{rest}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

        #[test]
        fn what_is_certainly_normal_is_normal(text in prop_oneof![url(), nearly_normal()]) {
            let mut own = Registry::new();
            own.register(&Own).expect("nobody else has its name");
            for edition in edition::ALL.into_iter().chain(edition::WITH_OPTIONS) {
                let Ok(reference) = UriRef::parse_with(&text, edition) else { continue };
                for basis in [Registry::BUILT_IN.basis(), own.basis()] {
                    let plain = reference.normalize_components(basis);
                    let normal = reference.normalize_by(basis);
                    prop_assert_eq!(plain.as_str(), normal.as_str(), "{} by {}", reference, edition);
                }
            }
        }
    }

    #[test]
    fn it_is_written_directly_by_every_edition_but_those_of_iris() {
        for edition in edition::ALL {
            let reference = UriRef::parse_with("HTTP://H/a.b/%41?%41", edition).expect("it is valid");
            assert_eq!(write(reference, Basis::SYNTAX).is_none(), edition.is_international(), "{edition}");
        }
    }
}
