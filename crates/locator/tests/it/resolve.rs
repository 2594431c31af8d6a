//! The cases of `testdata/resolve`, and what holds for every base, reference and edition.

use locator::edition::{PathUnderflow, SameDocument};
use locator::{
    Base, Component, Edition, ResolveError, ResolveOptions, Resolved, Uri, UriRef, UriRefBuf, edition,
};
use locator_dev::cases;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[expect(dead_code, reason = "for people")]
    section: Option<String>,
    base: String,
    reference: String,
    leftover: Option<String>,
    empty: Option<String>,
    #[serde(default)]
    same_scheme: bool,
    result: Option<String>,
    #[serde(default)]
    current_document: bool,
    fragment: Option<String>,
    error: Option<String>,
    message: Option<String>,
    relative: Option<String>,
}

impl Case {
    fn options(&self) -> ResolveOptions {
        let options = ResolveOptions::new().same_scheme(self.same_scheme);
        let options = match self.leftover.as_deref() {
            Some("keep") => options.path_underflow(PathUnderflow::Keep),
            Some("remove") => options.path_underflow(PathUnderflow::Remove),
            Some("refuse") => options.path_underflow(PathUnderflow::Refuse),
            other => other.map_or(options, |other| panic!("leftover = {other}")),
        };
        match self.empty.as_deref() {
            Some("base") => options.same_document(SameDocument::Base),
            Some("current-document") => options.same_document(SameDocument::CurrentDocument),
            other => other.map_or(options, |other| panic!("empty = {other}")),
        }
    }

    /// What is stated, in one line.
    fn stated(&self) -> String {
        match (&self.result, &self.error, self.current_document) {
            (Some(result), None, false) => result.clone(),
            (None, Some(error), false) => format!("error {error}"),
            (None, None, true) => format!("current document {:?}", self.fragment),
            _ => panic!("{}: one of result, error and current_document is stated", self.name),
        }
    }

    /// What is found, in one line.
    fn found(&self, edition: &'static Edition) -> String {
        let base =
            UriRef::parse_with(&self.base, edition).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let base = match Base::try_from(base) {
            Ok(base) => base,
            Err(error) => return line(Err(error)),
        };
        let reference = UriRef::parse_with(&self.reference, edition);
        let reference = reference.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let found = base.resolve_with(reference, self.options());
        if let Ok(Resolved::Uri(target)) = &found {
            let relative = base
                .make_relative_with(target.as_uri(), self.options())
                .map(|relative| relative.into_string());
            match &self.relative {
                Some(stated) => assert_eq!(relative.as_ref(), Ok(stated), "{edition} {}", self.name),
                None => assert!(
                    relative.is_ok_and(|it| it.len() <= self.reference.len()),
                    "{edition} {}",
                    self.name
                ),
            }
        }
        if let Some(stated) = &self.message {
            let message = found.as_ref().err().map(ToString::to_string);
            assert_eq!(message.as_ref(), Some(stated), "{edition} {}", self.name);
        }
        line(found)
    }
}

fn line(found: Result<Resolved<'_>, ResolveError>) -> String {
    match found {
        Ok(Resolved::Uri(target)) => target.into_string(),
        Ok(Resolved::CurrentDocument { fragment }) => {
            format!("current document {:?}", fragment.map(|fragment| fragment.as_str()))
        }
        Err(ResolveError::NotDefined { .. }) => "error NotDefined".into(),
        Err(ResolveError::BaseNotAbsolute { .. }) => "error BaseNotAbsolute".into(),
        Err(ResolveError::BaseOpaque { .. }) => "error BaseOpaque".into(),
        Err(ResolveError::PathUnderflow { .. }) => "error PathUnderflow".into(),
        Err(error) => format!("error {error}"),
    }
}

