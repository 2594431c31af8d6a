//! Logins of `get`: by which schemes they are sent and to which hosts, and what is said if they are not.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;

use crate::http::{Request, Server, answer, folder, get, ok, run};

/// Pages that want a login by the schemes that they are named after.
fn server(other: &str) -> Server {
    let to = format!("Location: {other}/basic\r\n");
    Server::new(move |request: &Request| {
        let wants = |challenges: &[&str]| {
            let fields =
                challenges.iter().map(|one| format!("WWW-Authenticate: {one}\r\n")).collect::<String>();
            answer("401 Unauthorized", &fields, "")
        };
        let (basic, digest) = ("Basic realm=r", "Digest realm=r, nonce=n, qop=auth");
        match (request.line.split(' ').nth(1).unwrap(), request.field("Authorization")) {
            ("/moved", _) => answer("302 Found", &to, ""),
            ("/missing", _) => answer("404 Not Found", "", ""),
            ("/forbidden", _) => answer("403 Forbidden", "", ""),
            ("/ntlm", _) => wants(&["NTLM", "Negotiate"]),
            ("/basic", None) => wants(&[basic]),
            ("/digest", None) => wants(&[digest]),
            ("/both", None) => wants(&[basic, digest]),
            (_, Some(login)) => ok(login.split(' ').next().unwrap()),
            (_, None) => ok("open"),
        }
    })
}

#[test]
fn an_option_of_a_scheme_excludes_others() {
    let server = server("");
    for (options, expected) in [
        (&[][..], ["Basic", "Digest", "Digest"]),
        (&["--anyauth"], ["Basic", "Digest", "Digest"]),
        (&["--basic"], ["Basic", "", "Basic"]),
        (&["--digest"], ["", "Digest", "Digest"]),
        (&["--basic", "--digest"], ["Basic", "Digest", "Digest"]),
        (&["--digest", "--retry", "1", "-Z"], ["", "Digest", "Digest"]),
    ] {
        for (path, expected) in ["/basic", "/digest", "/both"].into_iter().zip(expected) {
            let (out, status, errors) = get(&[options, &["-u", "joe:s3cret", &server.url(path)]].concat());
            assert_eq!((&*out, status), (expected, i32::from(expected.is_empty())), "{options:?}: {errors}");
            if expected.is_empty() {
                assert!(errors.contains("the login was not sent: the server asks for a login"), "{errors}");
            }
        }
    }
    // Basic at once would be another scheme.
    for option in ["--digest", "--anyauth"] {
        let (_, status, errors) = get(&[option, "--auth-no-challenge", "-u", "a:b", &server.url("/")]);
        assert_eq!(
            (status, errors.contains("cannot be used with '--auth-no-challenge'")),
            (2, true),
            "{errors}"
        );
    }
    for url in ["ftp://127.0.0.1:7071/a", "ftp://joe:s@127.0.0.1:7071/a", "nntp://127.0.0.1:7071/a.b/1"] {
        let (_, status, errors) = get(&["--digest", "-u", "joe:s", url]);
        assert_eq!((status, errors.contains("--digest is for http and https only")), (2, true), "{errors}");
    }
    for option in ["--ntlm", "--negotiate", "--proxy-ntlm"] {
        let (_, status, errors) = get(&[option, "-u", "a:b", &server.url("/")]);
        assert_eq!((status, errors.contains("are --basic and --digest")), (2, true), "{errors}");
    }
}

#[test]
fn a_login_that_was_not_sent_is_said() {
    let (other, server) = (server(""), server(""));
    let moved = self::server(&other.url(""));
    let login = ["-u", "joe:s3cret"];
    let with = |more: &[&str], url: &str| get(&[&login[..], more, &[url]].concat());
    let origin = server.url("");
    let note = format!(
        "note: the login was not sent to {origin}: the server did not ask for it; --auth-no-challenge sends it at once\n"
    );
    assert_eq!(with(&[], &server.url("/")), ("open".into(), 0, note.clone()));
    // Once for each server.
    assert_eq!(with(&[&server.url("/a"), &server.url("/b")], &server.url("/")).2, note);
    assert_eq!(with(&["-s"], &server.url("/")), ("open".into(), 0, String::new()));
    assert_eq!(with(&["-q"], &server.url("/")), (String::new(), 0, String::new()));
    let (out, _, errors) = with(&["--json"], &server.url("/"));
    assert!(out.contains("\"unsent_login\":\"not-asked\"") && errors == note, "{out}{errors}");
    assert!(with(&["-v"], &server.url("/")).2.contains(&note));
    let (out, _, errors) = with(&["--auth-no-challenge"], &server.url("/"));
    assert_eq!((&*out, errors.contains("not sent")), ("Basic", false), "{errors}");
    for (path, why) in [
        (
            "/missing",
            "not found (404 Not Found); the login was not sent: the server did not ask for it; --auth-no-challenge",
        ),
        (
            "/forbidden",
            "(403 Forbidden); the login was not sent: the server did not ask for it; --auth-no-challenge",
        ),
        ("/ntlm", "but it offers NTLM, Negotiate, and only Basic and Digest may be used"),
    ] {
        let (_, status, errors) = with(&[], &server.url(path));
        assert_eq!((status, errors.contains(why)), (1, true), "{errors}");
    }
    for (url, why) in [(server.url("/missing"), "not-asked"), (moved.url("/moved"), "other-origin")] {
        let (out, ..) = with(&["--json"], &url);
        assert!(out.contains(&format!("\"unsent_login\":\"{why}\"")), "{out}");
    }
    let (_, status, errors) = with(&[], &moved.url("/moved"));
    assert_eq!((status, errors.contains("which is another origin")), (1, true), "{errors}");
    let (_, _, errors) = with(&[], &server.url("/").replace("127.", "ann@127."));
    assert!(errors.starts_with("note: --user is not used for a URL that contains a user\n"), "{errors}");
    let (_, status, errors) = with(&[], "gopher://127.0.0.1:7071/");
    assert_eq!((status, errors.contains("--user: there is no login for gopher URLs")), (2, true), "{errors}");
}

