//! `get` with HTTP: what is sent for each option, and what is made of the answers of a server in the
//! process of the test.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Mutex;

pub(crate) use locator_dev::servers::http::{HttpServer as Server, Request, answer, ok};
use serde_json::Value;
use tempfile::TempDir;

use crate::links::links;
use crate::runner;

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().expect("there is a place for temporary files")
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What is printed, the exit status, and what is said.
pub(crate) fn run(
    folder: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
    stdin: &str,
) -> (String, i32, String) {
    let mut command = runner::locator(&[&["get"], arguments].concat());
    for name in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY"]
    {
        command.env_remove(name);
    }
    command.current_dir(folder).envs(variables.iter().copied());
    let output = runner::run(&mut command, stdin.into());
    let text = |octets| String::from_utf8(octets).unwrap();
    (text(output.stdout), output.status.code().unwrap_or(-1), text(output.stderr))
}

pub(crate) fn get(arguments: &[&str]) -> (String, i32, String) {
    run(Path::new("."), arguments, &[], "")
}

pub(crate) fn done(printed: &str) -> (String, i32, String) {
    (printed.into(), 0, String::new())
}

#[test]
fn what_is_sent() {
    let server = Server::new(|_| ok("page\n"));
    let url = server.url("/a/../b?c");
    assert_eq!(get(&[&url]), done("page\n"));
    let mut data = tempfile::NamedTempFile::new().unwrap();
    data.write_all(b"x=1\r\n&y=2\n").unwrap();
    let file = format!("@{}", data.path().display());
    let arguments = [
        "-fsSL",
        "-A",
        "me/1",
        "--referer",
        "http://from/",
        "-H",
        "X-One: 1",
        "-H",
        "X-Two;",
        "-d",
        "a=b",
        "-d",
    ];
    assert_eq!(get(&[&arguments[..], &[&file, &url]].concat()), done("page\n"));
    assert_eq!(get(&["-X", "DELETE", "-H", "User-Agent:", "-H", "accept:", &url]), done("page\n"));
    assert_eq!(get(&["--data-raw", "@x", "-H", "content-type: text/x", &url]), done("page\n"));
    assert_eq!(run(Path::new("."), &["-d", "@-", &url], &[], "typed"), done("page\n"));

    let requests = server.requests();
    let [plain, post, delete, raw, typed] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!((&*plain.line, &*plain.body), ("GET /a/../b?c", ""));
    assert_eq!(plain.field("host"), Some(&*server.address.to_string()));
    assert_eq!(plain.field("user-agent"), Some(concat!("locator/", env!("CARGO_PKG_VERSION"))));
    assert_eq!((&*post.line, &*post.body), ("POST /a/../b?c", "a=b&x=1&y=2"));
    for (name, value) in [
        ("user-agent", "me/1"),
        ("referer", "http://from/"),
        ("x-one", "1"),
        ("content-type", "application/x-www-form-urlencoded"),
    ] {
        assert_eq!(post.field(name), Some(value));
    }
    assert!(post.fields.iter().any(|field| field.trim_end() == "x-two:"), "{post:?}");
    assert_eq!((&*delete.line, delete.field("user-agent")), ("DELETE /a/../b?c", None));
    assert_eq!((plain.field("accept"), delete.field("accept")), (Some("*/*"), None));
    assert_eq!((&*raw.body, raw.field("content-type")), ("@x", Some("text/x")));
    assert_eq!(typed.body, "typed");
}

