//! What users of other programs type first: each line of `testdata/guesses.toml` works, or its error names the
//! command to type, which is run, too.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use tempfile::TempDir;

use crate::http::{Request, Server, answer};
use crate::runner::testdata;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    guess: Vec<Guess>,
}

/// A line, and what it prints if it works, or the command that its error names, or what the error says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Guess {
    line: String,
    prints: Option<String>,
    says: Option<String>,
    fails: Option<String>,
    /// The verb that it needs, which a build may lack.
    verb: Option<String>,
}

/// The files that the lines name.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("urls.txt", "http://www.example.com/a\nhttp://www.example.com/b\nhttp://www.example.com/a\n");
    write("page.html", "<a href=http://www.example.com/a>a</a>\n");
    write("notes.md", "[b](http://www.example.com/b), joe@example.com\n");
    std::fs::create_dir(folder.path().join("docs")).unwrap();
    write("docs/c.md", "[c](http://www.example.com/c)\n");
    folder
}

/// How a line ended, and what it printed.
struct Ran {
    status: i32,
    printed: String,
    errors: String,
}

fn run(line: &str, server: &Server) -> Ran {
    let folder = folder();
    let program = Path::new(env!("CARGO_BIN_EXE_locator"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder.path())
        .env_clear()
        .envs([
            ("PATH", &*path),
            ("LC_ALL", "C.UTF-8"),
            ("HOME", "/nowhere"),
            ("XDG_CONFIG_HOME", "/nowhere"),
        ])
        // The browser is a program that does nothing.
        .env("BROWSER", "true")
        .env("http_proxy", format!("http://{}", server.address))
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let text = |octets| String::from_utf8_lossy(octets).into_owned();
    Ran {
        status: output.status.code().unwrap_or(-1),
        printed: text(&output.stdout),
        errors: text(&output.stderr),
    }
}

fn answered(request: &Request) -> Vec<u8> {
    match request.line.split_once(' ') {
        Some(("HEAD", _)) => answer("200 OK", "", ""),
        Some((_, target)) if target.ends_with("/robots.txt") => answer("404 Not Found", "", ""),
        _ => answer("200 OK", "Content-Type: text/html\r\n", "<a href=b>page</a>\n"),
    }
}

/// Returns the command that an error names.
fn named(errors: &str) -> Option<&str> {
    errors.lines().find_map(|line| {
        let at = line.find("did you mean: locator ").map(|at| at + "did you mean: ".len());
        let at = at.or_else(|| line.find("; type: locator ").map(|at| at + "; type: ".len()));
        line.get(at?..)
    })
}

/// Returns what is wrong with a guess.
fn fault(guess: &Guess, server: &Server) -> Option<String> {
    let Guess { line, prints, says, fails, verb } = guess;
    if verb.as_ref().is_some_and(|verb| run(&format!("locator {verb} -h"), server).status != 0) {
        return None;
    }
    let here = |text: &str| text.replace("localhost:8000", &server.address.to_string());
    let ran = run(&here(line), server);
    let all = format!("{}{}", ran.printed, ran.errors);
    let report = |what: &str| Some(format!("{line}: {what}\n  status {}: {all}", ran.status));
    if let Some(prints) = prints {
        let works = ran.status != 2 && all.contains(prints);
        return if works { None } else { report(&format!("expected {prints:?}")) };
    }
    if let Some(fails) = fails {
        let is_error = ran.status == 2 && ran.printed.is_empty() && ran.errors.contains(fails);
        return if is_error { None } else { report(&format!("expected the error {fails:?}")) };
    }
    let says = &*here(says.as_deref().unwrap_or_default());
    // What works needs no hint.
    if ran.status == 0 {
        return None;
    }
    let Some(command) = named(&ran.errors).filter(|command| command.starts_with(says) && ran.status != 0)
    else {
        return report(&format!("expected that it names {says:?}"));
    };
    let then = run(command, server);
    match then.status {
        0 | 1 => None,
        status => Some(format!("{line}: {command} ended with {status}: {}{}", then.printed, then.errors)),
    }
}

#[test]
fn each_guess_works_or_its_error_names_the_command() {
    let file = std::fs::read_to_string(testdata("guesses.toml")).unwrap();
    let guesses = toml::from_str::<File>(&file).unwrap().guess;
    assert!(guesses.len() >= 150, "the list is not whole: {}", guesses.len());
    let server = Server::new(answered);
    let faults: Vec<_> = guesses.iter().filter_map(|guess| fault(guess, &server)).collect();
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), guesses.len(), faults.join("\n"));
}
