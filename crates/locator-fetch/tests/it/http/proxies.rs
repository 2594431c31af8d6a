//! Proxies: of HTTP, by tunnels, and of SOCKS5.

use locator::plan::{self, Options};
use locator_fetch::http::{AuthSchemes, Proxies};
use locator_fetch::run::FailureKind;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::secured::{Protocols, secured};
use super::server::Answer::*;
use super::server::{Server, ok, read_request, response};
use super::*;
use crate::certificates::Authority;

fn by(proxy: &Server) -> Http {
    Http::new().proxies(Proxies::none().all(&format!("http://pa:pw@127.0.0.1:{}", proxy.port)).unwrap())
}

fn wants_login(challenge: &str) -> Vec<u8> {
    response("407 Login", &format!("Proxy-Authenticate: {challenge}\r\n"), "")
}

#[tokio::test]
async fn a_proxy_of_http() {
    let redirect = response("302 x", "Location: http://other.example/\r\n", "");
    let proxy = Server::start(vec![
        ok("one"),
        Send(wants_login("Basic realm=a")),
        ok("two"),
        Send(redirect),
        ok("three"),
    ])
    .await;
    let fetcher = fetcher(by(&proxy));
    // The name is not looked up here.
    let url = "http://www.example/a?b#c";
    assert_eq!(get_by(&fetcher, url).await.unwrap(), "one");
    assert_eq!(get_by(&fetcher, "http://www.example").await.unwrap(), "two");
    let fetched = fetch_by(&fetcher, "http://joe:secret@www.example/d").await.unwrap();
    assert_eq!(fetched.url(), "http://other.example/");
    let requests = proxy.requests();
    let lines: Vec<_> = requests.iter().map(|head| head.lines().next().unwrap()).collect();
    assert_eq!(
        lines,
        [
            "GET http://www.example/a?b HTTP/1.1",
            "GET http://www.example/ HTTP/1.1",
            "GET http://www.example/ HTTP/1.1",
            "GET http://www.example/d HTTP/1.1",
            "GET http://other.example/ HTTP/1.1",
        ]
    );
    let sent = proxy.fields("proxy-authorization");
    let login = Some("Basic cGE6cHc=".to_owned());
    assert_eq!(sent, [None, None, login.clone(), login.clone(), login]);
    assert_eq!(proxy.fields("host")[0].as_deref(), Some("www.example"));
    assert!(!requests.iter().any(|head| head.contains("secret") || head.contains("joe")), "{requests:?}");
}

/// A 407 is of the proxy, whose login goes with every scheme that it is asked for.
#[tokio::test]
async fn a_proxy_that_wants_a_login() {
    let wants = || Send(wants_login("Basic realm=a"));
    for url in ["http://www.example/", "ftp://ftp.example/a"] {
        let proxy = Server::start(vec![wants(), ok("one"), wants(), wants(), wants()]).await;
        let server = plan::Server { host: "127.0.0.1", port: Some(proxy.port) };
        let by_plan = |http| Fetcher::for_user_input().http(http).options(Options::new().proxy(server));
        assert_eq!(get_by(&by_plan(by(&proxy)), url).await.unwrap(), "one");
        let anonymous = Proxies::none().all(&proxy.url("/")).unwrap();
        for (http, expected) in [
            (by(&proxy), "wrong user or password"),
            (Http::new().proxies(anonymous), "user and password required"),
        ] {
            let error = get_by(&by_plan(http), url).await.unwrap_err();
            let kind = &error.failure().unwrap().kind;
            assert!(matches!(kind, FailureKind::Proxy(why) if *why.text == *expected), "{url}: {error:?}");
        }
        let login = Some("Basic cGE6cHc=".to_owned());
        assert_eq!(proxy.fields("proxy-authorization"), [None, login.clone(), None, login, None], "{url}");
    }
}

/// A proxy that offers only what is not allowed gets no login; one of SOCKS would get the password itself.
#[tokio::test]
async fn a_scheme_that_is_not_allowed() {
    let proxy =
        Server::start(vec![Send(wants_login("Basic realm=a")), Send(wants_login("Basic realm=a"))]).await;
    let socks = Proxies::none().all(&format!("socks5h://pa:pw@127.0.0.1:{}", proxy.port)).unwrap();
    for (http, url, expected) in [
        (
            by(&proxy),
            "http://h.example/",
            "the login was not sent, because it offers Basic, and only Digest may be used",
        ),
        (
            by(&proxy),
            "https://h.example/",
            "the login was not sent, because it offers Basic, and only Digest may be used",
        ),
        (
            Http::new().proxies(socks),
            "http://h.example/",
            "the login was not sent, because SOCKS sends the password itself",
        ),
    ] {
        let error = get_by(&fetcher(http.proxy_auth_schemes(AuthSchemes::DIGEST)), url).await.unwrap_err();
        let kind = &error.failure().unwrap().kind;
        assert!(matches!(kind, FailureKind::Proxy(why) if *why.text == *expected), "{url}: {error:?}");
    }
    assert_eq!(proxy.fields("proxy-authorization"), [None, None]);
}

