//! Checks `spec/coverage.md`: every case that it names exists, and every statement has a case or a
//! reason. Checks also that the Markdown files of the repository link only to files that exist.

mod findings;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    #[serde(alias = "title")]
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

    /// Whether `FILE: NAME` is a case of `testdata/FILE.toml`, or `PATH: FUNCTION` a test of a Rust
    /// file.
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

/// Returns the code spans of a line.
fn code_spans(cell: &str) -> impl Iterator<Item = &str> {
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
        for reference in code_spans(shown).filter(|reference| !cases.has(reference)) {
            wrong.push(format!("line {}: there is no case {reference:?}", number + 1));
        }
    }
    assert!(wrong.is_empty(), "{rows} statements\n{}", wrong.join("\n"));
}

/// Adds the Markdown files below `folder`, without hidden directories and build directories.
fn add_markdown_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is readable") {
            let path = entry.expect("the entry is readable").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && !name.starts_with('.') && name != "target" {
                folders.push(path);
            } else if name.ends_with(".md") {
                files.push(path);
            }
        }
    }
}

/// Whether a code span names a file or directory of this repository, such as `testdata/file/` or
/// `schemes.md`.
fn is_repository_path(code: &str) -> bool {
    let is_word = code.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"/._+-".contains(&octet));
    let roots = ["bench/", "crates/", "docs/", "fuzz/", "scripts/", "spec/", "testdata/"];
    is_word
        && (roots.iter().any(|root| code.starts_with(root))
            || code.ends_with(".md")
            || code.ends_with(".abnf"))
}

/// Returns the paths in code spans of a Markdown file that do not exist, each with its file and line.
fn missing_paths(root: &Path, file: &Path) -> Vec<String> {
    let content = std::fs::read_to_string(file).expect("the file is UTF-8");
    let folder = file.parent().expect("a file is in a folder");
    let folders = [root.to_owned(), folder.to_owned(), folder.join("grammar")];
    let mut missing = Vec::new();
    let mut is_fenced = false;
    for (number, line) in content.lines().enumerate() {
        is_fenced ^= line.trim_start().starts_with("```");
        if is_fenced || line.starts_with("    ") {
            continue;
        }
        let paths = code_spans(line).filter(|code| is_repository_path(code));
        let mut report = |target: &str| missing.push(format!("{}:{}: {target}", file.display(), number + 1));
        paths.filter(|path| !folders.iter().any(|folder| folder.join(path).exists())).for_each(&mut report);
    }
    missing
}

#[test]
fn every_path_in_the_specification_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    add_markdown_files(&root.join("spec"), &mut files);
    let missing: Vec<String> = files.iter().flat_map(|file| missing_paths(&root, file)).collect();
    assert!(missing.is_empty(), "these paths do not exist:\n{}", missing.join("\n"));
}
