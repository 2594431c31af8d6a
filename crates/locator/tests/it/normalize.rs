//! The cases of `testdata/normal`, and what holds for every normal form.

mod commutes;

use locator::{AsciiSet, Component, Edition, Level, UriRef, edition, scheme};
use locator_dev::cases;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(rename = "section")]
    _section: Option<String>,
    input: String,
    syntax: Option<String>,
    scheme: Option<String>,
}

#[test]
fn every_case_is_normalized_as_stated() {
    let mut differences = Vec::new();
    let mut count = 0;
    for edition in edition::ALL.into_iter().chain(edition::WITH_OPTIONS) {
        for case in cases(edition) {
            count += 1;
            let reference = UriRef::parse_with(&case.input, edition)
                .unwrap_or_else(|error| panic!("{edition} {}: {error}", case.name));
            let syntax = case.syntax.as_deref().unwrap_or(&case.input);
            let scheme = case.scheme.as_deref().unwrap_or(syntax);
            for (level, stated) in [(Level::Syntax, syntax), (Level::Scheme, scheme)] {
                let found = reference.normalize(level);
                if found != stated || found.is_borrowed() != (stated == case.input) {
                    let (name, input) = (&case.name, &case.input);
                    differences.push(format!("{edition} {name}: {input} is {found} and not {stated}"));
                }
                obeys(reference);
            }
        }
    }
    assert!(count > 200, "the corpus is not whole: {count} cases");
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), differences.join("\n"));
}

fn cases(edition: &Edition) -> Vec<Case> {
    cases::read(&format!("normal/{edition}.toml"))
}

/// Texts in which there is something to normalise.
fn text() -> impl Strategy<Value = String> {
    let start = prop_oneof![
        4 => "(http|HTTPS|ftp|gopher|file|wss|x-Mine|telnet|Mailto|news|URL|url:http|h%74|wais)://?",
        2 => "([a-zA-Z]|http|gopher|file|mailto):",
        1 => "//",
        2 => "",
    ];
    let login = prop_oneof![
        3 => "",
        1 => "[Aa:%3]{1,3}@",
        1 => "%41:%7e@",
    ];
    let host = prop_oneof![
        2 => "(\\.\\.?|%2e%2E)/",
        4 => "[A-Za-z]{1,4}(\\.[a-zA-Z]{2})?",
        2 => "(localhost|LocalHost)",
        1 => "(%41|%2d|%2E|%3a|%c3|_|\\$){1,3}",
        1 => "É(\\.A)?|%C3%89|\\[::[aA]%25([aA]|%41|%2f)\\]",
        1 => "\\[::[Aa]\\]|\\[V1\\.A\\]|10\\.0\\.0\\.1",
        1 => "",
    ];
    let port = prop_oneof![4 => "", 1 => ":", 2 => ":0?(80|443|21|70|23|210)", 1 => ":[0-9]{1,6}"];
    let piece = prop_oneof![
        6 => "/",
        3 => "\\.\\.?|%2[eE](%2e|\\.)?",
        3 => "[a-cA-C1]",
        2 => "%[0-9A-Fa-f]{2}",
        1 => "é|%[cC]3%[aA]9|\u{E000}|%E2%80%ae",
        1 => "[@:;,+&=$!*'()~_-]",
        1 => "[?#]",
    ];
    let rest = prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat());
    (start, login, host, port, rest)
        .prop_map(|(start, login, host, port, rest)| format!("{start}{login}{host}{port}{rest}"))
}

