//! TLS and HTTP/2.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use locator_fetch::Version;
use locator_fetch::run::{FailureKind, TlsCause};
use rcgen::{CertificateParams, KeyPair};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::server::TlsStream;

use super::server::{read_request, response};
use super::*;
use crate::certificates::{self, Authority};

/// The versions of HTTP of a server.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocols {
    Http1,
    Both,
}

/// A listener for TLS.
struct TlsListener {
    listener: TcpListener,
    acceptor: TlsAcceptor,
    port: u16,
}

impl TlsListener {
    /// Listens with the certificate of these settings. A client may choose one of these protocols.
    async fn bind(config: &ServerConfig, protocols: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let mut config = config.clone();
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        Self { listener, acceptor: TlsAcceptor::from(Arc::new(config)), port }
    }

    /// Returns the next connection; an error if the client does not like the certificate.
    async fn accept(&self) -> std::io::Result<TlsStream<TcpStream>> {
        let (stream, _) = self.listener.accept().await?;
        self.acceptor.accept(stream).await
    }
}

/// Returns a response of HTTP with a text.
fn text(text: &'static str) -> hyper::Response<http_body_util::Full<Bytes>> {
    hyper::Response::new(http_body_util::Full::new(Bytes::from(text)))
}

/// A server with TLS.
pub(crate) struct Secured {
    pub(crate) port: u16,
    pub(crate) requests: Arc<Mutex<Vec<String>>>,
    pub(crate) connections: Arc<AtomicUsize>,
}

/// Starts a server by hyper, which answers each request with a text and a trailer.
pub(crate) async fn secured(config: Arc<ServerConfig>, protocols: Protocols, text: &'static str) -> Secured {
    let names = if protocols == Protocols::Both { &["h2", "http/1.1"][..] } else { &["http/1.1"] };
    let listener = TlsListener::bind(&config, names).await;
    let server = Secured { port: listener.port, requests: Arc::default(), connections: Arc::default() };
    let (requests, connections) = (server.requests.clone(), server.connections.clone());
    tokio::spawn(async move {
        loop {
            let accepted = listener.accept().await;
            connections.fetch_add(1, Ordering::Relaxed);
            let Ok(stream) = accepted else { continue };
            let requests = requests.clone();
            let answer = service_fn(move |request: hyper::Request<Incoming>| {
                let line = format!("{:?} {} {}", request.version(), request.method(), request.uri());
                requests.lock().unwrap().push(line);
                async move {
                    let mut trailers = hyper::HeaderMap::new();
                    trailers.insert("x-sum", "1".parse().unwrap());
                    let frames = [Frame::data(Bytes::from(text)), Frame::trailers(trailers)];
                    let frames = futures_of(frames.map(Ok::<_, Infallible>).into());
                    let body = StreamBody::new(frames).boxed_unsync();
                    let response = hyper::Response::builder().header("x-a", "b");
                    Ok::<_, Infallible>(response.body(body).unwrap())
                }
            });
            tokio::spawn(async move {
                let builder = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                let _ = builder.serve_connection(TokioIo::new(stream), answer).await;
            });
        }
    });
    server
}

