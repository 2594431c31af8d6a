//! The verb `links` with a server on this machine that answers in every way: what is printed, and what was
//! asked.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::Path;

use serde_json::Value;

use crate::http::{Request, Server, answer, folder};
use crate::runner;

/// The environment variables that mean proxies to some programs.
const PROXY_NAMES: [&str; 8] = [
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
];

/// Runs the verb, and returns what it prints, its status and what it says.
pub(crate) fn links(folder: &Path, arguments: &[&str]) -> (String, i32, String) {
    let mut command = runner::locator(&[&["links"], arguments].concat());
    for name in PROXY_NAMES.iter().chain(&["GITHUB_TOKEN", "GITHUB_WORKSPACE"]) {
        command.env_remove(name);
    }
    let output = runner::run(command.current_dir(folder), Vec::new());
    let text = |octets| String::from_utf8(octets).unwrap();
    (text(output.stdout), output.status.code().unwrap(), text(output.stderr))
}

/// Returns the code of each link.
pub(crate) fn codes(folder: &Path, arguments: &[&str]) -> BTreeMap<String, String> {
    let quick = ["--json", "--private", "--interval", "0"];
    let (printed, _, _) = links(folder, &[&quick, arguments].concat());
    let objects = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    // The last one has the numbers of what is left out.
    let objects = objects.filter(|object| object.get("left_out").is_none());
    let text = |object: &Value, key: &str| object[key].as_str().unwrap().to_owned();
    objects.map(|object| (text(&object, "url"), text(&object, "code"))).collect()
}

fn page(folder: &Path, name: &str, urls: &[String]) {
    let links = urls.iter().map(|url| format!("[link]({url})\n"));
    fs::write(folder.join(name), links.collect::<String>()).unwrap();
}

const PAGE: &str = "<p id=here>A <b>text</b>";

fn html(status: &str) -> Vec<u8> {
    let body = if status.starts_with("204") { "" } else { PAGE };
    answer(status, "Content-Type: text/html\r\n", body)
}

/// Answers `/HEAD/GET` with these statuses, and other paths by their names.
fn zoo(request: &Request) -> Vec<u8> {
    let (method, path) = request.line.split_once(' ').unwrap();
    let to = |status: &str, to: &str, more: &str| answer(status, &format!("Location: {to}\r\n{more}"), "");
    let octets = match path {
        "/loop/1" => to("302 Found", "/loop/2", ""),
        "/loop/2" => to("302 Found", "/loop/1", ""),
        "/cookie" if request.field("cookie").is_some() => html("200 OK"),
        "/cookie" => to("302 Found", "/cookie", "Set-Cookie: a=b\r\n"),
        // Three times the same cookie, with another value.
        "/cookies" => match request.field("cookie") {
            Some("a=3") => html("200 OK"),
            cookie => {
                let number = cookie.map_or(0, |cookie| cookie.trim_start_matches("a=").parse().unwrap());
                to("302 Found", "/cookies", &format!("Set-Cookie: a={}\r\n", number + 1))
            }
        },
        "/old" => to("301 Moved Permanently", "/older", ""),
        "/older" => to("308 Permanent Redirect", "/200/200", ""),
        "/private" => to("301 Moved Permanently", "/login", ""),
        "/dead" => to("301 Moved Permanently", "/404/404", ""),
        "/nowhere" => answer("302 Found", "", ""),
        "/challenge" => answer("403 Forbidden", "cf-mitigated: challenge\r\n", ""),
        "/hints" => [b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".to_vec(), html("200 OK")].concat(),
        "/coded" => answer("200 OK", "Content-Type: text/html\r\nContent-Encoding: br\r\n", "(compressed)"),
        "/login" => html("200 OK"),
        "/closed" => b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\n".to_vec(),
        path => {
            let (head, get) = path.trim_start_matches('/').split_once('/').unwrap_or(("404", "404"));
            html(&format!("{} Status", if method == "HEAD" { head } else { get }))
        }
    };
    match method {
        // The head alone, but of all responses.
        "HEAD" => octets[..octets.windows(4).rposition(|end| end == b"\r\n\r\n").unwrap() + 4].to_vec(),
        _ => octets,
    }
}

/// How often each was asked for.
fn counted(server: &Server) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    server.lines().into_iter().for_each(|line| *counts.entry(line).or_default() += 1);
    counts
}

