//! Any text in every edition: the fast path agrees with the reference parser, the components
//! compose to the text, and errors are inside the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locator::{UriRef, edition, scheme};

fuzz_target!(|octets: &[u8]| {
    let Ok(text) = core::str::from_utf8(octets) else {
        assert!(edition::ALL.into_iter().all(|edition| UriRef::parse_bytes_with(octets, edition).is_err()));
        return;
    };
    for edition in edition::ALL.into_iter().chain(edition::WITH_OPTIONS) {
        match (UriRef::parse_with(text, edition), UriRef::parse_const_with(text, edition)) {
            (Ok(fast), Ok(reference)) => {
                assert_eq!(fast.spans(), reference.spans());
                assert_eq!(fast.edit().to_string(), text);
            }
            (Err(fast), Err(reference)) => assert_eq!(fast, reference),
            (fast, reference) => panic!("fast path {fast:?}, reference parser {reference:?}"),
        }
        for (count, error) in scheme::errors_with(text, edition).enumerate() {
            assert!(text.get(error.span()).is_some());
            if count < 20 {
                assert!(!error.report(text).to_string().contains(|c: char| c.is_control() && c != '\n'));
            }
        }
    }
});
