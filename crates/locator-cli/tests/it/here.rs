//! Relative paths, which are those of the directory that the command runs in.
#![cfg(unix)]

use crate::runner;

#[test]
fn a_relative_path_is_one_of_the_working_directory() {
    for (path, uri) in [
        ("a b", "file:///usr/a%20b"),
        ("./a/", "file:///usr/a/"),
        ("../a", "file:///a"),
        ("./.././../a", "file:///a"),
        (".", "file:///usr"),
        ("a/./b", "file:///usr/a/b"),
        ("/a", "file:///a"),
    ] {
        let output = runner::run(runner::locator(&["file", path]).current_dir("/usr"), Vec::new());
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{uri}\n"), "{path}");
    }
}

#[test]
fn a_dot_dot_after_a_symbolic_link_is_rejected() {
    let output = runner::run(runner::locator(&["file", "a/../b"]).current_dir("/usr"), Vec::new());
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), message.contains("at byte 7")), (Some(1), true), "{message}");
    assert!(message.contains("in /usr/a/../b (RFC 3986, 5.2.4)\n"), "{message}");
    assert!(!runner::run(runner::locator(&["file", ""]).current_dir("/usr"), Vec::new()).status.success());
}
