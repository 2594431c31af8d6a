//! References in and out of JSON, with the feature `serde`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![cfg(feature = "serde")]

use locator::{Uri, UriBuf, UriRef, UriRefBuf};

#[test]
fn written_as_they_stand_and_read_back() {
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
    assert!(error.to_string().starts_with("a space may not stand in the path, at octet 1"), "{error}");
    let error = serde_json::from_str::<UriBuf>(r#""/a""#).unwrap_err();
    assert!(error.to_string().contains("expected a scheme and \":\", but"), "{error}");
}
