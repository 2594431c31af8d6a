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

/// What a repository of somebody else may say so that git starts a program, each with its attribute.
const PROGRAMS: [(&str, &str); 12] = [
    ("[filter \"a\"]\n\tclean = PROGRAM\n\trequired = true\n", "* filter=a\n"),
    ("[filter \"B c.d\"]\n\tprocess = PROGRAM\n", "* \"filter=B c.d\"\n*.md filter=B\n"),
    ("[filter \"B\"]\n\tclean = PROGRAM\n\tprocess = PROGRAM\n", "*.md filter=B\n"),
    ("[diff \"a\"]\n\ttextconv = PROGRAM\n", "* diff=a\n"),
    ("[diff \"a\"]\n\tcommand = PROGRAM\n", "* diff=a\n"),
    ("[diff]\n\texternal = PROGRAM\n", ""),
    ("[core]\n\tfsmonitor = PROGRAM\n", ""),
    ("[core]\n\thooksPath = HOOKS\n", ""),
    ("[core]\n\tpager = PROGRAM\n[pager]\n\tdiff = PROGRAM\n\tls-files = PROGRAM\n", ""),
    ("[core]\n\tsshCommand = PROGRAM\n\taskPass = PROGRAM\n[credential]\n\thelper = PROGRAM\n", ""),
    ("[include]\n\tpath = more\n", "* filter=more\n"),
    ("[extensions]\n\tworktreeConfig = true\n", "* filter=more\n"),
];

#[cfg(unix)]
#[test]
fn git_starts_no_program_of_the_repository() {
    use std::os::unix::fs::PermissionsExt as _;

    for (config, attributes) in PROGRAMS {
        for verb in ["audit", "links"] {
            let repository = repository();
            let folder = repository.path();
            let (marker, program) = (folder.join(".git/marker"), folder.join(".git/program"));
            let script = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", marker.display());
            fs::create_dir_all(folder.join(".git/own")).expect("a directory can be made");
            for name in [".git/program", ".git/own/post-index-change", ".git/own/fsmonitor-watchman"] {
                fs::write(folder.join(name), &script).expect("a file can be written");
                let mode = fs::Permissions::from_mode(0o755);
                fs::set_permissions(folder.join(name), mode).expect("a file can be made a program");
            }
            let hostile = |text: &str| {
                let text = text.replace("PROGRAM", &program.display().to_string());
                text.replace("HOOKS", &folder.join(".git/own").display().to_string())
            };
            let more = hostile("[filter \"more\"]\n\tclean = PROGRAM\n");
            for name in [".git/more", ".git/config.worktree"] {
                fs::write(folder.join(name), &more).expect("a file can be written");
            }
            let own = fs::read_to_string(folder.join(".git/config")).expect("the configuration is there");
            fs::write(folder.join(".git/config"), own + &hostile(config)).expect("a file can be written");
            fs::write(folder.join(".gitattributes"), attributes).expect("a file can be written");
            fs::write(folder.join(".git/info/attributes"), attributes).expect("a file can be written");
            let mut command = runner::locator(&[verb, "--since", "HEAD", "-f", "a.md"]);
            if verb == "links" {
                command = runner::locator(&[verb, "--offline", "--since", "HEAD", "."]);
            }
            command.env("GIT_EXTERNAL_DIFF", &program).env("GIT_PAGER", &program);
            let output = runner::run(command.current_dir(folder), Vec::new());
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 1)), "{verb}, {config}: {said}");
            assert!(!marker.exists(), "{verb}, {config}: {:?}", fs::read_to_string(&marker));
        }
    }
}

#[test]
fn a_filter_that_cannot_be_turned_off_and_a_tree_elsewhere() {
    for (config, message) in [
        ("[filter \"a=b\"]\n\tclean = touch marker\n", "the repository has a filter whose name"),
        ("[core]\n\tworktree = /\n", "the working tree of the repository is another directory"),
    ] {
        let repository = repository();
        let folder = repository.path();
        let own = fs::read_to_string(folder.join(".git/config")).expect("the configuration is there");
        fs::write(folder.join(".git/config"), own + config).expect("a file can be written");
        let mut command = runner::locator(&["audit", "--since", "HEAD", "-f", "a.md"]);
        let output = runner::run(command.current_dir(folder), Vec::new());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(message), "{errors}");
        assert!(!folder.join("marker").exists());
    }
}