#[test]
fn every_answer_has_its_code() {
    let (server, folder) = (Server::new(zoo), folder());
    let expected = [
        ("/200/200", "ok"),
        ("/204/204", "ok"),
        ("/405/200", "ok"),
        ("/404/200", "ok"),
        ("/500/200", "ok"),
        ("/404/404", "not-found"),
        ("/410/410", "gone"),
        ("/404/410", "gone"),
        ("/401/401", "login"),
        ("/403/403", "forbidden"),
        ("/418/418", "status"),
        ("/451/451", "status"),
        ("/999/999", "status"),
        ("/500/500", "server-error"),
        ("/503/503", "busy"),
        ("/hints", "ok"),
        ("/cookie", "ok"),
        ("/cookies", "ok"),
        ("/old", "redirected"),
        ("/private", "login"),
        ("/dead", "not-found"),
        ("/nowhere", "bad-redirect"),
        ("/loop/1", "loop"),
        ("/challenge", "challenge"),
        ("/200/200#here", "ok"),
        ("/200/200#there", "remote-anchor"),
        ("/200/200#L10", "script-anchor"),
        ("/204/204#x", "remote-anchor"),
        ("/coded#x", "unread-anchor"),
        ("/200/200#:~:text=A%20text", "ok"),
        ("/200/200#:~:text=other", "no-such-text"),
        ("/old#here:~:text=text", "redirected"),
    ];
    page(folder.path(), "a.md", &expected.map(|(path, _)| server.url(path)));
    let expected = expected.map(|(path, code)| (server.url(path), code.to_owned()));
    assert_eq!(codes(folder.path(), &["a.md"]), BTreeMap::from(expected));
}

#[test]
fn each_url_is_asked_for_once() {
    // A host that does not know HEAD is not asked by it again, so it is one of its own.
    let (server, other, folder) = (Server::new(zoo), Server::new(zoo), folder());
    let mut all = ["/200/200", "/old", "/404/404", "/503/503"].map(|path| server.url(path)).to_vec();
    all.push(other.url("/405/200"));
    for name in ["a.md", "b.md", "c.md"] {
        page(folder.path(), name, &all);
    }
    let (_, status, said) = links(folder.path(), &["--private", "--interval", "0", "."]);
    assert_eq!(status, 1);
    assert_eq!(
        said.lines().next(),
        Some(
            "15 links in 3 files: 3 broken, 3 unknown, 3 redirected, 6 ok; \
             2 other links to servers that are reported once"
        )
    );
    let expected = [
        ("HEAD /200/200", 1),
        // It is short, so it may refresh to another page.
        ("GET /200/200", 1),
        ("HEAD /404/404", 1),
        ("GET /404/404", 1),
        ("HEAD /503/503", 1),
        // And two times more after a while.
        ("GET /503/503", 3),
        ("HEAD /old", 1),
        ("HEAD /older", 1),
    ];
    assert_eq!(counted(&server), expected.map(|(line, count)| (line.to_owned(), count)).into());
    assert_eq!(other.lines(), ["HEAD /405/200", "GET /405/200"]);
}

#[test]
fn nothing_is_dead() {
    let server = Server::new(|request| match request.line.split_once(' ').unwrap() {
        ("HEAD", _) => b"HTTP/1.1 405 Not Allowed\r\nContent-Length: 0\r\n\r\n".to_vec(),
        (_, path) if path.ends_with("/moved") => answer("301 Moved", "Location: /a\r\n", ""),
        (_, path) if path.ends_with("/secret") => answer("403 Forbidden", "", ""),
        (_, path) if path.ends_with("/slow") => answer("503 Unavailable", "", ""),
        _ => html("200 OK"),
    });
    let folder = folder();
    let paths =
        ["/a", "/a#here", "/a#made-by-a-script", "/moved", "/secret", "/slow", "/a?x=1&y=2", "/a%20b"];
    page(folder.path(), "a.md", &paths.map(|path| server.url(path)));
    let (printed, status, _) = links(folder.path(), &["--private", "--interval", "0", "a.md"]);
    assert_eq!(status, 0, "{printed}");
    assert!(!printed.contains("error:"), "{printed}");
}

