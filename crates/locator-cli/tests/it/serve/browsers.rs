//! What web pages can make a browser send, with the headers that chromium adds. None of it may reach a server.

use locator_dev::servers::GopherServer;

use crate::serve::gateway::{Gateway, encoded};

type Headers = [(&'static str, &'static str)];

const fn fetch(
    site: &'static str,
    mode: &'static str,
    dest: &'static str,
) -> [(&'static str, &'static str); 3] {
    [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", dest)]
}

/// Requests of other sites that are refused, whatever they ask for.
fn refused() -> Vec<Vec<(&'static str, &'static str)>> {
    let mut all = Vec::new();
    for site in ["cross-site", "same-site"] {
        for (mode, dest) in [
            ("no-cors", "image"),
            ("no-cors", "script"),
            ("no-cors", "style"),
            ("cors", "empty"),
            ("no-cors", "empty"),
            ("navigate", "iframe"),
            ("navigate", "frame"),
            ("navigate", "object"),
            ("navigate", "embed"),
            ("no-cors", "audio"),
        ] {
            all.push(fetch(site, mode, dest).to_vec());
        }
    }
    // A frame in a page of our own, which frame-ancestors forbids, too.
    all.push(fetch("same-origin", "navigate", "iframe").to_vec());
    // Browsers before Fetch Metadata.
    all.push(vec![("Origin", "http://evil.example")]);
    all.push(vec![("Origin", "null")]);
    // Another port of this machine.
    all.push(vec![("Origin", "http://127.0.0.1:1")]);
    // A WebSocket.
    let socket: &Headers = &[
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
        ("Origin", "http://evil.example"),
    ];
    all.push([socket, &fetch("cross-site", "websocket", "empty")].concat());
    all.push(socket.to_vec());
    all
}

#[test]
fn another_site_reaches_no_server() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"iHello\t\t\t\r\n.\r\n"));
    let url = server.url("1/");
    for route in ["u", "raw"] {
        let path = gateway.path(route, &url);
        for headers in refused() {
            let response = gateway.request("GET", &path, &headers, "");
            assert_eq!(response.status, 403, "{route} {headers:?}");
            assert!(!response.text().contains("Hello"));
            assert_eq!(response.header("access-control-allow-origin"), None);
        }
    }
    // Nor does it see whether there is a gateway, or what its pages look like.
    for path in ["/", "/style.css", "/handlers.js", "/read?url=gopher%3A%2F%2Fh%2F", "/ping"] {
        for headers in refused() {
            assert_eq!(gateway.request("GET", path, &headers, "").status, 403, "{path} {headers:?}");
        }
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn a_link_of_another_site_asks_first() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"iHello\t\t\t\r\n.\r\n"));
    let (url, link) = (server.url("1/"), fetch("cross-site", "navigate", "document"));
    for route in ["u", "raw"] {
        let asks = gateway.request("GET", &gateway.path(route, &url), &link, "");
        assert_eq!((asks.status, server.connections()), (200, 0), "{route}");
        assert!(!asks.text().contains("Hello"));
    }
    let token = gateway.request("GET", &gateway.path("u", &url), &link, "").token();
    // The token is that of this URL, and no other page can post it.
    let other = server.url("1/other");
    for (url, token) in [(&other, &*token), (&url, ""), (&url, "00000000000000000000000000000000")] {
        assert_eq!(gateway.post("go", &[("url", url), ("token", token)]).status, 403);
    }
    let body = format!("url={}&token={token}", encoded(&url));
    for headers in refused().iter().chain([&link.to_vec()]) {
        assert_eq!(gateway.request("POST", "/go", headers, &body).status, 403, "{headers:?}");
    }
    assert_eq!(gateway.request("GET", "/go", &[], "").status, 405);
    assert_eq!(server.connections(), 0);
    let goes = gateway.post("go", &[("url", &url), ("token", &token)]);
    assert_eq!(
        (goes.status, goes.header("location")),
        (303, Some(&*gateway.path("u", &url).replace("%2E", ".")))
    );
    assert_eq!(gateway.get(goes.header("location").unwrap()).status, 200);
    assert_eq!(server.connections(), 1);
}

/// What fetches nothing never asks, so a link to the gateway works.
#[test]
fn a_link_to_what_fetches_nothing() {
    let gateway = Gateway::start(&[]);
    let link = fetch("cross-site", "navigate", "document");
    for path in ["/", "/read?url=gopher%3A%2F%2Fh%2F", "/style.css"] {
        let response = gateway.request("GET", path, &link, "");
        assert_eq!(response.status, 200, "{path}");
        assert!(!response.text().contains("name=\"token\""), "{path}");
    }
    let leads = gateway.request("GET", "/?url=gopher%3A%2F%2Fh%2F", &link, "");
    assert_eq!((leads.status, leads.header("location")), (303, Some("/u/gopher%3A%2F%2Fh%2F")));
}

