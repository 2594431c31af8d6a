//! References to other crates' types and back: nothing is lost, nothing becomes something else.
#![cfg(all(feature = "http", feature = "url"))]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use http::Uri as HttpUri;
use locator::{Component, ConvertError, Level, Uri, UriBuf, UriRef, UriRefBuf, compare, edition};
use proptest::prelude::*;
use url::Url;

fn message(result: Result<impl ToString, ConvertError>) -> String {
    match result {
        Ok(made) => made.to_string(),
        Err(ConvertError::NotValid(error)) => format!("not valid at {}", error.span().start),
        Err(ConvertError::Component { component: part }) => format!("no {}", part.name()),
        Err(ConvertError::Form { kind }) => format!("no {}", kind.name()),
        Err(ConvertError::Rewritten { component: part }) => format!("another {}", part.name()),
        Err(ConvertError::RequestTarget) => "a target".to_owned(),
        Err(ConvertError::Http(_) | ConvertError::Url(_)) => "refused".to_owned(),
        Err(error) => panic!("{error:?} is new"),
    }
}

#[test]
fn to_http() {
    for (given, stated) in [
        ("http://h/a?b", "http://h/a?b"),
        ("http://u:p@h:8080/a?b", "http://u:p@h:8080/a?b"),
        ("HTTP://H", "http://H/"),
        ("http://h?", "http://h/?"),
        ("x://h/a", "x://h/a"),
        ("x://h", "another path"),
        ("/a/b?c", "/a/b?c"),
        ("/", "/"),
        ("/a#b", "no fragment"),
        ("http://h/#", "no fragment"),
        ("a/b", "no relative-path"),
        ("", "no empty"),
        ("?a", "no query"),
        ("//h/a", "no network-path"),
        ("mailto:a", "no uri"),
        ("http:/a", "no uri"),
        ("*", "no relative-path"),
        ("http://h:65536/", "http://h:65536/"),
        ("http:///a", "refused"),
    ] {
        assert_eq!(message(HttpUri::try_from(UriRef::parse(given).unwrap())), stated, "{given}");
    }
}

#[test]
fn from_http() {
    for (given, stated) in [
        ("http://h/a?b", "http://h/a?b"),
        ("http://h", "http://h/"),
        ("/a?b", "/a?b"),
        ("h:80", "a target"),
        ("*", "a target"),
        ("//a/b", "another authority"),
        ("/a|b", "not valid at 2"),
        ("/{a}", "not valid at 1"),
    ] {
        let given: HttpUri = given.parse().unwrap();
        assert_eq!(message(UriRefBuf::try_from(&given)), stated, "{given}");
    }
    assert_eq!(message(UriBuf::try_from(&HttpUri::from_static("/a"))), "not valid at 0");
}

#[test]
fn to_url() {
    for (given, stated) in [
        ("http://h/a?b#c", "http://h/a?b#c"),
        ("HTTP://Example.COM:80/./a/%7E", "http://example.com/a/%7E"),
        ("http://h", "http://h/"),
        ("http://[0:0::1]/", "http://[::1]/"),
        ("mailto:a@b", "mailto:a@b"),
        ("urn:a:b", "urn:a:b"),
        ("x://h", "x://h"),
        ("x:/.//a", "x:/.//a"),
        ("file://localhost/a", "file:///a"),
        ("file:/a", "file:///a"),
        ("http:a", "another authority"),
        ("http:///a", "another host"),
        ("http://0x7f.1/", "another host"),
        ("http://127.1/", "another host"),
        ("http://%C3%A9/", "another host"),
        ("http://@h/", "another userinfo"),
        ("http://u:@h/", "another userinfo"),
        ("http://h/?it's", "another query"),
        ("file:///C:/../a", "another path"),
        ("http://h:65536/", "refused"),
        ("http://a%00b/", "refused"),
        ("/a", "no absolute-path"),
    ] {
        assert_eq!(message(Url::try_from(UriRef::parse(given).unwrap())), stated, "{given}");
    }
}

#[test]
fn from_url() {
    for (given, stated) in [
        ("http://H/a b", Ok("http://h/a%20b")),
        ("http://é/", Ok("http://xn--9ca/")),
        ("http://h/a|b", Err((10, Component::Path))),
        ("http://h/[a]^", Err((9, Component::Path))),
        ("http://h/%zz", Err((9, Component::Path))),
        ("http://h/?a|b", Err((11, Component::Query))),
        ("http://h/#a|b", Err((11, Component::Fragment))),
        ("x:a b", Err((3, Component::Path))),
    ] {
        let url = Url::parse(given).unwrap();
        let found = Uri::try_from(&url)
            .map(|uri| uri.as_str())
            .map_err(|error| (error.span().start, error.component()));
        assert_eq!(found, stated, "{given}");
        assert_eq!(UriBuf::try_from(url.clone()).is_ok(), stated.is_ok());
    }
}