/// The pieces of data have the order of the options, whatever their kinds.
#[test]
fn data() {
    let server = Server::new(|_| ok(""));
    let folder = folder();
    std::fs::write(folder.path().join("f"), "x=1\r\ny=\u{e9}\n").unwrap();
    let send = |arguments: &[&str]| {
        let url = server.url("/a?q=1#f");
        assert_eq!(run(folder.path(), &[arguments, &[&url]].concat(), &[], ""), done(""), "{arguments:?}");
        let Request { line, body, .. } = server.requests().pop().unwrap();
        (line, body)
    };
    let post = |body: &str| ("POST /a?q=1".to_owned(), body.to_owned());
    let mixed =
        ["--data-raw", "@r", "-d", "a=b", "--data-urlencode", "t=c d&", "-d", "", "--data-binary", "@f"];
    assert_eq!(send(&mixed), post("@r&a=b&t=c+d%26&&x=1\r\ny=\u{e9}\n"));
    assert_eq!(
        send(&["-d", "@f", "--data-urlencode", "n@f"]),
        post("x=1y=\u{e9}&n=x%3D1%0D%0Ay%3D%C3%A9%0A")
    );
    let queried = |method: &str| (format!("{method} /a?q=1&a=b&c=d%20e+f"), String::new());
    let data = ["-d", "a=b", "-d", "c=d%20e+f"];
    assert_eq!(send(&[&["-G"], &data[..]].concat()), queried("GET"));
    assert_eq!(send(&[&["--get", "-I", "-s", "-o", "/dev/null"], &data[..]].concat()), queried("HEAD"));
    assert_eq!(send(&[&["-G", "-X", "DELETE"], &data[..]].concat()), queried("DELETE"));
    assert_eq!(send(&["-G"]), ("GET /a?q=1".into(), String::new()));
    let (_, status, errors) = get(&["-G", "-d", "c=d e", &server.url("/")]);
    assert_eq!((status, errors.contains("a space is not allowed in the query")), (2, true), "{errors}");
    let (_, status, errors) = get(&["-I", "-d", "a", &server.url("/")]);
    assert_eq!((status, errors.contains("except with -G")), (2, true), "{errors}");
    let (_, status, errors) = get(&["--data-urlencode", "a", "ftp://h.example/"]);
    assert_eq!(
        (status, errors.contains("--data-urlencode is for http and https only")),
        (2, true),
        "{errors}"
    );
}

/// A cookie goes to the origin of the given URL, and another port is another origin.
#[test]
fn cookies() {
    let other = Server::new(|_| ok("there\n"));
    let elsewhere = other.url("/c");
    let server = Server::new(move |request| match &*request.line {
        "GET /a" => answer("302 Found", "Location: /b\r\nSet-Cookie: own=1\r\n", ""),
        _ => answer("302 Found", &format!("Location: {elsewhere}\r\n"), ""),
    });
    assert_eq!(get(&["-b", "a=b; c=d", "-b", "e=f", &server.url("/a")]), done("there\n"));
    let sent = |server: &Server| -> Vec<_> {
        server.requests().iter().map(|request| request.field("cookie").map(str::to_owned)).collect()
    };
    assert_eq!(sent(&server), [const { "a=b; c=d; e=f" }; 2].map(|value| Some(value.into())));
    assert_eq!(sent(&other), [None]);
}

#[test]
fn objects_that_are_too_large() {
    let server = Server::new(|request| match &*request.line {
        "GET /chunked" => {
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n".into()
        }
        _ => ok("abcdef"),
    });
    assert_eq!(get(&["--max-filesize", "6", &server.url("/")]), done("abcdef"));
    let (printed, status, errors) = get(&["--max-filesize", "5", &server.url("/")]);
    let why = "the file has 6 bytes, more than --max-filesize 5";
    assert_eq!((&*printed, status, errors.contains(why)), ("", 2, true), "{errors}");
    let (printed, status, errors) = get(&["--max-filesize", "5", &server.url("/chunked")]);
    assert_eq!((&*printed, status, errors.contains("more than 5 bytes")), ("abcde", 2, true), "{errors}");
}

