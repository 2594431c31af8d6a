//! Any text by the URL Standard: the fast paths agree with the state machine, every error is at a place
//! of the text, and no setter makes a URL that is parsed as another one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locator_whatwg::{Url, UrlRef, quirks, validate};

fuzz_target!(|input: (&str, Option<&str>, &str)| {
    let (text, base, value) = input;
    let base = base.and_then(|base| Url::parse(base).ok());
    let fast = Url::options().base_url(base.as_ref()).parse(text);
    // Who listens for errors is served by the state machine.
    let listener = |_| {};
    let plain = Url::options().base_url(base.as_ref()).syntax_violation_callback(Some(&listener)).parse(text);
    assert_eq!(fast, plain);
    let errors = validate(text, base.as_ref());
    assert_eq!(errors.last().is_some_and(|error| error.is_failure()), fast.is_err());
    assert!(errors.iter().all(|error| text.get(error.span()).is_some()));
    if base.is_none() {
        assert_eq!(Url::can_parse(text), fast.is_ok());
        let is_serialised = fast.as_ref().is_ok_and(|url| url.as_str() == text);
        assert_eq!(UrlRef::parse(text).is_ok(), is_serialised);
        assert_eq!(UrlRef::parse_const(text).is_ok(), is_serialised);
    }
    let Ok(url) = fast else { return };
    url.check_invariants().expect("it is parsed again");
    let setters: [fn(&mut Url, &str) -> Result<(), ()>; 6] = [
        quirks::set_protocol,
        quirks::set_username,
        quirks::set_password,
        quirks::set_host,
        quirks::set_hostname,
        quirks::set_port,
    ];
    for setter in setters {
        let mut changed = url.clone();
        let _ = setter(&mut changed, value);
        changed.check_invariants().expect("a setter makes a URL");
    }
    let setters: [fn(&mut Url, &str); 5] = [
        quirks::set_pathname,
        quirks::set_search,
        quirks::set_hash,
        Url::set_path,
        |url, value| {
            url.edit_query(|query| {
                query.remove(value).set(value, value);
            });
        },
    ];
    for setter in setters {
        let mut changed = url.clone();
        setter(&mut changed, value);
        changed.check_invariants().expect("a setter makes a URL");
        assert_eq!(changed.host_str(), url.host_str());
    }
});
