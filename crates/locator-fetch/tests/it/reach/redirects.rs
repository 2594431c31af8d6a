//! HTTP: redirects of public servers, other places that a response names, connections that are used
//! again, and a service that fetches what strangers choose.

use std::sync::{Arc, Mutex};

use locator::UriRefBuf;
use locator_audit::Policy;
use locator_fetch::http::{Http, Proxies};
use locator_fetch::run::{ConnectCause, FailureKind};
use locator_fetch::{FetchError, Fetcher, OneHop};

use crate::certificates::Authority;
use crate::reach::network::{INSIDE, Names, Trap, hosts_inside, serve, serve_secured};
use crate::reach::{get, refused, strangers, typed};

#[path = "../../../examples/stranger.rs"]
mod stranger;

/// A page, and what else its head says.
fn page(fields: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n{fields}\r\npage").into()
}

/// A redirect that ends the connection.
fn redirect(status: u16, to: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        .into()
}

/// Serves redirects at an address, to where the result says.
async fn redirects_from(address: &str) -> Arc<Mutex<String>> {
    let location = Arc::new(Mutex::new(String::new()));
    let to = location.clone();
    serve(address, move |request| match request.split(' ').nth(1) {
        Some("/") => redirect(302, &to.lock().unwrap()),
        Some(status) => redirect(status[1..].parse().unwrap(), &to.lock().unwrap()),
        None => Vec::new(),
    })
    .await;
    location
}

/// Where no answer of a public server leads.
fn inwards() -> Vec<String> {
    let others = [
        "[::ffff:10.0.0.1]",
        "rebound.example.com",
        "mixed.example.com",
        "user@127.0.0.1",
        "1.2.3.4%2F@127.0.0.1",
        "1.2.3.4\\@127.0.0.1",
        "127.0.0.1\\@1.2.3.4",
        "127.0.0.1%23@1.2.3.4:8080",
    ];
    let hosts = hosts_inside().chain(others.map(str::to_owned));
    let mut urls: Vec<_> =
        hosts.flat_map(|host| ["http:", "https:", ""].map(|scheme| format!("{scheme}//{host}/"))).collect();
    urls.extend(
        INSIDE.iter().filter(|address| !address.contains(':')).map(|one| format!("http://{one}:8080/")),
    );
    urls.extend(
        ["http://5.6.7.8:25/", "http://5.6.7.8:21/", "http:127.0.0.1", "http:/127.0.0.1/"].map(str::to_owned),
    );
    for scheme in ["ftp", "ftps", "gopher", "wais", "prospero", "nntp", "telnet", "whois", "x-own"] {
        urls.push(format!("{scheme}://127.0.0.1/"));
        urls.push(format!("{scheme}://5.6.7.8/"));
    }
    urls.extend(
        [
            "file:///etc/passwd",
            "file://127.0.0.1/etc/passwd",
            "data:,x",
            "mailto:a@b",
            "news:*",
            "javascript:1",
            "mid:a@b",
            "about:blank",
            "afs://cell/x",
        ]
        .map(str::to_owned),
    );
    urls
}

fn names() -> Arc<Names> {
    let names =
        Names::default().with("www.example.com", &["1.2.3.4"]).with("rebound.example.com", &["10.0.0.1"]);
    Arc::new(names.with("mixed.example.com", &["5.6.7.8", "127.0.0.1"]))
}

#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn redirects_of_public_servers() {
    let trap = Trap::new();
    let elsewhere = Trap::at(&["5.6.7.8"]);
    let location = redirects_from("1.2.3.4:80").await;
    let six = redirects_from("[2606:4700::1111]:80").await;
    let fetchers = [typed().resolver(names()), strangers().resolver(names())];
    for to in inwards() {
        to.clone_into(&mut location.lock().unwrap());
        to.clone_into(&mut six.lock().unwrap());
        for (fetcher, start) in fetchers.iter().flat_map(|fetcher| {
            ["http://www.example.com/", "http://[2606:4700::1111]/"].map(|start| (fetcher, start))
        }) {
            let error = get(fetcher, start).await.err().unwrap_or_else(|| panic!("{to} is followed"));
            // A reference that is relative in spite of its looks leads back to the server.
            let is_refused = matches!(
                &error.failure().unwrap().kind,
                FailureKind::Forbidden(_)
                    | FailureKind::Redirect(_)
                    | FailureKind::NoPlan(_)
                    | FailureKind::TooMuch { .. }
            );
            assert!(is_refused, "{to}: {error}");
            assert_eq!(trap.sprung(), [], "{to}");
        }
    }
    "http://10.0.0.1/".clone_into(&mut location.lock().unwrap());
    for status in [301, 302, 303, 307, 308] {
        let reason = refused(get(&fetchers[0], &format!("http://www.example.com/{status}")).await);
        assert_eq!(reason.as_deref(), Some("Narrower"), "{status}");
    }
    assert_eq!((trap.sprung(), elsewhere.sprung()), (vec![], vec![]));
}