#[test]
fn redirects() {
    let server = Server::new(|request| match &*request.line {
        "GET /one" => answer("301 Moved Permanently", "Location: /two\r\n", "moved\n"),
        "GET /two" => answer("302 Found", "Location: three?x\r\n", ""),
        "GET /for/ever" => answer("302 Found", "Location: /for/ever\r\n", ""),
        _ => ok("there\n"),
    });
    let (one, ever) = (server.url("/one"), server.url("/for/ever"));
    assert_eq!(get(&[&one]), done("there\n"));
    assert_eq!(server.lines(), ["GET /one", "GET /two", "GET /three?x"]);
    let written = format!("there\n200 2 6 text/plain 127.0.0.1 0 {one} {}\n", server.url("/three?x"));
    let format = "%{http_code} %{num_redirects} %{size_download} %{content_type} %{remote_ip} %{exitcode} %{url} \
                  %{url_effective}\\n";
    assert_eq!(get(&["-w", format, &one]), done(&written));
    let (printed, status, _) = get(&["--json", &one]);
    let object: Value = serde_json::from_str(&printed).unwrap();
    let hops: Vec<_> =
        object["hops"].as_array().unwrap().iter().map(|hop| hop["url"].as_str().unwrap()).collect();
    assert_eq!((status, hops), (0, vec![&*one, &*server.url("/two")]));
    assert_eq!(
        (&object["status"], &object["fields"]["content-type"][0]),
        (&200.into(), &"text/plain".into())
    );

    // With 0 the redirect is the object, and one that is not followed is an error else.
    let where_to =
        ["-s", "--max-redirs", "0", "-w", "%{response_code} %{http_version} %{redirect_url}\n", &one];
    assert_eq!(get(&where_to), done(&format!("moved\n301 1.1 {}\n", server.url("/two"))));
    let (printed, status, errors) = get(&["--max-redirs", "1", &one]);
    assert_eq!(
        (&*printed, status, errors.contains("too many redirects (more than 1), the last to")),
        ("", 2, true),
        "{errors}"
    );
    let (_, status, errors) = get(&[&ever]);
    assert_eq!((status, errors.contains("too many redirects (more than 10)")), (2, true), "{errors}");
    let (printed, status, errors) = get(&["--proto-redir", "=https", &one]);
    assert_eq!((&*printed, status, errors.contains("which is not followed")), ("", 2, true), "{errors}");
}

#[test]
fn a_server_that_says_no() {
    let server = Server::new(|request| match &*request.line {
        "GET /there" => ok("there\n"),
        _ => answer("404 Not Found", "Content-Type: text/html\r\n", "no such page\n"),
    });
    let url = server.url("/missing.html");
    let said = "not found (404 Not Found)";
    let said = format!("error: {said}\n  {url}\n");
    assert_eq!(get(&[&url]), ("no such page\n".into(), 1, said.clone()));
    assert_eq!(get(&["-f", &url]), (String::new(), 1, said.clone()));
    assert_eq!(get(&["-fsS", &url]), (String::new(), 1, said));
    assert_eq!(get(&["-s", &url]), ("no such page\n".into(), 1, String::new()));
    assert_eq!(get(&["-q", &url]), (String::new(), 1, String::new()));
    // A page of the server is not the object.
    let folder = folder();
    for arguments in [["-O", &url].as_slice(), &["-o", "new", &url]] {
        assert_eq!(run(folder.path(), arguments, &[], "").1, 1);
        assert_eq!(names(folder.path()), [""; 0]);
    }
    let (printed, status, _) = get(&["--json", &url]);
    let object: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(
        (status, &object["error"]["kind"], &object["error"]["status"]),
        (1, &"missing".into(), &404.into())
    );
    assert_eq!(object["error"]["fields"]["content-type"][0], "text/html");
    let (printed, status, _) = get(&["-w", "%{http_code} %{exitcode}\n", &url, &server.url("/there")]);
    assert_eq!((&*printed, status), ("no such page\n404 1\nthere\n200 0\n", 1));
}

#[test]
fn heads() {
    let server = Server::new(|request| match request.line.split_once(' ') {
        Some(("HEAD", _)) => answer("200 OK", "X-A: b\r\n", "")[..].into(),
        _ => answer("200 OK", "X-A: b\r\n", "page\n"),
    });
    let url = server.url("/");
    assert_eq!(get(&["-i", &url]), done("HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 5\r\n\r\npage\n"));
    assert_eq!(get(&["-I", &url]), done("HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 0\r\n\r\n"));
    assert_eq!(get(&["-I", "-X", "GET", &url]).0, "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 5\r\n\r\n");
    assert_eq!(server.lines(), ["GET /", "HEAD /", "GET /"]);
    let (printed, status, errors) = get(&["-v", "-u", "joe:secret", &url]);
    assert_eq!((&*printed, status, errors.contains("secret")), ("page\n", 0, false), "{errors}");
    for line in ["  C: GET / HTTP/1.1\n", "  C: accept: */*\n", "  S: HTTP/1.1 200 OK\n", "  S: X-A: b\n"] {
        assert!(errors.contains(line), "{errors}");
    }
}