#[test]
fn every_case_is_resolved_as_stated() {
    let mut count = 0;
    for edition in edition::ALL {
        for case in cases::of_edition::<Case>("resolve", edition.name) {
            assert_eq!(case.found(edition), case.stated(), "{edition} {}", case.name);
            count += 1;
        }
    }
    assert_eq!(count, 535, "cases of all editions");
}

/// Texts that look like references and share much with each other.
fn text() -> impl Strategy<Value = String> {
    let lead = prop_oneof![3 => Just(""), 1 => Just("/"), 1 => Just("//a"), 1 => Just("x:"), 3 => Just("http://a"), 1 => Just("x:/")];
    let piece = prop_oneof![
        6 => Just("/"), 4 => Just("a"), 2 => Just(".."), 2 => Just("."), 2 => Just("b;p"), 1 => Just("c:d"),
        1 => Just(":"), 1 => Just("?"), 1 => Just("#"), 1 => Just("@"), 1 => Just("%2E"), 1 => Just("[::1]"), 1 => Just("é")
    ];
    (lead, prop::collection::vec(piece, 0..14)).prop_map(|(lead, pieces)| lead.to_owned() + &pieces.concat())
}

fn options() -> impl Strategy<Value = ResolveOptions> {
    let leftover =
        prop_oneof![Just(PathUnderflow::Keep), Just(PathUnderflow::Remove), Just(PathUnderflow::Refuse)];
    let empty = prop_oneof![Just(SameDocument::Base), Just(SameDocument::CurrentDocument)];
    let chosen = (leftover, empty, any::<bool>()).prop_map(|(leftover, empty, same_scheme)| {
        ResolveOptions::new().path_underflow(leftover).same_document(empty).same_scheme(same_scheme)
    });
    prop_oneof![Just(ResolveOptions::new()), chosen]
}

/// A target is valid, fits in the stated capacity, and can be made relative again.
fn resolves(base: Base<'_>, reference: UriRef<'_>, options: ResolveOptions) {
    let mut out = String::with_capacity(base.as_str().len() + reference.as_str().len() + 4);
    let memory = (out.as_ptr(), out.capacity());
    let written = base.resolve_into(reference, options, &mut out).map(|it| it.into_uri().map(str::to_owned));
    assert_eq!((out.as_ptr(), out.capacity()), memory, "{base} {reference}");
    let owned = base
        .resolve_with(reference, options)
        .map(|resolved| resolved.into_uri().map(|uri| uri.into_string()));
    assert_eq!(written, owned);
    if let Err(ResolveError::PathUnderflow { in_base, component: part, span, .. }) = written {
        let of = if in_base { base.as_str() } else { reference.as_str() };
        assert_eq!(&of[span.range()], "..", "{base} {reference}");
        let path_end = of.find(['?', '#']).unwrap_or(of.len());
        assert_eq!(part == Component::Query, span.range().start > path_end, "{base} {reference}");
    }
    let Ok(Some(target)) = written else { return };
    let target = Uri::parse_with(&target, base.edition()).expect("what is resolved can be read");
    let relative = base.make_relative_with(target, options).expect("there is a reference: this one");
    assert!(relative.as_str().len() <= reference.as_str().len(), "{base} {reference} {relative}");
}

/// What relativising gives is resolved to the target, and only dots that are removed are in its
/// way.
fn relativizes(base: Base<'_>, target: Uri<'_>, options: ResolveOptions) {
    path_relativizes(base, target, options);
    match base.make_relative_with(target, options) {
        Ok(relative) => {
            let back = base.resolve_with(relative.as_uri_ref(), options).map(Resolved::into_uri);
            assert_eq!(back, Ok(Some(target.to_owned())), "{base} {relative}");
            assert!(relative.as_str().len() <= target.as_str().len() || options != ResolveOptions::new());
        }
        Err(error) => {
            let ResolveError::Unreachable { edition, by_scheme } = error else {
                panic!("{base} {target}: {error}")
            };
            assert!(edition == base.edition() && !(by_scheme && options == ResolveOptions::new()));
            let dots = target.path().as_str().split('/').any(|segment| matches!(segment, "." | ".."));
            assert!(
                dots && [&edition::RFC3986, &edition::RFC3987].contains(&base.edition())
                    || options != ResolveOptions::new()
            );
        }
    }
}

