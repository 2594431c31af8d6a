//! The cases of `testdata/iri.toml`, and what holds for every IRI and every URI (RFC 3987, section
//! 3).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

#[cfg(feature = "idna")]
mod unicode;

use locator::edition::{RFC3986, RFC3987};
use locator::{Level, UriRef, edition};
use locator_dev::cases;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(rename = "section")]
    _section: Option<String>,
    iri: Option<String>,
    uri: String,
    #[cfg_attr(not(feature = "idna"), allow(dead_code))]
    uri_with_idna: Option<String>,
    as_iri: Option<String>,
}

#[test]
fn every_case_is_converted_as_stated() {
    let cases: Vec<Case> = cases::read("iri.toml");
    assert!(cases.len() > 10);
    for Case { name, iri, uri, uri_with_idna, as_iri, .. } in &cases {
        if let Some(iri) = iri {
            let iri = UriRef::parse_with(iri, &RFC3987).expect(name);
            assert_eq!(iri.to_uri_form().unwrap(), uri.as_str(), "{name}");
            #[cfg(feature = "idna")]
            assert_eq!(
                iri.to_uri_with_idna().unwrap(),
                uri_with_idna.as_ref().unwrap_or(uri).as_str(),
                "{name}"
            );
        }
        #[cfg(not(feature = "idna"))]
        let _ = uri_with_idna;
        if let Some(as_iri) = as_iri {
            assert_eq!(UriRef::parse(uri).unwrap().to_iri_form().unwrap(), as_iri.as_str(), "{name}");
        }
    }
}

/// What holds for an IRI and its URI.
fn has_its_uri(iri: UriRef<'_>) {
    let uri = iri.to_uri_form().unwrap();
    assert_eq!(uri.as_uri_ref().edition(), &RFC3986);
    assert!(uri.as_str().is_ascii());
    assert_eq!(uri.is_borrowed(), iri.as_str().is_ascii(), "an identity transformation for URIs");
    // "The mapping is also … idempotent; applying the mapping a second time will not change
    // anything."
    assert!(uri.as_uri_ref().to_uri_form().unwrap().is_borrowed());
    for level in [Level::Syntax, Level::Scheme] {
        let normal = iri.normalize(level);
        let after = normal.as_uri_ref().to_uri_form().unwrap().into_string();
        assert_eq!(after, uri.as_uri_ref().normalize(level).into_string(), "{iri}");
    }
}

/// What holds for a URI and its IRI.
fn has_its_iri(uri: UriRef<'_>) {
    let iri = uri.to_iri_form().unwrap();
    assert_eq!(iri.as_uri_ref().edition(), &RFC3987);
    assert!(iri.as_uri_ref().to_iri_form().unwrap().is_borrowed());
    // "This procedure … will always result in an IRI that maps back to the URI used as an input for
    // the conversion (except for potential case differences in percent-encoding and for potential
    // percent-encoded unreserved characters)."
    let back = iri.as_uri_ref().to_uri_form().unwrap();
    let normal = |one: UriRef<'_>| one.normalize(Level::Syntax).into_string();
    assert_eq!(normal(back.as_uri_ref()), normal(uri));
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => "[a-zA-Z0-9._~]{1,6}",
        6 => "[:/?#@.\\-+%\\[\\];=&]",
        4 => "[éÉßü納豆\u{E000}\u{10300}\u{202E}\u{F0000}\u{FFFE}\u{301}]{1,3}",
        3 => "%[0-9A-Fa-f]{2}",
        3 => "(%[Cc]3%[Aa]9|%E2%80%[Aa][Ee]|%[Ee]7%b4%8d|%EE%80%80|%[fF]0%90%8c%80|%C3|%[Aa]9|%e2%80|%2[eE])",
        1 => "(http|x|mailto|urn)://?",
        1 => "(http|x|mailto|urn):",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn iris_have_uris(text in text()) {
        if let Ok(iri) = UriRef::parse_with(&text, &RFC3987) {
            has_its_uri(iri);
        }
        for edition in edition::ALL.into_iter().filter(|edition| *edition != &RFC3987) {
            if let Ok(reference) = UriRef::parse_with(&text, edition) {
                // ASCII already, so that RFC 3986 has the last word.
                let read = UriRef::parse(&text).map(UriRef::as_str);
                prop_assert_eq!(reference.to_uri_form().map(|uri| uri.into_string()), read.map(str::to_owned));
            }
        }
    }

    #[test]
    fn uris_have_iris(text in text()) {
        if let Ok(uri) = UriRef::parse(&text) {
            has_its_iri(uri);
        }
    }

    #[cfg(feature = "idna")]
    #[test]
    fn a_domain_name_is_converted_once(text in text()) {
        if let Ok(iri) = UriRef::parse_with(&text, &RFC3987)
            && let Ok(uri) = iri.to_uri_with_idna()
        {
            prop_assert!(uri.as_uri_ref().to_uri_with_idna().unwrap().is_borrowed());
            let without = iri.to_uri_form().unwrap();
            prop_assert_eq!(uri.as_uri_ref().path().as_str(), without.as_uri_ref().path().as_str());
        }
    }
}

/// A megabyte of anything is converted in time that grows with its length.
#[test]
fn a_megabyte_of_anything_is_linear() {
    for piece in ["é", "a", "%C3%A9", "%F0", "%E2%80%AE", "%2e", "/", "\u{10300}", "%F0%90%8C"] {
        let starts = ["", "x:", "//", "//h/", "?", "#", "//h@"];
        let rest = piece.repeat((1 << 20) / piece.len() / starts.len());
        for start in starts {
            let text = format!("{start}{rest}");
            if let Ok(iri) = UriRef::parse_with(&text, &RFC3987) {
                has_its_uri(iri);
            }
            if let Ok(uri) = UriRef::parse(&text) {
                has_its_iri(uri);
            }
        }
    }
}