/// As the server sent them: names and their order, what comes before the final response, and the heads
/// of redirects and errors.
#[test]
fn heads_as_they_were_sent() {
    let sent = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\
                HTTP/1.1 200 Fine\r\nX-b: 1\r\nSet-Cookie: a\r\nX-A:  2 \r\nset-COOKIE: b\r\nContent-Length: 2\r\n\r\nx\n";
    let moved = "HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n";
    let missing = "HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\n";
    let server = Server::new(move |request| match &*request.line {
        "GET /there" => sent.into(),
        "GET /moved" => moved.into(),
        _ => [missing, "no\n"].concat().into(),
    });
    let moved_to_sent = [moved, sent].concat();
    assert_eq!(get(&["-i", &server.url("/moved")]), done(&moved_to_sent));
    let folder = folder();
    assert_eq!(run(folder.path(), &["-i", "-o", "f", &server.url("/moved")], &[], ""), done(""));
    assert_eq!(std::fs::read_to_string(folder.path().join("f")).unwrap(), moved_to_sent);
    let heads = |arguments: &[&str], target: &str| {
        let (printed, status, _) = get(&[arguments, &["-s", "-i", &server.url(target)]].concat());
        (printed, status)
    };
    assert_eq!(heads(&[], "/missing"), ([missing, "no\n"].concat(), 1));
    assert_eq!(heads(&["-f"], "/missing"), (missing.into(), 1));
    assert_eq!(heads(&["--max-redirs", "0"], "/moved"), (moved.into(), 0));
    assert_eq!(heads(&["--proto-redir", "=https"], "/moved"), (moved.into(), 2));
}

#[test]
fn parts() {
    let server = Server::new(|request| match (&*request.line, request.field("range")) {
        ("GET /part", Some("bytes=1-3")) => {
            answer("206 Partial Content", "Content-Range: bytes 1-3/5\r\n", "bcd")
        }
        _ => ok("abcde"),
    });
    assert_eq!(get(&["-r", "1-3", &server.url("/part")]), done("bcd"));
    let remark = "note: the server ignores the range and sends the whole file\n";
    assert_eq!(get(&["-r", "1-3", &server.url("/all")]), ("abcde".into(), 0, remark.into()));
}

#[test]
fn compressed() {
    let gzip = b"\x1f\x8b\x08\0\0\0\0\0\x02\xff\xcbH\xcd\xc9\xc9\xe7\x02\0 0:6\x06\0\0\0";
    let server = Server::new(|request| match request.field("accept-encoding") {
        Some(codings) if codings.contains("gzip") => {
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 26\r\n\r\n";
            [head.as_bytes(), gzip].concat()
        }
        _ => ok("plain\n"),
    });
    assert_eq!(get(&["--compressed", &server.url("/")]), done("hello\n"));
    assert_eq!(get(&[&server.url("/")]), done("plain\n"));
}

/// Counts the requests before this one.
fn counted(answer: impl Fn(usize, &Request) -> Vec<u8> + Send + Sync + 'static) -> Server {
    let count = Mutex::new(0);
    Server::new(move |request| {
        let mut count = count.lock().unwrap();
        *count += 1;
        answer(*count - 1, request)
    })
}

