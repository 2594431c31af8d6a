//! What a scheme does not reserve is equivalent to its escape (RFC 1738, 2.2): of all pairs of a URL
//! with a character and with its escape, those are equivalent that have the same plan, and no
//! others. What an edition does not reserve is equivalent to its escape in every edition, if the plan
//! is the same.

use locator::edition::{ALL, RFC1738, URI_2003, WITH_OPTIONS};
use locator::{Component, Edition, HostKind, Ladder, Rung, UriRef, compare, scheme};

use super::alike::{fetched, options, text};
use proptest::prelude::*;

/// URLs of every scheme that RFC 1738 has a rule for; "{}" is the place of the character.
const PLACES: [&str; 28] = [
    "ftp://h/a{}b",
    "ftp://h/{}",
    "ftp://h/a{}b/c?d",
    "ftp://h/a?b{}c;type=A",
    "ftp://h/a;type{}i",
    "ftp://u{}x@h/",
    "ftp://u:p{}x@h/",
    "gopher://h/{}a",
    "gopher://h/0{}",
    "gopher://h/7a%09b{}c",
    "gopher://h/0a?{}b",
    "mailto:a{}b@h.d",
    "mailto:{}a@h.d",
    "mailto:a@h{}d",
    "news:a{}b@h.d",
    "news:a{}b",
    "news:a@h{}d",
    "nntp://h/g{}x/1",
    "nntp://h/g/1{}2",
    "telnet://u{}x@h/",
    "telnet://u:p{}x@h",
    "wais://h/d{}b",
    "wais://h/db?a{}b",
    "wais://h/db/TEXT/a{}b",
    "file:///a{}b",
    "file://localhost/{}",
    "prospero://h/a{}b;n=v",
    "prospero://h/a;n{}x=v{}x",
];

/// More, of other schemes and editions.
const PLACES_OF_OTHERS: [&str; 30] = [
    "http://h/a{}b",
    "http://h/a?b{}c",
    "http://h/a/{}/b",
    "http://h/a#b{}c",
    "http://u{}x:p{}x@h/",
    "https://h.d/{}?{}#{}",
    "ftp://h/a;type=i{}",
    "ftps://h/a{}b",
    "gopher://h/1a?b{}c",
    "gopher://h/1a{}b%09s{}t",
    "mailto:a@h.d?subject=a{}b",
    "mailto:a@h.d?to=a{}b@h.d&cc=x{}y@h.d",
    "mailto:a{}b%20c@h.d,d@h.d",
    "mid:a{}b@h.d",
    "mid:a@h.d/b{}c@h.d",
    "cid:a{}b@h.d",
    "news://h/a{}b@h.d",
    "nntp://h/g{}x",
    "wais://h/db/t/5/a{}b",
    "wais://h/db/t/1=a{}b;",
    "wais://h/db/t/3/1=a{}b;",
    "wais://h/db?a{}b+c",
    "prospero://h/a{}b%00{}%00c{}d",
    "prospero://h/a{}b",
    "data:text/plain,a{}b",
    "data:a{}b;c={}d,x",
    "urn:isbn:a{}b",
    "urn:x-a:b{}c?+d{}e?=f{}g",
    "z39.50r://h:210/a{}b+c?d{}e",
    "x-own://h/a{}b?c{}d",
];

fn parse(text: &str) -> Option<UriRef<'_>> {
    let reference = UriRef::parse_with(text, &RFC1738).ok()?;
    matches!(scheme::check(reference), Some(Ok(()))).then_some(reference)
}

#[test]
fn a_character_and_its_escape_are_equivalent_where_they_have_the_same_plan() {
    let mut equivalent = 0;
    for place in PLACES {
        for octet in b";/?:@=&+" {
            let literal = place.replace("{}", &char::from(*octet).to_string());
            let escaped = place.replace("{}", &format!("%{octet:02x}"));
            let (Some(one), Some(other)) = (parse(&literal), parse(&escaped)) else { continue };
            let plans = [one, other].map(|reference| fetched(reference, &options()));
            if plans == [None, None] {
                continue;
            }
            let rung = compare(one, other).expect("both have a scheme").rung;
            assert_eq!(rung.is_some(), plans[0] == plans[1], "{literal} {escaped}");
            let keys = [one, other].map(|reference| Ladder::new().key(reference));
            assert_eq!(rung.is_some(), keys[0] == keys[1], "{literal} {escaped}");
            equivalent += u32::from(rung == Some(Rung::Scheme));
        }
    }
    assert!(equivalent > 60, "{equivalent}");
}

