//! Requests and responses as they should be.

use locator::plan::ObjectKind;
use locator_fetch::Version;
use locator_fetch::blocking;
use locator_fetch::http::ByteRange;
use locator_fetch::run::FailureKind;

use super::server::Answer::*;
use super::server::{Server, ok, response};
use super::*;

#[tokio::test]
async fn a_page() {
    let page =
        response("200 Fine", "Content-Type: text/html; charset=utf-8\r\nVia: a\r\nVIA: b\r\n", "<p>hello");
    let server = Server::start(vec![Send(page)]).await;
    let url = server.url("/a%20b/../c;d?e=%2F&f");
    let fetched = fetch(&url).await.unwrap();
    let head = fetched.head().unwrap().clone();
    assert_eq!((head.version, head.status, &*head.reason), (Version::Http11, 200, "Fine"));
    assert_eq!(head.headers.get_all("via").collect::<Vec<_>>(), [b"a", b"b"]);
    assert_eq!(fetched.kind(), ObjectKind::Unknown);
    assert_eq!(fetched.media_type(), Some("text/html; charset=utf-8"));
    assert_eq!(
        (fetched.charset(), fetched.url().as_str(), fetched.resumed_from()),
        (Some("utf-8"), url.as_str(), 0)
    );
    assert_eq!(read(fetched).await.unwrap(), (b"<p>hello".to_vec(), Whole::Framed));
    let request = &server.requests()[0];
    // The target is not normalized, and nothing says where a reader comes from.
    let host = format!("127.0.0.1:{}", server.port);
    let agent = concat!("locator/", env!("CARGO_PKG_VERSION"));
    let expected = format!(
        "GET /a%20b/../c;d?e=%2F&f HTTP/1.1\r\nhost: {host}\r\nuser-agent: {agent}\r\naccept: */*\r\n\r\n"
    );
    assert_eq!(*request, expected);
}

#[tokio::test]
async fn connections_are_used_again() {
    let server = Server::start(vec![ok("one"), ok("two"), ok("three")]).await;
    let fetcher = fetcher(Http::new());
    for expected in ["one", "two"] {
        assert_eq!(get_by(&fetcher, &server.url("/")).await.unwrap(), expected);
    }
    assert_eq!(server.connections(), 1);
    // Other rules of where to connect have connections of their own.
    let elsewhere = Server::start(vec![ok("other")]).await;
    let authority = elsewhere.url("");
    let rule = authority.replace("http://", "::");
    let led = fetcher.clone().connect_to(ConnectTo::new().rule(&rule).unwrap());
    assert_eq!(get_by(&led, &server.url("/")).await.unwrap(), "other");
    // So has another policy.
    let other = Fetcher::with_policy(Policy::typed());
    assert_eq!(get_by(&other, &server.url("/")).await.unwrap(), "three");
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn a_connection_that_was_closed_while_it_waited() {
    let server = Server::start(vec![Close(response("200 OK", "", "one")), ok("two")]).await;
    let fetcher = fetcher(Http::new());
    for expected in ["one", "two"] {
        assert_eq!(get_by(&fetcher, &server.url("/")).await.unwrap(), expected);
    }
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn a_connection_that_closes_with_the_request() {
    // The second request is read and not answered: it changes nothing, so it is sent once more.
    let server = Server::start(vec![ok("one"), Close(Vec::new()), ok("two")]).await;
    let fetcher = fetcher(Http::new());
    for expected in ["one", "two"] {
        assert_eq!(get_by(&fetcher, &server.url("/")).await.unwrap(), expected);
    }
    assert_eq!(server.requests().len(), 3);
    // A POST is not.
    let server = Server::start(vec![ok("one"), Close(Vec::new()), ok("two")]).await;
    let post = async || fetcher.request(server.url("/")).body("x").send().await?.text().await;
    assert_eq!(post().await.unwrap(), "one");
    let error = post().await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::CutOff), "{error}");
}

