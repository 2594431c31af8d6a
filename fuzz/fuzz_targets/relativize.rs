//! Any base and any target, a line each: the relative reference always resolves to the target, and
//! it is not longer than the target.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locator::{Base, ResolveError, Resolved, Uri, edition};

fuzz_target!(|text: &str| {
    let Some(texts) = text.split_once('\n') else { return };
    for edition in edition::ALL.into_iter().filter(|edition| edition.defines_resolution()) {
        let (Ok(base), Ok(target)) = (Uri::parse_with(texts.0, edition), Uri::parse_with(texts.1, edition))
        else {
            continue;
        };
        let base = Base::new(base).expect("it has a scheme");
        match base.make_relative(target) {
            Ok(relative) => {
                assert!(relative.as_str().len() <= target.as_str().len(), "{edition} {texts:?} {relative}");
                let back = base.resolve(relative.as_uri_ref()).map(Resolved::into_uri);
                assert_eq!(back, Ok(Some(target.to_owned())), "{edition} {texts:?} {relative}");
            }
            Err(error) => {
                assert!(matches!(error, ResolveError::Unreachable { edition: of, .. } if of == edition));
                // A target that resolves to itself has at least one reference.
                let itself = base.resolve(target).map(Resolved::into_uri);
                assert_ne!(itself, Ok(Some(target.to_owned())), "{edition} {texts:?}");
            }
        }
    }
});