/// The URL with the character at a byte written as its escape.
fn escaped_at(text: &str, at: usize) -> String {
    format!("{}%{:02x}{}", &text[..at], text.as_bytes()[at], &text[at + 1..])
}

/// Parses valid texts.
fn by(edition: &'static Edition) -> impl for<'a> Fn(&'a str) -> UriRef<'a> {
    move |text| UriRef::parse_with(text, edition).expect("it is valid")
}

/// Whether a character of a URL that its edition does not reserve is equivalent to its escape: always if
/// both have the same plan.
fn is_alike_escaped(text: &str, edition: &'static Edition) -> u32 {
    let valid = |text: &str| -> bool {
        let parsed = UriRef::parse_with(text, edition);
        parsed.is_ok_and(|parsed| matches!(scheme::check(parsed), None | Some(Ok(()))))
    };
    let parse = by(edition);
    if !valid(text) {
        return 0;
    }
    let is_unreserved = |octet: u8| edition.unreserved().contains(octet);
    let mut equivalent = 0;
    for at in (0..text.len()).filter(|at| is_unreserved(text.as_bytes()[*at])) {
        let escaped = escaped_at(text, at);
        if !valid(&escaped) {
            continue;
        }
        let (one, other) = (parse(text), parse(&escaped));
        // No document says that a scheme's name may be escaped, nor the hex digits of an escape.
        let digits = text[..at].rfind('%').is_some_and(|percent| at - percent <= 2);
        // ":" ends a user, also where no plan sends it.
        let userinfo =
            one.component(Component::Userinfo).and_then(|userinfo| Some((text.find(userinfo)?, userinfo)));
        let ends_user = text.as_bytes()[at] == b':'
            && userinfo.is_some_and(|(start, userinfo)| (start..start + userinfo.len()).contains(&at));
        // Another registry defines the characters of its names.
        let kind = |reference: UriRef<'_>| reference.authority().map(|authority| authority.host().kind());
        let is_registry = [one, other].into_iter().any(|one| kind(one) == Some(HostKind::Registry));
        // In a hierarchy of 2003 an escaped "." or ".." is the name of a segment.
        let segment = text[..at].rfind('/').map_or(0, |slash| slash + 1)
            ..text[at..].find(['/', '?', '#']).map_or(text.len(), |end| at + end);
        let is_dots = *edition == URI_2003
            && matches!(&*text[segment].replace("%2e", ".").replace("%2E", "."), "." | "..");
        // Delimiters of URLs without an authority are compared as they are written, although some schemes do
        // not divide there in the editions that reserve few characters: `news:a%3Ab@h` of 1993.
        // "+" divides words where a scheme has them.
        let octet = text.as_bytes()[at];
        let is_delimiter = octet == b'+' || one.authority().is_none() && b":@&=,;?".contains(&octet);
        if digits
            || is_delimiter
            || is_registry
            || is_dots
            || ends_user
            || one.scheme().is_none()
            || one.scheme() != other.scheme()
        {
            continue;
        }
        let [plan, plan_of_other] = [one, other].map(|reference| fetched(reference, &options()));
        if plan.is_none() || plan != plan_of_other {
            continue;
        }
        let comparison = compare(one, other).expect("both have a scheme");
        assert!(comparison.is_equivalent(), "{edition:?}: {text} {escaped}");
        let rungs = comparison.differences.iter().map(|difference| difference.kind.rung());
        assert!(rungs.into_iter().all(|rung| rung.is_some()), "{edition:?}: {text} {escaped} {comparison:?}");
        let keys = [one, other].map(|reference| Ladder::new().key(reference));
        assert_eq!(keys[0], keys[1], "{edition:?}: {text} {escaped}");
        equivalent += 1;
    }
    equivalent
}

#[test]
fn what_no_edition_reserves_is_equivalent_to_its_escape() {
    let mut equivalent = 0;
    for edition in ALL.into_iter().chain(WITH_OPTIONS) {
        for place in PLACES.into_iter().chain(PLACES_OF_OTHERS) {
            for octet in b"a0$-_.+!*'(),;:@&~\"=" {
                let text = place.replace("{}", &char::from(*octet).to_string());
                equivalent += is_alike_escaped(&text, edition);
            }
        }
    }
    assert!(equivalent > 10_000, "{equivalent}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn what_no_edition_reserves_is_equivalent_to_its_escape_anywhere(text in text()) {
        for edition in ALL.into_iter().chain(WITH_OPTIONS) {
            is_alike_escaped(&text, edition);
        }
    }
}
