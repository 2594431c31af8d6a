//! Escaping any bytes and unescaping them returns the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locator::{Charset, Escaped, EscapedBuf, Part, edition};

fuzz_target!(|octets: &[u8]| {
    for edition in edition::ALL {
        for set in [edition.unreserved(), edition.set(Part::Path), edition.set(Part::Fragment)] {
            let escaped = EscapedBuf::escape(octets, set);
            assert_eq!(&*escaped.as_escaped().octets(), octets);
            assert_eq!(Escaped::new(escaped.as_str()), Ok(escaped.as_escaped()));
            assert_eq!(
                escaped.as_escaped().text(Charset::Utf8).ok().as_deref(),
                core::str::from_utf8(octets).ok()
            );
        }
    }
    if let Ok(text) = core::str::from_utf8(octets)
        && let Ok(escaped) = Escaped::new(text)
    {
        assert!(escaped.octets().len() <= text.len());
        assert_eq!(escaped.text(Charset::Latin1).unwrap().chars().count(), escaped.octets().len());
    }
});
