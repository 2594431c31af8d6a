//! Requests that are divided in two ways, that are too large, or that confuse paths.

use std::fmt::Write as _;

use locator_dev::servers::GopherServer;

use crate::serve::gateway::{Gateway, encoded};

/// A request that two programs divide in different ways (request smuggling) is refused, and the connection is
/// closed: what follows is not read as a request.
#[test]
fn lengths_that_disagree() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"hello\n"));
    let second = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\n\r\n",
        gateway.path("raw", &server.url("0/a")),
        gateway.host()
    );
    let first = format!("POST /go HTTP/1.1\r\nHost: {}\r\n", gateway.host());
    for (headers, status) in [
        ("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", 411),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", 411),
        ("Transfer-Encoding: chunked\r\n", 411),
        ("Transfer-Encoding: xchunked\r\n", 400),
        ("Transfer-Encoding: chunked, identity\r\n", 400),
        ("Content-Length: 5\r\nContent-Length: 6\r\n", 400),
        ("Content-Length: +5\r\n", 400),
        ("Content-Length: 5, 6\r\n", 400),
    ] {
        let response = gateway.send(format!("{first}{headers}\r\n0\r\n\r\n{second}").as_bytes());
        assert_eq!(response.status, status, "{headers}");
        assert!(!response.text().contains("HTTP/1.1"), "{headers}: {}", response.text());
    }
    // A body of GET, which some programs do not expect.
    let get = format!(
        "GET / HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n{second}",
        gateway.host(),
        second.len()
    );
    let response = gateway.send(get.as_bytes());
    assert_eq!(response.status, 400);
    assert!(!response.text().contains("HTTP/1.1"));
    assert_eq!(server.connections(), 0);
}

#[test]
fn large_heads() {
    let gateway = Gateway::start(&[]);
    let mut many = format!("GET / HTTP/1.1\r\nHost: {}\r\n", gateway.host());
    (0..10_000).for_each(|number| write!(many, "X-{number}: a\r\n").unwrap());
    assert_eq!(gateway.send(format!("{many}\r\n").as_bytes()).status, 431);
    let long = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", gateway.host(), "a".repeat(200_000));
    assert_eq!(gateway.send(long.as_bytes()).status, 431);
    let target = format!("GET /u/{} HTTP/1.1\r\nHost: {}\r\n\r\n", "a".repeat(70_000), gateway.host());
    assert!(matches!(gateway.send(target.as_bytes()).status, 400 | 414));
    let form = format!(
        "POST /go HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: 2000000\r\n\r\n{}",
        gateway.host(),
        "a".repeat(2_000_000)
    );
    assert_eq!(gateway.send(form.as_bytes()).status, 413);
    assert_eq!(gateway.get("/").status, 200);
}

#[test]
fn what_is_not_http() {
    let gateway = Gateway::start(&[]);
    for octets in [
        "nonsense\r\n\r\n",
        "GET / HTTP/1.1 x\r\n\r\n",
        "GET /\r\n / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nA\0: b\r\n\r\n",
    ] {
        assert_eq!(gateway.send(octets.as_bytes()).status, 400, "{octets:?}");
    }
    let response = gateway.send(b"GET / HTTP/1.0\r\n\r\n");
    assert_eq!(response.status, 400, "HTTP/1.0 without a host");
}

/// A path is divided before it is decoded, and decoded once.
#[test]
fn paths_are_not_confused() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"hello\n"));
    let url = server.url("0/a");
    let once = encoded(&url);
    for (path, status) in [
        ("/u/%2e%2e", 400),
        ("/u/%2e%2e%2fraw%2fx", 400),
        ("/raw/..%2f..%2fping", 400),
        (&*format!("/u/{}", encoded(&once)), 400),
        (&*format!("/raw/{}", encoded(&once)), 400),
        (&*format!("/u/{url}"), 404),
        (&*format!("/raw/{url}"), 404),
        (&*format!("/raw/{once}?a"), 404),
        (&*format!("/raw/{once}/"), 404),
        (&*format!("//raw/{once}"), 404),
        (&*format!("/x/../raw/{once}"), 404),
        (&*format!("/%72aw/{once}"), 404),
        (&*format!("/RAW/{once}"), 404),
        ("/u/a%FF", 404),
        ("/u/", 400),
        ("/u/%00", 400),
        ("/u/gopher%3A%2F%2F127.0.0.1%2F0a%0D%0Ab", 400),
    ] {
        assert_eq!(gateway.get(path).status, status, "{path}");
    }
    assert_eq!(server.connections(), 0);
    assert_eq!(gateway.get(&format!("/raw/{once}")).body, b"hello\n");
}

/// What a URL contains ends in no header, and in no line to a server.
#[test]
fn nothing_is_injected() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"hello\n"));
    let response = gateway.get("/?url=gopher%3A%2F%2Fh%2F%0D%0ASet-Cookie%3A%20a%3Db");
    assert_eq!((response.status, response.header("set-cookie")), (400, None));
    let response = gateway.get("/?url=gopher%3A%2F%2Fh%2F%250D%250ASet-Cookie%253A%2520a%253Db");
    assert_eq!((response.status, response.header("set-cookie")), (303, None));
    let location = "/u/gopher%3A%2F%2Fh%2F%250D%250ASet-Cookie%253A%2520a%253Db";
    assert_eq!(response.header("location"), Some(location));
    // Within a selector a line break is written %0D%0A, and is refused.
    let line = gateway.get(&gateway.path("raw", &server.url("0/a%0D%0Ab")));
    assert_eq!((line.status, server.connections()), (400, 0));
    // A name with a quotation mark and a line break.
    let url = server.url("9/a%22%3B%0Ab.bin");
    let response = gateway.get(&gateway.path("raw", &url));
    assert_eq!(response.status, 400);
    let url = server.url("9/x%22%3B%20y.bin");
    let response = gateway.get(&gateway.path("raw", &url));
    let name = "attachment; filename=\"x___y.bin\"; filename*=UTF-8''x_%3B%20y.bin";
    assert_eq!((response.status, response.header("content-disposition")), (200, Some(name)));
}