/// One hop a call is judged as a redirect that is followed, also if the caller has found the URL elsewhere.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn redirects_of_public_servers_by_hops() {
    let trap = Trap::new();
    let elsewhere = Trap::at(&["5.6.7.8"]).without(80);
    let location = redirects_from("1.2.3.4:80").await;
    serve("5.6.7.8:80", |_| page("Connection: close\r\n")).await;
    "http://5.6.7.8/".clone_into(&mut location.lock().unwrap());
    for fetcher in [typed().resolver(names()), strangers().resolver(names())] {
        let first = fetcher.request("http://www.example.com/").hop().await.unwrap();
        let OneHop::Redirect(found) = first else { panic!("{first:?}") };
        for to in inwards() {
            let Ok(to) = UriRefBuf::parse(&to) else { continue };
            if to.has_scheme() {
                let error = fetcher.request(&to).after(found.chain()).hop().await.err();
                let kind =
                    &error.as_ref().unwrap_or_else(|| panic!("{to} is requested")).failure().unwrap().kind;
                let is_refused = matches!(kind, FailureKind::Forbidden(_) | FailureKind::NoPlan(_));
                assert!(is_refused, "{to}: {error:?}");
            }
        }
        let next = fetcher.request(found.url()).after(found.chain()).hop().await.unwrap();
        let OneHop::Response(response) = next else { panic!("{next:?}") };
        assert_eq!(response.bytes().await.unwrap(), "page");
    }
    // The policy refuses a hop at once.
    "http://10.0.0.1/".clone_into(&mut location.lock().unwrap());
    let refused = typed().resolver(names()).request("http://www.example.com/").hop().await;
    assert!(is_forbidden(refused));
    assert_eq!((trap.sprung(), elsewhere.sprung()), (vec![], vec![]));
}

/// An address that no way leads to.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn addresses_without_a_way() {
    for url in ["http://9.9.9.9/", "http://[2620:fe::9]/"] {
        let error = get(&typed(), url).await.err().unwrap();
        let FailureKind::NotConnected(why) = &error.failure().unwrap().kind else { panic!("{error}") };
        assert_eq!(why.cause, ConnectCause::Unreachable, "{error}");
    }
}

/// The chain counts: a public server in between does not open the way back inside.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn chains() {
    let trap = Trap::at(&["127.0.0.1", "::1", "169.254.169.254"]);
    serve("5.6.7.8:80", |_| page("Connection: close\r\n")).await;
    serve("10.0.0.1:80", |_| redirect(302, "http://1.2.3.4/")).await;
    let location = redirects_from("1.2.3.4:80").await;
    let fetcher = typed().resolver(names());
    for (to, expected) in [
        ("http://5.6.7.8/", None),
        ("//5.6.7.8/", None),
        ("http://10.0.0.1/", Some("Narrower")),
        ("http://127.0.0.1/", Some("Narrower")),
        ("http://rebound.example.com/", Some("Narrower")),
    ] {
        to.clone_into(&mut location.lock().unwrap());
        let got = get(&fetcher, "http://10.0.0.1/").await;
        if let Ok((fetched, octets)) = &got {
            assert_eq!((&**octets, fetched.hops().len()), (&b"page"[..], 2), "{to}");
        }
        assert_eq!(refused(got).as_deref(), expected, "{to}");
    }
    assert_eq!(trap.sprung(), []);
}

/// A private server may lead to private ones, but not to this machine.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn redirects_of_private_servers() {
    let trap = Trap::at(&["127.0.0.1", "::1", "169.254.169.254", "100.100.100.200"]);
    let location = redirects_from("10.0.0.1:80").await;
    for address in ["192.168.0.1:80", "192.168.0.1:8080", "[fd00::1]:80"] {
        serve(address, |_| page("")).await;
    }
    for (to, expected) in [
        ("http://192.168.0.1/", None),
        ("http://192.168.0.1:8080/", None),
        ("http://[fd00::1]/", None),
        ("http://192.168.0.1:25/", Some("AnswerPort")),
        ("http://127.0.0.1/", Some("Narrower")),
        ("http://localhost:8080/", Some("Narrower")),
        ("http://[::1]/", Some("Narrower")),
        ("http://0.0.0.0/", Some("Narrower")),
        ("http://169.254.169.254/", Some("Narrower")),
        ("http://100.100.100.200/", Some("Narrower")),
    ] {
        to.clone_into(&mut location.lock().unwrap());
        assert_eq!(refused(get(&typed(), "http://10.0.0.1/").await).as_deref(), expected, "{to}");
    }
    assert_eq!(trap.sprung(), []);
}

