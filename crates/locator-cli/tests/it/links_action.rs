//! The action of GitHub and the hook of pre-commit: their commands are run as they are written.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::http::folder;
use crate::since::git;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Returns the values of a key: the rest of its line, or after `|` the lines that are indented more.
fn values(yaml: &str, key: &str) -> Vec<String> {
    let lines: Vec<_> = yaml.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
    let mut values = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let Some(value) = line.trim_start_matches([' ', '-']).strip_prefix(key) else { continue };
        match value.strip_prefix(": ") {
            Some("|") => {
                let below = lines[number + 1..].iter();
                let block = below.take_while(|below| below.is_empty() || indent(below) > indent(line));
                values.push(block.map(|line| format!("{line}\n")).collect());
            }
            Some(value) => values.push(value.to_owned()),
            None => {}
        }
    }
    values
}

/// Runs a script of bash in a folder, and returns what it prints, its status and what it says.
fn bash(folder: &Path, script: &str, variables: &[(&str, &str)]) -> (String, i32, String) {
    let command = Path::new(env!("CARGO_BIN_EXE_locator")).parent().unwrap();
    let path = format!("{}:{}", command.display(), std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    // As GitHub runs it.
    bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(folder);
    let output = bash
        .env_remove("GITHUB_WORKSPACE")
        .env("PATH", path)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = |octets| String::from_utf8(octets).unwrap();
    (text(output.stdout), output.status.code().unwrap(), text(output.stderr))
}

#[test]
fn the_action_runs() {
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    assert_eq!(values(&action, "using"), ["composite"]);
    let [install, check] = values(&action, "run").try_into().unwrap();
    let folder = folder();
    fs::write(folder.path().join("a b.md"), "[x](x.md)\n").unwrap();
    let summary = folder.path().join("summary");
    let run = |args| {
        bash(folder.path(), &check, &[("ARGS", args), ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap())])
    };
    let (printed, status, _) = run("--offline 'a b.md'");
    assert_eq!(status, 1);
    assert!(
        printed.contains("\n::error file=a b.md,line=1,col=5,title=broken link (no-such-file)::"),
        "{printed}"
    );
    assert!(fs::read_to_string(&summary).unwrap().contains("| error | a b.md:1 | `x.md` |"));
    // Nothing is expanded, and a wrong argument is a red job that says why.
    let (_, status, said) = run("--offline $(touch made) `touch made` *.md");
    assert_eq!(status, 2, "{said}");
    assert!(!folder.path().join("made").exists());
    let (_, status, said) = run("--offlin .");
    assert_eq!(status, 2);
    assert!(said.contains("--offline"), "{said}");
    // What is installed is used.
    assert_eq!(bash(folder.path(), &install, &[]).1, 0);
}

#[test]
fn the_hook_runs() {
    let hooks = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    assert_eq!(values(&hooks, "id"), ["locator-links"]);
    let [entry] = values(&hooks, "entry").try_into().unwrap();
    let folder = folder();
    let root = folder.path();
    git(root, &["init", "-q"]);
    fs::write(root.join("a.md"), "[b](b.md) [x](x.md)\n").unwrap();
    fs::write(root.join("b.md"), "# B\n").unwrap();
    git(root, &["add", "."]);
    git(root, &["commit", "-q", "-m", "first"]);
    assert_eq!(bash(root, &entry, &[]).1, 0);
    git(root, &["rm", "-q", "b.md"]);
    let (printed, status, _) = bash(root, &entry, &[]);
    assert_eq!((&*printed, status), ("a.md:1:5: error: b.md: the file does not exist (removed)\n", 1));
}
