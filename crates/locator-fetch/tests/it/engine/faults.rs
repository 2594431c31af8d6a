//! Servers on bad days: they end early, send garbage, are silent or slow, reply out of step, and lead
//! elsewhere.

use std::sync::Arc;
use std::time::Duration;

use locator::UriRef;
use locator_fetch::run::{ConnectCause, FailureKind, Whole};
use locator_fetch::{FetchError, Fetcher};
use tokio::sync::Notify;

use crate::engine::clear::ftp;
use crate::engine::scripted::{self, Action::*, serve};
use crate::engine::{fetch, get, get_with, read};

/// A transfer after a reply to EPSV that leads to no data connection, and the host of 227.
fn by_pasv(reply: &'static [u8], host: &'static str) -> Vec<scripted::Action> {
    let transfer = [Send(b"150 here\r\n"), SendData(b"x"), CloseData, Send(b"226 sent\r\n")];
    [Send(reply), Line, Pasv(host), Line].into_iter().chain(transfer).collect()
}

#[tokio::test]
async fn nobody_listens() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let error = get(&format!("gopher://127.0.0.1:{port}/0a")).await.unwrap_err();
    let FailureKind::NotConnected(why) = &error.failure().unwrap().kind else { panic!("{error}") };
    assert_eq!(why.cause, ConnectCause::Refused, "{error}");
    let source = std::error::Error::source(&error).unwrap();
    let kind = source.downcast_ref::<std::io::Error>().unwrap().kind();
    assert_eq!(kind, std::io::ErrorKind::ConnectionRefused);
}

#[tokio::test]
async fn the_host_of_227_is_ignored() {
    let port = serve(ftp(by_pasv(b"500 what?\r\n", "10,0,0,1"))).await;
    assert_eq!(get(&format!("ftp://127.0.0.1:{port}/a")).await.unwrap().0, b"x");
}

#[tokio::test]
async fn a_data_port_that_does_not_connect() {
    let port = serve(ftp(by_pasv(b"229 (|||1|)\r\n", "127,0,0,1"))).await;
    assert_eq!(get(&format!("ftp://127.0.0.1:{port}/a")).await.unwrap().0, b"x");
}

#[tokio::test]
async fn early_ends() {
    let cut = |error: FetchError| matches!(&error.failure().unwrap().kind, FailureKind::CutOff);
    let port = serve(vec![Close]).await;
    assert!(cut(get(&format!("ftp://127.0.0.1:{port}/a")).await.unwrap_err()));
    let port = serve(vec![Send(b"22"), Close]).await;
    assert!(cut(get(&format!("ftp://127.0.0.1:{port}/a")).await.unwrap_err()));
    // The data ends, and the reply does not come.
    let port = serve(ftp(vec![Epsv, Line, Send(b"150 here\r\n"), SendData(b"x"), CloseData, Close])).await;
    let mut fetched = fetch(&format!("ftp://127.0.0.1:{port}/a")).await.unwrap();
    assert_eq!(fetched.chunk().await.unwrap().unwrap(), "x");
    let error = fetched.chunk().await.unwrap_err();
    assert!(cut(error.clone()), "{error}");
    assert_eq!(fetched.chunk().await.unwrap_err(), error);
    assert_eq!(fetched.whole(), None);
    // A reset is not an end.
    let told = Arc::new(Notify::new());
    let port = serve(vec![Line, Send(b"hello"), Wait(told.clone()), Reset]).await;
    let mut fetched = fetch(&format!("gopher://127.0.0.1:{port}/9/a")).await.unwrap();
    assert_eq!(fetched.chunk().await.unwrap().unwrap(), "hello");
    told.notify_one();
    let error = fetched.chunk().await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::Reset), "{error}");
}

#[tokio::test]
async fn garbage() {
    let port = serve(vec![Send(b"SSH-2.0-OpenSSH\r\n"), Hang]).await;
    let error = get(&format!("ftp://127.0.0.1:{port}/a")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::Garbled(_)), "{error}");
    let port = serve(vec![Repeat(b"220-and so on\r\n")]).await;
    let error = get(&format!("ftp://127.0.0.1:{port}/a")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::TooMuch { .. }), "{error}");
}

#[tokio::test]
async fn replies_out_of_step() {
    // 226 in place of 150, a second greeting in place of 331, and a reply that nobody asked for.
    let data = [SendData(b"x"), CloseData, Hang];
    let early = ftp([vec![Epsv, Line, Send(b"226 sent\r\n150 here\r\n")], data.to_vec()].concat());
    let greeted = vec![Send(b"220 ready\r\n220 ready\r\n"), Line, Hang];
    let extra = ftp(vec![Send(b"200 again\r\n"), Epsv, Line, Hang]);
    for script in [early, greeted, extra] {
        let port = serve(script).await;
        let error = get(&format!("ftp://127.0.0.1:{port}/a")).await.unwrap_err();
        let unexpected = FailureKind::Said(locator::plan::Meaning::Unexpected);
        assert_eq!(error.failure().unwrap().kind, unexpected, "{error}");
    }
}