#[test]
fn a_server_is_waited_for() {
    let server = Server::new(|request| match &*request.line {
        "HEAD /later" => b"HTTP/1.1 429 Too Many\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n".to_vec(),
        _ => html("200 OK"),
    });
    let folder = folder();
    page(folder.path(), "a.md", &["/later", "/other"].map(|path| server.url(path)));
    let expected = ["/later", "/other"].map(|path| (server.url(path), "waits".to_owned()));
    assert_eq!(codes(folder.path(), &["--per-host", "1", "a.md"]), expected.into());
    assert_eq!(server.lines(), ["HEAD /later"]);
}

#[test]
fn a_dead_host_is_tried_three_times() {
    let folder = folder();
    // Nobody listens there any more.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let urls: Vec<_> = (0..50).map(|number| format!("http://{address}/{number}")).collect();
    page(folder.path(), "a.md", &urls);
    let codes = codes(folder.path(), &["a.md"]);
    assert_eq!(codes.len(), 50);
    assert!(codes.values().all(|code| code == "connection-refused"), "{codes:?}");
}

#[test]
fn private_addresses_are_not_asked() {
    let (server, folder) = (Server::new(zoo), folder());
    page(folder.path(), "a.md", &[server.url("/404/404")]);
    let (printed, status, said) = links(folder.path(), &["a.md"]);
    assert_eq!((&*printed, status), ("", 0));
    assert!(said.contains("--private checks the 1 link to private addresses"), "{said}");
    assert!(server.lines().is_empty());
}

