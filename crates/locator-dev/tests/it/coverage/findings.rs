//! Checks the table of findings in `spec/editions.md`, 6, against the codes of the library. `UPDATE=1`
//! writes it anew: `UPDATE=1 cargo test -p locator-dev --test it coverage`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use locator_audit::{self as audit, Code};
use serde::Deserialize;

use crate::coverage::root;

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    findings: Vec<String>,
}

/// The codes and severities of all findings in `testdata/audit`.
fn findings_of_cases() -> BTreeSet<(String, String)> {
    let files = std::fs::read_dir(root().join("testdata/audit")).expect("the cases are there");
    let text = |path: PathBuf| std::fs::read_to_string(path).expect("a file of cases can be read");
    let files = files.map(|entry| text(entry.expect("the directory can be read").path()));
    let cases = files.flat_map(|text| toml::from_str::<File>(&text).expect("cases are TOML").case);
    let pair = |finding: String| {
        let mut words = finding.split(' ').map(str::to_owned);
        words.next().zip(words.next()).expect("a code and a severity")
    };
    cases.flat_map(|case| case.findings).map(pair).collect()
}

/// A row: the code, its severity with those that some findings have instead, what is found, and the
/// document with its section.
fn row(code: &Code, cases: &BTreeSet<(String, String)>) -> String {
    let usual = code.severity().name();
    let others = audit::Severity::ALL.iter().rev().map(|severity| severity.name());
    let others = others.filter(|other| *other != usual);
    let others: Vec<_> =
        others.filter(|other| cases.contains(&(code.name().to_owned(), (*other).to_owned()))).collect();
    let severity =
        if others.is_empty() { usual.to_owned() } else { format!("{usual} ({})", others.join(", ")) };
    let title = code.title().replace('|', "\\|");
    format!("| `{}` | {severity} | {title} | {} |\n", code.name(), code.citation())
}

const HEAD: &str = "| code | severity | what is found | document |\n|---|---|---|---|\n";

#[test]
fn the_table_of_findings_is_that_of_the_library() {
    let path = root().join("spec/editions.md");
    let text = std::fs::read_to_string(&path).expect("spec/editions.md is there");
    let (before, rest) = text.split_once(HEAD).expect("the table of findings has its head");
    let after: usize =
        rest.split_inclusive('\n').take_while(|line| line.starts_with('|')).map(str::len).sum();
    let cases = findings_of_cases();
    let table: String = audit::codes().map(|code| row(code, &cases)).collect();
    if std::env::var_os("UPDATE").is_some() {
        let whole = [before, HEAD, &table, &rest[after..]].concat();
        std::fs::write(&path, whole).expect("spec/editions.md can be written");
    } else {
        assert_eq!(
            &rest[..after],
            table,
            "UPDATE=1 cargo test -p locator-dev --test it coverage writes the table anew"
        );
    }
}
