//! Connections to servers of ftp are used again: for the same login only, and not for long.

use locator_dev::servers::ftp::{Command, FtpServer, Reply};

use crate::serve::gateway::Gateway;

/// Starts a server with a tree of directories, in which every file has the same text.
fn start() -> FtpServer {
    FtpServer::start(|_| {
        |command: &Command| {
            let is_missing = command.argument == b"missing";
            let line = |line: &'static str| Some(Reply::Line(line.into()));
            match &*command.name {
                "USER" => line("331 password"),
                "PASS" if command.argument == b"wrong" => line("530 no"),
                "PWD" => line("257 \"/\""),
                "CWD" | "RETR" if is_missing => line("550 no"),
                "CWD" => line("250 ok"),
                "MLSD" | "NLST" => Some(Reply::Data(b"type=file; a.txt\r\n".to_vec())),
                "RETR" => Some(Reply::Data(b"hello\r\n".to_vec())),
                _ => None,
            }
        }
    })
}

/// Returns the users that have logged in since the last call.
fn logins(server: &FtpServer) -> Vec<String> {
    let user = |line: String| line.strip_prefix("USER ").map(str::to_owned);
    server.commands().into_iter().filter_map(user).collect()
}

/// The first connection cannot return to the directory after the login, so a crawl has two logins.
#[test]
fn a_crawl_does_not_log_in_for_each_page() {
    let (gateway, server) = (Gateway::start(&[]), start());
    for path in ["", "pub/", "pub/linux/", "pub/linux/a.txt", "pub/missing", "", "doc/b.txt", "doc/"] {
        for route in ["u", "raw"] {
            let expected = if path.ends_with("missing") { 404 } else { 200 };
            assert_eq!(gateway.get(&gateway.path(route, &server.url(path))).status, expected, "{path}");
        }
    }
    let logins = logins(&server);
    assert!(logins.len() <= 2 && logins.iter().all(|user| user == "anonymous"), "{logins:?}");
}

#[test]
fn a_login_is_not_that_of_others() {
    let (gateway, server) = (Gateway::start(&["--logins"]), start());
    let get = |user: &str, path: &str| {
        let response = gateway.get(&gateway.path("u", &server.url_of(user, path)));
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
    assert_eq!(logins(&server), ["anonymous", "joe", "ann"]);
    // The password is kept, and the connection is that of it.
    assert!(get("joe@", "c.txt").text().contains("hello"));
    assert_eq!(logins(&server), [""; 0]);
    // Another password is another login, although a connection of the first one waits.
    assert!(get("joe:wrong@", "d.txt").text().contains("password"));
    assert!(logins(&server).iter().all(|user| user == "joe"));
    assert!(!get("joe@", "d.txt").text().contains("hello"));
}

/// By proxy the password is in each URL.
#[test]
fn a_login_of_the_proxy_is_that_of_its_url() {
    let (gateway, server) = (Gateway::start(&[]), start());
    let get = |user: &str| {
        let url = server.url_of(user, "a.txt");
        let request = format!("GET {url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        gateway.send(request.as_bytes()).status
    };
    assert_eq!([get("joe:one@"), get("joe:one@")], [200, 200]);
    assert_eq!(logins(&server), ["joe"]);
    assert_eq!([get("joe:wrong@"), get("joe@"), get("joe:one@")], [403, 403, 200]);
}

/// A connection that nobody uses is closed.
#[test]
fn a_connection_does_not_wait_for_long() {
    let (gateway, server) = (Gateway::start(&["--idle-timeout", "0.001"]), start());
    assert_eq!(gateway.get(&gateway.path("u", &server.url("a.txt"))).status, 200);
    server.wait_until_closed();
    let sent = server.commands();
    assert_eq!(sent.first().map(String::as_str), Some("USER anonymous"));
    assert_eq!(sent.last().map(String::as_str), Some("QUIT"));
}