/// The address bar, links and forms of our pages, and programs.
#[test]
fn the_user_is_served() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"hello\n"));
    let path = gateway.path("raw", &server.url("0/a"));
    let own = format!("http://{}", gateway.host());
    let own_origin = [("Origin", &*own)];
    for headers in [
        &fetch("none", "navigate", "document")[..],
        &fetch("same-origin", "navigate", "document"),
        &fetch("same-origin", "no-cors", "image"),
        &[],
        &own_origin,
    ] {
        let response = gateway.request("GET", &path, headers, "");
        assert_eq!((response.status, &*response.body), (200, &b"hello\n"[..]), "{headers:?}");
    }
}

/// A name of the attacker that leads to 127.0.0.1 (DNS rebinding) is the attacker's origin to a browser.
#[test]
fn a_rebound_name_is_refused() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"hello\n"));
    let path = gateway.path("raw", &server.url("0/a"));
    let port = gateway.port();
    let get = |hosts: &[&str]| {
        let hosts: String = hosts.iter().map(|host| format!("Host: {host}\r\n")).collect();
        gateway.send(format!("GET {path} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n").as_bytes()).status
    };
    for host in
        ["evil.example", "127.0.0.1.evil.example", "127.0.0.1", "localhost", "0.0.0.0", "[::1]:1", "[::]"]
    {
        assert_eq!(get(&[host]), 421, "{host}");
        assert_eq!(get(&[&format!("{host}:{}", port ^ 1)]), 421, "{host}");
    }
    for host in ["evil.example", "localhost.", "127.1", "0x7f000001", "a@127.0.0.1", "127.0.0.1,evil.example"]
    {
        assert_eq!(get(&[&format!("{host}:{port}")]), 421, "{host}");
    }
    let own = format!("127.0.0.1:{port}");
    assert_eq!(get(&[]), 400);
    assert_eq!(get(&[&own, "evil.example"]), 400);
    assert_eq!(get(&[&own, &own]), 400);
    assert_eq!(server.connections(), 0);
    for host in ["127.0.0.1", "localhost", "LocalHost", "[::1]"] {
        assert_eq!(get(&[&format!("{host}:{port}")]), 200, "{host}");
    }
}

#[test]
fn methods() {
    let gateway = Gateway::start(&[]);
    for method in ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"] {
        let response = gateway.request(method, "/", &[], "");
        assert_eq!((response.status, response.header("allow")), (405, Some("GET, HEAD, POST")), "{method}");
    }
    let preflight = [("Origin", "http://evil.example"), ("Access-Control-Request-Method", "POST")];
    let response = gateway.request("OPTIONS", "/go", &preflight, "");
    assert_eq!((response.status, response.header("access-control-allow-origin")), (405, None));
    assert_eq!(gateway.request("POST", "/", &[], "url=x").status, 405);
}

/// Every response has the headers that keep other pages out and scripts off.
#[test]
fn headers_of_responses() {
    let (gateway, server) = (Gateway::start(&[]), GopherServer::start(b"<script>alert(1)</script>\n"));
    let html = server.url("h/a.html");
    let paths = [
        ("/".to_owned(), "script-src 'self'; "),
        ("/style.css".into(), ""),
        ("/nothing".into(), ""),
        ("/favicon.ico".into(), ""),
        (gateway.path("u", &html), ""),
        (gateway.path("raw", &html), "sandbox"),
        (gateway.path("raw", "gopher://10.0.0.1/"), ""),
    ];
    for (path, policy) in paths {
        let response = gateway.get(&path);
        let csp = response.header("content-security-policy").unwrap();
        let own = "default-src 'none'; {}style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; \
                   frame-ancestors 'none'";
        let foreign = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
        let expected = if policy == "sandbox" { foreign.into() } else { own.replace("{}", policy) };
        assert_eq!(csp, expected, "{path}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
        ] {
            assert_eq!(response.header(name), Some(value), "{path} {name}");
        }
        assert_eq!(response.header("access-control-allow-origin"), None);
    }
}

/// Browsers ask every server for an icon: that is no error, also without the key.
#[test]
fn there_is_no_icon() {
    for arguments in [&[][..], &["--logins"]] {
        let icon = Gateway::start(arguments).get("/favicon.ico");
        let headers = [icon.header("content-type"), icon.header("content-length")];
        assert_eq!((icon.status, headers, &*icon.body), (204, [None, None], &b""[..]));
    }
}
