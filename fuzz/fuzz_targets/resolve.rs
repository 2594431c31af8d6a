//! Any base and any reference, a line each: the target is valid, and equals the target of the model
//! that follows the steps of the document.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locator::edition::{RFC2396, RFC3986, URI_2003, URL_1993, URL_1997};
use locator::{Base, ResolveError, ResolveOptions, Resolved, Uri, UriRef};
use locator_dev::model::{self, Document, Outcome};

fuzz_target!(|text: &str| {
    let Some(texts) = text.split_once('\n') else { return };
    let documents = [
        (&URL_1993, Document::Url1993),
        (&URL_1997, Document::Url1997),
        (&RFC2396, Document::Rfc2396),
        (&URI_2003, Document::Uri2003),
        (&RFC3986, Document::Rfc3986),
    ];
    let mut out = String::new();
    for (edition, document) in documents {
        let (Ok(base), Ok(reference)) = (Uri::parse_with(texts.0, edition), UriRef::parse_with(texts.1, edition))
        else {
            continue;
        };
        let ground = Base::new(base).expect("it has a scheme");
        let found = match ground.resolve_into(reference, ResolveOptions::new(), &mut out) {
            Ok(Resolved::Uri(target)) => {
                assert!(Uri::parse_with(target, edition).is_ok(), "{edition} {target:?}");
                Outcome::Target(target.to_owned())
            }
            Ok(Resolved::CurrentDocument { fragment }) => {
                Outcome::CurrentDocument(fragment.map(|fragment| fragment.to_string()))
            }
            Err(ResolveError::BaseOpaque { .. }) => Outcome::Opaque,
            Err(error) => panic!("{edition} {error}"),
        };
        // The model does not know the schemes of 1993, and it is slow for long texts.
        if *edition != URL_1993 && texts.0.len() + texts.1.len() < 1_000 {
            let stated = model::resolve(document, ground.as_str(), texts.1, document.choices());
            assert_eq!(found, stated, "{edition} {texts:?}");
        }
    }
});
