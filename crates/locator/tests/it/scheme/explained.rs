//! What an error advises is accepted at its place, and what it lists as expected is not refused
//! there.

use std::collections::BTreeSet;

use locator::edition::{RFC1738, URL_1993, URL_1994};
use locator::{Edition, ParseError, ParseErrorKind, UriRef, scheme};

/// URLs with "¦" in the place of a character.
const FORMS: &[&str] = &[
    "http://h/a¦b",
    "http://h/¦",
    "http://h¦h/",
    "http://h.a¦/b",
    "http://h:8¦0/",
    "http://h/a?b¦c",
    "http://h/a/b¦",
    "https://h/a¦b",
    "ftp://h/a¦b",
    "ftp://h/a/¦b",
    "ftp://h/a;type=¦",
    "ftp://h/a;ty¦pe=a",
    "ftp://u¦v@h/a",
    "ftp://u:p¦q@h/a",
    "ftp://h¦h/a",
    "ftp://h:2¦1/a",
    "gopher://h/0a¦b",
    "gopher://h/¦",
    "gopher://h¦/0a",
    "gopher://h/7a?b¦c",
    "gopher://h/7a%09b¦c",
    "mailto:a¦b@h",
    "mailto:a@h¦h",
    "news:a¦b",
    "news:¦",
    "news:a.b¦c",
    "news:a¦b@h",
    "news:a@h¦h",
    "nntp://h/a¦b/1",
    "nntp://h/a.b/1¦",
    "nntp://h¦/a.b/1",
    "telnet://u¦v@h",
    "telnet://u@h¦h",
    "telnet://h:2¦3",
    "telnet://h/¦",
    "wais://h/d¦e",
    "wais://h/d?s¦t",
    "wais://h/d/t¦u/1=a;",
    "wais://h/d/t/1¦=a;",
    "wais://h/d/t/1=a¦b;",
    "wais://h/d/t/1/a¦b",
    "file://h/a¦b",
    "file://h¦h/a",
    "file:///¦",
    "afs://c¦d/a",
    "afs://c/a¦b",
    "prospero://h/a¦b",
    "prospero://h/a;b¦c=d",
    "prospero://h/a;b=c¦d",
    "prospero://h/a%001¦%00b",
    "prospero://h/a%001%00b¦c",
    "mid:a¦b@c",
    "cid:a@b¦c",
    "tn3270://u¦v@h",
    "rlogin://h¦h",
];

/// Returns the first error of a text as the command shows it.
fn first(text: &str, edition: &'static Edition) -> Option<ParseError> {
    scheme::explain_each(text, edition, scheme::errors_with(text, edition)).next()
}

/// Returns the characters that a list of expected ones names: `letters or any of -_ and "/"`.
fn listed(expects: &str) -> Vec<char> {
    // "A" and "E" may be followed by these.
    let expects = &expects.replace(r#" with or without "N", "T" or "C""#, "");
    let Some((_, list)) = expects.split_once("any of ").or_else(|| expects.split_once("one of ")) else {
        return quoted(expects).collect();
    };
    if list.starts_with("\"a\"") {
        return quoted(list).collect();
    }
    let (characters, rest) = list.split_once(' ').unwrap_or((list, ""));
    // The comma before "at least one" is not one of them.
    let characters =
        if rest.starts_with("at least") { &characters[..characters.len() - 1] } else { characters };
    characters.chars().chain(quoted(rest)).collect()
}

fn quoted(list: &str) -> impl Iterator<Item = char> {
    list.split('"').skip(1).step_by(2).filter(|quoted| quoted.len() == 1).flat_map(str::chars)
}

#[test]
fn errors_advise_and_list_what_is_accepted_in_urls_of_the_scheme() {
    let characters = "|^`{}<>\"\\ \u{7F}é€~#%;:=@?+!*'(),$-_.&/[]";
    let (mut advised, mut seen, mut wrong) = (0, 0, BTreeSet::new());
    for edition in [&URL_1993, &URL_1994, &RFC1738] {
        for form in FORMS {
            for c in characters.chars() {
                let with = |inserted: &str| form.replace('¦', inserted);
                let text = with(&c.to_string());
                let Some(error) = first(&text, edition) else { continue };
                let at = form.find('¦').unwrap_or_default();
                if error.offset() != at || error.kind() != ParseErrorKind::InvalidByte {
                    continue;
                }
                let is_refused = |text: &str| first(text, edition).is_some_and(|error| error.offset() == at);
                if let Some(advice) = error.advice().map(|advice| advice.to_string())
                    && let Some(escape) = advice.strip_prefix("to include it literally, write ")
                {
                    advised += 1;
                    if is_refused(&with(escape)) {
                        wrong.insert(format!("{edition} {form}: {}: {advice}", error.rule().name));
                    }
                }
                for other in listed(error.rule().expects) {
                    seen += 1;
                    if is_refused(&with(&other.to_string())) {
                        wrong.insert(format!("{edition} {form}: {}: {other} is listed", error.rule().name));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(advised > 500 && seen > 5_000, "{advised} {seen}");
}

#[test]
fn every_error_of_a_text_is_explained() {
    let text = "http://a|b:8|0/c;d|e?f|g";
    let expects = |edition: &'static Edition| {
        let errors = scheme::explain_each(text, edition, scheme::errors_with(text, edition));
        errors.map(|error| (error.offset(), error.rule().name)).collect::<Vec<_>>()
    };
    assert_eq!(expects(&RFC1738), [(8, "host"), (12, "port"), (18, "hpath"), (22, "search")]);
    // The rule itself has no ";" in a path.
    let expected = [(8, "host"), (12, "port"), (16, "path"), (18, "path"), (22, "search")];
    assert_eq!(expects(&URL_1994), expected);
}

#[test]
fn an_error_of_another_kind_or_scheme_is_returned_unchanged() {
    for text in ["x-mine://a|b/", "a|b", "http://h/#a|b", "ht|tp://h/", "//h/a|b"] {
        for edition in [&URL_1993, &URL_1994, &RFC1738] {
            for error in scheme::errors_with(text, edition) {
                assert_eq!(scheme::explain(text, error), error, "{text}");
            }
        }
    }
    let error = UriRef::parse("http://h/a|b").unwrap_err();
    assert_eq!(scheme::explain("http://h/a|b", error), error);
}

#[test]
fn what_stands_before_a_host_without_a_login_is_a_user() {
    for (text, edition) in
        [("file://joe@h/x", &RFC1738), ("file://j!oe@h/x", &RFC1738), ("afs://joe@h/x", &URL_1993)]
    {
        let error = first(text, edition).expect(text);
        assert_eq!(error.message().to_string(), "no user is allowed before \"@\" here", "{text}");
    }
    let error = first("http://j|oe@h/", &RFC1738).expect("it is not valid");
    assert_eq!(error.message().to_string(), "no user is allowed before \"@\" here");
}
