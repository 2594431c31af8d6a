//! Logins at servers.

use locator::plan::Prompt;
use locator_fetch::Prompter;
use locator_fetch::run::FailureKind;

use super::server::Answer::*;
use super::server::{Answer, Server, ok, response};
use super::*;

fn wants(challenge: &str) -> Answer {
    Send(response("401 Unauthorized", &format!("WWW-Authenticate: {challenge}\r\n"), "<p>no"))
}

#[tokio::test]
async fn basic() {
    let server =
        Server::start(vec![wants("Basic realm=\"a\""), ok("in"), wants("Basic realm=\"a\""), ok("in")]).await;
    let (fetcher, seen) = watched(Http::new());
    let url = format!("http://joe:p%40ss@127.0.0.1:{}/", server.port);
    for _ in 0..2 {
        assert_eq!(get_by(&fetcher, &url).await.unwrap(), "in");
    }
    let sent = Some("Basic am9lOnBAc3M=".to_owned());
    assert_eq!(server.fields("authorization"), [None, sent.clone(), None, sent]);
    let warnings = seen.warnings.lock().unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let head = seen.heads.lock().unwrap()[1].clone();
    assert!(head.contains("authorization: (password)\n") && !head.contains("am9l"), "{head}");
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn a_wrong_login_is_sent_once() {
    let server =
        Server::start(vec![wants("Basic realm=a"), wants("Basic realm=a"), wants("Basic realm=a")]).await;
    let error = fetch_by(&fetcher(Http::new().login("joe", "wrong")), &server.url("/")).await.unwrap_err();
    assert!(error.failure().unwrap().kind.is_said(), "{error}");
    assert_eq!(server.requests().len(), 2);
    let error = fetch(&server.url("/")).await.unwrap_err();
    assert!(error.failure().unwrap().kind.is_said() && server.requests().len() == 3, "{error}");
}

#[tokio::test]
async fn digest() {
    for algorithm in ["MD5", "SHA-256", "MD5-sess", "SHA-256-sess"] {
        let challenge = |nonce: &str, stale: &str| {
            wants(&format!(
                "Digest realm=\"r\", qop=\"auth\", nonce=\"{nonce}\", algorithm={algorithm}, opaque=\"o\"{stale}"
            ))
        };
        let old = challenge("n2", ", stale=true");
        let server = Server::start(vec![
            challenge("n1", ""),
            old.clone(),
            ok("in"),
            challenge("n1", ""),
            old.clone(),
            old,
        ])
        .await;
        let (fetcher, seen) = watched(Http::new().login("joe", "secret"));
        assert_eq!(get_by(&fetcher, &server.url("/a?b")).await.unwrap(), "in");
        let sent = server.fields("authorization");
        for (sent, nonce) in [(&sent[1], "n1"), (&sent[2], "n2")] {
            let sent = sent.as_ref().unwrap();
            let parts = [
                format!("nonce=\"{nonce}\""),
                format!("algorithm={algorithm}"),
                "uri=\"/a?b\"".into(),
                "nc=00000001".into(),
            ];
            assert!(parts.iter().all(|part| sent.contains(part)), "{sent}");
        }
        // A server for which every nonce is too old is not asked for ever.
        assert!(get_by(&fetcher, &server.url("/a?b")).await.unwrap_err().failure().unwrap().kind.is_said());
        assert_eq!(server.requests().len(), 6);
        assert!(seen.warnings.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_password_that_is_asked_for() {
    struct Answers;

    impl Prompter for Answers {
        fn answer(&self, prompt: &Prompt, _: &[u8]) -> Option<Vec<u8>> {
            matches!(prompt, Prompt::Password { user } if user == b"joe").then(|| b"secret".into())
        }
    }

    let server =
        Server::start(vec![wants("Basic realm=a"), ok("in"), wants("Basic realm=a"), ok("open")]).await;
    let url = format!("http://joe@127.0.0.1:{}/", server.port);
    assert_eq!(get_by(&fetcher(Http::new()).prompter(Arc::new(Answers)), &url).await.unwrap(), "in");
    assert_eq!(server.fields("authorization")[1].as_deref(), Some("Basic am9lOnNlY3JldA=="));
    let error = fetch(&url).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::NoAnswer(_)), "{error}");
    // A server that wants no login gets none, and nobody is asked.
    assert_eq!(get(&url).await.unwrap().0, b"open");
}
