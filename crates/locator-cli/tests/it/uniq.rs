//! `uniq` with more lines than fit into its memory, and its temporary file.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::HashMap;
#[cfg(target_os = "linux")]
use std::fs;
use std::io::{BufRead, Write};
#[cfg(target_os = "linux")]
use std::process::{Child, Command};

use crate::runner;

/// Numbers that repeat irregularly, so that duplicates are near and far.
fn numbers(count: u64, different: u64) -> impl Iterator<Item = u64> {
    (0..count).scan(1_u64, move |state, _| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Some((*state >> 33) % different)
    })
}

fn line(number: u64) -> String {
    // A few are longer than a block of the temporary file.
    let length = if number.is_multiple_of(10_007) { 20_000 } else { number as usize % 40 };
    format!("http://h{number}.example/{}", "a".repeat(length))
}

/// The first lines in order, each with its count.
fn expected(lines: &[String]) -> Vec<(&str, u64)> {
    let mut firsts: Vec<(&str, u64)> = Vec::new();
    let mut places = HashMap::new();
    for line in lines {
        let place = *places.entry(line).or_insert_with(|| {
            firsts.push((line, 0));
            firsts.len() - 1
        });
        firsts[place].1 += 1;
    }
    firsts
}

fn printed(options: &[&str], lines: &[String]) -> String {
    let arguments = [&["uniq"], options].concat();
    let output = runner::run(&mut runner::locator(&arguments), (lines.join("\n") + "\n").into_bytes());
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{options:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_does_not_fit_into_memory_is_the_same() {
    for (count, different) in [(20_000, 2_000), (80_000, 50_000)] {
        let lines: Vec<String> = numbers(count, different).map(line).collect();
        let expected = expected(&lines);
        let firsts: String = expected.iter().map(|(line, _)| format!("{line}\n")).collect();
        for options in [&["--memory", "1M"][..], &["--memory", "1M", "--by", "host"]] {
            assert!(printed(options, &lines) == firsts, "{options:?}, {different}");
        }
        let counted: String = expected.iter().map(|(line, count)| format!("{count:>7} {line}\n")).collect();
        assert!(printed(&["--memory", "1M", "-c"], &lines) == counted, "{different}");
        let repeated: String =
            expected.iter().filter(|(_, count)| *count > 1).map(|(line, _)| format!("{line}\n")).collect();
        assert!(printed(&["--memory", "1M", "-d"], &lines) == repeated, "{different}");
    }
}

/// A run that has begun to write its temporary file to a directory, and waits for more input.
#[cfg(target_os = "linux")]
fn spilling(folder: &std::path::Path) -> (Child, std::process::ChildStdin) {
    let mut command = runner::locator(&["uniq", "--memory", "1M", "-c"]);
    let mut child = command.env("TMPDIR", folder).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines: String = (0..200_000).map(|number| format!("http://h/{number}\n")).collect();
    stdin.write_all(lines.as_bytes()).unwrap();
    let files = format!("/proc/{}/fd", child.id());
    let is_open = || {
        let files = fs::read_dir(&files).unwrap().flatten();
        files
            .into_iter()
            .filter_map(|file| fs::read_link(file.path()).ok())
            .any(|file| file.starts_with(folder))
    };
    while !is_open() {
        std::thread::yield_now();
    }
    (child, stdin)
}

#[cfg(target_os = "linux")]
#[test]
fn no_temporary_file_is_left() {
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-KILL", 9)] {
        let folder = tempfile::tempdir().unwrap();
        let (child, stdin) = spilling(folder.path());
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        drop(stdin);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(runner::signal(output.status), Some(number), "{errors}");
        assert_eq!(errors.starts_with("note: interrupted after "), signal == "-INT", "{errors}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{signal}");
    }
    let folder = tempfile::tempdir().unwrap();
    let (child, stdin) = spilling(folder.path());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout.iter().filter(|octet| **octet == b'\n').count(), 200_000);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_missing_directory_for_temporary_files_is_an_error() {
    let mut command = runner::locator(&["uniq", "--memory", "1M"]);
    command.env("TMPDIR", runner::testdata("nowhere"));
    let lines: String = (0..200_000).map(|number| format!("http://h/{number}\n")).collect();
    let output = runner::run(&mut command, lines.into_bytes());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.starts_with("error: the temporary file in "), "{errors}");
}

#[test]
fn a_line_is_printed_when_it_is_read() {
    let (mut child, mut stdin) = runner::start(&["uniq"]);
    let mut answers = runner::answers(&mut child);
    for number in 0..3 {
        let expected = format!("http://h/{number}\n");
        stdin.write_all(expected.repeat(2).as_bytes()).unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert_eq!(line, expected);
    }
    drop(stdin);
    assert_eq!(runner::exit(child), Some(0));
}
