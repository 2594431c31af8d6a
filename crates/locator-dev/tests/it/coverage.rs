//! Checks `spec/coverage.md`: every case that it names exists, and every statement has a case or a
//! reason. Checks also that the Markdown files of the repository link only to files that exist.

mod findings;
mod named;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use named::Named;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
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

/// A row of a table: its line, and its cells.
struct Row {
    line: usize,
    cells: Vec<String>,
}

impl Row {
    /// Returns the reason why the statement has no case.
    fn reason(&self) -> Option<&str> {
        self.cells[2].strip_prefix("none: ")
    }

    /// Returns the statement without quotation marks, case and dots, to compare it.
    fn statement(&self) -> String {
        let is_kept = |c: &char| !"\"`….,;".contains(*c);
        self.cells[1].to_lowercase().chars().filter(is_kept).collect()
    }

    /// Adds what is wrong with what the row names.
    fn check(&self, named: &mut Named, wrong: &mut Vec<String>) {
        let mut report = |fault: &str| wrong.push(format!("line {}: {fault}", self.line));
        if let Some(reason) = self.reason() {
            // What can be named does something, so that a case can show it.
            if reason.contains('`') {
                report("a reason names something that a case can show");
            }
            return;
        }
        let references: Vec<_> = code_spans(&self.cells[2]).collect();
        if references.is_empty() {
            report("neither a case nor \"none: \" and a reason");
        }
        if references.iter().all(|reference| reference.starts_with("captures/")) {
            report("captured octets assert nothing; name the test that reads them");
        }
        references.iter().filter_map(|reference| named.fault(reference)).for_each(|fault| report(&fault));
    }
}

#[test]
fn every_statement_has_its_case_or_a_reason() {
    let text = std::fs::read_to_string(root().join("spec/coverage.md")).expect("spec/coverage.md is there");
    let lines = text.lines().enumerate().filter(|(_, line)| line.starts_with('|'));
    let rows = lines.map(|(number, line)| Row { line: number + 1, cells: cells(line) });
    let rows: Vec<_> =
        rows.filter(|row| row.cells[0] != "section" && !row.cells[0].starts_with("---")).collect();
    let (rows, odd): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.cells.len() == 3);
    let mut wrong: Vec<_> =
        odd.iter().map(|row| format!("line {}: a row has three cells", row.line)).collect();
    let mut named = Named::new(root());
    rows.iter().for_each(|row| row.check(&mut named, &mut wrong));
    let shown = rows.iter().filter(|row| row.reason().is_none());
    let shown: HashMap<_, _> = shown.map(|row| (row.statement(), row.line)).collect();
    for row in rows.iter().filter(|row| row.reason().is_some()) {
        if let Some(other) = shown.get(&row.statement()) {
            wrong.push(format!("line {}: line {other} has a case of the same statement", row.line));
        }
    }
    assert!(wrong.is_empty(), "{} statements\n{}", rows.len(), wrong.join("\n"));
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
    let root = root();
    let mut files = Vec::new();
    add_markdown_files(&root.join("spec"), &mut files);
    let missing: Vec<String> = files.iter().flat_map(|file| missing_paths(&root, file)).collect();
    assert!(missing.is_empty(), "these paths do not exist:\n{}", missing.join("\n"));
}
