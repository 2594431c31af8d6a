//! What is true of the functions for every text: no panic, and what their documentation says of all
//! results.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use locator::edition::{self, RFC3986};
use locator::{Level, UriRef};
use locator_functions::{
    ArgumentValue, Call, FUNCTIONS, Function, ParameterKind, Row, host_normal, host_unicode, keep_params,
    key, origin, repair, sort_params, without_params,
};
use proptest::prelude::*;

/// Texts that are often URLs, with the characters that matter.
fn text() -> impl Strategy<Value = String> {
    let scheme = "(http:|HTTPS:|file:|mailto:|ftp:|urn:|x:|[a-z.]{1,3}:)?";
    let authority = "(//((a|%41|:){0,2}@)?(([aB.]|www\\.|xn--4ca|%[4cC]1|é|localhost|co\\.uk){0,4}|1\\.2\\.3\\.4|\\[::A\\])(:[0-9]{0,6})?)?";
    let path = "(/?([aB.;=: é\\\\]|%2[eEfF]|%[0-9A-F]{2}|\\.\\.){0,3}){0,3}";
    let query = "(\\?([aB.=&+?]|&&|utm_a=1|gclid|%3[dD]|%[0-9A-F]{2}|q=){0,6})?";
    let url = (scheme, authority, path, query, "(#[a#é]{0,2})?").prop_map(
        |(scheme, authority, path, query, fragment)| [scheme, authority, path, query, fragment].concat(),
    );
    prop_oneof![9 => url, 1 => any::<String>()]
}

fn url() -> impl Strategy<Value = String> {
    text().prop_filter("it is a reference", |text| UriRef::parse(text).is_ok())
}