/// Of a directory documents are read; what is named is read whatever it is.
#[test]
fn source_code_is_no_document() {
    let folder = folder();
    for name in ["a.md", "b.rs", "c.json", "d.txt", "README"] {
        fs::write(folder.path().join(name), "\"http://www.example.org/\"\n").unwrap();
    }
    let files = |arguments: &[&str]| {
        let (printed, _, said) =
            links(folder.path(), &[&["--offline", "--no-messages", "--show", "all"], arguments].concat());
        assert_eq!(said, "");
        printed.lines().map(|line| line.split(':').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(files(&["."]), ["README", "a.md", "d.txt"]);
    assert_eq!(files(&["-t", "rust", "-t", "json", "."]), ["b.rs", "c.json"]);
    assert_eq!(files(&["b.rs"]), ["b.rs"]);
}

#[test]
fn what_the_user_names_is_asked() {
    let folder = folder();
    let server = Server::new(|request| match &*request.line {
        "GET /index.html" => answer("200 OK", "Content-Type: text/html\r\n", "<a href=a></a><a href=b></a>"),
        "HEAD /a" => b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec(),
        _ => answer("404 Not Found", "", ""),
    });
    let url = server.url("/index.html");
    let (printed, status, _) = links(folder.path(), &[&url]);
    assert_eq!(status, 1);
    assert_eq!(printed, format!("{url}:1:23: error: b: the server does not have the page (404 Not Found)\n"));
    // A sitemap that the user names, and pages that are published there.
    let sitemap = format!("<urlset><url><loc>{}</loc></url></urlset>", server.url("/b"));
    fs::write(folder.path().join("sitemap.xml"), sitemap).unwrap();
    assert_eq!(links(folder.path(), &["-q", "sitemap.xml"]).1, 1);
    fs::write(folder.path().join("page.html"), "<a href=a></a>").unwrap();
    assert_eq!(links(folder.path(), &["-q", "--base-url", &server.url("/"), "page.html"]).1, 0);
    // A page that does not exist cannot be read.
    let (printed, status, said) = links(folder.path(), &[&server.url("/none.html")]);
    assert_eq!((&*printed, status), ("", 2));
    assert!(said.starts_with("error: ") && said.contains("404"), "{said}");
}

#[test]
fn own_headers_go_to_their_origin() {
    let other = Server::new(zoo);
    let to = other.url("/200/200");
    let server = Server::new(move |_| answer("302 Found", &format!("Location: {to}\r\n"), ""));
    let folder = folder();
    page(folder.path(), "a.md", &[server.url("/a")]);
    let header = format!("{} X-Token: s3cret", server.url("/"));
    let (_, status, _) = links(folder.path(), &["--private", "--header", &header, "a.md"]);
    assert_eq!(status, 0);
    assert_eq!(server.requests()[0].field("x-token"), Some("s3cret"));
    assert_eq!(other.requests()[0].field("x-token"), None);
    let agent = other.requests()[0].field("user-agent").unwrap().to_ascii_lowercase();
    assert!(!agent.contains("link") && !agent.contains("checker"), "{agent}");
}

/// Answers as a proxy for github.com, which knows no page, and for its API.
fn github(request: &Request) -> Vec<u8> {
    let (_, url) = request.line.split_once(' ').unwrap();
    match url.strip_prefix("http://api.github.com") {
        Some(_) if request.field("authorization") != Some("Bearer t0ken") => {
            answer("401 Unauthorized", "", "")
        }
        Some("/repos/o/private" | "/repos/o/busy" | "/repos/o/r/contents/a.md?ref=v1") => html("200 OK"),
        Some(_) => html("404 Not Found"),
        None if url.ends_with("/busy") => html("429 Too Many Requests"),
        None => html("404 Not Found"),
    }
}

#[test]
fn the_api_of_github_knows_more() {
    let (proxy, folder) = (Server::new(github), folder());
    let expected = [
        ("http://github.com/o/private", "ok"),
        ("http://github.com/o/busy", "ok"),
        ("http://github.com/o/r/blob/v1/a.md", "ok"),
        ("http://github.com/o/r/blob/v1/b.md", "not-found"),
        ("http://github.com/o/r/wiki/A", "not-found"),
        ("http://gitlab.com/o/private", "not-found"),
    ];
    page(folder.path(), "a.md", &expected.map(|(url, _)| url.to_owned()));
    let expected = expected.map(|(url, code)| (url.to_owned(), code.to_owned()));
    let at = proxy.url("");
    let options = ["--proxy", &at, "--github-api", "http://api.github.com/", "a.md"];
    let with = |token| [&["--github-token", token][..], &options].concat();
    assert_eq!(codes(folder.path(), &with("t0ken")), BTreeMap::from(expected));
    for request in proxy.requests() {
        let is_for_api = request.line.contains("api.github.com");
        assert_eq!(request.field("authorization").is_some(), is_for_api, "{}", request.line);
    }
    // The token of the environment.
    let mut command = runner::locator(&[&["links", "--private"][..], &options].concat());
    let output = runner::run(command.env("GITHUB_TOKEN", "t0ken\n").current_dir(folder.path()), Vec::new());
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .all(|line| !line.contains("//github.com/o/private"))
    );
    assert_eq!(String::from_utf8(output.stderr).unwrap().matches("GitHub does not accept").count(), 0);
    // A token that GitHub does not know.
    let (_, status, said) = links(folder.path(), &[&with("wr0ng")[..], &["--max-wait", "0"]].concat());
    assert_eq!(status, 1);
    assert!(said.contains("GitHub does not accept the token"), "{said}");
    assert!(!said.contains("wr0ng"), "{said}");
    let (_, status, said) = links(folder.path(), &with("a\nb"));
    assert_eq!((status, said.contains("--github-token")), (2, true), "{said}");
}

#[test]
fn a_proxy_of_the_environment_is_named_and_not_used() {
    let (server, folder) = (Server::new(zoo), folder());
    page(folder.path(), "a.md", &[server.url("/200/200")]);
    let said = |name: &str, arguments: &[&str]| {
        let all = [&["links", "--private", "--interval", "0"], arguments, &["a.md"]].concat();
        let mut command = runner::locator(&all);
        for name in PROXY_NAMES {
            command.env_remove(name);
        }
        // Nobody listens there.
        command.env(name, "http://127.0.0.1:9/").current_dir(folder.path());
        let output = runner::run(&mut command, Vec::new());
        assert_eq!(output.status.code(), Some(0), "{name}");
        String::from_utf8(output.stderr).unwrap()
    };
    let numbers = "1 link in 1 file: 1 ok\n";
    for name in ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"] {
        let note = format!("note: {name} is set and not used; --proxy uses a proxy\n");
        assert_eq!(said(name, &[]), note + numbers);
    }
    for name in ["HTTP_PROXY", "no_proxy", "NO_PROXY"] {
        assert_eq!(said(name, &[]), numbers);
    }
    let offline = "1 link in 1 file: 1 skipped\nskipped: 1 offline\n";
    assert_eq!(said("https_proxy", &["--offline"]), offline);
    assert_eq!(said("https_proxy", &["--proxy", &server.url("/"), "--noproxy", "*"]), numbers);
    assert_eq!(said("https_proxy", &["-s"]), "");
}

