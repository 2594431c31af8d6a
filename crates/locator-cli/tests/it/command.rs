//! Runs the cases of `testdata/command` and compares both output streams and the exit status with
//! the expected ones. `UPDATE=1 cargo test -p locator-cli --test it command` rewrites the expected output.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use tempfile::TempDir;

use crate::runner;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

#[derive(Clone, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    arguments: Vec<String>,
    #[serde(default)]
    stdin: String,
    #[serde(default)]
    stdin_octets: Vec<u8>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    exit: i32,
    /// Standard output as JSON, in lines of 100 columns, instead of `stdout`.
    #[serde(default)]
    json: String,
    #[serde(default)]
    stdout: String,
    #[serde(default)]
    stderr: String,
}

#[test]
fn every_case_is_answered_as_stated() {
    let folder = runner::testdata("command");
    let mut differences = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("testdata/command is there") {
        let path = entry.expect("a folder can be listed").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a case file can be read");
        let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let answered = File { case: file.case.iter().map(answer).collect() };
        count += file.case.len();
        if std::env::var_os("UPDATE").is_some() {
            update(&path, &text, &answered);
            continue;
        }
        for (stated, found) in file.case.iter().zip(&answered.case).filter(|(stated, found)| stated != found)
        {
            differences.push(difference(&path, stated, found));
        }
    }
    assert!(count > 50, "the cases are not whole: {count}");
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), differences.join("\n"));
}

fn answer(case: &Case) -> Case {
    let stdin =
        if case.stdin.is_empty() { case.stdin_octets.clone() } else { case.stdin.clone().into_bytes() };
    let folder = folder(&case.files);
    let mut command = runner::locator(&case.arguments);
    if !case.files.is_empty() {
        command.current_dir(folder.path());
    }
    let output = runner::run(command.envs(&case.environment), stdin);
    let here = folder.path().to_str().expect("a temporary folder has a name in ASCII");
    let stdout = text(output.stdout).replace(here, "/here");
    let (json, stdout) = match case.json.is_empty() {
        true => (String::new(), stdout),
        false => (stdout.lines().map(|line| filled(line, 0) + "\n").collect(), String::new()),
    };
    Case {
        exit: output.status.code().unwrap_or(-1),
        json,
        stdout,
        stderr: text(output.stderr).replace(here, "/here"),
        ..case.clone()
    }
}

/// A folder with files in it, in which the command runs.
fn folder(files: &BTreeMap<String, String>) -> TempDir {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder can be made");
        fs::write(path, content).expect("a file can be written");
    }
    folder
}

/// Returns a JSON text in lines of 100 columns: an object or array that is longer goes on in lines that are
/// indented, with as many members on each as it has space for.
fn filled(json: &str, indent: usize) -> String {
    let member = json.trim_end_matches(',');
    let key = if member.starts_with('"') { key_len(member) } else { 0 };
    let value = member[key..].trim_start_matches(':');
    if indent + json.len() <= 100 || !value.starts_with(['{', '[']) {
        return json.to_owned();
    }
    let mut text = member[..=member.len() - value.len()].to_owned();
    let (mut column, margin) = (indent + text.len(), " ".repeat(indent + 2));
    for (number, inner) in members(&value[1..value.len() - 1]).into_iter().enumerate() {
        if number > 0 && column + inner.len() > 100 {
            text += &format!("\n{margin}");
            column = margin.len();
        }
        let inner = filled(inner, margin.len());
        column = if inner.contains('\n') { 100 } else { column + inner.len() };
        text += &inner;
    }
    text + &json[member.len() - 1..]
}

