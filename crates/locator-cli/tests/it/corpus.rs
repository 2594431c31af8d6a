//! Runs the cases of `testdata/parse` through `read --json` and compares the output with the
//! expected values.

use locator_dev::cases;
use serde_json::{Map, Value};

use crate::runner;

#[test]
fn every_case_is_read_as_stated() {
    let mut differences = Vec::new();
    let mut count = 0;
    for edition in locator::edition::ALL.into_iter().chain(locator::edition::WITH_OPTIONS) {
        for (case, answer) in answers(edition.name) {
            count += 1;
            if let Some(difference) = difference(&case, &answer, edition.name) {
                differences.push(format!("{edition}: {}: {difference}", case["name"]));
            }
        }
    }
    assert_eq!(count, 1_610, "cases of all editions");
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), differences.join("\n"));
}

/// The cases, and what the command answers to each.
fn answers(edition: &str) -> Vec<(Map<String, Value>, Map<String, Value>)> {
    // An input with a NUL in it has no line end, and the others may have one.
    let (in_lines, items): (Vec<_>, Vec<_>) = cases::of_edition::<Map<String, Value>>("parse", edition)
        .into_iter()
        .partition(|case| input(case).contains('\0'));
    let mut answers = answered(in_lines, edition, "\n", &[]);
    answers.extend(answered(items, edition, "\0", &["-0"]));
    answers
}

fn answered(
    cases: Vec<Map<String, Value>>,
    edition: &str,
    end: &str,
    how: &[&str],
) -> Vec<(Map<String, Value>, Map<String, Value>)> {
    let stdin: String = cases.iter().flat_map(|case| [input(case), end]).collect();
    let arguments = [&["read", "--json", "-e", edition], how].concat();
    let output = runner::run(&mut runner::locator(&arguments), stdin.into_bytes());
    let answers = String::from_utf8(output.stdout).expect("JSON is text");
    assert_eq!(answers.lines().count(), cases.len(), "{edition}: one answer for each");
    let answers = answers.lines().map(|line| serde_json::from_str(line).expect("each line is an object"));
    cases.into_iter().zip(answers).collect()
}

fn input(case: &Map<String, Value>) -> &str {
    case["input"].as_str().expect("an input is a string")
}

fn difference(case: &Map<String, Value>, answer: &Map<String, Value>, edition: &str) -> Option<String> {
    let mut stated = case.clone();
    stated.retain(|key, _| !["name", "section", "error"].contains(&key.as_str()));
    stated.insert("edition".to_owned(), edition.into());
    let mut found = answer.clone();
    let error = found.remove("error");
    // `testdata/scheme` has cases for these, and `testdata/audit` for the last.
    for other in ["scheme_parts", "scheme_status", "scheme_near", "pairs", "findings"] {
        found.remove(other);
    }
    if stated != found {
        return Some(format!("\n  stated {stated:?}\n  found  {found:?}"));
    }
    if error.is_some() == (case["valid"] == true) {
        return Some("what is not valid has an error, and nothing else has one".to_owned());
    }
    let stated = case.get("error")?.as_object()?;
    let error = error.unwrap_or_default();
    let same = stated.iter().all(|(key, value)| error.get(key) == Some(value));
    (!same).then(|| format!("\n  stated {stated:?}\n  found  {error}"))
}
