//! Golden files: what every verb answers as JSON, and its exit status, as recorded in
//! `testdata/golden`.
//!
//! A file per verb has one JSON object a line: `{"run":…}` with the arguments, inputs, files and
//! exit status of a run, then the answers of that run. Texts that are prose (messages, advice, …)
//! are replaced by "…", so that keys, structure, spans and exit status are compared and wording is
//! not. The inputs are part of the record: a case that is added to `testdata` changes nothing here.
//!
//! `UPDATE=1 cargo test -p locator-cli --test it golden` records all runs anew, with inputs from
//! `testdata`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod difference;
mod inputs;
mod run;

use std::fs;
use std::path::PathBuf;

use run::Run;

fn golden() -> PathBuf {
    inputs::testdata().join("golden")
}

#[test]
fn every_answer_is_as_recorded() {
    if std::env::var_os("UPDATE").is_some() {
        return record();
    }
    let mut differences = Vec::new();
    for verb in inputs::VERBS.into_iter().filter(|verb| cfg!(feature = "links") || *verb != "links") {
        let path = golden().join(verb).with_extension("jsonl");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for recorded in Run::read_all(&text) {
            differences.extend(difference::between(verb, &recorded, &recorded.again()));
        }
    }
    differences.extend(lost_cases());
    let count = differences.len();
    differences.truncate(20);
    assert!(count == 0, "{count} differences:\n{}", differences.join("\n"));
}

/// The cases of `testdata/command` whose recorded exit status changed or that are missing.
fn lost_cases() -> Vec<String> {
    let mut found = inputs::exit_statuses();
    let text = fs::read_to_string(golden().join("command.jsonl")).unwrap();
    let lost = text.lines().filter(|line| match found.iter().position(|one| one == line) {
        Some(at) => {
            found.swap_remove(at);
            false
        }
        None => true,
    });
    lost.map(|line| format!("testdata/command no longer has this case with this exit status: {line}"))
        .collect()
}

fn record() {
    for verb in inputs::VERBS {
        let text: String = inputs::runs(verb).into_iter().map(|run| run.again().written()).collect();
        fs::write(golden().join(verb).with_extension("jsonl"), text).unwrap();
    }
    let mut statuses = inputs::exit_statuses().join("\n");
    statuses.push('\n');
    fs::write(golden().join("command.jsonl"), statuses).unwrap();
}