#[test]
fn further_tries() {
    let busy = |count, _: &Request| match count {
        0 => answer("503 Service Unavailable", "Retry-After: 0\r\n", "busy\n"),
        1 => answer("429 Too Many Requests", "Retry-After: Thu, 01 Jan 1970 00:00:00 GMT\r\n", ""),
        _ => ok("there\n"),
    };
    let slow = |_, _: &Request| answer("503 Service Unavailable", "Retry-After: 9\r\n", "");
    let (printed, status, errors) = get(&["--retry", "2", &counted(busy).url("/")]);
    assert_eq!((&*printed, status), ("there\n", 0), "{errors}");
    assert_eq!(errors.matches("; retrying in 0 s\n").count(), 2, "{errors}");
    let server = counted(busy);
    let (printed, status, _) = get(&["-s", "--retry", "1", &server.url("/")]);
    assert_eq!((&*printed, status, server.lines().len()), ("", 1, 2));
    // A server that asks for a long time is not asked again, and a note says so.
    let server = Server::new(|_| answer("503 Service Unavailable", "Retry-After: 1200\r\n", ""));
    let (_, status, errors) = get(&["--retry", "1", &server.url("/")]);
    assert_eq!((status, server.lines().len()), (1, 1), "{errors}");
    assert!(errors.contains("asks to wait 1200 s (Retry-After), and get waits at most 600 s"), "{errors}");
    let (_, _, errors) = get(&["--retry", "1", "--retry-max-time", "0.5", &counted(slow).url("/")]);
    assert!(errors.contains("no retry: it would begin after the time of --retry-max-time"), "{errors}");
    // What a server says no to for good is not asked again, nor is what may have been done.
    let server = Server::new(|_| answer("404 Not Found", "", ""));
    assert_eq!((get(&["-s", "--retry", "9", &server.url("/")]).1, server.lines().len()), (1, 1));
    let server = Server::new(|_| answer("500 Internal Server Error", "", ""));
    assert_eq!((get(&["-s", "--retry", "9", "-d", "x", &server.url("/")]).1, server.lines().len()), (1, 1));
    // Nobody listens there.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (_, status, errors) = get(&["--retry", "2", "--retry-delay", "0.001", &format!("http://{free}/")]);
    assert_eq!((status, errors.matches("retrying").count()), (2, 2), "{errors}");
}

#[test]
fn a_try_goes_on_where_the_object_ended() {
    let half = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\nConnection: close\r\n\r\n01234";
    let server =
        counted(move |count, request| match (count, request.field("range"), request.field("if-range")) {
            (0, None, None) => half.into(),
            (1, Some("bytes=5-"), Some("\"a\"")) => {
                answer("206 Partial Content", "ETag: \"a\"\r\nContent-Range: bytes 5-9/10\r\n", "56789")
            }
            other => panic!("{other:?}"),
        });
    let arguments = ["-s", "--retry", "1", "--retry-delay", "0.001"];
    assert_eq!(get(&[&arguments[..], &[&server.url("/")]].concat()), done("0123456789"));
    // Another version of the object does not follow the first one.
    let server = counted(move |count, _| if count == 0 { half.into() } else { ok("another one") });
    assert_eq!(get(&[&arguments[..], &[&server.url("/")]].concat()), ("01234".into(), 2, String::new()));
}

