//! What a workflow of continuous integration copies: a page that is published at another place than that of its file has its
//! relative links there.
//!
//! Only the lines of a shell that copy are read (`cp`, `mv`, `rsync`, `install`), with the variables that the same file sets to
//! a literal: `SRC=docs/board` and `cp "$SRC/index.html" /tmp/pages/`. What is copied with its directory keeps its links.

use std::collections::{HashMap, HashSet};

use super::glob::{Globs, fixed_directory, is_glob};
use super::tree::{Tree, name_of, resolved, split_ending};

/// The programs that copy.
const COPIES: [&str; 5] = ["cp", "mv", "rsync", "install", "copy"];

/// How many workflows are read.
const MOST_WORKFLOWS: usize = 500;

/// Returns the pages of HTML that a workflow copies one by one.
pub(super) fn copied_pages(tree: &Tree) -> HashSet<String> {
    let mut copied = HashSet::new();
    for path in workflows(tree).take(MOST_WORKFLOWS) {
        let text = tree.read(path).unwrap_or_default();
        if text.contains(".html") || text.contains(".htm") {
            add_copied(&text, tree, &mut copied);
        }
    }
    copied
}

/// Returns the paths of workflows: of GitHub, GitLab, Azure, Jenkins and Travis.
fn workflows(tree: &Tree) -> impl Iterator<Item = &str> {
    const NAMES: [&str; 6] = [
        ".gitlab-ci.yml",
        ".travis.yml",
        "azure-pipelines.yml",
        "Jenkinsfile",
        ".circleci/config.yml",
        "cloudbuild.yaml",
    ];
    let of_github =
        tree.below(".github").filter(|path| matches!(split_ending(path).1, "yml" | "yaml" | "sh"));
    of_github.chain(NAMES.into_iter().filter(|name| tree.has_file(name)))
}

fn add_copied(text: &str, tree: &Tree, copied: &mut HashSet<String>) {
    let mut variables: HashMap<&str, &str> = HashMap::new();
    // A command may go on in the next line.
    for line in
        text.lines().map(|line| line.trim().trim_start_matches("- ").trim_start_matches("run:").trim())
    {
        if let Some((name, value)) = line.split_once('=').filter(|(name, _)| is_name(name)) {
            variables.insert(name, value.trim_matches(['"', '\'']));
            continue;
        }
        for command in line.split([';', '|', '&']) {
            let mut words = command.split_whitespace().skip_while(|word| *word == "sudo");
            if !words.next().is_some_and(|program| COPIES.contains(&program)) {
                continue;
            }
            let paths: Vec<String> =
                words.filter(|word| !word.starts_with('-')).map(|word| expanded(word, &variables)).collect();
            // The last one is where they are copied to.
            let sources = paths.split_last().map_or(&[][..], |(_, sources)| sources);
            sources.iter().for_each(|source| add_source(source, tree, copied));
        }
    }
}

/// Adds the pages that one argument names.
fn add_source(source: &str, tree: &Tree, copied: &mut HashSet<String>) {
    let is_page = |path: &str| matches!(split_ending(path).1, "html" | "htm");
    let Some(path) = resolved("", source).filter(|path| is_page(path)) else { return };
    if !is_glob(&path) {
        if tree.has_file(&path) {
            copied.insert(path);
        }
        return;
    }
    let pattern = Globs::new([&*path]);
    // `*.html` without a directory is of the directory that the command went to before.
    let directory = fixed_directory(&path);
    if !directory.is_empty() && !name_of(directory).is_empty() {
        copied.extend(tree.below(directory).filter(|path| pattern.has(path)).map(str::to_owned));
    }
}

/// Returns a word of a shell with its variables replaced; others stay.
fn expanded(word: &str, variables: &HashMap<&str, &str>) -> String {
    let word = word.trim_matches(['"', '\'']);
    let mut text = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(at) = rest.find('$') {
        let (before, after) = rest.split_at(at);
        text.push_str(before);
        let inner = after.get(1..).unwrap_or_default();
        let (name, next) = match inner.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some((name, next)) => (name, next),
            None => {
                let end =
                    inner.find(|one: char| !one.is_ascii_alphanumeric() && one != '_').unwrap_or(inner.len());
                inner.split_at(end)
            }
        };
        match variables.get(name) {
            Some(value) => text.push_str(value),
            // The root of the tree, mostly.
            None if matches!(name, "GITHUB_WORKSPACE" | "CI_PROJECT_DIR" | "PWD") => text.push('.'),
            None => text.push('$'),
        }
        rest = next;
    }
    text.push_str(rest);
    text
}

/// Returns whether a text is the name of a variable.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|octet| octet.is_ascii_alphanumeric() || octet == b'_')
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn pages_that_are_copied() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("docs/board/index.html", ""),
            ("docs/board/other.html", ""),
            ("docs/report/a.html", ""),
            ("docs/kept/a.html", ""),
            (
                ".github/workflows/pages.yml",
                "  - run: |\n      SRC=docs/board\n      cp \"$SRC/index.html\" /tmp/pages/\n  - run: cp docs/report/*.html out\n\
                 \x20 - run: cp -r docs/kept/ public/a.html && echo docs/kept/a.html x\n",
            ),
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut copied: Vec<_> = copied_pages(&Tree::open(folder.path())).into_iter().collect();
        copied.sort();
        assert_eq!(copied, ["docs/board/index.html", "docs/report/a.html"]);
    }
}