/// Everything that must be true of the normal forms of a reference.
fn obeys(given: UriRef<'_>) {
    let syntax = given.normalize(Level::Syntax);
    let by_scheme = given.normalize(Level::Scheme);
    // The higher rung is reached from the lower one too.
    assert_eq!(syntax.as_uri_ref().normalize(Level::Scheme), by_scheme, "{given}");
    assert!(by_scheme.as_uri_ref().is_normalized(Level::Syntax), "{given}");

    for normal in [&syntax, &by_scheme] {
        let normal = normal.as_uri_ref();
        // It is valid, and of its scheme's form where the reference was.
        let again = UriRef::parse_with(normal.as_str(), given.edition()).expect("it is valid");
        assert_eq!(again.spans(), normal.spans());
        if scheme::check(given) == Some(Ok(())) {
            assert_eq!(scheme::check(normal), Some(Ok(())), "{given} became {normal}");
        }
        keeps(given, normal);
    }
    for (normal, level) in [(&syntax, Level::Syntax), (&by_scheme, Level::Scheme)] {
        // Normalising is idempotent, and says so without a copy.
        let again = normal.as_uri_ref().normalize(level);
        assert!(again.is_borrowed(), "{given} became {normal} and then {again}");
        assert_eq!(normal.is_borrowed(), normal == given.as_str());
    }
}

/// The properties that must not change: which components exist, their decoded octets, and which
/// characters are reserved.
fn keeps(given: UriRef<'_>, normal: UriRef<'_>) {
    assert_eq!(given.kind(), normal.kind(), "{given} became {normal}");
    // An empty authority may come, where the scheme says that it makes no difference.
    let scheme = given.scheme().and_then(|name| scheme::lookup(name.as_str()));
    let comes = given.authority().is_none() && normal.component(Component::Authority) == Some("");
    let implied = comes && scheme.is_some_and(|scheme| scheme.implies_authority(given));
    let parts = [
        Component::Scheme,
        Component::Authority,
        Component::Userinfo,
        Component::Host,
        Component::Query,
        Component::Fragment,
    ];
    // An empty fragment is equivalent to an absent one in the draft of 1993.
    let is_void = given.edition() == &edition::URL_1993 && given.component(Component::Fragment) == Some("");
    // Where a scheme of RFC 1738 does not reserve "?", that belongs to the path or the user, and is
    // escaped; what else is not reserved is decoded (2.2). `tests/scheme/unreserved.rs` compares plans.
    let frees = |part| {
        let decides = given.edition() == &edition::RFC1738;
        scheme.filter(|_| decides).is_some_and(|scheme| scheme.unreserved(part, given) != AsciiSet::EMPTY)
    };
    let may_change = |part: &Component| match part {
        Component::Authority | Component::Host => implied,
        Component::Query => frees(Component::Query) || frees(Component::Path),
        Component::Userinfo => frees(Component::Userinfo),
        Component::Fragment => is_void,
        _ => false,
    };
    for part in parts.into_iter().filter(|part| !may_change(part)) {
        assert_eq!(given.component(part).is_some(), normal.component(part).is_some(), "{part:?} of {given}");
    }
    let unreserved = given.edition().unreserved();
    // So may the case of names go, where the scheme says so.
    let query =
        |text: &str| scheme.map_or(text.into(), |scheme| scheme.normal_query(text, given).into_owned());
    let by_scheme = |part, text: &str| if part == Component::Query { query(text) } else { text.into() };
    for part in [Component::Userinfo, Component::Query, Component::Fragment]
        .into_iter()
        .filter(|part| !may_change(part))
    {
        let of = |reference: UriRef<'_>| {
            reference.component(part).map(|text| meaning(&by_scheme(part, text), unreserved))
        };
        assert_eq!(of(given), of(normal), "{part:?} of {given} became {normal}");
    }
    let (path, became) = (given.path().as_str(), normal.path().as_str());
    if given.scheme().is_none() {
        // "./" keeps the first segment of `h%74:x` from becoming a scheme (url-1997).
        let without_prefix = became.strip_prefix("./").filter(|path| path.contains(':')).unwrap_or(became);
        let meant = meaning(path, unreserved);
        assert!([became, without_prefix].map(|path| meaning(path, unreserved)).contains(&meant), "{given}");
    }
    // A character that stays escaped may be literal in an IRI, and "?" in a path of RFC 1738.
    let grows = |octet: u8| !octet.is_ascii() || octet == b'?' && given.edition() == &edition::RFC1738;
    let longest: usize = given.as_str().bytes().map(|octet| if grows(octet) { 3 } else { 1 }).sum();
    assert!(normal.as_str().len() <= longest + 2, "{given} became {normal}");
}

