//! Bodies of requests and responses: files, streams, several at once, and those that end early.

use std::io::{Error, ErrorKind, Write};
use std::pin::Pin;

use futures_core::Stream;
use locator_fetch::FetchErrorKind;
use locator_fetch::http::RequestBody;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::server::Answer::{Close, Send};
use super::server::{Server, ok, response};
use super::*;

/// Returns a body that is a stream, as a program gets it from another response.
async fn stream() -> RequestBody {
    RequestBody::stream(Fetcher::for_user_input().fetch("data:,hello").await.unwrap().body())
}

/// Reads a body by its `Stream`.
async fn chunks(body: locator_fetch::Body) -> Result<Vec<u8>, Error> {
    let (mut body, mut octets) = (Box::pin(body), Vec::new());
    while let Some(chunk) = std::future::poll_fn(|context| body.as_mut().poll_next(context)).await {
        octets.extend_from_slice(&chunk?);
    }
    Ok(octets)
}

#[tokio::test]
async fn a_file_is_sent() {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&b"0123456789".repeat(20_000)).unwrap();
    let server = Server::start(vec![Send(response("307 x", "Location: /b\r\n", "")), ok("thanks")]).await;
    let sent = send(Http::new(), &server.url("/a"), |request| request.method("PUT").body(file)).await;
    assert_eq!(sent.unwrap().text().await.unwrap(), "thanks");
    // The redirect gets all of it a second time.
    assert_eq!(server.fields("content-length"), [Some("200000".into()), Some("200000".into())]);
    for request in server.requests() {
        assert!(request.starts_with("PUT /") && request.ends_with("0123456789"));
        assert_eq!(request.split("\r\n\r\n").nth(1).unwrap().len(), 200_000);
    }
}

#[tokio::test]
async fn a_stream_is_sent_in_chunks() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n0\r\n\r\n") {
            assert!(stream.read_buf(&mut request).await.unwrap() > 0);
        }
        stream.write_all(&response("200 OK", "", "thanks")).await.unwrap();
        String::from_utf8(request).unwrap()
    });
    let body = stream().await;
    let sent = send(Http::new(), &url, |request| request.body(body)).await.unwrap();
    assert_eq!(sent.text().await.unwrap(), "thanks");
    let request = server.await.unwrap();
    assert!(request.starts_with("POST / HTTP/1.1\r\n"), "{request}");
    assert!(request.to_lowercase().contains("transfer-encoding: chunked\r\n"), "{request}");
    assert!(request.ends_with("\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), "{request}");
}

#[tokio::test]
async fn a_stream_is_not_sent_twice() {
    let moved = Close(response("307 x", "Location: /b\r\n", ""));
    let server = Server::start(vec![moved.clone(), ok("thanks"), moved, ok("thanks")]).await;
    let (body, other) = (stream().await, stream().await);
    let at_once = Http::new().without_header("Expect").unwrap();
    let error = send(at_once, &server.url("/a"), |request| request.body(body)).await.unwrap_err();
    assert_eq!(error.kind(), FetchErrorKind::NotSupported, "{error}");
    assert_eq!(server.requests().len(), 1);
    // One that the server did not ask for was not read.
    get_by(&fetcher(Http::new()), &server.url("/")).await.unwrap();
    let sent = send(Http::new(), &server.url("/a"), |request| request.body(other)).await.unwrap();
    assert_eq!(sent.text().await.unwrap(), "thanks");
}

/// A long body waits for the answer to its head.
#[tokio::test]
async fn a_long_body_is_announced() {
    let refuse = response("413 Too Large", "", "");
    let fail = response("417 Expectation Failed", "", "");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let mut seen = Vec::new();
        for answer in [&b"HTTP/1.1 100 Continue\r\n\r\n"[..], &refuse, &fail, b""] {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                request.push(stream.read_u8().await.unwrap());
            }
            let head = String::from_utf8(request).unwrap();
            stream.write_all(answer).await.unwrap();
            let is_wanted = answer.is_empty() || answer.starts_with(b"HTTP/1.1 100");
            let mut body = vec![0; if is_wanted { (1 << 20) + 1 } else { 0 }];
            stream.read_exact(&mut body).await.unwrap();
            if is_wanted {
                stream.write_all(&response("200 OK", "Connection: close\r\n", "thanks")).await.unwrap();
            } else {
                // Nothing of the body comes: the client ends the connection.
                assert_eq!(stream.read(&mut [0]).await.unwrap(), 0);
            }
            seen.push(head.contains("\r\nexpect: 100-continue\r\n"));
        }
        seen
    });
    let post = async || send(Http::new(), &url, |request| request.body(vec![b'x'; (1 << 20) + 1])).await;
    assert_eq!(post().await.unwrap().text().await.unwrap(), "thanks");
    assert_eq!(post().await.unwrap_err().status(), Some(413));
    assert_eq!(post().await.unwrap().text().await.unwrap(), "thanks");
    assert_eq!(server.await.unwrap(), [true, true, true, false]);
}