#[test]
fn hosts_of_noproxy_are_asked_without_the_proxy() {
    let (server, proxy, folder) = (Server::new(zoo), Server::new(|_| html("404 Not Found")), folder());
    page(folder.path(), "a.md", &[server.url("/200/200")]);
    let at = proxy.url("");
    let code = |options: &[&str]| {
        let codes = codes(folder.path(), &[options, &["a.md"]].concat());
        codes.values().next().cloned().unwrap_or_default()
    };
    assert_eq!(code(&["--proxy", &at]), "not-found");
    let seen = proxy.lines().len();
    for hosts in ["127.0.0.1", "h.example,127.0.0.0/8", "*"] {
        assert_eq!(code(&["--proxy", &at, "--noproxy", hosts]), "ok", "{hosts}");
    }
    assert_eq!(proxy.lines().len(), seen);
    assert_eq!(code(&["--proxy", &at, "--noproxy", "h.example"]), "not-found");
    // What is asked without a proxy must be public as without one.
    let private = ["--proxy", &at, "--noproxy", "*", "--json", "a.md"];
    assert!(links(folder.path(), &private).0.contains("\"code\":\"private\""));
    assert_eq!(links(folder.path(), &["--noproxy", "*", "a.md"]).1, 2);
}

#[test]
fn secrets_are_hidden() {
    let (server, folder) = (Server::new(zoo), folder());
    page(folder.path(), "a.md", &[server.url("/404/404?token=0f8fad5bd9cb469fa165708678778501")]);
    let (printed, _, _) = links(folder.path(), &["--private", "--interval", "0", "a.md"]);
    assert!(printed.contains("(hidden)") && !printed.contains("0f8fad5b"), "{printed}");
    let (printed, _, _) = links(folder.path(), &["--private", "--json", "a.md"]);
    assert!(printed.contains("(hidden)") && !printed.contains("0f8fad5b"), "{printed}");
}

