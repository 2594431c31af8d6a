//! Standard input as a stream: much of it, long lines, slow ones, closed pipes.

use std::io::{BufRead, Write};
use std::process::Child;
use std::thread;

use crate::runner;

const MILLION: usize = 1_000_000;

/// The most memory it has had so far, in KiB.
#[cfg(target_os = "linux")]
fn most_memory(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it still runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux counts it");
    line.trim().trim_end_matches(" kB").parse().expect("it is a number")
}

#[cfg(not(target_os = "linux"))]
fn most_memory(_: &Child) -> u64 {
    0
}

#[test]
fn a_million_lines_have_a_million_answers_in_constant_memory() {
    let (mut child, mut stdin) = runner::start(&["read", "--json"]);
    let writer = thread::spawn(move || {
        for number in 0..MILLION {
            writeln!(stdin, "http://user@host-{number}.example.com:80/a/b;c?q={number}#f")
                .expect("it reads on");
        }
        // Given back open: it still runs while its memory is looked at.
        stdin
    });
    let mut answers = runner::answers(&mut child);
    let mut line = String::new();
    for number in 0..MILLION {
        line.clear();
        answers.read_line(&mut line).expect("an answer is text");
        assert!(line.contains(&format!("\"host\":\"host-{number}.example.com\"")), "{line}");
    }
    assert!(most_memory(&child) < 32 * 1024, "{} KiB", most_memory(&child));
    drop(writer.join().expect("writing does not panic"));
    assert_eq!(answers.read_line(&mut line).expect("the end can be read"), 0);
    assert_eq!(runner::exit(child), Some(0));
}

#[test]
fn an_endless_stream_gets_its_answers_as_it_goes() {
    for arguments in [&["read", "--json"][..], &["check", "--json"], &["read", "-0", "--json", "-e", "all"]] {
        let (mut child, mut stdin) = runner::start(arguments);
        let mut answers = runner::answers(&mut child);
        for number in 0..100 {
            let end: &[u8] = if arguments.contains(&"-0") { b"\0" } else { b"\n" };
            let input = format!("http://host/{number}|");
            stdin.write_all(&[input.as_bytes(), end].concat()).expect("it reads on");
            let mut line = String::new();
            answers.read_line(&mut line).expect("an answer is text");
            assert!(line.starts_with(&format!("{{\"input\":\"{input}\"")), "{line}");
        }
        drop(stdin);
        assert_eq!(runner::exit(child), Some(1));
    }
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    runner::ends_quietly(&["read"], "http://and/on\n");
}

