//! `audit --since`: only findings in lines that have changed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::runner;

/// Runs git, without the configuration of the user.
pub(crate) fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    for (name, value) in [("NAME", "a"), ("EMAIL", "a@host.example")] {
        command.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
    }
    let status = command.args(arguments).current_dir(folder).stdout(Stdio::null()).status();
    assert!(status.expect("git is installed").success(), "{arguments:?}");
}

/// Runs `find --json` in a folder and `audit` with these arguments on what it prints; returns the
/// hosts of the URLs with findings, the status and the messages.
fn audited(folder: &Path, arguments: &[&str]) -> (Vec<String>, Option<i32>, String) {
    let mut find = runner::locator(&["find", "--json", "--sort", "path", "."]);
    let found = runner::run(find.current_dir(folder), Vec::new());
    let arguments = [&["audit", "--json"], arguments].concat();
    let output = runner::run(runner::locator(&arguments).current_dir(folder), found.stdout);
    let hosts = String::from_utf8(output.stdout).expect("the command prints text");
    let hosts = hosts.lines().map(|line| {
        let object: serde_json::Value = serde_json::from_str(line).expect("each line is an object");
        object["hosts"][0].as_str().expect("it has a host").to_owned()
    });
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (hosts.collect(), output.status.code(), errors)
}

/// A line with a finding: a password.
fn line(host: &str) -> String {
    format!("see ftp://u:s3cret@{host}/ there\n")
}

/// A repository with a commit, in which some lines were changed afterwards.
fn repository() -> tempfile::TempDir {
    let temporary = tempfile::tempdir().expect("there is a place for temporary files");
    let folder = temporary.path();
    let write = |name: &str, text: String| fs::write(folder.join(name), text).expect("a file can be written");
    git(folder, &["init", "-q"]);
    fs::create_dir(folder.join("sub é")).expect("a directory can be made");
    write("a.md", line("a1") + "x\n" + &line("a3") + "-- a line\n" + &line("a5"));
    write("sub é/b \"c\".txt", line("b1") + "x\n");
    write("moved.txt", (0..9).map(|number| line(&format!("m{number}"))).collect());
    write("same.txt", line("s1"));
    write(".gitignore", "ignored*\n".to_owned());
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", "first"]);
    write(
        "a.md",
        "new\n".to_owned() + &line("a1") + "x\n" + &line("changed") + "++ b/same.txt\n" + &line("a5"),
    );
    write("sub é/b \"c\".txt", line("b1") + &line("b2"));
    git(folder, &["mv", "moved.txt", "to.txt"]);
    write("to.txt", line("m-1") + &(0..9).map(|number| line(&format!("m{number}"))).collect::<String>());
    write("untracked.txt", line("u1"));
    temporary
}

#[test]
fn only_what_has_changed_is_reported() {
    let repository = repository();
    let folder = repository.path();
    let new = ["changed", "b2", "m-1", "u1"];
    let (hosts, status, errors) = audited(folder, &["--since", "HEAD", "--fail-on", "low"]);
    assert_eq!((hosts, status), (new.map(String::from).to_vec(), Some(1)), "{errors}");
    // From another directory of the repository, names are relative to it.
    let (hosts, ..) = audited(&folder.join("sub é"), &["--since", "HEAD"]);
    assert_eq!(hosts, ["b2"]);
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", "second"]);
    let (hosts, ..) = audited(folder, &["--since", "HEAD~1"]);
    assert_eq!(hosts, new);
    let (hosts, status, _) = audited(folder, &["--since", "HEAD", "--fail-on", "low"]);
    assert_eq!((hosts, status), (Vec::new(), Some(0)));
}

#[test]
fn the_summary_says_how_many_are_old() {
    let repository = repository();
    let list = runner::run(
        runner::locator(&["audit", "--brief", "--since", "HEAD", "-f", "same.txt"])
            .current_dir(repository.path()),
        Vec::new(),
    );
    assert!(list.stdout.is_empty());
    let errors = String::from_utf8_lossy(&list.stderr);
    assert!(errors.ends_with(" in lines that have not changed\n"), "{errors}");
    // A URL that is in no file is new.
    let mut command =
        runner::locator(&["audit", "--brief", "--since", "HEAD", "ftp://u:s3cret@host.example/"]);
    let argument = runner::run(command.current_dir(repository.path()), Vec::new());
    assert!(String::from_utf8_lossy(&argument.stdout).contains("[password]: "));
}

#[test]
fn what_git_cannot_compare_is_wrong_use() {
    let repository = repository();
    let elsewhere = tempfile::tempdir().expect("there is a place for temporary files");
    for (folder, revision, message) in [
        (repository.path(), "no-such", "--since no-such: git does not know this revision"),
        (repository.path(), "HEAD..HEAD", "--since HEAD..HEAD: git does not know this revision"),
        (repository.path(), "", "expected a revision of git"),
        (repository.path(), "--output=x", "expected a revision of git"),
        (elsewhere.path(), "HEAD", "--since HEAD: git says: not a git repository"),
    ] {
        let since = format!("--since={revision}");
        let mut command = runner::locator(&["audit", &since, "http://h/"]);
        let output = runner::run(command.current_dir(folder).env("GIT_CEILING_DIRECTORIES", "/"), Vec::new());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{revision}: {errors}");
        assert!(errors.contains(message), "{revision}: {errors}");
    }
    let mut command = runner::locator(&["audit", "--since", "HEAD", "http://h/"]);
    let output =
        runner::run(command.current_dir(repository.path()).env("PATH", elsewhere.path()), Vec::new());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("--since HEAD: git is not installed"), "{errors}");
}
