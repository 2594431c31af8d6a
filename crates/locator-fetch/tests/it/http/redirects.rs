//! Redirects, and what is sent to where they lead.

use locator::plan::{self, Gateway, Options};
use locator::scheme::Registry;
use locator_fetch::run::FailureKind;

use super::server::Answer::*;
use super::server::{Answer, Server, ok, response};
use super::*;

fn redirect(status: u16, location: &str) -> Answer {
    Send(response(&format!("{status} Elsewhere"), &format!("Location: {location}\r\n"), "<a>"))
}

#[tokio::test]
async fn a_chain() {
    let server =
        Server::start(vec![redirect(301, "../b"), redirect(302, "?c"), redirect(308, "d#end"), ok("here")])
            .await;
    let fetched = fetch(&server.url("/x/a#part")).await.unwrap();
    assert_eq!(fetched.url(), server.url("/d#end"));
    let hops: Vec<_> = fetched.hops().iter().map(|hop| hop.url.clone()).collect();
    assert_eq!(hops, [server.url("/x/a#part"), server.url("/b#part"), server.url("/b?c#part")]);
    assert!(fetched.hops().iter().all(|hop| hop.address.unwrap().port() == server.port));
    let statuses: Vec<_> = fetched.hops().iter().map(|hop| hop.head.as_ref().unwrap().status).collect();
    assert_eq!(statuses, [301, 302, 308]);
    assert_eq!(server.connections(), 1);
    assert_eq!(read(fetched).await.unwrap().0, b"here");
}

#[tokio::test]
async fn redirects_for_ever() {
    let server = Server::start((0..20).map(|number| redirect(302, &format!("/{number}"))).collect()).await;
    let error = fetch(&server.url("/")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::TooMuch { limit: 10, .. }), "{error}");
    assert_eq!((server.requests().len(), error.hops().len()), (11, 11));
    let error = fetch_by(&fetcher(Http::new()).max_redirects(0), &server.url("/")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::TooMuch { limit: 0, .. }), "{error}");
}

#[tokio::test]
async fn a_redirect_that_is_the_object() {
    let server = Server::start(vec![redirect(302, "/b")]).await;
    let fetched = fetch_by(&fetcher(Http::new().follow(false)), &server.url("/")).await.unwrap();
    assert_eq!(fetched.status().unwrap(), 302);
    assert_eq!(read(fetched).await.unwrap().0, b"<a>");
}

#[tokio::test]
async fn redirects_to_nowhere() {
    let locations =
        ["http://h:x/", "file:///etc/passwd", "javascript:alert(1)", "ftp://h/", "http://127.0.0.1:25/"];
    for location in locations {
        let server = Server::start(vec![redirect(302, location)]).await;
        let error = fetch(&server.url("/")).await.unwrap_err();
        assert!(
            matches!(&error.failure().unwrap().kind, FailureKind::Redirect(_) | FailureKind::Forbidden(_)),
            "{location}: {error}"
        );
    }
    let server = Server::start(vec![Send(response("302 x", "", ""))]).await;
    let error = fetch(&server.url("/")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::Redirect(_)), "{error}");
    assert_eq!(error.head().unwrap().status, 302);
}

#[tokio::test]
async fn methods_after_a_redirect() {
    for (status, method, has_body) in [
        (301, "GET", false),
        (302, "GET", false),
        (303, "GET", false),
        (307, "POST", true),
        (308, "POST", true),
    ] {
        let server = Server::start(vec![redirect(status, "/b"), ok("x")]).await;
        let http = Http::new().header("Content-Type", "text/x").unwrap();
        read(send(http, &server.url("/a"), |request| request.body("a=b")).await.unwrap()).await.unwrap();
        let second = &server.requests()[1];
        assert!(second.starts_with(&format!("{method} /b HTTP/1.1\r\n")), "{status}: {second}");
        assert_eq!((second.ends_with("a=b"), second.contains("text/x")), (has_body, has_body), "{status}");
    }
}

