//! Why there is no connection, as a program matches it: it parses no sentence.

use std::net::{IpAddr, Ipv6Addr};

use locator_fetch::run::{ConnectCause, FailureKind, NameCause, NameError, TlsCause};
use locator_fetch::{Family, FetchErrorKind, Resolved, Resolver, Trust};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

/// A resolver that has one answer.
struct Answers(Result<Vec<IpAddr>, NameCause>);

impl Resolver for Answers {
    fn resolve<'a>(&'a self, _: &'a str) -> Resolved<'a> {
        let answer = self.0.clone().map_err(|cause| NameError::new(cause, "an answer of a test").into());
        Box::pin(async { answer })
    }
}

/// Returns the failure of a URL, by a resolver with an answer.
async fn failed(fetcher: Fetcher, url: &str, answer: Result<Vec<IpAddr>, NameCause>) -> FailureKind {
    let error = fetcher.resolver(Arc::new(Answers(answer))).fetch(url).await.unwrap_err();
    error.failure().unwrap().kind.clone()
}

#[tokio::test]
async fn names() {
    for (answer, cause, is_temporary) in [
        (Err(NameCause::NoSuchName), NameCause::NoSuchName, false),
        (Err(NameCause::NoAddress), NameCause::NoAddress, false),
        (Ok(Vec::new()), NameCause::NoAddress, false),
        (Err(NameCause::Temporary), NameCause::Temporary, true),
        (Err(NameCause::NoNetwork), NameCause::NoNetwork, true),
    ] {
        let kind = failed(fetcher(Http::new()), "http://www.example.com/", answer).await;
        let FailureKind::NameNotFound(why) = &kind else { panic!("{kind:?}") };
        assert_eq!((why.cause, kind.may_pass()), (cause, is_temporary), "{why}");
    }
}

#[tokio::test]
async fn connections() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let error = fetch(&format!("http://127.0.0.1:{port}/")).await.unwrap_err();
    let FailureKind::NotConnected(why) = &error.failure().unwrap().kind else { panic!("{error}") };
    assert_eq!((why.cause, error.kind()), (ConnectCause::Refused, FetchErrorKind::Connect));
    let six = Ok(vec![Ipv6Addr::LOCALHOST.into()]);
    let kind = failed(fetcher(Http::new()).family(Family::Ipv4), "http://www.example.com/", six).await;
    let FailureKind::NotConnected(why) = kind else { panic!("{kind:?}") };
    assert_eq!(why.cause, ConnectCause::NoAddress);
}

/// A server without TLS answers, or says nothing. Wrong certificates are among the tests of TLS.
#[tokio::test]
async fn no_tls() {
    for (answer, cause) in
        [(&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], TlsCause::NotTls), (b"", TlsCause::Connection)]
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 4096]).await;
            stream.write_all(answer).await.unwrap();
        });
        let fetcher = fetcher(Http::new()).trust(Trust::Anything);
        let error = fetch_by(&fetcher, &format!("https://127.0.0.1:{port}/")).await.unwrap_err();
        let FailureKind::NotSecured(why) = &error.failure().unwrap().kind else { panic!("{error}") };
        assert_eq!((why.cause, error.kind()), (cause, FetchErrorKind::Tls), "{error}");
    }
}
