//! Runs the cases of `testdata/normal`, `testdata/compare.toml` and `testdata/file` through the
//! command and compares its JSON with the expected values.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::runner;

type Case = Map<String, Value>;

#[test]
fn every_case_is_normalized_as_stated() {
    let mut wrong = Wrong::default();
    for edition in locator::edition::ALL {
        let cases = cases(&runner::testdata("normal").join(edition.name).with_extension("toml"));
        for level in ["syntax", "scheme"] {
            let arguments = ["normalize", "-0", "--json", "--level", level, "-e", edition.name];
            for (case, found) in cases.iter().zip(answers(&arguments, &cases, "input")) {
                let syntax = case.get("syntax").unwrap_or(&case["input"]);
                let stated = if level == "syntax" { syntax } else { case.get("scheme").unwrap_or(syntax) };
                wrong.unless(found.get("result") == Some(stated), case, &found);
            }
        }
    }
    wrong.none_of(400);
}

#[test]
fn every_case_is_compared_as_stated() {
    let mut wrong = Wrong::default();
    for case in cases(&runner::testdata("compare.toml")) {
        let mut arguments = vec!["compare", "--json", text(&case, "first"), text(&case, "second")];
        arguments.extend(["-e", case.get("edition").and_then(Value::as_str).unwrap_or("rfc3986")]);
        arguments.extend(case.contains_key("without_fragments").then_some("--ignore-fragment"));
        arguments.extend(case.contains_key("domain_names").then_some("--idna"));
        if let Some(reader) = case.get("addresses").and_then(Value::as_str) {
            arguments.extend(["--addresses", reader]);
        }
        for pair in case.get("redirects").and_then(Value::as_array).into_iter().flatten() {
            arguments.extend(["--redirect", word(&pair[0]), word(&pair[1])]);
        }
        let output = runner::run(&mut runner::locator(&arguments), Vec::new());
        let found: Case = serde_json::from_slice(&output.stdout).expect("the answer is an object");
        let exit = match (case.get("error"), case.get("rung")) {
            (Some(_), _) => 2,
            (None, Some(_)) => 0,
            (None, None) => 1,
        };
        let stated = case.get("differences");
        let same = output.status.code() == Some(exit)
            && found.get("rung") == case.get("rung")
            && found.contains_key("error") == case.contains_key("error")
            && stated.is_none_or(|stated| *stated == texts(&found));
        wrong.unless(same, &case, &found);
    }
    wrong.none_of(80);
}

/// The differences without the places.
fn texts(found: &Case) -> Value {
    let differences = found.get("differences").and_then(Value::as_array).into_iter().flatten();
    let without_place = |one: &Value| {
        json!({
            "component": one["component"], "kind": one["kind"],
            "first": one["first"]["text"], "second": one["second"]["text"],
        })
    };
    differences.map(without_place).collect()
}

#[test]
fn every_path_is_converted_as_stated() {
    let mut wrong = Wrong::default();
    for platform in ["posix", "windows", "vms"] {
        for case in cases(&runner::testdata("file").join(platform).with_extension("toml")) {
            let directions = [("file", "path", "uri", "to-path"), ("path", "uri", "path", "to-uri")];
            for (verb, from, to, other) in directions {
                let is_other = case.get("only").is_some_and(|only| only == other);
                if is_other || !case.contains_key(from) {
                    continue;
                }
                let mut arguments = vec![verb, "--json", "-0", "--platform", platform];
                arguments.extend(case.contains_key("directory").then_some("--directory"));
                if verb == "path" {
                    arguments
                        .extend(["-e", case.get("edition").and_then(Value::as_str).unwrap_or("rfc3986")]);
                }
                let found = answers(&arguments, std::slice::from_ref(&case), from).remove(0);
                let kind = found.get("error").map(|error| &error["kind"]);
                let same_path = found.get("result") == case.get(to) || found.contains_key("result_base64");
                wrong.unless(kind == case.get("error") && same_path, &case, &found);
            }
        }
    }
    wrong.none_of(80);
}

/// The cases of a file.
fn cases(path: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut file: Case = toml::from_str(&text).expect("the cases are TOML");
    serde_json::from_value(file["case"].take()).expect("a file is a list of cases")
}

/// What the command answers to each.
fn answers(arguments: &[&str], cases: &[Case], key: &str) -> Vec<Case> {
    let stdin: String = cases.iter().flat_map(|case| [text(case, key), "\0"]).collect();
    let output = runner::run(&mut runner::locator(arguments), stdin.into_bytes());
    let lines = String::from_utf8(output.stdout).expect("JSON is text");
    let answers: Vec<_> =
        lines.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect();
    assert_eq!(answers.len(), cases.len(), "{arguments:?}: one answer for each");
    answers
}

fn text<'a>(case: &'a Case, key: &str) -> &'a str {
    word(&case[key])
}

fn word(value: &Value) -> &str {
    value.as_str().expect("it is a string")
}

/// The cases that are answered otherwise than stated.
#[derive(Default)]
struct Wrong {
    count: usize,
    failures: Vec<String>,
}

impl Wrong {
    fn unless(&mut self, same: bool, case: &Case, found: &Case) {
        self.count += 1;
        if !same {
            self.failures.push(format!("{case:?}\n  found {found:?}"));
        }
    }

    #[track_caller]
    fn none_of(&self, least: usize) {
        assert!(self.count >= least, "the cases are not whole: {}", self.count);
        assert!(
            self.failures.is_empty(),
            "{} of {}:\n{}",
            self.failures.len(),
            self.count,
            self.failures.join("\n")
        );
    }
}
