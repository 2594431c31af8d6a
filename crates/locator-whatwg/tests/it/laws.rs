//! What holds for every URL.

use locator_whatwg::{ConstantMessage, ParseError, Url, UrlCow, UrlRef, UrlRefError, quirks, validate};
use proptest::prelude::*;

/// Texts of the characters that matter.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "http:",
        "http://a",
        "https://",
        "HTTPS://",
        "ftp:",
        "file:",
        "file://",
        "foo:",
        "foo://",
        "blob:",
        "ws://",
        "/",
        "//",
        "\\",
        ".",
        "./",
        "..",
        "..\\",
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
        "00",
        "80",
        "443",
        "65536",
        "x.y",
        "^",
        "\0",
        "\u{1}",
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
    #![proptest_config(ProptestConfig::with_cases(8192))]

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
            prop_assert!(matches!(Url::parse_cow(url.as_str()), Ok(UrlCow::Borrowed(_))));
        }
        let errors = validate(&text, base.as_ref());
        prop_assert_eq!(errors.last().is_some_and(|error| error.is_failure()), url.is_err());
        for error in errors {
            prop_assert!(text.get(error.span()).is_some(), "{}", error);
        }
    }

    /// The fast paths make what the state machine makes, which a listener for errors gets.
    #[test]
    fn what_is_fast_is_what_the_machine_makes(text in texts(), base in texts()) {
        let base = Url::parse(&base).ok();
        let listener = |_| {};
        let fast = Url::options().base_url(base.as_ref());
        let slow = fast.syntax_violation_callback(Some(&listener));
        let (fast, slow) = (fast.parse(&text), slow.parse(&text));
        // With all components.
        prop_assert_eq!(format!("{fast:?}"), format!("{slow:?}"));
        prop_assert_eq!(fast, slow);
        prop_assert_eq!(Url::can_parse(&text), Url::parse(&text).is_ok());
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

/// The characters that matter to the parser, a few as words.
const PIECES: [&str; 21] = [
    "a", "A", "1", "0x", ".", "%2e", "%", ":", "/", "\\", "?", "#", "@", "[", "]", " ", "\t", "|", "é", "'",
    "^",
];

/// One of each kind, for longer texts.
const FEWER_PIECES: [&str; 14] = ["A", "1", ".", "%2e", "%", ":", "/", "\\", "?", "#", "@", "[", "|", " "];

/// What texts begin with, and the base that they are joined to. A text with another scheme than that of the
/// base does not depend on it.
const STARTS: [(&str, Option<&str>); 14] = [
    ("", None),
    ("http:", None),
    ("http://h", None),
    ("file:", None),
    ("x:", None),
    ("x://", None),
    ("", Some("http://b/c/d?e#f")),
    ("http:", Some("http://b/c/d?e#f")),
    ("", Some("file:///C:/d")),
    ("file:", Some("file:///C:/d")),
    ("", Some("x:/y")),
    ("x:", Some("x:/y")),
    ("", Some("file://h/a/b?c")),
    ("", Some("m:o")),
];

/// Fails if a constant is another URL than the parser's, or if the error of `url!` says another thing than the parser.
pub(crate) fn a_constant_is_what_is_parsed(text: &str, parsed: &Result<Url, ParseError>) {
    const MOST: usize = 4096;
    match (parsed, UrlRef::parse_const(text)) {
        (Ok(url), Ok(constant)) => {
            // With all components.
            assert_eq!((constant.as_str(), format!("{constant:?}")), (url.as_str(), format!("{url:?}")));
        }
        (Ok(url), Err(error)) => {
            assert!(url.as_str() != text && error == UrlRefError::NotSerialised, "{text:?}");
        }
        (Err(_), constant) => assert!(constant.is_err(), "{text:?}"),
    }
    if 3 * text.len() + 128 > MOST {
        return;
    }
    let message = ConstantMessage::<MOST>::of(text);
    let is_unknown = message.as_str().starts_with("only ASCII");
    let is_removed = |c: char| c <= ' ';
    let may_be_unknown = !text.is_ascii()
        || text.contains(['\0', '\t', '\n', '\r', '%'])
        || text.starts_with(is_removed)
        || text.ends_with(is_removed);
    match parsed {
        _ if is_unknown => assert!(may_be_unknown, "{text:?}"),
        Ok(url) => assert_eq!(message.as_str(), format!("the serialised form is \"{url}\"")),
        Err(error) => assert_eq!(message.as_str(), format!("not a URL: {error}"), "{text:?}"),
    }
}

/// Fails if the fast paths and the state machine, which a listener for errors gets, disagree on a text of up to
/// `most` pieces.
fn agree_on_texts_of(pieces: &[&str], most: u32) {
    let listener = |_| {};
    let mut text = String::new();
    for (start, base) in STARTS {
        let base = base.map(|base| Url::parse(base).unwrap());
        let fast = Url::options().base_url(base.as_ref());
        let slow = fast.syntax_violation_callback(Some(&listener));
        for length in 0..=most {
            for number in 0..pieces.len().pow(length) {
                text.clear();
                text.push_str(start);
                let mut rest = number;
                for _ in 0..length {
                    text.push_str(pieces[rest % pieces.len()]);
                    rest /= pieces.len();
                }
                let parsed = fast.parse(&text);
                assert_eq!(parsed, slow.parse(&text), "{text:?} {base:?}");
                if base.is_none() {
                    assert_eq!(Url::can_parse(&text), parsed.is_ok(), "{text:?}");
                    a_constant_is_what_is_parsed(&text, &parsed);
                }
            }
        }
    }
}

#[test]
fn all_texts_of_three_pieces() {
    agree_on_texts_of(&PIECES, 3);
}

/// Of four without optimisation. `LOCATOR_LONG=7` makes them longer; that takes half an hour.
#[test]
fn all_texts_of_five_pieces() {
    let program = std::env::current_exe().unwrap();
    let is_optimised =
        program.components().any(|part| ["checked", "release"].map(str::as_ref).contains(&part.as_os_str()));
    let most = std::env::var("LOCATOR_LONG").ok().and_then(|most| most.parse().ok());
    agree_on_texts_of(&FEWER_PIECES, most.unwrap_or(if is_optimised { 5 } else { 4 }));
}
