//! One hop a call: redirects that the caller follows itself.

use std::net::Ipv4Addr;

use locator_fetch::run::FailureKind;
use locator_fetch::{FetchErrorKind, OneHop, Redirect, Resolved, Resolver};

use super::server::Answer::*;
use super::server::{Answer, Server, ok, response};
use super::*;

fn redirect(status: u16, location: &str) -> Answer {
    Send(response(&format!("{status} Elsewhere"), &format!("Location: {location}\r\n"), ""))
}

/// The redirect that a request came to.
async fn redirected(request: RequestBuilder<'static, Fetcher>) -> Redirect {
    match request.hop().await.unwrap() {
        OneHop::Redirect(redirect) => redirect,
        OneHop::Response(response) => panic!("{response:?}"),
    }
}

/// The response that a request came to.
async fn responded(request: RequestBuilder<'static, Fetcher>) -> Response {
    match request.hop().await.unwrap() {
        OneHop::Response(response) => response,
        OneHop::Redirect(redirect) => panic!("{redirect:?}"),
    }
}

/// Follows redirects one by one; returns where each leads, too.
async fn by_hops(fetcher: &Fetcher, url: &str) -> (Vec<String>, Result<Response, FetchError>) {
    let (mut targets, mut request) = (Vec::new(), fetcher.request(url));
    loop {
        match request.hop().await {
            Ok(OneHop::Redirect(redirect)) => {
                targets.push(redirect.url().to_string());
                request = fetcher.request(redirect.url()).after(redirect.chain());
            }
            Ok(OneHop::Response(response)) => return (targets, Ok(response)),
            Err(error) => return (targets, Err(error)),
        }
    }
}