#[test]
fn pages_that_refresh_to_a_page_that_is_gone() {
    let meta = |content: &str| {
        answer(
            "200 OK",
            "Content-Type: text/html\r\n",
            &format!("<meta http-equiv=refresh content=\"{content}\">"),
        )
    };
    let server = Server::new(move |request| {
        let (method, path) = request.line.split_once(' ').unwrap();
        let octets = match path {
            "/0" => meta("0; url=gone"),
            "/10" => meta("10, URL='/gone#x'"),
            "/11" => meta("11; url=/gone"),
            "/twice" => meta("0; url=/10"),
            "/first" => answer(
                "200 OK",
                "Content-Type: text/html\r\n",
                "<meta http-equiv=refresh content='0;url=/ok'><meta http-equiv=refresh content='0;url=/gone'>",
            ),
            "/self" => meta("0"),
            "/header" => answer("200 OK", "Refresh: 0;url=\"/gone\"\r\nContent-Type: text/html\r\n", "x"),
            "/long" => {
                let text = "x".repeat(20_000);
                answer(
                    "200 OK",
                    "Content-Type: text/html\r\n",
                    &format!("{text}<meta http-equiv=refresh content='0;url=/gone'>"),
                )
            }
            "/text" => answer(
                "200 OK",
                "Content-Type: text/plain\r\n",
                "<meta http-equiv=refresh content='0;url=/gone'>",
            ),
            "/base" => answer(
                "200 OK",
                "Content-Type: text/html\r\n",
                "<base href='/a/'><meta http-equiv=refresh content='0;url=b'>",
            ),
            "/ok" => html("200 OK"),
            _ => html("404 Not Found"),
        };
        match method {
            "HEAD" => octets[..octets.windows(4).rposition(|end| end == b"\r\n\r\n").unwrap() + 4].to_vec(),
            _ => octets,
        }
    });
    let folder = folder();
    let expected = [
        ("/0", "not-found"),
        ("/10", "not-found"),
        ("/11", "ok"),
        ("/twice", "not-found"),
        ("/first", "ok"),
        ("/self", "ok"),
        ("/header", "not-found"),
        ("/long", "ok"),
        ("/text", "ok"),
        ("/base", "not-found"),
        ("/base#x", "not-found"),
    ];
    page(folder.path(), "a.md", &expected.map(|(path, _)| server.url(path)));
    let expected = expected.map(|(path, code)| (server.url(path), code.to_owned()));
    assert_eq!(codes(folder.path(), &["a.md"]), BTreeMap::from(expected));
    assert!(server.lines().contains(&"GET /a/b".to_owned()));
    let (printed, status, _) = links(folder.path(), &["--private", "--interval", "0", "a.md"]);
    assert_eq!(status, 1);
    let line = printed.lines().find(|line| line.contains("/0:")).unwrap();
    assert!(line.contains("404 Not Found"), "{line}");
}

#[test]
fn a_server_that_asks_to_wait_is_reported_once() {
    let other = Server::new(|_| html("200 OK"));
    let server = Server::new(|_| answer("503 Busy", "Retry-After: 7200\r\n", ""));
    let folder = folder();
    let urls = (0..5).map(|number| server.url(&format!("/{number}"))).chain([other.url("/")]);
    page(folder.path(), "a.md", &urls.collect::<Vec<_>>());
    let (printed, status, said) = links(folder.path(), &["--private", "a.md"]);
    assert_eq!((status, printed.lines().count()), (0, 1), "{printed}");
    let words = "warning: the server asks to wait for longer than --max-wait (503 Busy; it asks for 7200 s)";
    assert!(printed.contains(&words[9..]) && printed.contains("warning:"), "{printed}");
    assert!(said.contains("5 unknown, 1 ok; 4 other links to servers that are reported once"), "{said}");
    assert!(server.lines().len() <= 2);
    // All of them are in JSON, and with --show.
    let (printed, _, _) = links(folder.path(), &["--private", "--show", "unknown", "a.md"]);
    assert_eq!(printed.lines().count(), 5);
    let (printed, _, _) = links(folder.path(), &["--private", "--json", "a.md"]);
    assert_eq!(printed.matches("\"waits\"").count(), 5);
    // What fails is printed, each link, so none is left out.
    let (printed, status, said) = links(folder.path(), &["--private", "--fail-on", "unknown", "a.md"]);
    assert_eq!((status, printed.lines().count()), (1, 5));
    assert!(said.contains("5 unknown, 1 ok") && !said.contains("reported once"), "{said}");
}

#[test]
fn a_page_that_the_user_names_is_waited_for() {
    let server = |asked: &'static str| {
        let count = std::sync::atomic::AtomicUsize::new(0);
        Server::new(move |_| match count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
            0 => answer("429 Many", &format!("Retry-After: {asked}\r\n"), ""),
            _ => html("200 OK"),
        })
    };
    let folder = folder();
    let (soon, late) = (server("1"), server("3600"));
    let (_, status, said) = links(folder.path(), &[&soon.url("/")]);
    assert_eq!((status, soon.lines().len()), (0, 2), "{said}");
    let (_, status, said) = links(folder.path(), &[&late.url("/")]);
    assert_eq!((status, late.lines().len(), said.contains("429")), (2, 1, true), "{said}");
}