#[test]
fn the_login_of_a_host_is_for_that_host() {
    let other = server("");
    let server = server(&other.url("").replace("127.0.0.1", "localhost"));
    let folder = folder();
    let file = "machine 127.0.0.1 login joe password one\nmachine 127.0.0.1 login tim password \"t \\\"m\"\n\
        machine localhost login ann password two\n";
    fs::write(folder.path().join("logins"), file).unwrap();
    let get = |arguments: &[&str]| run(folder.path(), arguments, &[("NETRC", "logins")], "");
    let given = |user: &str| server.url("/basic").replace("127.", &format!("{user}127."));
    for (arguments, at, expected) in [
        (&["-n", &*server.url("/basic")][..], &server, "Basic am9lOm9uZQ=="),
        (&["--netrc-optional", &server.url("/basic")], &server, "Basic am9lOm9uZQ=="),
        (&["--netrc-file", "logins", &given("tim@")], &server, "Basic dGltOnQgIm0="),
        (&["-n", &server.url("/moved")], &other, "Basic YW5uOnR3bw=="),
        (&["-n", "--location-trusted", &server.url("/moved")], &other, "Basic YW5uOnR3bw=="),
    ] {
        let (out, status, errors) = get(arguments);
        assert_eq!((&*out, status), ("Basic", 0), "{arguments:?}: {errors}");
        assert_eq!(at.requests().last().unwrap().field("Authorization"), Some(expected), "{arguments:?}");
    }
    let get_without =
        |option: &str| run(folder.path(), &["-s", "-S", option, &server.url("/")], &[("NETRC", "none")], "");
    assert_eq!(get_without("--netrc-optional"), ("open".into(), 0, String::new()));
    assert_eq!(get_without("--netrc").1, 2);
    // A host of another scheme is not one with a login.
    let (_, _, errors) = get(&["-n", "gopher://127.0.0.1:7071/"]);
    assert!(errors.contains("connection refused"), "{errors}");
    fs::write(folder.path().join("logins"), "machine h\nlogin joe password \"x\n").unwrap();
    let (_, status, errors) = get(&["-n", &server.url("/")]);
    assert_eq!(status, 2);
    assert!(errors.contains("\"logins\", line 2: a quotation mark is missing"), "{errors}");
}

#[test]
fn the_login_of_a_proxy() {
    let proxy = Server::new(|request: &Request| match request.field("Proxy-Authorization") {
        Some(login) => ok(login),
        None => answer("407 x", "Proxy-Authenticate: Basic realm=r\r\n", ""),
    });
    let by = format!("http://127.0.0.1:{}", proxy.address.port());
    let with =
        |arguments: &[&str]| get(&[&["-x", &*by, "-U", "joe:s"], arguments, &["http://h.example/"]].concat());
    assert_eq!(with(&[]).0, "Basic am9lOnM=");
    assert_eq!(with(&["--proxy-basic"]).0, "Basic am9lOnM=");
    assert_eq!(with(&["--proxy-anyauth"]).0, "Basic am9lOnM=");
    let (_, status, errors) = with(&["--proxy-digest"]);
    assert_eq!(status, 2, "{errors}");
    assert!(errors.contains("the login was not sent, because it offers Basic, and only Digest"), "{errors}");
    let (_, status, errors) = get(&["-U", "joe:s", "--noproxy", "*", "http://127.0.0.1:1/"]);
    assert_eq!((status, errors.contains("--proxy-user: there is no proxy")), (2, true), "{errors}");
    let (_, status, errors) = get(&["-x", &by, "-U", "joe", "http://h.example/"]);
    assert_eq!((status, errors.contains("expected USER:PASSWORD")), (2, true), "{errors}");
}
