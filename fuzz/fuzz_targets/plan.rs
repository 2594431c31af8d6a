//! Any text in every edition and scheme: no byte of it ends a line of a plan or begins another
//! command, and every part that a scheme reports is an excerpt of the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locator::plan::{Options, Server, Step};
use locator::scheme::{self, FieldValue};
use locator::{SpannedStr, UriRef, edition};

fuzz_target!(|octets: &[u8]| {
    let Ok(text) = core::str::from_utf8(octets) else { return };
    for edition in edition::ALL {
        let Ok(reference) = UriRef::parse_with(text, edition) else { continue };
        if let Some(Ok(fields)) = scheme::fields(reference) {
            fields.iter().for_each(|field| match &field.value {
                FieldValue::One(one) => is_of(text, *one),
                FieldValue::Many(all) => all.iter().for_each(|one| is_of(text, *one)),
                FieldValue::Pairs(pairs) => pairs.iter().for_each(|(name, value)| {
                    is_of(text, *name);
                    is_of(text, *value);
                }),
                _ => {}
            });
        }
        let server = Some(Server { host: "h", port: None });
        for proxy in [None, server] {
            let mut options = Options::new().low_ports(true).afs("/afs");
            (options.news_server, options.proxy) = (server, proxy);
            match scheme::plan(reference, &options) {
                Ok(plan) => {
                    plan.messages().for_each(lines_are_whole);
                    let printed = plan.to_string();
                    assert!(
                        printed.chars().all(|c| c == '\n' || c == ' ' || c.is_ascii_graphic()),
                        "{printed:?}"
                    );
                    for step in plan.all_steps() {
                        if let Step::Connect(to) = step {
                            assert!(
                                !to.host.is_empty() && !to.host.contains(['\r', '\n', '\0', ' ', '/', '@'])
                            );
                            assert!(to.port > 0);
                        }
                    }
                }
                Err(error) => {
                    assert!(error.span().is_none_or(|span| text.get(span).is_some()), "{error}");
                }
            }
        }
    }
});

/// Checks that an excerpt is the text at its position.
fn is_of(text: &str, excerpt: SpannedStr<'_>) {
    assert_eq!(&text[excerpt.span()], excerpt.as_str());
    let placed: Vec<u8> = excerpt.placed().map(|(octet, _)| octet).collect();
    assert_eq!(*excerpt.decode(), *placed);
}

/// Checks that lines contain CR and LF only at their end, and no NUL, except in the data block of
/// Gopher+.
fn lines_are_whole(message: &locator::plan::Message) {
    if !message.is_lines() {
        return;
    }
    let octets = message.to_bytes();
    assert!(octets.ends_with(b"\n"), "{octets:?}");
    assert!(!octets.contains(&0), "{octets:?}");
    assert_eq!(octets.iter().filter(|&&octet| octet == b'\n').count(), message.lines(), "{octets:?}");
    let returns = octets.iter().filter(|&&octet| octet == b'\r').count();
    assert!(returns == 0 || returns == message.lines(), "{octets:?}");
}
