//! Limits of clients, and the end of the gateway.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use locator_dev::servers::GopherServer;

use crate::serve::gateway::{Gateway, Response, run};

/// A head that does not end, and a form that does not come, are given up.
#[test]
fn slow_requests_end() {
    let gateway = Gateway::start(&["--client-timeout", "0.05"]);
    for begun in ["", "G", "GET / HTTP/1.1\r\nHost: x\r\nA: "] {
        let mut stream = gateway.connect();
        stream.write_all(begun.as_bytes()).unwrap();
        let mut rest = Vec::new();
        // It returns because the gateway closes the connection.
        let _ = stream.read_to_end(&mut rest);
    }
    let form = format!("POST /go HTTP/1.1\r\nHost: {}\r\nContent-Length: 100\r\n\r\nurl=", gateway.host());
    let response = gateway.send(form.as_bytes());
    assert_eq!(response.status, 408);
}

/// A client that reads nothing does not keep its request.
#[test]
fn a_client_that_does_not_read() {
    let gateway = Gateway::start(&["--client-timeout", "0.05", "--max-clients", "1"]);
    let server = GopherServer::start_with(|selector, stream| {
        if selector != b"endless" {
            return stream.write_all(b"hello\n");
        }
        loop {
            stream.write_all(&[b'x'; 1 << 16])?;
        }
    });
    let endless = gateway.path("raw", &server.url("9endless"));
    let mut stream = gateway.connect();
    write!(stream, "GET {endless} HTTP/1.1\r\nHost: {}\r\n\r\n", gateway.host()).unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    // It has the only place until it is given up; until then others are asked to come again.
    let hello = gateway.path("raw", &server.url("0/a"));
    let answered = std::iter::repeat_with(|| gateway.get(&hello)).find(|response| response.status != 503);
    assert_eq!(answered.unwrap().body, b"hello\n");
}

/// More connections than there may be: the one that has waited longest is closed.
#[test]
fn idle_connections_make_room() {
    let gateway = Gateway::start(&["--max-clients", "2"]);
    let asks =
        |stream: &mut TcpStream| write!(stream, "GET /ping HTTP/1.1\r\nHost: {}\r\n\r\n", gateway.host());
    let mut all: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = gateway.connect();
            asks(&mut stream).unwrap();
            let mut octets = [0; 15];
            stream.read_exact(&mut octets).unwrap();
            assert_eq!(&octets, b"HTTP/1.1 200 OK");
            stream
        })
        .collect();
    // The first was closed, the last was not.
    let mut rest = Vec::new();
    all[0].read_to_end(&mut rest).unwrap();
    let last = all.last_mut().unwrap();
    write!(last, "GET /ping HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", gateway.host()).unwrap();
    rest.clear();
    last.read_to_end(&mut rest).unwrap();
    assert!(String::from_utf8_lossy(&rest).contains("HTTP/1.1 200 OK"));
}

/// A client that never sends the rest of a head keeps nobody out.
#[test]
fn unfinished_heads_make_room() {
    let gateway = Gateway::start(&["--max-clients", "2"]);
    let begin = |_| {
        let mut stream = gateway.connect();
        write!(stream, "GET /ping HTTP/1.1\r\nHost: {}\r\nX", gateway.host()).unwrap();
        stream
    };
    let mut all: Vec<_> = (0..20).map(begin).collect();
    assert_eq!(gateway.get("/ping").status, 200);
    // Sooner than the time that a head may take.
    all[0].set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let error = all[0].read(&mut [0; 9]).map_err(|error| error.kind());
    assert!(matches!(error, Ok(0) | Err(ErrorKind::ConnectionReset)), "{error:?}");
}

/// Several requests on one connection, and some at once.
#[test]
fn a_connection_is_kept() {
    let gateway = Gateway::start(&[]);
    let ping = format!("GET /ping HTTP/1.1\r\nHost: {}\r\n\r\n", gateway.host());
    let last = ping.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    let response = gateway.send(format!("{ping}{ping}{last}").as_bytes());
    assert_eq!(response.status, 200);
    assert_eq!(response.text().matches("HTTP/1.1 200 OK").count(), 2);
}