/// Returns the length of the string that a JSON text begins with.
fn key_len(json: &str) -> usize {
    let mut is_escaped = false;
    let end = json[1..].find(|c| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.map_or(json.len(), |end| end + 2)
}

/// Returns the members of an object or array, each with its comma.
fn members(json: &str) -> Vec<&str> {
    let (mut members, mut start, mut depth, mut at) = (Vec::new(), 0, 0, 0);
    while at < json.len() {
        match json.as_bytes()[at] {
            b'"' => at += key_len(&json[at..]) - 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => {
                members.push(&json[start..=at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    members.push(&json[start..]);
    members
}

/// Whatever is given to it, the command prints text.
fn text(octets: Vec<u8>) -> String {
    String::from_utf8(octets).expect("the command prints UTF-8")
}

fn difference(path: &Path, stated: &Case, found: &Case) -> String {
    let mut lines = format!("{}: {}: locator {}\n", path.display(), stated.name, stated.arguments.join(" "));
    if stated.exit != found.exit {
        lines += &format!("stated exit {}, found {}\n", stated.exit, found.exit);
    }
    let json = (&stated.json, &found.json);
    for (stated, found) in [json, (&stated.stdout, &found.stdout), (&stated.stderr, &found.stderr)] {
        if stated != found {
            lines += &format!("--- stated\n{stated}\n--- found\n{found}\n");
        }
    }
    lines
}

/// Writes a file anew, with the comments at its head.
fn update(path: &Path, text: &str, answered: &File) {
    let mut new: String =
        text.lines().take_while(|line| line.starts_with('#')).flat_map(|line| [line, "\n"]).collect();
    for case in &answered.case {
        new += &written(case);
    }
    fs::write(path, new).expect("a case file can be written");
}

fn written(case: &Case) -> String {
    let list = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(", ");
    let mut text = format!("\n[[case]]\nname = {}\n", quoted(&case.name));
    text += &format!("arguments = [{}]\n", list(&mut case.arguments.iter().map(|one| quoted(one))));
    if !case.environment.is_empty() {
        let pairs = &mut case.environment.iter().map(|(name, value)| format!("{name} = {}", quoted(value)));
        text += &format!("environment = {{ {} }}\n", list(pairs));
    }
    for (name, content) in &case.files {
        text += &format!("files.{} = {}\n", quoted(name), in_lines(content));
    }
    if !case.stdin_octets.is_empty() {
        let octets = &mut case.stdin_octets.iter().map(|octet| format!("0x{octet:02X}"));
        text += &format!("stdin_octets = [{}]\n", list(octets));
    }
    if !case.stdin.is_empty() {
        text += &format!("stdin = {}\n", quoted(&case.stdin));
    }
    text += &format!("exit = {}\n", case.exit);
    for (name, printed) in [("json", &case.json), ("stdout", &case.stdout), ("stderr", &case.stderr)] {
        if !printed.is_empty() {
            text += &format!("{name} = {}\n", in_lines(printed));
        }
    }
    text
}

/// What a person can read in an editor that hides nothing and turns nothing around.
fn is_seen(c: char) -> bool {
    matches!(c, ' '..='~' | '≠' | '…' | 'é')
}

fn quoted(text: &str) -> String {
    let escaped: String = text.chars().map(escaped).collect();
    format!("\"{escaped}\"")
}

/// Several lines as they are, where a literal string can have them.
fn in_lines(text: &str) -> String {
    if text.chars().all(|c| is_seen(c) || c == '\n') && !text.contains("'''") {
        return format!("'''\n{text}'''");
    }
    let lines: String = text.chars().map(|c| if c == '\n' { "\n".to_owned() } else { escaped(c) }).collect();
    format!("\"\"\"\n{lines}\"\"\"")
}

fn escaped(c: char) -> String {
    match c {
        '"' | '\\' => format!("\\{c}"),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        _ if is_seen(c) => c.to_string(),
        _ => format!("\\U{:08X}", u32::from(c)).replace("\\U0000", "\\u"),
    }
}

#[test]
fn a_label_of_200_kb_is_refused_in_short() {
    let input = format!("http://{}/\n", "é".repeat(100_000));
    let output = runner::run(&mut runner::locator(&["convert", "--idna"]), input.into_bytes());
    let message = String::from_utf8(output.stderr).expect("a message is text");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        message.starts_with(
            "<stdin>:1:8: error: label 1 of the host is longer than 63 bytes in ASCII, at byte 7"
        )
    );
    assert!(message.lines().count() <= 3 && message.len() < 4_000, "{} octets", message.len());
}

#[test]
fn lists_are_compared_as_sets_of_normal_forms() {
    let directory = TempDir::new().expect("a place for files");
    let list = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::write(&path, text).expect("it can be written");
        path.into_os_string()
    };
    let first = list("first", "HTTP://h:80\nhttp://h/a\nhttp://h/%61\n\nhttp://[::1]/\n");
    let second = list("second", "http://h/b\r\nhttp://h/\nhttp://[0:0::1]/\n");
    let run = |more: &[&str]| {
        let mut arguments = vec!["compare".into(), "--lists".into(), first.clone(), second.clone()];
        arguments.extend(more.iter().map(std::ffi::OsString::from));
        let output = runner::run(&mut runner::locator(&arguments), Vec::new());
        (output.status.code(), String::from_utf8(output.stdout).expect("URLs are text"))
    };
    assert_eq!(run(&[]), (Some(1), "< http://h/a\n> http://h/b\n".into()));
    let json =
        "{\"list\":1,\"line\":2,\"url\":\"http://h/a\"}\n{\"list\":2,\"line\":1,\"url\":\"http://h/b\"}\n";
    assert_eq!(run(&["--json"]), (Some(1), json.into()));
    assert_eq!(run(&["-q"]), (Some(1), String::new()));
    fs::write(&first, "http://h/b\nhttp://h\nhttp://[::1]/\n").expect("it can be written");
    assert_eq!(run(&[]), (Some(0), String::new()));
    fs::write(&first, "http://h/b\nhttp://h\nhttp://[::1]/\nhttp://h/|\n").expect("it can be written");
    assert_eq!(run(&[]), (Some(2), String::new()));
}
