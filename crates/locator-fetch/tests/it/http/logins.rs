//! Logins at servers.

use locator::plan::Prompt;
use locator_fetch::Prompter;
use locator_fetch::http::AuthSchemes;
use locator_fetch::run::{FailureKind, UnsentLogin};

use super::server::Answer::*;
use super::server::{Answer, Server, ok, response};
use super::*;

fn wants(challenge: &str) -> Answer {
    Send(response("401 Unauthorized", &format!("WWW-Authenticate: {challenge}\r\n"), "<p>no"))
}

#[tokio::test]
async fn basic() {
    let server = Server::start(vec![wants("Basic realm=\"a\""), ok("in"), ok("in")]).await;
    let (fetcher, seen) = watched(Http::new());
    let url = format!("http://joe:p%40ss@127.0.0.1:{}/", server.port);
    for _ in 0..2 {
        assert_eq!(get_by(&fetcher, &url).await.unwrap(), "in");
    }
    let sent = Some("Basic am9lOnBAc3M=".to_owned());
    assert_eq!(server.fields("authorization"), [None, sent.clone(), sent]);
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

#[tokio::test]
async fn an_accepted_login_is_sent_at_once() {
    let again = wants("Basic realm=a");
    let server =
        Server::start(vec![again.clone(), ok("1"), ok("2"), again.clone(), ok("3"), again, ok("4")]).await;
    let other = Server::start(vec![ok("other")]).await;
    let fetcher = fetcher(Http::new().login("joe", "secret"));
    let (clone, changed) = (fetcher.clone(), fetcher.clone().http(Http::new().login("joe", "other")));
    assert_eq!(get_by(&fetcher, &server.url("/a/b")).await.unwrap(), "1");
    // A clone has it, too; another origin, another path and another password do not.
    assert_eq!(get_by(&clone, &server.url("/a/c")).await.unwrap(), "2");
    assert_eq!(get_by(&fetcher, &other.url("/a/b")).await.unwrap(), "other");
    assert_eq!(get_by(&fetcher, &server.url("/d")).await.unwrap(), "3");
    assert_eq!(get_by(&changed, &server.url("/a/b")).await.unwrap(), "4");
    let sent: Vec<_> = server.fields("authorization").iter().map(Option::is_some).collect();
    assert_eq!(sent, [false, true, true, false, true, false, true]);
    assert_eq!(other.fields("authorization"), [None]);
}

#[tokio::test]
async fn a_login_that_is_not_accepted_any_more() {
    let again = wants("Basic realm=a");
    let server = Server::start(vec![again.clone(), ok("1"), again.clone(), again.clone(), ok("2")]).await;
    let fetcher = fetcher(Http::new().login("joe", "secret"));
    assert_eq!(get_by(&fetcher, &server.url("/")).await.unwrap(), "1");
    assert!(get_by(&fetcher, &server.url("/")).await.is_err());
    assert_eq!(get_by(&fetcher, &server.url("/")).await.unwrap(), "2");
    assert_eq!(server.requests().len(), 5);
}

#[tokio::test]
async fn a_login_is_sent_before_it_is_asked_for() {
    let digest = wants("Digest realm=\"r\", qop=\"auth\", nonce=\"n\"");
    let server = Server::start(vec![ok("in"), wants("Basic realm=a"), digest, ok("in")]).await;
    let (fetcher, seen) = watched(Http::new().login("joe", "secret").auth_no_challenge(true));
    assert_eq!(get_by(&fetcher, &server.url("/")).await.unwrap(), "in");
    assert!(get_by(&fetcher, &server.url("/")).await.is_err());
    assert_eq!(get_by(&fetcher, &server.url("/")).await.unwrap(), "in");
    let sent: Vec<_> = server.fields("authorization").into_iter().flatten().collect();
    assert!(sent[..3].iter().all(|sent| sent == "Basic am9lOnNlY3JldA==") && sent[3].starts_with("Digest "));
    assert_eq!(seen.warnings.lock().unwrap().len(), 1);
}

/// The count of a nonce goes on, a nonce that the server gives in advance is used, and `domain` is kept.
#[tokio::test]
async fn nonces_are_used_again() {
    let challenge = wants("Digest realm=\"r\", qop=\"auth\", nonce=\"n1\", domain=\"/a\"");
    let next = Send(response("200 OK", "Authentication-Info: qop=auth, nextnonce=\"n2\"\r\n", "in"));
    let server =
        Server::start(vec![challenge, ok("in"), ok("in"), next, ok("in"), ok("in"), ok("out")]).await;
    let fetcher = fetcher(Http::new().login("joe", "secret"));
    for path in ["/a/1", "/a/2", "/a/3", "/a/4", "/ab", "/b"] {
        get_by(&fetcher, &server.url(path)).await.unwrap();
    }
    let sent = server.fields("authorization");
    let nonces = [Some(("n1", 1)), Some(("n1", 2)), Some(("n1", 3)), Some(("n2", 1)), Some(("n2", 2)), None];
    for (sent, expected) in sent[1..].iter().zip(nonces) {
        let expected =
            expected.map(|(nonce, count)| [format!("nonce=\"{nonce}\""), format!("nc={count:08x}")]);
        assert_eq!(sent.is_some(), expected.is_some());
        assert!(expected.iter().flatten().all(|part| sent.as_ref().unwrap().contains(part)), "{sent:?}");
    }
}

/// Those that begin together wait for the first one, which asks.
#[tokio::test]
async fn many_at_once_are_refused_once() {
    let answers = std::iter::once(wants("Basic realm=a")).chain((0..20).map(|_| ok("in")));
    let server = Server::start(answers.collect()).await;
    let urls: Vec<_> = (0..20).map(|number| server.url(&format!("/a/{number}"))).collect();
    let mut all = fetcher(Http::new().login("joe", "secret")).fetch_all(&urls, 20);
    while let Some((_, response)) = all.next().await {
        assert_eq!(response.unwrap().text().await.unwrap(), "in");
    }
    assert_eq!(server.requests().len(), 21);
}

/// A server that offers only what is not allowed gets no login, also if it has accepted one by that before.
#[tokio::test]
async fn a_scheme_that_is_not_allowed() {
    let (basic, digest) = ("Basic realm=a", "Digest realm=r, nonce=n, qop=auth");
    for (allowed, offered, expected) in [
        (AuthSchemes::DIGEST, basic, None),
        (AuthSchemes::BASIC, digest, None),
        (AuthSchemes::ALL, "NTLM", None),
        (AuthSchemes::DIGEST, &*format!("{basic}, {digest}"), Some("Digest ")),
        (AuthSchemes::BASIC, &format!("{digest}, {basic}"), Some("Basic ")),
        (AuthSchemes::ALL, &format!("{basic}, {digest}"), Some("Digest ")),
    ] {
        let server = Server::start(vec![wants(offered), ok("in"), wants(offered), ok("in")]).await;
        let http = Http::new().login("joe", "secret").auth_schemes(allowed);
        let fetched = fetch_by(&fetcher(http), &server.url("/")).await;
        match expected {
            Some(_) => assert_eq!(fetched.unwrap().unsent_login(), None),
            None => {
                let error = fetched.unwrap_err();
                let why = error.failure().unwrap().unsent_login().unwrap();
                assert!(matches!(why, UnsentLogin::Scheme(_)), "{offered}: {error}");
            }
        }
        let sent = server.fields("authorization");
        let sent: Vec<_> = sent.iter().flatten().collect();
        assert_eq!(sent.len(), usize::from(expected.is_some()), "{offered}: {sent:?}");
        assert!(sent.iter().zip(expected).all(|(sent, expected)| sent.starts_with(expected)), "{sent:?}");
    }
    // Neither what another fetcher was accepted by, nor the first request.
    let server = Server::start(vec![wants(basic), ok("in"), ok("open"), ok("open")]).await;
    let any = fetcher(Http::new().login("joe", "secret"));
    let by_digest = Http::new().login("joe", "secret").auth_schemes(AuthSchemes::DIGEST);
    assert_eq!(get_by(&any, &server.url("/")).await.unwrap(), "in");
    for http in [by_digest.clone(), by_digest.auth_no_challenge(true)] {
        let fetched = fetch_by(&any.clone().http(http), &server.url("/")).await.unwrap();
        assert_eq!(fetched.unsent_login(), Some(&UnsentLogin::NotAsked));
    }
    let sent: Vec<_> = server.fields("authorization").iter().map(Option::is_some).collect();
    assert_eq!(sent, [false, true, false, false]);
}

/// The login of a host is sent to it alone, wherever a redirect came from.
#[tokio::test]
async fn logins_of_hosts() {
    for (trusts, given, expected) in [
        (false, "127.0.0.1", ["Basic am9lOjE=", "Basic YW5uOjI="]),
        (true, "127.0.0.1", ["Basic am9lOjE=", "Basic YW5uOjI="]),
        (false, "tim@127.0.0.1", ["Basic dGltOjM=", "Basic YW5uOjI="]),
    ] {
        let other = Server::start(vec![wants("Basic realm=a"), ok("in")]).await;
        let to = format!("Location: http://localhost:{}/b\r\n", other.port);
        let server = Server::start(vec![wants("Basic realm=a"), Send(response("302 x", &to, ""))]).await;
        let http = Http::new()
            .host_login(Some("127.0.0.1"), "joe", Some("1"))
            .host_login(Some("127.0.0.1"), "tim", Some("3"))
            .host_login(Some("LOCALHOST"), "ann", Some("2"))
            .host_login(None, "any", Some("4"))
            .trust_redirects(trusts);
        let url = format!("http://{given}:{}/", server.port);
        assert_eq!(get_by(&fetcher(http), &url).await.unwrap(), "in");
        let sent: Vec<_> =
            [&server, &other].iter().flat_map(|one| one.fields("authorization")).flatten().collect();
        assert_eq!(sent, expected, "{given}");
    }
    // The login of any host is for those that the user names.
    let other = Server::start(vec![wants("Basic realm=a")]).await;
    let to = format!("Location: http://localhost:{}/b\r\n", other.port);
    let server = Server::start(vec![wants("Basic realm=a"), Send(response("302 x", &to, ""))]).await;
    let http = Http::new().host_login(None, "any", Some("4"));
    assert!(get_by(&fetcher(http), &server.url("/")).await.is_err());
    assert_eq!(server.fields("authorization"), [None, Some("Basic YW55OjQ=".into())]);
    assert_eq!(other.fields("authorization"), [None]);
}

#[tokio::test]
async fn why_a_login_was_not_sent() {
    let other = Server::start(vec![ok("open")]).await;
    let to = format!("Location: {}\r\n", other.url("/b"));
    let moved = || Send(response("302 x", &to, ""));
    let server = Server::start(vec![
        ok("open"),
        Send(response("404 x", "", "")),
        moved(),
        wants("Basic realm=a"),
        moved(),
    ])
    .await;
    let fetcher = fetcher(Http::new().login("joe", "secret"));
    let fetched = fetch_by(&fetcher, &server.url("/")).await.unwrap();
    assert_eq!(fetched.unsent_login(), Some(&UnsentLogin::NotAsked));
    let error = fetch_by(&fetcher, &server.url("/")).await.unwrap_err();
    assert_eq!(error.failure().unwrap().unsent_login(), Some(&UnsentLogin::NotAsked));
    let fetched = fetch_by(&fetcher, &server.url("/")).await.unwrap();
    assert_eq!(fetched.unsent_login(), Some(&UnsentLogin::OtherOrigin));
    let other = Server::start(vec![ok("open")]).await;
    let to = format!("Location: {}\r\n", other.url("/b"));
    let server = Server::start(vec![wants("Basic realm=a"), Send(response("302 x", &to, ""))]).await;
    // The server that redirects has got it.
    let fetched = fetch_by(&fetcher, &server.url("/")).await.unwrap();
    assert_eq!(fetched.unsent_login(), None);
    // Nobody expects one without a login.
    let server = Server::start(vec![ok("open")]).await;
    assert_eq!(fetch(&server.url("/")).await.unwrap().unsent_login(), None);
}
