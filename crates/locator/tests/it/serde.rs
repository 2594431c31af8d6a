//! References in and out of JSON, with the feature `serde`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![cfg(feature = "serde")]

use locator::edition::{RFC3986_WITH_ZONES, RFC3987, SameDocument};
use locator::{Component, Edition, Level, ResolveOptions, Uri, UriBuf, UriRef, UriRefBuf, UriRefCow};

#[test]
fn written_unchanged_and_read_back() {
    let uri = Uri::parse("HTTP://a/%7Eb").unwrap();
    let json = serde_json::to_string(&uri).unwrap();
    assert_eq!(json, r#""HTTP://a/%7Eb""#);
    assert_eq!(serde_json::from_str::<Uri<'_>>(&json).unwrap(), uri);
    assert_eq!(serde_json::from_str::<UriBuf>(&json).unwrap().as_uri(), uri);
    assert_eq!(serde_json::from_str::<UriRef<'_>>(&json).unwrap(), UriRef::from(uri));
    assert_eq!(serde_json::from_str::<UriRefBuf>(r#""..\/a""#).unwrap(), "../a");
}

#[test]
fn what_is_none_is_refused_with_the_reason() {
    let error = serde_json::from_str::<UriRefBuf>(r#""a b""#).unwrap_err();
    assert!(error.to_string().starts_with("a space is not allowed in the path, at byte 1"), "{error}");
    let error = serde_json::from_str::<UriBuf>(r#""/a""#).unwrap_err();
    assert!(error.to_string().contains("expected a scheme and \":\", found"), "{error}");
}

#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Settings {
    #[serde(with = "locator::serde::rfc3987")]
    home: UriBuf,
    #[serde(with = "locator::serde::rfc1738", default)]
    old: Option<UriRefBuf>,
    edition: &'static Edition,
    level: Level,
    component: Component,
    options: ResolveOptions,
}

#[test]
fn settings_of_a_program() {
    let settings = Settings {
        home: UriBuf::parse_with("http://h/é", &RFC3987).unwrap(),
        old: None,
        edition: &RFC3986_WITH_ZONES,
        level: Level::Syntax,
        component: Component::Userinfo,
        options: ResolveOptions::new().same_document(SameDocument::Base),
    };
    let json = serde_json::to_string(&settings).unwrap();
    assert_eq!(
        json,
        r#"{"home":"http://h/é","old":null,"edition":"rfc3986+zones","level":"syntax","component":"userinfo","#
            .to_owned()
            + r#""options":{"path_underflow":null,"same_document":"base","same_scheme_is_relative":false,"#
            + r#""path_relative":false}}"#
    );
    assert_eq!(serde_json::from_str::<Settings>(&json).unwrap(), settings);
    assert_eq!(settings.home.edition(), &RFC3987);
    let refused = |from: &str, to: &str| {
        serde_json::from_str::<Settings>(&json.replace(from, to)).expect_err("refused").to_string()
    };
    assert!(refused("null,\"edition", "\"http://h/~\",\"edition").contains(" 9 "));
    assert!(refused("rfc3986+zones", "rfc1").contains("the name of an edition: url-1993"));
    assert!(refused("\"syntax", "\"simple").contains("the name of a level: syntax"));
    assert!(refused("path_relative", "path").contains("path_underflow"));
}

#[test]
fn a_cow_borrows_what_has_no_escape() {
    let borrowed: UriRefCow<'_> = serde_json::from_str(r#""/a""#).unwrap();
    assert!(borrowed.is_borrowed() && borrowed == "/a");
    let owned: UriRefCow<'_> = serde_json::from_str(r#""\/a""#).unwrap();
    assert!(!owned.is_borrowed() && owned == "/a");
}