#[tokio::test]
async fn a_chain_by_hops_is_the_chain_that_is_followed() {
    let answers = || vec![redirect(301, "../b"), redirect(302, "?c"), redirect(308, "d#end"), ok("here")];
    let server = Server::start([answers(), answers()].concat()).await;
    let fetcher = fetcher(Http::new());
    let followed = fetch_by(&fetcher, &server.url("/x/a#part")).await.unwrap();
    let (url, hops) = (followed.url().to_owned(), followed.hops().to_vec());
    assert_eq!(read(followed).await.unwrap().0, b"here");
    let (targets, response) = by_hops(&fetcher, &server.url("/x/a#part")).await;
    let response = response.unwrap();
    let expected = [server.url("/b#part"), server.url("/b?c#part"), server.url("/d#end")];
    assert_eq!(targets, expected);
    assert_eq!((response.url(), response.hops()), (url.as_uri_ref(), &*hops));
    assert_eq!(response.requested().as_str(), server.url("/x/a#part"));
    assert_eq!(read(response).await.unwrap().0, b"here");
    let requests = server.requests();
    assert_eq!(requests[..4], requests[4..]);
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn what_a_redirect_says() {
    let answer = response("302 Found", "Location: b\r\nSet-Cookie: a=b\r\n", "");
    let server = Server::start(vec![Send(answer)]).await;
    let found = redirected(
        fetcher(Http::new()).request(server.url("/a?access_token=d3adB33f0123456789abcdef#f")).method("HEAD"),
    )
    .await;
    assert_eq!(found.url().as_str(), server.url("/b#f"));
    assert_eq!((found.status(), found.headers().get("Set-Cookie")), (Some(302), Some("a=b")));
    let hop = found.hop();
    assert_eq!(
        (hop.url.as_str(), hop.method.as_deref()),
        (&*server.url("/a?access_token=d3adB33f0123456789abcdef#f"), Some("HEAD"))
    );
    assert_eq!(hop.address.unwrap().port(), server.port);
    assert_eq!(found.chain().hops(), std::slice::from_ref(hop));
    assert_eq!(found.timings().connections, 1);
    assert!(!found.is_loop());
    assert!(!format!("{found:?} {:?}", found.chain()).contains("d3adB33f"));
}

/// Forty links to one redirect are two requests; tasks and threads go on with the same chain.
#[tokio::test]
async fn a_chain_is_continued_by_several() {
    let answers = [vec![redirect(301, "/b")], (0..4).map(|_| ok("x")).collect()].concat();
    let server = Server::start(answers).await;
    let fetcher = fetcher(Http::new());
    let first = redirected(fetcher.request(server.url("/a"))).await;
    let page = || {
        let (fetcher, first) = (fetcher.clone(), first.clone());
        async move {
            let request = fetcher.request(first.url()).after(first.chain());
            read(responded(request).await).await.unwrap().0
        }
    };
    let tasks = [page(), page()].map(tokio::spawn);
    let threads = [page(), page()].map(|page| {
        tokio::task::spawn_blocking(move || {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(page)
        })
    });
    for page in tasks.into_iter().chain(threads) {
        assert_eq!(page.await.unwrap(), b"x");
    }
    assert_eq!(server.requests().len(), 5);
}

#[tokio::test]
async fn loops() {
    let host = |server: &Server| format!("HTTP://LOCALHOST:{}/a", server.port);
    // To itself, to the first URL however it is written, and to one in between.
    let server = Server::start(vec![redirect(302, "#x")]).await;
    assert!(redirected(fetcher(Http::new()).request(host(&server))).await.is_loop());
    for (third, is_loop) in [("/a", true), ("/b", true), ("/a?", false), ("/%61", false), ("/c", false)] {
        let server = Server::start(vec![redirect(302, "/b"), redirect(302, third)]).await;
        let fetcher = fetcher(Http::new());
        let first = redirected(fetcher.request(host(&server))).await;
        assert!(!first.is_loop());
        let second = redirected(fetcher.request(first.url()).after(first.chain())).await;
        assert_eq!(second.is_loop(), is_loop, "{third}");
        assert_eq!(server.requests().len(), 2);
    }
    // After POST the page of the same URL is another request.
    let server = Server::start(vec![redirect(303, "/a"), redirect(303, "/a")]).await;
    let fetcher = fetcher(Http::new());
    let posted = redirected(fetcher.request(server.url("/a")).body("x")).await;
    assert!(!posted.is_loop());
    assert!(redirected(fetcher.request(posted.url()).after(posted.chain())).await.is_loop());
    assert!(server.requests()[1].starts_with("GET /a "));
}

#[tokio::test]
async fn chains_have_a_limit() {
    let server = Server::start((0..20).map(|number| redirect(302, &format!("/{number}"))).collect()).await;
    let (targets, error) = by_hops(&fetcher(Http::new()), &server.url("/")).await;
    let error = error.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::TooMuch { limit: 10, .. }), "{error}");
    assert_eq!((targets.len(), server.requests().len(), error.hops().len()), (10, 11, 11));
}

/// What belongs to the first URL goes to its origin, and to no other.
#[tokio::test]
async fn headers_and_logins_stay_at_their_origin() {
    let wanted = || Send(response("401 x", "WWW-Authenticate: Basic realm=a\r\n", ""));
    let other = Server::start(vec![wanted(), ok("x")]).await;
    let server = Server::start(vec![wanted(), redirect(302, "/b"), redirect(302, &other.url("/c"))]).await;
    let fetcher = fetcher(Http::new());
    let with = |request: RequestBuilder<'static, Fetcher>| {
        request.header("X-Token", "s3cret").header("Accept", "text/x").login("anna", "s3cret")
    };
    let first = with(fetcher.request(format!("http://joe:s3cret@127.0.0.1:{}/a", server.port)));
    let first = redirected(first).await;
    let second = redirected(with(fetcher.request(first.url()).after(first.chain()))).await;
    let basic = Some("Basic am9lOnMzY3JldA==".to_owned());
    assert_eq!(server.fields("authorization"), [None, basic.clone(), basic]);
    assert_eq!(server.fields("x-token"), [const { "s3cret" }; 3].map(|value| Some(value.into())));
    let third = with(fetcher.request(second.url()).after(second.chain())).hop().await;
    assert_eq!(third.unwrap_err().status(), Some(401));
    let seen = other.requests().concat();
    assert!(!seen.contains("s3cret") && seen.contains("text/x"), "{seen}");
    // Without the chain they are for the URL.
    with(fetcher.request(second.url())).hop().await.unwrap();
    assert_eq!(other.fields("x-token"), [None, Some("s3cret".to_owned())]);
    assert!(!format!("{second:?} {:?}", second.chain()).contains("s3cret"));
}

