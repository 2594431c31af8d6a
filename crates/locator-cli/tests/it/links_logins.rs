//! `links --netrc`: which server gets a login, and which does not.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::http::{Request, Server, answer, folder};
use crate::runner;

const NETRC: &str = "machine 127.0.0.1 login joe password s3cret\nmachine h.example login ann password x\n\
    default login any password thing\n";

/// Pages for joe, and redirects to them.
fn server(request: &Request, other: &str) -> Vec<u8> {
    let to = |to: &str| answer("302 Found", &format!("Location: {to}\r\n"), "");
    match request.line.split_once(' ').unwrap().1 {
        "/open" => answer("200 OK", "", ""),
        "/to-private" => to("/private"),
        "/to-other" => to(&format!("{other}/private/b")),
        // "joe:s3cret"
        _ if request.field("authorization") == Some("Basic am9lOnMzY3JldA==") => {
            answer("200 OK", "Content-Type: text/html\r\n", "<a href=/private/page>x</a>")
        }
        _ => answer("401 Unauthorized", "WWW-Authenticate: Basic realm=\"x\"\r\n", ""),
    }
}

fn servers() -> (Server, Server) {
    let other = Server::new(|request| server(request, ""));
    let name = other.url("");
    (Server::new(move |request| server(request, &name)), other)
}

/// Runs the verb; returns the codes by URL, the status and what is printed and said.
fn run(folder: &Path, arguments: &[&str]) -> (Vec<(String, String)>, i32, String) {
    let quick = ["links", "--json", "--private", "--interval", "0"];
    let mut command = runner::locator(&[&quick[..], arguments].concat());
    command.current_dir(folder).env("NETRC", "netrc");
    for name in ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env_remove(name);
    }
    let output = runner::run(&mut command, Vec::new());
    let printed = String::from_utf8(output.stdout).unwrap();
    let text = |object: &Value, key: &str| object[key].as_str().unwrap().to_owned();
    let objects = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let codes = objects.map(|object| (text(&object, "url"), text(&object, "code"))).collect();
    (codes, output.status.code().unwrap(), printed + &String::from_utf8(output.stderr).unwrap())
}

fn write(root: &Path, urls: &[String]) {
    fs::write(root.join("netrc"), NETRC).unwrap();
    fs::write(root.join("a.md"), urls.iter().map(|url| format!("<{url}>\n")).collect::<String>()).unwrap();
}

fn logins(server: &Server) -> usize {
    server.requests().iter().filter(|request| request.field("authorization").is_some()).count()
}

#[test]
fn a_login_is_sent_to_its_host_alone() {
    let (server, other) = servers();
    let folder = folder();
    let urls = ["/open", "/private", "/to-private", "/to-other"].map(|path| server.url(path));
    write(folder.path(), &urls);
    let codes = |codes: [&str; 4]| urls.iter().cloned().zip(codes.map(str::to_owned)).collect::<Vec<_>>();
    let (found, status, _) = run(folder.path(), &["a.md"]);
    assert_eq!((found, status), (codes(["ok", "login", "login", "login"]), 0));
    assert_eq!((logins(&server), logins(&other)), (0, 0));
    let (found, status, said) = run(folder.path(), &["-n", "a.md"]);
    // What another server redirects to gets no login: it could choose what is asked for by this user.
    assert_eq!((found, status), (codes(["ok", "ok", "redirected", "login"]), 0));
    assert!(logins(&server) > 0 && logins(&other) == 0);
    assert!(!said.contains("s3cret") && !said.contains("joe"), "{said}");
    // What a document itself names does.
    write(folder.path(), &[other.url("/private/b")]);
    assert_eq!(run(folder.path(), &["--netrc", "a.md"]).0[0].1, "ok");
    assert!(logins(&other) > 0);
}

#[test]
fn what_a_login_shows_is_not_kept_for_others() {
    let (server, _) = servers();
    let folder = folder();
    write(folder.path(), &[server.url("/private")]);
    for (options, code) in [(&["--cache=kept", "-n"][..], "ok"), (&["--cache=kept"], "login")] {
        assert_eq!(run(folder.path(), &[options, &["a.md"]].concat()).0[0].1, code);
    }
}

#[test]
fn the_login_of_any_host_is_not_sent() {
    let (server, _) = servers();
    let folder = folder();
    write(folder.path(), &[server.url("/private")]);
    fs::write(folder.path().join("netrc"), "default login joe password s3cret\n").unwrap();
    assert_eq!(run(folder.path(), &["-n", "a.md"]).0[0].1, "login");
    assert_eq!(logins(&server), 0);
}

#[test]
fn a_page_that_the_user_names_is_read_with_its_login() {
    let (server, _) = servers();
    let folder = folder();
    write(folder.path(), &[]);
    let (found, status, said) = run(folder.path(), &["-n", &server.url("/private/")]);
    assert_eq!((found, status), (vec![("/private/page".to_owned(), "ok".to_owned())], 0), "{said}");
    assert!(said.contains(&format!("\"absolute\":\"{}\"", server.url("/private/page"))), "{said}");
}

#[test]
fn a_missing_file_is_one_line() {
    let folder = folder();
    fs::write(folder.path().join("a.md"), "x").unwrap();
    let (_, status, said) = run(folder.path(), &["-n", "a.md"]);
    assert_eq!((status, said.lines().count()), (2, 1), "{said}");
    assert!(said.starts_with("error: \"netrc\" cannot be read: No such file"), "{said}");
}