#[tokio::test]
async fn a_tunnel() {
    let authority = Authority::new();
    let server = secured(authority.server("localhost"), Protocols::Both, "in a tunnel").await;
    let proxy = Server::start(vec![
        Send(wants_login("Digest realm=r, nonce=n, qop=auth, algorithm=SHA-256")),
        Tunnel(server.port),
        Send(response("403 No", "", "")),
        Send(b"HTTP/1.1 200 OK\r\n\r\n\x16\x03".to_vec()),
    ])
    .await;
    let url = format!("https://localhost:{}/a", server.port);
    let (fetcher, seen) = watched(by(&proxy));
    let fetcher = fetcher.trust(authority.trust());
    assert_eq!(get_by(&fetcher, &url).await.unwrap(), "in a tunnel");
    // The watcher sees CONNECT and its answers, without the login.
    assert_eq!(*seen.statuses.lock().unwrap(), [407, 200, 200]);
    let heads = seen.heads.lock().unwrap().clone();
    assert!(
        heads[1].starts_with("CONNECT localhost:") && heads[1].ends_with("Proxy-Authorization: (password)\n")
    );
    let requests = proxy.requests();
    let line = format!("CONNECT localhost:{} HTTP/1.1\r\nHost: localhost:{}\r\n", server.port, server.port);
    assert!(requests.iter().all(|head| head.starts_with(&line)), "{requests:?}");
    let login = proxy.fields("proxy-authorization");
    assert!(
        login[0].is_none()
            && login[1].as_ref().unwrap().contains(&format!("uri=\"localhost:{}\"", server.port))
    );
    // The tunnel is used again.
    assert_eq!(get_by(&fetcher, &url).await.unwrap(), "in a tunnel");
    assert_eq!(proxy.connections(), 2);
    let fresh = Fetcher::for_user_input().http(by(&proxy)).trust(authority.trust());
    let error = get_by(&fresh, &url).await.unwrap_err();
    assert!(
        matches!(&error.failure().unwrap().kind, FailureKind::Proxy(why) if *why.text == *"403 No"),
        "{error}"
    );
    let error = get_by(&fresh, &url).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::Injected), "{error}");
}

#[tokio::test]
async fn hosts_without_a_proxy() {
    let (proxy, server) = (Server::start(vec![]).await, Server::start(vec![ok("direct")]).await);
    let proxies = Proxies::none().all(&proxy.url("/")).unwrap().except("127.0.0.0/8");
    let fetcher = fetcher(Http::new().proxies(proxies));
    assert_eq!(get_by(&fetcher, &server.url("/")).await.unwrap(), "direct");
    assert_eq!(proxy.connections(), 0);
}

