//! Where a response ends, whatever a server does: what is called whole was whole.

use std::future::Future;
use std::task::Poll;
use std::time::Duration;

use locator_fetch::run::FailureKind;

use super::server::Answer::*;
use super::server::{Server, response};
use super::*;

/// The same text, framed in three ways, and how its end is known.
fn framings() -> [(Vec<u8>, Whole); 3] {
    let head = "HTTP/1.1 200 OK\r\n";
    let unframed = format!("{head}\r\nhello, world");
    let chunked =
        format!("{head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n7;x\r\n, world\r\n0\r\nA: b\r\n\r\n");
    [
        (response("200 OK", "", "hello, world"), Whole::Framed),
        (chunked.into(), Whole::Framed),
        (unframed.into(), Whole::Unverified),
    ]
}

#[tokio::test]
async fn one_octet_at_a_time() {
    for (octets, expected) in framings() {
        // What comes after an end is not a part of it.
        let end = if expected == Whole::Unverified { vec![] } else { vec![Send(octets.clone())] };
        let server = Server::start([vec![Slowly(octets)], end].concat()).await;
        let url = server.url("/");
        let reading = get(&url);
        let (text, whole) = if expected == Whole::Unverified {
            // The server waits for another request: its task ends with the test, so the text is read only.
            let mut fetched = fetch(&url).await.unwrap();
            let mut text = Vec::new();
            while text.len() < 12 {
                text.extend_from_slice(&fetched.chunk().await.unwrap().unwrap());
            }
            (text, expected)
        } else {
            reading.await.unwrap()
        };
        assert_eq!((&*text, whole), (&b"hello, world"[..], expected));
    }
}

#[tokio::test]
async fn an_end_at_each_octet() {
    for (octets, expected) in framings() {
        let head = octets.windows(4).position(|end| end == b"\r\n\r\n").unwrap() + 4;
        for end in 0..=octets.len() {
            let cut = octets[..end].to_vec();
            let server = Server::start(vec![Close(cut.clone()), Reset(cut)]).await;
            let got = get(&server.url("/")).await;
            let is_whole = end == octets.len() || expected == Whole::Unverified && end >= head;
            match got {
                Ok((text, whole)) => {
                    assert!(is_whole, "{end} of {:?}", String::from_utf8_lossy(&octets));
                    assert!(b"hello, world".starts_with(&text) && whole == expected);
                }
                Err(error) => {
                    assert!(!is_whole, "{error}, {end} of {:?}", String::from_utf8_lossy(&octets));
                    assert!(matches!(&error.failure().unwrap().kind, FailureKind::CutOff), "{error}");
                }
            }
            // A reset is never an end; what came before it may have been.
            match get(&server.url("/")).await {
                Ok((text, whole)) => assert!((&*text, whole) == (&b"hello, world"[..], Whole::Framed)),
                Err(error) => {
                    let kind = &error.failure().unwrap().kind;
                    assert!(matches!(kind, FailureKind::Reset | FailureKind::CutOff), "{error}");
                }
            }
        }
    }
}