#[test]
fn what_another_edition_reads_otherwise() {
    let by = |text, edition| UriRef::parse_with(text, edition).unwrap();
    assert_eq!(message(Url::try_from(by("URL:http://h/", &edition::URL_1994))), "another prefix");
    assert_eq!(message(Url::try_from(by("ftp://a?b@h/", &edition::RFC1738))), "another authority");
    assert_eq!(message(Url::try_from(by("http://h/a", &edition::RFC1738))), "http://h/a");
    assert_eq!(message(HttpUri::try_from(by("http://h/\"", &edition::URL_1993))), "not valid at 9");
}

/// Texts that often are URIs, and often such as others rewrite.
fn text() -> impl Strategy<Value = String> {
    let start = prop_oneof![
        6 => "(http|HTTPS|ftp|ws|x|file|gopher)://?",
        1 => "(http|x|mailto|file):",
        1 => "/|//|",
    ];
    let login = prop_oneof![5 => "", 1 => "u@|u:p@|@|:@|u:@|%41@"];
    let host = prop_oneof![
        4 => "[a-zA-Z0-9]{1,3}(\\.[a-z0-9]{1,2})?",
        2 => "0x7f|1\\.2|10\\.0\\.0\\.1|256\\.0\\.0\\.1|localhost|LocalHost",
        1 => "\\[(::1|1:0::0|::ffff:1\\.2\\.3\\.4|v1\\.a)\\]",
        1 => "%41|%C3%A9|_|a,b|a~|",
    ];
    let port = prop_oneof![4 => "", 1 => ":", 2 => ":0?(80|443|21|70|65536)"];
    let piece = "/|\\.\\.?|%2[eEfF]|%7[cCeE]|[a-cC]|[:;@!$&'()*+,=~]|[?#]|%[0-9a-f]{2}|C:";
    let rest = prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat());
    (start, login, host, port, rest)
        .prop_map(|(start, login, host, port, rest)| format!("{start}{login}{host}{port}{rest}"))
}

/// The path as the URL standard tells it: without the "/." that keeps one that begins with "//"
/// from being an authority ("/.//x"), which it writes and does not count.
fn path(uri: UriRef<'_>) -> &str {
    let path = uri.path().as_str();
    let without_prefix =
        path.strip_prefix("/.").filter(|rest| rest.starts_with("//") && uri.authority().is_none());
    without_prefix.unwrap_or(path)
}

#[test]
fn a_disambiguating_prefix_is_not_part_of_the_path() {
    let made = Url::try_from(UriRef::parse("x:/0/..//").unwrap()).unwrap();
    assert_eq!((made.as_str(), made.path()), ("x:/.//", "//"));
    assert_eq!(path(Uri::try_from(&made).unwrap().as_uri_ref()), made.path());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6_000, ..ProptestConfig::default() })]

    /// What is converted is the same when it comes back.
    #[test]
    fn nothing_becomes_something_else(text in text()) {
        let Ok(given) = UriRef::parse(&text) else { return Ok(()) };
        if let Ok(made) = HttpUri::try_from(given) {
            let back = UriRefBuf::try_from(&made).unwrap();
            let back = back.as_uri_ref();
            prop_assert_eq!(given.normalize(Level::Scheme), back.normalize(Level::Scheme));
            prop_assert_eq!(given.authority().map(|one| one.as_str()), made.authority().map(|one| one.as_str()));
            prop_assert_eq!(given.component(Component::Query), made.query());
        }
        if let Ok(made) = Url::try_from(given) {
            let back = Uri::try_from(&made).unwrap();
            let host = |one: UriRef<'_>| one.authority().and_then(|authority| authority.host().ipv6());
            let same = compare(given, back).unwrap().is_equivalent();
            prop_assert!(same || host(given).is_some() && host(given) == host(back.as_uri_ref()), "{} became {}", given, made);
            prop_assert_eq!(back.component(Component::Host).unwrap_or_default(), made.host_str().unwrap_or_default());
            prop_assert_eq!(path(back.as_uri_ref()), made.path());
            prop_assert_eq!(back.component(Component::Query), made.query());
            prop_assert_eq!(back.component(Component::Fragment), made.fragment());
        }
    }

    /// What the URL standard reads is, as a URI, read with the same components, or refused.
    #[test]
    fn a_url_is_its_text(text in text()) {
        let Ok(url) = Url::parse(&text) else { return Ok(()) };
        let Ok(uri) = Uri::try_from(&url) else { return Ok(()) };
        prop_assert_eq!(uri.scheme().as_str(), url.scheme());
        prop_assert_eq!(uri.component(Component::Host).unwrap_or_default(), url.host_str().unwrap_or_default());
        prop_assert_eq!(path(uri.as_uri_ref()), url.path());
        // And it is a URL again, the same.
        if let Ok(again) = Url::try_from(uri) {
            prop_assert_eq!(again, url);
        }
    }
}