/// Nothing follows from https to http, not even on the same server.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn from_https_to_http() {
    let trap = Trap::new();
    let clear = Trap::at(&["1.2.3.4"]).without(443);
    let authority = Authority::new();
    let (location, to) = (Arc::new(Mutex::new(String::new())), "www.example.com");
    let shared = location.clone();
    serve_secured("1.2.3.4:443", authority.server(to), move |request| match request.contains("GET /page") {
        true => page(""),
        false => redirect(302, &shared.lock().unwrap()),
    })
    .await;
    for fetcher in [typed(), strangers()] {
        let fetcher = fetcher.resolver(names()).trust(authority.trust());
        for (to, expected) in [
            ("https://www.example.com/page", None),
            ("/page", None),
            ("http://www.example.com/page", Some("AnswerScheme")),
            ("http://www.example.com:443/page", Some("AnswerScheme")),
            ("HTTP://5.6.7.8/", Some("AnswerScheme")),
            ("https://127.0.0.1/", Some("Narrower")),
            ("https://rebound.example.com/", Some("Narrower")),
        ] {
            to.clone_into(&mut location.lock().unwrap());
            let reason = refused(get(&fetcher, "https://www.example.com/").await);
            // A policy that refuses an address at all says so first.
            let is_expected = reason.as_deref() == expected
                || expected == Some("Narrower") && reason.as_deref() == Some("Address");
            assert!(is_expected, "{to}: {reason:?}");
        }
    }
    assert_eq!((trap.sprung(), clear.sprung()), (vec![], vec![]));
}

/// A name is looked up once for a connection, and anew for the next one.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn rebinding() {
    let trap = Trap::new();
    serve("1.2.3.4:80", |request| match request.contains("GET /page") {
        true => [page("Connection: close\r\n"), Vec::new()].concat(),
        false => redirect(302, "http://rebinding.example.com/page"),
    })
    .await;
    for inside in INSIDE {
        for fetcher in [typed(), strangers()] {
            let names = Names::default().with("rebinding.example.com", &["1.2.3.4"]);
            let names = Arc::new(names.with("rebinding.example.com", &[inside]));
            let fetcher = fetcher.resolver(names.clone());
            let url = "http://rebinding.example.com/page";
            assert_eq!(get(&fetcher, url).await.unwrap().1, b"page");
            assert_eq!(names.asked(), ["rebinding.example.com"]);
            let names = Names::default().with("rebinding.example.com", &["1.2.3.4"]);
            let fetcher = fetcher.resolver(Arc::new(names.with("rebinding.example.com", &[inside])));
            assert!(refused(get(&fetcher, "http://rebinding.example.com/").await).is_some(), "{inside}");
        }
    }
    assert_eq!(trap.sprung(), []);
}

/// Fields that name other places are not followed at all.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn other_places_of_a_response() {
    let trap = Trap::new();
    let fields = "Alt-Svc: h2=\"127.0.0.1:443\", h3=\":443\"\r\nRefresh: 0; url=http://127.0.0.1/\r\n\
                  Content-Location: http://10.0.0.1/\r\nLink: <http://10.0.0.1/>; rel=preload\r\n\
                  Location: http://10.0.0.1/\r\n";
    let whole = page(fields);
    serve("1.2.3.4:80", move |_| whole.clone()).await;
    for _ in 0..2 {
        assert_eq!(get(&typed(), "http://1.2.3.4/").await.unwrap().1, b"page");
    }
    assert_eq!(trap.sprung(), []);
}

/// A connection to a private server, which a typed URL opened, is not used for the redirect of a public
/// one.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn connections_that_wait() {
    serve("10.0.0.1:80", |_| page("")).await;
    let location = redirects_from("1.2.3.4:80").await;
    "http://intranet.example.com/".clone_into(&mut location.lock().unwrap());
    let names =
        Names::default().with("intranet.example.com", &["10.0.0.1"]).with("www.example.com", &["1.2.3.4"]);
    let fetcher = typed().resolver(Arc::new(names));
    assert_eq!(get(&fetcher, "http://intranet.example.com/").await.unwrap().1, b"page");
    let reason = refused(get(&fetcher, "http://www.example.com/").await);
    assert_eq!(reason.as_deref(), Some("Narrower"));
}

