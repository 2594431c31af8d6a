//! `links --fix` and `links --diff`: which octets of files change, and what is said.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::http::{Request, Server, answer, folder, names};
use crate::runner;

fn links(folder: &Path, arguments: &[&str]) -> (String, i32, String) {
    let quick = ["links", "--private", "--interval", "0"];
    let command = &mut runner::locator(&[&quick, arguments].concat());
    let output = runner::run(command.current_dir(folder), Vec::new());
    let text = |octets| String::from_utf8_lossy(octets).into_owned();
    (text(&output.stdout), output.status.code().unwrap(), text(&output.stderr))
}

/// Redirects `/301/a` to `/a`, with this status; the pages `/a…` exist.
fn moved(request: &Request) -> Vec<u8> {
    let path = request.line.split_once(' ').unwrap().1;
    let (status, to) = path[1..].split_once('/').unwrap_or(("", ""));
    let octets = match status {
        "301" | "302" | "308" => answer(&format!("{status} Moved"), &format!("Location: /{to}\r\n"), ""),
        _ if path.starts_with("/a") => answer("200 OK", "Content-Type: text/html\r\n", "<p id=here>"),
        _ => answer("404 Not Found", "", ""),
    };
    match request.line.starts_with("HEAD") {
        true => octets[..octets.windows(4).rposition(|end| end == b"\r\n\r\n").unwrap() + 4].to_vec(),
        false => octets,
    }
}

/// Writes documents with links of every kind, and returns what they are after they are mended.
fn documents(folder: &Path, server: &Server) -> Vec<(&'static str, Vec<u8>)> {
    let h = server.url("");
    let text = |old: &str| old.replace("H", h.trim_end_matches('/'));
    let pairs = [
        (
            "a.md",
            "\u{FEFF}# T\r\n[1](H/301/a#here) [2](docs/Gide.md)\r\n[3](H/302/b) [4](docs/guid.md#usag \"t\")\r\n",
            "\u{FEFF}# T\r\n[1](H/a#here) [2](docs/Gide.md)\r\n[3](H/302/b) [4](docs/guide.md#usag \"t\")\r\n",
        ),
        (
            "b.html",
            "<a href='H/308/a?x=1&amp;y=2'>\n<a href=H/301/a#no>",
            "<a href='H/a?x=1&amp;y=2'>\n<a href=H/301/a#no>",
        ),
        ("docs/guide.md", "# Usage\n<p id=usag>\n[a](#usaeg)\n", "# Usage\n<p id=usag>\n[a](#usaeg)\n"),
        ("c d.txt", "see H/301/a, (H/301/301/a).\n", "see H/a, (H/a).\n"),
        ("package.json", "{\"a\": \"H/301/a\"}\n", "{\"a\": \"H/301/a\"}\n"),
    ];
    fs::create_dir_all(folder.join("docs")).unwrap();
    let octets = |name: &str, text: String| match name {
        "c d.txt" => [b"\xFF".to_vec(), text.into_bytes()].concat(),
        _ => text.into_bytes(),
    };
    for (name, old, _) in pairs {
        fs::write(folder.join(name), octets(name, text(old))).unwrap();
    }
    pairs.map(|(name, _, new)| (name, octets(name, text(new)))).into()
}