#[tokio::test]
async fn a_status_that_is_an_error() {
    let missing = response("404 Not Here", "X-A: b\r\n", "<p>no");
    let server =
        Server::start(vec![Send(missing.clone()), Send(missing), Send(response("503 Busy", "", ""))]).await;
    let error = fetch(&server.url("/a")).await.unwrap_err();
    assert!(error.failure().unwrap().kind.is_said() && !error.failure().unwrap().kind.may_pass(), "{error}");
    let (url, said) = (server.url("/a"), "not found (404 Not Here)");
    assert_eq!(error.to_string(), format!("{url}: {said}"));
    assert_eq!(error.head().unwrap().headers.get("x-a"), Some("b"));
    let given = fetcher(Http::new().error_bodies(true));
    let fetched = fetch_by(&given, &server.url("/a")).await.unwrap();
    assert_eq!(fetched.status().unwrap(), 404);
    assert_eq!(read(fetched).await.unwrap().0, b"<p>no");
    let error = fetch(&server.url("/a")).await.unwrap_err();
    assert!(error.failure().unwrap().kind.is_said() && error.failure().unwrap().kind.may_pass(), "{error}");
}

#[tokio::test]
async fn a_head_alone() {
    let server = Server::start(vec![Send(response("200 OK", "Content-Type: a/b\r\n", "")), ok("x")]).await;
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".to_vec();
    let long = Server::start(vec![Send(head)]).await;
    for server in [&server, &long] {
        let fetched = send(Http::new(), &server.url("/"), |request| request.method("HEAD")).await.unwrap();
        assert_eq!(read(fetched).await.unwrap(), (Vec::new(), Whole::Framed));
        assert!(server.requests()[0].starts_with("HEAD / HTTP/1.1\r\n"));
    }
}

#[tokio::test]
async fn a_body_is_sent() {
    let server = Server::start(vec![ok("thanks")]).await;
    let sent = send(Http::new(), &server.url("/form"), |request| request.form(&[("a", "b")])).await.unwrap();
    assert_eq!(read(sent).await.unwrap().0, b"thanks");
    let request = &server.requests()[0];
    assert!(request.starts_with("POST /form HTTP/1.1\r\n") && request.ends_with("\r\n\r\na=b"), "{request}");
}

#[tokio::test]
async fn fields_replace_those_of_the_client() {
    let server = Server::start(vec![ok("")]).await;
    let http = Http::new().header("host", "other.example").unwrap().header("Accept", "text/plain").unwrap();
    let http = http.header("X-A", "1").unwrap().header("X-A", "2").unwrap().user_agent(None).unwrap();
    get_by(&fetcher(http), &server.url("/")).await.unwrap();
    let expected = "GET / HTTP/1.1\r\nhost: other.example\r\naccept: text/plain\r\nx-a: 1\r\nx-a: 2\r\n\r\n";
    assert_eq!(server.requests(), [expected]);
}

#[tokio::test]
async fn responses_before_the_final_one_and_trailers() {
    let octets = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n\
        HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n";
    let server = Server::start(vec![Send(octets.to_vec()), ok("next")]).await;
    let fetcher = fetcher(Http::new());
    let mut fetched = fetch_by(&fetcher, &server.url("/")).await.unwrap();
    let mut text = Vec::new();
    while let Some(chunk) = fetched.chunk().await.unwrap() {
        text.extend_from_slice(&chunk);
    }
    assert_eq!((&*text, fetched.whole()), (&b"abcde"[..], Some(Whole::Framed)));
    assert_eq!(fetched.body().trailers().get("x-sum"), Some("5"));
    assert_eq!(get_by(&fetcher, &server.url("/")).await.unwrap(), "next");
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn ranges() {
    let part = response("206 Partial Content", "Content-Range: bytes 2-4/9\r\n", "cde");
    let server = Server::start(vec![
        Send(part.clone()),
        ok("abcdefghi"),
        Send(part),
        Send(response("416 x", "Content-Range: bytes */9\r\n", "")),
    ])
    .await;
    let url = server.url("/");
    let ranged = |range| send(Http::new().compressed(true), &url, move |request| request.range(range));
    let fetched = ranged(ByteRange::Between(2, 4)).await.unwrap();
    assert_eq!(
        (fetched.resumed_from(), fetched.proof().length, fetched.status().unwrap()),
        (2, Some(9), 206)
    );
    assert_eq!(read(fetched).await.unwrap(), (b"cde".to_vec(), Whole::Framed));
    let fetched = ranged(ByteRange::From(2)).await.unwrap();
    assert_eq!((fetched.resumed_from(), fetched.status().unwrap()), (0, 200));
    let error = ranged(ByteRange::From(3)).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::WrongPart(_)), "{error}");
    let error = ranged(ByteRange::From(20)).await.unwrap_err();
    assert!(error.failure().unwrap().kind.is_said() && error.to_string().contains("416 x"), "{error}");
    let expected = ["bytes=2-4", "bytes=2-", "bytes=3-", "bytes=20-"].map(|range| Some(range.to_owned()));
    assert_eq!(server.fields("range"), expected);
    assert_eq!(server.fields("accept-encoding"), [const { None }; 4]);
}

