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

/// Returns whether an address begins with this text: whether one of many texts completes it.
fn begins_an_address(text: &str) -> bool {
    let groups = (0..8).flat_map(|count| {
        let groups = "0:".repeat(count);
        [format!("{groups}0"), format!("{groups}0.0.0.0"), groups]
    });
    let rests = groups.flat_map(|groups| ["", ":", "::", "0:"].map(|start| format!("{start}{groups}")));
    let tails = ["", "0", ".0", ".0.0", ".0.0.0", "0.0", "0.0.0", ":0.0.0.0"].map(String::from);
    rests.chain(tails).any(|rest| {
        let whole = format!("{text}{rest}");
        super::host::ipv6(whole.as_bytes(), 0, whole.len()).is_ok()
    })
}

proptest! {
    #[test]
    fn an_error_in_an_ipv6_address_is_where_no_address_goes_on(
        text in prop_oneof![
            "[0-9a:.]{0,12}",
            "(::)?(([1-9]|[0-9a]{1,5}|25[3-7]|0[1])[:.]){1,9}(:?[0-9a]{1,5})?",
            "(::|::ffff:|1:2:3:4:5:6:)([0-9]{1,3}|25[3-7])([.:]([0-9]{1,3}|25[3-7])){0,5}",
        ]
    ) {
        if let Err(at) = super::host::ipv6(text.as_bytes(), 0, text.len()) {
            prop_assert!(begins_an_address(&text[..at]), "{text:?} ends earlier than at {at}");
            let goes_on = at < text.len() && begins_an_address(&text[..=at]);
            prop_assert!(!goes_on, "{text:?} goes on at {at}");
        }
    }
}