#[tokio::test]
async fn strangers_and_proxies() {
    let proxy = Server::start(vec![ok("x"), ok("y")]).await;
    let url = proxy.url("");
    let of_environment = Proxies::of_variables(|name| (name == "http_proxy").then(|| url.clone())).unwrap();
    let by_environment = Http::new().proxies(of_environment);
    let strangers = Fetcher::for_untrusted_urls().http(by_environment.clone());
    let error = get_by(&strangers, "http://www.example.com/").await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(_)), "{error}");
    assert_eq!(proxy.connections(), 0);
    // So are those that the program configured, for every scheme.
    let server = plan::Server { host: "127.0.0.1", port: Some(proxy.port) };
    let blocks = Policy::typed().deny_block([10, 0, 0, 0], 8);
    for policy in [Policy::public_network(), Policy::typed().proxy_checks(false), blocks] {
        let configured = Fetcher::with_policy(policy.clone()).http(by(&proxy));
        let by_plan = Fetcher::with_policy(policy).options(Options::new().proxy(server));
        for (fetcher, url) in [
            (&configured, "http://www.example.com/"),
            (&configured, "https://www.example.com/"),
            (&by_plan, "http://www.example.com/"),
            (&by_plan, "gopher://www.example.com/"),
            (&by_plan, "ftp://www.example.com/"),
            (&by_plan, "wais://www.example.com/a"),
        ] {
            let error = get_by(fetcher, url).await.unwrap_err();
            assert!(format!("{error:#}").contains("proxy_checks = true"), "{url}: {error}");
        }
    }
    assert_eq!(proxy.connections(), 0);
    // A plan that was made for a proxy does not bring it along.
    let url = locator::uri_ref!("http://www.example.com/");
    let plan = plan::plan(url, &Options::new().proxy(server)).unwrap();
    assert!(fetcher(Http::new()).request(url).plan(plan).send().await.is_err());
    assert_eq!(proxy.connections(), 0);
    // A policy may say that the proxy checks addresses.
    let checked = Fetcher::with_policy(Policy::public_web().proxy_checks(true)).http(by_environment);
    assert_eq!(get_by(&checked, "http://www.example.com/").await.unwrap(), "x");
    // Names are checked all the same.
    for url in ["http://localhost/", "http://127.0.0.1/", "http://printer.local/"] {
        let error = get_by(&checked, url).await.unwrap_err();
        assert!(matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(_)), "{url}: {error}");
    }
    assert_eq!(proxy.connections(), 1);
}

#[tokio::test]
async fn a_proxy_of_socks() {
    let server = Server::start(vec![ok("by socks")]).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let target = server.port;
    let proxy = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut greeting = [0; 3];
        stream.read_exact(&mut greeting).await.unwrap();
        stream.write_all(&[5, 0]).await.unwrap();
        let mut request = [0; 18];
        stream.read_exact(&mut request).await.unwrap();
        stream.write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 0]).await.unwrap();
        let mut other = TcpStream::connect(("127.0.0.1", target)).await.unwrap();
        tokio::io::copy_bidirectional(&mut stream, &mut other).await.unwrap();
        request
    });
    let proxies = Proxies::none().http(&format!("socks5h://127.0.0.1:{port}")).unwrap();
    assert_eq!(
        get_by(&fetcher(Http::new().proxies(proxies)), "http://www.example/a").await.unwrap(),
        "by socks"
    );
    assert_eq!(proxy.await.unwrap(), *b"\x05\x01\0\x03\x0Bwww.example\0\x50");
    assert!(server.requests()[0].starts_with("GET /a HTTP/1.1\r\nhost: www.example\r\n"));
}

/// A proxy whose own connection is secured: in it a request, and a tunnel with TLS of the server.
#[tokio::test]
async fn a_proxy_by_tls() {
    let authority = Authority::new();
    let server = secured(authority.server("www.example"), Protocols::Both, "in a tunnel").await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://pa:pw@localhost:{}", listener.local_addr().unwrap().port());
    let acceptor = TlsAcceptor::from(authority.server("localhost"));
    let heads = Arc::<Mutex<Vec<String>>>::default();
    let (seen, target) = (heads.clone(), server.port);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let Ok(Some(head)) = read_request(&mut stream).await else { continue };
            let is_tunnel = head.starts_with("CONNECT ");
            seen.lock().unwrap().push(head);
            if !is_tunnel {
                stream.write_all(&response("200 OK", "Connection: close\r\n", "by TLS")).await.unwrap();
                let _ = stream.shutdown().await;
                continue;
            }
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
            let mut other = TcpStream::connect(("127.0.0.1", target)).await.unwrap();
            tokio::spawn(async move { tokio::io::copy_bidirectional(&mut stream, &mut other).await });
        }
    });
    let http = Http::new().proxies(Proxies::none().all(&url).unwrap());
    let by_tls = fetcher(http.clone()).trust(authority.trust());
    assert_eq!(get_by(&by_tls, "http://www.example/a").await.unwrap(), "by TLS");
    assert_eq!(get_by(&by_tls, "https://www.example/b").await.unwrap(), "in a tunnel");
    let lines: Vec<_> =
        heads.lock().unwrap().iter().map(|head| head.lines().next().unwrap().to_owned()).collect();
    assert_eq!(lines, ["GET http://www.example/a HTTP/1.1", "CONNECT www.example:443 HTTP/1.1"]);
    assert_eq!(server.requests.lock().unwrap()[0], "HTTP/2.0 GET https://www.example/b");
    // The certificate of the proxy is checked, too.
    let error =
        get_by(&fetcher(http).trust(Authority::new().trust()), "http://www.example/").await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::NotSecured(_)), "{error}");
}
