//! Going on where an earlier fetch was cut off.

use locator_fetch::run::FailureKind;
use locator_fetch::{Proof, Resume};

use super::server::Answer::*;
use super::server::{Answer, Server, response};
use super::*;

fn answer(status: &str, fields: &str, body: &str) -> Answer {
    Send(response(status, &format!("ETag: \"v1\"\r\n{fields}"), body))
}

#[tokio::test]
async fn going_on() {
    let server = Server::start(vec![
        answer("200 OK", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n", "abcdef"),
        answer("206 x", "Content-Range: bytes 3-5/6\r\n", "def"),
        answer("200 OK", "", "ABCDEFG"),
        answer("416 x", "Content-Range: bytes */3\r\n", ""),
        answer("416 x", "Content-Range: bytes */2\r\n", ""),
        answer("206 x", "Content-Range: bytes 0-5/6\r\n", "abcdef"),
        answer("200 OK", "", "abcdef"),
    ])
    .await;
    let url = server.url("/");
    let proof = fetch(&url).await.unwrap().proof().clone();
    let expected = Proof::default().etag("\"v1\"").last_modified("Sun, 06 Nov 1994 08:49:37 GMT").length(6);
    assert_eq!(proof, expected);
    let fetcher = fetcher(Http::new().compressed(true));
    let rest = |proof: &Proof| fetcher.request(&url).resume(Resume::new(3, proof.clone())).send();
    // The rest, all of another version, and nothing that is missing.
    for (from, text) in [(3, "def"), (0, "ABCDEFG"), (3, "")] {
        let fetched = rest(&proof).await.unwrap();
        assert_eq!(fetched.resumed_from(), from);
        assert_eq!(read(fetched).await.unwrap(), (text.into(), Whole::Framed));
    }
    for _ in 0..2 {
        let error = rest(&proof).await.unwrap_err();
        assert!(matches!(&error.failure().unwrap().kind, FailureKind::WrongPart(_)), "{error}");
    }
    // A weak tag and a date prove nothing.
    let weak = proof.etag("W/\"v1\"");
    assert_eq!(rest(&weak).await.unwrap().resumed_from(), 0);
    let (ranges, conditions) = (server.fields("range"), server.fields("if-range"));
    assert_eq!((ranges[1].as_deref(), conditions[1].as_deref()), (Some("bytes=3-"), Some("\"v1\"")));
    assert_eq!((&ranges[6], &conditions[6]), (&None, &None));
}

#[tokio::test]
async fn going_on_by_a_date() {
    let (changed, later) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT");
    let send = |status: &str, fields: &str, body: &str| Send(response(status, fields, body));
    let dated = |date: &str| format!("Last-Modified: {changed}\r\nDate: {date}\r\n");
    let part = "Content-Range: bytes 3-5/6\r\n";
    let server = Server::start(vec![
        send("200 OK", &dated(later), "abcdef"),
        send("206 x", &format!("{part}{}", dated(later)), "def"),
        send("206 x", &format!("{part}Last-Modified: {later}\r\n"), "DEF"),
        send("200 OK", &dated(changed), "abcdef"),
        send("200 OK", &dated(changed), "abcdef"),
    ])
    .await;
    let url = server.url("/");
    let fetcher = fetcher(Http::new());
    let rest = |proof: &Proof| fetcher.request(&url).resume(Resume::new(3, proof.clone())).send();
    let proof = fetcher.fetch(&*url).await.unwrap().proof().clone();
    assert_eq!(proof.strong_last_modified(), Some(changed));
    let fetched = rest(&proof).await.unwrap();
    assert_eq!(fetched.resumed_from(), 3);
    assert_eq!(read(fetched).await.unwrap().0, b"def");
    // A server that ignores If-Range sends a part of another version.
    let error = rest(&proof).await.unwrap_err();
    assert!(error.to_string().contains("changed on the server"), "{error}");
    // What was changed in the second in which it was sent may have been changed again.
    let proof = fetcher.fetch(&*url).await.unwrap().proof().clone();
    assert_eq!(proof.strong_last_modified(), None);
    assert_eq!(rest(&proof).await.unwrap().resumed_from(), 0);
    let (ranges, conditions) = (server.fields("range"), server.fields("if-range"));
    assert_eq!((ranges[1].as_deref(), conditions[1].as_deref()), (Some("bytes=3-"), Some(changed)));
    assert_eq!((&ranges[4], &conditions[4]), (&None, &None));
}
