//! The gateway as a proxy: the whole URL in the request line.

use locator_dev::servers::GopherServer;

use crate::serve::gateway::{Gateway, Response, run};

fn proxied(gateway: &Gateway, url: &str, headers: &str) -> Response {
    gateway.send(format!("GET {url} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").as_bytes())
}

#[test]
fn a_url_in_the_request_line() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"1Menu\tm\th.example\t70\r\n.\r\n"));
    // Host is ignored (RFC 9112, 3.2.2), and HTTP/1.0 has none.
    for headers in ["Host: h.example\r\n", "Host: evil.example\r\nHost: b\r\n", ""] {
        let response = proxied(&gateway, &server.url("1/"), headers);
        assert_eq!(response.status, 200, "{}", response.text());
        assert!(response.text().contains("gopher://h.example/1m"), "{}", response.text());
        let text = response.text();
        assert!(!text.contains("/u/") && !text.contains("style.css"), "links are URLs: {text}");
        assert!(response.header("via").unwrap().starts_with("1.1 locator-"));
    }
    let old = gateway.send(format!("GET {} HTTP/1.0\r\n\r\n", server.url("1/")).as_bytes());
    assert_eq!(old.status, 200);
    let text = proxied(&gateway, &server.url("0/a"), "");
    assert_eq!((text.status, &*text.body), (200, &b"1Menu\tm\th.example\t70\r\n"[..]));
}

#[test]
fn what_the_proxy_refuses() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"hello\n"));
    let own = format!("http://{}/u/{}", gateway.host(), crate::serve::gateway::encoded(&server.url("0/a")));
    for (url, status) in [("http://127.0.0.1:1/", 501), ("https://127.0.0.1:1/", 501), (&*own, 501)] {
        assert_eq!(proxied(&gateway, url, "").status, status, "{url}");
    }
    let connect = format!("CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: {}\r\n\r\n", gateway.host());
    assert_eq!(gateway.send(connect.as_bytes()).status, 405);
    // A browser does not send these, but no web page may use the proxy.
    for headers in [
        "Origin: http://evil.example\r\n",
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n",
    ] {
        assert_eq!(proxied(&gateway, &server.url("0/a"), headers).status, 403, "{headers}");
    }
    assert_eq!(server.connections(), 0);
    let via = proxied(&gateway, &server.url("0/a"), "").header("via").unwrap().to_owned();
    let again = proxied(&gateway, &server.url("0/a"), &format!("Via: 1.0 other, {via}\r\n"));
    assert_eq!(again.status, 508);
    assert_eq!(proxied(&gateway, &server.url("0/a"), "Via: 1.0 other\r\n").status, 200);
    assert_eq!(server.connections(), 2);
}

#[test]
fn searches() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"iNothing\t\t\t\r\n.\r\n"));
    let leads = proxied(&gateway, &server.url("7/find?a+b"), "");
    assert_eq!(leads.status, 303, "{}", leads.text());
    let url = leads.header("location").unwrap();
    assert_eq!(url, server.url("7/find%09a%20b"));
    assert_eq!(proxied(&gateway, url, "").status, 200);
    assert_eq!(server.selectors(), ["/find\ta b"]);
}

/// `get` can use it in place of the servers.
#[test]
fn a_proxy_of_get() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"hello\n"));
    let url = server.url("0/a");
    let through = run(&["get", "--proxy", gateway.host(), &url]);
    let error = String::from_utf8_lossy(&through.stderr);
    assert_eq!((&*through.stdout, through.status.code()), (&b"hello\n"[..], Some(0)), "{error}");
}

#[test]
fn the_key_is_its_password() {
    let (gateway, server) = (Gateway::start(&["--logins"]), GopherServer::start(b"hello\n"));
    let key = gateway.root().trim_matches('/').to_owned();
    let refused = proxied(&gateway, &server.url("0/a"), "");
    assert_eq!(
        (refused.status, refused.header("proxy-authenticate")),
        (407, Some("Basic realm=\"locator serve\""))
    );
    let wrong = proxied(&gateway, &server.url("0/a"), "Proxy-Authorization: Basic eDp5\r\n");
    assert_eq!((wrong.status, server.connections()), (407, 0));
    // As curl and lynx send it for http://x:KEY@127.0.0.1:1738/.
    let credentials = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, format!("x:{key}"));
    let headers = format!("Proxy-Authorization: Basic {credentials}\r\n");
    let through = proxied(&gateway, &server.url("0/a"), &headers);
    assert_eq!((through.status, &*through.body), (200, &b"hello\n"[..]));
}