/// A signal lets a response end, and the process then ends with status 0.
#[cfg(unix)]
#[test]
fn signals_end_gracefully() {
    for signal in ["INT", "TERM"] {
        let mut gateway = Gateway::start(&[]);
        let (more, go) = std::sync::mpsc::channel::<()>();
        let go = std::sync::Mutex::new(go);
        let server = GopherServer::start_with(move |_, stream| {
            stream.write_all(b"first ")?;
            let _ = go.lock().unwrap().recv();
            stream.write_all(b"last\n")
        });
        let path = gateway.path("raw", &server.url("9/a"));
        let (mut stream, mut idle) = (gateway.connect(), gateway.connect());
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", gateway.host()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
        let pid = gateway.child.id().to_string();
        let killed = std::process::Command::new("kill").args([&format!("-{signal}"), &pid]).status().unwrap();
        assert!(killed.success());
        // An idle connection is closed at once, and no other one is accepted.
        let mut rest = Vec::new();
        let _ = idle.read_to_end(&mut rest);
        more.send(()).unwrap();
        rest.clear();
        stream.read_to_end(&mut rest).unwrap();
        assert!(String::from_utf8_lossy(&rest).contains("last\n"), "{signal}");
        assert_eq!(gateway.child.wait().unwrap().code(), Some(0), "{signal}");
    }
}

#[test]
fn wrong_usage() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let listener = std::net::TcpListener::bind(taken).unwrap();
    let taken = taken.to_string();
    for (arguments, says) in [
        (&["--listen", "0.0.0.0:0"][..], "--public"),
        (&["--listen", "192.0.2.1:0"], "--public"),
        (&["--listen", "example.com:80"], "expected an IP address and a port"),
        (&["--listen", &taken], "use"),
        (&["--files", "/no/such/directory"], "--files"),
        (&["--policy", "/no/such/file"], "/no/such/file"),
        (&["--allow", "10.1.2.3/8"], "--allow"),
        (&["gopher://h/"], "serve takes no URL"),
    ] {
        let output = run(&[&["serve"], arguments].concat());
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(says), "{arguments:?}: {error}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
    }
    drop(listener);
}

/// Not to be reached by others, unless the user says so; then everything needs the key.
#[test]
fn a_public_gateway_needs_its_key() {
    let gateway = Gateway::start(&["--public"]);
    let key = gateway.root().trim_matches('/').to_owned();
    assert_eq!(key.len(), 32);
    for path in
        ["/", "/ping", "/style.css", "/00000000000000000000000000000000/ping", "/u/data%3A%2Ca", "/go"]
    {
        assert_eq!(gateway.get(path).status, 404, "{path}");
    }
    assert_eq!(gateway.get(&format!("/{key}/ping")).status, 200);
    let slash = gateway.get(&format!("/{key}"));
    assert_eq!((slash.status, slash.header("location")), (303, Some(&*format!("/{key}/"))));
    let leads = gateway.get(&format!("/{key}/?url=gopher://h/"));
    assert_eq!(leads.header("location"), Some(&*format!("/{key}/u/gopher%3A%2F%2Fh%2F")));
    let mut stream = gateway.connect();
    write!(stream, "GET gopher://127.0.0.1:1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    assert_eq!(Response::read(&mut stream).status, 407);
}

/// Links begin with the key, so who does not know it gets no page.
#[test]
fn no_refusal_contains_the_key() {
    for option in ["--public", "--logins"] {
        let gateway = Gateway::start(&[option]);
        let key = gateway.root().trim_matches('/').to_owned();
        for (request, header) in [
            ("GET /", ""),
            ("GET /x", ""),
            ("GET //", ""),
            ("GET /u/data%3A%2Ca", "Sec-Fetch-Site: cross-site\r\n"),
            ("GET /", "Transfer-Encoding: chunked\r\n"),
            ("GET /", "Content-Length: 1\r\n"),
            ("GET /", "Host: b\r\n"),
            ("PUT /", "Content-Length: 0\r\n"),
            ("POST /go", "Content-Length: 0\r\n"),
            ("GET gopher://127.0.0.1:1/", ""),
        ] {
            for host in ["evil.example", gateway.host()] {
                let mut stream = gateway.connect();
                let rest = "Accept: text/html\r\nConnection: close";
                write!(stream, "{request} HTTP/1.1\r\nHost: {host}\r\n{header}{rest}\r\n\r\n").unwrap();
                let mut response = Vec::new();
                let _ = stream.read_to_end(&mut response);
                let response = String::from_utf8_lossy(&response);
                assert!(response.starts_with("HTTP/1.1 4"), "{request} {header}: {response}");
                assert!(!response.contains(&key), "{request} {header}: {response}");
            }
        }
    }
}
