//! What a scheme does not reserve is equivalent to its escape (RFC 1738, 2.2): of all pairs of a URL
//! with a character and with its escape, those are equivalent that have the same plan, and no
//! others.

use locator::edition::RFC1738;
use locator::{Ladder, Rung, UriRef, compare, scheme};

use super::alike::{fetched, options};

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
