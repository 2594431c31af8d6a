//! What is allowed and seldom sent, and what is typed seldom.

use locator::edition::RFC3986_WITH_ZONES;
use locator_fetch::run::FailureKind;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use super::secured::{Protocols, secured};
use super::server::Answer::*;
use super::server::{Server, ok, read_request, response};
use super::*;
use crate::certificates::Authority;

#[tokio::test]
async fn transfer_codings() {
    let chunked = "5\r\nhello\r\n0\r\n\r\n";
    for (coding, body, is_read) in [
        ("chunked", chunked, true),
        ("Chunked", chunked, true),
        ("identity", "hello", true),
        ("gzip", "hello", false),
        ("gzip, chunked", chunked, false),
        ("chunked, chunked", chunked, false),
        ("x-own\r\nTransfer-Encoding: chunked", chunked, false),
    ] {
        let head = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: {coding}\r\n\r\n{body}");
        let server = Server::start(vec![Close(head.into())]).await;
        let result = get(&server.url("/")).await;
        assert_eq!(result.is_ok(), is_read, "{coding}: {result:?}");
        match result {
            Ok((octets, _)) => assert_eq!(octets, b"hello", "{coding}"),
            Err(error) => assert!(
                matches!(&error.failure().unwrap().kind, FailureKind::Protocol(_)),
                "{coding}: {error}"
            ),
        }
    }
}

#[tokio::test]
async fn headers_on_several_lines() {
    let folded = response("200 OK", "X-A: b\r\n  c\r\n\td\r\nX-E: f\r\n", "x");
    let server = Server::start(vec![Send(folded)]).await;
    let fetched = fetch(&server.url("/")).await.unwrap();
    let head = fetched.head().unwrap();
    let value = head.headers.get("x-a").unwrap();
    assert_eq!(value.split_whitespace().collect::<Vec<_>>(), ["b", "c", "d"]);
    assert!(!value.contains(['\r', '\n']), "{value:?}");
    assert_eq!(head.headers.get("x-e"), Some("f"));
    assert_eq!(read(fetched).await.unwrap().0, b"x");
}

#[tokio::test]
async fn many_and_long_headers() {
    let many = |count: usize| (0..count).map(|number| format!("X-{number}: a\r\n")).collect::<String>();
    let long = |kilobytes: usize| format!("X-A: {}\r\n", "a".repeat(1000)).repeat(kilobytes);
    // Content-Length is one more.
    for (fields, is_read) in
        [(many(1_999), true), (many(2_001), false), (long(290), true), (long(310), false)]
    {
        let server = Server::start(vec![Send(response("200 OK", &fields, "x"))]).await;
        let result = get(&server.url("/")).await;
        assert_eq!(result.is_ok(), is_read, "{}: {result:?}", fields.len());
        if let Err(error) = result {
            assert!(matches!(&error.failure().unwrap().kind, FailureKind::TooMuch { .. }), "{error}");
        }
    }
}

#[tokio::test]
async fn requests_without_data() {
    for (method, length) in [("POST", Some("0")), ("PUT", Some("0")), ("GET", None), ("DELETE", None)] {
        let server = Server::start(vec![ok("x")]).await;
        let sent = send(Http::new(), &server.url("/"), |request| request.method(method)).await.unwrap();
        assert_eq!(read(sent).await.unwrap().0, b"x");
        assert_eq!(server.fields("content-length"), [length.map(str::to_owned)], "{method}");
    }
    let server = Server::start(vec![ok("x")]).await;
    let sent = send(Http::new(), &server.url("/"), |request| request.body("")).await.unwrap();
    assert_eq!(read(sent).await.unwrap().0, b"x");
    assert_eq!(server.fields("content-length"), [Some("0".into())]);
    assert_eq!(server.requests()[0].to_lowercase().matches("content-length").count(), 1);
}

#[tokio::test]
async fn statuses_that_there_are_not() {
    for (status, code) in [("600", 600), ("999", 999), ("099", 99), ("000", 0)] {
        let server = Server::start(vec![Close(response(&format!("{status} Own"), "", "x"))]).await;
        let error = fetch(&server.url("/")).await.unwrap_err();
        assert!(
            error.failure().unwrap().kind.is_said() && error.failure().unwrap().kind.may_pass(),
            "{status}: {error:?}"
        );
        let reply = error.failure().unwrap().reply.clone().unwrap();
        assert_eq!((reply.code, &*reply.text), (Some(code), &b"Own"[..]), "{status}");
    }
}

#[tokio::test]
async fn hosts_with_a_dot_at_the_end() {
    let moved = response("302 x", "Location: b\r\n", "");
    let server = Server::start(vec![Send(moved), ok("there"), ok("there")]).await;
    for (host, path) in [("localhost.", "/a/"), ("app.localhost.", "/")] {
        let url = format!("http://{host}:{}{path}", server.port);
        assert_eq!(get_by(&fetcher(Http::new()), &url).await.unwrap(), "there", "{host}");
    }
    let host = |name: &str| Some(format!("{name}:{}", server.port));
    assert_eq!(server.fields("host"), [host("localhost."), host("localhost"), host("app.localhost.")]);
    for wrong in ["localhost..", "127.0.0.1.", "."] {
        let url = format!("http://{wrong}:{}/", server.port);
        let error = fetch(&url).await.unwrap_err();
        assert!(matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(_)), "{wrong}: {error}");
    }
    // The certificate has no dot.
    let authority = Authority::new();
    let server = secured(authority.server("localhost"), Protocols::Http1, "secured").await;
    let fetcher = fetcher(Http::new()).trust(authority.trust());
    let url = format!("https://localhost.:{}/", server.port);
    assert_eq!(get_by(&fetcher, &url).await.unwrap(), "secured");
    // Strangers do not write names in two ways.
    let strangers = Fetcher::with_policy(Policy::public_network()).trust(authority.trust());
    assert!(fetch_by(&strangers, &url).await.unwrap_err().kind() == locator_fetch::FetchErrorKind::Forbidden);
}

/// The loopback interface has no link-local address, but a zone of it does no harm.
#[tokio::test]
async fn zones() {
    let Ok(listener) = TcpListener::bind("[::1]:0").await else { return };
    let port = listener.local_addr().unwrap().port();
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let request = read_request(&mut stream).await.unwrap().unwrap();
        stream.write_all(&response("200 OK", "", "there")).await.unwrap();
        request
    });
    let fetch = async |zone: &str| {
        let url = format!("http://[::1%25{zone}]:{port}/");
        let url = UriRef::parse_with(&url, &RFC3986_WITH_ZONES).unwrap();
        read(fetcher(Http::new()).fetch(url).await?).await
    };
    let error = fetch("nowhere0").await.unwrap_err();
    assert!(error.to_string().contains("no zone nowhere0"), "{error}");
    assert_eq!(fetch("1").await.unwrap().0, b"there");
    assert!(serving.await.unwrap().to_lowercase().contains(&format!("host: [::1]:{port}\r\n")));
}
