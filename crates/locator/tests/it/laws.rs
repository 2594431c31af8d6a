//! What holds for every text and every edition.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use locator::{Charset, Component, Edition, ParseError, PctStr, PctString, UriRef, edition, scheme};
use proptest::prelude::*;

/// Texts that look like references and cross the blocks of 64 octets.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "[a-z0-9]{1,9}",
        1 => "[a-z0-9.]{60,70}",
        6 => "[:/?#@.\\-+%\\[\\];=&]",
        2 => "%[0-9A-Fa-f]{2}",
        1 => "(http|ftp|wais|mailto|news|gopher)://?",
        1 => "\\[::[0-9a-f]{1,4}\\]",
        1 => "(25[0-9]|1?[0-9]{1,2})\\.[0-9]{1,3}\\.[0-9]\\.[0-9]",
        1 => "[éß\u{E000}\u{FFFE}\u{202E}\u{1F600}]{1,3}",
        1 => "%25[a-z0-9]{1,3}",
        1 => "[|{}^ \"<>\\\\\u{0}-\u{1F}é\u{202E}😀]",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Everything that must be true of a text under an edition.
fn obeys(text: &str, edition: &'static Edition) {
    let fast = UriRef::parse_with(text, edition);
    let plain = UriRef::parse_const_with(text, edition);
    let errors: Vec<ParseError> = scheme::errors_with(text, edition).collect();
    match (fast, plain) {
        (Ok(fast), Ok(plain)) => {
            assert_eq!(fast.spans(), plain.spans());
            assert_eq!(fast.edit().to_string(), text);
            nests(fast);
        }
        (Err(fast), Err(plain)) => {
            assert_eq!(fast, plain);
            // The rule of a scheme may find an error before it, or one that covers it.
            let covers = |error: &ParseError| *error == fast || error.span().contains(&fast.offset());
            assert!(errors.iter().any(covers), "{fast} is not among {errors:?}");
        }
        (fast, plain) => panic!("swift {fast:?}, plain {plain:?}"),
    }
    for pair in errors.windows(2) {
        let [one, next] = [&pair[0], &pair[1]].map(ParseError::span);
        // Before an octet that is not allowed something may be missing.
        let is_missing = next.is_empty() && one.start == next.start;
        assert!((one.end <= next.start || is_missing) && one != next, "{pair:?}");
    }
    for error in errors {
        assert!(text.get(error.span()).is_some(), "{error:?} is not in the text");
        assert!(!error.report(text).to_string().contains(|c: char| c.is_control() && c != '\n'));
    }
}

