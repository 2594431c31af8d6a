//! The examples of `docs/recipes.md`: each command is run in `docs/example`, and what it prints is
//! compared with what the document shows. `UPDATE=1` writes the document anew.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn recipes_print_what_they_show() {
    let document = docs().join("recipes.md");
    let shown = std::fs::read_to_string(&document).unwrap();
    let printed = with_output(&shown);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&document, &printed).unwrap();
        return;
    }
    for (number, (shown, printed)) in shown.lines().zip(printed.lines()).enumerate() {
        assert_eq!(shown, printed, "docs/recipes.md, line {}", number + 1);
    }
    assert_eq!(shown, printed);
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The document with the output of each command after it, in place of what is there.
fn with_output(document: &str) -> String {
    let mut written = String::new();
    let mut is_console = false;
    for line in document.lines() {
        let is_fence = line.starts_with("```");
        let is_command = is_console && line.starts_with("$ ");
        if is_fence || is_command || !is_console {
            written.push_str(line);
            written.push('\n');
        }
        if is_command {
            written.push_str(&output(&line[2..]));
        }
        if is_fence {
            is_console = line == "```console";
        }
    }
    written
}

/// What a command prints on both streams, without spaces at the ends of lines.
fn output(command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_locator"));
    let path = std::env::var("PATH").unwrap();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(docs().join("example"))
        .env("PATH", format!("{}:{path}", program.parent().unwrap().display()))
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}
