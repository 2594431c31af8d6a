//! How many connections `links` makes to a server that answers with pages.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, atomic::AtomicUsize, atomic::Ordering};
use std::thread;
use std::time::Duration;

use crate::http::folder;
use crate::links::links;

/// Starts a server that sends a body once the client waits for it; returns its address, and how many connections
/// it has got.
fn serve(status: &'static str, head: &'static str, body: &'static str) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, count) = (listener.local_addr().unwrap().to_string(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&count);
    thread::spawn(move || {
        for stream in listener.incoming().map(Result::unwrap) {
            counted.fetch_add(1, Ordering::SeqCst);
            thread::spawn(move || converse(stream, &format!("HTTP/1.1 {status}\r\n{head}\r\n"), body));
        }
    });
    (address, count)
}

fn converse(mut stream: TcpStream, head: &str, body: &str) -> Option<()> {
    let mut from = BufReader::new(stream.try_clone().ok()?);
    loop {
        while !line(&mut from)?.is_empty() {}
        stream.write_all(head.as_bytes()).ok()?;
        // A client that does not want the body closes the connection instead.
        stream.set_read_timeout(Some(Duration::from_millis(20))).ok()?;
        if stream.peek(&mut [0]).is_ok() {
            return None;
        }
        stream.set_read_timeout(None).ok()?;
        stream.write_all(body.as_bytes()).ok()?;
    }
}

fn line(from: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    let length = from.read_line(&mut line).ok()?;
    (length > 0).then(|| line.trim_end().to_owned())
}

/// A page that nobody reads must not end its connection.
#[test]
fn dead_pages_share_a_connection() {
    for (status, head, body) in [
        ("404 Not Found", "Content-Length: 5\r\n", "gone\n"),
        ("404 Not Found", "Transfer-Encoding: chunked\r\n", "5\r\ngone\n\r\n0\r\n\r\n"),
        ("403 Forbidden", "Content-Length: 5\r\n", "gone\n"),
        ("301 Moved Permanently", "Location: ftp://127.0.0.1/\r\nContent-Length: 5\r\n", "gone\n"),
        ("200 OK", "Content-Type: text/plain\r\nContent-Length: 5\r\n", "here\n"),
    ] {
        let (address, count) = serve(status, head, body);
        let folder = folder();
        let all = (0..3).map(|number| format!("[link](http://{address}/{number}#x)\n"));
        fs::write(folder.path().join("a.md"), all.collect::<String>()).unwrap();
        links(folder.path(), &["--private", "--interval", "0", "--per-host", "1", "a.md"]);
        assert_eq!(count.load(Ordering::SeqCst), 1, "{status}");
    }
}
