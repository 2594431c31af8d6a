//! The commands in the tables of `docs/coming-from.md`: each must succeed, and its standard output
//! and the requests that it sends are compared with `testdata/golden/coming-from.txt`. `UPDATE=1`
//! writes that file.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::http::{Server, answer, ok};

/// The words of the tables that a user replaces.
const WORDS: [(&str, &str); 3] = [
    ("URL", "'http://www.example.com/pub/a.txt?q=1&utm_source=mail'"),
    ("FILE", "urls.txt"),
    ("DIR", "site"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The commands of a table's row: the code spans in its last cell that begin with the command's name.
fn commands(row: &str) -> Vec<String> {
    let row = row.replace("\\|", "\0");
    let Some((_, last)) = row.trim_end_matches([' ', '|']).rsplit_once('|') else { return Vec::new() };
    let spans = last.split('`').skip(1).step_by(2).filter(|code| code.starts_with("locator "));
    spans.filter(|code| code.contains(' ')).map(|code| code.replace('\0', "|")).collect()
}

/// The files of the examples, which the commands may change.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    std::fs::create_dir(&site).unwrap();
    for name in ["index.html", "notes.md"] {
        std::fs::copy(root().join("docs/example/site").join(name), site.join(name)).unwrap();
    }
    std::fs::write(site.join("links.md"), "[a](http://www.example.com/a) [b](http://www.example.com/b)\n")
        .unwrap();
    std::fs::write(
        folder.path().join("urls.txt"),
        "http://www.example.com/a\nhttp://www.example.com/b.html\n",
    )
    .unwrap();
    folder
}

/// Runs a command, and returns its exit status, what was requested, and what it printed.
fn run(command: &str) -> String {
    // Every host is asked for through this server, as a proxy.
    let server = Server::new(|request| match request.line.split_once(' ') {
        Some(("HEAD", _)) => answer("200 OK", "", ""),
        _ if request.field("range").is_some() => {
            answer("206 Partial Content", "Content-Range: bytes 0-3/9\r\n", "page")
        }
        _ => ok("<a href=b>page</a>\n"),
    });
    let folder = folder();
    let given = WORDS.iter().fold(command.to_owned(), |command, (word, value)| command.replace(word, value));
    let program = Path::new(env!("CARGO_BIN_EXE_locator"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &given])
        .current_dir(folder.path())
        .env_clear()
        .envs([
            ("PATH", &*path),
            ("LC_ALL", "C.UTF-8"),
            ("HOME", "/nowhere"),
            ("XDG_CONFIG_HOME", "/nowhere"),
        ])
        .env("http_proxy", format!("http://{}", server.address))
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let mut text = format!("$ {command}\n");
    let mut requests: Vec<_> = server.requests();
    requests.sort_by(|one, other| one.line.cmp(&other.line));
    for request in requests {
        let _ = writeln!(text, "> {}", request.line);
        for name in ["accept", "user-agent", "referer", "range", "content-type", "authorization", "x-a"] {
            let value = request.field(name).filter(|value| *value != "*/*" && !value.starts_with("locator/"));
            value.map(|value| writeln!(text, "> {name}: {value}"));
        }
        if !request.body.is_empty() {
            let _ = writeln!(text, "> {}", request.body);
        }
    }
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    if command.starts_with("locator find") {
        // The files of a folder are searched at the same time.
        let mut lines: Vec<_> = printed.lines().collect();
        lines.sort_unstable();
        return text + &lines.join("\n") + "\n";
    }
    text + &printed
}

#[test]
fn every_command_does_what_the_table_says() {
    let document = std::fs::read_to_string(root().join("docs/coming-from.md")).unwrap();
    let rows = document.lines().filter(|line| line.starts_with('|'));
    let commands: Vec<_> = rows.flat_map(commands).collect();
    assert!(commands.len() > 50, "the tables are not whole: {}", commands.len());
    let found: Vec<_> = commands.iter().map(|command| run(command)).collect();
    let record = root().join("testdata/golden/coming-from.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&record, found.join("\n")).unwrap();
    }
    let stated = std::fs::read_to_string(&record).unwrap();
    for (command, found) in commands.iter().zip(&found) {
        assert!(stated.contains(found), "{command} does something else:\n{found}");
    }
    assert_eq!(stated, found.join("\n"));
}
