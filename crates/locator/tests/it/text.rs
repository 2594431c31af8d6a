//! The cases of `testdata/text`, and what holds for every text.

mod laws;

use laws::is_domain;
use locator::UriRef;
use locator::edition;
use locator::text::{Finder, Match, MatchKind, Preset, literal_prefix, wrap};
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
    preset: Option<String>,
    #[serde(default)]
    schemes: Vec<String>,
    text: String,
    how: Option<Vec<String>>,
    urls: Option<Vec<String>>,
    others: Option<Vec<String>>,
    #[serde(default)]
    not_readable: bool,
    #[serde(default)]
    patterns: bool,
    #[serde(default)]
    addresses: bool,
    prefixes: Option<Vec<String>>,
}

const FILES: [&str; 8] =
    ["documents", "wrappers", "ends", "schemes", "surroundings", "guesses", "patterns", "presets"];

#[test]
fn every_case_is_found_as_marked() {
    let (mut count, mut wrong) = (0, Vec::new());
    for file in FILES {
        for case in cases::read::<Case>(&format!("text/{file}.toml")) {
            count += 1;
            wrong.extend(run(&case).err().map(|why| format!("{file}: {}: {why}", case.name)));
        }
    }
    assert!(count > 120, "the cases are not whole: {count}");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

fn run(case: &Case) -> Result<(), String> {
    let text = case.text.replace(['⟦', '⟧'], "");
    let finder = finder(case);
    let hits: Vec<_> = finder.find_iter(text.as_bytes()).collect();
    let marked = marked(&text, &hits);
    if marked != case.text {
        return Err(format!("found\n{marked}\ninstead of\n{}", case.text));
    }
    let said = |of: fn(&Match<'_>) -> String| hits.iter().map(of).collect::<Vec<_>>();
    agree("urls", said(|hit| hit.url().into_owned()), case.urls.as_ref())?;
    agree("others", said(|hit| hit.alternate().unwrap_or_default()), case.others.as_ref())?;
    agree("how", said(|hit| hit.kind().name().to_owned()), case.how.as_ref())?;
    agree("prefixes", said(|hit| literal_prefix(&hit.url()).into()), case.prefixes.as_ref())?;
    for hit in &hits {
        if hit.is_readable() == case.not_readable {
            return Err(format!("{} is read as {:?}", hit.url(), hit.read()));
        }
        laws::is_in_its_wrapper(&text, hit);
    }
    laws::obeys(&text, &finder);
    Ok(())
}

fn finder(case: &Case) -> Finder {
    let preset = match case.preset.as_deref() {
        Some("strict") => Preset::Strict,
        None => Preset::Default,
        Some("relaxed") => Preset::Relaxed,
        Some(other) => panic!("{}: a preset {other}?", case.name),
    };
    let edition = edition::from_name(case.edition.as_deref().unwrap_or("rfc3986")).expect("an edition");
    let finder = Finder::new().preset(preset).edition(edition).domains(is_domain);
    let finder = finder.patterns(case.patterns).addresses(case.addresses);
    case.schemes.iter().fold(finder, |finder, name| finder.scheme(name).expect(name))
}

/// The text with its matches marked.
fn marked(text: &str, hits: &[Match<'_>]) -> String {
    let (mut marked, mut from) = (String::new(), 0);
    for hit in hits {
        let span = hit.span();
        marked.extend([&text[from..span.start], "⟦", &text[span.clone()], "⟧"]);
        from = span.end;
    }
    marked + &text[from..]
}

fn agree(what: &str, found: Vec<String>, stated: Option<&Vec<String>>) -> Result<(), String> {
    match stated {
        Some(stated) if *stated != found => Err(format!("{what} {found:?} instead of {stated:?}")),
        _ => Ok(()),
    }
}

/// Texts of what finders stumble over.
fn text(pieces: core::ops::Range<usize>) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z]{1,9}",
        3 => "[ \n\t\r]{1,3}",
        6 => "(https?|ftp|news|mailto|data|urn|file|x|std|URL|cid):(//)?",
        4 => "[<>()\\[\\]\"'`*|{}\\\\]",
        4 => "[-.,;:!?/@#%&=_~$^]",
        2 => "<URL: ?",
        1 => "<URL:[ \u{A0}\n]?(ht|gop)[ \u{A0}\n](tp|her)://?",
        2 => "\"?https?:(\\\\/\\\\/|//)[a-z](\\\\/|/)",
        2 => "\\\\(/|u00[0-9a-f]{2}|n|\")",
        2 => "(www\\.)?[a-z]{1,4}\\.(org|com|jp)",
        1 => "[a-z]{1,4}@[a-z]{1,4}\\.org",
        1 => "[0-9]{1,3}\\.[0-9]\\.[0-9]\\.[0-9]{1,3}(:[0-9]{1,2})?",
        1 => "[。，、）」“”«»’…。é例　—]{1,2}",
        1 => "[\u{A0}\u{2009}\u{200B}\u{FEFF}\u{2028}\u{2029}\n]{1,2}",
        1 => "%[0-9A-F]{2}",
        1 => "[$#]?\\{[a-z ]{0,3}\\}|%(\\(a\\))?[sd]|\\$[a-z]|[0-9]%[a-z]{1,3}",
        1 => "\\[::[0-9a-f]{1,3}\\]",
        2 => "\\\\(x[0-9a-f]{2}|u00[0-9a-f]{2}|033|fB|f\\(CW|\\(lq|s-1|n)",
        1 => "https?:/{1,3}[a-z]{1,3}(\\.[a-z]{1,3})?[例é!+&]?",
        1 => "(self|this)?\\.[a-z]{2,3}( =|\\(|\\+|::)",
        1 => "-\n",
        1 => "[a-z]{60,70}",
    ];
    prop::collection::vec(piece, pieces).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn every_text_obeys(text in text(0..30), preset in 0..3, patterns in any::<bool>()) {
        let preset = [Preset::Strict, Preset::Default, Preset::Relaxed][preset as usize];
        let finder = Finder::new().preset(preset).domains(is_domain).patterns(patterns).scheme("std").expect("a scheme");
        laws::obeys(&text, &finder);
    }

    #[test]
    fn octets_that_are_no_text_are_searched(octets in prop::collection::vec(any::<u8>(), 0..200), text in text(0..30), at in any::<prop::sample::Index>()) {
        let mut all = text.into_bytes();
        let at = at.index(all.len() + 1);
        all.splice(at..at, octets);
        let finder = Finder::new().preset(Preset::Relaxed).domains(is_domain);
        laws::hits_are_in_order(&all, &finder);
        laws::pieces_are_the_whole(&all, &finder, [all.len() / 2, 1, 7]);
    }
}

