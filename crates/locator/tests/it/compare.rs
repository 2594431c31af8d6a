//! The cases of `testdata/compare.toml`, and what holds for every comparison.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::{BTreeSet, HashSet};

use locator::{
    AddressReader, CompareError, Comparison, DifferenceKind, Edition, Ladder, Level, NormalizedKey, Rung,
    Span, Uri, UriRef, compare, edition,
};
use locator_dev::cases;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(rename = "section")]
    _section: Option<String>,
    edition: Option<String>,
    first: String,
    second: String,
    #[serde(default)]
    without_fragments: bool,
    #[serde(default)]
    redirects: Vec<(String, String)>,
    #[serde(default)]
    domain_names: bool,
    addresses: Option<String>,
    rung: Option<String>,
    error: Option<String>,
    differences: Option<Vec<Stated>>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Stated {
    component: String,
    kind: String,
    first: String,
    second: String,
}

#[test]
fn every_case_is_compared_as_stated() {
    let cases: Vec<Case> = cases::read("compare.toml");
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|case| run(case).err().map(|difference| format!("{}: {difference}", case.name)))
        .collect();
    assert!(cases.len() > 80, "the corpus is not whole: {} cases", cases.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn run(case: &Case) -> Result<(), String> {
    let edition = edition::from_name(case.edition.as_deref().unwrap_or("rfc3986")).expect("an edition");
    let read = |text| UriRef::parse_with(text, edition).map_err(|error| format!("{text}: {error}"));
    let seen: Vec<_> =
        case.redirects.iter().map(|(from, to)| (read_uri(from, edition), read_uri(to, edition))).collect();
    let ladder = Ladder::new().with_redirects(&seen);
    let ladder = if case.without_fragments { ladder.without_fragments() } else { ladder };
    #[cfg(feature = "idna")]
    let ladder = if case.domain_names { ladder.with_domain_names() } else { ladder };
    #[cfg(not(feature = "idna"))]
    if case.domain_names {
        return Ok(());
    }
    let reader =
        AddressReader::ALL.into_iter().find(|reader| Some(reader.name()) == case.addresses.as_deref());
    let ladder = reader.map_or(ladder, |reader| ladder.with_addresses(reader));
    let (first, second) = (read(&case.first)?, read(&case.second)?);
    let found = ladder.compare(first, second);
    if let Ok(Comparison { rung, .. }) = &found
        && rung.is_some_and(|rung| rung < Rung::Protocol) != (ladder.key(first) == ladder.key(second))
    {
        return Err(format!("the keys {} and {} are for {rung:?}", ladder.key(first), ladder.key(second)));
    }
    let error = found.as_ref().err().map(|error| match error {
        CompareError::FirstIsRelative { .. } => "first-relative",
        CompareError::SecondIsRelative { .. } => "second-relative",
        _ => "editions-differ",
    });
    if error != case.error.as_deref() {
        return Err(format!("stated {:?}, found {error:?}", case.error));
    }
    let Ok(found) = found else { return Ok(()) };
    let rung = found.rung.map(Rung::name);
    if rung != case.rung.as_deref() {
        return Err(format!("stated {:?}, found {rung:?}", case.rung));
    }
    agrees(&found)?;
    let differences = state(&found, &case.first, &case.second);
    match &case.differences {
        Some(stated) if *stated != differences => {
            Err(format!("\n  stated {stated:?}\n  found  {differences:?}"))
        }
        _ => Ok(()),
    }
}

fn read_uri<'a>(text: &'a str, edition: &'static Edition) -> Uri<'a> {
    Uri::parse_with(text, edition).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn state(found: &Comparison, first: &str, second: &str) -> Vec<Stated> {
    let text = |text: &str, span: Span| text[span.range()].to_owned();
    let differences = found.differences.iter().map(|difference| Stated {
        component: difference.component.name().to_owned(),
        kind: difference.kind.name().to_owned(),
        first: text(first, difference.first),
        second: text(second, difference.second),
    });
    differences.collect()
}

/// The list says why it is this rung: nothing in it needs a higher one, something needs this.
fn agrees(found: &Comparison) -> Result<(), String> {
    let needed = found.differences.iter().map(|difference| difference.kind.rung()).collect::<Vec<_>>();
    let highest = needed.iter().copied().max_by_key(|rung| rung.unwrap_or(Rung::Protocol));
    let fits = match found.rung {
        Some(Rung::Simple) => highest.is_none(),
        Some(Rung::Protocol) | None => needed.contains(&None),
        rung => highest == Some(rung) && !needed.contains(&None),
    };
    if fits { Ok(()) } else { Err(format!("{:?} because of {:?}", found.rung, found.differences)) }
}

/// Texts that often are equivalent, and often nearly.
fn text() -> impl Strategy<Value = String> {
    let start = prop_oneof![
        5 => "(http|HTTP|h%74tp|URL:http|url:HTTP|Http)://",
        2 => "(file|gopher|ftp)://",
        1 => "(mailto|x|url):",
        1 => "(x|http):/",
        1 => "//",
    ];
    let login = prop_oneof![4 => "", 1 => "u@", 1 => "%75:?@"];
    let host = prop_oneof![4 => "[hH]", 2 => "localhost|LocalHost", 1 => "%68|%48", 1 => "\\[::[aA]\\]|", 1 => "h_",
        1 => "[hH]?(é|%[cC]3%[aA]9|\\[::[aA]%25([aA]|%41|%61))\\]",
        1 => "\\[(0{0,4}:){0,5}:(ffff:)?(0?1:2|0\\.1\\.0\\.2|::)\\]"];
    let port = prop_oneof![4 => "", 1 => ":", 2 => ":0?(80|70|21)"];
    let piece = prop_oneof![
        6 => "/",
        3 => "\\.\\.?|%2[eE](%2e|\\.)?",
        3 => "[aA1]|%61|%41",
        1 => "%2[fF]|%7[eE]|~|%24|\\$",
        1 => "é|%[cC]3%[aA]9",
        1 => "[?#@]",
    ];
    let rest = prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat());
    (start, login, host, port, rest)
        .prop_map(|(start, login, host, port, rest)| format!("{start}{login}{host}{port}{rest}"))
}

/// Everything that must be true of a comparison.
fn obeys(first: UriRef<'_>, second: UriRef<'_>) {
    let (Ok(found), Ok(back)) = (compare(first, second), compare(second, first)) else {
        assert!(first.scheme().is_none() || second.scheme().is_none());
        return;
    };
    agrees(&found).unwrap_or_else(|error| panic!("{first} and {second}: {error}"));
    assert_eq!(found.rung, back.rung);
    assert_eq!(found.rung == Some(Rung::Simple), first == second);
    assert_eq!(
        found.rung.is_some_and(|rung| rung <= Rung::Syntax),
        Ladder::by_syntax().key(first) == Ladder::by_syntax().key(second),
    );
    assert_eq!(found.is_equivalent(), Ladder::new().key(first) == Ladder::new().key(second));
    for level in [Level::Syntax, Level::Scheme] {
        let is_same = first.normalize(level) == second.normalize(level);
        assert!(!is_same || found.is_equivalent(), "{first} and {second}");
    }
    let kinds = |found: &Comparison| {
        let mut kinds: Vec<_> = found.differences.iter().map(|one| one.kind.name()).collect();
        kinds.sort_unstable();
        kinds
    };
    assert_eq!(kinds(&found).first(), kinds(&back).first(), "{first} and {second}");
    for one in &found.differences {
        let texts = [(first, one.first), (second, one.second)]
            .map(|(reference, span)| reference.as_str().get(span.range()).expect("a span of the text"));
        let absent =
            matches!(one.kind, DifferenceKind::Presence | DifferenceKind::Port | DifferenceKind::Void);
        assert!(
            absent || texts[0] != texts[1] || one.kind == DifferenceKind::Dots,
            "{first} and {second}: {one:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 10_000, ..ProptestConfig::default()
    })]

    #[test]
    fn comparisons_keep_the_law(one in text(), other in text()) {
        for edition in edition::ALL.into_iter().chain(edition::WITH_OPTIONS) {
            let read = |text| UriRef::parse_with(text, edition).ok();
            let found: Vec<UriRef<'_>> = [&one, &other].into_iter().filter_map(|text| read(text)).collect();
            for first in &found {
                for second in &found {
                    obeys(*first, *second);
                }
                for level in [Level::Syntax, Level::Scheme] {
                    obeys(*first, first.normalize(level).as_uri_ref());
                }
            }
        }
    }
}

