//! Any text as an IRI converts to a URI, and any URI to an IRI; both conversions are idempotent and
//! commute with normalising.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locator::edition::{RFC3986, RFC3987};
use locator::{Level, UriRef};

fuzz_target!(|text: &str| {
    let normal = |one: UriRef<'_>, level| one.normalize(level).into_string();
    if let Ok(iri) = UriRef::parse_with(text, &RFC3987) {
        let uri = iri.to_uri_form().expect("every IRI has a URI");
        assert_eq!(uri.as_uri_ref().edition(), &RFC3986);
        assert_eq!(uri.is_borrowed(), text.is_ascii());
        assert!(uri.as_uri_ref().to_uri_form().expect("it is one").is_borrowed());
        for level in [Level::Syntax, Level::Scheme] {
            let after = iri
                .normalize(level)
                .as_uri_ref()
                .to_uri_form()
                .expect("a normal form is an IRI")
                .into_string();
            assert_eq!(after, normal(uri.as_uri_ref(), level));
        }
        if let Ok(uri) = iri.to_uri_with_idna() {
            assert!(uri.as_uri_ref().to_uri_with_idna().expect("it is in ASCII").is_borrowed());
        }
    }
    if let Ok(uri) = UriRef::parse(text) {
        let iri = uri.to_iri_form().expect("every URI is an IRI");
        assert!(iri.as_uri_ref().to_iri_form().expect("it is one").is_borrowed());
        let back = iri.as_uri_ref().to_uri_form().expect("every IRI has a URI");
        assert_eq!(normal(back.as_uri_ref(), Level::Syntax), normal(uri, Level::Syntax));
    }
});