#[tokio::test]
async fn secrets_stay_at_home() {
    let wanted = || Send(response("401 x", "WWW-Authenticate: Basic realm=a\r\n", ""));
    // Another port is another origin, which asks for a login in vain.
    let other = Server::start(vec![wanted()]).await;
    let server = Server::start(vec![wanted(), redirect(302, "/b"), redirect(302, &other.url("/c"))]).await;
    let http = Http::new().header("Authorization-Token", "s3cret").unwrap().login("anna", "s3cret");
    let url = format!("http://joe:s3cret@127.0.0.1:{}/a", server.port);
    let error = fetch_by(&fetcher(http), &url).await.unwrap_err();
    assert!(
        error.failure().unwrap().kind.is_said() && error.unredacted_url().unwrap() == other.url("/c"),
        "{error}"
    );
    assert!(!other.requests()[0].contains("s3cret") && !error.to_string().contains("s3cret"), "{error}");
    assert_eq!(other.fields("authorization"), [None]);
    assert_eq!(other.fields("referer"), [None]);
    assert_eq!(server.fields("authorization-token"), [const { "s3cret" }; 3].map(|value| Some(value.into())));
    // The same origin gets the login once it has asked for it.
    let basic = Some("Basic am9lOnMzY3JldA==".to_owned());
    assert_eq!(server.fields("authorization"), [None, basic.clone(), basic]);
}

#[tokio::test]
async fn a_login_that_an_answer_names_is_not_sent() {
    let server = Server::start(vec![]).await;
    let named = format!("http://eve:x@127.0.0.1:{}/b", server.port);
    let first = Server::start(vec![redirect(302, &named)]).await;
    let error = fetch(&first.url("/a")).await.unwrap_err();
    assert!(!format!("{error:?}").contains("eve"), "{error}");
    assert!(server.fields("authorization").iter().all(Option::is_none));
}

#[tokio::test]
async fn names_that_look_up_inwards() {
    // A public server cannot be shown here; the policy for strangers refuses the first URL already, and
    // the tests in a network namespace show the rest.
    let server = Server::start(vec![redirect(302, "http://localhost:1/")]).await;
    let error = fetch(&server.url("/")).await.unwrap_err();
    assert!(
        matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(_) | FailureKind::NotConnected(_)),
        "{error}"
    );
}

/// A gateway answers by HTTP for its own URL, whatever the scheme that it maps.
#[tokio::test]
async fn redirects_of_a_gateway() {
    let server =
        Server::start(vec![redirect(302, "/b"), ok("here"), redirect(302, "wais://h.example/c")]).await;
    let mut registry = Registry::new();
    registry.map(Gateway::new("wais", &server.url("/get?{url}")).unwrap());
    let fetcher = fetcher(Http::new().header("X-A", "own").unwrap()).registry(Box::leak(registry.into()));
    let fetched = fetch_by(&fetcher, "wais://h.example/a").await.unwrap();
    assert_eq!(
        (fetched.url().as_str(), fetched.hops()[0].url.as_str()),
        (&*server.url("/b"), "wais://h.example/a")
    );
    assert_eq!(read(fetched).await.unwrap().0, b"here");
    assert_eq!(server.fields("x-a"), [const { "own" }; 2].map(|value| Some(value.into())));
    let error = fetch_by(&fetcher, "wais://h.example/a").await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(_)), "{error}");
}

/// A proxy that is asked for a URL of another scheme answers by HTTP, too.
#[tokio::test]
async fn redirects_by_a_proxy_for_another_scheme() {
    let proxy = Server::start(vec![
        redirect(302, "http://www.example/b"),
        ok("one"),
        redirect(302, "/c/"),
        ok("two"),
        redirect(302, "http://localhost/"),
        redirect(302, "gopher://www.example/"),
    ])
    .await;
    let server = plan::Server { host: "127.0.0.1", port: Some(proxy.port) };
    let fetcher = fetcher(Http::new()).options(Options::new().proxy(server));
    assert_eq!(get_by(&fetcher, "ftp://h.example/a").await.unwrap(), "one");
    assert_eq!(get_by(&fetcher, "ftp://h.example/c").await.unwrap(), "two");
    for _ in 0..2 {
        let error = get_by(&fetcher, "ftp://h.example/d").await.unwrap_err();
        assert!(matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(_)), "{error}");
    }
    let lines: Vec<_> = proxy.requests().iter().map(|head| head.lines().next().unwrap().to_owned()).collect();
    assert_eq!(
        lines[..4],
        [
            "GET ftp://h.example/a HTTP/1.1",
            "GET http://www.example/b HTTP/1.1",
            "GET ftp://h.example/c HTTP/1.1",
            "GET ftp://h.example/c/ HTTP/1.1",
        ]
    );
}