#[test]
fn a_line_of_a_hundred_million_octets_is_read() {
    let mut line = b"http://host/".to_vec();
    line.resize(100 * MILLION, b'a');
    let valid = [&line[..], b"\r\nhttp://next/\n"].concat();
    let output = runner::run(&mut runner::locator(&["read", "--json", "--max-line", "1G"]), valid);
    assert_eq!(output.status.code(), Some(0));
    let answers: Vec<_> = output.stdout.split_inclusive(|&octet| octet == b'\n').collect();
    assert_eq!(answers.len(), 2);
    // The output contains the path three times, in "input", in "path" and in "scheme_parts".
    assert!(answers[0].len() > 300 * MILLION);
    assert!(answers[0].ends_with(b"aaa\"}}}\n"));
    assert!(answers[1].starts_with(b"{\"input\":\"http://next/\""));

    line.push(b'|');
    let output = runner::run(&mut runner::locator(&["check", "--max-line", "1G"]), line);
    let diagnosis = String::from_utf8(output.stdout).expect("the command prints text");
    assert!(diagnosis.starts_with("<stdin>:1:100000001: error: "), "{diagnosis}");
    assert!(diagnosis.len() < 1_000);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn silence_ends_with_the_first_that_is_not_valid() {
    let (mut child, mut stdin) = runner::start(&["check", "-q"]);
    stdin.write_all(b"http://a/\nhttp://|/\n").expect("it reads");
    // Standard input is open, and would be for ever.
    assert_eq!(child.wait().expect("a child can be waited for").code(), Some(1));
    drop(stdin);
}

#[test]
fn what_is_printed_for_any_octets_can_be_given_to_a_terminal() {
    let every_octet: Vec<u8> = (0..=255).flat_map(|octet| [b'h', b':', octet, 0]).collect();
    let characters = (0x80..0x3000).chain(0xE0000..0xE0080).filter_map(char::from_u32);
    let text: String = characters.flat_map(|c| ['h', ':', c, '\0']).collect();
    for arguments in [&["read", "-0"][..], &["check", "-0", "--all"], &["read", "-0", "-e", "all"]] {
        for input in [every_octet.clone(), text.clone().into_bytes()] {
            let output = runner::run(&mut runner::locator(arguments), input);
            let shown = String::from_utf8(output.stdout).expect("the command prints text");
            let raw = shown.chars().find(|&c| !matches!(c, ' '..='~' | '\n' | '≠' | '…'));
            assert_eq!(raw, None, "{arguments:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_far_it_came() {
    let mut command = runner::locator(&["read", "--json"]);
    let mut child = command.spawn().expect("the command is built");
    let mut stdin = child.stdin.take().expect("it was asked for as a pipe");
    let mut answers = runner::answers(&mut child);
    let mut line = String::new();
    for _ in 0..1_234 {
        stdin.write_all(b"http://host/\n").expect("it reads");
        answers.read_line(&mut line).expect("an answer is text");
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("there is a kill").success());
    let output = child.wait_with_output().expect("a child can be waited for");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "note: interrupted after 1,234 lines\n");
    assert_eq!(runner::signal(output.status), Some(2));
    drop(stdin);
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf_8_is_reported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let arguments = [OsStr::new("read"), OsStr::new("--json"), OsStr::from_bytes(b"http://h/\xFF")];
    let output = runner::run(&mut runner::locator(&arguments), Vec::new());
    let answer = String::from_utf8(output.stdout).expect("JSON is text");
    let head = "{\"input\":\"http://h/\u{FFFD}\",\"input_base64\":\"aHR0cDovL2gv/w==\",\"edition\":\"rfc3986\",\"valid\":false,";
    assert!(answer.starts_with(head), "{answer}");
    assert_eq!(output.status.code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn read_and_write_errors_are_reported() {
    let folder = std::fs::File::open("/").expect("there is a root");
    let output = runner::locator(&["read"]).stdin(folder).output().expect("the command is built");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: standard input cannot be read: "));
    assert_eq!(output.status.code(), Some(2));

    let full = std::fs::File::create("/dev/full").expect("Linux has it");
    let output = runner::locator(&["read", "x:y"]).stdout(full).output().expect("the command is built");
    assert!(
        String::from_utf8_lossy(&output.stderr).starts_with("error: standard output cannot be written: ")
    );
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn a_closed_output_is_an_error_of_every_verb_that_prints() {
    let closed = |arguments: &[&str]| {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", r#"exec "$@" >&-"#, "sh", env!("CARGO_BIN_EXE_locator")]).args(arguments);
        let output = command.stdin(std::process::Stdio::null()).output().expect("sh is there");
        (output.status.code(), String::from_utf8(output.stderr).expect("it prints text"))
    };
    for arguments in [
        &["read", "http://a/"][..],
        &["check", "http:/%"],
        &["normalize", "http://a/"],
        &["resolve", "--base", "http://a/", "b"],
        &["relative", "--base", "http://a/", "http://a/b"],
        &["convert", "http://a/"],
        &["compare", "http://a/", "http://b/"],
        &["file", "/a"],
        &["path", "file:///a"],
        &["edit", "-s", "host=b", "http://a/"],
        &["find", "--type-list"],
        &["audit", "http://u:p@10.0.0.1/"],
        &["plan", "http://a/"],
        &["get", "data:,a"],
        &["editions"],
        &["schemes"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["--version"],
        &["find", "--help"],
    ] {
        let (status, stderr) = closed(arguments);
        assert_eq!(status, Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("it is closed"), "{arguments:?}: {stderr}");
    }
    // Nothing is written.
    assert_eq!(closed(&["check", "http://a.example/"]), (Some(0), String::new()));
}