/// Returns a stream of these items.
fn futures_of<T: Unpin>(items: Vec<T>) -> impl futures_core::Stream<Item = T> {
    struct Items<T>(std::vec::IntoIter<T>);

    impl<T: Unpin> futures_core::Stream for Items<T> {
        type Item = T;

        fn poll_next(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<T>> {
            std::task::Poll::Ready(self.0.next())
        }
    }

    Items(items.into_iter())
}

#[tokio::test]
async fn both_versions() {
    let authority = Authority::new();
    for (protocols, offers, version) in [
        (Protocols::Both, true, Version::Http2),
        (Protocols::Both, false, Version::Http11),
        (Protocols::Http1, true, Version::Http11),
    ] {
        let server = secured(authority.server("localhost"), protocols, "hello").await;
        let fetcher = fetcher(Http::new().http2(offers)).trust(authority.trust());
        let url = format!("https://localhost:{}/a%20b/../c?d", server.port);
        for _ in 0..2 {
            let mut fetched = fetch_by(&fetcher, &url).await.unwrap();
            let head = fetched.head().unwrap().clone();
            assert_eq!((head.version, head.status, head.headers.get("X-A")), (version, 200, Some("b")));
            let mut text = Vec::new();
            while let Some(chunk) = fetched.chunk().await.unwrap() {
                text.extend_from_slice(&chunk);
            }
            assert_eq!((&*text, fetched.whole()), (&b"hello"[..], Some(Whole::Framed)));
            if version == Version::Http2 {
                assert_eq!(fetched.body().trailers().iter().next().unwrap().0, "x-sum");
            }
        }
        assert_eq!(server.connections.load(Ordering::Relaxed), 1);
        let request = server.requests.lock().unwrap()[0].clone();
        let expected = match version {
            Version::Http2 => format!("HTTP/2.0 GET https://localhost:{}/a%20b/../c?d", server.port),
            _ => "HTTP/1.1 GET /a%20b/../c?d".into(),
        };
        assert_eq!(request, expected);
    }
}

/// Returns the settings of a server that has signed its certificate itself.
fn self_signed(host: &str) -> Arc<ServerConfig> {
    let key = KeyPair::generate().unwrap();
    let own = CertificateParams::new([host.to_owned()]).unwrap().self_signed(&key).unwrap();
    certificates::config(own.der().clone(), &key)
}

#[tokio::test]
async fn wrong_certificates() {
    let (authority, other) = (Authority::new(), Authority::named("another authority"));
    for (config, trust, word, cause) in [
        (authority.expired("localhost"), authority.trust(), "expired", TlsCause::Expired),
        (authority.server("other.example"), authority.trust(), "for other.example", TlsCause::OtherName),
        (authority.server("localhost"), Authority::new().trust(), "certificate", TlsCause::Certificate),
        (self_signed("localhost"), authority.trust(), "self-signed", TlsCause::SelfSigned),
        (authority.server("localhost"), other.trust(), "not signed by a trusted", TlsCause::UnknownIssuer),
    ] {
        let server = secured(config, Protocols::Both, "").await;
        let fetcher = fetcher(Http::new()).trust(trust);
        let error = fetch_by(&fetcher, &format!("https://localhost:{}/", server.port)).await.unwrap_err();
        let FailureKind::NotSecured(why) = &error.failure().unwrap().kind else { panic!("{error}") };
        assert!(why.cause == cause && why.text.to_lowercase().contains(word), "{error}");
        assert!(error.failure().unwrap().source.as_ref().unwrap().is::<std::io::Error>(), "{error}");
        assert!(server.requests.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn another_trust_has_other_connections() {
    let authority = Authority::new();
    let server = secured(authority.server("localhost"), Protocols::Both, "x").await;
    let url = format!("https://localhost:{}/", server.port);
    let unchecked = fetcher(Http::new()).trust(locator_fetch::Trust::Anything);
    assert_eq!(get_by(&unchecked, &url).await.unwrap(), "x");
    let checked = unchecked.trust(Authority::new().trust());
    let error = fetch_by(&checked, &url).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::NotSecured(_)), "{error}");
}

/// Starts a server of TLS that answers with these octets and then ends, with close_notify or without.
async fn ends(config: Arc<ServerConfig>, octets: Vec<u8>, notifies: bool) -> u16 {
    let listener = TlsListener::bind(&config, &[]).await;
    let port = listener.port;
    tokio::spawn(async move {
        let mut stream = listener.accept().await.unwrap();
        read_request(&mut stream).await.unwrap();
        stream.write_all(&octets).await.unwrap();
        stream.flush().await.unwrap();
        if notifies {
            stream.shutdown().await.unwrap();
        }
    });
    port
}

#[tokio::test]
async fn tls_that_is_cut_off() {
    let authority = Authority::new();
    let fetcher = fetcher(Http::new()).trust(authority.trust());
    let unframed = b"HTTP/1.1 200 OK\r\n\r\nhello".to_vec();
    let config = || authority.server("localhost");
    let port = ends(config(), unframed.clone(), true).await;
    let fetched = fetch_by(&fetcher, &format!("https://localhost:{port}/")).await.unwrap();
    assert_eq!(read(fetched).await.unwrap(), (b"hello".to_vec(), Whole::Confirmed));
    let port = ends(config(), unframed, false).await;
    let error = get_by(&fetcher, &format!("https://localhost:{port}/")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::CutOff), "{error}");
    // A length confirms it.
    let port = ends(config(), response("200 OK", "", "hello"), false).await;
    let fetched = fetch_by(&fetcher, &format!("https://localhost:{port}/")).await.unwrap();
    assert_eq!(read(fetched).await.unwrap(), (b"hello".to_vec(), Whole::Framed));
}

/// Frames of HTTP/2 (RFC 9113, 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

const SETTINGS: u8 = 4;
const HEADERS: u8 = 1;
const DATA: u8 = 0;

/// What a server of HTTP/2 does after its first frames.
enum Then {
    Wait,
    Close,
    /// Sends these frames for ever.
    Repeat(Vec<u8>),
}

/// Starts a server of HTTP/2 that sends these frames when a request is there.
async fn frames(config: Arc<ServerConfig>, first: Vec<u8>, then: Then) -> u16 {
    let listener = TlsListener::bind(&config, &["h2"]).await;
    let port = listener.port;
    tokio::spawn(async move {
        let mut stream = listener.accept().await.unwrap();
        stream.write_all(&frame(SETTINGS, 0, 0, b"")).await.unwrap();
        stream.flush().await.unwrap();
        let (mut reader, mut writer) = tokio::io::split(stream);
        let mut request = [0; 1024];
        let mut count = 0;
        // The preface, SETTINGS, and the head of the request.
        while count < 24
            || !request[24..count].windows(9).any(|head| head[3] == HEADERS && head[5..9] == [0, 0, 0, 1])
        {
            count += reader.read(&mut request[count..]).await.unwrap();
        }
        let drain = async { while reader.read(&mut [0; 4096]).await.is_ok_and(|count| count > 0) {} };
        let flood = async {
            writer.write_all(&first).await?;
            writer.flush().await?;
            match then {
                Then::Wait => std::future::pending::<()>().await,
                Then::Close => writer.shutdown().await?,
                Then::Repeat(rest) => loop {
                    writer.write_all(&rest).await?;
                },
            }
            std::io::Result::Ok(())
        };
        tokio::select! { () = drain => {} _ = flood => {} }
    });
    port
}

/// The head of a response with the status 200, by HPACK's static table.
const OK: &[u8] = &[0x88];

#[tokio::test]
async fn resets_and_floods_of_http2() {
    let authority = Authority::new();
    let head = frame(HEADERS, 4, 1, OK);
    let reset = frame(3, 0, 1, &8_u32.to_be_bytes());
    let away = frame(7, 0, 0, &[&[0; 4][..], &2_u32.to_be_bytes()].concat());
    // 103 with a field of 1 KiB.
    let interim = frame(
        HEADERS,
        4,
        1,
        &[&[0x08, 3, b'1', b'0', b'3', 0, 1, b'a', 0x7F, 0x81, 7][..], &[b'x'; 1024]].concat(),
    );
    let ping = frame(6, 0, 0, &[0; 8]);
    let too_long = frame(HEADERS, 0, 1, &[OK, &[0, 1, b'a', 0x7F, 0x81, 7], &[b'x'; 1024]].concat());
    let continued = frame(9, 0, 1, &[&[0, 1, b'a', 0x7F, 0x81, 7][..], &[b'x'; 1024]].concat());
    let data = frame(DATA, 0, 1, &[0; 1024]);
    let settings = frame(SETTINGS, 0, 0, b"");
    for (name, first, rest) in [
        ("a reset", reset.clone(), Then::Wait),
        ("a reset of a body", [head.clone(), frame(DATA, 0, 1, b"x"), reset].concat(), Then::Wait),
        ("away", away, Then::Wait),
        ("pings", vec![], Then::Repeat(ping)),
        ("settings", vec![], Then::Repeat(settings)),
        ("interim responses", vec![], Then::Repeat(interim)),
        ("a head without an end", too_long, Then::Repeat(continued)),
        ("a body without an end", head.clone(), Then::Repeat(data)),
        ("a body before its head", frame(DATA, 0, 1, b"x"), Then::Wait),
        ("garbage", b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(), Then::Wait),
    ] {
        let port = frames(authority.server("localhost"), first, rest).await;
        let fetcher = fetcher(Http::new()).trust(authority.trust()).max_size(1 << 20);
        let error = get_by(&fetcher, &format!("https://localhost:{port}/")).await.expect_err(name);
        let is_one = matches!(
            &error.failure().unwrap().kind,
            FailureKind::Reset | FailureKind::CutOff | FailureKind::TooMuch { .. } | FailureKind::Protocol(_)
        );
        assert!(is_one, "{name}: {error}");
        if ["pings", "settings", "interim responses"].contains(&name) {
            let kind = &error.failure().unwrap().kind;
            assert!(matches!(kind, FailureKind::TooMuch { limit: 0x10_0000, .. }), "{name}: {error}");
        }
    }
    // The length of a body is checked here, too.
    let head = frame(HEADERS, 4, 1, &[OK, &[0x5C, 1, b'5']].concat());
    let port =
        frames(authority.server("localhost"), [head, frame(DATA, 1, 1, b"xyz")].concat(), Then::Wait).await;
    let fetcher = fetcher(Http::new()).trust(authority.trust());
    let error = get_by(&fetcher, &format!("https://localhost:{port}/")).await.unwrap_err();
    assert!(!matches!(&error.failure().unwrap().kind, FailureKind::TimedOut(_)), "{error}");
}

/// A response of HTTP/2 is whole after a frame with END_STREAM (RFC 9113, 8.1), whatever else ends it, by a
/// fetcher that shares its connection and by one that does not.
#[tokio::test]
async fn endings_of_http2() {
    let authority = Authority::new();
    let reset = |code: u32| frame(3, 0, 1, &code.to_be_bytes());
    let away = |last: u32| frame(7, 0, 0, &[last.to_be_bytes(), [0; 4]].concat());
    let length = |digit: u8| frame(HEADERS, 4, 1, &[OK, &[0x5C, 1, digit]].concat());
    let framings = [
        ("no body", frame(HEADERS, 4, 1, OK)),
        ("a part", [frame(HEADERS, 4, 1, OK), frame(DATA, 0, 1, b"xyz")].concat()),
        ("a part of a length", [length(b'5'), frame(DATA, 0, 1, b"xyz")].concat()),
        ("all of a length", [length(b'3'), frame(DATA, 0, 1, b"xyz")].concat()),
        ("a length of 0", length(b'0')),
    ];
    for (framing, sent) in framings {
        for (ending, last, closes) in [
            ("RST_STREAM(NO_ERROR)", reset(0), false),
            ("RST_STREAM(CANCEL)", reset(8), false),
            ("RST_STREAM(REFUSED_STREAM)", reset(7), false),
            ("GOAWAY(0)", away(0), false),
            ("GOAWAY(0) and the end", away(0), true),
            ("GOAWAY(1) and the end", away(1), true),
            ("the end", vec![], true),
        ] {
            for method in ["GET", "POST"] {
                let then = if closes { Then::Close } else { Then::Wait };
                let port = frames(authority.server("localhost"), [&*sent, &last].concat(), then).await;
                let fetcher = fetcher(Http::new()).trust(authority.trust());
                let url = format!("https://localhost:{port}/");
                let got = match fetcher.request(&*url).method(method).send().await {
                    Ok(response) => response.text().await.map(|_| ()),
                    Err(error) => Err(error),
                };
                let error = got.expect_err(&format!("{method}, {framing}, {ending}"));
                let kind = &error.failure().unwrap().kind;
                let is_early =
                    matches!(kind, FailureKind::CutOff | FailureKind::Reset | FailureKind::Protocol(_));
                assert!(is_early, "{framing}, {ending}: {error}");
            }
        }
    }
    // "After sending a complete response", a server may ask for an end of the request.
    for end in [reset(0), away(1), away(0)] {
        let whole = [frame(HEADERS, 4, 1, OK), frame(DATA, 1, 1, b"xyz"), end].concat();
        let port = frames(authority.server("localhost"), whole, Then::Close).await;
        let fetcher = fetcher(Http::new()).trust(authority.trust());
        assert_eq!(get_by(&fetcher, &format!("https://localhost:{port}/")).await.unwrap(), "xyz");
    }
}

/// Threads that fetch at the same time share a connection of HTTP/2, and have their own of HTTP/1.1.
#[tokio::test]
async fn threads_share_a_connection() {
    let authority = Authority::new();
    for (protocols, most) in [(Protocols::Both, 1), (Protocols::Http1, 9)] {
        let server = secured(authority.server("localhost"), protocols, "hello").await;
        let fetcher = locator_fetch::blocking::Fetcher::for_user_input().trust(authority.trust());
        let fetched = |number: usize| {
            let (fetcher, url) = (fetcher.separate(), format!("https://localhost:{}/{number}", server.port));
            tokio::task::spawn_blocking(move || {
                for _ in 0..20 {
                    let response = fetcher.fetch(url.as_str()).unwrap();
                    assert_eq!(response.text().unwrap(), "hello");
                }
            })
        };
        for thread in (0..8).map(fetched).collect::<Vec<_>>() {
            thread.await.unwrap();
        }
        assert_eq!(server.requests.lock().unwrap().len(), 160);
        let connections = server.connections.load(Ordering::Relaxed);
        assert!(connections <= most, "{connections}");
    }
}

/// Tasks that fetch at the same time share a connection of HTTP/2; another runtime has its own.
#[tokio::test]
async fn tasks_share_a_connection() {
    let authority = Authority::new();
    let server = secured(authority.server("localhost"), Protocols::Both, "hello").await;
    let fetcher = fetcher(Http::new()).trust(authority.trust());
    let fetched = |number: usize| {
        let (fetcher, url) = (fetcher.clone(), format!("https://localhost:{}/{number}", server.port));
        async move {
            for _ in 0..20 {
                assert_eq!(get_by(&fetcher, &url).await.unwrap(), "hello");
                // What nobody reads ends a request, and not the connection.
                fetch_by(&fetcher, &url).await.unwrap();
                fetcher.request(&url).method("HEAD").send().await.unwrap();
            }
        }
    };
    for task in (0..8).map(|number| tokio::spawn(fetched(number))).collect::<Vec<_>>() {
        task.await.unwrap();
    }
    assert_eq!(server.requests.lock().unwrap().len(), 480);
    assert_eq!(server.connections.load(Ordering::Relaxed), 1);
    let thread = fetched(8);
    let thread = tokio::task::spawn_blocking(move || {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(thread);
    });
    thread.await.unwrap();
    assert_eq!(server.connections.load(Ordering::Relaxed), 2);
    fetched(0).await;
    assert_eq!(server.connections.load(Ordering::Relaxed), 2);
}

/// A connection has no more requests at the same time than its server allows.
#[tokio::test]
async fn streams_are_counted() {
    const MOST: usize = 3;
    let authority = Authority::new();
    let listener = TlsListener::bind(&authority.server("localhost"), &["h2"]).await;
    let port = listener.port;
    let (connections, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (counted, seen) = (connections.clone(), most.clone());
    tokio::spawn(async move {
        while let Ok(stream) = listener.accept().await {
            counted.fetch_add(1, Ordering::Relaxed);
            let (present, most) = (Arc::new(AtomicUsize::new(0)), seen.clone());
            let answer = service_fn(move |_: hyper::Request<Incoming>| {
                let (present, most) = (present.clone(), most.clone());
                async move {
                    most.fetch_max(present.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
                    for _ in 0..10 {
                        tokio::task::yield_now().await;
                    }
                    present.fetch_sub(1, Ordering::Relaxed);
                    Ok::<_, Infallible>(text("x"))
                }
            });
            tokio::spawn(async move {
                let mut builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                // A request more is an error of the connection.
                builder.max_concurrent_streams(MOST as u32);
                let _ = builder.serve_connection(TokioIo::new(stream), answer).await;
            });
        }
    });
    let fetcher = fetcher(Http::new()).trust(authority.trust());
    let url = format!("https://localhost:{port}/");
    assert_eq!(get_by(&fetcher, &url).await.unwrap(), "x");
    let tasks: Vec<_> = (0..50)
        .map(|_| {
            let (fetcher, url) = (fetcher.clone(), url.clone());
            tokio::spawn(async move { get_by(&fetcher, &url).await })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap().unwrap(), "x");
    }
    let (connections, most) = (connections.load(Ordering::Relaxed), most.load(Ordering::Relaxed));
    assert_eq!((connections, most), (2, MOST));
}

/// A shared connection ends with its fetcher, and what is taken back of it does not end it.
#[tokio::test]
async fn a_shared_connection_ends_with_its_fetcher() {
    let authority = Authority::new();
    let listener = TlsListener::bind(&authority.server("localhost"), &["h2"]).await;
    let port = listener.port;
    let server = tokio::spawn(async move {
        let stream = listener.accept().await.unwrap();
        let answer = service_fn(|request: hyper::Request<Incoming>| async move {
            if request.uri().path() == "/never" {
                std::future::pending::<()>().await;
            }
            Ok::<_, Infallible>(text("x"))
        });
        let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        builder.serve_connection(TokioIo::new(stream), answer).await
    });
    let fetcher = fetcher(Http::new()).trust(authority.trust());
    let url = |path: &str| format!("https://localhost:{port}{path}");
    for _ in 0..2 {
        let (taken_back, other) = (url("/never"), url("/"));
        tokio::select! {
            biased;
            _ = fetch_by(&fetcher, &taken_back) => panic!("it has no response"),
            text = async {
                let text = get_by(&fetcher, &other).await;
                get_by(&fetcher, &other).await.and(text)
            } => assert_eq!(text.unwrap(), "x"),
        }
    }
    drop(fetcher);
    server.await.unwrap().unwrap();
}

/// A server that ends its connection gets the others on a new one; one that cannot be reached is an error for
/// every thread.
#[tokio::test]
async fn a_shared_connection_that_ends() {
    let authority = Authority::new();
    let listener = TlsListener::bind(&authority.server("localhost"), &["h2"]).await;
    let port = listener.port;
    let server = tokio::spawn(async move {
        // Each connection answers ten requests, and then says that it ends.
        loop {
            let Ok(stream) = listener.accept().await else { continue };
            tokio::spawn(async move {
                let count = Arc::new(AtomicUsize::new(0));
                let seen = count.clone();
                let answer = service_fn(move |_: hyper::Request<Incoming>| {
                    seen.fetch_add(1, Ordering::Relaxed);
                    async { Ok::<_, Infallible>(text("hello")) }
                });
                let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), answer));
                std::future::poll_fn(|cx| {
                    if count.load(Ordering::Relaxed) >= 10 {
                        connection.as_mut().graceful_shutdown();
                    }
                    connection.as_mut().poll(cx)
                })
                .await
            });
        }
    });
    let fetcher = locator_fetch::blocking::Fetcher::for_user_input().trust(authority.trust());
    let fetched = |_| {
        let (fetcher, url) = (fetcher.separate(), format!("https://localhost:{port}/"));
        tokio::task::spawn_blocking(move || {
            for _ in 0..25 {
                assert_eq!(fetcher.fetch(url.as_str()).unwrap().text().unwrap(), "hello");
            }
        })
    };
    for thread in (0..8).map(fetched).collect::<Vec<_>>() {
        thread.await.unwrap();
    }
    server.abort();
    let url = format!(
        "https://localhost:{}/",
        TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
    );
    let failed = |_| {
        let (fetcher, url) = (fetcher.separate(), url.clone());
        tokio::task::spawn_blocking(move || fetcher.fetch(url.as_str()).is_err())
    };
    for thread in (0..8).map(failed).collect::<Vec<_>>() {
        assert!(thread.await.unwrap());
    }
}

/// A watcher sees what TLS agreed on.
#[tokio::test]
async fn what_tls_agreed_on() {
    let authority = Authority::new();
    for (protocols, protocol) in [(Protocols::Both, "h2"), (Protocols::Http1, "http/1.1")] {
        let server = secured(authority.server("localhost"), protocols, "hello").await;
        let (fetcher, seen) = watched(Http::new());
        let url = format!("https://localhost:{}/", server.port);
        get_by(&fetcher.trust(authority.trust()), &url).await.unwrap();
        let agreed = seen.agreed.lock().unwrap();
        let [tls] = &agreed[..] else { panic!("{agreed:?}") };
        assert_eq!((&*tls.version, tls.protocol.as_deref()), ("TLS 1.3", Some(protocol)));
        assert!(tls.cipher.starts_with("TLS_"), "{tls:?}");
        assert_eq!(tls.certificate.as_ref().unwrap().names, ["localhost"]);
    }
}
