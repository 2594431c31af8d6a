//! The list of parts: each function of a URL is one, names are unique, and errors are short.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use locator::UriRef;
use locator::edition::RFC3986;
use locator_functions::{
    Answer, ArgumentValue, Call, FUNCTIONS, Function, PARTS, Part, PartKey, Row, Selection, Setting, function,
};

const URLS: [&str; 9] = [
    "https://jan:geheim@www.Example.co.uk:8443/a/b%20c.tar.gz?q=1&page=2#top",
    "http://user;auth=x@[fe80::1]/",
    "HTTP://EX%41MPLE.com",
    "mailto:jan@example.com",
    "//h/a/",
    "a/b?",
    "#",
    "",
    "http://127.1/x?utm_source=a&b=2&a=1",
];

fn title(part: &Part) -> String {
    match part.key() {
        None => part.name().to_owned(),
        Some(PartKey::Name) => format!("{}:page", part.name()),
        Some(_) => format!("{}:-1", part.name()),
    }
}

#[test]
fn each_function_of_a_url_is_a_part() {
    let is_of_url = |function: &&Function| {
        let is_of_row = !matches!(function.call(), Call::Constant(_) | Call::Distinct);
        is_of_row && function.first() != "base" && function.arguments(&[]).is_ok()
    };
    for function in FUNCTIONS.iter().filter(is_of_url) {
        let name = function.name().strip_prefix("uri_").unwrap();
        let part = Selection::parse(name).unwrap().part();
        assert!(part.key().is_none() && part.function().unwrap().name() == function.name(), "{name}");
    }
}

#[test]
fn names_are_unique_and_lead_to_their_part() {
    let mut seen = Vec::new();
    for part in PARTS {
        for name in part.aliases().iter().chain([&part.name()]) {
            let letters = name.replace('_', "");
            assert!(letters.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()), "{name}");
            let seen_as = (letters, part.key().is_some());
            assert!(!seen.contains(&seen_as), "{name} is there twice");
            seen.push(seen_as);
            let asked = title(part).replacen(part.name(), name, 1);
            for asked in [&asked, &asked.to_uppercase(), &asked.replace('_', "-"), &format!("uri_{asked}")] {
                assert_eq!(Selection::parse(asked).unwrap().part().name(), part.name(), "{asked}");
            }
        }
        assert!(!part.summary().is_empty() && !part.summary().ends_with('.'), "{}", part.name());
        if let Setting::Derived(Some(instead)) = part.setting() {
            for name in instead.split(", ").flat_map(|names| names.split(" and ")) {
                let part = Selection::parse(name).unwrap().part();
                assert_eq!(part.setting(), Setting::Allowed, "{name}");
            }
        }
    }
}

#[test]
fn uri_part_and_the_functions_answer_alike() {
    let uri_part = function("uri_part").unwrap();
    for part in PARTS {
        let name = title(part);
        let selection = Selection::parse(&name).unwrap();
        for url in URLS {
            let row = Row::new(url, &RFC3986);
            let named = uri_part.answer(&row, &[ArgumentValue::Text(&name)]);
            let answer = selection.answer(&row);
            assert_eq!(named.cell().to_string(), answer.cell().to_string(), "{name} of {url}");
            assert_eq!(named == Answer::Null, answer == Answer::Null, "{name} of {url}");
            if let Some(function) = part.function().filter(|_| part.key().is_none()) {
                let arguments = function.arguments(&[]).unwrap();
                assert_eq!(answer, function.answer(&row, &arguments), "{name} of {url}");
            }
            let text = selection.text(UriRef::parse(url).unwrap()).unwrap_or_default();
            assert_eq!(answer.cell().to_string(), text, "{name} of {url}");
        }
    }
}

#[test]
fn errors_name_what_was_meant_in_300_characters() {
    let words = [
        "hots",
        "domian",
        "registered_domian",
        "netlok",
        "querry",
        "frag",
        "subdomains",
        "uri",
        "x",
        "",
        "banana",
        "http://h/?a",
        "query:",
        "segment",
        "label",
        "a_very_long_name_that_is_none_of_the_list_of_parts",
    ];
    for word in words {
        let Err(error) = Selection::parse(word) else { continue };
        let message = error.to_string();
        assert!(message.chars().count() <= 300, "{message}");
        assert!(error.suggestions().len() <= 5, "{message}");
    }
    for (word, message) in [
        ("hots", "unknown part \"hots\"; did you mean \"host\"?"),
        ("uri_hots", "unknown part \"uri_hots\"; did you mean \"host\"?"),
        (
            "banana",
            "unknown part \"banana\"; parts are scheme, host, path, query, fragment; 'locator edit --help' lists all",
        ),
        ("tld", "\"tld\" can mean two parts: use \"public_suffix\" (co.uk) or \"label:-1\" (uk)"),
        (
            "segment",
            "\"segment\" needs a position, as in segment:N: segment:0 is the first, segment:-1 the last",
        ),
        ("segment:x", "\"x\" is not a position: expected a number from 0, or from -1 at the end"),
    ] {
        assert_eq!(Selection::parse(word).unwrap_err().to_string(), message);
    }
}

#[test]
fn ambiguous_names_lead_to_parts() {
    for word in ["domain", "tld", "suffix", "name", "file", "params", "fqdn", "sld", "domain_name", "site"] {
        let error = Selection::parse(word).unwrap_err();
        assert_eq!(error.suggestions().len(), 2, "{word}");
        for name in error.suggestions() {
            assert!(Selection::parse(name).is_ok(), "{name}");
        }
    }
}