/// The plan has the octets of the head that is sent.
#[test]
fn the_plan_is_what_is_sent() {
    let server = Server::new(|_| ok("x"));
    let planned = |folder: &Path, arguments: &[&str]| {
        let (plan, status, errors) = run(folder, &[&["--plan"], arguments].concat(), &[], "");
        assert_eq!(status, 0, "{errors}");
        plan.lines().filter_map(|line| line.strip_prefix("  C: ").map(str::to_owned)).collect::<Vec<_>>()
    };
    let sent = || {
        let request = server.requests().pop().unwrap();
        [&[format!("{} HTTP/1.1", request.line)], &*request.fields, &[String::new()]].concat()
    };
    let url = server.url("/a%20b?q");
    let (folder, by_proxy) = (folder(), server.address.to_string());
    std::fs::write(folder.path().join("small"), "x").unwrap();
    std::fs::write(folder.path().join("large"), [b'x'; (1 << 20) + 1]).unwrap();
    for arguments in [
        &[&*url][..],
        &["-I", &url],
        &["-r", "0-9", &url],
        &["--compressed", &url],
        &["-A", "", &url],
        &["-A", "me", "-H", "Accept:", &url],
        &["-H", "X-Own: a", "-H", "Host: other.example", "-H", "x-own: b", "-H", "Accept: text/html", &url],
        &["--referer", "http://r.example/", &url],
        &["-d", "a=b", &url],
        &["-G", "-d", "a=b", &url],
        &["-X", "POST", &url],
        &["-X", "DELETE", &url],
        &["-T", "small", &url],
        &["-T", "large", &url],
        &["-T", "large", "-H", "Expect:", &url],
        &["-T", "small", "-X", "POST", "-H", "Content-Type: a/b", &server.url("/a/")],
        &["-T", "-", &url],
        &["--data-binary", "@large", &url],
        &["-F", "a=@small", "-F", "b=c", "-H", "Content-Type:", &url],
        &["-x", &by_proxy, "http://h.example:99/a?b"],
        &["-x", &by_proxy, "ftp://h.example/a"],
    ] {
        let plan = planned(folder.path(), arguments);
        let (_, status, said) = run(folder.path(), &[&["-s", "-v"], arguments].concat(), &[], "");
        assert_eq!((status, &plan), (0, &sent()), "{arguments:?}");
        // `-v` shows the same.
        let said: Vec<_> = said.lines().filter_map(|line| line.strip_prefix("  C: ")).collect();
        assert_eq!(said, plan[..plan.len() - 1], "{arguments:?}");
    }
    // Secrets are hidden, unless they are wanted.
    let arguments = ["-b", "a=s3cret", "-H", "Authorization: Bearer s3cret", &url];
    let plan = planned(folder.path(), &arguments);
    assert!(!plan.iter().any(|line| line.contains("s3cret")), "{plan:?}");
    let plan = planned(folder.path(), &[&["--show-secrets"], &arguments[..]].concat());
    get(&arguments);
    assert_eq!(plan, sent());
    // A login that is sent at once.
    let arguments = ["--auth-no-challenge", "-u", "joe:s3cret", &url];
    let plan = planned(folder.path(), &[&["--show-secrets"], &arguments[..]].concat());
    get(&arguments);
    assert_eq!((&plan, plan.contains(&"authorization: Basic am9lOnMzY3JldA==".into())), (&sent(), true));
    // The rest of a file.
    std::fs::write(folder.path().join("x.part"), "01234").unwrap();
    let record = format!("{{\"url\":\"{}\",\"etag\":\"\\\"a\\\"\"}}", server.url("/x"));
    std::fs::write(folder.path().join("x.part.json"), record).unwrap();
    let arguments = ["-s", "-C", "-", "-O", &server.url("/x")];
    let plan = planned(folder.path(), &arguments);
    assert!(plan.iter().any(|line| line == "range: bytes=5-"), "{plan:?}");
    assert_eq!(run(folder.path(), &arguments, &[], "").1, 0);
    assert_eq!(plan, sent());
}

/// What a later run says that starts over: the reason, and not another one.
#[test]
fn why_a_download_starts_over() {
    let cut = |etag: &str| {
        let head = format!("HTTP/1.1 200 OK\r\n{etag}Content-Length: 10\r\nConnection: close\r\n\r\n");
        (head + "01234").into_bytes()
    };
    let whole = |etag: &str| answer("200 OK", etag, "0123456789");
    for (first, second, why) in [
        ("ETag: \"a\"\r\n", "ETag: \"a\"\r\n", "the server ignores the range and sends the whole file"),
        ("ETag: \"a\"\r\n", "ETag: \"b\"\r\n", "the file has changed on the server"),
        ("ETag: W/\"a\"\r\n", "ETag: W/\"a\"\r\n", "the server does not prove that the file is unchanged"),
        ("", "", "no ETag or date of the file was recorded for this URL"),
    ] {
        let folder = folder();
        let server = counted(move |count, _| if count == 0 { cut(first) } else { whole(second) });
        let url = server.url("/x");
        assert_eq!(run(folder.path(), &["-s", "-O", &url], &[], "").1, 2);
        let said = format!("note: starting over: {why}\n");
        assert_eq!(run(folder.path(), &["-C", "-", "-O", &url], &[], ""), (String::new(), 0, said));
        assert_eq!(names(folder.path()), ["x"]);
    }
}