/// Arguments that a function takes, made from a text and a number.
fn arguments<'g>(function: &Function, word: &'g str, number: i64) -> Vec<ArgumentValue<'g>> {
    let given = |kind| match kind {
        ParameterKind::Int => ArgumentValue::Int(number),
        ParameterKind::Choice(words) => {
            ArgumentValue::Text(words[number.unsigned_abs() as usize % words.len()])
        }
        ParameterKind::Choices(_) => {
            ArgumentValue::Text(if number % 2 == 0 { "query,fragment" } else { "port, userinfo" })
        }
        ParameterKind::Part => ArgumentValue::Text(if number % 2 == 0 { "segment:-1" } else { "host" }),
        ParameterKind::Scheme => ArgumentValue::Text(if number % 2 == 0 { "" } else { "https" }),
        _ => ArgumentValue::Text(word),
    };
    function.parameters().iter().map(|parameter| given(parameter.kind)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn no_text_and_no_argument_panics(text in text(), word in text(), number in any::<i64>()) {
        let editions = edition::ALL;
        let row = Row::new(&text, editions[number.unsigned_abs() as usize % editions.len()]);
        for function in FUNCTIONS {
            let arguments = function.arguments(&arguments(function, &word, number)).unwrap();
            let json = function.answer(&row, &arguments).json().to_string();
            let is_json = serde_json::from_str::<serde_json::Value>(&json).is_ok();
            prop_assert!(is_json, "{}: {}", function.name(), json);
        }
    }

    #[test]
    fn slices_are_slices_of_the_input(text in text(), word in text(), number in -3_i64..4) {
        let row = Row::new(&text, &RFC3986);
        for function in FUNCTIONS {
            let Call::Slice(call) = function.call() else { continue };
            let Some(slice) = call(&row, &arguments(function, &word, number)) else { continue };
            prop_assert!(text.as_bytes().as_ptr_range().contains(&slice.as_ptr()) || slice.is_empty(), "{}", function.name());
            prop_assert!(text.contains(slice));
        }
    }

    #[test]
    fn the_normal_host_is_that_of_the_normal_form(text in text()) {
        for edition in edition::ALL {
            let Ok(reference) = UriRef::parse_with(&text, edition) else { continue };
            let normal = reference.normalize(Level::Scheme);
            let expected = reference.host().map(|_| normal.host().map_or("", |host| host.as_str()));
            let host = host_normal(reference);
            prop_assert_eq!(host.as_deref(), expected, "{} by {}", text, edition);
        }
    }

    #[test]
    fn the_host_for_people_and_the_origin_are_made_of_the_normal_host(text in text()) {
        for edition in edition::ALL {
            let Ok(reference) = UriRef::parse_with(&text, edition) else { continue };
            let normal = host_normal(reference);
            let plain = normal.as_deref().filter(|host| host.is_ascii() && !host.contains('%'));
            let expected = reference.host_to_unicode().or(plain.map(str::to_owned));
            let found = host_unicode(reference);
            prop_assert_eq!(found.as_deref(), expected.as_deref(), "{} by {}", text, edition);
            let expected = || {
                let scheme = reference.scheme()?.lowercase().to_string();
                let host = normal.as_deref().filter(|host| !host.is_empty())?;
                let has_port = reference.port().is_some_and(|port| !port.as_str().is_empty());
                let port = if has_port { Some(reference.port_u16()?) } else { None };
                let port = port.filter(|port| locator::scheme::default_port(&scheme) != Some(*port));
                Some(format!("{scheme}://{host}{}", port.map_or(String::new(), |port| format!(":{port}"))))
            };
            let (found, expected) = (origin(reference), expected());
            prop_assert_eq!(found.as_deref(), expected.as_deref(), "{} by {}", text, edition);
        }
    }

    #[test]
    fn a_key_is_its_own_key(text in text()) {
        for edition in edition::ALL {
            let Ok(reference) = UriRef::parse_with(&text, edition) else { continue };
            let once = key(reference);
            let twice = key(once.as_uri_ref());
            prop_assert_eq!(twice.as_str(), once.as_str(), "{} by {}", text, edition);
        }
    }

    #[test]
    fn what_is_sorted_is_sorted(url in url()) {
        let once = sort_params(UriRef::parse(&url).unwrap()).unwrap();
        let twice = sort_params(UriRef::parse(&once).unwrap()).unwrap();
        prop_assert_eq!(&twice, &once);
    }

    #[test]
    fn what_is_removed_is_not_kept(url in url(), name in "[aB]|utm_\\*|\\*|%|gclid") {
        let without = without_params(UriRef::parse(&url).unwrap(), &name).unwrap();
        let kept = keep_params(UriRef::parse(&without).unwrap(), &name).unwrap();
        let kept = UriRef::parse(&kept).unwrap();
        prop_assert!(kept.query().is_none_or(|query| query.is_empty()), "{} without {}: {}", url, name, kept);
    }

    #[test]
    fn what_is_repaired_is_valid_and_has_the_scheme(text in text()) {
        if let Some(repaired) = repair(&text, "", &RFC3986) {
            prop_assert!(UriRef::parse(&repaired).is_ok());
            let again = repair(&repaired, "", &RFC3986);
            prop_assert_eq!(again.as_deref(), Some(&*repaired));
        }
        if let Some(repaired) = repair(&text, "https", &RFC3986) {
            prop_assert!(UriRef::parse(&repaired).unwrap().has_scheme());
        }
    }
    /// What browsers write, they read as the same URL, and each part of it is the same.
    #[test]
    fn the_parts_of_a_url_by_the_url_standard_are_those_of_its_href(text in text()) {
        let row = Row::new(&text, &RFC3986);
        let answer = |name: &str, row: &Row<'_>| {
            let function = locator_functions::function(name).unwrap();
            function.answer(row, &function.arguments(&[]).unwrap()).cell().to_string()
        };
        let href = answer("uri_whatwg_href", &row);
        prop_assert_eq!(answer("uri_whatwg_is_valid", &row), (!href.is_empty()).to_string());
        if href.is_empty() {
            return Ok(());
        }
        let again = Row::new(&href, &RFC3986);
        for name in ["href", "origin", "scheme", "user", "password", "host", "port", "path", "query", "fragment"] {
            let name = format!("uri_whatwg_{name}");
            prop_assert_eq!(answer(&name, &again), answer(&name, &row), "{} of {}", name, text);
        }
        let [scheme, path] = ["uri_whatwg_scheme", "uri_whatwg_path"].map(|name| answer(name, &row));
        prop_assert!(href.starts_with(&scheme) && href.contains(&path));
    }
}
