//! The fast path of normalization by syntax alone, for URIs with an authority, the most common
//! kind. Takes the reference and writes its normal form from left to right in one pass.
//!
//! Other references go to [`super::component`], which is the reference implementation; both give
//! the same results.

use alloc::string::String;
use core::ops::Range;

use super::component::Normalizer;
use super::token::push_case;
use crate::equivalence::Basis;
use crate::reference::UriRef;
use crate::resolve::dots::DotRemover;
use crate::span::{Component, HostKind, Span};

/// Returns the normal form by syntax, if the fast path can write it.
pub(super) fn write(reference: UriRef<'_>, basis: Basis<'_>) -> Option<String> {
    let (parts, text) = (reference.spans(), reference.as_str());
    let has_server =
        parts.has_authority && matches!(parts.host_kind, HostKind::Empty | HostKind::Name | HostKind::Ipv4);
    if !has_server || parts.start > 0 || parts.scheme_end == 0 || reference.edition().is_international() {
        return None;
    }
    let forms = Normalizer::new(reference, basis);
    let first = text.find('%');
    if first.is_some() && forms.keeps_escaped_dots() {
        return None;
    }
    let after_last = text.rfind('%').map_or(0, |last| last as u32 + 1);
    let escapes = first.unwrap_or(text.len()) as u32..after_last;
    let mut direct = Direct { reference, forms, escapes, out: String::with_capacity(text.len()) };
    direct.write();
    Some(direct.out)
}

struct Direct<'a, 's> {
    reference: UriRef<'a>,
    forms: Normalizer<'a, 's>,
    /// From the first of them to the last, if there are any.
    escapes: Range<u32>,
    out: String,
}

impl<'a> Direct<'a, '_> {
    fn write(&mut self) {
        let parts = self.reference.spans();
        self.component(Component::Scheme, Span { start: 0, end: parts.scheme_end });
        self.component(Component::Userinfo, Span { start: parts.scheme_end, end: parts.host_start });
        self.component(Component::Host, Span { start: parts.host_start, end: parts.host_end });
        self.out.push_str(self.text(Span { start: parts.host_end, end: parts.path_start }));
        self.path(Span { start: parts.path_start, end: parts.path_end });
        self.component(Component::Query, Span { start: parts.path_end, end: parts.query_end });
        if !self.forms.loses_fragment() {
            self.component(Component::Fragment, Span { start: parts.query_end, end: parts.len });
        }
    }

    #[inline(never)]
    fn text(&self, span: Span) -> &'a str {
        &self.reference.as_str()[span.range()]
    }

    /// Writes a component with its delimiters.
    #[inline(never)]
    fn component(&mut self, part: Component, span: Span) {
        let text = self.text(span);
        if self.may_have_escapes(span) {
            return self.forms.undone(part).write_to(&mut self.out, text);
        }
        push_case(&mut self.out, text, matches!(part, Component::Scheme | Component::Host));
    }

    fn path(&mut self, span: Span) {
        let start = self.out.len();
        self.component(Component::Path, span);
        let loses_dots = self.forms.has_dots(&self.out[start..]) && self.forms.loses_dots();
        let rule = self.reference.edition().resolution.as_ref().filter(|_| loses_dots);
        let Some(rule) = rule else { return };
        // A decoded text may be a dot segment, too.
        let undone = self.may_have_escapes(span).then(|| String::from(&self.out[start..]));
        let path = undone.as_deref().unwrap_or(self.text(span));
        self.out.truncate(start);
        let mut walk = DotRemover::new(&mut self.out, rule, rule.leftover);
        if walk.go(path).and_then(|()| walk.end()).is_err() {
            self.out.truncate(start);
            self.out.push_str(path);
        }
    }

    const fn may_have_escapes(&self, span: Span) -> bool {
        self.escapes.start < span.end && self.escapes.end > span.start
    }
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
                        prop_assert_eq!(plain.as_str(), direct, "{} by {}", reference, edition);
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