#[test]
fn proxies() {
    let proxy = Server::new(|_| ok("by proxy\n"));
    let server = Server::new(|_| ok("directly\n"));
    let (url, by) = (server.url("/a"), format!("http://{}", proxy.address));
    let by_proxy = done("by proxy\n");
    assert_eq!(get(&["-x", &by, &url]), by_proxy);
    assert_eq!(get(&["--proxy", &proxy.address.to_string(), &url]), by_proxy);
    assert_eq!(get(&["-x", &by, "ftp://h.example/b"]), by_proxy);
    assert_eq!(get(&["-x", &by, "--noproxy", "127.0.0.0/8", &url]), done("directly\n"));
    let with =
        |name, arguments: &[&str]| run(Path::new("."), &[arguments, &[&url]].concat(), &[(name, &by)], "");
    assert_eq!(with("http_proxy", &[]), by_proxy);
    assert_eq!(with("ALL_PROXY", &[]), by_proxy);
    assert_eq!(with("http_proxy", &["--noproxy", "*"]), done("directly\n"));
    // A program that a web server starts has this one from the request (CVE-2016-5385).
    assert_eq!(with("HTTP_PROXY", &[]), done("directly\n"));
    assert_eq!(with("https_proxy", &[]), done("directly\n"));
    let lines = proxy.lines();
    assert_eq!(lines[0], format!("GET {url}"));
    assert_eq!(lines[2], "GET ftp://h.example/b");
    // A host that is excepted is reached directly, by any scheme.
    let before = proxy.lines().len();
    for proxy in [&*by, "socks5h://127.0.0.1:7071"] {
        let (_, status, errors) = get(&["-x", proxy, "--noproxy", "127.0.0.1", "ftp://127.0.0.1:7071/b"]);
        assert_eq!((status, errors.contains("connection refused: 127.0.0.1:7071")), (2, true), "{errors}");
    }
    assert_eq!(proxy.lines().len(), before);
    let (_, status, errors) = get(&["-x", "socks5h://127.0.0.1:1", "ftp://h.example/b"]);
    assert_eq!((status, errors.contains("fetches only http and https URLs")), (2, true), "{errors}");
}

#[test]
fn several_at_the_same_time() {
    let server = Server::new(|request| match request.line.strip_prefix("GET /") {
        Some(name) if name.ends_with('7') => answer("404 Not Found", "", "no\n"),
        Some(name) => ok(&format!("{name}\n")),
        None => panic!("{request:?}"),
    });
    let urls: String = (0..100).map(|number| server.url(&format!("/{number}\n"))).collect();
    let expected: String =
        (0..100).map(|number| if number % 10 == 7 { "no\n".into() } else { format!("{number}\n") }).collect();
    let folder = folder();
    let (printed, status, errors) = run(folder.path(), &["-Z", "--parallel-max", "8", "--brief"], &[], &urls);
    assert_eq!((printed, status), (expected.clone(), 1), "{errors}");
    let places: Vec<_> =
        errors.lines().filter_map(|line| line.strip_prefix("<stdin>:")?.split(':').next()).collect();
    assert_eq!(places, ["8", "18", "28", "38", "48", "58", "68", "78", "88", "98"], "{errors}");
    // The same as one after the other.
    let one = run(folder.path(), &["--brief"], &[], &urls);
    assert_eq!((one.0, one.1, one.2), (expected, status, errors));

    let (printed, status, _) = run(folder.path(), &["-Z", "-s", "-O", "-w", "%{http_code}\n"], &[], &urls);
    let codes: Vec<_> = printed.lines().map(|code| if code == "404" { '4' } else { '2' }).collect();
    assert_eq!((codes.len(), codes[7], codes[8], status), (100, '4', '2', 1));
    let names = names(folder.path());
    assert_eq!((names.len(), names.contains(&"7".to_owned())), (90, false));
    assert_eq!(std::fs::read_to_string(folder.path().join("42")).unwrap(), "42\n");

    let (printed, _, _) = run(folder.path(), &["-Z", "--json"], &[], &urls);
    let inputs: Vec<_> = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect();
    let inputs: String =
        inputs.iter().map(|object| format!("{}\n", object["input"].as_str().unwrap())).collect();
    assert_eq!(inputs, urls);
}

/// Objects whose turn has not come are held only as far as there is memory for them.
#[test]
fn long_objects_at_the_same_time() {
    let server = Server::new(|request| {
        let name = request.line.strip_prefix("GET /").unwrap().to_owned();
        ok(&name.repeat(4 << 20))
    });
    let urls: Vec<_> = (0..8).map(|number| server.url(&format!("/{number}"))).collect();
    let urls: Vec<_> = urls.iter().map(String::as_str).collect();
    let (printed, status, errors) = get(&[&["-Z"], &urls[..]].concat());
    let expected: String = (0..8).map(|number: u8| number.to_string().repeat(4 << 20)).collect();
    assert_eq!((printed == expected, status), (true, 0), "{errors}");
}

