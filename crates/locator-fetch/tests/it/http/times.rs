//! Limits of time: for connecting, for silence, and for all of it. The clock is paused: it goes on when
//! nothing else does.

use std::time::Duration;

use locator_fetch::http::Proxies;
use locator_fetch::run::FailureKind;
use locator_fetch::{Resolved, Resolver};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::{Instant, advance, sleep};

use super::server::{Answer, Server, ok, read_request, response};
use super::*;
use crate::certificates::Authority;

/// A resolver that never answers.
struct Silent;

impl Resolver for Silent {
    fn resolve<'a>(&'a self, _: &'a str) -> Resolved<'a> {
        Box::pin(std::future::pending())
    }
}

/// A server that accepts connections and says nothing.
async fn silent() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

#[tokio::test(start_paused = true)]
async fn connecting() {
    let authority = Authority::new();
    let (_listener, port) = silent().await;
    let by = |scheme: &str| Proxies::none().all(&format!("{scheme}://127.0.0.1:{port}")).unwrap();
    let own = |proxies| {
        fetcher(Http::new().proxies(proxies)).trust(authority.trust()).connect_timeout(Duration::from_secs(3))
    };
    for (fetcher, url) in [
        (own(Proxies::none()).resolver(Arc::new(Silent)), "http://www.example/".to_owned()),
        (own(Proxies::none()), format!("https://127.0.0.1:{port}/")),
        (own(by("http")), "https://www.example/".into()),
        (own(by("socks5h")), "http://www.example/".into()),
    ] {
        let start = Instant::now();
        let error = fetch_by(&fetcher, &url).await.unwrap_err();
        assert_eq!(error.failure().unwrap().kind, FailureKind::TimedOut(3_000), "{error}");
        assert_eq!(start.elapsed().as_secs(), 3, "{error}");
    }
}

/// Keeps the clock from going on by itself, as it does when every task waits: octets may be on their
/// way in the system then. A blocking task does so.
fn hold_the_clock() -> std::sync::mpsc::Sender<()> {
    let (held, wait) = std::sync::mpsc::channel();
    tokio::task::spawn_blocking(move || wait.recv());
    held
}

/// Sends an answer, and for one without a length more octets, slowly and for ever.
async fn drip(stream: &mut TcpStream, answer: &[u8]) {
    stream.write_all(answer).await.unwrap();
    while answer.ends_with(b"OK\r\n\r\n") && stream.write_all(b"x").await.is_ok() {
        sleep(Duration::from_secs(4)).await;
    }
}

/// The time of all of it has the redirects and the body in it.
#[tokio::test(start_paused = true)]
async fn all_of_it() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let redirect = response("302 Found", "Location: /b\r\nConnection: close\r\n", "");
        for answer in [redirect, b"HTTP/1.1 200 OK\r\n\r\n".to_vec()] {
            let (mut stream, _) = listener.accept().await.unwrap();
            assert!(read_request(&mut stream).await.unwrap().is_some());
            sleep(Duration::from_secs(4)).await;
            drip(&mut stream, &answer).await;
        }
    });
    let start = Instant::now();
    let error = get_by(
        &fetcher(Http::new()).read_timeout(Duration::from_secs(5)).timeout(Duration::from_secs(20)),
        &url,
    )
    .await
    .unwrap_err();
    assert_eq!(error.failure().unwrap().kind, FailureKind::TookTooLong(20_000), "{error}");
    assert_eq!(start.elapsed().as_secs(), 20);
}

/// A body that takes longer than the limit of silence is sent, while the server goes on to read it. The
/// server alone advances the clock: a piece is more than the system holds for a connection, so the client
/// has sent something when it was read.
#[tokio::test(start_paused = true)]
async fn a_long_body() {
    const LENGTH: usize = 32 << 20;
    let _held = hold_the_clock();
    for (pause, expected) in [(4, Ok("thanks".to_owned())), (30, Err(FailureKind::TimedOut(5_000)))] {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(16 << 10).unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let listener = socket.listen(1).unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut octets = vec![0; 8 << 20];
            let mut count = 0;
            while count < LENGTH {
                advance(Duration::from_secs(pause)).await;
                stream.read_exact(&mut octets).await.unwrap();
                count += octets.len();
            }
            stream.write_all(&response("200 OK", "", "thanks")).await.unwrap();
            let _ = stream.read(&mut octets).await;
        });
        let fetcher = fetcher(Http::new()).read_timeout(Duration::from_secs(5));
        let request = fetcher.request(&url).body(vec![b'x'; LENGTH]);
        let start = Instant::now();
        let read = async { request.send().await?.text().await };
        let read = read.await.map_err(|error| error.failure().unwrap().kind.clone());
        assert_eq!(read, expected, "{pause} seconds");
        assert!(start.elapsed().as_secs() >= 5);
    }
}

/// A server that has read everything and does not answer is silent, and so is one that sends its head
/// octet by octet.
#[tokio::test(start_paused = true)]
async fn no_answer() {
    for drips in [false, true] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            assert!(read_request(&mut stream).await.unwrap().is_some());
            while !drips || stream.write_all(b"H").await.is_ok() {
                sleep(Duration::from_secs(4)).await;
            }
        });
        let start = Instant::now();
        let fetcher = fetcher(Http::new()).read_timeout(Duration::from_secs(5));
        let error = fetcher.request(&url).body("x").send().await.unwrap_err();
        assert_eq!(
            (&error.failure().unwrap().kind, start.elapsed().as_secs()),
            (&FailureKind::TimedOut(5_000), 5),
            "{error}"
        );
    }
}

/// A redirect leads on although its body does not come; it takes another connection then.
#[tokio::test(start_paused = true)]
async fn a_redirect_without_its_body() {
    let head = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 10\r\n\r\n01234".to_vec();
    let server = Server::start(vec![Answer::Send(head), ok("there")]).await;
    let start = Instant::now();
    assert_eq!(get_by(&fetcher(Http::new()), &server.url("/")).await.unwrap(), "there");
    assert_eq!((server.connections(), start.elapsed().as_secs()), (2, 1));
}

#[tokio::test]
async fn the_times_of_a_fetch() {
    let server = Server::start(vec![
        Answer::Send(response("302 Found", "Location: /b\r\n", "")),
        ok("hello"),
        ok("again"),
        Answer::Send(response("404 Not Found", "", "")),
    ])
    .await;
    let fetcher = fetcher(Http::new());
    let response = fetcher.fetch(server.url("/a")).await.unwrap();
    let times = response.timings();
    assert_eq!(read(response).await.unwrap().0, b"hello");
    let order = [Duration::ZERO, times.name_lookup, times.connect, times.pre_transfer, times.start_transfer];
    assert!(order.is_sorted() && times.name_lookup > Duration::ZERO, "{times:?}");
    assert!(times.redirect > Duration::ZERO && times.app_connect == Duration::ZERO, "{times:?}");
    assert_eq!(times.connections, 1);
    // The connection is used again.
    let times = fetcher.fetch(server.url("/a")).await.unwrap().timings();
    assert_eq!((times.connect, times.redirect, times.connections), (Duration::ZERO, Duration::ZERO, 0));
    assert!(times.pre_transfer < times.start_transfer, "{times:?}");
    let error = fetcher.fetch(server.url("/a")).await.unwrap_err();
    assert!(error.timings().start_transfer > Duration::ZERO, "{error}");
}