/// A relative path is resolved to the target as well, and there is a reference if there is one
/// without it.
fn path_relativizes(base: Base<'_>, target: Uri<'_>, options: ResolveOptions) {
    let shortest = base.make_relative_with(target, options);
    let relative = base.make_relative_with(target, options.path_relative(true));
    assert_eq!(shortest.is_ok(), relative.is_ok(), "{base} {target}");
    let (Ok(shortest), Ok(relative)) = (shortest, relative) else { return };
    let back = base.resolve_with(relative.as_uri_ref(), options).map(Resolved::into_uri);
    assert_eq!(back, Ok(Some(target.to_owned())), "{base} {relative}");
    // What is relative already stays.
    let is_absolute = |reference: &UriRefBuf| {
        reference.as_str().starts_with('/') || reference.as_uri_ref().scheme().is_some()
    };
    assert!(is_absolute(&shortest) || shortest == relative, "{base} {shortest} {relative}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn any_two_texts_obey(first in text(), second in text(), options in options()) {
        for edition in edition::ALL {
            let texts = (UriRef::parse_with(&first, edition), UriRef::parse_with(&second, edition));
            let (Ok(first), Ok(second)) = texts else { continue };
            match Base::try_from(first) {
                Ok(base) => {
                    resolves(base, second, options);
                    if let Some(target) = second.as_uri() {
                        relativizes(base, target, options);
                    }
                }
                Err(error) => prop_assert!(!edition.defines_resolution() || first.scheme().is_none(), "{error}"),
            }
        }
    }
}

/// A megabyte of dots goes once through the machine: were the work to grow with the square, this
/// test would take days.
#[test]
fn a_megabyte_of_dots_is_linear() {
    const MEGABYTE: usize = 1 << 20;
    let pieces =
        ["../", "./", "a/", "/", "a/../", "a/../../", "//../", "a/./", ".a/", "..", "a", "a/b/../../"];
    for edition in edition::ALL.into_iter().filter(|edition| edition.defines_resolution()) {
        for piece in pieces {
            let size = if piece == "../" { MEGABYTE } else { MEGABYTE / 8 };
            let long = piece.repeat(size / piece.len());
            for start in ["", "?", "a/"] {
                let text = format!("{start}{long}");
                let Ok(reference) = UriRef::parse_with(&text, edition) else { continue };
                for base in ["http://a/b/c", &format!("http://a/{long}"), "x:/b"] {
                    let base = Base::new(Uri::parse_with(base, edition).expect("it is a URI"));
                    resolves(base.expect("it is a base"), reference, ResolveOptions::new());
                }
            }
        }
    }
}

#[test]
fn errors_are_sentences() {
    let base = Base::new(Uri::parse("http://a/b").expect("it is a URI")).expect("it is a base");
    let other = Uri::parse_with("http://a/b", &edition::URL_1997).expect("it is a URI");
    let error = base.resolve(other).expect_err("the editions differ");
    assert_eq!(error.to_string(), "base and reference were parsed by different editions (rfc3986, url-1997)");
    assert_eq!(base.make_relative(other), Err(error));
    let error = base.make_relative(Uri::parse("http://a/./b").expect("it is a URI")).expect_err("dots go");
    assert_eq!(
        error.to_string(),
        "no reference resolves to the target: resolving would remove the dot segments of its path (RFC 3986, 5.2.4)"
    );
    let error =
        Base::try_from(UriRef::parse("b").expect("it is a reference")).expect_err("there is no scheme");
    assert_eq!(
        error.to_string(),
        "the base has no scheme, so no reference can be resolved against it (RFC 3986, 5.2.1)"
    );
}
