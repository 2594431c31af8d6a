//! How many connections `links` makes to a server that answers with pages.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::time::Duration;

use locator_dev::servers::TcpServer;
use locator_dev::servers::http::Request;

use crate::http::folder;
use crate::links::links;

/// Starts a server that sends a body once the client waits for it.
fn serve(status: &'static str, head: &'static str, body: &'static str) -> TcpServer {
    TcpServer::start(move |connection| {
        while Request::read(connection)?.is_some() {
            connection.send(format!("HTTP/1.1 {status}\r\n{head}\r\n"))?;
            // A client that does not want the body closes the connection instead.
            connection.socket().set_read_timeout(Some(Duration::from_millis(20)))?;
            if connection.socket().peek(&mut [0]).is_ok() {
                break;
            }
            connection.socket().set_read_timeout(None)?;
            connection.send(body)?;
        }
        Ok(())
    })
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
        let server = serve(status, head, body);
        let address = server.address();
        let folder = folder();
        let all = (0..3).map(|number| format!("[link](http://{address}/{number}#x)\n"));
        fs::write(folder.path().join("a.md"), all.collect::<String>()).unwrap();
        links(folder.path(), &["--private", "--interval", "0", "--per-host", "1", "a.md"]);
        assert_eq!(server.connections(), 1, "{status}");
    }
}
