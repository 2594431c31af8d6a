//! `edit --in`: which octets of files change, and which files.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::runner;

fn edit(folder: &Path, arguments: &[&str]) -> (String, i32, String) {
    let command = &mut runner::locator(&[&["edit", "--in"], arguments].concat());
    let output = runner::run(command.current_dir(folder), Vec::new());
    let text = |octets| String::from_utf8_lossy(octets).into_owned();
    (text(&output.stdout), output.status.code().unwrap(), text(&output.stderr))
}

const HOST: [&str; 4] = ["--where", "host=old.example", "-s", "host=new.example"];

#[test]
fn only_urls_change_and_only_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let old = b"\xEF\xBB\xBF# T\r\n[a](http://old.example/?a=1)\r\n\xFF <http://other.example/>\r\n";
    let new = b"\xEF\xBB\xBF# T\r\n[a](http://old.example/?a=1&b)\r\n\xFF <http://other.example/>\r\n";
    fs::write(path("a.md"), old).unwrap();
    fs::write(path("other.md"), "[a](http://other.example/)\n").unwrap();
    let changed = fs::metadata(path("other.md")).unwrap().modified().unwrap();
    let append = ["--where", "host=old.example", "-a", "query=b"];
    // One file has two names.
    let (printed, status, said) =
        edit(folder.path(), &[&append[..], &["a.md", "./a.md", "other.md"]].concat());
    assert_eq!((&*printed, status), ("a.md: 1 URL changed\n", 0), "{said}");
    assert_eq!(fs::read(path("a.md")).unwrap(), new);
    assert_eq!(fs::metadata(path("other.md")).unwrap().modified().unwrap(), changed);
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|of| of.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
#[cfg(unix)]
fn permissions_and_symbolic_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("docs")).unwrap();
    fs::write(path("docs/a.md"), "[a](http://old.example/)").unwrap();
    fs::set_permissions(path("docs/a.md"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("docs/a.md", path("link.md")).unwrap();
    let (_, status, said) = edit(folder.path(), &[&HOST[..], &["link.md"]].concat());
    assert_eq!(status, 0, "{said}");
    assert_eq!(fs::read_to_string(path("docs/a.md")).unwrap(), "[a](http://new.example/)");
    assert_eq!(fs::metadata(path("docs/a.md")).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(path("link.md")).unwrap().is_symlink());
}

/// The patch of `--dry-run` makes what the command makes without it.
#[test]
fn git_applies_the_patch() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let page = "<a href='http://old.example/?a=1&amp;b=2'>\n<a href=\"x\">\n";
    fs::create_dir(path("sub")).unwrap();
    fs::write(path("sub/a b.html"), page).unwrap();
    let git = |arguments: &[&str]| {
        assert!(Command::new("git").args(arguments).current_dir(folder.path()).status().unwrap().success());
    };
    git(&["init", "-q"]);
    let (patch, status, said) = edit(folder.path(), &[&HOST[..], &["--dry-run", "sub"]].concat());
    assert_eq!(status, 0, "{said}");
    assert_eq!(fs::read_to_string(path("sub/a b.html")).unwrap(), page);
    fs::write(path("patch"), patch).unwrap();
    git(&["-c", "core.autocrlf=false", "apply", "patch"]);
    let applied = fs::read_to_string(path("sub/a b.html")).unwrap();
    fs::write(path("sub/a b.html"), page).unwrap();
    edit(folder.path(), &[&HOST[..], &["sub"]].concat());
    assert_eq!(fs::read_to_string(path("sub/a b.html")).unwrap(), applied);
    assert_eq!(applied, page.replace("old.example", "new.example"));
}

#[test]
fn what_is_packed_is_an_error_if_it_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.docx"), b"PK\x03\x04 http://old.example/").unwrap();
    let (printed, status, said) = edit(folder.path(), &[&HOST[..], &["a.docx"]].concat());
    assert_eq!((&*printed, status), ("", 2));
    assert!(said.contains("\"a.docx\" is an archive (zip)"), "{said}");
}
