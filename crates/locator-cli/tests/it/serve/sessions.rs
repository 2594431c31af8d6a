//! Connections to servers of ftp are used again: for the same login only, and not for long.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::serve::gateway::Gateway;

/// A server with a tree of directories, which says what it is sent; an empty text is the end of a connection.
struct Ftp {
    port: u16,
    sent: Receiver<String>,
}

impl Ftp {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (send, sent) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, send) = (stream.unwrap(), send.clone());
                thread::spawn(move || {
                    // The gateway may close it.
                    let _ = serve(stream, &send);
                    let _ = send.send(String::new());
                });
            }
        });
        Self { port, sent }
    }

    fn url(&self, user: &str, path: &str) -> String {
        format!("ftp://{user}127.0.0.1:{}/{path}", self.port)
    }

    /// Returns the users that have logged in since the last call.
    fn logins(&self) -> Vec<String> {
        let user = |line: String| line.strip_prefix("USER ").map(str::to_owned);
        self.sent.try_iter().filter_map(user).collect()
    }
}

fn serve(mut stream: TcpStream, send: &Sender<String>) -> std::io::Result<()> {
    let lines = BufReader::new(stream.try_clone()?).lines();
    let mut data = None;
    stream.write_all(b"220 ready\r\n")?;
    for line in lines {
        let line = line?;
        let (name, argument) = line.split_once(' ').unwrap_or((&line, ""));
        let reply = match name {
            "USER" => "331 password".into(),
            "PASS" if argument == "wrong" => "530 no".into(),
            "PASS" => "230 in".into(),
            "PWD" => "257 \"/\"".into(),
            "CWD" if argument == "missing" => "550 no".into(),
            "CWD" => "250 ok".into(),
            "TYPE" => "200 ok".into(),
            "EPSV" => {
                let listener = TcpListener::bind("127.0.0.1:0")?;
                let port = listener.local_addr()?.port();
                data = Some(listener);
                format!("229 (|||{port}|)")
            }
            "RETR" if argument == "missing" => "550 no".into(),
            "MLSD" | "NLST" | "RETR" => {
                stream.write_all(b"150 here\r\n")?;
                let Some(listener) = data.take() else { return Ok(()) };
                let entry = if name == "RETR" { "hello\r\n" } else { "type=file; a.txt\r\n" };
                listener.accept()?.0.write_all(entry.as_bytes())?;
                "226 sent".into()
            }
            _ => "500 what?".into(),
        };
        let is_last = name == "QUIT";
        let _ = send.send(line);
        stream.write_all(format!("{reply}\r\n").as_bytes())?;
        if is_last {
            break;
        }
    }
    Ok(())
}

/// The first connection cannot return to the directory after the login, so a crawl has two logins.
#[test]
fn a_crawl_does_not_log_in_for_each_page() {
    let (gateway, server) = (Gateway::start(&[]), Ftp::start());
    for path in ["", "pub/", "pub/linux/", "pub/linux/a.txt", "pub/missing", "", "doc/b.txt", "doc/"] {
        for route in ["u", "raw"] {
            let expected = if path.ends_with("missing") { 404 } else { 200 };
            assert_eq!(gateway.get(&gateway.path(route, &server.url("", path))).status, expected, "{path}");
        }
    }
    let logins = server.logins();
    assert!(logins.len() <= 2 && logins.iter().all(|user| user == "anonymous"), "{logins:?}");
}

#[test]
fn a_login_is_not_that_of_others() {
    let (gateway, server) = (Gateway::start(&["--logins"]), Ftp::start());
    let get = |user: &str, path: &str| {
        let response = gateway.get(&gateway.path("u", &server.url(user, path)));
        match response.header("location") {
            Some(to) => gateway.get(to),
            None => response,
        }
    };
    // Two in the same directory: one login each.
    for user in ["", "joe:one@", "ann:one@"] {
        for path in ["a.txt", "b.txt"] {
            assert_eq!(get(user, path).status, 200, "{user} {path}");
        }
    }
    assert_eq!(server.logins(), ["anonymous", "joe", "ann"]);
    // The password is kept, and the connection is that of it.
    assert!(get("joe@", "c.txt").text().contains("hello"));
    assert_eq!(server.logins(), [""; 0]);
    // Another password is another login, although a connection of the first one waits.
    assert!(get("joe:wrong@", "d.txt").text().contains("password"));
    assert!(server.logins().iter().all(|user| user == "joe"));
    assert!(!get("joe@", "d.txt").text().contains("hello"));
}

/// By proxy the password is in each URL.
#[test]
fn a_login_of_the_proxy_is_that_of_its_url() {
    let (gateway, server) = (Gateway::start(&[]), Ftp::start());
    let get = |user: &str| {
        let url = server.url(user, "a.txt");
        let request = format!("GET {url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        gateway.send(request.as_bytes()).status
    };
    assert_eq!([get("joe:one@"), get("joe:one@")], [200, 200]);
    assert_eq!(server.logins(), ["joe"]);
    assert_eq!([get("joe:wrong@"), get("joe@"), get("joe:one@")], [403, 403, 200]);
}

/// A connection that nobody uses is closed.
#[test]
fn a_connection_does_not_wait_for_long() {
    let (gateway, server) = (Gateway::start(&["--idle-timeout", "0.001"]), Ftp::start());
    assert_eq!(gateway.get(&gateway.path("u", &server.url("", "a.txt"))).status, 200);
    let sent: Vec<_> = server.sent.iter().take_while(|line| !line.is_empty()).collect();
    assert_eq!(sent.first().map(String::as_str), Some("USER anonymous"));
    assert_eq!(sent.last().map(String::as_str), Some("QUIT"));
}
