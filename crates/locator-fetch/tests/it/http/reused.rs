//! Connections that are used again, also if nobody reads the body.

use super::server::Answer::*;
use super::server::{Server, ok, response};
use super::*;

/// Sends a request, and drops its response or its error.
async fn ask(fetcher: &Fetcher, server: &Server, method: &str) {
    let _ = fetcher.request(server.url("/")).method(method).send().await;
}

#[tokio::test]
async fn after_head() {
    let head = |status: &str| Send(format!("HTTP/1.1 {status}\r\nContent-Length: 5\r\n\r\n").into());
    let answers = ["200 OK", "404 Not Found", "204 No Content", "200 OK", "500 x"].map(head);
    let server = Server::start(answers.to_vec()).await;
    let fetcher = fetcher(Http::new());
    // The response is here while the next request is sent.
    let kept = fetcher.request(server.url("/")).method("HEAD").send().await.unwrap();
    for _ in 0..4 {
        ask(&fetcher, &server, "HEAD").await;
    }
    assert_eq!(read(kept).await.unwrap(), (b"".to_vec(), Whole::Framed));
    assert_eq!((server.requests().len(), server.connections()), (5, 1));
}

/// A short body that nobody reads is taken if it is there; a long one ends the connection.
#[tokio::test]
async fn bodies_that_nobody_reads() {
    let (short, long) = ("x".repeat(1000), "x".repeat(1 << 20));
    for (answers, gives_errors, connections) in [
        (vec![ok(&short), ok(&short), ok("")], false, 1),
        (vec![Send(response("404 Not Found", "", &short)), ok("")], false, 1),
        (vec![Send(response("404 Not Found", "", &short)), ok("")], true, 1),
        (vec![Send(b"HTTP/1.1 204 No Content\r\n\r\n".to_vec()), ok("")], false, 1),
        (vec![ok(&long), ok("")], false, 2),
        (vec![Send(response("404 Not Found", "", &long)), ok("")], false, 2),
        // Of this one a part does not come.
        (vec![Send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx".to_vec()), ok("")], false, 2),
        (vec![Close(b"HTTP/1.1 200 OK\r\n\r\nx".to_vec()), ok("")], false, 2),
    ] {
        let count = answers.len();
        let server = Server::start(answers).await;
        let fetcher = fetcher(Http::new().error_bodies(gives_errors));
        for _ in 0..count {
            ask(&fetcher, &server, "GET").await;
        }
        assert_eq!((server.requests().len(), server.connections()), (count, connections));
    }
}

/// A server that sends a body after the head of a response to HEAD: it is no other response, whenever it
/// comes.
#[tokio::test]
async fn a_body_after_head() {
    let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
    let server = Server::start(vec![Send(response("200 OK", "", evil)), ok("good")]).await;
    let fetcher = fetcher(Http::new());
    ask(&fetcher, &server, "HEAD").await;
    assert_eq!(get_by(&fetcher, &server.url("/")).await.unwrap(), "good");
    assert_eq!(server.connections(), 2);
    // This body comes after the next request.
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n".to_vec();
    let late = [b"<html>".to_vec(), response("200 OK", "", "late")].concat();
    let server = Server::start(vec![Send(head), Send(late), ok("good")]).await;
    ask(&fetcher, &server, "HEAD").await;
    assert_eq!(get_by(&fetcher, &server.url("/")).await.unwrap(), "good");
    assert_eq!((server.requests().len(), server.connections()), (3, 2));
}

/// A response is dropped outside of every runtime.
#[tokio::test]
async fn without_async() {
    let server = Server::start(vec![ok("x"), ok("x"), ok("x")]).await;
    let url = server.url("/");
    let asked = tokio::task::spawn_blocking(move || {
        let fetcher = locator_fetch::blocking::Fetcher::for_user_input();
        for _ in 0..3 {
            drop(fetcher.fetch(&url).unwrap());
        }
    });
    asked.await.unwrap();
    assert_eq!((server.requests().len(), server.connections()), (3, 1));
}
