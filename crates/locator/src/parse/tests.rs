//! Tests that all implementations return the same spans and errors for every text.

use std::format;
use std::string::String;

use proptest::prelude::*;

use super::read_const;
use crate::edition;
use crate::reference::UriRef;

fn assert_both_agree(text: &str) {
    for edition in edition::ALL {
        assert_eq!(
            UriRef::parse_with(text, edition).map(UriRef::spans),
            read_const(text, edition),
            "{text:?} by {edition}"
        );
    }
}

#[test]
fn of_one_octet_in_every_place() {
    for octet in (0..128).chain([0xE9]) {
        let octet = char::from(octet);
        let path = "p".repeat(70);
        for text in [
            format!("http://h/a{octet}b"),
            format!("http://h/a?{octet}b"),
            format!("http://h/a?b{octet}"),
            format!("http://h?{octet}+{octet}#a{octet}"),
            format!("http://h/%4{octet}"),
            format!("http://h{octet}x.y/"),
            format!("http://1h.{octet}/"),
            format!("http://h.3m{octet}_\"/"),
            format!("//h_{octet}?"),
            format!("http://h;{octet}:1/~"),
            format!("URL:h://{octet};h#"),
            format!("x://a?b{octet}c@h/?d@e"),
            format!("x://a{octet}b?c:d@h:1"),
            format!("x://h?a{octet}b@c#d@e"),
            // A scheme of url-1993 may have escapes.
            format!("h%{octet}://a|b/"),
            format!("ht{octet}p://h/"),
            format!("http://h/{path}{octet}{path}?a%4{octet}#{octet}"),
            format!("http://h/{path}?{path}%{octet}1#{path}{octet}"),
        ] {
            assert_both_agree(&text);
        }
    }
}

#[test]
fn of_hosts_of_every_length_at_the_end() {
    for start in ["", "user@", "u@u", "x", "u?v@"] {
        for host in ["a", "a.", "1", "a-", ".b"] {
            for len in 0..140 {
                assert_both_agree(&format!("http://{start}{}", host.repeat(len)));
                assert_both_agree(&format!("http://{start}{}.", host.repeat(len)));
            }
        }
    }
}

/// Tests all combinations of a start and a few octets that are delimiters or are not allowed in
/// some component.
#[test]
fn of_all_short_texts() {
    const OCTETS: [&str; 14] = ["a", "%", "1", ":", "/", "?", "#", "@", "[", "]", ".", "|", "+", "é"];
    for start in
        ["", "//", "a:", "a://", "a://b@", "a://b:c@", "a://[", "a://h:", "URL:", "%41://", "a://b%4"]
    {
        for number in 0..OCTETS.len().pow(3) {
            let octets = [number / 196, number / 14 % 14, number % 14].map(|i| OCTETS[i]);
            assert_both_agree(&format!("{start}{}", octets.concat()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn of_any_text(text in "(http://|//|URL:)?[a-z0-9._;-]{0,9}[a-zA-Z0-9:/?#@.%|+\"_ \\[\\]é-]{0,90}") {
        assert_both_agree(&text);
    }

    #[test]
    fn of_logins_that_may_contain_anything(text in "(x://|URL:x://|//)[a?@:/#.1-]{0,12}[a?@:/#%|]{0,70}") {
        assert_both_agree(&text);
    }

    #[test]
    fn of_short_texts(text in "(http:|a:|x-1:|URL:)?(//)?[a%41:/?#@\\[\\].|+é-]{0,30}") {
        assert_both_agree(&text);
    }

    #[test]
    fn of_long_texts(start in "http://[a-z1.-]{1,70}", rest in "[/?#%4a+|]{0,200}", fill in 0..200_usize) {
        let filled: String = rest.replacen('a', &"a".repeat(fill), 2);
        assert_both_agree(&format!("{start}/{filled}"));
    }
}