/// `get` (JSON, and the walk), `find` (the saved response) and `links` resolve the links of one response
/// against the same base.
#[test]
fn all_verbs_have_one_base() {
    let headers = [
        ("", "/d/"),
        ("Content-Location: /d/en/page.html\r\n", "/d/en/"),
        ("Content-Location: en/\r\n", "/d/en/"),
        ("Content-Base: /d/other/\r\nContent-Location: en/\r\n", "/d/other/"),
        ("Content-Location: ht!tp://[\r\n", "/d/"),
    ];
    for (header, folder) in headers {
        for (declared, folder) in [("", folder), ("<base href=/d/declared/>", "/d/declared/")] {
            let page = format!("<title>Index of /d/</title>{declared}<a href=b.txt>");
            let server = Server::new(move |request| match request.line.split(' ').nth(1) {
                Some("/d/") => answer("200 OK", &format!("Content-Type: text/html\r\n{header}"), &page),
                Some(target) if target.ends_with("/b.txt") => ok(target),
                // The walk lists the directory that a <base> names.
                _ => answer("200 OK", "Content-Type: text/html\r\n", "<title>Index of /</title>"),
            });
            let (url, target) = (server.url("/d/"), format!("{folder}b.txt"));
            let scratch = TempDir::new().unwrap();

            let (json, ..) = get(&["--json", &url]);
            let object: Value = serde_json::from_str(&json).unwrap();
            if declared.is_empty() {
                let base = object["base"].as_str().unwrap_or(&url);
                let found = locator::Uri::parse(base).unwrap();
                let found = locator::uri_ref!("b.txt").resolve_against(found).unwrap();
                assert_eq!(found.as_str(), server.url(&target), "get --json, {header:?}");
            }

            let saved = scratch.path().join("saved");
            let (response, status, errors) = get(&["-i", &url]);
            assert_eq!(status, 0, "{errors}");
            std::fs::write(&saved, response).unwrap();
            let output = runner::run(
                &mut runner::locator(&["find", "--base", &url, "--absolute", saved.to_str().unwrap()]),
                Vec::new(),
            );
            let found = String::from_utf8(output.stdout).unwrap();
            assert!(
                found.lines().any(|line| line.ends_with(&server.url(&target))),
                "find, {header:?}: {found}"
            );

            let folder = scratch.path().join("walk");
            let (_, status, errors) = get(&["-r", &url, "-o", folder.to_str().unwrap()]);
            assert_eq!(status, 0, "{errors}");
            let below = folder.join(target.strip_prefix("/d/").unwrap());
            assert_eq!(std::fs::read_to_string(below).ok().as_deref(), Some(&*target), "get -r, {header:?}");

            let (report, status, errors) =
                links(scratch.path(), &["--json", "--private", "--interval", "0", &url]);
            assert_eq!(status, 0, "links, {header:?}: {report}{errors}");
            assert!(report.contains(&server.url(&target)), "links, {header:?}: {report}");
        }
    }
}

/// The base of a page, which its headers may state, is in JSON if it is not the URL.
#[test]
fn the_base_of_a_page() {
    let server = Server::new(|request| match &*request.line {
        "GET /d/page" => answer("200 OK", "Content-Location: en/page.html\r\n", "<a href=b>"),
        "GET /d/other" => answer("200 OK", "Content-Base: http://b.example/\r\n", "<a href=b>"),
        _ => ok("<a href=b>"),
    });
    for (target, base) in [
        ("/d/page", Value::from(server.url("/d/en/page.html"))),
        ("/d/other", "http://b.example/".into()),
        ("/d/plain", Value::Null),
    ] {
        let (printed, status, _) = get(&["--json", &server.url(target)]);
        let object: Value = serde_json::from_str(&printed).unwrap();
        assert_eq!((status, &object["base"]), (0, &base), "{target}");
    }
}