#[tokio::test]
async fn what_a_server_says_no_to() {
    let port = serve(ftp(vec![Epsv, Line, Send(b"553 no\r\n"), Hang])).await;
    let error = get(&format!("ftp://joe:secret@127.0.0.1:{port}/a")).await.unwrap_err();
    assert!(error.failure().unwrap().kind.is_said(), "{error}");
    assert!(!error.to_string().contains("secret"), "{error}");
    assert!(error.to_string().contains("553 no"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn silence() {
    let port = serve(vec![Line, Send(b"hello"), Hang]).await;
    let fetcher = Fetcher::for_user_input().read_timeout(Duration::from_secs(5));
    let url = format!("gopher://127.0.0.1:{port}/9/a");
    let mut fetched = fetcher.fetch(UriRef::parse(&url).unwrap()).await.unwrap();
    assert_eq!(fetched.chunk().await.unwrap().unwrap(), "hello");
    // A slow reader is not a silent server.
    tokio::time::sleep(Duration::from_secs(100)).await;
    let begin = tokio::time::Instant::now();
    let error = fetched.chunk().await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::TimedOut(5_000)), "{error}");
    assert_eq!(begin.elapsed().as_secs(), 5);
}

#[tokio::test]
async fn one_octet_a_time() {
    let port = serve(ftp(vec![
        Epsv,
        Line,
        Slowly(b"150-here\r\n150 it is\r\n"),
        SendData(b"x"),
        CloseData,
        Slowly(b"226 sent\r\n"),
    ]))
    .await;
    assert_eq!(get(&format!("ftp://127.0.0.1:{port}/a")).await.unwrap().0, b"x");
}

#[tokio::test(start_paused = true)]
async fn an_octet_a_second() {
    let fetcher = || Fetcher::for_user_input().read_timeout(Duration::from_secs(5));
    // An object may come slowly.
    let port = serve(vec![Line, EachSecond(b"0123456789"), Close]).await;
    let got = get_with(fetcher(), &format!("gopher://127.0.0.1:{port}/9/a")).await.unwrap();
    assert_eq!(got, (b"0123456789".to_vec(), Whole::Unverified));
    // Each reply must be whole in time.
    let port = serve(vec![EachSecond(b"220 ready\r\n"), Hang]).await;
    let error = get_with(fetcher(), &format!("ftp://127.0.0.1:{port}/a")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::TimedOut(5_000)), "{error}");
    // And all of it.
    let fetcher = fetcher().timeout(Duration::from_secs(7));
    let port = serve(vec![Line, EachSecond(b"0123456789"), Close]).await;
    let error = get_with(fetcher, &format!("gopher://127.0.0.1:{port}/9/a")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::TookTooLong(7_000)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_too_slow() {
    for (every, is_fast) in [(900, true), (1_100, false)] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::io::AsyncReadExt::read_exact(&mut stream, &mut [0; 4]).await.unwrap();
            for _ in 0..30 {
                tokio::time::sleep(Duration::from_millis(every)).await;
                if tokio::io::AsyncWriteExt::write_all(&mut stream, &[b'x'; 1_024]).await.is_err() {
                    return;
                }
            }
        });
        let fetcher = Fetcher::for_user_input().min_speed(1_024, Duration::from_secs(10));
        let url = format!("gopher://127.0.0.1:{port}/9/a");
        let begin = tokio::time::Instant::now();
        let mut fetched = fetcher.fetch(UriRef::parse(&url).unwrap()).await.unwrap();
        let octets = read(&mut fetched).await;
        if is_fast {
            assert_eq!(octets.unwrap().len(), 30 << 10);
        } else {
            let error = octets.unwrap_err();
            assert!(matches!(&error.failure().unwrap().kind, FailureKind::TooSlow(1_024)), "{error}");
            assert_eq!(begin.elapsed().as_secs(), 10);
        }
    }
}

#[tokio::test]
async fn an_octet_before_tls() {
    // Somebody in between adds a reply to the one of AUTH.
    let port = serve(vec![Send(b"220 ready\r\n"), Line, Send(b"234 go on\r\n230 injected\r\n"), Hang]).await;
    let options = locator::plan::Options::new().ftp_tls(locator::plan::Tls::Required);
    let url = format!("ftp://127.0.0.1:{port}/a");
    let error =
        Fetcher::for_user_input().options(options).fetch(UriRef::parse(&url).unwrap()).await.unwrap_err();
    assert!(
        matches!(&error.failure().unwrap().kind, FailureKind::Injected | FailureKind::NotSecured(_)),
        "{error}"
    );
}
