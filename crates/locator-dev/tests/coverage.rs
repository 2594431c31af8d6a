//! `spec/coverage.md`: every case that it names is there, and every statement has a case or a reason.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
}

/// The names of the cases of each file in `testdata`, by the file's path without `.toml`.
struct Cases {
    root: PathBuf,
    names: HashMap<String, HashSet<String>>,
}

impl Cases {
    fn new() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Self { root, names: HashMap::new() }
    }

    fn names(&mut self, file: &str) -> Option<&HashSet<String>> {
        if !self.names.contains_key(file) {
            let text =
                std::fs::read_to_string(self.root.join("testdata").join(format!("{file}.toml"))).ok()?;
            let cases: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
            self.names.insert(file.to_owned(), cases.case.into_iter().map(|case| case.name).collect());
        }
        self.names.get(file)
    }

    /// Whether `FILE: NAME` is a case of `testdata/FILE.toml`, or `PATH: FUNCTION` a test of a Rust file.
    fn has(&mut self, reference: &str) -> bool {
        let Some((file, name)) = reference.split_once(": ") else { return false };
        if file.ends_with(".rs") {
            let text = std::fs::read_to_string(self.root.join(file)).unwrap_or_default();
            return text.contains(&format!("fn {name}("));
        }
        self.names(file).is_some_and(|names| names.contains(name))
    }
}

/// The cells of a row of a table; `\|` is a "|" in one.
fn cells(line: &str) -> Vec<String> {
    let hidden = line.replace("\\|", "\u{0}");
    hidden.trim().trim_matches('|').split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect()
}

/// The references to cases in a cell: what is between two backticks and has ": " in it.
fn references(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn every_statement_has_its_case_or_a_reason() {
    let mut cases = Cases::new();
    let text =
        std::fs::read_to_string(cases.root.join("spec/coverage.md")).expect("spec/coverage.md is there");
    let mut wrong = Vec::new();
    let mut rows = 0;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with('|')) {
        let cells = cells(line);
        if cells[0] == "section" || cells[0].starts_with("---") {
            continue;
        }
        rows += 1;
        let [_, _, shown] = cells.as_slice() else {
            wrong.push(format!("line {}: a row has three cells", number + 1));
            continue;
        };
        if shown.starts_with("none: ") {
            continue;
        }
        if !shown.contains('`') {
            wrong.push(format!("line {}: neither a case nor \"none: \" and a reason", number + 1));
        }
        for reference in references(shown).filter(|reference| !cases.has(reference)) {
            wrong.push(format!("line {}: there is no case {reference:?}", number + 1));
        }
    }
    assert!(wrong.is_empty(), "{rows} statements\n{}", wrong.join("\n"));
}