/// The proxies of the environment: strangers' URLs do not go by them, and where a proxy is asked, the names
/// that answers lead to are judged.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn proxies_of_the_environment() {
    let trap = Trap::new();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (seen, location) = (asked.clone(), Arc::new(Mutex::new(String::new())));
    let to = location.clone();
    serve("10.0.0.1:3128", move |request| {
        let line = request.lines().next().unwrap_or_default().to_owned();
        let is_first = line.contains("http://www.example.com/ ");
        seen.lock().unwrap().push(line);
        if is_first { redirect(302, &to.lock().unwrap()) } else { page("Connection: close\r\n") }
    })
    .await;
    let variables = |name: &str| match name {
        "http_proxy" => Some("http://10.0.0.1:3128".to_owned()),
        "HTTP_PROXY" | "https_proxy" => Some("http://127.0.0.1:8080".to_owned()),
        "no_proxy" => Some("direct.example.com,1.2.3.4".to_owned()),
        _ => None,
    };
    let http = Http::new().proxies(Proxies::of_variables(variables).unwrap());
    let names = names();
    let strangers = strangers().http(http.clone()).resolver(names.clone());
    assert!(is_forbidden(get(&strangers, "http://www.example.com/").await));
    assert_eq!((asked.lock().unwrap().len(), names.asked().len()), (0, 0));
    // A policy may say that the proxy checks addresses; a person trusts the own environment.
    let checked = Fetcher::with_policy(Policy::public_web().proxy_checks(true));
    let checked = checked.http(http.clone()).resolver(names.clone());
    for fetcher in [checked, typed().http(http).resolver(names.clone())] {
        "http://other.example.com/".clone_into(&mut location.lock().unwrap());
        assert_eq!(get(&fetcher, "http://www.example.com/").await.unwrap().1, b"page");
        for to in ["http://127.0.0.1/", "http://10.0.0.1/", "http://localhost/", "http://printer.local/"] {
            to.clone_into(&mut location.lock().unwrap());
            assert!(is_forbidden(get(&fetcher, "http://www.example.com/").await), "{to}");
        }
        // From the proxy to what is reached without it.
        "http://1.2.3.4:25/".clone_into(&mut location.lock().unwrap());
        assert!(is_forbidden(get(&fetcher, "http://www.example.com/").await));
        let lines = std::mem::take(&mut *asked.lock().unwrap());
        assert_eq!(lines.iter().filter(|line| line.contains("www.example.com")).count(), 6);
        assert_eq!(lines[1], "GET http://other.example.com/ HTTP/1.1");
        assert_eq!((lines.len(), names.asked().len()), (7, 0), "no name is looked up here");
    }
    assert_eq!(trap.sprung(), []);
}

fn is_forbidden<T>(result: Result<T, FetchError>) -> bool {
    result.is_err_and(|error| matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(_)))
}

/// A fetcher without settings reads 64 MiB and no more.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn a_page_of_more_than_64_mib() {
    const LIMIT: usize = 64 << 20;
    serve("1.2.3.4:80", |request| {
        let length = LIMIT + usize::from(request.contains("GET /more"));
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
        [head.into_bytes(), vec![b'x'; length]].concat()
    })
    .await;
    assert_eq!(get(&Fetcher::for_untrusted_urls(), "http://1.2.3.4/").await.unwrap().1.len(), LIMIT);
    let error = get(&Fetcher::for_untrusted_urls(), "http://1.2.3.4/more").await.err().unwrap();
    let expected = FailureKind::TooMuch { what: "bytes in the body", limit: LIMIT as u64 };
    assert_eq!(error.failure().unwrap().kind, expected);
}

/// The example: a service that fetches a stranger's URL is not turned against its own network.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn the_example() {
    let trap = Trap::new();
    let elsewhere = Trap::at(&["5.6.7.8"]);
    let location = redirects_from("1.2.3.4:80").await;
    serve("[2606:4700::1111]:80", |_| page("")).await;
    let fetcher = strangers().resolver(names());
    assert_eq!(stranger::fetch(&fetcher, "http://[2606:4700::1111]/").await.unwrap(), b"page");
    for url in inwards() {
        assert!(stranger::fetch(&fetcher, &url).await.is_err(), "{url}");
        url.clone_into(&mut location.lock().unwrap());
        assert!(stranger::fetch(&fetcher, "http://1.2.3.4/").await.is_err(), "{url}");
    }
    for inside in INSIDE {
        // The second look-up for the redirect has the address inside.
        let names = Names::default().with("rebinding.example.com", &["1.2.3.4"]);
        let fetcher = strangers().resolver(Arc::new(names.with("rebinding.example.com", &[inside])));
        "http://rebinding.example.com/".clone_into(&mut location.lock().unwrap());
        assert!(stranger::fetch(&fetcher, "http://rebinding.example.com/").await.is_err(), "{inside}");
    }
    assert_eq!((trap.sprung(), elsewhere.sprung()), (vec![], vec![]));
}
