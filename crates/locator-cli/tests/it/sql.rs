//! `sql` starts another program: its arguments and exit status are passed on.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use crate::runner;

#[test]
fn what_is_not_installed_is_reported() {
    let mut command = runner::locator(&["sql", "select 1"]);
    let output = runner::run(command.env("PATH", ""), Vec::new());
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]));
    assert!(message.starts_with("error: locator-sql is not installed"), "{message}");
    assert!(message.contains("cargo install --locked --path crates/locator-sql"), "{message}");
}

/// A program in place of the other one, which prints what it is given.
#[cfg(unix)]
#[test]
fn arguments_and_status_are_passed_on() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("locator-sql");
    fs::write(&program, "#!/bin/sh\nprintf '[%s]' \"$@\"\ncat\nexit 7\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("relative:{}:/usr/bin:/bin", folder.path().display());
    for (arguments, printed) in [
        (&["sql", "select 1"][..], "[select 1]in"),
        (&["sql", "-f", "csv", "--threads=2", "select 1"], "[-f][csv][--threads=2][select 1]in"),
        (&["sql", "select 1", "--help", "-s"], "[select 1][--help][-s]in"),
        (&["sql", "--help"], "[--help]in"),
        (&["sql", "-h"], "[-h]in"),
        (&["sql", "-V"], "[-V]in"),
        (&["sql"], "[]in"),
    ] {
        let output = runner::run(runner::locator(arguments).env("PATH", &path), b"in".to_vec());
        let shown = String::from_utf8(output.stdout).unwrap();
        assert_eq!((output.status.code(), shown.as_str()), (Some(7), printed), "{arguments:?}");
    }
}
