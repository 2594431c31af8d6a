//! `/raw/` passes on what `get --raw` prints, octet for octet, as fast as the client reads.

use std::io::{Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use locator_dev::servers::GopherServer;

use crate::serve::gateway::{Gateway, run};

/// Every octet, and lines that end in any way.
const OCTETS: &[u8] = b"\xFF\xFE\0\r\n\n\r.\r\n..\t\x1B[2J<script>\xC3\xA9";

#[test]
fn octets_are_those_of_get() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(OCTETS));
    for (path, media_type) in [
        ("0/a.txt", "text/plain"),
        ("1/", "text/plain"),
        ("9/a.bin", "application/octet-stream"),
        ("9/a.gif", "image/gif"),
        ("g/a", "image/gif"),
        ("h/a.html", "text/html"),
    ] {
        let url = server.url(path);
        let response = gateway.get(&gateway.path("raw", &url));
        let printed = run(&["get", "--raw", "-o", "-", &url]);
        let media = response.header("content-type").unwrap().split(';').next();
        assert_eq!((response.status, media), (200, Some(media_type)), "{path}");
        assert_eq!(response.body, printed.stdout, "{path}");
        // Only what a browser does not show itself is saved.
        let is_saved = response.header("content-disposition").is_some();
        assert_eq!(is_saved, media_type.starts_with("application/"), "{path}");
    }
}

/// `get` fetches through the gateway what it fetches itself.
#[test]
fn a_gateway_of_get() {
    let (gateway, server) =
        (Gateway::start(&[]), GopherServer::start(b"0A\ta\th\t70\r\niText\t\t\t\r\n.\r\n"));
    let template = format!("gopher={}raw/{{url}}", gateway.address);
    for path in ["0/a b?c", "1/", "0/", "9/%FF%25%2F"] {
        let url = server.url(&path.replace(' ', "%20"));
        let direct = run(&["get", "--raw", &url]);
        let through = run(&["get", "--raw", "--gateway", &template, &url]);
        assert_eq!((through.stdout, through.status.code()), (direct.stdout, direct.status.code()), "{path}");
    }
    let asked = server.selectors();
    assert!(asked.chunks(2).all(|pair| pair[0] == pair[1]), "{asked:?}");
}

/// A body that ends early must not look complete.
#[test]
fn a_cut_body_is_no_body() {
    let gateway = Gateway::start(&[]);
    // The server of ftp announces more octets than it sends; here gopher+ does.
    let server = GopherServer::start(b"+100\r\nfirst\r\n");
    let mut stream = gateway.connect();
    let path = gateway.path("raw", &server.url("0/a%09%09+"));
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", gateway.host()).unwrap();
    let mut octets = Vec::new();
    let _ = stream.read_to_end(&mut octets);
    let text = String::from_utf8_lossy(&octets);
    assert!(text.starts_with("HTTP/1.1 200") && text.contains("first"), "{text}");
    assert!(!text.ends_with("0\r\n\r\n"), "{text}");
}

/// The server is read only as fast as the client reads.
#[test]
fn a_slow_reader_slows_the_server() {
    const ALL: usize = 64 << 20;
    let gateway = Gateway::start(&[]);
    let (written, is_done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let (counted, ended) = (written.clone(), is_done.clone());
    let server = GopherServer::start_with(move |_, stream| {
        let piece = [b'x'; 1 << 16];
        while counted.load(Ordering::SeqCst) < ALL {
            stream.write_all(&piece)?;
            counted.fetch_add(piece.len(), Ordering::SeqCst);
        }
        ended.store(true, Ordering::SeqCst);
        Ok(())
    });
    let mut stream = gateway.connect();
    let path = gateway.path("raw", &server.url("9/a"));
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", gateway.host()).unwrap();
    let mut head = [0; 16];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head[..12], b"HTTP/1.1 200");
    // The buffers of the sockets are far smaller than the body.
    assert!(!is_done.load(Ordering::SeqCst), "{}", written.load(Ordering::SeqCst));
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert!(rest.len() > ALL && is_done.load(Ordering::SeqCst));
}

#[test]
fn errors_have_their_status() {
    let (gateway, server) =
        (Gateway::start(&[]), GopherServer::start(b"3Nothing there\terror\th\t1\r\n.\r\n"));
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let raw = |url: &str| gateway.get(&gateway.path("raw", url));
    for (url, status, says) in [
        (format!("ftp://127.0.0.1:{closed}/a"), 502, "connection refused"),
        ("gopher://10.0.0.1/".into(), 403, "--allow 10.0.0.1"),
        ("gopher://[::ffff:10.0.0.1]/".into(), 403, "10.0.0.1"),
        ("gopher://127.0.0.2/".into(), 403, "--allow 127.0.0.2"),
        ("http://127.0.0.1/".into(), 403, "http"),
        ("file:///etc/passwd".into(), 403, "--files"),
        ("nonsense".into(), 400, "scheme"),
        ("gopher://127.0.0.1:25/".into(), 400, "port"),
        ("gopher://h/%zz".into(), 400, ""),
    ] {
        let response = raw(&url);
        assert_eq!(response.status, status, "{url}: {}", response.text());
        assert!(response.text().contains(says), "{url}: {}", response.text());
    }
    drop(server);
}

/// The gateway asks itself in no spelling, also where loopback addresses are allowed.
#[test]
fn it_never_asks_itself() {
    let gateway = Gateway::start_with(&[
        "--allow",
        "127.0.0.0/8",
        "--allow",
        "::1",
        "--allow",
        "0.0.0.0",
        "--allow",
        "localhost",
    ]);
    let port = gateway.port();
    for host in [
        "127.0.0.1",
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "127.1",
        "0x7f.1",
    ] {
        for scheme in ["gopher", "ftp", "whois", "nntp", "wais"] {
            let url = format!("{scheme}://{host}:{port}/comp.test");
            let response = gateway.get(&gateway.path("raw", &url));
            assert!(
                matches!(response.status, 400 | 403 | 502),
                "{url}: {} {}",
                response.status,
                response.text()
            );
            let is_asked = response.text().contains("HTTP") || response.text().contains("the server said");
            assert!(!is_asked, "{url}: {}", response.text());
        }
    }
    let response = gateway.get(&gateway.path("raw", &format!("gopher://127.0.0.1:{port}/")));
    assert_eq!(response.status, 403, "{}", response.text());
}

/// HEAD, where a protocol can ask for less than everything.
#[test]
fn heads() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"hello\n"));
    let head = |path: &str| gateway.request("HEAD", path, &[], "");
    for path in ["/", "/style.css", "/ping", "/read?url=a"] {
        let response = head(path);
        assert_eq!((response.status, response.body.len()), (200, 0), "{path}");
        assert!(response.header("content-length").is_some(), "{path}");
    }
    for route in ["u", "raw"] {
        let response = head(&gateway.path(route, &server.url("0/a")));
        assert_eq!((response.status, response.body.len()), (405, 0), "{route}");
    }
    assert_eq!(server.connections(), 0);
    let data = head(&gateway.path("raw", "data:,hello"));
    assert_eq!(data.status, 405);
}
