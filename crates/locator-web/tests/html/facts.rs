//! The HTML says what the command says: every component, finding and contact of the records of
//! `testdata/golden`.

use std::fs;
use std::path::Path;

use locator_web::Renderer;
use serde_json::Value;

/// The answers of the runs of a verb that have this as their arguments.
fn answers(verb: &str, arguments: &[&str]) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/golden").join(verb);
    let text = fs::read_to_string(path.with_extension("jsonl")).unwrap();
    let mut is_asked = false;
    let mut found = Vec::new();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        if let Some(run) = value.get("run") {
            let given: Vec<_> =
                run["arguments"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            is_asked = given == arguments;
        } else if is_asked {
            found.push(value);
        }
    }
    assert!(!found.is_empty(), "testdata/golden/{verb}.jsonl has no run with {arguments:?}");
    found
}

/// The text of HTML, a tag being a bar.
fn text_of(html: &str) -> String {
    let mut text = String::new();
    for (number, piece) in html.split('<').enumerate() {
        let after = piece.split_once('>').map_or(piece, |(_, text)| text);
        text.push_str(if number == 0 { piece } else { after });
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn shown(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    locator_web::report::visible::legible(&text).to_string()
}

/// The inputs that are text: JSON has others with U+FFFD.
fn input(answer: &Value) -> Option<&str> {
    answer["input"].as_str().filter(|_| answer.get("input_base64").is_none())
}

#[test]
fn components_are_those_of_read() {
    let renderer = Renderer::new().show_secrets();
    let mut count = 0;
    for answer in answers("read", &["read", "--json", "-e", "all", "-0"]) {
        let Some(input) = input(&answer) else { continue };
        let html = renderer.components(input);
        let text = text_of(html.as_str());
        for reading in answer["readings"].as_array().unwrap().iter().filter(|one| one["valid"] == true) {
            for part in ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"] {
                let Some(value) = reading.get(part).map(shown).filter(|value| !value.is_empty()) else {
                    continue;
                };
                assert!(text.contains(&value), "{part} {value} of {input}:\n{html}");
                count += 1;
            }
        }
        for key in answer["differs"].as_array().unwrap().iter().filter_map(Value::as_str) {
            if !["valid", "host_kind", "user", "password"].contains(&key) {
                let row = format!("<tr class=\"c-{key} differs\">");
                assert!(html.as_str().contains(&row), "{key} differs in {input}:\n{html}");
            }
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn findings_and_contacts_are_those_of_audit() {
    let renderer = Renderer::new();
    let mut count = 0;
    for answer in answers("audit", &["audit", "--json", "-0", "--min-severity", "info"]) {
        let Some(input) = input(&answer).filter(|_| answer.get("redacted").is_none()) else { continue };
        let html = renderer.findings(input);
        for finding in answer["findings"].as_array().into_iter().flatten() {
            if finding["severity"] == "info" {
                continue;
            }
            let code = format!("<code>{}</code>", finding["code"].as_str().unwrap());
            assert!(html.as_str().contains(&code), "{code} of {input}:\n{html}");
            count += 1;
        }
        let html = renderer.programs(input);
        let text = text_of(html.as_str());
        for contact in answer["contacts"].as_array().into_iter().flatten() {
            let host = shown(&contact["host"]);
            assert!(text.contains(&host) || host == "base.invalid", "{host} of {input}:\n{html}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn comparisons_are_those_of_compare() {
    let renderer = Renderer::new().show_secrets();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/golden/compare.jsonl");
    let (mut count, mut is_plain) = (0, false);
    for line in fs::read_to_string(path).unwrap().lines() {
        let answer: Value = serde_json::from_str(line).unwrap();
        if let Some(run) = answer.get("run") {
            let given: Vec<_> =
                run["arguments"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            is_plain = matches!(given[..], ["compare", "--json", _, _, "-e", "rfc3986"]);
            continue;
        }
        let equivalent = answer.get("equivalent").and_then(Value::as_bool);
        let (Some(first), Some(second)) = (answer["first"].as_str(), answer["second"].as_str()) else {
            continue;
        };
        if !is_plain || first.contains('\u{FFFD}') || second.contains('\u{FFFD}') {
            continue;
        }
        let html = renderer.comparison(first, second);
        let is = |words: &str| html.as_str().contains(words);
        match equivalent {
            Some(true) => assert!(is(">Equivalent "), "{first} {second}: {html}"),
            Some(false) => assert!(is("Not equivalent"), "{first} {second}: {html}"),
            None => assert!(is("is not valid") || is("cannot be compared"), "{first} {second}: {html}"),
        }
        count += 1;
    }
    assert!(count > 10, "{count}");
}