/// A server that does not know `Expect` gets the body after a while.
#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_say_continue() {
    let server = Server::start(vec![ok("thanks")]).await;
    let body = "x".repeat((1 << 20) + 1);
    let sent = send(Http::new(), &server.url("/"), |request| request.body(body)).await.unwrap();
    assert_eq!(sent.text().await.unwrap(), "thanks");
    assert!(server.requests()[0].ends_with("xx"));
}

#[tokio::test]
async fn a_form_with_a_reader() {
    let server = Server::start(vec![ok("thanks")]).await;
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(b"of a file").unwrap();
    let form = locator_fetch::http::Multipart::new().text("a", "b");
    let form = form.part("f", Some("n"), None, file).unwrap();
    let (media_type, body) = form.finish().unwrap();
    let length = body.content_length().unwrap();
    let set =
        |request: RequestBuilder<'static, Fetcher>| request.header("Content-Type", media_type).body(body);
    let sent = send(Http::new(), &server.url("/"), set).await.unwrap();
    assert_eq!(sent.text().await.unwrap(), "thanks");
    assert_eq!(server.fields("content-length"), [Some(length.to_string())]);
    assert!(server.requests()[0].contains("; filename=\"n\"\r\n\r\nof a file\r\n--"));
    // A reader has no length.
    let body = RequestBody::from("a").then(RequestBody::reader(&b"b"[..]));
    assert_eq!(body.content_length(), None);
}

#[tokio::test]
async fn several_at_once() {
    let server = Server::start(vec![ok("x"), ok("x"), Send(response("404 x", "", "")), ok("x")]).await;
    let urls: Vec<_> = (0..4).map(|number| server.url(&format!("/{number}"))).collect();
    let mut all = fetcher(Http::new()).fetch_all(&urls, 2);
    let (mut seen, mut missing) = (Vec::new(), 0);
    while let Some((index, response)) = all.next().await {
        seen.push(index);
        match response {
            Ok(response) => {
                assert_eq!(response.url(), urls[index]);
                assert_eq!(response.text().await.unwrap(), "x");
            }
            Err(error) => {
                assert_eq!(error.url(), urls[index]);
                missing += usize::from(error.kind() == FetchErrorKind::NotFound);
            }
        }
    }
    seen.sort_unstable();
    assert_eq!((seen, missing), (vec![0, 1, 2, 3], 1));
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn a_body_is_a_stream() {
    let page = "a page ".repeat(30_000);
    let server = Server::start(vec![ok(&page)]).await;
    let fetched = fetch(&server.url("/")).await.unwrap();
    let octets = chunks(fetched.body()).await.unwrap();
    assert!(octets == page.as_bytes());
}

#[tokio::test]
async fn a_body_that_ends_early() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nonly".as_bytes().to_vec();
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nonly\r\n".to_vec();
    for answer in [Close(head), Close(chunked)] {
        let server = Server::start(vec![answer.clone(), answer]).await;
        let error = chunks(fetch(&server.url("/")).await.unwrap().body()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{error}");
        let error = error.get_ref().unwrap().downcast_ref::<FetchError>().unwrap();
        assert_eq!((error.kind(), error.url()), (FetchErrorKind::CutShort, server.url("/")));
        let mut body: Pin<Box<_>> = Box::pin(fetch(&server.url("/")).await.unwrap().body());
        let mut octets = Vec::new();
        let error = body.read_to_end(&mut octets).await.unwrap_err();
        assert_eq!((error.kind(), &*octets), (ErrorKind::UnexpectedEof, &b"only"[..]));
    }
}