#[tokio::test]
async fn a_target_that_is_too_long() {
    let server = Server::start(vec![ok("x"), ok("y")]).await;
    let path = |length: usize| format!("/{}", "a".repeat(length - 1));
    assert_eq!(get(&server.url(&path(65_534))).await.unwrap().0, b"x");
    let error = get(&server.url(&path(65_535))).await.unwrap_err();
    assert_eq!(error.failure().unwrap().kind, FailureKind::TargetTooLong(65_534));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn what_a_watcher_sees() {
    let server = Server::start(vec![ok("x")]).await;
    let http = Http::new().header("X-Token", "s3cret").unwrap().header("X-Plain", "seen").unwrap();
    let (fetcher, seen) = watched(http);
    get_by(&fetcher, &server.url("/?q")).await.unwrap();
    let head = seen.heads.lock().unwrap()[0].clone();
    assert!(head.starts_with("GET /?q HTTP/1.1\nhost: 127.0.0.1:"), "{head}");
    assert!(head.contains("x-plain: seen\n") && head.contains("x-token: (password)\n"), "{head}");
    assert_eq!(*seen.statuses.lock().unwrap(), [200]);
}

#[tokio::test]
async fn the_host_of_another_script() {
    // The name has no address; what is asked for is seen in the error.
    let url = UriRef::parse_with("http://b\u{fc}cher.invalid/", &locator::edition::RFC3987).unwrap();
    let error = fetcher(Http::new()).fetch(url).await.unwrap_err();
    assert!(error.to_string().contains("xn--bcher-kva.invalid"), "{error}");
}

#[tokio::test]
async fn the_blocking_front() {
    let server = Server::start(vec![Send(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nA: b\r\n\r\n".to_vec(),
    )])
    .await;
    let url = server.url("/");
    let read = move || {
        let fetcher = blocking::Fetcher::for_user_input();
        let mut fetched = fetcher.fetch(UriRef::parse(&url).unwrap()).unwrap();
        assert_eq!(fetched.status().unwrap(), 200);
        assert_eq!(fetched.chunk().unwrap().unwrap(), "x");
        assert_eq!(fetched.chunk().unwrap(), None);
        fetched.body().trailers().iter().next().unwrap().0.to_owned()
    };
    assert_eq!(tokio::task::spawn_blocking(read).await.unwrap(), "a");
}

#[tokio::test]
async fn the_policy_is_asked() {
    let server = Server::start(vec![ok("x")]).await;
    let strangers = Fetcher::with_policy(Policy::public_web().ports([server.port]));
    let error = fetch_by(&strangers, &server.url("/")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(_)), "{error}");
    assert_eq!(server.connections(), 0);
}

/// The headers of a page are candidates of its base, within the URL that it was retrieved from.
#[tokio::test]
async fn the_base_of_a_page() {
    for (headers, base) in [
        ("", "/dir/page"),
        ("Content-Location: en/page.html\r\n", "/dir/en/page.html"),
        ("Content-Location: /en/\r\nContent-Base: http://b.example/c/\r\n", "http://b.example/c/"),
        ("Content-Base: http://[\r\n", "/dir/page"),
    ] {
        let server = Server::start(vec![Send(response("200 OK", headers, "<a href=b>"))]).await;
        let url = server.url("/dir/page");
        let fetched = fetcher(Http::new()).fetch(&*url).await.unwrap();
        let expected = if base.starts_with('/') { server.url(base) } else { base.to_owned() };
        assert_eq!(fetched.bases().base().unwrap().as_str(), expected, "{headers}");
    }
}
