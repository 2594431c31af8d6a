//! The program as a black box: the cases of `cases.toml`, the examples of `docs/sql.md`, large input,
//! signals.
//!
//! `UPDATE=1` writes the expected output of the cases again.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde::Deserialize;

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    /// Names and contents of files in the folder that the program runs in.
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    octets: BTreeMap<String, Vec<u8>>,
    /// Arguments of runs before.
    #[serde(default)]
    before: Vec<Vec<String>>,
    arguments: Vec<String>,
    #[serde(default)]
    stdin: String,
    #[serde(default)]
    exit: i32,
    #[serde(default)]
    stdout: String,
    #[serde(default)]
    stderr: String,
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_locator-sql"));
    command.current_dir(folder).env_remove("CLICOLOR_FORCE").env("TMPDIR", folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(command: &mut Command, stdin: &str) -> Output {
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_owned();
    let writer = std::thread::spawn(move || drop(pipe.write_all(stdin.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

impl Case {
    fn run(&self) -> (i32, String, String) {
        let folder = tempfile::tempdir().unwrap();
        let octets = self.octets.iter().map(|(name, octets)| (name, octets.as_slice()));
        let files = self.files.iter().map(|(name, text)| (name, text.as_bytes()));
        for (name, content) in files.chain(octets) {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        for arguments in &self.before {
            let output = run(program(folder.path()).args(arguments), "");
            assert!(output.status.success(), "{}: {output:?}", self.name);
        }
        let output = run(program(folder.path()).args(&self.arguments), &self.stdin);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let left = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains("locator-sql-")).collect();
        assert!(left.is_empty(), "{}: {left:?}", self.name);
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

#[test]
fn cases() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases.toml");
    let source = fs::read_to_string(&path).unwrap();
    let cases: Cases = toml::from_str(&source).unwrap();
    let found: Vec<_> = cases.case.iter().map(Case::run).collect();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, updated(&source, &found)).unwrap();
        return;
    }
    let mut wrong = String::new();
    for (case, (exit, stdout, stderr)) in cases.case.iter().zip(&found) {
        if (case.exit, &case.stdout, &case.stderr) != (*exit, stdout, stderr) {
            let _ = writeln!(wrong, "{}: exit {exit}\n{stdout}{stderr}", case.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Replaces what is expected: the lines from `exit` to the end of a case.
fn updated(source: &str, found: &[(i32, String, String)]) -> String {
    let mut parts = source.split("[[case]]\n");
    let mut text = parts.next().unwrap().to_owned();
    for (part, (exit, stdout, stderr)) in parts.zip(found) {
        let given = part.split("\nexit = ").next().unwrap();
        let _ = writeln!(text, "[[case]]\n{given}\nexit = {exit}");
        for (key, value) in [("stdout", stdout), ("stderr", stderr)] {
            if !value.is_empty() {
                let _ = writeln!(text, "{key} = '''\n{value}'''");
            }
        }
        text.push('\n');
    }
    text.trim_end().to_owned() + "\n"
}

/// Each line that begins with `$` in a block of docs/sql.md prints what follows it. The blocks share a
/// folder, and `locator sql` is the program.
#[cfg(unix)]
#[test]
fn examples_of_the_guide() {
    use std::os::unix::fs::PermissionsExt;

    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sql.md");
    let guide = fs::read_to_string(guide).unwrap();
    let (folder, tools) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let locator = tools.path().join("locator");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = sql ] || exit 9\nshift\nexec '{}' \"$@\"\n",
        env!("CARGO_BIN_EXE_locator-sql")
    );
    fs::write(&locator, script).unwrap();
    fs::set_permissions(&locator, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", tools.path().display(), std::env::var("PATH").unwrap());
    let mut count = 0;
    for block in guide.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
        for example in format!("\n{block}").split("\n$ ").skip(1) {
            let (mut command, mut printed) = example.split_once('\n').unwrap_or((example, ""));
            // A command goes on to the line that closes its quotes.
            while command.matches('"').count() % 2 == 1 {
                let end = command.len() + 1 + printed.find('\n').unwrap_or(printed.len());
                (command, printed) = (&example[..end], example.get(end + 1..).unwrap_or(""));
            }
            let mut shell = Command::new("sh");
            shell.args(["-c", command]).current_dir(folder.path()).env("PATH", &path);
            let output = shell.stdin(Stdio::null()).output().unwrap();
            let found = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert_eq!(found.trim_end(), printed.trim_end(), "{command}");
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

/// A made-up table that is larger than the memory: the answer is the same, and no file is left.
#[test]
fn what_does_not_fit_into_memory_is_written_to_files() {
    let folder = tempfile::tempdir().unwrap();
    // 240,000 different URLs of 80 bytes, each twice.
    let lines = (0..480_000).map(|number: u64| {
        format!("http://host{:06}.example/{:048}\n", number % 240_000, number.wrapping_mul(31) % 240_000)
    });
    fs::write(folder.path().join("urls.txt"), lines.collect::<String>()).unwrap();
    for memory in ["16M", "1G"] {
        for query in [
            "select count(*) from (select distinct url from 'urls.txt')",
            "select count(distinct url) from 'urls.txt'",
        ] {
            let output = run(program(folder.path()).args(["--memory", memory, "--threads", "2", query]), "");
            let printed = String::from_utf8(output.stdout).unwrap();
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!((printed.lines().last(), &*message), (Some("240000"), ""), "{memory} {query}");
        }
    }
    let query = "select uri_uniq(url) from 'urls.txt'";
    let output = run(program(folder.path()).args(["--memory", "16M", query]), "");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(2) && message.contains("select count(*) from (select distinct"),
        "{message}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A run that is interrupted leaves neither its temporary folder nor a part of the result.
#[cfg(unix)]
#[test]
fn signals_leave_no_files() {
    use std::os::unix::process::ExitStatusExt;

    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.txt"), "a\n").unwrap();
        // Standard input stays open, so the program waits for it, with its folder for temporary files.
        let mut child = program(folder.path()).args(["-o", "out.csv", "select * from '-'"]).spawn().unwrap();
        let has_folder = || {
            let mut entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
            entries.any(|path| path.is_dir() && path.join("input-0").exists())
        };
        while !has_folder() {
            assert!(child.try_wait().unwrap().is_none());
            std::thread::yield_now();
        }
        let killed = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(killed.unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{signal}");
        let left = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(left.collect::<Vec<_>>(), ["a.txt"], "{signal}");
    }
}

/// The reader of a pipe closes it: the program ends without a message.
#[test]
fn a_closed_pipe_is_no_error() {
    use std::io::{BufRead, BufReader};

    let folder = tempfile::tempdir().unwrap();
    let query = "select * from generate_series(1, 10000000)";
    let mut child = program(folder.path()).arg(query).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr, &*first), (Some(0), &b""[..], "value\n"));
}

/// A file is replaced only by a whole result.
#[test]
fn an_error_leaves_the_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    fs::write(&path, "old\n").unwrap();
    fs::write(folder.path().join("n.csv"), format!("n\n{}x\n", "1\n".repeat(50_000))).unwrap();
    for query in ["select uri_host(n) from 'n.csv'", "select n from 'n.csv'"] {
        let output = run(program(folder.path()).args(["-o", "out.csv", query]), "");
        assert_eq!(
            (output.status.code(), &*fs::read_to_string(&path).unwrap()),
            (Some(2), "old\n"),
            "{query}"
        );
    }
    let output = run(program(folder.path()).args(["-o", "out.csv", "select 1 a"]), "");
    assert_eq!((output.status.code(), &*fs::read_to_string(&path).unwrap()), (Some(0), "a\n1\n"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_table_has_a_thousand_rows() {
    let folder = tempfile::tempdir().unwrap();
    for (rows, note) in
        [(1000, ""), (1001, "note: there are more than 1,000 rows; --format csv writes all\n")]
    {
        let query = format!("select value from generate_series(1, {rows}) order by value");
        let output = run(program(folder.path()).args(["-f", "table", &query]), "");
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!((printed.lines().count(), printed.lines().last()), (1002, Some(" 1000")));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), note);
    }
}

#[test]
fn a_value_of_another_type_is_an_error_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("n.csv"), format!("n\n{}x\n", "1\n".repeat(1001))).unwrap();
    let output = run(program(folder.path()).arg("select sum(n) from 'n.csv'"), "");
    let message = "error: Error while parsing value 'x' as type 'Int64' for column 0 at line 1002; \
                   --all-text reads all columns as text\n";
    assert_eq!((output.status.code(), &*String::from_utf8(output.stderr).unwrap()), (Some(2), message));
    let output = run(program(folder.path()).args(["--all-text", "select max(n) m from 'n.csv'"]), "");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "m\nx\n");
}