/// URLs with hyphens and escapes.
const WRAPPED: &str = "(http|ftp|x-any|h)://([a-z]{1,8}[.-]){0,3}[a-z]{1,9}(:8080)?(/([a-z-]{0,9}|%2D|%c3%a9|[.;=!'()*+,~_-]){0,20}){0,4}\
     ([?]([a-z]=?|-|&|%20|/){0,40})?(#[a-z-]{0,9})?";

proptest! {
    /// A URL that is written for text is found again, whatever the width, and no line ends with "-".
    #[test]
    fn what_is_wrapped_is_found_again(url in WRAPPED, columns in 0..90_usize, before in "[a-z ]{0,9}") {
        let wrapped = wrap(UriRef::parse(&url).expect("a URL"), columns).expect("it has a host");
        let text = format!("{before} {wrapped}, or not.");
        let found: Vec<_> = Finder::default().find_iter(text.as_bytes()).map(|hit| hit.url().into_owned()).collect();
        prop_assert_eq!(found, [url.as_str()]);
        let first = url.find(':').expect("a scheme") + "<URL::".len();
        for line in wrapped.lines() {
            prop_assert!(!line.ends_with(['-', '%']), "{}", wrapped);
            prop_assert!(line.len() <= columns.max(first) || line.contains(['-', '%']), "{} {}", columns, wrapped);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Longer than what a search looks back at, so that something is released.
    #[test]
    fn long_texts_obey(text in text(150..400), preset in 0..3) {
        let preset = [Preset::Strict, Preset::Default, Preset::Relaxed][preset as usize];
        laws::obeys(&text, &Finder::new().preset(preset).domains(is_domain));
        laws::obeys(&text, &Finder::new().preset(preset).domains(is_domain).addresses(true));
    }
}

/// What would be searched again and again if a search went back, or had no bound: each with the
/// number of hits.
#[test]
fn a_megabyte_of_anything_is_searched_once() {
    for piece in [
        "<",
        ":",
        "(",
        "<URL:",
        "\"",
        "http://",
        "a:",
        "-\n",
        "www.",
        "@",
        "[",
        "<http://",
        "data:,",
        "a@",
        "a.",
        "é",
        "urn:a:",
        "<http://a ",
        "http://a@",
        "http://[",
        "\"http://a ",
        "(http://a",
        "http://a/%",
        "mailto:a@b",
        ",http://a",
        "://",
        "http://a:1",
        "<a:",
        "&a;",
        "http://a/.",
        "x://a\u{2026}",
        "http:\\/\\/",
        "http:\\/\\/a\\/",
        "\"http://a/\\u0026",
        "\\u0026",
        "http://a/{",
        "http://{a}",
        "http://%",
        "http://a/%s",
        "http://a/{a b",
        "http://$",
    ] {
        let text = piece.repeat((1 << 20) / piece.len());
        for preset in [Preset::Strict, Preset::Default, Preset::Relaxed] {
            let finder = Finder::new().preset(preset).domains(is_domain).patterns(preset == Preset::Default);
            assert!(
                finder.find_iter(text.as_bytes()).all(|hit| hit.outer_span().len() <= locator::text::LIMIT)
            );
        }
    }
}

#[test]
fn a_url_of_the_longest_is_found_and_a_longer_one_is_passed_over() {
    let limit = locator::text::LIMIT;
    // There is no match within it, either.
    let tail = "éhttp://b/?mailto:a@b.example";
    for (length, found) in [(limit, 2), (limit + 1, 1)] {
        let url = format!("http://h/{}{tail}", "a".repeat(length - 9 - tail.len()));
        let text = format!("{url} and http://i/");
        let finder = Finder::default();
        let mut hits = finder.find_iter(text.as_bytes());
        assert_eq!(hits.by_ref().count(), found, "{length}");
        assert_eq!(hits.passed_over(), (found == 1).then_some(0));
        assert_eq!(hits.passed_over(), None);
    }
    let url = format!("http://h/{}{tail}", "a".repeat(limit));
    let text = format!("\u{201C}{url}\u{201D} and http://i/");
    for cut in [text.len() - 50, text.len() - 44, text.len() - 16] {
        let (finder, text) = (Finder::default(), text.as_bytes());
        let mut finder = finder.stream();
        assert!(finder.next(&text[..cut], false).is_none_or(|hit| hit.as_str() == "http://i/"));
        assert_eq!(finder.passed_over(), Some(3));
    }
    laws::pieces_are_the_whole(text.as_bytes(), &Finder::default(), [limit, 1000, 5000]);
}

#[test]
fn a_name_that_is_no_schemes_is_refused() {
    let error = Finder::default().scheme("a_b").expect_err("an underscore").to_string();
    assert!(error.contains("\"_\" is not allowed in the scheme"), "{error}");
    assert!(Finder::default().scheme("").is_err());
}

#[test]
fn a_guess_says_so() {
    let hits = Finder::new().preset(Preset::Relaxed);
    let hits: Vec<_> =
        hits.find_iter(b"www.example.com http://example.com joe@example.com").map(|hit| hit.kind()).collect();
    assert_eq!(hits, [MatchKind::Www, MatchKind::Bare, MatchKind::Email]);
    assert_eq!(hits.into_iter().map(MatchKind::is_guess).collect::<Vec<_>>(), [true, false, true]);
}
