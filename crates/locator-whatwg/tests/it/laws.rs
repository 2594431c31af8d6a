//! What holds for every URL.

use locator_whatwg::{ParseError, Url, quirks, validate};
use proptest::prelude::*;

/// Texts of the characters that matter.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "http:",
        "https://",
        "file:",
        "foo:",
        "foo://",
        "blob:",
        "ws://",
        "/",
        "//",
        "\\",
        ".",
        "..",
        "%2e",
        "@",
        ":",
        "?",
        "#",
        "[",
        "]",
        "[::1]",
        "1",
        "0x7f",
        "a",
        "B",
        "é",
        "%41",
        "%",
        " ",
        "\t",
        "'",
        "|",
        "C:",
        "C|",
        "xn--a",
        "localhost",
        "80",
        "443",
        "x.y",
        "^",
        "\0",
        "~",
        "&",
        "=",
        "+",
        ";",
    ]);
    prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

const SETTERS: [fn(&mut Url, &str); 9] = [
    |url, text| {
        let _ = quirks::set_protocol(url, text);
    },
    |url, text| {
        let _ = quirks::set_username(url, text);
    },
    |url, text| {
        let _ = quirks::set_password(url, text);
    },
    |url, text| {
        let _ = quirks::set_host(url, text);
    },
    |url, text| {
        let _ = quirks::set_hostname(url, text);
    },
    |url, text| {
        let _ = quirks::set_port(url, text);
    },
    quirks::set_pathname,
    quirks::set_search,
    quirks::set_hash,
];

const GETTERS: [fn(&Url) -> &str; 9] = [
    quirks::protocol,
    quirks::username,
    quirks::password,
    quirks::host,
    quirks::hostname,
    quirks::port,
    quirks::pathname,
    quirks::search,
    quirks::hash,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// "a non-failure result of a parse-then-serialize operation will not change with any further
    /// parse-then-serialize operations applied to it"
    #[test]
    fn what_is_parsed_is_parsed_again(text in texts(), base in texts()) {
        let base = Url::parse(&base).ok();
        let url = match &base {
            Some(base) => base.join(&text),
            None => Url::parse(&text),
        };
        if let Ok(url) = &url {
            url.check_invariants().map_err(TestCaseError::fail)?;
        }
        let errors = validate(&text, base.as_ref());
        prop_assert_eq!(errors.last().is_some_and(|error| error.is_failure()), url.is_err());
        for error in errors {
            prop_assert!(text.get(error.span()).is_some(), "{}", error);
        }
    }

    /// Nothing that a setter makes is parsed as another URL, so no path becomes a host.
    #[test]
    fn what_a_setter_makes_is_parsed_the_same(text in texts(), value in texts(), setter in 0..9_usize) {
        if let Ok(mut url) = Url::parse(&text) {
            SETTERS[setter](&mut url, &value);
            url.check_invariants().map_err(TestCaseError::fail)?;
            url.set_path(&value);
            url.check_invariants().map_err(TestCaseError::fail)?;
            let _: Result<(), ParseError> = url.set_host(Some(&value));
            url.check_invariants().map_err(TestCaseError::fail)?;
            if let Ok(mut segments) = url.path_segments_mut() {
                segments.pop().push(&value).push(&text);
            }
            url.check_invariants().map_err(TestCaseError::fail)?;
            url.query_pairs_mut().append_pair(&text, &value);
            url.check_invariants().map_err(TestCaseError::fail)?;
            prop_assert_eq!(url.query_pairs().last(), Some((text.into(), value.into())));
        }
    }

    #[test]
    fn a_setter_given_its_own_value_changes_nothing(text in texts(), setter in 0..9_usize) {
        if let Ok(url) = Url::parse(&text) {
            let mut changed = url.clone();
            let value = GETTERS[setter](&url).to_owned();
            SETTERS[setter](&mut changed, &value);
            // What is absent and what is empty have the same value: an empty query is removed, and an
            // empty host is set.
            let is_ambiguous = value.is_empty() && matches!(setter, 3 | 4 | 7 | 8);
            if !is_ambiguous {
                prop_assert_eq!(changed, url);
            }
        }
    }

    #[test]
    fn what_is_made_relative_leads_back(text in texts(), other in texts()) {
        if let (Ok(base), Ok(url)) = (Url::parse(&text), Url::parse(&other))
            && let Some(relative) = base.make_relative(&url)
        {
            prop_assert_eq!(base.join(&relative), Ok(url));
        }
    }
}

/// The fast paths and the state machine, which a listener for errors gets, agree on every short text.
#[test]
fn all_short_texts() {
    let pieces = [
        "a", "A", "1", "0x", ".", "%2e", "%", ":", "/", "\\", "?", "#", "@", "[", "]", " ", "\t", "|", "é",
        "'", "^",
    ];
    let most = if std::env::var_os("LOCATOR_LONG").is_some() { 5 } else { 3 };
    let bases = [None, Some("http://b/c/d?e#f"), Some("file:///C:/d"), Some("x:/y"), Some("m:o")];
    let listener = |_| {};
    for base in bases {
        let base = base.map(|base| Url::parse(base).unwrap());
        for start in ["", "http:", "http://h", "file:", "x:", "x://"] {
            let mut texts = vec![start.to_owned()];
            for _ in 0..most {
                texts = texts.iter().flat_map(|text| pieces.map(|piece| text.clone() + piece)).collect();
                for text in &texts {
                    let options = Url::options().base_url(base.as_ref());
                    let plain = options.syntax_violation_callback(Some(&listener)).parse(text);
                    assert_eq!(options.parse(text), plain, "{text:?} {base:?}");
                }
            }
        }
    }
}
