//! What the verb `links` takes from the configuration of lychee, which comes with the documents, and what not.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fs;

use tempfile::TempDir;

use crate::http::{Server, answer};
use crate::links::{codes, links};

/// Returns a folder with these files.
fn with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

fn expected(codes: &[(&str, &str)]) -> BTreeMap<String, String> {
    codes.iter().map(|(url, code)| ((*url).to_owned(), (*code).to_owned())).collect()
}

const PAGE: &str = "[1](https://a.de/x) [2](https://b.de/x) [3](https://b.de/y) [4](mailto:a@c.de) [5](d.md)";

#[test]
fn patterns_leave_links_out() {
    let config = "offline = true\nexclude = ['b[.]de']\ninclude = ['/y$']\nscheme = ['https', 'mailto']\n";
    let ignored = "# comment\n\n^https://a\n";
    let folder = with(&[("a.md", PAGE), ("lychee.toml", config), (".lycheeignore", ignored)]);
    let all = [
        ("https://a.de/x", "excluded"),
        ("https://b.de/x", "excluded"),
        ("https://b.de/y", "offline"),
        ("mailto:a@c.de", "ok"),
        ("d.md", "excluded"),
    ];
    assert_eq!(codes(folder.path(), &["a.md"]), expected(&all));
    // Without anything excluded, only what is included is checked.
    let folder = with(&[("a.md", PAGE), ("own.toml", "include = ['/y$']")]);
    let found = codes(folder.path(), &["--offline", "--config", "own.toml", "a.md"]);
    assert_eq!((&*found["https://b.de/x"], &*found["https://b.de/y"]), ("excluded", "offline"));
}

#[test]
fn files_are_chosen() {
    let files = [
        ("a.md", "[a](1.md)"),
        ("b.txt", "http://[::y/"),
        ("vendor/c.md", "[c](2.md)"),
        (".hidden/d.md", "[d](3.md)"),
        ("lychee.toml", "hidden = true\nextensions = ['md']\nexclude_path = ['^vendor/']"),
    ];
    let folder = with(&files);
    let found = codes(folder.path(), &["."]);
    assert_eq!(found, expected(&[("1.md", "no-such-file"), ("3.md", "no-such-file")]));
    // A file that is named is checked, whatever its name is.
    assert_eq!(codes(folder.path(), &["vendor/c.md"]), expected(&[("2.md", "no-such-file")]));
}

#[test]
fn keys_that_are_not_used_are_named() {
    let config = "cache = true\ninsecure = false\ngithub_token = 's3cret'\npreprocess = { command = './x' }\n\
        root_dir = '/'\nexclud = []\naccept_timeouts = true\n";
    let folder = with(&[("a.md", "[a](/etc/passwd)"), ("lychee.toml", config)]);
    let (_, status, said) = links(folder.path(), &["a.md"]);
    assert_eq!(status, 0, "{said}");
    let named: Vec<_> = said.lines().filter(|line| line.contains("is not used")).collect();
    let keys = ["cache", "exclud", "github_token", "preprocess", "root_dir"];
    assert_eq!(named.len(), keys.len(), "{said}");
    for (key, line) in keys.iter().zip(named) {
        assert!(line.contains(&format!("lychee.toml: \"{key}\" is not used: ")), "{line}");
    }
    assert!(!said.contains("s3cret"), "{said}");
    let (_, _, said) = links(folder.path(), &["-s", "a.md"]);
    assert_eq!(said, "");
}

#[test]
fn a_configuration_reaches_nothing_private() {
    let server = Server::new(|_| answer("200 OK", "", ""));
    let config =
        format!("base_url = '{}'\nexclude_all_private = false\nheader = {{ a = 'b' }}", server.url("/"));
    let folder = with(&[("a.md", "[a](b)"), ("lychee.toml", &config)]);
    let (printed, _, _) = links(folder.path(), &["--json", "a.md"]);
    assert!(printed.contains("\"code\":\"private\""), "{printed}");
    assert_eq!(server.lines(), [""; 0]);
    // The user may do so.
    let (_, status, _) = links(folder.path(), &["--private", "a.md"]);
    assert_eq!(status, 0);
    assert_eq!(server.requests()[0].line, "HEAD /b");
    assert_eq!(server.requests()[0].field("a"), None);
}

#[test]
fn a_configuration_that_is_wrong() {
    for (name, content, words) in [
        ("lychee.toml", "exclude = 'a'", "lychee.toml: \"exclude\": expected a list of texts"),
        ("lychee.toml", "timeout = 'long'", "\"timeout\": expected a number"),
        ("lychee.toml", "exclude = ['(']", "\"exclude\": unclosed group"),
        ("lychee.toml", "host_request_interval = '5'", "expected a time"),
        ("lychee.toml", "offline", "lychee.toml:1:"),
        (".lycheeignore", "a\n[", ".lycheeignore:2: unclosed character class"),
    ] {
        let folder = with(&[("a.md", ""), (name, content)]);
        let (_, status, said) = links(folder.path(), &["a.md"]);
        assert_eq!(status, 2, "{content}");
        assert!(said.contains(words), "{said}");
    }
    let folder = with(&[("a.md", "")]);
    let (_, status, said) = links(folder.path(), &["--config", "none.toml", "a.md"]);
    assert_eq!((status, said.contains("none.toml")), (2, true), "{said}");
}

#[test]
fn nothing_to_check_can_fail() {
    let folder = with(&[("a.md", "text"), ("b.md", "[a](a.md)")]);
    let status = |arguments: &[&str]| links(folder.path(), arguments).1;
    assert_eq!(status(&["a.md"]), 0);
    assert_eq!(status(&["--fail-on-empty", "a.md"]), 1);
    assert_eq!(status(&["--fail-on-empty", "-t", "html", "."]), 1);
    assert_eq!(status(&["--fail-on-empty", "."]), 0);
}