#[tokio::test]
async fn wrong_framings() {
    for (name, octets) in [
        ("two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
        ("a list of lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nab"),
        ("a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab"),
        ("a length with a sign", "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nab"),
        ("a length of 2^64", "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551616\r\n\r\nab"),
        ("a length without digits", "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nab"),
        ("a length of 2^64 - 1", "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\nab"),
        ("an escape in a reason", "HTTP/1.1 404 No\x1B[31mt\r\nContent-Length: 2\r\n\r\nab"),
        ("a chunk of 2^64", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\na"),
        ("a chunk of no size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\na"),
        (
            "a chunk without its end",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
        ),
        ("chunks of HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"),
        ("no status", "HTTP/1.1 OK\r\n\r\n"),
        ("another protocol", "SSH-2.0-OpenSSH\r\n\r\n"),
        ("HTTP/0.9", "<html>hello</html>\r\n\r\n"),
        ("a field without a name", "HTTP/1.1 200 OK\r\n: x\r\n\r\n"),
        (
            "another protocol from here on",
            "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        ),
    ] {
        let server = Server::start(vec![Close(octets.into())]).await;
        let error = get(&server.url("/")).await.expect_err(name);
        assert!(matches!(&error.failure().unwrap().kind, FailureKind::Protocol(_)), "{name}: {error}");
        let is_too_large = ["a length of 2^64", "a length of 2^64 - 1"].contains(&name);
        assert_eq!(
            format!("{error:#}").contains("Content-Length is too large"),
            is_too_large,
            "{name}: {error:#}"
        );
    }
    // Equal lengths are one.
    let server = Server::start(vec![Close(
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na".to_vec(),
    )])
    .await;
    assert_eq!(get(&server.url("/")).await.unwrap(), (b"a".to_vec(), Whole::Framed));
}

#[tokio::test]
async fn a_body_that_does_not_belong_there() {
    // After HEAD, and after a status that has none: it is not read as another response.
    let head = response("200 OK", "", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
    let empty = b"HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil".to_vec();
    let server = Server::start(vec![Send(head), Send(response("200 OK", "", ""))]).await;
    let sent = send(Http::new(), &server.url("/"), |request| request.method("HEAD")).await.unwrap();
    assert_eq!(read(sent).await.unwrap().0, b"");
    let server_of_empty = Server::start(vec![Send(empty), Send(response("200 OK", "", "good"))]).await;
    let fetcher = fetcher(Http::new());
    assert_eq!(get_by(&fetcher, &server_of_empty.url("/")).await.unwrap(), "");
    assert_eq!(get_by(&fetcher, &server_of_empty.url("/")).await.unwrap(), "good");
    assert_eq!(server_of_empty.connections(), 2);
}

#[tokio::test]
async fn floods() {
    let head = |text: &str| text.as_bytes().to_vec();
    let floods = [
        ("a line", head("HTTP/1.1 200 OK\r\nA: "), vec![b'x'; 4096]),
        ("fields", head("HTTP/1.1 200 OK\r\n"), b"A: b\r\n".repeat(50)),
        ("responses before the final one", vec![], b"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(50)),
        (
            "trailers",
            head("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"),
            b"A: b\r\n".repeat(50),
        ),
        (
            "the extension of a chunk",
            head("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;"),
            vec![b'x'; 4096],
        ),
        ("a reason", head("HTTP/1.1 200 "), vec![b'x'; 4096]),
    ];
    for (name, first, rest) in floods {
        let server = Server::start(vec![Flood(first, rest)]).await;
        let error = get(&server.url("/")).await.expect_err(name);
        assert!(
            matches!(&error.failure().unwrap().kind, FailureKind::TooMuch { .. } | FailureKind::Protocol(_)),
            "{name}: {error}"
        );
    }
    // A body is as long as the limit allows.
    let server = Server::start(vec![
        Flood(head("HTTP/1.1 200 OK\r\n\r\n"), vec![b'x'; 4096]),
        Send(response("200 OK", "", &"x".repeat(10_000))),
    ])
    .await;
    let fetcher = fetcher(Http::new()).max_size(10_000);
    let mut fetched = fetch_by(&fetcher, &server.url("/")).await.unwrap();
    let mut count = 0;
    let error = loop {
        match fetched.chunk().await {
            Ok(chunk) => count += chunk.unwrap().len(),
            Err(error) => break error,
        }
    };
    assert_eq!(
        (count, &error.failure().unwrap().kind),
        (10_000, &FailureKind::TooMuch { what: "bytes in the body", limit: 10_000 })
    );
    assert_eq!(get_by(&fetcher, &server.url("/")).await.unwrap().len(), 10_000);
}

#[tokio::test(start_paused = true)]
async fn silence() {
    let fetcher = fetcher(Http::new()).read_timeout(Duration::from_secs(5)).timeout(Duration::from_secs(60));
    let server =
        Server::start(vec![Send(b"HTTP/1.1 2".to_vec()), Send(b"HTTP/1.1 200 OK\r\n\r\nhello".to_vec())])
            .await;
    let error = fetch_by(&fetcher, &server.url("/")).await.unwrap_err();
    assert_eq!(error.failure().unwrap().kind, FailureKind::TimedOut(5_000));
    let mut fetched = fetch_by(&fetcher, &server.url("/")).await.unwrap();
    assert_eq!(fetched.chunk().await.unwrap().unwrap(), "hello");
    // A slow reader is not a silent server.
    tokio::time::advance(Duration::from_secs(30)).await;
    let error = fetched.chunk().await.unwrap_err();
    assert_eq!(error.failure().unwrap().kind, FailureKind::TimedOut(5_000));
    assert_eq!(fetched.chunk().await.unwrap_err(), error);
}

/// The speed is that of ten seconds: a pause after many octets is not too slow.
#[tokio::test(start_paused = true)]
async fn a_server_that_is_too_slow() {
    for (first, pause, expected) in [
        (20 << 10, 15, Ok(21 << 10)),
        (20 << 10, 25, Err(FailureKind::TooSlow(1_024))),
        (10, 15, Err(FailureKind::TooSlow(1_024))),
    ] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::io::AsyncReadExt::read(&mut stream, &mut [0; 4096]).await.unwrap();
            let length = first + (1 << 10);
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n");
            let octets = [head.into_bytes(), vec![b'x'; first]].concat();
            tokio::io::AsyncWriteExt::write_all(&mut stream, &octets).await.unwrap();
            tokio::time::sleep(Duration::from_secs(pause)).await;
            let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, &[b'x'; 1 << 10]).await;
        });
        let fetcher = fetcher(Http::new()).min_speed(1 << 10, Duration::from_secs(10));
        let read = get_by(&fetcher, &url).await;
        assert_eq!(
            read.map(|octets| octets.len()).map_err(|error| error.failure().unwrap().kind.clone()),
            expected,
            "{pause}"
        );
    }
}

/// Polls a fetch this often and drops it; returns whether it came to its end.
async fn drop_after(fetcher: &Fetcher, url: &str, polls: usize) -> bool {
    let whole = async { read(fetch_by(fetcher, url).await?).await };
    let mut whole = std::pin::pin!(whole);
    let mut polled = 0;
    std::future::poll_fn(|cx| {
        polled += 1;
        match whole.as_mut().poll(cx) {
            Poll::Ready(_) => Poll::Ready(true),
            Poll::Pending if polled == polls => Poll::Ready(false),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

#[tokio::test]
async fn dropping_leaves_nothing() {
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let mut ended = 0;
    for polls in (1..40).chain((40..).step_by(40)) {
        let chunked =
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n".to_vec();
        let server =
            Server::start(vec![Slowly(response("302 x", "Location: /b\r\n", "")), Slowly(chunked)]).await;
        let before = tasks();
        let fetcher = fetcher(Http::new());
        let has_ended = drop_after(&fetcher, &server.url("/"), polls).await;
        ended += usize::from(has_ended);
        // The client has no tasks: those that are there serve its connections.
        assert!(tasks() <= before + server.connections().max(1), "after {polls} polls");
        drop(fetcher);
        // The server sees the end of each connection.
        while tasks() > before {
            tokio::task::yield_now().await;
        }
        if has_ended {
            break;
        }
    }
    assert!(ended > 0);
}