/// The octets that a text stands for, each with whether it is data: what is reserved is data only
/// if it is escaped.
fn meaning(text: &str, unreserved: AsciiSet) -> Vec<(u8, bool)> {
    let mut octets = text.bytes();
    let mut meaning = Vec::new();
    while let Some(octet) = octets.next() {
        let escaped = octet == b'%';
        let mut digit = || char::from(octets.next().unwrap_or(b'0')).to_digit(16).expect("a hex digit") as u8;
        let octet = if escaped { digit() << 4 | digit() } else { octet };
        meaning.push((octet, escaped || unreserved.contains(octet) || !octet.is_ascii()));
    }
    meaning
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6_000, ..ProptestConfig::default() })]

    #[test]
    fn normal_forms_keep_the_law(text in text()) {
        for edition in edition::ALL.into_iter().chain(edition::WITH_OPTIONS) {
            if let Ok(reference) = UriRef::parse_with(&text, edition) {
                obeys(reference);
            }
        }
    }

    #[test]
    fn resolving_and_normalizing_commute(base in text(), reference in text()) {
        for edition in edition::ALL {
            let read = |text| UriRef::parse_with(text, edition);
            if let (Ok(base), Ok(reference)) = (read(&base), read(&reference)) {
                commutes::obeys(base, reference);
            }
        }
    }
}

/// What follows "?" is data of the path in ftp and gopher.
#[test]
fn a_query_of_ftp_and_gopher_is_part_of_the_path() {
    for (base, must_hold) in [
        ("ftp://h:", false),
        ("gopher://h", false),
        ("gopher://h/", true),
        ("http://h", true),
        ("ftp://h?a", true),
    ] {
        let [base, reference] =
            [base, "?.//a"].map(|text| UriRef::parse(text).expect("a base and a reference"));
        assert_eq!(commutes::must_hold(base, reference, Level::Scheme), must_hold, "{base}");
        let [given, normal] = commutes::targets(base, reference, Level::Scheme);
        assert_eq!(given == normal, must_hold, "{base}");
    }
}

/// The exceptions of the law are exceptions, and texts near them are not.
#[test]
fn where_resolving_and_normalizing_do_not_commute() {
    for (base, reference, must_hold) in [
        ("file:/", "a/..", false),
        ("file:///", "a/..", true),
        ("file:/", "a/../b", true),
        ("foo:/", "a/..", true),
    ] {
        let read = |text| UriRef::parse_with(text, &edition::URL_1993).expect("a base and a reference");
        let (base, reference) = (read(base), read(reference));
        assert_eq!(commutes::must_hold(base, reference, Level::Scheme), must_hold, "{reference} on {base}");
        commutes::obeys(base, reference);
        let [given, normal] = commutes::targets(base, reference, Level::Scheme);
        assert_eq!(given == normal, must_hold, "{reference} on {base}");
    }
}

/// A megabyte of anything is normalised in time that grows with its length.
#[test]
fn a_megabyte_of_anything_is_linear() {
    for piece in ["a", "/", "%41", "%2F", "/..", "/.", "/a", "/a/..", "/%2e%2E", "A.", "@", "1", "%2e", ":"] {
        let starts = ["", "x:", "x:/", "x://", "x://h/", "x://h:", "//", "mailto:", "x:?", "#"];
        let rest = piece.repeat((1 << 20) / piece.len() / starts.len());
        for start in starts {
            let text = format!("{start}{rest}");
            for edition in edition::ALL {
                if let Ok(reference) = UriRef::parse_with(&text, edition) {
                    let normal = reference.normalize(Level::Scheme);
                    assert!(normal.as_uri_ref().is_normalized(Level::Scheme));
                }
            }
        }
    }
}
