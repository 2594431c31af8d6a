//! Servers that redirect, forge, refuse, or are not there.

use std::net::UdpSocket;

use locator::UriRef;
use locator::plan::Meaning;
use locator_audit::Policy;
use locator_dev::prospero::{Directory, Options, serve, start};
use locator_fetch::Fetcher;
use locator_fetch::run::FailureKind;

use crate::prospero::fetch::{fetch, offered, read};

fn contents(port: u16) -> Directory {
    Directory { only_contents: true, ..offered(port, 1) }
}

fn redirect(to: u16) -> Options {
    Options { redirect: Some(format!("127.0.0.1:{to}").parse().unwrap()), ..Options::default() }
}

#[tokio::test]
async fn another_server() {
    let second = start(Options::default(), contents).unwrap();
    let first = start(redirect(second), contents).unwrap();
    let mut fetched = fetch(&format!("prospero://localhost:{first}/AFTP/pub/a%20b")).await.unwrap();
    assert_eq!(fetched.url(), format!("prospero://127.0.0.1:{second}/AFTP/pub/a%20b"));
    assert_eq!(read(&mut fetched).await, b"hello\n\0'quoted'");
    let forward = Some(format!("127.0.0.1({second})"));
    let first = start(Options::default(), |port| Directory { forward, ..offered(port, 1) }).unwrap();
    let mut fetched = fetch(&format!("prospero://127.0.0.1:{first}/AFTP/pub/a%20b")).await.unwrap();
    assert_eq!(fetched.url(), format!("prospero://127.0.0.1:{second}/AFTP/pub/a%20b"));
    assert_eq!(read(&mut fetched).await, b"hello\n\0'quoted'");
}

/// Another server is under the policy for what answers name.
#[tokio::test]
async fn another_server_that_is_not_allowed() {
    let to = Options { redirect: Some("127.0.0.1:53".parse().unwrap()), ..Options::default() };
    let first = start(to, contents).unwrap();
    let error = fetch(&format!("prospero://127.0.0.1:{first}/a")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(_)), "{error}");
}

#[tokio::test]
async fn two_servers_that_redirect_to_each_other() {
    let sockets = [(); 2].map(|()| UdpSocket::bind("127.0.0.1:0").unwrap());
    let ports = [0, 1].map(|index: usize| sockets[index].local_addr().unwrap().port());
    for (socket, to) in sockets.into_iter().zip([ports[1], ports[0]]) {
        std::thread::spawn(move || serve(&socket, contents(0), redirect(to)));
    }
    let error = fetch(&format!("prospero://127.0.0.1:{}/a", ports[0])).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::TooMuch { limit: 10, .. }), "{error}");
    // By FORWARDED.
    let circle = |port| Directory { forward: Some(format!("127.0.0.1({port})")), ..contents(port) };
    let port = start(Options::default(), circle).unwrap();
    let error = fetch(&format!("prospero://127.0.0.1:{port}/a")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::TooMuch { limit: 10, .. }), "{error}");
}

#[tokio::test]
async fn a_server_that_refuses() {
    let port = start(Options { refuses: true, ..Options::default() }, contents).unwrap();
    let error = fetch(&format!("prospero://127.0.0.1:{port}/a")).await.unwrap_err();
    assert_eq!(error.failure().unwrap().kind, FailureKind::Said(Meaning::Refused));
}

/// The system says that nobody listens, so nobody waits.
#[tokio::test]
async fn nobody_is_there() {
    let port = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for host in ["127.0.0.1", "localhost"] {
        let error = fetch(&format!("prospero://{host}:{port}/a")).await.unwrap_err();
        assert!(matches!(&error.failure().unwrap().kind, FailureKind::NotConnected(_)), "{error}");
    }
}

/// A name with several addresses, of which only one is listened at.
#[tokio::test]
async fn the_other_address_of_a_name() {
    let port = start(Options::default(), contents).unwrap();
    let mut fetched = fetch(&format!("prospero://localhost:{port}/AFTP/pub/a%20b")).await.unwrap();
    assert_eq!(read(&mut fetched).await, b"hello\n\0'quoted'");
}

#[tokio::test(start_paused = true)]
async fn silence() {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let url = format!("prospero://127.0.0.1:{}/a", socket.local_addr().unwrap().port());
    let error = fetch(&url).await.unwrap_err();
    assert_eq!(error.failure().unwrap().kind, FailureKind::TimedOut(58_000));
    let error = Fetcher::with_policy(Policy::typed())
        .read_timeout(std::time::Duration::from_secs(5))
        .fetch(UriRef::parse(&url).unwrap())
        .await
        .unwrap_err();
    assert_eq!(error.failure().unwrap().kind, FailureKind::TimedOut(5_000));
    // The requests of both, which have different numbers.
    let mut sent = Vec::new();
    let mut buffer = [0; 2000];
    socket.set_nonblocking(true).unwrap();
    while let Ok(length) = socket.recv(&mut buffer) {
        sent.push(buffer[..length].to_vec());
    }
    assert_eq!(sent.len(), 15 + 2);
    assert!(sent[..15].iter().all(|one| *one == sent[0]) && sent[15] == sent[16]);
    assert_eq!(sent[0][3..9], [0, 1, 0, 1, 0, 0]);
    assert_eq!(sent[0][9..], *b"GET-OBJECT-INFO ACCESS-METHOD+SIZE+UNIX-MODES ASCII a 0\n");
}

/// An answer from another address, with the number that the client chose, is dropped by the system.
#[tokio::test]
async fn a_forged_answer() {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    let forger = UdpSocket::bind("127.0.0.1:0").unwrap();
    std::thread::spawn(move || {
        let mut buffer = [0; 2000];
        while let Ok((_, client)) = socket.recv_from(&mut buffer) {
            let answer = |text: &[u8]| [&[3, buffer[1], buffer[2]], text].concat();
            forger.send_to(&answer(b"FAILURE NOT-AUTHORIZED\n"), client).unwrap();
            let wrong = [&[3, !buffer[1], buffer[2]], &b"FAILURE NOT-AUTHORIZED\n"[..]].concat();
            socket.send_to(&wrong, client).unwrap();
            socket.send_to(&answer(b"FAILURE NOT-FOUND\n"), client).unwrap();
        }
    });
    for _ in 0..20 {
        let error = fetch(&format!("prospero://127.0.0.1:{port}/a")).await.unwrap_err();
        assert_eq!(error.failure().unwrap().kind, FailureKind::Said(Meaning::Missing));
    }
}
