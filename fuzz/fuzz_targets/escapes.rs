//! Escaping any bytes and unescaping them returns the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locator::{Charset, PctStr, PctString, Component, edition};

fuzz_target!(|octets: &[u8]| {
    for edition in edition::ALL {
        for set in [edition.unreserved(), edition.set(Component::Path), edition.set(Component::Fragment)] {
            let escaped = PctString::encode(octets, set);
            assert_eq!(&*escaped.as_pct_str().decode(), octets);
            assert_eq!(PctStr::new(escaped.as_str()), Ok(escaped.as_pct_str()));
            assert_eq!(
                escaped.as_pct_str().decode_with(Charset::Utf8).ok().as_deref(),
                core::str::from_utf8(octets).ok()
            );
        }
    }
    if let Ok(text) = core::str::from_utf8(octets)
        && let Ok(escaped) = PctStr::new(text)
    {
        assert!(escaped.decode().len() <= text.len());
        assert_eq!(escaped.decode_with(Charset::Latin1).unwrap().chars().count(), escaped.decode().len());
    }
});
