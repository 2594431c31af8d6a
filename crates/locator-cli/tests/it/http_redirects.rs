//! Redirects of `get` to another origin: what is sent there, and what is said about the rest. The tables
//! of `spec/command.md` are tried by the tests of locator-fetch.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use crate::http::{Server, answer, done, get, ok};

/// A server that redirects `/302/…` to the rest of the path at another port, with that status.
fn redirecting(to: &Server) -> Server {
    let to = to.url("");
    Server::new(move |request| {
        let (status, path) = request.line.split_once(' ').unwrap().1.split_at(4);
        answer(&format!("{} Elsewhere", &status[1..]), &format!("Location: {to}{path}\r\n"), "")
    })
}

#[test]
fn data_of_a_redirect_to_another_origin() {
    let other = Server::new(|_| ok("there\n"));
    let server = redirecting(&other);
    let url = server.url("/307/a?token=0f8fad5bd9cb469fa165708678778501");
    let (printed, status, errors) = get(&["-d", "a=b", &url]);
    let expected = format!(
        "error: redirect to {} refused: it would send the request body to another origin; use --redirect-body to \
         send the data there\n  {}\n",
        other.url("/a?token=(hidden)"),
        server.url("/307/a?token=(hidden)")
    );
    assert_eq!((&*printed, status, errors), ("", 2, expected));
    assert!(other.requests().is_empty());
    for (option, cookie) in [("--redirect-body", None), ("--location-trusted", Some("c=d"))] {
        assert_eq!(get(&["-d", "a=b", "-b", "c=d", option, &url]), done("there\n"));
        let request = other.requests().pop().unwrap();
        assert_eq!((&*request.body, request.field("cookie")), ("a=b", cookie), "{option}");
        assert_eq!(request.field("content-type"), Some("application/x-www-form-urlencoded"));
    }
    // After 302 a form leads on by GET, without data and without their type.
    assert_eq!(get(&["-d", "a=b", "-H", "Accept: x/y", &server.url("/302/a")]), done("there\n"));
    let request = other.requests().pop().unwrap();
    assert_eq!((&*request.line, request.field("content-type")), ("GET /a", None));
    assert_eq!(request.field("accept"), Some("x/y"));
}

#[test]
fn a_method_with_an_effect_is_not_repeated_elsewhere() {
    let other = Server::new(|request| ok(&format!("{}\n", request.line)));
    let server = redirecting(&other);
    for method in ["DELETE", "PUT", "purge"] {
        let before = other.requests().len();
        for status in ["301", "302", "307", "308"] {
            let url = server.url(&format!("/{status}/a"));
            let expected = format!(
                "error: redirect to {} refused: it would repeat {method} at another origin; use --redirect-body to repeat \
                 it there\n  {url}\n",
                other.url("/a"),
            );
            assert_eq!(get(&["-X", method, &url]), (String::new(), 2, expected));
            assert_eq!(other.requests().len(), before);
        }
        for option in ["--redirect-body", "--location-trusted"] {
            let printed = get(&["-X", method, option, &server.url("/307/a")]);
            assert_eq!(printed, done(&format!("{method} /a\n")));
        }
        assert_eq!(get(&["-X", method, &server.url("/303/a")]), done("GET /a\n"));
    }
    assert_eq!(get(&["-X", "OPTIONS", &server.url("/307/a")]), done("OPTIONS /a\n"));
    assert_eq!(get(&["-X", "POST", &server.url("/302/a")]), done("GET /a\n"));
}

#[test]
fn a_redirect_that_is_not_followed_is_said() {
    let server = Server::new(|request| match &*request.line {
        "GET /empty" => answer("302 Found", "Location: /there\r\n", ""),
        "GET /page" => answer("302 Found", "Location: /there\r\n", "moved\n"),
        _ => answer("302 Found", "Location:\r\n", ""),
    });
    let said = format!("note: redirect to {} not followed (302 Found)\n", server.url("/there"));
    for (path, page) in [("/empty", ""), ("/page", "moved\n")] {
        let arguments = ["--max-redirs", "0", &server.url(path)];
        assert_eq!(get(&arguments), (page.into(), 0, said.clone()));
        assert_eq!(get(&[&["-s"], &arguments[..]].concat()), done(page));
        // The head says it.
        let (_, status, errors) = get(&[&["-i"], &arguments[..]].concat());
        assert_eq!((status, &*errors), (0, ""));
    }
    let url = server.url("/nowhere");
    let nowhere = "error: redirect not followed: no Location header";
    assert_eq!(get(&[&url]), (String::new(), 2, format!("{nowhere}\n  {url}\n")));
}

#[test]
fn what_is_withheld_is_said() {
    let other = Server::new(|request| match request.field("authorization") {
        Some(_) => ok("in\n"),
        None => answer("401 Unauthorized", "WWW-Authenticate: Basic realm=a\r\n", ""),
    });
    let server = redirecting(&other);
    let url = server.url("/302/a");
    let withheld = format!(
        "the login and the headers X-Own and Cookie were not sent to {}, which is another origin",
        other.url("")
    );
    let arguments = ["-u", "joe:s3cret", "-H", "X-Own: a", "-H", "Cookie: s3cret", &url];
    let (printed, status, errors) = get(&arguments);
    assert_eq!((&*printed, status, errors.matches(&withheld).count()), ("", 1, 1), "{errors}");
    assert!(errors.contains("; use --location-trusted to send everything"), "{errors}");
    let (_, status, errors) = get(&[&["-v"], &arguments[..]].concat());
    assert_eq!(
        (status, errors.matches(&withheld).count(), errors.contains("s3cret")),
        (1, 2, false),
        "{errors}"
    );
    let (printed, status, _) = get(&[&["--location-trusted"], &arguments[..]].concat());
    assert_eq!((&*printed, status), ("in\n", 0));
}

/// The prefix of the draft of 1994 is no scheme.
#[test]
fn redirects_of_a_url_with_a_prefix() {
    let server = Server::new(|request| match &*request.line {
        "GET /a/b" => answer("302 Found", "Location: c\r\n", ""),
        _ => ok(&format!("{}\n", request.line)),
    });
    let url = format!("URL:{}", server.url("/a/b"));
    assert_eq!(get(&["--edition", "url-1994", &url]), done("GET /a/c\n"));
    let by_policy = ["--edition", "url-1994", "--public-only", "--allow", "127.0.0.1", "--allow"];
    let port = server.address.port().to_string();
    assert_eq!(get(&[&by_policy[..], &[&port, &url]].concat()), done("GET /a/c\n"));
}

#[test]
fn a_redirect_without_a_target() {
    for fields in ["", "Location:\r\n", "Location:  \r\n"] {
        let server = Server::new(move |_| answer("302 Found", fields, ""));
        let (printed, status, errors) = get(&[&server.url("/")]);
        assert_eq!((&*printed, status, server.lines().len()), ("", 2, 1), "{errors}");
        assert!(errors.contains("Location"), "{errors}");
    }
}