/// The authority is its parts, the user and the password are the userinfo.
fn nests(reference: UriRef<'_>) {
    let Some(authority) = reference.authority() else { return };
    let userinfo = authority.userinfo().map(|userinfo| format!("{userinfo}@")).unwrap_or_default();
    let port = authority.port().map(|port| format!(":{port}")).unwrap_or_default();
    assert_eq!(format!("{userinfo}{}{port}", authority.host()), authority.as_str());
    if let Some(userinfo) = authority.userinfo() {
        let password = userinfo.password().map(|password| format!(":{password}")).unwrap_or_default();
        assert_eq!(format!("{}{password}", userinfo.user()), userinfo.as_str());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn readers_agree_and_parts_compose(text in text()) {
        for edition in edition::ALL.into_iter().chain(edition::WITH_OPTIONS) {
            obeys(&text, edition);
        }
    }

    #[test]
    fn any_octets_are_answered(octets in prop::collection::vec(any::<u8>(), 0..200)) {
        for edition in edition::ALL {
            let read = UriRef::parse_bytes_with(&octets, edition);
            let may_be_read = octets.is_ascii() || edition.allows(Component::Path, 'é') && str::from_utf8(&octets).is_ok();
            prop_assert!(read.is_err() || may_be_read);
        }
    }

    #[test]
    fn escaping_is_undone(octets in prop::collection::vec(any::<u8>(), 0..200)) {
        for edition in edition::ALL {
            for set in [edition.unreserved(), edition.set(Component::Path), edition.set(Component::Query)] {
                let escaped = PctString::encode(&octets, set);
                prop_assert_eq!(&*escaped.as_pct_str().decode(), &octets[..]);
                prop_assert_eq!(PctStr::new(escaped.as_str()), Ok(escaped.as_pct_str()));
            }
        }
    }

    #[test]
    fn text_is_what_the_charset_says(text in "\\PC{0,40}") {
        let escaped = PctString::encode(text.as_bytes(), edition::RFC3986.unreserved());
        prop_assert_eq!(escaped.as_pct_str().decode_with(Charset::Utf8).unwrap(), text);
    }
}

/// A megabyte of anything is read, and all its errors told, in time that grows with its length:
/// were it to grow with its square, this test would take days.
#[test]
fn a_megabyte_of_anything_is_linear() {
    const MEGABYTE: usize = 1 << 20;
    let pieces = [
        "a:", "a", "|", "%", "%4", "[", "]", "://", "/", "?", "#", "+", "@", ":", ".", "a.", "-", "0", "é",
        "\0", "a@", "1:", "|:", "..", "//", "%00", "[:", "::",
    ];
    let starts = [
        "", "a:", "//", "a://", "a://b@", "a://b:", "//[", "a:?", "?", "#", "URL:", "//a@", "1a:", "http://",
    ];
    for edition in edition::ALL {
        for piece in pieces {
            let rest = piece.repeat(MEGABYTE / piece.len() / starts.len());
            for start in starts {
                let text = format!("{start}{rest}");
                let count = scheme::errors_with(&text, edition)
                    .filter(|error| error.span().end <= text.len())
                    .count();
                let reference = UriRef::parse_with(&text, edition).ok();
                let is_right = reference.is_some_and(|one| scheme::check(one).is_none_or(|it| it.is_ok()));
                assert_eq!(is_right, count == 0);
            }
        }
    }
}

#[test]
fn ten_megabytes_and_a_port_of_a_thousand_digits() {
    let long = "a:".repeat(5 << 20);
    let read = UriRef::parse(&long).unwrap();
    assert_eq!(read.scheme().unwrap(), "a");
    assert_eq!(read.path().as_str().len(), long.len() - 2);

    let port = "7".repeat(1_000);
    let text = format!("http://h:{port}/");
    let read = UriRef::parse(&text).unwrap();
    assert_eq!(read.authority().unwrap().port().unwrap().as_str(), port);
    assert_eq!(read.authority().unwrap().port().unwrap().number(), None);
}

proptest! {
    /// Escaping what the list of errors shows makes a valid URL, which has no errors.
    #[test]
    fn nothing_is_left_to_correct(rest in "[a-c?;:@&=~^|é %]{0,12}", which in 0_usize..6) {
        let start = [
            "http://h.dom/",
            "gopher://h.dom/0",
            "ftp://h.dom/",
            "prospero://h.dom/",
            "wais://h.dom/a?",
            "file:///",
        ][which];
        for edition in [&edition::URL_1993, &edition::URL_1994, &edition::RFC1738] {
            let text = format!("{start}{rest}");
            let errors: Vec<_> = scheme::errors_with(&text, edition).collect();
            let can_be_escaped =
                errors.iter().all(|error| !error.span().is_empty() && error.offset() >= start.len());
            prop_assume!(can_be_escaped);
            let mut corrected = text.clone();
            for error in errors.iter().rev() {
                let escaped: String =
                    text.as_bytes()[error.span()].iter().map(|octet| format!("%{octet:02X}")).collect();
                corrected.replace_range(error.span(), &escaped);
            }
            let left: Vec<_> = scheme::errors_with(&corrected, edition).map(|error| error.to_string()).collect();
            prop_assert!(left.is_empty(), "{edition}: {text:?} became {corrected:?}: {left:?}");
        }
    }
}