/// What a redirect made of the request is kept in the chain; a request may have another method.
#[tokio::test]
async fn methods_of_a_chain() {
    let answers = vec![redirect(307, "/b"), redirect(303, "/c"), redirect(302, "/d"), ok("x"), ok("x")];
    let server = Server::start(answers).await;
    let fetcher = fetcher(Http::new());
    let mut found = redirected(fetcher.request(server.url("/a")).body("a=b")).await;
    for _ in 0..2 {
        found = redirected(fetcher.request(found.url()).after(found.chain())).await;
    }
    let request = || fetcher.request(found.url()).after(found.chain());
    read(responded(request()).await).await.unwrap();
    responded(request().method("HEAD")).await;
    let lines: Vec<_> = server.requests().iter().map(|one| one[..7].to_owned()).collect();
    assert_eq!(lines, ["POST /a", "POST /b", "GET /c ", "GET /d ", "HEAD /d"]);
    assert!(server.requests()[1].ends_with("a=b"));
}

/// Has an address of this machine for every name.
struct Here;

impl Resolver for Here {
    fn resolve<'a>(&'a self, _: &'a str) -> Resolved<'a> {
        Box::pin(async { Ok(vec![Ipv4Addr::LOCALHOST.into()]) })
    }
}

/// The next request is judged by the server that sent the redirect, whatever URL it is given and whichever
/// fetcher sends it. That nothing leads inwards from a public server is shown in a network namespace.
#[tokio::test]
async fn the_policy_judges_each_hop() {
    let server = Server::start(vec![redirect(302, "http://other.example.com:8080/"), ok("x")]).await;
    let fetcher = fetcher(Http::new()).resolver(Arc::new(Here));
    let url = format!("http://www.example.com:{}/", server.port);
    let found = redirected(fetcher.request(&url)).await;
    let denied =
        Fetcher::with_policy(Policy::typed().deny_hosts(["other.example.com"])).resolver(Arc::new(Here));
    for (fetcher, next) in [
        (&fetcher, "file:///etc/passwd"),
        (&fetcher, "ftp://h.example/"),
        (&fetcher, "http://other.example.com:25/"),
        (&denied, "http://other.example.com:8080/"),
    ] {
        let error = fetcher.request(next).after(found.chain()).hop().await.unwrap_err();
        assert_eq!(error.kind(), FetchErrorKind::Forbidden, "{next}: {error}");
        assert_eq!((error.url(), error.hops()), (url.clone(), &[][..]), "{next}");
    }
    let url = format!("http://other.example.com:{}/", server.port);
    responded(fetcher.request(&url).after(found.chain())).await;
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn without_async() {
    let server = Server::start(vec![redirect(301, "/b"), ok("here")]).await;
    let url = server.url("/a");
    let fetched = tokio::task::spawn_blocking(move || {
        use locator_fetch::blocking::{Fetcher, OneHop};

        let fetcher = Fetcher::for_user_input();
        let OneHop::Redirect(found) = fetcher.request(url).hop().unwrap() else { panic!() };
        match fetcher.request(found.url()).after(found.chain()).hop().unwrap() {
            OneHop::Response(response) => response.text().unwrap(),
            OneHop::Redirect(redirect) => panic!("{redirect:?}"),
        }
    });
    assert_eq!(fetched.await.unwrap(), "here");
}

/// What is no redirect of HTTP.
#[tokio::test]
async fn other_responses() {
    assert_eq!(responded(fetcher(Http::new()).request("data:,a")).await.text().await.unwrap(), "a");
    let server = Server::start(vec![redirect(302, "/b"), redirect(302, ""), redirect(300, "/b")]).await;
    let shown = responded(fetcher(Http::new().follow(false)).request(server.url("/"))).await;
    assert_eq!(shown.status(), Some(302));
    let error = fetcher(Http::new()).request(server.url("/")).hop().await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (FetchErrorKind::Redirect, Some(302)));
    assert_eq!(responded(fetcher(Http::new()).request(server.url("/"))).await.status(), Some(300));
}
