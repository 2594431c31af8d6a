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
        ("https://a.de/x", "excluded-by-file"),
        ("https://b.de/x", "excluded-by-file"),
        ("https://b.de/y", "offline"),
        ("mailto:a@c.de", "ok"),
        ("d.md", "excluded-by-file"),
    ];
    assert_eq!(codes(folder.path(), &["a.md"]), expected(&all));
    // Without anything excluded, only what is included is checked.
    let folder = with(&[("a.md", PAGE), ("own.toml", "include = ['/y$']")]);
    let found = codes(folder.path(), &["--offline", "--config", "own.toml", "a.md"]);
    assert_eq!((&*found["https://b.de/x"], &*found["https://b.de/y"]), ("excluded-by-file", "offline"));
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
fn what_is_left_out_is_counted() {
    let page = "[1](https://a.de/x) [2](https://b.de/y) [3](https://c.de/z) [4](mailto:a@c.de)\n\
        \n<!-- markdown-link-check-disable -->\n[5](none.md)\n";
    let config = "offline = true\nexclude = ['/x$']\nexclude_path = ['^vendor/']\n";
    let all = [
        ("a.md", page),
        ("vendor/b.md", "[6](none.md)"),
        ("vendor/program.rs", "http://h.example/"),
        ("lychee.toml", config),
        (".lycheeignore", "b[.]de\n"),
    ];
    let folder = with(&all);
    let words = "2 links, 1 link to servers, 1 file left out by lychee.toml and .lycheeignore";
    for (arguments, is_text) in
        [(&["."][..], true), (&["--show", "all", "."], true), (&["--json", "."], false)]
    {
        let (_, status, said) = links(folder.path(), arguments);
        assert_eq!((status, said.contains(words)), (0, is_text), "{arguments:?}: {said}");
    }
    for format in ["junit", "sarif", "markdown", "html", "github"] {
        let (printed, _, _) = links(folder.path(), &["--format", format, "."]);
        assert!(printed.contains(&words.replace("lycheeignore", "")[..40]), "{format}: {printed}");
        assert!(printed.contains("1 link left out by comments in documents"), "{format}: {printed}");
    }
    let expected = "{\"left_out\":{\"links\":2,\"offline\":1,\"files\":1,\"by\":[\"lychee.toml\",\".lycheeignore\"],\
        \"in_documents\":1}}";
    for arguments in [&["--json", "."][..], &["--json", "--show", "broken", "."]] {
        let (printed, _, _) = links(folder.path(), arguments);
        assert_eq!(printed.lines().last(), Some(expected), "{arguments:?}");
        // It is no line of a baseline.
        fs::write(folder.path().join("known.json"), printed).unwrap();
        let (_, status, said) = links(folder.path(), &["--baseline", "known.json", "."]);
        assert_eq!(status, 0, "{said}");
    }
    // Without what lies beside the documents, all is looked at.
    let (printed, status, said) = links(folder.path(), &["--no-config", "--offline", "."]);
    assert_eq!(status, 1, "{printed}");
    assert!(printed.starts_with("vendor/b.md:1:5: error: none.md"), "{printed}");
    assert!(!said.contains(".lycheeignore") && said.contains("by comments in documents"), "{said}");
    // What the user asks for is not left out by a file.
    let (_, _, said) = links(folder.path(), &["--offline", "."]);
    assert!(said.contains("2 links, 1 file left out by"), "{said}");
}

#[test]
fn a_configuration_of_others_has_few_threads() {
    let folder = with(&[("a.md", ""), ("lychee.toml", "threads = 1024\nmax_concurrency = 1000\n")]);
    let (_, status, said) = links(folder.path(), &["."]);
    assert_eq!(status, 0, "{said}");
}

#[cfg(unix)]
#[test]
fn what_is_found_is_a_short_regular_file_below_the_working_directory() {
    use std::os::unix::fs::symlink;

    let outside = with(&[("secret", "s3cret = [\n"), ("lychee.toml", "offline = true\n")]);
    for name in ["lychee.toml", ".lycheeignore"] {
        let refused = |folder: &TempDir, words: &str| {
            let (printed, status, said) = links(folder.path(), &["."]);
            assert_eq!((status, &*printed), (2, ""), "{said}");
            assert!(said.contains(&format!("\"{name}\" cannot be read: {words}")), "{said}");
            assert!(!said.contains("s3cret"), "{said}");
            let (_, status, said) = links(folder.path(), &["--no-config", "."]);
            assert_eq!(status, 0, "{said}");
        };
        for to in [&*outside.path().join("secret").to_string_lossy(), "/dev/zero", "../secret", "/no/such"] {
            let folder = with(&[("a.md", "")]);
            symlink(to, folder.path().join(name)).unwrap();
            refused(&folder, "it is a symbolic link that leads out of the working directory");
        }
        let folder = with(&[("a.md", ""), (&format!("{name}/x"), "")]);
        refused(&folder, "it is not a regular file");
        let folder = with(&[("a.md", "")]);
        let made = std::process::Command::new("mkfifo").arg(folder.path().join(name)).status();
        assert!(made.unwrap().success());
        refused(&folder, "it is not a regular file");
        let folder = with(&[("a.md", ""), (name, &"# x\n".repeat(300_000))]);
        refused(&folder, "it is longer than 1 MiB");
        let folder = with(&[("a.md", "")]);
        fs::write(folder.path().join(name), b"\xFF").unwrap();
        refused(&folder, "it is not UTF-8");
        // A link within the tree is followed.
        let folder = with(&[("a.md", ""), ("ci/own", "# x\n")]);
        symlink("ci/own", folder.path().join(name)).unwrap();
        assert_eq!(links(folder.path(), &["."]).1, 0);
    }
    // What the user names may be elsewhere, and a pipe.
    let folder = with(&[("a.md", "")]);
    let named = outside.path().join("lychee.toml");
    assert_eq!(links(folder.path(), &["--config", &named.to_string_lossy(), "."]).1, 0);
}

#[test]
fn patterns_have_little_memory() {
    let folder = with(&[("a.md", ""), (".lycheeignore", &"\\w{900}\n".repeat(50_000))]);
    let (_, status, said) = links(folder.path(), &["."]);
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("the patterns need too much memory"), "{said}");
    let many: String = (0..5_000).map(|number| format!("^https://h{number}[.]example/\n")).collect();
    let folder =
        with(&[("a.md", "[1](https://h4999.example/) [2](https://i.de/)"), (".lycheeignore", &many)]);
    let found = codes(folder.path(), &["--offline", "."]);
    assert_eq!(found["https://h4999.example/"], "excluded-by-file");
    assert_eq!(found["https://i.de/"], "offline");
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
