//! Runs the cases of `testdata/resolve` through `resolve --json` and `relative --json` and compares
//! the output with the expected values.

use locator_dev::cases;
use serde_json::{Map, Value};

use crate::runner;

type Case = Map<String, Value>;

#[test]
fn every_case_is_resolved_as_stated() {
    let (mut count, mut differences) = (0, Vec::new());
    for edition in locator::edition::ALL {
        for case in cases::of_edition::<Case>("resolve", edition.name) {
            count += 1;
            for found in [resolved(&case, edition.name), relative(&case, edition.name)] {
                differences.extend(found.err().map(|why| format!("{edition}: {}: {why}", case["name"])));
            }
        }
    }
    assert_eq!(count, 535, "cases of all editions");
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), differences.join("\n"));
}

/// The exit status and the object, if there is one.
fn asked(verb: &str, case: &Case, edition: &str, input: &str) -> (Option<i32>, Case) {
    let mut arguments = vec![verb, "--json", "-e", edition, "--base", text(case, "base")];
    if let Some(leftover) = case.get("leftover") {
        arguments.extend(["--leftover", leftover.as_str().expect("a word")]);
    }
    if let Some(empty) = case.get("empty") {
        arguments.extend(["--empty", if empty == "base" { "base" } else { "document" }]);
    }
    if case.get("same_scheme").is_some_and(|yes| yes == true) {
        arguments.push("--same-scheme");
    }
    arguments.extend(["--", input]);
    let output = runner::run(&mut runner::locator(&arguments), Vec::new());
    let object = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code(), object)
}

fn resolved(case: &Case, edition: &str) -> Result<(), String> {
    let reference = text(case, "reference");
    let (exit, mut found) = asked("resolve", case, edition, reference);
    let error = found.remove("error");
    let mut stated: Case = [("base", text(case, "base")), ("reference", reference), ("edition", edition)]
        .map(|(key, value)| (key.to_owned(), value.into()))
        .into_iter()
        .collect();
    let answer = ["result", "current_document", "fragment"];
    stated.extend(answer.iter().filter_map(|&key| Some((key.to_owned(), case.get(key)?.clone()))));
    let (stated_exit, kind) = match case.get("error").and_then(Value::as_str) {
        // The document states the result, and also that it is not one of its URLs.
        None if is_refused(case, edition) => (1, Some("result-not-valid")),
        None => (0, None),
        // The base or the edition is the cause, so there is no result for the references.
        Some("NotDefined" | "BaseNotAbsolute") => (2, None),
        Some("BaseOpaque") => (1, Some("base-opaque")),
        Some("PathUnderflow") => (1, Some("leftover")),
        Some(other) => return Err(format!("{other} is new")),
    };
    let found_kind = error.as_ref().and_then(|error| error["kind"].as_str());
    let same = exit == Some(stated_exit) && found_kind == kind && (exit == Some(2) || found == stated);
    if same { Ok(()) } else { Err(format!("\n  stated {stated:?}\n  found  {exit:?} {found:?} {error:?}")) }
}

/// Whether the result breaks the rule that the edition has for its scheme.
fn is_refused(case: &Case, edition: &str) -> bool {
    let result = case.get("result").and_then(Value::as_str).zip(locator::edition::from_name(edition));
    let read = result.and_then(|(result, edition)| locator::UriRef::parse_with(result, edition).ok());
    read.and_then(locator::scheme::check).is_some_and(|checked| checked.is_err())
}

fn relative(case: &Case, edition: &str) -> Result<(), String> {
    let Some(stated) = case.get("relative") else { return Ok(()) };
    let (exit, found) = asked("relative", case, edition, text(case, "result"));
    let same = exit == Some(0) && found.get("result") == Some(stated);
    if same { Ok(()) } else { Err(format!("\n  stated relative {stated}\n  found  {exit:?} {found:?}")) }
}

fn text<'a>(case: &'a Case, key: &str) -> &'a str {
    case[key].as_str().expect("it is a string")
}