#[test]
fn only_links_change_and_only_once() {
    let (server, folder) = (Server::new(moved), folder());
    let mended = documents(folder.path(), &server);
    let (printed, status, said) = links(folder.path(), &["--fix", "."]);
    for (name, expected) in &mended {
        let octets = fs::read(folder.path().join(name)).unwrap();
        assert_eq!(octets.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{name}");
    }
    // Two links are broken still.
    assert_eq!(status, 1, "{printed}");
    assert!(said.contains("5 links in 3 files fixed"), "{said}");
    let fixed = format!("c d.txt:1:6: fixed: {}: replaced by {}\n", server.url("/301/a"), server.url("/a"));
    assert!(printed.contains(&fixed), "{printed}");
    // No file is left beside them.
    assert_eq!(names(folder.path()), ["a.md", "b.html", "c d.txt", "docs", "package.json"]);
    let (printed, _, said) = links(folder.path(), &["--fix", "."]);
    assert!(!printed.contains("fixed: http") && said.contains("no link was fixed"), "{printed}{said}");
    for (name, expected) in &mended {
        assert_eq!(&fs::read(folder.path().join(name)).unwrap(), expected, "{name}");
    }
}

#[test]
fn the_status_is_that_of_the_mended_files() {
    let folder = folder();
    fs::write(folder.path().join("a.md"), "[a](guid.md)").unwrap();
    fs::write(folder.path().join("guide.md"), "").unwrap();
    assert_eq!(links(folder.path(), &["-q", "a.md"]).1, 1);
    let (printed, status, _) = links(folder.path(), &["--diff", "a.md"]);
    assert_eq!(status, 1, "{printed}");
    assert_eq!(links(folder.path(), &["-q", "--fix", "a.md"]), (String::new(), 0, String::new()));
    assert_eq!(fs::read_to_string(folder.path().join("a.md")).unwrap(), "[a](guide.md)");
}

#[test]
fn git_applies_the_difference() {
    let (server, folder) = (Server::new(moved), folder());
    let git = |arguments: &[&str], input: &Path| {
        let mut command = Command::new("git");
        command.args(["-c", "core.autocrlf=false"]).args(arguments).current_dir(folder.path());
        let output = command.stdin(fs::File::open(input).unwrap()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let mended = documents(folder.path(), &server);
    let before: Vec<_> = mended.iter().map(|(name, _)| fs::read(folder.path().join(name)).unwrap()).collect();
    let command = &mut runner::locator(&["links", "--private", "--interval", "0", "--diff", "."]);
    let output = runner::run(command.current_dir(folder.path()), Vec::new());
    for ((name, _), before) in mended.iter().zip(before) {
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), before, "{name}");
    }
    let patch = folder.path().join("patch");
    fs::write(&patch, output.stdout).unwrap();
    git(&["init", "-q"], Path::new("/dev/null"));
    git(&["apply"], &patch);
    for (name, expected) in mended {
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), expected, "{name}");
    }
}

#[test]
fn git_applies_the_difference_in_a_directory_below() {
    let folder = folder();
    let below = folder.path().join("docs");
    fs::create_dir(&below).unwrap();
    fs::write(folder.path().join("guide.md"), "").unwrap();
    fs::write(below.join("a.md"), "[a](../guid.md)\r\n").unwrap();
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(&below).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "-q", ".."]);
    let (printed, _, _) = links(&below, &["--diff", "."]);
    fs::write(below.join("patch"), printed).unwrap();
    git(&["-c", "core.autocrlf=false", "apply", "patch"]);
    assert_eq!(fs::read_to_string(below.join("a.md")).unwrap(), "[a](../guide.md)\r\n");
}

#[test]
fn what_is_encoded_or_data_is_kept() {
    let (server, folder) = (Server::new(moved), folder());
    let url = server.url("/301/a");
    let mail = format!("From: a@b.de\nContent-Transfer-Encoding: quoted-printable\n\n{url}\n");
    fs::write(folder.path().join("a.eml"), mail).unwrap();
    fs::write(folder.path().join("a.json"), format!("\"{url}\"")).unwrap();
    let utf16: Vec<u8> = format!("\u{FEFF}{url}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(folder.path().join("a.txt"), utf16).unwrap();
    let (printed, _, _) = links(folder.path(), &["--fix", "--json", "a.eml", "a.json", "a.txt"]);
    let objects = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let kept: Vec<_> = objects.map(|object| object["not_fixed"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kept, ["message", "data", "encoded"]);
}

#[test]
#[cfg(unix)]
fn permissions_and_symbolic_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("docs")).unwrap();
    fs::write(path("docs/a.md"), "[a](guid.md)").unwrap();
    fs::write(path("docs/guide.md"), "").unwrap();
    fs::set_permissions(path("docs/a.md"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("docs/a.md", path("link.md")).unwrap();
    fs::write(path("guide.md"), "").unwrap();
    let (printed, status, said) = links(folder.path(), &["--fix", "docs", "link.md"]);
    assert_eq!(status, 0, "{printed}");
    assert!(said.contains("1 link in 1 file fixed"), "{said}");
    assert_eq!(fs::read_to_string(path("docs/a.md")).unwrap(), "[a](guide.md)");
    assert_eq!(fs::metadata(path("docs/a.md")).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(path("link.md")).unwrap().is_symlink());
}

#[test]
fn a_file_that_has_changed_is_left_alone() {
    let folder = folder();
    let path = folder.path().join("a.md");
    let own = path.clone();
    // The server changes the document while it is checked.
    let server = Server::new(move |request| {
        if request.line.starts_with("HEAD /a") {
            fs::write(&own, "something else").unwrap();
        }
        moved(request)
    });
    fs::write(&path, format!("[a]({})", server.url("/301/a"))).unwrap();
    let (printed, status, said) = links(folder.path(), &["--fix", "a.md"]);
    assert_eq!((&*printed, status), ("", 2));
    assert!(said.contains("error: \"a.md\" has changed since it was read"), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "something else");
}
