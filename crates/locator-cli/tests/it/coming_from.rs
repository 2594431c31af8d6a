//! The commands in the tables of `docs/coming-from.md`: each must succeed, and its standard output
//! and the requests that it sends are compared with `testdata/command/coming-from.txt`. `UPDATE=1`
//! writes that file. Where curl, wget, grep, rg or trurl is installed, the commands on the left are run too, and
//! must request, print and save the same.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::TempDir;

use crate::http::{Request, Server, answer, ok};

/// The words of the tables that a user replaces.
const WORDS: [(&str, &str); 4] = [
    ("URL", "'http://www.example.com/pub/a.txt?q=1&utm_source=mail'"),
    ("IRI", "'http://bücher.example/a'"),
    ("FILE", "urls.txt"),
    ("DIR", "site"),
];

/// The programs that are run, if they are installed.
const PROGRAMS: [&str; 5] = ["curl", "wget", "grep", "rg", "trurl"];

/// What differs on purpose. The row, or the text around the table, says so.
const DIFFERENT: [(&str, &[&str]); 11] = [
    // wget keeps the query in the name of the file.
    ("wget URL", &["files"]),
    ("wget -c URL", &["files"]),
    ("wget -t 3 URL", &["files"]),
    ("wget --header='X-A: b' URL", &["files"]),
    ("wget --post-data=a=b URL", &["files"]),
    // The links of a page are printed, and not followed.
    ("wget -r -np URL", &["printed", "files"]),
    // ripgrep prints the name of the file before a match, and takes what follows a URL for a part of it.
    ("rg -o 'https?://\\S+' DIR", &["printed"]),
    ("rg -o 'https://example[.]org\\S*' DIR", &["printed"]),
    // trurl removes a default port, and prints what it has verified.
    ("trurl --url URL --iterate 'port=80 81'", &["printed"]),
    ("trurl --url URL --json", &["printed"]),
    ("trurl --url URL --verify", &["printed"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A row of a table: the code in its first and in its last cell.
struct Row {
    theirs: Vec<String>,
    ours: Vec<String>,
}

impl Row {
    fn read(line: &str) -> Option<Self> {
        let line = line.replace("\\|", "\0");
        let (first, last) = line.trim_matches(['|', ' ']).split_once(" | ")?;
        let code = |cell: &str| -> Vec<_> {
            cell.split('`').skip(1).step_by(2).map(|code| code.replace('\0', "|")).collect()
        };
        let is_command = |code: &String| code.starts_with("locator ") && code.matches(' ').count() > 1;
        Some(Self { theirs: code(first), ours: code(last).into_iter().filter(is_command).collect() })
    }
}

/// The rows of the tables of commands, which are before those of crates, without their heads.
fn rows() -> Vec<Row> {
    let document = std::fs::read_to_string(root().join("docs/coming-from.md")).unwrap();
    let commands = document.split("\n## From the crate").next().unwrap();
    let lines = commands.lines().filter(|line| line.starts_with("| `"));
    lines.map(|line| Row::read(line).unwrap_or_else(|| panic!("{line}"))).collect()
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

/// What a command did.
struct Ran {
    requests: String,
    printed: String,
    errors: String,
    is_ok: bool,
    /// The files that it saved, by their names.
    files: BTreeMap<String, String>,
}

/// What the server answers, as a proxy of every host.
fn answered(request: &Request, wants_login: bool, is_busy: bool) -> Vec<u8> {
    if is_busy {
        return answer("503 Service Unavailable", "", "");
    }
    if wants_login && request.field("authorization").is_none() {
        return answer("401 Unauthorized", "WWW-Authenticate: Basic realm=\"a\"\r\n", "");
    }
    match request.line.split_once(' ') {
        Some(("HEAD", _)) => answer("200 OK", "", ""),
        _ if request.field("range").is_some() => {
            answer("206 Partial Content", "Content-Range: bytes 0-3/9\r\n", "page")
        }
        // A site of two pages, whose second has a link that is dead.
        Some((_, "/robots.txt" | "/dead")) => answer("404 Not Found", "", ""),
        Some((_, "/second")) => answer("200 OK", "Content-Type: text/html\r\n", "<a href=dead>a</a>\n"),
        Some((_, "/")) => answer("200 OK", "Content-Type: text/html\r\n", "<a href=second>a</a>\n"),
        _ => ok("<a href=b>page</a>\n"),
    }
}

/// The requests in the order of their lines, with the fields that an option may change.
fn written(requests: &[Request]) -> String {
    let mut text = String::new();
    for request in requests {
        let _ = writeln!(text, "> {}", request.line);
        for name in ["accept", "user-agent", "referer", "range", "content-type", "authorization", "x-a"] {
            let is_usual = |value: &str| {
                value == "*/*" || ["locator/", "curl/", "Wget/"].iter().any(|own| value.starts_with(own))
            };
            let value = request.field(name).filter(|value| !is_usual(value));
            value.map(|value| writeln!(text, "> {name}: {value}"));
        }
        if !request.body.is_empty() {
            let _ = writeln!(text, "> {}", request.body);
        }
    }
    text
}

/// Runs a command of the tables.
fn run(command: &str) -> Ran {
    let wants_login = command.contains("joe:secret");
    // The first request fails, so that another is needed.
    let busy = AtomicBool::new(command.contains("--retry 3"));
    let server =
        Server::new(move |request| answered(request, wants_login, busy.swap(false, Ordering::Relaxed)));
    let folder = folder();
    let given = WORDS.iter().fold(command.to_owned(), |command, (word, value)| command.replace(word, value));
    let given = given.replace("localhost:8000", &server.address.to_string());
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
    let mut requests = server.requests();
    requests.sort_by(|one, other| one.line.cmp(&other.line));
    if wants_login {
        // Some programs wait until they are asked for a login.
        requests.retain(|request| request.field("authorization").is_some());
    }
    let text =
        |octets| String::from_utf8(octets).unwrap().replace(&server.address.to_string(), "localhost:8000");
    let saved = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let saved = saved.filter(|path| !path.ends_with("site") && !path.ends_with("urls.txt"));
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    Ran {
        requests: written(&requests),
        printed: text(output.stdout),
        errors: text(output.stderr),
        is_ok: output.status.success(),
        files: saved.map(|path| (name(&path), std::fs::read_to_string(&path).unwrap_or_default())).collect(),
    }
}

/// The record of one of our commands: what was requested, printed and saved.
fn recorded(command: &str, ran: &Ran) -> String {
    let mut text = format!("$ {command}\n{}", ran.requests);
    for (name, content) in &ran.files {
        let _ = writeln!(text, "< {name}: {}", content.escape_debug());
    }
    if command.starts_with("locator find") || command.starts_with("locator links") {
        return text + &lines(&ran.printed).join("\n") + "\n";
    }
    text + &ran.printed
}

#[test]
fn every_command_does_what_the_table_says() {
    let rows = rows();
    let idle: Vec<_> = rows.iter().filter(|row| row.ours.is_empty()).flat_map(|row| &row.theirs).collect();
    assert!(idle.is_empty(), "rows without a command that is run: {idle:?}");
    let commands: Vec<_> = rows.iter().flat_map(|row| &row.ours).collect();
    assert!(commands.len() >= 60, "the tables are not whole: {}", commands.len());
    let found = commands.iter().map(|command| {
        let ran = run(command);
        // A dead link is a finding.
        let is_finding = command.starts_with("locator links -r");
        assert!(ran.is_ok || is_finding, "{command}: {}", ran.errors);
        recorded(command, &ran)
    });
    let found: Vec<_> = found.collect();
    let record = root().join("testdata/command/coming-from.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&record, found.join("\n")).unwrap();
    }
    let stated = std::fs::read_to_string(&record).unwrap();
    for (command, found) in commands.iter().zip(&found) {
        assert!(stated.contains(found), "{command} does something else:\n{found}");
    }
    assert_eq!(stated, found.join("\n"));
}

/// The lines of a text in order: files are searched at the same time.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// The commands on the left request, print and save the same as the first command on the right.
#[test]
#[cfg(target_os = "linux")]
fn every_command_does_what_the_other_program_does() {
    let is_installed = |program: &&str| {
        let found = Command::new(program).arg("--version").output();
        found.is_ok_and(|output| output.status.success())
    };
    let programs: Vec<_> = PROGRAMS.into_iter().filter(is_installed).collect();
    let mut wrong = Vec::new();
    for row in rows() {
        for theirs in &row.theirs {
            let program = theirs.split(' ').next().unwrap();
            if !programs.contains(&program) || theirs.contains('…') {
                continue;
            }
            let (other, own) = (run(theirs), run(&row.ours[0]));
            if other.errors.contains("is unknown") {
                // An old version does not have the option.
                continue;
            }
            let may_differ =
                DIFFERENT.iter().find(|(command, _)| command == theirs).map_or(&[][..], |(_, what)| what);
            let mut compare = |what, other: &dyn std::fmt::Debug, own: &dyn std::fmt::Debug| {
                let (other, own) = (format!("{other:?}"), format!("{own:?}"));
                if (other == own) == may_differ.contains(&what) {
                    wrong.push(format!("{theirs}: {what}\n  {other}\n  {}: {own}", row.ours[0]));
                }
            };
            compare("requests", &other.requests, &own.requests);
            compare("printed", &lines(&other.printed), &lines(&own.printed));
            compare("files", &other.files, &own.files);
            compare("status", &other.is_ok, &own.is_ok);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