#[test]
fn editions_are_not_mixed() {
    let by = |edition: &'static Edition| UriRef::parse_with("http://h/$", edition).unwrap();
    let error = compare(by(&edition::RFC1738), by(&edition::RFC3986)).unwrap_err();
    assert_eq!(error.to_string(), "the references were parsed by different editions (rfc1738, rfc3986)");
    let error = compare(UriRef::parse("../a").unwrap(), by(&edition::RFC3986)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the first reference is relative, and relative references cannot be compared (RFC 3986, 6.1)"
    );
}

#[test]
fn sets_by_text_and_by_normal_form() {
    let texts = ["http://h/%7e", "HTTP://h/~", "http://H:80/~", "http://h/b"];
    let read: Vec<UriRef<'_>> = texts.iter().map(|text| UriRef::parse(text).unwrap()).collect();
    assert_eq!(read.iter().collect::<HashSet<_>>().len(), 4);
    let by = |level| read.iter().map(move |reference| NormalizedKey::new(*reference, level));
    assert_eq!(by(Level::Syntax).collect::<HashSet<_>>().len(), 3);
    assert_eq!(by(Level::Scheme).collect::<HashSet<_>>().len(), 2);
    let ordered: BTreeSet<_> = by(Level::Scheme).collect();
    let ordered: Vec<_> = ordered.iter().map(|one| one.normal().as_str()).collect();
    assert_eq!(ordered, ["http://h/b", "http://h/~"]);
}

/// A megabyte of anything, and a hundred thousand redirects, in time that grows with the length.
#[test]
fn long_ones_are_linear() {
    for piece in ["a", "/", "%41", "/..", "/a/..", "/%2e%2E", "A.", "?"] {
        let rest = piece.repeat((1 << 18) / piece.len());
        let other = piece.to_ascii_lowercase().repeat((1 << 18) / piece.len() - 1);
        for start in ["x:", "x:/", "x://", "x://h/"] {
            let texts = [format!("{start}{rest}"), format!("{start}{other}")];
            if let [Ok(first), Ok(second)] = [&texts[0], &texts[1]].map(|text| UriRef::parse(text)) {
                agrees(&compare(first, second).unwrap()).unwrap();
            }
        }
    }
    let texts: Vec<String> = (0..100_000).map(|i| format!("http://h/{i}")).collect();
    let uris: Vec<_> = texts.iter().map(|text| Uri::parse(text).unwrap()).collect();
    let chain: Vec<_> = uris.windows(2).map(|two| (two[0], two[1])).collect();
    let found = Ladder::new().with_redirects(&chain).compare(uris[99_999], uris[0]).unwrap();
    assert_eq!(found.rung, Some(Rung::Protocol));
}
